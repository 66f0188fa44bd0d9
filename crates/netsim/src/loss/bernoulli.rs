//! Bernoulli loss: each packet is lost with the same probability, whatever became of the others.

use units::choice::{self, Choice, PROBABILITY, Parameter, Value};

use super::{LossModel, Model, Offered};
use crate::random::Stream;

/// The model as scenario files choose it.
pub(super) const MODEL: Model = Model {
    about: Choice {
        name: "bernoulli",
        doc: "Each packet is lost by itself.",
        source: "",
        keys: &[Parameter::new(
            "probability",
            PROBABILITY,
            Value::Required,
            "Of each packet.",
        )],
        rule: choice::any,
    },
    build: |parameters, place| {
        let probability = parameters.number("probability").expect("it is required");
        Box::new(Bernoulli::new(probability, place.random))
    },
};

/// Independent random loss.
#[derive(Clone, Debug)]
pub struct Bernoulli {
    probability: f64,
    random: Stream,
}

impl Bernoulli {
    /// Loses each packet with `probability`, from 0 to 1.
    pub const fn new(probability: f64, random: Stream) -> Self {
        Self {
            probability,
            random,
        }
    }
}

impl LossModel for Bernoulli {
    fn loses(&mut self, _packet: &Offered) -> bool {
        self.random.chance(self.probability)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::tests::losses;

    #[test]
    fn packets_are_lost_with_the_probability_and_independently() {
        // 100,000 packets at 0.05: 5000 lost, sd = sqrt(100,000 × 0.05 × 0.95) = 68.9, 4.5 sd =
        // 310. Pairs of consecutive losses: 250, sd about sqrt(250) = 15.8 (a little more for
        // overlaps, 16.6); 4.5 sd = 75.
        let mut model = Bernoulli::new(0.05, Stream::named(1, "loss"));
        let lost = losses(&mut model, 100_000);
        assert!((4_690..=5_310).contains(&lost.len()), "{}", lost.len());
        let pairs = lost.windows(2).filter(|w| w[1] == w[0] + 1).count();
        assert!((175..=325).contains(&pairs), "{pairs}");
    }

    #[test]
    fn probability_zero_loses_nothing_and_one_loses_all() {
        let stream = || Stream::named(1, "loss");
        assert_eq!(losses(&mut Bernoulli::new(0.0, stream()), 1_000).len(), 0);
        assert_eq!(
            losses(&mut Bernoulli::new(1.0, stream()), 1_000).len(),
            1_000
        );
    }
}
