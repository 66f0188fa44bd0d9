//! Values of parameters, and full sets of them.

use std::collections::BTreeMap;
use std::fmt;

use super::{Kind, Parameter};
use crate::{Bytes, Distribution, Duration, Packets, Rate};

/// A plain value of a parameter, or what stands in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A default only: there is none, it must be given.
    Required,
    /// Nothing: it follows from other parameters.
    Derived,
    /// A default only: nothing, and what that means.
    Otherwise(&'static str),
    /// A default only: a table with the defaults of its keys.
    Empty,
    /// A real number.
    Number(f64),
    /// A whole number.
    Integer(u64),
    /// `true` or `false`.
    Flag(bool),
    /// One of the words that the parameter allows.
    Choice(&'static str),
    /// A length of time.
    Duration(Duration),
    /// A rate.
    Rate(Rate),
    /// A number of bytes.
    Bytes(Bytes),
    /// A whole number of packets.
    Packets(Packets),
    /// An average number of packets.
    Average(f64),
    /// How much may wait.
    Limit(Limit),
    /// Per cent.
    Percent(f64),
}

/// What a parameter is set to.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// A plain value.
    Value(Value),
    /// A text.
    Text(String),
    /// A length of time, fixed or drawn.
    Distribution(Distribution),
    /// A list.
    List(Vec<Setting>),
    /// A table.
    Table(Parameters),
}

impl Setting {
    /// Not set: it follows from other parameters.
    pub const DERIVED: Self = Self::Value(Value::Derived);
}

impl From<Value> for Setting {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// How much may wait in a queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Everything.
    Unlimited,
    /// So many packets.
    Packets(u64),
    /// So many bytes.
    Bytes(Bytes),
    /// So many bandwidth-delay products of the link.
    Bdp(f64),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unlimited => write!(f, "unlimited"),
            Self::Packets(packets) => write!(f, "{}", Packets(*packets)),
            Self::Bytes(bytes) => write!(f, "{bytes}"),
            Self::Bdp(number) => write!(f, "{number} BDP"),
        }
    }
}

impl fmt::Display for Value {
    /// As files have it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Required => write!(f, "none: it must be given"),
            Self::Derived => write!(f, "derived"),
            Self::Otherwise(text) => write!(f, "{text}"),
            Self::Empty => write!(f, "{{}}"),
            // A long row of digits would be read as a whole number, and be out of range.
            Self::Number(number) if number.abs() >= 1e15 => write!(f, "{number:?}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Choice(word) => write!(f, "\"{word}\""),
            Self::Duration(length) => write!(f, "\"{length}\""),
            Self::Rate(rate) => write!(f, "\"{rate}\""),
            Self::Bytes(bytes) => write!(f, "\"{bytes}\""),
            Self::Packets(packets) => write!(f, "\"{packets}\""),
            Self::Average(packets) => write!(f, "\"{packets} packets\""),
            Self::Limit(limit) => write!(f, "\"{limit}\""),
            Self::Percent(percent) => write!(f, "\"{percent} %\""),
        }
    }
}

impl fmt::Display for Setting {
    /// As files have it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(value) => write!(f, "{value}"),
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Distribution(law) => write!(f, "{law}"),
            Self::List(items) => {
                write!(f, "[")?;
                for (index, item) in items.iter().enumerate() {
                    let separator = if index == 0 { "" } else { ", " };
                    write!(f, "{separator}{item}")?;
                }
                write!(f, "]")
            }
            Self::Table(parameters) => write!(f, "{parameters}"),
        }
    }
}

/// A text as files have it: in quotes, as TOML wants it.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A value as a file gives it, before its type is checked.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A number with a fraction, or any number.
    Number(f64),
    /// A number without a fraction, exactly.
    Integer(i64),
    /// `true` or `false`.
    Flag(bool),
    /// A text: a word, or a quantity with its unit.
    Text(String),
}

impl Given {
    /// The finite number that it is.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => number.is_finite().then_some(*number),
            Self::Integer(integer) => Some(*integer as f64),
            _ => None,
        }
    }

    /// The whole number, zero or more, that it is.
    pub(super) fn integer(&self) -> Option<u64> {
        match self {
            Self::Number(number) => {
                // Beyond 2^53 a real number no longer says which whole number it means.
                let whole = number.fract() == 0.0 && (0.0..=9e15).contains(number);
                whole.then_some(*number as u64)
            }
            Self::Integer(integer) => u64::try_from(*integer).ok(),
            _ => None,
        }
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Text(text) => write!(f, "\"{text}\""),
        }
    }
}

/// A full set of parameters: what was given, and defaults for the rest, in the order in which they
/// were declared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters(Vec<(&'static str, Setting)>);

/// Why values given by name are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// There is no such parameter.
    Unknown {
        /// The name given.
        name: String,
    },
    /// The value is of the wrong type or out of range.
    NotAllowed {
        /// The parameter.
        name: &'static str,
        /// The value given.
        given: String,
        /// What is allowed.
        allowed: String,
    },
}

impl Parameters {
    /// Every parameter at its default; those that have none are nothing.
    pub fn defaults<'p>(declared: impl IntoIterator<Item = &'p Parameter>) -> Self {
        let of = |parameter: &Parameter| match parameter.default {
            Value::Required | Value::Otherwise(_) => Setting::DERIVED,
            Value::Empty => match parameter.kind {
                Kind::Table(table) => Setting::Table(Self::defaults(table.keys)),
                _ => Setting::DERIVED,
            },
            value => value.into(),
        };
        let declared = declared.into_iter();
        Self(
            declared
                .map(|declared| (declared.name, of(declared)))
                .collect(),
        )
    }

    /// Checks `given` against what is declared and fills in the defaults.
    ///
    /// # Errors
    /// When a name is not declared, or a value is not allowed.
    pub fn resolve(
        declared: &[Parameter],
        given: &BTreeMap<String, Given>,
    ) -> Result<Self, Unresolved> {
        let mut parameters = Self::defaults(declared);
        for (name, value) in given {
            let parameter = declared
                .iter()
                .find(|parameter| parameter.name == name)
                .ok_or_else(|| Unresolved::Unknown { name: name.clone() })?;
            let accepted = parameter
                .kind
                .accept(value)
                .map_err(|_| Unresolved::NotAllowed {
                    name: parameter.name,
                    given: value.to_string(),
                    allowed: parameter.kind.to_string(),
                })?;
            parameters.set(parameter.name, accepted);
        }
        Ok(parameters)
    }

    /// Gives a parameter a value; one that is not there yet is added.
    pub fn set(&mut self, name: &'static str, value: impl Into<Setting>) {
        let value = value.into();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// All names and values, in the order in which they were declared.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Setting)> + '_ {
        self.0.iter().map(|(name, value)| (*name, value))
    }

    /// What a parameter is set to; none where it was not declared.
    pub fn find(&self, name: &str) -> Option<&Setting> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, setting)| setting)
    }

    fn get(&self, name: &str) -> &Setting {
        self.find(name)
            .unwrap_or_else(|| panic!("parameter {name} was not declared"))
    }

    /// A plain value; [`Value::Derived`] where there is none.
    ///
    /// # Panics
    /// When the parameter was not declared, or not as a plain value.
    pub fn value(&self, name: &str) -> Value {
        match self.get(name) {
            Setting::Value(value) => *value,
            other => panic!("parameter {name} is {other}, not a plain value"),
        }
    }

    /// Whether it has a value.
    ///
    /// # Panics
    /// When the parameter was not declared.
    pub fn has(&self, name: &str) -> bool {
        *self.get(name) != Setting::DERIVED
    }

    /// The value of a number, integer or average; `None` where it is derived or a word.
    ///
    /// # Panics
    /// When the parameter was not declared as a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Value::Number(number) | Value::Average(number) | Value::Percent(number) => Some(number),
            Value::Integer(number) => Some(number as f64),
            Value::Derived | Value::Choice(_) => None,
            other => panic!("parameter {name} is {other}, not a number"),
        }
    }

    /// The value of an integer or a number of packets; `None` where it is derived or a word.
    ///
    /// # Panics
    /// When the parameter was not declared as one.
    pub fn integer(&self, name: &str) -> Option<u64> {
        match self.value(name) {
            Value::Integer(number) | Value::Packets(Packets(number)) => Some(number),
            Value::Derived | Value::Choice(_) => None,
            other => panic!("parameter {name} is {other}, not a whole number"),
        }
    }

    /// The value of a flag.
    ///
    /// # Panics
    /// When the parameter was not declared as a flag.
    pub fn flag(&self, name: &str) -> bool {
        match self.value(name) {
            Value::Flag(flag) => flag,
            other => panic!("parameter {name} is {other}, not a flag"),
        }
    }

    /// The word chosen.
    ///
    /// # Panics
    /// When the parameter was not declared as a choice.
    pub fn choice(&self, name: &str) -> &'static str {
        match self.value(name) {
            Value::Choice(word) => word,
            other => panic!("parameter {name} is {other}, not a choice"),
        }
    }

    /// The text; `None` where there is none.
    ///
    /// # Panics
    /// When the parameter was not declared as a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Setting::Text(text) => Some(text),
            Setting::Value(Value::Derived) => None,
            other => panic!("parameter {name} is {other}, not a text"),
        }
    }

    /// The length of time.
    ///
    /// # Panics
    /// When the parameter was not declared as a duration, or has none.
    pub fn duration(&self, name: &str) -> Duration {
        match self.value(name) {
            Value::Duration(length) => length,
            other => panic!("parameter {name} is {other}, not a length of time"),
        }
    }

    /// The rate.
    ///
    /// # Panics
    /// When the parameter was not declared as a rate, or has none.
    pub fn rate(&self, name: &str) -> Rate {
        match self.value(name) {
            Value::Rate(rate) => rate,
            other => panic!("parameter {name} is {other}, not a rate"),
        }
    }

    /// The size.
    ///
    /// # Panics
    /// When the parameter was not declared as a size, or has none.
    pub fn bytes(&self, name: &str) -> Bytes {
        match self.value(name) {
            Value::Bytes(bytes) => bytes,
            other => panic!("parameter {name} is {other}, not a size"),
        }
    }

    /// How much may wait.
    ///
    /// # Panics
    /// When the parameter was not declared as a limit, or has none.
    pub fn limit(&self, name: &str) -> Limit {
        match self.value(name) {
            Value::Limit(limit) => limit,
            Value::Choice(_) => Limit::Unlimited,
            other => panic!("parameter {name} is {other}, not a limit"),
        }
    }

    /// A length of time that may be drawn.
    ///
    /// # Panics
    /// When the parameter was not declared as a distribution, or has none.
    pub fn distribution(&self, name: &str) -> &Distribution {
        match self.get(name) {
            Setting::Distribution(law) => law,
            other => panic!("parameter {name} is {other}, not a distribution"),
        }
    }

    /// The elements of a list; none where there is no list.
    ///
    /// # Panics
    /// When the parameter was not declared as a list.
    pub fn list(&self, name: &str) -> &[Setting] {
        match self.get(name) {
            Setting::List(items) => items,
            Setting::Value(Value::Derived) => &[],
            other => panic!("parameter {name} is {other}, not a list"),
        }
    }

    /// The tables of a list.
    ///
    /// # Panics
    /// When the parameter was not declared as a list.
    pub fn tables(&self, name: &str) -> impl Iterator<Item = &Parameters> {
        self.list(name).iter().filter_map(|item| match item {
            Setting::Table(table) => Some(table),
            _ => None,
        })
    }

    /// The lengths of time of a list.
    ///
    /// # Panics
    /// When the parameter was not declared as a list of durations.
    pub fn durations(&self, name: &str) -> Vec<Duration> {
        let items = self.list(name).iter();
        items
            .map(|item| match item {
                Setting::Value(Value::Duration(length)) => *length,
                other => panic!("{other} in {name} is not a length of time"),
            })
            .collect()
    }

    /// The table.
    ///
    /// # Panics
    /// When the parameter was not declared as a table.
    pub fn table(&self, name: &str) -> &Parameters {
        match self.get(name) {
            Setting::Table(table) => table,
            other => panic!("parameter {name} is {other}, not a table"),
        }
    }
}

impl fmt::Display for Parameters {
    /// As an inline table of files; what is derived is left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open = "{ ";
        for (name, value) in self.iter().filter(|(_, value)| **value != Setting::DERIVED) {
            write!(f, "{open}{name} = {value}")?;
            open = ", ";
        }
        f.write_str(if open == "{ " { "{}" } else { " }" })
    }
}
