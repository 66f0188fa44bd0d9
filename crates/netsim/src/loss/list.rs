//! Given losses: the packets with given positions among those that reach the model.

use units::choice::{Choice, Kind, Parameter, Parameters, Setting, Value};

use super::choice::{FOR_FLOW, ascending};
use super::{LossModel, Model, Offered};

/// The model as scenario files choose it.
pub(super) const MODEL: Model = Model {
    about: Choice {
        name: "list",
        doc: "Given packets are lost.",
        source: "",
        keys: &[
            Parameter::new(
                "packets",
                Kind::List(&Kind::Integer {
                    min: 0,
                    max: 1_000_000_000_000,
                }),
                Value::Required,
                "Which, counted from 0 in the order in which they come to the link; ascending.",
            ),
            FOR_FLOW,
        ],
        rule: |parameters| ascending("packets", &positions(parameters)),
    },
    build: |parameters, place| place.for_flows(List::new(positions(parameters))),
};

fn positions(parameters: &Parameters) -> Vec<u64> {
    let whole = |item: &Setting| match item {
        Setting::Value(Value::Integer(position)) => Some(*position),
        _ => None,
    };
    parameters
        .list("packets")
        .iter()
        .filter_map(whole)
        .collect()
}

/// Loses the packets at given positions.
#[derive(Clone, Debug)]
pub struct List {
    /// Positions still to come, the next one last.
    positions: Vec<u64>,
    /// Position of the next packet.
    next: u64,
}

impl List {
    /// Loses the packets at these positions, counted from 0 over all packets that reach the
    /// model, retransmissions included. Order and repetition do not matter.
    pub fn new(mut positions: Vec<u64>) -> Self {
        positions.sort_unstable_by(|a, b| b.cmp(a));
        positions.dedup();
        Self { positions, next: 0 }
    }
}

impl LossModel for List {
    fn loses(&mut self, _packet: &Offered) -> bool {
        let lost = self.positions.last() == Some(&self.next);
        if lost {
            self.positions.pop();
        }
        self.next += 1;
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::tests::losses;

    #[test]
    fn the_packets_at_the_positions_are_lost() {
        let mut model = List::new(vec![4, 0, 7, 4]);
        assert_eq!(losses(&mut model, 10), [0, 4, 7]);
    }

    #[test]
    fn an_empty_list_loses_nothing() {
        assert_eq!(losses(&mut List::new(Vec::new()), 10).len(), 0);
    }
}
