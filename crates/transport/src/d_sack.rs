//! D-SACK: the first block of an ACK tells which segment has just arrived a second time.
//!
//! Follows RFC 2883 §4. A receiver that reports nothing else of what waits sends such a block too,
//! so that any recovery can use it; where the segment waits beyond the next one expected, the block
//! that holds it comes second, as the RFC wants it, or else nobody could tell a report of a
//! duplicate from one of an arrival.
//!
//! Not here: duplicates of parts of a segment (§4.2); segments are whole.

use crate::SackBlock;
use crate::reassembly::{MOST_BLOCKS, Reassembly, SackHistory};

/// What a receiver reports: duplicates first.
#[derive(Clone, Debug, Default)]
pub(crate) struct DuplicateReports {
    /// The blocks of RFC 2018; none where the receiver reports duplicates only.
    history: Option<SackHistory>,
    /// What arrived again and is not reported yet.
    duplicate: Option<u64>,
    blocks: [SackBlock; MOST_BLOCKS],
    reported: usize,
}

impl DuplicateReports {
    /// `sack`: besides, all that RFC 2018 reports.
    pub(crate) fn new(sack: bool) -> Self {
        Self {
            history: sack.then(SackHistory::default),
            ..Self::default()
        }
    }

    /// Segment `number` arrived again.
    pub(crate) fn note(&mut self, number: u64) {
        self.duplicate = Some(number);
    }

    /// The blocks of the last ACK.
    pub(crate) fn blocks(&self) -> &[SackBlock] {
        &self.blocks[..self.reported]
    }

    /// No ACK leaves, so there are no blocks with it.
    pub(crate) fn clear(&mut self) {
        self.reported = 0;
        if let Some(history) = &mut self.history {
            history.clear();
        }
    }

    /// Chooses the blocks for the ACK that segment `number` triggered.
    pub(crate) fn report(&mut self, reassembly: &Reassembly, number: u64) {
        self.reported = 0;
        let duplicate = self.duplicate.take();
        if let Some(number) = duplicate {
            self.blocks[0] = SackBlock {
                start: number,
                end: number.saturating_add(1),
            };
            self.reported = 1;
        }
        let holder;
        let others = match &mut self.history {
            Some(history) if reassembly.has_holes() => {
                history.report(reassembly, number);
                history.blocks()
            }
            Some(history) => {
                history.clear();
                &[]
            }
            None => {
                holder = duplicate.and_then(|number| reassembly.block_of(number));
                holder.as_slice()
            }
        };
        for block in others.iter().take(MOST_BLOCKS - self.reported) {
            self.blocks[self.reported] = *block;
            self.reported += 1;
        }
    }
}

/// What an ACK up to `number` with these blocks reports as a duplicate: its first block, if the
/// ACK covers it or the second block does.
pub(crate) fn duplicate(number: u64, blocks: &[SackBlock]) -> Option<SackBlock> {
    let first = *blocks.first()?;
    let again = |second: &SackBlock| second.start <= first.start && first.end <= second.end;
    let reported = first.end <= number || blocks.get(1).is_some_and(again);
    (reported && first.start < first.end).then_some(first)
}

#[cfg(test)]
mod tests {
    use units::{Bytes, Duration, Ecn, Time};

    use super::*;
    use crate::{Flags, ReceiverConfig, Segment, SegmentKind, TcpReceiver};

    fn receiver(sack: bool) -> TcpReceiver {
        TcpReceiver::new(ReceiverConfig {
            sack,
            d_sack: true,
            ..ReceiverConfig::default()
        })
    }

    /// What the ACK of a segment says, in the numbers of the RFC: segments of 500 bytes, and so the
    /// first one that matters in each example has the number `start / 500`.
    fn ack(receiver: &mut TcpReceiver, start: u64) -> (u64, Vec<(u64, u64)>) {
        let data = Segment {
            kind: SegmentKind::Data,
            flags: Flags::NONE,
            number: start / 500,
            timestamp: Time::ZERO,
        };
        let delivery = receiver.on_segment(Time::ZERO, &data, Ecn::NotEct);
        let ack = delivery.ack.expect("nothing is delayed");
        let blocks = receiver.sack_blocks();
        assert_eq!(ack.size, Bytes(40 + 8 * blocks.len() as u64));
        let bytes = |block: &SackBlock| (block.start * 500, block.end * 500);
        (ack.segment.number * 500, blocks.iter().map(bytes).collect())
    }

    /// A receiver that has all before byte `start`.
    fn having(sack: bool, start: u64) -> TcpReceiver {
        let mut receiver = receiver(sack);
        for before in (0..start).step_by(500) {
            assert_eq!(ack(&mut receiver, before), (before + 500, vec![]));
        }
        receiver
    }

    /// RFC 2883 §4.1.1: the ACKs of 3000 and 3500 are lost, 3000 comes again.
    #[test]
    fn a_duplicate_segment_is_reported() {
        for sack in [true, false] {
            let mut receiver = having(sack, 3_000);
            assert_eq!(ack(&mut receiver, 3_000), (3_500, vec![]));
            assert_eq!(ack(&mut receiver, 3_500), (4_000, vec![]));
            assert_eq!(ack(&mut receiver, 3_000), (4_000, vec![(3_000, 3_500)]));
            // Once: the next ACK says nothing of it.
            assert_eq!(ack(&mut receiver, 4_000), (4_500, vec![]));
        }
    }

    /// §4.1.2: besides, 4000 is lost and 4500 waits.
    #[test]
    fn a_duplicate_comes_before_what_waits() {
        let mut receiver = having(true, 4_000);
        assert_eq!(ack(&mut receiver, 4_500), (4_000, vec![(4_500, 5_000)]));
        assert_eq!(
            ack(&mut receiver, 3_000),
            (4_000, vec![(3_000, 3_500), (4_500, 5_000)])
        );
        // Without SACK: of what waits nothing is said.
        let mut receiver = having(false, 4_000);
        assert_eq!(ack(&mut receiver, 4_500), (4_000, vec![]));
        assert_eq!(ack(&mut receiver, 3_000), (4_000, vec![(3_000, 3_500)]));
    }

    /// §4.1.3: a segment that waits arrives again; the second block holds it.
    #[test]
    fn a_duplicate_of_what_waits_is_reported_with_the_block_that_holds_it() {
        for sack in [true, false] {
            let mut receiver = having(sack, 4_000);
            ack(&mut receiver, 4_500);
            ack(&mut receiver, 5_000);
            assert_eq!(
                ack(&mut receiver, 5_000),
                (4_000, vec![(5_000, 5_500), (4_500, 5_500)])
            );
        }
    }

    /// §5.2: 1000 is overtaken by three segments, leaves again, and then both come.
    #[test]
    fn a_false_fast_retransmit_is_reported() {
        let mut receiver = having(true, 1_000);
        ack(&mut receiver, 1_500);
        ack(&mut receiver, 2_000);
        assert_eq!(ack(&mut receiver, 2_500), (1_000, vec![(1_500, 3_000)]));
        assert_eq!(ack(&mut receiver, 1_000), (3_000, vec![]));
        assert_eq!(ack(&mut receiver, 1_000), (3_000, vec![(1_000, 1_500)]));
    }

    #[test]
    fn an_ack_has_room_for_three_blocks_with_the_report() {
        let mut receiver = having(true, 1_000);
        for start in [1_500, 2_500, 3_500] {
            ack(&mut receiver, start);
        }
        assert_eq!(
            ack(&mut receiver, 500),
            (1_000, vec![(500, 1_000), (3_500, 4_000), (2_500, 3_000)])
        );
    }

    #[test]
    fn without_the_option_nothing_is_reported() {
        let mut receiver = TcpReceiver::new(ReceiverConfig::default());
        for start in [0, 500] {
            ack(&mut receiver, start);
        }
        assert_eq!(ack(&mut receiver, 0), (1_000, vec![]));
    }

    #[test]
    fn a_delayed_ack_does_not_delay_the_report() {
        let mut receiver = TcpReceiver::new(ReceiverConfig {
            sack: false,
            d_sack: true,
            delayed_ack: Some(Duration::from_millis(100)),
            ..ReceiverConfig::default()
        });
        let data = |number| Segment {
            kind: SegmentKind::Data,
            flags: Flags::NONE,
            number,
            timestamp: Time::ZERO,
        };
        let mut arrive = |number| {
            let delivery = receiver.on_segment(Time::ZERO, &data(number), Ecn::NotEct);
            delivery.ack.map(|_| receiver.sack_blocks().to_vec())
        };
        assert_eq!(arrive(0), None);
        assert_eq!(arrive(0), Some(vec![SackBlock { start: 0, end: 1 }]));
        assert_eq!(arrive(1), None);
        assert_eq!(arrive(2), Some(vec![]));
    }

    #[test]
    fn a_report_is_known_by_what_covers_it() {
        let block = |start, end| SackBlock { start, end };
        // §4.1.1 and §4.1.3, in segments.
        assert_eq!(duplicate(8, &[block(6, 7)]), Some(block(6, 7)));
        let waiting = [block(10, 11), block(9, 11)];
        assert_eq!(duplicate(8, &waiting), Some(block(10, 11)));
        // Arrivals: one block, and two that are apart.
        assert_eq!(duplicate(8, &[block(9, 10)]), None);
        assert_eq!(duplicate(8, &[block(12, 13), block(9, 11)]), None);
        assert_eq!(duplicate(8, &[block(7, 5)]), None);
        assert_eq!(duplicate(8, &[]), None);
    }
}
