//! Keys of the file itself and of `[record]`.

use super::Default::{Is, Otherwise};
use super::{
    FLOW, GRAPH_LINK, Key, Kind, NODE, OVER_ZERO, REQUIRED, SWEEP, TOPOLOGY, Table, ZERO_OR_MORE,
};

/// The file.
pub const SCENARIO: Table = Table::new(
    "scenario",
    "A network, its flows, and what to measure.",
    &[
        Key::new(
            "name",
            Kind::Name,
            Otherwise("the file's name"),
            "Name of the scenario.",
        ),
        Key::new(
            "description",
            Kind::Text,
            Is("\"\""),
            "What the scenario shows.",
        ),
        Key::new(
            "duration",
            OVER_ZERO,
            REQUIRED,
            "How long it runs, in simulated time; at most 30 days.",
        ),
        Key::new(
            "warmup",
            ZERO_OR_MORE,
            Is("\"0 s\""),
            "Time at the beginning that rates, means and indices leave out; shorter than the duration.",
        ),
        Key::new(
            "seed",
            Kind::Integer {
                min: 0,
                max: i64::MAX as u64,
            },
            Is("1"),
            "Seed of all random streams. Same scenario, same seed: same results.",
        ),
        Key::new(
            "topology",
            Kind::Tagged(&TOPOLOGY),
            REQUIRED,
            "The network.",
        ),
        Key::new(
            "nodes",
            Kind::List(&Kind::Table(&NODE)),
            Otherwise("none"),
            "The nodes of a graph. Only with topology.kind = \"graph\".",
        ),
        Key::new(
            "links",
            Kind::List(&Kind::Table(&GRAPH_LINK)),
            Otherwise("none"),
            "The links of a graph. Only with topology.kind = \"graph\".",
        ),
        Key::new(
            "flows",
            Kind::List(&Kind::Tagged(&FLOW)),
            REQUIRED,
            "The groups of flows.",
        ),
        Key::new(
            "record",
            Kind::Table(&RECORD),
            Otherwise("totals only"),
            "What is recorded beside the totals.",
        ),
        Key::new(
            "sweep",
            Kind::Table(&SWEEP),
            Otherwise("no variations"),
            "The variations that `ackclock sweep` runs: every combination of the axes' values.",
        ),
    ],
);

/// `[record]`.
pub const RECORD: Table = Table::new(
    "record",
    "What is recorded beside the totals.",
    &[
        Key::new(
            "every",
            OVER_ZERO,
            Otherwise("no series"),
            "Time between two samples of window, round trip, queue and rates.",
        ),
        Key::new(
            "events",
            Kind::Flag,
            Is("false"),
            "A table of every send, receive, drop, mark and ACK.",
        ),
    ],
);
