//! What the sender remembers of each segment in flight: a ring by segment number.

use units::Time;

/// One segment, as its last transmission left it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Record {
    /// When it left.
    pub(crate) sent_at: Time,
    /// Segments that had been delivered then; the top bit tells of a retransmission.
    delivered: u64,
}

impl Record {
    #[inline]
    pub(crate) fn new(sent_at: Time, delivered: u64, retransmission: bool) -> Self {
        Self {
            sent_at,
            delivered: delivered & !RETRANSMISSION | u64::from(retransmission) << 63,
        }
    }

    #[inline]
    pub(crate) fn delivered(self) -> u64 {
        self.delivered & !RETRANSMISSION
    }

    #[inline]
    pub(crate) fn is_retransmission(self) -> bool {
        self.delivered & RETRANSMISSION != 0
    }
}

/// The records of all segments from the oldest unacknowledged to the newest sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// A power of two long, or empty.
    records: Vec<Record>,
}

impl History {
    /// The record of segment `number`, which must be in flight.
    #[inline]
    pub(crate) fn get(&self, number: u64) -> Record {
        let mask = self.records.len().wrapping_sub(1);
        self.records
            .get(number as usize & mask)
            .copied()
            .unwrap_or_default()
    }

    /// Replaces the record of segment `number`, while `oldest` is the oldest one that counts.
    #[inline]
    pub(crate) fn set(&mut self, oldest: u64, number: u64, record: Record) {
        if number.saturating_sub(oldest) >= self.records.len() as u64 {
            self.grow(oldest, number);
        }
        let mask = self.records.len() - 1;
        self.records[number as usize & mask] = record;
    }

    #[cold]
    fn grow(&mut self, oldest: u64, number: u64) {
        let needed = (number - oldest + 1) as usize;
        let size = needed.next_power_of_two().max(SMALLEST);
        let mut records = vec![Record::default(); size];
        for segment in oldest..oldest + self.records.len() as u64 {
            records[segment as usize & (size - 1)] = self.get(segment);
        }
        self.records = records;
    }
}

const RETRANSMISSION: u64 = 1 << 63;
/// Size of the first ring.
const SMALLEST: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_survive_growth_from_any_offset() {
        let mut history = History::default();
        // Numbers 5 to 104, oldest 5: the ring grows from 8 to 16, 32, 64, 128.
        for number in 5..105 {
            history.set(
                5,
                number,
                Record::new(Time::from_picos(number), number, number % 3 == 0),
            );
        }
        for number in 5..105 {
            let record = history.get(number);
            assert_eq!(record.sent_at, Time::from_picos(number));
            assert_eq!(record.delivered(), number);
            assert_eq!(record.is_retransmission(), number % 3 == 0);
        }
    }
}
