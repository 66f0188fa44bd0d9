//! What the controller is told: of arrivals, losses, limits and marks.

use controllers::Properties;

use super::*;

/// A window of ten packets, and all that was told, in order.
#[derive(Clone, Debug, Default)]
struct Story(Arc<Mutex<Vec<Told>>>);

#[derive(Clone, Copy, Debug)]
enum Told {
    Ack(Ack),
    Congestion(Congestion),
}

impl CongestionController for Story {
    fn limits(&self) -> Limits {
        Limits::of_window(Bytes(10_000))
    }
    fn on_ack(&mut self, ack: &Ack) {
        self.0.lock().unwrap().push(Told::Ack(*ack));
    }
    fn on_congestion(&mut self, congestion: &Congestion) {
        self.0.lock().unwrap().push(Told::Congestion(*congestion));
    }
}

impl Story {
    fn take(&self) -> Vec<Told> {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    /// The one ACK told since.
    fn ack(&self) -> Ack {
        match self.take()[..] {
            [Told::Ack(ack)] => ack,
            ref other => panic!("one ACK and nothing else: {other:?}"),
        }
    }
}

fn bench(config: SenderConfig) -> (Bench, Story) {
    let story = Story::default();
    (Bench::with(config, Box::new(story.clone())), story)
}

fn sampled(recovery: Recovery) -> SenderConfig {
    SenderConfig {
        properties: Properties {
            rate_samples: true,
            ..Properties::WINDOW
        },
        ..config(recovery)
    }
}

/// Of ten segments 0 and 3 are lost. Each SACK tells of one arrival. The third, of segment 4, shows
/// 0 lost and begins recovery; the fifth, of 6, is the third above 3 and shows that one lost too.
#[test]
fn selective_acks_tell_of_arrivals_and_of_each_loss() {
    let (mut bench, story) = bench(sampled(Recovery::Sack));
    assert_eq!(bench.sent().len(), 10);
    bench.wait(RTT);
    bench.ack_with(0, &[(1, 2)]);
    let ack = story.ack();
    assert_eq!((ack.acked, ack.acked_packets), (Bytes::ZERO, 0));
    assert_eq!(ack.newly_delivered, Bytes(1_000));
    assert_eq!(ack.newest.number, 1);
    assert_eq!(ack.rtt, None);
    assert!(!ack.in_recovery);
    bench.ack_with(0, &[(1, 3)]);
    assert_eq!(story.ack().delivered_total, Bytes(2_000));

    bench.ack_with(0, &[(4, 5), (1, 3)]);
    let [Told::Congestion(loss), Told::Ack(ack)] = story.take()[..] else {
        panic!("a loss, then the ACK that showed it")
    };
    assert_eq!((loss.newest.number, loss.episode), (0, Episode::Begins));
    assert_eq!((loss.lost, loss.lost_total), (Bytes(1_000), Bytes(1_000)));
    assert!(ack.in_recovery);
    assert_eq!(ack.newly_lost, Bytes(1_000));

    bench.ack_with(0, &[(4, 6), (1, 3)]);
    assert_eq!(story.ack().newly_lost, Bytes::ZERO);
    bench.ack_with(0, &[(4, 7), (1, 3)]);
    let [Told::Congestion(loss), Told::Ack(ack)] = story.take()[..] else {
        panic!("a loss, then the ACK that showed it")
    };
    assert_eq!((loss.newest.number, loss.episode), (3, Episode::Continues));
    assert_eq!((loss.lost, loss.lost_total), (Bytes(1_000), Bytes(2_000)));
    assert!(loss.range_begins, "0 and 3 are apart");
    // The fourth of ten that left at once, before anything arrived or was lost.
    let sent = loss.sent.unwrap();
    assert_eq!((sent.in_flight, sent.lost), (Bytes(4_000), Bytes::ZERO));
    assert_eq!(ack.newly_lost, Bytes(1_000));
    assert_eq!(ack.delivered_total, Bytes(5_000));
}

/// Of segments 1 to 10 the first two are lost. The third SACK is enough for RACK, and shows both.
#[test]
fn rack_tells_of_all_that_is_overdue_oldest_first() {
    let (mut bench, story) = bench(sampled(Recovery::Rack));
    bench.sent();
    bench.wait(RTT);
    bench.ack(1);
    story.ack();
    for end in [4, 5] {
        bench.ack_with(1, &[(3, end)]);
        assert!(!story.ack().in_recovery);
    }
    bench.ack_with(1, &[(3, 6)]);
    let [
        Told::Congestion(first),
        Told::Congestion(second),
        Told::Ack(ack),
    ] = story.take()[..]
    else {
        panic!("two losses, then the ACK that showed them")
    };
    assert_eq!((first.newest.number, first.episode), (1, Episode::Begins));
    assert_eq!(
        (second.newest.number, second.episode),
        (2, Episode::Continues)
    );
    assert_eq!((first.range_begins, second.range_begins), (true, false));
    assert_eq!(
        (first.lost_total, second.lost_total),
        (Bytes(1_000), Bytes(2_000))
    );
    assert_eq!(
        (ack.newly_lost, ack.newly_delivered),
        (Bytes(2_000), Bytes(1_000))
    );
    assert!(ack.in_recovery);
}

/// In flight after an ACK, what left since, and the next ACK's news: 10 out of 10 packets; 1 is
/// SACKed, 9 are left and 1 new one leaves; and so on. No packet is counted twice or forgotten.
#[test]
fn what_is_in_flight_adds_up() {
    let (mut bench, story) = bench(sampled(Recovery::Sack));
    let mut in_flight = bench.sent().len() as u64 * 1_000;
    bench.wait(RTT);
    let acks: [(u64, &[(u64, u64)]); 8] = [
        (0, &[(1, 2)]),
        (0, &[(1, 3)]),
        (0, &[(4, 5), (1, 3)]),
        (0, &[(4, 6), (1, 3)]),
        (0, &[(4, 7), (1, 3)]),
        (0, &[(4, 10), (1, 3)]),
        (3, &[(4, 10)]),
        (12, &[]),
    ];
    for (number, blocks) in acks {
        let sent = bench.ack_with(number, blocks).len() as u64;
        for told in story.take() {
            if let Told::Ack(ack) = told {
                let before = ack.in_flight + ack.newly_delivered + ack.newly_lost;
                assert_eq!(before, Bytes(in_flight), "{number} {blocks:?}");
                in_flight = ack.in_flight.0;
            }
        }
        in_flight += sent * 1_000;
    }
    // 0 to 11 arrived, two of them after they were lost.
    bench.ack_with(13, &[]);
    assert_eq!(story.ack().delivered_total, Bytes(13_000));
}

/// Ten segments leave at once and their ACKs come 1 ms apart from 100 ms on: by the ACK of segment n
/// n + 1 packets were delivered in 100 + n ms. The second ten leave with these ACKs, 1 ms apart. When
/// one of them is acknowledged, 100 ms later, ten more were delivered, but those left within 100 + n
/// ms, since the first ten left at 0. From the third ten on it is 100 ms: 800 kb/s.
#[test]
fn samples_measure_the_path() {
    let (mut bench, story) = bench(sampled(Recovery::NewReno));
    bench.sent();
    for round in 0..4_u64 {
        bench.now = Time::ZERO + RTT * (round + 1);
        for n in 0..10_u64 {
            let number = round * 10 + n;
            bench.ack(number + 1);
            let ack = story.ack();
            let sample = ack.delivered.unwrap();
            let (delivered, ms) = match round {
                0 => (n + 1, 100 + n),
                1 => (10, 100 + n),
                _ => (10, 100),
            };
            assert_eq!(sample.delivered, Bytes(1_000) * delivered, "{number}");
            assert_eq!(sample.interval, Duration::from_millis(ms), "{number}");
            let before = Bytes(1_000) * (number + 1 - delivered);
            assert_eq!(sample.prior_delivered, before, "{number}");
            assert!(!sample.app_limited && ack.window_limited);
            bench.wait(Duration::from_millis(1));
        }
    }
}

/// Three segments to send and a window of ten: the application is the limit. Nothing that left then
/// may be taken for the path's rate.
#[test]
fn an_application_without_data_is_the_limit() {
    let story = Story::default();
    let config = sampled(Recovery::NewReno);
    let mut sender = TcpSender::new(config, Box::new(story.clone()));
    sender.start(Time::ZERO);
    sender.supply(3);
    let mut bench = Bench {
        sender,
        now: Time::ZERO,
        sent_at: BTreeMap::new(),
    };
    assert_eq!(bench.sent(), [0, 1, 2]);
    bench.wait(RTT);
    bench.ack(3);
    let ack = story.ack();
    assert!(ack.app_limited && !ack.window_limited);
    assert!(!ack.delivered.unwrap().app_limited, "it left before");
    bench.sender.supply(6);
    assert_eq!(bench.sent(), [3, 4, 5]);
    bench.wait(RTT);
    bench.ack(6);
    assert!(story.ack().delivered.unwrap().app_limited);
}

/// A window of 10 packets and a receiver's of 4: neither the application nor the window.
#[test]
fn the_receivers_window_is_not_the_controllers() {
    let (mut bench, story) = bench(SenderConfig {
        max_window: Some(4),
        ..sampled(Recovery::NewReno)
    });
    assert_eq!(bench.sent().len(), 4);
    bench.wait(RTT);
    bench.ack(4);
    let ack = story.ack();
    assert!(!ack.window_limited);
    assert!(!ack.delivered.unwrap().app_limited);
    bench.wait(RTT);
    bench.ack(8);
    assert!(!story.ack().delivered.unwrap().app_limited);
}

/// Marks that arrive with duplicate ACKs count with the next ACK that is told of.
#[test]
fn marks_on_duplicate_acks_count() {
    let (mut bench, story) = bench(SenderConfig {
        ecn: true,
        ..config(Recovery::NewReno)
    });
    bench.sent();
    bench.wait(RTT);
    bench.ack(1);
    assert_eq!(story.ack().ecn_ce, 0);
    bench.ack_by(1, 2, Flags::ECE, &[]);
    bench.ack_by(1, 3, Flags::ECE, &[]);
    assert!(matches!(story.take()[..], [Told::Congestion(echo)] if echo.signal == Signal::EcnEcho));
    bench.ack_by(4, 1, Flags::ECE, &[]);
    let told = story.take();
    let [Told::Ack(ack)] = told[..] else {
        panic!("within the window that was reduced: {told:?}")
    };
    assert_eq!(ack.ecn_ce, 3);
    assert!(ack.in_recovery, "the window does not grow");
}

/// With accurate echoes an ACK tells of all that it answers. Who handles marks is told of no
/// echo, and its growth is not held.
#[test]
fn accurate_marks_are_counted_by_packets_and_left_to_who_handles_them() {
    for handles_ce in [false, true] {
        let (mut bench, story) = bench(SenderConfig {
            ecn: true,
            accurate_ecn: true,
            properties: Properties {
                handles_ce,
                codepoint: Ecn::Ect1,
                ..Properties::WINDOW
            },
            ..config(Recovery::NewReno)
        });
        assert!(bench.transmits().iter().all(|sent| sent.ecn == Ecn::Ect1));
        bench.wait(RTT);
        bench.ack_by(2, 1, Flags::ECE, &[]);
        let told = story.take();
        let Some(Told::Ack(ack)) = told.last() else {
            panic!("{told:?}")
        };
        assert_eq!(ack.ecn_ce, 2);
        assert_eq!(told.len(), if handles_ce { 1 } else { 2 });
        assert_eq!(ack.in_recovery, !handles_ce);
    }
}

/// Segment 1 is lost; ten duplicate ACKs. A controller that rules its recovery gets no room for
/// them: with ten out, nothing leaves but the retransmission.
#[test]
fn a_window_that_rules_its_own_recovery_is_not_inflated() {
    for recovery in [Recovery::Reno, Recovery::NewReno, Recovery::Vegas] {
        for own_recovery in [false, true] {
            let (mut bench, _) = bench(SenderConfig {
                properties: Properties {
                    own_recovery,
                    ..Properties::WINDOW
                },
                limited_transmit: false,
                ..config(recovery)
            });
            bench.sent();
            bench.wait(RTT);
            bench.ack(1);
            let mut left = vec![];
            for _ in 0..9 {
                left.extend(bench.ack(1));
            }
            // 3 + 6 duplicates inflate 10 to 19: nine new ones.
            let new = if own_recovery { 0 } else { 9 };
            assert_eq!(left.len(), 1 + new, "{recovery:?} {own_recovery}: {left:?}");
        }
    }
}
