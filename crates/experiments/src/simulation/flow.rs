//! A flow: its two endpoints, its routes, and what is counted of it.

use netsim::RouteId;
use netsim::random::Stream;
use transport::{Flags, Segment, SegmentKind, TcpReceiver, TcpSender, Transmit};
use units::{Bytes, Duration, Ecn, Time};

use super::application::Application;
use crate::scenario::{self, FlowGroup, Protocol};

/// The sending end.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "the usual one is the large one")]
pub(super) enum Sender {
    Tcp(TcpSender),
    Udp(UdpSender),
}

/// The receiving end.
#[derive(Debug)]
pub(super) enum Receiver {
    Tcp(TcpReceiver),
    Udp,
}

/// Sends datagrams as the application gives them.
#[derive(Debug)]
pub(super) struct UdpSender {
    size: Bytes,
    next: u64,
    pub(super) supplied: u64,
    pub(super) stopped: bool,
}

/// What a flow is, and what is counted of it.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) sender: Sender,
    pub(super) receiver: Receiver,
    pub(super) forward: RouteId,
    pub(super) backward: RouteId,
    pub(super) group: u32,
    pub(super) index: u32,
    pub(super) start: Time,
    pub(super) payload: Bytes,
    pub(super) application: Application,
    pub(super) supplied: u64,
    pub(super) phase: Phase,
    /// Whether the application will hand over nothing more.
    pub(super) all_supplied: bool,
    /// Whether the receiver keeps ACKs back.
    pub(super) delayed_ack: bool,
    pub(super) dither: Option<Box<Dither>>,
    pub(super) playback: Option<Box<Playback>>,
    pub(super) counts: Counts,
    /// Counts when measuring began.
    pub(super) before: Counts,
    /// Counts at the last sample.
    pub(super) sampled: Counts,
    pub(super) rtt: RttMoments,
    pub(super) last_rtt: Option<Duration>,
    pub(super) completed: Option<Time>,
}

/// How far a flow is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Waiting,
    Running,
    Stopped,
}

/// Random waiting before a window that an ACK opened is used.
#[derive(Debug)]
pub(super) struct Dither {
    pub(super) most: Duration,
    /// Whether what a timeout sends waits too (ns-2).
    pub(super) after_timeouts: bool,
    pub(super) random: Stream,
}

/// A player that reads what arrived, slot by slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Playback {
    /// What it would read in a slot.
    pub(super) target: Bytes,
    /// Packets that it has read.
    pub(super) read: u64,
    pub(super) attempts: u64,
    pub(super) successes: u64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) sent: u64,
    pub(super) bytes_sent: u64,
    pub(super) arrived: u64,
    /// New to the application, in order.
    pub(super) in_order: u64,
    pub(super) dropped: u64,
    pub(super) lost: u64,
    pub(super) marked: u64,
}

/// Mean and deviation of round trips, summed up around the first one so that nothing cancels.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RttMoments {
    count: u64,
    first_s: f64,
    sum: f64,
    squares: f64,
}

impl RttMoments {
    #[inline]
    pub(super) fn add(&mut self, rtt: Duration) {
        let rtt_s = rtt.as_secs_f64();
        if self.count == 0 {
            self.first_s = rtt_s;
        }
        let distance = rtt_s - self.first_s;
        self.count += 1;
        self.sum += distance;
        self.squares += distance * distance;
    }

    pub(super) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.first_s + self.sum / self.count as f64)
    }

    pub(super) fn standard_deviation(&self) -> Option<f64> {
        let n = self.count as f64;
        (self.count > 1).then(|| {
            ((self.squares - self.sum * self.sum / n) / (n - 1.0))
                .max(0.0)
                .sqrt()
        })
    }
}

impl UdpSender {
    pub(super) fn new(size: Bytes) -> Self {
        Self {
            size,
            next: 0,
            supplied: 0,
            stopped: false,
        }
    }

    pub(super) fn poll_transmit(&mut self, now: Time) -> Option<Transmit> {
        if self.stopped || self.next >= self.supplied {
            return None;
        }
        let number = self.next;
        self.next += 1;
        Some(Transmit {
            segment: Segment {
                kind: SegmentKind::Datagram,
                flags: Flags::NONE,
                number,
                timestamp: now,
            },
            size: self.size,
            ecn: Ecn::NotEct,
        })
    }
}

impl Playback {
    /// The player reads a slot's data; it succeeds where enough has arrived in order.
    pub(super) fn play(&mut self, in_order: u64, payload: Bytes) {
        let fresh = Bytes((in_order - self.read) * payload.0);
        self.read = in_order;
        self.attempts += 1;
        if fresh.as_f64() > PLAYBACK_SHARE * self.target.as_f64() {
            self.successes += 1;
        }
    }
}

/// Time in which a player empties its buffer: one slot.
pub(super) fn playback_slot(group: &FlowGroup) -> Option<Duration> {
    match (&group.protocol, &group.application) {
        (
            Protocol::Tcp(_),
            scenario::Application::Cbr {
                rate,
                playback_buffer: Some(buffer),
            },
        ) => Some(rate.time_for(*buffer)).filter(|slot| !slot.is_zero()),
        _ => None,
    }
}

/// Part of a slot's data that makes a read a success (Zhang and Tsaoussidis §4.2, §5.3).
const PLAYBACK_SHARE: f64 = 0.7;
