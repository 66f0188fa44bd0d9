//! Keys of groups of flows whose datagrams are never sent again: TFRC and TFWC.

use units::choice::{Kind, Parameter, Value};
use units::{Bytes, Duration, Packets};

use super::COMPAT;

/// The keys of TFRC.
pub const TFRC: &[Parameter] = &[
    Parameter::new(
        "controller",
        Kind::Controller("tfrc"),
        Value::Choice("tfrc"),
        "The rate law: \"tfrc\", or a table with its parameters.",
    ),
    Parameter::new(
        "history_discounting",
        Kind::Flag,
        Value::Flag(true),
        "Old loss intervals count less when the present one is long (RFC 5348 §5.5).",
    ),
    Parameter::new(
        "later_packets",
        Kind::Integer { min: 1, max: 3 },
        Value::Integer(3),
        "Later packets that tell of a loss (RFC 5348 §5.1). ns-2's receiver takes 1.",
    ),
    Parameter::new(
        "ecn",
        Kind::Flag,
        Value::Flag(false),
        "Packets are ECN-capable, and a mark counts as a loss (RFC 5348 §5.1).",
    ),
    SIZE_SPREAD,
    FEEDBACK_SIZE,
    Parameter::new(
        "compat",
        Kind::Words(COMPAT),
        Value::Choice("rfc"),
        "Whose TFRC: that of RFC 5348, or the agent and sink of ns-2.35 with their own rate. \
         `later_packets` keeps its value.",
    ),
];

/// The keys of TFWC.
pub const TFWC: &[Parameter] = &[
    Parameter::new(
        "controller",
        Kind::Controller("tfwc"),
        Value::Choice("tfwc"),
        "The window law. Its `tick` and `margin`, if it has them, hold for the sender too.",
    ),
    Parameter::new(
        "initial_window",
        Kind::Window,
        Value::Packets(Packets(1)),
        "Window at the start.",
    ),
    Parameter::new(
        "initial_timeout",
        Kind::DurationOverZero,
        Value::Duration(Duration::from_secs(3)),
        "Timeout before the first round trip is measured.",
    ),
    Parameter::new(
        "granularity",
        Kind::Duration,
        Value::Duration(Duration::from_millis(10)),
        "Least that four variations count in the timeout; not used where the controller has a \
         `tick`.",
    ),
    SIZE_SPREAD,
    Parameter::new(
        "feedback_size",
        FEEDBACK_BYTES,
        Value::Bytes(Bytes(40)),
        "Size of an ACK on the wire.",
    ),
    Parameter::new(
        "ack_vector_on_wire",
        Kind::Flag,
        Value::Flag(false),
        "An ACK is larger by its ACK vector, as RFC 4340 §11.4 codes it.",
    ),
];

const SIZE_SPREAD: Parameter = Parameter::new(
    "size_spread",
    Kind::Bytes {
        min: 0,
        max: 65_535,
    },
    Value::Bytes(Bytes(0)),
    "Each packet's size is drawn evenly from packet_size less this to packet_size plus this, as a \
     codec's frames differ. The sender goes by the mean (RFC 5348 §4.1).",
);

const FEEDBACK_SIZE: Parameter = Parameter::new(
    "feedback_size",
    FEEDBACK_BYTES,
    Value::Bytes(Bytes(40)),
    "Size of a feedback packet on the wire.",
);

const FEEDBACK_BYTES: Kind = Kind::Bytes {
    min: 1,
    max: 65_535,
};
