//! A look at a run under way.

use units::Time;

use super::flow::{Flow, Phase};

/// How a run stands; to look changes nothing. Endpoints that work ahead of the clock may be seen
/// as they will be within the next round trip.
#[derive(Clone, Copy, Debug)]
pub struct Glance<'a> {
    /// The simulated time reached.
    pub at: Time,
    pub(super) flows: &'a [Flow],
}

impl Glance<'_> {
    /// Congestion window of a flow, by its number in the summary; none where it has none, has not
    /// begun, or is done.
    pub fn window_packets(&self, flow: usize) -> Option<f64> {
        let state = &self.flows[flow];
        let runs = state.phase == Phase::Running && state.completed.is_none();
        let window = state.sender.get().statistics().window_packets;
        window.filter(|_| runs)
    }
}
