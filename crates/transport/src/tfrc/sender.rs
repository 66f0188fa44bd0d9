//! The TFRC sender: sends datagrams at the controller's rate, measures the round trip, keeps the
//! nofeedback timer, and knows when it is data-limited.
//!
//! Follows RFC 5348 §4.2 to §4.4, §4.6 and §8.2.1. The time between packets is that of the
//! controller's rate when it ends, so a new rate counts at once.
//!
//! An interval that feedback covers is data-limited when none of its packets had to wait for the
//! rate: the RFC keeps two instants for this, here the packets themselves are known.
//!
//! Under [`Compat::Ns2`] (`Agent/TFRC`): the time to the next packet is fixed when one is sent; in
//! slow start each feedback packet, and each expired nofeedback timer, sends a packet at once; the
//! nofeedback timer is two round trips or two packets, not four round trips or two packets.
//!
//! Not here: sending early to make up for a coarse clock (§8.3), a mean packet size that is measured (§4.1):
//! the given one is the mean.
//!
//! Sans I/O: given feedback and the time, it gives packets and the time of its next timer. After
//! every other call [`TfrcSender::poll_transmit`] is called until it gives nothing.

mod feedback;

use std::collections::VecDeque;

use controllers::round_trip::{Clock, SmoothedRtt, TimeoutEstimate};
use controllers::{
    Ack, Congestion, CongestionController, Episode, PacketRef, ReceiverReport, Sent, Signal,
};
use units::{Bytes, Duration, Ecn, Rate, Time};

use super::{TfrcConfig, TfrcData, TfrcFeedback};
use crate::config::Compat;
use crate::datagram::{Datagram, FeedbackCounts, Sequence};
use crate::statistics::SenderStatistics;

/// A TFRC sender.
#[derive(Debug)]
pub struct TfrcSender {
    config: TfrcConfig,
    controller: Box<dyn CongestionController>,
    rate: Rate,
    /// Time from packet to packet at that rate.
    interval: Duration,
    phase: Phase,
    /// Full number of packet 0. All other numbers here count from it.
    base: u64,
    next: u64,
    end: u64,
    /// One past the newest packet reported.
    acknowledged: u64,
    /// Its timestamp.
    echoed: Time,
    /// When the last packet left.
    last_sent: Option<Time>,
    /// ns-2: when the next may leave.
    scheduled: Time,
    /// The next packet has waited for the rate.
    waited: bool,
    /// Packets that did, in runs, ascending: those not yet reported.
    rate_limited: VecDeque<(u64, u64)>,
    rtt: SmoothedRtt,
    timeout: TimeoutEstimate,
    /// When the nofeedback timer expires.
    deadline: Option<Time>,
    round: u32,
    urgent: bool,
    /// ns-2: p was above 0.
    lossy: bool,
    statistics: SenderStatistics,
    feedback: FeedbackCounts,
    lost: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Closed,
    Open,
    /// Left: sends nothing more.
    Stopped,
}

impl TfrcSender {
    /// A sender that has not started. The controller should be built with [`TfrcConfig::setup`].
    pub fn new(config: TfrcConfig, controller: Box<dyn CongestionController>) -> Self {
        let kept = match config.compat {
            Compat::Rfc => RTT_KEPT,
            Compat::Ns2 => NS2_RTT_KEPT,
        };
        let clock = if config.tick.is_zero() {
            Clock::Fine
        } else {
            Clock::Ticks(config.tick)
        };
        let mut sender = Self {
            controller,
            rate: Rate::ZERO,
            interval: Duration::ZERO,
            phase: Phase::Closed,
            base: config.first.first(),
            next: 0,
            end: 0,
            acknowledged: 0,
            echoed: Time::ZERO,
            last_sent: None,
            scheduled: Time::ZERO,
            waited: false,
            rate_limited: VecDeque::new(),
            rtt: SmoothedRtt::new(kept),
            timeout: TimeoutEstimate::new(clock),
            deadline: None,
            round: 0,
            urgent: true,
            lossy: false,
            statistics: SenderStatistics::default(),
            feedback: FeedbackCounts::default(),
            lost: 0,
            config,
        };
        sender.read_rate();
        sender
    }

    /// Packets may leave from now on.
    pub fn start(&mut self, now: Time) {
        if self.phase == Phase::Closed {
            self.phase = Phase::Open;
            self.deadline = Some(now.saturating_add(self.no_feedback_time()));
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

    /// Feedback arrived.
    pub fn on_feedback(&mut self, now: Time, feedback: &TfrcFeedback) {
        if self.phase != Phase::Open {
            return;
        }
        self.statistics.acks_received += 1;
        let Some(newest) = self.check(now, feedback) else {
            return;
        };
        if newest < self.acknowledged {
            self.feedback.stale += 1;
            return;
        }
        self.feedback.accepted += 1;
        let arrived = newest - self.acknowledged;
        let data_limited = self.take_interval(newest);
        self.acknowledged = newest;
        self.echoed = feedback.timestamp;
        let newest = PacketRef {
            number: newest - 1,
            sent_at: feedback.timestamp,
        };
        let first = self.statistics.rtt_samples == 0;
        // RFC 5348 §4.3 step 1: without the time that the receiver kept it.
        let rtt = now.since(feedback.timestamp).saturating_sub(feedback.delay);
        self.take_rtt(rtt);
        self.round += 1;
        self.urgent = false;
        // The timer's length is that of the rate before this feedback (RFC 5348 §4.3, step 3).
        self.restart_timer(now);
        self.tell_losses(now, newest, feedback);
        let losses = u64::from(feedback.losses);
        let size = self.config.packet_size;
        let ack = Ack {
            now,
            acked: size.saturating_mul(arrived),
            acked_packets: arrived,
            newly_delivered: size.saturating_mul(arrived.saturating_sub(losses)),
            delivered_total: size.saturating_mul(self.acknowledged.saturating_sub(self.lost)),
            newly_lost: size.saturating_mul(losses),
            rtt: Some(rtt),
            smoothed_rtt: self.smoothed_rtt(),
            min_rtt: self.statistics.min_rtt,
            one_way_delay: None,
            in_flight: size.saturating_mul(self.in_flight()),
            delivered: None,
            app_limited: data_limited,
            window_limited: false,
            newest,
            in_recovery: false,
            ecn_ce: 0,
            report: Some(ReceiverReport {
                loss_event_rate: feedback.loss_event_rate,
                received: feedback.received,
                interval: feedback.interval,
            }),
        };
        self.controller.on_ack(&ack);
        self.read_rate();
        match self.config.compat {
            // The first round trip sets the rate before these steps (§4.2).
            Compat::Rfc if first => self.restart_timer(now),
            Compat::Rfc => {}
            Compat::Ns2 => {
                self.lossy |= !first && feedback.loss_event_rate > 0.0;
                if !self.lossy {
                    self.scheduled = now;
                }
            }
        }
    }

    /// To be called at or after [`next_timer`](Self::next_timer); harmless when early.
    pub fn on_timer(&mut self, now: Time) {
        if self.phase != Phase::Open || self.deadline.is_none_or(|deadline| deadline > now) {
            return;
        }
        self.statistics.timeouts += 1;
        self.controller.on_congestion(&Congestion {
            now,
            signal: Signal::Timeout,
            episode: Episode::Begins,
            lost: Bytes::ZERO,
            lost_packets: 0,
            newest: PacketRef {
                number: self.next.saturating_sub(1),
                sent_at: self.last_sent.unwrap_or(now),
            },
            flight_size: self.config.packet_size.saturating_mul(self.in_flight()),
            lost_total: self.config.packet_size.saturating_mul(self.lost),
            range_begins: false,
            sent: None,
        });
        self.read_rate();
        self.round += 1;
        self.urgent = true;
        self.restart_timer(now);
        if self.config.compat == Compat::Ns2 {
            self.scheduled = now;
        }
    }

    /// When [`on_timer`](Self::on_timer) or [`poll_transmit`](Self::poll_transmit) should be
    /// called next.
    #[inline]
    pub fn next_timer(&self) -> Option<Time> {
        let mut next = self.deadline;
        if self.phase == Phase::Open && self.next < self.end {
            let due = self.due();
            next = Some(next.map_or(due, |other| other.min(due)));
        }
        next
    }

    /// The next packet that leaves now.
    #[inline]
    pub fn poll_transmit(&mut self, now: Time) -> Option<Datagram<TfrcData>> {
        if self.phase != Phase::Open || self.next >= self.end {
            return None;
        }
        if now < self.due() {
            self.waited = true;
            return None;
        }
        Some(self.transmit(now))
    }

    /// Whether the transfer is finite, all of it was sent, and the last packet is reported or the
    /// nofeedback timer has expired since.
    pub fn is_complete(&self) -> bool {
        let all_sent = self.end < MOST_PACKETS && self.end > 0 && self.next >= self.end;
        all_sent && (self.acknowledged >= self.end || self.urgent)
    }

    /// What was counted so far. Timeouts are expiries of the nofeedback timer.
    #[inline]
    pub fn statistics(&self) -> &SenderStatistics {
        &self.statistics
    }

    /// What became of the feedback.
    pub fn feedback(&self) -> &FeedbackCounts {
        &self.feedback
    }

    /// Packets that the receiver reports lost.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Packets sent since the newest one reported.
    pub fn in_flight(&self) -> u64 {
        self.next - self.acknowledged
    }

    /// The rate, in packets for each round trip; 0 before the first sample.
    pub fn window_packets(&self) -> f64 {
        let rtt_s = self.rtt.seconds().unwrap_or(0.0);
        self.rate.as_f64() * rtt_s / (8.0 * self.config.packet_size.as_f64())
    }

    /// The rate at which packets leave now.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// The round-trip time R; zero before the first sample.
    pub fn smoothed_rtt(&self) -> Duration {
        self.rtt.duration()
    }

    /// The nofeedback timer's length.
    pub fn rto(&self) -> Duration {
        self.no_feedback_time()
    }

    /// State worth plotting: the controller's variables, `smoothed_rtt` and `rto` in seconds,
    /// `in_flight` and `lost` in packets.
    pub fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        self.controller.variables(visit);
        visit("smoothed_rtt", self.smoothed_rtt().as_secs_f64());
        visit("rto", self.rto().as_secs_f64());
        visit("in_flight", self.in_flight() as f64);
        visit("lost", self.lost as f64);
    }

    /// When the next packet may leave.
    #[inline]
    fn due(&self) -> Time {
        match (self.config.compat, self.last_sent) {
            (_, None) => Time::ZERO,
            (Compat::Rfc, Some(last)) => last.saturating_add(self.interval),
            (Compat::Ns2, Some(_)) => self.scheduled,
        }
    }

    fn transmit(&mut self, now: Time) -> Datagram<TfrcData> {
        let number = self.next;
        self.next += 1;
        if std::mem::take(&mut self.waited) {
            match self.rate_limited.back_mut() {
                Some((_, end)) if *end == number => *end += 1,
                _ => self.rate_limited.push_back((number, number + 1)),
            }
        }
        let size = self.config.packet_size;
        self.statistics.packets_sent += 1;
        self.statistics.bytes_sent += size;
        self.controller.on_sent(&Sent {
            packet: PacketRef {
                number,
                sent_at: now,
            },
            size,
            in_flight: size.saturating_mul(self.in_flight()),
            retransmission: false,
        });
        self.read_rate();
        self.last_sent = Some(now);
        self.scheduled = now.saturating_add(self.interval);
        Datagram {
            header: TfrcData {
                number: Sequence::of(self.base + number),
                timestamp: now,
                rtt: self.rtt.duration(),
                timeout: Duration::from_secs_f64(self.timeout.timeout_s().unwrap_or(0.0)),
                round: self.round,
                urgent: self.urgent,
            },
            size,
            ecn: if self.config.ecn {
                Ecn::Ect0
            } else {
                Ecn::NotEct
            },
        }
    }

    fn restart_timer(&mut self, now: Time) {
        self.deadline = Some(now.saturating_add(self.no_feedback_time()));
    }

    /// RFC 5348 §4.3 step 3: max(4R, 2s/X); two seconds before the first round trip (§4.2).
    fn no_feedback_time(&self) -> Duration {
        let round_trips = match self.config.compat {
            Compat::Rfc => 4,
            Compat::Ns2 => 2,
        };
        let by_round_trip = self.rtt.duration().saturating_mul(round_trips);
        by_round_trip.max(self.interval.saturating_mul(2))
    }

    #[inline]
    fn read_rate(&mut self) {
        let rate = self.controller.limits().pacing.unwrap_or(Rate::MAX);
        if rate != self.rate {
            self.rate = rate;
            self.interval = rate.time_for(self.config.packet_size);
        }
    }
}

/// q of RFC 5348 §4.3.
const RTT_KEPT: f64 = 0.9;
/// `df_`
const NS2_RTT_KEPT: f64 = 0.95;
/// Numbers stay far from the end of 64 bits.
const MOST_PACKETS: u64 = u64::MAX / 4;

#[cfg(test)]
mod tests;
