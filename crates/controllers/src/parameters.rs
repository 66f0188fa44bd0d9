//! Typed parameters with published defaults, as text files and command lines name them.

use std::collections::BTreeMap;
use std::fmt;

use units::Duration;

use crate::aimd::Counting;

/// One parameter of a controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in scenario files.
    pub name: &'static str,
    /// Type and allowed values.
    pub kind: Kind,
    /// What it is when not given.
    pub default: Value,
    /// Unit of a number, empty for none.
    pub unit: &'static str,
    /// What it does, and where the default is from.
    pub doc: &'static str,
}

/// Type and allowed values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A real number within bounds, both included.
    Number {
        /// Least allowed.
        min: f64,
        /// Greatest allowed.
        max: f64,
    },
    /// A whole number within bounds, both included.
    Integer {
        /// Least allowed.
        min: u64,
        /// Greatest allowed.
        max: u64,
    },
    /// A length of time.
    Duration,
    /// `true` or `false`.
    Flag,
    /// One of some words.
    Choice(&'static [&'static str]),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { min, max } if *max == f64::INFINITY => {
                write!(f, "a number of at least {min}")
            }
            Self::Number { min, max } => write!(f, "a number from {min} to {max}"),
            Self::Integer { min, max } if *max == u64::MAX => {
                write!(f, "a whole number of at least {min}")
            }
            Self::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Duration => write!(f, "a length of time such as \"20 ms\""),
            Self::Flag => write!(f, "true or false"),
            Self::Choice(words) => {
                let quoted: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
                write!(f, "one of {}", quoted.join(", "))
            }
        }
    }
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A real number.
    Number(f64),
    /// A whole number.
    Integer(u64),
    /// A length of time.
    Duration(Duration),
    /// `true` or `false`.
    Flag(bool),
    /// One of the words that [`Kind::Choice`] allows.
    Choice(&'static str),
    /// Nothing: the controller derives the value from its other parameters.
    Derived,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Duration(length) => write!(f, "\"{length}\""),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Choice(word) => write!(f, "\"{word}\""),
            Self::Derived => write!(f, "derived"),
        }
    }
}

/// A value as a file gives it, before its type is checked.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A number with or without a fraction.
    Number(f64),
    /// `true` or `false`.
    Flag(bool),
    /// A text: a word, or a quantity with its unit.
    Text(String),
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Text(text) => write!(f, "\"{text}\""),
        }
    }
}

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

/// A full set of parameters: what was given, and defaults for the rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters(BTreeMap<&'static str, Value>);

impl Parameters {
    /// Checks `given` against `allowed` and fills in the defaults.
    pub fn resolve(
        controller: &'static str,
        allowed: &[Parameter],
        given: &BTreeMap<String, Given>,
    ) -> Result<Self, ParameterError> {
        let mut values: BTreeMap<_, _> = allowed
            .iter()
            .map(|parameter| (parameter.name, parameter.default))
            .collect();
        for (name, value) in given {
            let parameter = allowed
                .iter()
                .find(|parameter| parameter.name == name)
                .ok_or_else(|| ParameterError::UnknownParameter {
                    controller,
                    name: name.clone(),
                })?;
            let accepted =
                parameter
                    .kind
                    .accept(value)
                    .ok_or_else(|| ParameterError::NotAllowed {
                        controller,
                        name: parameter.name,
                        given: value.to_string(),
                        allowed: parameter.kind.to_string(),
                    })?;
            values.insert(parameter.name, accepted);
        }
        Ok(Self(values))
    }

    /// The value of a number or integer parameter; `None` where it is derived.
    ///
    /// # Panics
    /// When the controller asks for a parameter that it did not declare as a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.get(name) {
            Value::Number(number) => Some(number),
            Value::Integer(number) => Some(number as f64),
            Value::Derived => None,
            other => panic!("parameter {name} is {other}, not a number"),
        }
    }

    /// The value of a flag.
    ///
    /// # Panics
    /// When the controller asks for a parameter that it did not declare as a flag.
    pub fn flag(&self, name: &str) -> bool {
        match self.get(name) {
            Value::Flag(flag) => flag,
            other => panic!("parameter {name} is {other}, not a flag"),
        }
    }

    /// The word chosen.
    ///
    /// # Panics
    /// When the controller asks for a parameter that it did not declare as a choice.
    pub fn choice(&self, name: &str) -> &'static str {
        match self.get(name) {
            Value::Choice(word) => word,
            other => panic!("parameter {name} is {other}, not a choice"),
        }
    }

    /// The length of time.
    ///
    /// # Panics
    /// When the controller asks for a parameter that it did not declare as a duration.
    pub fn duration(&self, name: &str) -> Duration {
        match self.get(name) {
            Value::Duration(length) => length,
            other => panic!("parameter {name} is {other}, not a length of time"),
        }
    }

    /// All names and values, in order of name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Value)> + '_ {
        self.0.iter().map(|(name, value)| (*name, *value))
    }

    fn get(&self, name: &str) -> Value {
        *self
            .0
            .get(name)
            .unwrap_or_else(|| panic!("parameter {name} was not declared"))
    }
}

impl Kind {
    fn accept(&self, given: &Given) -> Option<Value> {
        match (self, given) {
            (Self::Number { min, max }, Given::Number(number)) => (min..=max)
                .contains(&number)
                .then_some(Value::Number(*number)),
            (Self::Integer { min, max }, Given::Number(number)) => {
                let whole = libm::trunc(*number) == *number && *number >= 0.0;
                let integer = *number as u64;
                (whole && (min..=max).contains(&&integer)).then_some(Value::Integer(integer))
            }
            (Self::Duration, Given::Text(text)) => text.parse().ok().map(Value::Duration),
            (Self::Flag, Given::Flag(flag)) => Some(Value::Flag(*flag)),
            (Self::Choice(words), Given::Text(text)) => words
                .iter()
                .find(|word| *word == text)
                .map(|word| Value::Choice(word)),
            _ => None,
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

pub(crate) fn counting(parameters: &Parameters) -> Counting {
    match parameters.choice(COUNTING.name) {
        "packets" => Counting::Packets,
        _ => Counting::Acks,
    }
}
