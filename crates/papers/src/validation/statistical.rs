//! Statistical scenarios, compared by the confidence interval of the difference of means.
//!
//! The interval is Welch's: the two simulators' spreads over seeds need not be alike. It is of 95 %
//! for all rows of a family together (Bonferroni): with hundreds of rows one in twenty would leave
//! an interval of its own by chance alone.
//! Where neither has any spread, the values are compared to the three decimals that the reference
//! prints. No tolerance is added.

use std::collections::BTreeMap;

use experiments::Outcome;
use experiments::metrics::Moments;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::table::{Cells, Table};
use super::{Job, Row, Verdict};

/// Scenarios of one kind: a table of the reference, and how to repeat its rows.
pub(crate) struct Family {
    /// Name of the comparisons: `gaimd/2`.
    pub(crate) name: &'static str,
    pub(crate) reference: &'static str,
    /// Columns that tell scenarios apart; rows that differ in others only are of the same one.
    pub(crate) keys: &'static [&'static str],
    /// The scenario for a row, with a seed in place of the row's own.
    pub(crate) scenario: fn(&Cells<'_>, u64) -> String,
    pub(crate) metrics: &'static [Metric],
    /// A known reason for differences: the scenario's name and metric to a line of the
    /// deviations.
    pub(crate) explained: fn(&str, &str) -> Option<&'static str>,
}

/// What is compared.
#[derive(Clone, Copy)]
pub(crate) struct Metric {
    pub(crate) name: &'static str,
    /// From a row of the reference.
    pub(crate) reference: fn(&Cells<'_>) -> f64,
    /// From our run.
    pub(crate) ours: fn(&Outcome) -> f64,
}

/// A scenario of a family with all seeds.
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) jobs: Vec<Job>,
    metrics: &'static [Metric],
    reference: Vec<Moments>,
    explained: fn(&str, &str) -> Option<&'static str>,
    /// Rows of the family, hence how many intervals hold together.
    rows: usize,
}

/// The scenarios of a family, in the order of its table.
pub(crate) fn groups(family: &Family) -> Vec<Group> {
    let table = Table::read(family.reference);
    let mut order: Vec<String> = Vec::new();
    let mut rows: BTreeMap<String, Vec<Cells<'_>>> = BTreeMap::new();
    for row in table.rows() {
        let key: Vec<String> = family
            .keys
            .iter()
            .map(|key| format!("{key}={}", row.text(key)))
            .collect();
        let name = format!("{} {}", family.name, key.join(" "));
        if !rows.contains_key(&name) {
            order.push(name.clone());
        }
        rows.entry(name).or_default().push(row);
    }
    let all_rows = order.len() * family.metrics.len();
    order
        .into_iter()
        .map(|name| {
            let rows = &rows[&name];
            let seeds = (rows.len() as u64).max(LEAST_SEEDS);
            Group {
                jobs: (1..=seeds)
                    .map(|seed| Job {
                        name: format!("{name} seed={seed}"),
                        // Rows of one scenario may differ in start times: take them in turn.
                        scenario: (family.scenario)(&rows[(seed as usize - 1) % rows.len()], seed),
                    })
                    .collect(),
                metrics: family.metrics,
                reference: family
                    .metrics
                    .iter()
                    .map(|metric| {
                        let mut moments = Moments::default();
                        for row in rows {
                            moments.add((metric.reference)(row));
                        }
                        moments
                    })
                    .collect(),
                explained: family.explained,
                rows: all_rows,
                name,
            }
        })
        .collect()
}

impl Group {
    /// What a run gives, metric by metric.
    pub(crate) fn measure(&self, outcome: &Outcome) -> Vec<f64> {
        self.metrics
            .iter()
            .map(|metric| (metric.ours)(outcome))
            .collect()
    }

    /// Compares what all runs gave with the reference.
    pub(crate) fn compare(&self, runs: &[Vec<f64>]) -> Vec<Row> {
        (0..self.metrics.len())
            .map(|at| {
                let mut ours = Moments::default();
                for run in runs {
                    ours.add(run[at]);
                }
                let name = self.metrics[at].name;
                let explanation = (self.explained)(&self.name, name);
                row(
                    (&self.name, name),
                    (&ours, &self.reference[at]),
                    self.rows,
                    explanation,
                )
            })
            .collect()
    }
}

/// The comparison of two sets of samples.
///
/// `together`: how many comparisons the 95 % are for.
pub(super) fn row(
    (scenario, metric): (&str, &str),
    (ours, theirs): (&Moments, &Moments),
    together: usize,
    explanation: Option<&'static str>,
) -> Row {
    let (mean, reference) = (
        ours.mean().unwrap_or(f64::NAN),
        theirs.mean().unwrap_or(f64::NAN),
    );
    let difference = mean - reference;
    let interval = welch(ours, theirs, 0.05 / together as f64)
        .map(|half| [difference - half, difference + half]);
    let agrees = match interval {
        Some([low, high]) => (low..=high).contains(&0.0),
        None => difference.abs() <= PRINTED,
    };
    Row {
        scenario: scenario.to_owned(),
        metric: metric.to_owned(),
        ours: mean,
        reference,
        difference,
        interval,
        verdict: match (agrees, explanation) {
            (true, _) => Verdict::Agrees,
            (false, Some(_)) => Verdict::Explained,
            (false, None) => Verdict::Differs,
        },
        deviation: explanation.filter(|_| !agrees).map(str::to_owned),
    }
}

/// Half the width of Welch's interval of the difference of two means that fails to hold it with
/// probability `failure`. A single reference run is taken to spread as ours do.
fn welch(ours: &Moments, theirs: &Moments, failure: f64) -> Option<f64> {
    let our_deviation = ours.standard_deviation()?;
    let their_deviation = theirs.standard_deviation().unwrap_or(our_deviation);
    let part = |deviation: f64, moments: &Moments| deviation * deviation / moments.count() as f64;
    let (a, b) = (part(our_deviation, ours), part(their_deviation, theirs));
    let variance = a + b;
    if variance == 0.0 {
        return None;
    }
    let freedom_of = |moments: &Moments| (moments.count().max(2) - 1) as f64;
    let freedom = if theirs.count() < 2 {
        freedom_of(ours)
    } else {
        variance * variance / (a * a / freedom_of(ours) + b * b / freedom_of(theirs))
    };
    let student = StudentsT::new(0.0, 1.0, freedom.max(1.0)).ok()?;
    Some(student.inverse_cdf(1.0 - failure / 2.0) * variance.sqrt())
}

/// Half a unit of the last digit that the reference's tables print.
const PRINTED: f64 = 0.000_5;
/// At least so many runs of ours for each scenario.
const LEAST_SEEDS: u64 = 10;
