//! Keys and values as TOML text.

use std::fmt::Write as _;

/// A dotted key from its parts.
pub(in crate::scenario) fn join(path: &str, key: &str) -> String {
    let key = bare_or_quoted(key);
    if path.is_empty() {
        key
    } else {
        format!("{path}.{key}")
    }
}

pub(super) fn bare_or_quoted(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !key.is_empty() && key.chars().all(bare) {
        key.to_owned()
    } else {
        quoted(key)
    }
}

/// A text as TOML.
pub(in crate::scenario) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                write!(out, "\\u{:04X}", c as u32).expect("writing to a string cannot fail");
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A number as TOML: shortest text that reads as the same number.
pub(in crate::scenario) fn number_text(number: f64) -> String {
    format!("{number:?}").replace("NaN", "nan")
}
