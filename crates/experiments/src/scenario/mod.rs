//! Scenario files: TOML text to a typed, checked [`Scenario`].
//!
//! Every key stands in one of the tables of [`keys`]: its name, type, bounds, default and meaning.
//! Reading, the JSON Schema and the catalogue all go by these tables, so that no key can be read
//! that is not documented, and none documented that is not read.

mod check;
mod distribution;
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

use controllers::Registry;
use units::Duration;

pub use check::{check_memory, estimated_memory};
pub use document::Document;
pub use error::nearest;
pub use error::{Position, ScenarioError};
pub use paths::LinkAt;
pub(crate) use schema::every_key;
pub use schema::schema;
pub use write::to_toml;

pub use distribution::Distribution;
pub use flows::{
    AccessRate, Application, Compat, ControllerChoice, Direction, FlowAccess, FlowGroup, Protocol,
    Recovery, Route, Rto, TcpOptions,
};
pub use network::{
    Access, Alternating, Change, Delay, DelayState, Dumbbell, Graph, GraphLink, Hop, Limit, Link,
    Loss, LossModel, LossPlace, ParkingLot, Queue, Red, RedMode, RedWeight, ResolvedLimit,
    Topology,
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

/// Variations of a scenario: every combination of the axes' values, each with every seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Seeds for each combination: `seed`, `seed + 1`, …
    pub seeds: u64,
    /// What varies, in the order of the file.
    pub axes: Vec<Axis>,
}

/// One key of a sweep and the values it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Dotted key, flows by their label: `flows.tcp.count`.
    pub key: String,
    /// The values as TOML text: `4`, `"2 Mbps"`; as [`Document::set`] takes them.
    pub values: Vec<String>,
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
/// Largest queue and largest window, in packets.
pub const MOST_WAITING_PACKETS: u64 = 1_000_000_000;
