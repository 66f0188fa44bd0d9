//! Congestion controllers: the trait, its signals, the registry, and the algorithms.
//!
//! One algorithm, one file. A controller is told what the transport saw ([`Sent`], [`Ack`],
//! [`Congestion`]) and answers with [`Limits`]: how much may be in flight and, if it paces, how
//! fast. It knows no clock, no randomness and no packets, so the same code runs in the simulator
//! and inside a real transport.
//!
//! Parts that several algorithms share stand beside them: [`window`] counts in packets what limits
//! say in bytes, [`slow_start`] and [`undo`] are what they are called, [`ack_clocked`] makes a
//! controller of them and of the formulas of a law; [`base_rtt`] is the empty path's round trip,
//! [`tcp_friendly`] the throughput equation of TFRC and TFWC,
//! [`loss_history`] their average loss interval, [`round_trip`] their round-trip estimates.
//! [`RateSampler`] is for transports: it measures the rate at which data is delivered.

pub mod ack_clocked;
pub mod aimd;
pub mod base_rtt;
pub mod binomial;
pub mod cubic;
pub mod equation;
pub mod gaimd;
pub mod highspeed;
pub mod htcp;
pub mod hybla;
pub mod hystart;
pub mod illinois;
pub mod loss_history;
pub mod parameters;
mod rate_sampler;
mod registry;
pub mod reno;
pub mod round_trip;
pub mod rtt_based;
pub mod scalable;
mod signals;
pub mod slow_start;
pub mod smooth;
pub mod tcp_friendly;
#[cfg(test)]
mod testing;
pub mod tfrc;
pub mod tfwc;
pub mod undo;
pub mod vegas;
pub mod westwood;
pub mod window;

pub use parameters::{Kind, Parameter, ParameterError, Parameters, Value};
pub use rate_sampler::RateSampler;
pub use registry::{Build, Carrier, Controller, Properties, Registry};
pub use signals::{
    Ack, Arrived, Congestion, EcnSupport, Episode, Limits, PacketRef, RateSample, ReceiverReport,
    Sent, SentState, Setup, Signal,
};
use units::Bytes;

/// A congestion controller: one for each connection.
///
/// A transport calls the methods in the order in which things happen to it; `now` in the signals
/// never goes back. Whoever drives a controller reads [`limits`](Self::limits) again after every
/// other call, after [`on_sent`](Self::on_sent) where that says so.
///
/// A controller is plain data and derives [`Clone`]; a boxed one can then be cloned too (a QUIC
/// connection that moves to another path copies its controller).
pub trait CongestionController: CloneBox + std::fmt::Debug + Send + Sync {
    /// How much may be in flight, and how fast it may leave. (required)
    ///
    /// Called before packets are sent.
    fn limits(&self) -> Limits;

    /// Packets arrived. (required)
    ///
    /// Called for each ACK or feedback packet that tells of an arrival not known before, in order
    /// or not.
    fn on_ack(&mut self, ack: &Ack);

    /// The network signalled congestion. (required)
    ///
    /// Called when a loss is found, an ECN echo or a source quench arrives, or a timer expires; for
    /// losses that an ACK shows, before its [`on_ack`](Self::on_ack).
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

    /// The receiver reported packets one by one. (optional)
    ///
    /// Called before the [`on_ack`](Self::on_ack) of the same feedback, with each packet once, in
    /// order of number; only by transports whose receivers report so, and for a controller whose
    /// [`Properties::arrivals`] is set.
    fn on_arrivals(&mut self, arrived: &[Arrived]) {
        let _ = arrived;
    }

    /// Packets are of another size from now on. (optional)
    ///
    /// Called when the path's largest packet has been found to be another one. A controller that
    /// ignores it goes on counting in packets of the size that it began with.
    fn on_segment_size(&mut self, segment: Bytes) {
        let _ = segment;
    }

    /// The state variables worth plotting. (optional)
    ///
    /// Called by recorders only. `visit` takes a name from the field's vocabulary and a value:
    /// `window` and `slow_start_threshold` in packets, and the controller's own.
    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        let _ = visit;
    }
}

/// A copy behind a box: every controller that is [`Clone`] has it.
pub trait CloneBox {
    /// A copy.
    fn clone_box(&self) -> Box<dyn CongestionController>;
}

impl<T: CongestionController + Clone + 'static> CloneBox for T {
    fn clone_box(&self) -> Box<dyn CongestionController> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn CongestionController> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}
