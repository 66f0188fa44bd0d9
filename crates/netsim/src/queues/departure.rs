//! Queues that decide when packets leave: what they are told, and what they answer.

use std::collections::VecDeque;
use std::fmt::Debug;

use units::{Bytes, Duration, Ecn, Time};

use super::{Backlog, DropReason};
use crate::loss::Offered;

/// A queue that decides about packets when the link is free to send one: by how long they have
/// waited, by what has come behind them, or in an order of its own.
///
/// It keeps the packets that wait, and every one that it is given comes back once: from
/// [`dequeue`](Self::dequeue) or in a list of dropped ones.
pub trait DepartureDiscipline: Debug + Send {
    /// (required) Called once for each packet that reaches the link, also where the link is idle:
    /// then `dequeue` follows at the same instant. Takes the packet in, or drops it or others.
    fn enqueue(&mut self, packet: Waiting, dropped: &mut Vec<Dropped>);

    /// (required) Called when the link is free to send at `now`: the packet that it sends. Also
    /// called once when a transmission has ended and nothing waits.
    ///
    /// `now` never decreases from call to call. A packet may have arrived up to 100 ps after it:
    /// what arrives in the instant in which a transmission ends finds the queue as it was before.
    fn dequeue(&mut self, now: Time, dropped: &mut Vec<Dropped>) -> Option<Departing>;

    /// (optional) Called by recorders: names and values of the discipline's own state.
    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        let _ = visit;
    }
}

/// A packet that waits, as its queue knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// What the link knows it by.
    pub id: u32,
    /// Number of its flow.
    pub flow: u32,
    /// Size on the wire.
    pub size: Bytes,
    /// When it came.
    pub arrived: Time,
    /// ECN field.
    pub ecn: Ecn,
    /// Whether it carries data, as opposed to an acknowledgement.
    pub data: bool,
    /// Whether it found the link idle: it needs no room in the queue.
    pub found_idle: bool,
}

impl Waiting {
    /// How long it has waited at `now`.
    pub fn sojourn(&self, now: Time) -> Duration {
        now.saturating_since(self.arrived)
    }

    /// What a loss model is told of it.
    pub(crate) fn offered(&self, now: Time) -> Offered {
        Offered {
            now,
            flow: self.flow,
            data: self.data,
            size: self.size,
        }
    }
}

/// A packet that is sent next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departing {
    /// Which.
    pub packet: Waiting,
    /// Whether congestion experienced is set in its ECN field.
    pub mark: bool,
}

/// A packet that a queue dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// Which.
    pub packet: Waiting,
    /// Why.
    pub reason: DropReason,
}

/// Packets that wait, first in, first out.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    packets: VecDeque<Waiting>,
    bytes: Bytes,
}

impl Line {
    pub(super) fn push(&mut self, packet: Waiting) {
        self.bytes += packet.size;
        self.packets.push_back(packet);
    }

    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let packet = self.packets.pop_front()?;
        self.bytes -= packet.size;
        Some(packet)
    }

    pub(super) fn backlog(&self) -> Backlog {
        Backlog {
            packets: self.packets.len() as u64,
            bytes: self.bytes,
        }
    }
}

#[cfg(test)]
pub(super) mod testing {
    //! Packets for tests, and a link of 12 Mb/s that is offered too many.

    use super::*;

    /// A packet that found the link busy.
    pub(in crate::queues) fn waiting(id: u32, size: u64, arrived: Time) -> Waiting {
        Waiting {
            id,
            flow: 0,
            size: Bytes(size),
            arrived,
            ecn: Ecn::NotEct,
            data: true,
            found_idle: false,
        }
    }

    /// What became of the packets offered.
    #[derive(Debug, Default, PartialEq)]
    pub(in crate::queues) struct Offered {
        /// When and which.
        pub(in crate::queues) drops: Vec<(Time, u32)>,
        pub(in crate::queues) sent: u64,
        pub(in crate::queues) longest_sojourn: Duration,
    }

    /// Offers `count` packets of 1500 B, `apart` from each other, to a link that sends one in a
    /// millisecond; what arrives in the instant in which one has been sent comes first.
    pub(in crate::queues) fn offered(
        mut queue: impl DepartureDiscipline,
        apart: Duration,
        count: u32,
    ) -> Offered {
        let mut run = Offered::default();
        let mut dropped = Vec::new();
        let mut free_at = None;
        let mut serve = |queue: &mut dyn DepartureDiscipline, now: Time| {
            let departing = queue.dequeue(now, &mut dropped);
            run.drops
                .extend(dropped.drain(..).map(|it| (now, it.packet.id)));
            let packet = departing?.packet;
            run.sent += 1;
            run.longest_sojourn = run.longest_sojourn.max(packet.sojourn(now));
            Some(now + Duration::from_millis(1))
        };
        for id in 0..count {
            let now = Time::ZERO + apart * u64::from(id);
            while let Some(end) = free_at
                && end < now
            {
                free_at = serve(&mut queue, end);
            }
            queue.enqueue(waiting(id, 1_500, now), &mut Vec::new());
            if free_at.is_none() {
                free_at = serve(&mut queue, now);
            }
        }
        while let Some(end) = free_at {
            free_at = serve(&mut queue, end);
        }
        run
    }
}
