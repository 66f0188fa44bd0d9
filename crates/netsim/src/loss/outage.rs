//! Outages: again and again everything is lost for a while.
//!
//! From the beginning of one outage to that of the next passes a fixed or random time, and an
//! outage lasts a fixed or random time. One that would begin before the last is over does not
//! take place.

use units::choice::{Choice, Kind, Parameter, Value};
use units::{Duration, Time};

use super::choice::check_mean;
use super::{LossModel, Model, Offered};
use crate::Lengths;
use crate::random::Stream;

/// The model as scenario files choose it.
pub(super) const MODEL: Model = Model {
    about: Choice {
        name: "outage",
        doc: "Everything is lost for some time, again and again.",
        source: "",
        keys: &[
            Parameter::new(
                "every",
                OVER_ZERO,
                Value::Required,
                "From the beginning of the run, or of one outage, to that of the next.",
            ),
            Parameter::new(
                "duration",
                OVER_ZERO,
                Value::Required,
                "How long each lasts.",
            ),
        ],
        rule: |parameters| {
            check_mean("every", parameters.distribution("every"))?;
            check_mean("duration", parameters.distribution("duration"))
        },
    },
    build: |parameters, place| {
        let law = |name| Lengths::from(parameters.distribution(name));
        Box::new(Outage::new(law("every"), law("duration"), place.random))
    },
};

const OVER_ZERO: Kind = Kind::Distribution {
    over_zero: true,
    each_flow: false,
};

/// Loses everything during outages.
#[derive(Clone, Debug)]
pub struct Outage {
    every: Lengths,
    duration: Lengths,
    random: Stream,
    /// The outage that is going on or comes next, from its first instant to just before its end.
    begin: Time,
    end: Time,
}

impl Outage {
    /// An outage each time that `every` has passed since the last began, the first after one
    /// such time.
    ///
    /// # Panics
    /// When `every` is always zero.
    pub fn new(every: Lengths, duration: Lengths, mut random: Stream) -> Self {
        let first = Time::ZERO.saturating_add(every.draw(&mut random));
        Self::starting_at(first, every, duration, random)
    }

    /// The same with the first outage at `first`.
    ///
    /// # Panics
    /// When `every` is always zero.
    pub fn starting_at(first: Time, every: Lengths, duration: Lengths, mut random: Stream) -> Self {
        let longest = match every {
            Lengths::Constant(length) => length,
            Lengths::Uniform { high, .. } => high,
            Lengths::Exponential { mean } | Lengths::Pareto { mean, .. } => mean,
        };
        assert!(longest > Duration::ZERO, "outages come after some time");
        let end = first.saturating_add(duration.draw(&mut random));
        Self {
            every,
            duration,
            random,
            begin: first,
            end,
        }
    }

    /// Goes on to the outage after this one.
    #[cold]
    fn next(&mut self) {
        let over = self.end;
        loop {
            let interval = self.every.draw(&mut self.random);
            self.begin = self.begin.saturating_add(interval);
            if self.begin >= over {
                break;
            }
        }
        let duration = self.duration.draw(&mut self.random);
        self.end = self.begin.saturating_add(duration);
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
    use crate::loss::tests::{losses, packet};

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn always(millis: u64) -> Lengths {
        Lengths::Constant(ms(millis))
    }

    fn stream() -> Stream {
        Stream::named(1, "outage")
    }

    #[test]
    fn everything_is_lost_from_the_beginning_of_an_outage_until_just_before_its_end() {
        // Packet n comes at n ms; every 10 ms, for 3 ms.
        let mut model = Outage::new(always(10), always(3), stream());
        assert_eq!(losses(&mut model, 33), [10, 11, 12, 20, 21, 22, 30, 31, 32]);
    }

    #[test]
    fn the_first_outage_may_come_at_any_time() {
        let starting_at = |first| {
            let mut model =
                Outage::starting_at(Time::ZERO + ms(first), always(10), always(1), stream());
            losses(&mut model, 25)
        };
        assert_eq!(starting_at(2), [2, 12, 22]);
        assert_eq!(starting_at(0), [0, 10, 20]);
    }

    #[test]
    fn an_outage_that_would_begin_before_the_last_is_over_does_not_take_place() {
        // 12 ms from 10 ms on: the one at 20 ms falls out, the next is at 30 ms.
        let mut model = Outage::new(always(10), always(12), stream());
        let expected: Vec<u64> = (10..22).chain(30..42).chain(50..60).collect();
        assert_eq!(losses(&mut model, 60), expected);
        // Exactly as long as the interval: one after the other.
        let mut model = Outage::new(always(10), always(10), stream());
        assert_eq!(losses(&mut model, 40), (10..40).collect::<Vec<u64>>());
    }

    #[test]
    fn an_outage_of_no_length_loses_nothing() {
        assert_eq!(
            losses(&mut Outage::new(always(10), always(0), stream()), 100),
            []
        );
    }

    #[test]
    fn exponential_outages_have_their_mean() {
        // Every 200 ms, mean 10 ms (P(longer than the interval) = e⁻²⁰): 5000 outages in 1000 s.
        // Each loses the packets of its milliseconds: ceil of its length. The mean of the ceiling
        // of an exponential time of mean 10: 1 / (1 − e⁻⁰·¹) = 10.508; sd 10.0, of the mean of
        // 5000: 0.14; 4.5 sd = 0.64.
        let mut model = Outage::new(always(200), Lengths::Exponential { mean: ms(10) }, stream());
        let lost = losses(&mut model, 1_000_200);
        assert!(lost.iter().all(|n| *n >= 200));
        let mean = lost.len() as f64 / 5_000.0;
        assert!((9.87..=11.15).contains(&mean), "{mean}");
    }

    #[test]
    fn random_intervals_have_their_mean() {
        // Exponential intervals of mean 100 ms, outages of 1 ms: one that follows within 1 ms
        // does not take place, and the memoryless wait begins anew: a cycle of 1 + 100 ms. In
        // 1,010,000 ms 10,000 outages of one packet each, sd about 100; 4.5 sd = 450.
        let every = Lengths::Exponential { mean: ms(100) };
        let mut model = Outage::new(every, always(1), stream());
        let lost = losses(&mut model, 1_010_000).len();
        assert!((9_550..=10_450).contains(&lost), "{lost}");
    }

    #[test]
    fn outages_are_the_same_whether_packets_come_or_not() {
        let outage = || {
            let duration = Lengths::Exponential { mean: ms(15) };
            Outage::new(always(20), duration, stream())
        };
        let all = losses(&mut outage(), 50_000);
        let mut rare = outage();
        for number in (0..50_000).step_by(97) {
            let lost = rare.loses(&packet(number, 0));
            assert_eq!(lost, all.binary_search(&number).is_ok());
        }
    }
}
