//! Vegas: Reno that does not wait for the third duplicate ACK when the oldest segment is overdue by
//! a timeout without the coarse clock's floor.
//!
//! Follows Brakmo and Peterson, TCP Vegas: End to End Congestion Avoidance on a Global Internet
//! (1995), §III.A: the oldest segment's age is looked at on every duplicate ACK, and on the first
//! and second new ACK after a retransmission.
//!
//! Choices: the fine-grained timeout is SRTT + 4·RTTVAR of the same estimator, without its minimum;
//! the rest is as in [`super::reno`]. That the window shrinks only for a segment sent after its last
//! decrease is the window law's business (`controllers::vegas`).

use units::Time;

use super::{LossRecovery, acknowledge, fast_retransmit, limited_transmit, outstanding, time_out};
use crate::connection::{Arrival, Connection, Progress, is_past};

/// Vegas's fast recovery.
#[derive(Debug, Default)]
pub(crate) struct Vegas {
    /// In fast recovery: packets that the window is inflated by.
    inflation: Option<u64>,
    /// One past the highest segment sent at the last timeout.
    recover: Option<u64>,
    /// New ACKs after which the oldest segment's age is still looked at.
    watched: u32,
}

impl Vegas {
    /// Whether the window alone says what may leave.
    pub(super) fn is_plain(&self) -> bool {
        self.inflation.is_none() && self.watched == 0
    }

    fn retransmit(&mut self, connection: &mut Connection, now: Time, inflation: u32) {
        fast_retransmit(connection, now, outstanding(connection));
        self.inflation = Some(u64::from(inflation));
        self.watched = WATCHED_ACKS;
    }
}

impl LossRecovery for Vegas {
    fn on_new_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        if self.inflation.take().is_none() {
            acknowledge(connection, arrival);
        } else {
            let acknowledged = connection.acknowledge(arrival, 0);
            connection.duplicates = 0;
            connection.take_rtt(arrival);
            connection.restart_or_stop_timer(arrival.now);
            let progress = Progress {
                in_flight: outstanding(connection),
                in_recovery: true,
            };
            connection.tell_ack(arrival, &acknowledged, progress);
        }
        if self.watched > 0 {
            self.watched -= 1;
            if is_overdue(connection, arrival.now) {
                self.retransmit(connection, arrival.now, 0);
            } else {
                self.watched = 0;
            }
        }
    }

    fn on_duplicate_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        if let Some(inflation) = &mut self.inflation {
            *inflation += 1;
            return;
        }
        connection.duplicates += 1;
        let duplicates = connection.duplicates;
        let threshold = connection.config.duplicate_ack_threshold;
        let due = duplicates == threshold
            || duplicates < threshold && is_overdue(connection, arrival.now);
        if due && is_past(self.recover, connection.una) {
            self.retransmit(connection, arrival.now, duplicates);
        } else if duplicates < threshold {
            limited_transmit(connection);
        }
    }

    fn on_timeout(&mut self, connection: &mut Connection, now: Time) {
        self.inflation = None;
        self.watched = 0;
        self.recover = Some(connection.high);
        time_out(connection, now, outstanding(connection));
    }

    fn undo(&mut self) {
        self.inflation = None;
        self.watched = 0;
    }

    #[inline]
    fn next_segment(&self, connection: &Connection) -> Option<u64> {
        let window = connection
            .window()
            .saturating_add(self.inflation.unwrap_or(0));
        connection.next_within(window)
    }

    #[inline]
    fn in_flight(&self, connection: &Connection) -> u64 {
        // A duplicate ACK tells of a packet that has left the network.
        outstanding(connection).saturating_sub(self.inflation.unwrap_or(0))
    }
}

/// Whether the oldest segment was sent longer ago than the fine-grained timeout.
fn is_overdue(connection: &Connection, now: Time) -> bool {
    let rto = &connection.rto;
    let srtt = rto.smoothed_rtt();
    let timeout = srtt.saturating_add(rto.deviation().saturating_mul(DEVIATIONS));
    outstanding(connection) > 0
        && !srtt.is_zero()
        && now.saturating_since(connection.sent_at(connection.una)) > timeout
}

/// RFC 6298 (2.3).
const DEVIATIONS: u64 = 4;
/// "the first or second one after a retransmission" (§III.A).
const WATCHED_ACKS: u32 = 2;
