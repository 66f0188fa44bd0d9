//! Given losses: the packets with given positions among those that reach the model.

use super::{LossModel, Offered};

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
