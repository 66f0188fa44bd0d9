//! Vegas: keeps between α and β packets in the queues, judged once each round trip by how far the
//! actual rate stays behind the expected one.
//!
//! Follows Brakmo and Peterson, TCP Vegas: End to End Congestion Avoidance on a Global Internet
//! (1995), §III.B and §III.C; what its text leaves open is as its authors' code and ns-2.35 have it:
//! an eighth of the window goes when slow start ends, a quarter at a loss, and after a timeout the
//! window is two packets.
//!
//! Not here: the retransmission on the first duplicate ACK when a fine-grained timeout has passed
//! (§III.A). It belongs to the transport (`recovery = "vegas"`).

use units::{Duration, Time};

use crate::base_rtt::{BASE_RTT_PERIOD, BaseRtt};
use crate::undo::Undo;
use crate::window::Window;
use crate::{
    Ack, Carrier, Congestion, CongestionController, Controller, Episode, Kind, Limits, Parameter,
    Parameters, Properties, Sent, Setup, Signal, Value,
};

/// Vegas, by name.
pub const CONTROLLER: Controller = Controller {
    name: "vegas",
    summary: "Keeps α to β packets in the queues, by expected and actual rate in each round trip.",
    source: "Brakmo and Peterson, TCP Vegas: End to End Congestion Avoidance on a Global Internet, 1995",
    carrier: Carrier::Window,
    properties: Properties::WINDOW,
    parameters: &[
        threshold(
            "alpha",
            1.0,
            "Fewer packets than this in the queues: the window grows.",
        ),
        threshold(
            "beta",
            3.0,
            "More packets than this in the queues: the window shrinks.",
        ),
        threshold(
            "gamma",
            1.0,
            "More packets than this in the queues end slow start.",
        ),
        BASE_RTT_PERIOD,
    ],
    build: &build,
};

const fn threshold(name: &'static str, default: f64, doc: &'static str) -> Parameter {
    Parameter {
        name,
        kind: Kind::Number {
            min: 0.0,
            max: 1_000.0,
        },
        default: Value::Number(default),
        unit: "packets",
        doc,
    }
}

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    let thresholds = Thresholds::new(parameters);
    Box::new(Vegas {
        thresholds,
        state: State {
            window: Window::new(setup),
            growth: Growth::Hold,
        },
        before: Undo::new(),
        reduced_at: None,
        base: BaseRtt::new(thresholds.base_rtt_period),
        round: Round::default(),
        next: 0,
        difference: 0.0,
    })
}

/// What the parameters of [`CONTROLLER`] choose. α, β and γ are in packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Fewer packets than this in the queues: the window grows.
    pub alpha: f64,
    /// More packets than this in the queues: the window shrinks.
    pub beta: f64,
    /// More packets than this in the queues end slow start.
    pub gamma: f64,
    /// The smallest round trip is forgotten after one to two of these; zero: never.
    pub base_rtt_period: Duration,
}

impl Thresholds {
    /// Those that `parameters` give.
    pub fn new(parameters: &Parameters) -> Self {
        let number = |name| parameters.number(name).expect("it has a default");
        Self {
            alpha: number("alpha"),
            beta: number("beta"),
            gamma: number("gamma"),
            base_rtt_period: parameters.duration(BASE_RTT_PERIOD.name),
        }
    }
}

#[derive(Clone, Debug)]
struct Vegas {
    thresholds: Thresholds,
    state: State,
    before: Undo<State>,
    /// When a loss last reduced the window.
    reduced_at: Option<Time>,
    base: BaseRtt,
    round: Round,
    /// Number of the next packet in line.
    next: u64,
    /// Expected less actual, in packets, at the end of the last round.
    difference: f64,
}

#[derive(Clone, Copy, Debug)]
struct State {
    window: Window,
    growth: Growth,
}

/// What the ACKs of a round do to the window.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Growth {
    Hold,
    /// One packet each: slow start, every other round.
    Double,
    /// This much each: one packet a round.
    Linear(f64),
}

/// From one distinguished packet to the next.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    /// Number of the distinguished packet, whose ACK ends the round.
    first: u64,
    rtt_sum: Duration,
    rtt_count: u64,
}

impl Vegas {
    /// The distinguished packet is acknowledged.
    fn end_round(&mut self, ack: &Ack) {
        let next = self.next_round();
        let round = std::mem::replace(&mut self.round, next);
        let sent = self.next.saturating_sub(round.first) as f64;
        let in_transit = self.next.saturating_sub(ack.newest.number) as f64;
        let mean = (round.rtt_count > 0).then(|| round.rtt_sum / round.rtt_count);
        let Some(rtt) = ack.rtt.or(mean).filter(|rtt| !rtt.is_zero()) else {
            return;
        };
        let base = self.base.get().unwrap_or(rtt).as_secs_f64();
        let rtt = rtt.as_secs_f64();
        self.difference = (in_transit / base - sent / rtt) * base;
        self.adjust();
    }

    /// Once each round: §III.B (2) in congestion avoidance, §III.C in slow start.
    fn adjust(&mut self) {
        let state = &mut self.state;
        let difference = self.difference;
        let Thresholds {
            alpha, beta, gamma, ..
        } = self.thresholds;
        if state.window.is_in_slow_start() {
            state.growth = match state.growth {
                Growth::Hold => Growth::Double,
                _ => Growth::Hold,
            };
            if difference > gamma {
                state.window.slow_start_threshold = SMALLEST_WINDOW_PACKETS;
                state.window.size -= state.window.size / 8.0;
                state.window.size = state.window.size.max(SMALLEST_WINDOW_PACKETS);
                state.growth = Growth::Hold;
            }
        } else if difference > beta {
            state.window.size = (state.window.size - 1.0).max(SMALLEST_WINDOW_PACKETS);
            state.growth = Growth::Hold;
        } else if difference < alpha {
            state.growth = Growth::Linear(1.0 / state.window.size);
        } else {
            state.growth = Growth::Hold;
        }
    }

    fn grow(&mut self, ack: &Ack) {
        let state = &mut self.state;
        if state.growth == Growth::Double && !state.window.is_in_slow_start() {
            state.growth = Growth::Hold;
        }
        let unused = self.state.window.size - self.next.saturating_sub(ack.newest.number) as f64;
        if unused > MOST_UNUSED_PACKETS || ack.app_limited {
            return;
        }
        self.state.window.size += match self.state.growth {
            Growth::Hold => 0.0,
            Growth::Double => 1.0,
            Growth::Linear(growth) => growth,
        };
    }

    /// A round whose distinguished packet is the next one.
    fn next_round(&self) -> Round {
        Round {
            first: self.next,
            ..Round::default()
        }
    }

    fn sample(&mut self, ack: &Ack) {
        if let Some(rtt) = ack.rtt {
            self.base.sample(ack.now, rtt);
            self.round.rtt_sum = self.round.rtt_sum.saturating_add(rtt);
            self.round.rtt_count += 1;
        }
    }

    /// A loss: three quarters of `flight` packets stay, if the lost packet left after the last
    /// reduction.
    fn reduce(&mut self, congestion: &Congestion, flight: f64) {
        let sent_at = congestion.newest.sent_at;
        if self.reduced_at.is_some_and(|at| at >= sent_at) {
            return;
        }
        self.before.keep(&self.state);
        self.reduced_at = Some(congestion.now);
        let state = &mut self.state;
        state.window.size = flight * LOSS_KEEPS;
        if flight < 4.0 || state.window.size < SMALLEST_WINDOW_PACKETS {
            state.window.size = SMALLEST_WINDOW_PACKETS;
        }
        state.window.slow_start_threshold = SMALLEST_WINDOW_PACKETS;
        if state.growth == Growth::Double {
            state.growth = Growth::Hold;
        }
    }
}

impl CongestionController for Vegas {
    fn limits(&self) -> Limits {
        self.state.window.limits()
    }

    fn on_sent(&mut self, sent: &Sent) -> bool {
        self.next = self.next.max(sent.packet.number + 1);
        false
    }

    fn on_ack(&mut self, ack: &Ack) {
        if ack.acked_packets == 0 {
            return;
        }
        self.next = self.next.max(ack.newest.number + 1);
        self.sample(ack);
        let ends = ack.newest.number >= self.round.first;
        if ack.in_recovery {
            if ends {
                self.round = self.next_round();
            }
            return;
        }
        if ends {
            self.end_round(ack);
        }
        self.grow(ack);
    }

    fn on_congestion(&mut self, congestion: &Congestion) {
        let begins = congestion.episode == Episode::Begins;
        let flight = self.state.window.flight(congestion);
        match congestion.signal {
            Signal::SourceQuench => {} // RFC 6633 §3: ignored
            Signal::Loss | Signal::EcnEcho => {
                if begins {
                    self.reduce(congestion, flight);
                }
            }
            Signal::Timeout | Signal::PersistentCongestion => {
                if begins {
                    self.before.keep(&self.state);
                    self.state.window.slow_start_threshold =
                        libm::trunc(flight / 2.0).max(SMALLEST_WINDOW_PACKETS);
                }
                self.state.window.size = SMALLEST_WINDOW_PACKETS;
                self.state.growth = Growth::Hold;
                self.reduced_at = Some(congestion.now);
            }
        }
    }

    fn on_spurious_congestion(&mut self) {
        self.before.restore(&mut self.state);
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        self.state.window.variables(visit);
        visit("expected_less_actual", self.difference);
        if let Some(base) = self.base.get() {
            visit("base_rtt", base.as_secs_f64());
        }
    }
}

/// Smallest window, and the one after a timeout, in packets (`v_slowstart_` in ns-2.35).
const SMALLEST_WINDOW_PACKETS: f64 = 2.0;
/// Fraction of the window kept after a loss (ns-2.35; the paper gives none).
const LOSS_KEEPS: f64 = 0.75;
/// The window does not grow while more of it than this is not in use (ns-2.35).
const MOST_UNUSED_PACKETS: f64 = 2.0;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use units::Bytes;

    use super::*;
    use crate::testing::{ack, loss, setup, timeout, window};
    use crate::{PacketRef, Setup};

    /// A path of 100 ms whose queue holds `queued` packets at 1 ms each: a round of a whole
    /// window, one ACK for each packet.
    struct Path {
        vegas: Box<dyn CongestionController>,
        acked: u64,
        sent: u64,
        now: Time,
    }

    impl Path {
        fn new(setup: &Setup) -> Self {
            let parameters = CONTROLLER.resolve(&BTreeMap::new()).unwrap();
            Self {
                vegas: (CONTROLLER.build)(&parameters, setup),
                acked: 0,
                sent: 0,
                now: Time::ZERO,
            }
        }

        fn send(&mut self) {
            while self.sent - self.acked < window(&*self.vegas) as u64 {
                self.vegas.on_sent(&Sent {
                    packet: PacketRef {
                        number: self.sent,
                        sent_at: self.now,
                    },
                    size: Bytes(1_000),
                    in_flight: Bytes(1_000) * (self.sent - self.acked + 1),
                    retransmission: false,
                });
                self.sent += 1;
            }
        }

        /// The ACKs of all that is out, with that round trip.
        fn round(&mut self, rtt_ms: u64) -> f64 {
            self.send();
            let until = self.sent;
            self.now = self.now.saturating_add(Duration::from_millis(rtt_ms));
            while self.acked < until {
                self.vegas.on_ack(&Ack {
                    now: self.now,
                    rtt: Some(Duration::from_millis(rtt_ms)),
                    newest: PacketRef {
                        number: self.acked,
                        sent_at: self.now,
                    },
                    ..ack()
                });
                self.acked += 1;
                self.send();
            }
            window(&*self.vegas)
        }
    }

    fn avoiding(packets: u64) -> Setup {
        Setup {
            initial_slow_start_threshold: Bytes(2_000),
            ..setup(packets)
        }
    }

    #[test]
    fn slow_start_doubles_every_other_round() {
        let mut path = Path::new(&setup(2));
        let windows: Vec<f64> = (0..6).map(|_| path.round(100)).collect();
        // The first ACK of the connection ends a round already: that round grows.
        assert_eq!(windows, [4.0, 4.0, 8.0, 8.0, 16.0, 16.0]);
    }

    /// w packets in R ms on a path of 100 ms: w − 100·w/R of them wait. With 9 to 13 packets that
    /// is at most 0.62 < α = 1 at 105 ms, 1.5 to 2.2 at 120 ms, and at least 3.3 > β = 3 at 160 ms.
    #[test]
    fn avoidance_keeps_alpha_to_beta_packets_waiting() {
        for (rtt_ms, change) in [(105, 1.0), (120, 0.0), (160, -1.0)] {
            let mut path = Path::new(&avoiding(10));
            path.round(100);
            let before = path.round(100); // base round trip: it grew by 1/w for each ACK
            path.round(rtt_ms);
            let held = path.round(rtt_ms);
            let after = path.round(rtt_ms);
            assert!(before > 10.0);
            let moved = after - held;
            assert!((moved - change).abs() < 0.11, "{rtt_ms}: {moved}");
        }
    }

    /// 8 packets at 100 ms, then a round at 130 ms: of 16 (slow start has doubled them) 16 − 16/1.3 =
    /// 3.7 wait, more than γ = 1. An eighth goes: 14, and the threshold is 2.
    #[test]
    fn slow_start_ends_when_gamma_packets_wait_and_an_eighth_goes() {
        let mut path = Path::new(&setup(8));
        assert_eq!(path.round(100), 16.0);
        assert_eq!(path.round(130), 14.0);
        let mut threshold = 0.0;
        path.vegas.variables(&mut |name, value| {
            if name == "slow_start_threshold" {
                threshold = value;
            }
        });
        assert_eq!(threshold, 2.0);
    }

    /// A timeout leaves the threshold at half of what was out, in whole packets: ⌊21/2⌋ = 10; slow
    /// start runs up to there.
    #[test]
    fn a_timeout_leaves_half_as_the_threshold() {
        let mut path = Path::new(&avoiding(30));
        path.vegas.on_congestion(&timeout(21));
        let mut values = vec![];
        path.vegas.variables(&mut |name, value| {
            if ["window", "slow_start_threshold"].contains(&name) {
                values.push(value);
            }
        });
        assert_eq!(values, [2.0, 10.0]);
    }

    #[test]
    fn a_window_is_reduced_once_for_what_was_sent_before() {
        let mut path = Path::new(&avoiding(20));
        let at = |ms| Time::ZERO.saturating_add(Duration::from_millis(ms));
        let lost = |now, sent_at| Congestion {
            now: at(now),
            newest: PacketRef {
                number: 5,
                sent_at: at(sent_at),
            },
            ..loss(20)
        };
        path.vegas.on_congestion(&lost(200, 100));
        assert_eq!(window(&*path.vegas), 15.0);
        path.vegas.on_congestion(&lost(210, 150));
        assert_eq!(window(&*path.vegas), 15.0);
        path.vegas.on_congestion(&lost(400, 300));
        assert_eq!(window(&*path.vegas), 11.25);
    }

    #[test]
    fn a_timeout_starts_again_from_two_packets() {
        let mut path = Path::new(&avoiding(20));
        path.vegas.on_congestion(&timeout(20));
        assert_eq!(window(&*path.vegas), 2.0);
        // Half of the 20 outstanding.
        let mut threshold = 0.0;
        path.vegas.variables(&mut |name, value| {
            if name == "slow_start_threshold" {
                threshold = value;
            }
        });
        assert_eq!(threshold, 10.0);
        path.vegas.on_spurious_congestion();
        assert_eq!(window(&*path.vegas), 20.0);
    }
}
