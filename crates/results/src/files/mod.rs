//! Run folders: what `ackclock run --out DIR` leaves behind.
//!
//! A run folder holds `scenario.toml` (complete and runnable), `summary.json`, `index.html`, and as
//! Parquet tables whatever was recorded. `docs/reference/tables.md` describes the tables. The same
//! scenario, seed and version give the same bytes in every file.

mod charts;
mod drawing;
mod folder;
mod identity;
mod lines;
mod marks;
mod run_page;
mod sweep_report;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod thin;
mod words;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

pub use folder::replace_folder;
pub use identity::{RunIdentity, existing_run};
pub use run_page::run_page;
pub use sweep_report::{
    Drawn, Kind as SweepKind, PAGE as SWEEP_PAGE, SweepReportError, SweptPoint, Wishes,
    swept_points, write_sweep_report,
};
pub(crate) use table::ROWS_PER_GROUP;
pub use table::{Column, Origin, Table, Values};
pub use tables::run_tables;

use crate::page::{PageError, Script};
use experiments::scenario::{self, Scenario};
use experiments::simulation::Outcome;
use experiments::summary::Summary;

/// Why a folder was not written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilesError {
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the file system says.
        source: io::Error,
    },
    /// A table could not be written.
    #[error("{}: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What the Parquet library says.
        source: ParquetError,
    },
    /// The page could not be made from the results.
    #[error("page of the run: {0}")]
    Page(#[from] PageError),
    /// Where the folder should be, there is something else.
    #[error("{} is not the folder of a run: {reason}", path.display())]
    NotARun {
        /// What is there.
        path: PathBuf,
        /// How it differs from the folder of a run.
        reason: String,
    },
    /// The new folder could not take the old one's place, nor could the old one go back.
    #[error("{}: {source}; what was there is now in {}", path.display(), kept.display())]
    Displaced {
        /// Where the folder should be.
        path: PathBuf,
        /// Where the folder that was there is now.
        kept: PathBuf,
        /// Why the new folder could not go there.
        source: io::Error,
    },
}

impl FilesError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io {
            path: path.to_owned(),
            source,
        }
    }
}

/// Writes the folder of a run to `dir`, whose parent must exist.
///
/// The folder appears complete or not at all. An earlier run's folder at `dir` is replaced; it stays
/// as it was where the new one cannot be written. Anything else at `dir` but an empty folder is an
/// error (see [`existing_run`]).
pub fn write_run_folder(
    dir: &Path,
    scenario: &Scenario,
    outcome: &Outcome,
) -> Result<(), FilesError> {
    existing_run(dir)?;
    let text = scenario::to_toml(scenario);
    replace_folder(dir, |folder| write_files(folder, &text, scenario, outcome))
}

fn write_files(
    folder: &Path,
    scenario_text: &str,
    scenario: &Scenario,
    outcome: &Outcome,
) -> Result<(), FilesError> {
    write_file(&folder.join(SCENARIO), scenario_text.as_bytes())?;
    write_summary(&folder.join(SUMMARY), &outcome.summary)?;
    let origin = Origin::of(&outcome.summary);
    for table in run_tables(outcome) {
        if table.rows > 0 {
            table.write(&folder.join(table.file_name()), &origin)?;
        }
    }
    let page = run_page(scenario, scenario_text, outcome).to_html(&Script::Embedded)?;
    write_file(&folder.join(PAGE), page.as_bytes())
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), FilesError> {
    std::fs::write(path, bytes).map_err(FilesError::io(path))
}

fn write_summary(path: &Path, summary: &Summary) -> Result<(), FilesError> {
    let write = || -> io::Result<()> {
        let mut file = io::BufWriter::new(std::fs::File::create(path)?);
        serde_json::to_writer_pretty(&mut file, summary)?;
        file.write_all(b"\n")?;
        file.flush()
    };
    write().map_err(FilesError::io(path))
}

/// The scenario, complete and runnable.
pub const SCENARIO: &str = "scenario.toml";
/// The [`Summary`] as JSON.
pub const SUMMARY: &str = "summary.json";
/// The page with charts and tables.
pub const PAGE: &str = "index.html";
