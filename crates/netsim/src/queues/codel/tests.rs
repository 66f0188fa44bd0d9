//! Checks of the RFC's law, of ns-3's unit test, and of a link that is offered too much.

use super::*;
use crate::queues::departure::testing::{offered, waiting};

const MTU: CoDelParameters = CoDelParameters {
    target: Duration::from_millis(5),
    interval: Duration::from_millis(100),
    mtu: Bytes(1_500),
    ecn: false,
    ce_threshold: None,
    l4s: false,
    control_law: ControlLaw::Exact,
};

const NEWTON: CoDelParameters = CoDelParameters {
    control_law: ControlLaw::Newton,
    ..MTU
};

fn ms(millis: u64) -> Time {
    Time::ZERO + Duration::from_millis(millis)
}

fn close(time: Time, millis: f64) -> bool {
    (time.as_secs_f64() * 1e3 - millis).abs() < 0.05
}

/// 1,000 packets at once, one taken each 0.1 ms: when the drops come, in milliseconds after the
/// first.
fn drops(parameters: CoDelParameters) -> Vec<f64> {
    let mut queue = CoDel::new(parameters, Limit::None);
    let mut dropped = Vec::new();
    for id in 0..10_000 {
        queue.enqueue(waiting(id, 1_500, Time::ZERO), &mut dropped);
    }
    let mut times = Vec::new();
    for step in 0..8_000_u64 {
        let now = Time::ZERO + Duration::from_micros(100) * step;
        queue.dequeue(now, &mut dropped);
        times.extend(dropped.drain(..).map(|_| now.as_secs_f64() * 1e3));
    }
    times.iter().map(|time| time - times[0]).collect()
}

/// Sums of 100/√n: 100, 70.7, 57.7, 50, …; of Newton's method in 16 bits 100, 50, 56.2, 48.8, ….
#[test]
fn drops_come_at_the_interval_over_the_root_of_their_count() {
    let exact = [
        0.0, 100.0, 170.7, 228.4, 278.4, 323.2, 364.0, 401.8, 437.1, 470.5, 502.1,
    ];
    let newton = [0.0, 100.0, 150.0, 206.2, 255.0, 299.2, 339.6, 377.1];
    // A drop waits for the next time that the queue is asked, 0.1 ms at the most.
    let agree = |expected: &[f64], times: Vec<f64>| {
        let pairs = expected.iter().zip(times);
        pairs.for_each(|(expected, time)| {
            assert!(
                (-0.06..=0.16).contains(&(time - expected)),
                "{time} for {expected}"
            );
        });
    };
    agree(&exact, drops(MTU));
    agree(&newton, drops(NEWTON));
}

/// n drops take about interval × (2√n − 1.46): 100 of them 1.854 s, 94 more than the first.
#[test]
fn the_rate_of_drops_grows_by_the_same_amount_each_second() {
    let times = drops(MTU);
    // By 700 ms: (7 + 1.46)² / 4 = 17.9 drops.
    let by_then = times.iter().filter(|time| **time <= 700.0).count();
    assert!((17..=19).contains(&by_then), "{by_then}");
}

/// What ns-3's test of the drops expects: 20 packets of 1000 B at once, one taken at 10, 210, 210
/// and 420 ms; how many are left, how many were dropped, and when the next drop is due.
#[test]
fn ns3s_test_of_the_drops() {
    for (parameters, left, drops, due) in [(MTU, 13, 3, 438.4), (NEWTON, 12, 4, 465.0)] {
        let mut queue = CoDel::new(parameters, Limit::None);
        let mut dropped = Vec::new();
        for id in 0..20 {
            queue.enqueue(waiting(id, 1_000, Time::ZERO), &mut dropped);
        }
        let mut take = |at, left, drops| {
            assert!(queue.dequeue(ms(at), &mut dropped).is_some());
            assert_eq!(
                (queue.waiting.backlog().packets, dropped.len()),
                (left, drops),
                "{at}"
            );
            queue.state.drop_next
        };
        take(10, 19, 0);
        assert!(close(take(210, 17, 1), 310.0));
        take(210, 16, 1);
        let next = take(420, left, drops);
        assert!(close(next, due), "{next:?}");
    }
}

/// The same packets, all capable: a mark in place of each drop, one for each packet that leaves.
#[test]
fn ns3s_test_of_the_marks() {
    let parameters = CoDelParameters { ecn: true, ..MTU };
    let mut queue = CoDel::new(parameters, Limit::None);
    let mut dropped = Vec::new();
    for id in 0..20 {
        let packet = Waiting {
            ecn: Ecn::Ect0,
            ..waiting(id, 1_000, Time::ZERO)
        };
        queue.enqueue(packet, &mut dropped);
    }
    let marks = [10, 210, 210, 420].map(|at| {
        let departing = queue.dequeue(ms(at), &mut dropped);
        departing.is_some_and(|departing| departing.mark)
    });
    assert_eq!(marks, [false, true, false, true]);
    assert_eq!((queue.waiting.backlog().packets, dropped.len()), (16, 0));
}

/// 12 Mb/s, packets of 1500 B (1 ms each), one each 0.5 ms for 1 s: packet k begins at k ms while
/// nothing is dropped, so its sojourn is k/2 ms, 5 ms at k = 10. An interval later, at 110 ms, the
/// 110th is dropped, and so on.
#[test]
fn a_link_offered_twice_what_it_can_send_drops_as_worked_out() {
    let run = offered(
        CoDel::new(MTU, Limit::None),
        Duration::from_micros(500),
        2_000,
    );
    let expected = [
        (110, 110),
        (210, 211),
        (281, 283),
        (339, 342),
        (389, 393),
        (434, 439),
        (474, 480),
        (512, 519),
        (548, 556),
        (581, 590),
        (613, 623),
        (643, 654),
    ];
    for (drop, (at, id)) in run.drops.iter().zip(expected) {
        assert_eq!(*drop, (ms(at), id));
    }
    let by_a_second = run.drops.iter().filter(|drop| drop.0 <= ms(1_000)).count();
    assert_eq!((by_a_second, run.drops.len(), run.sent), (27, 94, 1_906));
    assert_eq!(run.drops.last().map(|drop| drop.0), Some(ms(1_898)));
    assert_eq!(run.longest_sojourn, Duration::from_micros(905_500));
}

/// A tenth more than the link can send, for 5 s. To drop 100 in a second takes a count of 100,
/// which is reached after 0.1 × (20 − 1.46) = 1.85 s; the queue has grown for that long.
#[test]
fn a_tenth_too_much_is_dropped_in_the_end() {
    let run = offered(
        CoDel::new(MTU, Limit::None),
        Duration::from_nanos(909_091),
        5_500,
    );
    let expected = [
        (156, 156),
        (256, 257),
        (327, 329),
        (385, 388),
        (435, 439),
        (480, 485),
        (520, 526),
        (558, 565),
    ];
    for (drop, (at, id)) in run.drops.iter().zip(expected) {
        assert_eq!((drop.0.as_picos() / 1_000_000_000, drop.1), (at, id));
    }
    assert_eq!(run.drops.len(), 460);
    let longest = run.longest_sojourn.as_secs_f64() * 1e3;
    assert!((92.17..=92.19).contains(&longest), "{longest}");
}

/// RFC 8289 §5.4: what finds the queue full is dropped and leaves CoDel as it is.
#[test]
fn a_full_queue_drops_at_the_tail() {
    let mut queue = CoDel::new(MTU, Limit::Packets(2));
    let mut dropped = Vec::new();
    for id in 0..3 {
        queue.enqueue(waiting(id, 1_500, Time::ZERO), &mut dropped);
    }
    let tail: Vec<_> = dropped.iter().map(|it| (it.packet.id, it.reason)).collect();
    assert_eq!(tail, [(2, DropReason::Full)]);
    assert_eq!(queue.state.count, 0);
}

/// While dropping the queue runs empty: the state is left, and a packet much later begins anew.
#[test]
fn an_empty_queue_ends_the_dropping() {
    let mut queue = CoDel::new(MTU, Limit::None);
    let mut dropped = Vec::new();
    for id in 0..4 {
        queue.enqueue(waiting(id, 1_500, Time::ZERO), &mut dropped);
    }
    queue.dequeue(ms(10), &mut dropped);
    queue.dequeue(ms(120), &mut dropped);
    assert!(queue.state.dropping && dropped.len() == 1);
    while queue.dequeue(ms(121), &mut dropped).is_some() {}
    assert!(!queue.state.dropping && queue.state.first_above.is_none());
    assert_eq!(dropped.len(), 1);
}
