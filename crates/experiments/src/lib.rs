//! Experiments: scenario files, the runs they describe, and their results.
//!
//! The way from a scenario to its results needs no threads and no file system. Run folders with
//! Parquet tables and an HTML page, kept results and sweeps stand behind the feature `files`.

pub mod allotted;
pub mod catalogue;
#[cfg(feature = "files")]
pub mod files;
pub mod metrics;
#[cfg(feature = "files")]
pub mod page;
pub mod scenario;
pub mod simulation;
#[cfg(feature = "files")]
pub mod store;
pub mod summary;
pub mod sweep;

pub use simulation::{Outcome, Recording, RunError, run, run_with_progress};
pub use summary::Summary;
