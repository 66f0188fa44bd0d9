//! Congestion experienced, and the answer to it.

use super::*;

#[test]
fn an_ecn_echo_reduces_once_for_each_window() {
    let mut bench = Bench::new(SenderConfig {
        ecn: true,
        ..config(Recovery::NewReno)
    });
    assert!(bench.transmits().iter().all(|t| t.ecn == Ecn::Ect0));
    bench.wait(RTT);
    let echo = |bench: &mut Bench, number: u64| bench.ack_by(number, number - 1, Flags::ECE, &[]);
    // 10 out: the window becomes 5, and the ACK does not open it.
    assert_eq!(echo(&mut bench, 1), []);
    assert_eq!(bench.window(), 5.0);
    for number in 2..=5 {
        assert_eq!(echo(&mut bench, number), []);
    }
    // 6 acknowledged, 4 out: one new packet, which says that the window was reduced.
    bench.sender.on_segment(
        bench.now,
        &Segment {
            kind: SegmentKind::Ack,
            flags: Flags::ECE,
            number: 6,
            timestamp: Time::ZERO,
        },
        &[],
    );
    let left = bench.transmits();
    assert_eq!(left.len(), 1);
    assert!(left[0].segment.flags.contains(Flags::CWR));
    for number in 7..=9 {
        echo(&mut bench, number);
    }
    bench.sender.on_segment(
        bench.now,
        &Segment {
            kind: SegmentKind::Ack,
            flags: Flags::NONE,
            number: 10,
            timestamp: Time::ZERO,
        },
        &[],
    );
    let next = bench.transmits();
    assert!(!next.is_empty());
    assert!(next.iter().all(|t| !t.segment.flags.contains(Flags::CWR)));
    assert!(next.iter().all(|t| t.ecn == Ecn::Ect0));
    assert_eq!(bench.window(), 5.2);
    bench.wait(RTT);
    // 10 was sent after the reduction: a new window, a new reduction, from 5 outstanding.
    echo(&mut bench, 11);
    assert_eq!(bench.window(), 2.5);
    assert_eq!(bench.sender.statistics().congestion_episodes, 2);
}

/// RFC 3168 §6.1.5.
#[test]
fn a_retransmission_is_not_ecn_capable() {
    let mut bench = Bench::new(SenderConfig {
        ecn: true,
        ..config(Recovery::NewReno)
    });
    bench.sent();
    bench.now = bench.sender.next_timer().unwrap();
    bench.sender.on_timer(bench.now);
    let again = bench.transmits();
    assert_eq!((again[0].segment.number, again[0].ecn), (0, Ecn::NotEct));
}

#[test]
fn a_loss_in_a_window_reduced_for_a_mark_reduces_no_more() {
    let mut bench = Bench::new(SenderConfig {
        ecn: true,
        ..config(Recovery::NewReno)
    });
    bench.sent();
    bench.wait(RTT);
    bench.ack_by(1, 0, Flags::ECE, &[]);
    assert_eq!(bench.window(), 5.0);
    bench.ack(1);
    bench.ack(1);
    assert_eq!(bench.ack(1), [1]);
    assert_eq!(bench.window(), 5.0);
}
