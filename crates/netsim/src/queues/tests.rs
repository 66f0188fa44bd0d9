//! One contract for every queue discipline.

use std::collections::VecDeque;

use units::{Bytes, Duration, Ecn, Rate, Time};

use super::*;
use crate::random::Stream;

const LINK: LinkFacts = LinkFacts {
    rate: Rate::mbit_per_s(8),
    delay: Duration::from_millis(10),
};

/// How much may wait, by the contract: packets and bytes.
#[derive(Clone, Copy)]
struct Bounds {
    packets: u64,
    bytes: u64,
}

const UNBOUNDED: Bounds = Bounds {
    packets: u64::MAX,
    bytes: u64::MAX,
};

/// Largest packet offered.
const LARGEST: u64 = 1_500;

/// Name, how it is built, and how much may wait.
type Case = (&'static str, fn() -> Queue, Bounds);

fn queues() -> Vec<Case> {
    fn red(parameters: RedParameters) -> Queue {
        let random = Stream::named(9, "red");
        Queue::Red(Box::new(Red::new(parameters, LINK, random)))
    }
    const PACKETS: RedParameters = RedParameters {
        min_threshold: Some(5.0),
        max_threshold: Some(15.0),
        max_probability: 0.1,
        weight: Weight::Fixed(0.1),
        gentle: true,
        wait: true,
        mode: Mode::Packets,
        mean_packet_size: Bytes(770),
        ecn: true,
        max_mark_probability: None,
        limit: Some(25),
    };
    const BYTES: RedParameters = RedParameters {
        weight: Weight::Auto,
        mode: Mode::Bytes,
        wait: false,
        gentle: false,
        ..PACKETS
    };
    vec![
        (
            "drop-tail without limit",
            || Queue::DropTail(DropTail::new(Limit::None)),
            UNBOUNDED,
        ),
        (
            "drop-tail of 10 packets",
            || Queue::DropTail(DropTail::new(Limit::Packets(10))),
            Bounds {
                packets: 10,
                ..UNBOUNDED
            },
        ),
        (
            "drop-tail without waiting room",
            || Queue::DropTail(DropTail::new(Limit::Packets(0))),
            Bounds {
                packets: 0,
                ..UNBOUNDED
            },
        ),
        (
            "drop-tail of 10 kB",
            || Queue::DropTail(DropTail::new(Limit::Bytes(Bytes(10_000)))),
            Bounds {
                bytes: 10_000,
                ..UNBOUNDED
            },
        ),
        (
            "RED in packets",
            || red(PACKETS),
            Bounds {
                packets: 25,
                ..UNBOUNDED
            },
        ),
        (
            // A packet is admitted below the limit, so the last one may reach over it.
            "RED in bytes",
            || red(BYTES),
            Bounds {
                bytes: 25 * 770 + LARGEST,
                ..UNBOUNDED
            },
        ),
        (
            "a queue of the user's own",
            || Queue::Custom(Box::new(DropTail::new(Limit::Packets(10)))),
            Bounds {
                packets: 10,
                ..UNBOUNDED
            },
        ),
    ]
}

#[derive(Debug, Default, PartialEq)]
struct Totals {
    offered: u64,
    queued: u64,
    marked: u64,
    dropped: u64,
    left: u64,
    verdicts: Vec<Verdict>,
    most_packets: u64,
    most_bytes: u64,
}

/// Offers 20,000 packets of 40 to 1500 B to the queue of a link that can send 1.04 ms worth of
/// mean-sized packet (770 B at 8 Mb/s: 0.77 ms) every 1 ms, in bursts of overload and rest.
fn offer(mut queue: Queue, seed: u64) -> Totals {
    let mut random = Stream::named(seed, "traffic");
    let mut totals = Totals::default();
    let mut now = Time::ZERO;
    // Departure times and sizes; the first may be in transmission.
    let mut line: VecDeque<(Time, Time, u64)> = VecDeque::new();
    let mut free_at = Time::ZERO;
    for number in 0..20_000_u64 {
        let overload = (number / 200).is_multiple_of(2);
        let mean = Duration::from_micros(if overload { 500 } else { 1_100 });
        now += random.exponential(mean);
        while line.front().is_some_and(|(_, end, _)| *end <= now) {
            line.pop_front();
            totals.left += 1;
        }
        let waiting = || line.iter().filter(|(begin, _, _)| *begin > now);
        let backlog = Backlog {
            packets: waiting().count() as u64,
            bytes: waiting().map(|(_, _, size)| Bytes(*size)).sum(),
        };
        let size = 40 + random.below(LARGEST - 39);
        let capable = random.chance(0.5);
        let idle = line.is_empty();
        let verdict = queue.admit(&Arrival {
            now,
            size: Bytes(size),
            ecn: if capable { Ecn::Ect0 } else { Ecn::NotEct },
            backlog,
            idle_since: idle.then_some(free_at),
        });
        totals.offered += 1;
        totals.verdicts.push(verdict);
        match verdict {
            Verdict::Queue => totals.queued += 1,
            Verdict::Mark => {
                assert!(capable, "marked a packet that does not understand ECN");
                totals.marked += 1;
            }
            Verdict::Drop(_) => {
                assert!(!idle, "dropped a packet that found the link idle");
                totals.dropped += 1;
                continue;
            }
        }
        if !idle {
            totals.most_packets = totals.most_packets.max(backlog.packets + 1);
            totals.most_bytes = totals.most_bytes.max(backlog.bytes.0 + size);
        }
        let begin = now.max(free_at);
        free_at = begin + LINK.rate.time_for(Bytes(size));
        line.push_back((begin, free_at, size));
    }
    totals.left += line.len() as u64;
    totals
}

#[test]
fn every_packet_offered_is_queued_marked_or_dropped_and_no_limit_is_passed() {
    for (name, build, bounds) in queues() {
        let totals = offer(build(), 1);
        let Totals {
            offered,
            queued,
            marked,
            dropped,
            left,
            ..
        } = totals;
        assert_eq!(offered, queued + marked + dropped, "{name}");
        assert_eq!(left, queued + marked, "{name}");
        assert!(totals.most_packets <= bounds.packets, "{name}: {totals:?}");
        assert!(totals.most_bytes <= bounds.bytes, "{name}: {totals:?}");
        let limited = bounds.packets < u64::MAX || bounds.bytes < u64::MAX;
        assert_eq!(dropped > 0, limited, "{name}");
    }
}

#[test]
fn drop_tail_fills_to_its_limit() {
    for (name, build, bounds) in queues() {
        if name == "drop-tail of 10 packets" || name == "drop-tail of 10 kB" {
            let totals = offer(build(), 1);
            let packets = totals.most_packets == bounds.packets;
            let bytes =
                (bounds.bytes.saturating_sub(40)..=bounds.bytes).contains(&totals.most_bytes);
            assert!(packets || bytes, "{name}");
        }
    }
}

#[test]
fn red_signals_before_it_is_full() {
    for (name, build, _) in queues() {
        if name.starts_with("RED") {
            let totals = offer(build(), 1);
            let early = Verdict::Drop(DropReason::Early);
            assert!(totals.marked > 0, "{name}");
            assert!(totals.verdicts.contains(&early), "{name}");
        }
    }
}

#[test]
fn the_same_packets_meet_the_same_verdicts() {
    for (name, build, _) in queues() {
        assert_eq!(offer(build(), 2), offer(build(), 2), "{name}");
        assert_ne!(offer(build(), 2).left, 0, "{name}");
    }
}

#[test]
fn a_queue_reports_its_variables_by_name() {
    for (name, build, _) in queues() {
        let mut names = Vec::new();
        build().variables(&mut |variable, value| {
            assert!(value.is_finite(), "{name}: {variable}");
            names.push(variable);
        });
        let expected: &[&str] = if name.starts_with("RED") {
            &["average_packets", "drop_probability"]
        } else {
            &[]
        };
        assert_eq!(names, expected, "{name}");
    }
}
