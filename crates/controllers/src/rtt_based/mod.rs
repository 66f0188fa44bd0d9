//! RTT-based TCP: estimates from one monitor packet each round trip how many of its packets wait in
//! queues, grows exponentially from one packet while there are fewer than α, and takes away a part
//! of what there are too many.
//!
//! Follows Chen, Chen and Lee, An end-to-end flow control approach based on round trip time (2000),
//! §2 and §3. [`ramp`] has the closed forms of its §2.1, [`reduction`] the analysis of its §2.4.
//!
//! Differs from the pseudo-code of its §3.1.2, which contradicts its §2 (`reading = "literal"` runs
//! it as printed):
//! * the window shrinks while offset > bound, not ≤: as printed it never shrinks;
//! * the RTT threshold is looked at in the increment phase only (§2.2), and before the increment: as
//!   printed a large round trip ends the decrement phase too.
//!
//! What the paper leaves open: the threshold is `RTTmin` + α/rate, the round trip at which α packets
//! would wait; a window that was cut by a loss is kept when the repair is over (§3.2: "keep its
//! window stable"); after a timeout it starts anew from one packet. The occupancy is rounded to
//! whole packets by default: a real number is never equal to α, and the stable phase never comes.

pub mod ramp;
pub mod reduction;
#[cfg(test)]
mod tests;

use units::{Bytes, Duration, Time};

use crate::base_rtt::{BASE_RTT_PERIOD, BaseRtt};
use crate::undo::Undo;
use crate::{
    Ack, Carrier, Congestion, CongestionController, Controller, Episode, Kind, Limits, Parameter,
    Parameters, Properties, Sent, Setup, Signal, Value,
};

/// RTT-based TCP, by name.
pub const CONTROLLER: Controller = Controller {
    name: "rtt-based",
    summary: "Holds α packets in the queues, estimated from a monitor packet each round trip.",
    source: "Chen, Chen and Lee, An end-to-end flow control approach based on round trip time, 2000",
    carrier: Carrier::Window,
    properties: Properties::WINDOW,
    parameters: &[
        Parameter {
            name: "alpha",
            kind: Kind::Number {
                min: 0.0,
                max: 1_000.0,
            },
            default: Value::Number(3.0),
            unit: "packets",
            doc: "Packets that should wait in queues. The paper gives no number; 2 or 3 fit its \
                  results best.",
        },
        Parameter {
            name: "k",
            kind: Kind::Number { min: 0.0, max: 1.0 },
            default: Value::Number(0.25),
            unit: "",
            doc: "Fraction of the packets beyond α that are taken away each round trip \
                  (Default: eq. 6).",
        },
        Parameter {
            name: "occupancy",
            kind: Kind::Choice(&["rounded", "real"]),
            default: Value::Choice("rounded"),
            unit: "",
            doc: "The estimated number of waiting packets, rounded to whole packets or as it is.",
        },
        Parameter {
            name: "dead_band",
            kind: Kind::Number {
                min: 0.0,
                max: 1_000.0,
            },
            default: Value::Number(0.0),
            unit: "packets",
            doc: "So far from α an estimate still counts as equal. Should be less than α, else \
                  the window may stop growing while nothing waits.",
        },
        BASE_RTT_PERIOD,
        Parameter {
            name: "reading",
            kind: Kind::Choice(&["corrected", "literal"]),
            default: Value::Choice("corrected"),
            unit: "",
            doc: "As the text says, or the pseudo-code as it is printed, whose window never \
                  shrinks by its decrement phase.",
        },
    ],
    build: &build,
};

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    let number = |name| parameters.number(name).expect("it has a default");
    Box::new(RttBased {
        alpha: number("alpha"),
        k: number("k"),
        rounds: parameters.choice("occupancy") == "rounded",
        dead_band: number("dead_band"),
        literal: parameters.choice("reading") == "literal",
        segment: setup.segment,
        state: State {
            window: setup.initial_window.as_f64() / setup.segment.as_f64(),
            previous_window: setup.initial_window.as_f64() / setup.segment.as_f64(),
            phase: Phase::Increment,
            offset: FIRST_OFFSET,
            bound: 0.0,
            threshold: None,
        },
        before: Undo::new(),
        base: BaseRtt::from_parameters(parameters),
        monitor: None,
        acked: 0,
        repairing: false,
        occupancy: None,
    })
}

#[derive(Clone, Debug)]
struct RttBased {
    alpha: f64,
    k: f64,
    /// Whether the occupancy is rounded.
    rounds: bool,
    dead_band: f64,
    literal: bool,
    segment: Bytes,
    state: State,
    before: Undo<State>,
    base: BaseRtt,
    /// The monitor packet on its way; none: the next new packet will be it.
    monitor: Option<Monitor>,
    /// Packets acknowledged so far.
    acked: u64,
    /// A loss is being repaired.
    repairing: bool,
    /// The last estimate of the packets that wait.
    occupancy: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// In packets.
    window: f64,
    /// The window at the last ACK of a monitor packet.
    previous_window: f64,
    phase: Phase,
    /// In packets; see `bound`.
    offset: f64,
    /// Grows by two for each step while `offset` grows by one, so that they meet.
    bound: f64,
    /// Round trip, in seconds, at which growth ends; none: not yet known.
    threshold: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Increment,
    Decrement,
    Stable,
}

/// A packet whose round trip is measured.
#[derive(Clone, Copy, Debug)]
struct Monitor {
    number: u64,
    sent_at: Time,
    /// Packets acknowledged when it left.
    acked: u64,
}

impl State {
    fn step(&mut self, packets: f64) {
        // A window that a loss halved need not be whole.
        self.window = (self.window + packets).max(SMALLEST_WINDOW_PACKETS);
        self.offset += 1.0;
        self.bound += 2.0;
    }

    fn fall_back(&mut self) {
        self.phase = Phase::Stable;
        self.window = self.previous_window;
    }
}

impl RttBased {
    /// Part I: an ACK that advances the window.
    fn advance(&mut self, rtt: f64) {
        let state = &mut self.state;
        let exceeds = state.threshold.is_some_and(|threshold| rtt > threshold);
        match state.phase {
            Phase::Increment if exceeds => state.fall_back(),
            Phase::Increment if state.offset >= state.bound => state.step(1.0),
            Phase::Decrement
                if state.offset > state.bound && state.window > SMALLEST_WINDOW_PACKETS =>
            {
                state.step(-1.0);
            }
            _ => {}
        }
    }

    /// Part I as it is printed.
    fn advance_literally(&mut self, rtt: f64) {
        let state = &mut self.state;
        let below = state.threshold.is_none_or(|threshold| rtt < threshold);
        let exceeds = state.threshold.is_some_and(|threshold| rtt > threshold);
        if state.phase == Phase::Increment && below && state.offset >= state.bound {
            state.step(1.0);
        }
        if exceeds {
            state.fall_back();
        } else if state.phase == Phase::Decrement
            && state.offset <= state.bound
            && state.window > SMALLEST_WINDOW_PACKETS
        {
            state.step(-1.0);
        }
    }

    /// Part II: the ACK of the monitor packet.
    fn judge(&mut self, now: Time, monitor: Monitor) {
        let state = &mut self.state;
        state.bound = 0.0;
        state.previous_window = state.window;
        let rtt = now.saturating_since(monitor.sent_at).as_secs_f64();
        let Some(base) = self.base.get().map(Duration::as_secs_f64) else {
            return;
        };
        if rtt <= 0.0 {
            return;
        }
        let rate = self.acked.saturating_sub(monitor.acked) as f64 / rtt;
        let waiting = (rtt - base).max(0.0) * rate; // eq. 4
        let occupancy = if self.rounds {
            libm::round(waiting)
        } else {
            waiting
        };
        self.occupancy = Some(occupancy);
        state.threshold = Some(base + self.alpha / rate);
        let beyond = occupancy - self.alpha;
        if beyond > self.dead_band {
            state.phase = Phase::Decrement;
            state.offset = beyond * self.k; // eq. 6
        } else if beyond < -self.dead_band {
            if state.phase != Phase::Increment {
                state.phase = Phase::Increment;
                state.offset = 0.0;
            }
        } else {
            state.phase = Phase::Stable;
        }
    }

    /// §3.2: the window stays, and a new threshold is measured.
    fn end_repair(&mut self) {
        self.repairing = false;
        self.monitor = None;
        let state = &mut self.state;
        state.phase = Phase::Stable;
        state.previous_window = state.window;
        state.bound = 0.0;
    }
}

impl CongestionController for RttBased {
    fn limits(&self) -> Limits {
        // The one place where packets become bytes.
        Limits::of_window(Bytes((self.state.window * self.segment.as_f64()) as u64))
    }

    fn on_sent(&mut self, sent: &Sent) -> bool {
        if self.monitor.is_none() && !sent.retransmission && !self.repairing {
            self.monitor = Some(Monitor {
                number: sent.packet.number,
                sent_at: sent.packet.sent_at,
                acked: self.acked,
            });
        }
        false
    }

    fn on_ack(&mut self, ack: &Ack) {
        if ack.acked_packets == 0 {
            return;
        }
        self.acked += ack.acked_packets;
        if let Some(rtt) = ack.rtt {
            self.base.sample(ack.now, rtt);
        }
        if ack.in_recovery {
            return;
        }
        if self.repairing {
            self.end_repair();
        }
        if let Some(rtt) = ack.rtt
            && !ack.app_limited
        {
            if self.literal {
                self.advance_literally(rtt.as_secs_f64());
            } else {
                self.advance(rtt.as_secs_f64());
            }
        }
        if let Some(monitor) = self.monitor
            && ack.newest.number >= monitor.number
        {
            self.monitor = None;
            self.judge(ack.now, monitor);
        }
    }

    fn on_congestion(&mut self, congestion: &Congestion) {
        let begins = congestion.episode == Episode::Begins;
        let flight = congestion.flight_size.as_f64() / self.segment.as_f64();
        let half = flight.min(self.state.window) / 2.0;
        match congestion.signal {
            Signal::SourceQuench => {} // RFC 6633 §3: ignored
            Signal::Loss | Signal::EcnEcho => {
                if begins {
                    self.before.keep(&self.state);
                    self.state.window = half.max(LEAST_LEFT_PACKETS); // RFC 5681 §3.1 (4)
                    self.repairing = true;
                }
            }
            Signal::Timeout | Signal::PersistentCongestion => {
                if begins {
                    self.before.keep(&self.state);
                }
                self.monitor = None;
                self.repairing = false;
                self.state = State {
                    window: SMALLEST_WINDOW_PACKETS,
                    previous_window: SMALLEST_WINDOW_PACKETS,
                    phase: Phase::Increment,
                    offset: 0.0,
                    bound: 0.0,
                    threshold: None,
                };
            }
        }
    }

    fn on_spurious_congestion(&mut self) {
        if self.before.restore(&mut self.state) {
            self.repairing = false;
        }
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("window", self.state.window);
        if let Some(threshold) = self.state.threshold {
            visit("rtt_threshold", threshold);
        }
        if let Some(occupancy) = self.occupancy {
            visit("virtual_queue_occupancy", occupancy);
        }
        if let Some(base) = self.base.get() {
            visit("base_rtt", base.as_secs_f64());
        }
    }
}

/// "Initially … offset is set to one segment" (§3.1.2).
const FIRST_OFFSET: f64 = 1.0;
/// Smallest window, in packets.
const SMALLEST_WINDOW_PACKETS: f64 = 1.0;
/// Smallest window that a loss leaves, in packets (RFC 5681 §3.1 (4)).
const LEAST_LEFT_PACKETS: f64 = 2.0;
