//! Which of the newest packets have arrived, so that none counts twice.
//!
//! A sliding bitmap (RFC 6479) of 1024 numbers. What is older than the bitmap counts as arrived.

/// The newest packet, and which of the 1024 up to it have arrived.
#[derive(Clone, Debug, Default)]
pub(crate) struct ArrivalWindow {
    /// One past the newest; 0 before the first.
    end: u64,
    bits: [u64; WORDS],
}

impl ArrivalWindow {
    /// Notes an arrival; says whether it is the first of this number.
    #[inline]
    pub(crate) fn insert(&mut self, number: u64) -> bool {
        if number >= self.end {
            let fresh = number - self.end + 1;
            if fresh >= SIZE {
                self.bits = [0; WORDS];
            } else {
                for skipped in self.end..number {
                    *self.word(skipped) &= !bit(skipped);
                }
            }
            self.end = number + 1;
            *self.word(number) |= bit(number);
            return true;
        }
        if self.end - number > SIZE {
            return false;
        }
        let word = self.word(number);
        let first = *word & bit(number) == 0;
        *word |= bit(number);
        first
    }

    fn word(&mut self, number: u64) -> &mut u64 {
        &mut self.bits[(number / 64) as usize % WORDS]
    }
}

const fn bit(number: u64) -> u64 {
    1 << (number % 64)
}

const WORDS: usize = 16;
const SIZE: u64 = 64 * WORDS as u64;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against a plain set, near the front and far back.
        #[test]
        fn every_number_is_new_once(
            jumps in proptest::collection::vec((0..40_u64, 0..1_200_u64, 0..40_u8), 1..400)
        ) {
            let mut window = ArrivalWindow::default();
            let mut newest = 5_000_u64;
            let mut seen = BTreeSet::from([newest]);
            prop_assert!(window.insert(newest));
            for (ahead, back, kind) in jumps {
                let number = match kind {
                    0..20 => newest + ahead % 3,
                    20..22 => newest + 50 * ahead,
                    _ => newest - back,
                };
                let too_old = newest.max(number) - number >= SIZE;
                newest = newest.max(number);
                let first = seen.insert(number);
                prop_assert_eq!(window.insert(number), first && !too_old);
            }
        }
    }
}
