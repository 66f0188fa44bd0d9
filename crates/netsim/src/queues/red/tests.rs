//! Averages, probabilities and automatic parameters worked by hand; weights that ns-2.35 printed.

use units::{Bytes, Duration, Ecn, Rate, Time};

use super::*;
use crate::queues::Backlog;

/// 8 Mb/s and packets of 1000 B: 1000 packets per second.
const LINK: LinkFacts = LinkFacts {
    rate: Rate::mbit_per_s(8),
    delay: Duration::from_millis(10),
};

const EARLY: Verdict = Verdict::Drop(DropReason::Early);
const FULL: Verdict = Verdict::Drop(DropReason::Full);

/// Packet mode, thresholds 4 and 16, and an average that is the backlog itself.
fn prompt() -> RedParameters {
    RedParameters {
        min_threshold: Some(4.0),
        max_threshold: Some(16.0),
        weight: Weight::Fixed(1.0),
        ..RedParameters::default()
    }
}

fn red(parameters: RedParameters) -> Red {
    seeded(parameters, 1)
}

fn seeded(parameters: RedParameters, seed: u64) -> Red {
    Red::new(parameters, LINK, Stream::named(seed, "red"))
}

/// A packet of 1000 B that finds so many waiting and the link busy.
fn behind(waiting: u64) -> Arrival {
    Arrival {
        now: Time::ZERO,
        size: Bytes(1_000),
        ecn: Ecn::NotEct,
        backlog: Backlog {
            packets: waiting,
            bytes: Bytes(1_000) * waiting,
        },
        idle_since: None,
    }
}

fn after_idling(micros: u64) -> Arrival {
    Arrival {
        now: Time::ZERO + Duration::from_secs(1) + Duration::from_micros(micros),
        idle_since: Some(Time::ZERO + Duration::from_secs(1)),
        ..behind(0)
    }
}

#[track_caller]
fn close(value: f64, expected: f64) {
    assert!(
        (value - expected).abs() < 1e-9,
        "{value} instead of {expected}"
    );
}

#[test]
fn the_average_moves_by_the_weight_and_decays_while_the_link_idles() {
    let start = RedParameters {
        weight: Weight::Fixed(0.25),
        ..prompt()
    };
    let mut queue = red(start);
    queue.admit(&behind(4));
    assert_eq!(queue.average(), 1.0); // 0.75 × 0 + 0.25 × 4
    queue.admit(&behind(8));
    assert_eq!(queue.average(), 2.75); // 0.75 × 1 + 0.25 × 8
    queue.admit(&behind(4));
    assert_eq!(queue.average(), 3.0625); // 0.75 × 2.75 + 0.25 × 4
    // 3.9 ms at 1000 packets per second are 3 whole packets: 3.0625 × 0.75³ × 0.75 + 0.25 × 0.
    let mut idle = queue.clone();
    idle.admit(&after_idling(3_900));
    close(idle.average(), 3.0625 * 0.316_406_25);
    // 4 ms are 4 packets: 0.75⁵.
    let mut idle = queue.clone();
    idle.admit(&after_idling(4_000));
    close(idle.average(), 3.0625 * 0.237_304_687_5);
    // Less than a packet's time: one sample only.
    queue.admit(&after_idling(999));
    close(queue.average(), 3.0625 * 0.75);
}

#[test]
fn byte_mode_averages_bytes() {
    let mut queue = red(RedParameters {
        weight: Weight::Fixed(0.25),
        mode: Mode::Bytes,
        ..prompt()
    });
    let small = Backlog {
        packets: 10,
        bytes: Bytes(400),
    };
    queue.admit(&Arrival {
        backlog: small,
        ..behind(0)
    });
    close(queue.average(), 0.1); // 0.25 × 400 B of 1000 B packets
    assert_eq!(queue.thresholds(), (4.0, 16.0));
}

/// The probability at an average of `waiting` packets, without the spreading of drops.
fn base(parameters: RedParameters, waiting: u64) -> f64 {
    let mut queue = red(parameters);
    queue.admit(&behind(waiting));
    queue.admit(&behind(waiting));
    let mut probability = f64::NAN;
    queue.variables(&mut |name, value| {
        if name == "drop_probability" {
            probability = value;
        }
    });
    probability
}

#[test]
fn the_probability_rises_linearly_between_the_thresholds() {
    close(base(prompt(), 3), 0.0);
    close(base(prompt(), 4), 0.0);
    close(base(prompt(), 10), 0.05); // 0.1 × (10 − 4) / 12
    close(base(prompt(), 13), 0.075); // 0.1 × 9 / 12
}

#[test]
fn gentle_rises_to_one_at_twice_the_maximum_threshold_and_otherwise_it_is_one_at_once() {
    close(base(prompt(), 16), 0.1);
    close(base(prompt(), 24), 0.55); // 0.1 + 0.9 × 8 / 16
    close(base(prompt(), 32), 1.0);
    close(base(prompt(), 50), 1.0);
    let strict = RedParameters {
        gentle: false,
        ..prompt()
    };
    close(base(strict, 15), 0.1 * 11.0 / 12.0);
    close(base(strict, 16), 1.0);
}

#[test]
fn spreading_follows_the_count() {
    let mut queue = red(prompt());
    let spread = |queue: &Red| queue.spread(0.05, Bytes(500));
    queue.state.count = 19;
    close(spread(&queue), 0.0); // 19 × 0.05 < 1: wait
    queue.state.count = 25;
    close(spread(&queue), 0.05 / 0.75); // 2 − 25 × 0.05 = 0.75
    queue.state.count = 40;
    close(spread(&queue), 1.0);
    queue.parameters.wait = false;
    queue.state.count = 10;
    close(spread(&queue), 0.1); // 0.05 / (1 − 0.5)
    queue.state.count = 20;
    close(spread(&queue), 1.0);
    // Bytes: 10,999 B are 10 packets of 1000 B, and a packet of 500 B has half the probability.
    queue.parameters.mode = Mode::Bytes;
    queue.state.count_bytes = Bytes(10_999);
    close(spread(&queue), 0.05);
    queue.state.count_bytes = Bytes(20_000);
    close(spread(&queue), 1.0);
}

/// Distances between drops, in packets, while 10 packets wait: base probability 0.05.
fn gaps(parameters: RedParameters, count: usize) -> Vec<u64> {
    let mut queue = red(parameters);
    let mut gaps = Vec::new();
    let mut gap = 0;
    while gaps.len() < count {
        gap += 1;
        if queue.admit(&behind(10)) == EARLY {
            gaps.push(gap);
            gap = 0;
        }
    }
    gaps
}

#[test]
fn with_wait_drops_are_twenty_to_thirty_nine_packets_apart_each_as_likely() {
    // Count k drops with 0.05 / (2 − 0.05 k) from k = 20 on: uniform over 20 … 39 (40 where the
    // last probability is rounded below 1). Mean 29.5, sd sqrt((20² − 1) / 12) = 5.77;
    // 4.5 sd of a mean of 2000: 0.58.
    let gaps = gaps(prompt(), 2_000);
    assert!(gaps.iter().all(|gap| (20..=40).contains(gap)));
    let mean = gaps.iter().sum::<u64>() as f64 / 2_000.0;
    assert!((mean - 29.5).abs() < 0.58, "{mean}");
}

#[test]
fn without_wait_drops_are_one_to_nineteen_packets_apart_each_as_likely() {
    // Count k drops with 0.05 / (1 − 0.05 k): 1/19 at k = 1, certain at k = 19 (20 where that is
    // rounded). Mean 10, sd sqrt((19² − 1) / 12) = 5.48; 4.5 sd of a mean of 2000: 0.55. The
    // first drop comes after the packet that crosses the threshold, which counts as one.
    let gaps = gaps(
        RedParameters {
            wait: false,
            ..prompt()
        },
        2_000,
    );
    assert!(gaps.iter().all(|gap| (1..=20).contains(gap)));
    let mean = gaps.iter().sum::<u64>() as f64 / 2_000.0;
    assert!((mean - 10.0).abs() < 0.55, "{mean}");
}

#[test]
fn the_count_starts_anew_when_the_average_crosses_the_minimum_threshold() {
    // Counts 1 … 19 never drop with wait; counts 101 … 119 would be certain to.
    for seed in 0..20 {
        let mut queue = seeded(prompt(), seed);
        for _ in 0..100 {
            assert_eq!(queue.admit(&behind(2)), Verdict::Queue);
        }
        for _ in 0..19 {
            assert_eq!(queue.admit(&behind(10)), Verdict::Queue);
        }
    }
}

#[test]
fn the_count_starts_anew_when_the_queue_was_full() {
    let limited = RedParameters {
        limit: Some(12),
        ..prompt()
    };
    for seed in 0..20 {
        let mut queue = seeded(limited, seed);
        for _ in 0..15 {
            assert_eq!(queue.admit(&behind(10)), Verdict::Queue);
        }
        assert_eq!(queue.admit(&behind(12)), FULL);
        for _ in 0..19 {
            assert_eq!(queue.admit(&behind(10)), Verdict::Queue);
        }
    }
}

#[test]
fn nothing_is_dropped_early_while_at_most_one_packet_waits() {
    // Over the maximum threshold of 4 every packet is dropped, but for the first of each time
    // that the average is found over the minimum with others waiting.
    let mut queue = red(RedParameters {
        min_threshold: Some(2.0),
        max_threshold: Some(4.0),
        gentle: false,
        weight: Weight::Fixed(0.25),
        ..prompt()
    });
    assert_eq!(queue.admit(&behind(40)), Verdict::Queue); // average 10
    assert_eq!(queue.admit(&behind(40)), EARLY); // 17.5
    assert_eq!(queue.admit(&behind(1)), Verdict::Queue); // 13.375
    assert_eq!(queue.admit(&behind(40)), Verdict::Queue); // 20.03
    assert_eq!(queue.admit(&behind(40)), EARLY);
}

fn capable(waiting: u64) -> Arrival {
    Arrival {
        ecn: Ecn::Ect0,
        ..behind(waiting)
    }
}

/// The first verdict that is not `Queue`, of packets that find so many waiting.
fn signal(parameters: RedParameters, arrival: &Arrival) -> Verdict {
    let mut queue = red(parameters);
    (0..100)
        .map(|_| queue.admit(arrival))
        .find(|verdict| *verdict != Verdict::Queue)
        .expect("at most 40 packets pass")
}

#[test]
fn ecn_marks_capable_packets_up_to_the_maximum_threshold_and_drops_above() {
    let marking = RedParameters {
        ecn: true,
        ..prompt()
    };
    assert_eq!(signal(marking, &capable(10)), Verdict::Mark);
    assert_eq!(signal(marking, &behind(10)), EARLY);
    assert_eq!(signal(prompt(), &capable(10)), EARLY);
    assert_eq!(signal(marking, &capable(24)), EARLY); // probability 0.55
    let eager = RedParameters {
        max_mark_probability: Some(0.6),
        ..marking
    };
    assert_eq!(signal(eager, &capable(24)), Verdict::Mark);
    let always = RedParameters {
        max_mark_probability: Some(1.0),
        ..marking
    };
    assert_eq!(signal(always, &capable(32)), EARLY); // probability 1
}

#[test]
fn the_limit_counts_packets_or_bytes_of_the_mean_size() {
    let limited = RedParameters {
        limit: Some(3),
        ..prompt()
    };
    assert_eq!(red(limited).admit(&behind(2)), Verdict::Queue);
    assert_eq!(red(limited).admit(&behind(3)), FULL);
    let bytes = RedParameters {
        mode: Mode::Bytes,
        ..limited
    };
    let waiting = |bytes| Arrival {
        backlog: Backlog {
            packets: 60,
            bytes: Bytes(bytes),
        },
        ..behind(0)
    };
    assert_eq!(red(bytes).admit(&waiting(2_999)), Verdict::Queue);
    assert_eq!(red(bytes).admit(&waiting(3_000)), FULL);
    let none = RedParameters {
        limit: Some(0),
        ..prompt()
    };
    assert_eq!(red(none).admit(&after_idling(0)), Verdict::Queue);
}

fn automatic(rate: Rate, delay: Duration, weight: Weight) -> Red {
    let parameters = RedParameters {
        weight,
        mode: Mode::Bytes,
        ..RedParameters::default()
    };
    Red::new(
        parameters,
        LinkFacts { rate, delay },
        Stream::named(1, "red"),
    )
}

#[test]
fn automatic_parameters_are_those_of_ns2() {
    // ns-2.35 printed q_weight_ 0.0015987206823936395, thresh_ 5 and maxthresh_ 15 for this link.
    let delay = Duration::from_millis(10);
    let queue = automatic(Rate::mbit_per_s(5), delay, Weight::Auto);
    assert!((queue.weight() - 0.001_598_720_682_393_639_5).abs() < 1e-16);
    assert_eq!(queue.thresholds(), (5.0, 15.0));
}

#[test]
fn automatic_weights_follow_the_capacity() {
    // 1 Mb/s: C = 125. 1 − exp(−x) = x − x²/2 + x³/6 − …
    let weight =
        |weight| automatic(Rate::mbit_per_s(1), Duration::from_millis(50), weight).weight();
    close(weight(Weight::OneSecond), 0.007_968_085); // x = 0.008
    close(weight(Weight::TenthOfASecond), 0.076_883_654); // x = 0.08
    // R = 3 × (0.05 + 0.008) = 0.174 s; x = 1 / (10 × 0.174 × 125) = 0.004597701
    close(weight(Weight::Auto), 0.004_587_148);
}

#[test]
fn the_automatic_minimum_threshold_is_half_of_five_milliseconds() {
    // 100 Mb/s: C = 12,500; 5 ms are 62.5 packets.
    let queue = automatic(Rate::mbit_per_s(100), Duration::ZERO, Weight::Auto);
    close(queue.thresholds().0, 31.25);
    close(queue.thresholds().1, 93.75);
}

#[test]
fn ns2_weights_are_read_as_their_choices() {
    assert_eq!(Weight::from_ns2(0.0), Some(Weight::OneSecond));
    assert_eq!(Weight::from_ns2(-1.0), Some(Weight::Auto));
    assert_eq!(Weight::from_ns2(-2.0), Some(Weight::TenthOfASecond));
    assert_eq!(Weight::from_ns2(0.002), Some(Weight::Fixed(0.002)));
    assert_eq!(Weight::from_ns2(1.5), None);
    assert_eq!(Weight::from_ns2(-0.5), None);
    assert_eq!(Weight::from_ns2(f64::NAN), None);
}
