//! A congestion window, counted in packets: what window laws have in common.
//!
//! Follows RFC 5681 §3.1 where that says anything. The law's formulas, and what it does at a timeout,
//! are its own.

use units::Bytes;

use crate::{Congestion, Limits, Setup};

/// `cwnd` and `ssthresh`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// `cwnd`, in packets, a real number.
    pub size: f64,
    /// `ssthresh`, in packets. Below it: slow start. From it on: congestion avoidance.
    pub slow_start_threshold: f64,
    /// A full packet, by which bytes are counted.
    segment: Bytes,
}

impl Window {
    /// The window that a connection begins with.
    pub fn new(setup: &Setup) -> Self {
        let packets = |bytes: Bytes| bytes.as_f64() / setup.segment.as_f64();
        Self {
            size: packets(setup.initial_window),
            slow_start_threshold: match setup.initial_slow_start_threshold {
                Bytes::MAX => f64::INFINITY,
                threshold => packets(threshold),
            },
            segment: setup.segment,
        }
    }

    /// What it allows. The one place where packets become bytes.
    #[inline]
    pub fn limits(&self) -> Limits {
        let window = Bytes((self.size * self.segment.as_f64()) as u64);
        Limits {
            slow_start: self.size < self.slow_start_threshold / 2.0,
            ..Limits::of_window(window)
        }
    }

    /// Whether it is below the slow-start threshold.
    #[inline]
    pub fn is_in_slow_start(&self) -> bool {
        self.size < self.slow_start_threshold
    }

    /// The flight size in packets, but no more than the window: RFC 5681 §3.1 (4) gives an upper
    /// bound, and duplicate ACKs can let out far more than a window during a long recovery.
    pub fn flight(&self, congestion: &Congestion) -> f64 {
        let flight = congestion.flight_size.as_f64() / self.segment.as_f64();
        flight.min(self.size)
    }

    /// So many bytes in packets.
    pub fn packets(&self, bytes: Bytes) -> f64 {
        bytes.as_f64() / self.segment.as_f64()
    }

    /// A reduction leaves a threshold of so many packets, two at least (RFC 5681 §3.1 (4)).
    pub fn cut_threshold(&mut self, packets: f64) {
        self.slow_start_threshold = packets.max(LEAST_THRESHOLD_PACKETS);
    }

    /// Packets are of another size: what is in flight stays as many bytes.
    pub fn resize(&mut self, segment: Bytes) {
        let factor = self.segment.as_f64() / segment.as_f64();
        self.size *= factor;
        self.slow_start_threshold *= factor;
        self.segment = segment;
    }

    /// `window` and `slow_start_threshold`, in packets.
    pub fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("window", self.size);
        visit("slow_start_threshold", self.slow_start_threshold);
    }
}

/// Smallest threshold, in packets (RFC 5681 §3.1 (4)).
pub const LEAST_THRESHOLD_PACKETS: f64 = 2.0;
/// Window after a timeout, in packets (RFC 5681 §3.1).
pub const LOSS_WINDOW_PACKETS: f64 = 1.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{loss, setup};

    /// Packets of 1000 B: 4.5 of them are 4500 B, and 4.5009 are too.
    #[test]
    fn packets_become_whole_bytes_by_cutting() {
        let mut window = Window::new(&setup(10));
        assert_eq!(window.limits().window, Bytes(10_000));
        window.size = 4.500_9;
        assert_eq!(window.limits().window, Bytes(4_500));
    }

    #[test]
    fn no_more_than_the_window_counts_as_flight() {
        let window = Window::new(&setup(10));
        assert_eq!(window.flight(&loss(7)), 7.0);
        assert_eq!(window.flight(&loss(25)), 10.0);
    }

    #[test]
    fn a_threshold_is_two_packets_at_least() {
        let mut window = Window::new(&setup(10));
        window.cut_threshold(2.5);
        assert_eq!(window.slow_start_threshold, 2.5);
        assert!(!window.is_in_slow_start());
        window.cut_threshold(1.5);
        assert_eq!(window.slow_start_threshold, 2.0);
    }

    /// 10 packets of 1000 B are 8 of 1250 B.
    #[test]
    fn another_size_of_packets_leaves_the_bytes() {
        let mut window = Window::new(&setup(10));
        window.cut_threshold(5.0);
        window.resize(Bytes(1_250));
        assert_eq!((window.size, window.slow_start_threshold), (8.0, 4.0));
        assert_eq!(window.limits().window, Bytes(10_000));
    }
}
