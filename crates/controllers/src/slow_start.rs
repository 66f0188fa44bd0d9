//! How a window grows below its slow-start threshold.
//!
//! Follows RFC 5681 §3.1 (2), and RFC 3742 for limited slow start: above a window of its own it adds
//! about half of that window in each round trip, and no longer doubles.
//!
//! Differs from the text of RFC 3742 §2, whose example prints 836 round trips up to 83,000 packets: by
//! its law there are 1665.

use crate::{Kind, Parameter, Parameters, Value};

/// A slow start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlowStart {
    /// One packet for each that is counted: the window doubles in a round trip.
    Classic,
    /// The same up to a window of so many packets, `max_ssthresh`; above it at most half of those
    /// in a round trip.
    Limited(f64),
}

/// The parameter that limits slow start, shared by the window laws.
pub(crate) const LIMITED_SLOW_START: Parameter = Parameter {
    name: "limited_slow_start",
    kind: Kind::Number {
        min: 0.0,
        max: 1_000_000.0,
    },
    default: Value::Number(0.0),
    unit: "packets",
    doc: "Window from which slow start adds at most half of these packets in a round trip \
          (max_ssthresh of RFC 3742, which has 100); 0: it doubles all the way.",
};

impl SlowStart {
    pub(crate) fn from_parameters(parameters: &Parameters) -> Self {
        match parameters.number(LIMITED_SLOW_START.name) {
            Some(packets) if packets > 0.0 => Self::Limited(packets),
            _ => Self::Classic,
        }
    }

    /// Packets that a window of `window` packets grows by for `counted` acknowledged ones.
    #[inline]
    pub fn growth(self, window: f64, counted: f64) -> f64 {
        match self {
            Self::Limited(most) if window > most => counted / libm::floor(window / (0.5 * most)),
            _ => counted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 3742 §2 with 100: K = ⌊200/50⌋ = 4 at 200 packets; up to 100 a packet each.
    #[test]
    fn growth_is_limited_above_the_window_given() {
        let limited = SlowStart::Limited(100.0);
        assert_eq!(limited.growth(100.0, 1.0), 1.0);
        assert_eq!(limited.growth(120.0, 1.0), 0.5);
        assert_eq!(limited.growth(200.0, 1.0), 0.25);
        assert_eq!(limited.growth(200.0, 2.0), 0.5);
        assert_eq!(SlowStart::Classic.growth(200.0, 1.0), 1.0);
    }

    /// log₂ 100 = 6.6, then (83,000 − 100)/50 = 1658: 1665 round trips. A round at window w adds
    /// w/⌊w/50⌋: at least 50, and less than 50·w/(w − 50), so there are somewhat fewer: with
    /// Σ 50/(w − 50) ≈ ln(82,950/50) = 7.4 packets' worth of rounds at the most.
    #[test]
    fn round_trips_to_a_large_window() {
        let limited = SlowStart::Limited(100.0);
        let (mut window, mut rounds) = (1.0_f64, 0);
        while window < 83_000.0 {
            window += limited.growth(window, window);
            rounds += 1;
        }
        assert!((1_655..=1_666).contains(&rounds), "{rounds}");
    }
}
