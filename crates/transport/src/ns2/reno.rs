//! The agents that count duplicate ACKs: Tahoe, Reno, Newreno.

use std::cmp::Ordering;

use controllers::Signal;

use super::agent::{Action, Agent};
use super::connection::Connection;
use crate::connection::{Arrival, Forced};

impl Agent {
    /// `TcpAgent::recv`.
    pub(super) fn tahoe(
        &mut self,
        connection: &mut Connection,
        arrival: &Arrival<'_>,
        fast_retransmit: bool,
    ) {
        let threshold = connection.config.duplicate_ack_threshold;
        if arrival.number > connection.una {
            self.new_ack(connection, arrival, true);
        } else if arrival.number == connection.una {
            connection.duplicates += 1;
            if connection.duplicates == threshold && fast_retransmit {
                if self.may_fast_retransmit(connection) {
                    self.recover = connection.high;
                    self.last_action = Action::DuplicateAcks;
                    connection.statistics.fast_retransmits += 1;
                    self.signal(connection, arrival.now, Signal::Loss, true);
                    self.signal(connection, arrival.now, Signal::Timeout, false);
                    Self::go_back(connection, arrival.now);
                } else if connection.config.ecn && self.last_action == Action::Ecn {
                    self.last_action = Action::DuplicateAcks;
                    self.signal(connection, arrival.now, Signal::Timeout, false);
                    Self::go_back(connection, arrival.now);
                }
            } else if connection.duplicates < threshold {
                Self::limited_transmit(connection);
            }
        }
        connection.allow_burst();
    }

    /// `RenoTcpAgent::recv`.
    pub(super) fn reno(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        if arrival.number > connection.una {
            if self.last_action == Action::DuplicateAcks {
                self.last_action = Action::Exited;
            }
            self.inflation = 0;
            self.new_ack(connection, arrival, true);
        } else if arrival.number == connection.una {
            self.duplicate(connection, arrival);
        }
        let duplicates = connection.duplicates;
        if duplicates == 0 || duplicates >= connection.config.duplicate_ack_threshold {
            connection.allow_burst();
        }
    }

    /// `NewRenoTcpAgent::recv`.
    pub(super) fn new_reno(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        if arrival.number > connection.una {
            if arrival.number >= self.recover || self.last_action != Action::DuplicateAcks {
                if self.inflation > 0 {
                    self.inflation = 0;
                    if self.last_action == Action::DuplicateAcks {
                        self.last_action = Action::Exited;
                    }
                }
                self.partial = false;
                self.new_ack(connection, arrival, true);
            } else {
                self.partial_ack(connection, arrival);
            }
        } else if arrival.number == connection.una {
            self.duplicate(connection, arrival);
        }
        let duplicates = connection.duplicates;
        if duplicates == 0 {
            connection.allow_burst();
        } else if duplicates >= connection.config.duplicate_ack_threshold {
            connection.burst = RECOVERY_BURST;
        }
    }

    /// `partialnewack_helper`: the timer restarts on the first one only; no sample is taken; the
    /// window deflates, itself where `dupwnd_` does not suffice.
    fn partial_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        if !self.partial {
            self.partial = true;
            connection.restart_timer(arrival.now);
        }
        let deflation = arrival.number - connection.una;
        let acknowledged = connection.acknowledge(arrival);
        if self.inflation > deflation {
            self.inflation -= deflation - 1;
        } else {
            let beyond = (deflation - self.inflation) as f64;
            let window = connection.window.packets().max(1.0);
            connection.window.deflate_to((window - beyond).max(1.0));
            self.inflation = 1;
        }
        if let Some(timed) = connection.timed
            && timed.number < arrival.number
        {
            connection.timed = None;
            connection.rto.end_backoff();
        }
        connection.forced = Forced::Retransmission(connection.una);
        self.signal(connection, arrival.now, Signal::Loss, false);
        let in_flight = connection.next - connection.una;
        Self::tell_partial_ack(connection, arrival, &acknowledged, in_flight);
    }

    /// Reno's and Newreno's way with a duplicate ACK.
    fn duplicate(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        let threshold = connection.config.duplicate_ack_threshold;
        connection.duplicates += 1;
        match connection.duplicates.cmp(&threshold) {
            Ordering::Less => Self::limited_transmit(connection),
            Ordering::Equal => {
                let begins = self.may_fast_retransmit(connection);
                if begins {
                    self.recover = connection.high;
                } else if !(connection.config.ecn && self.last_action == Action::Ecn) {
                    return;
                }
                self.last_action = Action::DuplicateAcks;
                connection.statistics.fast_retransmits += 1;
                self.signal(connection, arrival.now, Signal::Loss, begins);
                Self::retransmit_oldest(connection, arrival.now);
                self.inflation = u64::from(threshold);
            }
            Ordering::Greater => {
                if self.last_action == Action::DuplicateAcks {
                    self.inflation += 1;
                }
            }
        }
    }
}

/// Most packets for one duplicate ACK in Newreno's recovery.
const RECOVERY_BURST: u32 = 2;
