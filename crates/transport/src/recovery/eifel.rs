//! The Eifel detection of spurious retransmissions: the first new ACK after a retransmission echoes
//! the timestamp of the original.
//!
//! Follows RFC 3522 §3.2, for timeouts and fast retransmits. It needs timestamps.
//!
//! Not here: the variant of step 5 for the ACK that repeats (D-SACK).

use units::Time;

use super::spurious::Finding;
use crate::connection::Arrival;

/// A retransmission that the next new ACK is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Eifel {
    /// `RetransmitTS`: when the segment first left again.
    retransmitted_at: Time,
    /// It was the timer, not duplicate ACKs.
    pub(crate) timeout: bool,
}

impl Eifel {
    pub(super) fn new(now: Time, timeout: bool) -> Self {
        Self {
            retransmitted_at: now,
            timeout,
        }
    }

    /// Step 5: an echo from before the retransmission is the original's.
    pub(super) fn on_new_ack(self, arrival: &Arrival<'_>) -> Finding {
        if arrival.timestamp < self.retransmitted_at {
            Finding::Spurious
        } else {
            Finding::Nothing
        }
    }
}
