use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// Takes the next event: its time, and the sequence number that its item or timer stands for.
fn take(set: &mut PendingSet<u64>, until: u64) -> Option<(u64, u64)> {
    Some(match set.take(until)? {
        Taken::Item { time, id } => (time, set.remove(id)),
        Taken::Timer { time, id } => (time, u64::from(id)),
    })
}

/// Ranks that differ in their order, in their number, or in both.
fn rank(sequence: u64) -> Rank {
    Rank {
        order: sequence / 3,
        number: (sequence % 3) as u32,
    }
}

fn add(set: &mut PendingSet<u64>, time: u64, sequence: u64) {
    let id = set.insert(sequence);
    set.schedule(id, time, rank(sequence));
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Item(u64),
    Timer(u64),
    /// Takes up to so far ahead.
    Take(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let ahead = || prop_oneof![Just(0_u64), 0..1_000_u64, 0..1_u64 << 22, 0..1_u64 << 40];
    let step = prop_oneof![
        3 => ahead().prop_map(Step::Item),
        1 => ahead().prop_map(Step::Timer),
        2 => Just(Step::Take(u64::MAX)),
        1 => ahead().prop_map(Step::Take),
    ];
    prop::collection::vec(step, 1..4_000)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is added comes out by time, then by order of scheduling, never beyond what was
    /// asked for, and nothing is lost.
    #[test]
    fn events_come_out_in_total_order(steps in steps()) {
        let mut set = PendingSet::default();
        let mut expected = BTreeSet::new();
        let mut now = 0;
        for (sequence, step) in (0_u64..).zip(&steps) {
            match *step {
                Step::Item(ahead) => {
                    add(&mut set, now + ahead, sequence);
                    expected.insert((now + ahead, sequence));
                }
                Step::Timer(ahead) => {
                    set.schedule_timer(sequence as u32, now + ahead, rank(sequence));
                    expected.insert((now + ahead, sequence));
                }
                Step::Take(ahead) => {
                    let until = now.saturating_add(ahead);
                    let first = take(&mut set, until);
                    let right = expected.first().copied().filter(|first| first.0 <= until);
                    prop_assert_eq!(first, right);
                    if let Some(first) = first {
                        expected.pop_first();
                        now = first.0;
                    }
                }
            }
        }
        while let Some(first) = take(&mut set, u64::MAX) {
            prop_assert_eq!(expected.pop_first(), Some(first));
        }
        prop_assert!(expected.is_empty());
        prop_assert_eq!(set.items().count(), 0);
    }
}

#[test]
fn the_wheel_fits_itself_and_keeps_the_order() {
    // Two hundred events that each come back after a time of their own, for 100,000 turns, in
    // three paces: the wheel must refit between them.
    let mut set = PendingSet::default();
    for sequence in 0..200 {
        add(&mut set, sequence * 7, sequence);
    }
    let mut last = (0, 0);
    let mut widths = BTreeSet::new();
    for turn in 0..100_000_u64 {
        let first = take(&mut set, u64::MAX).unwrap();
        assert!(last < first || turn == 0);
        last = first;
        let pace = [1_000, 1_000_000_000, 50_000][(turn / 33_334) as usize];
        add(&mut set, first.0 + pace * (50 + first.1 % 13), 200 + turn);
        widths.insert(set.wheel.shift);
    }
    assert_eq!(set.items().count(), 200);
    // Two hundred events, each back after 56 paces on average: 0.28 paces apart. Of paces of 1,000
    // and 10^9 ps that is 280 ps, near 2^8, and 2.8·10^8 ps, near 2^28; buckets are 2^3 wider.
    assert!(widths.iter().any(|shift| (10..=12).contains(shift)));
    assert!(widths.iter().any(|shift| (30..=32).contains(shift)));
}

#[test]
fn many_events_at_nearly_one_time_stay_sorted() {
    let mut set = PendingSet::default();
    for sequence in 0..10_000_u64 {
        add(&mut set, (sequence * 7_919) % 1_000, sequence);
    }
    let mut last = None;
    while let Some(first) = take(&mut set, u64::MAX) {
        assert!(last < Some(first));
        last = Some(first);
    }
    assert_eq!(last.map(|(time, _)| time), Some(999));
}

#[test]
fn places_are_used_again() {
    let mut set = PendingSet::default();
    for round in 0..100_u64 {
        for sequence in 0..10 {
            add(&mut set, round * 1_000 + sequence, round * 10 + sequence);
        }
        assert_eq!(set.items().count(), 10);
        while take(&mut set, u64::MAX).is_some() {}
    }
    assert_eq!(set.nodes.len(), 10);
}
