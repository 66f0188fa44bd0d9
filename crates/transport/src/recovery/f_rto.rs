//! Forward RTO-Recovery: after a timeout, two ACKs in a row that advance show that it was false.
//!
//! Follows RFC 5682 §2.1, the basic algorithm. It needs nothing of the receiver.
//!
//! Differs from the RFC: one new segment leaves in step 2b, not two.

use super::spurious::Finding;
use crate::connection::Arrival;

/// A timeout that the next ACKs are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FRto {
    /// Step 2: waits for the first ACK. `recover`: one past the highest segment sent.
    FirstAck { recover: u64 },
    /// Step 3: new data is out, waits for the second ACK.
    SecondAck,
}

impl FRto {
    pub(super) fn new(recover: u64) -> Self {
        Self::FirstAck { recover }
    }

    pub(super) fn on_ack(self, arrival: &Arrival<'_>, advances: bool) -> Finding {
        match self {
            // Step 2b.
            Self::FirstAck { recover } if advances && arrival.number < recover => Finding::SendNew,
            // Step 3b.
            Self::SecondAck if advances => Finding::Spurious,
            // Steps 2a and 3a.
            Self::FirstAck { .. } | Self::SecondAck => Finding::Nothing,
        }
    }
}
