//! `Agent/TCP/Sack1`: the pipe algorithm with ns-2's scoreboard.
//!
//! `pipe_` counts down with every ACK and twice with a partial one, and up with every packet
//! sent. Holes are retransmitted in order as soon as anything above them is SACKed; nothing is
//! retransmitted twice in a recovery. The scoreboard is forgotten when recovery ends.

use controllers::Signal;

use super::agent::{Action, Agent, Kind};
use super::connection::Connection;
use crate::connection::Arrival;
use crate::ranges::RangeSet;

/// State of `Sack1` beside that of all agents.
#[derive(Debug)]
pub(super) struct Sack1 {
    scoreboard: RangeSet,
    /// One past `last_ack_`, which stands still during recovery.
    last_ack: u64,
    /// `h_seqno_`: holes below were retransmitted.
    retransmitted_below: u64,
    /// `sack_min`.
    sack_min: u64,
    fast_recovery: bool,
    /// `timeout_`: no new ACK since the last timeout, or yet.
    timed_out: bool,
    /// `pipe_`.
    pipe: i64,
}

impl Default for Sack1 {
    fn default() -> Self {
        Self {
            scoreboard: RangeSet::default(),
            last_ack: 0,
            retransmitted_below: 0,
            sack_min: 0,
            fast_recovery: false,
            // ns-2 never sets it before the first new ACK. It is found to act as true.
            timed_out: true,
            pipe: -1,
        }
    }
}

impl Agent {
    /// `Sack1TcpAgent::recv`.
    pub(super) fn sack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        let Kind::Sack(sack) = &mut self.kind else {
            return;
        };
        if sack.fast_recovery {
            sack.pipe -= 1;
            if arrival.number >= self.recover {
                self.recover = 1;
                sack.fast_recovery = false;
                sack.after_new_ack(arrival.number);
                // The ACK that ends recovery does not open the window.
                self.new_ack(connection, arrival, false);
            } else if arrival.number > connection.una {
                let acknowledged = connection.acknowledge(arrival);
                sack.update(connection, arrival);
                sack.pipe -= 1;
                connection.restart_timer(arrival.now);
                connection.rto.end_backoff();
                let in_flight = sack.pipe.max(0) as u64;
                Self::tell_partial_ack(connection, arrival, &acknowledged, in_flight);
            } else if !sack.timed_out
                && sack.update(connection, arrival)
                && connection.duplicates > 0
            {
                connection.duplicates += 1;
            }
            connection.allow_burst();
            return;
        }
        if arrival.number > connection.una {
            self.partial = false;
            sack.after_new_ack(arrival.number);
            self.new_ack(connection, arrival, true);
        } else if arrival.number == connection.una
            && !sack.timed_out
            && sack.update(connection, arrival)
        {
            self.sack_duplicate(connection, arrival);
        }
        if connection.duplicates == 0 {
            connection.allow_burst();
        }
    }

    fn sack_duplicate(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        connection.duplicates += 1;
        let threshold = connection.config.duplicate_ack_threshold;
        if connection.duplicates < threshold {
            Self::limited_transmit(connection);
            return;
        }
        if connection.duplicates > threshold {
            return;
        }
        let begins = self.may_fast_retransmit(connection);
        if begins {
            self.recover = connection.high;
        } else if !(connection.config.ecn && self.last_action == Action::Ecn) {
            return;
        }
        self.last_action = Action::DuplicateAcks;
        connection.statistics.fast_retransmits += 1;
        if let Kind::Sack(sack) = &mut self.kind {
            sack.begin_recovery(connection);
        }
        self.signal(connection, arrival.now, Signal::Loss, begins);
        Self::retransmit_oldest(connection, arrival.now);
    }
}

impl Sack1 {
    pub(super) fn on_timeout(&mut self, una: u64) {
        self.fast_recovery = false;
        self.timed_out = true;
        self.last_ack = una;
        self.forget();
    }

    /// One turn of `send_much`.
    pub(super) fn next_segment(&self, connection: &Connection, recover: u64) -> Option<u64> {
        let window = connection.window.whole();
        let capped = if connection.numbers_syn() && connection.una == 0 {
            1
        } else {
            window.min(connection.max_window())
        };
        let open = if self.fast_recovery {
            self.pipe < i64::try_from(window).unwrap_or(i64::MAX)
        } else {
            connection.next < self.last_ack.saturating_add(capped)
        };
        if !open || self.last_ack >= connection.end {
            return None;
        }
        let una = connection.una;
        if let Some(hole) = self.next_hole() {
            let fits = recover > 1 && hole < una.saturating_add(connection.max_window());
            return fits.then_some(hole);
        }
        let limit = if self.fast_recovery {
            connection.max_window()
        } else {
            capped
        };
        let fits = connection.next < una.saturating_add(limit) && connection.next < connection.end;
        fits.then_some(connection.next)
    }

    pub(super) fn on_transmit(&mut self, una: u64, number: u64) {
        if self.next_hole() == Some(number) && number >= una {
            self.retransmitted_below = self.retransmitted_below.max(number + 1);
        }
        self.pipe += 1;
    }

    /// `dupack_action`: D packets have left the network; the oldest is retransmitted.
    fn begin_recovery(&mut self, connection: &Connection) {
        let threshold = i64::from(connection.config.duplicate_ack_threshold);
        // maxseq_ − highest_ack_ − numdupacks_
        self.pipe = (connection.high - connection.una).cast_signed() - threshold;
        self.fast_recovery = true;
        self.retransmitted_below = self.retransmitted_below.max(connection.una + 1);
    }

    fn after_new_ack(&mut self, number: u64) {
        self.timed_out = false;
        self.last_ack = number;
        self.forget();
    }

    fn forget(&mut self) {
        self.scoreboard.clear();
        self.retransmitted_below = 0;
    }

    /// `UpdateScoreBoard`; returns whether it changed.
    fn update(&mut self, connection: &Connection, arrival: &Arrival<'_>) -> bool {
        let before = self.scoreboard.total();
        let mut changed = false;
        if self.sack_min <= connection.una.saturating_sub(1) {
            self.sack_min = connection.una;
            if !self.scoreboard.is_empty() {
                self.scoreboard.remove_below(self.sack_min);
                changed = true;
            }
        }
        for block in arrival.blocks {
            let end = block.end.min(connection.high);
            self.scoreboard.insert(crate::SackBlock { end, ..*block });
        }
        changed || self.scoreboard.total() != before
    }

    /// `GetNextRetran`: the lowest hole below the highest SACKed segment not yet retransmitted.
    fn next_hole(&self) -> Option<u64> {
        let hole = self
            .scoreboard
            .first_missing(self.retransmitted_below.max(self.sack_min));
        self.scoreboard
            .end()
            .is_some_and(|end| hole < end)
            .then_some(hole)
    }
}
