//! The ECN field of a packet.

/// The ECN codepoint (RFC 3168 §5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Ecn {
    /// The sender does not take part.
    #[default]
    NotEct,
    /// The sender understands ECN.
    Ect0,
    /// The sender understands ECN; a second codepoint (L4S: RFC 9331).
    Ect1,
    /// Congestion experienced: a queue marked the packet.
    Ce,
}

impl Ecn {
    /// Whether a queue may mark the packet instead of dropping it.
    pub const fn is_capable(self) -> bool {
        !matches!(self, Self::NotEct)
    }
}
