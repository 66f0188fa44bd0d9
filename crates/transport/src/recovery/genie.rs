//! A sender that knows that nothing is lost: it never takes silence or a duplicate ACK for a loss.
//!
//! Follows Abouzeid and Roy, "TCP in networks with abrupt delay variations and random loss" (2003),
//! §IV.A: the "genie-aided" session, the most that any loss detection can reach where delays jump.
//!
//! Not here: repair. A packet that is really lost stays lost, and the connection stops when its
//! window is full: this is a reference for paths without losses.

use units::Time;

use super::{LossRecovery, acknowledge, outstanding};
use crate::connection::{Arrival, Connection};

/// No loss recovery.
#[derive(Debug)]
pub(crate) struct Genie;

impl LossRecovery for Genie {
    #[inline]
    fn on_new_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        acknowledge(connection, arrival);
    }

    fn on_duplicate_ack(&mut self, _connection: &mut Connection, _arrival: &Arrival<'_>) {}

    fn on_timeout(&mut self, connection: &mut Connection, now: Time) {
        connection.restart_timer(now);
    }

    fn undo(&mut self) {}

    #[inline]
    fn next_segment(&self, connection: &Connection) -> Option<u64> {
        connection.next_within(connection.window())
    }

    #[inline]
    fn in_flight(&self, connection: &Connection) -> u64 {
        outstanding(connection)
    }
}
