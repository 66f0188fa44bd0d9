//! SmoothTCP: small steps of the window by the hyperbolic tangent of how often congestion is
//! signalled, instead of halving it.
//!
//! Follows Vieira and Bauer, Round-trip Time Variation in SmoothTCP in the Face of Spurious Errors,
//! with its five control metrics: RTT variation, timeouts, fast retransmits, ECN and source quench.
//! [`curve`] is its slow start, [`metric`] its window rule.
//!
//! Differs from the paper where its text contradicts itself: the sign of eq. 6 and the T of eq. 8
//! (see those files), and the listing of slow start, whose loop can never see a signal.
//!
//! What the paper leaves open: round trips are counted in packets, from one ACK to that of the
//! newest packet then sent; slow start on an initial window of more than one packet begins where
//! the curve has that window; the round trip counts by its distance from the smallest one.
//!
//! Losses that no metric counts leave the window alone in congestion avoidance, and the ACKs of a
//! recovery count like others: with source quench alone a sender does not back off where no router
//! sends any. [RFC 6633](https://www.rfc-editor.org/rfc/rfc6633) deprecates source quench; with
//! `ecn = true` marks take its place.

pub mod curve;
pub mod metric;
mod parameters;
#[cfg(test)]
mod tests;

use units::{Bytes, Duration, Time};

use crate::ack_clocked::Counting;
use crate::undo::Undo;
use crate::{
    Ack, Carrier, Congestion, CongestionController, Controller, Episode, Limits, Parameters,
    Properties, Sent, Setup, Signal,
};
use curve::Curve;
use metric::{Derivative, SMALLEST_WINDOW_PACKETS, apply, smooth};

/// SmoothTCP, by name.
pub const CONTROLLER: Controller = Controller {
    name: "smooth",
    summary: "Small steps by how often congestion is signalled (source quench, ECN, …), no halving.",
    source: "Vieira and Bauer, Round-trip Time Variation in SmoothTCP in the Face of Spurious Errors",
    carrier: Carrier::Window,
    properties: Properties::WINDOW,
    parameters: &parameters::PARAMETERS,
    build: &build,
};

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    Box::new(Smooth::new(parameters::settings(parameters), setup))
}

/// What can be set on SmoothTCP.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// κ, in packets for each ACK.
    pub kappa: f64,
    /// What the differentials are.
    pub reading: Reading,
    /// α of the averages.
    pub weight: f64,
    /// How slow start grows.
    pub slow_start: SlowStart,
    /// What lowers its limit.
    pub slow_start_signal: SlowStartSignal,
    /// It ends this near its limit, in packets.
    pub tolerance: f64,
    /// Its first curve.
    pub curve: Curve,
    /// What κ and the slow start count.
    pub counting: Counting,
    /// The control metrics that are switched on, in the order of [`Metric`].
    pub metrics: [Option<Derivative>; Metric::COUNT],
}

/// A control metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// j: the round trip over the smallest one, less 1.
    RttVariation,
    /// x: retransmission timeouts.
    Timeouts,
    /// f: losses found by what arrived later.
    FastRetransmits,
    /// e: CE marks that ACKs tell of.
    Ecn,
    /// q: source quenches.
    SourceQuench,
}

impl Metric {
    /// How many there are.
    pub const COUNT: usize = 5;
}

/// Readings of the differential dp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// 1 for each signal; p is the average number of signals for each ACK.
    Event,
    /// The change of p from round trip to round trip; p is the average number in each.
    Differential,
}

/// Readings of the slow start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlowStart {
    /// The window is eq. 8.
    Closed,
    /// Each ACK adds eq. 7 over the window.
    Recurrence,
    /// Each ACK adds eq. 7.
    Literal,
    /// There is none.
    None,
}

/// What lowers the limit of slow start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlowStartSignal {
    /// Losses and timeouts.
    Drop,
    /// Source quenches and ECN echoes.
    Explicit,
    /// All of these.
    Both,
}

/// The SmoothTCP congestion controller.
#[derive(Clone, Debug)]
pub struct Smooth {
    settings: Settings,
    segment: Bytes,
    state: State,
    before: Undo<State>,
    /// Number of the newest packet sent.
    newest_sent: u64,
    smoothed_rtt: Duration,
    /// CE marks that ACKs told of which acknowledged nothing in order.
    marks: u64,
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// In packets.
    window: f64,
    phase: Phase,
    averages: [Average; Metric::COUNT],
    /// Last round trip over the smallest one, less 1.
    last_excess: Option<f64>,
    /// The newest packet sent when the round trip began.
    round_end: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    SlowStart {
        curve: Curve,
        /// ACKs on this curve.
        acks: f64,
        /// When its limit was lowered.
        lowered_at: Option<Time>,
    },
    Avoidance,
}

/// A metric's smooth average, and what has come since it was last taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Average {
    value: f64,
    sum: f64,
    /// How many values the sum has, where they are to be averaged.
    samples: f64,
}

impl Average {
    /// What has come since: a count, or the mean of samples.
    fn take(&mut self, metric: usize) -> f64 {
        let fresh = if metric != Metric::RttVariation as usize {
            self.sum
        } else if self.samples > 0.0 {
            self.sum / self.samples
        } else {
            self.value
        };
        (self.sum, self.samples) = (0.0, 0.0);
        fresh
    }
}

impl Smooth {
    /// A controller with these settings.
    pub fn new(settings: Settings, setup: &Setup) -> Self {
        let window = setup.initial_window.as_f64() / setup.segment.as_f64();
        let window = window.max(SMALLEST_WINDOW_PACKETS);
        let curve = settings.curve;
        let phase = if settings.slow_start == SlowStart::None {
            Phase::Avoidance
        } else {
            Phase::SlowStart {
                curve,
                acks: curve.acks(window),
                lowered_at: None,
            }
        };
        Self {
            settings,
            segment: setup.segment,
            state: State {
                window,
                phase,
                averages: [Average::default(); Metric::COUNT],
                last_excess: None,
                round_end: 0,
            },
            before: Undo::new(),
            newest_sent: 0,
            smoothed_rtt: Duration::ZERO,
            marks: 0,
        }
    }

    /// Grows the window by an ACK of slow start; false where slow start is over.
    fn grow(&mut self, counted: f64) -> bool {
        let Phase::SlowStart { curve, acks, .. } = &mut self.state.phase else {
            return false;
        };
        let window = self.state.window;
        if window >= curve.limit() - self.settings.tolerance {
            self.state.phase = Phase::Avoidance;
            return false;
        }
        self.state.window = match self.settings.slow_start {
            SlowStart::Closed | SlowStart::None => curve.window(*acks + counted),
            SlowStart::Recurrence => window + curve.growth(*acks) * counted / window,
            SlowStart::Literal => window + curve.growth(*acks) * counted,
        };
        *acks += counted;
        true
    }

    /// A sign of congestion in slow start: aims at the window of now, from half of it.
    fn lower_limit(&mut self, now: Time) {
        let State { window, phase, .. } = &mut self.state;
        let Phase::SlowStart {
            curve,
            acks,
            lowered_at,
        } = phase
        else {
            return;
        };
        if lowered_at.is_some_and(|at| now.saturating_since(at) < self.smoothed_rtt) {
            return; // at most once each round trip
        }
        *curve = curve.with_limit(window.max(LEAST_LIMIT_PACKETS));
        *window = (*window / 2.0).max(SMALLEST_WINDOW_PACKETS);
        *acks = curve.acks(*window);
        *lowered_at = Some(now);
    }

    /// Counts `signals` signs of a metric; `d` is added to what they make of the window.
    fn count(&mut self, metric: Metric, signals: f64, d: f64) {
        let Some(derivative) = self.settings.metrics[metric as usize] else {
            return;
        };
        let average = &mut self.state.averages[metric as usize];
        average.sum += signals;
        if self.settings.reading == Reading::Event {
            let d = derivative.decrease(average.value, signals) + d;
            self.state.window = apply(self.state.window, d);
        }
    }

    /// A round trip was measured.
    fn count_rtt(&mut self, rtt: Duration, least: Duration) {
        let Some(derivative) = self.settings.metrics[Metric::RttVariation as usize] else {
            return;
        };
        if least.is_zero() {
            return;
        }
        let excess = rtt.as_secs_f64() / least.as_secs_f64() - 1.0;
        let average = &mut self.state.averages[Metric::RttVariation as usize];
        average.sum += excess;
        average.samples += 1.0;
        let growth = excess - self.state.last_excess.replace(excess).unwrap_or(excess);
        if self.settings.reading == Reading::Event && growth > 0.0 {
            let d = derivative.decrease(average.value, growth);
            self.state.window = apply(self.state.window, d);
        }
    }

    /// Takes the averages anew: after each ACK, or after each round trip, when what they have
    /// changed by changes the window.
    fn take_averages(&mut self) {
        let mut d = 0.0;
        for (metric, derivative) in self.settings.metrics.iter().enumerate() {
            let Some(derivative) = derivative else {
                continue;
            };
            let average = &mut self.state.averages[metric];
            let fresh = average.take(metric);
            let value = smooth(average.value, fresh, self.settings.weight);
            d += derivative.decrease(value, value - average.value);
            average.value = value;
        }
        if self.settings.reading == Reading::Differential {
            self.state.window = apply(self.state.window, d);
        }
    }

    fn lowers_slow_start(&self, congestion: &Congestion) -> bool {
        let dropped = match congestion.signal {
            Signal::Loss => congestion.episode == Episode::Begins,
            Signal::Timeout | Signal::PersistentCongestion => true,
            Signal::EcnEcho | Signal::SourceQuench => {
                return self.settings.slow_start_signal != SlowStartSignal::Drop;
            }
        };
        dropped && self.settings.slow_start_signal != SlowStartSignal::Explicit
    }
}

impl CongestionController for Smooth {
    fn limits(&self) -> Limits {
        // The one place where packets become bytes.
        Limits::of_window(Bytes((self.state.window * self.segment.as_f64()) as u64))
    }

    fn on_sent(&mut self, sent: &Sent) -> bool {
        self.newest_sent = self.newest_sent.max(sent.packet.number);
        false
    }

    fn on_ack(&mut self, ack: &Ack) {
        self.marks += ack.ecn_ce;
        if ack.acked_packets == 0 {
            return;
        }
        let marks = std::mem::take(&mut self.marks);
        self.smoothed_rtt = ack.smoothed_rtt;
        let counted = match self.settings.counting {
            Counting::Acks => 1.0,
            Counting::Packets => ack.acked_packets as f64,
        };
        let counted = if ack.app_limited { 0.0 } else { counted };
        if self.grow(counted) {
            return;
        }
        if marks > 0 {
            self.count(Metric::Ecn, marks as f64, 0.0);
        }
        if let Some(rtt) = ack.rtt {
            self.count_rtt(rtt, ack.min_rtt);
        }
        if self.settings.reading == Reading::Event {
            self.take_averages();
        }
        self.state.window = apply(self.state.window, self.settings.kappa * counted);
        if self.settings.reading == Reading::Differential
            && ack.newest.number >= self.state.round_end
        {
            self.state.round_end = self.newest_sent;
            self.take_averages();
        }
    }

    fn on_congestion(&mut self, congestion: &Congestion) {
        let kappa = self.settings.kappa;
        let begins = congestion.episode == Episode::Begins;
        let before = self.state;
        if matches!(self.state.phase, Phase::SlowStart { .. }) {
            if self.lowers_slow_start(congestion) {
                self.lower_limit(congestion.now);
            }
        } else {
            match congestion.signal {
                Signal::Loss if begins => self.count(Metric::FastRetransmits, 1.0, kappa),
                Signal::Timeout | Signal::PersistentCongestion => {
                    self.count(Metric::Timeouts, 1.0, kappa);
                }
                Signal::SourceQuench => self.count(Metric::SourceQuench, 1.0, kappa),
                // Losses of the same repair; what the ACKs that tell of them count.
                Signal::Loss | Signal::EcnEcho => {}
            }
        }
        let loss = congestion.signal == Signal::Loss && begins;
        if loss || congestion.signal == Signal::Timeout {
            self.before.keep(&before);
        }
    }

    fn on_spurious_congestion(&mut self) {
        self.before.restore(&mut self.state);
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("window", self.state.window);
        let (slow_start, limit) = match &self.state.phase {
            Phase::SlowStart { curve, .. } => (1.0, curve.limit()),
            Phase::Avoidance => (0.0, f64::NAN),
        };
        visit("slow_start", slow_start);
        if slow_start > 0.0 {
            visit("slow_start_limit", limit);
        }
        for (metric, name) in AVERAGES.iter().enumerate() {
            if self.settings.metrics[metric].is_some() {
                visit(name, self.state.averages[metric].value);
            }
        }
    }
}

/// Names of the metrics' averages, in the order of [`Metric`].
const AVERAGES: [&str; Metric::COUNT] = [
    "rtt_variation_average",
    "timeouts_average",
    "fast_retransmits_average",
    "ecn_average",
    "source_quench_average",
];
/// Smallest limit that slow start aims at, in packets: one more than its window begins with.
const LEAST_LIMIT_PACKETS: f64 = 2.0;
