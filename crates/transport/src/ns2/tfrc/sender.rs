//! The sender (`Agent/TFRC`).
//!
//! Differs from RFC 5348: the time to the next packet is fixed when one is sent; in slow start each
//! feedback packet, and each expired nofeedback timer, sends a packet at once; the nofeedback timer
//! is two round trips or two packets, not four round trips or two packets.

use units::{Duration, Ecn, Rate, Time};

use super::TfrcRate;
use crate::datagram::{Datagram, FeedbackCounts};
use crate::statistics::SenderStatistics;
use crate::tfrc::progress::Progress;
use crate::tfrc::{TfrcConfig, TfrcData, TfrcFeedback};

/// A TFRC sender of ns-2.35's.
///
/// Sans I/O, as [`tfrc::TfrcSender`](crate::tfrc::TfrcSender) is.
#[derive(Debug)]
pub struct TfrcSender {
    config: TfrcConfig,
    law: TfrcRate,
    rate: Rate,
    /// Time from packet to packet at that rate.
    interval: Duration,
    phase: Phase,
    progress: Progress,
    /// When the next packet may leave.
    scheduled: Time,
    /// When `NoFeedbacktimer_` expires.
    deadline: Option<Time>,
    /// `round_id`
    round: u32,
    /// `UrgentFlag`
    urgent: bool,
    /// p was above 0.
    lossy: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Closed,
    Open,
    /// Left: sends nothing more.
    Stopped,
}

impl TfrcSender {
    /// A sender that has not started; its rate should be made for packets of the same size.
    pub fn new(config: TfrcConfig, law: TfrcRate) -> Self {
        let mut sender = Self {
            law,
            rate: Rate::ZERO,
            interval: Duration::ZERO,
            phase: Phase::Closed,
            progress: Progress::new(config.first),
            scheduled: Time::ZERO,
            deadline: None,
            round: 0,
            urgent: true,
            lossy: false,
            config,
        };
        sender.read_rate();
        sender
    }

    /// Packets may leave from now on.
    pub fn start(&mut self, now: Time) {
        if self.phase == Phase::Closed {
            self.phase = Phase::Open;
            self.restart_timer(now);
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
        self.round += 1;
        self.urgent = false;
        let old_interval = self.interval;
        self.law
            .on_feedback(now, report.rtt, feedback, report.data_limited);
        // The timer's length is that of the rate before this feedback.
        self.deadline = Some(now.saturating_add(self.timer_length(old_interval)));
        self.read_rate();
        self.lossy |= !report.first && feedback.loss_event_rate > 0.0;
        if !self.lossy {
            self.scheduled = now;
        }
    }

    /// To be called at or after [`next_timer`](Self::next_timer); harmless when early.
    pub fn on_timer(&mut self, now: Time) {
        if self.phase != Phase::Open || self.deadline.is_none_or(|deadline| deadline > now) {
            return;
        }
        self.progress.statistics.timeouts += 1;
        self.law.on_no_feedback();
        self.read_rate();
        self.round += 1;
        self.urgent = true;
        self.restart_timer(now);
        self.scheduled = now;
    }

    /// When [`on_timer`](Self::on_timer) or [`poll_transmit`](Self::poll_transmit) should be
    /// called next.
    #[inline]
    pub fn next_timer(&self) -> Option<Time> {
        if self.phase == Phase::Open && self.progress.has_data() {
            let due = self.scheduled;
            return Some(self.deadline.map_or(due, |deadline| deadline.min(due)));
        }
        self.deadline
    }

    /// The next packet that leaves now.
    #[inline]
    pub fn poll_transmit(&mut self, now: Time) -> Option<Datagram<TfrcData>> {
        if self.phase != Phase::Open || !self.progress.has_data() {
            return None;
        }
        if now < self.scheduled {
            self.progress.wait();
            return None;
        }
        let size = self.config.packet_size;
        let number = self.progress.send(size);
        self.law.on_sent();
        self.read_rate();
        self.scheduled = now.saturating_add(self.interval);
        Some(Datagram {
            header: TfrcData {
                number: self.progress.sequence(number),
                timestamp: now,
                rtt: self.law.smoothed_rtt(),
                timeout: self.law.timeout(),
                round: self.round,
                urgent: self.urgent,
            },
            size,
            ecn: if self.config.ecn {
                Ecn::Ect0
            } else {
                Ecn::NotEct
            },
        })
    }

    /// Whether the transfer is finite, all of it was sent, and the last packet is reported or the
    /// nofeedback timer has expired since.
    pub fn is_complete(&self) -> bool {
        self.progress.is_all_sent() && (self.progress.is_all_reported() || self.urgent)
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
        let rtt_s = self.smoothed_rtt().as_secs_f64();
        self.rate.as_f64() * rtt_s / (8.0 * self.config.packet_size.as_f64())
    }

    /// The smoothed round trip; zero before the first sample.
    pub fn smoothed_rtt(&self) -> Duration {
        self.law.smoothed_rtt()
    }

    /// The nofeedback timer's length.
    pub fn rto(&self) -> Duration {
        self.timer_length(self.interval)
    }

    /// State worth plotting: the rate's variables, `smoothed_rtt` and `rto` in seconds, `in_flight`
    /// and `lost` in packets.
    pub fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        self.law.variables(visit);
        visit("smoothed_rtt", self.smoothed_rtt().as_secs_f64());
        visit("rto", self.rto().as_secs_f64());
        visit("in_flight", self.in_flight() as f64);
        visit("lost", self.lost() as f64);
    }

    fn restart_timer(&mut self, now: Time) {
        self.deadline = Some(now.saturating_add(self.rto()));
    }

    fn timer_length(&self, interval: Duration) -> Duration {
        let two_round_trips = self.law.smoothed_rtt().saturating_mul(2);
        two_round_trips.max(interval.saturating_mul(2))
    }

    #[inline]
    fn read_rate(&mut self) {
        let rate = self.law.rate();
        if rate != self.rate {
            self.rate = rate;
            self.interval = rate.time_for(self.config.packet_size);
        }
    }
}
