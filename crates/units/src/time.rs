//! Instants and lengths of time, in whole picoseconds.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};
use std::str::FromStr;

use crate::parse::{self, ParseQuantityError, Unit};

/// An instant: picoseconds since the run began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

/// A length of time, in picoseconds. Never negative; at most 213 days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(u64);

impl Time {
    /// The beginning of a run.
    pub const ZERO: Self = Self(0);
    /// Later than anything that happens.
    pub const MAX: Self = Self(u64::MAX);

    /// The instant `picos` picoseconds after the beginning.
    pub const fn from_picos(picos: u64) -> Self {
        Self(picos)
    }

    /// Picoseconds since the beginning.
    pub const fn as_picos(self) -> u64 {
        self.0
    }

    /// Seconds since the beginning, for output and for arithmetic with real numbers.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / PICOS_PER_SECOND as f64
    }

    /// Time passed since `earlier`.
    ///
    /// # Panics
    /// When `earlier` is later: time going back is a broken invariant, not an input error.
    #[track_caller]
    pub const fn since(self, earlier: Self) -> Duration {
        match self.0.checked_sub(earlier.0) {
            Some(picos) => Duration(picos),
            None => panic!("time went back"),
        }
    }

    /// Time passed since `earlier`, or zero when `earlier` is later.
    pub const fn saturating_since(self, earlier: Self) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }

    /// `self + length`, or [`Time::MAX`] where that is out of range.
    pub const fn saturating_add(self, length: Duration) -> Self {
        Self(self.0.saturating_add(length.0))
    }
}

impl Duration {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// The longest length that fits (213 days).
    pub const MAX: Self = Self(u64::MAX);

    /// A length in picoseconds.
    pub const fn from_picos(picos: u64) -> Self {
        Self(picos)
    }

    /// A length in nanoseconds.
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos * 1_000)
    }

    /// A length in microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros * 1_000_000)
    }

    /// A length in milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis * 1_000_000_000)
    }

    /// A length in seconds.
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds * PICOS_PER_SECOND)
    }

    /// A length in seconds, rounded to the nearest picosecond; negative or not a number gives
    /// zero, too long gives [`Duration::MAX`].
    pub fn from_secs_f64(seconds: f64) -> Self {
        // A float-to-integer cast saturates, and takes NaN to zero.
        Self((seconds * PICOS_PER_SECOND as f64 + 0.5) as u64)
    }

    /// Picoseconds.
    pub const fn as_picos(self) -> u64 {
        self.0
    }

    /// Seconds, for output and for arithmetic with real numbers.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / PICOS_PER_SECOND as f64
    }

    /// Whether this is no time at all.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// `self - other`, or zero where `other` is longer.
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// `self + other`, or [`Duration::MAX`] where that is out of range.
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// `self * factor`, or [`Duration::MAX`] where that is out of range.
    pub const fn saturating_mul(self, factor: u64) -> Self {
        Self(self.0.saturating_mul(factor))
    }

    /// The length times a real factor, rounded to the nearest picosecond.
    pub fn mul_f64(self, factor: f64) -> Self {
        Self((self.0 as f64 * factor + 0.5) as u64)
    }

    /// How far apart two lengths are.
    pub const fn abs_diff(self, other: Self) -> Self {
        Self(self.0.abs_diff(other.0))
    }
}

impl Add<Duration> for Time {
    type Output = Self;
    fn add(self, length: Duration) -> Self {
        Self(self.0 + length.0)
    }
}

impl AddAssign<Duration> for Time {
    fn add_assign(&mut self, length: Duration) {
        self.0 += length.0;
    }
}

impl Sub<Duration> for Time {
    type Output = Self;
    fn sub(self, length: Duration) -> Self {
        Self(self.0 - length.0)
    }
}

impl Add for Duration {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Duration {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl SubAssign for Duration {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Mul<u64> for Duration {
    type Output = Self;
    fn mul(self, factor: u64) -> Self {
        Self(self.0 * factor)
    }
}

impl Div<u64> for Duration {
    type Output = Self;
    fn div(self, divisor: u64) -> Self {
        Self(self.0 / divisor)
    }
}

impl Sum for Duration {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        parse::write(f, self.0, UNITS)
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        parse::write(f, self.0, UNITS)
    }
}

impl FromStr for Duration {
    type Err = ParseQuantityError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse::read(text, "a length of time", UNITS).map(Self)
    }
}

const PICOS_PER_SECOND: u64 = 1_000_000_000_000;

const UNITS: &[Unit] = &[
    Unit::new("s", PICOS_PER_SECOND),
    Unit::new("ms", 1_000_000_000),
    Unit::new("us", 1_000_000),
    Unit::new("ns", 1_000),
    Unit::new("ps", 1),
    Unit::alias("min", 60 * PICOS_PER_SECOND),
    Unit::alias("h", 3_600 * PICOS_PER_SECOND),
    Unit::alias("µs", 1_000_000),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        for (text, picos) in [
            ("20 ms", 20_000_000_000),
            ("0.5 ms", 500_000_000),
            ("1.25 us", 1_250_000),
            ("100 s", 100_000_000_000_000),
            ("320 ps", 320),
            ("0 s", 0),
        ] {
            let length: Duration = text.parse().unwrap();
            assert_eq!(length.as_picos(), picos, "{text}");
            assert_eq!(length.to_string().parse::<Duration>().unwrap(), length);
        }
        assert_eq!(Duration::from_micros(1_500).to_string(), "1.5 ms");
        assert_eq!(
            "2 min".parse::<Duration>().unwrap(),
            Duration::from_secs(120)
        );
    }

    #[test]
    #[should_panic(expected = "time went back")]
    fn time_never_goes_back() {
        let _ = Time::ZERO.since(Time::from_picos(1));
    }
}
