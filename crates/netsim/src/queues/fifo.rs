//! First in, first out with a limit, as a queue that decides at departure: drop-tail, which drops
//! what finds no room, and drop-head, which drops those that have waited longest to make room.
//!
//! Drop-head follows Lakshman, Neidhardt and Ott, "The drop from front strategy in TCP and in TCP
//! over ATM" (1996): the receiver learns of a loss sooner by the time that the queue takes.

use units::Time;
use units::choice::{self, Choice};

use super::departure::Line;
use super::{Departing, DepartureDiscipline, DropReason, Dropped, Limit, Waiting};
use super::{Discipline, Queue};

/// Drop-head as scenario files choose it.
pub(super) const DROP_HEAD: Discipline = Discipline {
    about: Choice {
        name: "drop-head",
        doc: "First in, first out; what has waited longest makes room for what finds the queue full.",
        source: "Lakshman, Neidhardt and Ott, The Drop from Front Strategy in TCP and in TCP over ATM, \
                 1996",
        keys: &[],
        rule: choice::any,
    },
    needs_rate: true,
    usual_packets: None,
    build: |_, place| Queue::at_departure(Fifo::new(place.limit, Victim::Oldest)),
};

/// A queue that serves in order of arrival.
#[derive(Clone, Debug)]
pub struct Fifo {
    limit: Limit,
    victim: Victim,
    waiting: Line,
}

/// What is dropped where there is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Victim {
    /// The packet that arrives.
    Newest,
    /// Those that have waited longest, until the one that arrives fits.
    Oldest,
}

impl Fifo {
    /// A queue in which so much may wait.
    pub fn new(limit: Limit, victim: Victim) -> Self {
        Self {
            limit,
            victim,
            waiting: Line::default(),
        }
    }
}

impl DepartureDiscipline for Fifo {
    fn enqueue(&mut self, packet: Waiting, dropped: &mut Vec<Dropped>) {
        let reason = DropReason::Full;
        while !packet.found_idle && !self.limit.has_room(self.waiting.backlog(), packet.size) {
            let oldest = match self.victim {
                Victim::Newest => None,
                Victim::Oldest => self.waiting.pop(),
            };
            let victim = oldest.unwrap_or(packet);
            dropped.push(Dropped {
                packet: victim,
                reason,
            });
            if oldest.is_none() {
                return;
            }
        }
        self.waiting.push(packet);
    }

    fn dequeue(&mut self, _now: Time, _dropped: &mut Vec<Dropped>) -> Option<Departing> {
        let packet = self.waiting.pop()?;
        Some(Departing {
            packet,
            mark: false,
        })
    }
}
