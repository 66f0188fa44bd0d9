//! `sweep.json`: what the data set of a sweep holds, for those who draw it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is in the data set of a sweep. `docs/reference/tables.md` describes the fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// Version of this format: 1.
    pub format: u32,
    /// Version of the program.
    pub version: String,
    /// The program's version and the state of the simulator's sources: results differ only if this
    /// does.
    pub results: String,
    /// Name of the scenario.
    pub scenario: String,
    /// What it shows; may be empty.
    pub description: String,
    /// Whether rows are missing.
    pub state: State,
    /// How many combinations of values the axes have.
    pub combinations: u64,
    /// How many runs the sweep has; with a rule for the seeds, as many as are known to be needed.
    pub points: u64,
    /// Rows of the data set, failed ones included.
    pub done: u64,
    /// Rows without metrics.
    pub failed: u64,
    /// The seeds of each combination.
    pub seeds: SeedRange,
    /// The axes, in order: the last varies fastest.
    pub axes: Vec<AxisDescription>,
    /// The columns of metrics, in order.
    pub metrics: Vec<MetricColumn>,
    /// The first failed runs.
    pub errors: Vec<RunFailure>,
}

/// Whether the data set of a sweep is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// All runs are there.
    Complete,
    /// It was interrupted: some are missing.
    Partial,
}

/// How many seeds the combinations have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedRange {
    /// The first seed; the others follow it.
    pub first: u64,
    /// Fewest seeds of a combination.
    pub at_least: u64,
    /// Most seeds of a combination.
    pub at_most: u64,
    /// Metrics that had to be known well; none where the number is fixed.
    pub until: Vec<String>,
    /// How well, in per cent; none where the number is fixed.
    pub within_percent: Option<f64>,
}

/// An axis: one key, or several that move together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisDescription {
    /// Its keys, all with equally many values.
    pub keys: Vec<AxisColumn>,
}

/// A key of an axis, and its column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisColumn {
    /// The key, as `--set` takes it.
    pub key: String,
    /// Its column in the data set.
    pub column: String,
    /// Its name for people, without unit.
    pub label: String,
    /// Type of the column: `int64`, `float64` or `text`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Unit of the column; empty for texts and plain numbers.
    pub unit: String,
    /// How the values are spaced: `linear` or `logarithmic`; empty for texts.
    pub scale: String,
    /// The values as in the column: numbers or texts.
    pub values: Vec<Value>,
    /// The values as the file has them.
    pub shown: Vec<String>,
}

/// A column of a metric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricColumn {
    /// Its column in the data set.
    pub column: String,
    /// The metric's name.
    pub name: String,
    /// What it is of: `total`, `flows` or `links`.
    pub part: String,
    /// The label of the group or the name of the link; empty for totals.
    pub of: String,
    /// The name for people, without unit.
    pub label: String,
    /// Type of the column: `int64` or `float64`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its unit; empty for indices, ratios and counts of things.
    pub unit: String,
}

/// A run that gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFailure {
    /// Number of the combination, from 0.
    pub point: u64,
    /// The seed.
    pub seed: u64,
    /// Why.
    pub error: String,
}

/// Version of the format.
pub(super) const FORMAT: u32 = 1;
