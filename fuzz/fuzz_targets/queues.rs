//! Any sequence of packets at any queue: each is sent or dropped once, no limit is passed, packets
//! of a flow stay in order, only what understands marks is marked; and it does not matter when
//! a link decides, or who looks.
//!
//! `cargo +nightly fuzz run queues corpus/queues`

#![no_main]

use libfuzzer_sys::fuzz_target;
use netsim::queues::{
    CoDel, CoDelParameters, ControlLaw, DropTail, Fifo, Flows, FqCoDel, FqCoDelParameters, Limit,
    LinkFacts, Marking, Pie, PieParameters, Queue, Red, RedParameters, Victim,
};
use netsim::random::Stream;
use netsim::{Gone, Hosts, Link, Network, Packet, TimerId, Window};
use units::{Bytes, Duration, Ecn, Rate, Time};

/// What is left of the input; zeros behind its end.
#[derive(Clone, Copy)]
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    fn number(&mut self) -> u64 {
        u64::from(self.byte()) << 8 | u64::from(self.byte())
    }

    fn micros(&mut self) -> Duration {
        Duration::from_micros(self.number())
    }
}

/// A queue, and how many packets and bytes may wait in it.
fn queue(input: &mut Input<'_>, link: LinkFacts) -> (Queue, u64, u64) {
    let random = Stream::named(input.number(), "queue");
    let packets = 1 + u64::from(input.byte());
    let bytes = 1 + input.number();
    let limit = if input.flag() {
        Limit::Packets(packets)
    } else {
        Limit::Bytes(Bytes(bytes))
    };
    let bounds = match limit {
        Limit::Packets(packets) => (packets, u64::MAX),
        _ => (u64::MAX, bytes),
    };
    let codel = CoDelParameters {
        target: input.micros(),
        interval: input.micros() + Duration::from_micros(1),
        mtu: Bytes(input.number()),
        ecn: input.flag(),
        ce_threshold: input.flag().then(|| input.micros()),
        l4s: input.flag(),
        control_law: if input.flag() {
            ControlLaw::Exact
        } else {
            ControlLaw::Newton
        },
    };
    let (queue, bounds) = match input.byte() % 8 {
        0 => (Queue::DropTail(DropTail::new(limit)), bounds),
        1 => {
            let threshold = u64::from(input.byte());
            let queue = Marking::new(DropTail::new(limit), threshold);
            (Queue::at_arrival(queue), bounds)
        }
        2 => {
            let parameters = RedParameters {
                limit: Some(packets),
                ecn: input.flag(),
                wait: input.flag(),
                ..RedParameters::default()
            };
            // In bytes, of the mean size; the last packet may reach over it.
            let most = packets * parameters.mean_packet_size.0 + 1_500;
            let queue = Red::new(parameters, link, random);
            (Queue::at_arrival(queue), (u64::MAX, most))
        }
        3 => {
            let parameters = PieParameters {
                target: input.micros() + Duration::from_micros(1),
                update: input.micros() + Duration::from_micros(1),
                ecn: input.flag(),
                derandomize: input.flag(),
                cap_increase: input.flag(),
                ..PieParameters::default()
            };
            (Queue::at_arrival(Pie::new(parameters, limit, random)), bounds)
        }
        4 => (Queue::at_departure(Fifo::new(limit, Victim::Newest)), bounds),
        5 => (Queue::at_departure(Fifo::new(limit, Victim::Oldest)), bounds),
        6 => (Queue::at_departure(CoDel::new(codel, limit)), bounds),
        _ => {
            let parameters = FqCoDelParameters {
                codel,
                flows: if input.flag() {
                    Flows::Apart
                } else {
                    Flows::Hashed {
                        queues: 1 + u32::from(input.byte()),
                        salt: input.number(),
                    }
                },
                quantum: Bytes(1 + input.number()),
                limit: packets,
                memory_limit: Bytes(bytes),
                drop_batch: u64::from(input.byte()),
            };
            let queue = Queue::at_departure(FqCoDel::new(parameters));
            (queue, (packets, bytes))
        }
    };
    (queue, bounds.0, bounds.1)
}

#[derive(Debug, Default, PartialEq)]
struct Run {
    /// Flow and ECN field as it was sent.
    sent: Vec<(u32, Ecn)>,
    arrived: Vec<(Time, usize, Ecn)>,
    gone: Vec<usize>,
    bytes_gone: u64,
}

impl Hosts<usize> for Run {
    fn on_packet(&mut self, network: &mut Network<usize>, _: u32, packet: Packet<usize>) {
        let (flow, ecn) = self.sent[packet.payload];
        assert_eq!(flow, packet.flow);
        assert!(packet.ecn == ecn || (packet.ecn == Ecn::Ce && ecn.is_capable()));
        let now = network.now();
        self.arrived.push((now, packet.payload, packet.ecn));
    }

    fn on_timer(&mut self, _: &mut Network<usize>, _: TimerId) {}

    fn on_gone(&mut self, packet: &Packet<usize>, _: Gone) {
        self.gone.push(packet.payload);
        self.bytes_gone += packet.size().0;
    }
}

/// `within`: how late the link may decide; `looks`: whether somebody looks at each arrival.
fn run(mut input: Input<'_>, within: Duration, looks: bool) -> Run {
    let facts = LinkFacts {
        rate: Rate::bits_per_s(1_000 * (1 + input.number())),
        delay: input.micros(),
    };
    let (queue, most_packets, most_bytes) = queue(&mut input, facts);
    let mut network = Network::new(Window {
        from: Time::ZERO,
        to: Time::MAX,
    });
    let link = Link::new(Some(facts.rate), facts.delay).with_queue(queue);
    let link = network.add_link(link.decided_within(within));
    let route = network.add_route(&[link], 0);
    let mut run = Run::default();
    let mut now = Time::ZERO;
    let mut bytes = 0;
    while !input.0.is_empty() {
        now += input.micros();
        network.run(&mut run, now);
        let flow = u32::from(input.byte() % 8);
        let size = 40 + u64::from(input.byte()) * 1_460 / 255;
        let ecn = [Ecn::NotEct, Ecn::Ect0, Ecn::Ect1, Ecn::Ce][usize::from(input.byte() % 4)];
        let mut packet = Packet::new(flow, Bytes(size), run.sent.len());
        packet.ecn = ecn;
        run.sent.push((flow, ecn));
        bytes += size;
        network.send(&mut run, route, packet);
        if looks {
            let link = network.link(link);
            assert!(link.waiting_at(now) <= most_packets);
            assert!(bytes - run.bytes_gone - link.bytes_begun_at(now) <= most_bytes);
            assert_eq!(link.statistics().drops, run.gone.len() as u64);
            link.queue_variables(&mut |_, value| assert!(value.is_finite()));
        }
    }
    network.run(&mut run, now + Duration::from_secs(1_000_000));
    assert_eq!(network.in_flight(), 0);
    assert_eq!(run.arrived.len() + run.gone.len(), run.sent.len());
    let mut last = [None; 8];
    for (_, number, _) in &run.arrived {
        let before = last[run.sent[*number].0 as usize].replace(*number);
        assert!(before < Some(*number));
    }
    run
}

fuzz_target!(|bytes: &[u8]| {
    let input = Input(bytes);
    let late = run(input, Duration::MAX, false);
    let at_once = run(input, Duration::ZERO, true);
    assert_eq!(late.arrived, at_once.arrived);
    assert_eq!(late.gone, at_once.gone);
});
