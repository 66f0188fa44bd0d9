//! Loss recovery as ns-2.35's one-way TCP agents do it, packet by packet.
//!
//! Agents: `Agent/TCP` (Tahoe; with `noFastRetrans_`: OldTahoe), `Agent/TCP/Reno`,
//! `Agent/TCP/Newreno`, `Agent/TCP/Sack1`, `Agent/TCP/Vegas`, with their default settings. The table
//! in the crate's documentation lists what differs from the RFCs.
//!
//! Not here: the timer's arithmetic ([`crate::rto`]), the window law's (the controllers' `reading =
//! "ns-2"`), the sink's ([`crate::receiver`]).

mod sack;
mod vegas;
mod window;

use controllers::{Episode, Signal};
use units::{Bytes, Time};

use crate::config::Recovery;
use crate::connection::{Arrival, CongestionSign, Connection, Forced, Progress};
use crate::rto::RoundTrip;
use sack::Sack1;
use vegas::VegasAgent;

/// Loss recovery of an ns-2 agent.
#[derive(Debug)]
pub(crate) struct Ns2 {
    agent: Agent,
    /// One past `recover_`.
    recover: u64,
    last_action: Action,
    /// `dupwnd_`.
    inflation: u64,
    /// `firstpartial_`.
    partial: bool,
    /// `ecn_backoff_`: a mark came while the window was one packet.
    ecn_backoff: bool,
    /// `ect_`: an echo came. The first one agrees on ECN.
    ecn_agreed: bool,
}

#[derive(Debug)]
enum Agent {
    Tahoe { fast_retransmit: bool },
    Reno,
    NewReno,
    Sack(Sack1),
    Vegas(VegasAgent),
}

/// `last_cwnd_action_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Nothing,
    DuplicateAcks,
    Timeout,
    Ecn,
    Exited,
}

impl Ns2 {
    pub(crate) fn new(recovery: Recovery) -> Self {
        let agent = match recovery {
            Recovery::OldTahoe => Agent::Tahoe {
                fast_retransmit: false,
            },
            Recovery::Tahoe => Agent::Tahoe {
                fast_retransmit: true,
            },
            Recovery::Reno => Agent::Reno,
            Recovery::NewReno => Agent::NewReno,
            Recovery::Sack | Recovery::Rack => Agent::Sack(Sack1::default()),
            Recovery::Vegas => Agent::Vegas(VegasAgent::default()),
            Recovery::Genie => unreachable!("ns-2 has no genie"),
        };
        Self {
            agent,
            recover: 1, // recover_ = 0: segment 0, the SYN
            last_action: Action::Nothing,
            inflation: 0,
            partial: false,
            ecn_backoff: false,
            ecn_agreed: false,
        }
    }

    pub(crate) fn on_arrival(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        connection.statistics.last_rtt = None;
        connection.burst = 0;
        if arrival.ece && connection.config.ecn {
            self.on_ecn_echo(connection, arrival);
        }
        match self.agent {
            Agent::Tahoe { fast_retransmit } => {
                self.tahoe(connection, arrival, fast_retransmit);
            }
            Agent::Reno => self.reno(connection, arrival),
            Agent::NewReno => self.new_reno(connection, arrival),
            Agent::Sack(_) => self.sack(connection, arrival),
            Agent::Vegas(_) => self.vegas(connection, arrival),
        }
    }

    pub(crate) fn on_timeout(&mut self, connection: &mut Connection, now: Time) {
        let mut counts = connection.una < connection.high;
        let mut begins = counts && self.last_action != Action::Ecn;
        match &mut self.agent {
            Agent::Tahoe { .. } => {} // keeps its count of duplicate ACKs
            Agent::Reno | Agent::NewReno => {
                self.inflation = 0;
                connection.duplicates = 0;
            }
            Agent::Sack(sack) => {
                sack.on_timeout(connection.una);
                connection.duplicates = 0;
            }
            Agent::Vegas(vegas) => {
                vegas.on_timeout(connection, now);
                connection.duplicates = 0;
                (counts, begins) = (true, true); // also where it expires idle
            }
        }
        self.recover = connection.high;
        self.last_action = Action::Timeout;
        self.signal(connection, now, Signal::Timeout, begins);
        if counts {
            connection.statistics.timeouts += 1;
            connection.rto.back_off();
        }
        Self::go_back(connection, now);
        connection.allow_burst();
    }

    #[inline]
    pub(crate) fn next_segment(&self, connection: &Connection) -> Option<u64> {
        match &self.agent {
            Agent::Sack(sack) => sack.next_segment(connection, self.recover),
            _ => connection.next_within(self.window(connection)),
        }
    }

    /// Whether the window alone says what may leave.
    pub(crate) fn is_plain(&self, connection: &Connection) -> bool {
        let agent = match &self.agent {
            Agent::Sack(sack) => sack.is_plain(connection.una),
            Agent::Vegas(_) => false, // it counts transmissions
            _ => true,
        };
        agent && self.inflation == 0 && connection.una > 0
    }

    #[inline]
    pub(crate) fn on_transmit(&mut self, connection: &mut Connection, number: u64) {
        // What is forced is sent past the pipe's account.
        let forced = connection.forced != Forced::Nothing;
        match &mut self.agent {
            Agent::Sack(sack) if !forced => sack.on_transmit(connection.una, number),
            Agent::Vegas(vegas) => {
                vegas.on_transmit(connection, number);
                if forced {
                    return; // `output()` alone leaves `t_seqno_` where it is
                }
            }
            _ => {}
        }
        connection.next = connection.next.max(number + 1);
    }

    /// `window()`: the SYN goes alone.
    #[inline]
    fn window(&self, connection: &Connection) -> u64 {
        if connection.numbers_syn() && connection.una == 0 {
            return 1;
        }
        connection.window().saturating_add(self.inflation)
    }

    /// `windowd()`, in bytes, from which the threshold is cut.
    fn flight_size(&self, connection: &Connection) -> Bytes {
        let segment = connection.config.segment_size;
        if connection.numbers_syn() && connection.una == 0 {
            return segment;
        }
        let inflation = segment.saturating_mul(self.inflation);
        let window = connection.limits().window.saturating_add(inflation);
        window.min(segment.saturating_mul(connection.max_window()))
    }

    /// `slowdown()`. Where an episode does not begin, the threshold stays.
    fn signal(&self, connection: &mut Connection, now: Time, signal: Signal, begins: bool) {
        let lost_packets = match signal {
            Signal::Loss => 1,
            Signal::Timeout => connection.high - connection.una,
            _ => 0,
        };
        connection.tell_congestion(CongestionSign {
            now,
            signal,
            episode: if begins {
                Episode::Begins
            } else {
                Episode::Continues
            },
            lost_packets,
            newest: match signal {
                Signal::Loss => connection.una,
                _ => connection.high.saturating_sub(1),
            },
            flight_size: match signal {
                // `timeout()` raises a window below one packet first.
                Signal::Timeout => self
                    .flight_size(connection)
                    .max(connection.config.segment_size),
                _ => self.flight_size(connection),
            },
        });
    }

    /// `ecn()`: called before the ACK is looked at.
    fn on_ecn_echo(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        if arrival.number <= self.recover && self.last_action != Action::Timeout {
            return;
        }
        self.recover = connection.high;
        self.last_action = Action::Ecn;
        if connection.limits().window <= connection.config.segment_size {
            if self.ecn_backoff {
                connection.rto.back_off();
            }
            self.ecn_backoff = true;
        } else {
            self.ecn_backoff = false;
        }
        // The ACK of segment 0 alone sets the window to the initial one.
        if arrival.number > 1 || connection.una > 0 {
            self.signal(connection, arrival.now, Signal::EcnEcho, true);
        }
    }

    /// `newack()` and, where the window `grows`, `opencwnd()`.
    #[inline]
    fn new_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>, grows: bool) {
        let from = connection.una;
        let mut acknowledged = connection.acknowledge(arrival);
        if let Agent::Vegas(vegas) = &mut self.agent {
            // Its own clock, for each segment.
            let sent_at = acknowledged.newest.sent_at;
            let measured = vegas.on_acknowledged(connection, arrival, from, sent_at)
                && !acknowledged.retransmitted;
            acknowledged.rtt = measured.then(|| arrival.now.saturating_since(sent_at));
        }
        connection.duplicates = 0;
        self.take_rtt(connection, arrival);
        connection.restart_timer(arrival.now);
        let ece = arrival.ece && connection.config.ecn;
        let holds = ece && self.ecn_agreed;
        self.ecn_backoff &= ece || !self.ecn_agreed;
        self.ecn_agreed |= ece;
        // The ACK of segment 0 alone sets the window to the initial one; Vegas's round ends with it.
        if connection.una > 1 || matches!(self.agent, Agent::Vegas(_)) {
            let progress = Progress {
                in_flight: connection.next - connection.una,
                in_recovery: !grows || holds,
            };
            connection.tell_ack(arrival, &acknowledged, progress);
        }
    }

    /// Samples: with timestamps every ACK, retransmitted or not; the backoff ends when the timed
    /// packet is acknowledged.
    #[inline]
    fn take_rtt(&self, connection: &mut Connection, arrival: &Arrival<'_>) {
        let timestamps = connection.config.timestamps;
        let mut sample = timestamps.then_some(arrival.timestamp);
        if let Some(timed) = connection.timed
            && timed.number < arrival.number
        {
            if !(self.ecn_agreed && self.ecn_backoff && arrival.ece) {
                connection.rto.end_backoff();
            }
            connection.timed = None;
            sample = sample.or(Some(timed.sent_at));
        }
        if let Some(sent_at) = sample {
            connection.rto.sample(RoundTrip {
                sent_at,
                now: arrival.now,
                timestamps,
            });
        }
    }

    /// `reset_rtx_timer(0, …)`: the next segment is the oldest.
    fn go_back(connection: &mut Connection, now: Time) {
        connection.restart_timer(now);
        connection.timed = None;
        connection.next = connection.una;
    }

    /// Whether duplicate ACKs may make a fast retransmit: everything sent before the last
    /// reduction is acknowledged, or the first data segment was lost.
    #[inline]
    fn may_fast_retransmit(&self, connection: &Connection) -> bool {
        connection.una < connection.high && (connection.una > self.recover || connection.una == 1)
    }

    /// `reset_rtx_timer(1, 0)` and the retransmission of the oldest segment.
    fn retransmit_oldest(connection: &mut Connection, now: Time) {
        connection.restart_timer(now);
        connection.timed = None;
        connection.forced = Forced::Retransmission(connection.una);
    }

    /// `send_one()`: limited transmit on a duplicate ACK below the threshold.
    fn limited_transmit(connection: &mut Connection) {
        let duplicates = u64::from(connection.duplicates);
        let beyond = connection.window().saturating_add(duplicates);
        if connection.config.limited_transmit && connection.next_within(beyond).is_some() {
            connection.forced = Forced::Next;
        }
    }
}
