//! Beginning and end of a connection, and what must not hurt it.

use super::*;

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
        let mut bench = Bench::new(config(recovery));
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

#[test]
fn a_million_flows_fit() {
    assert!(size_of::<TcpSender>() < 1_000);
    assert!(size_of::<Segment>() <= 32);
}
