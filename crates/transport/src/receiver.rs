//! The TCP receiver: puts segments in order and acknowledges them.
//!
//! Follows RFC 5681 §4.2 (when to acknowledge), RFC 2018 (SACK) with RFC 2883 (reports of
//! duplicates), RFC 7323 §4.3 (which timestamp to echo) and RFC 3168 §6.1.3 (echo of marks). With delayed ACKs a segment out of order, one that
//! fills a hole or leaves one open, a duplicate, and a SYN are acknowledged at once.

use units::{Bytes, Duration, Ecn, Time};

use crate::config::ReceiverConfig;
use crate::d_sack::DuplicateReports;
use crate::reassembly::{Arrived, Reassembly, SackHistory};
use crate::segment::{Flags, SackBlock, Segment, SegmentKind, Transmit};

/// A TCP receiver.
#[derive(Debug)]
pub struct TcpReceiver {
    reassembly: Reassembly,
    ack_size: Bytes,
    /// Of a data segment.
    payload: Bytes,
    delayed_ack: Option<Duration>,
    /// An ACK echoes the marks of the packets that it answers, and no others.
    accurate_ecn: bool,
    /// With ECN: what is known of marks.
    marks: Option<Marks>,
    sack: Option<Box<Sack>>,
    recent: RecentTimestamp,
    /// What the last ACK said (`Last.ACK.sent`).
    last_ack: u64,
    /// When a waiting ACK is sent at last.
    deadline: Option<Time>,
    /// Data segments that had arrived before.
    duplicates: u64,
    /// The ACK that leaves when it is asked for.
    pub(crate) answer: Option<Transmit>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    /// A mark is to be echoed until the sender says that it reduced.
    echo: bool,
}

/// The timestamp to echo (`TS.Recent`).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RecentTimestamp {
    pub(crate) sent_at: Time,
    /// It was a retransmission's.
    retransmission: bool,
}

#[derive(Debug)]
enum Sack {
    Blocks(SackHistory),
    Duplicates(DuplicateReports),
}

/// What became of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Data segments that the application now gets, in order.
    pub in_order: u64,
    /// The data had arrived before.
    pub duplicate: bool,
    /// The acknowledgement to send at once, if any.
    pub ack: Option<Transmit>,
}

impl TcpReceiver {
    /// A receiver that has seen nothing.
    pub fn new(config: ReceiverConfig) -> Self {
        let sack = (config.sack || config.d_sack).then(|| {
            Box::new(if config.d_sack {
                Sack::Duplicates(DuplicateReports::new(config.sack))
            } else {
                Sack::Blocks(SackHistory::default())
            })
        });
        Self {
            reassembly: Reassembly::default(),
            ack_size: config.ack_size,
            payload: config.payload,
            delayed_ack: config.delayed_ack,
            accurate_ecn: config.accurate_ecn,
            marks: config.ecn.then(Marks::default),
            sack,
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
        match segment.kind {
            SegmentKind::Data => {}
            SegmentKind::Syn => return self.on_syn(segment),
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
        }
        if let Some(marks) = &mut self.marks {
            marks.note(segment, ecn);
        }
        self.recent.note(segment, self.last_ack);
        let had_holes = self.reassembly.has_holes();
        let arrived = self.reassembly.insert(segment.number);
        let in_order = match arrived {
            Arrived::InOrder(segments) => segments,
            Arrived::OutOfOrder => 0,
            Arrived::Duplicate => {
                self.note_duplicate(segment.number);
                0
            }
        };
        let ack = if self.may_wait(arrived, had_holes) {
            self.deadline = self.delayed_ack.map(|delay| now.saturating_add(delay));
            self.report_nothing();
            None
        } else {
            Some(self.acknowledge(segment.number, SegmentKind::Ack))
        };
        Delivery {
            in_order,
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

    /// Payload of a data segment.
    #[inline]
    pub fn payload(&self) -> Bytes {
        self.payload
    }

    /// Segments that arrived and wait for earlier ones.
    pub fn waiting(&self) -> u64 {
        self.reassembly.waiting()
    }

    /// Data segments that arrived and had arrived before.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// When a delayed ACK is due.
    #[inline]
    pub fn next_timer(&self) -> Option<Time> {
        self.deadline
    }

    /// The SACK blocks of the ACK just given, at most three, most recent first.
    #[inline]
    pub fn sack_blocks(&self) -> &[SackBlock] {
        match self.sack.as_deref() {
            None => &[],
            Some(Sack::Blocks(history)) => history.blocks(),
            Some(Sack::Duplicates(reports)) => reports.blocks(),
        }
    }

    #[cold]
    fn on_syn(&mut self, segment: &Segment) -> Delivery {
        self.recent = RecentTimestamp::of(segment);
        Delivery {
            in_order: 0,
            duplicate: false,
            ack: Some(self.acknowledge(0, SegmentKind::SynAck)),
        }
    }

    /// Whether the ACK for a segment may wait for another one.
    #[inline]
    fn may_wait(&self, arrived: Arrived, had_holes: bool) -> bool {
        self.delayed_ack.is_some()
            && self.deadline.is_none()
            && matches!(arrived, Arrived::InOrder(_))
            && !had_holes
    }

    #[inline]
    fn acknowledge(&mut self, number: u64, kind: SegmentKind) -> Transmit {
        self.deadline = None;
        self.last_ack = self.reassembly.next();
        let mut flags = self.recent.flag();
        if let Some(marks) = &mut self.marks {
            flags |= Flags::ECE.when(marks.echo);
            marks.echo &= !self.accurate_ecn;
        }
        let mut size = self.ack_size;
        if let Some(sack) = self.sack.as_deref_mut() {
            let blocks = match sack {
                Sack::Blocks(history) if !self.reassembly.has_holes() => {
                    history.clear();
                    0
                }
                Sack::Blocks(history) => {
                    history.report(&self.reassembly, number);
                    history.blocks().len()
                }
                Sack::Duplicates(reports) => {
                    reports.report(&self.reassembly, number);
                    reports.blocks().len()
                }
            };
            size = size.saturating_add(BLOCK_SIZE * blocks as u64);
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

    /// No ACK leaves, so there are no blocks with it.
    #[inline]
    fn report_nothing(&mut self) {
        match self.sack.as_deref_mut() {
            Some(Sack::Blocks(history)) => history.clear(),
            Some(Sack::Duplicates(reports)) => reports.clear(),
            None => {}
        }
    }

    /// Segment `number` arrived again: the ACK that leaves now may say so.
    #[cold]
    fn note_duplicate(&mut self, number: u64) {
        self.duplicates += 1;
        if let Some(Sack::Duplicates(reports)) = self.sack.as_deref_mut() {
            reports.note(number);
        }
    }
}

impl Marks {
    /// RFC 3168 §6.1.3: a mark on the packet that carries CWR starts a new echo.
    #[inline]
    fn note(&mut self, segment: &Segment, ecn: Ecn) {
        self.echo &= !segment.flags.contains(Flags::CWR);
        self.echo |= ecn == Ecn::Ce;
    }
}

impl RecentTimestamp {
    /// That of `segment`.
    pub(crate) fn of(segment: &Segment) -> Self {
        Self {
            sent_at: segment.timestamp,
            retransmission: segment.flags.contains(Flags::RETRANSMISSION),
        }
    }

    /// RFC 7323 §4.3 (2): a timestamp counts when its segment is not beyond the last ACK.
    #[inline]
    pub(crate) fn note(&mut self, segment: &Segment, last_ack: u64) {
        if segment.timestamp >= self.sent_at && segment.number <= last_ack {
            *self = Self::of(segment);
        }
    }

    /// What an ACK that echoes it says of it.
    #[inline]
    pub(crate) fn flag(self) -> Flags {
        Flags::ECHOES_RETRANSMISSION.when(self.retransmission)
    }
}

/// Two 32-bit numbers (RFC 2018 §3).
pub(crate) const BLOCK_SIZE: Bytes = Bytes(8);

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Time {
        Time::ZERO + Duration::from_millis(millis)
    }

    fn data(number: u64, sent_ms: u64, flags: Flags) -> Segment {
        Segment {
            kind: SegmentKind::Data,
            flags,
            number,
            timestamp: at(sent_ms),
        }
    }

    fn arrive(receiver: &mut TcpReceiver, number: u64, millis: u64) -> Delivery {
        receiver.on_segment(at(millis), &data(number, millis, Flags::NONE), Ecn::NotEct)
    }

    fn number(ack: Option<Transmit>) -> Option<u64> {
        ack.map(|ack| ack.segment.number)
    }

    fn delaying() -> TcpReceiver {
        TcpReceiver::new(ReceiverConfig {
            delayed_ack: Some(Duration::from_millis(100)),
            ..ReceiverConfig::default()
        })
    }

    #[test]
    fn every_segment_is_acknowledged_and_blocks_cost_eight_bytes() {
        let mut receiver = TcpReceiver::new(ReceiverConfig::default());
        let first = arrive(&mut receiver, 0, 0);
        assert_eq!((first.in_order, number(first.ack)), (1, Some(1)));
        assert_eq!(first.ack.unwrap().size, Bytes(40));
        let third = arrive(&mut receiver, 2, 1);
        assert_eq!((third.in_order, number(third.ack)), (0, Some(1)));
        assert_eq!(third.ack.unwrap().size, Bytes(48));
        assert_eq!(receiver.sack_blocks(), [SackBlock { start: 2, end: 3 }]);
        let again = arrive(&mut receiver, 2, 2);
        assert!(again.duplicate && again.in_order == 0);
        let second = arrive(&mut receiver, 1, 3);
        assert_eq!((second.in_order, number(second.ack)), (2, Some(3)));
        assert!(receiver.sack_blocks().is_empty());
    }

    #[test]
    fn acks_wait_for_a_second_segment_or_the_timer() {
        let mut receiver = delaying();
        assert_eq!(arrive(&mut receiver, 0, 0).ack, None);
        assert_eq!(receiver.next_timer(), Some(at(100)));
        assert_eq!(number(arrive(&mut receiver, 1, 10).ack), Some(2));
        assert_eq!(receiver.next_timer(), None);
        assert_eq!(arrive(&mut receiver, 2, 20).ack, None);
        assert_eq!(receiver.on_timer(at(119)), None);
        assert_eq!(number(receiver.on_timer(at(120))), Some(3));
        assert_eq!(receiver.on_timer(at(200)), None);
    }

    #[test]
    fn out_of_order_segments_and_filled_holes_are_acknowledged_at_once() {
        let mut receiver = delaying();
        arrive(&mut receiver, 0, 0);
        receiver.on_timer(at(100));
        assert_eq!(number(arrive(&mut receiver, 2, 110).ack), Some(1));
        assert_eq!(number(arrive(&mut receiver, 4, 110).ack), Some(1));
        assert_eq!(number(arrive(&mut receiver, 1, 110).ack), Some(3));
        assert_eq!(number(arrive(&mut receiver, 3, 110).ack), Some(5));
        assert_eq!(arrive(&mut receiver, 5, 110).ack, None);
    }

    #[test]
    fn a_repeated_segment_is_acknowledged_at_once() {
        let mut receiver = delaying();
        arrive(&mut receiver, 0, 0);
        arrive(&mut receiver, 1, 0);
        receiver.on_timer(at(100));
        assert_eq!(number(arrive(&mut receiver, 1, 110).ack), Some(2));
    }

    /// RFC 7323 §4.3: of a delayed ACK the earlier timestamp, out of order the last one in order,
    /// for a filled hole that of the segment that filled it.
    #[test]
    fn the_right_timestamp_is_echoed() {
        let mut receiver = delaying();
        let mut echo = |number, sent_ms, flags| {
            let segment = data(number, sent_ms, flags);
            let ack = receiver
                .on_segment(at(sent_ms + 50), &segment, Ecn::NotEct)
                .ack;
            ack.map(|ack| (ack.segment.timestamp, ack.segment.flags))
        };
        assert_eq!(echo(0, 0, Flags::NONE), None);
        assert_eq!(echo(1, 5, Flags::NONE), Some((at(0), Flags::NONE)));
        assert_eq!(echo(2, 7, Flags::NONE), None);
        assert_eq!(echo(4, 9, Flags::NONE), Some((at(7), Flags::NONE)));
        assert_eq!(
            echo(3, 90, Flags::RETRANSMISSION),
            Some((at(90), Flags::ECHOES_RETRANSMISSION))
        );
    }

    #[test]
    fn a_mark_is_echoed_until_the_sender_has_reduced() {
        let mut receiver = TcpReceiver::new(ReceiverConfig {
            ecn: true,
            ..ReceiverConfig::default()
        });
        let mut echoes = |number, flags, ecn| {
            let delivery = receiver.on_segment(at(number), &data(number, 0, flags), ecn);
            delivery.ack.unwrap().segment.flags.contains(Flags::ECE)
        };
        assert!(!echoes(0, Flags::NONE, Ecn::Ect0));
        assert!(echoes(1, Flags::NONE, Ecn::Ce));
        assert!(echoes(2, Flags::NONE, Ecn::Ect0));
        assert!(!echoes(3, Flags::CWR, Ecn::Ect0));
        assert!(!echoes(4, Flags::NONE, Ecn::Ect0));
        // Marked itself: a new echo.
        assert!(echoes(5, Flags::CWR, Ecn::Ce));
        assert!(!echoes(6, Flags::CWR, Ecn::Ect0));
    }

    #[test]
    fn an_accurate_echo_tells_of_each_mark_once() {
        let mut receiver = TcpReceiver::new(ReceiverConfig {
            ecn: true,
            accurate_ecn: true,
            ..ReceiverConfig::default()
        });
        let mut echoes = |number, ecn| {
            let delivery = receiver.on_segment(at(number), &data(number, 0, Flags::NONE), ecn);
            delivery.ack.unwrap().segment.flags.contains(Flags::ECE)
        };
        let fields = [Ecn::Ect0, Ecn::Ce, Ecn::Ect0, Ecn::Ce, Ecn::Ce, Ecn::Ect0];
        let echoed: Vec<_> = (0..)
            .zip(fields)
            .map(|(number, ecn)| echoes(number, ecn))
            .collect();
        assert_eq!(echoed, [false, true, false, true, true, false]);
    }

    #[test]
    fn a_syn_is_answered_each_time_it_comes() {
        let syn = Segment {
            kind: SegmentKind::Syn,
            flags: Flags::NONE,
            number: 0,
            timestamp: at(7),
        };
        let mut receiver = delaying();
        for _ in 0..2 {
            let delivery = receiver.on_segment(at(20), &syn, Ecn::NotEct);
            let ack = delivery.ack.unwrap();
            assert_eq!(delivery.in_order, 0);
            assert_eq!(ack.segment.kind, SegmentKind::SynAck);
            assert_eq!((ack.segment.number, ack.segment.timestamp), (0, at(7)));
        }
    }
}
