//! Experiments: scenario files, the runs they describe, and their summaries and metrics.
//!
//! The way from a scenario to its results needs no threads, no clock and no file system, so that it
//! runs in a browser too. What becomes of results (pages, tables, sweeps) is in the crate `results`.

pub mod allotted;
pub mod catalogue;
pub mod gallery;
pub mod metrics;
mod registry;
pub mod scenario;
pub mod simulation;
pub mod summary;

pub use registry::Registry;
pub use simulation::{Outcome, Recording, RunError, run, run_with_progress};
pub use summary::Summary;
