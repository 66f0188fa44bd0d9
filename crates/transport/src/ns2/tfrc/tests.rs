use std::collections::BTreeMap;

use controllers::parameters::Given;
use units::{Bytes, Duration, Ecn, Rate, Time};

use super::*;
use crate::datagram::Sequence;
use crate::tfrc::{TfrcArrival, TfrcConfig, TfrcData, TfrcFeedback, TfrcReceiverConfig};

const RTT: Duration = Duration::from_millis(100);

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

fn law(given: &[(&str, Given)]) -> TfrcRate {
    let given: BTreeMap<_, _> = given
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    let parameters = controllers::tfrc::CONTROLLER.resolve(&given).unwrap();
    TfrcRate::new(&parameters, Bytes(1_000))
}

/// Packets of 1000 B per second.
fn rate(law: &TfrcRate) -> f64 {
    law.rate().as_f64() / 8_000.0
}

/// Feedback of p on so many packets in the last round trip.
fn report(p: f64, packets: u64) -> TfrcFeedback {
    TfrcFeedback {
        newest: Sequence(0),
        timestamp: Time::ZERO,
        delay: Duration::ZERO,
        received: Bytes(1_000) * packets,
        interval: RTT,
        loss_event_rate: p,
        losses: 0,
        new_event: false,
    }
}

fn close(value: f64, expected: f64) {
    assert!(
        (value / expected - 1.0).abs() < 1e-3,
        "{value}, not {expected}"
    );
}

#[test]
fn slow_start_is_spread_over_the_round_trip() {
    let mut law = law(&[]);
    assert_eq!(rate(&law), 0.3);
    for round in 1..=2 {
        law.on_feedback(at(100 * round), RTT, &report(0.0, 1), false);
        assert_eq!(rate(&law), 40.0);
    }
    law.on_feedback(at(400), RTT, &report(0.0, 4), false);
    // From 40 to 80, by 40/8 for each packet sent.
    assert_eq!(rate(&law), 40.0);
    for packet in 1..=8 {
        law.on_sent();
        assert_eq!(rate(&law), 40.0 + 5.0 * f64::from(packet));
    }
    law.on_sent();
    assert_eq!(rate(&law), 80.0);
}

#[test]
fn the_rate_rises_by_a_packet_a_round_trip_and_falls_at_once() {
    for (conservative, without_loss, with_loss) in [(false, 180.0, 180.0), (true, 135.0, 90.0)] {
        let mut law = law(&[
            ("conservative", Given::Flag(conservative)),
            ("timeout_term", Given::Text("four-round-trips".to_owned())),
        ]);
        let tell = |law: &mut TfrcRate, round: u64, p, packets| {
            law.on_feedback(at(100 * round), RTT, &report(p, packets), false);
        };
        tell(&mut law, 1, 0.0, 1);
        tell(&mut law, 2, 0.01, 20);
        close(rate(&law), 112.33);
        // p falls to 0.001 (383.8): one packet more in a round trip, 10 a second. Two round trips
        // have passed since slow start last changed the rate.
        tell(&mut law, 3, 0.001, 20);
        close(rate(&law), 132.33);
        // 200 s later by two at most.
        tell(&mut law, 2_000, 0.001, 20);
        close(rate(&law), 152.33);
        // p rises: the equation at once, but at most the limit that the receive rate sets.
        tell(&mut law, 2_001, 0.004, 20);
        // f(0.004) = 0.0516398 + 12·0.0387298·0.004·1.000512 = 0.0535007: 186.9
        let equation = f64::min(186.91, if conservative { 300.0 } else { 400.0 });
        close(rate(&law), f64::min(equation, 162.33));
        // 383.8 down to 186.9 with 9 packets received: limit 180, or 135 / 90.
        tell(&mut law, 2_002, 0.0041, 9);
        close(rate(&law), f64::min(without_loss, 172.33));
        let lossy = TfrcFeedback {
            losses: 1,
            ..report(0.0042, 9)
        };
        law.on_feedback(at(200_300), RTT, &lossy, false);
        close(rate(&law), f64::min(with_loss, 182.33));
        // No feedback: half, each time.
        let before = rate(&law);
        law.on_no_feedback();
        law.on_no_feedback();
        close(rate(&law), before / 4.0);
    }
}

/// The rate begins at 300 B/s, 3.33 s a packet. In slow start feedback sends at once.
#[test]
fn feedback_sends_at_once_in_slow_start_and_after_a_loss_does_not() {
    let mut sender = TfrcSender::new(TfrcConfig::default(), law(&[]));
    sender.supply(u64::MAX);
    sender.start(Time::ZERO);
    let sends = |sender: &mut TfrcSender, ms| {
        let mut sent = vec![];
        while let Some(packet) = sender.poll_transmit(at(ms)) {
            sent.push(packet.header);
        }
        sent
    };
    let first = sends(&mut sender, 0);
    assert!(first.len() == 1 && first[0].urgent && first[0].round == 0);
    assert_eq!(
        sender.next_timer(),
        Some(Time::ZERO + Rate::bits_per_s(2_400).time_for(Bytes(1_000)))
    );
    let on = |newest, left, p| TfrcFeedback {
        newest: Sequence(newest),
        timestamp: at(left),
        delay: Duration::from_millis(5),
        ..report(p, 4)
    };
    sender.on_feedback(at(50), &on(0, 0, 0.0));
    let second = sends(&mut sender, 50);
    assert!(second.len() == 1 && !second[0].urgent && second[0].round == 1);
    // 45 ms in ticks of 100 ms: three ticks.
    assert_eq!(second[0].timeout, Duration::from_millis(300));
    sender.on_feedback(at(60), &on(1, 50, 0.0));
    assert_eq!(sends(&mut sender, 60).len(), 1);
    // 2.2 packets/s would be p = 1; here the first loss gives p = 0.01, and nothing leaves at once.
    sender.on_feedback(at(61), &on(2, 60, 0.01));
    assert_eq!(sends(&mut sender, 61).len(), 0);
    // The timer: twice the smoothed round trip or two packets, then a packet leaves at once.
    let timer = sender.next_timer().unwrap();
    assert!(timer > at(61));
    while sends(&mut sender, 400).len() > 1 {}
    sender.on_timer(at(2_000));
    assert_eq!(sender.statistics().timeouts, 1);
    let packet = sends(&mut sender, 2_000);
    assert!(packet.len() == 1 && packet[0].urgent);
}

/// Packets leave 10 ms apart; `round` is that of the sender.
fn arrive(sink: &mut TfrcSink, number: u32, round: u32) -> Option<TfrcFeedback> {
    let ms = 100 + 10 * u64::from(number);
    let data = TfrcData {
        timestamp: at(ms - 50),
        rtt: RTT,
        round,
        urgent: number == 0,
        timeout: Duration::from_millis(300),
        ..TfrcData::new(Sequence(number))
    };
    let arrival = TfrcArrival {
        now: at(ms),
        size: Bytes(1_000),
        ecn: Ecn::NotEct,
    };
    let delivery = sink.on_data(&data, &arrival);
    delivery.feedback.map(|packet| packet.header)
}

#[test]
fn the_sink_reports_an_event_at_once_and_one_for_each_round() {
    let mut sink = TfrcSink::new(TfrcReceiverConfig::ns2());
    let mut reports = vec![];
    let lost = [35, 48, 51, 63];
    for number in (0..80).filter(|number| !lost.contains(number)) {
        // The sender's round grows with every report, but stays 6 for packets 50 to 64.
        let round = if (50..65).contains(&number) {
            6
        } else {
            reports.len() as u32
        };
        if arrive(&mut sink, number, round).is_some() {
            reports.push(number);
        }
    }
    // The first packet is urgent. Then each 100 ms, and behind each event: 35 is the first loss, 48
    // left more than a round trip later, and its event falls into round 6. 51 lies within a round
    // trip of 48; 63 does not, but round 6 has had its event.
    assert_eq!(reports, [0, 10, 20, 30, 36, 46, 49, 59, 69, 79]);
    // Counted from the last report before the first loss (of packet 30) to the lost packet: 31 to 48.
    // Before that nine packets in the last round trip, one each 11.11 ms: p = 0.0152 gives
    // 0.1·0.100664 + 0.3·0.226495·0.0152·1.00739 = 11.107 ms, so p = 0.01521, 65.7 packets.
    assert_eq!(sink.closed_intervals(), [18.0, 65.0]);
}
