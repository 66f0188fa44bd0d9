//! Tables, sorted by a click on a column's name.

use super::{Link, Verdict};

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What it shows; may be empty.
    pub caption: String,
    /// The columns, from left to right.
    pub columns: Vec<Column>,
    /// The rows, each with one cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub fn new(caption: impl Into<String>, columns: Vec<Column>) -> Self {
        Self {
            caption: caption.into(),
            columns,
            rows: Vec::new(),
        }
    }
}

/// A table's column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub name: String,
    /// Unit of its numbers; empty if they have none.
    pub unit: String,
    /// Where its cells stand.
    pub align: Align,
    /// Significant digits of its numbers, at least 1.
    pub digits: usize,
}

impl Column {
    /// A column of texts, aligned left.
    pub fn text(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: String::new(),
            align: Align::Left,
            digits: DIGITS,
        }
    }

    /// A column of numbers with four significant digits, aligned right.
    pub fn number(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            align: Align::Right,
            digits: DIGITS,
        }
    }

    /// The same column with another number of significant digits.
    #[must_use]
    pub fn digits(mut self, digits: usize) -> Self {
        self.digits = digits;
        self
    }
}

/// Where a column's cells stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At the left.
    Left,
    /// In the middle.
    Center,
    /// At the right.
    Right,
}

impl Align {
    /// The class in `page.css`.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Center => "center",
            Self::Right => "right",
        }
    }
}

/// What stands in a row under a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number in the column's unit; one that is not a number shows as a dash.
    Number(f64),
    /// A number with its confidence interval.
    Interval {
        /// The number.
        value: f64,
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// A link.
    Link(Link),
    /// A verdict as a coloured label.
    Verdict(Verdict),
    /// Nothing.
    Empty,
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// Significant digits unless a column says otherwise.
const DIGITS: usize = 4;
