//! The state of a sending connection that every loss recovery works on: sequence numbers,
//! segment history, timers, the controller and its signals.

mod control;
mod delivery;
mod sending;

use std::sync::Arc;

use controllers::{CongestionController, Limits, PacketRef};
use units::{Bytes, Duration, Rate, Time};

use crate::config::{SenderConfig, SpuriousDetection, ThresholdAdaptation};
use crate::history::{Record, Ring};
use crate::recovery::{Doubt, Reports, Threshold};
use crate::rto::{RoundTrip, RtoEstimator};
use crate::segment::SackBlock;
use crate::statistics::SenderStatistics;
pub(crate) use control::{CongestionSign, Progress};
use delivery::Delivery;

/// A sending connection without its loss recovery.
#[derive(Debug)]
pub(crate) struct Connection {
    /// The flows of a group share it: what is common to them stays in the cache.
    pub(crate) config: Arc<SenderConfig>,
    controller: Box<dyn CongestionController>,
    limits: Limits,
    /// The controller's window in whole packets.
    window: u64,
    /// Nothing is being repaired: the window alone says what may leave, in order.
    pub(crate) plain: bool,
    /// The oldest segment not acknowledged: the number the next ACK should pass.
    pub(crate) una: u64,
    /// The next segment in line. Below `high` after a timeout, when the sender goes back.
    pub(crate) next: u64,
    /// One past the highest segment sent.
    pub(crate) high: u64,
    /// One past the last segment that the application handed over.
    pub(crate) end: u64,
    history: Ring<Record>,
    pub(crate) rto: RtoEstimator,
    /// The packet being timed, when there are no timestamps.
    pub(crate) timed: Option<PacketRef>,
    /// When the retransmission timer expires.
    pub(crate) deadline: Option<Time>,
    /// What leaves before all else, window or not.
    pub(crate) forced: Forced,
    /// How many packets may leave before the next event.
    pub(crate) burst: u32,
    /// Duplicate ACKs in a row.
    pub(crate) duplicates: u32,
    /// Segments that limited transmit sent since the last new ACK.
    pub(crate) limited: u64,
    /// The last reduction of the window.
    pub(crate) reduction: Option<Reduction>,
    /// A retransmission that may have had no cause.
    pub(crate) doubt: Option<Doubt>,
    /// What D-SACK tells of retransmissions, where it is asked.
    pub(crate) reports: Option<Box<Reports>>,
    /// The threshold D, where it adapts.
    pub(crate) threshold: Option<Box<Threshold>>,
    /// The oldest segment at the last timeout.
    pub(crate) timed_out_at: Option<u64>,
    delivery: Delivery,
    /// The window was not what held the sender back when it last stopped.
    pub(crate) app_limited: bool,
    /// One past the highest segment sent when the window last stopped the sender.
    window_limited_until: u64,
    /// The next new packet tells that the window was reduced.
    pub(crate) cwr_due: bool,
    /// Marks that the controller has not been told of.
    pub(crate) marks: u64,
    pub(crate) statistics: SenderStatistics,
}

/// A reduction of the window (RFC 3168 §6.1.2: one for each window of data).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reduction {
    /// One past the highest segment that had been sent.
    pub(crate) until: u64,
    /// It was for a mark, not for a loss.
    pub(crate) for_mark: bool,
}

/// What leaves before all else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forced {
    Nothing,
    /// This segment, in flight already.
    Retransmission(u64),
    /// The next one in line.
    Next,
}

/// An acknowledgement as it arrived.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival<'a> {
    pub(crate) now: Time,
    /// The next segment that the receiver expects.
    pub(crate) number: u64,
    pub(crate) timestamp: Time,
    pub(crate) echoes_retransmission: bool,
    pub(crate) ece: bool,
    pub(crate) blocks: &'a [SackBlock],
}

/// What an acknowledgement newly acknowledged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Acknowledged {
    pub(crate) packets: u64,
    pub(crate) newest: PacketRef,
    /// The newest one left more than once.
    pub(crate) retransmitted: bool,
    /// The round trip that the controller is told of.
    pub(crate) rtt: Option<Duration>,
}

impl Connection {
    pub(crate) fn new(
        config: Arc<SenderConfig>,
        controller: Box<dyn CongestionController>,
    ) -> Self {
        let limits = controller.limits();
        let asks_reports = config.spurious == SpuriousDetection::DSack;
        let adapts = config.threshold_adaptation != ThresholdAdaptation::Fixed;
        let mut connection = Self {
            limits,
            window: 0,
            plain: false,
            una: 0,
            next: 0,
            high: 0,
            end: 0,
            history: Ring::default(),
            rto: RtoEstimator::new(Arc::clone(&config)),
            timed: None,
            deadline: None,
            forced: Forced::Nothing,
            burst: 0,
            duplicates: 0,
            limited: 0,
            reduction: None,
            doubt: None,
            reports: asks_reports.then(Box::default),
            threshold: adapts.then(|| {
                let threshold = config.duplicate_ack_threshold;
                Box::new(Threshold::new(config.threshold_adaptation, threshold))
            }),
            timed_out_at: None,
            delivery: Delivery::new(config.properties),
            app_limited: false,
            window_limited_until: 0,
            cwr_due: false,
            marks: 0,
            statistics: SenderStatistics::default(),
            config,
            controller,
        };
        connection.read_limits();
        connection
    }

    /// The controller's window in whole packets.
    #[inline]
    pub(crate) fn window(&self) -> u64 {
        self.window
    }

    #[inline]
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// Whether packets leave at a rate, of the controller's or by the window.
    #[inline]
    pub(crate) fn is_paced(&self) -> bool {
        self.limits.pacing.is_some() || self.config.pacing.is_some()
    }

    /// That rate; none where packets leave with the ACKs, or before a round trip is known.
    pub(crate) fn pacing_rate(&self) -> Option<Rate> {
        let Limits {
            window,
            pacing,
            slow_start,
            ..
        } = self.limits;
        let by_window = self.config.pacing.as_ref();
        pacing.or_else(|| by_window?.rate(window, slow_start, self.rto.smoothed_rtt()))
    }

    pub(crate) fn controller(&self) -> &dyn CongestionController {
        &*self.controller
    }

    /// Whether marks reduce the window (RFC 3168), or are the controller's business.
    #[inline]
    pub(crate) fn answers_marks(&self) -> bool {
        self.config.ecn && !self.config.properties.handles_ce
    }

    /// Whether duplicate ACKs inflate the window.
    pub(crate) fn inflates(&self) -> bool {
        self.config.window_inflation && !self.config.properties.own_recovery
    }

    /// The receiver's window in packets.
    #[inline]
    pub(crate) fn max_window(&self) -> u64 {
        self.config.max_window.unwrap_or(u64::MAX)
    }

    /// Duplicate ACKs that tell of a loss now (D).
    pub(crate) fn duplicate_ack_threshold(&self) -> u32 {
        match &self.threshold {
            None => self.config.duplicate_ack_threshold,
            Some(threshold) => threshold.value(self.high - self.una),
        }
    }

    /// When segment `number`, which must be in flight, last left.
    pub(crate) fn sent_at(&self, number: u64) -> Time {
        self.history.get(number).sent_at()
    }

    /// Whether segment `number`, which must be in flight, left more than once.
    pub(crate) fn was_retransmitted(&self, number: u64) -> bool {
        self.history.get(number).is_retransmission()
    }

    /// As many bytes as `packets` full segments.
    #[inline]
    pub(crate) fn packets(&self, packets: u64) -> Bytes {
        self.config.segment_size.saturating_mul(packets)
    }

    /// Whether data not sent before exists and fits the receiver's window.
    #[inline]
    pub(crate) fn can_send_new(&self) -> bool {
        self.next >= self.high && self.next < self.end && self.next - self.una < self.max_window()
    }

    /// The next segment in line, if a window of `window` packets allows it.
    #[inline]
    pub(crate) fn next_within(&self, window: u64) -> Option<u64> {
        let allowed = self.next - self.una < window.min(self.max_window());
        (allowed && self.next < self.end).then_some(self.next)
    }

    /// A new event: the window may be used again.
    #[inline]
    pub(crate) fn allow_burst(&mut self) {
        self.burst = self.config.max_burst.unwrap_or(u32::MAX);
    }

    /// Everything before the arrival's number arrived.
    #[inline]
    pub(crate) fn acknowledge(&mut self, arrival: &Arrival<'_>) -> Acknowledged {
        let packets = arrival.number - self.una;
        let newest = arrival.number - 1;
        let record = self.history.get(newest);
        self.delivery
            .acknowledge(arrival.now, self.una, arrival.number);
        self.una = arrival.number;
        self.next = self.next.max(self.una);
        let newest = PacketRef {
            number: newest,
            sent_at: record.sent_at(),
        };
        let rtt = (!self.is_ambiguous(arrival))
            .then(|| {
                arrival
                    .now
                    .as_picos()
                    .checked_sub(arrival.timestamp.as_picos())
            })
            .flatten()
            .map(Duration::from_picos);
        self.statistics.last_rtt = rtt;
        if let Some(rtt) = rtt {
            let first = self.statistics.rtt_samples == 0;
            self.statistics.rtt_samples += 1;
            self.statistics.min_rtt = if first {
                rtt
            } else {
                self.statistics.min_rtt.min(rtt)
            };
        }
        Acknowledged {
            packets,
            newest,
            retransmitted: record.is_retransmission(),
            rtt,
        }
    }

    /// Whether nobody can tell which transmission of a segment the arrival answers (Karn). A
    /// timestamp can (RFC 7323 §4.1), unless Karn's rule is asked for.
    #[inline]
    fn is_ambiguous(&self, arrival: &Arrival<'_>) -> bool {
        arrival.echoes_retransmission && (!self.config.timestamps || self.config.karn)
    }

    /// Takes what the arrival selects; returns whether that is news.
    pub(crate) fn select(&mut self, arrival: &Arrival<'_>) {
        for block in arrival.blocks {
            let start = block.start.max(self.una);
            let end = block.end.min(self.high);
            if start < end {
                self.delivery.select(arrival.now, SackBlock { start, end });
            }
        }
    }

    /// The window stops the sender.
    #[inline]
    pub(crate) fn on_window_limited(&mut self) {
        self.app_limited = false;
        self.window_limited_until = self.high;
    }

    /// The sender stops, `in_flight` packets being out: was it the window?
    pub(crate) fn on_stop(&mut self, in_flight: u64) {
        if in_flight >= self.window {
            self.on_window_limited();
            return;
        }
        self.app_limited = true;
        if self.next >= self.end {
            self.delivery.on_app_limited(self.packets(in_flight));
        }
    }

    /// Gives the estimator what the ACK measured (RFC 6298 §3, Karn's algorithm).
    #[inline]
    pub(crate) fn take_rtt(&mut self, arrival: &Arrival<'_>) {
        let timed = self.timed.filter(|timed| timed.number < arrival.number);
        if timed.is_some() {
            self.timed = None;
        }
        let sent_at = if self.config.timestamps {
            self.statistics.last_rtt.map(|_| arrival.timestamp)
        } else {
            timed.map(|timed| timed.sent_at)
        };
        if let Some(sent_at) = sent_at {
            self.rto.sample(RoundTrip {
                sent_at,
                now: arrival.now,
                timestamps: self.config.timestamps,
            });
            self.rto.end_backoff();
        }
    }

    /// Starts the timer anew, whatever is outstanding.
    #[inline]
    pub(crate) fn restart_timer(&mut self, now: Time) {
        self.deadline = Some(now.saturating_add(self.rto.timeout()));
    }

    /// RFC 6298 (5.2), (5.3): new data was acknowledged.
    #[inline]
    pub(crate) fn restart_or_stop_timer(&mut self, now: Time) {
        self.deadline = (self.una < self.high).then(|| now.saturating_add(self.rto.timeout()));
    }
}

/// Whether an ACK up to `number` covers more than everything before `point`, where there is one
/// ("covers more than recover", RFC 6582 §3.2).
#[inline]
pub(crate) fn is_past(point: Option<u64>, number: u64) -> bool {
    point.is_none_or(|point| number > point)
}
