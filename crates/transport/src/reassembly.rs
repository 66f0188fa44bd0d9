//! Puts segments back in order, and remembers which blocks of them to report.
//!
//! Follows RFC 2018 §4: the first SACK block holds the segment that just arrived, the others
//! repeat the most recently reported ones.

use crate::SackBlock;
use crate::ranges::RangeSet;

/// The segments that arrived.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reassembly {
    /// The next segment expected: all before it have arrived.
    next: u64,
    /// What arrived beyond it.
    waiting: RangeSet,
}

/// What a segment changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrived {
    /// It and perhaps others are now in order: so many.
    InOrder(u64),
    /// It waits for others.
    OutOfOrder,
    /// It had arrived before.
    Duplicate,
}

impl Reassembly {
    /// The next segment expected.
    #[inline]
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Whether anything waits for a hole to be filled.
    #[inline]
    pub(crate) fn has_holes(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// How many segments arrived beyond the next expected one.
    pub(crate) fn waiting(&self) -> u64 {
        self.waiting.total()
    }

    /// The block beyond the next expected segment that holds `number`.
    pub(crate) fn block_of(&self, number: u64) -> Option<SackBlock> {
        self.waiting.range_of(number)
    }

    /// Segment `number` arrived.
    #[inline]
    pub(crate) fn insert(&mut self, number: u64) -> Arrived {
        if number == self.next && number < u64::MAX {
            let before = self.next;
            self.next += 1;
            if self
                .waiting
                .ranges()
                .first()
                .is_some_and(|range| range.start == self.next)
                && let Some(range) = self.waiting.pop_lowest()
            {
                self.next = range.end;
            }
            return Arrived::InOrder(self.next - before);
        }
        let block = SackBlock {
            start: number,
            end: number.saturating_add(1),
        };
        if number < self.next || self.waiting.insert(block) == 0 {
            return Arrived::Duplicate;
        }
        Arrived::OutOfOrder
    }
}

/// Which SACK blocks an ACK carries.
#[derive(Clone, Debug, Default)]
pub(crate) struct SackHistory {
    /// A segment of each block reported first, most recent first.
    recent: [u64; REMEMBERED],
    remembered: usize,
    blocks: [SackBlock; MOST_BLOCKS],
    reported: usize,
}

impl SackHistory {
    /// The blocks of the last ACK.
    #[inline]
    pub(crate) fn blocks(&self) -> &[SackBlock] {
        &self.blocks[..self.reported]
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.remembered = 0;
        self.reported = 0;
    }

    /// Chooses the blocks for the ACK that segment `number` triggered.
    pub(crate) fn report(&mut self, reassembly: &Reassembly, number: u64) {
        let newest = reassembly.block_of(number);
        let mut recent = [0; REMEMBERED];
        let mut remembered = 0;
        self.reported = 0;
        let mut add = |segment: u64, block: SackBlock, blocks: &mut Self| {
            if remembered < REMEMBERED {
                recent[remembered] = segment;
                remembered += 1;
            }
            if blocks.reported < MOST_BLOCKS {
                blocks.blocks[blocks.reported] = block;
                blocks.reported += 1;
            }
        };
        if let Some(block) = newest {
            add(number, block, self);
        }
        for index in 0..self.remembered {
            let segment = self.recent[index];
            // Only the newest block can have grown over another.
            if let Some(block) = reassembly.block_of(segment)
                && newest != Some(block)
            {
                add(segment, block, self);
            }
        }
        self.recent = recent;
        self.remembered = remembered;
    }
}

/// With the timestamp option there is room for three (RFC 2018 §3).
pub(crate) const MOST_BLOCKS: usize = 3;
/// More than fit into an ACK, so that a block that grows over another uncovers an older one.
const REMEMBERED: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn block(start: u64, end: u64) -> SackBlock {
        SackBlock { start, end }
    }

    fn arrive(reassembly: &mut Reassembly, sack: &mut SackHistory, number: u64) {
        reassembly.insert(number);
        sack.report(reassembly, number);
    }

    #[test]
    fn a_filled_hole_delivers_what_waited() {
        let mut reassembly = Reassembly::default();
        assert_eq!(reassembly.insert(0), Arrived::InOrder(1));
        assert_eq!(reassembly.insert(2), Arrived::OutOfOrder);
        assert_eq!(reassembly.insert(3), Arrived::OutOfOrder);
        assert_eq!(reassembly.insert(5), Arrived::OutOfOrder);
        assert_eq!(reassembly.insert(3), Arrived::Duplicate);
        assert_eq!(reassembly.insert(0), Arrived::Duplicate);
        assert_eq!(reassembly.insert(1), Arrived::InOrder(3));
        assert_eq!(reassembly.next(), 4);
        assert_eq!(reassembly.block_of(5), Some(block(5, 6)));
    }

    /// RFC 2018 §7, example 3 of the case "every second segment lost": segments 1, 3, 5, 7 of 8
    /// are dropped, then the fourth arrives, then the second.
    #[test]
    fn the_most_recent_block_comes_first() {
        let mut reassembly = Reassembly::default();
        let mut sack = SackHistory::default();
        // Segment 0 is lost; 1, 3, 5, 7 arrive.
        arrive(&mut reassembly, &mut sack, 1);
        assert_eq!(sack.blocks(), [block(1, 2)]);
        arrive(&mut reassembly, &mut sack, 3);
        assert_eq!(sack.blocks(), [block(3, 4), block(1, 2)]);
        arrive(&mut reassembly, &mut sack, 5);
        assert_eq!(sack.blocks(), [block(5, 6), block(3, 4), block(1, 2)]);
        arrive(&mut reassembly, &mut sack, 7);
        assert_eq!(sack.blocks(), [block(7, 8), block(5, 6), block(3, 4)]);
        // The fourth (number 4) joins 3 and 5; the block of 1 is seen again.
        arrive(&mut reassembly, &mut sack, 4);
        assert_eq!(sack.blocks(), [block(3, 6), block(7, 8), block(1, 2)]);
        // The second (number 2) joins 1 to it.
        arrive(&mut reassembly, &mut sack, 2);
        assert_eq!(sack.blocks(), [block(1, 6), block(7, 8)]);
        // The first fills the hole: 0 to 5 are in order.
        arrive(&mut reassembly, &mut sack, 0);
        assert_eq!(sack.blocks(), [block(7, 8)]);
    }

    #[test]
    fn the_last_number_of_64_bits_does_no_harm() {
        let mut reassembly = Reassembly::default();
        assert_eq!(reassembly.insert(u64::MAX), Arrived::Duplicate);
        assert_eq!(reassembly.insert(u64::MAX - 1), Arrived::OutOfOrder);
        assert_eq!(reassembly.insert(0), Arrived::InOrder(1));
    }
}
