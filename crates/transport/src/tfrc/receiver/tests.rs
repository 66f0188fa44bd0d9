use super::*;

const RTT: Duration = Duration::from_millis(100);

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

/// A packet that left 50 ms before it arrives.
fn data(number: u32, ms: u64) -> TfrcData {
    TfrcData {
        number: Sequence(number),
        timestamp: at(ms - 50),
        rtt: RTT,
        timeout: Duration::ZERO,
        round: 0,
        urgent: false,
    }
}

fn arrive(receiver: &mut TfrcReceiver, number: u32, ms: u64) -> Option<TfrcFeedback> {
    let arrival = TfrcArrival {
        now: at(ms),
        size: Bytes(1_000),
        ecn: Ecn::NotEct,
    };
    let delivery = receiver.on_data(&data(number, ms), &arrival);
    delivery.feedback.map(|packet| packet.header)
}

fn receiver() -> TfrcReceiver {
    TfrcReceiver::new(TfrcReceiverConfig::default())
}

#[test]
fn the_first_packet_is_reported_at_once_then_once_a_round_trip() {
    let mut receiver = receiver();
    let first = arrive(&mut receiver, 0, 100).unwrap();
    assert_eq!(first.interval, Duration::ZERO, "no receive rate yet");
    assert_eq!(first.loss_event_rate, 0.0);
    assert_eq!(receiver.next_timer(), Some(at(200)));
    for number in 1..10 {
        assert_eq!(
            arrive(&mut receiver, number, 100 + 10 * u64::from(number)),
            None
        );
    }
    let report = receiver.on_timer(at(200)).unwrap();
    assert_eq!(report.size, Bytes(40));
    let report = report.header;
    // Nine packets in 100 ms; the newest arrived 10 ms ago.
    assert_eq!((report.received, report.interval), (Bytes(9_000), RTT));
    assert_eq!(report.newest, Sequence(9));
    assert_eq!(report.delay, Duration::from_millis(10));
    assert_eq!(report.timestamp, at(140));
}

#[test]
fn while_the_sender_knows_no_round_trip_each_packet_is_reported() {
    let mut receiver = receiver();
    for number in 0..3 {
        let data = TfrcData {
            rtt: Duration::ZERO,
            ..data(number, 100)
        };
        let arrival = TfrcArrival {
            now: at(100 + u64::from(number)),
            size: Bytes(1_000),
            ecn: Ecn::NotEct,
        };
        assert!(receiver.on_data(&data, &arrival).feedback.is_some());
        assert_eq!(receiver.next_timer(), None);
    }
    // The first that knows one is reported, too, and starts the timer.
    assert!(arrive(&mut receiver, 3, 200).is_some());
    assert_eq!(receiver.next_timer(), Some(at(300)));
}

#[test]
fn after_a_round_trip_without_data_the_next_packet_is_reported() {
    let mut receiver = receiver();
    arrive(&mut receiver, 0, 100);
    assert_eq!(receiver.on_timer(at(200)), None);
    assert_eq!(receiver.next_timer(), None);
    let report = arrive(&mut receiver, 1, 500).unwrap();
    assert_eq!((report.received, report.interval), (Bytes(1_000), RTT * 4));
}

/// 10 packets a round trip; packet 50 is lost, which the third later one shows. Receive rate at most
/// 10 packets a round trip: W = 10 goes with 1/p = 82.5 packets.
#[test]
fn the_first_loss_is_reported_at_once_with_the_interval_of_the_rate() {
    let mut receiver = receiver();
    let mut reports = vec![];
    for number in 0..60_u32 {
        let ms = 100 + 10 * u64::from(number);
        if receiver.next_timer().is_some_and(|due| due <= at(ms)) {
            receiver.on_timer(at(ms));
        }
        if number != 50
            && let Some(report) = arrive(&mut receiver, number, ms)
        {
            reports.push((number, report));
        }
    }
    let (number, report) = reports[1];
    assert_eq!((reports.len(), number), (2, 53));
    assert_eq!(report.losses, 1);
    let interval = 1.0 / report.loss_event_rate;
    assert!((80.0..=83.0).contains(&interval), "{interval}");
}

/// Every twentieth packet lost, ten a round trip: p = 1/20 once eight intervals are closed.
#[test]
fn periodic_losses_are_their_own_rate() {
    let mut receiver = receiver();
    for number in 0..2_000_u32 {
        let ms = 100 + 10 * u64::from(number);
        receiver.on_timer(at(ms));
        if number % 20 != 0 || number == 0 {
            arrive(&mut receiver, number, ms);
        }
        // Until the third packet after a loss shows it, the open interval is up to 23 packets long.
        if number > 400 && number % 20 > 3 {
            assert!(
                (receiver.loss_event_rate() - 0.05).abs() < 1e-12,
                "{number}"
            );
        }
    }
}

/// Losses within a round trip are one event: with 50 packets a round trip every twentieth lost packet
/// falls into an event of 60 packets.
#[test]
fn losses_of_one_round_trip_are_one_event() {
    let mut receiver = receiver();
    for number in 0..6_000_u32 {
        let ms = 100 + 2 * u64::from(number);
        receiver.on_timer(at(ms));
        if number % 20 != 0 || number == 0 {
            arrive(&mut receiver, number, ms);
        }
    }
    assert!((receiver.loss_event_rate() - 1.0 / 60.0).abs() < 1e-9);
}

#[test]
fn a_mark_is_a_loss_event() {
    let mut receiver = receiver();
    for number in 0..20_u32 {
        arrive(&mut receiver, number, 100 + 10 * u64::from(number));
    }
    let arrival = TfrcArrival {
        now: at(300),
        size: Bytes(1_000),
        ecn: Ecn::Ce,
    };
    let delivery = receiver.on_data(&data(20, 300), &arrival);
    let report = delivery.feedback.unwrap().header;
    assert!(delivery.new && report.loss_event_rate > 0.0);
    // Another within the round trip is not a new one.
    let arrival = TfrcArrival {
        now: at(310),
        ..arrival
    };
    assert_eq!(receiver.on_data(&data(21, 310), &arrival).feedback, None);
}

#[test]
fn discounting_can_be_turned_off() {
    let rate = |history_discounting| {
        let mut receiver = TfrcReceiver::new(TfrcReceiverConfig {
            history_discounting,
            ..TfrcReceiverConfig::default()
        });
        for number in 0..1_000_u32 {
            let ms = 100 + 10 * u64::from(number);
            if number % 20 != 0 || number == 0 || number > 400 {
                arrive(&mut receiver, number, ms);
            }
        }
        receiver.loss_event_rate()
    };
    // Open: 400 to 999, 600 packets. Without: (600 + 5·20)/6 = 116.67. With DF = 40/600, 0.25 at
    // least: (600 + 0.25·100)/(1 + 0.25·5) = 277.8.
    assert!((1.0 / rate(false) - 116.667).abs() < 0.01);
    assert!((1.0 / rate(true) - 277.778).abs() < 0.01);
}

#[test]
fn a_leap_of_two_thousand_million_packets_is_survived() {
    let mut receiver = receiver();
    for number in 0..20 {
        arrive(&mut receiver, number, 100 + u64::from(number));
    }
    for number in 0..5 {
        arrive(
            &mut receiver,
            2_000_000_000 + number,
            200 + u64::from(number),
        );
    }
    let p = receiver.loss_event_rate();
    assert!(p > 0.0 && p <= 1.0);
}
