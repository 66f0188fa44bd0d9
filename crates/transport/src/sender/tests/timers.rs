//! The retransmission timer and what it is measured by.

use super::*;

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
