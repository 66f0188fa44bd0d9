//! Sweeps: every combination of the values of some keys, each with several seeds.
//!
//! What a run gave is kept by content in a [`Store`](crate::store::Store): only what is missing is
//! run, the longest first, and a sweep that is stopped or killed goes on where it was. What comes
//! out depends neither on the number of threads nor on interruptions.

#[cfg(feature = "files")]
mod axes;
#[cfg(feature = "files")]
mod board;
#[cfg(feature = "files")]
mod data_set;
#[cfg(feature = "files")]
mod description;
#[cfg(feature = "files")]
mod error;
#[cfg(feature = "files")]
mod folder;
pub mod metrics;
#[cfg(feature = "files")]
mod options;
#[cfg(feature = "files")]
mod overview;
#[cfg(feature = "files")]
mod plan;
#[cfg(feature = "files")]
mod runner;
#[cfg(all(test, feature = "files"))]
mod tests;

#[cfg(feature = "files")]
pub use {
    description::{
        AxisColumn, AxisDescription, Description, MetricColumn, RunFailure, SeedRange, State,
    },
    error::SweepError,
    folder::{DESCRIPTION, RUNS, SCENARIO},
    options::{Earlier, Options, Progress, Swept},
    overview::{Overview, OverviewRow},
    runner::sweep,
};
