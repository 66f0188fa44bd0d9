//! NewReno: fast recovery lasts until everything sent before it is acknowledged.
//!
//! Follows RFC 6582 §3.2: the careful variant of the test for a new fast retransmit, the timer
//! reset on the first partial ACK only ("impatient"), and the slow-start threshold as the window
//! after recovery (option 2 of step 3; [`max_burst`](crate::SenderConfig::max_burst) limits the
//! burst that may follow).

use units::Time;

use super::{
    LossRecovery, Lost, acknowledge, fast_retransmit, limited_transmit, outstanding,
    tell_further_loss, time_out,
};
use crate::connection::{Arrival, Connection, Forced, Progress, is_past};

/// NewReno's fast recovery.
#[derive(Debug, Default)]
pub(crate) struct NewReno {
    recovering: Option<FastRecovery>,
    /// One past the highest segment sent at the last loss.
    recover: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct FastRecovery {
    /// Packets that the window is inflated by; partial ACKs deflate it.
    inflation: i64,
    /// A partial ACK has come.
    partial: bool,
}

impl NewReno {
    /// Whether the window alone says what may leave.
    pub(super) fn is_plain(&self) -> bool {
        self.recovering.is_none()
    }

    fn on_partial_ack(
        connection: &mut Connection,
        arrival: &Arrival<'_>,
        recovery: &mut FastRecovery,
    ) {
        let acknowledged = connection.acknowledge(arrival);
        connection.take_rtt(arrival);
        connection.timed = None;
        if !recovery.partial {
            recovery.partial = true;
            connection.restart_timer(arrival.now);
        }
        // Deflate by what was acknowledged, add back one segment.
        let deflation = i64::try_from(acknowledged.packets).unwrap_or(i64::MAX);
        if connection.inflates() {
            recovery.inflation = recovery.inflation.saturating_sub(deflation) + 1;
        }
        connection.forced = Forced::Retransmission(connection.una);
        tell_further_loss(connection, arrival.now, connection.una);
        let progress = Progress {
            in_flight: in_flight(connection, Some(*recovery)),
            in_recovery: true,
        };
        connection.tell_ack(arrival, &acknowledged, progress);
    }
}

impl LossRecovery for NewReno {
    #[inline]
    fn on_new_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        let Some(recovery) = &mut self.recovering else {
            acknowledge(connection, arrival);
            return;
        };
        if self.recover.is_some_and(|recover| arrival.number < recover) {
            Self::on_partial_ack(connection, arrival, recovery);
            return;
        }
        // A full ACK: deflate. It does not open the window.
        self.recovering = None;
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
        if let Some(recovery) = &mut self.recovering {
            recovery.inflation += i64::from(connection.inflates());
            return;
        }
        connection.duplicates += 1;
        let threshold = connection.duplicate_ack_threshold();
        if connection.duplicates < threshold {
            limited_transmit(connection);
        } else if connection.duplicates == threshold && is_past(self.recover, connection.una) {
            self.recover = Some(connection.high);
            let lost = Lost::oldest(connection);
            fast_retransmit(connection, arrival.now, outstanding(connection), lost);
            self.recovering = Some(FastRecovery {
                inflation: if connection.inflates() {
                    i64::from(threshold)
                } else {
                    0
                },
                partial: false,
            });
        }
    }

    fn on_timeout(&mut self, connection: &mut Connection, now: Time) {
        let in_network = self.in_flight(connection);
        self.recovering = None;
        self.recover = Some(connection.high); // step 4
        time_out(connection, now, in_network);
    }

    fn undo(&mut self) {
        self.recovering = None;
    }

    #[inline]
    fn next_segment(&self, connection: &Connection) -> Option<u64> {
        let window = match self.recovering {
            None => connection.window(),
            Some(recovery) => connection
                .window()
                .saturating_add_signed(recovery.inflation)
                .max(1),
        };
        connection.next_within(window)
    }

    #[inline]
    fn in_flight(&self, connection: &Connection) -> u64 {
        in_flight(connection, self.recovering)
    }
}

/// A duplicate ACK tells of a packet that has left the network.
#[inline]
fn in_flight(connection: &Connection, recovery: Option<FastRecovery>) -> u64 {
    let left = recovery.map_or(0, |recovery| recovery.inflation.max(0) as u64);
    outstanding(connection).saturating_sub(left)
}
