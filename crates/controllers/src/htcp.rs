//! H-TCP: the longer since the last congestion, the faster the window grows; a loss leaves what fills
//! the path without its queue.
//!
//! Follows Leith and Shorten, H-TCP: TCP for high-speed and long-distance networks (2004), as Linux has
//! it. For a second after a congestion the window grows as Reno's; then by 1 + 10·(Δ − 1) + ((Δ −
//! 1)/2)² packets in a round trip, Δ being the seconds since, scaled by the round trip so that flows
//! grow alike in time. A loss keeps `RTTmin`/`RTTmax` of the window, from 1/2 to 4/5, where the throughput
//! was within a fifth of that of the epoch before; else half.
//!
//! Choice: the throughput of an epoch is the greatest mean, over a round trip, of what arrived.

use units::{Bytes, Duration, Time};

use crate::ack_clocked::{AckClocked, Law, Reduction};
use crate::parameters::COUNTING;
use crate::slow_start::LIMITED_SLOW_START;
use crate::window::Window;
use crate::{
    Ack, Carrier, CongestionController, Controller, Kind, Parameter, Parameters, Properties, Setup,
    Value,
};

/// H-TCP, by name.
pub const CONTROLLER: Controller = Controller {
    name: "h-tcp",
    summary: "Grows faster the longer since the last congestion; a loss leaves what fills the path.",
    source: "Leith and Shorten, H-TCP: TCP for high-speed and long-distance networks, 2004",
    carrier: Carrier::Window,
    properties: Properties::WINDOW,
    parameters: &[
        flag(
            "rtt_scaling",
            "Growth is scaled by the smallest round trip over 0.1 s, from 1/2 to 10, so that flows \
             grow alike in time. Default: yes (Linux).",
        ),
        flag(
            "adaptive_backoff",
            "A loss keeps RTTmin/RTTmax where the throughput is steady; otherwise always half. \
             Default: yes.",
        ),
        COUNTING,
        LIMITED_SLOW_START,
    ],
    build: &build,
};

const fn flag(name: &'static str, doc: &'static str) -> Parameter {
    Parameter {
        name,
        kind: Kind::Flag,
        default: Value::Flag(true),
        unit: "",
        doc,
    }
}

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    let law = HTcp {
        rtt_scaling: parameters.flag("rtt_scaling"),
        adaptive_backoff: parameters.flag("adaptive_backoff"),
        now: Time::ZERO,
        epoch_began: None,
        min_rtt: None,
        max_rtt: Duration::ZERO,
        beta: LEAST_BETA,
        throughput: Throughput::default(),
    };
    AckClocked::boxed(law, parameters, setup)
}

#[derive(Clone, Copy, Debug)]
struct HTcp {
    rtt_scaling: bool,
    adaptive_backoff: bool,
    now: Time,
    /// The last congestion; none before the first ACK.
    epoch_began: Option<Time>,
    min_rtt: Option<Duration>,
    /// Follows the greatest slowly, and fades with each congestion.
    max_rtt: Duration,
    /// Part of the window that the last loss kept.
    beta: f64,
    throughput: Throughput,
}

/// What arrives, in bytes per second.
#[derive(Clone, Copy, Debug, Default)]
struct Throughput {
    since: Time,
    received: Bytes,
    /// Greatest of this epoch.
    greatest: f64,
    /// Of the epoch before; none before the first congestion.
    before: Option<f64>,
}

impl Throughput {
    fn on_ack(&mut self, ack: &Ack, round_trip: Duration) {
        self.received = self.received.saturating_add(ack.newly_delivered);
        let interval = ack.now.saturating_since(self.since);
        if interval >= round_trip && !interval.is_zero() {
            let rate = self.received.as_f64() / interval.as_secs_f64();
            self.greatest = self.greatest.max(rate);
            self.restart(ack.now);
        }
    }

    fn restart(&mut self, now: Time) {
        self.since = now;
        self.received = Bytes::ZERO;
    }

    /// An epoch is over: whether its throughput was within a fifth of that of the one before.
    fn end_epoch(&mut self, now: Time) -> bool {
        let greatest = std::mem::take(&mut self.greatest);
        let before = self.before.replace(greatest);
        self.restart(now);
        before.is_some_and(|before| (greatest - before).abs() <= STEADY * before)
    }
}

impl HTcp {
    /// Packets that the window grows by in a round trip.
    fn alpha(&self) -> f64 {
        let since = self.epoch_began.unwrap_or(self.now);
        let seconds = self.now.saturating_since(since).as_secs_f64();
        let mut f = growth(seconds);
        if self.rtt_scaling
            && let Some(min_rtt) = self.min_rtt
        {
            let scale = (REFERENCE_RTT_S / min_rtt.as_secs_f64()).clamp(0.5, 10.0);
            f = (f / scale).max(1.0);
        }
        (2.0 * (1.0 - self.beta) * f).max(1.0)
    }

    fn back_off(&self, steady: bool) -> f64 {
        match self.min_rtt {
            Some(min_rtt)
                if self.adaptive_backoff
                    && steady
                    && min_rtt > LEAST_RTT
                    && !self.max_rtt.is_zero() =>
            {
                let ratio = min_rtt.as_secs_f64() / self.max_rtt.as_secs_f64();
                ratio.clamp(LEAST_BETA, GREATEST_BETA)
            }
            _ => LEAST_BETA,
        }
    }
}

/// The growth after `seconds` without congestion.
fn growth(seconds: f64) -> f64 {
    let beyond = seconds - LOW_SPEED_S;
    if beyond <= 0.0 {
        return 1.0;
    }
    1.0 + 10.0 * beyond + (beyond / 2.0) * (beyond / 2.0)
}

impl Law for HTcp {
    fn observe(&mut self, ack: &Ack, _: &Window) -> Option<f64> {
        self.now = ack.now;
        self.epoch_began.get_or_insert(ack.now);
        if let Some(rtt) = ack.rtt {
            let min = self.min_rtt.map_or(rtt, |min| min.min(rtt));
            self.min_rtt = Some(min);
            let step = self.max_rtt.max(min).saturating_add(LARGEST_STEP);
            self.max_rtt = self.max_rtt.max(rtt.min(step));
        }
        if ack.in_recovery {
            self.throughput.restart(ack.now);
        } else {
            let round_trip = self.min_rtt.unwrap_or(Duration::ZERO);
            self.throughput.on_ack(ack, round_trip);
        }
        None
    }

    fn increase(&mut self, window: f64, counted: f64) -> f64 {
        self.alpha() * counted / window
    }

    fn decrease(&mut self, reduction: &Reduction) -> f64 {
        let steady = self.throughput.end_epoch(reduction.now);
        self.beta = self.back_off(steady);
        self.epoch_began = Some(reduction.now);
        if let Some(min_rtt) = self.min_rtt {
            let queue = self.max_rtt.saturating_sub(min_rtt).as_secs_f64();
            self.max_rtt = min_rtt.saturating_add(Duration::from_secs_f64(FADE * queue));
        }
        reduction.flight * self.beta
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("alpha", self.alpha());
        visit("beta", self.beta);
    }
}

/// `Δ_L`: so long after a congestion the window grows as Reno's, in seconds.
const LOW_SPEED_S: f64 = 1.0;
/// Round trip at which growth is not scaled, in seconds.
const REFERENCE_RTT_S: f64 = 0.1;
/// Bounds of what a loss keeps.
const LEAST_BETA: f64 = 0.5;
const GREATEST_BETA: f64 = 0.8;
/// Throughputs that differ by no more than this part are alike.
const STEADY: f64 = 0.2;
/// With a smaller round trip a loss keeps half (Linux).
const LEAST_RTT: Duration = Duration::from_millis(10);
/// The greatest round trip rises by this at a time (Linux).
const LARGEST_STEP: Duration = Duration::from_millis(20);
/// What a congestion leaves of `RTTmax` − `RTTmin` (Linux).
const FADE: f64 = 0.95;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{build as built, loss, setup, window};
    use crate::{Congestion, PacketRef};

    #[test]
    fn growth_by_the_time_since_the_last_congestion() {
        for (seconds, expected) in [
            (0.5, 1.0),
            (1.0, 1.0),
            (1.5, 6.062_5),
            (2.0, 11.25),
            (3.0, 22.0),
            (5.0, 45.0),
            (10.0, 111.25),
            (20.0, 281.25),
        ] {
            assert_eq!(growth(seconds), expected);
        }
    }

    /// A window of so many packets in congestion avoidance, and its clock; round trips of 100 ms.
    struct Path {
        law: Box<dyn CongestionController>,
        now: Time,
    }

    impl Path {
        fn new(packets: u64) -> Self {
            let setup = Setup {
                initial_slow_start_threshold: Bytes(1_000) * 2,
                ..setup(packets)
            };
            Self {
                law: built(&CONTROLLER, &[], &setup),
                now: Time::ZERO,
            }
        }

        fn ack(&mut self, rtt_ms: u64, delivered: u64) {
            self.law.on_ack(&Ack {
                now: self.now,
                rtt: Some(Duration::from_millis(rtt_ms)),
                newly_delivered: Bytes(delivered),
                newest: PacketRef {
                    number: 0,
                    sent_at: self.now,
                },
                ..crate::testing::ack()
            });
        }

        /// A round of a whole window's ACKs, spread over 100 ms.
        fn round(&mut self) {
            let acks = window(&*self.law) as u64;
            for _ in 0..acks {
                self.now += Duration::from_millis(100) / acks;
                self.ack(100, 1_000);
            }
        }

        fn lose(&mut self) {
            let flight = window(&*self.law) as u64;
            self.law.on_congestion(&Congestion {
                now: self.now,
                ..loss(flight)
            });
        }
    }

    /// At 0.1 s a round adds f(Δ): after 3.70 s the integral of f/0.1 s is 3.70 s·10 up to 1 s (10
    /// packets), then 10·(2.7 + 5·2.7² + 2.7³/12) = 408: 418 packets more than at the beginning; after
    /// 3.96 s 500.
    #[test]
    fn recovery_without_loss() {
        for (rounds, grown) in [(37, 418.0), (40, 513.0)] {
            let mut path = Path::new(400);
            path.ack(100, 1_000);
            for _ in 0..rounds {
                path.round();
            }
            let ours = window(&*path.law) - 400.0;
            assert!((ours / grown - 1.0).abs() < 0.04, "{rounds}: {ours}");
        }
    }

    /// The first loss keeps half. The next two epochs deliver at 1 MB/s both, and the round trip has
    /// risen to 125 ms in steps of 20: 0.8. With 200 ms it is a half; an epoch at double the rate gives
    /// a half too.
    #[test]
    fn a_loss_keeps_what_fills_the_path() {
        for (rtt_ms, rate, kept) in [(125, 1, 0.8), (200, 1, 0.5), (110, 1, 0.8), (125, 2, 0.5)] {
            let mut path = Path::new(400);
            for epoch in 0..3 {
                let delivered = if epoch == 2 { rate } else { 1 } * 100_000;
                for _ in 0..8 {
                    path.now += Duration::from_millis(100);
                    path.ack(100, delivered);
                }
                for _ in 0..8 {
                    path.now += Duration::from_millis(100);
                    path.ack(rtt_ms, delivered);
                }
                let before = window(&*path.law);
                path.lose();
                let left = window(&*path.law) / before.floor();
                let expected = if epoch == 2 { kept } else { 0.5 };
                if epoch != 1 {
                    assert!((left - expected).abs() < 0.02, "{rtt_ms}, {rate}: {left}");
                }
            }
        }
    }
}
