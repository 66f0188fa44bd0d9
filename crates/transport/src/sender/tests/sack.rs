//! Recovery by selective acknowledgements.

use super::*;

/// Ten out, 0 and 2 lost, D = 3.
#[test]
fn sack_retransmits_the_holes_first() {
    let mut bench = Bench::new(config(Recovery::Sack));
    bench.sent();
    bench.wait(RTT);
    // pipe 9, 8: limited transmit.
    assert_eq!(bench.ack_with(0, &[(1, 2)]), [10]);
    assert_eq!(bench.ack_with(0, &[(3, 4), (1, 2)]), [11]);
    // Three above 0: it is lost. Window 5; pipe = 12 − 3 − 1 + 1 = 9.
    assert_eq!(bench.ack_with(0, &[(3, 5), (1, 2)]), [0]);
    assert_eq!(bench.window(), 5.0);
    // 5 arrives: 2 is lost, pipe = 12 − 4 − 2 + 1 = 7; then 6, 5; with 8 it is 4: 2 leaves.
    assert_eq!(bench.ack_with(0, &[(3, 6), (1, 2)]), []);
    assert_eq!(bench.ack_with(0, &[(3, 7), (1, 2)]), []);
    assert_eq!(bench.ack_with(0, &[(3, 8), (1, 2)]), []);
    assert_eq!(bench.ack_with(0, &[(3, 9), (1, 2)]), [2]);
    // Each SACK frees one: new data.
    assert_eq!(bench.ack_with(0, &[(3, 10), (1, 2)]), [12]);
    bench.wait(RTT);
    // 10, 11 arrive; then the retransmissions.
    assert_eq!(bench.ack_with(0, &[(3, 11), (1, 2)]), [13]);
    assert_eq!(bench.ack_with(0, &[(3, 12), (1, 2)]), [14]);
    assert_eq!(bench.ack_with(2, &[(3, 12)]), [15]);
    // The recovery point is 12: over. 12 to 15 are out, the window is 5.
    assert_eq!(bench.ack(12), [16]);
    assert_eq!(bench.sender.statistics().congestion_episodes, 1);
    assert_eq!(bench.sender.statistics().retransmits, 2);
    assert_eq!(bench.window(), 5.0);
}

/// RFC 6675 §5 (2): three segments above the oldest are SACKed, whatever the number of ACKs.
#[test]
fn one_ack_with_enough_sacked_begins_recovery() {
    let mut bench = Bench::new(config(Recovery::Sack));
    bench.sent();
    bench.wait(RTT);
    assert_eq!(bench.ack_with(0, &[(1, 4)]), [0]);
    assert_eq!(bench.sender.statistics().fast_retransmits, 1);
}

/// RFC 2018 §8: what was SACKed may have been dropped since.
#[test]
fn after_a_timeout_sack_forgets() {
    let mut bench = Bench::new(config(Recovery::Sack));
    bench.sent();
    bench.wait(RTT);
    bench.ack_with(0, &[(1, 3)]);
    assert_eq!(bench.time_out(), [0]);
    bench.wait(RTT);
    assert_eq!(bench.ack(1), [1, 2]);
}

#[test]
fn after_a_timeout_sack_skips_what_arrives() {
    let mut bench = Bench::new(config(Recovery::Sack));
    bench.sent();
    assert_eq!(bench.time_out(), [0]);
    bench.wait(RTT);
    // 0 arrived, and 2 to 4 had before.
    assert_eq!(bench.ack_with(1, &[(2, 5)]), [1, 5]);
    // Its copy of 1 is lost again. 5 to 9 arrive: new data does not go on past the hole.
    assert_eq!(bench.ack_with(1, &[(2, 6)]), [6]);
    assert_eq!(bench.ack_with(1, &[(2, 7)]), [7]);
    assert_eq!(bench.ack_with(1, &[(2, 9)]), [9]);
    assert_eq!(bench.ack_with(1, &[(2, 10)]), []);
    assert_eq!(bench.time_out(), [1]);
}
