//! Claims of a paper, and how they are judged from data.

use std::borrow::Cow;
use std::fmt;

use results::page;
use serde::Serialize;

use crate::data::Data;

/// Something that a paper says about its figures, with the rule by which our data judge it.
///
/// The rule is fixed before the data are seen and is printed beside the verdict. It asks for the
/// places that the paper states and no others; what the paper leaves open is a
/// [`Choice`](crate::Choice), and the rule is applied again to each of its values.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name, different from every other claim's of the paper.
    pub id: &'static str,
    /// The figures whose data it needs; it is shown with the first.
    pub figures: &'static [&'static str],
    /// What the paper says, in our own words.
    pub statement: &'static str,
    /// What the paper gives for it: a number or a few words.
    pub paper: Quantity,
    /// Unit of the paper's number and ours; empty if they have none.
    pub unit: &'static str,
    /// What makes it reproduced, partly reproduced, undecided or not reproduced.
    pub rule: &'static str,
    /// Applies the rule.
    pub judge: fn(&Evidence<'_>) -> Judged,
}

/// The data that a claim is judged by.
#[derive(Clone, Debug)]
pub struct Evidence<'a> {
    figures: Vec<(&'static str, &'a Data)>,
}

impl<'a> Evidence<'a> {
    /// The data of these figures.
    pub fn new(figures: Vec<(&'static str, &'a Data)>) -> Self {
        Self { figures }
    }

    /// The figures there are.
    pub fn ids(&self) -> impl Iterator<Item = &'static str> {
        self.figures.iter().map(|(id, _)| *id)
    }

    /// The data of a figure.
    ///
    /// # Panics
    /// When the claim did not name the figure: [`Claim::figures`] is what it is given.
    pub fn figure(&self, id: &str) -> &'a Data {
        let found = self.figures.iter().find(|(figure, _)| *figure == id);
        found
            .unwrap_or_else(|| panic!("the claim does not name figure {id}"))
            .1
    }
}

/// How a claim fared.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// What our data give.
    pub ours: Quantity,
    /// Its 95 % confidence interval, if it has one.
    pub interval: Option<(f64, f64)>,
    /// The judgement.
    pub verdict: Verdict,
    /// What it rests on; where the claim failed, why.
    pub reason: String,
}

/// The judgement of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Our data say what the claim says.
    Reproduced,
    /// They say a part of it.
    Partly,
    /// They allow more than one of the others: the interval is open, or what could turn the
    /// verdict was not run.
    Undecided,
    /// They do not.
    NotReproduced,
}

impl Verdict {
    /// All of them, the best first.
    pub const ALL: [Self; 4] = [
        Self::Reproduced,
        Self::Partly,
        Self::Undecided,
        Self::NotReproduced,
    ];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Partly => "partly reproduced",
            Self::Undecided => "undecided",
            Self::NotReproduced => "not reproduced",
        }
    }
}

impl From<Verdict> for page::Verdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Reproduced => Self::Reproduced,
            Verdict::Partly => Self::Partly,
            Verdict::Undecided => Self::Undecided,
            Verdict::NotReproduced => Self::NotReproduced,
        }
    }
}

/// A number or a few words.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Quantity {
    /// A number.
    Number(f64),
    /// Words.
    Words(Cow<'static, str>),
}

impl Quantity {
    /// Words known beforehand.
    pub const fn words(words: &'static str) -> Self {
        Self::Words(Cow::Borrowed(words))
    }

    /// With its unit, for people.
    pub fn shown(&self, unit: &str) -> String {
        match self {
            Self::Words(words) => words.to_string(),
            Self::Number(number) => with_unit(*number, unit),
        }
    }
}

impl From<f64> for Quantity {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<String> for Quantity {
    fn from(words: String) -> Self {
        Self::Words(Cow::Owned(words))
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown(""))
    }
}

/// A number with its unit, for people: three significant digits.
pub(crate) fn with_unit(number: f64, unit: &str) -> String {
    let number = page::significant(number, 3);
    if unit.is_empty() {
        number
    } else {
        format!("{number} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantity_is_a_number_or_a_text_in_json() {
        let json = |quantity: &Quantity| serde_json::to_string(quantity).unwrap();
        assert_eq!(json(&Quantity::Number(1.5)), "1.5");
        assert_eq!(json(&Quantity::words("about equal")), "\"about equal\"");
        assert_eq!(
            serde_json::to_string(&Verdict::NotReproduced).unwrap(),
            "\"not-reproduced\""
        );
        assert_eq!(
            serde_json::to_string(&Verdict::Undecided).unwrap(),
            "\"undecided\""
        );
    }

    #[test]
    fn numbers_are_shown_with_their_unit() {
        assert_eq!(Quantity::Number(1.234_5).shown("%"), "1.23 %");
        assert_eq!(Quantity::Number(1.234_5).shown(""), "1.23");
        assert_eq!(Quantity::words("equal").shown("%"), "equal");
    }
}
