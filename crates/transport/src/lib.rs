//! Transport endpoints, sans I/O: TCP, and the datagram protocols TFRC and TFWC.
//!
//! An endpoint ([`endpoint::Endpoint`]) is given packets and the time, and gives packets and the
//! time of its next timer. It knows no network, no clock and no randomness. The window law is a controller's
//! ([`controllers::CongestionController`]); finding and repairing losses, timers, acknowledging
//! and limits on sending are here:
//!
//! * [`TcpSender`]: handshake, sending, timers; a [`Recovery`] of one's choice; the retransmission
//!   timeout of RFC 6298 with the clock and the arithmetic of one's choice ([`RtoConfig`]);
//! * [`TcpReceiver`]: reassembly, delayed and selective acknowledgements, echo of marks;
//! * [`ns2`]: the agents of ns-2.35, packet by packet;
//! * [`tfrc`] and [`tfwc`]: endpoints that send datagrams once and never again, at a rate or within
//!   a window.
//!
//! The ends of TCP follow the RFCs, with the choices that the files state. Segments are
//! numbered and full; there are no bytes within them, no reset, no closing handshake, no urgent data, and
//! the receiver's window is a constant ([`SenderConfig::max_window`]).
//!
//! Not here: the restart of the window after an idle time (RFC 5681 §4.1).
//!
//! What is not so in ns-2.35 stands beside, in [`ns2`].

mod config;
mod connection;
mod d_sack;
pub mod datagram;
pub mod endpoint;
mod history;
pub mod ns2;
mod pacer;
mod ranges;
mod reassembly;
mod receiver;
mod recovery;
mod rto;
mod scoreboard;
mod segment;
mod sender;
mod statistics;
pub mod tfrc;
pub mod tfwc;

pub use config::{
    ReceiverConfig, Recovery, RtoArithmetic, RtoConfig, SenderConfig, SpuriousDetection,
    ThresholdAdaptation,
};
pub use pacer::Pacing;
pub use receiver::{Delivery, TcpReceiver};
pub use segment::{Flags, SackBlock, Segment, SegmentKind, Transmit};
pub use sender::TcpSender;
pub use statistics::SenderStatistics;
