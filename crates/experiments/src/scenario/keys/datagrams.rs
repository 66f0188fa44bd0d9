//! Keys of groups of flows whose datagrams are never sent again: TFRC and TFWC.

use super::Default::Is;
use super::flows::COMPAT;
use super::{Drive, Key, Kind, OVER_ZERO, ZERO_OR_MORE};

/// The keys of TFRC.
pub const TFRC: &[Key] = &[
    Key::new(
        "controller",
        Kind::Controller(Drive::Tfrc),
        Is("\"tfrc\""),
        "The rate law: \"tfrc\", or a table with its parameters.",
    ),
    Key::new(
        "history_discounting",
        Kind::Flag,
        Is("true"),
        "Old loss intervals count less when the present one is long (RFC 5348 §5.5).",
    ),
    Key::new(
        "later_packets",
        Kind::Integer { min: 1, max: 3 },
        Is("3"),
        "Later packets that tell of a loss (RFC 5348 §5.1). ns-2's receiver takes 1.",
    ),
    Key::new(
        "ecn",
        Kind::Flag,
        Is("false"),
        "Packets are ECN-capable, and a mark counts as a loss (RFC 5348 §5.1).",
    ),
    SIZE_SPREAD,
    FEEDBACK_SIZE,
    Key::new(
        "compat",
        Kind::Choice(COMPAT),
        Is("\"rfc\""),
        "Whose habits to follow at both ends; the controller's `reading` follows unless given. \
         `later_packets` keeps its value.",
    ),
];

/// The keys of TFWC.
pub const TFWC: &[Key] = &[
    Key::new(
        "controller",
        Kind::Controller(Drive::Tfwc),
        Is("\"tfwc\""),
        "The window law. Its `tick` and `margin`, if it has them, hold for the sender too.",
    ),
    Key::new(
        "initial_window",
        Kind::Window,
        Is("\"1 packet\""),
        "Window at the start.",
    ),
    Key::new(
        "initial_timeout",
        OVER_ZERO,
        Is("\"3 s\""),
        "Timeout before the first round trip is measured.",
    ),
    Key::new(
        "granularity",
        ZERO_OR_MORE,
        Is("\"10 ms\""),
        "Least that four variations count in the timeout; not used where the controller has a \
         `tick`.",
    ),
    SIZE_SPREAD,
    Key::new(
        "feedback_size",
        FEEDBACK_BYTES,
        Is("\"40 B\""),
        "Size of an ACK on the wire.",
    ),
    Key::new(
        "ack_vector_on_wire",
        Kind::Flag,
        Is("false"),
        "An ACK is larger by its ACK vector, as RFC 4340 §11.4 codes it.",
    ),
];

const SIZE_SPREAD: Key = Key::new(
    "size_spread",
    Kind::Bytes {
        min: 0,
        max: 65_535,
    },
    Is("\"0 B\""),
    "Each packet's size is drawn evenly from packet_size less this to packet_size plus this, as a \
     codec's frames differ. The sender goes by the mean (RFC 5348 §4.1).",
);

const FEEDBACK_SIZE: Key = Key::new(
    "feedback_size",
    FEEDBACK_BYTES,
    Is("\"40 B\""),
    "Size of a feedback packet on the wire.",
);

const FEEDBACK_BYTES: Kind = Kind::Bytes {
    min: 1,
    max: 65_535,
};
