//! What the endpoints of a TCP connection exchange: plain values without payload.
//!
//! Segments are numbered, not bytes: every data segment but the last of a transfer is full, and
//! the simulator carries no data. The first data segment is number 0. From [`crate::ns2`] with a
//! handshake the SYN is number 0 and the first data segment number 1, as in ns-2's traces.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

use units::{Bytes, Ecn, Time};

/// One segment of a TCP connection, or one datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What it is.
    pub kind: SegmentKind,
    /// Marks on it.
    pub flags: Flags,
    /// Of data: its own number. Of an acknowledgement: the next number expected, so that all
    /// before it have arrived. Of a SYN: 0.
    pub number: u64,
    /// Of data and SYN: when it left. Of an acknowledgement: the timestamp of the segment that it
    /// answers (RFC 7323 §4.3: of a delayed acknowledgement the earliest one).
    pub timestamp: Time,
}

/// What a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SegmentKind {
    /// Opens a connection.
    Syn,
    /// Answers a SYN.
    SynAck,
    /// Carries data.
    Data,
    /// Acknowledges data.
    Ack,
    /// Tells the sender that data segment `number` met congestion (ICMP source quench, RFC 792).
    SourceQuench,
    /// Unreliable data, outside any connection (UDP).
    Datagram,
}

/// Marks on a segment.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    /// No mark.
    pub const NONE: Self = Self(0);
    /// Data: sent before.
    pub const RETRANSMISSION: Self = Self(1);
    /// Data: the window was reduced (RFC 3168 §6.1.2).
    pub const CWR: Self = Self(1 << 1);
    /// Acknowledgement: a mark arrived (RFC 3168 §6.1.3).
    pub const ECE: Self = Self(1 << 2);
    /// Acknowledgement: its timestamp is that of a retransmission.
    pub const ECHOES_RETRANSMISSION: Self = Self(1 << 3);

    /// Whether all of `other` are set.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// `self` if `condition`, else no mark.
    #[inline]
    pub const fn when(self, condition: bool) -> Self {
        Self(self.0 * condition as u8)
    }

    /// As one byte.
    pub const fn bits(self) -> u8 {
        self.0
    }
}

impl BitOr for Flags {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            (Self::RETRANSMISSION, "RETRANSMISSION"),
            (Self::CWR, "CWR"),
            (Self::ECE, "ECE"),
            (Self::ECHOES_RETRANSMISSION, "ECHOES_RETRANSMISSION"),
        ];
        f.debug_set()
            .entries(
                names
                    .iter()
                    .filter(|(flag, _)| self.contains(*flag))
                    .map(|(_, name)| name),
            )
            .finish()
    }
}

/// Segments from `start` up to, not including, `end` have arrived (RFC 2018 §3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SackBlock {
    /// First segment of the block.
    pub start: u64,
    /// One past its last.
    pub end: u64,
}

/// A segment on its way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmit {
    /// The segment.
    pub segment: Segment,
    /// Its size on the wire, headers included.
    pub size: Bytes,
    /// Its ECN field.
    pub ecn: Ecn,
}
