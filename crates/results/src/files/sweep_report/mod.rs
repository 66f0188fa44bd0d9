//! The page of a sweep: one quantity over the sweep's axes, as `ackclock report` draws it.
//!
//! Reads `sweep.json` and of `runs.parquet` the columns that are drawn. Runs that differ by seed
//! only become a mean with its 95 % confidence interval (Student's t); runs that differ by an axis
//! are never averaged: what is neither x nor colour gets charts of its own.

mod choice;
mod draw;
mod lines;
mod names;
mod points;
mod rows;
mod scale;
mod surface;
mod tables;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;
use serde::Serialize;

use crate::page::{PageError, Script};
use crate::sweep::{DESCRIPTION, Description, RUNS};

use choice::Choice;
pub use points::{SweptPoint, swept_points};

/// What to draw, by name; what is absent is chosen. An axis goes by its key
/// (`flows.tcp.count`) or its column, a metric by its column (`flows.tcp.goodput_bps`); the end of
/// a name will do (`count`, `goodput`) where it is the end of one name only.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Along x: an axis, or a metric. Absent: the first axis of numbers with several values.
    pub x: Option<String>,
    /// Along y: a metric; in a heat map an axis. Absent: the goodput of all flows.
    pub y: Option<String>,
    /// One colour for each value of this axis; in a heat map the metric shown. `none`: no axis.
    pub colour: Option<String>,
    /// One chart for each value of this axis. `none`: no axis.
    pub facet: Option<String>,
    /// Lines or a heat map. Absent: a heat map of two axes of numbers with four values or more
    /// each and without seeds, else lines.
    pub kind: Option<Kind>,
}

/// How a sweep is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A metric over an axis, or over another metric.
    Lines,
    /// A metric as colour over two axes.
    HeatMap,
}

/// What was drawn, as `ackclock report --json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Drawn {
    /// The page.
    pub out: PathBuf,
    /// How.
    pub kind: Kind,
    /// Key of the axis, or column of the metric, along x.
    pub x: String,
    /// Column of the metric along y; in a heat map the axis' key.
    pub y: String,
    /// Key of the axis that colours stand for; in a heat map the metric's column.
    pub colour: Option<String>,
    /// Key of the axis with a chart for each value.
    pub facet: Option<String>,
    /// Points drawn: combinations of the axes' values that have a number.
    pub points: usize,
    /// Runs they are made of.
    pub runs: u64,
    /// Runs that failed.
    pub failed: u64,
    /// Whether the sweep is complete; if not, the page says so.
    pub complete: bool,
}

/// Why a sweep was not drawn.
#[derive(Debug, thiserror::Error)]
pub enum SweepReportError {
    /// The folder does not hold a sweep, or nothing of one that could be drawn.
    #[error("{}: {reason}", folder.display())]
    NotASweep {
        /// The folder.
        folder: PathBuf,
        /// What is missing.
        reason: String,
        /// What to do.
        hint: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the file system says.
        source: io::Error,
    },
    /// The data set cannot be read.
    #[error("{}: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What the Parquet library says.
        source: ParquetError,
    },
    /// A wish names nothing that the sweep has, or what cannot go there.
    #[error("{option} {given}: {reason}")]
    Name {
        /// The option: `--x`.
        option: &'static str,
        /// What was given.
        given: String,
        /// What is wrong with it.
        reason: String,
        /// What is allowed.
        hint: String,
    },
    /// The sweep cannot be drawn in this way.
    #[error("{reason}")]
    Unsuitable {
        /// What does not fit.
        reason: String,
        /// What to do.
        hint: String,
    },
    /// The page could not be made.
    #[error("page of the sweep: {0}")]
    Page(#[from] PageError),
}

/// Draws the sweep in `folder` and writes the page into it, as `report.html`.
pub fn write_sweep_report(folder: &Path, wishes: &Wishes) -> Result<Drawn, SweepReportError> {
    let description = describe(folder)?;
    let choice = Choice::make(&description, wishes)?;
    let column = |metric: &usize| description.metrics[*metric].column.clone();
    let columns: Vec<_> = choice.metrics(&description).iter().map(column).collect();
    let data = rows::read(&folder.join(RUNS), &description, &columns)?;
    let (page, points) = draw::page(&description, &choice, &data)?;
    let text = page.to_html(&Script::Embedded)?;
    let out = folder.join(PAGE);
    let partial = folder.join(format!(".{PAGE}.partial"));
    let io = |path: &Path| {
        let path = path.to_owned();
        |source| SweepReportError::Io { path, source }
    };
    fs::write(&partial, text).map_err(io(&partial))?;
    fs::rename(&partial, &out).map_err(io(&out))?;
    let (x, y, colour, facet) = choice.names(&description);
    Ok(Drawn {
        out,
        kind: choice.kind(),
        x,
        y,
        colour,
        facet,
        points,
        runs: data.runs,
        failed: data.failed,
        complete: data.complete,
    })
}

/// Reads what is in the folder's data set.
fn describe(folder: &Path) -> Result<Description, SweepReportError> {
    let path = folder.join(DESCRIPTION);
    let not_a_sweep = |reason: &str, hint: &str| SweepReportError::NotASweep {
        folder: folder.to_owned(),
        reason: reason.to_owned(),
        hint: hint.to_owned(),
    };
    let text = fs::read(&path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound if folder.join("index.html").is_file() => not_a_sweep(
            "is not the folder of a sweep",
            "it has a page already: open its index.html",
        ),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if !folder.is_dir() => {
            not_a_sweep("no such folder", MAKE_ONE)
        }
        io::ErrorKind::NotFound => not_a_sweep("is not the folder of a sweep", MAKE_ONE),
        _ => SweepReportError::Io {
            path: path.clone(),
            source,
        },
    })?;
    let description: Description = serde_json::from_slice(&text).map_err(|error| {
        not_a_sweep(
            &format!("{DESCRIPTION} cannot be read: {error}"),
            "repeat the sweep's command: what is done is not run again",
        )
    })?;
    if folder.join(RUNS).is_file() {
        Ok(description)
    } else {
        Err(not_a_sweep(
            "the sweep has no results yet",
            "repeat the sweep's command: what is done is not run again",
        ))
    }
}

/// The page's file name.
pub const PAGE: &str = "report.html";
const MAKE_ONE: &str = "`ackclock sweep FILE --out DIR` makes one";
