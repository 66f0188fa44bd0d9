//! What a sweep is told, what it tells on the way, and what it gives.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use experiments::Registry;

use super::description::Description;
use super::overview::Overview;
use crate::store::OtherVersion;
use experiments::scenario::Scenario;

/// How to run a sweep.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Threads to use; none: one for each core.
    pub threads: Option<usize>,
    /// The controllers there are.
    pub registry: &'a Registry,
    /// Once this is true, runs stop; those that are finished are kept.
    pub interrupted: &'a AtomicBool,
    /// Whether there is room for a run, for instance memory; else why not.
    pub admit: &'a (dyn Fn(&Scenario) -> Result<(), String> + Sync),
    /// Told what is there already, before the first run.
    pub started: &'a (dyn Fn(&Earlier) + Sync),
    /// Told after each run. Calls never overlap.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// What was there when the sweep began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Earlier {
    /// Runs that are finished.
    pub finished: u64,
    /// Runs that the sweep has, as far as is known.
    pub points: u64,
    /// Other versions that have results here, which are not used.
    pub others: Vec<OtherVersion>,
    /// Where the data set of another version now is.
    pub set_aside: Option<PathBuf>,
    /// Bytes of a record that was torn when the program was killed.
    pub torn_bytes: u64,
}

/// How far a sweep is: a run has just ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Runs that ended since the sweep began.
    pub run: u64,
    /// Those of them that failed.
    pub failed: u64,
    /// Runs that were finished before.
    pub skipped: u64,
    /// Runs that the sweep has, as far as is known.
    pub points: u64,
    /// Work done since the sweep began, in data packets.
    pub work_done: f64,
    /// Work that there was to do, in data packets.
    pub work_total: f64,
}

/// What a sweep gave.
#[derive(Clone, Debug)]
pub struct Swept {
    /// What the data set holds.
    pub description: Description,
    /// The most important of it.
    pub overview: Overview,
    /// Runs done now.
    pub run: u64,
    /// Runs that were finished before.
    pub skipped: u64,
    /// Whether it was stopped: then some runs are missing.
    pub interrupted: bool,
}
