//! Why a sweep was not run.

use std::io;
use std::path::{Path, PathBuf};

use crate::files::FilesError;
use crate::store::StoreError;
use experiments::scenario::ScenarioError;

/// Why a sweep was not run.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The scenario is not valid.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The scenario has no `[sweep]`.
    #[error("\"{name}\" has no [sweep]")]
    NoSweep {
        /// The scenario's name.
        name: String,
    },
    /// The folder holds something else.
    #[error("{} is not the folder of a sweep: {reason}", folder.display())]
    NotASweep {
        /// The folder.
        folder: PathBuf,
        /// What is there.
        reason: String,
    },
    /// The folder holds another sweep.
    #[error("{} holds another sweep: {difference}", folder.display())]
    AnotherSweep {
        /// The folder.
        folder: PathBuf,
        /// How it differs.
        difference: String,
    },
    /// Stopped before the first run began.
    #[error("interrupted before the first run")]
    Interrupted,
    /// Results cannot be kept or read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The data set cannot be written.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it says.
        source: io::Error,
    },
    /// Results that were sent cannot be read.
    #[error("a parcel of results cannot be read: {0}")]
    Parcel(&'static str),
    /// There are no threads to be had.
    #[error("threads could not be started: {0}")]
    Threads(io::Error),
}

impl SweepError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io {
            path: path.to_owned(),
            source,
        }
    }
}
