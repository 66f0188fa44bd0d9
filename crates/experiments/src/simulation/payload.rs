//! What packets carry in the simulator.

use transport::datagram::Sequence;
use transport::{Flags, SackBlock, Segment, SegmentKind};
use units::Time;

/// The payload of a simulated packet: a segment, and where its SACK blocks are kept; or the header
/// of a datagram, and where the rest of it is kept.
///
/// The fields of the segment stand side by side with the rest, so that a packet fits a cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Payload {
    number: u64,
    timestamp: Time,
    blocks: u32,
    kind: SegmentKind,
    flags: Flags,
}

/// SACK blocks of the acknowledgements on their way. Most carry none; they stay out of line, so
/// that packets are small.
#[derive(Debug, Default)]
pub(super) struct BlockStore {
    entries: Vec<Entry>,
    free: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    blocks: [SackBlock; MOST_BLOCKS],
    count: usize,
}

impl Payload {
    #[inline]
    pub(super) fn plain(segment: Segment) -> Self {
        Self::new(segment, NONE)
    }

    #[inline]
    fn new(segment: Segment, blocks: u32) -> Self {
        Self {
            number: segment.number,
            timestamp: segment.timestamp,
            blocks,
            kind: segment.kind,
            flags: segment.flags,
        }
    }

    #[inline]
    pub(super) fn segment(&self) -> Segment {
        Segment {
            kind: self.kind,
            flags: self.flags,
            number: self.number,
            timestamp: self.timestamp,
        }
    }

    /// A datagram of TFRC or TFWC, or feedback for one: its number, whatever else it says in 32
    /// bits, and where the rest of its header is kept.
    pub(super) fn datagram(
        number: Sequence,
        other: u32,
        timestamp: Time,
        slot: Option<u32>,
    ) -> Self {
        Self {
            number: u64::from(other) << 32 | u64::from(number.0),
            timestamp,
            blocks: slot.unwrap_or(NONE),
            kind: SegmentKind::Datagram,
            flags: Flags::NONE,
        }
    }

    /// Of a datagram of TFRC or TFWC: its number, and the other 32 bits.
    pub(super) fn numbers(&self) -> (Sequence, u32) {
        (Sequence::of(self.number), (self.number >> 32) as u32)
    }

    pub(super) fn timestamp(&self) -> Time {
        self.timestamp
    }

    /// Where more of it is kept, if there is more.
    pub(super) fn slot(&self) -> Option<u32> {
        (self.blocks != NONE).then_some(self.blocks)
    }

    pub(super) fn is_datagram(&self) -> bool {
        self.kind == SegmentKind::Datagram
    }

    pub(super) fn number(&self) -> u64 {
        match self.kind {
            SegmentKind::Datagram => self.number & u64::from(u32::MAX),
            _ => self.number,
        }
    }
}

impl BlockStore {
    /// Packs a segment with blocks.
    #[inline]
    pub(super) fn pack(&mut self, segment: Segment, blocks: &[SackBlock]) -> Payload {
        if blocks.is_empty() {
            return Payload::plain(segment);
        }
        let count = blocks.len().min(MOST_BLOCKS);
        let mut entry = Entry {
            blocks: [SackBlock { start: 0, end: 0 }; MOST_BLOCKS],
            count,
        };
        entry.blocks[..count].copy_from_slice(&blocks[..count]);
        let at = if let Some(at) = self.free.pop() {
            self.entries[at as usize] = entry;
            at
        } else {
            self.entries.push(entry);
            u32::try_from(self.entries.len() - 1).expect("fewer than 2^32 ACKs in flight")
        };
        Payload::new(segment, at)
    }

    /// The blocks of a packet.
    #[inline]
    pub(super) fn of(&self, payload: &Payload) -> &[SackBlock] {
        let entry = self.entries.get(payload.blocks as usize);
        entry.map_or(&[], |entry| &entry.blocks[..entry.count])
    }

    /// Forgets the blocks of a packet that arrived or is gone.
    #[inline]
    pub(super) fn release(&mut self, payload: &Payload) {
        if payload.blocks != NONE {
            self.free.push(payload.blocks);
        }
    }
}

/// RFC 2018 §3: three blocks beside a timestamp option.
const MOST_BLOCKS: usize = 3;
const NONE: u32 = u32::MAX;
