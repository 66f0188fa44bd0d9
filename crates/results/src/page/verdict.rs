//! A claim, the number it was published with, ours, and the judgement.

/// How a claim fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Our data say what the claim says.
    Reproduced,
    /// They say a part of it.
    Partly,
    /// They allow more than one of the others.
    Undecided,
    /// They do not.
    NotReproduced,
}

impl Verdict {
    /// Symbol and words, so that it reads without colour.
    pub fn label(self) -> &'static str {
        match self {
            Self::Reproduced => "✓ Reproduced",
            Self::Partly => "≈ Partly reproduced",
            Self::Undecided => "? Undecided",
            Self::NotReproduced => "✗ Not reproduced",
        }
    }

    /// The class in `page.css`.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Partly => "partly",
            Self::Undecided => "undecided",
            Self::NotReproduced => "not-reproduced",
        }
    }
}

/// A claim and its verdict, shown as a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictCard {
    /// The claim in a sentence.
    pub statement: String,
    /// What the paper gives: a number with its unit, or a few words.
    pub paper: String,
    /// What our data give.
    pub ours: String,
    /// Confidence interval of `ours`, such as `"0.79 to 0.83 (95 %)"`.
    pub interval: Option<String>,
    /// The judgement.
    pub verdict: Verdict,
    /// What is added to the verdict's words, such as `"with rtt = 150 ms"`.
    pub with: Option<String>,
    /// Why, in a sentence.
    pub reason: Option<String>,
    /// What a click shows: name and text, such as the rule.
    pub details: Vec<(String, String)>,
}
