//! One contract for every queue discipline, of both kinds, on a link.

use units::{Bytes, Duration, Ecn, Rate, Time};

use super::*;
use crate::random::Stream;
use crate::{Gone, Hosts, Link, Network, Packet, TimerId, Window};

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
        Queue::at_arrival(Red::new(parameters, LINK, random))
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
            "drop-tail of 10 packets, at departure",
            || Queue::at_departure(Fifo::new(Limit::Packets(10), Victim::Newest)),
            Bounds {
                packets: 10,
                ..UNBOUNDED
            },
        ),
        (
            "drop-head of 10 packets",
            || Queue::at_departure(Fifo::new(Limit::Packets(10), Victim::Oldest)),
            Bounds {
                packets: 10,
                ..UNBOUNDED
            },
        ),
        (
            "drop-head of 10 kB",
            || Queue::at_departure(Fifo::new(Limit::Bytes(Bytes(10_000)), Victim::Oldest)),
            Bounds {
                bytes: 10_000,
                ..UNBOUNDED
            },
        ),
        (
            "CoDel",
            || {
                let parameters = CoDelParameters {
                    ecn: true,
                    ..CoDelParameters::default()
                };
                Queue::at_departure(CoDel::new(parameters, Limit::Packets(40)))
            },
            Bounds {
                packets: 40,
                ..UNBOUNDED
            },
        ),
        (
            "FQ-CoDel",
            || {
                Queue::at_departure(FqCoDel::new(FqCoDelParameters {
                    limit: 30,
                    memory_limit: Bytes(20_000),
                    ..FqCoDelParameters::default()
                }))
            },
            Bounds {
                packets: 30,
                bytes: 20_000,
            },
        ),
        (
            "FQ-CoDel of two queues",
            || {
                Queue::at_departure(FqCoDel::new(FqCoDelParameters {
                    flows: Flows::Hashed { queues: 2, salt: 5 },
                    ..FqCoDelParameters::default()
                }))
            },
            UNBOUNDED,
        ),
        (
            "PIE",
            || {
                let parameters = PieParameters {
                    target: Duration::from_millis(4),
                    max_burst: Duration::from_millis(20),
                    ecn: true,
                    ..PieParameters::default()
                };
                let random = Stream::named(9, "pie");
                Queue::at_arrival(Pie::new(parameters, Limit::Packets(40), random))
            },
            Bounds {
                packets: 40,
                ..UNBOUNDED
            },
        ),
        (
            "a queue of the user's own",
            || Queue::at_arrival(DropTail::new(Limit::Packets(10))),
            Bounds {
                packets: 10,
                ..UNBOUNDED
            },
        ),
    ]
}

/// A packet that was offered, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Offered {
    at: Time,
    flow: u32,
    size: u64,
    capable: bool,
    fate: Fate,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Waits,
    Arrived { at: Time, marked: bool },
    Dropped(DropReason),
}

#[derive(Debug, Default, PartialEq)]
struct Run {
    packets: Vec<Offered>,
    /// In the order in which they arrived.
    arrived: Vec<usize>,
    dropped: u64,
    dropped_bytes: u64,
    most_packets: u64,
    most_bytes: u64,
}

impl Hosts<usize> for Run {
    fn on_packet(&mut self, network: &mut Network<usize>, _endpoint: u32, packet: Packet<usize>) {
        let at = network.now();
        let marked = packet.ecn == Ecn::Ce;
        self.packets[packet.payload].fate = Fate::Arrived { at, marked };
        self.arrived.push(packet.payload);
    }

    fn on_timer(&mut self, _network: &mut Network<usize>, _timer: TimerId) {}

    fn on_gone(&mut self, packet: &Packet<usize>, gone: Gone) {
        let Gone::Dropped(reason) = gone else {
            panic!("nothing is lost here");
        };
        let offered = &mut self.packets[packet.payload];
        assert_eq!(offered.fate, Fate::Waits);
        offered.fate = Fate::Dropped(reason);
        self.dropped += 1;
        self.dropped_bytes += offered.size;
    }
}

impl Run {
    fn count(&self, of: fn(&Fate) -> bool) -> u64 {
        let fates = self.packets.iter().map(|packet| &packet.fate);
        fates.filter(|fate| of(fate)).count() as u64
    }

    fn marked(&self) -> u64 {
        self.count(|fate| matches!(fate, Fate::Arrived { marked: true, .. }))
    }
}

/// Offers 20,000 packets of 40 to 1500 B, of four flows, to the queue of a link that can send a
/// packet of the mean size (770 B at 8 Mb/s) in 0.77 ms, in bursts of overload and rest.
fn offer(queue: Queue, seed: u64) -> Run {
    let mut random = Stream::named(seed, "traffic");
    let mut network = Network::new(Window {
        from: Time::ZERO,
        to: Time::MAX,
    });
    let link = network.add_link(Link::new(Some(LINK.rate), LINK.delay).with_queue(queue));
    let route = network.add_route(&[link], 0);
    let mut run = Run::default();
    let mut now = Time::ZERO;
    let mut bytes = 0;
    for number in 0..20_000_usize {
        let overload = (number / 200).is_multiple_of(2);
        let mean = Duration::from_micros(if overload { 500 } else { 1_100 });
        now += random.exponential(mean);
        network.run(&mut run, now);
        let offered = Offered {
            at: now,
            flow: random.below(4) as u32,
            size: 40 + random.below(LARGEST - 39),
            capable: random.chance(0.5),
            fate: Fate::Waits,
        };
        run.packets.push(offered);
        bytes += offered.size;
        let mut packet = Packet::new(offered.flow, Bytes(offered.size), number);
        packet.ecn = if offered.capable {
            Ecn::Ect0
        } else {
            Ecn::NotEct
        };
        network.send(&mut run, route, packet);
        let state = network.link(link);
        let waiting = state.waiting_at(now);
        let statistics = state.statistics();
        // Nothing vanishes on the way.
        assert_eq!(statistics.packets_in, number as u64 + 1);
        assert_eq!(statistics.drops, run.dropped);
        let will_leave = statistics.packets_in - statistics.drops - statistics.packets_out;
        assert!(will_leave == 0 || will_leave == waiting, "{will_leave}");
        run.most_packets = run.most_packets.max(waiting);
        run.most_bytes = run
            .most_bytes
            .max(bytes - run.dropped_bytes - state.bytes_begun_at(now));
    }
    network.run(&mut run, now + Duration::from_secs(100));
    let statistics = network.link(link).statistics();
    let busy: Duration = run.arrived.iter().fold(Duration::ZERO, |sum, number| {
        sum + LINK.rate.time_for(Bytes(run.packets[*number].size))
    });
    assert_eq!(statistics.busy, busy);
    assert_eq!(statistics.marks, run.marked());
    run
}

#[test]
fn every_packet_offered_arrives_or_is_dropped_and_no_limit_is_passed() {
    for (name, build, bounds) in queues() {
        let run = offer(build(), 1);
        let arrived = run.arrived.len() as u64;
        assert_eq!(arrived + run.dropped, 20_000, "{name}");
        assert!(run.most_packets <= bounds.packets, "{name}");
        assert!(run.most_bytes <= bounds.bytes, "{name}: {}", run.most_bytes);
        let limited =
            name.contains("CoDel") || bounds.packets < u64::MAX || bounds.bytes < u64::MAX;
        assert_eq!(run.dropped > 0, limited, "{name}");
    }
}

/// Where the line is idle between two packets, the second begins when it comes: nothing waited.
/// Packets of a flow arrive in the order in which they came.
#[test]
fn the_link_never_idles_while_something_waits_and_keeps_each_flow_in_order() {
    for (name, build, _) in queues() {
        let run = offer(build(), 3);
        let mut free_at = Time::ZERO;
        let mut last = [None; 4];
        for &number in &run.arrived {
            let packet = run.packets[number];
            let Fate::Arrived { at, .. } = packet.fate else {
                panic!("{name}: {packet:?}");
            };
            let way = LINK.rate.time_for(Bytes(packet.size)) + LINK.delay;
            let start = Time::ZERO + at.since(Time::ZERO + way);
            assert!(start == free_at || start == packet.at, "{name}: {packet:?}");
            assert!(start >= free_at && start >= packet.at, "{name}: {packet:?}");
            free_at = start + LINK.rate.time_for(Bytes(packet.size));
            let before = last[packet.flow as usize].replace(number);
            assert!(before < Some(number), "{name}: {packet:?}");
        }
    }
}

#[test]
fn only_what_understands_marks_is_marked_and_what_finds_the_link_idle_is_never_dropped() {
    for (name, build, _) in queues() {
        let run = offer(build(), 4);
        let mut busy_until = Time::ZERO;
        for packet in &run.packets {
            match packet.fate {
                Fate::Arrived { marked, .. } => assert!(packet.capable || !marked, "{name}"),
                Fate::Dropped(_) => assert!(packet.at < busy_until, "{name}: {packet:?}"),
                Fate::Waits => panic!("{name}: {packet:?}"),
            }
            if let Fate::Arrived { at, .. } = packet.fate {
                busy_until = busy_until.max(Time::ZERO + at.since(Time::ZERO + LINK.delay));
            }
        }
    }
}

#[test]
fn drop_tail_fills_to_its_limit() {
    for (name, build, bounds) in queues() {
        if name.starts_with("drop-") && name != "drop-tail without limit" {
            let run = offer(build(), 1);
            let packets = run.most_packets == bounds.packets;
            let least = bounds.bytes.saturating_sub(40);
            let bytes = (least..=bounds.bytes).contains(&run.most_bytes);
            assert!(packets || bytes, "{name}");
        }
    }
}

#[test]
fn active_queues_signal_before_they_are_full() {
    for (name, build, _) in queues() {
        if name.starts_with("RED") || name.contains("CoDel") || name == "PIE" {
            let run = offer(build(), 1);
            assert!(run.marked() > 0, "{name}");
            let early = |fate: &Fate| *fate == Fate::Dropped(DropReason::Early);
            assert!(run.count(early) > 0, "{name}");
        }
    }
}

#[test]
fn the_same_packets_meet_the_same_fates() {
    for (name, build, _) in queues() {
        assert_eq!(offer(build(), 2), offer(build(), 2), "{name}");
    }
}

#[test]
fn a_queue_reports_its_variables_by_name() {
    for (name, build, _) in queues() {
        let mut names = Vec::new();
        let link = Link::new(Some(LINK.rate), LINK.delay).with_queue(build());
        link.queue_variables(&mut |variable, value| {
            assert!(value.is_finite(), "{name}: {variable}");
            names.push(variable);
        });
        let expected: &[&str] = match name {
            "RED in packets" | "RED in bytes" => &["average_packets", "drop_probability"],
            "PIE" => &["drop_probability", "delay_s"],
            "CoDel" => &["count", "dropping", "ce_threshold_marks"],
            "FQ-CoDel" | "FQ-CoDel of two queues" => {
                &["new_queues", "old_queues", "ce_threshold_marks"]
            }
            _ => &[],
        };
        assert_eq!(names, expected, "{name}");
    }
}
