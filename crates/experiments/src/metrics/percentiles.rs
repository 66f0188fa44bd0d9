//! Percentiles of many lengths of time that are not kept.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use units::Duration;

/// Median and the two percentiles that say how bad the bad cases are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Percentiles {
    /// Half of all are at most so much.
    pub p50: f64,
    /// 95 of 100 are at most so much.
    pub p95: f64,
    /// 99 of 100 are at most so much.
    pub p99: f64,
}

/// Counts of lengths of time in classes of which each is at most 1/64 wider than its lower end, so
/// that a percentile read from it is off by less than 0.8 %.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    classes: Vec<u64>,
}

impl Histogram {
    /// Adds one.
    #[inline]
    pub fn add(&mut self, length: Duration) {
        let class = class_of(length.as_picos());
        match self.classes.get_mut(class) {
            Some(count) => *count += 1,
            None => self.begin(class),
        }
    }

    /// Adds the first of a class beyond those there are.
    #[cold]
    fn begin(&mut self, class: usize) {
        self.grow(class);
        self.classes[class] = 1;
    }

    fn grow(&mut self, class: usize) {
        self.classes.resize(class + 1, 0);
    }

    /// Adds all that another one has.
    pub fn merge(&mut self, other: &Self) {
        if let Some(last) = other.classes.len().checked_sub(1)
            && last >= self.classes.len()
        {
            self.grow(last);
        }
        for (own, others) in self.classes.iter_mut().zip(&other.classes) {
            *own += others;
        }
    }

    /// The percentiles in milliseconds; none where nothing was added.
    pub fn percentiles_ms(&self) -> Option<Percentiles> {
        let at = |part: f64| self.quantile_ms(part);
        Some(Percentiles {
            p50: at(0.50)?,
            p95: at(0.95)?,
            p99: at(0.99)?,
        })
    }

    /// The middle of the class that holds the value below which `part` of all are.
    fn quantile_ms(&self, part: f64) -> Option<f64> {
        let all: u64 = self.classes.iter().sum();
        let rank = (libm::ceil(part * all as f64) as u64).max(1);
        let mut passed = 0;
        let class = self.classes.iter().position(|count| {
            passed += count;
            passed >= rank
        })?;
        let (low, high) = (lower_end(class), lower_end(class + 1) - 1);
        Some(f64::midpoint(low as f64, high as f64) / PICOS_PER_MILLI)
    }
}

/// The percentiles of values that are all there, which are put in order; none where there are none.
///
/// A percentile is the least value that has so many at or below it.
pub fn percentiles(values: &mut [f64]) -> Option<Percentiles> {
    values.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let rank = libm::ceil(part * values.len() as f64) as usize;
        values.get(rank.max(1) - 1).copied()
    };
    Some(Percentiles {
        p50: at(0.50)?,
        p95: at(0.95)?,
        p99: at(0.99)?,
    })
}

/// Up to 127 each number is a class; beyond, each power of two has 64.
#[inline]
fn class_of(picos: u64) -> usize {
    let highest_bit = u64::BITS - 1 - (picos | STEPS).leading_zeros();
    let octave = highest_bit - STEP_BITS;
    (u64::from(octave) * STEPS + (picos >> octave)) as usize
}

/// The least number of a class.
fn lower_end(class: usize) -> u64 {
    let class = class as u64;
    if class < 2 * STEPS {
        return class;
    }
    let octave = class / STEPS - 1;
    (class - octave * STEPS) << octave
}

/// Classes of a power of two.
const STEPS: u64 = 64;
const STEP_BITS: u32 = STEPS.trailing_zeros();
const PICOS_PER_MILLI: f64 = 1e9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_join_without_gaps_and_are_at_most_a_64th_wide() {
        for class in 0..3_000 {
            let (low, next) = (lower_end(class), lower_end(class + 1));
            assert_eq!(class_of(low), class, "{low}");
            assert_eq!(class_of(next - 1), class, "{}", next - 1);
            assert!(next - low == 1 || (next - low) * STEPS <= low, "{class}");
        }
        assert!(class_of(u64::MAX) < 4_000);
    }

    /// Of 1, 2, …, 1000 ms the 500th is 500 ms, the 950th 950 ms, the 990th 990 ms.
    #[test]
    fn percentiles_of_a_thousand_lengths() {
        let mut histogram = Histogram::default();
        for millis in (1..=1_000).rev() {
            histogram.add(Duration::from_millis(millis));
        }
        let mut values: Vec<f64> = (1..=1_000).rev().map(f64::from).collect();
        let exact = percentiles(&mut values).unwrap();
        assert_eq!((exact.p50, exact.p95, exact.p99), (500.0, 950.0, 990.0));
        let ours = histogram.percentiles_ms().unwrap();
        for (ours, exact) in [(ours.p50, 500.0), (ours.p95, 950.0), (ours.p99, 990.0)] {
            assert!((ours / exact - 1.0).abs() < 0.008, "{ours} for {exact}");
        }
        let mut twice = histogram.clone();
        twice.merge(&histogram);
        assert_eq!(twice.percentiles_ms(), histogram.percentiles_ms());
        assert_eq!(twice.classes.iter().sum::<u64>(), 2_000);
    }

    #[test]
    fn nothing_has_no_percentiles() {
        assert_eq!(Histogram::default().percentiles_ms(), None);
        assert_eq!(percentiles(&mut []), None);
        let one = percentiles(&mut [7.0]).unwrap();
        assert_eq!((one.p50, one.p99), (7.0, 7.0));
    }
}
