use std::sync::{Arc, Mutex};

use proptest::prelude::*;

use controllers::Ack;

use super::*;
use crate::tfwc::{MOST_GAPS, TfwcReceiver, TfwcReceiverConfig};
use units::Rate;

/// A controller that allows what a test says, and remembers what it was told.
#[derive(Clone, Debug)]
struct Scripted(Arc<Mutex<Script>>);

#[derive(Debug)]
struct Script {
    limits: Limits,
    lost: Vec<u64>,
    acks: Vec<Ack>,
    timeouts: u64,
}

impl CongestionController for Scripted {
    fn limits(&self) -> Limits {
        self.0.lock().unwrap().limits
    }
    fn on_ack(&mut self, ack: &Ack) {
        self.0.lock().unwrap().acks.push(*ack);
    }
    fn on_congestion(&mut self, congestion: &Congestion) {
        let mut script = self.0.lock().unwrap();
        if congestion.signal == Signal::Timeout {
            script.timeouts += 1;
            assert_eq!(congestion.lost_packets, 0);
        } else {
            assert_eq!(congestion.lost_packets, 1);
            script.lost.push(congestion.newest.number);
        }
    }
}

const RTT: Duration = Duration::from_millis(100);

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

fn window(packets: u64) -> Limits {
    Limits::of_window(Bytes(1_000 * packets))
}

/// One packet each 250 ms.
fn paced() -> Limits {
    Limits::of_rate(Rate::kbit_per_s(32))
}

fn sender(limits: Limits) -> (TfwcSender, Scripted) {
    let script = Scripted(Arc::new(Mutex::new(Script {
        limits,
        lost: vec![],
        acks: vec![],
        timeouts: 0,
    })));
    let mut sender = TfwcSender::new(TfwcConfig::default(), Box::new(script.clone()));
    sender.start();
    sender.supply(u64::MAX);
    (sender, script)
}

fn allow(script: &Scripted, limits: Limits) {
    script.0.lock().unwrap().limits = limits;
}

fn poll(sender: &mut TfwcSender, now: Time) -> Vec<u32> {
    std::iter::from_fn(|| sender.poll_transmit(now))
        .map(|packet| packet.header.number.0)
        .collect()
}

/// An ACK of packets up to `head` with the gaps given, of a packet that left a round trip ago.
fn ack(head: u32, run: u32, now: Time) -> TfwcAck {
    TfwcAck {
        head: Sequence(head),
        run,
        timestamp: now - RTT,
    }
}

fn gap(missing: u32, arrived: u32) -> Gap {
    Gap { missing, arrived }
}

#[test]
fn just_a_window_is_in_flight() {
    let (mut sender, script) = sender(window(4));
    assert_eq!(poll(&mut sender, at(0)), [0, 1, 2, 3]);
    sender.on_ack(at(100), &ack(1, 2, at(100)), &[]);
    assert_eq!(poll(&mut sender, at(100)), [4, 5]);
    allow(&script, window(6));
    // Newest 2: 3, 4, 5 are out, three more fit.
    sender.on_ack(at(110), &ack(2, 3, at(110)), &[]);
    assert_eq!(poll(&mut sender, at(110)), [6, 7, 8]);
    assert_eq!(sender.in_flight(), 6);
    let script = script.0.lock().unwrap();
    let acked: Vec<_> = script.acks.iter().map(|ack| ack.acked_packets).collect();
    assert_eq!(acked, [2, 1]);
    assert_eq!(script.acks[0].rtt, Some(RTT));
}

/// Choi §5.2: with the ACK vector (10 9 8 7 6 5) and everything up to 3 understood, 9, 8 and 7 are
/// the margin, and 6, 5, 4 are looked at: 4 is missing.
#[test]
fn a_packet_is_lost_when_one_four_above_it_arrived() {
    let (mut sender, script) = sender(window(20));
    poll(&mut sender, at(0));
    sender.on_ack(at(100), &ack(7, 8, at(100)), &[]);
    let next = sender.poll_transmit(at(100)).unwrap();
    assert_eq!(next.header.understood, Sequence(3));
    // Packet 8 is missing: in the margin of 9, 10 and 11.
    sender.on_ack(at(101), &ack(9, 1, at(101)), &[gap(1, 4)]);
    sender.on_ack(at(102), &ack(10, 2, at(102)), &[gap(1, 4)]);
    sender.on_ack(at(103), &ack(11, 3, at(103)), &[gap(1, 4)]);
    assert!(script.0.lock().unwrap().lost.is_empty());
    sender.on_ack(at(104), &ack(12, 4, at(104)), &[gap(1, 4)]);
    assert_eq!(script.0.lock().unwrap().lost, [8]);
    // It is told once.
    sender.on_ack(at(105), &ack(13, 5, at(105)), &[gap(1, 4)]);
    assert_eq!(script.0.lock().unwrap().lost, [8]);
    assert_eq!(sender.lost(), 1);
}

#[test]
fn losses_are_told_oldest_first_and_arrivals_do_not_count_them() {
    let (mut sender, script) = sender(window(30));
    poll(&mut sender, at(0));
    // Arrived: 0, 3, 4, 7 to 11, 14 to 16. Up to 12 (= 16 − 4) lost: 1, 2, 5, 6, 12.
    let gaps = [gap(2, 5), gap(2, 2), gap(2, 1)];
    sender.on_ack(at(100), &ack(16, 3, at(100)), &gaps);
    let script = script.0.lock().unwrap();
    assert_eq!(script.lost, [1, 2, 5, 6, 12]);
    assert_eq!(script.acks[0].acked_packets, 11);
    assert_eq!(script.acks[0].newest.number, 16);
    assert_eq!(sender.statistics().congestion_episodes, 1);
}

/// The list may end above what is understood: what lies between is lost, too.
#[test]
fn what_the_vector_leaves_out_is_missing() {
    let (mut sender, script) = sender(window(30));
    poll(&mut sender, at(0));
    sender.on_ack(at(100), &ack(9, 6, at(100)), &[]);
    assert_eq!(script.0.lock().unwrap().lost, [0, 1, 2, 3]);
}

#[test]
fn the_timer_doubles_and_lets_one_packet_out_each_time() {
    let (mut sender, script) = sender(window(2));
    assert_eq!(poll(&mut sender, at(0)), [0, 1]);
    // 3 s before the first sample, then 6, then 12.
    for (ms, number) in [(3_000, 2), (9_000, 3), (21_000, 4)] {
        assert_eq!(sender.next_timer(), Some(at(ms)));
        sender.on_timer(at(ms));
        assert_eq!(poll(&mut sender, at(ms)), [number]);
    }
    assert_eq!(sender.statistics().timeouts, 3);
    assert_eq!(script.0.lock().unwrap().timeouts, 3);
    // An ACK ends that: newest 2, so 3 and 4 are out and fill the window.
    sender.on_ack(at(22_000), &ack(2, 1, at(22_000)), &[]);
    assert!(poll(&mut sender, at(22_000)).is_empty());
    // SRTT 100 + 4·50 ms.
    assert_eq!(sender.next_timer(), Some(at(22_300)));
}

#[test]
fn the_timeout_has_a_floor_of_ten_milliseconds_above_the_round_trip() {
    let (mut sender, _) = sender(window(1_000));
    poll(&mut sender, at(0));
    for head in 0..100 {
        let now = at(100 + u64::from(head));
        sender.on_ack(now, &ack(head, head + 1, now), &[]);
    }
    assert_eq!(sender.rto(), Duration::from_millis(110));
    // With a tick of 100 ms: three ticks.
    let config = TfwcConfig {
        tick: Duration::from_millis(100),
        ..TfwcConfig::default()
    };
    let (_, script) = self::sender(window(100));
    let mut sender = TfwcSender::new(config, Box::new(script));
    sender.start();
    sender.supply(u64::MAX);
    poll(&mut sender, at(0));
    sender.on_ack(at(100), &ack(0, 1, at(100)), &[]);
    assert_eq!(sender.rto(), Duration::from_millis(300));
}

#[test]
fn in_rate_mode_only_the_timer_sends() {
    let (mut sender, script) = sender(window(2));
    assert_eq!(poll(&mut sender, at(0)), [0, 1]);
    allow(&script, paced());
    // The ACK turns to rate mode: it neither sends nor touches the timer.
    sender.on_ack(at(100), &ack(0, 1, at(100)), &[]);
    assert!(poll(&mut sender, at(100)).is_empty());
    assert_eq!(sender.next_timer(), Some(at(3_000)));
    for round in 0..5_u64 {
        let now = at(3_000 + 250 * round);
        assert_eq!(sender.next_timer(), Some(now));
        sender.on_timer(now);
        assert_eq!(
            poll(&mut sender, now),
            [2 + round as u32],
            "one, in any case"
        );
    }
    assert_eq!(sender.statistics().timeouts, 0, "they are no timeouts");
    // Back to a window: the ACK sends again.
    allow(&script, window(8));
    sender.on_ack(at(4_010), &ack(6, 1, at(4_010)), &[]);
    assert_eq!(poll(&mut sender, at(4_010)).len(), 8);
}

#[test]
fn a_timer_without_data_waits_for_it() {
    let (mut sender, _) = sender(paced());
    assert_eq!(poll(&mut sender, at(0)), [0]);
    let mut sender = {
        let (mut fresh, _) = self::sender(paced());
        fresh.end = 1;
        poll(&mut fresh, at(0));
        sender.stop();
        fresh
    };
    sender.on_timer(at(250));
    assert_eq!(sender.next_timer(), None);
    sender.supply(3);
    assert_eq!(poll(&mut sender, at(400)), [1]);
    assert_eq!(sender.next_timer(), Some(at(650)));
}

#[test]
fn stale_and_repeated_acks_change_no_history() {
    let (mut sender, script) = sender(window(20));
    poll(&mut sender, at(0));
    sender.on_ack(at(100), &ack(9, 10, at(100)), &[]);
    sender.on_ack(at(101), &ack(5, 3, at(101)), &[]);
    sender.on_ack(at(102), &ack(9, 10, at(102)), &[]);
    let script = script.0.lock().unwrap();
    assert_eq!(script.acks.len(), 1);
    assert!(script.lost.is_empty());
    let counts = sender.feedback();
    assert_eq!((counts.accepted, counts.stale, counts.refused()), (2, 1, 0));
}

#[test]
fn hostile_acks_are_refused_counted_and_change_nothing() {
    let (mut sender, _) = sender(window(20));
    poll(&mut sender, at(0));
    sender.on_ack(at(100), &ack(9, 10, at(100)), &[]);
    let now = at(101);
    let many = [gap(1, 1); MOST_GAPS + 1];
    let state = |sender: &TfwcSender| (sender.in_flight(), sender.lost(), sender.next_timer());
    let before = state(&sender);
    let next = 20;
    let hostile: [(TfwcAck, &[Gap]); 9] = [
        (ack(next, 1, now), &[]),                      // not sent yet
        (ack(next + 1_000_000, 1, now), &[]),          // far beyond
        (ack(u32::MAX, 1, now), &[]),                  // before the first
        (ack(12, 14, now), &[]),                       // below the first
        (ack(12, 1, now), &[gap(u32::MAX, u32::MAX)]), // far below
        (ack(12, 0, now), &[]),                        // a head that did not arrive
        (ack(12, 1, now), &[gap(0, 3)]),               // overlapping runs
        (ack(12, 1, now), &[gap(3, 0)]),
        (ack(12, 1, now), &many), // oversized
    ];
    for (ack, gaps) in hostile {
        sender.on_ack(now, &ack, gaps);
    }
    // A timestamp to come.
    let future = TfwcAck {
        timestamp: at(200),
        ..ack(12, 13, now)
    };
    sender.on_ack(now, &future, &[]);
    assert_eq!(state(&sender), before);
    let counts = *sender.feedback();
    assert_eq!(counts.beyond_sent, 6);
    assert_eq!(counts.malformed, 3);
    assert_eq!(counts.oversized, 1);
    assert_eq!(sender.statistics().acks_received, 11);
}

proptest! {
    /// Any ACKs at all: no panic, no packet sent twice, none lost that was not sent.
    #[test]
    fn any_acks_are_survived(
        acks in proptest::collection::vec(
            (0..40_u32, prop_oneof![0..12_u32, any::<u32>()], any::<bool>(),
             proptest::collection::vec((0..4_u32, 0..4_u32), 0..6)),
            1..60),
    ) {
        let (mut sender, script) = sender(window(8));
        let mut next = 0;
        for (step, (head, run, future, gaps)) in acks.into_iter().enumerate() {
            let now = at(200 + 7 * step as u64);
            for number in poll(&mut sender, now) {
                prop_assert_eq!(number, next);
                next += 1;
            }
            let gaps: Vec<_> = gaps.into_iter().map(|(m, a)| gap(m, a)).collect();
            let mut ack = ack(head, run, now);
            if future {
                ack.timestamp = now + RTT;
            }
            sender.on_ack(now, &ack, &gaps);
            if sender.next_timer().is_some_and(|at| at <= now) {
                sender.on_timer(now);
            }
        }
        let lost = &script.0.lock().unwrap().lost;
        prop_assert!(lost.is_sorted_by(|a, b| a < b));
        prop_assert!(lost.iter().all(|number| *number < u64::from(next)));
    }
}

/// Packets 2³² − 3 to 2³² + 4, on the wire −3 to 4. The fifth and the sixth (1 and 2) are missing when
/// the eighth arrives: only what is below 4 − 3 = 1 on the wire is settled, then the rest.
#[test]
fn vectors_that_span_the_wrap_are_read() {
    let script = Scripted(Arc::new(Mutex::new(Script {
        limits: window(8),
        lost: vec![],
        acks: vec![],
        timeouts: 0,
    })));
    let config = TfwcConfig {
        first: Sequence(0_u32.wrapping_sub(3)),
        ..TfwcConfig::default()
    };
    let mut sender = TfwcSender::new(config, Box::new(script.clone()));
    sender.start();
    sender.supply(u64::MAX);
    let sent = poll(&mut sender, at(0));
    assert_eq!(sent, [u32::MAX - 2, u32::MAX - 1, u32::MAX, 0, 1, 2, 3, 4]);
    // Up to 4, run 2 (4, 3), missing 2 and 1, arrived 0 down to −3.
    sender.on_ack(at(100), &ack(4, 2, at(100)), &[gap(2, 4)]);
    assert!(script.0.lock().unwrap().lost.is_empty());
    assert_eq!(script.0.lock().unwrap().acks[0].acked_packets, 6);
    assert_eq!(poll(&mut sender, at(100)), [5, 6, 7, 8, 9, 10, 11, 12]);
    // An ACK from before the wrap is stale, not far ahead.
    sender.on_ack(at(101), &ack(u32::MAX, 3, at(101)), &[]);
    assert_eq!(sender.feedback().stale, 1);
    sender.on_ack(at(102), &ack(7, 5, at(102)), &[gap(2, 4)]);
    // 1 and 2 are the fifth and sixth packets.
    assert_eq!(script.0.lock().unwrap().lost, [4, 5]);
    assert_eq!(sender.feedback().refused(), 0);
}

/// The receiver does not hear that 2 is understood as lost, and reports it again; then an ACK is lost,
/// and the next one answers for both.
#[test]
fn what_is_reported_twice_is_lost_once() {
    let (mut sender, script) = sender(window(20));
    poll(&mut sender, at(0));
    sender.on_ack(at(100), &ack(6, 4, at(100)), &[gap(1, 2)]);
    sender.on_ack(at(110), &ack(7, 5, at(110)), &[gap(1, 2)]);
    sender.on_ack(at(120), &ack(9, 7, at(120)), &[gap(1, 2)]);
    let script = script.0.lock().unwrap();
    assert_eq!(script.lost, [2]);
    let arrived: Vec<_> = script.acks.iter().map(|ack| ack.acked_packets).collect();
    assert_eq!(arrived, [6, 1, 2]);
}

/// The ACK of the ACK is lost for a while: the vector grows, and shrinks with the next one that
/// arrives.
#[test]
fn a_lost_ack_of_an_ack_is_made_good_by_the_next() {
    let mut receiver = TfwcReceiver::new(TfwcReceiverConfig::default());
    let data = |number: u32, understood: u32| TfwcData {
        number: Sequence(number),
        understood: Sequence(understood),
        timestamp: Time::ZERO,
    };
    // Nothing is understood: packet −1 on the wire.
    for number in 0..50 {
        let delivery = receiver.on_data(&data(number, u32::MAX));
        assert!(delivery.new);
        assert_eq!(delivery.ack.header.run, number + 1);
    }
    let delivery = receiver.on_data(&data(50, 40));
    assert_eq!(
        (delivery.ack.header.head, delivery.ack.header.run),
        (Sequence(50), 10)
    );
    // A late packet with an old ACK of the ACK takes nothing back.
    let late = receiver.on_data(&data(49, 3));
    assert!(!late.new);
    assert_eq!(late.ack.header.run, 10);
    // More understood than arrived: the newest stays.
    let delivery = receiver.on_data(&data(51, 200));
    assert_eq!(
        (delivery.ack.header.head, delivery.ack.header.run),
        (Sequence(51), 1)
    );
    assert!(receiver.gaps().is_empty());
}

#[test]
fn an_ack_grows_by_its_vector_where_that_is_wanted() {
    let mut receiver = TfwcReceiver::new(TfwcReceiverConfig {
        count_vector: true,
        ..TfwcReceiverConfig::default()
    });
    let mut size = Bytes::ZERO;
    for number in [0, 1, 3, 5] {
        let data = TfwcData {
            number: Sequence(number),
            understood: Sequence(u32::MAX),
            timestamp: Time::ZERO,
        };
        size = receiver.on_data(&data).ack.size;
    }
    // Runs: 5; 4 missing, 3; 2 missing, 1 and 0: five octets, and two of type and length.
    assert_eq!(size, Bytes(47));
    assert_eq!(receiver.gaps(), [gap(1, 1), gap(1, 2)]);
}
