//! The rate of a TFRC sender as RFC 5348 §4.2 to §4.5 has it.

use super::Feedback;
use units::{Duration, Time};

/// Allowed sending rate X, and what it follows from. Rates in bytes per second.
#[derive(Clone, Debug)]
pub(super) struct Law {
    segment: f64,
    rate: f64,
    /// Rate of the equation with the last feedback (`X_Bps`).
    equation_rate: f64,
    /// `W_init`/R; none before the first round trip.
    initial_rate: Option<f64>,
    /// When slow start last doubled the rate (`tld`).
    doubled_at: Time,
    received: ReceiveRates,
    /// A packet left since the nofeedback timer was set.
    sent: bool,
}

/// The receive rates of the last two round trips (`X_recv_set`). A rate that is older than a
/// larger one can never be the maximum and is left out.
#[derive(Clone, Debug)]
struct ReceiveRates(Vec<(Time, f64)>);

impl Law {
    pub(super) fn new(segment: f64) -> Self {
        Self {
            segment,
            rate: segment / INITIAL_INTERVAL_S,
            equation_rate: f64::INFINITY,
            initial_rate: None,
            doubled_at: Time::ZERO,
            received: ReceiveRates(vec![(Time::ZERO, f64::INFINITY)]),
            sent: false,
        }
    }

    /// Step (5): `X_inst`.
    pub(super) fn rate(&self, damping: f64) -> f64 {
        if self.initial_rate.is_none() {
            return self.rate;
        }
        (self.rate * damping).max(self.segment / LONGEST_INTERVAL_S)
    }

    /// §4.3.
    pub(super) fn on_feedback(&mut self, feedback: &Feedback) {
        self.sent = false;
        let initial_window =
            (4.0 * self.segment).min((2.0 * self.segment).max(INITIAL_WINDOW_BYTES));
        let initial_rate = initial_window / feedback.rtt_s;
        if self.initial_rate.replace(initial_rate).is_none() {
            // §4.2: the first feedback.
            self.rate = initial_rate;
            self.doubled_at = feedback.now;
            self.received = ReceiveRates(vec![(feedback.now, f64::INFINITY)]);
        }
        let limit = self.receive_limit(feedback);
        self.equation_rate = feedback.equation_rate;
        self.recalculate(feedback.loss_event_rate, limit, Some(feedback));
    }

    /// §4.4. `rtt_s` is none before the first feedback.
    pub(super) fn on_no_feedback(&mut self, now: Time, rtt_s: Option<f64>, loss_event_rate: f64) {
        let idle = !std::mem::take(&mut self.sent);
        let receive_rate = self.received.greatest();
        let (Some(_), Some(recover_rate)) = (rtt_s, self.initial_rate) else {
            if !idle {
                self.halve();
            }
            return;
        };
        let lossless = loss_event_rate <= 0.0;
        let slow = if lossless {
            self.rate < 2.0 * recover_rate
        } else {
            receive_rate < recover_rate
        };
        if idle && slow {
            return;
        }
        if lossless {
            self.halve();
        } else if self.equation_rate > 2.0 * receive_rate {
            self.lower_limit(now, receive_rate, loss_event_rate);
        } else {
            self.lower_limit(now, self.equation_rate / 2.0, loss_event_rate);
        }
    }

    pub(super) fn on_sent(&mut self) {
        self.sent = true;
    }

    /// The first half of step (4).
    fn receive_limit(&mut self, feedback: &Feedback) -> f64 {
        let now = feedback.now;
        let Some(receive_rate) = feedback.receive_rate else {
            return 2.0 * self.received.greatest();
        };
        if !feedback.data_limited {
            self.received.update(now, receive_rate, feedback.rtt_s);
            return 2.0 * self.received.greatest();
        }
        if feedback.loss_event {
            self.received.halve();
            self.received
                .maximize(now, DATA_LIMITED_LOSS * receive_rate);
            return self.received.greatest();
        }
        self.received.maximize(now, receive_rate);
        2.0 * self.received.greatest()
    }

    /// The second half of step (4); without feedback slow start does not double.
    fn recalculate(&mut self, loss_event_rate: f64, limit: f64, feedback: Option<&Feedback>) {
        if loss_event_rate > 0.0 {
            let least = self.segment / LONGEST_INTERVAL_S;
            self.rate = self.equation_rate.min(limit).max(least);
        } else if let Some(feedback) = feedback
            // In whole picoseconds: feedback often comes just a round trip later.
            && feedback.now.saturating_since(self.doubled_at)
                >= Duration::from_secs_f64(feedback.rtt_s)
        {
            let initial_rate = self.initial_rate.unwrap_or(0.0);
            self.rate = (2.0 * self.rate).min(limit).max(initial_rate);
            self.doubled_at = feedback.now;
        }
    }

    fn halve(&mut self) {
        self.rate = (self.rate / 2.0).max(self.segment / LONGEST_INTERVAL_S);
    }

    /// `Update_Limits`.
    fn lower_limit(&mut self, now: Time, limit: f64, loss_event_rate: f64) {
        let limit = limit.max(self.segment / LONGEST_INTERVAL_S);
        self.received = ReceiveRates(vec![(now, limit / 2.0)]);
        self.recalculate(loss_event_rate, limit, None);
    }
}

impl ReceiveRates {
    fn greatest(&self) -> f64 {
        self.0.first().map_or(0.0, |(_, rate)| *rate)
    }

    /// Adds a rate, and forgets those older than two round trips.
    fn update(&mut self, now: Time, rate: f64, rtt_s: f64) {
        self.0.retain(|(at, other)| {
            *other > rate && now.saturating_since(*at).as_secs_f64() <= 2.0 * rtt_s
        });
        self.0.push((now, rate));
    }

    /// Keeps the greatest only, the initial infinity aside.
    fn maximize(&mut self, now: Time, rate: f64) {
        let finite = self
            .0
            .iter()
            .map(|(_, rate)| *rate)
            .filter(|rate| rate.is_finite());
        let greatest = finite.fold(rate, f64::max);
        self.0.clear();
        self.0.push((now, greatest));
    }

    fn halve(&mut self) {
        for (_, rate) in &mut self.0 {
            *rate /= 2.0;
        }
    }
}

/// Weight of the past in the smoothed round trip (q, RFC 5348 §4.3).
pub(super) const RTT_KEPT: f64 = 0.9;
/// One packet a second before the first feedback (RFC 5348 §4.2).
const INITIAL_INTERVAL_S: f64 = 1.0;
/// The longest time between packets, `t_mbi` (RFC 5348 §4.3).
const LONGEST_INTERVAL_S: f64 = 64.0;
/// min(4·s, max(2·s, 4380 B)) (RFC 5348 §4.2).
const INITIAL_WINDOW_BYTES: f64 = 4_380.0;
/// What is left of the receive rate after a loss in a data-limited interval (RFC 5348 §4.3).
const DATA_LIMITED_LOSS: f64 = 0.85;
