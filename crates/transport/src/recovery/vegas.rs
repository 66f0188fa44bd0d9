//! Vegas: Reno that does not wait for the third duplicate ACK when the oldest segment is overdue by
//! a timeout of its own, without the coarse clock and its floor.
//!
//! Follows Brakmo and Peterson, TCP Vegas: End to End Congestion Avoidance on a Global Internet
//! (1995), §III.A: each segment's time of sending is kept, and the round trips are measured by it;
//! the oldest segment's age is looked at on every duplicate ACK, and on the first and second new ACK
//! after a retransmission; the window shrinks only if the segment was sent after it last shrank.
//!
//! Choices: the timeout is SRTT + 4·RTTVAR as in RFC 6298 (the paper gives no formula), of the round
//! trips of segments sent once, rounded to no tick; the rest is as in [`super::reno`].

use units::{Duration, Time};

use super::{
    LossRecovery, Lost, acknowledge, fast_retransmit, limited_transmit, outstanding, resend_oldest,
    tell_further_loss, time_out,
};
use crate::connection::{Acknowledged, Arrival, Connection, Progress, is_past};

/// Vegas's fast recovery.
#[derive(Debug, Default)]
pub(crate) struct Vegas {
    /// In fast recovery: packets that the window is inflated by.
    inflation: Option<u64>,
    /// One past the highest segment sent at the last timeout.
    recover: Option<u64>,
    /// New ACKs after which the oldest segment's age is still looked at.
    watched: u32,
    /// When the window was last reduced for a loss.
    reduced_at: Option<Time>,
    round_trip: Option<RoundTripEstimate>,
}

/// By each segment's own time of sending, in picoseconds.
#[derive(Clone, Copy, Debug)]
struct RoundTripEstimate {
    smoothed: u64,
    deviation: u64,
}

impl RoundTripEstimate {
    fn first(rtt: u64) -> Self {
        Self {
            smoothed: rtt,
            deviation: rtt / 2,
        }
    }

    fn sample(&mut self, rtt: u64) {
        // RFC 6298 (2.3): the deviation first.
        self.deviation = self.deviation - self.deviation / 4 + self.smoothed.abs_diff(rtt) / 4;
        self.smoothed = self.smoothed - self.smoothed / 8 + rtt / 8;
    }

    fn timeout(self) -> Duration {
        Duration::from_picos(self.deviation.saturating_mul(DEVIATIONS))
            .saturating_add(Duration::from_picos(self.smoothed))
    }
}

impl Vegas {
    fn retransmit(&mut self, connection: &mut Connection, now: Time, inflation: u32) {
        let sent_at = connection.sent_at(connection.una);
        if self.reduced_at.is_none_or(|reduced| reduced < sent_at) {
            let lost = Lost::oldest(connection);
            fast_retransmit(connection, now, outstanding(connection), lost);
            self.reduced_at = Some(now);
        } else {
            connection.statistics.fast_retransmits += 1;
            tell_further_loss(connection, now, connection.una);
            resend_oldest(connection, now);
        }
        self.inflation = Some(u64::from(inflation));
        self.watched = WATCHED_ACKS;
    }

    /// A segment's round trip, unless it, or what made the receiver answer, left twice (Karn).
    fn measure(&mut self, acknowledged: &Acknowledged, arrival: &Arrival<'_>) {
        if acknowledged.retransmitted || arrival.echoes_retransmission {
            return;
        }
        let rtt = arrival.now.saturating_since(acknowledged.newest.sent_at);
        let rtt = rtt.as_picos();
        match &mut self.round_trip {
            Some(estimate) => estimate.sample(rtt),
            None => self.round_trip = Some(RoundTripEstimate::first(rtt)),
        }
    }

    /// Whether the oldest segment was sent longer ago than the fine-grained timeout.
    fn is_overdue(&self, connection: &Connection, now: Time) -> bool {
        let Some(estimate) = self.round_trip else {
            return false;
        };
        outstanding(connection) > 0
            && now.saturating_since(connection.sent_at(connection.una)) > estimate.timeout()
    }
}

impl LossRecovery for Vegas {
    fn on_new_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        if self.inflation.take().is_none() {
            let acknowledged = acknowledge(connection, arrival);
            self.measure(&acknowledged, arrival);
        } else {
            let acknowledged = connection.acknowledge(arrival);
            self.measure(&acknowledged, arrival);
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
            if self.is_overdue(connection, arrival.now) {
                self.retransmit(connection, arrival.now, 0);
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
        let threshold = connection.duplicate_ack_threshold();
        let due = duplicates == threshold
            || duplicates < threshold && self.is_overdue(connection, arrival.now);
        if due && is_past(self.recover, connection.una) {
            self.retransmit(connection, arrival.now, duplicates);
        } else if duplicates < threshold {
            limited_transmit(connection);
        }
    }

    fn on_timeout(&mut self, connection: &mut Connection, now: Time) {
        let in_network = self.in_flight(connection);
        self.inflation = None;
        self.watched = 0;
        self.recover = Some(connection.high);
        time_out(connection, now, in_network);
    }

    fn undo(&mut self) {
        self.inflation = None;
        self.watched = 0;
        self.reduced_at = None;
    }

    #[inline]
    fn next_segment(&self, connection: &Connection) -> Option<u64> {
        let inflation = match self.inflation {
            Some(inflation) if !connection.config.properties.own_recovery => inflation,
            _ => 0,
        };
        let window = connection.window().saturating_add(inflation);
        connection.next_within(window)
    }

    #[inline]
    fn in_flight(&self, connection: &Connection) -> u64 {
        // A duplicate ACK tells of a packet that has left the network.
        outstanding(connection).saturating_sub(self.inflation.unwrap_or(0))
    }
}

/// RFC 6298 (2.3).
const DEVIATIONS: u64 = 4;
/// "the first or second one after a retransmission" (§III.A).
const WATCHED_ACKS: u32 = 2;
