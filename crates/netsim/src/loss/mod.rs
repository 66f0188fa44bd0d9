//! Loss models: packets that a link loses for other reasons than a full queue.
//!
//! A model is asked once for each packet that reaches it, in order, and sees packets that it
//! loses too: what is "every tenth packet" does not depend on what became of the others.

mod at;
mod bernoulli;
mod choice;
mod every;
mod gilbert_elliott;
mod list;
mod outage;
mod per_flow;

pub use at::At;
pub use bernoulli::Bernoulli;
pub use choice::{COMMON, Model, Place, STANDARD, check_mean};
pub use every::Every;
pub use gilbert_elliott::{GilbertElliott, GilbertElliottProbabilities};
pub use list::List;
pub use outage::Outage;
pub use per_flow::PerFlow;

use std::fmt::Debug;

use units::{Bytes, Time};

/// A packet that reaches a loss model.
#[derive(Clone, Copy, Debug)]
pub struct Offered {
    /// When; never earlier than the packet before.
    pub now: Time,
    /// The number of its flow.
    pub flow: u32,
    /// Whether it carries data; otherwise it is a pure ACK or feedback.
    pub data: bool,
    /// Its size on the wire.
    pub size: Bytes,
}

/// A model that decides which packets are lost.
pub trait LossModel: Debug + Send {
    /// (required) Called once for each packet, in order, with times that never decrease: whether
    /// the packet is lost.
    fn loses(&mut self, packet: &Offered) -> bool;
}

#[cfg(test)]
mod tests;
