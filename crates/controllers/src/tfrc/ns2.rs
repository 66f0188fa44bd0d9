//! The rate of a TFRC sender as the agent of ns-2.35 has it (`Agent/TFRC`, default settings).
//!
//! Differs from RFC 5348: starts at 300 B/s; in slow start each increase is spread over the packets
//! of a round trip; after that the rate rises by at most one packet for each round trip, two at
//! once; a receive rate limits the next rate only, not those of two round trips; the rate never
//! falls below one packet in a round trip but for missing feedback, which halves it each time.

use super::Feedback;
use units::Time;

/// The agent's rates, in bytes per second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Law {
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
    /// Losses were reported since the last feedback.
    losses: bool,
    data_limited: bool,
    rtt_s: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No feedback yet.
    Start,
    SlowStart,
    Equation,
}

impl Law {
    pub(super) fn new(segment: f64, conservative: bool) -> Self {
        Self {
            segment,
            conservative,
            phase: Phase::Start,
            rate: INITIAL_RATE,
            raised: INITIAL_RATE,
            step: 0.0,
            rounds: 0,
            changed_at: Time::ZERO,
            losses: false,
            data_limited: false,
            rtt_s: 0.0,
        }
    }

    pub(super) fn rate(&self, damping: f64) -> f64 {
        if self.is_raising() {
            self.raised
        } else if self.rtt_s > 0.0 {
            self.rate * damping
        } else {
            self.rate
        }
    }

    pub(super) fn on_sent(&mut self) {
        if self.is_raising() {
            self.raised += self.step;
        }
    }

    pub(super) fn on_losses(&mut self) {
        self.losses = true;
    }

    pub(super) fn on_feedback(&mut self, feedback: &Feedback) {
        self.rounds += 1;
        self.rtt_s = feedback.rtt_s;
        self.data_limited = feedback.data_limited;
        let losses = std::mem::take(&mut self.losses);
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
                let factor = match (self.conservative, losses) {
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
    pub(super) fn on_no_feedback(&mut self, rtt_s: Option<f64>) {
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
pub(super) const RTT_KEPT: f64 = 0.95;
/// `InitRate_`, in bytes per second.
const INITIAL_RATE: f64 = 300.0;
/// `scmult_`
const CONSERVATIVE_WITHOUT_LOSS: f64 = 1.5;
/// `SMALLFLOAT`
const SMALL: f64 = 0.000_000_1;
