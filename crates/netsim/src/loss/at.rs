//! Forced losses: the first packet from each of given times on.

use units::Time;
use units::choice::{Choice, Kind, Parameter, Value};

use super::choice::{FOR_FLOW, ascending};
use super::{LossModel, Model, Offered};

/// The model as scenario files choose it.
pub(super) const MODEL: Model = Model {
    about: Choice {
        name: "at",
        doc: "The first packet at or after each of some times is lost.",
        source: "",
        keys: &[
            Parameter::new(
                "times",
                Kind::List(&Kind::Duration),
                Value::Required,
                "The times, ascending.",
            ),
            FOR_FLOW,
        ],
        rule: |parameters| ascending("times", &parameters.durations("times")),
    },
    build: |parameters, place| {
        let times = parameters.durations("times").into_iter();
        place.for_flows(At::new(times.map(|at| Time::ZERO + at).collect()))
    },
};

/// Loses the first packet at or after each time. Where several times pass before the next packet,
/// it is the first after each of them and the only one lost.
#[derive(Clone, Debug)]
pub struct At {
    /// Times still to come, the next one last.
    times: Vec<Time>,
}

impl At {
    /// Loses the first packet from each of `times` on. Their order does not matter.
    pub fn new(mut times: Vec<Time>) -> Self {
        times.sort_unstable_by(|a, b| b.cmp(a));
        Self { times }
    }
}

impl LossModel for At {
    fn loses(&mut self, packet: &Offered) -> bool {
        let mut lost = false;
        while self.times.last().is_some_and(|time| *time <= packet.now) {
            self.times.pop();
            lost = true;
        }
        lost
    }
}

#[cfg(test)]
mod tests {
    use units::Duration;

    use super::*;
    use crate::loss::tests::losses;

    fn ms(millis: u64) -> Time {
        Time::ZERO + Duration::from_millis(millis)
    }

    #[test]
    fn the_first_packet_from_each_time_on_is_lost() {
        // Packet n comes at n ms. 3 ms: packet 3 itself; 5.5 ms: packet 6.
        let half = ms(5) + Duration::from_micros(500);
        let mut model = At::new(vec![half, ms(3)]);
        assert_eq!(losses(&mut model, 10), [3, 6]);
    }

    #[test]
    fn times_without_a_packet_between_them_cost_one_packet() {
        let near = ms(5) + Duration::from_micros(1);
        let nearer = ms(5) + Duration::from_micros(2);
        let mut model = At::new(vec![near, nearer, ms(8)]);
        assert_eq!(losses(&mut model, 10), [6, 8]);
    }
}
