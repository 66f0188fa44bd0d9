//! One of several things that were chosen by name, with its parameters.

use std::fmt;

use netsim::queues::{self, Discipline};
use netsim::{delay, loss};
use units::choice::{Choice, Limit, Parameters, Setting, Value};

/// A thing that was chosen, with every parameter filled in.
#[derive(Clone, Debug)]
pub struct Chosen<T> {
    /// The thing.
    pub what: T,
    /// Its parameters, those included that all of its like have.
    pub parameters: Parameters,
}

/// What has a name and parameters.
pub trait Described {
    /// Name, parameters and rules.
    fn about(&self) -> &Choice;
}

impl<T: Described> Chosen<T> {
    /// Its name in scenario files.
    pub fn name(&self) -> &'static str {
        self.what.about().name
    }
}

impl<T: Described> PartialEq for Chosen<T> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.parameters == other.parameters
    }
}

impl<T: Described> fmt::Display for Chosen<T> {
    /// As an inline table of files.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{ kind = \"{}\"", self.name())?;
        for (name, setting) in self.parameters.iter() {
            if *setting != Setting::DERIVED {
                write!(f, ", {name} = {setting}")?;
            }
        }
        f.write_str(" }")
    }
}

impl Described for Discipline {
    fn about(&self) -> &Choice {
        &self.about
    }
}

impl Described for loss::Model {
    fn about(&self) -> &Choice {
        &self.about
    }
}

impl Described for delay::Process {
    fn about(&self) -> &Choice {
        &self.about
    }
}

/// A queue discipline.
pub type Queue = Chosen<Discipline>;

/// A loss model.
pub type Loss = Chosen<loss::Model>;

impl Queue {
    /// The project's discipline that holds where none is chosen, with this limit.
    pub fn of_limit(limit: Limit) -> Self {
        Self::plain(queues::STANDARD[0], limit)
    }

    /// A discipline with this limit, and else the defaults of its parameters.
    pub(super) fn plain(what: Discipline, limit: Limit) -> Self {
        let keys = queues::COMMON.iter().chain(what.about.keys);
        let mut queue = Self {
            what,
            parameters: Parameters::defaults(keys),
        };
        queue.set_limit(limit);
        queue
    }

    /// How much may wait.
    pub fn limit(&self) -> Limit {
        self.parameters.limit("limit")
    }

    pub(super) fn set_limit(&mut self, limit: Limit) {
        let value = match limit {
            Limit::Unlimited => Value::Choice(queues::UNLIMITED[0].name),
            other => Value::Limit(other),
        };
        self.parameters.set("limit", value);
    }

    /// Length of the queue, in packets, from which senders get source quenches; none: never.
    pub fn source_quench(&self) -> Option<u64> {
        self.parameters.integer("source_quench")
    }
}

impl Default for Queue {
    fn default() -> Self {
        Self::of_limit(Limit::Unlimited)
    }
}

impl Loss {
    /// The label of the group that it is for, if it is for one.
    pub fn flow(&self) -> Option<&str> {
        match self.parameters.find("flow") {
            Some(Setting::Text(label)) => Some(label),
            _ => None,
        }
    }
}
