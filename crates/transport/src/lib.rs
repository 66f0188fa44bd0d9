//! Transport endpoints, sans I/O: TCP, and the datagram protocols TFRC and TFWC.
//!
//! An endpoint is given segments and the time, and gives segments and the time of its next timer.
//! It knows no network, no clock and no randomness. The window law is a controller's
//! ([`controllers::CongestionController`]); finding and repairing losses, timers, acknowledging
//! and limits on sending are here:
//!
//! * [`TcpSender`]: handshake, sending, timers; a [`Recovery`] of one's choice; the retransmission
//!   timeout of RFC 6298 with the clock and the arithmetic of one's choice ([`RtoConfig`]);
//! * [`TcpReceiver`]: reassembly, delayed and selective acknowledgements, echo of marks;
//! * [`tfrc`] and [`tfwc`]: endpoints that send datagrams once and never again, at a rate or within
//!   a window.
//!
//! By default TCP's ends follow the RFCs, with the choices that the files state. Segments are
//! numbered and full; there are no bytes within them, no reset, no closing handshake, no urgent data, and
//! the receiver's window is a constant ([`SenderConfig::max_window`]).
//!
//! Not here: the restart of the window after an idle time (RFC 5681 §4.1).
//!
//! # ns-2
//!
//! With [`Compat::Ns2`] on both ends, a controller whose `reading` is `"ns-2"`, and the defaults of
//! [`SenderConfig::ns2`], the sequence of packets is that of ns-2.35's one-way TCP agents. What
//! differs from the RFCs:
//!
//! | in ns-2.35 | where |
//! |---|---|
//! | The SYN is segment 0; it goes alone, is 40 B long, and takes part in go-back-N. Its loss costs the initial window and half the threshold. | `sender`, `ns2` |
//! | Without SYN segment 0 carries data but no headers. An ACK of segment 0 alone does not open the window. | `connection`, `ns2` |
//! | The first slow-start threshold is the maximum window. | [`SenderConfig::setup`] |
//! | The window is a real number. It grows when the maximum window holds the sender back, and is cut from min(window + inflation, maximum window). The threshold is cut to whole packets, the window is not. | controller, `ns2` |
//! | Round trips in whole ticks, counted by a clock with a phase unless there are timestamps; integer SRTT and RTTVAR; minimum before backoff, two ticks at least; SRTT forgotten after three timeouts. | `rto` |
//! | The timer restarts on every new ACK, also when nothing is outstanding: after an idle timeout the window is 1 and the threshold stays. It restarts on a fast retransmit; in Newreno on the first partial ACK, in Sack1 on each. | `ns2` |
//! | The backoff ends when the timed packet, or with Sack1 any partial ACK, is acknowledged, also with timestamps; with timestamps every new ACK is a sample, those of retransmissions too. | `ns2` |
//! | A second timeout of the same segment cuts the threshold again. | `ns2` |
//! | The ACK that ends recovery opens the window (not with Sack1). | `ns2` |
//! | One fast retransmit for each window in Reno too (`bugFix_`), except for segment 1, where it is always allowed. Tahoe keeps its count of duplicate ACKs over a timeout. | `ns2` |
//! | Duplicate ACKs below the threshold send one new packet each (`singledup_`) and nothing else; in Newreno's recovery an ACK sends two at most. | `ns2::window` |
//! | Newreno's partial ACKs deflate the window itself when `dupwnd_` does not suffice, and it stays so. | `ns2::window` |
//! | Sack1: `pipe_` counts ACKs; a hole is retransmitted as soon as something above it is SACKed, none twice, without regard to D; the scoreboard is forgotten after recovery; duplicate ACKs after a timeout are ignored. | `ns2::sack` |
//! | Sink: the last three SACK blocks as they were reported, 8 B each; an ACK may be delayed for a repeated segment; segment 0 never waits. | `receiver`, `reassembly` |
//! | ECN: retransmissions are ECT, segment 0 is not; CWR on the first packet, new or not; the answer to segment 0 carries ECE; a window below 1 waits for the timer; two marked packets under one delayed ACK count as one event. | `connection`, `ns2`, `receiver` |
//!
//! TFRC under [`Compat::Ns2`] is described in [`tfrc`]'s files.
//!
//! Not as ns-2: where a timer and a packet fall on the same instant, the order is the simulator's.

mod config;
mod connection;
mod d_sack;
pub mod datagram;
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
pub mod tfrc;
pub mod tfwc;

pub use config::{
    Compat, ReceiverConfig, Recovery, RtoArithmetic, RtoConfig, SenderConfig, SpuriousDetection,
    ThresholdAdaptation,
};
pub use receiver::{Delivery, TcpReceiver};
pub use segment::{Flags, SackBlock, Segment, SegmentKind, Transmit};
pub use sender::TcpSender;
pub use statistics::SenderStatistics;
