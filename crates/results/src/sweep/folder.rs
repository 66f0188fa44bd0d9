//! The folder of a sweep: whose it is, and what is in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use experiments::Registry;

use super::description::Description;
use super::error::SweepError;
use experiments::scenario::{Scenario, to_toml};

/// The folder of a sweep.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder at `path` for the sweep of `scenario`; it need not be there. An error where
    /// something else is there, or another sweep.
    ///
    /// The same sweep is the same scenario with the same axes. Their values and the seeds may
    /// change: what has been run is kept, and only what is new is run.
    pub(super) fn of(
        path: &Path,
        scenario: &Scenario,
        registry: &Registry,
    ) -> Result<Self, SweepError> {
        let folder = Self {
            path: path.to_owned(),
        };
        match fs::read_to_string(folder.file(SCENARIO)) {
            Ok(there) => folder.check_same(&there, scenario, registry)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => folder.check_empty()?,
            Err(source) => {
                let path = folder.file(SCENARIO);
                return Err(if path.parent().is_some_and(Path::is_file) {
                    folder.not_a_sweep("it is a file")
                } else {
                    SweepError::Io { path, source }
                });
            }
        }
        Ok(folder)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file so that it is there as a whole or not at all.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), SweepError> {
        let fresh = self.fresh(name);
        fs::write(&fresh, text).map_err(SweepError::io(&fresh))?;
        self.publish(name)
    }

    /// Where a file is written before it takes its name.
    pub(super) fn fresh(&self, name: &str) -> PathBuf {
        self.file(&format!("{name}{FRESH}"))
    }

    /// Gives a file that was written its name.
    pub(super) fn publish(&self, name: &str) -> Result<(), SweepError> {
        let path = self.file(name);
        fs::rename(self.fresh(name), &path).map_err(SweepError::io(&path))
    }

    /// Puts the data set of another version aside, under that version's name; says where it is.
    pub(super) fn set_aside(&self, results: &str) -> Result<Option<PathBuf>, SweepError> {
        let Some(there) = self.description() else {
            return Ok(None);
        };
        if there.results == results || !self.file(RUNS).exists() {
            return Ok(None);
        }
        let kept = self.file(&format!("runs-{}.parquet", file_name(&there.results)));
        fs::rename(self.file(RUNS), &kept).map_err(SweepError::io(&kept))?;
        Ok(Some(kept))
    }

    fn description(&self) -> Option<Description> {
        let text = fs::read_to_string(self.file(DESCRIPTION)).ok()?;
        serde_json::from_str(&text).ok()
    }

    fn check_same(
        &self,
        there: &str,
        scenario: &Scenario,
        registry: &Registry,
    ) -> Result<(), SweepError> {
        if there == to_toml(scenario) {
            return Ok(());
        }
        let name = self.file(SCENARIO).display().to_string();
        let there = Scenario::parse(there, &name, registry).map_err(|error| {
            self.not_a_sweep(&format!("its {SCENARIO} cannot be read ({error})"))
        })?;
        let difference = if there.name != scenario.name {
            format!("it is of \"{}\"", there.name)
        } else if axis_keys(&there) != axis_keys(scenario) {
            "its axes are others".to_owned()
        } else if base(&there) != base(scenario) {
            "its scenario is another".to_owned()
        } else {
            return Ok(());
        };
        Err(SweepError::AnotherSweep {
            folder: self.path.clone(),
            difference,
        })
    }

    /// Nothing may be there but what a sweep leaves that was killed before it had begun.
    fn check_empty(&self) -> Result<(), SweepError> {
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(self.not_a_sweep("it is a file"));
            }
            Err(source) => {
                return Err(SweepError::Io {
                    path: self.path.clone(),
                    source,
                });
            }
        };
        for entry in entries {
            let name = entry.map_err(SweepError::io(&self.path))?.file_name();
            if name != RESULTS && !name.to_string_lossy().ends_with(FRESH) {
                return Err(self.not_a_sweep(&format!("it holds {}", name.display())));
            }
        }
        Ok(())
    }

    fn not_a_sweep(&self, reason: &str) -> SweepError {
        SweepError::NotASweep {
            folder: self.path.clone(),
            reason: reason.to_owned(),
        }
    }
}

/// What a scenario is apart from its sweep and from what only people read.
fn base(scenario: &Scenario) -> Scenario {
    Scenario {
        description: String::new(),
        record: None,
        sweep: None,
        ..scenario.clone()
    }
}

fn axis_keys(scenario: &Scenario) -> Vec<Vec<&str>> {
    let axes = scenario.sweep.iter().flat_map(|sweep| &sweep.axes);
    axes.map(|axis| axis.keys.iter().map(|key| key.key.as_str()).collect())
        .collect()
}

/// Nothing that leads to another folder.
fn file_name(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    text.chars().filter(|c| plain(*c)).collect()
}

/// The scenario with its `[sweep]`, complete.
pub const SCENARIO: &str = "sweep.toml";
/// What the data set holds: a [`Description`] as JSON.
pub const DESCRIPTION: &str = "sweep.json";
/// The data set: a row for each run.
pub const RUNS: &str = "runs.parquet";
/// What the sweep goes on from.
pub(super) const RESULTS: &str = "results";
/// What the name of a file ends in while it is written.
const FRESH: &str = ".new";
