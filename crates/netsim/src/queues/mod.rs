//! Queue disciplines: what becomes of a packet that reaches a link.
//!
//! Most decide when a packet *arrives* ([`ArrivalDiscipline`]): the link serves first in, first
//! out, computes a packet's departure when it arrives and keeps what waits, so the discipline
//! answers one question. Those that decide when a packet *leaves* ([`DepartureDiscipline`]) keep
//! their packets and are asked for the next one; such a link has events of its own.

mod choice;
mod codel;
mod departure;
mod drop_tail;
mod fifo;
mod fq_codel;
mod marking;
mod pie;
mod red;

pub use choice::{COMMON, Discipline, Place, STANDARD, UNLIMITED};
pub use codel::{CoDel, CoDelParameters, ControlLaw};
pub use departure::{Departing, DepartureDiscipline, Dropped, Waiting};
pub use drop_tail::{DropTail, Limit};
pub use fifo::{Fifo, Victim};
pub use fq_codel::{Flows, FqCoDel, FqCoDelParameters};
pub use marking::Marking;
pub use pie::{Pie, PieParameters};
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

/// The queue at an instant that its discipline chose.
#[derive(Clone, Copy, Debug)]
pub struct Tick {
    /// When.
    pub at: Time,
    /// How long a packet that came then would wait.
    pub wait: Duration,
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
pub trait ArrivalDiscipline: Debug + Send {
    /// (required) Called once for each packet that reaches the link, also when the link is idle.
    fn admit(&mut self, arrival: &Arrival) -> Verdict;

    /// (optional) When the discipline wants to look at the queue next, whatever arrives; `None`
    /// where that would change nothing.
    fn next_tick(&self) -> Option<Time> {
        None
    }

    /// (optional) Called at [`next_tick`](Self::next_tick), before anything that arrives then; may
    /// be carried out later, but before the next `admit`.
    fn tick(&mut self, tick: &Tick) {
        let _ = tick;
    }

    /// (optional) The length by which the discipline judges congestion, in packets, when so many
    /// wait: what waits, where it does not say otherwise.
    fn level(&self, waiting: u64) -> f64 {
        waiting as f64
    }

    /// (optional) Called by recorders: names and values of the discipline's own state.
    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        let _ = visit;
    }
}

/// The queue of a link.
#[derive(Debug)]
pub enum Queue {
    /// Drop-tail; the usual one, which a link reaches without a call through a table.
    DropTail(DropTail),
    /// Any other that decides when packets arrive.
    Arrival(Box<dyn ArrivalDiscipline>),
    /// One that decides when packets leave.
    Departure(Box<dyn DepartureDiscipline>),
}

impl Queue {
    /// A drop-tail queue without limit: every packet is admitted.
    pub const fn unlimited() -> Self {
        Self::DropTail(DropTail::new(Limit::None))
    }

    /// A queue that decides when packets arrive.
    pub fn at_arrival(discipline: impl ArrivalDiscipline + 'static) -> Self {
        Self::Arrival(Box::new(discipline))
    }

    /// A queue that decides when packets leave.
    pub fn at_departure(discipline: impl DepartureDiscipline + 'static) -> Self {
        Self::Departure(Box::new(discipline))
    }
}

#[cfg(test)]
mod tests;
