//! Spurious retransmissions found by D-SACK: every retransmission of a window is reported to have
//! arrived twice.
//!
//! Follows RFC 3708 §3.3, with its cautions: no conclusion where a segment left more than twice,
//! where the report says that a whole window of ACKs was lost, or, from then on, where a segment is
//! reported that left only once, so that the network itself duplicates.
//!
//! Choices: the window of data is what is sent again from one reduction of the controller's to the
//! next, of whatever cause, so that an undoing never takes back another reduction; what was sent
//! again before the reduction before that is forgotten, and reports of it say nothing.

use crate::SackBlock;
use crate::ranges::RangeSet;

/// What a sender remembers of its retransmissions and of the reports on them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reports {
    /// The last reduction, while it may turn out to have had no cause.
    window: Option<Window>,
    /// What was sent again from `horizon` on.
    retransmitted: RangeSet,
    horizon: u64,
    /// The oldest segment out at the last reduction: the next horizon.
    last_reduction: u64,
    /// The network duplicates: nothing can be concluded any more.
    distrusted: bool,
}

/// The retransmissions since one reduction.
#[derive(Clone, Debug)]
struct Window {
    timeout: bool,
    retransmitted: RangeSet,
    reported: RangeSet,
}

impl Reports {
    /// The window was reduced, for whatever cause.
    pub(crate) fn on_reduction(&mut self) {
        self.window = None;
    }

    /// It was reduced for a loss, while `una` is the oldest segment out.
    pub(super) fn begin(&mut self, una: u64, timeout: bool) {
        self.horizon = self.last_reduction;
        self.last_reduction = una;
        self.retransmitted.remove_below(self.horizon);
        self.window = Some(Window {
            timeout,
            retransmitted: RangeSet::default(),
            reported: RangeSet::default(),
        });
    }

    /// Segment `number` leaves again.
    pub(crate) fn on_retransmit(&mut self, number: u64) {
        let segment = SackBlock {
            start: number,
            end: number.saturating_add(1),
        };
        if self.retransmitted.insert(segment) == 0 {
            self.window = None; // (A.3)
        } else if let Some(window) = &mut self.window {
            window.retransmitted.insert(segment);
        }
    }

    /// `block` arrived twice. `una` is the oldest segment out before that ACK, `alone` says that the
    /// ACK tells of nothing else. If the last reduction had no cause, whether that was a timeout.
    pub(super) fn on_report(&mut self, block: SackBlock, una: u64, alone: bool) -> Option<bool> {
        if block.start < self.horizon || self.distrusted {
            return None;
        }
        let known = self.retransmitted.range_of(block.start);
        if known.is_none_or(|known| known.end < block.end) {
            self.distrusted = true; // (A.4)
            self.window = None;
            return None;
        }
        if alone && block.start == una {
            self.window = None; // (A.1)
            return None;
        }
        let window = self.window.as_mut()?;
        // What was sent again in an earlier window says nothing of this one.
        window.retransmitted.range_of(block.start)?;
        window.reported.insert(block); // (A.2)
        if window.reported.total() < window.retransmitted.total() {
            return None; // (B.2)
        }
        let timeout = window.timeout;
        self.window = None;
        Some(timeout) // (B.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(number: u64) -> SackBlock {
        SackBlock {
            start: number,
            end: number + 1,
        }
    }

    /// A fast retransmit of segment 10 and, by partial ACKs, of 12.
    fn two_again() -> Reports {
        let mut reports = Reports::default();
        reports.begin(10, false);
        reports.on_retransmit(10);
        reports.on_retransmit(12);
        reports
    }

    #[test]
    fn all_retransmissions_of_the_window_must_be_reported() {
        let mut reports = two_again();
        assert_eq!(reports.on_report(one(10), 14, true), None);
        assert_eq!(reports.on_report(one(10), 14, true), None);
        assert_eq!(reports.on_report(one(12), 15, true), Some(false));
        // It is concluded once.
        assert_eq!(reports.on_report(one(12), 15, true), None);
    }

    #[test]
    fn a_segment_that_left_three_times_forbids_a_conclusion() {
        let mut reports = two_again();
        reports.on_retransmit(12);
        assert_eq!(reports.on_report(one(10), 14, true), None);
        assert_eq!(reports.on_report(one(12), 15, true), None);
    }

    #[test]
    fn a_network_that_duplicates_is_distrusted_for_good() {
        let mut reports = two_again();
        assert_eq!(reports.on_report(one(11), 14, true), None);
        assert_eq!(reports.on_report(one(10), 14, true), None);
        assert_eq!(reports.on_report(one(12), 15, true), None);
        reports.begin(20, false);
        reports.on_retransmit(20);
        assert_eq!(reports.on_report(one(20), 25, true), None);
    }

    #[test]
    fn a_window_of_acks_that_was_lost_is_congestion() {
        // The ACK reports the very segment that the sender still waits for, and nothing else.
        let mut reports = Reports::default();
        reports.begin(10, true);
        reports.on_retransmit(10);
        let mut with_more = reports.clone();
        assert_eq!(reports.on_report(one(10), 10, true), None);
        assert_eq!(reports.on_report(one(10), 14, true), None);
        assert_eq!(with_more.on_report(one(10), 10, false), Some(true));
    }

    #[test]
    fn another_reduction_ends_the_window_but_not_the_memory() {
        let mut reports = two_again();
        reports.on_reduction();
        assert_eq!(reports.on_report(one(10), 14, true), None);
        reports.begin(20, true);
        reports.on_retransmit(20);
        // Segment 12 was sent again in the window before: no duplicate of the network's, and no part
        // of this window.
        assert_eq!(reports.on_report(one(12), 21, true), None);
        assert_eq!(reports.on_report(one(20), 21, true), Some(true));
        // Two reductions later it is forgotten, which says nothing of the network.
        reports.begin(30, false);
        reports.on_retransmit(30);
        assert_eq!(reports.on_report(one(12), 31, true), None);
        assert_eq!(reports.on_report(one(30), 31, true), Some(false));
    }
}
