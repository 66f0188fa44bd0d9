//! Reno with a genie that knows what the network has lost: it never takes silence or duplicate ACKs
//! for a loss where there is none.
//!
//! Follows Abouzeid and Roy, "TCP in networks with abrupt delay variations and random loss" (2003),
//! §IV.A: the "genie-aided" session knows which timeouts and duplicate ACKs are artifacts of the
//! delay and does not answer those; to the others it is [`super::reno`]. It is the most that Reno's
//! detection can reach where delays jump: without losses its window never shrinks.
//!
//! Choices: a timer that expires for a segment that is not lost starts again, without backoff; after
//! a timeout the sender goes back to lost segments only. Where nothing has come back for as long as the
//! longest timeout, ACKs must be lost: the oldest segment leaves again and the window stays.
//!
//! Not here: a genie that tells of a loss before the sender could know. A loss is still found by the
//! D-th duplicate ACK or by the timer.

use std::collections::BTreeMap;

use units::Time;

use super::reno::Reno;
use super::{LossRecovery, advance};
use crate::connection::{Arrival, Connection, Forced};

/// Reno's recovery, told what is lost.
#[derive(Debug, Default)]
pub(crate) struct Genie {
    reno: Reno,
    /// Segments whose last transmission is lost, and whether the controller has been told.
    lost: BTreeMap<u64, bool>,
    /// The oldest segment when the timer expired without need, and when it did so first.
    silent: Option<(u64, Time)>,
}

impl Genie {
    /// Whether the window alone says what may leave.
    pub(super) fn is_plain(&self, connection: &Connection) -> bool {
        self.reno.is_plain() && self.lost.is_empty() && connection.next == connection.high
    }

    /// The network lost segment `number`.
    pub(super) fn on_lost(&mut self, number: u64) {
        self.lost.insert(number, false);
    }

    /// Segment `number` is about to leave.
    pub(super) fn on_transmit(&mut self, connection: &mut Connection, number: u64) {
        self.lost.remove(&number);
        advance(connection, number);
        if connection.next < connection.high {
            let lost = self.lost.range(connection.next..).next();
            connection.next = lost.map_or(connection.high, |(number, _)| *number);
        }
    }
}

impl LossRecovery for Genie {
    fn on_new_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        self.reno.on_new_ack(connection, arrival);
    }

    fn on_duplicate_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        let recovers = !self.reno.is_plain();
        if recovers || self.lost.contains_key(&connection.una) {
            self.reno.on_duplicate_ack(connection, arrival);
        }
        if !recovers
            && !self.reno.is_plain()
            && let Some(told) = self.lost.get_mut(&connection.una)
        {
            *told = true;
        }
    }

    fn on_timeout(&mut self, connection: &mut Connection, now: Time) {
        let una = connection.una;
        if self.lost.contains_key(&una) {
            let mut lost = 0;
            for told in self.lost.values_mut() {
                lost += u64::from(!std::mem::replace(told, true));
            }
            self.reno.time_out(connection, now, lost);
            return;
        }
        connection.restart_timer(now);
        let since = match self.silent {
            Some((segment, since)) if segment == una => since,
            _ => now,
        };
        self.silent = Some((una, since));
        if now.saturating_since(since) >= connection.config.rto.maximum {
            self.silent = None;
            connection.forced = Forced::Retransmission(una);
        }
    }

    fn undo(&mut self) {
        self.reno.undo();
    }

    fn next_segment(&self, connection: &Connection) -> Option<u64> {
        self.reno.next_segment(connection)
    }

    fn in_flight(&self, connection: &Connection) -> u64 {
        self.reno.in_flight(connection)
    }
}
