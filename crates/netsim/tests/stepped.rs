//! Links that decide at departure: they do what links that decide at arrival do where both can,
//! and how late they decide changes nothing.

use netsim::delay::DelayModel;
use netsim::loss::Bernoulli;
use netsim::queues::{
    CoDel, CoDelParameters, DropTail, Fifo, FqCoDel, FqCoDelParameters, Limit, Queue, Victim,
};
use netsim::random::Stream;
use netsim::{
    Gone, Hosts, Link, LinkId, LinkStatistics, LossPlace, Network, Observation, Observed, Packet,
    RouteId, Schedule, TimerId, Window, Wire,
};
use units::{Bytes, Duration, Ecn, Rate, Time};

const WINDOW: Window = Window {
    from: Time::from_picos(300_000_000_000),
    to: Time::from_picos(4_000_000_000_000),
};

/// Senders with a window of packets each: a packet that arrives is answered at once, one that is
/// gone is made good after 50 ms.
#[derive(Default)]
struct Senders {
    routes: Vec<RouteId>,
    answers: Vec<RouteId>,
    sent: u64,
    arrived: Vec<(Time, u64, bool)>,
    answered: u64,
    gone: Vec<u64>,
    told: Vec<(Time, u64, Observed)>,
}

impl Senders {
    fn send(&mut self, network: &mut Network<u64>, flow: u32) {
        let size = if flow.is_multiple_of(3) { 600 } else { 1_500 };
        let mut packet = Packet::new(flow, Bytes(size), self.sent);
        if flow.is_multiple_of(2) {
            packet.ecn = Ecn::Ect0;
        }
        self.sent += 1;
        network.send(self, self.routes[flow as usize], packet);
    }
}

impl Hosts<u64> for Senders {
    const OBSERVES: bool = true;

    fn on_packet(&mut self, network: &mut Network<u64>, endpoint: u32, packet: Packet<u64>) {
        let flow = endpoint >> 1;
        if endpoint & 1 == 0 {
            let marked = packet.ecn == Ecn::Ce;
            self.arrived.push((network.now(), packet.payload, marked));
            let mut answer = Packet::new(flow, Bytes(40), packet.payload);
            answer.data = false;
            network.send(self, self.answers[flow as usize], answer);
        } else {
            self.answered += 1;
            self.send(network, flow);
            // Each seventh answer opens the window.
            if packet.payload.is_multiple_of(7) {
                self.send(network, flow);
            }
            network.set_timer(TimerId(flow), Some(network.now() + ms(100)));
        }
    }

    /// Nothing came for long: the window begins anew.
    fn on_timer(&mut self, network: &mut Network<u64>, timer: TimerId) {
        self.send(network, timer.0);
        network.set_timer(timer, Some(network.now() + ms(100)));
    }

    fn on_gone(&mut self, packet: &Packet<u64>, _gone: Gone) {
        self.gone.push(packet.payload);
    }

    fn observe(&mut self, observation: &Observation, packet: &Packet<u64>) {
        self.told
            .push((observation.time, packet.payload, observation.what));
    }
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const END: Time = Time::from_picos(5_000_000_000_000);
const FLOWS: u32 = 6;

/// Two links of 10 and 8 Mb/s in a row, with a link of 1 Mb/s for the answers; the second loses
/// packets on the wire, and its delay changes.
struct Setting {
    /// Of the first and second link and that of the answers.
    queues: [Queue; 3],
    delay: Duration,
    within: Duration,
    seed: u64,
    fused: bool,
    /// How often somebody looks.
    sampled: Option<Duration>,
}

struct Run {
    senders: Senders,
    statistics: [LinkStatistics; 3],
    waiting: [u64; 3],
    in_flight: u64,
    events: u64,
}

fn run(setting: Setting) -> Run {
    let Setting { delay, seed, .. } = setting;
    let mut network = Network::new(WINDOW);
    let mut senders = Senders::default();
    let [first, second, third] = setting.queues;
    let rate = |megabits| Some(Rate::mbit_per_s(megabits));
    let first = Link::new(rate(10), delay).with_queue(first);
    let first = network.add_link(first.decided_within(setting.within));
    let wires = [(); 2].map(|()| network.add_wire(Wire::new(None, ms(3))));
    let fast = network.add_wire(Wire::new(rate(100), ms(1)));
    let delays = Schedule::new(delay, vec![(Time::ZERO + ms(2_000), delay + ms(2))]);
    let loss = Bernoulli::new(0.01, Stream::named(seed, "loss"));
    let second = Link::new(rate(8), delay)
        .with_queue(second)
        .with_delay(DelayModel::from(delays))
        .with_loss(LossPlace::Exit, Box::new(loss));
    let second = network.add_link(second.decided_within(setting.within));
    let back = Link::new(rate(1), delay).with_queue(third);
    let back = network.add_link(back.decided_within(setting.within));
    network.set_timer_count(FLOWS as usize);
    for flow in 0..FLOWS {
        let mut random = Stream::indexed(seed, "access", flow.into());
        let [there, here] = [(); 2].map(|()| random.duration_between(ms(1), ms(20)));
        let there = network.add_wire(Wire::new(rate(100), there));
        let here = network.add_wire(Wire::new(None, here));
        // Every other flow passes a wire between the two links.
        let route: &[LinkId] = if flow.is_multiple_of(2) {
            &[there, first, wires[0], second, wires[1]]
        } else {
            &[there, first, fast, second]
        };
        senders.routes.push(network.add_route(route, flow << 1));
        let answers = network.add_route(&[here, back], flow << 1 | 1);
        senders.answers.push(answers);
        let start = Time::ZERO + random.duration_between(Duration::ZERO, ms(200));
        network.set_timer(TimerId(flow), Some(start));
    }
    if setting.fused {
        network.fuse();
    }
    let mut now = Time::ZERO;
    if let Some(every) = setting.sampled {
        while now < END {
            network.run(&mut senders, now);
            now += every;
            for link in [first, second, back].map(|id| network.link(id)) {
                let statistics = link.statistics();
                let out = statistics.packets_out + statistics.drops + statistics.lost;
                assert!(out <= statistics.packets_in);
            }
        }
    }
    network.run(&mut senders, END);
    let links = [first, second, back].map(|id| network.link(id));
    Run {
        statistics: links.map(Link::statistics),
        waiting: links.map(|link| link.waiting_at(END)),
        in_flight: network.in_flight(),
        events: network.events(),
        senders,
    }
}

fn setting(queue: fn(u64) -> Queue, delay: Duration, seed: u64) -> Setting {
    Setting {
        queues: [queue(20), queue(30), queue(25)],
        delay,
        within: Duration::MAX,
        seed,
        fused: true,
        sampled: None,
    }
}

fn at_arrival(packets: u64) -> Queue {
    Queue::DropTail(DropTail::new(Limit::Packets(packets)))
}

fn drop_tail(packets: u64) -> Queue {
    Queue::at_departure(Fifo::new(Limit::Packets(packets), Victim::Newest))
}

fn drop_head(packets: u64) -> Queue {
    Queue::at_departure(Fifo::new(Limit::Packets(packets), Victim::Oldest))
}

fn codel(packets: u64) -> Queue {
    let parameters = CoDelParameters {
        ecn: true,
        ..CoDelParameters::default()
    };
    Queue::at_departure(CoDel::new(parameters, Limit::Packets(packets)))
}

fn fq_codel(packets: u64) -> Queue {
    Queue::at_departure(FqCoDel::new(FqCoDelParameters {
        limit: packets,
        ..FqCoDelParameters::default()
    }))
}

/// What was told by the end, in order of time.
fn told(run: &Run) -> Vec<(Time, u64, String)> {
    let past = run.senders.told.iter().filter(|told| told.0 <= END);
    let mut told: Vec<_> = past
        .map(|(time, number, what)| (*time, *number, format!("{what:?}")))
        .collect();
    told.sort();
    told
}

fn assert_same(one: &Run, other: &Run, what: &str) {
    assert_eq!(one.senders.arrived, other.senders.arrived, "{what}");
    assert_eq!(told(one), told(other), "{what}");
    assert_eq!(one.waiting, other.waiting, "{what}");
}

#[test]
fn drop_tail_at_departure_is_drop_tail_at_arrival() {
    for seed in 1..=5 {
        for delay in [ms(0), ms(1), ms(50)] {
            for fused in [false, true] {
                let of = |queue| {
                    run(Setting {
                        fused,
                        ..setting(queue, delay, seed)
                    })
                };
                let [early, late] = [at_arrival, drop_tail].map(of);
                let what = format!("seed {seed}, {delay}, fused: {fused}");
                assert_same(&early, &late, &what);
                assert!(early.senders.arrived.len() > 2_000, "{what}");
                assert!(early.senders.gone.len() > 20, "{what}");
                for at in 0..3 {
                    let (early, late) = (early.statistics[at], late.statistics[at]);
                    // What still waits has yet to be counted, and lost perhaps.
                    let to_come = early.packets_out + early.lost - late.packets_out - late.lost;
                    assert_eq!(to_come, late_waiting(&late), "{what}");
                    let late = LinkStatistics {
                        packets_out: early.packets_out,
                        bytes_out: early.bytes_out,
                        lost: early.lost,
                        ..late
                    };
                    assert_eq!(early, late, "{what}");
                }
            }
        }
    }
}

fn late_waiting(statistics: &LinkStatistics) -> u64 {
    statistics.packets_in - statistics.packets_out - statistics.drops - statistics.lost
}

#[test]
fn how_late_a_link_decides_and_who_looks_changes_nothing() {
    for (name, queue) in [
        ("drop-tail", drop_tail as fn(u64) -> Queue),
        ("drop-head", drop_head),
        ("CoDel", codel),
        ("FQ-CoDel", fq_codel),
    ] {
        for seed in 1..=5 {
            for delay in [ms(0), ms(1), ms(50)] {
                let lazy = run(setting(queue, delay, seed));
                let what = format!("{name}, seed {seed}, {delay}");
                assert!(lazy.senders.gone.len() > 20, "{what}");
                let eager = run(Setting {
                    within: Duration::ZERO,
                    ..setting(queue, delay, seed)
                });
                assert_same(&lazy, &eager, &what);
                assert_eq!(lazy.statistics, eager.statistics, "{what}");
                if delay > ms(1) {
                    assert!(lazy.events < eager.events, "{what}");
                }
                for within in [Duration::MAX, Duration::ZERO] {
                    let seen = run(Setting {
                        within,
                        sampled: Some(ms(1)),
                        ..setting(queue, delay, seed)
                    });
                    assert_same(&lazy, &seen, &what);
                    assert_eq!(lazy.statistics, seen.statistics, "{what}");
                }
            }
        }
    }
}

#[test]
fn every_packet_is_somewhere() {
    for queue in [drop_tail, drop_head, codel, fq_codel] {
        let run = run(setting(queue, ms(10), 6));
        assert_eq!(run.statistics.map(|it| late_waiting(&it)), run.waiting);
        let gone: u64 = run.statistics.iter().map(|it| it.drops + it.lost).sum();
        assert_eq!(run.senders.gone.len() as u64, gone);
        // Each packet that arrives is answered by another.
        let arrived = run.senders.arrived.len() as u64;
        let sent = run.senders.sent + arrived;
        let accounted = arrived + run.senders.answered + gone + run.in_flight;
        assert_eq!(sent, accounted);
    }
}

/// 100 Mb/s, saturated for 10 s with packets of 1500 B (0.12 ms each), delay 20 ms: 83,333 packets
/// leave. While the link is busy its own event comes each time the delay and a packet's time have
/// passed: 10 s / 20.12 ms = 497 times.
#[test]
fn a_busy_link_has_one_event_for_each_delay_not_for_each_packet() {
    struct Sink(u64);
    impl Hosts<()> for Sink {
        fn on_packet(&mut self, _: &mut Network<()>, _: u32, _: Packet<()>) {
            self.0 += 1;
        }
        fn on_timer(&mut self, _: &mut Network<()>, _: TimerId) {}
        fn on_gone(&mut self, _: &Packet<()>, _: Gone) {
            panic!("there is room for all");
        }
    }
    let mut network = Network::new(WINDOW);
    let queue = Queue::at_departure(Fifo::new(Limit::None, Victim::Newest));
    let link = Link::new(Some(Rate::mbit_per_s(100)), ms(20)).with_queue(queue);
    let link = network.add_link(link);
    let route = network.add_route(&[link], 0);
    let mut sink = Sink(0);
    for _ in 0..90_000 {
        network.send(&mut sink, route, Packet::new(0, Bytes(1_500), ()));
    }
    network.run(&mut sink, Time::ZERO + Duration::from_secs(10));
    assert!((83_330..=83_334).contains(&network.link(link).statistics().packets_out));
    // Each packet that arrives is an event: 20 ms, or 166 packets, are still on the wire.
    assert!((83_160..=83_170).contains(&sink.0), "{}", sink.0);
    let own = network.events() - sink.0;
    assert!((450..=600).contains(&own), "{own}");
}
