//! The sink (`Agent/TCPSink`, with `Sacker` and `DelAckSink`): puts segments in order and acknowledges
//! them.
//!
//! Differs from [`TcpReceiver`](crate::TcpReceiver): SACK blocks are a stack of three; the ACK of a
//! segment may wait when that is the highest that arrived, also when it is a duplicate or filled a
//! hole; segment 0, which is taken for a SYN, never waits, and its ACK agrees on ECN by an echo; marks
//! count together that arrive under one ACK.

use units::{Bytes, Duration, Ecn, Time};

use super::sacker::Sacker;
use crate::config::ReceiverConfig;
use crate::reassembly::{Arrived, Reassembly};
use crate::receiver::{BLOCK_SIZE, Delivery, RecentTimestamp};
use crate::segment::{Flags, SackBlock, Segment, SegmentKind, Transmit};

/// A TCP sink of ns-2.35's.
#[derive(Debug)]
pub struct Sink {
    reassembly: Reassembly,
    ack_size: Bytes,
    /// Of a data segment.
    pub(crate) payload: Bytes,
    delayed_ack: Option<Duration>,
    /// An ACK echoes the marks that arrived since the last one, and no others.
    accurate_ecn: bool,
    /// With ECN: what is known of marks.
    marks: Option<Marks>,
    sacker: Option<Box<Sacker>>,
    recent: RecentTimestamp,
    /// What the last ACK said.
    last_ack: u64,
    /// When a waiting ACK is sent at last.
    deadline: Option<Time>,
    /// Data segments that had arrived before.
    pub(crate) duplicates: u64,
    /// The ACK that leaves when it is asked for.
    pub(crate) answer: Option<Transmit>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    /// A mark is to be echoed until the sender says that it reduced.
    echo: bool,
    /// A mark arrived since the last ACK.
    arrived: bool,
    /// The sender said that it reduced since the last ACK.
    reduced: bool,
}

impl Sink {
    /// A sink that has seen nothing. It sends no reports of duplicates, whatever `config.d_sack`.
    pub fn new(config: ReceiverConfig) -> Self {
        Self {
            reassembly: Reassembly::default(),
            ack_size: config.ack_size,
            payload: config.payload,
            delayed_ack: config.delayed_ack,
            accurate_ecn: config.accurate_ecn,
            marks: config.ecn.then(Marks::default),
            sacker: config.sack.then(Box::default),
            recent: RecentTimestamp::default(),
            last_ack: 0,
            deadline: None,
            duplicates: 0,
            answer: None,
        }
    }

    /// A SYN or data arrived, with this ECN field.
    #[inline]
    pub fn on_segment(&mut self, now: Time, segment: &Segment, ecn: Ecn) -> Delivery {
        let kind = match segment.kind {
            SegmentKind::Data => SegmentKind::Ack,
            SegmentKind::Syn => SegmentKind::SynAck,
            SegmentKind::SynAck
            | SegmentKind::Ack
            | SegmentKind::SourceQuench
            | SegmentKind::Datagram => {
                return Delivery {
                    in_order: 0,
                    duplicate: false,
                    ack: None,
                };
            }
        };
        self.recent.note(segment, self.last_ack);
        if kind == SegmentKind::Ack
            && let Some(marks) = &mut self.marks
        {
            marks.note(segment, ecn);
        }
        let arrived = self.reassembly.insert(segment.number);
        let ack = if self.may_wait(segment.number) {
            self.deadline = self.delayed_ack.map(|delay| now.saturating_add(delay));
            None
        } else {
            Some(self.acknowledge(segment.number, kind))
        };
        Delivery {
            in_order: match arrived {
                Arrived::InOrder(segments) if kind == SegmentKind::Ack => segments,
                _ => 0,
            },
            duplicate: arrived == Arrived::Duplicate,
            ack,
        }
    }

    /// To be called at or after [`next_timer`](Self::next_timer); harmless when early.
    pub fn on_timer(&mut self, now: Time) -> Option<Transmit> {
        if self.deadline? > now {
            return None;
        }
        let newest = self.reassembly.next().saturating_sub(1);
        Some(self.acknowledge(newest, SegmentKind::Ack))
    }

    /// Segments that arrived and wait for earlier ones.
    pub fn waiting(&self) -> u64 {
        self.reassembly.waiting()
    }

    /// When a delayed ACK is due.
    #[inline]
    pub fn next_timer(&self) -> Option<Time> {
        self.deadline
    }

    /// The SACK blocks of the ACK just given, at most three, most recent first.
    #[inline]
    pub fn sack_blocks(&self) -> &[SackBlock] {
        self.sacker.as_deref().map_or(&[], Sacker::blocks)
    }

    /// Whether the ACK for a segment may wait for another one (`DelAckSink::recv`).
    #[inline]
    fn may_wait(&self, number: u64) -> bool {
        self.delayed_ack.is_some()
            && self.deadline.is_none()
            && number > 0
            && number.checked_add(1) == Some(self.reassembly.next())
            && !self.reassembly.has_holes()
    }

    #[inline]
    fn acknowledge(&mut self, number: u64, kind: SegmentKind) -> Transmit {
        self.deadline = None;
        self.last_ack = self.reassembly.next();
        let mut flags = self.recent.flag();
        if let Some(marks) = &mut self.marks {
            marks.arrived = false;
            marks.reduced = false;
            flags |= Flags::ECE.when(marks.echo || number == 0);
            marks.echo &= !self.accurate_ecn;
        }
        let mut size = self.ack_size;
        if let Some(sacker) = &mut self.sacker {
            sacker.report(&self.reassembly, number);
            size = size.saturating_add(BLOCK_SIZE * sacker.blocks().len() as u64);
        }
        Transmit {
            segment: Segment {
                kind,
                flags,
                number: self.last_ack,
                timestamp: self.recent.sent_at,
            },
            size,
            ecn: Ecn::NotEct,
        }
    }
}

impl Marks {
    fn note(&mut self, segment: &Segment, ecn: Ecn) {
        self.reduced |= segment.flags.contains(Flags::CWR);
        self.arrived |= ecn == Ecn::Ce;
        self.echo &= !self.reduced;
        self.echo |= self.arrived;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Time {
        Time::ZERO + Duration::from_millis(millis)
    }

    fn segment(kind: SegmentKind, number: u64, millis: u64) -> Segment {
        Segment {
            kind,
            flags: Flags::NONE,
            number,
            timestamp: at(millis),
        }
    }

    fn arrive(sink: &mut Sink, number: u64, millis: u64) -> Option<u64> {
        let data = segment(SegmentKind::Data, number, millis);
        let delivery = sink.on_segment(at(millis), &data, Ecn::NotEct);
        delivery.ack.map(|ack| ack.segment.number)
    }

    fn delaying() -> Sink {
        Sink::new(ReceiverConfig {
            delayed_ack: Some(Duration::from_millis(100)),
            ..ReceiverConfig::default()
        })
    }

    #[test]
    fn segment_0_is_acknowledged_at_once_and_the_highest_one_may_wait_again() {
        let mut sink = delaying();
        assert_eq!(arrive(&mut sink, 0, 0), Some(1));
        assert_eq!(arrive(&mut sink, 1, 0), None);
        assert_eq!(sink.next_timer(), Some(at(100)));
        assert_eq!(sink.on_timer(at(99)), None);
        let ack = sink.on_timer(at(100)).unwrap();
        assert_eq!(ack.segment.number, 2);
        assert_eq!(
            arrive(&mut sink, 1, 110),
            None,
            "a duplicate of the highest"
        );
    }

    #[test]
    fn the_ack_of_a_filled_hole_may_wait_where_that_is_the_highest() {
        let mut sink = delaying();
        arrive(&mut sink, 0, 0);
        assert_eq!(arrive(&mut sink, 2, 10), Some(1));
        assert_eq!(arrive(&mut sink, 4, 10), Some(1));
        // 1 fills up to 2: 3 is awaited, and 4 waits.
        assert_eq!(arrive(&mut sink, 1, 10), Some(3));
        assert_eq!(arrive(&mut sink, 3, 10), Some(5));
        assert_eq!(arrive(&mut sink, 5, 10), None);
    }

    #[test]
    fn the_syn_is_segment_0() {
        let mut sink = delaying();
        let syn = segment(SegmentKind::Syn, 0, 7);
        for again in [false, true] {
            let delivery = sink.on_segment(at(20), &syn, Ecn::NotEct);
            let ack = delivery.ack.unwrap().segment;
            assert_eq!((delivery.in_order, delivery.duplicate), (0, again));
            assert_eq!((ack.kind, ack.number), (SegmentKind::SynAck, 1));
            assert_eq!(ack.timestamp, at(7));
        }
    }

    /// Of two packets under one delayed ACK the first says that the window was reduced, the second
    /// arrives marked: one event, echoed. RFC 3168 would echo too; with the order turned round it
    /// would not, and here it does.
    #[test]
    fn marks_under_one_ack_count_together() {
        for marked_first in [false, true] {
            let mut sink = Sink::new(ReceiverConfig {
                delayed_ack: Some(Duration::from_millis(100)),
                ecn: true,
                ..ReceiverConfig::default()
            });
            let mut give = |number, reduced, ecn| {
                let data = Segment {
                    flags: Flags::CWR.when(reduced),
                    ..segment(SegmentKind::Data, number, 0)
                };
                let delivery = sink.on_segment(at(number), &data, ecn);
                let echoes = |ack: Transmit| ack.segment.flags.contains(Flags::ECE);
                delivery.ack.map(echoes)
            };
            assert_eq!(give(0, false, Ecn::NotEct), Some(true), "agrees on ECN");
            let [first, second] = if marked_first {
                [(false, Ecn::Ce), (true, Ecn::Ect0)]
            } else {
                [(true, Ecn::Ect0), (false, Ecn::Ce)]
            };
            assert_eq!(give(1, first.0, first.1), None);
            assert_eq!(give(2, second.0, second.1), Some(true));
            assert_eq!(give(3, false, Ecn::Ect0), None);
            assert_eq!(give(4, true, Ecn::Ect0), Some(false));
        }
    }
}
