//! What every kind of endpoint must do behind the one trait, in one body: over a channel that loses,
//! reorders, duplicates and goes dark nothing stands still, timers lie ahead, and every packet is
//! accounted for; where the protocol is reliable, all data arrives once.

mod pairs;

use std::collections::BTreeMap;

use pairs::{HEADER, KINDS, Kind, Owned, Pair, SIZE};
use proptest::prelude::*;
use transport::endpoint::Endpoint;
use units::{Bytes, Duration, Time};

/// What goes wrong, in percent.
#[derive(Clone, Copy, Debug, Default)]
struct Faults {
    loss: u64,
    reorder: u64,
    duplicate: u64,
    /// Dark for 2 of every 7.3 s, from 0.5 s on: out of step with a timeout of 60 s.
    dark: bool,
    /// Timers are also asked early.
    early: bool,
}

/// What came out.
#[derive(Clone, Debug, Default, PartialEq)]
struct Outcome {
    /// Data packets that left, were lost, and arrived; copies arrive too.
    sent: u64,
    lost: u64,
    copies: u64,
    arrived: u64,
    /// On their way at the end.
    in_flight: u64,
    delivered: u64,
    duplicates: u64,
    waiting: u64,
    complete: bool,
    end: Time,
}

struct Channel {
    faults: Faults,
    random: u64,
    /// By time and number: for the receiver or not, and the packet.
    pending: BTreeMap<(Time, u64), (bool, Owned)>,
    number: u64,
    busy_until: Time,
    outcome: Outcome,
}

impl Channel {
    fn new(faults: Faults, seed: u64) -> Self {
        Self {
            faults,
            random: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1,
            pending: BTreeMap::new(),
            number: 0,
            busy_until: Time::ZERO,
            outcome: Outcome::default(),
        }
    }

    /// Knuth's MMIX generator, upper half.
    fn percent(&mut self) -> u64 {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % 100
    }

    fn is_dark(&self, now: Time) -> bool {
        let cycle = now.as_picos() % Duration::from_millis(7_300).as_picos();
        let dark = Duration::from_millis(500).as_picos()..Duration::from_millis(2_500).as_picos();
        self.faults.dark && dark.contains(&cycle)
    }

    /// Takes all that an end sends now: 1 ms for each data packet, 25 ms each way.
    fn poll(&mut self, now: Time, end: &mut dyn Endpoint, forward: bool) {
        let mut left = 0;
        while let Some(packet) = end.poll_transmit(now) {
            left += 1;
            assert!(left < 10_000, "it sends without end");
            let data = packet.content.is_data();
            let owned = Owned::of(&packet);
            assert_eq!(owned.packet(), packet);
            if data {
                assert!(forward, "data from the receiver");
                // ns-2's first segment is shorter: it has no headers.
                assert!(packet.size <= SIZE);
                self.outcome.sent += 1;
                self.busy_until = self.busy_until.max(now) + Duration::from_millis(1);
            }
            if self.percent() < self.faults.loss || self.is_dark(now) {
                self.outcome.lost += u64::from(data);
                continue;
            }
            let copies = 1 + u64::from(self.percent() < self.faults.duplicate);
            self.outcome.copies += (copies - 1) * u64::from(data);
            for _ in 0..copies {
                let late = self.percent() < self.faults.reorder;
                let extra = if late { self.percent() } else { 0 };
                let from = if data { self.busy_until } else { now };
                self.number += 1;
                let at = from + Duration::from_millis(25 + extra);
                self.pending
                    .insert((at, self.number), (forward, owned.clone()));
            }
        }
        assert!(
            end.next_timer().is_none_or(|at| at >= now),
            "a timer in the past"
        );
    }

    /// Runs a pair until its transfer is complete or the time is over.
    fn run(mut self, mut pair: Pair, packets: u64, end: Duration) -> Outcome {
        let Pair { sender, receiver } = &mut pair;
        let mut now = Time::ZERO;
        let end = Time::ZERO + end;
        receiver.start(now);
        sender.start(now);
        sender.supply(packets);
        let mut at_once = 0;
        loop {
            self.poll(now, &mut **sender, true);
            self.poll(now, &mut **receiver, false);
            if sender.is_complete() {
                break;
            }
            let timers = [sender.next_timer(), receiver.next_timer()];
            let packet = self.pending.first_key_value().map(|((at, _), _)| *at);
            let next = timers.into_iter().chain([packet]).flatten().min();
            let Some(next) = next.filter(|next| *next <= end) else {
                break;
            };
            at_once = if next == now { at_once + 1 } else { 0 };
            assert!(at_once < 10_000, "the time stands still");
            if self.faults.early && next > now {
                sender.on_timer(now);
                receiver.on_timer(now);
                self.poll(now, &mut **sender, true);
                self.poll(now, &mut **receiver, false);
            }
            now = next;
            if packet == Some(now) {
                let (_, (forward, packet)) = self.pending.pop_first().expect("there is one");
                let packet = packet.packet();
                if forward {
                    let arrival = receiver.on_packet(now, &packet);
                    self.outcome.delivered += arrival.delivered.0;
                    self.outcome.arrived += u64::from(packet.content.is_data());
                } else {
                    let arrival = sender.on_packet(now, &packet);
                    assert_eq!(arrival.delivered, Bytes::ZERO);
                    assert!(arrival.rtt.is_none_or(|rtt| rtt <= now.since(Time::ZERO)));
                }
            } else if timers[0] == Some(now) {
                sender.on_timer(now);
            } else {
                receiver.on_timer(now);
            }
        }
        let statistics = receiver.statistics();
        let on_the_way = self.pending.values();
        let in_flight = on_the_way.filter(|(_, packet)| packet.packet().content.is_data());
        let outcome = Outcome {
            in_flight: in_flight.count() as u64,
            duplicates: statistics.duplicates,
            waiting: statistics.waiting.0,
            complete: sender.is_complete(),
            end: now,
            ..self.outcome
        };
        assert_eq!(sender.statistics().sent.packets_sent, outcome.sent);
        sender.stop();
        assert_eq!(sender.poll_transmit(now), None);
        assert_eq!(sender.next_timer(), None);
        outcome
    }
}

/// What holds for every kind.
fn is_sound(name: &str, kind: Kind, packets: u64, outcome: &Outcome) {
    let payload = (SIZE.0 - HEADER.0) as f64;
    let Outcome { sent, arrived, .. } = *outcome;
    assert_eq!(
        sent + outcome.copies,
        arrived + outcome.lost + outcome.in_flight,
        "{name}: {outcome:?}"
    );
    if kind.is_reliable() {
        assert!(outcome.complete, "{name}: {outcome:?}");
        assert_eq!(outcome.delivered as f64, packets as f64 * payload, "{name}");
        assert_eq!(outcome.waiting, 0, "{name}");
        assert_eq!(arrived, packets + outcome.duplicates, "{name}: {outcome:?}");
    } else {
        assert_eq!(sent, packets, "{name}: each packet once, {outcome:?}");
        let delivered = outcome.delivered as f64 / payload;
        let copies = if kind == Kind::Datagrams {
            0
        } else {
            outcome.copies
        };
        // Plain datagrams are not told apart from their copies.
        assert!(
            delivered >= (arrived - copies) as f64,
            "{name}: {outcome:?}"
        );
        assert!(delivered <= arrived as f64, "{name}: {outcome:?}");
    }
}

/// Runs every kind, with options and without.
fn for_each_kind(faults: Faults, packets: u64, seeds: u64) -> Vec<(String, Kind, Outcome)> {
    let mut outcomes = Vec::new();
    for kind in KINDS {
        for option in [false, true] {
            for seed in 0..seeds {
                let name = format!("{kind:?}, options {option}, seed {seed}, {faults:?}");
                let channel = Channel::new(faults, seed);
                let outcome = channel.run(kind.pair(option), packets, HOURS);
                is_sound(&name, kind, packets, &outcome);
                outcomes.push((name, kind, outcome));
            }
        }
    }
    outcomes
}

const HOURS: Duration = Duration::from_secs(100_000);

#[test]
fn a_clean_channel_delivers_everything_once() {
    for (name, kind, outcome) in for_each_kind(Faults::default(), 300, 1) {
        assert_eq!(outcome.sent, 300, "{name}");
        assert_eq!(outcome.duplicates, 0, "{name}");
        // All but plain datagrams tell when they are done. What is on its way then arrived.
        assert_eq!(outcome.complete, kind != Kind::Datagrams, "{name}");
        assert_eq!(outcome.delivered, 300 * (SIZE.0 - HEADER.0), "{name}");
    }
}

#[test]
fn losses_are_survived() {
    for loss in [5, 30] {
        let faults = Faults {
            loss,
            ..Faults::default()
        };
        for (name, kind, outcome) in for_each_kind(faults, 200, 2) {
            assert!(outcome.lost > 0, "{name}");
            assert_eq!(
                outcome.sent > 200,
                kind.is_reliable(),
                "{name}: {outcome:?}"
            );
        }
    }
}

#[test]
fn reordering_and_duplication_are_survived() {
    let faults = Faults {
        loss: 1,
        reorder: 20,
        duplicate: 10,
        ..Faults::default()
    };
    for (name, _, outcome) in for_each_kind(faults, 200, 2) {
        assert!(outcome.copies > 0, "{name}");
    }
}

#[test]
fn a_channel_that_goes_dark_is_survived() {
    let faults = Faults {
        dark: true,
        ..Faults::default()
    };
    for (name, kind, outcome) in for_each_kind(faults, 2_000, 1) {
        // Of plain datagrams all leave at once, before it gets dark.
        assert!(outcome.lost > 0 || kind == Kind::Datagrams, "{name}");
    }
}

#[test]
fn timers_that_are_asked_early_do_no_harm() {
    let faults = Faults {
        loss: 5,
        early: true,
        ..Faults::default()
    };
    for_each_kind(faults, 100, 1);
}

#[test]
fn the_same_seed_gives_the_same_outcome() {
    let faults = Faults {
        loss: 5,
        reorder: 10,
        duplicate: 5,
        ..Faults::default()
    };
    let run = || for_each_kind(faults, 100, 1);
    assert_eq!(run(), run());
}

#[test]
fn what_another_protocol_says_is_ignored() {
    let mut packets = Vec::new();
    for kind in KINDS {
        let Pair {
            mut sender,
            mut receiver,
        } = kind.pair(false);
        sender.start(Time::ZERO);
        sender.supply(1);
        let data = Owned::of(&sender.poll_transmit(Time::ZERO).expect("it sends"));
        receiver.on_packet(Time::ZERO, &data.packet());
        packets.extend(receiver.poll_transmit(Time::ZERO).map(|it| Owned::of(&it)));
        packets.push(data);
    }
    for kind in KINDS {
        let Pair {
            mut sender,
            mut receiver,
        } = kind.pair(false);
        assert_eq!(sender.poll_transmit(Time::ZERO), None, "not started");
        let (before, own) = (format!("{sender:?}"), format!("{receiver:?}"));
        let (data, feedback) = {
            let Pair {
                mut sender,
                mut receiver,
            } = kind.pair(false);
            sender.start(Time::ZERO);
            sender.supply(1);
            let data = Owned::of(&sender.poll_transmit(Time::ZERO).expect("it sends"));
            receiver.on_packet(Time::ZERO, &data.packet());
            let feedback = receiver.poll_transmit(Time::ZERO).map(|it| Owned::of(&it));
            (data, feedback)
        };
        let other = |a: &Owned, b: &Owned| {
            std::mem::discriminant(&a.content) != std::mem::discriminant(&b.content)
        };
        for packet in &packets {
            if other(packet, &data) && feedback.as_ref().is_none_or(|own| other(packet, own)) {
                let arrivals = [
                    sender.on_packet(Time::ZERO, &packet.packet()),
                    receiver.on_packet(Time::ZERO, &packet.packet()),
                ];
                assert!(
                    arrivals.iter().all(|it| it.delivered == Bytes::ZERO),
                    "{kind:?}"
                );
                assert_eq!(sender.poll_transmit(Time::ZERO), None, "{kind:?}");
                assert_eq!(receiver.poll_transmit(Time::ZERO), None, "{kind:?}");
            }
        }
        assert_eq!(before, format!("{sender:?}"), "{kind:?}");
        assert_eq!(own, format!("{receiver:?}"), "{kind:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever goes wrong.
    #[test]
    fn any_channel_is_survived(
        kind in proptest::sample::select(&KINDS[..]),
        option in any::<bool>(),
        seed in any::<u64>(),
        percent in (0..30_u64, 0..40_u64, 0..20_u64, any::<bool>(), any::<bool>()),
    ) {
        let faults = Faults {
            loss: percent.0,
            reorder: percent.1,
            duplicate: percent.2,
            dark: percent.3,
            early: percent.4,
        };
        let outcome = Channel::new(faults, seed).run(kind.pair(option), 150, HOURS);
        is_sound(&format!("{kind:?} {option} {faults:?} {seed}"), kind, 150, &outcome);
    }
}
