//! What a sender remembers of each packet in flight: rings by packet number.

use units::Time;

/// One value for each packet from the oldest of interest to the newest sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ring<T> {
    /// A power of two long, or empty.
    values: Vec<T>,
}

impl<T: Copy + Default> Ring<T> {
    /// The value of packet `number`, which must be of interest.
    #[inline]
    pub(crate) fn get(&self, number: u64) -> T {
        let mask = self.values.len().wrapping_sub(1);
        self.values
            .get(number as usize & mask)
            .copied()
            .unwrap_or_default()
    }

    /// Replaces the value of packet `number`, while `oldest` is the oldest of interest.
    #[inline]
    pub(crate) fn set(&mut self, oldest: u64, number: u64, value: T) {
        if number.saturating_sub(oldest) >= self.values.len() as u64 {
            self.grow(oldest, number);
        }
        let mask = self.values.len() - 1;
        self.values[number as usize & mask] = value;
    }

    #[cold]
    fn grow(&mut self, oldest: u64, number: u64) {
        let needed = (number - oldest + 1) as usize;
        let size = needed.next_power_of_two().max(SMALLEST);
        let mut values = vec![T::default(); size];
        for packet in oldest..oldest + self.values.len() as u64 {
            values[packet as usize & (size - 1)] = self.get(packet);
        }
        self.values = values;
    }
}

/// A segment's last transmission: when, and whether it was one of several. The top bit tells of
/// that; times of simulations and connections stay below 2⁶³ ps, 106 days.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Record(u64);

impl Record {
    #[inline]
    pub(crate) fn new(sent_at: Time, retransmission: bool) -> Self {
        Self(sent_at.as_picos() & !RETRANSMISSION | u64::from(retransmission) << 63)
    }

    #[inline]
    pub(crate) fn sent_at(self) -> Time {
        Time::from_picos(self.0 & !RETRANSMISSION)
    }

    #[inline]
    pub(crate) fn is_retransmission(self) -> bool {
        self.0 & RETRANSMISSION != 0
    }
}

const RETRANSMISSION: u64 = 1 << 63;
/// Size of the first ring.
const SMALLEST: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_growth_from_any_offset() {
        let mut ring = Ring::default();
        // Numbers 5 to 104, oldest 5: the ring grows from 8 to 16, 32, 64, 128.
        for number in 5..105 {
            ring.set(5, number, number + 1);
        }
        for number in 5..105 {
            assert_eq!(ring.get(number), number + 1);
        }
    }

    #[test]
    fn a_record_keeps_time_and_repetition_apart() {
        for again in [false, true] {
            let record = Record::new(Time::from_picos(7), again);
            assert_eq!(record.sent_at(), Time::from_picos(7));
            assert_eq!(record.is_retransmission(), again);
        }
    }
}
