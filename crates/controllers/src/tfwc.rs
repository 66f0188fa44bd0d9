//! TFWC: TCP-friendly window-based control, the equation of TFRC turned into a window.
//!
//! Follows Choi, TCP-Friendly Window-based Congestion Control (UCL transfer report, 2006),
//! chapters 4 and 5, with its equations corrected: slow start until the first loss; then the window
//! is W = 1/f(p), where p is 1 over the average loss interval that the sender keeps by itself.
//! Below two packets the window gives way to a rate, so that a packet leaves every so often
//! whatever is in flight.
//!
//! Losses within one round trip of the loss that began an event belong to that event. A CE mark
//! counts as a loss. A timeout that names lost packets does too; one that names none (the
//! report's own sender) changes nothing here.
//!
//! The transport tells of each lost packet by itself, oldest first, before the ACK that showed it
//! (`on_congestion` with the packet in `newest`). Packets within `margin` below the newest one
//! acknowledged are not counted yet, since they may still be declared lost; a loss found later than
//! that is put in its place.
//!
//! Not here: the ACK vector, the timers (SRTT + 4·RTTVAR, backed off in window mode), the inflation
//! of the last ACK number by a timeout. They are the transport's.

use units::{Bytes, Duration, Rate, Time};

use crate::loss_history::{Averaging, LossHistory, Partial, Weights};
use crate::round_trip::{Clock, SmoothedRtt, TimeoutEstimate};
use crate::tcp_friendly::{self, Path, Timeouts};
use crate::{
    Ack, Carrier, Congestion, CongestionController, Controller, Kind, Limits, PacketRef, Parameter,
    Parameters, Properties, Setup, Signal, Value,
};

/// TFWC, by name.
pub const CONTROLLER: Controller = Controller {
    name: "tfwc",
    summary: "The window that TCP would have at the sender's own average loss interval.",
    source: "Choi, TCP-Friendly Window-based Congestion Control, UCL 2006",
    carrier: Carrier::Datagrams,
    properties: Properties::WINDOW,
    parameters: PARAMETERS,
    build: &build,
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "intervals",
        kind: Kind::Choice(&["8", "16"]),
        default: Value::Choice("8"),
        unit: "packets",
        doc: "Loss intervals that count: 8 with weights 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2 (eq. 5.1), \
              or 16 with weights 1 (four), 2/3, 2/4, … 2/14 (the author's later code).",
    },
    Parameter {
        name: "first_loss",
        kind: Kind::Choice(&["bisection", "scan"]),
        default: Value::Choice("bisection"),
        unit: "",
        doc: "How the loss event rate is found that goes with half the window of the first loss: \
              exactly, or in steps of 0.00001 from 0.00001 (Algorithm 1).",
    },
    Parameter {
        name: "rounding",
        kind: Kind::Choice(&["nearest", "down"]),
        default: Value::Choice("nearest"),
        unit: "",
        doc: "Whole packets from the window: the nearest (Algorithm 3), or cut off (the author's \
              later code).",
    },
    Parameter {
        name: "rate_mode",
        kind: Kind::Flag,
        default: Value::Flag(true),
        unit: "",
        doc: "Below rate_threshold one packet leaves at a time, by a timer (section 5.4.1).",
    },
    Parameter {
        name: "rate_threshold",
        kind: Kind::Number {
            min: 0.0,
            max: 100.0,
        },
        default: Value::Number(2.0),
        unit: "packets",
        doc: "Window below which a timer sends. Default: 2 (Algorithm 3); the author's later code \
              has 2.5.",
    },
    Parameter {
        name: "rate_factor",
        kind: Kind::Number {
            min: 0.01,
            max: 100.0,
        },
        default: Value::Number(1.0),
        unit: "",
        doc: "What the timer's interval is multiplied by. Default: 1 (eq. 5.5); the author's later \
              code has 0.8.",
    },
    Parameter {
        name: "damping",
        kind: Kind::Flag,
        default: Value::Flag(false),
        unit: "",
        doc: "The timer's interval is lengthened while round trips are longer than usual, by the \
              root of the last one over the mean root. Default: no (eq. 5.5).",
    },
    Parameter {
        name: "tick",
        kind: Kind::Duration,
        default: Value::Duration(Duration::ZERO),
        unit: "",
        doc: "Clock of SRTT and RTTVAR in the timer's interval. Default: 0, exact (eq. 5.6 to \
              5.8); the author's code has \"100 ms\", which never falls below three ticks.",
    },
    Parameter {
        name: "margin",
        kind: Kind::Integer { min: 0, max: 1_000 },
        default: Value::Integer(3),
        unit: "packets",
        doc: "Packets below the newest one acknowledged that are not yet lost or arrived (section \
              4.2.2). Default: 3.",
    },
];

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    let number = |name| parameters.number(name).expect("it has a default");
    let tick = parameters.duration("tick");
    let options = Options {
        averaging: Averaging {
            weights: match parameters.choice("intervals") {
                "16" => Weights::Sixteen,
                _ => Weights::Eight,
            },
            discount_threshold: None,
            partial: Partial::Shifted,
        },
        scan: parameters.choice("first_loss") == "scan",
        round_down: parameters.choice("rounding") == "down",
        rate_threshold: if parameters.flag("rate_mode") {
            number("rate_threshold")
        } else {
            0.0
        },
        rate_factor: number("rate_factor"),
        damping: parameters.flag("damping"),
        margin: number("margin") as u64,
    };
    let clock = if tick.is_zero() {
        Clock::Fine
    } else {
        Clock::Ticks(tick)
    };
    let window = setup.initial_window.as_f64() / setup.segment.as_f64();
    Box::new(Tfwc {
        options,
        segment: setup.segment,
        window: libm::floor(window).max(LEAST_WINDOW_PACKETS),
        interval: None,
        phase: Phase::SlowStart,
        rtt: SmoothedRtt::new(RTT_KEPT),
        timeout: TimeoutEstimate::new(clock),
    })
}

#[derive(Clone, Copy, Debug)]
struct Options {
    averaging: Averaging,
    scan: bool,
    round_down: bool,
    /// In packets; 0: no rate mode.
    rate_threshold: f64,
    rate_factor: f64,
    damping: bool,
    margin: u64,
}

/// The TFWC controller.
#[derive(Clone, Debug)]
struct Tfwc {
    options: Options,
    segment: Bytes,
    /// Whole packets.
    window: f64,
    /// Rate mode: time from packet to packet.
    interval: Option<Duration>,
    phase: Phase,
    rtt: SmoothedRtt,
    timeout: TimeoutEstimate,
}

#[derive(Clone, Debug)]
enum Phase {
    SlowStart,
    /// The first loss was found; the ACK that showed it follows.
    FirstLoss(Events),
    Equation(Events),
}

#[derive(Clone, Debug)]
struct Events {
    history: LossHistory,
    /// When the packet left whose loss began the last event.
    last_sent_at: Time,
    /// W = 1/f(p), before rounding.
    equation_window: f64,
}

impl Tfwc {
    fn on_loss(&mut self, lost: PacketRef) {
        match &mut self.phase {
            Phase::SlowStart => {
                self.window = libm::floor(self.window / 2.0).max(LEAST_WINDOW_PACKETS);
                let p = if self.options.scan {
                    tcp_friendly::scan_for_loss_event_rate(self.window)
                } else {
                    tcp_friendly::loss_event_rate_of_window(self.window)
                };
                let interval = libm::floor(1.0 / p);
                self.phase = Phase::FirstLoss(Events {
                    history: LossHistory::new(self.options.averaging, interval, lost.number + 1),
                    last_sent_at: lost.sent_at,
                    equation_window: self.window,
                });
            }
            Phase::FirstLoss(_) => {}
            Phase::Equation(events) => {
                let apart = lost.sent_at.saturating_since(events.last_sent_at);
                if apart.as_secs_f64() > self.rtt.seconds().unwrap_or(0.0) {
                    events.history.begin_event(lost.number);
                    events.last_sent_at = lost.sent_at;
                } else {
                    events.history.advance(lost.number + 1);
                }
            }
        }
    }

    /// The window, and the rate in its place, from the loss history.
    fn follow_equation(&mut self) {
        let Phase::Equation(events) = &mut self.phase else {
            return;
        };
        let options = &self.options;
        let p = events.history.loss_event_rate();
        events.equation_window = tcp_friendly::window(p);
        let rounded = if options.round_down {
            libm::floor(events.equation_window)
        } else {
            libm::floor(events.equation_window + 0.5)
        };
        self.window = rounded.max(LEAST_WINDOW_PACKETS);
        self.interval = None;
        if events.equation_window < options.rate_threshold
            && let Some(timeout_s) = self.timeout.timeout_s()
        {
            // Eq. 5.5, with the last round trip as it was.
            let path = Path {
                loss_event_rate: p,
                rtt_s: self.rtt.last_s(),
                timeout_s,
                acked_per_ack: 1.0,
            };
            let mut seconds =
                tcp_friendly::packet_interval(&path, Timeouts::Bounded) * options.rate_factor;
            if options.damping {
                seconds /= self.rtt.damping();
            }
            self.interval = Some(Duration::from_secs_f64(seconds));
        }
    }

    fn events(&self) -> Option<&Events> {
        match &self.phase {
            Phase::SlowStart => None,
            Phase::FirstLoss(events) | Phase::Equation(events) => Some(events),
        }
    }
}

impl CongestionController for Tfwc {
    fn limits(&self) -> Limits {
        match self.interval {
            Some(interval) => Limits::of_rate(Rate::from_bytes_over(self.segment, interval)),
            None => Limits::of_window(self.segment.saturating_mul(self.window as u64)),
        }
    }

    fn on_ack(&mut self, ack: &Ack) {
        // Packets before this one have arrived or are lost.
        let settled = ack.newest.number.saturating_sub(self.options.margin);
        match &mut self.phase {
            Phase::SlowStart if ack.app_limited || ack.in_recovery => {}
            Phase::SlowStart => self.window += 1.0,
            Phase::FirstLoss(events) => {
                // The open interval begins empty.
                events.history.restart(settled);
                self.phase = Phase::Equation(events.clone());
            }
            Phase::Equation(events) => events.history.advance(settled),
        }
        if let Some(rtt) = ack.rtt {
            self.rtt.sample(rtt);
            self.timeout.sample(rtt);
        }
        if matches!(self.phase, Phase::Equation(_)) {
            self.follow_equation();
        }
    }

    fn on_congestion(&mut self, congestion: &Congestion) {
        match congestion.signal {
            Signal::Loss | Signal::EcnEcho => self.on_loss(congestion.newest),
            Signal::Timeout | Signal::PersistentCongestion if congestion.lost_packets > 0 => {
                self.on_loss(congestion.newest);
            }
            Signal::Timeout | Signal::PersistentCongestion | Signal::SourceQuench => {}
        }
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("window", self.window);
        let events = self.events();
        visit("slow_start_threshold", f64::INFINITY);
        visit("rate_driven", f64::from(u8::from(self.interval.is_some())));
        if let Some(interval) = self.interval {
            visit("packet_interval", interval.as_secs_f64());
        }
        if let Some(events) = events {
            visit("equation_window", events.equation_window);
            visit("average_loss_interval", events.history.average());
            visit("open_loss_interval", events.history.open() as f64);
            visit("loss_event_rate", events.history.loss_event_rate());
        }
        if let Some(timeout_s) = self.timeout.timeout_s() {
            visit("timeout_term", timeout_s);
        }
    }
}

/// Smallest window; without it W < 0.5 would be none.
const LEAST_WINDOW_PACKETS: f64 = 1.0;
/// Weight of the past in the round trip that groups losses: TFRC's.
const RTT_KEPT: f64 = 0.95;

#[cfg(test)]
mod tests;
