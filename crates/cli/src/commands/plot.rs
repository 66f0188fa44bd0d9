//! `ackclock plot`: figures for papers from run and sweep folders.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use results::figure::{self, Drawn, Figure, FigureError, Kind};
use serde::Serialize;

use crate::output::{self, Failure};

/// Arguments of `plot`.
#[derive(Args, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct Arguments {
    /// Folders of runs or sweeps, or one TOML file with a set of figures
    #[arg(value_name = "DIR", required = true)]
    from: Vec<PathBuf>,
    /// Column along x [default: `time_s` of a run, the first axis of a sweep]
    #[arg(long, value_name = "COLUMN")]
    x: Option<String>,
    /// Column along y: of a run `window_packets`, `rtt_s`, `queue_packets`, `goodput_bps`, …; of a
    /// sweep any metric; in a heat map the second axis
    #[arg(long, value_name = "COLUMN")]
    y: Option<String>,
    /// Column with a colour for each value; `none`: one colour; in a heat map what is shown
    /// [default: `folder` with several, else `label`, `link` or the second axis]
    #[arg(long, alias = "color", value_name = "COLUMN")]
    colour: Option<String>,
    /// Column with a panel for each value
    #[arg(long, value_name = "COLUMN")]
    facet: Option<String>,
    /// How it is drawn
    #[arg(long, value_enum, default_value_t = Shape::Lines)]
    kind: Shape,
    /// The file; its ending says the form: .svg, .csv or .tex (pgfplots)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Above the drawing
    #[arg(long, value_name = "TEXT", default_value = "")]
    title: String,
    /// Along x, in place of the column's name
    #[arg(long, value_name = "TEXT")]
    x_label: Option<String>,
    /// Along y, in place of the column's name
    #[arg(long, value_name = "TEXT")]
    y_label: Option<String>,
    /// Width in pixels
    #[arg(long, value_name = "N", default_value_t = 720, value_parser = clap::value_parser!(u32).range(100..=10_000))]
    width: u32,
    /// Height in pixels
    #[arg(long, value_name = "N", default_value_t = 420, value_parser = clap::value_parser!(u32).range(100..=10_000))]
    height: u32,
    /// Size of letters in pixels
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u32).range(6..=72))]
    font_size: u32,
    /// Family of letters
    #[arg(long, value_name = "NAME", default_value = "sans-serif")]
    font: String,
    /// Light letters on a dark ground
    #[arg(long)]
    dark: bool,
    /// A logarithmic x axis
    #[arg(long)]
    log_x: bool,
    /// A logarithmic y axis
    #[arg(long)]
    log_y: bool,
    /// Prints what was drawn as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// How a figure is drawn.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shape {
    /// y over x, with intervals over what differs in nothing shown
    Lines,
    /// What part of the rows has at most so much of y
    Cdf,
    /// Median, quartiles, least and greatest of y for each x
    Box,
    /// The mean of y for each x, with intervals
    Bars,
    /// The mean of the colour's column over x and y
    HeatMap,
}

/// What was drawn, as `--json` prints it.
#[derive(Debug, Serialize)]
struct All {
    figures: Vec<Drawn>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut drawn = Vec::new();
    for figure in figures(arguments)? {
        let one = figure::draw(&figure).map_err(|error| explain(&error))?;
        output::note(&format!(
            "{}: {} series of {} values",
            one.out.display(),
            one.series,
            one.rows
        ));
        drawn.push(one);
    }
    if arguments.json {
        return output::print_json(&All { figures: drawn });
    }
    Ok(())
}

fn figures(arguments: &Arguments) -> Result<Vec<Figure>, Failure> {
    if let [file] = &arguments.from[..]
        && file.extension().is_some_and(|ending| ending == "toml")
    {
        let text = fs::read_to_string(file).map_err(|error| {
            Failure::refused(
                format!("{}: cannot be read: {error}", file.display()),
                "give folders of runs or sweeps, or a file with [[figure]] tables",
            )
        })?;
        let folder = file.parent().unwrap_or(Path::new(""));
        return figure::figures(&text, folder).map_err(|error| explain(&error));
    }
    let wanted = |option: &str| {
        Failure::refused(
            format!("{option} is missing"),
            "for example: ackclock plot out/first --y window_packets --out window.svg",
        )
    };
    Ok(vec![Figure {
        from: arguments.from.clone(),
        x: arguments.x.clone(),
        y: arguments.y.clone().ok_or_else(|| wanted("--y"))?,
        colour: arguments.colour.clone(),
        facet: arguments.facet.clone(),
        kind: match arguments.kind {
            Shape::Lines => Kind::Lines,
            Shape::Cdf => Kind::Cdf,
            Shape::Box => Kind::Box,
            Shape::Bars => Kind::Bars,
            Shape::HeatMap => Kind::HeatMap,
        },
        out: arguments.out.clone().ok_or_else(|| wanted("--out"))?,
        title: arguments.title.clone(),
        x_label: arguments.x_label.clone(),
        y_label: arguments.y_label.clone(),
        width: arguments.width,
        height: arguments.height,
        font_size: arguments.font_size,
        font: arguments.font.clone(),
        dark: arguments.dark,
        log_x: arguments.log_x,
        log_y: arguments.log_y,
    }])
}

fn explain(error: &FigureError) -> Failure {
    let hint = match error {
        FigureError::Column { columns, .. } => {
            let shown = columns.iter().take(MOST_NAMED).cloned();
            let more = if columns.len() > MOST_NAMED {
                ", …"
            } else {
                ""
            };
            format!("there are: {}{more}", shown.collect::<Vec<_>>().join(", "))
        }
        FigureError::NoTables { .. } => {
            "`ackclock run FILE --out DIR` and `ackclock sweep FILE --out DIR` write tables"
                .to_owned()
        }
        FigureError::Form { .. } => {
            "for PNG or PDF convert the SVG, for instance with rsvg-convert".to_owned()
        }
        FigureError::Drawing { .. } => return Failure::fault(error.to_string()),
        _ => "`ackclock help plot` says what it takes".to_owned(),
    };
    Failure::refused(error.to_string(), hint)
}

const MOST_NAMED: usize = 60;
