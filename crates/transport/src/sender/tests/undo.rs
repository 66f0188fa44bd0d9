//! Reductions without cause: found and undone, or never made by a genie.

use super::*;

/// 4 packets out from 0 ms, and the timer expires at 1 s; then the ACKs of the originals come, which
/// were only late.
fn late_acks(spurious: SpuriousDetection) -> Bench {
    let mut bench = Bench::new(SenderConfig {
        initial_window: 4,
        limited_transmit: false,
        spurious,
        ..config(Recovery::NewReno)
    });
    assert_eq!(bench.sent(), [0, 1, 2, 3]);
    let original = bench.sent_at.clone();
    assert_eq!(bench.time_out(), [0]);
    assert_eq!(bench.window(), 1.0);
    bench.sent_at = original; // what the ACKs echo
    bench
}

/// RFC 3522 §3.2 and RFC 4015: the echo of 0 ms is older than the retransmission at 1 s. The window
/// of 4 is back and grows by the ACK to 5; next is 4, not 1, and with 3 packets out 2 may leave.
#[test]
fn eifel_undoes_a_timeout_when_the_first_ack_echoes_the_original() {
    let mut bench = late_acks(SpuriousDetection::Eifel);
    bench.wait(RTT);
    assert_eq!(bench.ack(1), [4, 5]);
    assert_eq!(bench.window(), 5.0);
    assert_eq!(bench.sender.statistics().undone, 1);
    // The round trip of 1.1 s is the first sample: 1.1 + 4 × 0.55 = 3.3 s.
    assert_eq!(bench.sender.rto(), Duration::from_millis(3_300));
}

/// The same ACK, but it echoes the retransmission: slow start goes on with segments 1 and 2.
#[test]
fn eifel_leaves_a_timeout_that_had_a_cause() {
    let mut bench = late_acks(SpuriousDetection::Eifel);
    bench.sent_at.insert(0, (bench.now, true));
    bench.wait(RTT);
    assert_eq!(bench.ack(1), [1, 2]);
    assert_eq!(bench.window(), 2.0);
    assert_eq!(bench.sender.statistics().undone, 0);
}

/// Three duplicates of 3 packets that overtook segment 0: it leaves again at 100 ms, and its own ACK
/// echoes 0 ms. The window of 4, reduced to 2, is back.
#[test]
fn eifel_undoes_a_fast_retransmit_of_an_overtaken_segment() {
    let mut bench = Bench::new(SenderConfig {
        initial_window: 4,
        limited_transmit: false,
        spurious: SpuriousDetection::Eifel,
        ..config(Recovery::Reno)
    });
    assert_eq!(bench.sent(), [0, 1, 2, 3]);
    let original = bench.sent_at.clone();
    bench.wait(RTT);
    let sent: Vec<u64> = (1..4)
        .flat_map(|by| bench.ack_by(0, by, Flags::NONE, &[]))
        .collect();
    assert_eq!(sent[0], 0);
    bench.sent_at = original;
    bench.wait(Duration::from_millis(1));
    bench.ack_by(4, 0, Flags::NONE, &[]);
    assert!(bench.window() >= 4.0, "{}", bench.window());
    assert_eq!(bench.sender.statistics().undone, 1);
}

/// RFC 5682 §2.1: the first ACK lets new data out (4) in place of segment 1, the second shows that
/// the timeout was false: the window of 4 is back, grown by one, and three packets are out.
#[test]
fn f_rto_undoes_a_timeout_after_two_acks_that_advance() {
    let mut bench = late_acks(SpuriousDetection::FRto);
    bench.wait(RTT);
    assert_eq!(bench.ack(1), [4]);
    assert_eq!(bench.ack(2), [5, 6]);
    assert_eq!(bench.window(), 5.0);
    assert_eq!(bench.sender.statistics().undone, 1);
}

/// Segment 0 was lost and 1 too: after the ACK of 0 and the new segment 4 comes a duplicate, and the
/// sender goes back to segment 1.
#[test]
fn f_rto_goes_back_when_the_second_ack_is_a_duplicate() {
    let mut bench = late_acks(SpuriousDetection::FRto);
    bench.wait(RTT);
    assert_eq!(bench.ack(1), [4]);
    assert_eq!(bench.ack_by(1, 4, Flags::NONE, &[]), [1, 2]);
    assert_eq!(bench.window(), 2.0);
    assert_eq!(bench.sender.statistics().undone, 0);
}

/// The first ACK acknowledges all that was out: nothing can be said, and slow start goes on.
#[test]
fn f_rto_says_nothing_when_the_first_ack_covers_everything() {
    let mut bench = late_acks(SpuriousDetection::FRto);
    bench.wait(RTT);
    assert_eq!(bench.ack(4), [4, 5]);
    assert_eq!(bench.window(), 2.0);
    assert_eq!(bench.sender.statistics().undone, 0);
}

/// A genie sends nothing again: not on duplicates, not when its timer expires.
#[test]
fn a_genie_takes_nothing_for_lost() {
    let mut bench = Bench::new(SenderConfig {
        initial_window: 6,
        limited_transmit: false,
        ..config(Recovery::Genie)
    });
    assert_eq!(bench.sent().len(), 6);
    bench.wait(RTT);
    for by in 1..6 {
        assert!(bench.ack_by(0, by, Flags::NONE, &[]).is_empty());
    }
    assert!(bench.time_out().is_empty());
    assert_eq!(bench.sender.statistics().retransmits, 0);
    assert_eq!(bench.window(), 6.0);
}

/// Of segments 0 to 7 the genie knows that 3 is lost. Duplicates of 0, which is late, mean nothing;
/// the third duplicate of 3 does: it leaves again, and of the 9 out the window is half.
#[test]
fn a_genie_repairs_what_is_lost() {
    let mut bench = Bench::new(SenderConfig {
        initial_window: 8,
        limited_transmit: false,
        ..config(Recovery::Genie)
    });
    bench.sent();
    bench.sender.on_lost(3);
    bench.wait(RTT);
    for by in [1, 2, 4, 5] {
        assert!(bench.ack_by(0, by, Flags::NONE, &[]).is_empty());
    }
    assert_eq!(bench.ack(3), [8, 9, 10, 11]); // in slow start 9 may be out from 3 on
    for by in [6, 7] {
        assert!(bench.ack_by(3, by, Flags::NONE, &[]).is_empty());
    }
    assert_eq!(bench.ack_by(3, 8, Flags::NONE, &[]), [3]);
    assert_eq!(bench.sender.statistics().fast_retransmits, 1);
    assert_eq!(bench.window(), 4.5);
}

/// Of segments 0 to 7 it knows that 0 and 3 are lost, and the timer expires: those two leave again,
/// and nothing else.
#[test]
fn a_genie_goes_back_to_lost_segments_only() {
    let mut bench = Bench::new(SenderConfig {
        initial_window: 8,
        ..config(Recovery::Genie)
    });
    bench.sent();
    bench.sender.on_lost(0);
    bench.sender.on_lost(3);
    assert_eq!(bench.time_out(), [0]);
    bench.wait(RTT);
    assert_eq!(bench.ack(3), [3]);
    bench.wait(RTT);
    assert_eq!(bench.ack(8)[0], 8);
    assert_eq!(bench.sender.statistics().retransmits, 2);
    // Lost again, it is sent again.
    bench.sender.on_lost(8);
    assert_eq!(bench.time_out(), [8]);
}
