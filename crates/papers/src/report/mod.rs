//! The report: a folder that opens offline from a file.
//!
//! `index.html` lists papers and claims; each paper has a page; `data/` holds a CSV file for each
//! figure, `scenarios/` a scenario file for each point, `results.json` what `--json` prints.
//!
//! The folder is written under another name and renamed when it is complete, so that a report is
//! there whole or not at all.

mod csv;
mod index;
mod paper_page;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use results::page::{Block, CHART_LIBRARY, PageError, Palette, Script};

use crate::results::ReproduceResult;
use crate::runner::{FigureOutcome, PaperOutcome, Reproduction};

/// Why a report was not written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder is there and is not a report: it is not touched.
    #[error("{} is there already and is not a report", folder.display())]
    NotAReport {
        /// The folder.
        folder: PathBuf,
    },
    /// The reproduction was stopped, and a report is there already: it is kept.
    #[error("the reproduction is not complete; the report in {} was kept", folder.display())]
    Incomplete {
        /// The folder.
        folder: PathBuf,
    },
    /// A page cannot be drawn: a fault of the figure.
    #[error("{page} cannot be drawn")]
    Page {
        /// The page's file name.
        page: String,
        /// What is wrong with it.
        source: PageError,
    },
    /// A figure draws neither a chart nor a table: a fault of the figure.
    #[error("figure {figure} draws nothing")]
    Nothing {
        /// The paper's name and the figure's id: `gaimd/2`.
        figure: String,
    },
    /// A file or folder cannot be written.
    #[error("{} cannot be written", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Writes the report of `reproduction` into `folder` and returns the path of its first page.
///
/// A report that stands there is replaced, once the new one is complete, unless `reproduction` was
/// interrupted. Any other folder with something in it is left alone.
pub fn write_report(folder: &Path, reproduction: &Reproduction) -> Result<PathBuf, ReportError> {
    let before = what_is_at(folder)?;
    if before == Before::Report && reproduction.interrupted {
        return Err(ReportError::Incomplete {
            folder: folder.to_owned(),
        });
    }
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    create(parent)?;
    let partial = tempfile::Builder::new()
        .prefix(".report-")
        .tempdir_in(parent)
        .map_err(|source| ReportError::Write {
            path: parent.to_owned(),
            source,
        })?;
    let fresh = partial.path().join("new");
    write_files(&fresh, reproduction)?;

    // The old report moves into the temporary folder, which is removed at the end.
    let old = partial.path().join("old");
    if before != Before::Nothing {
        rename(folder, &old)?;
    }
    if let Err(error) = rename(&fresh, folder) {
        if before != Before::Nothing {
            rename(&old, folder)?;
        }
        return Err(error);
    }
    Ok(folder.join(INDEX))
}

/// Whether a report may go into `folder`: an error where something else is there.
pub fn may_write_report(folder: &Path) -> Result<(), ReportError> {
    what_is_at(folder)?;
    // The report is made beside its place and renamed: try whether something can be made there.
    let parent = folder.ancestors().skip(1).find(|parent| parent.is_dir());
    let parent = parent.unwrap_or(Path::new("."));
    tempfile::Builder::new()
        .prefix(".report-")
        .tempdir_in(parent)
        .map(drop)
        .map_err(|source| ReportError::Write {
            path: folder.to_owned(),
            source,
        })
}

/// What stands where the report goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    EmptyFolder,
    Report,
}

fn what_is_at(folder: &Path) -> Result<Before, ReportError> {
    let not_a_report = || ReportError::NotAReport {
        folder: folder.to_owned(),
    };
    let mut entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Before::Nothing),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Err(not_a_report()),
        Err(source) => {
            return Err(ReportError::Write {
                path: folder.to_owned(),
                source,
            });
        }
    };
    if entries.next().is_none() {
        return Ok(Before::EmptyFolder);
    }
    let results = fs::read(folder.join(RESULTS)).unwrap_or_default();
    let has_papers = serde_json::from_slice::<serde_json::Value>(&results)
        .is_ok_and(|results| results.get("papers").is_some());
    if has_papers && folder.join(INDEX).is_file() {
        Ok(Before::Report)
    } else {
        Err(not_a_report())
    }
}

fn write_files(folder: &Path, reproduction: &Reproduction) -> Result<(), ReportError> {
    create(folder)?;
    create(&folder.join(DATA))?;
    create(&folder.join(SCENARIOS))?;
    let palette = Palette::new(
        reproduction
            .papers
            .iter()
            .flat_map(|outcome| outcome.paper.protocols.iter().copied()),
    );
    let script = Script::Shared(LIBRARY.to_owned());
    let page = |name: &str, mut page: results::page::Page| {
        page.palette = palette.clone();
        let text = page.to_html(&script).map_err(|source| ReportError::Page {
            page: name.to_owned(),
            source,
        })?;
        write(&folder.join(name), &text)
    };
    for outcome in &reproduction.papers {
        for figure in &outcome.figures {
            if drawing(&(figure.figure.draw)(&figure.data)).is_none() {
                return Err(ReportError::Nothing {
                    figure: format!("{}/{}", outcome.paper.name, figure.figure.id),
                });
            }
        }
    }
    page(INDEX, index::page(reproduction))?;
    for outcome in &reproduction.papers {
        page(
            &page_name(outcome),
            paper_page::page(outcome, reproduction.mode),
        )?;
        for figure in &outcome.figures {
            let base = base_name(outcome, figure);
            write(
                &folder.join(DATA).join(format!("{base}.csv")),
                &csv::values(&figure.data),
            )?;
            if let Some(curves) = csv::curves(&figure.data) {
                write(
                    &folder.join(DATA).join(format!("{base}-series.csv")),
                    &curves,
                )?;
            }
            for point in &figure.data.points {
                let name = scenario_name(&base, &point.key);
                write(&folder.join(SCENARIOS).join(name), &point.scenario)?;
            }
        }
    }
    let results = ReproduceResult::new(reproduction, Some(Path::new(INDEX)));
    let json = serde_json::to_string_pretty(&results).expect("results are numbers and texts");
    write(&folder.join(RESULTS), &(json + "\n"))?;
    write(&folder.join(LIBRARY), CHART_LIBRARY)
}

/// File name of a paper's page.
fn page_name(outcome: &PaperOutcome) -> String {
    format!("{}.html", outcome.paper.name)
}

/// What the names of a figure's files begin with: `gaimd-2`.
fn base_name(outcome: &PaperOutcome, figure: &FigureOutcome) -> String {
    format!("{}-{}", outcome.paper.name, figure.figure.id)
}

/// File name of a point's scenario.
fn scenario_name(base: &str, key: &crate::Key) -> String {
    let slug = key.slug();
    if slug.is_empty() {
        format!("{base}.toml")
    } else {
        format!("{base}-{slug}.toml")
    }
}

/// Where on a paper's page a figure is.
fn anchor(figure: &FigureOutcome) -> String {
    format!("figure-{}", figure.figure.id)
}

/// A figure's heading: `Figure 2`; those that are not figures say what they are: `Table 1`.
fn heading(id: &str) -> String {
    match id.split_once('-') {
        Some(("table", number)) => format!("Table\u{a0}{number}"),
        _ => format!("Figure\u{a0}{id}"),
    }
}

/// The first chart or heat map among what a figure draws, else its first table.
fn drawing(blocks: &[Block]) -> Option<&Block> {
    find(blocks, |block| {
        matches!(block, Block::Chart(_) | Block::HeatMap(_))
    })
    .or_else(|| find(blocks, |block| matches!(block, Block::Table(_))))
}

/// The first such block, in what others hold too.
fn find(blocks: &[Block], is_it: fn(&Block) -> bool) -> Option<&Block> {
    blocks.iter().find_map(|block| match block {
        block if is_it(block) => Some(block),
        Block::Grid(inner) | Block::Details { blocks: inner, .. } => find(inner, is_it),
        Block::Beside { main, side } => find(main, is_it).or_else(|| find(side, is_it)),
        _ => None,
    })
}

fn create(folder: &Path) -> Result<(), ReportError> {
    fs::create_dir_all(folder).map_err(|source| ReportError::Write {
        path: folder.to_owned(),
        source,
    })
}

fn write(path: &Path, text: &str) -> Result<(), ReportError> {
    fs::write(path, text).map_err(|source| ReportError::Write {
        path: path.to_owned(),
        source,
    })
}

fn rename(from: &Path, to: &Path) -> Result<(), ReportError> {
    fs::rename(from, to).map_err(|source| ReportError::Write {
        path: to.to_owned(),
        source,
    })
}

const INDEX: &str = "index.html";
const RESULTS: &str = "results.json";
const DATA: &str = "data";
const SCENARIOS: &str = "scenarios";
const LIBRARY: &str = "echarts.min.js";
