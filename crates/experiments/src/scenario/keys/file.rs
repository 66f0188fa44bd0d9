//! Keys of the file itself and of `[record]`.

use units::Duration;
use units::choice::{Kind, Parameter, Table, Value};

use super::{GRAPH_LINK, NODE, SWEEP};

/// The file.
pub const SCENARIO: Table = Table::new(
    "scenario",
    "A network, its flows, and what to measure.",
    &[
        Parameter::new(
            "name",
            Kind::Name,
            Value::Otherwise("the file's name"),
            "Name of the scenario.",
        ),
        Parameter::new(
            "description",
            Kind::Text,
            Value::Otherwise("none"),
            "What the scenario shows.",
        ),
        Parameter::new(
            "duration",
            Kind::DurationOverZero,
            Value::Required,
            "How long it runs, in simulated time; at most 30 days.",
        ),
        Parameter::new(
            "warmup",
            Kind::Duration,
            Value::Duration(Duration::ZERO),
            "Time at the beginning that rates, means and indices leave out; shorter than the duration.",
        ),
        Parameter::new(
            "seed",
            Kind::Integer {
                min: 0,
                max: i64::MAX as u64,
            },
            Value::Integer(1),
            "Seed of all random streams. Same scenario, same seed: same results.",
        ),
        Parameter::new(
            "topology",
            Kind::OneOf("topology"),
            Value::Required,
            "The network.",
        ),
        Parameter::new(
            "nodes",
            Kind::List(&Kind::Table(&NODE)),
            Value::Otherwise("none"),
            "The nodes of a graph. Only with topology.kind = \"graph\".",
        ),
        Parameter::new(
            "links",
            Kind::List(&Kind::Table(&GRAPH_LINK)),
            Value::Otherwise("none"),
            "The links of a graph. Only with topology.kind = \"graph\".",
        ),
        Parameter::new(
            "flows",
            Kind::List(&Kind::OneOf("group of flows")),
            Value::Required,
            "The groups of flows.",
        ),
        Parameter::new(
            "record",
            Kind::Table(&RECORD),
            Value::Otherwise("totals only"),
            "What is recorded beside the totals.",
        ),
        Parameter::new(
            "sweep",
            Kind::Table(&SWEEP),
            Value::Otherwise("no variations"),
            "The variations that `ackclock sweep` runs: every combination of the axes' values.",
        ),
    ],
);

/// `[record]`.
pub const RECORD: Table = Table::new(
    "record",
    "What is recorded beside the totals.",
    &[
        Parameter::new(
            "every",
            Kind::DurationOverZero,
            Value::Otherwise("no series"),
            "Time between two samples of window, round trip, queue and rates.",
        ),
        Parameter::new(
            "events",
            Kind::Flag,
            Value::Flag(false),
            "A table of every send, receive, drop, mark and ACK.",
        ),
    ],
);
