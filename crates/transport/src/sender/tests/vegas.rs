//! Vegas: retransmission by the age of the oldest segment.

use super::*;

/// Ten segments left at once and were acknowledged one by one, a round trip later.
fn ten_acknowledged(config: SenderConfig) -> Bench {
    let mut bench = Bench::new(config);
    bench.sent();
    bench.wait(RTT);
    for number in 1..=10 {
        bench.ack(number);
    }
    bench
}

/// Ten samples of 100 ms: RTTVAR = 50 ms·(3/4)⁹ = 3.75 ms, so the fine-grained timeout is 115 ms,
/// while the minimum of the coarse one is 1 s.
#[test]
fn vegas_retransmits_on_the_first_duplicate_once_the_oldest_is_overdue() {
    for (age_ms, overdue) in [(110, false), (120, true)] {
        let mut bench = Bench::new(config(Recovery::Vegas));
        bench.sent();
        bench.wait(RTT);
        for number in 1..=10 {
            bench.ack(number);
        }
        bench.wait(Duration::from_millis(age_ms));
        let expected = if overdue { 10 } else { 30 }; // or limited transmit
        assert_eq!(bench.ack(10), [expected], "{age_ms}");
        assert_eq!(
            bench.sender.statistics().fast_retransmits,
            u64::from(overdue)
        );
    }
}

/// 10 and 11 are lost, with the estimate of the test before. When 10 is repaired, 11 is 200 ms old:
/// it leaves at once, without duplicates of its own.
#[test]
fn vegas_looks_at_the_age_again_after_a_retransmission() {
    let mut bench = ten_acknowledged(config(Recovery::Vegas));
    bench.wait(RTT);
    bench.ack(10);
    bench.ack(10);
    assert_eq!(bench.ack(10), [10]);
    bench.wait(RTT);
    assert_eq!(bench.ack_by(11, 10, Flags::NONE, &[])[..1], [11]);
    assert_eq!(bench.sender.statistics().fast_retransmits, 2);
    assert_eq!(bench.sender.statistics().timeouts, 0);
}

/// The same timeout of 115 ms beside a coarse clock of 500 ms, which would measure nothing.
#[test]
fn vegas_measures_by_a_clock_of_its_own() {
    let mut coarse = config(Recovery::Vegas);
    coarse.rto.granularity = Duration::from_millis(500);
    let mut bench = ten_acknowledged(coarse);
    bench.wait(Duration::from_millis(120));
    assert_eq!(bench.ack(10), [10]);
}

/// 10 and 11, of one window, are lost. 20 are out: half stays, and no less when 11 is found overdue,
/// which left before that. A loss of what left since halves again.
#[test]
fn vegas_reduces_only_for_what_was_sent_after_the_last_reduction() {
    let mut bench = ten_acknowledged(config(Recovery::Vegas));
    bench.wait(RTT);
    for _ in 0..3 {
        bench.ack(10);
    }
    assert_eq!(bench.window(), 10.0);
    bench.wait(RTT);
    assert_eq!(bench.ack_by(11, 10, Flags::NONE, &[])[..1], [11]);
    assert_eq!(bench.window(), 10.0);
    assert_eq!(bench.sender.statistics().congestion_episodes, 1);
    bench.wait(RTT);
    // All of that arrives. What leaves now is lost, and 200 ms old at the first duplicate.
    let next = bench.sent_at.last_key_value().unwrap().0 + 1;
    bench.ack_by(next, 11, Flags::NONE, &[]);
    let out = bench.sender.in_flight();
    bench.wait(RTT * 2);
    assert_eq!(bench.ack(next), [next]);
    assert_eq!(bench.sender.statistics().congestion_episodes, 2);
    assert_eq!(bench.window(), (out / 2) as f64);
}

/// 10 is retransmitted when it is 100 ms old. The first new ACK after that finds 12 110 ms old, the
/// second 13 120 ms. (ACKs that answer a retransmission give no sample: the timeout stays at 115 ms.)
#[test]
fn vegas_looks_at_two_new_acks_after_a_retransmission() {
    for (second_ms, expected) in [(4, None), (10, Some(13))] {
        let mut bench = Bench::new(config(Recovery::Vegas));
        bench.sent();
        bench.wait(RTT);
        for number in 1..=10 {
            bench.ack(number);
        }
        bench.wait(RTT);
        for _ in 0..3 {
            bench.ack(10);
        }
        bench.wait(Duration::from_millis(10));
        bench.ack_by(12, 10, Flags::NONE, &[]);
        assert_eq!(bench.sender.statistics().fast_retransmits, 1);
        bench.wait(Duration::from_millis(second_ms));
        let sent = bench.ack_by(13, 10, Flags::NONE, &[]);
        assert_eq!(sent.first().copied().filter(|n| *n < 30), expected);
    }
}
