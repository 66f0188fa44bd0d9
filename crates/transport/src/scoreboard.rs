//! What selective acknowledgements say about the segments in flight.
//!
//! Follows RFC 6675 §4: `Update`, `IsLost`, `SetPipe` and `NextSeg`, with whole segments for
//! octets. All four are kept up to date as ACKs come: a segment is lost when D segments above it
//! are SACKed, so the lost ones are those below the D-th highest SACKed segment, and no operation
//! walks the window.

use crate::SackBlock;
use crate::ranges::RangeSet;

/// The scoreboard of a sender.
#[derive(Clone, Debug)]
pub(crate) struct Scoreboard {
    /// D.
    threshold: u64,
    /// `HighACK` + 1: the oldest segment not acknowledged.
    una: u64,
    sacked: RangeSet,
    /// Every unSACKed segment below is lost.
    lost_below: u64,
    /// Those below it have been named by [`take_lost`](Self::take_lost).
    named_below: u64,
    /// `HighRxt` + 1: every unSACKed segment below was retransmitted in this recovery.
    retransmitted_below: u64,
    /// How many of those are still out.
    retransmitted: u64,
    /// `RescueRxt` + 1.
    rescued_below: u64,
}

/// A segment that may leave during recovery, and by which rule of `NextSeg`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextSegment {
    /// Rules 1 and 3: a retransmission.
    Retransmission(u64),
    /// Rule 2: data not sent before.
    New,
    /// Rule 4: the last unSACKed segment, again.
    Rescue(u64),
}

impl Scoreboard {
    pub(crate) fn new(threshold: u32) -> Self {
        Self {
            threshold: u64::from(threshold.max(1)),
            una: 0,
            sacked: RangeSet::default(),
            lost_below: 0,
            named_below: 0,
            retransmitted_below: 0,
            retransmitted: 0,
            rescued_below: 0,
        }
    }

    /// D is another now.
    pub(crate) fn set_threshold(&mut self, threshold: u32) {
        let threshold = u64::from(threshold.max(1));
        if threshold != self.threshold {
            self.threshold = threshold;
            self.find_lost();
        }
    }

    /// Whether anything is SACKed.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.sacked.is_empty()
    }

    /// `Update`, first half: everything before `una` arrived. Returns how many of these had been
    /// SACKed.
    pub(crate) fn acknowledge(&mut self, una: u64) -> u64 {
        if una <= self.una {
            return 0;
        }
        // Of those now acknowledged, the retransmitted ones were not SACKed.
        let border = self.retransmitted_below.min(una);
        let sacked_below_border = self.sacked.remove_below(border);
        let left_below_border = border.saturating_sub(self.una) - sacked_below_border;
        self.retransmitted = self.retransmitted.saturating_sub(left_below_border);
        self.una = una;
        let removed = sacked_below_border + self.sacked.remove_below(una);
        self.find_lost();
        removed
    }

    /// Everything before `una` arrived, while nothing is SACKed and there is no recovery.
    #[inline]
    pub(crate) fn pass(&mut self, una: u64) {
        self.una = self.una.max(una);
    }

    /// `Update`, second half: the segments of `block` arrived. `high` is one past the highest
    /// segment sent; what a block claims outside the window is ignored. Returns how many are new.
    pub(crate) fn sack(&mut self, block: SackBlock, high: u64) -> u64 {
        let start = block.start.max(self.una);
        let end = block.end.min(high);
        if start >= end {
            return 0;
        }
        let border = self.retransmitted_below.clamp(start, end);
        let repaired = self.sacked.insert(SackBlock { start, end: border });
        self.retransmitted = self.retransmitted.saturating_sub(repaired);
        let added = repaired + self.sacked.insert(SackBlock { start: border, end });
        if added > 0 {
            self.find_lost();
        }
        added
    }

    /// `IsLost`.
    #[inline]
    pub(crate) fn is_lost(&self, number: u64) -> bool {
        number < self.lost_below && self.sacked.range_of(number).is_none()
    }

    /// The lowest lost segment that was not named before, if there is one.
    pub(crate) fn take_lost(&mut self) -> Option<u64> {
        let from = self.named_below.max(self.una);
        if from >= self.lost_below {
            return None;
        }
        let number = self.sacked.first_missing(from);
        self.named_below = self.lost_below.min(number + 1);
        (number < self.lost_below).then_some(number)
    }

    /// Segment `number`, the oldest, is lost, whatever is SACKed. Returns whether that is news.
    pub(crate) fn name(&mut self, number: u64) -> bool {
        let news = number >= self.named_below;
        self.named_below = self.named_below.max(number + 1);
        news
    }

    /// How many segments count as lost.
    pub(crate) fn lost(&self) -> u64 {
        if self.lost_below <= self.una {
            return 0;
        }
        // D segments are SACKed from the D-th highest on, the others below it.
        let sacked_below = self.sacked.total() - self.threshold;
        (self.lost_below - self.una).saturating_sub(sacked_below)
    }

    /// `SetPipe`: segments in the network, when `high` is one past the highest sent.
    #[inline]
    pub(crate) fn pipe(&self, high: u64) -> u64 {
        let left = high.saturating_sub(self.una);
        if self.sacked.is_empty() {
            return left + self.retransmitted;
        }
        (left + self.retransmitted).saturating_sub(self.sacked.total() + self.lost())
    }

    /// Recovery begins with the retransmission of the oldest segment (RFC 6675 §5 (4.3)).
    pub(crate) fn begin_recovery(&mut self) {
        self.retransmitted_below = self.una + 1;
        self.retransmitted = 1;
        self.rescued_below = self.una + 1;
    }

    /// Recovery is over.
    pub(crate) fn end_recovery(&mut self) {
        self.retransmitted_below = 0;
        self.retransmitted = 0;
        self.rescued_below = 0;
    }

    /// The timer expired: what was SACKed is forgotten (RFC 2018 §8), and everything below `high`
    /// counts as lost.
    pub(crate) fn forget(&mut self, high: u64) {
        self.sacked.clear();
        self.lost_below = 0;
        self.named_below = high;
        self.end_recovery();
    }

    /// `NextSeg`. `can_send_new` tells whether data not sent before exists and fits the
    /// receiver's window.
    pub(crate) fn next_segment(&self, high: u64, can_send_new: bool) -> Option<NextSegment> {
        let candidate = self
            .sacked
            .first_missing(self.retransmitted_below.max(self.una));
        if candidate < self.lost_below {
            return Some(NextSegment::Retransmission(candidate)); // (1)
        }
        if can_send_new {
            return Some(NextSegment::New); // (2)
        }
        if self.sacked.end().is_some_and(|end| candidate < end) {
            return Some(NextSegment::Retransmission(candidate)); // (3)
        }
        // (4): once, when the cumulative acknowledgement has passed the last rescue.
        if self.una > self.rescued_below
            && let Some(number) = self.highest_missing(high)
        {
            return Some(NextSegment::Rescue(number));
        }
        None
    }

    /// A segment that [`next_segment`](Self::next_segment) named has left; `recovery_point` is
    /// one past the highest segment sent when recovery began.
    pub(crate) fn on_sent(&mut self, segment: NextSegment, recovery_point: u64) {
        match segment {
            NextSegment::Retransmission(number) => {
                self.retransmitted_below = number + 1;
                self.retransmitted += 1;
            }
            NextSegment::New => {}
            NextSegment::Rescue(_) => self.rescued_below = recovery_point,
        }
    }

    /// The lowest segment from `number` on that is not SACKed.
    #[inline]
    pub(crate) fn first_missing(&self, number: u64) -> u64 {
        self.sacked.first_missing(number)
    }

    /// How many SACKed segments are below `number`.
    pub(crate) fn sacked_below(&self, number: u64) -> u64 {
        self.sacked.count_below(number)
    }

    fn highest_missing(&self, high: u64) -> Option<u64> {
        let last = high.checked_sub(1)?;
        let number = match self.sacked.range_of(last) {
            Some(range) => range.start.checked_sub(1)?,
            None => last,
        };
        (number >= self.una).then_some(number)
    }

    fn find_lost(&mut self) {
        let frontier = self.sacked.nth_highest(self.threshold).unwrap_or(0);
        self.lost_below = frontier;
    }
}

#[cfg(test)]
mod tests;
