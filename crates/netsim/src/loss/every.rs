//! Periodic loss: every k-th packet that reaches the model is lost.

use super::{LossModel, Offered};

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
