use std::collections::BTreeMap;

use super::*;
use crate::ReceiverReport;
use crate::parameters::Given;
use crate::testing::{ack, loss, setup, timeout};

const RTT: Duration = Duration::from_millis(100);

fn tfrc(given: &[(&str, Given)]) -> Box<dyn CongestionController> {
    let given: BTreeMap<_, _> = given
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    let parameters = CONTROLLER.resolve(&given).unwrap();
    (CONTROLLER.build)(&parameters, &setup(1))
}

fn text(text: &str) -> Given {
    Given::Text(text.to_owned())
}

/// Sending rate in packets of 1000 B per second.
fn rate(controller: &dyn CongestionController) -> f64 {
    controller.limits().pacing.unwrap().as_f64() / 8_000.0
}

/// Feedback in round trip `round`: p, and packets received in the last round trip.
fn feedback(round: u64, p: f64, packets: u64) -> Ack {
    Ack {
        now: Time::ZERO + RTT * round,
        rtt: Some(RTT),
        report: Some(ReceiverReport {
            loss_event_rate: p,
            received: Bytes(1_000) * packets,
            interval: if packets > 0 { RTT } else { Duration::ZERO },
        }),
        ..ack()
    }
}

fn data_limited(round: u64, p: f64, packets: u64) -> Ack {
    Ack {
        app_limited: true,
        ..feedback(round, p, packets)
    }
}

fn sent() -> Sent {
    Sent {
        packet: ack().newest,
        size: Bytes(1_000),
        in_flight: Bytes(1_000),
        retransmission: false,
    }
}

fn close(value: f64, expected: f64) {
    assert!(
        (value / expected - 1.0).abs() < 1e-3,
        "{value}, not {expected}"
    );
}

#[test]
fn it_starts_with_a_packet_a_second_then_four_in_a_round_trip() {
    let mut tfrc = tfrc(&[]);
    assert_eq!(rate(&*tfrc), 1.0);
    // min(4·1000, max(2·1000, 4380)) = 4000 B each 100 ms
    tfrc.on_ack(&feedback(1, 0.0, 0));
    assert_eq!(rate(&*tfrc), 40.0);
}

#[test]
fn slow_start_doubles_once_a_round_trip_up_to_twice_the_receive_rate() {
    let mut tfrc = tfrc(&[]);
    tfrc.on_ack(&feedback(1, 0.0, 0));
    tfrc.on_ack(&feedback(2, 0.0, 4));
    assert_eq!(rate(&*tfrc), 80.0);
    // Feedback before the round trip is over: no doubling.
    tfrc.on_ack(&Ack {
        now: Time::ZERO + RTT * 2 + Duration::from_millis(50),
        ..feedback(2, 0.0, 8)
    });
    assert_eq!(rate(&*tfrc), 80.0);
    tfrc.on_ack(&feedback(3, 0.0, 8));
    assert_eq!(rate(&*tfrc), 160.0);
    // 9 packets a round trip are the most that arrived: 2 × 90.
    tfrc.on_ack(&feedback(4, 0.0, 9));
    assert_eq!(rate(&*tfrc), 180.0);
}

#[test]
fn a_loss_event_rate_gives_the_rate_of_the_equation() {
    let mut tfrc = tfrc(&[]);
    tfrc.on_ack(&feedback(1, 0.0, 0));
    tfrc.on_ack(&feedback(2, 0.01, 20));
    // 11.233 packets in a round trip
    close(rate(&*tfrc), 112.33);
    // Receive rate 4, but 20 in the two round trips before: the limit stays 2 × 200.
    tfrc.on_ack(&feedback(3, 0.01, 4));
    close(rate(&*tfrc), 112.33);
    // Only 4 and 5 are left: 2 × 50.
    tfrc.on_ack(&feedback(5, 0.01, 5));
    close(rate(&*tfrc), 100.0);
    // p = 0.5: f = 23.96 without bound, 0.417 packets a second.
    tfrc.on_ack(&feedback(6, 0.5, 5));
    close(rate(&*tfrc), 0.417_3);
    // p = 1: f = 243.3, 0.0411 packets a second; at least one in 64 s.
    tfrc.on_ack(&feedback(7, 1.0, 5));
    close(rate(&*tfrc), 0.041_1);
}

#[test]
fn a_loss_while_data_limited_lowers_the_limit() {
    let mut tfrc = tfrc(&[]);
    tfrc.on_ack(&feedback(1, 0.0, 0));
    for round in 2..6 {
        tfrc.on_ack(&data_limited(round, 0.001, 10));
    }
    // Equation 383.8; twice 10 in a round trip.
    close(rate(&*tfrc), 200.0);
    // No new loss: the maximum stays though only 2 arrived.
    tfrc.on_ack(&data_limited(6, 0.001, 2));
    close(rate(&*tfrc), 200.0);
    // A new loss event: max(100/2, 0.85·80) = 68, and not twice that.
    tfrc.on_ack(&data_limited(7, 0.002, 8));
    close(rate(&*tfrc), 68.0);
    // Another one that leaves p where it is: max(68/2, 0.85·80) again, not 2 × 80.
    tfrc.on_congestion(&loss(1));
    tfrc.on_ack(&data_limited(8, 0.002, 8));
    close(rate(&*tfrc), 68.0);
    // A loss of the same event is none: 2 × 80.
    tfrc.on_congestion(&Congestion {
        episode: Episode::Continues,
        ..loss(1)
    });
    tfrc.on_ack(&data_limited(9, 0.002, 8));
    close(rate(&*tfrc), 160.0);
}

#[test]
fn without_feedback_the_rate_halves() {
    let mut tfrc = tfrc(&[]);
    tfrc.on_sent(&sent());
    tfrc.on_congestion(&timeout(1));
    assert_eq!(rate(&*tfrc), 0.5);
    tfrc.on_congestion(&timeout(1));
    assert_eq!(rate(&*tfrc), 0.5, "idle since: no need");
    tfrc.on_ack(&feedback(1, 0.0, 0));
    tfrc.on_ack(&feedback(2, 0.0, 4));
    tfrc.on_ack(&feedback(3, 0.0, 8));
    assert_eq!(rate(&*tfrc), 160.0);
    tfrc.on_congestion(&timeout(1));
    assert_eq!(
        rate(&*tfrc),
        80.0,
        "idle, but at four times the recover rate"
    );
    tfrc.on_congestion(&timeout(1));
    assert_eq!(rate(&*tfrc), 40.0);
    tfrc.on_congestion(&timeout(1));
    assert_eq!(rate(&*tfrc), 40.0, "idle, and below twice the recover rate");
    tfrc.on_sent(&sent());
    tfrc.on_congestion(&timeout(1));
    assert_eq!(rate(&*tfrc), 20.0);
}

#[test]
fn after_a_loss_missing_feedback_halves_the_limit() {
    let mut tfrc = tfrc(&[]);
    tfrc.on_ack(&feedback(1, 0.0, 0));
    tfrc.on_ack(&feedback(2, 0.01, 20));
    tfrc.on_sent(&sent());
    // Equation 112.3 < 2 × 200: half of it, 56.2; then the limit is 2 × 28.1, so half again.
    tfrc.on_congestion(&timeout(1));
    close(rate(&*tfrc), 56.17);
    tfrc.on_sent(&sent());
    tfrc.on_congestion(&timeout(1));
    close(rate(&*tfrc), 28.08);
    // Back with the next feedback, as far as the receive rate says.
    tfrc.on_ack(&feedback(9, 0.01, 3));
    close(rate(&*tfrc), 60.0);
    // The limit that an expired timer leaves counts for two round trips: 11.233/0.1/2 = 56.17 at
    // round 20, though only 10 a second arrive.
    tfrc.on_ack(&feedback(12, 0.01, 20));
    tfrc.on_sent(&sent());
    tfrc.on_congestion(&Congestion {
        now: Time::ZERO + RTT * 20,
        ..timeout(1)
    });
    tfrc.on_ack(&feedback(22, 0.01, 1));
    close(rate(&*tfrc), 56.17);
    tfrc.on_ack(&feedback(23, 0.01, 1));
    close(rate(&*tfrc), 20.0);
}

#[test]
fn a_longer_round_trip_lowers_the_rate_for_the_moment() {
    for (damping, expected) in [(true, 0.716_2), (false, 1.0)] {
        let mut tfrc = tfrc(&[("damping", Given::Flag(damping))]);
        tfrc.on_ack(&feedback(1, 0.0, 0));
        tfrc.on_ack(&Ack {
            rtt: Some(RTT * 2),
            ..feedback(2, 0.01, 40)
        });
        // R = 0.9·100 + 0.1·200 = 110 ms: 11.233/0.11 = 102.12. Roots: 0.9·0.316228 +
        // 0.1·0.447214 = 0.329327 over 0.447214: 0.736396.
        close(
            rate(&*tfrc),
            102.12 * if damping { 0.736_396 } else { expected },
        );
    }
}

#[test]
fn the_timeout_term_can_be_measured() {
    let run = |given: &[(&str, Given)]| {
        let mut tfrc = tfrc(given);
        for round in 1..200 {
            tfrc.on_ack(&feedback(round, 0.1, 100));
        }
        rate(&*tfrc)
    };
    // p = 0.1: √(0.2/3) = 0.258199; 3·√(0.0375)·0.1·1.32 = 0.0766851.
    // t_RTO 0.4: 1/(0.0258199 + 0.0306740) = 17.70; 0.3 (three ticks): 20.48; 0.1: 29.86.
    close(run(&[]), 17.70);
    let ticks = ("timeout_term", text("measured"));
    close(run(std::slice::from_ref(&ticks)), 20.48);
    close(run(&[ticks, ("tick", text("0 ms"))]), 29.86);
}
