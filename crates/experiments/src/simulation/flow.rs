//! A flow: its two endpoints, its routes, and what is counted of it.

use netsim::RouteId;
use netsim::random::Stream;
use transport::tfrc::{TfrcReceiver, TfrcSender};
use transport::tfwc::{TfwcReceiver, TfwcSender};
use transport::{
    Flags, Segment, SegmentKind, SenderStatistics, TcpReceiver, TcpSender, Transmit, ns2,
};
use units::{Bytes, Duration, Ecn, Time};

use super::application::Application;
use crate::scenario::{self, FlowGroup, Protocol};

/// The sending end.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "the usual one is the large one")]
pub(super) enum Sender {
    Tcp(TcpSender),
    Ns2(Box<ns2::Sender>),
    Udp(UdpSender),
    Tfrc(Box<TfrcSender>),
    Tfwc(Box<TfwcSender>),
}

/// The receiving end.
#[derive(Debug)]
pub(super) enum Receiver {
    Tcp(TcpReceiver),
    Ns2(Box<ns2::Sink>),
    Udp,
    Tfrc(Box<TfrcReceiver>),
    Tfwc(Box<TfwcReceiver>),
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
    pub(super) sizes: Option<Box<Sizes>>,
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

/// Random waiting before a window that an ACK opened is used; then all that the window allows
/// leaves (ns-2's `overhead_`). What loss recovery forces does not wait.
#[derive(Debug)]
pub(super) struct Dither {
    pub(super) most: Duration,
    /// Whether what a timeout sends waits too (ns-2).
    pub(super) after_timeouts: bool,
    pub(super) random: Stream,
    /// What the window clocks waits until then.
    pub(super) held_until: Option<Time>,
}

impl Dither {
    /// Whether the window's packets still wait at `now`.
    pub(super) fn holds(&mut self, now: Time) -> bool {
        self.held_until = self.held_until.filter(|until| now < *until);
        self.held_until.is_some()
    }
}

/// Sizes of datagrams that differ.
#[derive(Debug)]
pub(super) struct Sizes {
    pub(super) least: Bytes,
    /// How many sizes there are, byte by byte.
    pub(super) count: u64,
    pub(super) random: Stream,
    /// Bytes of what is new to the application beyond those of packets of the mean size; the same
    /// when measuring began and at the last sample.
    pub(super) surplus: i64,
    pub(super) surplus_before: i64,
    pub(super) surplus_sampled: i64,
}

/// A player that reads what arrived, slot by slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Playback {
    /// What it would read in a slot.
    pub(super) target: Bytes,
    /// Packets that it has read.
    pub(super) read: u64,
    pub(super) attempts: u64,
    /// How many attempts found more than 10, 20, … 90 % of it.
    pub(super) found: [u64; 9],
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
    pub(super) source_quenches: u64,
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

/// The same for all senders with a congestion controller.
macro_rules! controlled {
    ($sender:expr, $one:ident => $value:expr, $otherwise:expr) => {
        match $sender {
            Sender::Tcp($one) => $value,
            Sender::Ns2($one) => $value,
            Sender::Tfrc($one) => $value,
            Sender::Tfwc($one) => $value,
            Sender::Udp(_) => $otherwise,
        }
    };
}

impl Sender {
    pub(super) fn start(&mut self, now: Time) {
        match self {
            Self::Tcp(sender) => sender.start(now),
            Self::Ns2(sender) => sender.start(),
            Self::Udp(_) => {}
            Self::Tfrc(sender) => sender.start(now),
            Self::Tfwc(sender) => sender.start(),
        }
    }

    pub(super) fn stop(&mut self) {
        match self {
            Self::Tcp(sender) => sender.stop(),
            Self::Ns2(sender) => sender.stop(),
            Self::Udp(sender) => sender.stopped = true,
            Self::Tfrc(sender) => sender.stop(),
            Self::Tfwc(sender) => sender.stop(),
        }
    }

    pub(super) fn supply(&mut self, packets: u64) {
        match self {
            Self::Tcp(sender) => sender.supply(packets),
            Self::Ns2(sender) => sender.supply(packets),
            Self::Udp(sender) => sender.supplied = packets,
            Self::Tfrc(sender) => sender.supply(packets),
            Self::Tfwc(sender) => sender.supply(packets),
        }
    }

    pub(super) fn on_timer(&mut self, now: Time) {
        controlled!(self, sender => sender.on_timer(now), ());
    }

    pub(super) fn next_timer(&self) -> Option<Time> {
        controlled!(self, sender => sender.next_timer(), None)
    }

    /// Whether a window lets it send now.
    pub(super) fn is_let_by_window(&self) -> bool {
        match self {
            Self::Tcp(sender) => sender.wants_to_send_new(),
            Self::Ns2(sender) => sender.wants_to_send_new(),
            Self::Tfwc(sender) => sender.wants_to_send() && !sender.is_rate_driven(),
            Self::Udp(_) | Self::Tfrc(_) => false,
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        controlled!(self, sender => sender.is_complete(), false)
    }

    pub(super) fn statistics(&self) -> Option<&SenderStatistics> {
        controlled!(self, sender => Some(sender.statistics()), None)
    }

    pub(super) fn window_packets(&self) -> Option<f64> {
        controlled!(self, sender => Some(sender.window_packets()), None)
    }

    /// The window as the controller reports it, fractions of a packet and of a byte included.
    pub(super) fn exact_window(&self) -> Option<f64> {
        let mut window = self.window_packets();
        self.variables(&mut |name, value| {
            if name == "window" {
                window = Some(value);
            }
        });
        window
    }

    pub(super) fn in_flight(&self) -> u64 {
        controlled!(self, sender => sender.in_flight(), 0)
    }

    pub(super) fn smoothed_rtt(&self) -> Duration {
        controlled!(self, sender => sender.smoothed_rtt(), Duration::ZERO)
    }

    pub(super) fn rto(&self) -> Option<Duration> {
        controlled!(self, sender => Some(sender.rto()), None)
    }

    /// Packets known to have arrived; for TFRC, those up to the newest one reported.
    pub(super) fn acknowledged(&self) -> u64 {
        match self {
            Self::Tcp(sender) => sender.acknowledged(),
            Self::Ns2(sender) => sender.acknowledged(),
            Self::Udp(_) => 0,
            Self::Tfrc(sender) => sender.statistics().packets_sent - sender.in_flight(),
            Self::Tfwc(sender) => sender.delivered(),
        }
    }

    pub(super) fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        controlled!(self, sender => sender.variables(visit), ());
    }
}

impl Receiver {
    /// What the receiver keeps in the place of the sender.
    pub(super) fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        if let Self::Tfrc(receiver) = self {
            receiver.variables(&mut |name, value| {
                // As the sender knows it is in the sender's variables.
                if name != LOSS_EVENT_RATE {
                    visit(name, value);
                }
            });
        }
    }
}

impl Flow {
    /// Bytes new to the application, in order.
    pub(super) fn delivered(&self) -> u64 {
        self.bytes(&self.counts, |sizes| sizes.surplus)
    }

    /// The same when measuring began.
    pub(super) fn delivered_before(&self) -> u64 {
        self.bytes(&self.before, |sizes| sizes.surplus_before)
    }

    /// The same at the last sample.
    pub(super) fn delivered_sampled(&self) -> u64 {
        self.bytes(&self.sampled, |sizes| sizes.surplus_sampled)
    }

    fn bytes(&self, counts: &Counts, surplus: impl FnOnce(&Sizes) -> i64) -> u64 {
        let surplus = self.sizes.as_deref().map_or(0, surplus);
        (counts.in_order * self.payload.0).saturating_add_signed(surplus)
    }

    /// Bytes new to the application that wait for one before them.
    pub(super) fn ahead_of_order(&self) -> u64 {
        match &self.receiver {
            Receiver::Tcp(receiver) => receiver.waiting() * self.payload.0,
            Receiver::Ns2(sink) => sink.waiting() * self.payload.0,
            Receiver::Udp | Receiver::Tfrc(_) | Receiver::Tfwc(_) => 0,
        }
    }

    /// From now on, means are taken.
    pub(super) fn begin_measuring(&mut self) {
        self.before = self.counts;
        if let Some(sizes) = &mut self.sizes {
            sizes.surplus_before = sizes.surplus;
        }
    }

    /// A sample is taken.
    pub(super) fn note_sample(&mut self) {
        self.sampled = self.counts;
        if let Some(sizes) = &mut self.sizes {
            sizes.surplus_sampled = sizes.surplus;
        }
    }

    /// The size of the next datagram, where they differ.
    pub(super) fn draw_size(&mut self, mean: Bytes) -> Bytes {
        match &mut self.sizes {
            None => mean,
            Some(sizes) => sizes.least + Bytes(sizes.random.below(sizes.count)),
        }
    }

    /// A datagram that is new to the application arrived.
    pub(super) fn note_datagram(&mut self, size: Bytes) {
        self.counts.in_order += 1;
        if let Some(sizes) = &mut self.sizes {
            let mean = sizes.least.0 + sizes.count / 2;
            sizes.surplus += size.0.cast_signed() - mean.cast_signed();
        }
    }

    /// Data packets that arrived and brought nothing new. The network duplicates none, so each was
    /// sent again.
    pub(super) fn duplicates(&self) -> u64 {
        match &self.receiver {
            Receiver::Tcp(receiver) => {
                self.counts.arrived - self.counts.in_order - receiver.waiting()
            }
            Receiver::Ns2(sink) => self.counts.arrived - self.counts.in_order - sink.waiting(),
            Receiver::Udp | Receiver::Tfrc(_) | Receiver::Tfwc(_) => 0,
        }
    }

    /// Loss event rate, where the protocol has one.
    pub(super) fn loss_event_rate(&self) -> Option<f64> {
        if let Receiver::Tfrc(receiver) = &self.receiver {
            return Some(receiver.loss_event_rate());
        }
        let mut rate = None;
        self.sender.variables(&mut |name, value| {
            if name == LOSS_EVENT_RATE {
                rate = Some(value);
            }
        });
        rate
    }

    /// A finite transfer may be complete now.
    #[inline]
    pub(super) fn note_completion(&mut self, now: Time) {
        if self.completed.is_none() && self.all_supplied && self.sender.is_complete() {
            self.completed = Some(now);
        }
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
    /// The player reads a slot's data: what has arrived in order since the slot before.
    pub(super) fn play(&mut self, in_order: u64, payload: Bytes) {
        let fresh = Bytes((in_order - self.read) * payload.0);
        self.read = in_order;
        self.attempts += 1;
        let target = self.target.as_f64();
        for (share, found) in PLAYBACK_SHARES.iter().zip(&mut self.found) {
            *found += u64::from(fresh.as_f64() > share * target);
        }
    }

    /// Attempts that found more than 70 % (Zhang and Tsaoussidis §5.3).
    pub(super) fn successes(&self) -> u64 {
        self.found[6]
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

/// Name of the loss event rate among the variables.
const LOSS_EVENT_RATE: &str = "loss_event_rate";
/// Parts of a slot's data that make a read a success (Zhang and Tsaoussidis §4.2).
const PLAYBACK_SHARES: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
