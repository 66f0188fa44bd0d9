//! A sweep in short: the most important metrics of the first combinations.

use std::collections::BTreeMap;

use super::description::{Description, MetricColumn};
use experiments::metrics::Moments;
use experiments::scenario::Sweep;

/// The most important metrics of the first combinations.
#[derive(Clone, Debug)]
pub struct Overview {
    /// What the keys of the axes are called.
    pub axes: Vec<String>,
    /// The metrics.
    pub metrics: Vec<MetricColumn>,
    /// The combinations.
    pub rows: Vec<OverviewRow>,
    /// How many combinations are not shown.
    pub left_out: u64,
}

/// A combination of values.
#[derive(Clone, Debug)]
pub struct OverviewRow {
    /// The values as the file has them, one for each key.
    pub values: Vec<String>,
    /// How many runs it has in the data set.
    pub runs: u64,
    /// Each metric over the runs.
    pub metrics: Vec<Moments>,
}

/// The overview; `first` has the runs and all metrics of the first combinations.
pub(super) fn overview(
    description: &Description,
    first: &[(u64, BTreeMap<String, Moments>)],
    sweep: &Sweep,
) -> Overview {
    let chosen: Vec<&MetricColumn> = overview_metrics(&description.metrics);
    let keys = || description.axes.iter().flat_map(|axis| &axis.keys);
    let rows = first.iter().enumerate().map(|(combination, (runs, all))| {
        let choice = sweep.choice(combination as u64);
        let values = description
            .axes
            .iter()
            .zip(&choice)
            .flat_map(|(axis, at)| axis.keys.iter().map(|key| key.shown[*at].clone()));
        OverviewRow {
            values: values.collect(),
            runs: *runs,
            metrics: chosen
                .iter()
                .map(|metric| all.get(&metric.column).copied().unwrap_or_default())
                .collect(),
        }
    });
    Overview {
        axes: keys().map(|key| key.label.clone()).collect(),
        rows: rows.collect(),
        metrics: chosen.into_iter().cloned().collect(),
        left_out: sweep.combinations() - first.len() as u64,
    }
}

/// Totals first, then the groups' goodputs if there are few, then the first link.
fn overview_metrics(all: &[MetricColumn]) -> Vec<&MetricColumn> {
    let total = |name: &str| all.iter().find(|m| m.part == "total" && m.name == name);
    let mut chosen: Vec<_> = ["goodput_bps", "jain"]
        .into_iter()
        .filter_map(total)
        .collect();
    let groups: Vec<_> = all
        .iter()
        .filter(|m| m.part == "flows" && m.name == "goodput_bps")
        .collect();
    if (2..=3).contains(&groups.len()) {
        chosen.extend(groups);
    }
    for name in ["utilization", "drop_rate", "queue_mean_packets"] {
        chosen.extend(all.iter().find(|m| m.part == "links" && m.name == name));
    }
    chosen.truncate(MOST_METRICS);
    chosen
}

/// How many combinations there are in the overview.
pub(super) const MOST_ROWS: usize = 20;
const MOST_METRICS: usize = 6;
