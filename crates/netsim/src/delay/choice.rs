//! Delay models by name, as scenario files choose them.

use units::Duration;
use units::choice::{Choice, Parameters};

use super::{DelayModel, alternating, trace};
use crate::random::Stream;

/// A delay model that can be chosen by name.
#[derive(Clone, Copy, Debug)]
pub struct Process {
    /// Name, parameters and rules.
    pub about: Choice,
    /// The delay at the start, by which paths and bandwidth-delay products are reckoned.
    pub first: fn(&Parameters) -> Duration,
    /// The least that it can be.
    pub least: fn(&Parameters) -> Duration,
    /// Makes one for a link.
    pub build: fn(&Parameters, Stream) -> DelayModel,
}

/// The models of this crate.
pub const STANDARD: &[Process] = &[alternating::PROCESS, trace::PROCESS];
