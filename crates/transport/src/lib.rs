//! Transport endpoints, sans I/O.

mod config;
mod connection;
mod history;
mod ns2;
mod ranges;
mod reassembly;
mod receiver;
mod recovery;
mod rto;
mod scoreboard;
mod segment;
mod sender;
mod statistics;

pub use config::{Compat, ReceiverConfig, Recovery, RtoArithmetic, RtoConfig, SenderConfig};
pub use receiver::{Delivery, TcpReceiver};
pub use segment::{Flags, SackBlock, Segment, SegmentKind, Transmit};
pub use sender::TcpSender;
pub use statistics::SenderStatistics;
