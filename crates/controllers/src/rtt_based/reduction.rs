//! How a queue empties when the fraction K of what was seen of it is taken away each round trip, and
//! the effect shows two round trips later.
//!
//! Follows §2.4 of Chen, Chen and Lee, An end-to-end flow control approach based on round trip time.
//!
//! Differs: the paper asks that the infinite sum of all reductions is not above N (eq. 5), but that
//! sum is N for every K below 1 and chooses none. What "never over-reduced" needs is every partial
//! sum: it holds up to K = 1/4, where x² − x + K has real roots.

/// What is left of N packets after each of the first `cycles` reductions; negative where more was
/// taken than there was.
pub fn remaining(packets: f64, k: f64, cycles: usize) -> Vec<f64> {
    // f(1) = f(2) = N·K; f(i) = (N − f(1) − … − f(i − 2))·K.
    let (mut before, mut now) = (packets, packets);
    let mut left = Vec::with_capacity(cycles);
    for cycle in 1..=cycles {
        let seen = if cycle <= 2 { packets } else { before };
        before = now;
        now -= k * seen;
        left.push(now);
    }
    left
}

/// The least that is ever left, as a fraction of N.
pub fn least_left(k: f64) -> f64 {
    remaining(1.0, k, CYCLES).into_iter().fold(1.0, f64::min)
}

/// Enough for what is left to become smaller than rounding, or to swing at its largest.
const CYCLES: usize = 400;

#[cfg(test)]
mod tests {
    use super::*;

    /// N = 64, K = 1/4: 16 and 16 of what was seen at the start, then 1/4 of what two reductions
    /// ago was left: (64 − 16)/4 = 12, (64 − 32)/4 = 8, (64 − 44)/4 = 5.
    #[test]
    fn reductions_lag_by_two_cycles() {
        assert_eq!(remaining(64.0, 0.25, 5), [48.0, 32.0, 20.0, 12.0, 7.0]);
    }

    /// x² − x + K: real roots up to K = 1/4, then the remainder swings below zero.
    #[test]
    fn a_quarter_is_the_largest_fraction_that_never_takes_too_much() {
        assert!(least_left(0.2) >= 0.0);
        assert!(least_left(0.25) >= 0.0);
        for (k, least) in [(0.255, -2e-7), (0.26, -2e-5), (0.3, -0.012), (0.5, -0.25)] {
            let found = least_left(k);
            assert!(found < 0.0, "{k}");
            assert!((found / least - 1.0).abs() < 0.3, "{k}: {found}");
        }
    }

    /// Eq. 5 as printed: the whole sum comes to N for every K below 1.
    #[test]
    fn the_sum_of_all_reductions_is_everything_whatever_k_is() {
        for k in [0.1, 0.25, 0.5, 0.9] {
            let left = *remaining(1.0, k, CYCLES).last().unwrap();
            assert!(left.abs() < 1e-6, "{k}: {left}");
        }
    }
}
