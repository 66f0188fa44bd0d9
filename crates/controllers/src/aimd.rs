//! The window law that Reno and GAIMD share: slow start, then additive increase, multiplicative
//! decrease.
//!
//! Follows RFC 5681 §3.1 and §3.2 with the increase α and the kept fraction β as parameters
//! (Yang and Lam, General AIMD Congestion Control, 2000).
//!
//! Not here: inflation of the window by duplicate ACKs. It belongs to the loss recovery of the
//! transport.

use units::Bytes;

use crate::{Ack, Congestion, CongestionController, Episode, Limits, Setup, Signal};

/// What differs from one AIMD controller to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// Increase for each window of data without loss, in packets.
    pub alpha: f64,
    /// Fraction of the window kept after a loss.
    pub beta: f64,
    /// What makes the window grow.
    pub counting: Counting,
}

/// What makes the window grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Each ACK, whatever it acknowledges (RFC 5681): delayed ACKs halve the growth.
    Acks,
    /// Each acknowledged packet (RFC 9002 §7, RFC 3465 without limit).
    Packets,
}

/// Additive increase, multiplicative decrease.
#[derive(Clone, Debug)]
pub struct Aimd {
    law: Law,
    segment: Bytes,
    state: State,
    before_reduction: Option<State>,
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// In packets.
    window: f64,
    /// In packets. Below it: slow start. From it on: congestion avoidance.
    slow_start_threshold: f64,
}

impl Aimd {
    /// A controller that follows `law`.
    pub fn new(law: Law, setup: &Setup) -> Self {
        let packets = |bytes: Bytes| bytes.as_f64() / setup.segment.as_f64();
        let threshold = setup.initial_slow_start_threshold;
        Self {
            law,
            segment: setup.segment,
            state: State {
                window: packets(setup.initial_window),
                slow_start_threshold: if threshold == Bytes::MAX {
                    f64::INFINITY
                } else {
                    packets(threshold)
                },
            },
            before_reduction: None,
        }
    }

    /// The window, in packets.
    pub fn window(&self) -> f64 {
        self.state.window
    }

    /// The flight size in packets, but no more than the window: RFC 5681 §3.1 (4) gives an upper
    /// bound, and duplicate ACKs can let out far more than a window during a long recovery.
    fn flight(&self, bytes: Bytes) -> f64 {
        let flight = bytes.as_f64() / self.segment.as_f64();
        flight.min(self.state.window)
    }
}

impl CongestionController for Aimd {
    fn limits(&self) -> Limits {
        // The one place where packets become bytes.
        Limits::of_window(Bytes((self.state.window * self.segment.as_f64()) as u64))
    }

    fn on_ack(&mut self, ack: &Ack) {
        if ack.in_recovery || ack.app_limited || ack.acked_packets == 0 {
            return;
        }
        let state = &mut self.state;
        let counted = match self.law.counting {
            Counting::Acks => 1.0,
            Counting::Packets => ack.acked_packets as f64,
        };
        if state.window < state.slow_start_threshold {
            state.window += counted; // RFC 5681 §3.1 (2)
        } else {
            state.window += self.law.alpha * counted / state.window; // RFC 5681 §3.1 (3)
        }
    }

    fn on_congestion(&mut self, congestion: &Congestion) {
        if congestion.signal == Signal::SourceQuench {
            return; // RFC 6633 §3: ignored
        }
        let flight = self.flight(congestion.flight_size);
        let begins = congestion.episode == Episode::Begins;
        let state = &mut self.state;
        if begins {
            self.before_reduction = Some(*state);
            let kept = match congestion.signal {
                Signal::Timeout => HALF,
                _ => self.law.beta,
            };
            state.slow_start_threshold = (flight * kept).max(MINIMUM_THRESHOLD_PACKETS);
        }
        match congestion.signal {
            Signal::Loss | Signal::EcnEcho if begins => state.window = state.slow_start_threshold,
            Signal::Timeout => state.window = LOSS_WINDOW_PACKETS,
            Signal::PersistentCongestion => state.window = MINIMUM_THRESHOLD_PACKETS,
            _ => {}
        }
    }

    fn on_spurious_congestion(&mut self) {
        if let Some(before) = self.before_reduction.take() {
            self.state = before;
        }
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("window", self.state.window);
        visit("slow_start_threshold", self.state.slow_start_threshold);
    }
}

/// Share of the outstanding data that stays the threshold after a timeout (RFC 5681 §3.1 (4)).
const HALF: f64 = 0.5;
/// Smallest threshold, in packets (RFC 5681 §3.1 (4)).
const MINIMUM_THRESHOLD_PACKETS: f64 = 2.0;
/// Window after a timeout, in packets (RFC 5681 §3.1).
const LOSS_WINDOW_PACKETS: f64 = 1.0;
