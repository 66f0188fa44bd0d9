//! The frame of a window law that is clocked by ACKs: slow start, growth, one reduction for each
//! episode, a timeout, undoing. A law is its formulas ([`Law`]).
//!
//! Follows RFC 5681 §3.1 and §3.2 in all that a law does not say.
//!
//! Not here: inflation of the window by duplicate ACKs. It belongs to the loss recovery of the
//! transport.

use units::{Bytes, Time};

use crate::slow_start::SlowStart;
use crate::undo::Undo;
use crate::window::{LEAST_THRESHOLD_PACKETS, LOSS_WINDOW_PACKETS, Window};
use crate::{Ack, Congestion, CongestionController, Episode, Limits, Parameters, Setup, Signal};

/// What makes the window grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Each ACK, whatever it acknowledges (RFC 5681): delayed ACKs halve the growth.
    Acks,
    /// Each acknowledged packet (RFC 9002 §7, RFC 3465 without limit).
    Packets,
}

impl Counting {
    /// What an ACK counts.
    #[inline]
    pub fn count(self, ack: &Ack) -> f64 {
        match self {
            Self::Acks => 1.0,
            Self::Packets => ack.acked_packets as f64,
        }
    }
}

/// A reduction that a law is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Reduction {
    /// When.
    pub now: Time,
    /// Packets outstanding, no more than the window.
    pub flight: f64,
    /// The window was below the slow-start threshold.
    pub in_slow_start: bool,
}

/// The formulas of a window law, in packets.
pub trait Law: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// An ACK arrived, also in recovery or where the application limits. (optional)
    ///
    /// Called before the window grows; gives a window to be set at once, with the threshold, if the
    /// law has one.
    fn observe(&mut self, ack: &Ack, window: &Window) -> Option<f64> {
        let _ = (ack, window);
        None
    }

    /// What slow start adds for `counted` packets, where `plain` is what it adds without the law.
    /// (optional)
    fn start(&self, window: &Window, counted: f64, plain: f64) -> f64 {
        let _ = (window, counted);
        plain
    }

    /// What congestion avoidance adds to a window of `window` packets for `counted` packets.
    /// (required)
    fn increase(&mut self, window: f64, counted: f64) -> f64;

    /// How many packets a loss or a mark leaves. (required)
    fn decrease(&mut self, reduction: &Reduction) -> f64;

    /// The threshold that a timeout leaves. (optional)
    fn time_out(&mut self, reduction: &Reduction) -> f64 {
        self.decrease(reduction)
    }

    /// A timeout: the window starts again from one packet. (optional)
    ///
    /// Called for each, after [`time_out`](Self::time_out) where an episode begins.
    fn restart(&mut self) {}

    /// The law's own variables. (optional)
    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        let _ = visit;
    }
}

/// A controller that follows a law.
#[derive(Clone, Debug)]
pub struct AckClocked<L> {
    counting: Counting,
    slow_start: SlowStart,
    state: State<L>,
    before: Undo<State<L>>,
}

/// All that a reduction changes.
#[derive(Clone, Copy, Debug)]
struct State<L> {
    window: Window,
    law: L,
}

impl<L: Law> AckClocked<L> {
    /// A controller that follows `law`.
    pub fn new(law: L, counting: Counting, slow_start: SlowStart, setup: &Setup) -> Self {
        Self {
            counting,
            slow_start,
            state: State {
                window: Window::new(setup),
                law,
            },
            before: Undo::new(),
        }
    }

    /// The same, counting and slow start by the parameters of those names.
    pub(crate) fn boxed(
        law: L,
        parameters: &Parameters,
        setup: &Setup,
    ) -> Box<dyn CongestionController> {
        let counting = crate::parameters::counting(parameters);
        let slow_start = SlowStart::from_parameters(parameters);
        Box::new(Self::new(law, counting, slow_start, setup))
    }
}

impl<L: Law> CongestionController for AckClocked<L> {
    #[inline]
    fn limits(&self) -> Limits {
        self.state.window.limits()
    }

    #[inline]
    fn on_ack(&mut self, ack: &Ack) {
        let State { window, law } = &mut self.state;
        if let Some(packets) = law.observe(ack, window) {
            window.cut_threshold(packets);
            window.size = window.slow_start_threshold;
            return;
        }
        if ack.in_recovery || ack.app_limited || ack.acked_packets == 0 {
            return;
        }
        let counted = self.counting.count(ack);
        if window.is_in_slow_start() {
            let plain = self.slow_start.growth(window.size, counted);
            window.size += law.start(window, counted, plain); // RFC 5681 §3.1 (2)
        } else {
            window.size += law.increase(window.size, counted); // RFC 5681 §3.1 (3)
        }
    }

    fn on_congestion(&mut self, congestion: &Congestion) {
        if congestion.signal == Signal::SourceQuench {
            return; // RFC 6633 §3: ignored
        }
        let begins = congestion.episode == Episode::Begins;
        if begins {
            self.before.keep(&self.state);
        }
        let State { window, law } = &mut self.state;
        if begins {
            let reduction = Reduction {
                now: congestion.now,
                flight: window.flight(congestion),
                in_slow_start: window.is_in_slow_start(),
            };
            let left = match congestion.signal {
                Signal::Timeout => law.time_out(&reduction),
                _ => law.decrease(&reduction),
            };
            window.cut_threshold(left);
        }
        match congestion.signal {
            Signal::Loss | Signal::EcnEcho if begins => window.size = window.slow_start_threshold,
            Signal::Timeout => {
                window.size = LOSS_WINDOW_PACKETS;
                law.restart();
            }
            Signal::PersistentCongestion => window.size = LEAST_THRESHOLD_PACKETS,
            _ => {}
        }
    }

    fn on_spurious_congestion(&mut self) {
        self.before.restore(&mut self.state);
    }

    fn on_segment_size(&mut self, segment: Bytes) {
        self.state.window.resize(segment);
        self.before.forget();
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        self.state.window.variables(visit);
        self.state.law.variables(visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aimd::Aimd;
    use crate::testing::{ack, loss, setup, timeout, window};

    /// Reno's law on a window of 10 packets whose threshold is `threshold`.
    fn reno(threshold: u64, counting: Counting) -> AckClocked<Aimd> {
        let setup = Setup {
            initial_slow_start_threshold: Bytes(1_000) * threshold,
            ..setup(10)
        };
        AckClocked::new(crate::reno::LAW, counting, SlowStart::Classic, &setup)
    }

    #[test]
    fn slow_start_runs_below_the_threshold_only() {
        let mut reno = reno(11, Counting::Acks);
        reno.on_ack(&ack());
        assert_eq!(window(&reno), 11.0);
        reno.on_ack(&ack());
        assert_eq!(window(&reno), 11.0 + 1.0 / 11.0);
    }

    #[test]
    fn an_ack_counts_once_or_by_its_packets() {
        let two = Ack {
            acked_packets: 2,
            ..ack()
        };
        for (counting, slow, avoiding) in [
            (Counting::Acks, 11.0, 10.1),
            (Counting::Packets, 12.0, 10.2),
        ] {
            let mut start = reno(100, counting);
            start.on_ack(&two);
            assert_eq!(window(&start), slow);
            let mut avoid = reno(10, counting);
            avoid.on_ack(&two);
            assert_eq!(window(&avoid), avoiding);
        }
    }

    /// Neither a window that is not used, nor one that is being repaired, nor an ACK that
    /// acknowledges nothing in order lets the window grow, in slow start or after it.
    #[test]
    fn the_window_does_not_grow_while_it_is_not_the_limit() {
        let still = [
            Ack {
                app_limited: true,
                ..ack()
            },
            Ack {
                in_recovery: true,
                ..ack()
            },
            Ack {
                acked: Bytes::ZERO,
                acked_packets: 0,
                ..ack()
            },
        ];
        for threshold in [5, 100] {
            for ack in &still {
                let mut reno = reno(threshold, Counting::Acks);
                reno.on_ack(ack);
                assert_eq!(window(&reno), 10.0, "{ack:?}");
            }
        }
    }

    #[test]
    fn an_episode_reduces_once_and_a_source_quench_never() {
        let mut reno = reno(100, Counting::Acks);
        reno.on_congestion(&Congestion {
            signal: Signal::SourceQuench,
            ..loss(10)
        });
        assert_eq!(window(&reno), 10.0);
        reno.on_congestion(&loss(8));
        assert_eq!(window(&reno), 4.0);
        let again = Congestion {
            episode: Episode::Continues,
            ..loss(4)
        };
        for signal in [Signal::Loss, Signal::EcnEcho] {
            reno.on_congestion(&Congestion { signal, ..again });
            assert_eq!(window(&reno), 4.0);
        }
        // A timeout starts again all the same; the threshold stays.
        reno.on_congestion(&Congestion {
            signal: Signal::Timeout,
            ..again
        });
        assert_eq!(reno.state.window.size, 1.0);
        assert_eq!(reno.state.window.slow_start_threshold, 4.0);
    }

    #[test]
    fn persistent_congestion_leaves_two_packets() {
        let mut reno = reno(100, Counting::Acks);
        reno.on_congestion(&Congestion {
            signal: Signal::PersistentCongestion,
            ..loss(10)
        });
        assert_eq!(reno.state.window.size, 2.0);
        assert_eq!(reno.state.window.slow_start_threshold, 5.0);
    }

    #[test]
    fn only_the_last_reduction_is_undone() {
        let mut reno = reno(100, Counting::Acks);
        reno.on_congestion(&loss(10));
        reno.on_congestion(&timeout(5));
        reno.on_spurious_congestion();
        assert_eq!(window(&reno), 5.0);
        reno.on_spurious_congestion();
        assert_eq!(window(&reno), 5.0);
    }
}
