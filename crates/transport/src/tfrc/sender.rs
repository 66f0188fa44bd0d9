//! The TFRC sender: sends datagrams at the controller's rate, measures the round trip, keeps the
//! nofeedback timer, and knows when it is data-limited.
//!
//! Follows RFC 5348 §4.2 to §4.4, §4.6 and §8.2.1. The time between packets is that of the
//! controller's rate when it ends, so a new rate counts at once.
//!
//! An interval that feedback covers is data-limited when none of its packets had to wait for the
//! rate: the RFC keeps two instants for this, here the packets themselves are known.
//!
//! Not here: sending early to make up for a coarse clock (§8.3), a mean packet size that is measured (§4.1):
//! the given one is the mean.
//!
//! Sans I/O: given feedback and the time, it gives packets and the time of its next timer. After
//! every other call [`TfrcSender::poll_transmit`] is called until it gives nothing.

use controllers::round_trip::SmoothedRtt;
use controllers::{
    Ack, Congestion, CongestionController, Episode, PacketRef, ReceiverReport, Sent, Signal,
};
use units::{Bytes, Duration, Ecn, Rate, Time};

use super::progress::{Progress, Report};
use super::{TfrcConfig, TfrcData, TfrcFeedback};
use crate::datagram::{Datagram, FeedbackCounts};
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
    progress: Progress,
    /// When the last packet left.
    last_sent: Option<Time>,
    rtt: SmoothedRtt,
    /// When the nofeedback timer expires.
    deadline: Option<Time>,
    /// No feedback has come since the start, or since the nofeedback timer expired.
    unanswered: bool,
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
        let mut sender = Self {
            controller,
            rate: Rate::ZERO,
            interval: Duration::ZERO,
            phase: Phase::Closed,
            progress: Progress::new(config.first),
            last_sent: None,
            rtt: SmoothedRtt::new(RTT_KEPT),
            deadline: None,
            unanswered: true,
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
        self.progress.supply(packets);
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
        let Some(report) = self.progress.take(now, feedback) else {
            return;
        };
        self.rtt.sample(report.rtt);
        self.unanswered = false;
        // The timer's length is that of the rate before this feedback (RFC 5348 §4.3, step 3).
        self.restart_timer(now);
        self.tell(now, &report, feedback);
        if report.first {
            // The first round trip sets the rate before these steps (§4.2).
            self.restart_timer(now);
        }
    }

    /// Tells the controller what a report says, losses first.
    fn tell(&mut self, now: Time, report: &Report, feedback: &TfrcFeedback) {
        let size = self.config.packet_size;
        let bytes = |packets: u64| size.saturating_mul(packets);
        let progress = &self.progress;
        let losses = u64::from(feedback.losses);
        if losses > 0 {
            self.controller.on_congestion(&Congestion {
                now,
                signal: Signal::Loss,
                episode: if feedback.new_event {
                    Episode::Begins
                } else {
                    Episode::Continues
                },
                lost: bytes(losses),
                lost_packets: losses,
                newest: report.newest,
                flight_size: bytes(progress.in_flight()),
                lost_total: bytes(progress.lost),
                range_begins: true,
                sent: None,
            });
        }
        self.controller.on_ack(&Ack {
            now,
            acked: bytes(report.packets),
            acked_packets: report.packets,
            newly_delivered: bytes(report.packets.saturating_sub(losses)),
            delivered_total: bytes(progress.acknowledged().saturating_sub(progress.lost)),
            newly_lost: bytes(losses),
            rtt: Some(report.rtt),
            smoothed_rtt: self.rtt.duration(),
            min_rtt: progress.statistics.min_rtt,
            one_way_delay: None,
            in_flight: bytes(progress.in_flight()),
            delivered: None,
            app_limited: report.data_limited,
            window_limited: false,
            newest: report.newest,
            in_recovery: false,
            ecn_ce: 0,
            report: Some(ReceiverReport {
                loss_event_rate: feedback.loss_event_rate,
                received: feedback.received,
                interval: feedback.interval,
            }),
        });
        self.read_rate();
    }

    /// To be called at or after [`next_timer`](Self::next_timer); harmless when early.
    pub fn on_timer(&mut self, now: Time) {
        if self.phase != Phase::Open || self.deadline.is_none_or(|deadline| deadline > now) {
            return;
        }
        self.progress.statistics.timeouts += 1;
        self.controller.on_congestion(&Congestion {
            now,
            signal: Signal::Timeout,
            episode: Episode::Begins,
            lost: Bytes::ZERO,
            lost_packets: 0,
            newest: PacketRef {
                number: self.progress.newest_sent(),
                sent_at: self.last_sent.unwrap_or(now),
            },
            flight_size: self.config.packet_size.saturating_mul(self.in_flight()),
            lost_total: self.config.packet_size.saturating_mul(self.progress.lost),
            range_begins: false,
            sent: None,
        });
        self.read_rate();
        self.unanswered = true;
        self.restart_timer(now);
    }

    /// When [`on_timer`](Self::on_timer) or [`poll_transmit`](Self::poll_transmit) should be
    /// called next.
    #[inline]
    pub fn next_timer(&self) -> Option<Time> {
        let mut next = self.deadline;
        if self.phase == Phase::Open && self.progress.has_data() {
            let due = self.due();
            next = Some(next.map_or(due, |other| other.min(due)));
        }
        next
    }

    /// The next packet that leaves now.
    #[inline]
    pub fn poll_transmit(&mut self, now: Time) -> Option<Datagram<TfrcData>> {
        if self.phase != Phase::Open || !self.progress.has_data() {
            return None;
        }
        if now < self.due() {
            self.progress.wait();
            return None;
        }
        Some(self.transmit(now))
    }

    /// Whether the transfer is finite, all of it was sent, and the last packet is reported or the
    /// nofeedback timer has expired since.
    pub fn is_complete(&self) -> bool {
        self.progress.is_all_sent() && (self.progress.is_all_reported() || self.unanswered)
    }

    /// What was counted so far. Timeouts are expiries of the nofeedback timer.
    #[inline]
    pub fn statistics(&self) -> &SenderStatistics {
        &self.progress.statistics
    }

    /// What became of the feedback.
    pub fn feedback(&self) -> &FeedbackCounts {
        &self.progress.feedback
    }

    /// Packets that the receiver reports lost.
    pub fn lost(&self) -> u64 {
        self.progress.lost
    }

    /// Packets sent since the newest one reported.
    pub fn in_flight(&self) -> u64 {
        self.progress.in_flight()
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
        visit("lost", self.lost() as f64);
    }

    /// When the next packet may leave.
    #[inline]
    fn due(&self) -> Time {
        let after = |last: Time| last.saturating_add(self.interval);
        self.last_sent.map_or(Time::ZERO, after)
    }

    fn transmit(&mut self, now: Time) -> Datagram<TfrcData> {
        let size = self.config.packet_size;
        let number = self.progress.send(size);
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
        Datagram {
            header: TfrcData {
                timestamp: now,
                rtt: self.rtt.duration(),
                ..TfrcData::new(self.progress.sequence(number))
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
        let by_round_trip = self.rtt.duration().saturating_mul(4);
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

#[cfg(test)]
mod tests;
