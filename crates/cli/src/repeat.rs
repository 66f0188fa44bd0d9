//! Several runs at once: seeds and variants of a scenario.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use experiments::Registry;
use experiments::metrics::{Moments, confidence_95};
use experiments::scenario::Scenario;
use experiments::simulation::{Outcome, RunError, run_with_progress};
use serde::Serialize;

use crate::commands::run::explain;
use crate::interrupt;
use crate::output::Failure;
use crate::progress::Progress;
use crate::scenarios;

/// Runs them on all cores; their outcomes in the same order.
pub(crate) fn run_all(
    scenarios: &[Scenario],
    registry: &Registry,
    jobs: Option<u16>,
) -> Result<Vec<Outcome>, Failure> {
    for scenario in scenarios {
        scenarios::fits_in_memory(scenario)?;
    }
    interrupt::listen();
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);
    let progress = Mutex::new(Progress::start());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = jobs.map_or(cores, usize::from).min(scenarios.len());
    let work = || {
        let mut outcomes = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(scenario) = scenarios.get(number) else {
                return outcomes;
            };
            let outcome = run_with_progress(scenario, registry, |_| {
                if interrupt::asked() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.update(done as f64, scenarios.len() as f64, || {
                format!("{done} of {} runs", scenarios.len())
            });
            outcomes.push((number, outcome));
        }
    };
    let mut all: Vec<(usize, Result<Outcome, RunError>)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ended = workers.into_iter().flat_map(|worker| {
            worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        ended.collect()
    });
    all.sort_by_key(|(number, _)| *number);
    all.into_iter()
        .map(|(number, outcome)| outcome.map_err(|error| explain(&error, &scenarios[number])))
        .collect()
}

/// The scenario with this seed and those after it.
pub(crate) fn with_seeds(scenario: &Scenario, seeds: u16) -> Vec<Scenario> {
    let seeded = |offset: u16| {
        let mut scenario = scenario.clone();
        scenario.seed = scenario.seed.saturating_add(offset.into());
        scenario
    };
    (0..seeds).map(seeded).collect()
}

/// A mean over seeds with its 95 % confidence interval, as `--json` prints it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Estimate {
    /// The mean.
    pub(crate) mean: f64,
    /// Lower end of the interval; none with a single value.
    pub(crate) low: Option<f64>,
    /// Upper end.
    pub(crate) high: Option<f64>,
}

impl Estimate {
    /// Of these values, which lie between `limits`; none where there are no values.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>, limits: (f64, f64)) -> Option<Self> {
        let mut moments = Moments::default();
        for value in values {
            moments.add(value);
        }
        let mean = moments.mean()?;
        let half = confidence_95(&moments);
        Some(Self {
            mean,
            low: half.map(|half| (mean - half).max(limits.0)),
            high: half.map(|half| (mean + half).min(limits.1)),
        })
    }

    /// Whether the intervals of both are known and have nothing in common.
    pub(crate) fn is_apart_from(&self, other: &Self) -> bool {
        match (self.low, self.high, other.low, other.high) {
            (Some(low), Some(high), Some(others_low), Some(others_high)) => {
                high < others_low || others_high < low
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1, 2, 3: mean 2, deviation 1, t(2) = 4.303: 4.303 / √3 = 2.484, cut off at 0.
    #[test]
    fn an_estimate_has_an_interval_within_what_can_be() {
        let three = Estimate::of([1.0, 2.0, 3.0], (0.0, f64::INFINITY)).unwrap();
        assert_eq!((three.mean, three.low), (2.0, Some(0.0)));
        assert!((three.high.unwrap() - 4.484).abs() < 1e-3, "{three:?}");
        let one = Estimate::of([5.0], (0.0, 9.0)).unwrap();
        assert_eq!((one.mean, one.low, one.high), (5.0, None, None));
        assert_eq!(Estimate::of([], (0.0, 1.0)), None);
    }

    #[test]
    fn intervals_are_apart_or_not() {
        let of = |low, high| Estimate {
            mean: 0.0,
            low: Some(low),
            high: Some(high),
        };
        assert!(of(0.0, 1.0).is_apart_from(&of(1.5, 2.0)));
        assert!(!of(0.0, 1.6).is_apart_from(&of(1.5, 2.0)));
        let open = Estimate {
            mean: 0.0,
            low: None,
            high: None,
        };
        assert!(!open.is_apart_from(&of(1.5, 2.0)));
    }
}
