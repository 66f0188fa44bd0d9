//! Units: instants, lengths of time, bytes, packets, rates, and the ECN codepoint.
//!
//! All are integers, so that sums are exact and the same on every machine. Time is counted in
//! picoseconds: a 40-byte packet lasts 320 ps at 1 Tb/s, and 64 bits hold 213 days.
//!
//! Each type parses from and prints to the text form that scenario files use (`"10 Mbps"`,
//! `"20 ms"`, `"1000 B"`, `"5 packets"`). [`choice`] has what describes things that can be chosen
//! and set.

mod bytes;
pub mod choice;
mod distribution;
mod ecn;
mod packets;
mod parse;
mod rate;
mod time;

pub use bytes::Bytes;
pub use distribution::Distribution;
pub use ecn::Ecn;
pub use packets::Packets;
pub use parse::ParseQuantityError;
pub use rate::Rate;
pub use time::{Duration, Time};
