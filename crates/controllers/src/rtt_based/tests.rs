use std::collections::BTreeMap;

use super::*;
use crate::PacketRef;
use crate::parameters::Given;
use crate::testing::{ack, loss, setup, timeout, window};

/// A connection whose packets are acknowledged one by one, with the round trip the test says.
struct Path {
    controller: Box<dyn CongestionController>,
    sent: Vec<Time>,
    acked: usize,
    now: Time,
}

impl Path {
    fn new(initial_window: u64, given: &[(&str, Given)]) -> Self {
        let given: BTreeMap<_, _> = given
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect();
        let parameters = CONTROLLER.resolve(&given).unwrap();
        Self {
            controller: (CONTROLLER.build)(&parameters, &setup(initial_window)),
            sent: Vec::new(),
            acked: 0,
            now: Time::ZERO,
        }
    }

    fn window(&self) -> f64 {
        window(&*self.controller)
    }

    fn variable(&self, wanted: &str) -> Option<f64> {
        let mut found = None;
        self.controller.variables(&mut |name, value| {
            if name == wanted {
                found = Some(value);
            }
        });
        found
    }

    fn send(&mut self) {
        while self.sent.len() - self.acked < self.window() as usize {
            self.controller.on_sent(&Sent {
                packet: PacketRef {
                    number: self.sent.len() as u64,
                    sent_at: self.now,
                },
                size: Bytes(1_000),
                in_flight: Bytes(1_000),
                retransmission: false,
            });
            self.sent.push(self.now);
        }
    }

    /// All that is out is acknowledged after `rtt_ms`; what the ACKs let out leaves after the last.
    fn round(&mut self, rtt_ms: u64) -> f64 {
        self.send();
        self.now = self.now.saturating_add(Duration::from_millis(rtt_ms));
        while self.acked < self.sent.len() {
            self.acknowledge(rtt_ms, false);
        }
        self.window()
    }

    fn acknowledge(&mut self, rtt_ms: u64, in_recovery: bool) {
        self.controller.on_ack(&Ack {
            now: self.now,
            rtt: Some(Duration::from_millis(rtt_ms)),
            newest: PacketRef {
                number: self.acked as u64,
                sent_at: self.sent[self.acked],
            },
            in_recovery,
            ..ack()
        });
        self.acked += 1;
    }
}

/// Offset 1 and bound 0 allow two steps in a round (1 ≥ 0, 2 ≥ 2, then 3 < 4), offset 3 four, and so on:
/// more than there are ACKs, so each ACK adds one.
#[test]
fn from_one_packet_the_window_doubles() {
    let mut path = Path::new(1, &[]);
    let windows: Vec<f64> = (0..5).map(|_| path.round(100)).collect();
    assert_eq!(windows, [2.0, 4.0, 8.0, 16.0, 32.0]);
}

/// Offset 0 after a stable phase: 1, 2, 4, 8 packets more, whatever the window.
#[test]
fn increments_start_from_one_whatever_the_window() {
    let mut state = State {
        window: 50.0,
        previous_window: 50.0,
        phase: Phase::Increment,
        offset: 0.0,
        bound: 0.0,
        threshold: None,
    };
    for expected in [51.0, 53.0, 57.0, 65.0] {
        state.bound = 0.0;
        for _ in 0..50 {
            if state.offset >= state.bound {
                state.step(1.0);
            }
        }
        assert_eq!(state.window, expected);
    }
}

/// 40 packets, RTT 100 → 150 ms: 40 packets in 150 ms, so 50 ms × 40/150 ms = 13.3 wait, rounded 13;
/// R = (13 − 3)/4 = 2.5: 3 packets go.
#[test]
fn what_waits_beyond_alpha_is_reduced_by_a_quarter_of_it() {
    let mut rtt_based = RttBased {
        alpha: 3.0,
        k: 0.25,
        rounds: true,
        dead_band: 0.0,
        literal: false,
        segment: Bytes(1_000),
        state: State {
            window: 40.0,
            previous_window: 40.0,
            phase: Phase::Stable,
            offset: 0.0,
            bound: 7.0,
            threshold: None,
        },
        before: Undo::new(),
        base: BaseRtt::new(Duration::ZERO),
        monitor: None,
        acked: 40,
        repairing: false,
        occupancy: None,
    };
    let now = Time::ZERO.saturating_add(Duration::from_millis(150));
    rtt_based.base.sample(now, Duration::from_millis(100));
    let monitor = Monitor {
        number: 39,
        sent_at: Time::ZERO,
        acked: 0,
    };
    rtt_based.judge(now, monitor);
    assert_eq!(rtt_based.occupancy, Some(13.0));
    // RTTmin + α/rate = 0.1 + 3·0.15/40 s.
    let threshold = rtt_based.state.threshold.unwrap();
    assert!((threshold - 0.111_25).abs() < 1e-12);

    let mut literal = rtt_based.clone();
    for _ in 0..40 {
        rtt_based.advance(0.11);
        literal.advance_literally(0.11);
    }
    assert_eq!(rtt_based.state.window, 37.0);
    // As printed, offset = 2.5 ≤ bound = 0 is false, and stays so.
    assert_eq!(literal.state.window, 40.0);

    // A round trip above the threshold ends a decrement as printed, and leaves it alone otherwise.
    rtt_based.state.phase = Phase::Decrement;
    literal.state.previous_window = 44.0;
    rtt_based.advance(0.2);
    literal.advance_literally(0.2);
    assert_eq!(rtt_based.state.window, 37.0);
    assert_eq!(rtt_based.state.phase, Phase::Decrement);
    assert_eq!(literal.state.window, 44.0);
    assert_eq!(literal.state.phase, Phase::Stable);
}

#[test]
fn a_round_trip_beyond_the_threshold_takes_the_period_back() {
    let mut path = Path::new(8, &[]);
    path.round(100);
    let before = path.round(100);
    let threshold = path.variable("rtt_threshold").unwrap();
    // rate: the monitor's own ACK alone in 100 ms; 0.1 + 3/10 s.
    assert!((threshold - 0.4).abs() < 1e-9);
    path.round(500);
    assert!(path.window() <= before);
}

#[test]
fn a_dead_band_counts_as_equal() {
    for (dead_band, phase) in [(0.0, Phase::Increment), (1.0, Phase::Stable)] {
        let mut rtt_based = RttBased {
            alpha: 3.0,
            k: 0.25,
            rounds: true,
            dead_band,
            literal: false,
            segment: Bytes(1_000),
            state: State {
                window: 12.0,
                previous_window: 12.0,
                phase: Phase::Stable,
                offset: 0.0,
                bound: 0.0,
                threshold: None,
            },
            before: Undo::new(),
            base: BaseRtt::new(Duration::ZERO),
            monitor: None,
            acked: 12,
            repairing: false,
            occupancy: None,
        };
        // 12 packets in 120 ms, 20 ms beyond the smallest: 2 wait.
        let now = Time::ZERO.saturating_add(Duration::from_millis(120));
        rtt_based.base.sample(now, Duration::from_millis(100));
        let monitor = Monitor {
            number: 11,
            sent_at: Time::ZERO,
            acked: 0,
        };
        rtt_based.judge(now, monitor);
        assert_eq!(rtt_based.occupancy, Some(2.0));
        assert_eq!(rtt_based.state.phase, phase);
    }
}

#[test]
fn a_loss_halves_once_and_the_window_stays_until_a_new_monitor() {
    let mut path = Path::new(20, &[]);
    path.send();
    path.controller.on_congestion(&loss(20));
    assert_eq!(path.window(), 10.0);
    path.controller.on_congestion(&Congestion {
        episode: Episode::Continues,
        ..loss(20)
    });
    assert_eq!(path.window(), 10.0);
    path.now = path.now.saturating_add(Duration::from_millis(100));
    path.acknowledge(100, true);
    assert_eq!(path.window(), 10.0);
    for _ in 0..9 {
        path.acknowledge(100, false); // stable: no monitor was sent during the repair
    }
    assert_eq!(path.window(), 10.0);
}

#[test]
fn a_timeout_starts_again_from_one_packet() {
    let mut path = Path::new(20, &[]);
    path.controller.on_congestion(&timeout(20));
    assert_eq!(path.window(), 1.0);
    path.controller.on_spurious_congestion();
    assert_eq!(path.window(), 20.0);
}

#[test]
fn a_real_occupancy_is_not_rounded() {
    let occupancy = |word: &str| {
        let mut path = Path::new(3, &[("occupancy", Given::Text(word.to_owned()))]);
        path.round(100);
        path.round(150);
        path.variable("virtual_queue_occupancy").unwrap()
    };
    // 50 ms × 1 packet in 150 ms.
    assert_eq!(occupancy("rounded"), 0.0);
    assert!((occupancy("real") - 1.0 / 3.0).abs() < 1e-9);
}

/// 2.5 packets, half of five in flight at a loss: 1.5 after one step down, then 1, not 0.5, with
/// which nothing could ever be sent again.
#[test]
fn the_window_stays_one_packet_whatever_a_loss_left() {
    let mut state = State {
        window: 2.5,
        previous_window: 2.5,
        phase: Phase::Decrement,
        offset: 9.0,
        bound: 0.0,
        threshold: None,
    };
    state.step(-1.0);
    assert_eq!(state.window, 1.5);
    state.step(-1.0);
    assert_eq!(state.window, 1.0);
}
