//! Scalable TCP: each ACK adds a fixed part of a packet, each loss takes an eighth, so that the time
//! to recover does not depend on the window.
//!
//! Follows Kelly, Scalable TCP: Improving Performance in Highspeed Wide Area Networks (2003).
//!
//! Choice: a window small enough for Reno to grow faster (under 1/a packets) grows as Reno's, as in
//! Linux, which has a = 0.02.

use crate::ack_clocked::{AckClocked, Law, Reduction};
use crate::parameters::COUNTING;
use crate::slow_start::LIMITED_SLOW_START;
use crate::{
    Carrier, CongestionController, Controller, Kind, Parameter, Parameters, Properties, Setup,
    Value,
};

/// Scalable TCP, by name.
pub const CONTROLLER: Controller = Controller {
    name: "scalable",
    summary: "A fixed part of a packet more for each ACK, an eighth less at a loss.",
    source: "Kelly, Scalable TCP: Improving Performance in Highspeed Wide Area Networks, 2003",
    carrier: Carrier::Window,
    properties: Properties::WINDOW,
    parameters: &[
        Parameter {
            name: "a",
            kind: Kind::Number { min: 0.0, max: 1.0 },
            default: Value::Number(0.01),
            unit: "packets",
            doc: "What each ACK adds. Default: 0.01 (Kelly); Linux has 0.02.",
        },
        Parameter {
            name: "b",
            kind: Kind::Number { min: 0.0, max: 1.0 },
            default: Value::Number(0.125),
            unit: "",
            doc: "Part of the window that a loss takes. Default: 1/8 (Kelly).",
        },
        COUNTING,
        LIMITED_SLOW_START,
    ],
    build: &build,
};

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    let number = |name| parameters.number(name).expect("it has a default");
    let law = Scalable {
        a: number("a"),
        b: number("b"),
    };
    AckClocked::boxed(law, parameters, setup)
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Scalable {
    /// In packets for each ACK.
    a: f64,
    b: f64,
}

impl Law for Scalable {
    fn increase(&mut self, window: f64, counted: f64) -> f64 {
        self.a.max(1.0 / window) * counted
    }

    fn decrease(&mut self, reduction: &Reduction) -> f64 {
        reduction.flight - self.b * reduction.flight
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ack, build as built, loss, saw_teeth, setup, window};

    fn scalable(packets: u64, given: &[(&str, &str)]) -> Box<dyn CongestionController> {
        let setup = Setup {
            initial_slow_start_threshold: units::Bytes(1_000) * packets,
            ..setup(packets)
        };
        built(&CONTROLLER, given, &setup)
    }

    /// Up to 100 packets 1/w, above that a hundredth; with a = 0.02 the two meet at 50.
    #[test]
    fn an_ack_adds_a_fixed_part_above_a_hundred_packets() {
        for (packets, given, grown) in [
            (40, &[][..], 0.025),
            (200, &[], 0.01),
            (40, &[("a", "0.02")], 0.025),
            (80, &[("a", "0.02")], 0.02),
        ] {
            let mut law = scalable(packets, given);
            law.on_ack(&ack());
            assert!((window(&*law) - packets as f64 - grown).abs() < 1e-12);
        }
        let mut law = scalable(800, &[]);
        law.on_congestion(&loss(800));
        assert_eq!(window(&*law), 700.0);
    }

    /// From 7/8·W to W in ln(8/7)/ln(1.01) = 13.42 round trips of w ACKs each, whatever W is. Rounds of
    /// whole ACKs are up to an ACK shorter.
    #[test]
    fn the_time_to_recover_does_not_depend_on_the_window() {
        for packets in [400, 4_000, 40_000] {
            let mut law = scalable(packets, &[]);
            law.on_congestion(&loss(packets));
            let mut rounds = 0;
            while window(&*law) < packets as f64 {
                for _ in 0..window(&*law) as u64 {
                    law.on_ack(&ack());
                }
                rounds += 1;
            }
            assert_eq!(rounds, 14, "{packets}");
        }
    }

    /// Every 10,000th packet lost: W/8 = 0.01·10,000 packets between losses, so W = 800 and 700.
    #[test]
    fn saw_teeth_between_periodic_losses() {
        let mut law = scalable(800, &[]);
        let (highest, lowest) = saw_teeth(&mut *law, 10_000, 200);
        assert!((799.0..=801.0).contains(&highest), "{highest}");
        assert!((699.0..=701.0).contains(&lowest), "{lowest}");
    }
}
