//! Outages: at regular times everything is lost for a while.
//!
//! An outage begins at every multiple of an interval and lasts a fixed or an exponential time. One
//! that would begin before the last is over does not take place.

use units::{Duration, Time};

use super::{LossModel, Offered};
use crate::random::Stream;

/// Loses everything during outages.
#[derive(Clone, Debug)]
pub struct Outage {
    every: Duration,
    length: OutageLength,
    random: Stream,
    /// The outage that is going on or comes next, from its first instant to just before its end.
    begin: Time,
    end: Time,
}

/// How long an outage lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutageLength {
    /// Always so long.
    Fixed(Duration),
    /// An exponential time of this mean.
    Exponential(Duration),
}

impl Outage {
    /// An outage every `every`, the first after that time.
    ///
    /// # Panics
    /// When `every` is zero.
    pub fn new(every: Duration, length: OutageLength, random: Stream) -> Self {
        Self::starting_at(Time::ZERO.saturating_add(every), every, length, random)
    }

    /// An outage at `first` and every `every` after it.
    ///
    /// # Panics
    /// When `every` is zero.
    pub fn starting_at(
        first: Time,
        every: Duration,
        length: OutageLength,
        mut random: Stream,
    ) -> Self {
        assert!(!every.is_zero(), "outages come after some time");
        let end = first.saturating_add(length.draw(&mut random));
        Self {
            every,
            length,
            random,
            begin: first,
            end,
        }
    }

    /// Goes on to the outage after this one.
    #[cold]
    fn next(&mut self) {
        // The first multiple of the interval at which this outage is over, and not its own.
        let lasted = self.end.since(self.begin).as_picos();
        let intervals = lasted.div_ceil(self.every.as_picos()).max(1);
        self.begin = self
            .begin
            .saturating_add(self.every.saturating_mul(intervals));
        self.end = self
            .begin
            .saturating_add(self.length.draw(&mut self.random));
    }
}

impl OutageLength {
    fn draw(self, random: &mut Stream) -> Duration {
        match self {
            Self::Fixed(length) => length,
            Self::Exponential(mean) => random.exponential(mean),
        }
    }
}

impl LossModel for Outage {
    fn loses(&mut self, packet: &Offered) -> bool {
        while packet.now >= self.end && self.begin < Time::MAX {
            self.next();
        }
        packet.now >= self.begin
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::tests::losses;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn stream() -> Stream {
        Stream::named(1, "outage")
    }

    #[test]
    fn everything_is_lost_from_the_beginning_of_an_outage_until_just_before_its_end() {
        // Packet n comes at n ms; every 10 ms, for 3 ms.
        let mut model = Outage::new(ms(10), OutageLength::Fixed(ms(3)), stream());
        assert_eq!(losses(&mut model, 33), [10, 11, 12, 20, 21, 22, 30, 31, 32]);
    }

    #[test]
    fn the_first_outage_may_come_at_any_time() {
        let first = Time::ZERO + ms(2);
        let mut model = Outage::starting_at(first, ms(10), OutageLength::Fixed(ms(1)), stream());
        assert_eq!(losses(&mut model, 25), [2, 12, 22]);
        let mut model =
            Outage::starting_at(Time::ZERO, ms(10), OutageLength::Fixed(ms(1)), stream());
        assert_eq!(losses(&mut model, 15), [0, 10]);
    }

    #[test]
    fn an_outage_that_would_begin_before_the_last_is_over_does_not_take_place() {
        // 12 ms from 10 ms on: the one at 20 ms falls out, the next is at 30 ms.
        let mut model = Outage::new(ms(10), OutageLength::Fixed(ms(12)), stream());
        let expected: Vec<u64> = (10..22).chain(30..42).chain(50..60).collect();
        assert_eq!(losses(&mut model, 60), expected);
        // Exactly as long as the interval: one after the other.
        let mut model = Outage::new(ms(10), OutageLength::Fixed(ms(10)), stream());
        assert_eq!(losses(&mut model, 40), (10..40).collect::<Vec<u64>>());
    }

    #[test]
    fn exponential_outages_have_their_mean() {
        // Every 200 ms, mean 10 ms (P(longer than the interval) = e⁻²⁰): 5000 outages in 1000 s.
        // Each loses the packets of its milliseconds: ceil of its length. The mean of the ceiling
        // of an exponential time of mean 10: 1 / (1 − e⁻⁰·¹) = 10.508; sd 10.0, of the mean of
        // 5000: 0.14; 4.5 sd = 0.64.
        let mut model = Outage::new(ms(200), OutageLength::Exponential(ms(10)), stream());
        let lost = losses(&mut model, 1_000_200);
        assert!(lost.iter().all(|n| *n >= 200));
        let mean = lost.len() as f64 / 5_000.0;
        assert!((9.87..=11.15).contains(&mean), "{mean}");
    }

    #[test]
    fn outages_are_the_same_whether_packets_come_or_not() {
        let outage = || Outage::new(ms(20), OutageLength::Exponential(ms(15)), stream());
        let all = losses(&mut outage(), 50_000);
        let mut rare = outage();
        for number in (0..50_000).step_by(97) {
            let packet = crate::loss::tests::packet(number, 0);
            assert_eq!(rare.loses(&packet), all.binary_search(&number).is_ok());
        }
    }
}
