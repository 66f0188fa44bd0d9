//! Queue disciplines: what becomes of a packet that reaches a link.
//!
//! A discipline is asked once for each packet, when it arrives, instead of having packets put in
//! and taken out. Links serve first in, first out and compute a packet's departure when it
//! arrives, so that a queue needs no events of its own; what waits is the link's to keep, and a
//! discipline that decides at departure or serves in another order has no place here.

mod drop_tail;
mod marking;
mod red;

pub use drop_tail::{DropTail, Limit};
pub use marking::Marking;
pub use red::{Mode, Red, RedParameters, Weight};

use std::fmt::Debug;

use units::{Bytes, Duration, Ecn, Rate, Time};

/// What waits for a link: without the packet that is being sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Number of packets.
    pub packets: u64,
    /// Their sizes on the wire.
    pub bytes: Bytes,
}

/// A packet at the entrance of a link.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// When it arrives; never earlier than the arrival before.
    pub now: Time,
    /// Its size on the wire.
    pub size: Bytes,
    /// Its ECN field.
    pub ecn: Ecn,
    /// What waits already.
    pub backlog: Backlog,
    /// Since when the link has had nothing to send; `None` while it sends. A packet that finds
    /// the link idle is sent at once and never waits.
    pub idle_since: Option<Time>,
}

/// What becomes of the packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is sent when its turn comes.
    Queue,
    /// The same, with congestion experienced set in its ECN field.
    Mark,
    /// It is dropped.
    Drop(DropReason),
}

/// Why a queue drops a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// There is no room.
    Full,
    /// There is room, but the discipline signals congestion.
    Early,
}

/// The link that a queue belongs to, as it is at the beginning of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkFacts {
    /// Rate at which it sends.
    pub rate: Rate,
    /// Its propagation delay.
    pub delay: Duration,
}

/// A first-in first-out queue that decides about a packet when it arrives.
pub trait QueueDiscipline: Debug + Send {
    /// (required) Called once for each packet that reaches the link, also when the link is idle.
    fn admit(&mut self, arrival: &Arrival) -> Verdict;

    /// (optional) Called by recorders: names and values of the discipline's own state.
    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        let _ = visit;
    }
}

/// The queue of a link. The usual disciplines are reached without a call through a table.
#[derive(Debug)]
pub enum Queue {
    /// Drops what finds no room.
    DropTail(DropTail),
    /// The same, and marks from a threshold on.
    Marking(Marking),
    /// Random early detection.
    Red(Box<Red>),
    /// Any other discipline.
    Custom(Box<dyn QueueDiscipline>),
}

impl Queue {
    /// A drop-tail queue without limit: every packet is admitted.
    pub const fn unlimited() -> Self {
        Self::DropTail(DropTail::new(Limit::None))
    }

    /// Whether every packet is admitted unmarked.
    pub const fn is_unlimited(&self) -> bool {
        matches!(self, Self::DropTail(queue) if matches!(queue.limit(), Limit::None))
    }

    /// What becomes of the packet that arrives. Called once for each packet.
    pub fn admit(&mut self, arrival: &Arrival) -> Verdict {
        match self {
            Self::DropTail(queue) => queue.admit(arrival),
            Self::Marking(queue) => queue.admit(arrival),
            Self::Red(queue) => queue.admit(arrival),
            Self::Custom(queue) => queue.admit(arrival),
        }
    }

    /// The length by which the discipline judges congestion, in packets, when so many wait: the
    /// average of RED, else what waits.
    pub(crate) fn level(&self, waiting: u64) -> f64 {
        match self {
            Self::Red(queue) => queue.average(),
            _ => waiting as f64,
        }
    }

    /// Names and values of the discipline's own state, for recorders.
    pub fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        match self {
            Self::DropTail(queue) => queue.variables(visit),
            Self::Marking(queue) => queue.variables(visit),
            Self::Red(queue) => queue.variables(visit),
            Self::Custom(queue) => queue.variables(visit),
        }
    }
}

#[cfg(test)]
mod tests;
