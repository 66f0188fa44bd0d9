//! Sweeps: every combination of the values of some keys, each with several seeds.
//!
//! What a run gave is kept by content in a [`Store`](crate::store::Store): only what is missing is
//! run, the longest first, and a sweep that is stopped or killed goes on where it was. What comes
//! out depends neither on the number of threads nor on interruptions.

mod axes;
mod board;
mod campaign;
mod data_set;
mod description;
mod error;
mod folder;
mod options;
mod overview;
mod parcel;
mod plan;
mod runner;
#[cfg(test)]
mod tests;

pub use {
    campaign::{Campaign, RunNumber, is_whole_parcel, run_batch},
    description::{
        AxisColumn, AxisDescription, Description, MetricColumn, RunFailure, SeedRange, State,
    },
    error::SweepError,
    folder::{DESCRIPTION, RUNS, SCENARIO},
    options::{Earlier, Options, Progress, Swept},
    overview::{Overview, OverviewRow},
    runner::sweep,
};
