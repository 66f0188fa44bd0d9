//! What ns-2's agents have in common: new ACKs, timeouts, samples, marks (`TcpAgent`).

use controllers::{Ack, PacketRef, Signal};
use units::{Bytes, Duration, Time};

use super::connection::Connection;
use super::sack::Sack1;
use super::vegas::VegasAgent;
use super::window::Slowdown;
use crate::config::Recovery;
use crate::connection::{Acknowledged, Arrival, Forced};
use crate::rto::RoundTrip;

/// An agent without its connection.
#[derive(Debug)]
pub(super) struct Agent {
    pub(super) kind: Kind,
    /// One past `recover_`.
    pub(super) recover: u64,
    pub(super) last_action: Action,
    /// `dupwnd_`.
    pub(super) inflation: u64,
    /// `firstpartial_`.
    pub(super) partial: bool,
    /// `ecn_backoff_`: a mark came while the window was one packet.
    ecn_backoff: bool,
    /// `ect_`: an echo came. The first one agrees on ECN.
    ecn_agreed: bool,
}

/// Whose `recv()` it has.
#[derive(Debug)]
pub(super) enum Kind {
    Tahoe { fast_retransmit: bool },
    Reno,
    NewReno,
    Sack(Sack1),
    Vegas(VegasAgent),
}

/// `last_cwnd_action_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Nothing,
    DuplicateAcks,
    Timeout,
    Ecn,
    Exited,
}

impl Agent {
    pub(super) fn new(recovery: Recovery) -> Self {
        let kind = match recovery {
            Recovery::OldTahoe => Kind::Tahoe {
                fast_retransmit: false,
            },
            Recovery::Tahoe => Kind::Tahoe {
                fast_retransmit: true,
            },
            Recovery::Reno | Recovery::Genie => Kind::Reno,
            Recovery::NewReno => Kind::NewReno,
            Recovery::Sack | Recovery::Rack => Kind::Sack(Sack1::default()),
            Recovery::Vegas => Kind::Vegas(VegasAgent::default()),
        };
        Self {
            kind,
            recover: 1, // recover_ = 0: segment 0, the SYN
            last_action: Action::Nothing,
            inflation: 0,
            partial: false,
            ecn_backoff: false,
            ecn_agreed: false,
        }
    }

    pub(super) fn on_arrival(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        connection.statistics.last_rtt = None;
        connection.burst = 0;
        if arrival.ece && connection.config.ecn {
            self.on_ecn_echo(connection, arrival);
        }
        match self.kind {
            Kind::Tahoe { fast_retransmit } => {
                self.tahoe(connection, arrival, fast_retransmit);
            }
            Kind::Reno => self.reno(connection, arrival),
            Kind::NewReno => self.new_reno(connection, arrival),
            Kind::Sack(_) => self.sack(connection, arrival),
            Kind::Vegas(_) => self.vegas(connection, arrival),
        }
    }

    pub(super) fn on_timeout(&mut self, connection: &mut Connection, now: Time) {
        let mut counts = connection.una < connection.high;
        let mut begins = counts && self.last_action != Action::Ecn;
        match &mut self.kind {
            Kind::Tahoe { .. } => {} // keeps its count of duplicate ACKs
            Kind::Reno | Kind::NewReno => {
                self.inflation = 0;
                connection.duplicates = 0;
            }
            Kind::Sack(sack) => {
                sack.on_timeout(connection.una);
                connection.duplicates = 0;
            }
            Kind::Vegas(vegas) => {
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
    pub(super) fn next_segment(&self, connection: &Connection) -> Option<u64> {
        match &self.kind {
            Kind::Sack(sack) => sack.next_segment(connection, self.recover),
            _ => connection.next_within(self.window(connection)),
        }
    }

    #[inline]
    pub(super) fn on_transmit(&mut self, connection: &mut Connection, number: u64) {
        // What is forced is sent past the pipe's account.
        let forced = connection.forced != Forced::Nothing;
        match &mut self.kind {
            Kind::Sack(sack) if !forced => sack.on_transmit(connection.una, number),
            Kind::Vegas(vegas) => {
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
        connection.window.whole().saturating_add(self.inflation)
    }

    /// `windowd()`, from which the threshold is cut.
    fn flight(&self, connection: &Connection) -> f64 {
        if connection.numbers_syn() && connection.una == 0 {
            return 1.0;
        }
        let window = connection.window.packets() + self.inflation as f64;
        window.min(connection.max_window() as f64)
    }

    /// `slowdown()`. Where an episode does not begin, the threshold stays.
    pub(super) fn signal(
        &self,
        connection: &mut Connection,
        now: Time,
        signal: Signal,
        begins: bool,
    ) {
        let flight = self.flight(connection);
        let (lost_packets, newest, flight) = match signal {
            Signal::Loss => (1, connection.una, flight),
            // `timeout()` raises a window below one packet first.
            Signal::Timeout => (
                connection.high - connection.una,
                connection.high.saturating_sub(1),
                flight.max(1.0),
            ),
            _ => (0, connection.high.saturating_sub(1), flight),
        };
        let sent_at = if (connection.una..connection.high).contains(&newest) {
            connection.sent_at(newest)
        } else {
            now
        };
        connection.statistics.congestion_episodes += u64::from(begins);
        connection.window.slow_down(&Slowdown {
            now,
            signal,
            begins,
            flight,
            lost_packets,
            newest: PacketRef {
                number: newest,
                sent_at,
            },
        });
        let reduces = begins || signal == Signal::Timeout;
        connection.cwr_due |= connection.config.ecn && reduces;
    }

    /// Tells a controller of a source quench, which ns-2's own laws do not heed.
    pub(super) fn on_source_quench(
        connection: &mut Connection,
        now: Time,
        (number, begins): (u64, bool),
    ) {
        let newest = PacketRef {
            number,
            sent_at: if (connection.una..connection.high).contains(&number) {
                connection.sent_at(number)
            } else {
                now
            },
        };
        connection.statistics.congestion_episodes += u64::from(begins);
        connection.window.slow_down(&Slowdown {
            now,
            signal: Signal::SourceQuench,
            begins,
            flight: (connection.next - connection.una) as f64,
            lost_packets: 0,
            newest,
        });
    }

    /// `ecn()`: called before the ACK is looked at.
    fn on_ecn_echo(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        if arrival.number <= self.recover && self.last_action != Action::Timeout {
            return;
        }
        self.recover = connection.high;
        self.last_action = Action::Ecn;
        if connection.window.packets() <= 1.0 {
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
    pub(super) fn new_ack(
        &mut self,
        connection: &mut Connection,
        arrival: &Arrival<'_>,
        grows: bool,
    ) {
        let from = connection.una;
        let acknowledged = connection.acknowledge(arrival);
        let mut rtt = own_round_trip(arrival, &acknowledged);
        if let Kind::Vegas(vegas) = &mut self.kind {
            rtt = vegas.on_acknowledged(connection, arrival, from, acknowledged.newest.sent_at);
        }
        connection.duplicates = 0;
        self.take_rtt(connection, arrival);
        connection.restart_timer(arrival.now);
        let ece = arrival.ece && connection.config.ecn;
        let holds = ece && self.ecn_agreed;
        self.ecn_backoff &= ece || !self.ecn_agreed;
        self.ecn_agreed |= ece;
        // The ACK of segment 0 alone sets the window to the initial one; Vegas's round ends with it.
        if connection.una > 1 || matches!(self.kind, Kind::Vegas(_)) {
            let in_flight = connection.next - connection.una;
            let ack = Ack {
                in_recovery: !grows || holds,
                ..ack(connection, arrival, &acknowledged, in_flight)
            };
            connection.window.on_ack(&ack, connection.next, rtt);
        }
    }

    /// An ACK in recovery, which does not open the window.
    pub(super) fn tell_partial_ack(
        connection: &mut Connection,
        arrival: &Arrival<'_>,
        acknowledged: &Acknowledged,
        in_flight: u64,
    ) {
        let ack = ack(connection, arrival, acknowledged, in_flight);
        let rtt = own_round_trip(arrival, acknowledged);
        connection.window.on_ack(&ack, connection.next, rtt);
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
    pub(super) fn go_back(connection: &mut Connection, now: Time) {
        connection.restart_timer(now);
        connection.timed = None;
        connection.next = connection.una;
    }

    /// Whether duplicate ACKs may make a fast retransmit: everything sent before the last
    /// reduction is acknowledged, or the first data segment was lost.
    #[inline]
    pub(super) fn may_fast_retransmit(&self, connection: &Connection) -> bool {
        connection.una < connection.high && (connection.una > self.recover || connection.una == 1)
    }

    /// `reset_rtx_timer(1, 0)` and the retransmission of the oldest segment.
    pub(super) fn retransmit_oldest(connection: &mut Connection, now: Time) {
        connection.restart_timer(now);
        connection.timed = None;
        connection.forced = Forced::Retransmission(connection.una);
    }

    /// `send_one()`: limited transmit on a duplicate ACK below the threshold.
    pub(super) fn limited_transmit(connection: &mut Connection) {
        let duplicates = u64::from(connection.duplicates);
        let beyond = connection.window.whole().saturating_add(duplicates);
        if connection.config.limited_transmit && connection.next_within(beyond).is_some() {
            connection.forced = Forced::Next;
        }
    }
}

/// The newest segment's own round trip, if it left once.
fn own_round_trip(arrival: &Arrival<'_>, acknowledged: &Acknowledged) -> Option<Duration> {
    let rtt = arrival.now.saturating_since(acknowledged.newest.sent_at);
    (!acknowledged.retransmitted).then_some(rtt)
}

/// What a controller is told of an ACK, in recovery. Neither rates nor what selective ACKs tell are
/// measured for it.
fn ack(
    connection: &Connection,
    arrival: &Arrival<'_>,
    acknowledged: &Acknowledged,
    in_flight: u64,
) -> Ack {
    let acked = connection.bytes(acknowledged.packets);
    Ack {
        now: arrival.now,
        acked,
        acked_packets: acknowledged.packets,
        newly_delivered: acked,
        delivered_total: connection.bytes(connection.una),
        newly_lost: Bytes::ZERO,
        rtt: acknowledged.rtt,
        smoothed_rtt: connection.rto.smoothed_rtt(),
        min_rtt: connection.statistics.min_rtt,
        one_way_delay: None,
        in_flight: connection.bytes(in_flight),
        delivered: None,
        app_limited: false,
        window_limited: true,
        newest: acknowledged.newest,
        in_recovery: true,
        ecn_ce: u64::from(arrival.ece),
        report: None,
    }
}
