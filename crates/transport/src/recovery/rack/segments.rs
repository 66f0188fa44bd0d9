//! Where each segment in flight is: in the network, lost, or with the receiver.
//!
//! The scoreboard of [`super`]. Marks are kept for each segment by itself, since a time can pass
//! for any of them, and once more for its retransmission; [`crate::scoreboard`], whose lost and
//! retransmitted segments are all those below a border, cannot say that. RFC 8985 §9.2 rules RFC
//! 6675's out.

use std::collections::{BTreeMap, VecDeque};

use units::Time;

use crate::SackBlock;
use crate::ranges::RangeSet;

/// A transmission: when a segment left, and its number. Their order is `RACK_sent_after`'s: by
/// time, and by number of those that left at the same time (RFC 8985 §6.2 step 2).
pub(super) type Sent = (Time, u64);

/// Where each segment in flight is.
#[derive(Clone, Debug, Default)]
pub(super) struct Segments {
    /// In the network: the last transmission of each, in order. What leaves goes to the end, what
    /// arrives is mostly at the front.
    out: VecDeque<Sent>,
    /// Lost and not sent again yet, with the time when each last left.
    lost: BTreeMap<u64, Time>,
    /// With the receiver, out of order.
    sacked: RangeSet,
}

impl Segments {
    /// Segment `number` leaves; `before` is when it left last, if it did.
    pub(super) fn send(&mut self, number: u64, now: Time, before: Option<Time>) {
        if let Some(before) = before {
            self.remove((before, number));
        }
        self.insert((now, number));
    }

    /// The segment arrived.
    pub(super) fn remove(&mut self, sent: Sent) {
        if self.out.front() == Some(&sent) {
            self.out.pop_front();
        } else if let Ok(place) = self.out.binary_search(&sent) {
            self.out.remove(place);
        } else {
            self.lost.remove(&sent.1);
        }
    }

    /// The lowest segment from `number` on that is not SACKed.
    pub(super) fn first_missing(&self, number: u64) -> u64 {
        self.sacked.first_missing(number)
    }

    /// The segments of `block` are SACKed.
    pub(super) fn sack(&mut self, block: SackBlock) {
        self.sacked.insert(block);
    }

    /// Everything below `number` arrived.
    pub(super) fn acknowledge(&mut self, number: u64) {
        self.sacked.remove_below(number);
    }

    /// How many segments are SACKed: `RACK.segs_sacked`.
    pub(super) fn sacked(&self) -> u64 {
        self.sacked.total()
    }

    /// How many segments are in the network.
    pub(super) fn in_network(&self) -> u64 {
        self.out.len() as u64
    }

    /// The transmission in the network that left first.
    pub(super) fn oldest(&self) -> Option<Sent> {
        self.out.front().copied()
    }

    /// The transmission in the network that left last of those before `newest`.
    pub(super) fn latest_before(&self, newest: Sent) -> Option<Sent> {
        let before = self.out.partition_point(|sent| *sent < newest);
        self.out.get(before.checked_sub(1)?).copied()
    }

    /// A transmission is taken for lost.
    pub(super) fn lose(&mut self, sent: Sent) {
        self.remove(sent);
        self.lost.insert(sent.1, sent.0);
    }

    /// The lowest segment that is lost.
    pub(super) fn first_lost(&self) -> Option<u64> {
        self.lost.first_key_value().map(|(number, _)| *number)
    }

    /// What was taken for lost was not: it is in the network.
    pub(super) fn recall_lost(&mut self) {
        for (number, sent_at) in std::mem::take(&mut self.lost) {
            self.insert((sent_at, number));
        }
    }

    /// Segment `oldest` was SACKed and yet never acknowledged: the receiver took back what it had
    /// said (RFC 2018 §8), so that all that is SACKed must be sent again.
    pub(super) fn distrust(&mut self, oldest: u64, sent_at: impl Fn(u64) -> Time) {
        if self.sacked.range_of(oldest).is_none() {
            return;
        }
        for block in self.sacked.ranges() {
            self.lost
                .extend((block.start..block.end).map(|number| (number, sent_at(number))));
        }
        self.sacked.clear();
    }

    fn insert(&mut self, sent: Sent) {
        if self.out.back().is_none_or(|last| *last < sent) {
            self.out.push_back(sent);
        } else if let Err(place) = self.out.binary_search(&sent) {
            self.out.insert(place, sent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + units::Duration::from_millis(ms)
    }

    /// Segments 0 to 4 leave at 0 to 4 ms.
    fn five() -> Segments {
        let mut segments = Segments::default();
        for number in 0..5 {
            segments.send(number, at(number), None);
        }
        segments
    }

    #[test]
    fn a_segment_is_in_one_place() {
        let mut segments = five();
        assert_eq!(segments.in_network(), 5);
        segments.lose((at(1), 1));
        assert_eq!((segments.in_network(), segments.first_lost()), (4, Some(1)));
        segments.send(1, at(9), Some(at(1)));
        assert_eq!((segments.in_network(), segments.first_lost()), (5, None));
        // Sent again while still in the network: counted once.
        segments.send(4, at(10), Some(at(4)));
        assert_eq!(segments.in_network(), 5);
        segments.remove((at(10), 4));
        segments.lose((at(9), 1));
        segments.remove((at(9), 1));
        assert_eq!((segments.in_network(), segments.first_lost()), (3, None));
    }

    #[test]
    fn transmissions_are_in_the_order_of_leaving_then_of_number() {
        let mut segments = five();
        segments.send(0, at(4), Some(at(0)));
        assert_eq!(segments.oldest(), Some((at(1), 1)));
        assert_eq!(segments.latest_before((at(4), 4)), Some((at(4), 0)));
        assert_eq!(segments.latest_before((at(4), 0)), Some((at(3), 3)));
        assert_eq!(segments.latest_before((at(1), 1)), None);
    }

    #[test]
    fn what_is_recalled_is_back_in_the_network() {
        let mut segments = five();
        segments.lose((at(0), 0));
        segments.lose((at(2), 2));
        segments.recall_lost();
        assert_eq!((segments.in_network(), segments.first_lost()), (5, None));
        assert_eq!(segments.oldest(), Some((at(0), 0)));
    }

    #[test]
    fn a_receiver_that_takes_back_the_oldest_segment_is_not_trusted() {
        let mut segments = five();
        for number in [1, 3] {
            segments.remove((at(number), number));
            segments.sack(SackBlock {
                start: number,
                end: number + 1,
            });
        }
        segments.distrust(0, at);
        assert_eq!((segments.sacked(), segments.first_lost()), (2, None));
        // All before 1 is acknowledged, and 1 is not.
        segments.remove((at(0), 0));
        segments.distrust(1, at);
        assert_eq!((segments.sacked(), segments.first_lost()), (0, Some(1)));
        assert_eq!(segments.in_network(), 2);
    }
}
