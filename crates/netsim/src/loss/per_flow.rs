//! A loss model of its own for the data of each of some flows.

use std::ops::Range;

use super::{LossModel, Offered};

/// Shows the data packets of each of some flows to that flow's own copy of a model. Other packets
/// pass.
#[derive(Clone, Debug)]
pub struct PerFlow<M> {
    first: u32,
    models: Vec<M>,
}

impl<M: Clone> PerFlow<M> {
    /// A copy of `model` for each of `flows`.
    pub fn new(flows: Range<u32>, model: &M) -> Self {
        Self { first: flows.start, models: vec![model.clone(); flows.len()] }
    }
}

impl<M: LossModel> LossModel for PerFlow<M> {
    fn loses(&mut self, packet: &Offered) -> bool {
        let own = packet.flow.checked_sub(self.first).filter(|_| packet.data);
        own.and_then(|index| self.models.get_mut(index as usize))
            .is_some_and(|model| model.loses(packet))
    }
}
