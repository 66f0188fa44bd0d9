//! A threshold D that grows with the reordering that is seen: each fast retransmit that turns out to
//! have had no cause raises it, a timeout takes it back.
//!
//! Follows Blanton and Allman, "On Making TCP More Robust to Packet Reordering" (2002): D one
//! higher, or half of the way to what the reordering would have needed, or an exponentially weighted
//! average of that.
//!
//! Choices: the reordering would have needed one more than the duplicate ACKs that it caused, and D
//! never comes down to it; the average's weight, 1/4; a timeout that turns out to have had no cause
//! gives D back. D stays below the packets out, if not below what it was at the start: so many
//! duplicates at least a loss can cause.
//!
//! Not here: the delay of a retransmission by time (TD-FR), and limits on new data while D is high
//! other than limited transmit (RFC 4653).

use crate::config::ThresholdAdaptation;

/// D, and what it goes by.
#[derive(Clone, Debug)]
pub(crate) struct Threshold {
    law: ThresholdAdaptation,
    /// D at the start, and after a timeout.
    initial: u32,
    now: f64,
    /// Before the last timeout, while that may have had no cause.
    before_timeout: f64,
    run: Run,
    /// The run that the last fast retransmit came in.
    doubted: Run,
}

/// The duplicate ACKs of one segment.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    segment: u64,
    duplicates: u32,
}

impl Threshold {
    pub(crate) fn new(law: ThresholdAdaptation, initial: u32) -> Self {
        Self {
            law,
            initial,
            now: f64::from(initial),
            before_timeout: f64::from(initial),
            run: Run::default(),
            doubted: Run::default(),
        }
    }

    /// D, while `out` packets are out.
    pub(crate) fn value(&self, out: u64) -> u32 {
        let most = u32::try_from(out.saturating_sub(1)).unwrap_or(u32::MAX);
        (self.now.ceil() as u32).min(most.max(self.initial))
    }

    /// A duplicate ACK asks for segment `una`.
    pub(super) fn on_duplicate(&mut self, una: u64) {
        if self.run.segment != una {
            self.run = Run {
                segment: una,
                duplicates: 0,
            };
        }
        self.run.duplicates += 1;
        if self.doubted.segment == una {
            self.doubted = self.run;
        }
    }

    /// Segment `una` is sent again for its duplicate ACKs.
    pub(super) fn on_fast_retransmit(&mut self, una: u64) {
        self.doubted = Run {
            segment: una,
            duplicates: 0,
        };
        if self.run.segment == una {
            self.doubted = self.run;
        }
    }

    pub(super) fn on_timeout(&mut self) {
        self.before_timeout = self.now;
        self.now = f64::from(self.initial);
    }

    /// The last fast retransmit, or timeout, had no cause.
    pub(super) fn on_spurious(&mut self, timeout: bool) {
        if timeout {
            self.now = self.before_timeout;
            return;
        }
        let needed = f64::from(self.doubted.duplicates) + 1.0;
        let more = (needed - self.now).max(0.0);
        self.now += match self.law {
            ThresholdAdaptation::Fixed => 0.0,
            ThresholdAdaptation::Increment => 1.0,
            ThresholdAdaptation::Average => more / 2.0,
            ThresholdAdaptation::Ewma => more * WEIGHT,
        };
    }
}

/// Of a new value in the average; that of RTTVAR (RFC 6298 §2).
const WEIGHT: f64 = 0.25;

#[cfg(test)]
mod tests {
    use super::*;

    /// D from 3 on, over false fast retransmits of segments with so many duplicates each, while 40
    /// packets are out.
    fn over(law: ThresholdAdaptation, runs: &[u32]) -> Vec<u32> {
        let mut threshold = Threshold::new(law, 3);
        let mut after = |(segment, duplicates): (usize, &u32)| {
            for duplicate in 1..=*duplicates {
                threshold.on_duplicate(segment as u64);
                if duplicate == 3 {
                    threshold.on_fast_retransmit(segment as u64);
                }
            }
            // Later reordering that caused no retransmission is another matter.
            threshold.on_duplicate(1_000);
            threshold.on_spurious(false);
            threshold.value(40)
        };
        runs.iter().enumerate().map(&mut after).collect()
    }

    #[test]
    fn each_law_by_hand() {
        use ThresholdAdaptation::{Average, Ewma, Fixed, Increment};
        assert_eq!(over(Fixed, &[9, 9]), [3, 3]);
        assert_eq!(over(Increment, &[9, 9, 9]), [4, 5, 6]);
        // 10 are needed: 3 + 7/2 = 6.5; + 3.5/2 = 8.25; + 1.75/2 = 9.125, of which the ceiling.
        assert_eq!(over(Average, &[9, 9, 9]), [7, 9, 10]);
        // 3 + 7/4 = 4.75; + 5.25/4 = 6.0625; + 3.9375/4 = 7.046875.
        assert_eq!(over(Ewma, &[9, 9, 9]), [5, 7, 8]);
        // A shorter reordering lowers nothing: 6.5 stays, 5 are needed.
        assert_eq!(over(Average, &[9, 4]), [7, 7]);
    }

    #[test]
    fn d_stays_below_what_is_out_and_at_its_start_at_least() {
        let mut threshold = Threshold::new(ThresholdAdaptation::Increment, 3);
        (0..20).for_each(|_| threshold.on_spurious(false));
        assert_eq!(threshold.value(40), 23);
        assert_eq!(threshold.value(12), 11);
        assert_eq!(threshold.value(2), 3);
    }

    #[test]
    fn a_timeout_takes_d_back_unless_it_had_no_cause() {
        let mut threshold = Threshold::new(ThresholdAdaptation::Increment, 3);
        threshold.on_spurious(false);
        threshold.on_timeout();
        assert_eq!(threshold.value(40), 3);
        threshold.on_spurious(true);
        assert_eq!(threshold.value(40), 4);
    }
}
