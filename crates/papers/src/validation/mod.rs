//! Our results against the reference data kept in the project: the real ns-2.35.
//!
//! Deterministic scenarios are compared packet by packet ([`micro`]), statistical ones by the
//! confidence interval of the difference of means ([`statistical`]). The data stand in
//! `references/ns2/`, where a script makes them anew.

mod datagrams;
mod families;
pub mod micro;
pub mod statistical;
pub(crate) mod table;
mod vegas;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use experiments::Registry;
use experiments::scenario::{Scenario, ScenarioError};
use experiments::{Outcome, RunError, run};
use rayon::prelude::*;
use serde::Serialize;

use families::FAMILIES;
use statistical::Group;

/// One comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Which scenario, with the parameters that tell it from its neighbours.
    pub scenario: String,
    /// What is compared.
    pub metric: String,
    /// Our value; for a sequence, how many elements are identical from the start.
    pub ours: f64,
    /// The reference's value; for a sequence, how many elements there are.
    pub reference: f64,
    /// Ours less the reference's.
    pub difference: f64,
    /// Confidence interval of the difference, 95 % for all rows of the family together; none for
    /// what is compared exactly.
    pub interval: Option<[f64; 2]>,
    /// How it comes out.
    pub verdict: Verdict,
    /// For an explained difference: the line of `docs/deviations.md`.
    pub deviation: Option<String>,
}

/// How a comparison comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Identical, or zero lies in the interval of the difference.
    Agrees,
    /// It differs for a known reason.
    Explained,
    /// It differs.
    Differs,
}

/// All comparisons.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Validation {
    /// Version of the program.
    pub version: String,
    /// The comparisons, in a fixed order.
    pub rows: Vec<Row>,
}

/// How to validate.
#[derive(Clone, Copy)]
pub struct ValidateOptions<'a> {
    /// Only scenarios whose name contains this.
    pub only: Option<&'a str>,
    /// Threads to use; none: one for each core.
    pub threads: Option<usize>,
    /// The controllers there are.
    pub registry: &'a Registry,
    /// Once this is true, runs stop.
    pub interrupted: &'a AtomicBool,
    /// Told after each run: how many are done, of how many.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// Why there is no validation. All but the interruption are faults of the program.
#[derive(Debug, thiserror::Error)]
pub enum ValidateError {
    /// No comparison has such a name.
    #[error("no comparison is named \"{0}\"")]
    NothingNamed(String),
    /// A scenario is not valid.
    #[error("{scenario}: the scenario is not valid")]
    Scenario {
        /// Which.
        scenario: String,
        /// What is wrong with it.
        source: Box<ScenarioError>,
    },
    /// A run failed.
    #[error("{scenario}: the run failed")]
    Run {
        /// Which.
        scenario: String,
        /// How it failed.
        source: RunError,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// There are no threads to be had.
    #[error("threads could not be started")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// A scenario to run for a comparison.
pub(crate) struct Job {
    pub(crate) name: String,
    pub(crate) scenario: String,
}

/// Runs all comparisons.
pub fn validate(options: &ValidateOptions<'_>) -> Result<Validation, ValidateError> {
    let wanted = |name: &str| options.only.is_none_or(|only| name.contains(only));
    let traces: Vec<_> = micro::traces()
        .into_iter()
        .filter(|trace| wanted(trace.name))
        .collect();
    let groups: Vec<Group> = FAMILIES
        .iter()
        .flat_map(statistical::groups)
        .filter(|group| wanted(&group.name))
        .collect();
    if let (Some(only), true, true) = (options.only, traces.is_empty(), groups.is_empty()) {
        return Err(ValidateError::NothingNamed(only.to_owned()));
    }
    let total = traces.len() + groups.iter().map(|group| group.jobs.len()).sum::<usize>();
    let done = AtomicUsize::new(0);
    let run = |job: &Job| {
        if options.interrupted.load(Ordering::Relaxed) {
            return Err(ValidateError::Interrupted);
        }
        let outcome = run_job(job, options.registry)?;
        (options.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, total);
        Ok(outcome)
    };
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = options.threads {
        pool = pool.num_threads(threads);
    }
    let rows = pool
        .build()?
        .install(|| -> Result<Vec<Row>, ValidateError> {
            let traced: Vec<Vec<Row>> = traces
                .par_iter()
                .map(|trace| Ok(micro::compare(trace, &run(&trace.job())?)))
                .collect::<Result<_, ValidateError>>()?;
            let counted: Vec<Vec<Row>> = groups
                .par_iter()
                .map(|group| {
                    let outcomes = group
                        .jobs
                        .par_iter()
                        .map(|job| Ok(group.measure(&run(job)?)))
                        .collect::<Result<Vec<_>, ValidateError>>()?;
                    Ok(group.compare(&outcomes))
                })
                .collect::<Result<_, ValidateError>>()?;
            Ok(traced.into_iter().chain(counted).flatten().collect())
        })?;
    Ok(Validation {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        rows,
    })
}

fn run_job(job: &Job, registry: &Registry) -> Result<Outcome, ValidateError> {
    let scenario = Scenario::parse(&job.scenario, &job.name, registry).map_err(|source| {
        ValidateError::Scenario {
            scenario: job.name.clone(),
            source: Box::new(source),
        }
    })?;
    run(&scenario, registry).map_err(|source| ValidateError::Run {
        scenario: job.name.clone(),
        source,
    })
}

#[cfg(test)]
mod tests;
