//! TFRC endpoints: datagrams at a rate, reported on once for each round trip.
//!
//! Follows RFC 5348; [`crate::ns2`] has the agents of ns-2.35. The receiver keeps the loss history
//! and measures the receive rate; the sender measures the round trip and sends at the rate of its
//! controller: `tfrc`, or any other that paces.

mod config;
pub(crate) mod losses;
pub(crate) mod meter;
pub(crate) mod progress;
pub(crate) mod receiver;
mod sender;

pub use config::{TfrcConfig, TfrcReceiverConfig};
pub use receiver::{TfrcArrival, TfrcDelivery, TfrcReceiver};
pub use sender::TfrcSender;

use units::{Bytes, Duration, Time};

use crate::datagram::Sequence;

/// Header of a TFRC packet with data (RFC 5348 §3.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TfrcData {
    /// Its number.
    pub number: Sequence,
    /// When it left.
    pub timestamp: Time,
    /// The sender's round-trip time R; zero before the first sample.
    pub rtt: Duration,
    /// In ns-2's packets: the sender's timeout `t_RTO`; zero before the first sample.
    pub timeout: Duration,
    /// In ns-2's packets: counts feedback packets and expired nofeedback timers.
    pub round: u32,
    /// In ns-2's packets: feedback is wanted at once, since none has come for a while.
    pub urgent: bool,
}

impl TfrcData {
    /// Packet `number`, which says nothing else.
    pub const fn new(number: Sequence) -> Self {
        Self {
            number,
            timestamp: Time::ZERO,
            rtt: Duration::ZERO,
            timeout: Duration::ZERO,
            round: 0,
            urgent: false,
        }
    }
}

/// A TFRC feedback packet (RFC 5348 §3.2.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TfrcFeedback {
    /// The newest packet that arrived.
    pub newest: Sequence,
    /// Its timestamp (`t_recvdata`).
    pub timestamp: Time,
    /// Time from its arrival to this report (`t_delay`).
    pub delay: Duration,
    /// Received over `interval`: the receive rate `X_recv`. No interval: not measured.
    pub received: Bytes,
    /// Time over which it was received.
    pub interval: Duration,
    /// Loss event rate p, from 0 to 1.
    pub loss_event_rate: f64,
    /// Packets found lost since the last report.
    pub losses: u32,
    /// A loss event began since the last report.
    pub new_event: bool,
}
