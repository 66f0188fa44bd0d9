//! A small deterministic channel between one sender and one receiver.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use controllers::CongestionController;
use transport::{
    Flags, ReceiverConfig, SackBlock, SegmentKind, SenderConfig, TcpReceiver, TcpSender, Transmit,
};
use units::{Duration, Ecn, Time};

/// What goes wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faults {
    pub(crate) loss_percent: u64,
    pub(crate) ack_loss_percent: u64,
    pub(crate) reorder_percent: u64,
    pub(crate) duplicate_percent: u64,
    pub(crate) mark_percent: u64,
    /// Dark for 2 of every 7.3 s, from 0.5 s on: out of step with a timeout of 60 s.
    pub(crate) outages: bool,
}

impl Faults {
    pub(crate) const NONE: Self = Self {
        loss_percent: 0,
        ack_loss_percent: 0,
        reorder_percent: 0,
        duplicate_percent: 0,
        mark_percent: 0,
        outages: false,
    };
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transfer {
    pub(crate) complete: bool,
    pub(crate) delivered: u64,
    pub(crate) acknowledged: u64,
    pub(crate) packets_sent: u64,
    pub(crate) retransmits: u64,
    pub(crate) timeouts: u64,
    pub(crate) finished_at: Time,
}

/// A channel of 1 ms for each packet and 25 ms each way.
pub(crate) struct Channel {
    faults: Faults,
    random: u64,
    events: BinaryHeap<Reverse<(Time, u64, Event)>>,
    sequence: u64,
    busy_until: Time,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Data(Key),
    Ack(Key, Vec<(u64, u64)>),
}

/// A transmit in an order of its own, so that events can be sorted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u64, u8, u64, u8, u64, u8);

fn key(transmit: Transmit) -> Key {
    let segment = transmit.segment;
    Key(
        segment.number,
        segment.kind as u8,
        segment.timestamp.as_picos(),
        segment.flags.bits(),
        transmit.size.0,
        transmit.ecn as u8,
    )
}

fn transmit(key: &Key) -> Transmit {
    let kinds = [
        SegmentKind::Syn,
        SegmentKind::SynAck,
        SegmentKind::Data,
        SegmentKind::Ack,
    ];
    let all = [
        Flags::RETRANSMISSION,
        Flags::CWR,
        Flags::ECE,
        Flags::ECHOES_RETRANSMISSION,
    ];
    let mut flags = Flags::NONE;
    for flag in all {
        flags |= flag.when(key.3 & flag.bits() != 0);
    }
    Transmit {
        segment: transport::Segment {
            kind: kinds[usize::from(key.1)],
            flags,
            number: key.0,
            timestamp: Time::from_picos(key.2),
        },
        size: units::Bytes(key.4),
        ecn: match key.5 {
            0 => Ecn::NotEct,
            3 => Ecn::Ce,
            _ => Ecn::Ect0,
        },
    }
}

impl Channel {
    pub(crate) fn new(faults: Faults, seed: u64) -> Self {
        Self {
            faults,
            random: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1,
            events: BinaryHeap::new(),
            sequence: 0,
            busy_until: Time::ZERO,
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

    fn schedule(&mut self, at: Time, event: Event) {
        self.sequence += 1;
        self.events.push(Reverse((at, self.sequence, event)));
    }

    fn is_dark(&self, now: Time) -> bool {
        let cycle = now.as_picos() % Duration::from_millis(7_300).as_picos();
        let start = Duration::from_millis(500).as_picos();
        self.faults.outages && (start..start + Duration::from_secs(2).as_picos()).contains(&cycle)
    }

    fn delay(&mut self) -> Duration {
        let late = self.percent() < self.faults.reorder_percent;
        let extra = if late { self.percent() } else { 0 };
        Duration::from_millis(25 + extra)
    }

    /// Whether the packet is lost.
    fn send_data(&mut self, now: Time, packet: Transmit) -> bool {
        self.busy_until = self.busy_until.max(now) + Duration::from_millis(1);
        if self.percent() < self.faults.loss_percent || self.is_dark(now) {
            return true;
        }
        let mut packet = packet;
        if packet.ecn.is_capable() && self.percent() < self.faults.mark_percent {
            packet.ecn = Ecn::Ce;
        }
        let copies = 1 + u64::from(self.percent() < self.faults.duplicate_percent);
        for _ in 0..copies {
            let at = self.busy_until + self.delay();
            self.schedule(at, Event::Data(key(packet)));
        }
        false
    }

    fn send_ack(&mut self, now: Time, ack: Transmit, blocks: &[SackBlock]) {
        if self.percent() < self.faults.ack_loss_percent || self.is_dark(now) {
            return;
        }
        let at = now + self.delay();
        let blocks = blocks.iter().map(|b| (b.start, b.end)).collect();
        self.schedule(at, Event::Ack(key(ack), blocks));
    }

    pub(crate) fn run(
        mut self,
        sender: SenderConfig,
        controller: Box<dyn CongestionController>,
        receiver: ReceiverConfig,
        segments: u64,
    ) -> Transfer {
        let mut sender = TcpSender::new(sender, controller);
        let mut receiver = TcpReceiver::new(receiver);
        let mut delivered = 0;
        let mut now = Time::ZERO;
        let end = Time::ZERO + Duration::from_secs(100_000);
        sender.start(now);
        sender.supply(segments);
        while !sender.is_complete() && now < end {
            while let Some(packet) = sender.poll_transmit(now) {
                let lost = self.send_data(now, packet);
                if lost && packet.segment.kind == SegmentKind::Data {
                    sender.on_lost(packet.segment.number); // what a genie knows
                }
            }
            let timers = [sender.next_timer(), receiver.next_timer()];
            let timer = timers.into_iter().flatten().min();
            assert!(timer.is_none_or(|at| at >= now), "a timer in the past");
            let packet = self.events.peek().map(|Reverse((at, ..))| *at);
            let event = match (packet, timer) {
                (Some(packet), timer) if timer.is_none_or(|timer| packet <= timer) => {
                    now = packet;
                    self.events.pop().map(|Reverse((.., event))| event)
                }
                (_, Some(timer)) => {
                    now = timer;
                    None
                }
                _ => break,
            };
            match event {
                Some(Event::Data(packet)) => {
                    let packet = transmit(&packet);
                    let delivery = receiver.on_segment(now, &packet.segment, packet.ecn);
                    delivered += delivery.in_order;
                    if let Some(ack) = delivery.ack {
                        let blocks = receiver.sack_blocks().to_vec();
                        self.send_ack(now, ack, &blocks);
                    }
                }
                Some(Event::Ack(ack, blocks)) => {
                    let blocks: Vec<_> = blocks
                        .into_iter()
                        .map(|(start, end)| SackBlock { start, end })
                        .collect();
                    sender.on_segment(now, &transmit(&ack).segment, &blocks);
                }
                None => {
                    sender.on_timer(now);
                    if let Some(ack) = receiver.on_timer(now) {
                        let blocks = receiver.sack_blocks().to_vec();
                        self.send_ack(now, ack, &blocks);
                    }
                }
            }
        }
        let statistics = sender.statistics();
        Transfer {
            complete: sender.is_complete(),
            delivered,
            acknowledged: sender.acknowledged(),
            packets_sent: statistics.packets_sent,
            retransmits: statistics.retransmits,
            timeouts: statistics.timeouts,
            finished_at: now,
        }
    }
}
