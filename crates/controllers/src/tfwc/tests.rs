use std::collections::BTreeMap;

use super::*;
use crate::parameters::Given;
use crate::testing::{ack, loss, setup};

/// Whether a packet is lost.
type Pattern = fn(u64) -> bool;

const RTT: Duration = Duration::from_millis(60);

fn tfwc(given: &[(&str, Given)]) -> Box<dyn CongestionController> {
    let given: BTreeMap<_, _> = given
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    let parameters = CONTROLLER.resolve(&given).unwrap();
    (CONTROLLER.build)(&parameters, &setup(1))
}

fn variable(controller: &dyn CongestionController, name: &str) -> Option<f64> {
    let mut found = None;
    controller.variables(&mut |other, value| {
        if other == name {
            found = Some(value);
        }
    });
    found
}

/// Drives a controller as the sender of the report does: packet `n` leaves at `n` times `gap`, one
/// ACK for each that arrives, losses four packets later, oldest first.
struct Path {
    controller: Box<dyn CongestionController>,
    gap: Duration,
    lost: Pattern,
    head: u64,
    /// One past the newest number that was looked at.
    settled: u64,
}

impl Path {
    fn new(given: &[(&str, Given)], gap: Duration, lost: Pattern) -> Self {
        Self {
            controller: tfwc(given),
            gap,
            lost,
            head: 0,
            settled: 0,
        }
    }

    fn packet(&self, number: u64) -> PacketRef {
        let sent_at = Time::ZERO + self.gap * number;
        PacketRef { number, sent_at }
    }

    fn run_to(&mut self, end: u64) {
        while self.head < end {
            if !(self.lost)(self.head) {
                for number in self.settled..self.head.saturating_sub(3) {
                    if (self.lost)(number) {
                        let newest = self.packet(number);
                        self.controller
                            .on_congestion(&Congestion { newest, ..loss(1) });
                    }
                }
                self.settled = self.settled.max(self.head.saturating_sub(3));
                let newest = self.packet(self.head);
                let rtt = Some(RTT);
                let now = newest.sent_at + RTT;
                self.controller.on_ack(&Ack {
                    now,
                    rtt,
                    newest,
                    ..ack()
                });
            }
            self.head += 1;
        }
    }

    fn average(&self) -> f64 {
        variable(&*self.controller, "average_loss_interval").unwrap()
    }

    fn window(&self) -> f64 {
        variable(&*self.controller, "window").unwrap()
    }
}

#[test]
fn slow_start_adds_a_packet_for_each_ack() {
    let mut tfwc = tfwc(&[]);
    for _ in 0..19 {
        tfwc.on_ack(&ack());
    }
    assert_eq!(tfwc.limits().window, Bytes(20_000));
    assert_eq!(tfwc.limits().pacing, None);
}

/// Window 20 at the first loss: half is 10, which goes with p = 0.0121 and 82 packets; window 11:
/// 5 and 29 packets; window 8: 4 and 22 (21.99 rounded down is 21).
#[test]
fn the_first_loss_halves_the_window_and_invents_a_history() {
    for first_loss in ["bisection", "scan"] {
        for (window, half, packets) in [(20, 10.0, 82.0), (11, 5.0, 29.0), (8, 4.0, 21.0)] {
            let mut tfwc = tfwc(&[("first_loss", Given::Text(first_loss.to_owned()))]);
            for number in 0..window - 1 {
                let newest = PacketRef {
                    number,
                    sent_at: Time::ZERO,
                };
                tfwc.on_ack(&Ack { newest, ..ack() });
            }
            assert_eq!(variable(&*tfwc, "window"), Some(window as f64));
            let newest = PacketRef {
                number: window,
                sent_at: Time::ZERO,
            };
            for _ in 0..3 {
                // Further losses of the same window change nothing.
                tfwc.on_congestion(&Congestion { newest, ..loss(1) });
            }
            assert_eq!(variable(&*tfwc, "window"), Some(half));
            assert_eq!(variable(&*tfwc, "average_loss_interval"), Some(packets));
            // The ACK that showed the loss, of packet window + 4: the open interval is empty.
            let newest = PacketRef {
                number: window + 4,
                sent_at: Time::ZERO,
            };
            tfwc.on_ack(&Ack {
                newest,
                rtt: Some(RTT),
                ..ack()
            });
            assert_eq!(variable(&*tfwc, "open_loss_interval"), Some(0.0));
            assert_eq!(variable(&*tfwc, "window"), Some(half));
        }
    }
}

/// One loss in each 100, 50, 20, 10 packets: average loss interval exactly that, windows 11.23,
/// 7.26 (f(0.02) = 0.1365), 3.69, 1.77, rounded 11, 7, 4, 2; the last is rate-driven.
#[test]
fn periodic_losses_give_their_own_period_and_its_window() {
    let patterns: [(u64, Pattern, f64); 4] = [
        (100, |n| n % 100 == 99, 11.0),
        (50, |n| n % 50 == 49, 7.0),
        (20, |n| n % 20 == 19, 4.0),
        (10, |n| n % 10 == 9, 2.0),
    ];
    for (period, lost, window) in patterns {
        // Ten packets a round trip at most, so that each loss is an event.
        let mut path = Path::new(&[], Duration::from_millis(7), lost);
        path.run_to(40 * period);
        for _ in 0..3 * period {
            let next = path.head + 1;
            path.run_to(next);
            assert!((path.average() - period as f64).abs() < 1e-9, "{period}");
            assert_eq!(path.window(), window);
        }
        let rate_driven = path.controller.limits().pacing.is_some();
        assert_eq!(rate_driven, period == 10);
    }
}

/// C.1.2: [OX…O], [OXOX…O], [XO…OX] of 100: one event in each hundred, whatever the number of
/// losses, since they lie within one round trip.
#[test]
fn losses_of_one_round_trip_are_one_event() {
    let patterns: [Pattern; 4] = [
        |n| n % 100 == 1,
        |n| n % 100 == 1 || n % 100 == 3,
        |n| n % 100 == 0 || n % 100 == 99,
        |n| n % 100 == 50 || n % 100 == 51,
    ];
    for lost in patterns {
        let mut path = Path::new(&[], Duration::from_millis(5), lost);
        path.run_to(3_000);
        for _ in 0..300 {
            let next = path.head + 1;
            path.run_to(next);
            assert!((path.average() - 100.0).abs() < 1e-9);
            assert_eq!(path.window(), 11.0);
        }
    }
}

/// OXOX…: with packets further apart than half a round trip each loss is an event: interval 2.
/// W = 1/f(0.5) = 0.0417, so a timer sends: eq. 5.5 with R = 60 ms and t0 = 60 ms (nothing
/// varies) is 0.06·√(1/3) + 0.06·1·0.5·9 = 0.034641 + 0.27 = 0.304641 s.
#[test]
fn every_second_packet_lost_is_an_interval_of_two() {
    let mut path = Path::new(&[], Duration::from_millis(31), |n| n % 2 == 1);
    path.run_to(400);
    assert!((path.average() - 2.0).abs() < 1e-12);
    assert_eq!(path.window(), 1.0);
    let interval = variable(&*path.controller, "packet_interval").unwrap();
    assert!((interval - 0.304_641).abs() < 1e-6, "{interval}");
    let limits = path.controller.limits();
    assert_eq!(limits.window, Bytes::MAX);
    // 8000 bits in 0.304641 s
    assert_eq!(limits.pacing.unwrap().as_bits_per_s(), 26_260);
}

#[test]
fn options_change_what_they_name() {
    let every_20: Pattern = |n| n % 20 == 19;
    let every_10: Pattern = |n| n % 10 == 9;
    let gap = Duration::from_millis(7);
    let run = |given: &[(&str, Given)], lost| {
        let mut path = Path::new(given, gap, lost);
        path.run_to(2_000);
        path
    };
    let interval = |path: &Path| variable(&*path.controller, "packet_interval");
    let text = |text: &str| Given::Text(text.to_owned());
    // W = 3.686
    assert_eq!(run(&[("rounding", text("down"))], every_20).window(), 3.0);
    assert_eq!(run(&[("intervals", text("16"))], every_20).window(), 4.0);
    // W = 1.770
    assert_eq!(
        interval(&run(&[("rate_mode", Given::Flag(false))], every_10)),
        None
    );
    assert_eq!(
        interval(&run(&[("rate_threshold", Given::Number(1.7))], every_10)),
        None
    );
    // p = 0.1: 0.06·0.258199 + t0·0.580948·0.1·1.32 = 0.0154919 + t0·0.0766851
    let fine = interval(&run(&[], every_10)).unwrap();
    assert!(
        (fine - (0.015_491_9 + 0.06 * 0.076_685_1)).abs() < 1e-7,
        "{fine}"
    );
    let ticks = interval(&run(&[("tick", text("100 ms"))], every_10)).unwrap();
    assert!(
        (ticks - (0.015_491_9 + 0.3 * 0.076_685_1)).abs() < 1e-7,
        "{ticks}"
    );
    let later = interval(&run(&[("rate_factor", Given::Number(0.8))], every_10)).unwrap();
    assert!((later / fine - 0.8).abs() < 1e-9);
    let damped = interval(&run(&[("damping", Given::Flag(true))], every_10)).unwrap();
    assert!(
        (damped / fine - 1.0).abs() < 1e-9,
        "round trips do not vary"
    );
}

#[test]
fn a_timeout_that_names_no_loss_changes_nothing() {
    let mut path = Path::new(&[], Duration::from_millis(7), |n| n % 50 == 49);
    path.run_to(2_000);
    let before = format!("{:?}", path.controller);
    path.controller.on_congestion(&Congestion {
        lost_packets: 0,
        ..crate::testing::timeout(5)
    });
    assert_eq!(format!("{:?}", path.controller), before);
}
