//! The runs of a sweep: their scenarios, what they are kept under, and how long they take.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};

use experiments::Registry;
use units::Bytes;

use crate::store::{Digest, Entry, Measured};
use experiments::scenario::{Document, LinkAt, Record, Scenario, ScenarioError, Sweep, to_toml};
use experiments::simulation::{RunError, run_with_progress};
use experiments::{allotted, metrics};

/// A sweep over a scenario file.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) document: Document,
    pub(super) sweep: Sweep,
    pub(super) registry: Registry,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ended {
    /// This is to be kept.
    With(Digest, Entry),
    /// It is not possible here and now.
    Refused(String),
    /// It was stopped.
    Stopped,
}

impl Plan {
    /// The scenario of a combination with its first seed. Only totals are kept of it, so nothing is
    /// recorded but what those of slots are made of.
    pub(super) fn scenario(&self, combination: u64) -> Result<Scenario, ScenarioError> {
        let choice = self.sweep.choice(combination);
        let mut scenario = self
            .document
            .at_point(&self.sweep, &choice, &self.registry)?;
        let slots = scenario.record.is_some_and(allotted::has_slots);
        scenario.record = slots.then_some(Record {
            every: Some(allotted::SLOT),
            events: false,
        });
        Ok(scenario)
    }

    /// Runs one run of a combination; with it comes the combination's scenario with its first seed.
    /// `admit` says whether there is room for it, `stopped` whether to go on.
    pub(super) fn run(
        &self,
        (combination, seed): (usize, usize),
        admit: impl FnOnce(&Scenario) -> Result<(), String>,
        stopped: impl Fn() -> bool,
    ) -> (Ended, Option<Scenario>) {
        let first = match self.scenario(combination as u64) {
            Ok(first) => first,
            Err(error) => return (Ended::Refused(error.to_string()), None),
        };
        let scenario = with_seed(first.clone(), seed);
        if let Err(reason) = admit(&scenario) {
            return (Ended::Refused(reason), Some(first));
        }
        let go_on = |_| {
            if stopped() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let run = || run_with_progress(&scenario, &self.registry, go_on);
        let entry = match panic::catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(outcome)) => Entry::Done(Measured {
                values: metrics::values(&outcome.summary),
                curves: Vec::new(),
            }),
            Ok(Err(RunError::Interrupted { .. })) => return (Ended::Stopped, Some(first)),
            Ok(Err(error)) => Entry::Failed(error.to_string()),
            Err(panic) => Entry::Failed(format!("the simulator broke down: {}", said(&*panic))),
        };
        (Ended::With(digest(&scenario), entry), Some(first))
    }
}

/// The message of a panic.
fn said(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic")
}

/// The same with its seed number `index`, from 0.
pub(super) fn with_seed(mut scenario: Scenario, index: usize) -> Scenario {
    scenario.seed += index as u64;
    scenario
}

/// What the result of a scenario is kept under: all of it but what only people read.
pub(super) fn digest(scenario: &Scenario) -> Digest {
    let nameless = Scenario {
        name: String::new(),
        description: String::new(),
        ..scenario.clone()
    };
    Digest::of(&["sweep", &to_toml(&nameless)])
}

/// About how many data packets a run sends: what the slowest links on the groups' ways let through,
/// each link counted once. What no link holds back counts as a gigabit a second.
pub(super) fn work(scenario: &Scenario) -> f64 {
    let seconds = scenario.duration.as_secs_f64();
    let mut smallest_on: BTreeMap<LinkAt, Bytes> = BTreeMap::new();
    let mut unlimited = 0.0;
    for group in &scenario.flows {
        let (there, _) = scenario.paths(group);
        let limited = there
            .into_iter()
            .filter_map(|at| Some((scenario.topology.link(at).rate?, at)));
        match limited.min_by(|(one, _), (other, _)| one.cmp(other)) {
            Some((_, at)) => {
                let size = smallest_on.entry(at).or_insert(group.packet_size);
                *size = group.packet_size.min(*size);
            }
            None => unlimited += UNLIMITED_BPS / 8.0 / group.packet_size.as_f64() * seconds,
        }
    }
    let through = |(at, size): (&LinkAt, &Bytes)| {
        let rate = scenario.topology.link(*at).rate?;
        Some(rate.as_f64() / 8.0 / size.as_f64() * seconds)
    };
    let limited: f64 = smallest_on.iter().filter_map(through).sum();
    let flows: f64 = scenario
        .flows
        .iter()
        .map(|group| f64::from(group.count))
        .sum();
    limited + unlimited + flows
}

const UNLIMITED_BPS: f64 = 1e9;
