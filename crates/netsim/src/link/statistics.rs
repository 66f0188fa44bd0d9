//! What a link counts.

use units::{Duration, Time};

/// The part of a run over which means are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its beginning.
    pub from: Time,
    /// Its end.
    pub to: Time,
}

/// What a link counted. Counts are over the whole run, the other figures over its window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkStatistics {
    /// Packets that reached the link.
    pub packets_in: u64,
    /// Packets that leave, or will leave, at the far end. Where the queue decides at departure, those
    /// that still wait are not among them.
    pub packets_out: u64,
    /// The same in bytes.
    pub bytes_out: u64,
    /// Packets that the queue dropped.
    pub drops: u64,
    /// Packets that the queue marked.
    pub marks: u64,
    /// Packets that a loss model took.
    pub lost: u64,
    /// Packets whose senders were told of congestion.
    pub source_quenches: u64,
    /// Most packets that ever waited at once, without the one being sent. Whole run.
    pub queue_max: u64,
    /// Time in which the transmitter was busy, within the window.
    pub busy: Duration,
    /// Sum of the times that packets waited, within the window, in picoseconds.
    pub waited_picos: u128,
}

impl Window {
    /// How much of `start..end` lies in the window.
    #[inline]
    pub(super) fn overlap(&self, start: Time, end: Time) -> Duration {
        end.min(self.to).saturating_since(start.max(self.from))
    }
}
