//! RACK-TLP: whole senders, ACK by ACK. The round trip is 100 ms, so that the reordering window
//! starts at 25 ms; the shortest timeout is 1 s.

use super::*;
use crate::RtoConfig;

/// A transfer of `segments`.
fn finite(config: SenderConfig, segments: u64) -> Bench {
    let law = Registry::standard().get("reno").copied().unwrap();
    let parameters = law.resolve(&BTreeMap::new()).unwrap();
    let controller = (law.build)(&parameters, &config.setup());
    let mut sender = TcpSender::new(config, controller);
    sender.start(Time::ZERO);
    sender.supply(segments);
    Bench {
        sender,
        now: Time::ZERO,
        sent_at: BTreeMap::new(),
    }
}

fn rack() -> SenderConfig {
    config(Recovery::Rack)
}

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

impl Bench {
    fn wait_until(&mut self, ms: u64) {
        self.now = at(ms);
    }
}

/// RFC 8985 §3.4. P0 to P3 leave and only P0 arrives. Two round trips after its ACK the probe
/// leaves, P3 again; its SACK shows P1 and P2 lost. P1's retransmission is lost too, which P2's
/// SACK shows.
#[test]
fn the_example_of_a_fast_recovery() {
    for timestamps in [true, false] {
        let mut bench = finite(
            SenderConfig {
                timestamps,
                ..rack()
            },
            4,
        );
        assert_eq!(bench.sent(), [0, 1, 2, 3]);
        bench.wait_until(100);
        assert_eq!(bench.ack(1), []); // 2
        assert_eq!(bench.sender.next_timer(), Some(at(300)));
        assert_eq!(bench.time_out(), [3]); // 3
        bench.wait_until(400);
        assert_eq!(bench.ack_with(1, &[(3, 4)]), [1, 2]); // 4, 5
        bench.wait_until(500);
        assert_eq!(bench.ack_with(1, &[(2, 4)]), [1]); // 6, 7
        bench.wait_until(600);
        assert_eq!(bench.ack(4), []); // 8
        assert!(bench.sender.is_complete());
        let statistics = bench.sender.statistics();
        assert_eq!(statistics.timeouts, 0);
        assert_eq!(statistics.tail_loss_probes, 1);
        assert_eq!(statistics.retransmits, 4);
        // §9.3: one reduction for the window of P1 and P2, one for the lost retransmission; and
        // none for the probe, whose ACK began the recovery (§7.1).
        assert_eq!(statistics.congestion_episodes, 2);
        bench.sender.supply(6);
        assert_eq!(bench.sent(), [4, 5]);
        bench.wait_until(700);
        bench.ack(6);
        assert_eq!(bench.sender.statistics().congestion_episodes, 2);
    }
}

/// §6.3: the timeout at 100 + 1000 ms is segment 1's. Segment 2 left at 1050 ms and is overdue
/// after 1150 ms only: it does not leave again.
#[test]
fn a_timeout_takes_only_what_is_overdue_for_lost() {
    let config = SenderConfig {
        tail_loss_probe: false,
        ..rack()
    };
    let mut bench = finite(config, 1);
    assert_eq!(bench.sent(), [0]);
    bench.wait_until(100);
    bench.sender.supply(2);
    assert_eq!(bench.ack(1), [1]);
    bench.wait_until(1_050);
    bench.sender.supply(3);
    assert_eq!(bench.sent(), [2]);
    assert_eq!(bench.sender.next_timer(), Some(at(1_100)));
    assert_eq!(bench.time_out(), [1]);
    assert_eq!(
        bench.sender.in_flight(),
        2,
        "segment 2 and the retransmission"
    );
    bench.wait_until(1_150);
    assert_eq!(bench.ack_with(1, &[(2, 3)]), []);
    bench.wait_until(1_200);
    assert_eq!(bench.ack(3), []);
    assert!(bench.sender.is_complete());
    assert_eq!(bench.sender.statistics().retransmits, 1);
}

/// Segments 0 to 9 leave, the last is lost. One segment is out, whose ACK might be delayed by 200
/// ms: the probe leaves at 100 + 2 × 100 + 200 ms, where the timeout would be at 1100 ms.
fn lost_tail() -> Bench {
    let mut bench = finite(rack(), 10);
    assert_eq!(bench.sent().len(), 10);
    bench.wait_until(100);
    for number in 1..10 {
        assert_eq!(bench.ack(number), []);
    }
    assert_eq!(bench.sender.next_timer(), Some(at(500)));
    assert_eq!(bench.time_out(), [9]);
    assert_eq!(bench.sender.next_timer(), Some(at(1_500)));
    bench
}

#[test]
fn a_lost_tail_is_repaired_by_the_probe() {
    let mut bench = lost_tail();
    bench.wait_until(600);
    bench.ack(10);
    assert!(bench.sender.is_complete());
    assert_eq!(bench.sender.statistics().timeouts, 0);
    assert_eq!(bench.sender.statistics().congestion_episodes, 0);
}

/// §7.4.2: the next data tells that nothing came twice: the loss counts, and half of the ten
/// segments out is left of the window.
#[test]
fn a_loss_that_the_probe_repaired_cuts_the_window() {
    let mut bench = lost_tail();
    bench.wait_until(600);
    bench.ack(10);
    bench.sender.supply(20);
    assert_eq!(bench.sent().len(), 10);
    assert!(bench.window() >= 10.0, "{}", bench.window());
    bench.wait_until(700);
    bench.ack(11);
    assert_eq!(bench.sender.statistics().congestion_episodes, 1);
    assert_eq!(bench.sender.statistics().fast_retransmits, 0);
    assert!((5.0..=5.5).contains(&bench.window()), "{}", bench.window());
}

/// The same with a tail that was only late: both copies come, and the second ACK is empty or
/// reports the duplicate, also where all is acknowledged.
#[test]
fn a_probe_that_was_not_needed_costs_nothing() {
    for blocks in [&[][..], &[(9, 10)]] {
        let mut bench = lost_tail();
        bench.wait_until(550);
        bench.ack(10);
        bench.wait_until(600);
        bench.ack_with(10, blocks);
        bench.sender.supply(20);
        assert_eq!(bench.sent().len(), 10);
        bench.wait_until(700);
        bench.ack(11);
        assert_eq!(bench.sender.statistics().congestion_episodes, 0);
    }
}

#[test]
fn a_lost_probe_leaves_the_repair_to_the_timeout() {
    let mut bench = lost_tail();
    assert_eq!(bench.time_out(), [9]);
    assert_eq!(bench.now, at(1_500));
    assert_eq!(bench.sender.statistics().timeouts, 1);
    assert_eq!(bench.sender.statistics().tail_loss_probes, 1);
    assert_eq!(bench.window(), 1.0);
}

/// §7.3: with data left the probe is the next segment, though the window is full. No second one
/// leaves before a round trip is measured.
#[test]
fn the_probe_is_new_data_where_there_is_any() {
    let mut bench = Bench::new(rack());
    assert_eq!(bench.sent().len(), 10);
    bench.wait_until(100);
    assert_eq!(bench.ack(1), [10, 11]);
    assert_eq!(bench.sender.next_timer(), Some(at(300)));
    assert_eq!(bench.time_out(), [12]);
    assert_eq!(bench.sender.next_timer(), Some(at(1_300)));
    bench.wait_until(400);
    // The probe's SACK: all sent before it is lost. 11 of 12 were in the window, 11 / 2 are left.
    assert_eq!(bench.ack_with(1, &[(12, 13)]), [1, 2, 3, 4, 5]);
    assert_eq!(bench.sender.statistics().timeouts, 0);
}

/// New data as a probe is out until it is acknowledged itself.
#[test]
fn no_second_probe_leaves_before_the_first_is_acknowledged() {
    let mut bench = Bench::new(rack());
    bench.sent();
    bench.wait_until(100);
    bench.ack(1);
    assert_eq!(bench.time_out(), [12]);
    bench.wait_until(350);
    bench.ack(12);
    let probes = |bench: &Bench| bench.sender.statistics().tail_loss_probes;
    let (timer, timeout) = (bench.sender.next_timer(), bench.sender.rto());
    assert_eq!(timer, Some(at(350) + timeout));
    bench.wait_until(400);
    bench.ack(13);
    assert_eq!(probes(&bench), 1);
    bench.time_out();
    assert_eq!(probes(&bench), 2);
}

/// Round trips of 100 ms: SRTT 100 ms, RTTVAR 50 and then 37.5 ms. With no other minimum the
/// timeout is 100 + 4 × 37.5 ms, which comes before two round trips and the delay of an ACK.
#[test]
fn the_probe_leaves_no_later_than_the_timeout_would() {
    let config = SenderConfig {
        rto: RtoConfig {
            minimum: Duration::ZERO,
            ..RtoConfig::default()
        },
        ..rack()
    };
    let mut bench = finite(config, 3);
    bench.sent();
    bench.wait_until(100);
    bench.ack(1);
    bench.ack(2);
    assert_eq!(bench.time_out(), [2]);
    assert_eq!(bench.now, at(350));
    assert_eq!(bench.sender.statistics().timeouts, 0);
    assert_eq!(bench.sender.next_timer(), Some(at(600)));
}

/// Nothing measured: 1 s is left to the retransmission timer, and no probe puts it off.
#[test]
fn the_first_flight_has_no_probe() {
    let mut bench = finite(rack(), 1);
    assert_eq!(bench.sent(), [0]);
    assert_eq!(bench.sender.next_timer(), Some(at(1_000)));
    assert_eq!(bench.time_out(), [0]);
    assert_eq!(bench.sender.statistics().timeouts, 1);
}

/// New data puts the probe off (§7.2), but not the timeout.
#[test]
fn the_probe_waits_for_what_left_last() {
    let mut bench = finite(rack(), 3);
    bench.sent();
    bench.wait_until(100);
    bench.ack(1);
    assert_eq!(bench.sender.next_timer(), Some(at(300)));
    bench.wait_until(250);
    bench.sender.supply(4);
    assert_eq!(bench.sent(), [3]);
    assert_eq!(bench.sender.next_timer(), Some(at(450)));
    for ms in (450..1_050).step_by(100) {
        bench.wait_until(ms - 50);
        bench
            .sender
            .supply(u64::from(bench.sender.statistics().packets_sent as u32) + 1);
        assert_eq!(bench.sent().len(), 1);
    }
    // 950 + 200 ms would be later than 100 + 1000 ms.
    assert_eq!(bench.sender.next_timer(), Some(at(1_100)));
}

/// Segment 1 is late; two that overtake it are no loss yet. It is overdue at 0 + 100 + 25 ms.
#[test]
fn what_is_late_within_the_window_is_not_lost() {
    let mut bench = finite(rack(), 4);
    bench.sent();
    bench.wait_until(100);
    bench.ack(1);
    assert_eq!(bench.ack_with(1, &[(2, 3)]), []);
    assert_eq!(bench.ack_with(1, &[(2, 4)]), []);
    assert_eq!(bench.sender.next_timer(), Some(at(125)));
    bench.wait_until(124);
    assert_eq!(bench.ack(4), []);
    assert!(bench.sender.is_complete());
    assert_eq!(bench.sender.statistics().retransmits, 0);
}

#[test]
fn what_is_later_is_lost_when_the_reordering_timer_says_so() {
    let mut bench = finite(rack(), 4);
    bench.sent();
    bench.wait_until(100);
    bench.ack(1);
    bench.ack_with(1, &[(2, 4)]);
    assert_eq!(bench.time_out(), [1]);
    assert_eq!(bench.now, at(125));
    // The timer of the retransmission.
    assert_eq!(bench.sender.next_timer(), Some(at(1_125)));
    assert_eq!(bench.sender.statistics().timeouts, 0);
    assert_eq!(bench.sender.statistics().congestion_episodes, 1);
}

/// Nothing was ever seen out of order: the third SACK ends the waiting, as duplicate ACKs would.
#[test]
fn three_sacked_segments_are_enough_where_nothing_was_ever_reordered() {
    let mut bench = Bench::new(rack());
    bench.sent();
    bench.wait_until(100);
    bench.ack(1);
    assert_eq!(bench.ack_with(1, &[(2, 3)]), [12]);
    assert_eq!(bench.ack_with(1, &[(2, 4)]), [13]);
    assert_eq!(bench.ack_with(1, &[(2, 5)]), [1]);
    // 11 of the 13 out were in the window: 11 / 2.
    assert_eq!(bench.window(), 5.5);
}

#[test]
fn what_one_ack_tells_at_once_is_not_reordering() {
    let mut bench = Bench::new(rack());
    bench.sent();
    bench.wait_until(100);
    bench.ack(1);
    bench.ack_with(1, &[(7, 8), (3, 4)]);
    let sent = bench.ack_with(1, &[(7, 9), (3, 4)]);
    assert_eq!(sent[0], 1, "the third segment SACKed");
}

/// Without limited transmit nothing leaves beyond the window of 11 until there is a recovery.
#[test]
fn limited_transmit_can_be_off() {
    let mut bench = Bench::new(SenderConfig {
        limited_transmit: false,
        ..rack()
    });
    bench.sent();
    bench.wait_until(100);
    bench.ack(1);
    assert_eq!(bench.ack_with(1, &[(2, 3)]), []);
    assert_eq!(bench.ack_with(1, &[(2, 4)]), []);
    assert_eq!(bench.ack_with(1, &[(2, 5)]), [1]);
}

/// The same with one segment seen late before: any number may overtake within 25 ms.
#[test]
fn after_reordering_was_seen_time_alone_counts() {
    let mut bench = Bench::new(rack());
    bench.sent();
    bench.wait_until(100);
    bench.ack(1);
    bench.ack_with(1, &[(2, 3)]);
    bench.ack(3); // segment 1 came after 2
    for end in 5..=10 {
        bench.ack_with(3, &[(4, end)]);
    }
    assert_eq!(bench.sender.next_timer(), Some(at(125)));
    bench.wait_until(110);
    bench.ack(10);
    assert_eq!(bench.sender.statistics().retransmits, 0);
    assert_eq!(bench.sender.statistics().congestion_episodes, 0);
}

/// Segment 1 leaves again at 100 ms and its original arrives. The ACK at 120 ms is too early to be
/// that of the retransmission, and at 210 ms the echo tells; or else all that left with the
/// original were overdue, and would leave again.
#[test]
fn the_ack_of_an_original_is_not_taken_for_its_retransmission_s() {
    for (timestamps, ms) in [(true, 120), (false, 120), (true, 210)] {
        let mut bench = Bench::new(SenderConfig {
            timestamps,
            ..rack()
        });
        bench.sent();
        bench.wait_until(100);
        bench.ack(1);
        let again = bench.ack_with(1, &[(2, 5)]);
        assert_eq!(again[0], 1);
        bench.wait_until(ms);
        // Segment 4 left together with the original.
        bench.ack_by(5, 4, Flags::NONE, &[]);
        assert_eq!(bench.sender.statistics().retransmits, 1);
    }
}

/// A timeout at 100 + 1000 ms, after which all of segments 1 to 11 count as lost.
fn timed_out() -> Bench {
    let mut bench = Bench::new(SenderConfig {
        spurious: SpuriousDetection::FRto,
        tail_loss_probe: false,
        ..rack()
    });
    bench.sent();
    bench.wait_until(100);
    assert_eq!(bench.ack(1), [10, 11]);
    assert_eq!(bench.time_out(), [1]);
    bench.wait_until(1_150);
    // RFC 5682 §2.1 step 2b: new data and nothing else.
    assert_eq!(bench.ack(2), [12, 13]);
    bench
}

#[test]
fn f_rto_undoes_a_false_timeout() {
    let mut bench = timed_out();
    bench.ack(3);
    bench.ack(12);
    assert_eq!(bench.sender.statistics().undone, 1);
    assert_eq!(bench.sender.statistics().retransmits, 1);
    assert!(bench.window() >= 11.0, "{}", bench.window());
}

/// Segment 2 and those after it were lost: the second ACK is the new segment's SACK.
#[test]
fn f_rto_goes_on_with_the_repair_after_a_true_timeout() {
    let mut bench = timed_out();
    bench.wait_until(1_250);
    assert_eq!(bench.ack_with(2, &[(12, 13)]), [2]); // beside 13, in a window of 2
    bench.wait_until(1_350);
    assert_eq!(bench.ack_with(3, &[(12, 14)]), [3, 4, 5]);
    assert_eq!(bench.sender.statistics().undone, 0);
}

/// A retransmission found without cause is undone, and shows that the path reorders: segment 2,
/// which was taken for lost too, may still arrive.
#[test]
fn a_false_recovery_is_undone() {
    let mut bench = Bench::new(SenderConfig {
        spurious: SpuriousDetection::Eifel,
        ..rack()
    });
    bench.sent();
    bench.wait_until(100);
    bench.ack(1);
    let before = bench.window();
    assert_eq!(bench.ack_with(1, &[(3, 6)]), [1]);
    assert!(bench.window() < before);
    // Segment 1 arrives at last; its echo is the original's, which left with 5.
    bench.wait_until(110);
    bench.ack_by(2, 5, Flags::NONE, &[SackBlock { start: 3, end: 6 }]);
    assert!(bench.window() >= before);
    assert_eq!(bench.sender.next_timer(), Some(at(125)));
    bench.wait_until(115);
    bench.ack_by(6, 5, Flags::NONE, &[]);
    assert_eq!(bench.sender.statistics().retransmits, 1);
}

/// A peer that SACKs all and then acknowledges nothing: what it took back is sent again.
#[test]
fn a_receiver_that_takes_back_what_it_said_is_served() {
    let mut bench = finite(rack(), 4);
    bench.sent();
    bench.wait_until(100);
    bench.ack_with(0, &[(1, 4)]);
    bench.wait_until(150);
    bench.ack(1); // segment 0 alone: 1 to 3 are gone
    assert_eq!(bench.time_out(), [1]);
    bench.wait(RTT);
    assert_eq!(bench.ack(2), [2, 3]);
}

/// A transfer of `segments` after a handshake of 100 ms.
fn after_a_handshake(segments: u64) -> Bench {
    let mut bench = finite(
        SenderConfig {
            handshake: true,
            ..rack()
        },
        segments,
    );
    assert_eq!(bench.transmits().len(), 1);
    bench.wait_until(100);
    let answer = Segment {
        kind: SegmentKind::SynAck,
        flags: Flags::NONE,
        number: 0,
        timestamp: Time::ZERO,
    };
    bench.sender.on_segment(bench.now, &answer, &[]);
    assert_eq!(bench.sent().len() as u64, segments);
    bench
}

/// The handshake is a round trip measured since the start of the connection (§7.3): the probe of
/// the first flight leaves at 100 + 2 × 100 ms.
#[test]
fn after_a_handshake_the_first_flight_has_a_probe() {
    let mut bench = after_a_handshake(3);
    assert_eq!(bench.time_out(), [2]);
    assert_eq!(bench.now, at(300));
    bench.wait_until(400);
    assert_eq!(bench.ack_with(0, &[(2, 3)]), [0, 1]);
    assert_eq!(bench.sender.statistics().timeouts, 0);
}

/// It is the minimum round trip too (§6.2 step 1): segment 0 may be 100 / 4 ms late.
#[test]
fn after_a_handshake_the_first_segment_may_be_late() {
    let mut bench = after_a_handshake(3);
    bench.wait_until(200);
    assert_eq!(bench.ack_with(0, &[(1, 2)]), []);
    assert_eq!(bench.sender.next_timer(), Some(at(225)));
}

/// Karn's rule (RFC 6298 §3): without timestamps the ACK at 600 ms of a segment that left at 100 ms,
/// and again as the probe at 500 ms, is no sample of 500 ms.
#[test]
fn the_ack_of_a_probe_that_left_before_is_no_sample() {
    let config = SenderConfig {
        timestamps: false,
        ..rack()
    };
    let mut bench = finite(config, 1);
    assert_eq!(bench.sent(), [0]);
    bench.wait_until(100);
    bench.sender.supply(2);
    assert_eq!(bench.ack(1), [1]);
    assert_eq!(bench.time_out(), [1]);
    assert_eq!(bench.now, at(500));
    bench.wait_until(600);
    bench.ack(2);
    assert_eq!(bench.sender.smoothed_rtt(), RTT);
}

/// The probe is one packet, also where the window has room and a limit on bursts left it free.
#[test]
fn the_probe_is_one_packet() {
    let mut bench = Bench::new(SenderConfig {
        max_burst: Some(1),
        ..rack()
    });
    assert_eq!(bench.sent(), [0]);
    bench.wait_until(100);
    assert_eq!(bench.ack(1), [1]);
    assert_eq!(bench.time_out(), [2]);
    assert_eq!(bench.now, at(500));
}
