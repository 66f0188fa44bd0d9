//! What can be set on the ends of a TFRC flow.

use controllers::Setup;
use units::Bytes;

use crate::datagram::Sequence;

/// What can be set on a TFRC sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TfrcConfig {
    /// Size of a packet on the wire, headers included: s of the equation.
    pub packet_size: Bytes,
    /// Packets say that they are ECN-capable (RFC 5348 §5.1).
    pub ecn: bool,
    /// Number of the first packet.
    pub first: Sequence,
}

impl Default for TfrcConfig {
    fn default() -> Self {
        Self {
            packet_size: Bytes(1_000),
            ecn: false,
            first: Sequence(0),
        }
    }
}

impl TfrcConfig {
    /// What the controller of such a sender is built with.
    pub fn setup(&self) -> Setup {
        Setup {
            paced: true,
            ..Setup::new(self.packet_size, self.packet_size)
        }
    }
}

/// What can be set on a TFRC receiver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TfrcReceiverConfig {
    /// Size of a feedback packet on the wire.
    pub feedback_size: Bytes,
    /// Headers of a data packet.
    pub header_size: Bytes,
    /// Old loss intervals count less when the present one is long (RFC 5348 §5.5).
    pub history_discounting: bool,
    /// Later packets that tell of a loss (NDUPACK): 1 to 3.
    pub later_packets: u32,
}

impl Default for TfrcReceiverConfig {
    fn default() -> Self {
        Self {
            feedback_size: Bytes(40),
            header_size: Bytes(40),
            history_discounting: true,
            later_packets: LATER_PACKETS,
        }
    }
}

impl TfrcReceiverConfig {
    /// The defaults of ns-2.35's `Agent/TFRCSink`.
    pub fn ns2() -> Self {
        Self {
            later_packets: 1,
            ..Self::default()
        }
    }
}

/// NDUPACK (RFC 5348 §5.1).
const LATER_PACKETS: u32 = 3;
