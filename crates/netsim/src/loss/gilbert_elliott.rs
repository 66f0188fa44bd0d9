//! Gilbert-Elliott loss: a good and a bad state, each with a loss probability of its own, so that
//! losses come in bursts.
//!
//! Follows Elliott, "Estimates of error rates for codes on burst-noise channels" (1963). A packet
//! is lost with the probability of the current state; after it the state may change. The first
//! packet meets the good state.

use units::choice::{self, Choice, PROBABILITY, Parameter, Value};

use super::{LossModel, Model, Offered};
use crate::random::Stream;

/// The model as scenario files choose it.
pub(super) const MODEL: Model = Model {
    about: Choice {
        name: "gilbert-elliott",
        doc: "A good and a bad state that change with each packet, each with its own loss.",
        source: "Gilbert, Capacity of a Burst-Noise Channel, 1960; Elliott, 1963",
        keys: &[
            Parameter::new(
                "good_to_bad",
                PROBABILITY,
                Value::Required,
                "Probability, at each packet, to go from good to bad.",
            ),
            Parameter::new(
                "bad_to_good",
                PROBABILITY,
                Value::Required,
                "Probability, at each packet, to go from bad to good.",
            ),
            Parameter::new(
                "loss_good",
                PROBABILITY,
                Value::Number(0.0),
                "Loss in the good state.",
            ),
            Parameter::new(
                "loss_bad",
                PROBABILITY,
                Value::Number(1.0),
                "Loss in the bad state.",
            ),
        ],
        rule: choice::any,
    },
    build: |parameters, place| {
        let of = |name| parameters.number(name).expect("it has a value");
        let probabilities = GilbertElliottProbabilities {
            good_to_bad: of("good_to_bad"),
            bad_to_good: of("bad_to_good"),
            loss_in_good: of("loss_good"),
            loss_in_bad: of("loss_bad"),
        };
        Box::new(GilbertElliott::new(probabilities, place.random))
    },
};

/// Probabilities of the model, each from 0 to 1 and for one packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GilbertElliottProbabilities {
    /// Of going from the good state to the bad one. The mean stay is its inverse, in packets.
    pub good_to_bad: f64,
    /// Of going from the bad state to the good one.
    pub bad_to_good: f64,
    /// Of loss in the good state (0 in Gilbert's model).
    pub loss_in_good: f64,
    /// Of loss in the bad state (1 in the simple Gilbert model).
    pub loss_in_bad: f64,
}

/// Random loss in bursts.
#[derive(Clone, Debug)]
pub struct GilbertElliott {
    probabilities: GilbertElliottProbabilities,
    state: State,
    random: Stream,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Good,
    Bad,
}

impl GilbertElliott {
    /// A model in its good state.
    pub const fn new(probabilities: GilbertElliottProbabilities, random: Stream) -> Self {
        Self {
            probabilities,
            state: State::Good,
            random,
        }
    }
}

impl LossModel for GilbertElliott {
    fn loses(&mut self, _packet: &Offered) -> bool {
        let probabilities = &self.probabilities;
        let (loss, change, other) = match self.state {
            State::Good => (
                probabilities.loss_in_good,
                probabilities.good_to_bad,
                State::Bad,
            ),
            State::Bad => (
                probabilities.loss_in_bad,
                probabilities.bad_to_good,
                State::Good,
            ),
        };
        let lost = self.random.chance(loss);
        if self.random.chance(change) {
            self.state = other;
        }
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::tests::losses;

    fn model(
        good_to_bad: f64,
        bad_to_good: f64,
        loss_in_good: f64,
        loss_in_bad: f64,
    ) -> GilbertElliott {
        let probabilities = GilbertElliottProbabilities {
            good_to_bad,
            bad_to_good,
            loss_in_good,
            loss_in_bad,
        };
        GilbertElliott::new(probabilities, Stream::named(1, "loss"))
    }

    #[test]
    fn certain_changes_lose_every_second_packet_beginning_with_the_second() {
        let lost = losses(&mut model(1.0, 1.0, 0.0, 1.0), 8);
        assert_eq!(lost, [1, 3, 5, 7]);
    }

    #[test]
    fn it_begins_in_the_good_state_and_stays_where_it_cannot_leave() {
        assert_eq!(losses(&mut model(0.0, 1.0, 0.0, 1.0), 100).len(), 0);
        assert_eq!(losses(&mut model(1.0, 0.0, 0.0, 1.0), 100).len(), 99);
    }

    #[test]
    fn bursts_have_their_length_and_share() {
        // good → bad 0.01, bad → good 0.25: bad for 0.01 / 0.26 = 3.846 % of the packets, in
        // bursts of mean 4. A cycle lasts 100 + 4 = 104 packets: 1,040,000 packets hold 10,000
        // bursts, and the losses are 40,000.
        // sd of a burst: sqrt(0.75) / 0.25 = 3.464, of the mean of 10,000: 0.0346; 4.5 sd = 0.156.
        // Share of bad: sd² = n v / m³ with the cycle's v ≈ (100 × 3.464)² + (4 × 99.5)² = 278,400
        // over 104² gives a sd of one cycle's contribution of 5.07, of 10,000: 507; 4.5 sd = 2282.
        let lost = losses(&mut model(0.01, 0.25, 0.0, 1.0), 1_040_000);
        assert!((37_718..=42_282).contains(&lost.len()), "{}", lost.len());
        let bursts = 1 + lost.windows(2).filter(|w| w[1] != w[0] + 1).count();
        let mean = lost.len() as f64 / bursts as f64;
        assert!((3.84..=4.16).contains(&mean), "{mean}");
    }

    #[test]
    fn each_state_has_its_own_loss() {
        // Half of the time in either state, alternating surely: losses 0.1 of the even packets,
        // 0.6 of the odd ones. 10,000 each: sd 30 and 49.
        let lost = losses(&mut model(1.0, 1.0, 0.1, 0.6), 20_000);
        let even = lost.iter().filter(|n| n.is_multiple_of(2)).count();
        let odd = lost.len() - even;
        assert!((865..=1_135).contains(&even), "{even}");
        assert!((5_780..=6_220).contains(&odd), "{odd}");
    }
}
