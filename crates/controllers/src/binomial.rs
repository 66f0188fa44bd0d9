//! Binomial controls: the window grows by α/wᵏ in a round trip and shrinks by β·wˡ at a loss.
//!
//! Follows Bansal and Balakrishnan, Binomial Congestion Control Algorithms (INFOCOM 2001), with the
//! constants of ns-2.35's tests: α = 1, β = 2/3 for IIAD (k = 1, l = 0) and SQRT (k = l = ½), which
//! have TCP's mean window at the same loss rate (k + l = 1, α/β = 3/2).
//!
//! Choices: below the slow-start threshold, and at a timeout, half is left (ns-2); so a slow start
//! that overshoots ends.

use crate::ack_clocked::{AckClocked, Law, Reduction};
use crate::aimd::HALF;
use crate::parameters::COUNTING;
use crate::slow_start::LIMITED_SLOW_START;
use crate::{
    Carrier, CongestionController, Controller, Kind, Parameter, Parameters, Properties, Setup,
    Value,
};

/// Binomial controls, by name.
pub const CONTROLLER: Controller = Controller {
    name: "binomial",
    summary: "Grows by α/wᵏ in a round trip, shrinks by β·wˡ at a loss: IIAD, SQRT and others.",
    source: "Bansal and Balakrishnan, Binomial Congestion Control Algorithms, INFOCOM 2001",
    carrier: Carrier::Window,
    properties: Properties::WINDOW,
    parameters: &[
        Parameter {
            name: "form",
            kind: Kind::Choice(&["iiad", "sqrt", "aimd"]),
            default: Value::Choice("iiad"),
            unit: "",
            doc: "Defaults of k, l and beta: inverse increase, additive decrease (1, 0, 2/3), the \
                  square root (1/2, 1/2, 2/3), or additive increase, multiplicative decrease \
                  (0, 1, 1/2).",
        },
        exponent("k", "Exponent of the increase α/wᵏ. Default: that of form."),
        exponent("l", "Exponent of the decrease β·wˡ. Default: that of form."),
        Parameter {
            name: "alpha",
            kind: Kind::Number {
                min: 0.0,
                max: 1_000.0,
            },
            default: Value::Number(1.0),
            unit: "packets^(k+1)",
            doc: "α. Default: 1 (ns-2.35's tests).",
        },
        Parameter {
            name: "beta",
            kind: Kind::Number {
                min: 0.0,
                max: 1_000.0,
            },
            default: Value::Derived,
            unit: "packets^(1−l)",
            doc: "β. Default: that of form.",
        },
        COUNTING,
        LIMITED_SLOW_START,
    ],
    build: &build,
};

const fn exponent(name: &'static str, doc: &'static str) -> Parameter {
    Parameter {
        name,
        kind: Kind::Number { min: 0.0, max: 1.0 },
        default: Value::Derived,
        unit: "",
        doc,
    }
}

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    let form = match parameters.choice("form") {
        "sqrt" => (0.5, 0.5, FRIENDLY_BETA),
        "aimd" => (0.0, 1.0, HALF),
        _ => (1.0, 0.0, FRIENDLY_BETA),
    };
    let number = |name, default| parameters.number(name).unwrap_or(default);
    let law = Binomial {
        k: number("k", form.0),
        l: number("l", form.1),
        alpha: number("alpha", 1.0),
        beta: number("beta", form.2),
    };
    AckClocked::boxed(law, parameters, setup)
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Binomial {
    k: f64,
    l: f64,
    alpha: f64,
    beta: f64,
}

impl Law for Binomial {
    fn increase(&mut self, window: f64, counted: f64) -> f64 {
        self.alpha * counted / libm::pow(window, self.k + 1.0)
    }

    fn decrease(&mut self, reduction: &Reduction) -> f64 {
        if reduction.in_slow_start {
            return reduction.flight * HALF;
        }
        reduction.flight - self.beta * libm::pow(reduction.flight, self.l)
    }

    fn time_out(&mut self, reduction: &Reduction) -> f64 {
        reduction.flight * HALF
    }
}

/// With α = 1 and k + l = 1: TCP's mean window √(3/(2p)).
const FRIENDLY_BETA: f64 = 2.0 / 3.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ack, build as built, loss, saw_teeth, setup, timeout, window};

    fn binomial(form: &str, packets: u64) -> Box<dyn CongestionController> {
        let setup = Setup {
            initial_slow_start_threshold: units::Bytes(1_000) * packets,
            ..setup(packets)
        };
        built(&CONTROLLER, &[("form", form)], &setup)
    }

    fn near(ours: f64, expected: f64, part: f64) {
        assert!((ours / expected - 1.0).abs() <= part, "{ours}, {expected}");
    }

    /// At 16 packets an ACK adds 1/16² and a loss takes 2/3; with the square root 1/16^1.5 = 1/64 and
    /// 2/3·4.
    #[test]
    fn one_ack_and_one_loss() {
        for (form, grown, left) in [
            ("iiad", 1.0 / 256.0, 16.0 - 2.0 / 3.0),
            ("sqrt", 1.0 / 64.0, 16.0 - 8.0 / 3.0),
            ("aimd", 1.0 / 16.0, 8.0),
        ] {
            let mut law = binomial(form, 16);
            law.on_ack(&ack());
            near(window(&*law) - 16.0, grown, 1e-9);
            let mut law = binomial(form, 16);
            law.on_congestion(&loss(16));
            near(window(&*law), left, 1e-12);
        }
    }

    #[test]
    fn slow_start_and_a_timeout_leave_half() {
        let mut law = built(&CONTROLLER, &[], &setup(40));
        law.on_congestion(&loss(40));
        assert_eq!(window(&*law), 20.0);
        let mut law = binomial("iiad", 40);
        law.on_congestion(&timeout(40));
        for _ in 0..19 {
            law.on_ack(&ack());
        }
        assert_eq!(window(&*law), 20.0, "slow start up to half of 40");
    }

    /// Every 1/p-th packet is lost. Between losses dw/dt = w^−k a round trip from W − β·W^l to W, so
    /// [W^(k+2) − (W − β·W^l)^(k+2)]/(k + 2) = 1/p, which gives W: peaks and troughs.
    #[test]
    fn saw_teeth_between_periodic_losses() {
        for (form, packets, peak, trough) in [
            ("aimd", 10_000, 163.3, 81.65),
            ("iiad", 1_000, 39.06, 38.40),
            ("iiad", 10_000, 122.81, 122.14),
            ("sqrt", 1_000, 40.32, 36.09),
            ("sqrt", 10_000, 125.28, 117.81),
        ] {
            let mut law = binomial(form, peak as u64);
            let (highest, lowest) = saw_teeth(&mut *law, packets, 200);
            near(highest, peak, 0.006);
            near(lowest, trough, 0.006);
        }
    }
}
