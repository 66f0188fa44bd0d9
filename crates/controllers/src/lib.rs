//! Congestion controllers: the trait, its signals, the registry, and the algorithms.
//!
//! One algorithm, one file. A controller is told what the transport saw ([`Sent`], [`Ack`],
//! [`Congestion`]) and answers with [`Limits`]: how much may be in flight and, if it paces, how
//! fast. It knows no clock, no randomness and no packets, so the same code runs in the simulator
//! and inside a real transport.
//!
//! Parts that several algorithms share stand beside them: [`aimd`] is the additive-increase,
//! multiplicative-decrease window law, [`tcp_friendly`] the throughput equation of TFRC and TFWC,
//! [`loss_history`] their average loss interval, [`round_trip`] their round-trip estimates.

pub mod aimd;
pub mod base_rtt;
pub mod equation;
pub mod gaimd;
pub mod loss_history;
pub mod parameters;
mod registry;
pub mod reno;
pub mod round_trip;
pub mod rtt_based;
mod signals;
pub mod smooth;
pub mod tcp_friendly;
#[cfg(test)]
mod testing;
pub mod tfrc;
pub mod tfwc;
pub mod vegas;

pub use parameters::{Kind, Parameter, ParameterError, Parameters, Value};
pub use registry::{Carrier, Controller, Registry};
pub use signals::{Ack, Congestion, Episode, Limits, PacketRef, RateSample, Sent, Setup, Signal};

/// A congestion controller: one for each connection.
///
/// A transport calls the methods in the order in which things happen to it; `now` in the signals
/// never goes back. Whoever drives a controller reads [`limits`](Self::limits) again after every
/// other call, after [`on_sent`](Self::on_sent) where that says so.
pub trait CongestionController: std::fmt::Debug + Send {
    /// How much may be in flight, and how fast it may leave. (required)
    ///
    /// Called before packets are sent.
    fn limits(&self) -> Limits;

    /// Packets arrived. (required)
    ///
    /// Called for each ACK or feedback packet that acknowledges something new.
    fn on_ack(&mut self, ack: &Ack);

    /// The network signalled congestion. (required)
    ///
    /// Called when a loss is found, an ECN echo or a source quench arrives, or a timer expires.
    fn on_congestion(&mut self, congestion: &Congestion);

    /// A packet left. (optional)
    ///
    /// Called for each packet with data, retransmissions included, when it is sent. Returns whether
    /// the limits may have changed by it.
    fn on_sent(&mut self, sent: &Sent) -> bool {
        let _ = sent;
        false
    }

    /// The last reduction had no cause: undo it. (optional)
    ///
    /// Called when the transport has proof that the last congestion signal was spurious (RFC 3522,
    /// RFC 5682, RFC 3708). A controller that cannot undo ignores it.
    fn on_spurious_congestion(&mut self) {}

    /// The state variables worth plotting. (optional)
    ///
    /// Called by recorders only. `visit` takes a name from the field's vocabulary and a value:
    /// `window` and `slow_start_threshold` in packets, and the controller's own.
    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        let _ = visit;
    }
}
