//! What is wrong with a scenario file, and where.

use std::fmt;

/// What is wrong with a scenario. Prints `file:line:column: message`; the hint is separate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", Origin(self))]
pub struct ScenarioError {
    /// The file, or the setting (`--set key=value`) that is wrong.
    pub file: String,
    /// Where in the file; none for a setting and for what concerns the whole.
    pub position: Option<Position>,
    /// The dotted key that is wrong, flows by their number; empty for bad TOML.
    pub key: String,
    /// What is wrong, with the offending value and what is allowed.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// A place in a file, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl Position {
    /// The place of a byte of `text`.
    pub(crate) fn of(text: &str, byte: usize) -> Self {
        let mut end = byte.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

struct Origin<'a>(&'a ScenarioError);

impl fmt::Display for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScenarioError { file, position, .. } = self.0;
        match position {
            Some(Position { line, column }) => write!(f, "{file}:{line}:{column}: "),
            None if file.is_empty() => Ok(()),
            None => write!(f, "{file}: "),
        }
    }
}

/// The name of `allowed` nearest to `given`, where one is near enough to be meant.
pub fn nearest<'a>(given: &str, allowed: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase().replace('_', "-");
    let begins = given.chars().count() >= SHORTEST_BEGINNING_CHARS;
    allowed
        .into_iter()
        .filter_map(|name| {
            let plain = name.to_lowercase().replace('_', "-");
            let distance = strsim::damerau_levenshtein(&given, &plain);
            let near = distance <= (name.len() / 3).max(1);
            (near || (begins && plain.starts_with(&given))).then_some((distance, name))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// A text this long that begins a name stands for it.
const SHORTEST_BEGINNING_CHARS: usize = 3;
