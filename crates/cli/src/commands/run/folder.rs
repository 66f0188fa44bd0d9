//! The run folder: when it may be written, and writing it.
//!
//! A folder that holds the same run (scenario with all settings and seed, same version) is written
//! again: the bytes are the same. Any other folder that is not empty is refused, before the run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use experiments::scenario::{self, Scenario};
use experiments::simulation::Outcome;
use results::files::{self, FilesError};

use crate::output::{self, Failure};

/// Refuses a folder that cannot be written, or that holds something else.
pub(super) fn may_be_written(folder: &Path, scenario: &Scenario) -> Result<(), Failure> {
    match files::existing_run(folder).map_err(|error| refused(&error))? {
        None => probe(folder).map_err(|error| cannot_write(folder, &error)),
        Some(there) => {
            let text = fs::read_to_string(folder.join(files::SCENARIO)).unwrap_or_default();
            let same = text == scenario::to_toml(scenario) && there.version == VERSION;
            if same {
                return Ok(());
            }
            Err(Failure::refused(
                format!(
                    "{}: holds another run (scenario {}, seed {}, ackclock {})",
                    folder.display(),
                    there.scenario,
                    there.seed,
                    there.version
                ),
                "give --out another folder, or remove this one",
            ))
        }
    }
}

/// Writes the run folder.
pub(super) fn write(folder: &Path, scenario: &Scenario, outcome: &Outcome) -> Result<(), Failure> {
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).map_err(|error| cannot_write(folder, &error))?;
    }
    files::write_run_folder(folder, scenario, outcome).map_err(|error| match error {
        FilesError::Page(_) => Failure::fault(error.to_string()),
        error => refused(&error),
    })?;
    output::note(&format!(
        "The run is in {}: open {}",
        folder.display(),
        folder.join(files::PAGE).display()
    ));
    Ok(())
}

/// Opens the page of a run folder in the browser; where that fails, the user opens it.
pub(super) fn open(folder: &Path) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let opened = Command::new(program)
        .arg(folder.join(files::PAGE))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = opened {
        output::note(&format!("The page was not opened: {program}: {error}"));
    }
}

/// Finds out whether the folder can be made, and leaves no trace of it but its parents.
fn probe(folder: &Path) -> std::io::Result<()> {
    if folder.is_dir() {
        // Its place is taken by a new folder, which is made beside it.
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    fs::remove_dir(folder)
}

fn cannot_write(folder: &Path, error: &std::io::Error) -> Failure {
    Failure::refused(
        format!("{}: cannot be written: {error}", folder.display()),
        "give --out a folder that you may write",
    )
}

fn refused(error: &FilesError) -> Failure {
    Failure::refused(
        error.to_string(),
        "give --out another folder, such as one that is not there yet",
    )
}

const VERSION: &str = env!("CARGO_PKG_VERSION");
