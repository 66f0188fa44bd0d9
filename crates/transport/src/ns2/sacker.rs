//! Which SACK blocks an ACK carries (`Sacker`): a stack of the last three as they were reported.

use crate::reassembly::{MOST_BLOCKS, Reassembly};
use crate::segment::SackBlock;

/// `Sacker`.
#[derive(Clone, Debug, Default)]
pub(super) struct Sacker {
    /// `sf_`.
    stack: Vec<SackBlock>,
    blocks: [SackBlock; MOST_BLOCKS],
    reported: usize,
}

impl Sacker {
    /// The blocks of the last ACK.
    pub(super) fn blocks(&self) -> &[SackBlock] {
        &self.blocks[..self.reported]
    }

    /// Chooses the blocks for the ACK that segment `number` triggered (`append_ack`).
    pub(super) fn report(&mut self, reassembly: &Reassembly, number: u64) {
        self.reported = 0;
        if !reassembly.has_holes() {
            self.stack.clear();
            return;
        }
        let newest = match reassembly.block_of(number) {
            Some(block) => {
                self.add(block);
                block
            }
            // In order: everything up to there is covered, nothing is reported.
            None => SackBlock {
                start: 0,
                end: reassembly.next(),
            },
        };
        let mut index = 0;
        while self.reported < MOST_BLOCKS && index < self.stack.len() {
            let block = self.stack[index];
            if newest.start <= block.start && newest.end >= block.end {
                self.stack.remove(index);
            } else {
                self.add(block);
                index += 1;
            }
        }
        if newest.start > 0 {
            self.stack.truncate(MOST_BLOCKS - 1);
            self.stack.insert(0, newest);
        }
    }

    fn add(&mut self, block: SackBlock) {
        self.blocks[self.reported] = block;
        self.reported += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(start: u64, end: u64) -> SackBlock {
        SackBlock { start, end }
    }

    #[test]
    fn the_stack_forgets_the_fourth_block() {
        let mut reassembly = Reassembly::default();
        let mut sacker = Sacker::default();
        for number in [1, 3, 5, 7] {
            reassembly.insert(number);
            sacker.report(&reassembly, number);
        }
        assert_eq!(sacker.blocks(), [block(7, 8), block(5, 6), block(3, 4)]);
        // 4 joins 3 and 5; the stack held 7, 5, 3, so the block of 1 is gone.
        reassembly.insert(4);
        sacker.report(&reassembly, 4);
        assert_eq!(sacker.blocks(), [block(3, 6), block(7, 8)]);
        // All in order: nothing to report.
        for number in [0, 2, 6] {
            reassembly.insert(number);
            sacker.report(&reassembly, number);
        }
        assert_eq!(sacker.blocks(), []);
    }
}
