//! What a result is kept under: 128 bits of its content.

use std::fmt;

use twox_hash::XxHash3_128;

/// A digest (XXH3, 128 bits) of all that determines a result.
///
/// Against chance: among 2³² results two share a digest with a probability of 2⁻⁶⁵. Not against
/// someone who makes two scenarios clash on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest(pub(super) [u8; 16]);

impl Digest {
    /// The digest of some texts. They are told apart: `["ab", "c"]` is not `["a", "bc"]`.
    pub fn of(texts: &[&str]) -> Self {
        let mut bytes = Vec::new();
        for text in texts {
            bytes.extend((text.len() as u64).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        Self::of_bytes(&bytes)
    }

    /// The digest of a file's bytes.
    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        Self(XxHash3_128::oneshot(bytes).to_le_bytes())
    }

    /// Half of it.
    pub(super) fn short(self) -> u64 {
        (u128::from_le_bytes(self.0) >> 64) as u64
    }

    /// Its bytes.
    pub(crate) const fn bytes(self) -> [u8; 16] {
        self.0
    }

    /// The digest that has these [`bytes`](Self::bytes).
    pub(crate) const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_le_bytes(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_apart() {
        assert_ne!(Digest::of(&["ab", "c"]), Digest::of(&["a", "bc"]));
        assert_ne!(Digest::of(&["a"]), Digest::of(&["a", ""]));
        assert_eq!(Digest::of(&["a", "b"]), Digest::of(&["a", "b"]));
    }
}
