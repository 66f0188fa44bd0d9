use std::sync::{Arc, Mutex};

use controllers::Limits;

use super::*;
use crate::datagram::Sequence;

/// A controller that allows what a test says, and remembers what it was told.
#[derive(Clone, Debug)]
struct Scripted(Arc<Mutex<Script>>);

#[derive(Debug, Default)]
struct Script {
    /// Packets of 1000 B per second.
    rate: u64,
    acks: Vec<Ack>,
    losses: u64,
    events: u64,
    timeouts: u64,
}

impl CongestionController for Scripted {
    fn limits(&self) -> Limits {
        Limits::of_rate(Rate::bits_per_s(8_000 * self.0.lock().unwrap().rate))
    }
    fn on_ack(&mut self, ack: &Ack) {
        self.0.lock().unwrap().acks.push(*ack);
    }
    fn on_congestion(&mut self, congestion: &Congestion) {
        let mut script = self.0.lock().unwrap();
        if congestion.signal == Signal::Timeout {
            script.timeouts += 1;
        } else {
            script.losses += congestion.lost_packets;
            script.events += u64::from(congestion.episode == Episode::Begins);
        }
    }
}

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

fn sender(rate: u64) -> (TfrcSender, Scripted) {
    let script = Scripted(Arc::new(Mutex::new(Script {
        rate,
        ..Script::default()
    })));
    let mut sender = TfrcSender::new(TfrcConfig::default(), Box::new(script.clone()));
    sender.supply(u64::MAX);
    sender.start(Time::ZERO);
    (sender, script)
}

/// Feedback on packet `newest` that left at `left` ms, kept for 5 ms.
fn feedback(newest: u32, left: u64) -> TfrcFeedback {
    TfrcFeedback {
        newest: Sequence(newest),
        timestamp: at(left),
        delay: Duration::from_millis(5),
        received: Bytes(4_000),
        interval: Duration::from_millis(100),
        loss_event_rate: 0.01,
        losses: 0,
        new_event: false,
    }
}

/// All that leaves up to `end`: milliseconds and numbers.
fn sends(sender: &mut TfrcSender, from: u64, end: u64) -> Vec<(u64, u32)> {
    let mut sent = vec![];
    for ms in from..=end {
        while let Some(packet) = sender.poll_transmit(at(ms)) {
            sent.push((ms, packet.header.number.0));
        }
    }
    sent
}

#[test]
fn packets_leave_at_the_rate() {
    let (mut sender, script) = sender(100);
    assert_eq!(
        sends(&mut sender, 0, 35),
        [(0, 0), (10, 1), (20, 2), (30, 3)]
    );
    script.0.lock().unwrap().rate = 500;
    sender.on_feedback(at(35), &feedback(0, 0));
    // A new rate counts from the last packet: 30 + 2 ms is past.
    assert_eq!(sends(&mut sender, 35, 39), [(35, 4), (37, 5), (39, 6)]);
}

#[test]
fn the_round_trip_leaves_out_what_the_receiver_kept() {
    let (mut sender, script) = sender(100);
    sends(&mut sender, 0, 99);
    sender.on_feedback(at(100), &feedback(0, 0));
    let ack = script.0.lock().unwrap().acks[0];
    assert_eq!(ack.rtt, Some(Duration::from_millis(95)));
    let report = ack.report.unwrap();
    assert_eq!(report.loss_event_rate, 0.01);
    assert_eq!(report.received, Bytes(4_000));
    let header = sender.poll_transmit(at(100)).unwrap().header;
    assert_eq!(header.rtt, Duration::from_millis(95));
    // Packet 0 left without waiting; all since did.
    assert!(ack.app_limited);
}

#[test]
fn without_feedback_the_timer_expires_after_four_round_trips_or_two_packets() {
    let (mut sender, script) = sender(1);
    assert_eq!(sends(&mut sender, 0, 10), [(0, 0)]);
    assert_eq!(sender.rto(), Duration::from_secs(2));
    script.0.lock().unwrap().rate = 100;
    sender.on_feedback(at(105), &feedback(0, 0));
    assert_eq!(sender.rto(), Duration::from_millis(400));
    sends(&mut sender, 105, 504);
    sender.on_timer(at(504));
    assert_eq!(sender.statistics().timeouts, 0);
    sender.on_timer(at(505));
    assert_eq!(script.0.lock().unwrap().timeouts, 1);
    assert_eq!(sender.deadline, Some(at(905)));
    script.0.lock().unwrap().rate = 2;
    sender.on_timer(at(905));
    // Two packets at 2 per second.
    assert_eq!(sender.deadline, Some(at(1_905)));
}

#[test]
fn an_interval_is_data_limited_when_no_packet_waited() {
    let script = Scripted(Arc::new(Mutex::new(Script {
        rate: 100,
        ..Script::default()
    })));
    let mut sender = TfrcSender::new(TfrcConfig::default(), Box::new(script.clone()));
    sender.supply(3);
    sender.start(Time::ZERO);
    // 0 leaves at once, 1 and 2 wait for the rate.
    sends(&mut sender, 0, 60);
    sender.supply(4);
    assert_eq!(sends(&mut sender, 61, 90), [(61, 3)], "waited for data");
    sender.supply(5);
    assert_eq!(sends(&mut sender, 91, 120), [(91, 4)]);
    sender.supply(7);
    // 5 waits for data, 6 for the rate.
    assert_eq!(sends(&mut sender, 121, 140), [(121, 5), (131, 6)]);
    for (newest, left) in [(0, 0), (1, 10), (2, 20), (4, 91), (6, 131)] {
        sender.on_feedback(at(200), &feedback(newest, left));
    }
    let script = script.0.lock().unwrap();
    let limited: Vec<_> = script.acks.iter().map(|ack| ack.app_limited).collect();
    assert_eq!(limited, [true, false, false, true, false]);
}

#[test]
fn losses_are_told_before_the_ack() {
    let (mut sender, script) = sender(100);
    sends(&mut sender, 0, 99);
    let report = TfrcFeedback {
        losses: 3,
        new_event: true,
        ..feedback(7, 70)
    };
    sender.on_feedback(at(100), &report);
    assert_eq!(script.0.lock().unwrap().losses, 3);
    assert_eq!(sender.lost(), 3);
    // One more loss of the same event.
    let report = TfrcFeedback {
        losses: 1,
        ..feedback(8, 80)
    };
    sender.on_feedback(at(110), &report);
    assert_eq!(script.0.lock().unwrap().losses, 4);
    assert_eq!(script.0.lock().unwrap().events, 1);
}

/// RFC 5348 §4.3: the timer's length (step 3) is worked out before the rate changes (step 4). R =
/// 95 ms, then 0.9·95 + 0.1·95: 4R = 380 ms; two packets at 2 per second: 1 s.
#[test]
fn the_timer_goes_by_the_rate_before_the_feedback() {
    let (mut sender, script) = sender(2);
    sends(&mut sender, 0, 10);
    sender.on_feedback(at(100), &feedback(0, 0));
    sends(&mut sender, 100, 600);
    script.0.lock().unwrap().rate = 100;
    sender.on_feedback(at(600), &feedback(1, 500));
    assert_eq!(sender.deadline, Some(at(1_600)));
    sends(&mut sender, 600, 650);
    sender.on_feedback(at(700), &feedback(2, 600));
    assert_eq!(sender.deadline, Some(at(1_080)));
}

#[test]
fn hostile_feedback_is_refused_counted_and_changes_nothing() {
    let (mut sender, script) = sender(100);
    sends(&mut sender, 0, 99);
    sender.on_feedback(at(100), &feedback(2, 20));
    let good = feedback(3, 30);
    let hostile = [
        feedback(10, 30),
        feedback(u32::MAX, 30),
        feedback(3, 200),
        TfrcFeedback {
            delay: Duration::from_millis(90),
            ..good
        },
        TfrcFeedback { losses: 11, ..good },
        TfrcFeedback {
            loss_event_rate: f64::NAN,
            ..good
        },
        TfrcFeedback {
            loss_event_rate: 1.5,
            ..good
        },
        TfrcFeedback {
            loss_event_rate: -0.1,
            ..good
        },
    ];
    for report in hostile {
        sender.on_feedback(at(101), &report);
    }
    sender.on_feedback(at(101), &feedback(1, 10));
    assert_eq!(script.0.lock().unwrap().acks.len(), 1);
    let counts = sender.feedback();
    assert_eq!(
        (counts.beyond_sent, counts.malformed, counts.stale),
        (5, 3, 1)
    );
}
