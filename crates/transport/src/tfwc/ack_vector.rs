//! The ACK vector: which packets have arrived, from the newest down, as lengths of runs.
//!
//! The run up to the newest packet stands in the header of the ACK. Below it come pairs: so many
//! are missing, so many below them have arrived. The same runs as in RFC 4340 §11.4, whose octets
//! [`coded_length`] counts.

use super::TfwcAck;

/// Packets missing below those just named, and those that arrived below them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    /// How many are missing; at least 1.
    pub missing: u32,
    /// How many below these have arrived; at least 1.
    pub arrived: u32,
}

/// Most gaps of an ACK vector. What lies below them is left out, and counts as missing.
pub const MOST_GAPS: usize = 64;

/// Octets that an ACK vector takes as an option of RFC 4340 §11.4: two for type and length, one for
/// each run of up to 64 packets of one kind.
pub fn coded_length(ack: &TfwcAck, gaps: &[Gap]) -> u64 {
    let octets = |run: u32| u64::from(run).div_ceil(64);
    let gaps = gaps.iter();
    2 + octets(ack.run)
        + gaps
            .map(|gap| octets(gap.missing) + octets(gap.arrived))
            .sum::<u64>()
}

/// What arrived, at the receiver: runs of numbers, ascending.
#[derive(Clone, Debug, Default)]
pub(super) struct ArrivedRuns {
    runs: Vec<Run>,
    gaps: Vec<Gap>,
}

/// Numbers from `start` up to, not including, `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    start: u64,
    end: u64,
}

impl ArrivedRuns {
    /// Adds a number.
    #[inline]
    pub(super) fn insert(&mut self, number: u64) {
        match self.runs.last_mut() {
            Some(run) if run.end == number => run.end += 1,
            Some(run) if run.end > number => self.insert_late(number),
            _ => self.runs.push(Run {
                start: number,
                end: number + 1,
            }),
        }
        if self.runs.len() > MOST_GAPS + 1 {
            self.runs.remove(0);
        }
    }

    fn insert_late(&mut self, number: u64) {
        let after = self.runs.partition_point(|run| run.end < number);
        // The first run that holds the number, touches it, or lies above it.
        let run = &mut self.runs[after];
        if number + 1 < run.start {
            let (start, end) = (number, number + 1);
            self.runs.insert(after, Run { start, end });
        } else if number + 1 == run.start {
            run.start = number;
        } else if number == run.end {
            run.end = number + 1;
            if let Some(above) = self.runs.get(after + 1).copied()
                && above.start == number + 1
            {
                self.runs[after].end = above.end;
                self.runs.remove(after + 1);
            }
        }
    }

    /// Forgets all up to `number`, but the newest.
    #[inline]
    pub(super) fn forget(&mut self, number: u64) {
        let Some(last) = self.runs.last() else {
            return;
        };
        let keep = number.saturating_add(1).min(last.end - 1);
        if self.runs[0].start >= keep {
            return;
        }
        let whole = self.runs.partition_point(|run| run.end <= keep);
        self.runs.drain(..whole);
        let lowest = &mut self.runs[0];
        lowest.start = lowest.start.max(keep);
    }

    /// The newest number.
    pub(super) fn head(&self) -> Option<u64> {
        self.runs.last().map(|run| run.end - 1)
    }

    /// How many in a row up to the newest.
    pub(super) fn run(&self) -> u32 {
        self.runs.last().map_or(0, |run| length(run.start, run.end))
    }

    /// The gaps below that, the newest first.
    pub(super) fn gaps(&mut self) -> &[Gap] {
        self.gaps.clear();
        for pair in self.runs.windows(2).rev() {
            self.gaps.push(Gap {
                missing: length(pair[0].end, pair[1].start),
                arrived: length(pair[0].start, pair[0].end),
            });
        }
        &self.gaps
    }
}

fn length(start: u64, end: u64) -> u32 {
    u32::try_from(end - start).unwrap_or(u32::MAX)
}

/// Why a vector is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    BeyondSent,
    Malformed,
    Oversized,
}

/// An ACK vector as the sender reads it, checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vector<'a> {
    pub(super) head: u64,
    run: u32,
    gaps: &'a [Gap],
    /// The lowest number that arrived.
    lowest: u64,
}

impl<'a> Vector<'a> {
    /// Packets from `first` up to `head` have been sent.
    #[inline]
    pub(super) fn check(head: u64, run: u32, gaps: &'a [Gap], first: u64) -> Result<Self, Refusal> {
        if gaps.len() > MOST_GAPS {
            return Err(Refusal::Oversized);
        }
        if run == 0 || gaps.iter().any(|gap| gap.missing == 0 || gap.arrived == 0) {
            return Err(Refusal::Malformed);
        }
        let below = gaps
            .iter()
            .map(|gap| u64::from(gap.missing) + u64::from(gap.arrived));
        let length = u64::from(run) + below.sum::<u64>();
        if length > head + 1 - first {
            return Err(Refusal::BeyondSent);
        }
        Ok(Self {
            head,
            run,
            gaps,
            lowest: head + 1 - length,
        })
    }

    /// Calls `visit` with each number of `from..to` that did not arrive, ascending.
    #[inline]
    pub(super) fn missing(&self, from: u64, to: u64, mut visit: impl FnMut(u64)) {
        if from >= to || self.head + 1 - u64::from(self.run) <= from {
            return; // the usual case: all in the run up to the head
        }
        let mut ranges = |start: u64, end: u64| {
            for number in start.max(from)..end.min(to) {
                visit(number);
            }
        };
        ranges(from, self.lowest);
        let mut at = self.lowest;
        for gap in self.gaps.iter().rev() {
            let start = at + u64::from(gap.arrived);
            at = start + u64::from(gap.missing);
            ranges(start, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against a plain set of numbers, through the wire and back.
        #[test]
        fn what_arrived_is_what_is_read(
            operations in proptest::collection::vec((0..90_u64, 0..12_u8), 1..150)
        ) {
            let mut runs = ArrivedRuns::default();
            let mut plain = BTreeSet::new();
            for (number, kind) in operations {
                if kind == 0 {
                    runs.forget(number);
                    let head = plain.last().copied();
                    plain.retain(|other| *other > number || Some(*other) == head);
                } else {
                    runs.insert(number);
                    plain.insert(number);
                }
                let Some(head) = plain.last().copied() else { continue };
                prop_assert_eq!(runs.head(), Some(head));
                let run = runs.run();
                let gaps = runs.gaps().to_vec();
                let vector = Vector::check(head, run, &gaps, 0).unwrap();
                let mut missing = Vec::new();
                vector.missing(10, 80, |number| missing.push(number));
                let expected: Vec<_> =
                    (10..80.min(head + 1)).filter(|number| !plain.contains(number)).collect();
                missing.retain(|number| *number <= head);
                prop_assert_eq!(missing, expected);
            }
        }

        /// Any vector at all is either refused or names only what was sent.
        #[test]
        fn hostile_vectors_are_refused_or_harmless(
            head in 5..1_000_u64,
            run in prop_oneof![0..20_u32, any::<u32>()],
            gaps in proptest::collection::vec(
                (prop_oneof![0..9_u32, any::<u32>()], prop_oneof![0..9_u32, any::<u32>()]), 0..80),
            from in 0..1_000_u64,
        ) {
            let gaps: Vec<_> = gaps
                .into_iter()
                .map(|(missing, arrived)| Gap { missing, arrived })
                .collect();
            if let Ok(vector) = Vector::check(head, run, &gaps, 5) {
                let mut last = None;
                vector.missing(from, head, |number| {
                    assert!((from..head).contains(&number));
                    assert!(last < Some(number), "ascending, none twice");
                    last = Some(number);
                });
            }
        }
    }

    #[test]
    fn vectors_that_cannot_be_are_refused() {
        let gap = |missing, arrived| Gap { missing, arrived };
        let check = |run, gaps: &[Gap]| Vector::check(109, run, gaps, 100).map(|_| ());
        assert_eq!(check(10, &[]), Ok(()));
        assert_eq!(check(4, &[gap(2, 4)]), Ok(()));
        assert_eq!(check(11, &[]), Err(Refusal::BeyondSent));
        assert_eq!(check(4, &[gap(2, 5)]), Err(Refusal::BeyondSent));
        assert_eq!(
            check(4, &[gap(u32::MAX, u32::MAX); 64]),
            Err(Refusal::BeyondSent)
        );
        assert_eq!(check(0, &[]), Err(Refusal::Malformed));
        assert_eq!(check(4, &[gap(0, 2)]), Err(Refusal::Malformed));
        assert_eq!(check(4, &[gap(2, 0)]), Err(Refusal::Malformed));
        assert_eq!(check(1, &[gap(1, 1); 65]), Err(Refusal::Oversized));
    }

    #[test]
    fn the_vector_is_bounded() {
        let mut runs = ArrivedRuns::default();
        for number in 0..1_000 {
            runs.insert(2 * number);
        }
        assert_eq!(runs.gaps().len(), MOST_GAPS);
        assert_eq!(runs.head(), Some(1_998));
    }

    #[test]
    fn octets_are_counted_as_in_dccp() {
        let ack = TfwcAck {
            head: crate::datagram::Sequence(0),
            run: 65,
            timestamp: units::Time::ZERO,
        };
        // 65 in two octets, 1 and 64 in one each, and two of type and length.
        let gap = Gap {
            missing: 1,
            arrived: 64,
        };
        assert_eq!(coded_length(&ack, &[gap]), 6);
    }
}
