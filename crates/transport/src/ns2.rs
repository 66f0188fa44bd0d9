//! The agents of ns-2.35, packet by packet, beside the endpoints that follow the RFCs.
//!
//! [`Sender`] and [`Sink`] are ns-2's one-way TCP agents (`Agent/TCP`, `Agent/TCP/Reno`,
//! `Agent/TCP/Newreno`, `Agent/TCP/Sack1`, `Agent/TCP/Vegas`; `Agent/TCPSink` with `Sacker` and
//! `DelAckSink`) with their default settings. With the defaults of
//! [`SenderConfig::ns2`](crate::SenderConfig::ns2) at both ends the sequence of packets is ns-2's.
//!
//! [`TfrcSender`] and [`TfrcSink`] are `Agent/TFRC` and `Agent/TFRCSink`.
//!
//! Where TCP's agents depart from the RFCs, and which file has it:
//!
//! | in ns-2.35 | file |
//! |---|---|
//! | The SYN is segment 0; it goes alone, is 40 B long, and takes part in go-back-N. Its loss costs the initial window and half the threshold. | `sender`, `connection` |
//! | Without SYN segment 0 carries data but no headers. An ACK of segment 0 alone does not open the window. | `connection`, `agent` |
//! | The first slow-start threshold is the maximum window. | [`setup`] |
//! | The window is a real number. It grows when the maximum window holds the sender back, and is cut from min(window + inflation, maximum window). The threshold is cut to whole packets, the window is not. | `aimd`, `agent` |
//! | Half the window stays, whatever β is, at the first decrease and below the threshold. | `aimd` |
//! | Round trips in whole ticks, counted by a clock with a phase unless there are timestamps; integer SRTT and RTTVAR; minimum before backoff, two ticks at least; SRTT forgotten after three timeouts. | `rto` ([`RtoArithmetic::Ticks`](crate::RtoArithmetic)) |
//! | The timer restarts on every new ACK, also when nothing is outstanding: after an idle timeout the window is 1 and the threshold stays. It restarts on a fast retransmit; in Newreno on the first partial ACK, in Sack1 on each. | `agent`, `sender` |
//! | The backoff ends when the timed packet, or with Sack1 any partial ACK, is acknowledged, also with timestamps; with timestamps every new ACK is a sample, those of retransmissions too. | `agent` |
//! | A second timeout of the same segment cuts the threshold again. | `agent` |
//! | The ACK that ends recovery opens the window (not with Sack1). | `agent` |
//! | One fast retransmit for each window in Reno too (`bugFix_`), except for segment 1, where it is always allowed. Tahoe keeps its count of duplicate ACKs over a timeout. | `agent`, `reno` |
//! | Duplicate ACKs below the threshold send one new packet each (`singledup_`) and nothing else; in Newreno's recovery an ACK sends two at most. | `reno` |
//! | Newreno's partial ACKs deflate the window itself when `dupwnd_` does not suffice, and it stays so. | `reno` |
//! | Sack1: `pipe_` counts ACKs; a hole is retransmitted as soon as something above it is SACKed, none twice, without regard to D; the scoreboard is forgotten after recovery; duplicate ACKs after a timeout are ignored. | `sack` |
//! | Vegas: the window in whole packets where it is judged, inflated and deflated itself; a fine timeout of its own; faults of the agent kept. | `vegas` |
//! | Sink: the last three SACK blocks as they were reported, 8 B each; an ACK may be delayed for a repeated segment; segment 0 never waits. | `sink`, `sacker` |
//! | ECN: retransmissions are ECT, segment 0 is not; CWR on the first packet, new or not; the answer to segment 0 carries ECE; a window below 1 waits for the timer; two marked packets under one delayed ACK count as one event. | `connection`, `agent`, `sink` |
//!
//! Not as ns-2: where a timer and a packet fall on the same instant, the order is the simulator's.

mod agent;
mod aimd;
mod connection;
mod reno;
mod sack;
mod sacker;
mod sender;
mod sink;
mod tfrc;
mod vegas;
mod window;

pub use sender::Sender;
pub use sink::Sink;
pub use tfrc::{TfrcRate, TfrcSender, TfrcSink};
pub use window::{Window, setup};
