//! TFRC: the sending rate that TCP would have at the loss event rate of the path.
//!
//! Follows RFC 5348 §4 (the sender).
//!
//! The transport tells of each feedback packet by one `on_ack`: the round trip it measured, the
//! loss event rate and the receive rate (`report`), and whether the interval that it reports on was
//! data-limited (`app_limited`). Losses that it reports come before, in one `on_congestion`; an
//! expired nofeedback timer is a `Timeout`. What was sent since the timer was set is known from
//! `on_sent`.
//!
//! Not here: the nofeedback timer itself, pacing, and the receiver (the transport's); a loss history
//! of the sender's own (RFC 5348 §7), for receivers that report none; anything for packets of varying
//! size (RFC 4828).

mod specification;

use specification::{Law, RTT_KEPT};
use units::{Bytes, Duration, Rate, Time};

use crate::round_trip::{Clock, SmoothedRtt, TimeoutEstimate};
use crate::tcp_friendly::{self, Path, Timeouts};
use crate::{
    Ack, Carrier, Congestion, CongestionController, Controller, Episode, Kind, Limits, Parameter,
    Parameters, Properties, Sent, Setup, Signal, Value,
};

/// TFRC, by name.
pub const CONTROLLER: Controller = Controller {
    name: "tfrc",
    summary: "The rate that TCP would have at the loss event rate of the path.",
    source: "RFC 5348 §4",
    carrier: Carrier::Rate,
    properties: Properties::RATE,
    parameters: PARAMETERS,
    build: &build,
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "timeout_term",
        kind: Kind::Choice(&["published", "four-round-trips", "measured"]),
        default: Value::Choice("published"),
        unit: "",
        doc: "t_RTO of the equation: four round trips (RFC 5348 §3.1), or SRTT + 4·RTTVAR as \
              measured with the clock tick (ns-2). Default: as published, so measured with \
              compat = \"ns-2\" and four round trips without.",
    },
    Parameter {
        name: "tick",
        kind: Kind::Duration,
        default: Value::Duration(Duration::from_millis(100)),
        unit: "",
        doc: "Clock of the measured timeout term; 0 is exact. Default: 100 ms (tcp_tick_ of ns-2), \
              which never falls below three ticks.",
    },
    Parameter {
        name: "damping",
        kind: Kind::Flag,
        default: Value::Flag(true),
        unit: "",
        doc: "The rate is lowered while round trips are longer than usual (RFC 5348 §4.5; ca_ of \
              ns-2).",
    },
    Parameter {
        name: "conservative",
        kind: Kind::Flag,
        default: Value::Flag(false),
        unit: "",
        doc: "With compat = \"ns-2\": at most the receive rate after a loss, 1.5 times that without one \
              (conservative_, scmult_). Otherwise twice the receive rate.",
    },
];

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    let tick = parameters.duration("tick");
    let measured = parameters.choice("timeout_term") == "measured";
    let timeout = measured.then(|| {
        TimeoutEstimate::new(if tick.is_zero() {
            Clock::Fine
        } else {
            Clock::Ticks(tick)
        })
    });
    Box::new(Tfrc {
        segment: setup.segment,
        law: Law::new(setup.segment.as_f64()),
        path: Measured {
            rtt: SmoothedRtt::new(RTT_KEPT),
            timeout,
        },
        damping: parameters.flag("damping"),
        loss_event_rate: 0.0,
        new_event: false,
    })
}

/// The TFRC controller.
#[derive(Clone, Debug)]
struct Tfrc {
    segment: Bytes,
    law: Law,
    path: Measured,
    damping: bool,
    /// p, as last reported.
    loss_event_rate: f64,
    /// A loss event began since the last feedback.
    new_event: bool,
}

/// What the sender measures of the path.
#[derive(Clone, Copy, Debug)]
struct Measured {
    rtt: SmoothedRtt,
    /// `t_RTO`; none: four round trips.
    timeout: Option<TimeoutEstimate>,
}

/// Feedback as a rate law sees it. Rates are in bytes per second.
#[derive(Clone, Copy, Debug)]
struct Feedback {
    now: Time,
    rtt_s: f64,
    loss_event_rate: f64,
    /// p rose, or losses were reported that begin an event.
    loss_event: bool,
    /// Rate of the equation; infinite without loss.
    equation_rate: f64,
    /// None before the receiver could measure it.
    receive_rate: Option<f64>,
    data_limited: bool,
}

impl Measured {
    fn sample(&mut self, rtt: Duration) {
        self.rtt.sample(rtt);
        if let Some(timeout) = &mut self.timeout {
            timeout.sample(rtt);
        }
    }

    /// The rate of the equation in packets per second.
    fn equation_rate(&self, p: f64, rtt_s: f64) -> f64 {
        if p <= 0.0 {
            return f64::INFINITY;
        }
        let path = Path {
            loss_event_rate: p.min(1.0),
            rtt_s,
            timeout_s: self.timeout_s(rtt_s),
            acked_per_ack: 1.0,
        };
        tcp_friendly::packet_rate(&path, Timeouts::Unbounded)
    }

    fn timeout_s(&self, rtt_s: f64) -> f64 {
        self.timeout
            .and_then(|timeout| timeout.timeout_s())
            .unwrap_or(TIMEOUT_ROUND_TRIPS * rtt_s)
    }
}

impl Tfrc {
    /// The rate in bytes per second, damped.
    fn rate(&self) -> f64 {
        let damping = if self.damping {
            self.path.rtt.damping()
        } else {
            1.0
        };
        self.law.rate(damping)
    }
}

impl CongestionController for Tfrc {
    fn limits(&self) -> Limits {
        let bits = (self.rate() * 8.0 + 0.5) as u64;
        Limits::of_rate(Rate::bits_per_s(bits.max(1)))
    }

    fn on_ack(&mut self, ack: &Ack) {
        if let Some(rtt) = ack.rtt {
            self.path.sample(rtt);
        }
        let (Some(rtt_s), Some(report)) = (self.path.rtt.seconds(), ack.report) else {
            return;
        };
        let p = report.loss_event_rate;
        let segment = self.segment.as_f64();
        let feedback = Feedback {
            now: ack.now,
            rtt_s,
            loss_event_rate: p,
            loss_event: std::mem::take(&mut self.new_event) || p > self.loss_event_rate,
            equation_rate: self.path.equation_rate(p, rtt_s) * segment,
            receive_rate: Some(report.received.as_f64() / report.interval.as_secs_f64())
                .filter(|rate| rate.is_finite()),
            data_limited: ack.app_limited,
        };
        self.loss_event_rate = p;
        self.law.on_feedback(&feedback);
    }

    fn on_congestion(&mut self, congestion: &Congestion) {
        match congestion.signal {
            Signal::Loss | Signal::EcnEcho => {
                self.new_event |= congestion.episode == Episode::Begins;
            }
            Signal::Timeout | Signal::PersistentCongestion => {
                let rtt_s = self.path.rtt.seconds();
                self.law
                    .on_no_feedback(congestion.now, rtt_s, self.loss_event_rate);
            }
            Signal::SourceQuench => {}
        }
    }

    fn on_sent(&mut self, _sent: &Sent) -> bool {
        self.law.on_sent();
        true
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        let rate = self.rate();
        let segment = self.segment.as_f64();
        let rtt_s = self.path.rtt.seconds().unwrap_or(0.0);
        visit("window", rate * rtt_s / segment);
        visit("slow_start_threshold", f64::INFINITY);
        visit("sending_rate", rate * 8.0);
        visit("loss_event_rate", self.loss_event_rate);
        if rtt_s > 0.0 {
            visit("timeout_term", self.path.timeout_s(rtt_s));
            let equation = self.path.equation_rate(self.loss_event_rate, rtt_s);
            if equation.is_finite() {
                visit("equation_rate", equation * segment * 8.0);
            }
        }
    }
}

/// `t_RTO` is four round trips (RFC 5348 §3.1).
const TIMEOUT_ROUND_TRIPS: f64 = 4.0;

#[cfg(test)]
mod tests;
