//! What uses the network, and what it is told.

use units::Time;

use super::{LinkId, Network, TimerId};
use crate::Packet;
use crate::queues::DropReason;

/// What uses the network: it sends packets, and gets packets and timers.
pub trait Hosts<P: Copy> {
    /// Whether [`observe`](Self::observe) wants to be called. Costs nothing where it is false.
    const OBSERVES: bool = false;

    /// A packet arrived at the end of its route. (required)
    fn on_packet(&mut self, network: &mut Network<P>, endpoint: u32, packet: Packet<P>);

    /// A timer expired. (required)
    fn on_timer(&mut self, network: &mut Network<P>, timer: TimerId);

    /// A packet will not arrive. (required)
    ///
    /// Called once for each; the place to count it and to free what its payload refers to.
    fn on_gone(&mut self, packet: &Packet<P>, gone: Gone);

    /// Whether nothing happens to an endpoint before `time` but that packets arrive there: none of
    /// its timers expires until then. (optional)
    ///
    /// Asked where [`Network::work_ahead`] allows a packet to be handed over early.
    fn is_undisturbed(&self, network: &Network<P>, endpoint: u32, time: Time) -> bool {
        let _ = (network, endpoint, time);
        false
    }

    /// A link tells the sender of a packet of congestion. (optional)
    ///
    /// Called once for each packet that a link with [`Link::with_source_quench`](crate::Link::with_source_quench) answers so, before
    /// it goes on or is gone. A message to the sender is a packet that the hosts send.
    fn on_source_quench(&mut self, network: &mut Network<P>, link: LinkId, packet: &Packet<P>) {
        let _ = (network, link, packet);
    }

    /// Something happened on a link. (optional)
    fn observe(&mut self, observation: &Observation, packet: &Packet<P>) {
        let _ = (observation, packet);
    }
}

/// Why a packet will not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// A queue refused it.
    Dropped(DropReason),
    /// A loss model took it.
    Lost,
}

/// What an observer is told of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    /// When it happens. Links work ahead: this may be later than now.
    pub time: Time,
    /// Where.
    pub link: LinkId,
    /// What.
    pub what: Observed,
}

/// What happened on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// The queue set the CE mark.
    Marked,
    /// The queue refused the packet.
    Dropped(DropReason),
    /// A loss model took the packet.
    Lost,
}
