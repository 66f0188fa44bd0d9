//! What can be set on the ends of a TFWC flow.

use controllers::Setup;
use units::{Bytes, Duration};

use crate::datagram::Sequence;

/// What can be set on a TFWC sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TfwcConfig {
    /// Size of a packet on the wire, headers included.
    pub packet_size: Bytes,
    /// Window at the start, in packets.
    pub initial_window: u64,
    /// Packets below the newest one acknowledged that are neither lost nor arrived yet. The
    /// controller should have the same margin.
    pub margin: u64,
    /// Timeout before the first round trip is measured.
    pub initial_timeout: Duration,
    /// Longest timeout, backed off.
    pub longest_timeout: Duration,
    /// Least that 4·RTTVAR counts in the timeout.
    pub granularity: Duration,
    /// Clock of SRTT and RTTVAR; zero is exact. With a tick, `granularity` is not used.
    pub tick: Duration,
    /// Number of the first packet.
    pub first: Sequence,
}

impl Default for TfwcConfig {
    fn default() -> Self {
        Self {
            packet_size: Bytes(1_000),
            initial_window: 1,
            margin: 3,
            initial_timeout: Duration::from_secs(3),
            longest_timeout: Duration::from_secs(60),
            granularity: Duration::from_millis(10),
            tick: Duration::ZERO,
            first: Sequence(0),
        }
    }
}

impl TfwcConfig {
    /// What the controller of such a sender is built with.
    pub fn setup(&self) -> Setup {
        let initial_window = self.packet_size.saturating_mul(self.initial_window);
        Setup {
            selective: true,
            ..Setup::new(self.packet_size, initial_window)
        }
    }
}

/// What can be set on a TFWC receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TfwcReceiverConfig {
    /// Size of an ACK on the wire.
    pub ack_size: Bytes,
    /// Headers of a data packet.
    pub header_size: Bytes,
    /// An ACK is larger by its coded vector ([`super::coded_length`]).
    pub count_vector: bool,
}

impl Default for TfwcReceiverConfig {
    fn default() -> Self {
        Self {
            ack_size: Bytes(40),
            header_size: Bytes(40),
            count_vector: false,
        }
    }
}
