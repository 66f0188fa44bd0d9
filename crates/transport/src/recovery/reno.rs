//! Reno: fast retransmit and fast recovery until the next new ACK.
//!
//! Follows RFC 5681 §3.2, with D for the three duplicate ACKs.
//!
//! Choices: several losses in one window can each make a fast retransmit and a reduction, as the
//! RFC has it; after a timeout there is no fast retransmit until everything that was out is
//! acknowledged.

use units::Time;

use super::{
    LossRecovery, Lost, acknowledge, fast_retransmit, limited_transmit, outstanding, time_out,
};
use crate::connection::{Arrival, Connection, Progress, is_past};

/// Reno's fast recovery.
#[derive(Debug, Default)]
pub(crate) struct Reno {
    /// In fast recovery: packets that the window is inflated by.
    inflation: Option<u64>,
    /// One past the highest segment sent at the last timeout.
    recover: Option<u64>,
}

impl Reno {
    /// Whether the window alone says what may leave.
    pub(super) fn is_plain(&self) -> bool {
        self.inflation.is_none()
    }
}

impl Reno {
    /// The timer expired and `lost` segments are lost.
    pub(super) fn time_out(&mut self, connection: &mut Connection, now: Time, lost: u64) {
        self.inflation = None;
        self.recover = Some(connection.high);
        time_out(connection, now, lost);
    }
}

impl LossRecovery for Reno {
    #[inline]
    fn on_new_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        if self.inflation.take().is_none() {
            acknowledge(connection, arrival);
            return;
        }
        // Step 6: deflate. This ACK does not open the window.
        let acknowledged = connection.acknowledge(arrival);
        connection.duplicates = 0;
        connection.take_rtt(arrival);
        connection.restart_or_stop_timer(arrival.now);
        let progress = Progress {
            in_flight: outstanding(connection),
            in_recovery: true,
        };
        connection.tell_ack(arrival, &acknowledged, progress);
    }

    fn on_duplicate_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        if let Some(inflation) = &mut self.inflation {
            *inflation += 1; // step 4
            return;
        }
        connection.duplicates += 1;
        let threshold = connection.duplicate_ack_threshold();
        if connection.duplicates < threshold {
            limited_transmit(connection); // step 1
        } else if connection.duplicates == threshold && is_past(self.recover, connection.una) {
            let lost = Lost::oldest(connection);
            fast_retransmit(connection, arrival.now, outstanding(connection), lost); // steps 2, 3
            self.inflation = Some(u64::from(threshold));
        }
    }

    fn on_timeout(&mut self, connection: &mut Connection, now: Time) {
        let in_network = self.in_flight(connection);
        self.time_out(connection, now, in_network);
    }

    fn undo(&mut self) {
        self.inflation = None;
    }

    #[inline]
    fn next_segment(&self, connection: &Connection) -> Option<u64> {
        let inflation = match self.inflation {
            Some(inflation) if !connection.config.properties.own_recovery => inflation,
            _ => 0,
        };
        let window = connection.window().saturating_add(inflation);
        connection.next_within(window) // step 5
    }

    #[inline]
    fn in_flight(&self, connection: &Connection) -> u64 {
        // A duplicate ACK tells of a packet that has left the network.
        outstanding(connection).saturating_sub(self.inflation.unwrap_or(0))
    }
}
