//! The window of `VegasTcpAgent`: what `recv()` does with it on a new ACK, and `v_…`.
//!
//! Differs from [`controllers::vegas`]: the difference of the rates counts in whole packets; the
//! round trip is the mean of a round's, the smallest one that before the ACK; the window begins at
//! one packet; slow start doubles in rounds of its own count, which a loss does not change; the
//! agent inflates and deflates the window itself, and slow start ends with that.

use controllers::base_rtt::BaseRtt;
use controllers::vegas::Thresholds;
use controllers::{Ack, PacketRef, Signal};
use units::{Duration, Time};

use crate::ns2::window::{Slowdown, Start};

/// Vegas's window.
#[derive(Clone, Copy, Debug)]
pub(in crate::ns2) struct VegasWindow {
    thresholds: Thresholds,
    /// `wnd_init_`, in packets.
    initial: f64,
    /// `cwnd_`, in packets.
    window: f64,
    /// `ssthresh_`, in packets. Below it: slow start.
    slow_start_threshold: f64,
    /// `v_incr_`: what each ACK adds.
    growth: Growth,
    /// `v_inc_flag_`: this round of slow start doubles. It outlasts slow start.
    doubles: bool,
    /// When a loss last reduced the window.
    reduced_at: Option<Time>,
    /// `v_baseRTT_`.
    base: BaseRtt,
    round: Round,
    /// `t_seqno_`.
    next: u64,
    /// Expected less actual, in packets, at the end of the last round.
    difference: f64,
}

/// What the ACKs of a round do to the window.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Growth {
    Hold,
    /// One packet each: slow start, every other round.
    Double,
    /// This much each: one packet a round.
    Linear(f64),
}

/// From one distinguished packet to the next.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    /// `v_begseq_`: number of the distinguished packet, whose ACK ends the round.
    first: u64,
    /// `v_begtime_`: when it was chosen; the first one when it left.
    began: Option<Time>,
    /// `v_sumRTT_`, `v_cntRTT_`.
    rtt_sum: Duration,
    rtt_count: u64,
}

impl VegasWindow {
    pub(in crate::ns2) fn new(thresholds: Thresholds, start: Start) -> Self {
        Self {
            thresholds,
            initial: start.window,
            window: FIRST_WINDOW_PACKETS,
            slow_start_threshold: start.slow_start_threshold,
            growth: Growth::Hold,
            doubles: true,
            reduced_at: None,
            base: BaseRtt::new(thresholds.base_rtt_period),
            round: Round::default(),
            next: 0,
            difference: 0.0,
        }
    }

    #[inline]
    pub(in crate::ns2) fn window(&self) -> f64 {
        self.window
    }

    pub(in crate::ns2) fn on_sent(&mut self, packet: PacketRef) {
        self.next = self.next.max(packet.number + 1);
        if packet.number == 0 {
            self.round.began = Some(packet.sent_at);
        }
    }

    /// A new ACK. `rtt` is the newest segment's own, if it left once.
    pub(in crate::ns2) fn on_ack(&mut self, ack: &Ack, next: u64, rtt: Option<Duration>) {
        if ack.newest.number == ack.acked_packets {
            self.window = self.initial; // the ACK after that of segment 0
        }
        self.next = next;
        let ends = ack.newest.number >= self.round.first;
        if ack.in_recovery {
            if ends {
                self.round = self.round_from(ack.now);
            }
            return;
        }
        if ends {
            self.end_round(ack, rtt);
        }
        self.grow(ack.newest.number);
        if let Some(rtt) = rtt {
            self.base.sample(ack.now, rtt);
            self.round.rtt_sum = self.round.rtt_sum.saturating_add(rtt);
            self.round.rtt_count += 1;
        }
    }

    /// The distinguished packet is acknowledged.
    fn end_round(&mut self, ack: &Ack, rtt: Option<Duration>) {
        let round = self.round;
        // Below zero where the sender went back meanwhile.
        let sent = self.next as f64 - round.first as f64;
        let in_transit = self.next.saturating_sub(ack.newest.number) as f64;
        self.round = self.round_from(ack.now);
        let mean = (round.rtt_count > 0).then(|| round.rtt_sum / round.rtt_count);
        let whole = round.began.map(|began| ack.now.saturating_since(began));
        let rtt = mean.or(whole).or(rtt);
        let Some(rtt) = rtt.filter(|rtt| !rtt.is_zero()) else {
            return;
        };
        if sent <= 1.0 {
            self.base.restart(ack.now); // one packet alone finds no queue
        }
        self.base.sample(ack.now, rtt);
        let base = self.base.get().unwrap_or(rtt).as_secs_f64();
        let rtt = rtt.as_secs_f64();
        let difference = (in_transit / base - sent / rtt) * base;
        self.difference = (difference + 0.5).trunc();
        self.adjust();
    }

    /// Once each round.
    fn adjust(&mut self) {
        let difference = self.difference;
        self.growth = Growth::Hold;
        if self.window < self.slow_start_threshold {
            self.doubles = !self.doubles;
            if !self.doubles {
                return;
            }
            if difference > self.thresholds.gamma {
                self.end_slow_start();
                self.window -= self.window / 8.0;
                self.window = self.window.max(SMALLEST_WINDOW_PACKETS);
            } else {
                self.growth = Growth::Double;
            }
        } else if difference > self.thresholds.beta {
            self.window = (self.window - 1.0).max(SMALLEST_WINDOW_PACKETS);
        } else if difference < self.thresholds.alpha {
            self.growth = Growth::Linear(1.0 / self.window);
        }
    }

    fn grow(&mut self, newest: u64) {
        if self.growth == Growth::Double && self.window >= self.slow_start_threshold {
            self.growth = Growth::Hold;
        }
        let unused = self.window - self.next.saturating_sub(newest) as f64;
        if unused > MOST_UNUSED_PACKETS {
            return;
        }
        self.window += match self.growth {
            Growth::Hold => 0.0,
            Growth::Double => 1.0,
            Growth::Linear(growth) => growth,
        };
    }

    fn round_from(&self, now: Time) -> Round {
        Round {
            first: self.next,
            began: Some(now),
            ..Round::default()
        }
    }

    pub(in crate::ns2) fn slow_down(&mut self, slowdown: &Slowdown) {
        let flight = slowdown.flight.min(self.window);
        match slowdown.signal {
            Signal::SourceQuench => {}
            Signal::Loss | Signal::EcnEcho => {
                if slowdown.begins {
                    self.reduce(slowdown, flight);
                }
            }
            Signal::Timeout | Signal::PersistentCongestion => {
                if slowdown.begins {
                    self.slow_start_threshold = (flight / 2.0).trunc().max(SMALLEST_WINDOW_PACKETS);
                }
                self.window = SMALLEST_WINDOW_PACKETS;
                self.reduced_at = Some(slowdown.now);
            }
        }
    }

    /// Three quarters of `flight` packets stay, if the lost packet left after the last reduction.
    fn reduce(&mut self, slowdown: &Slowdown, flight: f64) {
        let sent_at = slowdown.newest.sent_at;
        if self.reduced_at.is_some_and(|at| at >= sent_at) {
            return;
        }
        self.reduced_at = Some(slowdown.now);
        let whole = flight.trunc();
        self.window = whole - (whole / 4.0).trunc();
        if flight < 4.0 || self.window < SMALLEST_WINDOW_PACKETS {
            self.window = SMALLEST_WINDOW_PACKETS;
        }
    }

    pub(in crate::ns2) fn inflate(&mut self, packets: u64) {
        self.window += packets as f64;
    }

    pub(in crate::ns2) fn deflate_to(&mut self, window: f64) {
        self.window = self.window.min(window);
    }

    pub(in crate::ns2) fn end_slow_start(&mut self) {
        self.slow_start_threshold = SMALLEST_WINDOW_PACKETS;
    }

    pub(in crate::ns2) fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("window", self.window);
        visit("slow_start_threshold", self.slow_start_threshold);
        visit("expected_less_actual", self.difference);
        if let Some(base) = self.base.get() {
            visit("base_rtt", base.as_secs_f64());
        }
    }
}

/// The window before the first ACK, in packets.
const FIRST_WINDOW_PACKETS: f64 = 1.0;
/// Smallest window, and the one after a timeout, in packets (`v_slowstart_`).
const SMALLEST_WINDOW_PACKETS: f64 = 2.0;
/// The window does not grow while more of it than this is not in use, in packets.
const MOST_UNUSED_PACKETS: f64 = 2.0;
