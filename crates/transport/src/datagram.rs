//! What the datagram protocols TFRC and TFWC share: packets that are never sent again, numbered by
//! 32 bits that wrap. And plain datagrams.

mod arrivals;
mod plain;
mod sequence;

pub(crate) use arrivals::ArrivalWindow;
pub use plain::{DatagramReceiver, DatagramSender};
pub use sequence::Sequence;
use units::{Bytes, Ecn};

/// A packet on its way out: its header, and what the network sees of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Datagram<H> {
    /// The protocol's header.
    pub header: H,
    /// Size on the wire, headers included.
    pub size: Bytes,
    /// Its ECN field.
    pub ecn: Ecn,
}

/// What became of the feedback that reached a sender. Nothing that is refused changes any other
/// state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedbackCounts {
    /// Taken.
    pub accepted: u64,
    /// Older than feedback that had been taken before; ignored.
    pub stale: u64,
    /// Refused: speaks of packets that were never sent, or of a time to come.
    pub beyond_sent: u64,
    /// Refused: contradicts itself.
    pub malformed: u64,
    /// Refused: larger than any receiver sends.
    pub oversized: u64,
}

impl FeedbackCounts {
    /// All that was refused.
    pub const fn refused(&self) -> u64 {
        self.beyond_sent + self.malformed + self.oversized
    }
}
