//! What a sender counts.

use units::{Bytes, Duration};

/// Counts over the whole life of a sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SenderStatistics {
    /// Data packets sent, retransmissions included.
    pub packets_sent: u64,
    /// The same in bytes on the wire.
    pub bytes_sent: Bytes,
    /// SYNs sent; not among the packets.
    pub syns_sent: u64,
    /// Data packets that had been sent before.
    pub retransmits: u64,
    /// Expiries of the retransmission timer with data outstanding.
    pub timeouts: u64,
    /// Retransmissions that duplicate or selective ACKs triggered: one for each time recovery
    /// began.
    pub fast_retransmits: u64,
    /// Tail loss probes, retransmissions or new data.
    pub tail_loss_probes: u64,
    /// Timeouts and fast retransmits that were found to have no cause and undone.
    pub undone: u64,
    /// Congestion episodes: signals that the controller was told to reduce for.
    pub congestion_episodes: u64,
    /// Acknowledgements received, duplicates included.
    pub acks_received: u64,
    /// Round trips measured.
    pub rtt_samples: u64,
    /// Round trip that the last ACK measured, unrounded; none when it measured none.
    pub last_rtt: Option<Duration>,
    /// Smallest round trip so far; zero before the first sample.
    pub min_rtt: Duration,
}
