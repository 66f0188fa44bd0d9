use std::collections::BTreeMap;

use controllers::Registry;
use units::Bytes;

use super::*;
use crate::config::Recovery;

/// A sender, a clock, and ACKs that the tests make by hand.
struct Bench {
    sender: Sender,
    now: Time,
    sent_at: BTreeMap<u64, Time>,
}

const RTT: Duration = Duration::from_millis(100);

impl Bench {
    fn new(config: SenderConfig, controller: &str) -> Self {
        let registry = Registry::standard();
        let controller = registry.get(controller).unwrap();
        let parameters = controller.resolve(&BTreeMap::new()).unwrap();
        let window = Window::new(controller, &parameters, &crate::ns2::setup(&config));
        let mut sender = Sender::new(config, window);
        sender.start();
        sender.supply(u64::MAX);
        Self {
            sender,
            now: Time::ZERO,
            sent_at: BTreeMap::new(),
        }
    }

    fn transmits(&mut self) -> Vec<Transmit> {
        let mut all = vec![];
        while let Some(transmit) = self.sender.poll_transmit(self.now) {
            self.sent_at.insert(transmit.segment.number, self.now);
            all.push(transmit);
        }
        all
    }

    fn sent(&mut self) -> Vec<u64> {
        self.transmits().iter().map(|t| t.segment.number).collect()
    }

    fn wait(&mut self, time: Duration) {
        self.now += time;
    }

    fn ack(&mut self, number: u64) -> Vec<u64> {
        self.ack_with(number, Flags::NONE, &[])
    }

    /// The ACK's timestamp is that of the segment before its number.
    fn ack_with(&mut self, number: u64, flags: Flags, blocks: &[SackBlock]) -> Vec<u64> {
        let by = number.saturating_sub(1);
        let segment = Segment {
            kind: SegmentKind::Ack,
            flags,
            number,
            timestamp: self.sent_at.get(&by).copied().unwrap_or(self.now),
        };
        self.sender.on_segment(self.now, &segment, blocks);
        self.sent()
    }
}

/// SYN 0, then 1 and 2, then slow start; the ACK of 0 alone does not open the window.
#[test]
fn the_syn_is_segment_0() {
    let config = SenderConfig::ns2(Recovery::Reno, Bytes(1_040), 20);
    let mut bench = Bench::new(config, "reno");
    assert_eq!(bench.sender.rto(), Duration::from_secs(3));
    let syn = bench.transmits();
    assert_eq!(syn.len(), 1);
    assert_eq!(
        (syn[0].segment.kind, syn[0].segment.number, syn[0].size),
        (SegmentKind::Syn, 0, Bytes(40))
    );
    bench.wait(RTT);
    assert_eq!(bench.ack(1), [1, 2]);
    assert_eq!(bench.sender.window_packets(), 2.0);
    assert_eq!(bench.sender.acknowledged(), 0);
    bench.wait(RTT);
    assert_eq!(bench.ack(2), [3, 4]);
    // 10 + 4 × 5 ticks of 10 ms, twice: then RTTVAR = 20 + (0 − 5) quarters.
    assert_eq!(bench.sender.rto(), Duration::from_millis(250));
}

/// Window 8 in Newreno, 1 to 8 out, 1 and 2 lost. The third duplicate leaves 4 and inflates by 3.
/// The partial ACK of 1 takes one packet and puts one back, so 7 remain: as many as are out, 2 to 8.
/// At the full ACK the inflation goes, and the ACK opens the window by a quarter.
#[test]
fn newreno_by_hand() {
    let config = SenderConfig {
        handshake: true,
        initial_window: 8,
        limited_transmit: false,
        ..SenderConfig::ns2(Recovery::NewReno, Bytes(1_000), 20)
    };
    let mut bench = Bench::new(config, "reno");
    bench.sent();
    bench.wait(RTT);
    assert_eq!(bench.ack(1), [1, 2, 3, 4, 5, 6, 7, 8]);
    bench.wait(RTT);
    assert_eq!(bench.ack(1), []);
    assert_eq!(bench.ack(1), []);
    assert_eq!(bench.ack(1), [1]);
    assert_eq!(bench.sender.window_packets(), 4.0);
    bench.wait(RTT);
    assert_eq!(bench.ack(2), [2]);
    assert_eq!(bench.sender.window_packets(), 4.0);
    bench.wait(RTT);
    assert_eq!(bench.ack(9), [9, 10, 11, 12]);
    assert_eq!(bench.sender.window_packets(), 4.25);
    assert_eq!(bench.sender.statistics().congestion_episodes, 1);
}

/// A retransmission is ECN-capable, and CWR goes on it where it is the first packet after the cut.
#[test]
fn cwr_goes_on_the_first_packet_and_retransmissions_are_capable() {
    let config = SenderConfig {
        ecn: true,
        initial_window: 8,
        limited_transmit: false,
        ..SenderConfig::ns2(Recovery::Reno, Bytes(1_000), 20)
    };
    let mut bench = Bench::new(config, "reno");
    bench.sent();
    bench.wait(RTT);
    bench.ack(1);
    bench.wait(RTT);
    for _ in 0..3 {
        let segment = Segment {
            kind: SegmentKind::Ack,
            flags: Flags::NONE,
            number: 1,
            timestamp: bench.now,
        };
        bench.sender.on_segment(bench.now, &segment, &[]);
    }
    let again = bench.transmits();
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].segment.number, 1);
    assert!(again[0].segment.flags.contains(Flags::CWR));
    assert!(again[0].ecn.is_capable());
}

/// Window 24, 1 to 23 out: 24 − ⌊24/4⌋ = 18, inflated by the three duplicates and by a fourth,
/// then deflated to 18, where slow start ends.
#[test]
fn vegas_inflates_and_deflates_the_window_itself() {
    let config = SenderConfig {
        initial_window: 24,
        handshake: false,
        limited_transmit: false,
        ..SenderConfig::ns2(Recovery::Vegas, Bytes(1_000), 100)
    };
    let mut bench = Bench::new(config, "vegas");
    assert_eq!(bench.sent(), [0], "the window begins at one packet");
    bench.wait(RTT);
    bench.ack(1);
    bench.wait(RTT);
    bench.ack(2);
    let window = |bench: &Bench| bench.sender.window_packets();
    assert_eq!(window(&bench), 24.0);
    bench.wait(RTT / 2);
    bench.ack(2);
    bench.ack(2);
    assert_eq!(bench.ack(2)[0], 2);
    assert_eq!(window(&bench), 21.0);
    bench.ack(2);
    assert_eq!(window(&bench), 22.0);
    bench.wait(RTT / 2);
    bench.ack(20);
    assert_eq!(window(&bench), 18.0);
    let mut threshold = 0.0;
    bench.sender.variables(&mut |name, value| {
        if name == "slow_start_threshold" {
            threshold = value;
        }
    });
    assert_eq!(threshold, 2.0);
}

#[test]
fn impossible_acks_change_nothing() {
    for recovery in [
        Recovery::OldTahoe,
        Recovery::Tahoe,
        Recovery::Reno,
        Recovery::NewReno,
        Recovery::Sack,
        Recovery::Vegas,
    ] {
        let config = SenderConfig {
            handshake: false,
            initial_window: 10,
            ..SenderConfig::ns2(recovery, Bytes(1_000), 64)
        };
        let mut bench = Bench::new(config, "reno");
        bench.sent();
        bench.wait(RTT);
        bench.ack(5);
        let high = *bench.sent_at.keys().next_back().unwrap() + 1;
        let acknowledged = bench.sender.acknowledged();
        let m = u64::MAX;
        let far = [(0, m), (m, m), (9, 3), (m, 0), (high, high + 9)];
        let far = far.map(|(start, end)| SackBlock { start, end });
        for number in [high + 1, high + 100, m - 1, m] {
            assert_eq!(
                bench.ack_with(number, Flags::NONE, &far),
                [],
                "{recovery:?}"
            );
        }
        assert_eq!(bench.sender.acknowledged(), acknowledged);
        bench.ack_with(0, Flags::ECE, &far);
        bench.ack_with(6, Flags::ECE, &[]);
        bench.sender.on_source_quench(bench.now, m);
        bench.sender.on_timer(Time::ZERO);
        assert!(bench.sender.acknowledged() <= 6);
    }
}

#[test]
fn a_sender_that_left_is_silent() {
    let mut bench = Bench::new(SenderConfig::ns2(Recovery::Sack, Bytes(1_000), 20), "reno");
    bench.sent();
    bench.sender.stop();
    assert_eq!(bench.sender.next_timer(), None);
    assert_eq!(bench.ack(1), []);
    bench.wait(Duration::from_secs(100));
    bench.sender.on_timer(bench.now);
    assert_eq!(bench.sent(), []);
    assert!(!bench.sender.wants_to_send_new());
}
