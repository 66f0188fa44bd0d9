//! What packets carry in the simulator.
//!
//! A packet in the network is small and plain. What does not fit into it stands out of line, and
//! the packet has its handle: SACK blocks, the headers of TFRC, the gaps of ACK vectors, bytes.

use transport::datagram::Sequence;
use transport::endpoint::Content;
use transport::tfrc::{TfrcData, TfrcFeedback};
use transport::tfwc::{Gap, TfwcAck, TfwcData};
use transport::{Flags, SackBlock, Segment, SegmentKind};
use units::Time;

/// The payload of a simulated packet: what its content says in few words, and the handle of the
/// rest. The fields stand side by side, so that a packet fits a cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Payload {
    number: u64,
    timestamp: Time,
    handle: u32,
    kind: Kind,
    flags: Flags,
}

/// What the content is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Segment(SegmentKind),
    TfrcData,
    TfrcFeedback,
    TfwcData,
    TfwcAck,
    Bytes { data: bool },
}

/// What stands out of line, of the packets on their way.
#[derive(Debug, Default)]
pub(super) struct Payloads {
    entries: Vec<Entry>,
    free: Vec<u32>,
}

#[derive(Clone, Debug)]
enum Entry {
    Blocks {
        blocks: [SackBlock; MOST_BLOCKS],
        count: u8,
    },
    Gaps {
        few: [Gap; FEW_GAPS],
        count: u8,
    },
    ManyGaps(Box<[Gap]>),
    TfrcData(TfrcData),
    TfrcFeedback(TfrcFeedback),
    Bytes(Vec<u8>),
}

impl Payload {
    /// A segment without SACK blocks.
    #[inline]
    pub(super) fn plain(segment: Segment) -> Self {
        Self {
            number: segment.number,
            timestamp: segment.timestamp,
            handle: NONE,
            kind: Kind::Segment(segment.kind),
            flags: segment.flags,
        }
    }

    /// Of a datagram protocol: its 32-bit number, whatever else it says in 32 bits, and the handle
    /// of the rest.
    fn datagram(kind: Kind, number: Sequence, other: u32, timestamp: Time) -> Self {
        Self {
            number: u64::from(other) << 32 | u64::from(number.0),
            timestamp,
            handle: NONE,
            kind,
            flags: Flags::NONE,
        }
    }

    fn with(self, handle: u32) -> Self {
        Self { handle, ..self }
    }

    fn sequence(&self) -> Sequence {
        Sequence::of(self.number)
    }

    fn other(&self) -> u32 {
        (self.number >> 32) as u32
    }

    /// Number of the packet, for records.
    pub(super) fn number(&self) -> u64 {
        match self.kind {
            Kind::Segment(_) | Kind::Bytes { .. } => self.number,
            Kind::TfrcData | Kind::TfrcFeedback | Kind::TfwcData | Kind::TfwcAck => {
                self.number & u64::from(u32::MAX)
            }
        }
    }

    #[inline]
    pub(super) fn is_source_quench(&self) -> bool {
        self.kind == Kind::Segment(SegmentKind::SourceQuench)
    }
}

impl Payloads {
    /// Packs what a packet carries.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the way of every packet")]
    pub(super) fn pack(&mut self, content: &Content<'_>) -> Payload {
        match content {
            Content::Segment(segment, blocks) => {
                let payload = Payload::plain(*segment);
                if blocks.is_empty() {
                    return payload;
                }
                payload.with(self.add_blocks(blocks))
            }
            other => self.pack_other(other),
        }
    }

    #[inline(never)]
    fn pack_other(&mut self, content: &Content<'_>) -> Payload {
        match content {
            Content::Segment(segment, _) => Payload::plain(*segment),
            Content::TfrcData(data) => {
                let handle = self.add(Entry::TfrcData(*data));
                Payload::datagram(Kind::TfrcData, data.number, 0, data.timestamp).with(handle)
            }
            Content::TfrcFeedback(feedback) => {
                let handle = self.add(Entry::TfrcFeedback(*feedback));
                let (newest, timestamp) = (feedback.newest, feedback.timestamp);
                Payload::datagram(Kind::TfrcFeedback, newest, 0, timestamp).with(handle)
            }
            Content::TfwcData(data) => {
                let understood = data.understood.0;
                Payload::datagram(Kind::TfwcData, data.number, understood, data.timestamp)
            }
            Content::TfwcAck(ack, gaps) => {
                let payload = Payload::datagram(Kind::TfwcAck, ack.head, ack.run, ack.timestamp);
                match self.add_gaps(gaps) {
                    Some(handle) => payload.with(handle),
                    None => payload,
                }
            }
            Content::Bytes {
                number,
                data,
                bytes,
            } => Payload {
                number: *number,
                timestamp: Time::ZERO,
                handle: self.add_bytes(bytes),
                kind: Kind::Bytes { data: *data },
                flags: Flags::NONE,
            },
        }
    }

    /// The segment that a packet carries, if it is one.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the way of every packet")]
    pub(super) fn segment(&self, payload: &Payload) -> Option<(Segment, &[SackBlock])> {
        let Kind::Segment(kind) = payload.kind else {
            return None;
        };
        let segment = Segment {
            kind,
            flags: payload.flags,
            number: payload.number,
            timestamp: payload.timestamp,
        };
        Some((segment, self.blocks(payload)))
    }

    /// What a packet carries.
    pub(super) fn content(&self, payload: &Payload) -> Content<'_> {
        if let Some((segment, blocks)) = self.segment(payload) {
            return Content::Segment(segment, blocks);
        }
        let (number, other, timestamp) = (payload.sequence(), payload.other(), payload.timestamp);
        let entry = self.entries.get(payload.handle as usize);
        match (payload.kind, entry) {
            (Kind::TfrcData, Some(Entry::TfrcData(data))) => Content::TfrcData(*data),
            (Kind::TfrcFeedback, Some(Entry::TfrcFeedback(feedback))) => {
                Content::TfrcFeedback(*feedback)
            }
            (Kind::TfwcData, _) => Content::TfwcData(TfwcData {
                number,
                understood: Sequence(other),
                timestamp,
            }),
            (Kind::TfwcAck, entry) => {
                let gaps = match entry {
                    Some(Entry::Gaps { few, count }) => &few[..usize::from(*count)],
                    Some(Entry::ManyGaps(gaps)) => gaps,
                    _ => &[],
                };
                let ack = TfwcAck {
                    head: number,
                    run: other,
                    timestamp,
                };
                Content::TfwcAck(ack, gaps)
            }
            (Kind::Bytes { data }, entry) => Content::Bytes {
                number: payload.number,
                data,
                bytes: match entry {
                    Some(Entry::Bytes(bytes)) => bytes,
                    _ => &[],
                },
            },
            (kind, entry) => unreachable!("{kind:?} was packed with {entry:?}"),
        }
    }

    #[inline]
    fn blocks(&self, payload: &Payload) -> &[SackBlock] {
        match self.entries.get(payload.handle as usize) {
            Some(Entry::Blocks { blocks, count }) => {
                blocks.get(..usize::from(*count)).unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// Forgets what belongs to a packet that arrived or is gone.
    #[inline]
    pub(super) fn release(&mut self, payload: &Payload) {
        if payload.handle != NONE {
            self.free.push(payload.handle);
        }
    }

    fn add(&mut self, entry: Entry) -> u32 {
        if let Some(at) = self.free.pop() {
            self.entries[at as usize] = entry;
            at
        } else {
            self.entries.push(entry);
            u32::try_from(self.entries.len() - 1).expect("fewer than 2^32 packets in flight")
        }
    }

    fn add_blocks(&mut self, reported: &[SackBlock]) -> u32 {
        let count = reported.len().min(MOST_BLOCKS);
        let mut blocks = [SackBlock::default(); MOST_BLOCKS];
        blocks[..count].copy_from_slice(&reported[..count]);
        self.add(Entry::Blocks {
            blocks,
            count: count as u8,
        })
    }

    fn add_gaps(&mut self, gaps: &[Gap]) -> Option<u32> {
        if gaps.is_empty() {
            return None;
        }
        Some(self.add(if gaps.len() <= FEW_GAPS {
            let mut few = [Gap::default(); FEW_GAPS];
            few[..gaps.len()].copy_from_slice(gaps);
            Entry::Gaps {
                few,
                count: gaps.len() as u8,
            }
        } else {
            Entry::ManyGaps(gaps.into())
        }))
    }

    /// Bytes go where bytes were, so that their allocation serves again.
    fn add_bytes(&mut self, bytes: &[u8]) -> u32 {
        if let Some(at) = self.free.last().copied()
            && let Entry::Bytes(kept) = &mut self.entries[at as usize]
        {
            kept.clear();
            kept.extend_from_slice(bytes);
            self.free.pop();
            return at;
        }
        self.add(Entry::Bytes(bytes.to_vec()))
    }
}

/// RFC 2018 §3: three blocks beside a timestamp option.
const MOST_BLOCKS: usize = 3;
/// Gaps that are kept without an allocation.
const FEW_GAPS: usize = 6;
/// The handle of nothing.
const NONE: u32 = u32::MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use units::{Bytes, Duration};

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        let ack = Segment {
            kind: SegmentKind::Ack,
            flags: Flags::ECE,
            number: 7,
            timestamp: at(3),
        };
        let blocks = [1, 2, 3].map(|start| SackBlock {
            start: 10 * start,
            end: 10 * start + 2,
        });
        let gap = Gap {
            missing: 2,
            arrived: 5,
        };
        let (few, many) = ([gap; 6], [gap; 7]);
        let vector = TfwcAck {
            head: Sequence(u32::MAX),
            run: 9,
            timestamp: at(4),
        };
        let data = TfrcData {
            number: Sequence(5),
            timestamp: at(1),
            rtt: Duration::from_millis(40),
            timeout: Duration::from_millis(160),
            round: 3,
            urgent: true,
        };
        let feedback = TfrcFeedback {
            newest: Sequence(5),
            timestamp: at(1),
            delay: Duration::from_millis(2),
            received: Bytes(3_000),
            interval: Duration::from_millis(40),
            loss_event_rate: 0.25,
            losses: 1,
            new_event: true,
        };
        let contents = [
            Content::Segment(ack, &[]),
            Content::Segment(ack, &blocks[..1]),
            Content::Segment(ack, &blocks),
            Content::TfrcData(data),
            Content::TfrcFeedback(feedback),
            Content::TfwcData(TfwcData {
                number: Sequence(8),
                understood: Sequence(u32::MAX),
                timestamp: at(5),
            }),
            Content::TfwcAck(vector, &[]),
            Content::TfwcAck(vector, &few),
            Content::TfwcAck(vector, &many),
            Content::Bytes {
                number: u64::MAX,
                data: true,
                bytes: b"bytes",
            },
            Content::Bytes {
                number: 1,
                data: false,
                bytes: b"",
            },
        ];
        let mut payloads = Payloads::default();
        // Twice, so that each kind takes another's place.
        for shift in 0..2 {
            let mut packed: Vec<_> = contents
                .iter()
                .map(|content| (*content, payloads.pack(content)))
                .collect();
            for (content, payload) in &packed {
                assert_eq!(payloads.content(payload), *content);
            }
            packed.rotate_left(shift);
            for (_, payload) in &packed {
                payloads.release(payload);
            }
        }
        // Blocks twice, data, feedback, gaps twice, bytes twice.
        assert_eq!((payloads.entries.len(), payloads.free.len()), (8, 8));
    }
}
