use std::collections::BTreeMap;

use super::*;
use crate::parameters::Given;
use crate::testing::{ack, loss, setup, timeout, window};
use crate::{PacketRef, ParameterError};

/// SmoothTCP on an initial window of so many packets.
fn smooth_tcp(initial_window: u64, given: &[(&str, &str)]) -> Box<dyn CongestionController> {
    let given: BTreeMap<_, _> = given
        .iter()
        .map(|(name, value)| {
            let value = match (value.parse(), *value) {
                (Ok(number), _) => Given::Number(number),
                (_, "true") => Given::Flag(true),
                (_, "false") => Given::Flag(false),
                (_, word) => Given::Text(word.to_owned()),
            };
            ((*name).to_owned(), value)
        })
        .collect();
    let parameters = CONTROLLER.resolve(&given).unwrap();
    (CONTROLLER.build)(&parameters, &setup(initial_window))
}

/// In congestion avoidance from the start, with κ = 0.
fn avoiding(initial_window: u64, given: &[(&str, &str)]) -> Box<dyn CongestionController> {
    let mut all = vec![("slow_start", "none"), ("kappa", "0")];
    all.extend_from_slice(given);
    smooth_tcp(initial_window, &all)
}

fn quench() -> Congestion {
    Congestion {
        signal: Signal::SourceQuench,
        lost: Bytes::ZERO,
        lost_packets: 0,
        ..loss(1)
    }
}

fn at(millis: u64) -> Time {
    Time::ZERO + Duration::from_millis(millis)
}

fn variable(controller: &dyn CongestionController, wanted: &str) -> Option<f64> {
    let mut found = None;
    controller.variables(&mut |name, value| {
        if name == wanted {
            found = Some(value);
        }
    });
    found
}

fn near(ours: f64, expected: f64, tolerance: f64) {
    assert!((ours - expected).abs() <= tolerance, "{ours}, {expected}");
}

/// Eq. 8 with A = 40, B = 0.003038: W(1) = 8.993246, W(5) = 19.948988.
#[test]
fn slow_start_follows_the_closed_form() {
    let mut smooth = smooth_tcp(1, &[]);
    assert_eq!(window(&*smooth), 1.0);
    smooth.on_ack(&ack());
    near(window(&*smooth), 8.993_246, 1e-6);
    assert_eq!(smooth.limits().window, Bytes(8_993));
    for _ in 0..4 {
        smooth.on_ack(&ack());
    }
    near(window(&*smooth), 19.948_988, 1e-6);
    near(
        variable(&*smooth, "slow_start_limit").unwrap(),
        135.106_34,
        1e-5,
    );
}

/// w += 40 (1 − tanh(Ba)) / w: 41 after the first ACK, in the end 141.174, were it not to stop at
/// 135.106 − 1, which is 134.1 or more when an ACK finds it.
#[test]
fn slow_start_by_the_recurrence() {
    let mut smooth = smooth_tcp(1, &[("slow_start", "recurrence")]);
    smooth.on_ack(&ack());
    assert_eq!(window(&*smooth), 41.0);
    let mut whole = smooth_tcp(1, &[("slow_start", "recurrence"), ("kappa", "0")]);
    for _ in 0..5_000 {
        whole.on_ack(&ack());
    }
    // The last ACK of slow start found less than 134.106 and added less than 40/134.
    assert!((134.106..134.41).contains(&window(&*whole)));
    assert_eq!(variable(&*whole, "slow_start"), Some(0.0));
}

/// w += 40 (1 − tanh(Ba)): 41, then 40 × (1 − 0.003038) = 39.8785 more, then 40 × (1 − tanh
/// 0.006076) = 39.7570, then 39.6355: 160.27, which is over the limit.
#[test]
fn slow_start_by_the_literal_listing() {
    let mut smooth = smooth_tcp(1, &[("slow_start", "literal"), ("kappa", "0")]);
    for expected in [41.0, 80.878_5, 120.635_4, 160.270_9, 160.270_9] {
        smooth.on_ack(&ack());
        near(window(&*smooth), expected, 1e-4);
    }
    assert_eq!(variable(&*smooth, "slow_start"), Some(0.0));
}

/// From 10 packets on the curve goes on where it is 10: a = W⁻¹(10), W(a + 1) = √(100 + 2 × 40 ×
/// (1 − tanh(B (a + ½)))), a = 1.24: √(100 + 80 × 0.994714) = 13.4006.
#[test]
fn a_larger_initial_window_begins_further_on_the_curve() {
    let mut smooth = smooth_tcp(10, &[]);
    assert_eq!(window(&*smooth), 10.0);
    smooth.on_ack(&ack());
    near(window(&*smooth), 13.400_6, 1e-4);
}

/// 5 ACKs: 19.948988 packets. A loss: the limit becomes that, the window half of it.
#[test]
fn a_loss_in_slow_start_lowers_the_limit_to_the_window_and_halves_it() {
    let mut smooth = smooth_tcp(1, &[]);
    for _ in 0..5 {
        smooth.on_ack(&ack());
    }
    smooth.on_congestion(&loss(20));
    near(window(&*smooth), 9.974_494, 1e-6);
    near(
        variable(&*smooth, "slow_start_limit").unwrap(),
        19.948_988,
        1e-6,
    );
    // On the lower curve growth is 0.8699 (1 − tanh) / w for an ACK: less than 0.0873.
    let before = window(&*smooth);
    smooth.on_ack(&ack());
    let grown = window(&*smooth) - before;
    assert!((0.05..0.087_3).contains(&grown), "{grown}");
    // Within a packet of its limit (some 440 ACKs for one of 20) slow start is over.
    for _ in 0..450 {
        smooth.on_ack(&ack());
    }
    assert_eq!(variable(&*smooth, "slow_start"), Some(0.0));
    assert!((18.94..19.1).contains(&window(&*smooth)));
}

#[test]
fn the_limit_is_lowered_once_a_round_trip_and_a_further_loss_of_an_episode_does_not_count() {
    let round_trip = Duration::from_millis(100);
    let mut smooth = smooth_tcp(1, &[]);
    for _ in 0..5 {
        smooth.on_ack(&Ack {
            smoothed_rtt: round_trip,
            ..ack()
        });
    }
    let halves = |smooth: &mut dyn CongestionController, congestion: Congestion| {
        let before = window(smooth);
        smooth.on_congestion(&congestion);
        let after = window(smooth);
        assert!(after == before || after == before / 2.0);
        after < before
    };
    let from = |now, signal| Congestion {
        now: at(now),
        ..signal
    };
    assert!(halves(&mut *smooth, from(1_000, loss(20))));
    assert!(!halves(&mut *smooth, from(1_099, timeout(20))));
    let again = Congestion {
        episode: Episode::Continues,
        ..loss(20)
    };
    assert!(!halves(&mut *smooth, from(1_200, again)));
    assert!(halves(&mut *smooth, from(1_200, timeout(20))));
    assert!(!halves(&mut *smooth, from(2_000, quench())));
}

#[test]
fn a_switch_says_which_signals_slow_start_heeds() {
    let echo = Congestion {
        signal: Signal::EcnEcho,
        ..quench()
    };
    for (word, heeds) in [
        ("drop", [true, true, false, false]),
        ("explicit", [false, false, true, true]),
        ("both", [true, true, true, true]),
    ] {
        for (signal, heeds) in [loss(9), timeout(9), quench(), echo].iter().zip(heeds) {
            let mut smooth = smooth_tcp(1, &[("slow_start_signal", word)]);
            smooth.on_ack(&ack());
            smooth.on_congestion(signal);
            let lowered = window(&*smooth) < 8.0;
            assert_eq!(lowered, heeds, "{word} {signal:?}");
        }
    }
}

/// κ/w for each ACK: 10 + 0.005/10 = 10.0005, + 0.005/10.0005 = 10.00099998.
#[test]
fn kappa_is_divided_by_the_window_and_added_for_each_ack() {
    let mut smooth = smooth_tcp(10, &[("slow_start", "none")]);
    smooth.on_ack(&Ack {
        acked_packets: 2,
        ..ack()
    });
    assert_eq!(window(&*smooth), 10.000_5);
    smooth.on_ack(&ack());
    near(window(&*smooth), 10.000_999_98, 1e-8);
    smooth.on_ack(&Ack {
        app_limited: true,
        ..ack()
    });
    near(window(&*smooth), 10.000_999_98, 1e-8);
}

/// Event reading. The first quench finds q = 0: D = κ. The ACK after it makes q = 1/8; the second
/// quench takes C tanh(B/8) = 0.0625 × 0.0685549 = 0.00428468 of the window, less κ.
#[test]
fn each_quench_takes_a_part_that_grows_with_their_average_rate() {
    let mut smooth = avoiding(10, &[("kappa", "0.001")]);
    smooth.on_congestion(&quench());
    near(window(&*smooth), 10.000_1, 1e-9);
    smooth.on_ack(&Ack {
        app_limited: true,
        ..ack()
    });
    assert_eq!(variable(&*smooth, "source_quench_average"), Some(0.125));
    smooth.on_congestion(&quench());
    near(
        window(&*smooth),
        10.000_1 * (1.0 - 0.004_284_68 + 0.001),
        1e-6,
    );
}

/// One quench for each ACK: q tends to 1, and each takes C tanh B = 1/32.
#[test]
fn with_a_quench_for_each_ack_each_takes_a_thirty_second_part() {
    let mut smooth = avoiding(1_000_000, &[]);
    for _ in 0..100 {
        smooth.on_congestion(&quench());
        smooth.on_ack(&ack());
    }
    let before = window(&*smooth);
    smooth.on_congestion(&quench());
    near(window(&*smooth) / before, 31.0 / 32.0, 1e-6);
}

/// Differential reading, five packets a round. The first round has 4 quenches: q goes from 0 to
/// 4/8 = 0.5, D = −0.0625 tanh(0.27465) × 0.5 = −0.0625 × 0.267946 × 0.5 = −0.00837332; w = 10 ×
/// (1 − 0.00837332) = 9.9162668. The second has none: q = 0.4375, D = 0.0625 tanh(0.2403188) ×
/// 0.0625 = 0.0625 × 0.235796 × 0.0625 = 0.000921077, of which w gets D/w = 0.0000928856.
#[test]
fn in_the_differential_reading_only_a_change_of_the_rate_counts() {
    let mut smooth = avoiding(10, &[("reading", "differential")]);
    let send = |smooth: &mut dyn CongestionController, number| {
        smooth.on_sent(&Sent {
            packet: PacketRef {
                number,
                sent_at: Time::ZERO,
            },
            size: Bytes(1_000),
            in_flight: Bytes(1_000),
            retransmission: false,
        });
    };
    let acknowledge = |smooth: &mut dyn CongestionController, number| {
        let newest = PacketRef {
            number,
            sent_at: Time::ZERO,
        };
        smooth.on_ack(&Ack { newest, ..ack() });
    };
    for number in 0..=5 {
        send(&mut *smooth, number);
    }
    acknowledge(&mut *smooth, 0); // a round begins, which ends with packet 5
    for _ in 0..4 {
        smooth.on_congestion(&quench());
    }
    for number in 1..=4 {
        acknowledge(&mut *smooth, number);
        assert_eq!(window(&*smooth), 10.0);
        send(&mut *smooth, number + 5);
    }
    acknowledge(&mut *smooth, 5);
    near(window(&*smooth), 9.916_266_8, 1e-7);
    for number in 6..=8 {
        acknowledge(&mut *smooth, number);
    }
    near(window(&*smooth), 9.916_266_8, 1e-7);
    acknowledge(&mut *smooth, 9);
    near(window(&*smooth), 9.916_266_8 + 0.000_092_885_6, 1e-7);
}

/// A = 0.25 alone: each signal takes a quarter of the window. 16, 12.
#[test]
fn every_metric_can_be_switched_on_by_itself() {
    const NAMES: [&str; 4] = ["timeouts", "fast_retransmits", "ecn", "source_quench"];
    for on in NAMES {
        let (switch, constant) = (on.to_owned(), format!("{on}_a"));
        let height = format!("{on}_c");
        let mut smooth = avoiding(
            16,
            &[
                ("source_quench", "false"),
                (&switch, "true"),
                (&constant, "0.25"),
                (&height, "0"),
            ],
        );
        for name in NAMES {
            let before = window(&*smooth);
            match name {
                "timeouts" => smooth.on_congestion(&timeout(16)),
                "fast_retransmits" => smooth.on_congestion(&loss(16)),
                "ecn" => smooth.on_ack(&Ack { ecn_ce: 1, ..ack() }),
                _ => smooth.on_congestion(&quench()),
            }
            let share = window(&*smooth) / before;
            assert_eq!(share, if name == on { 0.75 } else { 1.0 }, "{on}: {name}");
        }
    }
}

/// A = 0.5 alone. Round trips of 100, 150, 120, 120 ms with 100 ms as the smallest: the growth of
/// half a round trip takes 0.5 × 0.5 = 1/4 of 16; what falls or stays takes nothing.
#[test]
fn the_round_trip_counts_by_its_growth() {
    let mut smooth = avoiding(
        16,
        &[
            ("rtt_variation", "true"),
            ("rtt_variation_a", "0.5"),
            ("rtt_variation_c", "0"),
        ],
    );
    for (rtt, expected) in [(100, 16.0), (150, 12.0), (120, 12.0), (120, 12.0)] {
        smooth.on_ack(&Ack {
            rtt: Some(Duration::from_millis(rtt)),
            min_rtt: Duration::from_millis(100),
            ..ack()
        });
        near(window(&*smooth), expected, 1e-12);
    }
    // 0 + 0.5/8, then 7/8 of that + 0.2/8, twice: 0.0625, 0.0796875, 0.0947265625
    near(
        variable(&*smooth, "rtt_variation_average").unwrap(),
        0.094_726_562_5,
        1e-12,
    );
}

#[test]
fn losses_alone_leave_the_window_of_the_paper_alone() {
    let mut smooth = smooth_tcp(10, &[("slow_start", "none")]);
    smooth.on_congestion(&loss(10));
    smooth.on_congestion(&timeout(10));
    assert_eq!(window(&*smooth), 10.0);
}

#[test]
fn the_window_never_falls_below_one_packet() {
    let mut smooth = avoiding(2, &[("source_quench_a", "1000")]);
    smooth.on_congestion(&quench());
    assert_eq!(window(&*smooth), 1.0);
    let mut smooth = smooth_tcp(1, &[]);
    smooth.on_congestion(&timeout(1));
    assert_eq!(window(&*smooth), 1.0);
    assert!(variable(&*smooth, "slow_start_limit").unwrap() >= 1.999_999);
}

#[test]
fn a_spurious_loss_gives_the_window_and_the_curve_back() {
    let mut smooth = smooth_tcp(1, &[]);
    for _ in 0..5 {
        smooth.on_ack(&ack());
    }
    let before = (window(&*smooth), variable(&*smooth, "slow_start_limit"));
    smooth.on_congestion(&timeout(20));
    smooth.on_spurious_congestion();
    let after = (window(&*smooth), variable(&*smooth, "slow_start_limit"));
    assert_eq!(before, after);
}

#[test]
fn parameters_are_checked() {
    let given = BTreeMap::from([("kappa".to_owned(), Given::Number(2.0))]);
    let refused = CONTROLLER.resolve(&given);
    assert!(matches!(refused, Err(ParameterError::NotAllowed { .. })));
    let names: std::collections::BTreeSet<_> = CONTROLLER
        .parameters
        .iter()
        .map(|parameter| parameter.name)
        .collect();
    // 10 of its own, the counting, and a switch and four coefficients for each of five metrics.
    assert_eq!(names.len(), 10 + 1 + 25);
}
