//! The measures of the literature, and the table of all metrics of a run.

mod percentiles;
mod table;

pub use percentiles::{Histogram, Percentiles, percentiles};
pub use table::{Metric, Named, Part, column, columns, link_name, named, values};

/// Jain's fairness index: (Σx)² / (n·Σx²), from 1/n (one takes all) to 1 (all equal).
///
/// `None` where nothing was allotted, or to nobody.
pub fn jain(shares: &[f64]) -> Option<f64> {
    let sum: f64 = shares.iter().sum();
    let squares: f64 = shares.iter().map(|share| share * share).sum();
    (squares > 0.0).then(|| sum * sum / (shares.len() as f64 * squares))
}

/// θ: the first group's part of what two groups have together, from 0 to 1.
///
/// `None` where neither has anything.
pub fn theta(first: f64, second: f64) -> Option<f64> {
    (first + second > 0.0).then(|| first / (first + second))
}

/// Count, mean and standard deviation of samples that are not kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    count: u64,
    mean: f64,
    /// Sum of squared distances from the mean (Welford).
    squares: f64,
}

impl Moments {
    /// Adds a sample.
    #[inline]
    pub fn add(&mut self, sample: f64) {
        self.count += 1;
        let distance = sample - self.mean;
        self.mean += distance / self.count as f64;
        self.squares += distance * (sample - self.mean);
    }

    /// How many samples there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; `None` without a sample.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// Their standard deviation (n − 1); `None` with fewer than two samples.
    pub fn standard_deviation(&self) -> Option<f64> {
        (self.count > 1).then(|| (self.squares / (self.count - 1) as f64).sqrt())
    }
}

/// Half the width of the 95 % confidence interval of the mean of independent samples (Student's
/// t); `None` with fewer than two.
pub fn confidence_95(samples: &Moments) -> Option<f64> {
    let deviation = samples.standard_deviation()?;
    let freedom = samples.count() - 1;
    Some(student_t_975(freedom) * deviation / (samples.count() as f64).sqrt())
}

/// The 95 % confidence interval of the mean of `second` less that of `first` (Welch, with the degrees
/// of freedom of Satterthwaite rounded down); `None` with fewer than two samples of either.
pub fn difference_95(first: &Moments, second: &Moments) -> Option<(f64, f64)> {
    let variance = |samples: &Moments| {
        let deviation = samples.standard_deviation()?;
        Some(deviation * deviation / samples.count() as f64)
    };
    let (one, other) = (variance(first)?, variance(second)?);
    let difference = second.mean()? - first.mean()?;
    let both = one + other;
    if both == 0.0 {
        return Some((difference, difference));
    }
    let part =
        |variance: f64, samples: &Moments| variance * variance / (samples.count() - 1) as f64;
    let freedom = both * both / (part(one, first) + part(other, second));
    let half = student_t_975(freedom.max(1.0) as u64) * both.sqrt();
    Some((difference - half, difference + half))
}

/// The 97.5 % quantile of Student's t with `freedom` degrees of freedom.
///
/// Exact to four digits up to 30 (tabulated); beyond, the Cornish-Fisher expansion around the
/// normal quantile, which is good to four digits there.
fn student_t_975(freedom: u64) -> f64 {
    const TABLE: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042,
    ];
    if let Some(tabulated) = freedom.checked_sub(1).and_then(|at| TABLE.get(at as usize)) {
        return *tabulated;
    }
    let z = 1.959_964;
    let n = freedom as f64;
    z + (z * z * z + z) / (4.0 * n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jain_of_worked_examples() {
        assert_eq!(jain(&[1.0, 1.0, 1.0, 1.0]), Some(1.0));
        assert_eq!(jain(&[1.0, 0.0, 0.0, 0.0]), Some(0.25));
        // (1 + 3)² / (2 × (1 + 9)) = 16/20
        assert_eq!(jain(&[1.0, 3.0]), Some(0.8));
        assert_eq!(jain(&[0.0, 0.0]), None);
    }

    #[test]
    fn moments_of_a_worked_example() {
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squared distances 9+1+1+1+0+0+4+16 = 32, sd √(32/7)
        let mut moments = Moments::default();
        for sample in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            moments.add(sample);
        }
        assert_eq!(moments.mean(), Some(5.0));
        let deviation = moments.standard_deviation().unwrap();
        assert!((deviation - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        // t(7) = 2.365: 2.365 × 2.13809 / √8 = 1.78777
        assert!((confidence_95(&moments).unwrap() - 1.787_77).abs() < 1e-4);
    }

    /// 1, 2, 3 and 2, 4, 6: variances of the means 1/3 and 4/3, so (5/3)² / ((1/9 + 16/9) / 2) = 2.94
    /// degrees of freedom, of which 2 count: 2 ± 4.303 × √(5/3) = 2 ± 5.555.
    #[test]
    fn a_difference_of_means_has_an_interval() {
        let of = |values: [f64; 3]| {
            let mut moments = Moments::default();
            for value in values {
                moments.add(value);
            }
            moments
        };
        let (low, high) = difference_95(&of([1.0, 2.0, 3.0]), &of([2.0, 4.0, 6.0])).unwrap();
        assert!(
            (low + 3.555).abs() < 1e-3 && (high - 7.555).abs() < 1e-3,
            "{low} {high}"
        );
        let same = of([5.0; 3]);
        assert_eq!(difference_95(&same, &same), Some((0.0, 0.0)));
    }

    #[test]
    fn students_t_beyond_the_table_joins_on() {
        // Published values: t(40) = 2.0211, t(120) = 1.9799.
        assert!((student_t_975(40) - 2.0211).abs() < 2e-3);
        assert!((student_t_975(120) - 1.9799).abs() < 2e-3);
    }
}
