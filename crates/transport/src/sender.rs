//! The TCP sender: opens the connection, asks the loss recovery what may leave, keeps the timers.
//!
//! Sans I/O: it is given segments and the time, and gives segments and the time of its next
//! timer. After every other call, [`TcpSender::poll_transmit`] is called until it gives nothing.

use std::sync::Arc;

use controllers::{CongestionController, Episode, Signal};
use units::{Duration, Time};

use crate::config::SenderConfig;
use crate::connection::{Arrival, CongestionSign, Connection, Forced};
use crate::pacer::{Departure, Pacer};
use crate::recovery::Repair;
use crate::rto::RoundTrip;
use crate::segment::{Flags, SackBlock, Segment, SegmentKind, Transmit};
use crate::statistics::SenderStatistics;

/// A TCP sender.
#[derive(Debug)]
pub struct TcpSender {
    connection: Connection,
    repair: Repair,
    phase: Phase,
    pacer: Pacer,
    /// One past the highest segment sent at the last source quench.
    quenched_until: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Not started.
    Closed,
    /// A SYN is to be sent.
    SynDue,
    /// A SYN was sent.
    SynSent,
    Open,
    /// Left: sends nothing more.
    Stopped,
}

impl TcpSender {
    /// A sender that has not started. The controller should be built with
    /// [`SenderConfig::setup`].
    pub fn new(
        config: impl Into<Arc<SenderConfig>>,
        controller: Box<dyn CongestionController>,
    ) -> Self {
        let config = config.into();
        let repair = Repair::new(&config);
        Self {
            connection: Connection::new(config, controller),
            repair,
            phase: Phase::Closed,
            pacer: Pacer::default(),
            quenched_until: None,
        }
    }

    /// Opens the connection: with a handshake the SYN leaves first.
    pub fn start(&mut self, now: Time) {
        if self.phase != Phase::Closed {
            return;
        }
        let connection = &mut self.connection;
        connection.allow_burst();
        self.pacer.start(now, connection.config.pacing.as_ref());
        self.phase = if connection.config.handshake {
            Phase::SynDue
        } else {
            Phase::Open
        };
    }

    /// The application has handed over `segments` in all so far; [`u64::MAX`] for a transfer
    /// without end. What was handed over is not taken back.
    pub fn supply(&mut self, segments: u64) {
        let connection = &mut self.connection;
        connection.end = connection.end.max(segments.min(MOST_SEGMENTS));
        connection.allow_burst();
    }

    /// The flow leaves: it sends nothing more and has no timers.
    pub fn stop(&mut self) {
        self.phase = Phase::Stopped;
        self.connection.deadline = None;
        self.connection.forced = Forced::Nothing;
    }

    /// An ACK with its SACK blocks, or a SYN-ACK, arrived.
    #[inline]
    pub fn on_segment(&mut self, now: Time, segment: &Segment, blocks: &[SackBlock]) {
        let connection = &mut self.connection;
        match segment.kind {
            SegmentKind::Ack => {}
            SegmentKind::SynAck if self.phase == Phase::SynSent => {
                self.on_syn_ack(now, segment);
                return;
            }
            _ => return,
        }
        if self.phase != Phase::Open {
            return;
        }
        connection.statistics.acks_received += 1;
        if segment.number > connection.high {
            return; // acknowledges what was never sent
        }
        let arrival = Arrival {
            now,
            number: segment.number,
            timestamp: segment.timestamp.min(now),
            echoes_retransmission: segment.flags.contains(Flags::ECHOES_RETRANSMISSION)
                || segment.timestamp > now,
            ece: segment.flags.contains(Flags::ECE),
            blocks,
        };
        self.repair.on_arrival(connection, arrival);
    }

    /// The network lost the last transmission of data segment `number`. No sender can know that but a
    /// [`Recovery::Genie`](crate::Recovery::Genie); to others it means nothing.
    pub fn on_lost(&mut self, number: u64) {
        self.repair.on_lost(&mut self.connection, number);
    }

    /// A source quench arrived, caused by segment `number`.
    pub fn on_source_quench(&mut self, now: Time, number: u64) {
        if self.phase != Phase::Open {
            return;
        }
        let connection = &mut self.connection;
        let begins = crate::connection::is_past(self.quenched_until, number.saturating_add(1));
        if begins {
            self.quenched_until = Some(connection.high);
        }
        let in_flight = self.repair.in_flight(connection);
        connection.tell_congestion(CongestionSign {
            now,
            signal: Signal::SourceQuench,
            episode: if begins {
                Episode::Begins
            } else {
                Episode::Continues
            },
            lost_packets: 0,
            newest: number,
            flight_size: connection.packets(in_flight),
        });
        connection.allow_burst();
    }

    /// To be called at or after [`next_timer`](Self::next_timer); harmless when early.
    pub fn on_timer(&mut self, now: Time) {
        let connection = &mut self.connection;
        if connection.deadline.is_none_or(|deadline| deadline > now) {
            connection.allow_burst(); // pacing, or what the host waited for, is over
            return;
        }
        match self.phase {
            Phase::SynSent => {
                connection.deadline = None;
                connection.rto.back_off();
                self.phase = Phase::SynDue;
            }
            Phase::Open => self.repair.on_timeout(connection, now),
            Phase::Closed | Phase::SynDue | Phase::Stopped => {}
        }
    }

    /// When [`on_timer`](Self::on_timer) or [`poll_transmit`](Self::poll_transmit) should be
    /// called next: for the retransmission timer or the pacing.
    #[inline]
    pub fn next_timer(&self) -> Option<Time> {
        let connection = &self.connection;
        let mut next = connection.deadline;
        if let Some(until) = self.paced_until()
            && self.wants_to_send_new()
        {
            next = Some(next.map_or(until, |other| other.min(until)));
        }
        next
    }

    /// When the pacer lets the next packet leave, if there is one.
    #[inline]
    fn paced_until(&self) -> Option<Time> {
        let connection = &self.connection;
        connection
            .is_paced()
            .then(|| self.pacer.due(connection.config.segment_size))
    }

    /// The next segment that leaves now.
    #[inline]
    pub fn poll_transmit(&mut self, now: Time) -> Option<Transmit> {
        if self.goes_by_window() {
            let connection = &mut self.connection;
            if connection.next - connection.una >= connection.window() {
                connection.on_window_limited();
                return None;
            }
            if connection.next == connection.high && connection.can_send_new() {
                return Some(self.transmit_new(now));
            }
        }
        self.poll_by_rule(now)
    }

    /// Whether the window, and nothing else, says how much may leave: the common case.
    #[inline]
    fn goes_by_window(&self) -> bool {
        let connection = &self.connection;
        connection.plain
            && self.phase == Phase::Open
            && connection.forced == Forced::Nothing
            && connection.burst > 0
            && connection.limits().pacing.is_none()
            && connection.una < connection.high
    }

    /// The next segment, which was not sent before, where the window says how much may leave.
    #[inline]
    fn transmit_new(&mut self, now: Time) -> Transmit {
        let connection = &mut self.connection;
        connection.burst -= 1;
        let number = connection.next;
        connection.next += 1;
        let in_flight = connection.next - connection.una;
        connection.transmit(now, number, in_flight)
    }

    #[inline(never)]
    fn poll_by_rule(&mut self, now: Time) -> Option<Transmit> {
        if self.phase != Phase::Open {
            return self.poll_syn(now);
        }
        if let Some(transmit) = self.poll_forced(now) {
            return Some(transmit);
        }
        let waits = self.paced_until().is_some_and(|until| now < until);
        let connection = &mut self.connection;
        if connection.burst == 0 {
            return None;
        }
        if waits && self.repair.next_segment(connection).is_some() {
            connection.app_limited = false; // the pacer is the limit
            return None;
        }
        let Some(number) = self.repair.next_segment(connection) else {
            let in_flight = self.repair.in_flight(connection);
            connection.on_stop(in_flight);
            return None;
        };
        connection.burst = connection.burst.saturating_sub(1);
        Some(self.transmit(now, number))
    }

    /// Whether the window allows a packet to leave that [`poll_forced`](Self::poll_forced) does
    /// not give, pacing aside.
    #[inline]
    pub fn wants_to_send_new(&self) -> bool {
        self.phase == Phase::Open
            && self.connection.burst > 0
            && self.repair.next_segment(&self.connection).is_some()
    }

    /// Whether the transfer is finite and all of it is acknowledged.
    #[inline]
    pub fn is_complete(&self) -> bool {
        let connection = &self.connection;
        self.phase == Phase::Open
            && connection.end < MOST_SEGMENTS
            && connection.end > 0
            && connection.una >= connection.end
    }

    /// What was counted so far.
    #[inline]
    pub fn statistics(&self) -> &SenderStatistics {
        &self.connection.statistics
    }

    /// The controller's window, in packets.
    pub fn window_packets(&self) -> f64 {
        let window = self.connection.limits().window;
        window.as_f64() / self.connection.config.segment_size.as_f64()
    }

    /// Smoothed round trip; zero before the first sample.
    pub fn smoothed_rtt(&self) -> Duration {
        self.connection.rto.smoothed_rtt()
    }

    /// The retransmission timeout, backoff included.
    pub fn rto(&self) -> Duration {
        self.connection.rto.timeout()
    }

    /// Packets in the network, in the reckoning of the loss recovery.
    pub fn in_flight(&self) -> u64 {
        self.repair.in_flight(&self.connection)
    }

    /// Data segments that are cumulatively acknowledged.
    #[inline]
    pub fn acknowledged(&self) -> u64 {
        self.connection.una
    }

    /// State worth plotting: the controller's variables, and `smoothed_rtt`, `rtt_deviation` and
    /// `rto` in seconds, `backoff`, `duplicate_acks`, `in_flight` in packets.
    pub fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        let connection = &self.connection;
        connection.controller().variables(visit);
        visit("smoothed_rtt", connection.rto.smoothed_rtt().as_secs_f64());
        visit("rtt_deviation", connection.rto.deviation().as_secs_f64());
        visit("rto", connection.rto.timeout().as_secs_f64());
        visit("backoff", connection.rto.backoff() as f64);
        visit("duplicate_acks", f64::from(connection.duplicates));
        visit("in_flight", self.in_flight() as f64);
    }

    #[inline]
    fn transmit(&mut self, now: Time, number: u64) -> Transmit {
        let connection = &mut self.connection;
        self.repair.on_transmit(connection, number, now);
        // A recovery that counts duplicate ACKs may take more of them for arrivals than were out.
        let in_flight = self.repair.in_flight(connection).max(1);
        let transmit = connection.transmit(now, number, in_flight);
        if let Repair::Rack(rack) = &mut self.repair {
            rack.after_transmit(connection, now);
        }
        if !connection.is_paced() {
            return transmit;
        }
        if let Some(rate) = connection.pacing_rate() {
            let pacing = connection.config.pacing.as_ref();
            self.pacer.on_sent(&Departure {
                now,
                size: transmit.size,
                rate,
                quantum: connection.limits().quantum.unwrap_or(transmit.size),
                after_idle: in_flight == 1,
                idle_burst: pacing.map_or(0, |pacing| pacing.idle_burst),
            });
        } else {
            self.pacer.on_sent_unpaced();
        }
        transmit
    }

    #[cold]
    fn poll_syn(&mut self, now: Time) -> Option<Transmit> {
        if self.phase != Phase::SynDue {
            return None;
        }
        self.phase = Phase::SynSent;
        Some(self.connection.transmit_syn(now))
    }

    /// The next segment that leaves now whatever the window says: a fast retransmit, limited
    /// transmit, a probe, and, except under ns-2, the first retransmission after a timeout.
    /// [`poll_transmit`](Self::poll_transmit) gives it too; this is for a host that lets only the
    /// window's packets wait.
    #[inline(never)]
    pub fn poll_forced(&mut self, now: Time) -> Option<Transmit> {
        let connection = &self.connection;
        if self.phase != Phase::Open {
            return None;
        }
        let number = match connection.forced {
            Forced::Nothing => None,
            Forced::Retransmission(number) => (connection.una..connection.high)
                .contains(&number)
                .then_some(number),
            Forced::Next => (connection.next < connection.end).then_some(connection.next),
        };
        let transmit = number.map(|number| self.transmit(now, number));
        self.connection.forced = Forced::Nothing;
        transmit
    }

    #[cold]
    fn on_syn_ack(&mut self, now: Time, segment: &Segment) {
        let connection = &mut self.connection;
        connection.statistics.acks_received += 1;
        connection.deadline = None;
        connection.timed = None;
        if connection.statistics.syns_sent == 1 {
            connection.rto.sample(RoundTrip {
                sent_at: segment.timestamp.min(now),
                now,
                timestamps: connection.config.timestamps,
            });
        } else {
            connection.rto.after_lost_syn();
            // RFC 5681 §3.1: then the initial window is one segment.
            connection.tell_congestion(CongestionSign {
                now,
                signal: Signal::Timeout,
                episode: Episode::Continues,
                lost_packets: 0,
                newest: 0,
                flight_size: connection.packets(1),
            });
        }
        connection.allow_burst();
        self.phase = Phase::Open;
    }
}

/// Numbers stay far from the end of 64 bits.
const MOST_SEGMENTS: u64 = u64::MAX / 4;

#[cfg(test)]
mod tests;
