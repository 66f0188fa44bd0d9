//! Westwood+: after a loss the window is what the measured bandwidth fills without a queue, so that a
//! loss without congestion costs little.
//!
//! Follows Grieco and Mascolo, Performance evaluation and comparison of Westwood+, New Reno, and Vegas
//! TCP congestion control (2004), as Linux has it: one sample of the bandwidth each round trip, at
//! least 50 ms, through two filters in a row that keep 7/8; the smallest round trip is measured anew
//! after a timeout. During the repair the window is Reno's half; when it is over, bandwidth ×
//! smallest round trip. It grows as Reno's.

use units::{Bytes, Duration, Time};

use crate::ack_clocked::{AckClocked, Law, Reduction};
use crate::aimd::HALF;
use crate::parameters::COUNTING;
use crate::slow_start::LIMITED_SLOW_START;
use crate::window::Window;
use crate::{Ack, Carrier, CongestionController, Controller, Parameters, Properties, Setup};

/// Westwood+, by name.
pub const CONTROLLER: Controller = Controller {
    name: "westwood+",
    summary: "After a loss the window is the measured bandwidth times the smallest round trip.",
    source: "Grieco and Mascolo, Performance evaluation and comparison of Westwood+, New Reno, and \
             Vegas TCP congestion control, 2004",
    carrier: Carrier::Window,
    properties: Properties::WINDOW,
    parameters: &[COUNTING, LIMITED_SLOW_START],
    build: &build,
};

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    let law = Westwood {
        segment: setup.segment,
        bandwidth: Bandwidth::default(),
        last_rtt: Duration::ZERO,
        min_rtt: None,
        renews_min_rtt: false,
        repairing: false,
    };
    AckClocked::boxed(law, parameters, setup)
}

#[derive(Clone, Copy, Debug)]
struct Westwood {
    segment: Bytes,
    bandwidth: Bandwidth,
    last_rtt: Duration,
    min_rtt: Option<Duration>,
    /// The next round trip replaces the smallest.
    renews_min_rtt: bool,
    /// A loss was found, and the ACK that ends its repair has not come.
    repairing: bool,
}

/// An estimate of the bandwidth, in bytes per second.
#[derive(Clone, Copy, Debug, Default)]
struct Bandwidth {
    /// What has arrived since the last sample.
    arrived: Bytes,
    /// When that was; none before the first ACK.
    sampled_at: Option<Time>,
    /// The first filter's output and the second's; none before the first sample.
    estimate: Option<(f64, f64)>,
}

impl Bandwidth {
    /// An ACK arrived; what it tells of counts for the next sample.
    fn on_ack(&mut self, now: Time, arrived: Bytes, rtt: Duration) {
        let sampled_at = *self.sampled_at.get_or_insert(now);
        let interval = now.saturating_since(sampled_at);
        if interval > rtt.max(SHORTEST_INTERVAL) {
            self.sample(self.arrived.as_f64() / interval.as_secs_f64());
            self.arrived = Bytes::ZERO;
            self.sampled_at = Some(now);
        }
        self.arrived = self.arrived.saturating_add(arrived);
    }

    fn sample(&mut self, sample: f64) {
        self.estimate = Some(match self.estimate {
            None => (sample, sample),
            Some((first, second)) => {
                let first = KEPT * first + (1.0 - KEPT) * sample;
                (first, KEPT * second + (1.0 - KEPT) * first)
            }
        });
    }
}

impl Westwood {
    /// Packets that fill the path and no queue, if that is known.
    fn pipe(&self) -> Option<f64> {
        let (_, bandwidth) = self.bandwidth.estimate?;
        Some(bandwidth * self.min_rtt?.as_secs_f64() / self.segment.as_f64())
    }
}

impl Law for Westwood {
    fn observe(&mut self, ack: &Ack, _: &Window) -> Option<f64> {
        if let Some(rtt) = ack.rtt {
            let renews = std::mem::take(&mut self.renews_min_rtt);
            let known = self.min_rtt.filter(|_| !renews);
            self.min_rtt = Some(known.map_or(rtt, |min| min.min(rtt)));
            self.last_rtt = rtt;
        }
        self.bandwidth
            .on_ack(ack.now, ack.newly_delivered, self.last_rtt);
        if !self.repairing || ack.in_recovery || ack.acked_packets == 0 {
            return None;
        }
        self.repairing = false;
        self.pipe()
    }

    fn increase(&mut self, window: f64, counted: f64) -> f64 {
        counted / window
    }

    fn decrease(&mut self, reduction: &Reduction) -> f64 {
        self.repairing = true;
        reduction.flight * HALF
    }

    fn time_out(&mut self, reduction: &Reduction) -> f64 {
        self.pipe().unwrap_or(reduction.flight * HALF)
    }

    fn restart(&mut self) {
        self.repairing = false;
        self.renews_min_rtt = true;
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        if let Some((_, bandwidth)) = self.bandwidth.estimate {
            visit("bandwidth_estimate", bandwidth * 8.0);
        }
    }
}

/// What a filter keeps of its last output.
const KEPT: f64 = 0.875;
/// Samples are over this at least (Linux).
const SHORTEST_INTERVAL: Duration = Duration::from_millis(50);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{build as built, loss, setup, timeout, window};

    /// From nothing to 1: 1/8, then 7/8 of that and 1/8; the second filter an eighth of each.
    #[test]
    fn two_filters_in_a_row() {
        let mut bandwidth = Bandwidth::default();
        bandwidth.sample(0.0);
        for (first, second) in [(0.125, 0.015_6), (0.234_4, 0.043_0), (0.330_1, 0.078_9)] {
            bandwidth.sample(1.0);
            let ours = bandwidth.estimate.unwrap();
            assert!((ours.0 - first).abs() < 6e-5 && (ours.1 - second).abs() < 6e-5);
        }
        let mut samples = 3;
        while bandwidth.estimate.unwrap().1 < 0.9 {
            bandwidth.sample(1.0);
            samples += 1;
        }
        assert_eq!(samples, 29);
    }

    /// Packets of 1000 B arrive at 1250 a second (10 Mb/s), the round trip being 100 ms: 125 packets
    /// fill the path.
    fn measured() -> (Box<dyn CongestionController>, Time) {
        let setup = Setup {
            initial_slow_start_threshold: Bytes(1_000) * 2,
            ..setup(200)
        };
        let mut law = built(&CONTROLLER, &[], &setup);
        let mut now = Time::ZERO;
        for _ in 0..2_500 {
            now += Duration::from_micros(800);
            law.on_ack(&at(now, false));
        }
        (law, now)
    }

    fn at(now: Time, in_recovery: bool) -> Ack {
        Ack {
            now,
            rtt: Some(Duration::from_millis(100)),
            newly_delivered: Bytes(1_000),
            in_recovery,
            app_limited: true, // the window stays
            ..crate::testing::ack()
        }
    }

    /// Of 200 packets half stays during the repair, and 125 after it: within a sample's end of a packet.
    #[test]
    fn after_the_repair_the_window_fills_the_path() {
        let (mut law, now) = measured();
        law.on_congestion(&loss(200));
        assert_eq!(window(&*law), 100.0);
        law.on_ack(&at(now, true));
        assert_eq!(window(&*law), 100.0);
        law.on_ack(&at(now, false));
        let ours = window(&*law);
        assert!((124.0..=125.5).contains(&ours), "{ours}");
        law.on_ack(&at(now, false));
        assert_eq!(window(&*law), ours, "once");
    }

    #[test]
    fn a_timeout_leaves_what_fills_the_path_as_the_threshold() {
        let (mut law, now) = measured();
        law.on_congestion(&timeout(200));
        assert_eq!(window(&*law), 1.0);
        let mut threshold = 0.0;
        law.variables(&mut |name, value| {
            if name == "slow_start_threshold" {
                threshold = value;
            }
        });
        assert!((124.0..=125.5).contains(&threshold), "{threshold}");
        // The next round trip is the smallest one, though it is longer.
        law.on_ack(&Ack {
            rtt: Some(Duration::from_millis(150)),
            ..at(now, false)
        });
        law.on_congestion(&loss(200));
        law.on_ack(&at(now, false));
        let ours = window(&*law);
        assert!((124.0..=125.5).contains(&ours), "100 ms again: {ours}");
    }

    #[test]
    fn before_the_first_sample_it_is_reno() {
        let mut law = built(&CONTROLLER, &[], &setup(40));
        law.on_congestion(&loss(40));
        law.on_ack(&Ack {
            app_limited: true,
            ..crate::testing::ack()
        });
        assert_eq!(window(&*law), 20.0);
    }
}
