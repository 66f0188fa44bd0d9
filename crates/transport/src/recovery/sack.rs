//! Recovery by selective acknowledgements.
//!
//! Follows RFC 6675 §5. Its more careful timer (§6) restarts when the first retransmission of a
//! recovery leaves and, per RFC 6298 (5.3), on every ACK that advances.
//!
//! Choices: after a timeout everything SACKed is forgotten (RFC 2018 §8) and the sender goes back,
//! skipping what is SACKed from then on; a new recovery begins only when all that was out is
//! acknowledged (RFC 6675 §5.1). An ACK is a duplicate when it SACKs something new (§2).

use units::Time;

use super::{
    LossRecovery, Lost, advance, fast_retransmit, outstanding, tell_further_loss, time_out,
};
use crate::connection::{Arrival, Connection, Progress};
use crate::scoreboard::{NextSegment, Scoreboard};

/// Recovery by selective acknowledgements.
#[derive(Debug)]
pub(crate) struct Sack {
    scoreboard: Scoreboard,
    recovering: bool,
    /// `RecoveryPoint` + 1, while recovering and after a timeout.
    recovery_point: Option<u64>,
}

impl Sack {
    pub(crate) fn new(threshold: u32) -> Self {
        Self {
            scoreboard: Scoreboard::new(threshold),
            recovering: false,
            recovery_point: None,
        }
    }

    /// Whether the window alone says what may leave: nothing is SACKed and nothing repaired.
    pub(super) fn is_plain(&self) -> bool {
        self.scoreboard.is_empty() && self.recovery_point.is_none()
    }

    /// Segment `number` is about to leave.
    pub(super) fn on_transmit(&mut self, connection: &mut Connection, number: u64) {
        if !self.recovering {
            if connection.duplicates > 0 && number == connection.high {
                connection.limited += 1;
            }
            advance(connection, number);
            if self.recovery_point.is_some() {
                connection.next = self.scoreboard.first_missing(connection.next);
            }
            return;
        }
        // The first retransmission of a recovery is accounted for already.
        let chosen = self
            .scoreboard
            .next_segment(connection.high, connection.can_send_new());
        advance(connection, number);
        if let (Some(segment), Some(point)) = (chosen, self.recovery_point) {
            let named = match segment {
                NextSegment::New => connection.high,
                NextSegment::Retransmission(named) | NextSegment::Rescue(named) => named,
            };
            if named == number {
                self.scoreboard.on_sent(segment, point);
            }
        }
    }

    /// Takes the SACK blocks; returns whether they tell anything new.
    fn update(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) -> bool {
        if connection.threshold.is_some() {
            let threshold = connection.duplicate_ack_threshold();
            self.scoreboard.set_threshold(threshold);
        }
        let mut new = 0;
        for block in arrival.blocks {
            new += self.scoreboard.sack(*block, connection.high);
        }
        new > 0
    }

    /// Begins recovery if the scoreboard or the count of duplicates says that the oldest segment
    /// is lost.
    fn begin_recovery(&mut self, connection: &mut Connection, now: Time) -> bool {
        let lost = connection.duplicates >= connection.duplicate_ack_threshold()
            || self.scoreboard.is_lost(connection.una);
        if !lost {
            return false;
        }
        self.recovering = true;
        self.recovery_point = Some(connection.high);
        // FlightSize as RFC 5681 §2 has it, SACKed segments included.
        let oldest = Lost {
            newest: connection.una,
            packets: u64::from(self.scoreboard.name(connection.una)),
        };
        fast_retransmit(connection, now, outstanding(connection), oldest);
        self.scoreboard.begin_recovery();
        true
    }

    /// Tells the controller of what is lost beside the segment that recovery began with.
    fn tell_losses(&mut self, connection: &mut Connection, now: Time) {
        if !self.recovering {
            return;
        }
        while let Some(number) = self.scoreboard.take_lost() {
            tell_further_loss(connection, now, number);
        }
    }
}

impl LossRecovery for Sack {
    const SELECTIVE: bool = true;

    #[inline]
    fn on_new_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        if self.is_plain() {
            self.scoreboard.pass(connection.una);
        }
        self.scoreboard.acknowledge(arrival.number);
        let acknowledged = connection.acknowledge(arrival);
        connection.duplicates = 0;
        connection.limited = 0;
        let was_recovering = self.recovering;
        if self
            .recovery_point
            .is_some_and(|point| arrival.number >= point)
        {
            self.recovering = false;
            self.recovery_point = None;
            self.scoreboard.end_recovery();
        }
        if !arrival.blocks.is_empty() {
            self.update(connection, arrival);
            self.tell_losses(connection, arrival.now);
        }
        if self.recovery_point.is_some() {
            // After a timeout: what is SACKed already is not sent again.
            connection.next = self.scoreboard.first_missing(connection.next);
        }
        connection.take_rtt(arrival);
        connection.restart_or_stop_timer(arrival.now);
        let progress = Progress {
            in_flight: self.in_flight(connection),
            in_recovery: was_recovering || (arrival.ece && connection.answers_marks()),
        };
        connection.tell_ack(arrival, &acknowledged, progress);
    }

    fn on_duplicate_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        if self.is_plain() {
            self.scoreboard.pass(connection.una);
        }
        if !self.update(connection, arrival) {
            return;
        }
        let mut begins = false;
        if !self.recovering {
            if self.recovery_point.is_some() {
                connection.next = self.scoreboard.first_missing(connection.next);
            } else {
                connection.duplicates += 1;
                begins = self.begin_recovery(connection, arrival.now);
            }
        }
        self.tell_losses(connection, arrival.now);
        let progress = Progress {
            // The first retransmission is in the pipe and has not left yet.
            in_flight: self.in_flight(connection) - u64::from(begins),
            in_recovery: self.recovering,
        };
        connection.tell_selection(arrival, progress);
    }

    fn on_timeout(&mut self, connection: &mut Connection, now: Time) {
        let in_network = self.in_flight(connection);
        self.recovering = false;
        self.recovery_point = Some(connection.high);
        self.scoreboard.forget(connection.high);
        self.scoreboard.pass(connection.una);
        time_out(connection, now, in_network);
    }

    fn undo(&mut self) {
        self.recovering = false;
        self.recovery_point = None;
        self.scoreboard.end_recovery();
    }

    #[inline]
    fn next_segment(&self, connection: &Connection) -> Option<u64> {
        let window = connection.window();
        if self.scoreboard.is_empty() && !self.recovering {
            return connection.next_within(window);
        }
        if self.in_flight(connection) >= window {
            return None;
        }
        if self.recovering {
            let can_send_new = connection.can_send_new();
            return match self
                .scoreboard
                .next_segment(connection.high, can_send_new)?
            {
                NextSegment::New => Some(connection.next),
                NextSegment::Retransmission(number) | NextSegment::Rescue(number) => Some(number),
            };
        }
        // After a timeout, new data counts from the oldest segment, as without SACK: what is SACKed
        // meanwhile must not let it out past a hole that was lost again.
        if self.recovery_point.is_some() && connection.next >= connection.high {
            return connection.next_within(window);
        }
        // Step 3: between the first duplicate ACK and recovery, by limited transmit only.
        if self.recovery_point.is_none() && !connection.config.limited_transmit {
            return connection.next_within(window);
        }
        connection.next_within(u64::MAX)
    }

    #[inline]
    fn in_flight(&self, connection: &Connection) -> u64 {
        if self.scoreboard.is_empty() && !self.recovering {
            return outstanding(connection);
        }
        if self.recovering || connection.next == connection.high {
            return self.scoreboard.pipe(connection.high);
        }
        // Going back after a timeout: what was sent since, without what is SACKed.
        outstanding(connection).saturating_sub(self.scoreboard.sacked_below(connection.next))
    }
}
