//! A small deterministic channel between one sender and one receiver.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use transport::ns2;
use transport::{
    Delivery, Flags, SackBlock, Segment, SegmentKind, SenderStatistics, TcpReceiver, TcpSender,
    Transmit,
};
use units::{Duration, Ecn, Time};

/// The two ends of a connection.
pub(crate) enum Ends {
    Rfc(TcpSender, TcpReceiver),
    Ns2(ns2::Sender, ns2::Sink),
}

macro_rules! ends {
    ($self:expr, $sender:pat, $receiver:pat => $value:expr) => {
        match $self {
            Ends::Rfc($sender, $receiver) => $value,
            Ends::Ns2($sender, $receiver) => $value,
        }
    };
}

impl Ends {
    fn start(&mut self, segments: u64) {
        match self {
            Self::Rfc(sender, _) => sender.start(Time::ZERO),
            Self::Ns2(sender, _) => sender.start(),
        }
        ends!(self, sender, _ => sender.supply(segments));
    }
    fn poll_transmit(&mut self, now: Time) -> Option<Transmit> {
        ends!(self, sender, _ => sender.poll_transmit(now))
    }
    /// Only a genie knows.
    fn on_lost(&mut self, number: u64) {
        if let Self::Rfc(sender, _) = self {
            sender.on_lost(number);
        }
    }
    fn on_ack(&mut self, now: Time, segment: &Segment, blocks: &[SackBlock]) {
        ends!(self, sender, _ => sender.on_segment(now, segment, blocks));
    }
    fn on_data(&mut self, now: Time, packet: &Transmit) -> Delivery {
        ends!(self, _, receiver => receiver.on_segment(now, &packet.segment, packet.ecn))
    }
    fn blocks(&self) -> Vec<SackBlock> {
        ends!(self, _, receiver => receiver.sack_blocks().to_vec())
    }
    fn next_timer(&self) -> Option<Time> {
        let timers = ends!(self, sender, receiver => [sender.next_timer(), receiver.next_timer()]);
        timers.into_iter().flatten().min()
    }
    fn on_timer(&mut self, now: Time) -> Option<Transmit> {
        ends!(self, sender, _ => sender.on_timer(now));
        ends!(self, _, receiver => receiver.on_timer(now))
    }
    fn is_complete(&self) -> bool {
        ends!(self, sender, _ => sender.is_complete())
    }
    fn acknowledged(&self) -> u64 {
        ends!(self, sender, _ => sender.acknowledged())
    }
    fn statistics(&self) -> SenderStatistics {
        *ends!(self, sender, _ => sender.statistics())
    }
}

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
    /// Segments whose first transmission was lost.
    pub(crate) lost_segments: u64,
    /// Data segments that left while the channel was dark.
    pub(crate) dark_segments: u64,
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

    pub(crate) fn run(mut self, mut ends: Ends, segments: u64) -> Transfer {
        let mut delivered = 0;
        let mut lost_segments = 0;
        let mut dark_segments = 0;
        let mut now = Time::ZERO;
        let end = Time::ZERO + Duration::from_secs(100_000);
        ends.start(segments);
        while !ends.is_complete() && now < end {
            while let Some(packet) = ends.poll_transmit(now) {
                let lost = self.send_data(now, packet);
                let dark = self.is_dark(now) && packet.segment.kind == SegmentKind::Data;
                dark_segments += u64::from(dark);
                if lost && !packet.segment.flags.contains(Flags::RETRANSMISSION) {
                    lost_segments += u64::from(packet.segment.kind == SegmentKind::Data);
                }
                if lost && packet.segment.kind == SegmentKind::Data {
                    ends.on_lost(packet.segment.number);
                }
            }
            let timer = ends.next_timer();
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
                    let delivery = ends.on_data(now, &transmit(&packet));
                    delivered += delivery.in_order;
                    if let Some(ack) = delivery.ack {
                        self.send_ack(now, ack, &ends.blocks());
                    }
                }
                Some(Event::Ack(ack, blocks)) => {
                    let blocks: Vec<_> = blocks
                        .into_iter()
                        .map(|(start, end)| SackBlock { start, end })
                        .collect();
                    ends.on_ack(now, &transmit(&ack).segment, &blocks);
                }
                None => {
                    if let Some(ack) = ends.on_timer(now) {
                        self.send_ack(now, ack, &ends.blocks());
                    }
                }
            }
        }
        let statistics = ends.statistics();
        Transfer {
            complete: ends.is_complete(),
            delivered,
            lost_segments,
            dark_segments,
            acknowledged: ends.acknowledged(),
            packets_sent: statistics.packets_sent,
            retransmits: statistics.retransmits,
            timeouts: statistics.timeouts,
            finished_at: now,
        }
    }
}
