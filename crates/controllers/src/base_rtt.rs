//! The round trip of an empty path: the smallest one seen, of all or of the last while.
//!
//! Delay-based controllers measure queues against it. Remembered for ever, it stays too small when
//! a route becomes longer; with a period, what was measured two periods ago is forgotten.

use units::{Duration, Time};

use crate::{Kind, Parameter, Parameters, Value};

/// The parameter that bounds the memory, shared by the delay-based controllers.
pub(crate) const BASE_RTT_PERIOD: Parameter = Parameter {
    name: "base_rtt_period",
    kind: Kind::Duration,
    default: Value::Duration(Duration::ZERO),
    unit: "",
    doc: "The smallest round trip is forgotten after one to two of these periods, so that a \
          longer route is noticed; 0: never (as published).",
};

/// The smallest round trip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BaseRtt {
    /// None: never forgets.
    period: Option<Duration>,
    /// Smallest of the period before.
    before: Option<Duration>,
    /// Smallest of this period.
    current: Option<Duration>,
    /// When this period began.
    since: Time,
}

impl BaseRtt {
    /// Without samples. A `period` of zero never forgets.
    pub fn new(period: Duration) -> Self {
        Self {
            period: (!period.is_zero()).then_some(period),
            before: None,
            current: None,
            since: Time::ZERO,
        }
    }

    pub(crate) fn from_parameters(parameters: &Parameters) -> Self {
        Self::new(parameters.duration(BASE_RTT_PERIOD.name))
    }

    /// A round trip was measured.
    pub fn sample(&mut self, now: Time, rtt: Duration) {
        if let Some(period) = self.period
            && now.saturating_since(self.since) >= period
        {
            self.before = self.current.take();
            self.since = now;
        }
        self.current = Some(self.current.map_or(rtt, |least| least.min(rtt)));
    }

    /// Forgets all samples.
    pub fn restart(&mut self, now: Time) {
        self.before = None;
        self.current = None;
        self.since = now;
    }

    /// The smallest; none before the first sample.
    pub fn get(&self) -> Option<Duration> {
        match (self.before, self.current) {
            (Some(before), Some(current)) => Some(before.min(current)),
            (before, current) => before.or(current),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Time {
        Time::ZERO.saturating_add(Duration::from_secs(seconds))
    }

    #[test]
    fn without_a_period_nothing_is_forgotten() {
        let mut base = BaseRtt::new(Duration::ZERO);
        assert_eq!(base.get(), None);
        base.sample(at(0), Duration::from_millis(20));
        base.sample(at(1_000), Duration::from_millis(50));
        assert_eq!(base.get(), Some(Duration::from_millis(20)));
    }

    #[test]
    fn a_minimum_lives_one_to_two_periods() {
        let mut base = BaseRtt::new(Duration::from_secs(10));
        base.sample(at(1), Duration::from_millis(20));
        base.sample(at(12), Duration::from_millis(50)); // a new period: 20 ms is of the one before
        assert_eq!(base.get(), Some(Duration::from_millis(20)));
        base.sample(at(21), Duration::from_millis(60));
        assert_eq!(base.get(), Some(Duration::from_millis(20)));
        base.sample(at(22), Duration::from_millis(60)); // and another
        assert_eq!(base.get(), Some(Duration::from_millis(50)));
    }
}
