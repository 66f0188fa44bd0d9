//! GAIMD: α packets more each round trip, the fraction β of the window kept on congestion.
//!
//! Follows Yang and Lam, General AIMD Congestion Control (2000), as Zhang and Tsaoussidis use it
//! in The Interrelation of TCP Responsiveness and Smoothness.
//!
//! A timeout halves the threshold whatever β is: the papers apply β to fast retransmit only.

use crate::ack_clocked::AckClocked;
use crate::aimd::Aimd;
use crate::equation::friendly_alpha;
use crate::parameters::COUNTING;
use crate::slow_start::LIMITED_SLOW_START;
use crate::{
    Carrier, CongestionController, Controller, Kind, Parameter, Parameters, Properties, Setup,
    Value,
};

/// GAIMD, by name.
pub const CONTROLLER: Controller = Controller {
    name: "gaimd",
    summary: "α packets more each round trip, the fraction β of the window kept on congestion.",
    source: "Yang and Lam, General AIMD Congestion Control, ICNP 2000",
    carrier: Carrier::Window,
    properties: Properties::WINDOW,
    parameters: &[
        Parameter {
            name: "alpha",
            kind: Kind::Number {
                min: 0.0,
                max: 1_000.0,
            },
            default: Value::Derived,
            unit: "packets",
            doc: "Increase for each round trip without loss. Default: 4(1 − β²)/3, which makes \
                  it friendly to TCP (eq. 3 of Zhang and Tsaoussidis).",
        },
        Parameter {
            name: "beta",
            kind: Kind::Number { min: 0.0, max: 1.0 },
            default: Value::Number(0.875),
            unit: "",
            doc: "Fraction of the window kept after a loss. Default: 7/8 (Yang and Lam).",
        },
        COUNTING,
        LIMITED_SLOW_START,
    ],
    build: &build,
};

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    AckClocked::boxed(law(parameters), parameters, setup)
}

/// The law that the parameters of [`CONTROLLER`] choose.
pub fn law(parameters: &Parameters) -> Aimd {
    let beta = parameters.number("beta").expect("beta has a default");
    Aimd {
        alpha: parameters
            .number("alpha")
            .unwrap_or_else(|| friendly_alpha(beta)),
        beta,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::parameters::Given;
    use crate::testing::{ack, loss, setup, window};

    fn gaimd(alpha: f64, beta: f64) -> Box<dyn CongestionController> {
        let given = BTreeMap::from([
            ("alpha".to_owned(), Given::Number(alpha)),
            ("beta".to_owned(), Given::Number(beta)),
        ]);
        let parameters = CONTROLLER.resolve(&given).unwrap();
        (CONTROLLER.build)(&parameters, &setup(40))
    }

    /// The first loss of 40 outstanding packets leaves 40β; then five round trips, each with as
    /// many ACKs as the window has whole packets, and one more loss.
    ///
    /// In a round of n ACKs the window w grows by α/w + α/(w + α/w) + …, a little under α·n/w.
    #[test]
    fn windows_of_the_four_protocols() {
        for (alpha, beta, after_loss) in [
            (0.31, 0.875, 35.0),
            (0.583, 0.75, 30.0),
            (1.0, 0.5, 20.0),
            (1.25, 0.25, 10.0),
        ] {
            let mut gaimd = gaimd(alpha, beta);
            gaimd.on_congestion(&loss(40));
            assert_eq!(window(&*gaimd), after_loss);

            for _ in 0..5 {
                for _ in 0..window(&*gaimd) as u64 {
                    gaimd.on_ack(&ack());
                }
            }
            // d(w²)/d(ack) = 2α exactly up to α²/w² for each ACK: w = sqrt(w0² + 2α·acks). With
            // n ≥ w − 1 ACKs a round, five rounds add between 5α(w0 − 1)/w0 − α²·5/w0 and 5α.
            let grown = window(&*gaimd) - after_loss;
            let least = 5.0 * alpha * (after_loss - 1.0) / (after_loss + 5.0 * alpha)
                - 5.0 * alpha * alpha / after_loss;
            assert!(
                (least..=5.0 * alpha).contains(&grown),
                "{alpha}, {beta}: {grown}"
            );

            gaimd.on_congestion(&loss(10));
            assert_eq!(window(&*gaimd), (10.0 * beta).max(2.0));
        }
    }

    #[test]
    fn one_ack_adds_alpha_over_the_window() {
        for (alpha, beta) in [(0.31, 0.875), (0.583, 0.75), (1.0, 0.5), (1.25, 0.25)] {
            let mut gaimd = gaimd(alpha, beta);
            gaimd.on_congestion(&loss(40));
            gaimd.on_ack(&ack());
            let kept = 40.0 * beta;
            assert_eq!(window(&*gaimd), kept + alpha / kept);
        }
    }
}
