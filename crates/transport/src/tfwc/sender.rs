//! The TFWC sender: sends datagrams within the controller's window, or one by one at its rate,
//! finds losses in the ACK vector, and keeps the timer.
//!
//! Follows Choi §4.2.3, §4.2.5 and Algorithm 4.
//!
//! * A packet is lost when it is missing from the vector of an ACK whose newest packet is more
//!   than the margin above it: for a margin of 3 one later than TCP's third duplicate ACK says.
//! * Window mode: the timer (SRTT + 4·RTTVAR) starts anew with each ACK and each packet. When it
//!   expires it is doubled, and one more packet may leave, as if one more had been acknowledged;
//!   the next ACK puts that right. A window of one whose packet is lost lives by these packets
//!   alone: after n of them that meet a full queue it has been silent for 2ⁿ − 1 timeouts.
//! * Rate mode (the controller paces): one packet leaves when the timer expires and starts it
//!   anew, for the controller's interval. ACKs neither send nor touch it.
//!
//! Sans I/O: given ACKs and the time, it gives packets and the time of its next timer. After every
//! other call [`TfwcSender::poll_transmit`] is called until it gives nothing.

mod feedback;

use controllers::round_trip::{Clock, TimeoutEstimate};
use controllers::{Congestion, CongestionController, Episode, Limits, PacketRef, Sent, Signal};
use units::{Bytes, Duration, Ecn, Time};

use super::{Gap, TfwcAck, TfwcConfig, TfwcData};
use crate::datagram::{Datagram, FeedbackCounts, Sequence};
use crate::history::Ring;
use crate::statistics::SenderStatistics;

/// A TFWC sender.
#[derive(Debug)]
pub struct TfwcSender {
    config: TfwcConfig,
    controller: Box<dyn CongestionController>,
    limits: Limits,
    phase: Phase,
    /// Full number of packet 0. All other numbers here count from it.
    base: u64,
    next: u64,
    /// One past the last packet that the application handed over.
    end: u64,
    /// One past the newest packet acknowledged, and the same with what timeouts added.
    acknowledged: u64,
    inflated: u64,
    /// All before it is understood: arrived or lost.
    understood: u64,
    /// When each packet left.
    sent: Ring<Time>,
    estimate: TimeoutEstimate,
    /// Timeouts since the last ACK double the timer.
    backoff: u32,
    timeout: Duration,
    deadline: Option<Time>,
    /// Rate mode: a packet may leave.
    due: bool,
    /// The window was not what held the sender back when it last stopped.
    app_limited: bool,
    /// One past the newest packet sent when window or timer last stopped the sender.
    window_limited_until: u64,
    /// Losses below it belong to the last congestion episode.
    episode_end: u64,
    lost: u64,
    /// The same when the controller was last told of an ACK.
    told_lost: u64,
    delivered: u64,
    statistics: SenderStatistics,
    feedback: FeedbackCounts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Closed,
    Open,
    /// Left: sends nothing more.
    Stopped,
}

/// What an ACK with a new newest packet tells.
#[derive(Clone, Copy, Debug)]
struct News {
    rtt: Duration,
    /// How many packets arrived.
    arrived: u64,
    /// The newest of them.
    head: u64,
    window_limited: bool,
}

impl TfwcSender {
    /// A sender that has not started. The controller should be built with [`TfwcConfig::setup`].
    pub fn new(config: TfwcConfig, controller: Box<dyn CongestionController>) -> Self {
        let clock = if config.tick.is_zero() {
            Clock::Fine
        } else {
            Clock::Ticks(config.tick)
        };
        Self {
            limits: controller.limits(),
            controller,
            phase: Phase::Closed,
            base: config.first.first(),
            next: 0,
            end: 0,
            acknowledged: 0,
            inflated: 0,
            understood: 0,
            sent: Ring::default(),
            estimate: TimeoutEstimate::new(clock),
            backoff: 0,
            timeout: config.initial_timeout,
            deadline: None,
            due: true,
            app_limited: false,
            window_limited_until: 0,
            episode_end: 0,
            lost: 0,
            told_lost: 0,
            delivered: 0,
            statistics: SenderStatistics::default(),
            feedback: FeedbackCounts::default(),
            config,
        }
    }

    /// Packets may leave from now on.
    pub fn start(&mut self) {
        if self.phase == Phase::Closed {
            self.phase = Phase::Open;
        }
    }

    /// The application has handed over `packets` in all so far; [`u64::MAX`] for no end.
    pub fn supply(&mut self, packets: u64) {
        self.end = self.end.max(packets.min(MOST_PACKETS));
    }

    /// The flow leaves: it sends nothing more and has no timers.
    pub fn stop(&mut self) {
        self.phase = Phase::Stopped;
        self.deadline = None;
    }

    /// An ACK with the gaps of its vector arrived.
    #[inline]
    pub fn on_ack(&mut self, now: Time, ack: &TfwcAck, gaps: &[Gap]) {
        if self.phase != Phase::Open {
            return;
        }
        self.statistics.acks_received += 1;
        let Some(vector) = self.read(now, ack, gaps) else {
            return;
        };
        let newest = vector.head + 1;
        if newest < self.acknowledged {
            self.feedback.stale += 1;
            return;
        }
        self.feedback.accepted += 1;
        let fresh = newest > self.acknowledged;
        let before = self.acknowledged;
        let mut arrived = newest - before;
        if fresh {
            vector.missing(self.acknowledged, newest, |_| arrived -= 1);
            self.delivered += arrived;
        }
        self.acknowledged = newest;
        self.inflated = newest;
        let settled = vector.head.saturating_sub(self.config.margin);
        self.find_losses(now, &vector, settled);
        self.understood = self.understood.max(settled);

        let rtt = now.since(ack.timestamp);
        self.estimate.sample(rtt);
        self.backoff = 0;
        self.find_timeout();
        let statistics = &mut self.statistics;
        statistics.min_rtt = match statistics.rtt_samples {
            0 => rtt,
            _ => statistics.min_rtt.min(rtt),
        };
        statistics.rtt_samples += 1;
        statistics.last_rtt = Some(rtt);
        if fresh {
            let news = News {
                rtt,
                arrived,
                head: vector.head,
                window_limited: before < self.window_limited_until,
            };
            self.tell_ack(now, &news);
        }
        if self.limits.pacing.is_none() {
            let outstanding = self.next > self.acknowledged;
            self.deadline = outstanding.then(|| self.after_timeout(now));
        }
    }

    /// To be called at or after [`next_timer`](Self::next_timer); harmless when early.
    pub fn on_timer(&mut self, now: Time) {
        if self.phase != Phase::Open || self.deadline.is_none_or(|deadline| deadline > now) {
            return;
        }
        self.deadline = None;
        if self.limits.pacing.is_some() {
            self.due = true;
            return;
        }
        if self.next <= self.inflated {
            return; // nothing is outstanding
        }
        self.statistics.timeouts += 1;
        self.backoff += 1;
        self.find_timeout();
        self.inflated += 1;
        let in_flight = self.in_flight_bytes();
        self.controller.on_congestion(&Congestion {
            now,
            signal: Signal::Timeout,
            episode: if self.backoff == 1 {
                Episode::Begins
            } else {
                Episode::Continues
            },
            lost: Bytes::ZERO,
            lost_packets: 0,
            newest: self.packet(self.acknowledged),
            flight_size: in_flight,
            lost_total: self.config.packet_size.saturating_mul(self.lost),
            range_begins: false,
            sent: None,
        });
        self.read_limits();
        self.deadline = Some(self.after_timeout(now));
    }

    /// When [`on_timer`](Self::on_timer) or [`poll_transmit`](Self::poll_transmit) should be
    /// called next.
    #[inline]
    pub fn next_timer(&self) -> Option<Time> {
        self.deadline
    }

    /// The next packet that leaves now.
    #[inline]
    pub fn poll_transmit(&mut self, now: Time) -> Option<Datagram<TfwcData>> {
        if !self.wants_to_send() {
            let idle = self.next >= self.end;
            let allows = self.allows();
            self.app_limited = idle && allows;
            if !allows {
                self.window_limited_until = self.next;
            }
            return None;
        }
        Some(self.transmit(now))
    }

    /// Whether a packet may leave.
    #[inline]
    pub fn wants_to_send(&self) -> bool {
        self.phase == Phase::Open && self.next < self.end && self.allows()
    }

    /// Whether the controller sends by a timer now, not by a window.
    #[inline]
    pub fn is_rate_driven(&self) -> bool {
        self.limits.pacing.is_some()
    }

    /// Whether the transfer is finite, all of it was sent, and the last packet is acknowledged or
    /// given up by the timer.
    pub fn is_complete(&self) -> bool {
        let all_sent = self.end < MOST_PACKETS && self.end > 0 && self.next >= self.end;
        let given_up = self.inflated >= self.next || (self.due && self.limits.pacing.is_some());
        all_sent && given_up
    }

    /// What was counted so far.
    #[inline]
    pub fn statistics(&self) -> &SenderStatistics {
        &self.statistics
    }

    /// What became of the ACKs.
    pub fn feedback(&self) -> &FeedbackCounts {
        &self.feedback
    }

    /// Packets that were found to be lost.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Packets that are acknowledged.
    pub fn delivered(&self) -> u64 {
        self.delivered
    }

    /// Packets sent since the newest one acknowledged.
    pub fn in_flight(&self) -> u64 {
        self.next - self.acknowledged
    }

    /// The controller's window in packets; those of a second of its interval for each round trip
    /// where a timer sends.
    pub fn window_packets(&self) -> f64 {
        let size = self.config.packet_size.as_f64();
        match self.limits.pacing {
            Some(rate) => {
                let round_trip = self.estimate.smoothed_s().unwrap_or(0.0);
                rate.as_f64() * round_trip / (8.0 * size)
            }
            None => self.limits.window.as_f64() / size,
        }
    }

    /// SRTT; zero before the first sample.
    pub fn smoothed_rtt(&self) -> Duration {
        Duration::from_secs_f64(self.estimate.smoothed_s().unwrap_or(0.0))
    }

    /// The timeout of window mode, backoff included.
    #[inline]
    pub fn rto(&self) -> Duration {
        self.timeout
    }

    /// State worth plotting: the controller's variables, and `smoothed_rtt` and `rto` in seconds,
    /// `in_flight` and `lost` in packets.
    pub fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        self.controller.variables(visit);
        visit("smoothed_rtt", self.smoothed_rtt().as_secs_f64());
        visit("rto", self.rto().as_secs_f64());
        visit("in_flight", self.in_flight() as f64);
        visit("lost", self.lost as f64);
    }

    /// Whether window or timer let a packet go.
    #[inline]
    fn allows(&self) -> bool {
        if self.limits.pacing.is_some() && !self.due {
            return false;
        }
        let size = self.config.packet_size.0.max(1);
        let window = self.limits.window.0 / size;
        self.next.saturating_sub(self.inflated) < window
    }

    fn transmit(&mut self, now: Time) -> Datagram<TfwcData> {
        let number = self.next;
        self.next += 1;
        self.sent.set(self.understood, number, now);
        self.statistics.packets_sent += 1;
        self.statistics.bytes_sent += self.config.packet_size;
        let in_flight = self.in_flight_bytes();
        self.controller.on_sent(&Sent {
            packet: self.packet(number),
            size: self.config.packet_size,
            in_flight,
            retransmission: false,
        });
        self.read_limits();
        self.due = false;
        let timer = match self.limits.pacing {
            Some(rate) => now.saturating_add(rate.time_for(self.config.packet_size)),
            None => self.after_timeout(now),
        };
        self.deadline = Some(timer);
        Datagram {
            header: TfwcData {
                number: Sequence::of(self.base + number),
                understood: Sequence::of(self.base + self.understood - 1),
                timestamp: now,
            },
            size: self.config.packet_size,
            ecn: Ecn::NotEct,
        }
    }

    fn packet(&self, number: u64) -> PacketRef {
        PacketRef {
            number,
            sent_at: self.sent.get(number),
        }
    }

    fn in_flight_bytes(&self) -> Bytes {
        self.config.packet_size.saturating_mul(self.in_flight())
    }

    /// The timeout, after a sample or with another backoff.
    fn find_timeout(&mut self) {
        let timeout = match (self.estimate.smoothed_s(), self.estimate.deviation_term_s()) {
            (Some(smoothed), Some(term)) if self.config.tick.is_zero() => {
                Duration::from_secs_f64(smoothed + term.max(self.config.granularity.as_secs_f64()))
            }
            _ => self
                .estimate
                .timeout_s()
                .map_or(self.config.initial_timeout, Duration::from_secs_f64),
        };
        let factor = 1_u64.checked_shl(self.backoff).unwrap_or(u64::MAX);
        self.timeout = timeout
            .saturating_mul(factor)
            .min(self.config.longest_timeout);
    }

    #[inline]
    fn after_timeout(&self, now: Time) -> Time {
        now.saturating_add(self.rto())
    }

    #[inline]
    fn read_limits(&mut self) {
        let was_paced = self.limits.pacing.is_some();
        self.limits = self.controller.limits();
        // The timer goes on from one mode to the other. An idle one has long expired.
        let paced = self.limits.pacing.is_some();
        self.due = paced && (self.due || (!was_paced && self.deadline.is_none()));
    }
}

/// Numbers stay far from the end of 64 bits.
const MOST_PACKETS: u64 = u64::MAX / 4;

#[cfg(test)]
mod tests;
