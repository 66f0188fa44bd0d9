//! What can be chosen and set: names, parameters with type, bounds, unit, default and meaning.
//!
//! A choice (a controller, a queue, a loss model, a protocol's options) describes its parameters
//! once, beside its code, as a list of [`Parameter`]. Whoever reads files, writes them, lists what
//! there is or draws a schema goes by that list; the code itself gets [`Parameters`], in which
//! every parameter has a value.

mod kind;
#[cfg(test)]
mod tests;
mod value;

pub use kind::{Kind, PROBABILITY, Refusal};
pub use value::{Given, Limit, Parameters, Setting, Unresolved, Value, quoted};

/// One parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in files.
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

impl Parameter {
    /// A parameter whose unit, if it has one, is part of its values.
    pub const fn new(name: &'static str, kind: Kind, default: Value, doc: &'static str) -> Self {
        Self {
            name,
            kind,
            default,
            unit: "",
            doc,
        }
    }
}

/// A word that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// Where it is specified; empty where it needs no specification.
    pub source: &'static str,
}

impl Word {
    /// A word.
    pub const fn new(name: &'static str, doc: &'static str, source: &'static str) -> Self {
        Self { name, doc, source }
    }
}

/// A table of parameters.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// What it is called in messages and in the schema.
    pub name: &'static str,
    /// What it describes.
    pub doc: &'static str,
    /// Its keys.
    pub keys: &'static [Parameter],
    /// What other keys mean; none: there are no others.
    pub others: Option<&'static str>,
    /// What its keys must say together.
    pub rule: Rule,
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Table {
    /// A table without further keys or rules.
    pub const fn new(name: &'static str, doc: &'static str, keys: &'static [Parameter]) -> Self {
        Self {
            name,
            doc,
            keys,
            others: None,
            rule: any,
        }
    }
}

/// One of several things that can stand in a place, told apart by a word.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Its name in files.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub doc: &'static str,
    /// Where it is specified; empty where it needs no specification.
    pub source: &'static str,
    /// Its own parameters, beside those that all in this place have.
    pub keys: &'static [Parameter],
    /// What its parameters must say together.
    pub rule: Rule,
}

/// Checks what parameters say together.
pub type Rule = fn(&Parameters) -> Result<(), Wrong>;

/// The rule of what has none.
///
/// # Errors
/// Never.
pub fn any(_: &Parameters) -> Result<(), Wrong> {
    Ok(())
}

/// What parameters say together and must not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The parameter at fault; none: all of them together.
    pub parameter: Option<&'static str>,
    /// Which element, where the parameter is a list and one element is at fault.
    pub element: Option<usize>,
    /// The rest of a sentence that begins with the parameter and its value, or with the whole.
    pub says: String,
}

impl Wrong {
    /// `parameter` is wrong: a sentence that begins with its name and value goes on so.
    pub fn at(parameter: &'static str, says: impl Into<String>) -> Self {
        Self {
            parameter: Some(parameter),
            element: None,
            says: says.into(),
        }
    }

    /// The same of one element of a list.
    pub fn element(parameter: &'static str, element: usize, says: impl Into<String>) -> Self {
        Self {
            element: Some(element),
            ..Self::at(parameter, says)
        }
    }

    /// The parameters together are wrong.
    pub fn whole(says: impl Into<String>) -> Self {
        Self {
            parameter: None,
            element: None,
            says: says.into(),
        }
    }
}

/// Most packets of a queue or a window.
pub const MOST_PACKETS: u64 = 1_000_000_000;
