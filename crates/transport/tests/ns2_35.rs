//! Against ns-2.35, packet by packet.
//!
//! A source sends through 10 Mb/s and 2 ms to a bottleneck of 1.5 Mb/s, and from there through
//! 10 Mb/s and 2 ms to the sink; ACKs go the same way back. `data/ns2_35_sends.csv` holds the
//! first packets that ns-2.35 (Debian 2.35+dfsg-5) sends, to the microsecond.
//!
//! * `four-drops`: bottleneck 50 ms, room for all, window 30; packets 60 to 63 are lost there.
//! * `short-queue`: bottleneck 10 ms, 9 waiting packets, window 100.
//! * `lossy`: bottleneck 10 ms, room for all, window 30, initial window 4, ECN; many packets are
//!   lost, the first with data among them, and others arrive marked.
//!
//! Agents as ns-2 has them by default, packets of 1000 + 40 bytes, from a SYN at time zero.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use controllers::Registry;
use transport::ns2::{Sender, Sink, Window, setup};
use transport::{ReceiverConfig, Recovery, SackBlock, SenderConfig, Transmit};
use units::{Bytes, Duration, Ecn, Rate, Time};

struct Scenario {
    name: &'static str,
    delay: Duration,
    /// Waiting packets.
    queue: usize,
    window: u64,
    initial_window: u64,
    /// Packets lost before the bottleneck, counted there.
    lost: &'static [u64],
    /// Packets marked as they leave the source, counted there; `None`: no ECN.
    marked: Option<&'static [u64]>,
    end: Duration,
}

const FOUR_DROPS: Scenario = Scenario {
    name: "four-drops",
    delay: Duration::from_millis(50),
    queue: 99,
    window: 30,
    initial_window: 2,
    lost: &[60, 61, 62, 63],
    marked: None,
    end: Duration::from_millis(2_500),
};

const SHORT_QUEUE: Scenario = Scenario {
    name: "short-queue",
    delay: Duration::from_millis(10),
    queue: 9,
    window: 100,
    initial_window: 2,
    lost: &[],
    marked: None,
    end: Duration::from_millis(1_500),
};

const LOSSY: Scenario = Scenario {
    name: "lossy",
    delay: Duration::from_millis(10),
    queue: 99,
    window: 30,
    initial_window: 4,
    lost: &[
        1, 7, 17, 27, 30, 31, 33, 34, 36, 38, 41, 49, 60, 63, 67, 83, 111, 161, 197, 212, 219, 226,
        246, 277, 303, 309, 343,
    ],
    marked: Some(&[
        11, 38, 44, 46, 49, 78, 99, 102, 103, 107, 131, 180, 203, 233, 264, 285, 301, 305, 319,
        336, 337, 345, 354, 364, 377,
    ]),
    end: Duration::from_secs(5),
};

/// `boot_time_`: where in a tick the clock of an agent stands, drawn from ns-2's default stream.
/// The draw that follows the agent's making: 0.555880715864 of a tick of 10 ms.
const CLOCK_PHASE: Duration = Duration::from_picos(5_558_807_158);

fn reno(config: &SenderConfig) -> Window {
    let registry = Registry::standard();
    let controller = registry.get("reno").expect("a standard controller");
    let parameters = controller.resolve(&BTreeMap::new()).expect("valid");
    Window::new(controller, &parameters, &setup(config))
}

struct Link {
    rate: Rate,
    delay: Duration,
    room: usize,
    waiting: VecDeque<Packet>,
    busy: bool,
}

#[derive(Clone, Debug)]
struct Packet {
    transmit: Transmit,
    blocks: Vec<SackBlock>,
}

/// In the order in which things happen at the same time: what was scheduled first.
struct Path {
    links: [Link; 6],
    events: BinaryHeap<Reverse<(Time, u64, usize, bool)>>,
    /// In transmission or propagation, by link: first in, first out.
    flying: [VecDeque<Packet>; 6],
    scheduled: u64,
}

impl Path {
    fn new(scenario: &Scenario) -> Self {
        let link = |rate, delay, room| Link {
            rate,
            delay,
            room,
            waiting: VecDeque::new(),
            busy: false,
        };
        let access = || link(Rate::mbit_per_s(10), Duration::from_millis(2), 999);
        let bottleneck = |room| link(Rate::kbit_per_s(1_500), scenario.delay, room);
        Self {
            links: [
                access(),
                bottleneck(scenario.queue),
                access(),
                access(),
                bottleneck(999),
                access(),
            ],
            events: BinaryHeap::new(),
            flying: Default::default(),
            scheduled: 0,
        }
    }

    fn schedule(&mut self, at: Time, link: usize, arrival: bool) {
        self.scheduled += 1;
        self.events
            .push(Reverse((at, self.scheduled, link, arrival)));
    }

    fn enqueue(&mut self, now: Time, link: usize, packet: Packet) {
        if self.links[link].waiting.len() >= self.links[link].room {
            return;
        }
        self.links[link].waiting.push_back(packet);
        if !self.links[link].busy {
            self.transmit_next(now, link);
        }
    }

    fn transmit_next(&mut self, now: Time, link: usize) {
        let this = &mut self.links[link];
        let next = this.waiting.pop_front();
        this.busy = next.is_some();
        if let Some(packet) = next {
            let sent = now + this.rate.time_for(packet.transmit.size);
            let there = sent + this.delay;
            self.flying[link].push_back(packet);
            self.schedule(there, link, true);
            self.schedule(sent, link, false);
        }
    }
}

/// The packets that the source sends before the scenario's end: microseconds and number.
fn sends(
    scenario: &Scenario,
    recovery: Recovery,
    delayed_ack: Option<Duration>,
) -> Vec<(u64, u64)> {
    let mut config = SenderConfig::ns2(recovery, Bytes(1_040), scenario.window);
    config.rto.phase = CLOCK_PHASE;
    config.initial_window = scenario.initial_window;
    config.ecn = scenario.marked.is_some();
    let window = reno(&config);
    let mut sender = Sender::new(config, window);
    let mut receiver = Sink::new(ReceiverConfig {
        delayed_ack,
        sack: recovery == Recovery::Sack,
        ecn: scenario.marked.is_some(),
        ..ReceiverConfig::default()
    });
    let mut path = Path::new(scenario);
    let mut sends = vec![];
    let mut at_bottleneck = 0;
    let mut now = Time::ZERO;
    sender.start();
    sender.supply(u64::MAX);
    loop {
        while let Some(mut transmit) = sender.poll_transmit(now) {
            let count = sends.len() as u64;
            let marked = scenario.marked.unwrap_or_default().contains(&count);
            if marked && transmit.ecn.is_capable() {
                transmit.ecn = Ecn::Ce;
            }
            let micros = (now.as_picos() + 500_000) / 1_000_000;
            sends.push((micros, transmit.segment.number));
            let blocks = vec![];
            path.enqueue(now, 0, Packet { transmit, blocks });
        }
        let timers = [sender.next_timer(), receiver.next_timer()];
        let timer = timers.into_iter().flatten().min().unwrap_or(Time::MAX);
        let next = path
            .events
            .peek()
            .map_or(Time::MAX, |Reverse((at, ..))| *at);
        now = next.min(timer);
        if now >= Time::ZERO + scenario.end {
            return sends;
        }
        let answer = |receiver: &Sink, transmit| Packet {
            transmit,
            blocks: receiver.sack_blocks().to_vec(),
        };
        if timer < next {
            sender.on_timer(now);
            if let Some(ack) = receiver.on_timer(now) {
                path.enqueue(now, 3, answer(&receiver, ack));
            }
            continue;
        }
        let Some(Reverse((_, _, link, arrival))) = path.events.pop() else {
            return sends;
        };
        if !arrival {
            path.transmit_next(now, link);
            continue;
        }
        let packet = path.flying[link].pop_front().expect("it was sent");
        match link {
            0 => {
                if !scenario.lost.contains(&at_bottleneck) {
                    path.enqueue(now, 1, packet);
                }
                at_bottleneck += 1;
            }
            2 => {
                let transmit = packet.transmit;
                let delivery = receiver.on_segment(now, &transmit.segment, transmit.ecn);
                if let Some(ack) = delivery.ack {
                    path.enqueue(now, 3, answer(&receiver, ack));
                }
            }
            5 => sender.on_segment(now, &packet.transmit.segment, &packet.blocks),
            _ => path.enqueue(now, link + 1, packet),
        }
    }
}

/// What ns-2.35 sends.
fn reference(scenario: &str, agent: &str) -> Vec<(u64, u64)> {
    include_str!("data/ns2_35_sends.csv")
        .lines()
        .skip(1)
        .filter_map(|line| {
            let fields: Vec<_> = line.split(',').collect();
            let number = |index: usize| fields[index].parse().expect("a number");
            (fields[0] == scenario && fields[1] == agent).then(|| (number(2), number(3)))
        })
        .collect()
}

/// All times within a microsecond, to which ns-2's trace is rounded.
fn same(scenario: &Scenario, agent: &str, recovery: Recovery, delayed_ack: Option<Duration>) {
    let (ours, theirs) = (
        sends(scenario, recovery, delayed_ack),
        reference(scenario.name, agent),
    );
    assert!(theirs.len() > 150, "{} rows", theirs.len());
    for (index, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
        assert!(
            ours.1 == theirs.1 && ours.0.abs_diff(theirs.0) <= 1,
            "{} {agent}: packet {index} is {ours:?}, in ns-2 {theirs:?}",
            scenario.name
        );
    }
    assert_eq!(ours.len(), theirs.len(), "{} {agent}", scenario.name);
}

#[test]
fn old_tahoe() {
    // `Agent/TCP` with `noFastRetrans_` true and `singledup_` 0.
    same(&FOUR_DROPS, "oldtahoe", Recovery::OldTahoe, None);
}

#[test]
fn tahoe() {
    same(&FOUR_DROPS, "tahoe", Recovery::Tahoe, None);
    same(&SHORT_QUEUE, "tahoe", Recovery::Tahoe, None);
    same(&LOSSY, "tahoe", Recovery::Tahoe, None);
}

#[test]
fn reno_agent() {
    same(&FOUR_DROPS, "reno", Recovery::Reno, None);
    same(&SHORT_QUEUE, "reno", Recovery::Reno, None);
    same(&LOSSY, "reno", Recovery::Reno, None);
}

#[test]
fn new_reno() {
    same(&FOUR_DROPS, "newreno", Recovery::NewReno, None);
    same(&SHORT_QUEUE, "newreno", Recovery::NewReno, None);
    same(&LOSSY, "newreno", Recovery::NewReno, None);
}

#[test]
fn sack() {
    same(&FOUR_DROPS, "sack", Recovery::Sack, None);
    same(&SHORT_QUEUE, "sack", Recovery::Sack, None);
    same(&LOSSY, "sack", Recovery::Sack, None);
}

#[test]
fn new_reno_with_delayed_acks() {
    let delay = Some(Duration::from_millis(100));
    same(&FOUR_DROPS, "newreno_delack", Recovery::NewReno, delay);
    same(&SHORT_QUEUE, "newreno_delack", Recovery::NewReno, delay);
}
