//! HighSpeed TCP: above 38 packets the larger the window, the faster it grows and the less of it a
//! loss takes.
//!
//! Follows RFC 3649 §5, by its formulas and not by the table of its appendix B, with the limited slow
//! start that its §9 recommends (RFC 3742).
//!
//! Choice: a loss takes a twentieth at least; by the formula of b(w), which the RFC bounds by 83,000
//! packets, it would take nothing from 570,000 packets on.

use crate::ack_clocked::{AckClocked, Law, Reduction};
use crate::parameters::COUNTING;
use crate::slow_start::LIMITED_SLOW_START;
use crate::{
    Carrier, CongestionController, Controller, Parameter, Parameters, Properties, Setup, Value,
};

/// HighSpeed TCP, by name.
pub const CONTROLLER: Controller = Controller {
    name: "highspeed",
    summary: "Grows faster and falls less the larger the window; Reno up to 38 packets.",
    source: "RFC 3649",
    carrier: Carrier::Window,
    properties: Properties::WINDOW,
    parameters: &[
        COUNTING,
        Parameter {
            default: Value::Number(LIMITED_ABOVE_PACKETS),
            ..LIMITED_SLOW_START
        },
    ],
    build: &build,
};

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    AckClocked::boxed(HighSpeed, parameters, setup)
}

#[derive(Clone, Copy, Debug)]
struct HighSpeed;

impl Law for HighSpeed {
    fn increase(&mut self, window: f64, counted: f64) -> f64 {
        increase(window) * counted / window
    }

    fn decrease(&mut self, reduction: &Reduction) -> f64 {
        (1.0 - decrease(reduction.flight)) * reduction.flight
    }
}

/// a(w): packets that a window of `window` packets grows by in a round trip.
pub fn increase(window: f64) -> f64 {
    if window <= LOW_WINDOW {
        return 1.0;
    }
    let b = decrease(window);
    let p = LOSS_AT_ONE_PACKET / libm::pow(window, LOSS_EXPONENT);
    window * window * p * 2.0 * b / (2.0 - b)
}

/// b(w): the part of a window of `window` packets that a loss takes.
pub fn decrease(window: f64) -> f64 {
    if window <= LOW_WINDOW {
        return LOW_DECREASE;
    }
    let part = libm::log(window / LOW_WINDOW) / libm::log(HIGH_WINDOW / LOW_WINDOW);
    (LOW_DECREASE + (HIGH_DECREASE - LOW_DECREASE) * part).max(LEAST_DECREASE)
}

/// `Low_Window` and `High_Window`, in packets (§5).
const LOW_WINDOW: f64 = 38.0;
const HIGH_WINDOW: f64 = 83_000.0;
/// b at the two.
const LOW_DECREASE: f64 = 0.5;
const HIGH_DECREASE: f64 = 0.1;
/// Least b, which is reached at 217,000 packets.
const LEAST_DECREASE: f64 = 0.05;
/// p(w) = 1/(12.8·w^1.2) (the program of appendix B; §5 rounds it to 0.078).
const LOSS_AT_ONE_PACKET: f64 = 1.0 / 12.8;
const LOSS_EXPONENT: f64 = 1.2;
/// `max_ssthresh` (RFC 3742 §3).
const LIMITED_ABOVE_PACKETS: f64 = 100.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ack, build as built, loss, setup, window};

    fn near(ours: f64, expected: f64, part: f64) {
        assert!((ours / expected - 1.0).abs() <= part, "{ours}, {expected}");
    }

    /// b(1000) = 0.5 − 0.4·ln(1000/38)/ln(83,000/38) = 0.5 − 0.4·3.2702/7.6890 = 0.3299, and a(1000) =
    /// 1000^0.8·2·0.3299/(12.8·1.6701) = 7.75. b(10,000) = 0.2101, b(83,000) = 0.1.
    #[test]
    fn increase_and_decrease_by_the_window() {
        for (packets, a, b) in [
            (38.0, 1.0, 0.5),
            (1_000.0, 7.75, 0.329_9),
            (10_000.0, 29.1, 0.210_1),
            (83_000.0, 70.9, 0.1),
        ] {
            near(increase(packets), a, 2e-3);
            near(decrease(packets), b, 5e-4);
        }
        assert_eq!(decrease(1e9), 0.05);
    }

    /// RFC 3649, appendix B: the table's rows are where a(w) passes the next whole number, and b there
    /// to two digits.
    #[test]
    fn rows_of_the_table_in_the_appendix() {
        for (packets, a, b) in [
            (118.0, 2.0, 0.44),
            (221.0, 3.0, 0.41),
            (1_058.0, 8.0, 0.33),
            (9_991.0, 29.0, 0.21),
            (53_677.0, 62.0, 0.12),
            (84_035.0, 71.0, 0.10),
        ] {
            near(increase(packets), a, 5e-3);
            assert!((decrease(packets) - b).abs() <= 0.0051, "{packets}");
        }
    }

    /// RFC 3649, table 6: the window in the n-th round trip of congestion avoidance, the first
    /// being of one packet, to a tenth of a percent and the fraction that it cuts off.
    #[test]
    fn growth_without_loss_is_that_of_table_6() {
        let wanted = [
            (100, 131.0),
            (200, 475.0),
            (500, 3_601.0),
            (1_000, 17_409.0),
            (2_000, 72_754.0),
        ];
        let mut packets = 1.0;
        let mut rounds = 1;
        for (until, expected) in wanted {
            while rounds < until {
                packets += increase(packets);
                rounds += 1;
            }
            let (least, most) = (expected * 0.999, expected * 1.001 + 1.0);
            assert!((least..most).contains(&packets), "{until}: {packets}");
        }
    }

    #[test]
    fn up_to_38_packets_it_is_reno() {
        let mut law = built(&CONTROLLER, &[], &setup(38));
        law.on_congestion(&loss(38));
        assert_eq!(window(&*law), 19.0);
        law.on_ack(&ack());
        assert_eq!(window(&*law), 19.0 + 1.0 / 19.0);
    }

    /// Above 100 packets slow start adds half a packet for each ACK; a loss at 1000 leaves 670.1.
    #[test]
    fn slow_start_is_limited_and_a_loss_takes_a_third_of_a_thousand() {
        let mut law = built(&CONTROLLER, &[], &setup(120));
        law.on_ack(&ack());
        assert_eq!(window(&*law), 120.5);
        let mut law = built(&CONTROLLER, &[], &setup(1_000));
        law.on_congestion(&loss(1_000));
        near(window(&*law), 670.1, 1e-4);
    }
}
