//! TFRC as `Agent/TFRC` and `Agent/TFRCSink` of ns-2.35 have it, default settings.
//!
//! Differs from RFC 5348 ([`crate::tfrc`]), beside what [`TfrcRate`], [`TfrcSender`] and [`TfrcSink`]
//! say: TFRC's own law only, with no controller in its place.

mod rate;
mod sender;
mod sink;
#[cfg(test)]
mod tests;

pub use rate::TfrcRate;
pub use sender::TfrcSender;
pub use sink::TfrcSink;
