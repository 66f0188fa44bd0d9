//! Scenario files: TOML text to a typed, checked [`Scenario`].
//!
//! Every key stands in one of the tables of [`keys`]: its name, type, bounds, default and meaning.
//! Reading, the JSON Schema and the catalogue all go by these tables, so that no key can be read
//! that is not documented, and none documented that is not read.

mod check;
mod chosen;
mod document;
mod error;
mod flows;
pub mod keys;
mod network;
mod paths;
mod read;
mod reader;
mod schema;
#[cfg(test)]
mod tests;
mod write;

pub use units::Distribution;
use units::Duration;
pub use units::choice::Limit;

use crate::Registry;

pub use check::{check_memory, estimated_memory};
pub use document::Document;
pub use document::split_key;
pub use error::nearest;
pub use error::{Position, ScenarioError};
pub use paths::LinkAt;
pub(crate) use schema::every_key;
pub use schema::schema;
pub use write::to_toml;

pub use chosen::{Chosen, Described, Loss, Queue};
pub use flows::{
    AccessRate, Application, Compat, ControllerChoice, Direction, FlowAccess, FlowGroup, Protocol,
    Recovery, Route, Rto, RtoArithmetic, SpuriousDetection, TcpOptions, TfrcOptions, TfwcOptions,
    ThresholdAdaptation,
};
pub use network::{
    Access, Change, Delay, Dumbbell, Graph, GraphLink, Hop, Link, ParkingLot, ResolvedLimit,
    Topology, resolve_limit,
};

/// A network, its flows, and what to measure: all that determines a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// What it shows; may be empty.
    pub description: String,
    /// How long it runs, in simulated time.
    pub duration: Duration,
    /// Time at the beginning that rates, means and indices leave out.
    pub warmup: Duration,
    /// Seed of all random streams.
    pub seed: u64,
    /// The network.
    pub topology: Topology,
    /// The flows; at least one group.
    pub flows: Vec<FlowGroup>,
    /// What is recorded beside the totals; none: totals only.
    pub record: Option<Record>,
    /// The variations that a sweep runs.
    pub sweep: Option<Sweep>,
}

/// What is recorded beside the totals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Series of window, round trip, queue and rates are sampled so often; none: no series.
    pub every: Option<Duration>,
    /// A table of every send, receive, drop, mark and ACK.
    pub events: bool,
}

/// Variations of a scenario: every combination of the axes' values, each with several seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Seeds of each combination: `seed`, `seed + 1`, …
    pub seeds: Seeds,
    /// What varies: single keys in the order of the file, then those that move together.
    pub axes: Vec<Axis>,
}

/// How many seeds each combination of a sweep has.
#[derive(Clone, Debug, PartialEq)]
pub enum Seeds {
    /// So many.
    Fixed(u64),
    /// As many as a rule asks for.
    Until(StopRule),
}

/// When a combination has seeds enough: once each of some metrics is known well.
#[derive(Clone, Debug, PartialEq)]
pub struct StopRule {
    /// The metrics, by the names of their columns: `goodput_bps`, `flows.tcp.goodput_bps`.
    pub until: Vec<String>,
    /// Half the width of the 95 % confidence interval of a metric's mean, in per cent of the mean,
    /// that is good enough.
    pub within_percent: f64,
    /// Fewest seeds, at least 2.
    pub at_least: u64,
    /// Most seeds.
    pub at_most: u64,
}

/// One axis of a sweep: a key, or several that move together.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Its keys, at least one; all have as many values.
    pub keys: Vec<AxisKey>,
}

/// One key of a sweep and the values it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisKey {
    /// Dotted key, flows by their label: `flows.tcp.count`.
    pub key: String,
    /// The values as TOML text: `4`, `"2 Mbps"`; as [`Document::set`] takes them.
    pub values: Vec<String>,
}

impl Sweep {
    /// How many combinations of values the axes have: 1 without an axis.
    pub fn combinations(&self) -> u64 {
        self.axes.iter().fold(1, |product: u64, axis| {
            product.saturating_mul(axis.len() as u64)
        })
    }

    /// The most runs that it can have.
    pub fn most_runs(&self) -> u64 {
        self.combinations().saturating_mul(self.seeds.at_most())
    }

    /// Which value each axis has in a combination, by its number: the last axis varies fastest.
    pub fn choice(&self, combination: u64) -> Vec<usize> {
        let mut rest = combination;
        let mut choice = vec![0; self.axes.len()];
        for (index, axis) in choice.iter_mut().zip(&self.axes).rev() {
            let values = axis.len() as u64;
            *index = (rest % values) as usize;
            rest /= values;
        }
        choice
    }
}

impl Seeds {
    /// Fewest seeds of a combination.
    pub fn at_least(&self) -> u64 {
        match self {
            Self::Fixed(seeds) => *seeds,
            Self::Until(rule) => rule.at_least,
        }
    }

    /// Most seeds of a combination.
    pub fn at_most(&self) -> u64 {
        match self {
            Self::Fixed(seeds) => *seeds,
            Self::Until(rule) => rule.at_most,
        }
    }
}

impl Axis {
    /// How many values its keys take, at least one.
    #[expect(
        clippy::len_without_is_empty,
        reason = "an axis has at least one value"
    )]
    pub fn len(&self) -> usize {
        self.keys[0].values.len()
    }
}

impl Scenario {
    /// Reads and checks a scenario file. `file` is for messages, and its stem the scenario's name
    /// if it has no other.
    pub fn parse(text: &str, file: &str, registry: &Registry) -> Result<Self, ScenarioError> {
        Document::parse(text, file)?.check(registry)
    }
}

/// Longest run, and longest length of time in a file: 30 days.
pub const LONGEST: Duration = Duration::from_secs(30 * 24 * 3_600);
/// Most flows of a scenario.
pub const MOST_FLOWS: u64 = 2_000_000;
