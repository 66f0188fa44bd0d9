//! The checks of RFC 8290 and of ns-3's unit tests.

use units::{Duration, Ecn};

use super::*;
use crate::queues::departure::testing::{offered, waiting};
use crate::queues::{CoDel, ControlLaw, Limit};

fn queue(quantum: u64, limit: u64) -> FqCoDel {
    FqCoDel::new(FqCoDelParameters {
        quantum: Bytes(quantum),
        limit,
        ..FqCoDelParameters::default()
    })
}

fn packet(flow: u32, size: u64) -> Waiting {
    Waiting {
        flow,
        ..waiting(0, size, Time::ZERO)
    }
}

fn ms(millis: u64) -> Time {
    Time::ZERO + Duration::from_millis(millis)
}

/// ns-3's test of the deficits: quantum 90 B, packets of 120 B of flows A (0) and B (1).
#[test]
fn ns3s_test_of_the_deficits() {
    let mut queue = queue(90, 10_240);
    let mut dropped = Vec::new();
    queue.enqueue(packet(0, 120), &mut dropped);
    let sent = |queue: &mut FqCoDel| {
        let departing = queue.dequeue(Time::ZERO, &mut Vec::new());
        let flow = departing.map(|departing| departing.packet.flow);
        let deficit = |flow: usize| queue.queues.get(flow).map(|queue| queue.deficit);
        (flow, deficit(0), deficit(1))
    };
    assert_eq!(sent(&mut queue), (Some(0), Some(-30), None));
    assert_eq!((queue.new.length, queue.old.length), (1, 0));
    for flow in [0, 0, 1, 1] {
        queue.enqueue(packet(flow, 120), &mut dropped);
    }
    assert_eq!(sent(&mut queue), (Some(1), Some(60), Some(-30)));
    assert_eq!((queue.new.length, queue.old.length), (1, 1));
    assert_eq!(sent(&mut queue), (Some(0), Some(-60), Some(60)));
    assert_eq!((queue.new.length, queue.old.length), (0, 2));
    assert_eq!(sent(&mut queue), (Some(1), Some(30), Some(-60)));
    assert_eq!(sent(&mut queue), (Some(0), Some(-90), Some(30)));
    assert_eq!(sent(&mut queue), (None, Some(90), Some(30)));
    assert_eq!((queue.new.length, queue.old.length), (0, 0));
    assert!(dropped.is_empty());
}

/// ns-3's test of the limit: the fifth packet of four that may wait costs A half of its bytes.
#[test]
fn the_longest_queue_loses_half_of_its_bytes() {
    let mut queue = queue(1_500, 4);
    let mut dropped = Vec::new();
    for flow in [0, 0, 0, 1, 1] {
        queue.enqueue(packet(flow, 120), &mut dropped);
    }
    let waiting = [0, 1].map(|flow: usize| queue.queues[flow].waiting.backlog().packets);
    assert_eq!(waiting, [1, 2]);
    assert!(
        dropped
            .iter()
            .all(|it| it.packet.flow == 0 && it.reason == DropReason::Full)
    );
    assert_eq!(queue.backlog.packets, 3);
    assert_eq!(queue.queues[0].codel.count, 2);
}

/// A batch of one drops one packet, however long the queue.
#[test]
fn a_batch_bounds_what_is_dropped_at_once() {
    let mut queue = FqCoDel::new(FqCoDelParameters {
        limit: 100,
        drop_batch: 1,
        ..FqCoDelParameters::default()
    });
    let mut dropped = Vec::new();
    for _ in 0..101 {
        queue.enqueue(packet(0, 120), &mut dropped);
    }
    assert_eq!(dropped.len(), 1);
}

/// Five flows of 20 packets of 120 B at once, of which three understand ECN; one packet is taken
/// after the other, `apart` from the next. For each flow: marks, drops, marks for the threshold.
fn five_flows(codel: CoDelParameters, apart: Duration, times: u64) -> ([u64; 5], [u64; 5], u64) {
    let mut queue = FqCoDel::new(FqCoDelParameters {
        codel,
        ..FqCoDelParameters::default()
    });
    let mut dropped = Vec::new();
    for flow in 0..5 {
        for _ in 0..20 {
            let ecn = if flow < 3 { Ecn::Ect0 } else { Ecn::NotEct };
            let packet = Waiting {
                ecn,
                ..packet(flow, 120)
            };
            queue.enqueue(packet, &mut dropped);
        }
    }
    let (mut marks, mut drops) = ([0; 5], [0; 5]);
    for step in 1..=times {
        let departing = queue.dequeue(Time::ZERO + apart * step, &mut dropped);
        if let Some(Departing { packet, mark }) = departing {
            marks[packet.flow as usize] += u64::from(mark);
        }
    }
    for dropped in dropped {
        drops[dropped.packet.flow as usize] += 1;
    }
    (marks, drops, queue.ce_threshold_marks)
}

const CODEL: CoDelParameters = CoDelParameters {
    target: Duration::from_millis(5),
    interval: Duration::from_millis(100),
    mtu: Bytes(1_500),
    ecn: true,
    ce_threshold: None,
    l4s: false,
    control_law: ControlLaw::Newton,
};

/// ns-3's test of the marks: 60 packets, 110 ms from one to the next.
#[test]
fn flows_that_understand_marks_are_marked_and_the_others_lose() {
    let apart = Duration::from_millis(110);
    let (marks, drops, _) = five_flows(CODEL, apart, 60);
    assert_eq!((marks, drops), ([6, 6, 6, 0, 0], [0, 0, 0, 4, 4]));
    let exact = CoDelParameters {
        control_law: ControlLaw::Exact,
        ..CODEL
    };
    let (marks, drops, _) = five_flows(exact, apart, 60);
    assert_eq!((marks, drops), ([6, 6, 6, 0, 0], [0, 0, 0, 3, 3]));
}

/// ns-3's test of the threshold: 2 ms, packets 0.1 ms apart, 13 of 120 B in a quantum of 1514 B.
/// What is sent before 2 ms is not marked, nor what does not understand it.
#[test]
fn a_threshold_marks_what_has_waited_longer() {
    let parameters = CoDelParameters {
        ce_threshold: Some(Duration::from_millis(2)),
        ..CODEL
    };
    let (marks, drops, threshold) = five_flows(parameters, Duration::from_micros(100), 60);
    assert_eq!((marks, drops, threshold), ([0, 6, 13, 0, 0], [0; 5], 19));
}

/// ns-3's test of L4S: two flows, each a packet each 0.5 ms, 70 of them; one is taken each
/// millisecond, 140 of them. With ECT(1) only the threshold of 2 ms marks, with ECT(0) CoDel does.
#[test]
fn low_latency_traffic_sees_the_threshold_alone() {
    let mut queue = FqCoDel::new(FqCoDelParameters {
        codel: CoDelParameters {
            ce_threshold: Some(Duration::from_millis(2)),
            l4s: true,
            ..CODEL
        },
        ..FqCoDelParameters::default()
    });
    let mut dropped = Vec::new();
    let mut marks = [0, 0];
    for half in 1..=280_u64 {
        let now = Time::ZERO + Duration::from_micros(500) * half;
        for (flow, ecn) in [(0, Ecn::Ect1), (1, Ecn::Ect0)] {
            if half <= 70 {
                let packet = Waiting {
                    ecn,
                    arrived: now,
                    ..packet(flow, 120)
                };
                queue.enqueue(packet, &mut dropped);
            }
        }
        if half.is_multiple_of(2)
            && let Some(Departing { packet, mark }) = queue.dequeue(now, &mut dropped)
        {
            marks[packet.flow as usize] += u64::from(mark);
        }
    }
    assert!(dropped.is_empty());
    assert_eq!(marks[0], 66);
    // Of the other flow's marks one is CoDel's, the rest the threshold's.
    assert_eq!(marks[0] + marks[1], queue.ce_threshold_marks + 1);
}

/// With the same parameters and no limit reached one flow is served as by CoDel.
#[test]
fn one_flow_alone_is_served_as_by_codel() {
    let codel = CoDelParameters {
        control_law: ControlLaw::Exact,
        ..CODEL
    };
    let apart = Duration::from_micros(700);
    let fair = offered(
        FqCoDel::new(FqCoDelParameters {
            codel,
            ..FqCoDelParameters::default()
        }),
        apart,
        3_000,
    );
    let alone = offered(CoDel::new(codel, Limit::Packets(10_240)), apart, 3_000);
    assert!(fair.drops.len() > 20);
    assert_eq!(fair, alone);
}

/// A flow whose packet finds its queue empty comes before four backlogged ones: it waits for no
/// more than the packet being sent.
#[test]
fn a_sparse_flow_goes_first() {
    let mut queue = queue(1_514, 10_240);
    let mut dropped = Vec::new();
    for flow in 0..4 {
        for _ in 0..50 {
            queue.enqueue(packet(flow, 1_500), &mut dropped);
        }
    }
    let next = |queue: &mut FqCoDel, at| {
        let departing = queue.dequeue(at, &mut Vec::new());
        departing.map(|it| it.packet.flow)
    };
    for _ in 0..8 {
        next(&mut queue, ms(1));
    }
    queue.enqueue(packet(9, 200), &mut dropped);
    assert_eq!(next(&mut queue, ms(1)), Some(9));
    assert_ne!(next(&mut queue, ms(1)), Some(9));
}

/// With 1024 queues and 100 flows the chance that one given flow shares with nobody is
/// (1 − 1/1024)^99 = 90.78 %; over 400 salts its deviation is 1.45 %, and five of those are allowed.
#[test]
fn hashed_flows_collide_as_often_as_chance_has_it() {
    let alone = (0..400).filter(|salt| {
        let mut queue = FqCoDel::new(FqCoDelParameters {
            flows: Flows::Hashed {
                queues: 1_024,
                salt: salt * 7_919,
            },
            ..FqCoDelParameters::default()
        });
        let own = queue.queue_of(0);
        (1..100).all(|flow| queue.queue_of(flow) != own)
    });
    let share = alone.count() as f64 / 400.0;
    assert!((0.835..=0.98).contains(&share), "{share}");
}
