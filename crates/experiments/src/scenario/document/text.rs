//! Keys and values as TOML text.

use units::choice::quoted;

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
