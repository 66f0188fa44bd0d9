//! Illinois: losses say when to reduce, the queueing delay says how fast to grow and how much to
//! reduce.
//!
//! Follows Liu, Başar and Srikant, TCP-Illinois (2006), with the constants of Linux. Once a round trip
//! α falls from 10 packets, where nothing waits, to 0.3, where the path is at its longest, and β rises
//! from 1/8 to 1/2. Below 15 packets it is Reno.
//!
//! A round is over with the first ACK of a packet that left after it began.

use units::{Duration, Time};

use crate::ack_clocked::{AckClocked, Law, Reduction};
use crate::aimd::HALF;
use crate::parameters::COUNTING;
use crate::slow_start::LIMITED_SLOW_START;
use crate::window::Window;
use crate::{
    Ack, Carrier, CongestionController, Controller, Kind, Parameter, Parameters, Properties, Setup,
    Value,
};

/// Illinois, by name.
pub const CONTROLLER: Controller = Controller {
    name: "illinois",
    summary: "Grows fast and falls little while nothing waits, slowly and much near the longest delay.",
    source: "Liu, Başar and Srikant, TCP-Illinois: A Loss and Delay-Based Congestion Control, 2006",
    carrier: Carrier::Window,
    properties: Properties::WINDOW,
    parameters: &[
        number(
            "alpha_min",
            0.3,
            1_000.0,
            "packets",
            "Least increase for each round trip. Default: 0.3 (Linux).",
        ),
        number(
            "alpha_max",
            10.0,
            1_000.0,
            "packets",
            "Greatest increase for each round trip. Default: 10.",
        ),
        number(
            "beta_min",
            0.125,
            1.0,
            "",
            "Least part of the window that a loss takes. Default: 1/8.",
        ),
        number(
            "beta_max",
            0.5,
            1.0,
            "",
            "Greatest part of the window that a loss takes. Default: 1/2.",
        ),
        number(
            "window_threshold",
            15.0,
            1_000_000.0,
            "packets",
            "Below this window it is Reno. Default: 15 (Linux).",
        ),
        Parameter {
            name: "theta",
            kind: Kind::Integer { min: 1, max: 1_000 },
            default: Value::Integer(5),
            unit: "round trips",
            doc: "So many in a row with an empty queue bring α back to its greatest value. Default: 5.",
        },
        COUNTING,
        LIMITED_SLOW_START,
    ],
    build: &build,
};

const fn number(
    name: &'static str,
    default: f64,
    max: f64,
    unit: &'static str,
    doc: &'static str,
) -> Parameter {
    Parameter {
        name,
        kind: Kind::Number { min: 0.0, max },
        default: Value::Number(default),
        unit,
        doc,
    }
}

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    let number = |name| parameters.number(name).expect("it has a default");
    let alpha = (number("alpha_min"), number("alpha_max"));
    let settings = Settings {
        alpha,
        beta: (number("beta_min"), number("beta_max")),
        window_threshold: number("window_threshold"),
        theta: number("theta") as u32,
    };
    let law = Illinois {
        settings,
        alpha: alpha.1,
        beta: HALF,
        base_rtt: None,
        max_rtt: Duration::ZERO,
        was_above: false,
        low_rounds: 0,
        round: Round::default(),
    };
    AckClocked::boxed(law, parameters, setup)
}

/// What is set: pairs are the least and the greatest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Settings {
    alpha: (f64, f64),
    beta: (f64, f64),
    window_threshold: f64,
    theta: u32,
}

#[derive(Clone, Copy, Debug)]
struct Illinois {
    settings: Settings,
    /// In packets for each round trip.
    alpha: f64,
    /// Part of the window that a loss takes.
    beta: f64,
    base_rtt: Option<Duration>,
    max_rtt: Duration,
    /// The delay has been above its first threshold.
    was_above: bool,
    /// Rounds in a row that it has not.
    low_rounds: u32,
    round: Round,
}

#[derive(Clone, Copy, Debug, Default)]
struct Round {
    began: Time,
    sum: Duration,
    count: u64,
}

impl Illinois {
    /// Once each round: `mean` and `most` are the queueing delays, in seconds.
    fn adapt(&mut self, mean: f64, most: f64) {
        let Settings { alpha, beta, .. } = self.settings;
        let first = most * ALPHA_THRESHOLD;
        if mean > first {
            self.was_above = true;
            self.low_rounds = 0;
            let (room, beyond) = (most - first, mean - first);
            self.alpha = room * alpha.1 / (room + beyond * (alpha.1 - alpha.0) / alpha.0);
        } else if self.was_above {
            self.low_rounds += 1;
            if self.low_rounds >= self.settings.theta {
                self.was_above = false;
                self.low_rounds = 0;
                self.alpha = alpha.1;
            }
        } else {
            self.alpha = alpha.1;
        }
        let (second, third) = (most * BETA_FROM, most * BETA_TO);
        self.beta = if mean <= second {
            beta.0
        } else if mean >= third || third <= second {
            beta.1
        } else {
            (beta.0 * third - beta.1 * second + (beta.1 - beta.0) * mean) / (third - second)
        };
    }
}

impl Law for Illinois {
    fn observe(&mut self, ack: &Ack, window: &Window) -> Option<f64> {
        if let Some(rtt) = ack.rtt {
            self.base_rtt = Some(self.base_rtt.map_or(rtt, |base| base.min(rtt)));
            self.max_rtt = self.max_rtt.max(rtt);
            self.round.sum = self.round.sum.saturating_add(rtt);
            self.round.count += 1;
        }
        if ack.newest.sent_at < self.round.began {
            return None;
        }
        let Round { sum, count, .. } = self.round;
        self.round = Round {
            began: ack.now,
            ..Round::default()
        };
        if window.size < self.settings.window_threshold {
            (self.alpha, self.beta) = (RENO_ALPHA, HALF);
        } else if let Some(base) = self.base_rtt.filter(|_| count > 0) {
            let base = base.as_secs_f64();
            let mean = sum.as_secs_f64() / count as f64 - base;
            self.adapt(mean, self.max_rtt.as_secs_f64() - base);
        }
        None
    }

    fn increase(&mut self, window: f64, counted: f64) -> f64 {
        self.alpha * counted / window
    }

    fn decrease(&mut self, reduction: &Reduction) -> f64 {
        reduction.flight * (1.0 - self.beta)
    }

    fn restart(&mut self) {
        (self.alpha, self.beta) = (RENO_ALPHA, HALF);
        self.was_above = false;
        self.low_rounds = 0;
        (self.round.sum, self.round.count) = (Duration::ZERO, 0);
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("alpha", self.alpha);
        visit("beta", self.beta);
    }
}

/// α below the window threshold, and after a timeout.
const RENO_ALPHA: f64 = 1.0;
/// Up to this part of the greatest delay α is greatest (d₁).
const ALPHA_THRESHOLD: f64 = 0.01;
/// Up to this part of the greatest delay β is least (d₂), from this part on greatest (d₃).
const BETA_FROM: f64 = 0.1;
const BETA_TO: f64 = 0.8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PacketRef;
    use crate::testing::{build as built, loss, setup, timeout, window};

    /// A law of 100 packets on a path of 100 ms, and its clock.
    struct Path {
        law: Box<dyn CongestionController>,
        now: Time,
    }

    impl Path {
        fn new(packets: u64) -> Self {
            let setup = Setup {
                initial_slow_start_threshold: units::Bytes(1_000) * 10,
                ..setup(packets)
            };
            Self {
                law: built(&CONTROLLER, &[], &setup),
                now: Time::ZERO,
            }
        }

        /// One ACK, a round of its own, that measured `rtt_us`.
        fn round(&mut self, rtt_us: u64) {
            let sent_at = self.now;
            let rtt = Duration::from_micros(rtt_us);
            self.now += rtt;
            self.law.on_ack(&Ack {
                now: self.now,
                rtt: Some(rtt),
                newest: PacketRef { number: 0, sent_at },
                app_limited: true, // the window stays
                ..crate::testing::ack()
            });
        }

        fn read(&self) -> (f64, f64) {
            let (mut alpha, mut beta) = (0.0, 0.0);
            self.law.variables(&mut |name, value| match name {
                "alpha" => alpha = value,
                "beta" => beta = value,
                _ => {}
            });
            (alpha, beta)
        }
    }

    /// Greatest delay 100 ms over 100 ms: d₁ = 1, d₂ = 10, d₃ = 80 ms. At 2 ms: 99·10/(99 + 1·9.7/0.3) =
    /// 990/131.33 = 7.538. At 25 ms: (0.125·80 − 0.5·10 + 0.375·25)/70 = 0.2054.
    #[test]
    fn alpha_and_beta_by_the_delay() {
        for (delay_ms, alpha, beta) in [
            (2, 7.538, 0.125),
            (5, 4.336, 0.125),
            (10, 2.539, 0.125),
            (25, 1.131, 0.205_4),
            (50, 0.588, 0.339_3),
            (80, 0.373, 0.5),
            (100, 0.3, 0.5),
        ] {
            let mut path = Path::new(100);
            path.round(100_000);
            path.round(200_000);
            path.round(100_000 + 1_000 * delay_ms);
            let (ours, part) = path.read();
            assert!((ours - alpha).abs() < 6e-4, "{delay_ms}: {ours}");
            assert!((part - beta).abs() < 6e-5, "{delay_ms}: {part}");
        }
    }

    /// A delay of half a millisecond is below d₁. It was above before: five such rounds in a row.
    #[test]
    fn an_empty_queue_counts_after_five_rounds() {
        let mut path = Path::new(100);
        path.round(100_000);
        assert_eq!(path.read(), (10.0, 0.125));
        path.round(200_000);
        for _ in 0..4 {
            path.round(100_500);
            assert_eq!(path.read(), (0.3, 0.125));
        }
        path.round(100_500);
        assert_eq!(path.read(), (10.0, 0.125));
    }

    #[test]
    fn below_fifteen_packets_it_is_reno() {
        let mut path = Path::new(14);
        path.round(100_000);
        path.round(100_000);
        assert_eq!(path.read(), (1.0, 0.5));
        path.law.on_congestion(&loss(14));
        assert_eq!(window(&*path.law), 7.0);
    }

    /// Nothing waits: 60 packets lose an eighth, 52.5. After a timeout α is 1, β 1/2.
    #[test]
    fn a_loss_takes_beta_and_a_timeout_forgets() {
        let mut path = Path::new(60);
        path.round(100_000);
        path.law.on_congestion(&loss(60));
        assert_eq!(window(&*path.law), 52.5);
        path.law.on_congestion(&timeout(52));
        assert_eq!(path.read(), (1.0, 0.5));
    }
}
