//! Checks of the controller by hand, and ns-3's test as inequalities.

use units::{Ecn, Rate};

use super::*;
use crate::queues::{Backlog, Queue};
use crate::{Gone, Hosts, Link, Network, Packet, TimerId, Window};

fn pie(parameters: PieParameters) -> Pie {
    Pie::new(parameters, Limit::None, Stream::named(7, "pie"))
}

fn arrival(now: Time, packets: u64) -> Arrival {
    Arrival {
        now,
        size: Bytes(1_500),
        ecn: Ecn::NotEct,
        backlog: Backlog {
            packets,
            bytes: Bytes(1_500) * packets,
        },
        idle_since: None,
    }
}

/// The probability after each of so many updates that see this delay.
fn held(queue: &mut Pie, delay: Duration, updates: u64) -> Vec<f64> {
    let update = queue.parameters.update;
    let mut step = |number| {
        queue.tick(&Tick {
            at: Time::ZERO + update * number,
            wait: delay,
        });
        queue.state.probability
    };
    (1..=updates).map(&mut step).collect()
}

fn assert_close(value: f64, expected: f64) {
    assert!((value / expected - 1.0).abs() < 1e-5, "{value}, {expected}");
}

/// The first by hand: (0.125 × 0.015 + 1.25 × 0.030) / 2048; then 0.125 × 0.015 / 512 with the
/// scale that goes with the probability reached, and so on.
#[test]
fn a_delay_of_twice_the_target_raises_the_probability_as_worked_out() {
    let mut queue = pie(PieParameters::default());
    let reached = held(&mut queue, Duration::from_millis(30), 638);
    assert_close(reached[0], 0.039_375 / 2_048.0);
    for (update, expected) in [
        (1, 1.922_61e-5),
        (2, 3.387_45e-5),
        (3, 4.852_29e-5),
        (10, 2.828_98e-4),
        (20, 8.688_35e-4),
        (50, 7.372_74e-3),
        (100, 0.045_810_2),
        (200, 0.178_935),
    ] {
        assert_close(reached[update - 1], expected);
    }
    let first = |least: f64| 1 + reached.iter().position(|it| *it >= least).expect("reached");
    assert_eq!(
        [1e-4, 1e-3, 0.01, 0.1, 1.0].map(first),
        [7, 23, 62, 158, 638]
    );
}

#[test]
fn a_long_delay_raises_it_faster_and_a_cap_slows_that_down() {
    let hundred = Duration::from_millis(100);
    let reached = held(&mut pie(PieParameters::default()), hundred, 114);
    for (update, expected) in [(1, 6.622_31e-5), (2, 1.492_31e-4), (3, 4.812_62e-4)] {
        assert_close(reached[update - 1], expected);
    }
    let first = |least: f64| 1 + reached.iter().position(|it| *it >= least).expect("reached");
    assert_eq!([0.01, 0.1, 1.0].map(first), [12, 29, 114]);
    // Above 0.1 the whole step, 0.125 × 0.485 = 0.0606 for half a second of delay, is cut to 0.02.
    for (cap_increase, step) in [(false, 0.060_625), (true, 0.02)] {
        let mut queue = pie(PieParameters {
            cap_increase,
            ..PieParameters::default()
        });
        queue.state.probability = 0.1;
        queue.state.delay = Duration::from_millis(500);
        assert_close(
            held(&mut queue, Duration::from_millis(500), 1)[0],
            0.1 + step,
        );
    }
}

/// From 5 % with an empty queue: (0.05 − 0.125 × 0.015 / 2) × 0.98 = 0.0480813, and so on, down to
/// nothing after some seventy updates; then there are no more.
#[test]
fn an_idle_queue_forgets_and_then_needs_no_updates() {
    let mut queue = pie(PieParameters::default());
    queue.state.probability = 0.05;
    let reached = held(&mut queue, Duration::ZERO, 75);
    for (update, expected) in [(1, 0.048_081_3), (2, 0.046_200_9), (3, 0.044_358_1)] {
        assert_close(reached[update - 1], expected);
    }
    let small = 1 + reached.iter().position(|it| *it < 1e-6).expect("it decays");
    assert_eq!(small, 69);
    assert!(reached[74].abs() < f64::MIN_POSITIVE);
    assert_eq!(queue.next_tick(), None);
    // A packet wakes it: the next update is at the next multiple of 15 ms.
    let now = Time::ZERO + Duration::from_secs(1_000);
    queue.admit(&arrival(now, 0));
    let next = queue.next_tick().map(|next| next.since(now));
    assert_eq!(next, Some(Duration::from_millis(5)));
}

/// With a probability of 1/8: nothing is dropped before the seventh packet after a drop (6/8 <
/// 0.85), and the 68th surely is (68/8 = 8.5).
#[test]
fn drops_keep_a_distance_where_they_are_derandomized() {
    let parameters = PieParameters {
        derandomize: true,
        ..PieParameters::default()
    };
    let mut queue = pie(parameters);
    queue.state.probability = 0.125;
    queue.state.delay = Duration::from_millis(20);
    queue.state.burst = Duration::ZERO;
    let mut distance = 0_u32;
    let (mut least, mut most) = (u32::MAX, 0);
    for _ in 0..100_000 {
        distance += 1;
        if queue.admit(&arrival(Time::ZERO, 50)) != Verdict::Queue {
            (least, most) = (least.min(distance), most.max(distance));
            distance = 0;
        }
    }
    assert_eq!(least, 7);
    assert!((30..=68).contains(&most), "{most}");
    queue.state.accumulated = 8.375;
    assert_ne!(queue.admit(&arrival(Time::ZERO, 50)), Verdict::Queue);
}

/// A burst of 150 ms passes untouched, ten updates; short queues and short delays always do.
#[test]
fn bursts_and_short_queues_are_spared() {
    let mut queue = pie(PieParameters::default());
    queue.admit(&arrival(Time::ZERO, 0));
    held(&mut queue, Duration::from_secs(1), 9);
    queue.state.probability = 1.0;
    assert_eq!(queue.admit(&arrival(Time::ZERO, 50)), Verdict::Queue);
    held(&mut queue, Duration::from_secs(1), 1);
    let early = Verdict::Drop(DropReason::Early);
    assert_eq!(queue.admit(&arrival(Time::ZERO, 3)), early);
    assert_eq!(queue.admit(&arrival(Time::ZERO, 2)), Verdict::Queue);
    queue.state.delay = Duration::from_micros(7_499);
    assert_eq!(queue.admit(&arrival(Time::ZERO, 50)), early);
    queue.state.probability = 0.199_999;
    assert!((0..100).all(|_| queue.admit(&arrival(Time::ZERO, 50)) == Verdict::Queue));
}

/// RFC 8033 §5.1: what understands ECN is marked while the probability is below 10 %.
#[test]
fn marks_give_way_to_drops_at_ten_percent() {
    let mut queue = pie(PieParameters {
        ecn: true,
        ..PieParameters::default()
    });
    queue.state.burst = Duration::ZERO;
    queue.state.delay = Duration::from_millis(20);
    let mut signals = |probability: f64, ecn| {
        queue.state.probability = probability;
        let packet = Arrival {
            ecn,
            ..arrival(Time::ZERO, 50)
        };
        let verdicts = (0..1_000).map(|_| queue.admit(&packet));
        verdicts
            .filter(|it| *it != Verdict::Queue)
            .max_by_key(|it| *it == Verdict::Mark)
    };
    let early = Some(Verdict::Drop(DropReason::Early));
    assert_eq!(signals(0.099, Ecn::Ect0), Some(Verdict::Mark));
    assert_eq!(signals(0.099, Ecn::NotEct), early);
    assert_eq!(signals(0.1, Ecn::Ect0), early);
}

/// What became of 400 packets of 1000 B, one each 10 ms, with a rate of one in `served`
/// milliseconds: early drops, drops for want of room, marks; all over twenty seeds.
fn ns3(parameters: PieParameters, served: u64, ecn: Ecn) -> (u64, u64, u64) {
    let runs = (1..=20).map(|seed| ns3_once(parameters, served, ecn, seed));
    runs.fold((0, 0, 0), |sum, run| {
        (sum.0 + run.0, sum.1 + run.1, sum.2 + run.2)
    })
}

fn ns3_once(parameters: PieParameters, served: u64, ecn: Ecn, seed: u64) -> (u64, u64, u64) {
    #[derive(Default)]
    struct Count(u64, u64);
    impl Hosts<()> for Count {
        fn on_packet(&mut self, _: &mut Network<()>, _: u32, _: Packet<()>) {}
        fn on_timer(&mut self, _: &mut Network<()>, _: TimerId) {}
        fn on_gone(&mut self, _: &Packet<()>, gone: Gone) {
            match gone {
                Gone::Dropped(DropReason::Early) => self.0 += 1,
                Gone::Dropped(DropReason::Full) => self.1 += 1,
                Gone::Lost => panic!("nothing is lost here"),
            }
        }
    }
    let mut network = Network::new(Window {
        from: Time::ZERO,
        to: Time::MAX,
    });
    let queue = Pie::new(parameters, Limit::Packets(300), Stream::named(seed, "pie"));
    let rate = Rate::from_bytes_over(Bytes(1_000), Duration::from_millis(served));
    let link = Link::new(Some(rate), Duration::ZERO).with_queue(Queue::at_arrival(queue));
    let link = network.add_link(link);
    let route = network.add_route(&[link], 0);
    let mut count = Count::default();
    for step in 0..400 {
        network.run(&mut count, Time::ZERO + Duration::from_millis(10) * step);
        let mut packet = Packet::new(0, Bytes(1_000), ());
        packet.ecn = ecn;
        network.send(&mut count, route, packet);
    }
    (count.0, count.1, network.link(link).statistics().marks)
}

#[test]
fn ns3s_test_of_pie() {
    let base = PieParameters {
        target: Duration::from_millis(20),
        update: Duration::from_millis(30),
        max_burst: Duration::from_millis(100),
        mean_packet_size: Bytes(1_000),
        ..PieParameters::default()
    };
    let early = |parameters, served| ns3(parameters, served, Ecn::NotEct).0;
    let (drops, full, marks) = ns3(base, 12, Ecn::NotEct);
    assert!(drops > 0 && full == 0 && marks == 0, "{drops}, {full}");
    let target = Duration::from_millis(80);
    assert!(early(PieParameters { target, ..base }, 12) < drops);
    assert!(early(base, 15) > drops);
    let update = Duration::from_millis(90);
    assert!(early(PieParameters { update, ..base }, 12) < drops);
    let marking = PieParameters {
        ecn: true,
        max_mark_probability: 0.3,
        ..base
    };
    let (drops, _, marks) = ns3(marking, 14, Ecn::Ect0);
    assert!(drops > 0 && marks > 0, "{drops} drops, {marks} marks");
}
