//! CUBIC: the window follows a cubic curve of the time since the last reduction, flat where that was.
//!
//! Follows RFC 9438, with fast convergence and the Reno-friendly region, on a slow start of the
//! standard kind or HyStart++ (RFC 9406).
//!
//! Choices: where the curve is below the window of Reno but the window, which looks a round trip
//! ahead on the curve, is above it, the window stays (§4.3 read literally would lower it; Linux only
//! ever raises it). A stage of congestion avoidance begins with the first ACK after the repair. Its
//! time runs while the window is in use; what was idle or limited by the application does not count
//! (§4.2). A reduction takes the lesser of the outstanding data and the window.
//!
//! Not here: the arithmetic of Linux (whole segments, the smallest round trip to look ahead).

use units::{Bytes, Duration, Time};

use crate::hystart::{Growth, HyStart};
use crate::{
    Ack, Carrier, Congestion, CongestionController, Controller, Episode, Kind, Limits, Parameter,
    Parameters, Properties, Sent, Setup, Signal, Value,
};

/// CUBIC, by name.
pub const CONTROLLER: Controller = Controller {
    name: "cubic",
    summary: "A cubic curve of the time since the last reduction, flat at the window before it.",
    source: "RFC 9438",
    carrier: Carrier::Window,
    properties: Properties::WINDOW,
    parameters: PARAMETERS,
    build: &build,
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "c",
        kind: Kind::Number {
            min: 0.0,
            max: 1_000.0,
        },
        default: Value::Number(0.4),
        unit: "packets/s³",
        doc: "How steep the curve is. Default: 0.4 (§5.1).",
    },
    Parameter {
        name: "beta",
        kind: Kind::Number { min: 0.0, max: 1.0 },
        default: Value::Number(0.7),
        unit: "",
        doc: "Fraction of the window kept after a loss. Default: 0.7 (§4.6).",
    },
    Parameter {
        name: "beta_ecn",
        kind: Kind::Number { min: 0.0, max: 1.0 },
        default: Value::Derived,
        unit: "",
        doc: "Fraction kept after a mark. Default: beta (§4.6); RFC 8511 allows 0.85.",
    },
    Parameter {
        name: "fast_convergence",
        kind: Kind::Flag,
        default: Value::Flag(true),
        unit: "",
        doc: "A reduction from below the last plateau lowers the plateau further, and leaves room to \
              new flows (§4.7).",
    },
    Parameter {
        name: "reno_friendly",
        kind: Kind::Flag,
        default: Value::Flag(true),
        unit: "",
        doc: "The window is at least the one that Reno would have (§4.3).",
    },
    Parameter {
        name: "slow_start",
        kind: Kind::Choice(&["hystart++", "standard"]),
        default: Value::Choice("hystart++"),
        unit: "",
        doc: "How the first slow start ends: when round trips grow (RFC 9406, as RFC 9438 §4.10 \
              recommends), or at the first loss.",
    },
];

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    let number = |name| parameters.number(name).expect("it has a default");
    let beta = number("beta");
    let law = Law {
        c: number("c"),
        beta,
        beta_ecn: parameters.number("beta_ecn").unwrap_or(beta),
        fast_convergence: parameters.flag("fast_convergence"),
        reno_friendly: parameters.flag("reno_friendly"),
    };
    let hystart = parameters.choice("slow_start") == "hystart++";
    let hystart = hystart.then(|| HyStart::new(setup.paced));
    Box::new(Cubic::new(law, hystart, setup))
}

/// The CUBIC congestion controller.
#[derive(Clone, Debug)]
struct Cubic {
    law: Law,
    segment: Bytes,
    state: State,
    before_reduction: Option<State>,
    /// The first slow start, until it is over.
    hystart: Option<HyStart>,
    now: Time,
}

/// What is set.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Law {
    /// C, in packets/s³.
    c: f64,
    beta: f64,
    beta_ecn: f64,
    fast_convergence: bool,
    reno_friendly: bool,
}

/// Windows are in packets.
#[derive(Clone, Copy, Debug)]
struct State {
    window: f64,
    slow_start_threshold: f64,
    /// `W_max`; none where the next stage has its plateau where it begins.
    plateau: Option<f64>,
    /// `cwnd_prior`: the window before the last reduction; none before there was one.
    prior_window: Option<f64>,
    /// The stage of congestion avoidance; none until it begins.
    stage: Option<Stage>,
}

/// A stage of congestion avoidance.
#[derive(Clone, Copy, Debug)]
struct Stage {
    plateau: f64,
    /// K: seconds from the beginning to the plateau.
    k_s: f64,
    /// How long the window was in use, t.
    elapsed: Duration,
    /// Up to when that is counted.
    counted_until: Time,
    /// `W_est`: the window that Reno would have.
    estimate: f64,
    /// By what it grows each round trip.
    alpha: f64,
    /// From this estimate on, by one packet.
    prior_window: f64,
}

impl Law {
    /// Increase at which an AIMD law that keeps β has Reno's mean window (§4.3).
    fn alpha(&self) -> f64 {
        3.0 * (1.0 - self.beta) / (1.0 + self.beta)
    }

    /// A stage that begins with `state`.
    fn stage(&self, state: &State, now: Time) -> Stage {
        let plateau = state.plateau.unwrap_or(state.window);
        Stage {
            plateau,
            k_s: libm::cbrt((plateau - state.window).max(0.0) / self.c), // eq. 2
            elapsed: Duration::ZERO,
            counted_until: now,
            estimate: state.window,
            alpha: self.alpha(),
            prior_window: state.prior_window.unwrap_or(state.window),
        }
    }

    /// `W_cubic` so many seconds after the stage began (eq. 1).
    fn curve(&self, stage: &Stage, seconds: f64) -> f64 {
        let from_plateau = seconds - stage.k_s;
        stage.plateau + self.c * from_plateau * from_plateau * from_plateau
    }

    /// Congestion avoidance: the window after an ACK for `acked` packets.
    fn avoid(&self, stage: &mut Stage, window: f64, acked: f64, rtt: Duration) -> f64 {
        stage.estimate += stage.alpha * acked / window; // eq. 4
        if stage.estimate >= stage.prior_window {
            stage.alpha = 1.0;
        }
        let elapsed_s = stage.elapsed.as_secs_f64();
        if self.reno_friendly && self.curve(stage, elapsed_s) < stage.estimate {
            return window.max(stage.estimate);
        }
        let ahead = self.curve(stage, elapsed_s + rtt.as_secs_f64());
        let target = ahead.clamp(window, MOST_GROWTH * window);
        (window + (target - window) / window * acked).min(MOST_GROWTH * window)
    }
}

impl Cubic {
    fn new(law: Law, hystart: Option<HyStart>, setup: &Setup) -> Self {
        let packets = |bytes: Bytes| bytes.as_f64() / setup.segment.as_f64();
        let threshold = setup.initial_slow_start_threshold;
        Self {
            law,
            segment: setup.segment,
            state: State {
                window: packets(setup.initial_window),
                slow_start_threshold: if threshold == Bytes::MAX {
                    f64::INFINITY
                } else {
                    packets(threshold)
                },
                plateau: None,
                prior_window: None,
                stage: None,
            },
            before_reduction: None,
            hystart,
            now: Time::ZERO,
        }
    }

    fn packets(&self, bytes: Bytes) -> f64 {
        bytes.as_f64() / self.segment.as_f64()
    }

    /// Slow start. The window counts as in use when half of it is, so that a flow that fills it now
    /// and then can double.
    fn start_slowly(&mut self, ack: &Ack) {
        let flight = self.packets(ack.in_flight + ack.newly_delivered + ack.newly_lost);
        if !ack.window_limited && self.state.window >= 2.0 * flight {
            return;
        }
        let growth = match &mut self.hystart {
            Some(hystart) => hystart.on_ack(ack),
            None => Growth {
                packets: ack.acked_packets as f64,
                ends: false,
            },
        };
        self.state.window += growth.packets;
        if growth.ends {
            self.state.slow_start_threshold = self.state.window;
            self.hystart = None;
        }
    }

    fn avoid(&mut self, ack: &Ack) {
        let law = self.law;
        let state = &mut self.state;
        self.hystart = None;
        let mut stage = state.stage.unwrap_or_else(|| law.stage(state, ack.now));
        let since = ack.now.saturating_since(stage.counted_until);
        stage.counted_until = ack.now;
        if ack.window_limited {
            stage.elapsed = stage.elapsed.saturating_add(since);
            let acked = ack.acked_packets as f64;
            state.window = law.avoid(&mut stage, state.window, acked, ack.smoothed_rtt);
        }
        state.stage = Some(stage);
    }

    /// §4.6, §4.7: the fraction `kept` of `flight` packets.
    fn reduce(&mut self, flight: f64, kept: f64) {
        let state = &mut self.state;
        let window = state.window;
        let below =
            self.law.fast_convergence && state.plateau.is_some_and(|plateau| window < plateau);
        state.plateau = Some(if below {
            window * f64::midpoint(1.0, self.law.beta)
        } else {
            window
        });
        state.prior_window = Some(window);
        state.slow_start_threshold = flight * kept;
        state.stage = None;
        self.hystart = None;
    }
}

impl CongestionController for Cubic {
    fn limits(&self) -> Limits {
        // The one place where packets become bytes.
        let window = Bytes((self.state.window * self.segment.as_f64()) as u64);
        Limits {
            slow_start: self.state.window < self.state.slow_start_threshold / 2.0,
            ..Limits::of_window(window)
        }
    }

    fn on_sent(&mut self, sent: &Sent) -> bool {
        if let Some(hystart) = &mut self.hystart {
            hystart.on_sent(sent.packet.number);
        }
        if sent.in_flight == sent.size
            && let Some(stage) = &mut self.state.stage
        {
            stage.counted_until = sent.packet.sent_at; // it was idle
        }
        false
    }

    fn on_ack(&mut self, ack: &Ack) {
        self.now = ack.now;
        if ack.in_recovery || ack.acked_packets == 0 {
            return;
        }
        if self.state.window < self.state.slow_start_threshold {
            self.start_slowly(ack);
        } else {
            self.avoid(ack);
        }
    }

    fn on_congestion(&mut self, congestion: &Congestion) {
        self.now = congestion.now;
        let begins = congestion.episode == Episode::Begins;
        let flight = self.packets(congestion.flight_size).min(self.state.window);
        let before = self.state;
        match congestion.signal {
            Signal::Loss if begins => {
                self.reduce(flight, self.law.beta);
                let state = &mut self.state;
                state.slow_start_threshold = state.slow_start_threshold.max(LEAST_THRESHOLD);
                state.window = state.slow_start_threshold;
                self.before_reduction = Some(before);
            }
            Signal::EcnEcho if begins => {
                self.reduce(flight, self.law.beta_ecn);
                let state = &mut self.state;
                state.window = state.slow_start_threshold.max(LEAST_WINDOW);
                state.slow_start_threshold = state.slow_start_threshold.max(LEAST_THRESHOLD);
                self.before_reduction = None; // a mark has a cause
            }
            Signal::Timeout | Signal::PersistentCongestion => {
                if begins {
                    self.reduce(flight, self.law.beta);
                    let state = &mut self.state;
                    state.slow_start_threshold = state.slow_start_threshold.max(LEAST_THRESHOLD);
                    self.before_reduction = Some(before);
                }
                let state = &mut self.state;
                state.plateau = None; // §4.8: where the next stage begins
                state.stage = None;
                state.window = match congestion.signal {
                    Signal::Timeout => LEAST_WINDOW,
                    _ => LEAST_THRESHOLD,
                };
            }
            Signal::Loss | Signal::EcnEcho | Signal::SourceQuench => {}
        }
    }

    /// §4.9: unless the window has recovered meanwhile.
    fn on_spurious_congestion(&mut self) {
        if let Some(mut before) = self.before_reduction.take()
            && self.state.window < before.window
        {
            if let Some(stage) = &mut before.stage {
                stage.counted_until = self.now;
            }
            self.state = before;
        }
    }

    /// What is in flight stays so many bytes.
    fn on_segment_size(&mut self, segment: Bytes) {
        let factor = self.segment.as_f64() / segment.as_f64();
        let scale = |state: &mut State| {
            state.window *= factor;
            state.slow_start_threshold *= factor;
            state.plateau = state.plateau.map(|plateau| plateau * factor);
            state.prior_window = state.prior_window.map(|window| window * factor);
            state.stage = None;
        };
        scale(&mut self.state);
        self.before_reduction.as_mut().map(scale);
        self.segment = segment;
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("window", self.state.window);
        visit("slow_start_threshold", self.state.slow_start_threshold);
        if let Some(stage) = &self.state.stage {
            visit("plateau", stage.plateau);
            visit("reno_window", stage.estimate);
        }
    }
}

/// Most that the window grows to within a round trip, as a multiple of it (§4.2).
const MOST_GROWTH: f64 = 1.5;
/// Smallest threshold, and window after a loss, in packets (§4.6).
const LEAST_THRESHOLD: f64 = 2.0;
/// Window after a timeout (§4.8), and least one after a mark (§4.6), in packets.
const LEAST_WINDOW: f64 = 1.0;

#[cfg(test)]
mod tests;
