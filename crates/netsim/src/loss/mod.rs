//! Loss models: packets that a link loses for other reasons than a full queue.
//!
//! A model is asked once for each packet that reaches it, in order, and sees packets that it
//! loses too: what is "every tenth packet" does not depend on what became of the others.

mod at;
mod bernoulli;
mod every;
mod gilbert_elliott;
mod list;
mod outage;

pub use at::{At, Scope};
pub use bernoulli::Bernoulli;
pub use every::Every;
pub use gilbert_elliott::{GilbertElliott, GilbertElliottProbabilities};
pub use list::List;
pub use outage::{Outage, OutageLength};

use std::fmt::Debug;
use std::ops::Range;

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

/// Flows that a model looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Flows {
    /// Every flow.
    #[default]
    All,
    /// The flows with these numbers: a group.
    Only(Range<u32>),
}

impl Flows {
    fn contain(&self, flow: u32) -> bool {
        match self {
            Self::All => true,
            Self::Only(range) => range.contains(&flow),
        }
    }
}

#[cfg(test)]
mod tests;
