//! Loss models by name, as scenario files choose them.

use std::ops::Range;

use units::choice::{Choice, Kind, Parameter, Parameters, Value, Word, Wrong};
use units::{Distribution, Duration};

use super::{LossModel, PerFlow, at, bernoulli, every, gilbert_elliott, list, outage};
use crate::random::Stream;

/// A model that can be chosen by name.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Name, parameters and rules.
    pub about: Choice,
    /// Makes one for a link.
    pub build: fn(&Parameters, Place) -> Box<dyn LossModel>,
}

/// Where a loss model stands.
#[derive(Debug)]
pub struct Place {
    /// Random numbers of its own.
    pub random: Stream,
    /// The flows whose data the model is for, each by itself; none: all packets.
    pub flows: Option<Range<u32>>,
}

impl Place {
    /// One model for all packets, or one for the data of each flow that it is for.
    pub fn for_flows<M: LossModel + Clone + 'static>(&self, model: M) -> Box<dyn LossModel> {
        match &self.flows {
            None => Box::new(model),
            Some(flows) => Box::new(PerFlow::new(flows.clone(), &model)),
        }
    }
}

/// The models of this crate.
pub const STANDARD: &[Model] = &[
    bernoulli::MODEL,
    gilbert_elliott::MODEL,
    every::MODEL,
    list::MODEL,
    at::MODEL,
    outage::MODEL,
];

/// The parameters that all models have.
pub const COMMON: &[Parameter] = &[Parameter::new(
    "place",
    Kind::Words(&[
        Word::new(
            "entry",
            "Before the queue: a lost packet uses neither buffer nor link.",
            "",
        ),
        Word::new("exit", "On the wire: a lost packet has used the link.", ""),
    ]),
    Value::Choice("exit"),
    "Where on the link packets are lost.",
)];

/// The parameter of models that can be for the flows of one group.
pub(super) const FOR_FLOW: Parameter = Parameter::new(
    "flow",
    Kind::Group,
    Value::Otherwise("all packets count"),
    "Label of a group: only the data packets of its flows count, each flow by itself.",
);

/// What a list says that does not ascend.
pub(super) fn ascending<T: PartialOrd>(parameter: &'static str, values: &[T]) -> Result<(), Wrong> {
    if values.is_sorted_by(|a, b| a < b) {
        Ok(())
    } else {
        Err(Wrong::at(parameter, "is not in ascending order"))
    }
}

/// Repeated periods must last some time in the mean, or a run would consist of nothing else.
///
/// # Errors
/// When the mean is under a microsecond.
pub fn check_mean(parameter: &'static str, law: &Distribution) -> Result<(), Wrong> {
    if law.mean() < SHORTEST_MEAN {
        let says = format!("is too short: its mean must be at least {SHORTEST_MEAN}");
        return Err(Wrong::at(parameter, says));
    }
    Ok(())
}

/// Shortest mean of a time that repeats over a whole run.
const SHORTEST_MEAN: Duration = Duration::from_micros(1);
