//! Figures from run and sweep folders, for papers: SVG, CSV, or LaTeX (`pgfplots`).
//!
//! What runs and sweeps wrote is read as one table: a row for each sample, flow, link or run, with
//! the folder in the column `folder`. A [`Figure`] says which column goes along x, which along y,
//! and which gives colours and panels. Rows that differ in nothing of these become a mean with its
//! 95 % confidence interval (Student's t).

mod data;
mod error;
mod plot;
mod svg;
mod tex;

use std::path::{Path, PathBuf};

use serde::Deserialize;

pub use error::FigureError;
use plot::Plot;

/// What to draw.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Folders of runs or sweeps.
    pub from: Vec<PathBuf>,
    /// Column along x; absent: `time_s` of a run, the first axis of a sweep.
    pub x: Option<String>,
    /// Column along y; in a heat map the second axis.
    pub y: String,
    /// Column that gives each colour; in a heat map the one that is shown. Absent: `folder` with
    /// several folders, else `label` or `link` of a run, the second axis of a sweep. `none`: one
    /// colour.
    pub colour: Option<String>,
    /// Column with a panel for each value.
    pub facet: Option<String>,
    /// How it is drawn.
    #[serde(default)]
    pub kind: Kind,
    /// Where it goes; its ending says in which form: `svg`, `csv` or `tex`.
    pub out: PathBuf,
    /// Above the drawing.
    #[serde(default)]
    pub title: String,
    /// Along x, in place of the column's name.
    pub x_label: Option<String>,
    /// Along y, likewise.
    pub y_label: Option<String>,
    /// Width in pixels.
    #[serde(default = "width")]
    pub width: u32,
    /// Height in pixels.
    #[serde(default = "height")]
    pub height: u32,
    /// Size of letters in pixels.
    #[serde(default = "font_size")]
    pub font_size: u32,
    /// The letters' family.
    #[serde(default = "font")]
    pub font: String,
    /// Light letters on a dark ground.
    #[serde(default)]
    pub dark: bool,
    /// A logarithmic x axis.
    #[serde(default)]
    pub log_x: bool,
    /// A logarithmic y axis.
    #[serde(default)]
    pub log_y: bool,
}

/// How a figure is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// y over x, with intervals where there are several values.
    #[default]
    Lines,
    /// The part of the rows with at most so much of y.
    Cdf,
    /// Median, quartiles, least and greatest of y for each x.
    Box,
    /// The mean of y for each x, with intervals.
    Bars,
    /// The mean of the colour's column over x and y.
    HeatMap,
}

/// What was drawn.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Drawn {
    /// The file.
    pub out: PathBuf,
    /// Column along x.
    pub x: String,
    /// Column along y.
    pub y: String,
    /// Column of the colours.
    pub colour: Option<String>,
    /// Panels.
    pub panels: usize,
    /// Series in all panels.
    pub series: usize,
    /// Rows that it was made of.
    pub rows: usize,
}

/// A set of figures: `[[figure]]` tables of a TOML file. Its paths are relative to `folder`.
pub fn figures(text: &str, folder: &Path) -> Result<Vec<Figure>, FigureError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Set {
        figure: Vec<Figure>,
    }
    let set: Set = toml::from_str(text).map_err(|error| FigureError::Specification {
        reason: error.to_string().trim().replace('\n', " "),
    })?;
    let mut figures = set.figure;
    for figure in &mut figures {
        figure.out = folder.join(&figure.out);
        for from in &mut figure.from {
            *from = folder.join(&*from);
        }
    }
    Ok(figures)
}

/// Draws a figure and writes it.
pub fn draw(figure: &Figure) -> Result<Drawn, FigureError> {
    let write: fn(&Figure, &Plot) -> Result<String, FigureError> =
        match figure.out.extension().and_then(|ending| ending.to_str()) {
            Some("svg") => svg::svg,
            Some("csv") => |_, plot| Ok(plot.csv()),
            Some("tex") => |figure, plot| Ok(tex::tex(figure, plot)),
            _ => {
                return Err(FigureError::Form {
                    out: figure.out.clone(),
                });
            }
        };
    let plot = Plot::of(figure)?;
    let text = write(figure, &plot)?;
    let io = |source| FigureError::Io {
        path: figure.out.clone(),
        source,
    };
    if let Some(parent) = figure.out.parent() {
        std::fs::create_dir_all(parent).map_err(io)?;
    }
    std::fs::write(&figure.out, text).map_err(io)?;
    Ok(Drawn {
        out: figure.out.clone(),
        x: plot.x.clone(),
        y: plot.y.clone(),
        colour: plot.colour.clone(),
        panels: plot.panels.len(),
        series: plot.panels.iter().map(|panel| panel.series.len()).sum(),
        rows: plot.rows,
    })
}

fn width() -> u32 {
    720
}

fn height() -> u32 {
    420
}

fn font_size() -> u32 {
    14
}

fn font() -> String {
    "sans-serif".to_owned()
}
