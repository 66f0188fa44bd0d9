//! The control metrics of smooth congestion control: how much one of them changes the window.
//!
//! Follows eqs. 2 to 6 of Vieira and Bauer, Round-trip Time Variation in SmoothTCP in the Face of
//! Spurious Errors: D = Σ (∂w/∂p) dp + κ over the metrics p that are switched on.
//!
//! Differs from the text in one sign: with the coefficients that the paper gives, its eq. 6 lets the
//! window grow with every source quench. Here D = −(A + C tanh(B (p + M))) dp.

/// ∂w/∂p with its sign turned round: how strongly a metric lowers the window (eq. 3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derivative {
    /// A: the part that does not depend on the metric.
    pub constant: f64,
    /// B: how soon the part that does is at its full height.
    pub slope: f64,
    /// C: the height of that part.
    pub amplitude: f64,
    /// M: added to the metric.
    pub shift: f64,
}

impl Derivative {
    /// A + C tanh(B (p + M)).
    pub fn at(&self, metric: f64) -> f64 {
        self.constant + self.amplitude * libm::tanh(self.slope * (metric + self.shift))
    }

    /// D for a change of the metric by `change`, when it is `metric`.
    pub fn decrease(&self, metric: f64, change: f64) -> f64 {
        -self.at(metric) * change
    }
}

/// What the fairness rule makes of D (the second eq. 3): the window grows by D/w and falls by D·w,
/// so that small windows gain more and lose less. It stays at one packet or more.
pub fn apply(window: f64, d: f64) -> f64 {
    let change = if d > 0.0 { d / window } else { d * window };
    (window + change).max(SMALLEST_WINDOW_PACKETS)
}

/// The paper's smooth average, with `weight` α of the new value.
pub fn smooth(average: f64, value: f64, weight: f64) -> f64 {
    (1.0 - weight) * average + weight * value
}

/// The paper begins at one packet and never goes below it.
pub const SMALLEST_WINDOW_PACKETS: f64 = 1.0;

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's source quench: A = 0, B = 0.5493, C = 0.0625, M = 0.
    const PAPER: Derivative = Derivative {
        constant: 0.0,
        slope: 0.5493,
        amplitude: 0.0625,
        shift: 0.0,
    };

    /// B = atanh(1/2): one quench in each ACK takes C/2 = 1/32 of the window; many, C = 1/16.
    #[test]
    fn one_quench_takes_a_thirty_second_part_and_many_a_sixteenth() {
        assert!((PAPER.at(1.0) - 0.031_25).abs() < 1e-6);
        assert!((apply(32.0, PAPER.decrease(1.0, 1.0)) - 31.0).abs() < 1e-4);
        assert!((apply(32.0, PAPER.decrease(1e9, 1.0)) - 30.0).abs() < 1e-12);
        assert_eq!(PAPER.at(0.0), 0.0);
    }

    /// tanh(0.5 (1 + 1)) = tanh 1 = 0.761594: 0.1 + 0.2 × 0.761594 = 0.252319.
    #[test]
    fn all_four_coefficients_count() {
        let all = Derivative {
            constant: 0.1,
            slope: 0.5,
            amplitude: 0.2,
            shift: 1.0,
        };
        assert!((all.at(1.0) - 0.252_319).abs() < 1e-6);
    }

    #[test]
    fn the_rule_divides_what_is_added_and_multiplies_what_is_taken() {
        assert_eq!(apply(4.0, 0.5), 4.125);
        assert_eq!(apply(4.0, -0.5), 2.0);
        assert_eq!(apply(4.0, 0.0), 4.0);
        assert_eq!(apply(4.0, -2.0), 1.0);
    }

    #[test]
    fn the_smooth_average_by_hand() {
        // 7/8 × 2 + 1/8 × 10 = 3
        assert_eq!(smooth(2.0, 10.0, 0.125), 3.0);
    }
}
