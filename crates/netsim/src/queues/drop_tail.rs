//! Drop-tail: a packet that finds no room is dropped.
//!
//! Follows the first-in first-out queue with a fixed limit of RFC 7567 §2.
//!
//! Differs from ns-2.35, which lets one packet fewer wait than its limit says: `limit_ 10` there
//! is a limit of 9 here.

use units::Bytes;
use units::choice::{self, Choice, Kind, Parameter, Value};

use super::{Arrival, ArrivalDiscipline, Backlog, Discipline, DropReason, Marking, Queue, Verdict};

/// The discipline as scenario files choose it.
pub(super) const DISCIPLINE: Discipline = Discipline {
    about: Choice {
        name: "drop-tail",
        doc: "First in, first out; a packet that finds the queue full is dropped.",
        source: "",
        keys: &[Parameter::new(
            "mark",
            Kind::Packets,
            Value::Otherwise("nothing is marked"),
            "Packets that understand ECN get the CE mark where so many wait when they arrive \
             (RFC 8257 §3.1, its K).",
        )],
        rule: choice::any,
    },
    needs_rate: false,
    usual_packets: None,
    build: |parameters, place| {
        let queue = DropTail::new(place.limit);
        match parameters.integer("mark") {
            None => Queue::DropTail(queue),
            Some(mark) => Queue::at_arrival(Marking::new(queue, mark)),
        }
    },
};

/// The drop-tail queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DropTail {
    limit: Limit,
}

/// How much may wait. The packet being sent does not count, and a packet that finds the link idle
/// needs no room: with a limit of zero there is no waiting room at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Everything.
    None,
    /// So many packets.
    Packets(u64),
    /// So many bytes: a packet is admitted that fits as a whole.
    Bytes(Bytes),
}

impl Limit {
    /// Whether a packet of `size` may wait behind `backlog`.
    #[inline]
    pub(super) fn has_room(self, backlog: Backlog, size: Bytes) -> bool {
        match self {
            Self::None => true,
            Self::Packets(limit) => backlog.packets < limit,
            Self::Bytes(limit) => backlog.bytes.saturating_add(size) <= limit,
        }
    }
}

impl DropTail {
    /// A queue in which so much may wait.
    pub const fn new(limit: Limit) -> Self {
        Self { limit }
    }

    /// How much may wait.
    pub const fn limit(&self) -> Limit {
        self.limit
    }

    /// What becomes of a packet of `size` behind `backlog`.
    #[inline]
    pub(crate) fn verdict(&self, backlog: Backlog, size: Bytes, idle: bool) -> Verdict {
        if self.limit.has_room(backlog, size) || idle {
            Verdict::Queue
        } else {
            Verdict::Drop(DropReason::Full)
        }
    }
}

impl ArrivalDiscipline for DropTail {
    #[inline]
    fn admit(&mut self, arrival: &Arrival) -> Verdict {
        self.verdict(arrival.backlog, arrival.size, arrival.idle_since.is_some())
    }
}

#[cfg(test)]
mod tests {
    use units::{Ecn, Time};

    use super::*;

    fn verdict(limit: Limit, waiting: u64, idle_since: Option<Time>) -> Verdict {
        DropTail::new(limit).admit(&Arrival {
            now: Time::ZERO,
            size: Bytes(1_000),
            ecn: Ecn::Ect0,
            backlog: Backlog {
                packets: waiting,
                bytes: Bytes(1_000) * waiting,
            },
            idle_since,
        })
    }

    const FULL: Verdict = Verdict::Drop(DropReason::Full);

    #[test]
    fn as_many_packets_wait_as_the_limit_says() {
        assert_eq!(verdict(Limit::Packets(5), 4, None), Verdict::Queue);
        assert_eq!(verdict(Limit::Packets(5), 5, None), FULL);
    }

    #[test]
    fn a_packet_must_fit_into_the_bytes_as_a_whole() {
        assert_eq!(verdict(Limit::Bytes(Bytes(3_000)), 2, None), Verdict::Queue);
        assert_eq!(verdict(Limit::Bytes(Bytes(2_999)), 2, None), FULL);
    }

    #[test]
    fn without_waiting_room_only_an_idle_link_takes_a_packet() {
        for limit in [Limit::Packets(0), Limit::Bytes(Bytes(0))] {
            assert_eq!(verdict(limit, 0, Some(Time::ZERO)), Verdict::Queue);
            assert_eq!(verdict(limit, 0, None), FULL);
        }
    }

    #[test]
    fn without_a_limit_nothing_is_dropped() {
        assert_eq!(verdict(Limit::None, u64::MAX / 1_000, None), Verdict::Queue);
    }
}
