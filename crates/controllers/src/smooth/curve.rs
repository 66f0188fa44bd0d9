//! The curve of SmoothTCP's slow start: the window over the number of ACKs, its limit, its inverse.
//!
//! Follows eqs. 7 to 11 of Vieira and Bauer, Round-trip Time Variation in SmoothTCP in the Face of
//! Spurious Errors, with one T throughout (the T of eq. 9), which makes 8, 9 and 11 agree.
//!
//! Differs from the text, which prints the T of eq. 8 with half the value that eqs. 9 and 10 need,
//! and eq. 11 with both: taken literally it gives 0.99 ACKs, not 1, for the window after one ACK.
//!
//! Written with `log1p` and `expm1`, so that nothing overflows (eq. 8's cosh does from some
//! 230,000 ACKs on) and no digits are lost near the beginning or near the limit.

/// A slow-start curve: d(w) = A (1 − tanh(B (a − M))) / w, from a window of one packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// A: growth at the beginning, in packets² for each ACK; over 0.
    pub amplitude: f64,
    /// B: how soon it ends, for each ACK; over 0.
    pub slope: f64,
    /// M: number of ACKs by which the end is put off; 0 or more.
    pub shift: f64,
    /// T of eq. 9: the square of the window at which the curve would begin were it not moved to
    /// begin at one packet. With 1 the differential equation above holds exactly.
    pub constant: f64,
}

impl Curve {
    /// The window after `acks` ACKs, in packets (eq. 8).
    pub fn window(&self, acks: f64) -> f64 {
        let area = self.amplitude * self.area(acks);
        libm::sqrt(self.constant + 2.0 * area) - self.origin()
    }

    /// The window that the curve approaches, in packets (eq. 9).
    pub fn limit(&self) -> f64 {
        libm::sqrt(self.constant + 2.0 * self.amplitude * self.whole_area()) - self.origin()
    }

    /// The curve with the same B, M and T that approaches `limit` packets, which is over 1
    /// (eq. 10, there with d, the limit before less the one wanted).
    #[must_use]
    pub fn with_limit(self, limit: f64) -> Self {
        Self {
            amplitude: self.square(limit) / (2.0 * self.whole_area()),
            ..self
        }
    }

    /// The number of ACKs after which the window is `window` packets (eq. 11): zero for one packet
    /// or less, infinite from the limit on.
    pub fn acks(&self, window: f64) -> f64 {
        let limit = self.limit();
        if window <= 1.0 {
            return 0.0;
        }
        if window >= limit {
            return f64::INFINITY;
        }
        // In units of B / A: the area so far, and the area that is left.
        let unit = self.slope / (2.0 * self.amplitude);
        let (so_far, whole) = (self.square(window) * unit, softplus(self.two_b_m()));
        if so_far < NEAR_THE_BEGINNING * whole {
            return -libm::log1p(libm::expm1(-so_far) / self.share()) / (2.0 * self.slope);
        }
        // As a product of two factors: near the limit the difference of squares would be noise.
        let left = (limit - window) * (limit + window + 2.0 * self.origin()) * unit;
        self.shift - libm::log(libm::expm1(left)) / (2.0 * self.slope)
    }

    /// What one ACK adds by eq. 7, after `acks` of them: A (1 − tanh(B (a − M))).
    pub fn growth(&self, acks: f64) -> f64 {
        // 1 − tanh x = 2 / (1 + e^2x), without the difference of two numbers near 1.
        2.0 * self.amplitude / (1.0 + libm::exp(2.0 * self.slope * (acks - self.shift)))
    }

    /// S(a) / A: the integral of 1 − tanh(B (a − M)) from 0 to `acks`.
    fn area(&self, acks: f64) -> f64 {
        let passed = 2.0 * self.slope * acks;
        if passed < NEAR_THE_BEGINNING {
            return -libm::log1p(libm::expm1(-passed) * self.share()) / self.slope;
        }
        let rest = softplus(2.0 * self.slope * (self.shift - acks));
        (softplus(self.two_b_m()) - rest) / self.slope
    }

    /// The same from 0 to infinity.
    fn whole_area(&self) -> f64 {
        softplus(self.two_b_m()) / self.slope
    }

    /// (w + √T − 1)² − T: twice A times the area under a window of `window` packets.
    fn square(&self, window: f64) -> f64 {
        // (w − 1)(w − 1 + 2√T): nothing cancels near one packet.
        (window - 1.0) * (window - 1.0 + 2.0 * libm::sqrt(self.constant))
    }

    /// √T − 1.
    fn origin(&self) -> f64 {
        libm::sqrt(self.constant) - 1.0
    }

    fn two_b_m(&self) -> f64 {
        2.0 * self.slope * self.shift
    }

    /// 1 / (1 + e^(−2BM)): a half without a shift.
    fn share(&self) -> f64 {
        1.0 / (1.0 + libm::exp(-self.two_b_m()))
    }
}

/// ln(1 + e^x), for every x.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}

/// Below this part of the way the forms are used that are exact near the beginning.
const NEAR_THE_BEGINNING: f64 = 0.4;

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's: A = 40, B = 0.003038, M = 0.
    const PAPER: Curve = Curve {
        amplitude: 40.0,
        slope: 0.003_038,
        shift: 0.0,
        constant: 1.0,
    };

    fn near(ours: f64, expected: f64, tolerance: f64) {
        assert!((ours - expected).abs() <= tolerance, "{ours}, {expected}");
    }

    /// 2 (40 / 0.003038) ln 2 = 18252.72358; √(1 + 18252.72358) = 135.10634.
    #[test]
    fn the_limit_of_the_papers_curve() {
        near(PAPER.limit(), 135.106_34, 5e-6);
        assert_eq!(PAPER.window(1e9), PAPER.limit());
    }

    /// By a fourth-order Runge-Kutta integration of w' = A (1 − tanh(B a)) / w from w(0) = 1.
    #[test]
    fn windows_on_the_papers_curve() {
        for (acks, window) in [
            (0.0, 1.0),
            (1.0, 8.993_246),
            (5.0, 19.948_988),
            (10.0, 28.086_471),
            (50.0, 60.814_153),
            (100.0, 82.486_636),
            (500.0, 130.464_078),
            (1_000.0, 134.882_529),
        ] {
            near(PAPER.window(acks), window, 2e-6);
        }
    }

    /// B (w² − 1) / (2 ln 2): 0.003038 × 399 / 1.386294361 = 0.874390.
    #[test]
    fn a_limit_gives_the_amplitude() {
        for (limit, amplitude) in [
            (60.0, 7.887_042),
            (28.0, 1.715_908),
            (20.0, 0.874_390),
            (5.0, 0.052_594_9),
        ] {
            let curve = PAPER.with_limit(limit);
            near(curve.amplitude, amplitude, 1e-6);
            near(curve.limit(), limit, 1e-10);
        }
    }

    /// Eq. 10 as it is printed, with d = `w_c` − w and T = 1:
    /// A' = [A ln 2 − B d √(2 (A/B) ln 2 + 1) + B d² / 2] / ln 2. For w = 20, d = 115.10634:
    /// 27.725887 − 47.245751 + 20.125945 = 0.606081, over ln 2: 0.874390.
    #[test]
    fn the_amplitude_is_that_of_equation_ten() {
        let d = 135.106_342_000_347 - 20.0;
        let ln2 = core::f64::consts::LN_2;
        let printed =
            (40.0 * ln2 - 0.003_038 * d * 135.106_342_000_347 + 0.003_038 * d * d / 2.0) / ln2;
        near(PAPER.with_limit(20.0).amplitude, printed, 1e-9);
    }

    #[test]
    fn the_inverse_undoes_the_curve_from_the_first_ack_to_the_limit() {
        for acks in [1e-9, 1e-3, 1.0, 7.0, 50.0, 100.0, 500.0, 1_000.0, 3_000.0] {
            near(PAPER.acks(PAPER.window(acks)) / acks, 1.0, 1e-6);
        }
        // At 5000 ACKs 1 − tanh is 1.3e-13: the window is 2e-11 packets from its limit, and its
        // last digit is 3e-14.
        near(PAPER.acks(PAPER.window(5_000.0)), 5_000.0, 2.0);
        assert_eq!((PAPER.acks(1.0), PAPER.acks(0.5)), (0.0, 0.0));
        assert_eq!(PAPER.acks(PAPER.limit()), f64::INFINITY);
        assert_eq!(PAPER.acks(1e6), f64::INFINITY);
    }

    /// Half of a limit of 20 packets: z = B (100 − 1) / (2 × 0.874390) with (w² − 1) / (`w_c`² − 1) =
    /// 99 / 399 of ln 2, z = 0.171984; expm1(−z) = −0.158008; a = −ln(1 − 0.316016) / 0.006076 =
    /// 0.379821 / 0.006076 = 62.512.
    #[test]
    fn the_inverse_by_hand() {
        near(PAPER.with_limit(20.0).acks(10.0), 62.512, 2e-3);
    }

    /// Limit 20: less than a packet is missing from about 440 ACKs on.
    #[test]
    fn a_low_limit_is_approached_slowly() {
        let curve = PAPER.with_limit(20.0);
        assert!(curve.window(430.0) < 19.0 && curve.window(440.0) > 19.0);
    }

    /// The form with a shift is the integral of A (1 − tanh(B (a − M))), here with M = 100 up to 50
    /// ACKs by the midpoint rule: 2447.158; √(1 + 2 × 2447.158) = 69.9665.
    #[test]
    fn a_shift_puts_the_end_off() {
        let shifted = Curve {
            shift: 100.0,
            ..PAPER
        };
        let steps = 10_000_u32;
        let step = 50.0 / f64::from(steps);
        let integral: f64 = (0..steps)
            .map(|at| shifted.growth((f64::from(at) + 0.5) * step) * step)
            .sum();
        near(integral, 2_447.158, 1e-3);
        near(shifted.window(50.0), 69.966_5, 1e-3);
        for acks in [1e-6, 1.0, 100.0, 1_000.0, 3_000.0] {
            near(shifted.acks(shifted.window(acks)) / acks, 1.0, 1e-6);
        }
        near(shifted.with_limit(40.0).limit(), 40.0, 1e-10);
    }

    /// T = 4: the curve is that of w(0) = 2, moved down by one packet: √(4 + 18252.72358) − 1.
    #[test]
    fn another_constant_moves_the_curve() {
        let moved = Curve {
            constant: 4.0,
            ..PAPER
        };
        near(moved.window(0.0), 1.0, 1e-12);
        near(moved.limit(), 134.117_44, 1e-5);
        near(moved.acks(moved.window(100.0)), 100.0, 1e-9);
        near(moved.acks(moved.window(1_000.0)), 1_000.0, 1e-6);
        near(moved.with_limit(20.0).limit(), 20.0, 1e-10);
    }

    #[test]
    fn nothing_overflows_at_a_thousand_million_acks() {
        let shifted = Curve {
            shift: 1e6,
            ..PAPER
        };
        for curve in [PAPER, shifted] {
            assert_eq!(curve.window(1e9), curve.limit());
            assert_eq!(curve.growth(1e9), 0.0);
            assert!(curve.limit().is_finite());
        }
    }
}
