//! When each packet left, for those whose fate is not known yet: a ring by packet number.

use units::Time;

/// Times of departure of the numbers from the oldest of interest to the newest sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct SentTimes {
    /// A power of two long, or empty.
    times: Vec<Time>,
}

impl SentTimes {
    /// When `number` left, which must be of interest.
    #[inline]
    pub(crate) fn get(&self, number: u64) -> Time {
        let mask = self.times.len().wrapping_sub(1);
        self.times
            .get(number as usize & mask)
            .copied()
            .unwrap_or(Time::ZERO)
    }

    /// `number` leaves, while `oldest` is the oldest of interest.
    #[inline]
    pub(crate) fn set(&mut self, oldest: u64, number: u64, at: Time) {
        if number - oldest >= self.times.len() as u64 {
            self.grow(oldest, number);
        }
        let mask = self.times.len() - 1;
        self.times[number as usize & mask] = at;
    }

    #[cold]
    fn grow(&mut self, oldest: u64, number: u64) {
        let size = ((number - oldest + 1) as usize)
            .next_power_of_two()
            .max(SMALLEST);
        let mut times = vec![Time::ZERO; size];
        for other in oldest..number {
            times[other as usize & (size - 1)] = self.get(other);
        }
        self.times = times;
    }
}

/// Size of the first ring.
const SMALLEST: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_survive_growth_from_any_offset() {
        let mut times = SentTimes::default();
        for number in 5..105 {
            times.set(5, number, Time::from_picos(number));
        }
        for number in 5..105 {
            assert_eq!(times.get(number), Time::from_picos(number));
        }
    }
}
