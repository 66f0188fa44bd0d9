//! The rate of `Agent/TFRC`.
//!
//! Differs from RFC 5348: starts at 300 B/s; in slow start each increase is spread over the packets
//! of a round trip; after that the rate rises by at most one packet for each round trip, two at
//! once; a receive rate limits the next rate only, not those of two round trips; the rate never
//! falls below one packet in a round trip but for missing feedback, which halves it each time; the
//! timeout term is SRTT + 4·RTTVAR in whole ticks, and min(1, ·) is in the equation.

use controllers::Parameters;
use controllers::round_trip::{Clock, SmoothedRtt, TimeoutEstimate};
use controllers::tcp_friendly::{self, Path, Timeouts};
use units::{Bytes, Duration, Rate, Time};

use crate::tfrc::TfrcFeedback;

/// What the agent measures of the path, and the rate that follows.
#[derive(Clone, Debug)]
pub struct TfrcRate {
    law: Law,
    rtt: SmoothedRtt,
    timeout: TimeoutEstimate,
    /// The timeout term of the equation is measured; else four round trips.
    measured: bool,
    /// `ca_`
    damping: bool,
    /// p, as last reported.
    loss_event_rate: f64,
}

/// `rate_` and what it follows from. Rates are in bytes per second.
#[derive(Clone, Copy, Debug)]
struct Law {
    segment: f64,
    conservative: bool,
    phase: Phase,
    /// `rate_`
    rate: f64,
    /// Slow start: how far the rate has been raised towards `rate` (`oldrate_`).
    raised: f64,
    /// The same for each packet sent (`delta_`).
    step: f64,
    /// Rounds of feedback (`round_id`).
    rounds: u64,
    changed_at: Time,
    data_limited: bool,
    rtt_s: f64,
}

/// Feedback as the law sees it. Rates are in bytes per second.
#[derive(Clone, Copy, Debug)]
struct Feedback {
    now: Time,
    loss_event_rate: f64,
    /// It reports losses.
    losses: bool,
    /// Rate of the equation; infinite without loss.
    equation_rate: f64,
    /// None before the receiver could measure it.
    receive_rate: Option<f64>,
    data_limited: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No feedback yet.
    Start,
    SlowStart,
    Equation,
}

impl TfrcRate {
    /// What the parameters of the controller `tfrc` choose, for packets of `size`. The timeout term
    /// is measured unless it is to be four round trips.
    pub fn new(parameters: &Parameters, size: Bytes) -> Self {
        let tick = parameters.duration("tick");
        Self {
            law: Law::new(size.as_f64(), parameters.flag("conservative")),
            rtt: SmoothedRtt::new(RTT_KEPT),
            timeout: TimeoutEstimate::new(if tick.is_zero() {
                Clock::Fine
            } else {
                Clock::Ticks(tick)
            }),
            measured: parameters.choice("timeout_term") != "four-round-trips",
            damping: parameters.flag("damping"),
            loss_event_rate: 0.0,
        }
    }

    /// The rate at which packets leave.
    pub(super) fn rate(&self) -> Rate {
        let bits = (self.bytes_per_s() * 8.0 + 0.5) as u64;
        Rate::bits_per_s(bits.max(1))
    }

    /// The smoothed round trip; zero before the first.
    pub(super) fn smoothed_rtt(&self) -> Duration {
        self.rtt.duration()
    }

    /// The timeout that packets carry; zero before the first round trip.
    pub(super) fn timeout(&self) -> Duration {
        Duration::from_secs_f64(self.timeout.timeout_s().unwrap_or(0.0))
    }

    pub(super) fn on_sent(&mut self) {
        if self.law.is_raising() {
            self.law.raised += self.law.step;
        }
    }

    /// Feedback arrived that measured the round trip `rtt`.
    pub(super) fn on_feedback(
        &mut self,
        now: Time,
        rtt: Duration,
        feedback: &TfrcFeedback,
        data_limited: bool,
    ) {
        self.rtt.sample(rtt);
        self.timeout.sample(rtt);
        let p = feedback.loss_event_rate;
        self.loss_event_rate = p;
        self.law.rtt_s = self.rtt.seconds().unwrap_or(0.0);
        let receive_rate = feedback.received.as_f64() / feedback.interval.as_secs_f64();
        self.law.on_feedback(&Feedback {
            now,
            loss_event_rate: p,
            losses: feedback.losses > 0,
            equation_rate: self.equation_rate(),
            receive_rate: Some(receive_rate).filter(|rate| rate.is_finite()),
            data_limited,
        });
    }

    pub(super) fn on_no_feedback(&mut self) {
        self.law.on_no_feedback(self.rtt.seconds());
    }

    pub(super) fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        let rate = self.bytes_per_s();
        let rtt_s = self.rtt.seconds().unwrap_or(0.0);
        visit("window", rate * rtt_s / self.law.segment);
        visit("slow_start_threshold", f64::INFINITY);
        visit("sending_rate", rate * 8.0);
        visit("loss_event_rate", self.loss_event_rate);
        if rtt_s > 0.0 {
            visit("timeout_term", self.timeout_term_s(rtt_s));
            let equation = self.equation_rate();
            if equation.is_finite() {
                visit("equation_rate", equation * 8.0);
            }
        }
    }

    fn bytes_per_s(&self) -> f64 {
        let damping = if self.damping {
            self.rtt.damping()
        } else {
            1.0
        };
        self.law.rate(damping)
    }

    /// The rate of the equation, in bytes per second.
    fn equation_rate(&self) -> f64 {
        if self.loss_event_rate <= 0.0 {
            return f64::INFINITY;
        }
        let rtt_s = self.law.rtt_s;
        let path = Path {
            loss_event_rate: self.loss_event_rate.min(1.0),
            rtt_s,
            timeout_s: self.timeout_term_s(rtt_s),
            acked_per_ack: 1.0,
        };
        tcp_friendly::packet_rate(&path, Timeouts::Bounded) * self.law.segment
    }

    fn timeout_term_s(&self, rtt_s: f64) -> f64 {
        let measured = self.timeout.timeout_s().filter(|_| self.measured);
        measured.unwrap_or(TIMEOUT_ROUND_TRIPS * rtt_s)
    }
}

impl Law {
    fn new(segment: f64, conservative: bool) -> Self {
        Self {
            segment,
            conservative,
            phase: Phase::Start,
            rate: INITIAL_RATE,
            raised: INITIAL_RATE,
            step: 0.0,
            rounds: 0,
            changed_at: Time::ZERO,
            data_limited: false,
            rtt_s: 0.0,
        }
    }

    fn rate(&self, damping: f64) -> f64 {
        if self.is_raising() {
            self.raised
        } else if self.rtt_s > 0.0 {
            self.rate * damping
        } else {
            self.rate
        }
    }

    fn on_feedback(&mut self, feedback: &Feedback) {
        self.rounds += 1;
        self.data_limited = feedback.data_limited;
        let receive_rate = feedback.receive_rate.filter(|_| self.rounds > 1);
        match self.phase {
            Phase::Start => {
                self.phase = Phase::SlowStart;
                self.slow_start(feedback, receive_rate);
            }
            Phase::SlowStart if feedback.loss_event_rate > 0.0 => {
                self.phase = Phase::Equation;
                self.rate = feedback.equation_rate;
                self.raised = self.rate;
            }
            Phase::SlowStart => self.slow_start(feedback, receive_rate),
            Phase::Equation => {
                let factor = match (self.conservative, feedback.losses) {
                    (false, _) => 2.0,
                    (true, true) => 1.0,
                    (true, false) => CONSERVATIVE_WITHOUT_LOSS,
                };
                let limit = receive_rate.map_or(0.0, |rate| factor * rate);
                if feedback.equation_rate > self.rate {
                    self.increase(feedback, limit);
                } else {
                    self.rate = feedback.equation_rate.min(limit.max(self.packet_rate()));
                }
                self.changed_at = feedback.now;
            }
        }
    }

    /// `reduce_rate_on_no_feedback`.
    fn on_no_feedback(&mut self, rtt_s: Option<f64>) {
        self.rounds += 1;
        let floor = match rtt_s {
            Some(rtt_s) if self.data_limited => self.initial_packets() * self.segment / rtt_s,
            _ => 0.0,
        };
        if self.rate > 2.0 * floor {
            self.rate *= 0.5;
        } else if self.rate > floor {
            self.rate = floor;
        }
    }

    fn is_raising(&self) -> bool {
        self.phase == Phase::SlowStart && self.rounds > 2 && self.raised + SMALL < self.rate
    }

    fn slow_start(&mut self, feedback: &Feedback, receive_rate: Option<f64>) {
        let now = feedback.now;
        let initial_rate = self.initial_packets() * self.segment / self.rtt_s;
        let limit = receive_rate.map_or(0.0, |rate| 2.0 * rate);
        if self.rounds <= 2 || (limit > 0.0 && self.data_limited && limit < initial_rate) {
            self.raise_to(self.rate.max(initial_rate));
        } else if limit <= 0.0 {
            self.raised = self.rate;
            self.rate = self.packet_rate();
            self.step = 0.0;
        } else if self.rate < limit {
            if now.saturating_since(self.changed_at).as_secs_f64() <= self.rtt_s {
                return;
            }
            self.raise_to((2.0 * self.rate).min(limit).max(self.packet_rate()));
        } else if self.rate > limit {
            self.rate = limit / 2.0;
            self.raised = self.rate;
            self.step = 0.0;
        } else {
            return;
        }
        self.changed_at = now;
    }

    fn raise_to(&mut self, rate: f64) {
        self.raised = self.rate;
        self.rate = rate;
        let packets = rate * self.rtt_s / self.segment;
        self.step = (self.rate - self.raised) / packets;
    }

    fn increase(&mut self, feedback: &Feedback, limit: f64) {
        let since = feedback.now.saturating_since(self.changed_at);
        let round_trips = (since.as_secs_f64() / self.rtt_s).min(2.0);
        let least = if self.data_limited {
            self.initial_packets() * self.packet_rate()
        } else {
            self.packet_rate()
        };
        let raised = self.rate + self.packet_rate() * round_trips;
        self.rate = raised.min(limit.max(least).min(feedback.equation_rate));
    }

    /// One packet in a round trip.
    fn packet_rate(&self) -> f64 {
        self.segment / self.rtt_s
    }

    /// RFC 3390, as `rfc3390()` counts it.
    fn initial_packets(&self) -> f64 {
        if self.segment <= 1_095.0 {
            4.0
        } else if self.segment < 2_190.0 {
            3.0
        } else {
            2.0
        }
    }
}

/// Weight of the past in the smoothed round trip (`df_`).
const RTT_KEPT: f64 = 0.95;
/// `InitRate_`, in bytes per second.
const INITIAL_RATE: f64 = 300.0;
/// `scmult_`
const CONSERVATIVE_WITHOUT_LOSS: f64 = 1.5;
/// `SMALLFLOAT`
const SMALL: f64 = 0.000_000_1;
/// The timeout term of RFC 5348 §3.1.
const TIMEOUT_ROUND_TRIPS: f64 = 4.0;
