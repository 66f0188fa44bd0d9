//! TFWC endpoints: datagrams in a window, acknowledged by an ACK vector.
//!
//! Follows Choi, TCP-Friendly Window-based Congestion Control (UCL transfer report, 2006), §4.2 and
//! §5.2 to §5.5. The receiver answers each packet with the list of those that arrived; the sender
//! finds losses in it and says in each packet up to where it has understood (the ACK of the ACK),
//! so that the receiver can forget. Nothing is sent again. The window law is a controller's:
//! `tfwc`, or any other.
//!
//! Not here: ECN (the report has none).

mod ack_vector;
mod config;
mod receiver;
mod sender;

pub use ack_vector::{Gap, MOST_GAPS, coded_length};
pub use config::{TfwcConfig, TfwcReceiverConfig};
pub use receiver::{TfwcDelivery, TfwcReceiver};
pub use sender::TfwcSender;

use units::Time;

use crate::datagram::Sequence;

/// Header of a TFWC packet with data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TfwcData {
    /// Its number.
    pub number: Sequence,
    /// The sender has understood the ACK vector up to this packet: the ACK of the ACK.
    pub understood: Sequence,
    /// When it left.
    pub timestamp: Time,
}

/// A TFWC acknowledgement; with holes in what arrived its [`Gap`]s go along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TfwcAck {
    /// The newest packet that arrived.
    pub head: Sequence,
    /// How many in a row have arrived up to the head, itself included.
    pub run: u32,
    /// Timestamp of the packet that this answers.
    pub timestamp: Time,
}
