//! A loss model of its own for the data of each of some flows.

use std::ops::Range;

use super::{LossModel, Offered};

/// Shows the data packets of each of some flows to that flow's own copy of a model. Other packets
/// pass.
///
/// A copy of a model that draws random numbers draws the same ones: this is for models that draw
/// none, [`List`](super::List), [`At`](super::At) and [`Every`](super::Every).
#[derive(Clone, Debug)]
pub struct PerFlow<M> {
    first: u32,
    models: Vec<M>,
}

impl<M: Clone> PerFlow<M> {
    /// A copy of `model` for each of `flows`.
    pub fn new(flows: Range<u32>, model: &M) -> Self {
        Self {
            first: flows.start,
            models: vec![model.clone(); flows.len()],
        }
    }
}

impl<M: LossModel> LossModel for PerFlow<M> {
    fn loses(&mut self, packet: &Offered) -> bool {
        let own = packet.flow.checked_sub(self.first).filter(|_| packet.data);
        own.and_then(|index| self.models.get_mut(index as usize))
            .is_some_and(|model| model.loses(packet))
    }
}

#[cfg(test)]
mod tests {
    use units::{Duration, Time};

    use super::*;
    use crate::loss::tests::packet;
    use crate::loss::{At, List};

    /// Losses of 20 packets, at n ms, that flows 0, 1 and 2 send in turn.
    fn lost(model: &mut dyn LossModel) -> Vec<u64> {
        (0..20)
            .filter(|number| model.loses(&packet(*number, (*number % 3) as u32)))
            .collect()
    }

    #[test]
    fn positions_count_for_each_flow_by_itself() {
        // The second and third packet of flow 1 (1, 4, 7, …) and of flow 2 (2, 5, 8, …).
        let mut model = PerFlow::new(1..3, &List::new(vec![1, 2]));
        assert_eq!(lost(&mut model), [4, 5, 7, 8]);
    }

    #[test]
    fn each_flow_loses_its_own_first_packet_after_a_time() {
        // From 4 ms on: flow 1 (packet 4), flow 2 (5), flow 0 (6).
        let at = Time::ZERO + Duration::from_millis(4);
        let mut model = PerFlow::new(0..3, &At::new(vec![at]));
        assert_eq!(lost(&mut model), [4, 5, 6]);
    }

    #[test]
    fn acknowledgements_and_other_flows_neither_count_nor_get_lost() {
        let mut model = PerFlow::new(1..2, &List::new(vec![0]));
        assert!(!model.loses(&packet(0, 0)));
        assert!(!model.loses(&packet(0, 2)));
        let acknowledgement = Offered {
            data: false,
            ..packet(0, 1)
        };
        assert!(!model.loses(&acknowledgement));
        assert!(model.loses(&packet(0, 1)));
    }
}
