//! A set of segment numbers, kept as sorted, disjoint, non-adjacent ranges.
//!
//! Its size is that of the holes between them, not of the window.

use crate::SackBlock;

/// A set of segment numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct RangeSet {
    ranges: Vec<SackBlock>,
    total: u64,
}

impl RangeSet {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many numbers are in it.
    #[inline]
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// The ranges, lowest first.
    #[inline]
    pub(crate) fn ranges(&self) -> &[SackBlock] {
        &self.ranges
    }

    pub(crate) fn clear(&mut self) {
        self.ranges.clear();
        self.total = 0;
    }

    /// One past the highest number.
    #[inline]
    pub(crate) fn end(&self) -> Option<u64> {
        self.ranges.last().map(|range| range.end)
    }

    /// The range that holds `number`.
    #[inline]
    pub(crate) fn range_of(&self, number: u64) -> Option<SackBlock> {
        let range = *self.ranges.get(self.first_ending_after(number))?;
        (range.start <= number).then_some(range)
    }

    /// The lowest number from `number` on that is not in the set.
    #[inline]
    pub(crate) fn first_missing(&self, number: u64) -> u64 {
        self.range_of(number).map_or(number, |range| range.end)
    }

    /// How many numbers below `number` are in the set.
    pub(crate) fn count_below(&self, number: u64) -> u64 {
        self.ranges
            .iter()
            .take_while(|range| range.start < number)
            .map(|range| range.end.min(number) - range.start)
            .sum()
    }

    /// The `nth` highest number, counted from 1.
    pub(crate) fn nth_highest(&self, nth: u64) -> Option<u64> {
        let mut left = nth;
        for range in self.ranges.iter().rev() {
            let length = range.end - range.start;
            if left <= length {
                return Some(range.end - left);
            }
            left -= length;
        }
        None
    }

    /// Adds the numbers of `block`; returns how many were not in the set. A reversed block is
    /// empty.
    pub(crate) fn insert(&mut self, block: SackBlock) -> u64 {
        let SackBlock { mut start, mut end } = block;
        if start >= end {
            return 0;
        }
        // The usual case: the newest range grows, or one comes after it.
        match self.ranges.last_mut() {
            Some(last) if start > last.end => {
                self.ranges.push(block);
                self.total += end - start;
                return end - start;
            }
            Some(last) if start >= last.start => {
                let added = end.saturating_sub(last.end);
                last.end += added;
                self.total += added;
                return added;
            }
            _ => {}
        }
        // All ranges that overlap the block or touch it become one.
        let first = self.ranges.partition_point(|range| range.end < start);
        let last = self.ranges.partition_point(|range| range.start <= end);
        let merged = &self.ranges[first..last];
        let covered: u64 = merged.iter().map(|range| range.end - range.start).sum();
        if let [lowest, ..] = merged {
            start = start.min(lowest.start);
        }
        if let [.., highest] = merged {
            end = end.max(highest.end);
        }
        self.ranges
            .splice(first..last, std::iter::once(SackBlock { start, end }));
        let added = end - start - covered;
        self.total += added;
        added
    }

    /// Removes all numbers below `number`; returns how many.
    pub(crate) fn remove_below(&mut self, number: u64) -> u64 {
        let whole = self.first_ending_after(number);
        let mut removed: u64 = self
            .ranges
            .drain(..whole)
            .map(|range| range.end - range.start)
            .sum();
        if let Some(first) = self.ranges.first_mut()
            && first.start < number
        {
            removed += number - first.start;
            first.start = number;
        }
        self.total -= removed;
        removed
    }

    /// Takes the lowest range out.
    pub(crate) fn pop_lowest(&mut self) -> Option<SackBlock> {
        if self.ranges.is_empty() {
            return None;
        }
        let range = self.ranges.remove(0);
        self.total -= range.end - range.start;
        Some(range)
    }

    #[inline]
    fn first_ending_after(&self, number: u64) -> usize {
        self.ranges.partition_point(|range| range.end <= number)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against a plain set of numbers.
        #[test]
        fn it_is_a_set(operations in proptest::collection::vec((0..60_u64, 0..12_u64, 0..10), 1..80)) {
            let mut ranges = RangeSet::default();
            let mut plain = BTreeSet::new();
            for (start, length, kind) in operations {
                if kind == 0 {
                    let removed = ranges.remove_below(start);
                    let before = plain.len();
                    plain.retain(|n| *n >= start);
                    prop_assert_eq!(removed, (before - plain.len()) as u64);
                } else {
                    let added = ranges.insert(SackBlock { start, end: start + length });
                    let before = plain.len();
                    plain.extend(start..start + length);
                    prop_assert_eq!(added, (plain.len() - before) as u64);
                }
                prop_assert_eq!(ranges.total(), plain.len() as u64);
                prop_assert!(ranges.ranges().is_sorted_by(|a, b| a.end < b.start));
                prop_assert!(ranges.ranges().iter().all(|r| r.start < r.end));
                for number in 0..75 {
                    prop_assert_eq!(ranges.range_of(number).is_some(), plain.contains(&number));
                    let missing = (number..100).find(|n| !plain.contains(n)).unwrap();
                    prop_assert_eq!(ranges.first_missing(number), missing);
                    prop_assert_eq!(ranges.count_below(number), plain.range(..number).count() as u64);
                }
                for nth in 1..20 {
                    prop_assert_eq!(
                        ranges.nth_highest(nth as u64),
                        plain.iter().rev().nth(nth - 1).copied()
                    );
                }
                prop_assert_eq!(ranges.end(), plain.last().map(|n| n + 1));
            }
        }
    }

    #[test]
    fn a_reversed_block_adds_nothing() {
        let mut ranges = RangeSet::default();
        assert_eq!(ranges.insert(SackBlock { start: 9, end: 3 }), 0);
        assert!(ranges.is_empty());
    }
}
