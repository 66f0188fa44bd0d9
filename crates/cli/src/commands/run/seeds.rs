//! `run --seeds`: the same scenario with several seeds, each metric's mean with its interval.

use std::collections::BTreeMap;

use experiments::Registry;
use experiments::metrics;
use experiments::scenario::Scenario;
use results::page::significant;
use serde::Serialize;

use crate::output::{self, Failure};
use crate::repeat::{Estimate, run_all, with_seeds};
use crate::table::Table;

/// What the runs gave, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Repeated {
    /// The scenario's name.
    scenario: String,
    /// The first seed; the others follow it.
    first_seed: u64,
    /// How many there are.
    seeds: u16,
    /// By the names of their columns: each metric that at least one run has.
    metrics: BTreeMap<String, Estimate>,
}

/// Runs the scenario with `seeds` seeds.
pub(super) fn run(
    mut scenario: Scenario,
    seeds: u16,
    json: bool,
    registry: &Registry,
) -> Result<(), Failure> {
    if !scenario
        .record
        .is_some_and(experiments::allotted::has_slots)
    {
        scenario.record = None; // only metrics are kept
    }
    let outcomes = run_all(&with_seeds(&scenario, seeds), registry, None)?;
    let mut order: Vec<String> = Vec::new();
    let mut values: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for outcome in &outcomes {
        for (name, value) in metrics::values(&outcome.summary) {
            if !values.contains_key(&name) {
                order.push(name.clone());
            }
            values.entry(name).or_default().push(value);
        }
    }
    let all = (f64::NEG_INFINITY, f64::INFINITY);
    let estimates = values.into_iter();
    let estimates: BTreeMap<String, Estimate> = estimates
        .filter_map(|(name, values)| Some((name, Estimate::of(values, all)?)))
        .collect();
    if json {
        return output::print_json(&Repeated {
            scenario: scenario.name,
            first_seed: scenario.seed,
            seeds,
            metrics: estimates,
        });
    }
    let mut text = format!(
        "{}: {seeds} seeds from {}; means with 95 % intervals\n\n",
        scenario.name, scenario.seed
    );
    let mut table = Table::default();
    let shown: Vec<(&String, &Estimate)> = order
        .iter()
        .filter_map(|name| Some((name, estimates.get(name)?)))
        .collect();
    let number = |value: f64| significant(value, 5);
    table.words("metric", shown.iter().map(|(name, _)| (*name).clone()));
    table.numbers("mean", shown.iter().map(|(_, one)| number(one.mean)));
    let ends = |one: &Estimate| match (one.low, one.high) {
        (Some(low), Some(high)) => format!("{} to {}", number(low), number(high)),
        _ => "-".to_owned(),
    };
    table.numbers("interval", shown.iter().map(|(_, one)| ends(one)));
    table.write(&mut text, output::colour(&std::io::stdout()));
    output::print(&text)
}
