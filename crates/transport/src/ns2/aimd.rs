//! The window of `TcpAgent`: `opencwnd()` and `slowdown()` with `increase_num_` and `decrease_num_`.
//!
//! Differs from [`controllers::aimd`]: the threshold is cut to whole packets but the window is not;
//! half the window is kept instead of β of it by the first decrease of a connection and by a
//! decrease below the slow-start threshold.

use controllers::ack_clocked::Counting;
use controllers::aimd;
use controllers::{Ack, Signal};

use super::window::{Slowdown, Start};

/// Additive increase, multiplicative decrease.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aimd {
    law: aimd::Aimd,
    counting: Counting,
    /// `cwnd_`, in packets.
    window: f64,
    /// `ssthresh_`, in packets.
    slow_start_threshold: f64,
    /// Whether the window has been cut before (`first_decrease_`).
    reduced: bool,
}

impl Aimd {
    pub(super) fn new(law: aimd::Aimd, counting: Counting, start: Start) -> Self {
        Self {
            law,
            counting,
            window: start.window,
            slow_start_threshold: start.slow_start_threshold,
            reduced: false,
        }
    }

    #[inline]
    pub(super) fn window(&self) -> f64 {
        self.window
    }

    #[inline]
    pub(super) fn on_ack(&mut self, ack: &Ack) {
        if ack.in_recovery {
            return;
        }
        let counted = self.counting.count(ack);
        if self.window < self.slow_start_threshold {
            self.window += counted;
        } else {
            self.window += self.law.alpha * counted / self.window;
        }
    }

    pub(super) fn slow_down(&mut self, slowdown: &Slowdown) {
        match slowdown.signal {
            Signal::SourceQuench => {}
            Signal::Loss | Signal::EcnEcho => {
                if slowdown.begins {
                    self.window = self.cut_threshold(slowdown.flight, self.kept());
                }
            }
            Signal::Timeout | Signal::PersistentCongestion => {
                if slowdown.begins {
                    self.cut_threshold(slowdown.flight, HALF);
                }
                self.window = RESTART_PACKETS;
                self.reduced = true;
            }
        }
    }

    pub(super) fn deflate_to(&mut self, window: f64) {
        // A window below one packet is raised first, if there is to be one.
        self.window = self.window.min(window).max(window.min(RESTART_PACKETS));
    }

    pub(super) fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("window", self.window);
        visit("slow_start_threshold", self.slow_start_threshold);
    }

    /// Part of the window that a loss leaves.
    fn kept(&self) -> f64 {
        if !self.reduced || self.window < self.slow_start_threshold {
            HALF
        } else {
            self.law.beta
        }
    }

    /// Cuts the threshold, and returns the window that goes with it.
    fn cut_threshold(&mut self, flight: f64, kept: f64) -> f64 {
        let left = flight * kept;
        self.slow_start_threshold = left.trunc().max(LEAST_THRESHOLD_PACKETS);
        self.reduced = true;
        left
    }
}

/// `CLOSE_SSTHRESH_HALF`, `CLOSE_CWND_HALF`.
const HALF: f64 = 0.5;
/// Smallest threshold, in packets.
const LEAST_THRESHOLD_PACKETS: f64 = 2.0;
/// `wnd_restart_`: the window after a timeout, in packets.
const RESTART_PACKETS: f64 = 1.0;

#[cfg(test)]
mod tests {
    use controllers::PacketRef;
    use units::Time;

    use super::*;

    fn aimd(window: f64) -> Aimd {
        let law = aimd::Aimd {
            alpha: 0.31,
            beta: 0.875,
        };
        Aimd::new(
            law,
            Counting::Acks,
            Start {
                window,
                slow_start_threshold: 20.0,
            },
        )
    }

    fn slowdown(signal: Signal, begins: bool, flight: f64) -> Slowdown {
        Slowdown {
            now: Time::ZERO,
            signal,
            begins,
            flight,
            lost_packets: 1,
            newest: PacketRef {
                number: 0,
                sent_at: Time::ZERO,
            },
        }
    }

    /// 30.5/2 = 15.25, threshold 15; then 7/8 of 20.5 = 17.9375, threshold 17.
    #[test]
    fn the_first_decrease_keeps_half_and_the_next_beta() {
        let mut aimd = aimd(30.5);
        aimd.slow_down(&slowdown(Signal::Loss, true, 30.5));
        assert_eq!((aimd.window, aimd.slow_start_threshold), (15.25, 15.0));
        aimd.slow_down(&slowdown(Signal::EcnEcho, true, 20.5));
        assert_eq!((aimd.window, aimd.slow_start_threshold), (17.9375, 17.0));
    }

    /// Below the threshold half stays again: after a timeout the window is 1, the threshold 10.
    #[test]
    fn a_decrease_in_slow_start_keeps_half() {
        let mut aimd = aimd(21.0);
        aimd.slow_down(&slowdown(Signal::Timeout, true, 21.0));
        assert_eq!((aimd.window, aimd.slow_start_threshold), (1.0, 10.0));
        aimd.slow_down(&slowdown(Signal::Loss, true, 8.0));
        assert_eq!((aimd.window, aimd.slow_start_threshold), (4.0, 4.0));
    }

    /// What does not begin leaves the threshold; a timeout takes the window to one all the same.
    #[test]
    fn a_timeout_that_does_not_begin_leaves_the_threshold() {
        let mut aimd = aimd(21.0);
        aimd.slow_down(&slowdown(Signal::Loss, false, 21.0));
        assert_eq!((aimd.window, aimd.slow_start_threshold), (21.0, 20.0));
        aimd.slow_down(&slowdown(Signal::Timeout, false, 21.0));
        assert_eq!((aimd.window, aimd.slow_start_threshold), (1.0, 20.0));
    }

    #[test]
    fn a_partial_ack_deflates_to_one_packet_at_least() {
        let mut aimd = aimd(21.0);
        aimd.deflate_to(25.0);
        assert_eq!(aimd.window, 21.0);
        aimd.deflate_to(18.0);
        assert_eq!(aimd.window, 18.0);
        aimd.window = 0.5;
        aimd.deflate_to(1.0);
        assert_eq!(aimd.window, 1.0);
    }
}
