//! Hybla: a flow with a long round trip grows as fast, in packets a second, as one with a round trip
//! of 25 ms.
//!
//! Follows Caini and Firrincieli, TCP Hybla (2004), as Linux has it: ρ = SRTT/RTT₀, at least 1, taken
//! at the first round trip and whenever the smoothed one falls below its smallest; slow start adds
//! 2^ρ − 1 packets for each ACK, with ρ no more than 16 there, and ends at its threshold exactly;
//! congestion avoidance adds ρ²/w.
//!
//! Not here: the initial window of ρ packets.

use units::Duration;

use crate::ack_clocked::{AckClocked, Law, Reduction};
use crate::aimd::HALF;
use crate::parameters::COUNTING;
use crate::slow_start::LIMITED_SLOW_START;
use crate::window::Window;
use crate::{
    Ack, Carrier, CongestionController, Controller, Kind, Parameter, Parameters, Properties, Setup,
    Value,
};

/// Hybla, by name.
pub const CONTROLLER: Controller = Controller {
    name: "hybla",
    summary: "Grows as a flow with a round trip of 25 ms would, whatever its own.",
    source: "Caini and Firrincieli, TCP Hybla: a TCP enhancement for heterogeneous networks, 2004",
    carrier: Carrier::Window,
    properties: Properties::WINDOW,
    parameters: &[
        Parameter {
            name: "reference_rtt",
            kind: Kind::Duration,
            default: Value::Duration(Duration::from_millis(25)),
            unit: "",
            doc: "RTT₀. Default: 25 ms (Caini and Firrincieli; Linux).",
        },
        COUNTING,
        LIMITED_SLOW_START,
    ],
    build: &build,
};

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    let law = Hybla {
        reference: parameters.duration("reference_rtt"),
        least: None,
        rho: 1.0,
    };
    AckClocked::boxed(law, parameters, setup)
}

#[derive(Clone, Copy, Debug)]
struct Hybla {
    reference: Duration,
    /// Smallest smoothed round trip.
    least: Option<Duration>,
    /// ρ, at least 1.
    rho: f64,
}

impl Law for Hybla {
    fn observe(&mut self, ack: &Ack, _: &Window) -> Option<f64> {
        let smoothed = ack.smoothed_rtt;
        if !smoothed.is_zero() && self.least.is_none_or(|least| smoothed < least) {
            self.least = Some(smoothed);
            let reference = self.reference.as_secs_f64();
            self.rho = (smoothed.as_secs_f64() / reference).max(1.0);
        }
        None
    }

    fn start(&self, window: &Window, counted: f64, plain: f64) -> f64 {
        if self.rho <= 1.0 {
            return plain;
        }
        let growth = (libm::exp2(self.rho.min(MOST_RHO)) - 1.0) * plain.min(counted);
        growth.min(window.slow_start_threshold - window.size)
    }

    fn increase(&mut self, window: f64, counted: f64) -> f64 {
        self.rho * self.rho * counted / window
    }

    fn decrease(&mut self, reduction: &Reduction) -> f64 {
        reduction.flight * HALF
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("rho", self.rho);
    }
}

/// Greatest ρ in the exponent (Linux).
const MOST_RHO: f64 = 16.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ack, build as built, loss, setup, window};

    fn at(rtt_ms: u64) -> Ack {
        Ack {
            smoothed_rtt: Duration::from_millis(rtt_ms),
            ..ack()
        }
    }

    fn hybla(packets: u64, threshold: u64) -> Box<dyn CongestionController> {
        let setup = Setup {
            initial_slow_start_threshold: units::Bytes(1_000) * threshold,
            ..setup(packets)
        };
        built(&CONTROLLER, &[], &setup)
    }

    /// ρ = 1, 1, 2, 4, 10: an ACK adds 2^ρ − 1 in slow start, ρ²/w after it.
    #[test]
    fn growth_by_the_round_trip() {
        for (rtt_ms, start, avoid) in [
            (5, 1.0, 1.0),
            (25, 1.0, 1.0),
            (50, 3.0, 4.0),
            (100, 15.0, 16.0),
            (250, 1_023.0, 100.0),
        ] {
            let mut law = hybla(10, 1_000_000);
            law.on_ack(&at(rtt_ms));
            assert!((window(&*law) - 10.0 - start).abs() < 1e-9, "{rtt_ms}");
            let mut law = hybla(10, 10);
            law.on_ack(&at(rtt_ms));
            assert!((window(&*law) - 10.0 - avoid / 10.0).abs() < 1e-9);
        }
    }

    #[test]
    fn slow_start_ends_at_its_threshold() {
        let mut law = hybla(10, 500);
        law.on_ack(&at(250));
        assert_eq!(window(&*law), 500.0);
        law.on_ack(&at(250));
        assert_eq!(window(&*law), 500.0 + 100.0 / 500.0);
    }

    /// Only a smaller smoothed round trip than any before counts.
    #[test]
    fn rho_falls_but_does_not_rise() {
        let mut law = hybla(10, 10);
        law.on_ack(&at(100));
        law.on_ack(&at(200));
        let mut rho = 0.0;
        let mut read = |law: &dyn CongestionController| {
            law.variables(&mut |name, value| {
                if name == "rho" {
                    rho = value;
                }
            });
            rho
        };
        assert_eq!(read(&*law), 4.0);
        law.on_ack(&at(50));
        assert_eq!(read(&*law), 2.0);
    }

    /// In a round trip of R every window grows by ρ², so its rate by ρ²/R in R: in a second by ρ²/R² =
    /// 1/RTT₀², for all the same. Here over 40 rounds of 250 ms and 400 of 25 ms: from 1000 packets by
    /// 40·100 and by 400 (less what growth slows within a round).
    #[test]
    fn the_rate_grows_alike_whatever_the_round_trip() {
        let grown = |rtt_ms: u64, rounds| {
            let mut law = hybla(1_000, 1_000);
            for _ in 0..rounds {
                for _ in 0..window(&*law) as u64 {
                    law.on_ack(&at(rtt_ms));
                }
            }
            (window(&*law) - 1_000.0) / (rtt_ms as f64 / 1e3)
        };
        let (long, short) = (grown(250, 40), grown(25, 400));
        assert!((long / short - 1.0).abs() < 0.08, "{long}, {short}");
    }

    #[test]
    fn a_loss_halves() {
        let mut law = hybla(40, 40);
        law.on_congestion(&loss(40));
        assert_eq!(window(&*law), 20.0);
    }
}
