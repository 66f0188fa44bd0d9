//! Delay models: a link's propagation delay as a function of time.
//!
//! The delay is asked for once for each packet, when its transmission begins, and a packet keeps
//! the delay it was given: after a decrease later packets overtake those in flight.

mod alternating;
mod choice;
mod trace;

pub use alternating::{Alternating, DelayState, HoldingTime};
pub use choice::{Process, STANDARD};

use std::fmt::Debug;

use units::{Duration, Time};

use crate::Schedule;

/// A delay of the user's own making.
pub trait DelayProcess: Debug + Send {
    /// (required) Called for each packet when its transmission begins, with times that never
    /// decrease: its propagation delay.
    fn at(&mut self, now: Time) -> Duration;
}

/// The propagation delay of a link.
#[derive(Debug)]
pub enum DelayModel {
    /// Always the same.
    Constant(Duration),
    /// Changes at given times.
    Scheduled(Box<Schedule<Duration>>),
    /// Changes among a few values at random times.
    Alternating(Box<Alternating>),
    /// Any other.
    Custom(Box<dyn DelayProcess>),
}

impl DelayModel {
    /// The delay of a packet whose transmission begins at `now`, which is never earlier than in
    /// the call before.
    #[inline]
    pub fn at(&mut self, now: Time) -> Duration {
        match self {
            Self::Constant(delay) => *delay,
            Self::Scheduled(schedule) => schedule.at(now),
            Self::Alternating(process) => process.at(now),
            Self::Custom(process) => process.at(now),
        }
    }

    /// The least delay that a packet can have.
    pub(crate) fn least(&self) -> Duration {
        match self {
            Self::Constant(delay) => *delay,
            Self::Scheduled(schedule) => schedule.values().min().unwrap_or_default(),
            Self::Alternating(process) => process.least(),
            Self::Custom(_) => Duration::ZERO,
        }
    }

    /// Whether every packet has the same delay, so that none overtakes another.
    pub fn is_constant(&self) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Scheduled(schedule) => schedule.is_constant(),
            Self::Alternating(_) | Self::Custom(_) => false,
        }
    }
}

impl From<Duration> for DelayModel {
    fn from(delay: Duration) -> Self {
        Self::Constant(delay)
    }
}

impl From<Schedule<Duration>> for DelayModel {
    fn from(schedule: Schedule<Duration>) -> Self {
        Self::Scheduled(Box::new(schedule))
    }
}

impl From<Alternating> for DelayModel {
    fn from(process: Alternating) -> Self {
        Self::Alternating(Box::new(process))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    fn s(seconds: u64) -> Time {
        Time::ZERO + Duration::from_secs(seconds)
    }

    fn models() -> Vec<DelayModel> {
        let (short, long) = (Duration::from_millis(10), Duration::from_millis(30));
        let schedule = Schedule::new(short, vec![(s(6), long)]);
        let round_trips = [Duration::from_millis(100), Duration::from_millis(300)];
        let stream = Stream::named(1, "delay");
        vec![
            DelayModel::from(short),
            DelayModel::from(Schedule::constant(short)),
            DelayModel::from(schedule.clone()),
            DelayModel::from(Alternating::between_round_trips(
                round_trips,
                Duration::from_millis(8),
                1.0,
                stream,
            )),
            DelayModel::Custom(Box::new(Slower(schedule))),
        ]
    }

    #[derive(Debug)]
    struct Slower(Schedule<Duration>);

    impl DelayProcess for Slower {
        fn at(&mut self, now: Time) -> Duration {
            self.0.at(now) + Duration::from_millis(1)
        }
    }

    #[test]
    fn a_model_is_constant_exactly_when_its_delay_never_changes() {
        let constant: Vec<bool> = models().iter().map(DelayModel::is_constant).collect();
        assert_eq!(constant, [true, true, false, false, false]);
    }

    #[test]
    fn a_scheduled_delay_has_changed_at_its_time() {
        let mut models = models();
        let before = s(6) - Duration::from_picos(1);
        let expected = [[10, 10], [10, 10], [10, 30]].map(|row| row.map(Duration::from_millis));
        for (model, [early, late]) in models.iter_mut().zip(expected) {
            assert_eq!(model.at(before), early);
            assert_eq!(model.at(s(6)), late);
        }
        assert_eq!(models[4].at(before), Duration::from_millis(11));
        assert_eq!(models[4].at(s(6)), Duration::from_millis(31));
    }

    #[test]
    fn the_same_questions_get_the_same_answers_however_many_are_asked() {
        for (mut every, mut some) in models().into_iter().zip(models()) {
            for millis in 0..20_000 {
                let now = Time::ZERO + Duration::from_millis(millis);
                let delay = every.at(now);
                if millis % 7 == 0 {
                    assert_eq!(some.at(now), delay, "{millis} ms");
                }
            }
        }
    }
}
