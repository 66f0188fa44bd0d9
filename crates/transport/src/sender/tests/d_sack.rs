//! Undoing by D-SACK, and the threshold that adapts, on every recovery that has them.

use super::*;
use crate::ThresholdAdaptation;

const RECOVERIES: [Recovery; 4] = [
    Recovery::Reno,
    Recovery::NewReno,
    Recovery::Sack,
    Recovery::Vegas,
];

fn asking(recovery: Recovery, initial_window: u64) -> Bench {
    Bench::new(SenderConfig {
        initial_window,
        limited_transmit: false,
        spurious: SpuriousDetection::DSack,
        ..config(recovery)
    })
}

/// So many packets that overtook segment `first`, the lowest of those out.
fn overtake(bench: &mut Bench, first: u64, overtaking: u64) -> Vec<u64> {
    let sacks = matches!(bench.sender.repair, Repair::Sack(_));
    (1..=overtaking)
        .flat_map(|by| {
            let block = [SackBlock {
                start: first + 1,
                end: first + 1 + by,
            }];
            let blocks = if sacks { &block[..] } else { &[] };
            bench.ack_by(first, first + by, Flags::NONE, blocks)
        })
        .collect()
}

/// RFC 2883 §5.2: segment 0 of 4 is overtaken by three and leaves again, which halves the window to
/// 2; then it comes, and a round trip later the report of its copy. The window of 4 is back.
#[test]
fn a_false_fast_retransmit_is_undone_when_its_copy_is_reported() {
    for recovery in RECOVERIES {
        let mut bench = asking(recovery, 4);
        assert_eq!(bench.sent(), [0, 1, 2, 3]);
        bench.wait(RTT);
        assert_eq!(overtake(&mut bench, 0, 3)[0], 0, "{recovery:?}");
        bench.wait(Duration::from_millis(1));
        bench.ack(4);
        assert_eq!(bench.window(), 2.0, "{recovery:?}");
        let out = bench.sender.in_flight();
        bench.wait(RTT);
        let sent = bench.ack_with(4, &[(0, 1)]);
        assert_eq!(bench.window(), 4.0, "{recovery:?}");
        assert_eq!(sent.len() as u64, 4 - out, "{recovery:?}");
        assert_eq!(bench.sender.statistics().undone, 1, "{recovery:?}");
    }
}

/// No report comes: it was a loss.
#[test]
fn a_fast_retransmit_that_had_a_cause_stays() {
    for recovery in RECOVERIES {
        let mut bench = asking(recovery, 4);
        bench.sent();
        bench.wait(RTT);
        overtake(&mut bench, 0, 3);
        bench.wait(RTT);
        bench.ack(4);
        assert_eq!(bench.window(), 2.0, "{recovery:?}");
        assert_eq!(bench.sender.statistics().undone, 0);
    }
}

/// RFC 2883 §5.4: the timer expires too early, and the sender goes back over all four while their
/// ACKs come: with the first the window is 2, the threshold. Below 4 it is still when all copies are
/// reported, and then 4 as before the timeout.
#[test]
fn a_false_timeout_is_undone_when_all_copies_are_reported() {
    for recovery in [Recovery::Tahoe, Recovery::Reno, Recovery::NewReno] {
        let mut bench = asking(recovery, 4);
        bench.sent();
        assert_eq!(bench.time_out(), [0]);
        bench.wait(Duration::from_millis(1));
        assert_eq!(bench.ack(1), [1, 2]);
        assert_eq!(bench.ack(2), [3]);
        bench.ack(3);
        bench.ack(4);
        assert!(bench.window() < 4.0);
        bench.wait(RTT);
        for copy in 0..3 {
            bench.ack_with(4, &[(copy, copy + 1)]);
            assert_eq!(bench.sender.statistics().undone, 0, "{recovery:?}");
        }
        bench.ack_with(4, &[(3, 4)]);
        assert_eq!(bench.sender.statistics().undone, 1, "{recovery:?}");
        assert_eq!(bench.window(), 4.0, "{recovery:?}");
    }
}

/// RFC 2883 §5.3: the ACKs of a whole window are lost, and the first thing the sender hears is that
/// the segment it waits for arrived twice. RFC 3708 (A.1): that way is congested.
#[test]
fn a_timeout_for_lost_acks_is_not_undone() {
    let mut bench = asking(Recovery::Reno, 4);
    bench.sent();
    assert_eq!(bench.time_out(), [0]);
    bench.wait(RTT);
    bench.ack_with(4, &[(0, 1)]);
    assert_eq!(bench.window(), 2.0);
    assert_eq!(bench.sender.statistics().undone, 0);
}

/// RFC 2883 §5.1: the network duplicates a packet. RFC 3708 (A.4): nothing is concluded from then on.
#[test]
fn after_a_packet_that_the_network_duplicated_nothing_is_undone() {
    let mut bench = asking(Recovery::Reno, 5);
    bench.sent();
    bench.wait(RTT);
    bench.ack(1);
    bench.ack_with(1, &[(0, 1)]);
    overtake(&mut bench, 1, 3);
    bench.ack(5);
    bench.wait(RTT);
    bench.ack_with(5, &[(1, 2)]);
    assert_eq!(bench.sender.statistics().fast_retransmits, 1);
    assert_eq!(bench.sender.statistics().undone, 0);
}

/// A mark reduces the window after the fast retransmit: taking that back would ignore the mark.
#[test]
fn a_reduction_for_a_mark_is_not_undone() {
    let mut bench = Bench::new(SenderConfig {
        initial_window: 8,
        limited_transmit: false,
        spurious: SpuriousDetection::DSack,
        ecn: true,
        ..config(Recovery::Reno)
    });
    bench.sent();
    bench.wait(RTT);
    overtake(&mut bench, 0, 3);
    bench.ack(8);
    // The next window: its first ACK echoes a mark.
    bench.wait(RTT);
    bench.ack_by(9, 8, Flags::ECE, &[]);
    let reduced = bench.window();
    bench.ack_with(9, &[(0, 1)]);
    assert_eq!(bench.sender.statistics().undone, 0);
    assert_eq!(bench.window(), reduced);
}

/// Three reports of copies are no three duplicate ACKs.
#[test]
fn reports_are_no_sign_of_a_loss() {
    for recovery in [Recovery::Tahoe, Recovery::Reno, Recovery::NewReno] {
        let mut bench = asking(recovery, 8);
        bench.sent();
        bench.wait(RTT);
        bench.ack(4);
        for copy in 0..3 {
            assert!(bench.ack_with(4, &[(copy, copy + 1)]).is_empty());
        }
        assert_eq!(bench.sender.statistics().fast_retransmits, 0);
    }
}

/// Segment 0 of 20 is overtaken by three: D = 3 is false once. From then on D is 4, and three are
/// waited out, four are not. A timeout takes D back to 3.
#[test]
fn a_false_fast_retransmit_raises_the_threshold() {
    for spurious in [SpuriousDetection::Eifel, SpuriousDetection::DSack] {
        for recovery in RECOVERIES {
            let mut bench = Bench::new(SenderConfig {
                initial_window: 20,
                limited_transmit: false,
                spurious,
                threshold_adaptation: ThresholdAdaptation::Increment,
                ..config(recovery)
            });
            bench.sent();
            let original = bench.sent_at.clone();
            bench.wait(RTT);
            assert_eq!(overtake(&mut bench, 0, 3)[0], 0);
            bench.sent_at.extend(original);
            bench.wait(Duration::from_millis(1));
            bench.ack_by(20, 0, Flags::NONE, &[]); // all are there when segment 0 comes
            if spurious == SpuriousDetection::DSack {
                bench.ack_with(20, &[(0, 1)]);
            }
            let statistics = *bench.sender.statistics();
            assert_eq!((statistics.undone, statistics.fast_retransmits), (1, 1));
            // NewReno makes no other before more than these 20 are acknowledged.
            bench.ack(21);
            overtake(&mut bench, 21, 3);
            let retransmits = bench.sender.statistics().fast_retransmits;
            assert_eq!(retransmits, 1, "{recovery:?} {spurious:?}");
            bench.ack(25);
            overtake(&mut bench, 25, 4);
            let retransmits = bench.sender.statistics().fast_retransmits;
            assert_eq!(retransmits, 2, "{recovery:?} {spurious:?}");
            bench.time_out();
            assert_eq!(bench.sender.connection.duplicate_ack_threshold(), 3);
        }
    }
}

/// Segment 1 of 20 is overtaken by nine: ten duplicate ACKs would have been needed, and half of the way
/// from 3 is 6.5, of which the ceiling counts.
#[test]
fn the_threshold_goes_by_the_length_of_the_reordering() {
    for spurious in [SpuriousDetection::Eifel, SpuriousDetection::DSack] {
        for recovery in RECOVERIES {
            let mut bench = Bench::new(SenderConfig {
                initial_window: 20,
                limited_transmit: false,
                spurious,
                threshold_adaptation: ThresholdAdaptation::Average,
                ..config(recovery)
            });
            bench.sent();
            let original = bench.sent_at.clone();
            bench.wait(RTT);
            bench.ack(1);
            assert_eq!(overtake(&mut bench, 1, 9)[0], 1);
            bench.sent_at.extend(original);
            bench.wait(Duration::from_millis(1));
            let high = bench.sender.connection.high; // all are there when segment 1 comes
            bench.ack_by(high, 1, Flags::NONE, &[]);
            if spurious == SpuriousDetection::DSack {
                bench.ack_with(high, &[(1, 2)]);
            }
            let undone = bench.sender.statistics().undone;
            assert_eq!(undone, 1, "{recovery:?} {spurious:?}");
            let threshold = bench.sender.connection.duplicate_ack_threshold();
            assert_eq!(threshold, 7, "{recovery:?} {spurious:?}");
        }
    }
}
