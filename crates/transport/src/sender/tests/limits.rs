//! What else than the congestion window keeps a segment back.

use super::*;

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
fn what_recovery_forces_leaves_where_the_window_s_packets_wait() {
    let mut bench = Bench::new(config(Recovery::NewReno));
    bench.sent();
    bench.wait(RTT);
    let mut forced = |number| {
        let ack = Segment {
            kind: SegmentKind::Ack,
            flags: Flags::NONE,
            number,
            timestamp: Time::ZERO,
        };
        bench.sender.on_segment(bench.now, &ack, &[]);
        let transmits = std::iter::from_fn(|| bench.sender.poll_forced(bench.now));
        let numbers: Vec<_> = transmits.map(|transmit| transmit.segment.number).collect();
        numbers
    };
    assert_eq!(forced(1), []);
    // Three duplicates: limited transmit and the retransmission.
    assert_eq!(forced(1), [10]);
    assert_eq!(forced(1), [11]);
    assert_eq!(forced(1), [1]);
}

#[test]
fn pacing_spreads_the_packets() {
    #[derive(Clone, Debug)]
    struct Paced;
    impl CongestionController for Paced {
        fn limits(&self) -> Limits {
            Limits {
                pacing: Some(Rate::mbit_per_s(8)),
                ..Limits::of_window(Bytes(10_000))
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

/// Ten packets leave at once: no round trip is known. After that 11 packets for each 100 ms, doubled in
/// slow start: 1000 B at 1.76 Mb/s are 4.545 ms. At 1.25 windows: 11·1.25 in 100 ms are 7.272 ms.
#[test]
fn a_window_is_spread_over_the_round_trip() {
    let steady = Pacing {
        slow_start: 1.25,
        avoidance: 1.25,
        ..Pacing::LINUX
    };
    for (pacing, apart_ns) in [(Pacing::LINUX, 4_545_454), (steady, 7_272_727)] {
        let mut bench = Bench::new(SenderConfig {
            pacing: Some(pacing),
            ..config(Recovery::NewReno)
        });
        assert_eq!(bench.sent().len(), 10);
        bench.wait(RTT);
        assert_eq!(bench.ack(1), [10], "the second of two waits");
        let next = bench.sender.next_timer().unwrap();
        let apart = next.since(bench.now).as_picos() / 1_000;
        assert_eq!(apart, apart_ns);
        bench.now = next;
        bench.sender.on_timer(next);
        assert_eq!(bench.sent(), [11]);
        // What recovery forces does not wait.
        assert_eq!(bench.ack(1), [12], "limited transmit");
    }
}

/// Rate and quantum are the controller's: 3000 B back to back, each 3 ms at 8 Mb/s.
#[test]
fn a_controllers_quantum_leaves_back_to_back() {
    #[derive(Clone, Debug)]
    struct Grouped;
    impl CongestionController for Grouped {
        fn limits(&self) -> Limits {
            Limits {
                pacing: Some(Rate::mbit_per_s(8)),
                quantum: Some(Bytes(3_000)),
                ..Limits::of_window(Bytes(7_000))
            }
        }
        fn on_ack(&mut self, _: &Ack) {}
        fn on_congestion(&mut self, _: &Congestion) {}
    }
    let mut bench = Bench::with(config(Recovery::NewReno), Box::new(Grouped));
    for group in [&[0, 1, 2][..], &[3, 4, 5], &[6]] {
        assert_eq!(bench.sent(), group);
        if group.len() == 3 {
            let next = bench.sender.next_timer().unwrap();
            assert_eq!(next.since(bench.now), Duration::from_millis(3));
            bench.now = next;
        }
    }
}
