//! Rates in bits per second.

use std::fmt;
use std::str::FromStr;

use crate::parse::{self, ParseQuantityError, Unit};
use crate::{Bytes, Duration};

/// A rate, in bits per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u64);

impl Rate {
    /// Nothing passes.
    pub const ZERO: Self = Self(0);
    /// The highest rate that fits.
    pub const MAX: Self = Self(u64::MAX);

    /// A rate in bits per second.
    pub const fn bits_per_s(bits: u64) -> Self {
        Self(bits)
    }

    /// A rate in kilobits (1,000 bits) per second.
    pub const fn kbit_per_s(kilobits: u64) -> Self {
        Self(kilobits * 1_000)
    }

    /// A rate in megabits (1,000,000 bits) per second.
    pub const fn mbit_per_s(megabits: u64) -> Self {
        Self(megabits * 1_000_000)
    }

    /// A rate in gigabits (1,000,000,000 bits) per second.
    pub const fn gbit_per_s(gigabits: u64) -> Self {
        Self(gigabits * 1_000_000_000)
    }

    /// The rate at which `bytes` pass in `time`; [`Rate::MAX`] where no time passes.
    pub fn from_bytes_over(bytes: Bytes, time: Duration) -> Self {
        if time.is_zero() {
            return Self::MAX;
        }
        let bits = u128::from(bytes.0) * 8 * PICOS_PER_SECOND;
        Self(u64::try_from(bits / u128::from(time.as_picos())).unwrap_or(u64::MAX))
    }

    /// Bits per second.
    pub const fn as_bits_per_s(self) -> u64 {
        self.0
    }

    /// Bits per second as a real number.
    pub fn as_f64(self) -> f64 {
        self.0 as f64
    }

    /// How long `bytes` take, rounded down to a picosecond; [`Duration::MAX`] at rate zero or
    /// where it is longer than that.
    pub fn time_for(self, bytes: Bytes) -> Duration {
        if self.0 == 0 {
            return Duration::MAX;
        }
        let picos = u128::from(bytes.0) * 8 * PICOS_PER_SECOND / u128::from(self.0);
        Duration::from_picos(u64::try_from(picos).unwrap_or(u64::MAX))
    }

    /// How many whole bytes pass in `time`.
    pub fn bytes_in(self, time: Duration) -> Bytes {
        let bits = u128::from(self.0) * u128::from(time.as_picos());
        Bytes(u64::try_from(bits / (8 * PICOS_PER_SECOND)).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        parse::write(f, self.0, UNITS)
    }
}

impl FromStr for Rate {
    type Err = ParseQuantityError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse::read(text, "a rate", UNITS).map(Self)
    }
}

const PICOS_PER_SECOND: u128 = 1_000_000_000_000;

const UNITS: &[Unit] = &[
    Unit::new("Tbps", 1_000_000_000_000),
    Unit::new("Gbps", 1_000_000_000),
    Unit::new("Mbps", 1_000_000),
    Unit::new("kbps", 1_000),
    Unit::new("bps", 1),
    Unit::alias("Tb/s", 1_000_000_000_000),
    Unit::alias("Gb/s", 1_000_000_000),
    Unit::alias("Mb/s", 1_000_000),
    Unit::alias("kb/s", 1_000),
    Unit::alias("b/s", 1),
    Unit::alias("Tbit/s", 1_000_000_000_000),
    Unit::alias("Gbit/s", 1_000_000_000),
    Unit::alias("Mbit/s", 1_000_000),
    Unit::alias("kbit/s", 1_000),
    Unit::alias("bit/s", 1),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kilobyte_takes_eight_hundred_microseconds_at_ten_megabits() {
        let rate = Rate::mbit_per_s(10);
        // 1000 B × 8 / 10e6 = 0.8 ms
        assert_eq!(rate.time_for(Bytes(1_000)), Duration::from_micros(800));
        assert_eq!(rate.bytes_in(Duration::from_millis(40)), Bytes(50_000));
        assert_eq!(
            Rate::from_bytes_over(Bytes(1_000), Duration::from_micros(800)),
            rate
        );
    }

    #[test]
    fn text_and_back() {
        for (text, bits) in [
            ("10 Mbps", 10_000_000),
            ("0.1 Mbps", 100_000),
            ("31250 bps", 31_250),
            ("1 Tbps", 1_000_000_000_000),
            ("2.5 Mb/s", 2_500_000),
            ("3 kbit/s", 3_000),
        ] {
            let rate: Rate = text.parse().unwrap();
            assert_eq!(rate.as_bits_per_s(), bits);
            assert_eq!(rate.to_string().parse::<Rate>().unwrap(), rate);
        }
        assert_eq!(Rate::kbit_per_s(100).to_string(), "100 kbps");
        let error = "1e400 Mbps".parse::<Rate>().unwrap_err().to_string();
        assert!(error.contains("exponent"), "{error}");
        let error = "5 parsecs".parse::<Rate>().unwrap_err().to_string();
        assert!(
            error.contains("5 parsecs") && error.contains("Mbps"),
            "{error}"
        );
    }
}
