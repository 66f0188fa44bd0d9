//! Typed parameters with published defaults, as text files and command lines name them.

use units::choice::Unresolved;
pub use units::choice::{Given, Kind, Parameter, Parameters, Setting, Value};

use crate::ack_clocked::Counting;

/// Why parameters were refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// No controller has that name.
    #[error("no controller is named \"{name}\"")]
    UnknownController {
        /// The name given.
        name: String,
    },
    /// The controller has no such parameter.
    #[error("{controller} has no parameter \"{name}\"")]
    UnknownParameter {
        /// The controller.
        controller: &'static str,
        /// The name given.
        name: String,
    },
    /// The value is of the wrong type or out of range.
    #[error("{controller}: {name} = {given} is not allowed; it takes {allowed}")]
    NotAllowed {
        /// The controller.
        controller: &'static str,
        /// The parameter.
        name: &'static str,
        /// The value given.
        given: String,
        /// What is allowed.
        allowed: String,
    },
}

impl ParameterError {
    /// What is wrong with the parameters of `controller`.
    pub(crate) fn of(controller: &'static str, error: Unresolved) -> Self {
        match error {
            Unresolved::Unknown { name } => Self::UnknownParameter { controller, name },
            Unresolved::NotAllowed {
                name,
                given,
                allowed,
            } => Self::NotAllowed {
                controller,
                name,
                given,
                allowed,
            },
        }
    }
}

/// What makes the window grow: shared by the AIMD controllers.
pub(crate) const COUNTING: Parameter = Parameter {
    name: "counting",
    kind: Kind::Choice(&["acks", "packets"]),
    default: Value::Choice("acks"),
    unit: "",
    doc: "What makes the window grow: each ACK (RFC 5681; delayed ACKs halve the growth), or each \
          acknowledged packet (RFC 9002).",
};

/// What the parameter `counting` chooses.
///
/// # Panics
/// When the controller does not declare it.
pub fn counting(parameters: &Parameters) -> Counting {
    match parameters.choice(COUNTING.name) {
        "packets" => Counting::Packets,
        _ => Counting::Acks,
    }
}
