//! The runs of a sweep: their scenarios, what they are kept under, and how long they take.

use std::collections::BTreeMap;

use experiments::Registry;
use units::Bytes;

use crate::store::Digest;
use experiments::allotted;
use experiments::scenario::{Document, LinkAt, Record, Scenario, ScenarioError, Sweep, to_toml};

/// A sweep over a scenario file.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    pub(super) document: &'a Document,
    pub(super) sweep: &'a Sweep,
    pub(super) registry: &'a Registry,
}

impl Plan<'_> {
    /// The scenario of a combination with its first seed. Only totals are kept of it, so nothing is
    /// recorded but what those of slots are made of.
    pub(super) fn scenario(&self, combination: u64) -> Result<Scenario, ScenarioError> {
        let choice = self.sweep.choice(combination);
        let mut scenario = self.document.at_point(self.sweep, &choice, self.registry)?;
        let slots = scenario.record.is_some_and(allotted::has_slots);
        scenario.record = slots.then_some(Record {
            every: Some(allotted::SLOT),
            events: false,
        });
        Ok(scenario)
    }
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
