//! How a paper is written down: its figures and the runs behind them.
//!
//! A figure says which runs it needs ([`Figure::plan`]), what it takes from each
//! ([`Figure::measure`]) and what it shows of all of them ([`Figure::draw`]). A run is a scenario
//! file, whole: its text, seed included, is all that determines its outcome, so that results can be
//! kept by content, figures can share runs, and every reader can repeat one.

use std::fmt;

use experiments::simulation::Outcome;
use results::page::Block;

use crate::claim::Claim;
use crate::data::{Data, Measured};

/// A published paper, as figures to run and claims to judge.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// Its short name: `gaimd`.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Who wrote it.
    pub authors: &'static str,
    /// What it is about, in a few sentences of our own.
    pub summary: &'static str,
    /// Names of the protocols in its charts, in the order in which they are given colours: a
    /// protocol has the same colour in all charts of a report.
    pub protocols: &'static [&'static str],
    /// Its figures and tables, in its order.
    pub figures: &'static [Figure],
    /// What it says about them.
    pub claims: &'static [Claim],
    /// Ids of the claims that are expectations or additions of ours: they are not counted.
    pub own: &'static [&'static str],
    /// What it leaves open.
    pub choices: &'static [Choice],
    /// Which open choices an earlier search found to bring a claim that the base does not bring;
    /// the first that does so again, on other seeds, gives the verdict.
    pub found: &'static [Found],
    /// The search used seeds 1 to this one; 0 if there was none.
    pub searched_seeds: u64,
}

/// Something that a paper leaves open and that its figures may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its name: `rtt`.
    pub name: &'static str,
    /// Its value in the base: `60 ms`.
    pub base: &'static str,
    /// Why that one.
    pub why: &'static str,
    /// The other values that are run.
    pub others: &'static [&'static str],
}

/// A choice that a search found to bring a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The claim's id.
    pub claim: &'static str,
    /// The variation: `rtt = 150 ms`.
    pub choice: &'static str,
}

/// The axis of a point that names its variation: which open choices differ from the base. Several
/// stand in order: `rtt = 150 ms, queue = 1 BDP`.
pub const VARIATION: &str = "variation";
/// The variation with no open choice changed; points without the axis belong to it.
pub const BASE: &str = "base";

impl Paper {
    /// The figure of that id.
    pub fn figure(&self, id: &str) -> Option<&'static Figure> {
        self.figures.iter().find(|figure| figure.id == id)
    }
}

/// A figure or table of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// Its number in the paper: `2`, `6.7a`, `table-1`.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it shows, in our own words.
    pub shows: &'static str,
    /// What was fixed in its runs and why: name and value, for the report.
    pub parameters: &'static [(&'static str, &'static str)],
    /// The runs it needs. One that only draws formulas needs none.
    pub plan: fn(Mode) -> Vec<Run>,
    /// What it keeps of each run. The rest of the outcome is dropped at once.
    pub measure: fn(&Outcome) -> Measured,
    /// Its charts, heat maps and tables. Ids must begin with the paper's name and the figure's id.
    pub draw: fn(&Data) -> Vec<Block>,
}

/// How much to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Few points and seeds, for a look within a minute.
    Quick,
    /// Everything.
    Full,
}

/// One run: a point of a figure with one seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The point it belongs to; several runs of a point differ by seed.
    pub key: Key,
    /// Seed of the scenario.
    pub seed: u64,
    /// The scenario file, seed included.
    pub scenario: String,
    /// How much work it is, in data packets: those that cost most are begun first.
    pub work: f64,
}

/// Which point of a figure: a value for each of the figure's axes, in a fixed order.
///
/// ```
/// use papers::Key;
///
/// let key = Key::new().with("protocol", "TCP").with("flows", 10);
/// assert_eq!(key.to_string(), "protocol = TCP, flows = 10");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Key(Vec<(&'static str, Coordinate)>);

/// A value of an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Coordinate {
    /// A word, such as a protocol.
    Word(String),
    /// A number, in the unit that the axis has in the figure.
    Number(f64),
}

impl Key {
    /// The point of a figure that has only one.
    pub fn new() -> Self {
        Self::default()
    }

    /// The point with a value on one more axis.
    #[must_use]
    pub fn with(mut self, axis: &'static str, value: impl Into<Coordinate>) -> Self {
        self.0.push((axis, value.into()));
        self
    }

    /// The number on an axis; `None` where there is none.
    pub fn number(&self, axis: &str) -> Option<f64> {
        match self.get(axis)? {
            Coordinate::Number(number) => Some(*number),
            Coordinate::Word(_) => None,
        }
    }

    /// The word on an axis; `None` where there is none.
    pub fn word(&self, axis: &str) -> Option<&str> {
        match self.get(axis)? {
            Coordinate::Word(word) => Some(word),
            Coordinate::Number(_) => None,
        }
    }

    /// All axes and values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Coordinate)> {
        self.0.iter().map(|(axis, value)| (*axis, value))
    }

    /// The values as a part of a file name: `tcp-0.31-0.875-10`.
    pub fn slug(&self) -> String {
        let mut slug = String::new();
        for (_, value) in &self.0 {
            let words = value.to_string().to_lowercase();
            let kept = |c: char| c.is_ascii_alphanumeric() || c == '.';
            for word in words.split(|c| !kept(c)).filter(|word| !word.is_empty()) {
                if !slug.is_empty() {
                    slug.push('-');
                }
                slug.push_str(word);
            }
        }
        slug
    }

    /// Its variation.
    pub fn variation(&self) -> &str {
        self.word(VARIATION).unwrap_or(BASE)
    }

    /// The same point in the base.
    #[must_use]
    pub fn in_base(&self) -> Self {
        let base = |(axis, value): &(&'static str, Coordinate)| match *axis {
            VARIATION => (*axis, BASE.into()),
            _ => (*axis, value.clone()),
        };
        Self(self.0.iter().map(base).collect())
    }

    fn get(&self, axis: &str) -> Option<&Coordinate> {
        self.0
            .iter()
            .find(|(name, _)| *name == axis)
            .map(|(_, value)| value)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (axis, value)) in self.0.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{axis} = {value}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => f.write_str(word),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

impl From<&str> for Coordinate {
    fn from(word: &str) -> Self {
        Self::Word(word.to_owned())
    }
}

impl From<f64> for Coordinate {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Coordinate {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_names_a_file() {
        let key = Key::new()
            .with("protocol", "TCP(0.31, 0.875)")
            .with("flows", 10);
        assert_eq!(key.slug(), "tcp-0.31-0.875-10");
        assert_eq!(key.number("flows"), Some(10.0));
        assert_eq!(key.word("protocol"), Some("TCP(0.31, 0.875)"));
        assert_eq!(key.word("flows"), None);
        assert_eq!(key.number("queue"), None);
    }
}
