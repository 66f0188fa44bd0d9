//! Periodic loss: every k-th packet that reaches the model is lost.

use units::choice::{self, Choice, Kind, Parameter, Value};

use super::{LossModel, Model, Offered};

/// The model as scenario files choose it.
pub(super) const MODEL: Model = Model {
    about: Choice {
        name: "every",
        doc: "Each k-th packet is lost.",
        source: "",
        keys: &[Parameter::new(
            "packets",
            Kind::Integer {
                min: 1,
                max: 1_000_000_000_000,
            },
            Value::Required,
            "k.",
        )],
        rule: choice::any,
    },
    build: |parameters, _| {
        let packets = parameters.integer("packets").expect("it is required");
        Box::new(Every::new(packets))
    },
};

/// Loses the k-th, 2k-th, … packet.
#[derive(Clone, Debug)]
pub struct Every {
    packets: u64,
    /// Packets since the last loss.
    passed: u64,
}

impl Every {
    /// Loses one packet in every `packets`, the last of them.
    ///
    /// # Panics
    /// When `packets` is zero.
    pub const fn new(packets: u64) -> Self {
        assert!(packets > 0, "a loss in every zero packets");
        Self { packets, passed: 0 }
    }
}

impl LossModel for Every {
    fn loses(&mut self, _packet: &Offered) -> bool {
        self.passed += 1;
        let lost = self.passed == self.packets;
        if lost {
            self.passed = 0;
        }
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::tests::losses;

    #[test]
    fn the_third_sixth_and_ninth_of_ten_packets_are_lost() {
        // Packets count from 0: the third is number 2.
        assert_eq!(losses(&mut Every::new(3), 10), [2, 5, 8]);
    }

    #[test]
    fn every_first_packet_is_every_packet() {
        assert_eq!(losses(&mut Every::new(1), 4), [0, 1, 2, 3]);
    }
}
