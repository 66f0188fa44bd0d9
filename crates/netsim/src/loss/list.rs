//! Given losses: the packets with given positions among those that reach the model.

use super::{Flows, LossModel, Offered};

/// Loses the packets at given positions.
#[derive(Clone, Debug)]
pub struct List {
    /// Positions still to come, the next one last.
    positions: Vec<u64>,
    flows: Flows,
    /// Position of the next packet.
    next: u64,
}

impl List {
    /// Loses the packets at these positions, counted from 0 over all packets of `flows` that
    /// reach the model, retransmissions included. Order and repetition do not matter.
    pub fn new(mut positions: Vec<u64>, flows: Flows) -> Self {
        positions.sort_unstable_by(|a, b| b.cmp(a));
        positions.dedup();
        Self {
            positions,
            flows,
            next: 0,
        }
    }
}

impl LossModel for List {
    fn loses(&mut self, packet: &Offered) -> bool {
        if !self.flows.contain(packet.flow) {
            return false;
        }
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
    use crate::loss::tests::{losses, packet};

    #[test]
    fn the_packets_at_the_positions_are_lost() {
        let mut model = List::new(vec![4, 0, 7, 4], Flows::All);
        assert_eq!(losses(&mut model, 10), [0, 4, 7]);
    }

    #[test]
    fn positions_count_the_packets_of_the_flows_in_question_only() {
        // Flows 0, 1, 2, 3 take turns. Flows 1 and 2 send packets 1, 2, 5, 6, 9, 10, …: their
        // positions 0, 3 and 4 are packets 1, 6 and 9.
        let mut model = List::new(vec![0, 3, 4], Flows::Only(1..3));
        let lost: Vec<u64> = (0..20)
            .filter(|number| model.loses(&packet(*number, (*number % 4) as u32)))
            .collect();
        assert_eq!(lost, [1, 6, 9]);
    }

    #[test]
    fn an_empty_list_loses_nothing() {
        assert_eq!(losses(&mut List::new(Vec::new(), Flows::All), 10).len(), 0);
    }
}
