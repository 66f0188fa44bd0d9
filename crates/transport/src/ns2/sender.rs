//! The sender: lets leave what its agent allows, and keeps the timer (`TcpAgent`).

use std::sync::Arc;

use units::{Duration, Time};

use super::agent::Agent;
use super::connection::Connection;
use super::window::Window;
use crate::config::SenderConfig;
use crate::connection::{Arrival, Forced, is_past};
use crate::segment::{Flags, SackBlock, Segment, SegmentKind, Transmit};
use crate::statistics::SenderStatistics;

/// A TCP sender of ns-2.35's.
///
/// Sans I/O, as [`TcpSender`](crate::TcpSender) is: after every other call
/// [`poll_transmit`](Self::poll_transmit) is called until it gives nothing.
#[derive(Debug)]
pub struct Sender {
    connection: Connection,
    agent: Agent,
    phase: Phase,
    /// One past the highest segment sent at the last source quench.
    quenched_until: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Not started.
    Closed,
    Open,
    /// Left: sends nothing more.
    Stopped,
}

impl Sender {
    /// A sender that has not started. The window should be made with the same `config`.
    ///
    /// The agent is that of `config.recovery`; where ns-2 has none it is the nearest, Sack1 for
    /// RACK and Reno for the genie. Of the other options those that only the RFCs' senders know
    /// (`spurious`, `threshold_adaptation`, `window_inflation`, `tail_loss_probe`) do nothing.
    pub fn new(config: impl Into<Arc<SenderConfig>>, window: Window) -> Self {
        let config = config.into();
        Self {
            agent: Agent::new(config.recovery),
            connection: Connection::new(config, window),
            phase: Phase::Closed,
            quenched_until: None,
        }
    }

    /// Opens the connection: with a handshake the SYN leaves first.
    pub fn start(&mut self) {
        if self.phase == Phase::Closed {
            let connection = &mut self.connection;
            connection.allow_burst();
            connection.end = connection.end.max(connection.first());
            self.phase = Phase::Open;
        }
    }

    /// The application has handed over `segments` in all so far; [`u64::MAX`] for a transfer
    /// without end. What was handed over is not taken back.
    pub fn supply(&mut self, segments: u64) {
        let connection = &mut self.connection;
        let end = segments
            .min(MOST_SEGMENTS)
            .saturating_add(connection.first());
        connection.end = connection.end.max(end);
        connection.allow_burst();
    }

    /// The flow leaves: it sends nothing more and has no timers.
    pub fn stop(&mut self) {
        self.phase = Phase::Stopped;
        self.connection.deadline = None;
        self.connection.forced = Forced::Nothing;
    }

    /// An ACK with its SACK blocks arrived; that of the SYN may be a SYN-ACK.
    #[inline]
    pub fn on_segment(&mut self, now: Time, segment: &Segment, blocks: &[SackBlock]) {
        let connection = &mut self.connection;
        let acknowledges = match segment.kind {
            SegmentKind::Ack => true,
            SegmentKind::SynAck => connection.numbers_syn(),
            _ => false,
        };
        if !acknowledges || self.phase != Phase::Open {
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
        self.agent.on_arrival(connection, &arrival);
    }

    /// A source quench arrived, caused by segment `number`.
    pub fn on_source_quench(&mut self, now: Time, number: u64) {
        if self.phase != Phase::Open {
            return;
        }
        let connection = &mut self.connection;
        let begins = is_past(self.quenched_until, number.saturating_add(1));
        if begins {
            self.quenched_until = Some(connection.high);
        }
        Agent::on_source_quench(connection, now, (number, begins));
        connection.allow_burst();
    }

    /// To be called at or after [`next_timer`](Self::next_timer); harmless when early.
    pub fn on_timer(&mut self, now: Time) {
        let connection = &mut self.connection;
        if connection.deadline.is_none_or(|deadline| deadline > now) {
            connection.allow_burst(); // what the host waited for is over
        } else if self.phase == Phase::Open {
            self.agent.on_timeout(connection, now);
        }
    }

    /// When [`on_timer`](Self::on_timer) or [`poll_transmit`](Self::poll_transmit) should be
    /// called next: for the retransmission timer.
    #[inline]
    pub fn next_timer(&self) -> Option<Time> {
        let connection = &self.connection;
        // The timer runs on with nothing outstanding. It is looked at when there is something to
        // send again.
        let idle = self.phase == Phase::Open && connection.una == connection.high;
        let stuck = connection.window.whole() == 0 && connection.next < connection.end;
        connection.deadline.filter(|_| !idle || stuck)
    }

    /// The next segment that leaves now.
    #[inline]
    pub fn poll_transmit(&mut self, now: Time) -> Option<Transmit> {
        if let Some(transmit) = self.poll_forced(now) {
            return Some(transmit);
        }
        let connection = &mut self.connection;
        if self.phase != Phase::Open || connection.burst == 0 {
            return None;
        }
        if connection.una == connection.high
            && connection.deadline.is_some_and(|deadline| deadline <= now)
            && connection.next < connection.end
        {
            self.agent.on_timeout(connection, now); // the timer ran while idle
        }
        let number = self.agent.next_segment(connection)?;
        connection.burst = connection.burst.saturating_sub(1);
        Some(self.transmit(now, number))
    }

    /// What leaves now whatever the window allows, and however long the host makes the window's
    /// packets wait (`overhead_`): fast retransmits and limited transmit.
    pub fn poll_forced(&mut self, now: Time) -> Option<Transmit> {
        let connection = &self.connection;
        let number = match connection.forced {
            Forced::Nothing => return None,
            Forced::Retransmission(number) => (connection.una..connection.high)
                .contains(&number)
                .then_some(number),
            Forced::Next => (connection.next < connection.end).then_some(connection.next),
        };
        let transmit = number.map(|number| self.transmit(now, number));
        self.connection.forced = Forced::Nothing;
        transmit
    }

    /// Whether the window allows a packet to leave that [`poll_forced`](Self::poll_forced) does
    /// not give.
    #[inline]
    pub fn wants_to_send_new(&self) -> bool {
        self.phase == Phase::Open
            && self.connection.burst > 0
            && self.agent.next_segment(&self.connection).is_some()
    }

    /// Whether the transfer is finite and all of it is acknowledged.
    #[inline]
    pub fn is_complete(&self) -> bool {
        let connection = &self.connection;
        self.phase == Phase::Open
            && connection.end < MOST_SEGMENTS
            && connection.end > connection.first()
            && connection.una >= connection.end
    }

    /// What was counted so far.
    #[inline]
    pub fn statistics(&self) -> &SenderStatistics {
        &self.connection.statistics
    }

    /// `cwnd_`, in packets.
    pub fn window_packets(&self) -> f64 {
        self.connection.window.packets()
    }

    /// Smoothed round trip; zero before the first sample.
    pub fn smoothed_rtt(&self) -> Duration {
        self.connection.rto.smoothed_rtt()
    }

    /// The retransmission timeout, backoff included.
    pub fn rto(&self) -> Duration {
        self.connection.rto.timeout()
    }

    /// Packets sent, since the last timeout, and not acknowledged.
    pub fn in_flight(&self) -> u64 {
        self.connection.next - self.connection.una
    }

    /// Data segments that are cumulatively acknowledged.
    #[inline]
    pub fn acknowledged(&self) -> u64 {
        let connection = &self.connection;
        connection.una.saturating_sub(connection.first())
    }

    /// State worth plotting: the window's variables, and `smoothed_rtt`, `rtt_deviation` and `rto`
    /// in seconds, `backoff`, `duplicate_acks`, `in_flight` in packets.
    pub fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        let connection = &self.connection;
        connection.window.variables(visit);
        visit("smoothed_rtt", connection.rto.smoothed_rtt().as_secs_f64());
        visit("rtt_deviation", connection.rto.deviation().as_secs_f64());
        visit("rto", connection.rto.timeout().as_secs_f64());
        visit("backoff", connection.rto.backoff() as f64);
        visit("duplicate_acks", f64::from(connection.duplicates));
        visit("in_flight", self.in_flight() as f64);
    }

    fn transmit(&mut self, now: Time, number: u64) -> Transmit {
        let connection = &mut self.connection;
        self.agent.on_transmit(connection, number);
        if number < connection.first() {
            return connection.transmit_syn(now);
        }
        connection.transmit(now, number)
    }
}

/// Numbers stay far from the end of 64 bits.
const MOST_SEGMENTS: u64 = u64::MAX / 4;

#[cfg(test)]
mod tests;
