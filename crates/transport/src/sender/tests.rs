use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use controllers::{Ack, Congestion, Limits, Registry};
use units::{Bytes, Ecn, Rate};

use super::*;
use crate::{Recovery, SpuriousDetection};

mod d_sack;
mod rack;

/// A sender, a clock, and segments that the tests deliver by hand.
struct Bench {
    sender: TcpSender,
    now: Time,
    sent_at: BTreeMap<u64, (Time, bool)>,
}

const RTT: Duration = Duration::from_millis(100);

impl Bench {
    /// With Reno's window law.
    fn new(config: SenderConfig) -> Self {
        let controller = Registry::standard().get("reno").copied().unwrap();
        let parameters = controller.resolve(&BTreeMap::new()).unwrap();
        let law = (controller.build)(&parameters, &config.setup());
        Self::with(config, law)
    }

    fn with(config: SenderConfig, controller: Box<dyn CongestionController>) -> Self {
        let mut sender = TcpSender::new(config, controller);
        sender.start(Time::ZERO);
        sender.supply(u64::MAX);
        Self {
            sender,
            now: Time::ZERO,
            sent_at: BTreeMap::new(),
        }
    }

    /// What leaves now, by number.
    fn sent(&mut self) -> Vec<u64> {
        self.transmits().iter().map(|t| t.segment.number).collect()
    }

    fn transmits(&mut self) -> Vec<Transmit> {
        let mut all = vec![];
        while let Some(transmit) = self.sender.poll_transmit(self.now) {
            let again = transmit.segment.flags.contains(Flags::RETRANSMISSION);
            self.sent_at
                .insert(transmit.segment.number, (self.now, again));
            all.push(transmit);
        }
        all
    }

    fn wait(&mut self, time: Duration) {
        self.now += time;
    }

    /// The ACK up to `number`, triggered by segment `by`.
    fn ack_by(&mut self, number: u64, by: u64, flags: Flags, blocks: &[SackBlock]) -> Vec<u64> {
        let (timestamp, again) = self.sent_at.get(&by).copied().unwrap_or_default();
        let segment = Segment {
            kind: SegmentKind::Ack,
            flags: flags | Flags::ECHOES_RETRANSMISSION.when(again),
            number,
            timestamp,
        };
        self.sender.on_segment(self.now, &segment, blocks);
        self.sent()
    }

    fn ack(&mut self, number: u64) -> Vec<u64> {
        self.ack_by(number, number.saturating_sub(1), Flags::NONE, &[])
    }

    fn ack_with(&mut self, number: u64, blocks: &[(u64, u64)]) -> Vec<u64> {
        let blocks: Vec<_> = blocks
            .iter()
            .map(|(start, end)| SackBlock {
                start: *start,
                end: *end,
            })
            .collect();
        self.ack_by(number, number.saturating_sub(1), Flags::NONE, &blocks)
    }

    fn time_out(&mut self) -> Vec<u64> {
        self.now = self.sender.next_timer().expect("the timer runs");
        self.sender.on_timer(self.now);
        self.sent()
    }

    fn window(&self) -> f64 {
        self.sender.window_packets()
    }
}

fn config(recovery: Recovery) -> SenderConfig {
    SenderConfig {
        recovery,
        ..SenderConfig::default()
    }
}

/// A controller with a fixed window that writes down what it is told.
#[derive(Debug, Clone, Default)]
struct Log(Arc<Mutex<Vec<Congestion>>>, Arc<Mutex<Vec<Ack>>>);

impl CongestionController for Log {
    fn limits(&self) -> Limits {
        Limits {
            window: Bytes(10_000),
            pacing: None,
        }
    }
    fn on_ack(&mut self, ack: &Ack) {
        self.1.lock().unwrap().push(*ack);
    }
    fn on_congestion(&mut self, congestion: &Congestion) {
        self.0.lock().unwrap().push(*congestion);
    }
}

/// Segments 0 to 11 are out and 1 is lost; 2 to 11 make ten duplicate ACKs. The window falls from
/// 11 to 11 / 2, some 5 segments; inflated by ten it lets 15 − 11 = 4 new ones out meanwhile. Not
/// inflated it lets none out, until the retransmission's ACK makes room for 5 at once.
#[test]
fn without_inflation_nothing_new_leaves_before_the_retransmission_is_acknowledged() {
    let new_while_duplicates_come = |window_inflation| {
        let mut bench = Bench::new(SenderConfig {
            window_inflation,
            limited_transmit: false,
            ..config(Recovery::NewReno)
        });
        bench.sent();
        bench.wait(RTT);
        assert_eq!(bench.ack(1), [10, 11]);
        let mut sent: Vec<u64> = (0..10).flat_map(|_| bench.ack(1)).collect();
        assert_eq!(sent.remove(0), 1);
        bench.wait(RTT);
        (sent, bench.ack(12))
    };
    let (inflated, _) = new_while_duplicates_come(true);
    assert_eq!(inflated, [12, 13, 14, 15]);
    let (plain, after) = new_while_duplicates_come(false);
    assert_eq!(plain, []);
    assert_eq!(after, [12, 13, 14, 15, 16]);
}

#[test]
fn slow_start_sends_two_for_each_ack() {
    let mut bench = Bench::new(config(Recovery::NewReno));
    assert_eq!(bench.sent(), (0..10).collect::<Vec<_>>());
    bench.wait(RTT);
    assert_eq!(bench.ack(1), [10, 11]);
    assert_eq!(bench.ack(2), [12, 13]);
    assert_eq!(bench.sender.smoothed_rtt(), RTT);
    assert_eq!(bench.sender.statistics().last_rtt, Some(RTT));
    assert_eq!(bench.sender.in_flight(), 12);
    assert_eq!(bench.sender.acknowledged(), 2);
}

/// Ten out, 0 lost. RFC 3042 sends 10 and 11; FlightSize without them is 10, so the window becomes
/// 5, inflated to 8; with 12 outstanding nothing leaves until five more duplicates bring it to 13.
#[test]
fn fast_retransmit_and_recovery_by_hand() {
    for recovery in [Recovery::Reno, Recovery::NewReno] {
        let mut bench = Bench::new(config(recovery));
        bench.sent();
        bench.wait(RTT);
        assert_eq!(bench.ack(0), [10]);
        assert_eq!(bench.ack(0), [11]);
        assert_eq!(bench.ack(0), [0]);
        assert_eq!(bench.window(), 5.0);
        for _ in 4..=7 {
            assert_eq!(bench.ack(0), []); // 9, 10, 11, 12
        }
        assert_eq!(bench.ack(0), [12]); // 13
        assert_eq!(bench.ack(0), [13]);
        bench.wait(RTT);
        // A full ACK: the window is 5, and this ACK does not open it. 12 and 13 are out.
        assert_eq!(bench.ack(12), [14, 15, 16]);
        assert_eq!(bench.window(), 5.0);
        let statistics = bench.sender.statistics();
        assert_eq!(
            (statistics.fast_retransmits, statistics.retransmits),
            (1, 1)
        );
        assert_eq!(statistics.congestion_episodes, 1);
        // Then a fifth of a packet for each ACK.
        bench.ack(13);
        assert_eq!(bench.window(), 5.2);
    }
}

/// 0 and 4 of ten lost. The partial ACK of 0 acknowledges 4: the window of 5, inflated by 9
/// duplicates to 14, becomes 14 − 4 + 1 = 11; 4 is retransmitted.
#[test]
fn a_partial_ack_deflates_and_retransmits() {
    let mut bench = Bench::new(config(Recovery::NewReno));
    bench.sent();
    bench.wait(RTT);
    for _ in 0..9 {
        bench.ack(0);
    }
    // 14 − 12 outstanding: 12 and 13 have left.
    assert_eq!(bench.sent_at.keys().next_back(), Some(&13));
    let deadline = bench.sender.next_timer();
    bench.wait(RTT);
    // 14 outstanding − 4 = 10 of 11: one new segment with the retransmission.
    assert_eq!(bench.ack(4), [4, 14]);
    // The first partial ACK restarts the timer, the next one does not ("impatient").
    let restarted = bench.sender.next_timer();
    assert!(restarted > deadline);
    bench.wait(RTT / 2);
    assert_eq!(bench.ack(6), [6, 15]);
    assert_eq!(bench.sender.next_timer(), restarted);
    // Still one reduction.
    assert_eq!(bench.sender.statistics().congestion_episodes, 1);
    assert_eq!(bench.window(), 5.0);
    // 14 was sent before recovery ended, 12 is the recovery point: a full ACK.
    bench.wait(RTT / 2);
    bench.ack(12);
    assert_eq!(bench.window(), 5.0);
    // 12 to 15 and one more are out; three duplicates for 12 are no new fast retransmit, since
    // the ACK does not cover more than the recovery point.
    for _ in 0..3 {
        bench.ack(12);
    }
    assert_eq!(bench.sender.statistics().fast_retransmits, 1);
}

#[test]
fn reno_reduces_again_for_a_second_loss_of_the_same_window() {
    let mut bench = Bench::new(config(Recovery::Reno));
    bench.sent();
    bench.wait(RTT);
    for _ in 0..9 {
        bench.ack(0);
    }
    bench.wait(RTT);
    bench.ack(4); // ends recovery
    for _ in 0..3 {
        bench.ack(4);
    }
    assert_eq!(bench.sender.statistics().fast_retransmits, 2);
    assert_eq!(bench.sender.statistics().congestion_episodes, 2);
}

#[test]
fn after_a_timeout_reno_waits_until_all_is_acknowledged() {
    let mut bench = Bench::new(config(Recovery::Reno));
    bench.sent();
    bench.time_out();
    bench.wait(RTT);
    assert_eq!(bench.ack(1), [1, 2]);
    // The copies of 1 to 9 that are already there make duplicate ACKs.
    for _ in 0..5 {
        bench.ack(1);
    }
    assert_eq!(bench.sender.statistics().fast_retransmits, 0);
}

#[test]
fn a_fast_retransmit_restarts_the_timer() {
    for recovery in [Recovery::Tahoe, Recovery::Reno, Recovery::NewReno] {
        let mut bench = Bench::new(config(recovery));
        bench.sent();
        bench.wait(RTT);
        for _ in 0..3 {
            bench.ack(0);
        }
        // No sample yet: one second from now.
        let deadline = bench.now + Duration::from_secs(1);
        assert_eq!(bench.sender.next_timer(), Some(deadline));
    }
}

#[test]
fn tahoe_goes_back_and_slow_starts() {
    let mut bench = Bench::new(config(Recovery::Tahoe));
    bench.sent();
    bench.wait(RTT);
    bench.ack(0);
    bench.ack(0);
    assert_eq!(bench.ack(0), [0]);
    assert_eq!(bench.window(), 1.0);
    bench.wait(RTT);
    // 0 to 3 are there; 4 was lost too. Two packets after one ACK.
    assert_eq!(bench.ack(4), [4, 5]);
    assert_eq!(bench.sender.statistics().congestion_episodes, 1);
}

#[test]
fn old_tahoe_waits_for_the_timer() {
    let mut bench = Bench::new(config(Recovery::OldTahoe));
    bench.sent();
    bench.wait(RTT);
    for _ in 0..9 {
        assert_eq!(bench.ack(0), []);
    }
    assert_eq!(bench.time_out(), [0]);
    assert_eq!(bench.now, Time::ZERO + Duration::from_secs(1));
    assert_eq!(bench.sender.statistics().timeouts, 1);
    assert_eq!(bench.window(), 1.0);
}

#[test]
fn the_threshold_of_duplicates_can_be_set() {
    for threshold in [1, 2, 5] {
        let mut bench = Bench::new(SenderConfig {
            duplicate_ack_threshold: threshold,
            limited_transmit: false,
            ..config(Recovery::NewReno)
        });
        bench.sent();
        bench.wait(RTT);
        for _ in 1..threshold {
            assert_eq!(bench.ack(0), []);
        }
        assert_eq!(bench.ack(0), [0]);
    }
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
    let mut bench = Bench::new(config(Recovery::Vegas));
    bench.sent();
    bench.wait(RTT);
    for number in 1..=10 {
        bench.ack(number);
    }
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
    let mut bench = Bench::new(coarse);
    bench.sent();
    bench.wait(RTT);
    for number in 1..=10 {
        bench.ack(number);
    }
    bench.wait(Duration::from_millis(120));
    assert_eq!(bench.ack(10), [10]);
}

/// 10 and 11, of one window, are lost. 20 are out: half stays, and no less when 11 is found overdue,
/// which left before that. A loss of what left since halves again.
#[test]
fn vegas_reduces_only_for_what_was_sent_after_the_last_reduction() {
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

#[test]
fn timeouts_back_off_and_cut_the_threshold_once() {
    let mut bench = Bench::new(config(Recovery::NewReno));
    bench.sent();
    for seconds in [1, 2, 4] {
        let before = bench.now;
        assert_eq!(bench.time_out(), [0]);
        assert_eq!(bench.now.since(before), Duration::from_secs(seconds));
        assert_eq!(bench.window(), 1.0);
    }
    // FlightSize was 10: the threshold is 5 after one timeout and after three.
    let mut threshold = None;
    bench.sender.variables(&mut |name, value| {
        if name == "slow_start_threshold" {
            threshold = Some(value);
        }
    });
    assert_eq!(threshold, Some(5.0));
}

#[test]
fn a_timestamp_measures_a_retransmission() {
    let mut bench = Bench::new(config(Recovery::NewReno));
    bench.sent();
    bench.time_out();
    assert_eq!(bench.sender.rto(), Duration::from_secs(2));
    bench.wait(RTT);
    bench.ack(1);
    assert_eq!(bench.sender.statistics().last_rtt, Some(RTT));
    assert_eq!(bench.sender.rto(), Duration::from_secs(1));
}

/// Karn: without timestamps the ACK of a retransmission is no sample, and the backoff stays until
/// a packet that was sent once is acknowledged.
#[test]
fn without_timestamps_the_backoff_outlives_retransmissions() {
    let mut bench = Bench::new(SenderConfig {
        timestamps: false,
        ..config(Recovery::NewReno)
    });
    bench.sent();
    bench.time_out();
    bench.wait(RTT);
    assert_eq!(bench.ack(1), [1, 2]);
    assert_eq!(bench.sender.rto(), Duration::from_secs(2));
    assert_eq!(bench.sender.statistics().last_rtt, None);
    // Segments 1 to 9 are sent twice as well; 10 is new. Only its ACK ends the backoff.
    bench.wait(RTT);
    let mut number = 2;
    while !bench.sent_at.contains_key(&10) {
        bench.ack(number);
        assert_eq!(bench.sender.rto(), Duration::from_secs(2));
        number += 1;
    }
    bench.wait(RTT);
    bench.ack(11);
    assert_eq!(bench.sender.rto(), Duration::from_secs(1));
}

#[test]
fn without_timestamps_one_packet_of_a_window_is_timed() {
    let mut bench = Bench::new(SenderConfig {
        timestamps: false,
        rto: crate::RtoConfig {
            minimum: Duration::from_millis(1),
            ..crate::RtoConfig::default()
        },
        ..config(Recovery::NewReno)
    });
    bench.sent();
    bench.wait(RTT);
    bench.ack(1); // 0 is timed: 100 ms. 10 is timed next.
    assert_eq!(bench.sender.smoothed_rtt(), RTT);
    bench.wait(RTT);
    bench.ack(5); // not timed
    assert_eq!(bench.sender.smoothed_rtt(), RTT);
    bench.wait(RTT * 7);
    bench.ack(11); // 10: 800 ms later. 7/8 × 100 + 1/8 × 800 = 187.5
    assert_eq!(bench.sender.smoothed_rtt(), Duration::from_micros(187_500));
    // A retransmission cancels the timing.
    for _ in 0..3 {
        bench.ack(11);
    }
    bench.wait(RTT);
    bench.ack(12);
    assert_eq!(bench.sender.smoothed_rtt(), Duration::from_micros(187_500));
}

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
fn an_idle_time_is_no_timeout() {
    let mut sender = TcpSender::new(config(Recovery::NewReno), Box::new(Log::default()));
    sender.start(Time::ZERO);
    sender.supply(4);
    let mut bench = Bench {
        sender,
        now: Time::ZERO,
        sent_at: BTreeMap::new(),
    };
    bench.sent();
    bench.wait(RTT);
    bench.ack(4);
    bench.wait(Duration::from_secs(100));
    bench.sender.on_timer(bench.now);
    bench.sender.supply(10);
    assert_eq!(bench.sent().len(), 6);
    assert_eq!(bench.sender.statistics().timeouts, 0);
    let deadline = bench.now + Duration::from_secs(1);
    assert_eq!(bench.sender.next_timer(), Some(deadline));
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

#[test]
fn the_controller_sees_what_was_lost_and_when_it_was_sent() {
    let log = Log::default();
    let mut bench = Bench::with(config(Recovery::NewReno), Box::new(log.clone()));
    bench.wait(RTT);
    bench.sent();
    bench.wait(RTT);
    bench.ack(1);
    for _ in 0..3 {
        bench.ack(1);
    }
    let seen = log.0.lock().unwrap()[0];
    assert_eq!(seen.signal, Signal::Loss);
    assert_eq!(seen.episode, Episode::Begins);
    assert_eq!(seen.newest.number, 1);
    assert_eq!(seen.newest.sent_at, Time::ZERO + RTT);
    assert_eq!(seen.flight_size, Bytes(10_000)); // 2 to 10 and 1, without two by limited transmit
    let ack = log.1.lock().unwrap()[0];
    assert_eq!((ack.acked, ack.acked_packets), (Bytes(1_000), 1));
    assert_eq!(ack.in_flight, Bytes(9_000));
    assert_eq!((ack.rtt, ack.min_rtt), (Some(RTT), RTT));
    assert!(!ack.app_limited && !ack.in_recovery);
    // 1 segment in 100 ms: 80 kb/s.
    assert_eq!(ack.delivered.unwrap().rate(), Rate::kbit_per_s(80));
}

#[test]
fn an_application_without_data_is_the_limit() {
    let log = Log::default();
    let mut sender = TcpSender::new(config(Recovery::NewReno), Box::new(log.clone()));
    sender.start(Time::ZERO);
    sender.supply(4);
    let mut bench = Bench {
        sender,
        now: Time::ZERO,
        sent_at: BTreeMap::new(),
    };
    assert_eq!(bench.sent(), [0, 1, 2, 3]);
    bench.wait(RTT);
    bench.ack(4);
    assert!(log.1.lock().unwrap()[0].app_limited);
    assert!(bench.sender.is_complete());
    assert_eq!(bench.sender.next_timer(), None);
    bench.sender.supply(100);
    assert!(!bench.sender.is_complete());
    assert_eq!(bench.sent().len(), 10);
    bench.ack(5);
    assert!(!log.1.lock().unwrap()[1].app_limited);
}

#[test]
fn the_peer_s_window_and_the_burst_limit_hold() {
    let mut bench = Bench::new(SenderConfig {
        max_window: Some(4),
        max_burst: Some(3),
        ..config(Recovery::NewReno)
    });
    assert_eq!(bench.sent(), [0, 1, 2]);
    bench.wait(RTT);
    assert_eq!(bench.ack(1), [3, 4]);
    assert_eq!(bench.ack(5), [5, 6, 7]);
}

#[test]
fn a_hold_delays_the_window_but_no_retransmission() {
    let mut bench = Bench::new(config(Recovery::NewReno));
    bench.sent();
    bench.wait(RTT);
    let until = bench.now + Duration::from_millis(1);
    bench.sender.on_segment(
        bench.now,
        &Segment {
            kind: SegmentKind::Ack,
            flags: Flags::NONE,
            number: 1,
            timestamp: Time::ZERO,
        },
        &[],
    );
    assert!(bench.sender.wants_to_send_new());
    bench.sender.hold(until);
    assert!(bench.sender.is_held());
    assert_eq!(bench.sent(), []);
    assert_eq!(bench.sender.next_timer(), Some(until));
    // Three duplicates: limited transmit and the retransmission leave all the same. On the third,
    // 12 are out and the window is 5.5 + 3.
    assert_eq!(bench.ack(1), [10]);
    assert_eq!(bench.ack(1), [11]);
    assert_eq!(bench.ack(1), [1]);
    bench.now = until;
    bench.sender.on_timer(until);
    assert!(!bench.sender.is_held());
    assert_eq!(bench.sent(), []);
}

#[test]
fn what_was_held_leaves_when_the_hold_ends() {
    let mut bench = Bench::new(config(Recovery::NewReno));
    let until = Time::ZERO + Duration::from_millis(1);
    bench.sender.hold(until);
    assert_eq!(bench.sent(), []);
    bench.now = bench.sender.next_timer().unwrap();
    assert_eq!(bench.now, until);
    bench.sender.on_timer(bench.now);
    assert_eq!(bench.sent().len(), 10);
}

#[test]
fn pacing_spreads_the_packets() {
    #[derive(Debug)]
    struct Paced;
    impl CongestionController for Paced {
        fn limits(&self) -> Limits {
            Limits {
                window: Bytes(10_000),
                pacing: Some(Rate::mbit_per_s(8)),
            }
        }
        fn on_ack(&mut self, _: &Ack) {}
        fn on_congestion(&mut self, _: &Congestion) {}
    }
    let mut bench = Bench::with(config(Recovery::NewReno), Box::new(Paced));
    // 1000 B at 8 Mb/s: one each millisecond.
    for number in 0..10 {
        assert_eq!(bench.sent(), [number]);
        if number < 9 {
            let next = bench.sender.next_timer().unwrap();
            assert_eq!(next.since(bench.now), Duration::from_millis(1));
            bench.now = next;
        }
    }
    assert_eq!(
        bench.sender.next_timer(),
        Some(Time::ZERO + Duration::from_secs(1))
    );
}

#[test]
fn the_handshake_opens_the_connection() {
    let mut bench = Bench::new(SenderConfig {
        handshake: true,
        ..config(Recovery::NewReno)
    });
    let syn = bench.transmits();
    assert_eq!(syn.len(), 1);
    assert_eq!(
        (syn[0].segment.kind, syn[0].size),
        (SegmentKind::Syn, Bytes(40))
    );
    bench.wait(RTT);
    let syn_ack = Segment {
        kind: SegmentKind::SynAck,
        flags: Flags::NONE,
        number: 0,
        timestamp: Time::ZERO,
    };
    bench.sender.on_segment(bench.now, &syn_ack, &[]);
    assert_eq!(bench.sender.smoothed_rtt(), RTT);
    assert_eq!(bench.sent(), (0..10).collect::<Vec<_>>());
    bench.sender.on_segment(bench.now, &syn_ack, &[]); // again: nothing
    assert_eq!(bench.sent(), []);
}

#[test]
fn a_lost_syn_costs_the_initial_window() {
    let mut bench = Bench::new(SenderConfig {
        handshake: true,
        ..config(Recovery::NewReno)
    });
    bench.transmits();
    bench.now = bench.sender.next_timer().unwrap();
    assert_eq!(bench.now, Time::ZERO + Duration::from_secs(1));
    bench.sender.on_timer(bench.now);
    assert_eq!(bench.transmits().len(), 1);
    assert_eq!(
        bench.sender.next_timer(),
        Some(Time::ZERO + Duration::from_secs(3))
    );
    bench.sender.on_segment(
        bench.now,
        &Segment {
            kind: SegmentKind::SynAck,
            flags: Flags::ECHOES_RETRANSMISSION,
            number: 0,
            timestamp: bench.now,
        },
        &[],
    );
    assert_eq!(bench.sent(), [0]);
    assert_eq!(bench.sender.rto(), Duration::from_secs(3));
}

/// ns-2: SYN 0, then 1 and 2, then slow start; the ACK of 0 alone does not open the window.
#[test]
fn under_ns2_the_syn_is_segment_0() {
    let mut bench = Bench::new(SenderConfig::ns2(Recovery::Reno, Bytes(1_040), 20));
    assert_eq!(bench.sender.rto(), Duration::from_secs(3));
    let syn = bench.transmits();
    assert_eq!(syn.len(), 1);
    assert_eq!(
        (syn[0].segment.kind, syn[0].segment.number, syn[0].size),
        (SegmentKind::Syn, 0, Bytes(40))
    );
    bench.wait(RTT);
    assert_eq!(bench.ack(1), [1, 2]);
    assert_eq!(bench.window(), 2.0);
    assert_eq!(bench.sender.acknowledged(), 0);
    bench.wait(RTT);
    assert_eq!(bench.ack(2), [3, 4]);
    // 10 + 4 × 5 ticks of 10 ms, twice: then RTTVAR = 20 + (0 − 5) quarters.
    assert_eq!(bench.sender.rto(), Duration::from_millis(250));
}

#[test]
fn a_sender_that_left_is_silent() {
    let mut bench = Bench::new(config(Recovery::Sack));
    bench.sent();
    bench.sender.stop();
    assert_eq!(bench.sender.next_timer(), None);
    assert_eq!(bench.ack(5), []);
    bench.wait(Duration::from_secs(100));
    bench.sender.on_timer(bench.now);
    assert_eq!(bench.sent(), []);
    assert!(!bench.sender.wants_to_send_new());
}

#[test]
fn impossible_acks_change_nothing() {
    for recovery in [
        Recovery::OldTahoe,
        Recovery::Tahoe,
        Recovery::Reno,
        Recovery::NewReno,
        Recovery::Sack,
    ] {
        for compat in [Compat::Rfc, Compat::Ns2] {
            let mut bench = Bench::new(SenderConfig {
                compat,
                ..config(recovery)
            });
            bench.sent();
            bench.wait(RTT);
            bench.ack(5);
            bench.sent();
            let high = *bench.sent_at.keys().next_back().unwrap() + 1;
            let acknowledged = bench.sender.acknowledged();
            let m = u64::MAX;
            let far = [(0, m), (m, m), (9, 3), (m, 0), (high, high + 9)];
            for number in [high + 1, high + 100, m - 1, m] {
                assert_eq!(bench.ack_with(number, &far), [], "{recovery:?}");
            }
            assert_eq!(bench.sender.acknowledged(), acknowledged);
            bench.ack_with(0, &far);
            bench.ack_by(6, m, Flags::ECE, &[]);
            bench.sender.on_source_quench(bench.now, m);
            bench.sender.on_timer(Time::ZERO);
            assert!(bench.sender.acknowledged() <= 6);
        }
    }
}

#[test]
fn a_million_flows_fit() {
    assert!(size_of::<TcpSender>() < 1_000);
    assert!(size_of::<Segment>() <= 32);
}

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

/// With Karn's rule an ACK of a retransmission is no sample, timestamps or not.
#[test]
fn karns_rule_holds_with_timestamps_where_it_is_asked_for() {
    for (karn, samples) in [(false, 1), (true, 0)] {
        let mut bench = Bench::new(SenderConfig {
            karn,
            ..config(Recovery::NewReno)
        });
        bench.sent();
        bench.time_out();
        bench.wait(RTT);
        bench.ack(1);
        assert_eq!(bench.sender.statistics().rtt_samples, samples);
    }
}
