use std::collections::BTreeMap;

use super::*;
use crate::parameters::Given;
use crate::testing::{ack, loss, setup, timeout, window};
use crate::{PacketRef, Setup};

const RTT: Duration = Duration::from_millis(100);
const STANDARD: (&str, &str) = ("slow_start", "standard");

fn cubic_with(given: &[(&str, &str)], setup: &Setup) -> Box<dyn CongestionController> {
    let value = |text: &str| match text {
        "true" | "false" => Given::Flag(text == "true"),
        _ => text
            .parse()
            .map_or_else(|_| Given::Text(text.to_owned()), Given::Number),
    };
    let given: BTreeMap<_, _> = given
        .iter()
        .map(|(name, text)| ((*name).to_owned(), value(text)))
        .collect();
    let parameters = CONTROLLER.resolve(&given).unwrap();
    (CONTROLLER.build)(&parameters, setup)
}

fn cubic(given: &[(&str, &str)], packets: u64) -> Box<dyn CongestionController> {
    cubic_with(given, &setup(packets))
}

fn at(s: f64) -> Time {
    Time::ZERO + Duration::from_secs_f64(s)
}

fn ack_at(s: f64) -> Ack {
    Ack {
        now: at(s),
        smoothed_rtt: RTT,
        ..ack()
    }
}

fn close(value: f64, expected: f64) {
    assert!(
        (value / expected - 1.0).abs() < 1e-3,
        "{value}, not {expected}"
    );
}

fn variable(controller: &dyn CongestionController, wanted: &str) -> f64 {
    let mut found = f64::NAN;
    controller.variables(&mut |name, value| {
        if name == wanted {
            found = value;
        }
    });
    found
}

const LAW: Law = Law {
    c: 0.4,
    beta: 0.7,
    beta_ecn: 0.7,
    fast_convergence: true,
    reno_friendly: true,
};

/// A stage after a reduction from `plateau` packets to 0.7 of it.
fn stage(plateau: f64) -> Stage {
    let state = State {
        window: 0.7 * plateau,
        slow_start_threshold: 0.7 * plateau,
        plateau: Some(plateau),
        prior_window: Some(plateau),
        stage: None,
    };
    LAW.stage(&state, Time::ZERO)
}

/// 3·0.3/1.7 = 9/17; K = ∛(0.3·W/0.4).
#[test]
fn the_increase_and_the_time_to_the_plateau() {
    close(LAW.alpha(), 9.0 / 17.0);
    for (plateau, k_s) in [
        (10.0, 1.9574),
        (20.0, 2.4662),
        (50.0, 3.3472),
        (100.0, 4.2172),
        (500.0, 7.2112),
        (1_000.0, 9.0856),
        (10_000.0, 19.5743),
    ] {
        close(stage(plateau).k_s, k_s);
    }
}

/// 100 + 0.4(t − 4.2172)³.
#[test]
fn the_curve_from_70_over_100() {
    let stage = stage(100.0);
    for (seconds, window) in [
        (0.0, 70.0),
        (0.1, 72.084),
        (0.5, 79.456),
        (1.0, 86.681),
        (2.0, 95.640),
        (3.0, 99.279),
        (4.2172, 100.0),
        (6.0, 102.267),
        (8.0, 121.653),
        (8.4343, 130.0),
    ] {
        close(LAW.curve(&stage, seconds), window);
    }
}

/// The first ACK aims at W(0.1 s) = 72.084 from 70: (72.084 − 70)/70 = 0.02977 packets.
#[test]
fn an_ack_goes_a_part_of_the_way_to_the_curve_a_round_trip_ahead() {
    let mut cubic = cubic(&[("reno_friendly", "false")], 100);
    cubic.on_congestion(&loss(100));
    assert_eq!(window(&*cubic), 70.0);
    cubic.on_ack(&ack_at(0.2));
    let grown = window(&*cubic) - 70.0;
    assert!((grown - 0.02977).abs() < 1e-5, "{grown}");
}

/// From 70 Reno's estimate grows by (9/17)/70 = 0.0075630 with the first ACK, when the curve stands
/// at 70 still.
#[test]
fn below_renos_window_the_window_is_renos() {
    let mut cubic = cubic(&[], 100);
    cubic.on_congestion(&loss(100));
    cubic.on_ack(&ack_at(0.2));
    close(window(&*cubic) - 70.0, 0.007_563_0);
    close(variable(&*cubic, "reno_window"), 70.007_563);
}

/// However far ahead the curve is, an ACK brings half the window at most, one packet or ten of them.
#[test]
fn the_window_grows_by_half_at_most() {
    let mut stage = stage(100.0);
    stage.elapsed = Duration::from_secs(60);
    close(LAW.avoid(&mut stage, 70.0, 1.0, RTT), 70.5); // (105 − 70)/70
    close(LAW.avoid(&mut stage, 70.0, 500.0, RTT), 105.0);
}

/// Reduced at 100, then at 80, below the plateau: 80·0.85 = 68 over 56, K = ∛(12/0.4) = 3.1072 s.
#[test]
fn a_reduction_below_the_plateau_lowers_it() {
    let state = State {
        window: 80.0,
        slow_start_threshold: 70.0,
        plateau: Some(100.0),
        prior_window: Some(100.0),
        stage: None,
    };
    for (fast_convergence, plateau, k_s) in [("true", 68.0, 3.1072), ("false", 80.0, 3.9149)] {
        let parameters = [("fast_convergence", Given::Flag(fast_convergence == "true"))];
        let given = parameters
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        let parameters = CONTROLLER.resolve(&given).unwrap();
        let law = Law {
            fast_convergence: parameters.flag("fast_convergence"),
            ..LAW
        };
        let mut cubic = Cubic::new(law, None, &setup(80));
        cubic.state = state;
        cubic.on_congestion(&loss(80));
        cubic.on_ack(&ack_at(1.0));
        assert_eq!(cubic.state.slow_start_threshold, 56.0);
        let stage = cubic.state.stage.unwrap();
        close(stage.plateau, plateau);
        close(stage.k_s, k_s);
    }
    // At the plateau, not below: it stays.
    let mut cubic = Cubic::new(LAW, None, &setup(100));
    cubic.state = State {
        window: 100.0,
        ..state
    };
    cubic.on_congestion(&loss(100));
    assert_eq!(cubic.state.plateau, Some(100.0));
}

/// Mean window over 30 losses after a warm-up of 10, one loss each 1/p packets, ACK by ACK at an even
/// pace, repaired at once, from a window of `start` packets.
fn mean_window(given: &[(&str, &str)], p: f64, rtt_s: f64, start: u64) -> f64 {
    let setup = Setup {
        initial_slow_start_threshold: Bytes(1_000) * start,
        ..setup(start)
    };
    let mut cubic = cubic_with(given, &setup);
    let losses = 30;
    let between = libm::round(1.0 / p) as u64;
    let (mut now_s, mut sum, mut time_s) = (0.0, 0.0, 0.0);
    for epoch in 0..10 + losses {
        for _ in 0..between {
            let packets = window(&*cubic);
            let apart_s = rtt_s / packets;
            now_s += apart_s;
            if epoch >= 10 {
                sum += packets * apart_s;
                time_s += apart_s;
            }
            cubic.on_ack(&Ack {
                smoothed_rtt: Duration::from_secs_f64(rtt_s),
                ..ack_at(now_s)
            });
        }
        cubic.on_congestion(&Congestion {
            now: at(now_s),
            flight_size: Bytes((window(&*cubic) * 1_000.0) as u64),
            ..loss(1)
        });
    }
    sum / time_s
}

/// RFC 9438 §5.2: 1.054 (RTT/p)^0.75 packets, each loss exactly at the plateau. The rule by ACKs
/// alternates between two plateaus below that with fast convergence, and creeps above it without.
#[test]
fn the_response_function_is_that_of_table_1() {
    for (p, start, closed) in [(1e-4, 187, 187.4), (1e-5, 1_054, 1_054.0)] {
        let with = mean_window(&[STANDARD], p, 0.1, start) / closed;
        assert!((0.85..=1.10).contains(&with), "{p}: {with}");
        let given = [STANDARD, ("fast_convergence", "false")];
        let without = mean_window(&given, p, 0.1, start) / closed;
        assert!((0.95..=1.40).contains(&without), "{p}: {without}");
        assert!(without > with, "{p}: {without}, {with}");
    }
}

/// Where the curve is too slow, α and β have Reno's mean window: √(1.5/p).
#[test]
fn short_round_trips_have_renos_window() {
    for (p, start, reno) in [(1e-2, 12, 12.25), (1e-3, 39, 38.73), (1e-4, 122, 122.5)] {
        let ratio = mean_window(&[STANDARD], p, 0.01, start) / reno;
        assert!((0.95..=1.05).contains(&ratio), "{p}: {ratio}");
    }
}

/// 2 s of ACKs, then 10 s in which the window is not in use or nothing is out: t stays at 2 s.
#[test]
fn time_without_use_of_the_window_does_not_count() {
    let run = |idle: bool| {
        let mut cubic = cubic(&[], 100);
        cubic.on_congestion(&loss(100));
        for step in 0..=200 {
            cubic.on_ack(&ack_at(f64::from(step) / 100.0));
        }
        let used = window(&*cubic);
        if idle {
            let packet = PacketRef {
                number: 1_000,
                sent_at: at(12.0),
            };
            cubic.on_sent(&Sent {
                packet,
                size: Bytes(1_000),
                in_flight: Bytes(1_000),
                retransmission: false,
            });
        } else {
            for step in 201..=1_200 {
                cubic.on_ack(&Ack {
                    window_limited: false,
                    ..ack_at(f64::from(step) / 100.0)
                });
            }
        }
        assert_eq!(window(&*cubic), used);
        cubic.on_ack(&ack_at(12.01));
        window(&*cubic) - used
    };
    // W(2.11) − W(2) is 0.7 packets at most; the curve at 12 s stands at 288.
    for grown in [run(true), run(false)] {
        assert!((0.0..=0.7).contains(&grown), "{grown}");
    }
}

#[test]
fn a_timeout_begins_with_slow_start_and_a_flat_curve() {
    let mut cubic = cubic(&[], 40);
    cubic.on_congestion(&timeout(40));
    assert_eq!(window(&*cubic), 1.0);
    assert_eq!(variable(&*cubic, "slow_start_threshold"), 28.0);
    for step in 0..27 {
        cubic.on_ack(&ack_at(f64::from(step) / 100.0));
    }
    assert_eq!(window(&*cubic), 28.0);
    cubic.on_ack(&ack_at(1.0));
    assert_eq!(variable(&*cubic, "plateau"), 28.0);
    // The same segment again: the threshold stays.
    cubic.on_congestion(&Congestion {
        episode: Episode::Continues,
        ..timeout(28)
    });
    assert_eq!(window(&*cubic), 1.0);
    assert_eq!(variable(&*cubic, "slow_start_threshold"), 28.0);
}

#[test]
fn losses_leave_two_packets_and_marks_one() {
    let echo = |flight| Congestion {
        signal: Signal::EcnEcho,
        ..loss(flight)
    };
    for (signal, left) in [(loss(2), 2.0), (echo(2), 1.4), (echo(1), 1.0)] {
        let mut cubic = cubic(&[], 4);
        cubic.on_congestion(&signal);
        assert_eq!(window(&*cubic), left, "{signal:?}");
        assert_eq!(variable(&*cubic, "slow_start_threshold"), 2.0);
    }
    let mut gentle = cubic(&[("beta_ecn", "0.85")], 100);
    gentle.on_congestion(&echo(100));
    assert_eq!(window(&*gentle), 85.0);
    let mut persistent = cubic(&[], 100);
    persistent.on_congestion(&Congestion {
        signal: Signal::PersistentCongestion,
        ..loss(100)
    });
    assert_eq!(window(&*persistent), 2.0);
}

#[test]
fn an_application_that_uses_half_the_window_ends_no_slow_start_and_does_not_grow_it() {
    let limited = |in_flight: u64| Ack {
        window_limited: false,
        in_flight: Bytes(1_000) * (in_flight - 1),
        ..ack_at(0.1)
    };
    let mut cubic = cubic(&[STANDARD], 10);
    cubic.on_ack(&limited(5)); // 10 is not below 2·5
    assert_eq!(window(&*cubic), 10.0);
    cubic.on_ack(&limited(6));
    assert_eq!(window(&*cubic), 11.0);
}

/// Reduced from 70.0075 after one ACK of a stage: all of it comes back, and its time goes on.
#[test]
fn a_loss_without_cause_is_undone_in_full() {
    let mut cubic = cubic(&[], 100);
    cubic.on_congestion(&loss(100));
    cubic.on_ack(&ack_at(0.2));
    let before = ["window", "slow_start_threshold", "plateau", "reno_window"]
        .map(|name| (name, variable(&*cubic, name)));
    cubic.on_congestion(&Congestion {
        now: at(0.3),
        ..loss(70)
    });
    assert!(window(&*cubic) < 50.0);
    cubic.on_spurious_congestion();
    for (name, value) in before {
        assert_eq!(variable(&*cubic, name), value, "{name}");
    }
    cubic.on_spurious_congestion();
    assert_eq!(window(&*cubic), before[0].1, "once only");
}

#[test]
fn a_mark_is_not_undone_and_neither_is_a_window_that_has_recovered() {
    let mut marked = cubic(&[], 100);
    marked.on_congestion(&loss(100));
    marked.on_congestion(&Congestion {
        signal: Signal::EcnEcho,
        ..loss(70)
    });
    marked.on_spurious_congestion();
    assert_eq!(window(&*marked), 49.0);

    let mut recovered = cubic(&[], 4);
    recovered.on_congestion(&loss(4));
    for step in 0..2_000 {
        recovered.on_ack(&ack_at(f64::from(step) / 100.0));
    }
    let grown = window(&*recovered);
    assert!(grown > 4.0, "{grown}");
    recovered.on_spurious_congestion();
    assert_eq!(window(&*recovered), grown);
}

/// 100 packets of 1000 B are 80 of 1250 B.
#[test]
fn another_segment_size_keeps_the_bytes() {
    let mut cubic = cubic(&[], 100);
    cubic.on_segment_size(Bytes(1_250));
    assert_eq!(window(&*cubic), 80.0);
    assert_eq!(cubic.limits().window, Bytes(100_000));
    cubic.on_congestion(&Congestion {
        flight_size: Bytes(100_000),
        ..loss(1)
    });
    assert_eq!(window(&*cubic), 56.0);
}

#[test]
fn selections_and_repairs_do_not_grow_the_window() {
    let mut cubic = cubic(&[], 10);
    cubic.on_ack(&Ack {
        acked: Bytes::ZERO,
        acked_packets: 0,
        ..ack_at(0.1)
    });
    cubic.on_ack(&Ack {
        in_recovery: true,
        ..ack_at(0.1)
    });
    assert_eq!(window(&*cubic), 10.0);
}
