//! Disciplines by name, as scenario files choose them.

use units::choice::{Choice, Kind, Parameter, Parameters, Value, Word};

use super::{Limit, LinkFacts, Queue, codel, drop_tail, fifo, fq_codel, pie, red};
use crate::random::Stream;

/// A discipline that can be chosen by name.
#[derive(Clone, Copy, Debug)]
pub struct Discipline {
    /// Name, parameters and rules.
    pub about: Choice,
    /// Whether it only makes sense at a link that has a rate.
    pub needs_rate: bool,
    /// How many packets may wait where `limit` is not given; none: as it says there.
    pub usual_packets: Option<u64>,
    /// Makes one for a link.
    pub build: fn(&Parameters, Place) -> Queue,
}

/// Where a queue stands.
#[derive(Debug)]
pub struct Place {
    /// How much may wait.
    pub limit: Limit,
    /// Its link.
    pub link: LinkFacts,
    /// Random numbers of its own.
    pub random: Stream,
}

/// The disciplines of this crate. The first one holds where none is chosen.
pub const STANDARD: &[Discipline] = &[
    drop_tail::DISCIPLINE,
    fifo::DROP_HEAD,
    red::DISCIPLINE,
    codel::DISCIPLINE,
    fq_codel::DISCIPLINE,
    pie::DISCIPLINE,
];

/// The parameters that all disciplines have.
pub const COMMON: &[Parameter] = &[
    Parameter::new(
        "limit",
        Kind::Or(&Kind::Limit, UNLIMITED),
        Value::Otherwise(
            "1 BDP; unlimited where the rate is, and on access links; codel, pie: 1000 packets, \
             fq-codel: 10240 packets",
        ),
        "How much may wait, the packet being sent not counted. A BDP is the link's rate times the \
         base round trip (the propagation delays there and back: mean over the flows that use the \
         link), in packets of the first group's packet_size, rounded, at least 1.",
    ),
    Parameter::new(
        "source_quench",
        Kind::Packets,
        Value::Otherwise("none is sent"),
        "The sender of a data packet is told by an ICMP source quench (RFC 792; 56 B, straight \
         back) where so many wait when the packet arrives; with red, where its average is so \
         long. Not on access links.",
    ),
];

/// No limit.
pub const UNLIMITED: &[Word] = &[Word::new("unlimited", "There is no limit.", "")];
