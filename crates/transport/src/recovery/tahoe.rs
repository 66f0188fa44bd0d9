//! Tahoe: on the D-th duplicate ACK, slow start from the lost segment. OldTahoe: on a timeout only.
//!
//! Follows Jacobson, Congestion Avoidance and Control (1988), as 4.3BSD-Tahoe had it.
//!
//! Choices: no second fast retransmit until everything sent before the first is acknowledged,
//! since going back makes duplicate ACKs of its own. The controller is told of a loss, which sets
//! the threshold, and then of a timeout within the same episode, which closes the window.

use controllers::{Episode, Signal};
use units::Time;

use super::{LossRecovery, Lost, acknowledge, limited_transmit, outstanding, time_out};
use crate::connection::{Arrival, CongestionSign, Connection, is_past};

/// Tahoe and OldTahoe.
#[derive(Debug)]
pub(crate) struct Tahoe {
    fast_retransmit: bool,
    /// One past the highest segment sent at the last loss.
    recover: Option<u64>,
}

impl Tahoe {
    pub(crate) fn new() -> Self {
        Self {
            fast_retransmit: true,
            recover: None,
        }
    }

    pub(crate) fn without_fast_retransmit() -> Self {
        Self {
            fast_retransmit: false,
            ..Self::new()
        }
    }
}

impl LossRecovery for Tahoe {
    #[inline]
    fn on_new_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        acknowledge(connection, arrival);
    }

    fn on_duplicate_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        if !self.fast_retransmit {
            return;
        }
        connection.duplicates += 1;
        let threshold = connection.duplicate_ack_threshold();
        if connection.duplicates < threshold {
            limited_transmit(connection);
        } else if connection.duplicates == threshold && is_past(self.recover, connection.una) {
            self.recover = Some(connection.high);
            let lost = Lost::oldest(connection);
            super::fast_retransmit(connection, arrival.now, outstanding(connection), lost);
            connection.tell_congestion(CongestionSign {
                now: arrival.now,
                signal: Signal::Timeout,
                episode: Episode::Continues,
                // All that is out counts as lost: it leaves again.
                lost_packets: outstanding(connection) - 1,
                newest: connection.una,
                flight_size: connection.packets(outstanding(connection)),
            });
            super::go_back(connection, arrival.now);
        }
    }

    fn on_timeout(&mut self, connection: &mut Connection, now: Time) {
        self.recover = Some(connection.high);
        time_out(connection, now, outstanding(connection));
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
