//! A flow: its two endpoints, its routes, and what is counted of it.

use netsim::RouteId;
use netsim::random::Stream;
use transport::{TcpReceiver, TcpSender};
use units::{Bytes, Duration, Time};

use super::application::Application;
use super::end::{End, Simulated};
use crate::scenario::{self, FlowGroup, Protocol};

/// What a flow is, and what is counted of it.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) sender: End<TcpSender>,
    pub(super) receiver: End<TcpReceiver>,
    pub(super) forward: RouteId,
    pub(super) backward: RouteId,
    pub(super) group: u32,
    pub(super) index: u32,
    pub(super) start: Time,
    pub(super) application: Application,
    pub(super) supplied: u64,
    pub(super) phase: Phase,
    /// Whether the application will hand over nothing more.
    pub(super) all_supplied: bool,
    /// Whether a receiver of TCP's keeps ACKs back: without, it has no timer.
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
    /// The least round trip so far.
    pub(super) least_rtt: Duration,
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

/// A player that reads what arrived, slot by slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Playback {
    /// What it would read in a slot.
    pub(super) target: Bytes,
    /// Bytes that it has read.
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
    /// Payload new to the application, in order, in bytes.
    pub(super) delivered: u64,
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

impl Flow {
    /// From now on, means are taken.
    pub(super) fn begin_measuring(&mut self) {
        self.before = self.counts;
    }

    /// The window as the controller reports it, fractions of a packet and of a byte included.
    pub(super) fn exact_window(&self) -> Option<f64> {
        let sender = self.sender.get();
        variable(sender, "window").or_else(|| sender.statistics().window_packets)
    }

    /// Loss event rate, where the protocol has one.
    pub(super) fn loss_event_rate(&self) -> Option<f64> {
        variable(self.receiver.get(), LOSS_EVENT_RATE)
            .or_else(|| variable(self.sender.get(), LOSS_EVENT_RATE))
    }

    /// A finite transfer may be complete now.
    #[inline]
    pub(super) fn note_completion(&mut self, now: Time) {
        if self.all_supplied && self.completed.is_none() && self.sender.is_complete() {
            self.completed = Some(now);
        }
    }
}

impl Playback {
    /// The player reads a slot's data: what has arrived in order since the slot before.
    pub(super) fn play(&mut self, delivered: u64) {
        let fresh = Bytes(delivered - self.read);
        self.read = delivered;
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

/// What an endpoint says of a variable.
fn variable(end: &dyn Simulated, of: &str) -> Option<f64> {
    let mut found = None;
    end.variables(&mut |name, value| {
        if name == of {
            found = Some(value);
        }
    });
    found
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
pub(super) const LOSS_EVENT_RATE: &str = "loss_event_rate";
/// Parts of a slot's data that make a read a success (Zhang and Tsaoussidis §4.2).
const PLAYBACK_SHARES: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
