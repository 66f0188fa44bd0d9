//! The window law that Reno and GAIMD share: additive increase, multiplicative decrease.
//!
//! Follows RFC 5681 §3.1 and §3.2 with the increase α and the kept fraction β as parameters
//! (Yang and Lam, General AIMD Congestion Control, 2000).

use crate::ack_clocked::{Law, Reduction};

/// What differs from one AIMD controller to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aimd {
    /// Increase for each window of data without loss, in packets.
    pub alpha: f64,
    /// Fraction of the window kept after a loss.
    pub beta: f64,
}

impl Law for Aimd {
    #[inline]
    fn increase(&mut self, window: f64, counted: f64) -> f64 {
        self.alpha * counted / window
    }

    fn decrease(&mut self, reduction: &Reduction) -> f64 {
        reduction.flight * self.beta
    }

    fn time_out(&mut self, reduction: &Reduction) -> f64 {
        reduction.flight * HALF
    }
}

/// Share of the outstanding data that stays the threshold after a timeout (RFC 5681 §3.1 (4)).
pub(crate) const HALF: f64 = 0.5;
