//! Values that change at given times: a link's rate, its delay.

use units::{Duration, Time};

/// A piecewise constant function of time, asked with times that never decrease.
///
/// A change at exactly the time asked has happened.
#[derive(Clone, Debug)]
pub struct Schedule<T> {
    initial: T,
    /// Times since the beginning of the period, strictly increasing.
    steps: Vec<(Time, T)>,
    period: Option<Duration>,
    state: State<T>,
}

/// `value` holds from `since` until just before `until`.
#[derive(Clone, Copy, Debug)]
struct State<T> {
    value: T,
    since: Time,
    until: Time,
    /// When the period in question began.
    origin: Time,
    /// The next step.
    next: usize,
}

impl<T: Copy> Schedule<T> {
    /// The same value for ever.
    pub fn constant(value: T) -> Self {
        Self::new(value, Vec::new())
    }

    /// `initial`, then each step's value from its time on. Of steps at the same time the last
    /// counts; their order is otherwise free.
    pub fn new(initial: T, mut steps: Vec<(Time, T)>) -> Self {
        steps.sort_by_key(|(time, _)| *time);
        // `dedup_by` passes the later of two as its first argument and removes that one.
        steps.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 = later.1;
            }
            same
        });
        Self::with_parts(initial, steps, None)
    }

    /// The same again and again: at each multiple of `period` it begins anew with the initial
    /// value. Steps at `period` or later never happen.
    ///
    /// # Panics
    /// When `period` is zero.
    #[must_use]
    pub fn repeating(self, period: Duration) -> Self {
        assert!(!period.is_zero(), "a schedule repeats after some time");
        let mut steps = self.steps;
        steps.retain(|(time, _)| *time < Time::ZERO + period);
        Self::with_parts(self.initial, steps, Some(period))
    }

    /// All values that it can have.
    pub(crate) fn values(&self) -> impl Iterator<Item = T> {
        let steps = self.steps.iter().map(|(_, value)| *value);
        std::iter::once(self.initial).chain(steps)
    }

    fn with_parts(initial: T, steps: Vec<(Time, T)>, period: Option<Duration>) -> Self {
        let mut schedule = Self {
            initial,
            steps,
            // A period without steps is a constant.
            period,
            state: State {
                value: initial,
                since: Time::ZERO,
                until: Time::MAX,
                origin: Time::ZERO,
                next: 0,
            },
        };
        if schedule.steps.is_empty() {
            schedule.period = None;
        }
        schedule.state.until = schedule.next_boundary();
        schedule
    }

    /// The value at `now`, which is never earlier than in the call before.
    #[inline]
    pub fn at(&mut self, now: Time) -> T {
        if now >= self.state.until {
            self.advance(now);
        }
        debug_assert!(now >= self.state.since, "time went back");
        self.state.value
    }

    /// When the value asked for last ends; `None` when it holds for ever.
    pub fn next_change(&self) -> Option<Time> {
        (self.state.until < Time::MAX).then_some(self.state.until)
    }

    /// Whether the value is the same for ever.
    pub fn is_constant(&self) -> bool {
        self.steps.is_empty()
    }

    #[cold]
    fn advance(&mut self, now: Time) {
        if let Some(period) = self.period {
            let passed = now.since(self.state.origin).as_picos() / period.as_picos();
            if passed > 0 {
                self.state.origin += period * passed;
                self.state.since = self.state.origin;
                self.state.value = self.initial;
                self.state.next = 0;
            }
        }
        while let Some((time, value)) = self.steps.get(self.state.next) {
            let begins = self.state.origin.saturating_add(time.since(Time::ZERO));
            if begins > now {
                break;
            }
            self.state.value = *value;
            self.state.since = begins;
            self.state.next += 1;
        }
        self.state.until = self.next_boundary();
    }

    fn next_boundary(&self) -> Time {
        let since_origin = match (self.steps.get(self.state.next), self.period) {
            (Some((time, _)), _) => time.since(Time::ZERO),
            (None, Some(period)) => period,
            (None, None) => return Time::MAX,
        };
        self.state.origin.saturating_add(since_origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(seconds: u64) -> Time {
        Time::ZERO + Duration::from_secs(seconds)
    }

    const PICO: Duration = Duration::from_picos(1);

    #[test]
    fn a_step_holds_from_its_time_on() {
        let mut schedule = Schedule::new(1, vec![(s(10), 2), (s(20), 3)]);
        assert_eq!(schedule.next_change(), Some(s(10)));
        assert_eq!(schedule.at(Time::ZERO), 1);
        assert_eq!(schedule.at(s(10) - PICO), 1);
        assert_eq!(schedule.at(s(10)), 2);
        assert_eq!(schedule.next_change(), Some(s(20)));
        assert_eq!(schedule.at(s(19)), 2);
        assert_eq!(schedule.at(s(1_000)), 3);
        assert_eq!(schedule.next_change(), None);
        assert!(!schedule.is_constant());
    }

    #[test]
    fn steps_may_be_skipped_disordered_and_at_the_beginning() {
        let mut schedule = Schedule::new(1, vec![(s(20), 3), (s(0), 9), (s(10), 2), (s(20), 4)]);
        assert_eq!(schedule.at(Time::ZERO), 9);
        assert_eq!(schedule.at(s(25)), 4);
    }

    #[test]
    fn a_constant_never_changes() {
        let mut schedule = Schedule::constant(7);
        assert!(schedule.is_constant());
        assert_eq!(schedule.at(s(1_000_000)), 7);
        assert_eq!(schedule.next_change(), None);
        let repeated = Schedule::new(7, vec![(s(5), 8)]).repeating(Duration::from_secs(5));
        assert!(repeated.is_constant());
    }

    #[test]
    fn a_period_begins_anew_with_the_initial_value() {
        let mut schedule =
            Schedule::new('a', vec![(s(2), 'b'), (s(3), 'c')]).repeating(Duration::from_secs(5));
        let values: String = (0..12).map(|second| schedule.at(s(second))).collect();
        assert_eq!(values, "aabccaabccaa");
        // 5,003 s are 1000 periods and 3 s; and the period ends at 5,005 s.
        assert_eq!(schedule.at(s(5_003)), 'c');
        assert_eq!(schedule.next_change(), Some(s(5_005)));
        assert_eq!(schedule.at(s(5_005) - PICO), 'c');
        assert_eq!(schedule.at(s(5_005)), 'a');
    }

    #[test]
    fn skipping_gives_what_asking_each_second_gives() {
        let schedule = Schedule::new(0, vec![(s(1), 1), (s(4), 2), (s(6), 3)])
            .repeating(Duration::from_secs(7));
        let mut each = schedule.clone();
        let every: Vec<i32> = (0..100).map(|second| each.at(s(second))).collect();
        for stride in [2, 3, 5, 11, 29] {
            let mut skipping = schedule.clone();
            for second in (0..100).step_by(stride) {
                assert_eq!(skipping.at(s(second)), every[second as usize], "{second}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "time went back")]
    fn asking_for_an_earlier_value_is_refused() {
        let mut schedule = Schedule::new(1, vec![(s(10), 2)]);
        schedule.at(s(10));
        schedule.at(s(9));
    }
}
