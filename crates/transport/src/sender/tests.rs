use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use controllers::{Ack, Congestion, Limits, Registry};
use units::{Bytes, Ecn, Rate};

use super::*;
use crate::{Pacing, Recovery, SpuriousDetection};

mod connection;
mod d_sack;
mod ecn;
mod limits;
mod rack;
mod sack;
mod signals;
mod timers;
mod undo;
mod vegas;

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
        Limits::of_window(Bytes(10_000))
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
    assert_eq!(ack.delivered, None, "nobody asked for it");
}
