//! The receiver (`Agent/TFRCSink`).
//!
//! Differs from RFC 5348: one later packet tells of a loss; losses are dated by the times at which
//! packets left, and there is one event at most for each round of the sender; the first loss
//! interval follows from the rate of the last round trip, cut to whole packets; the interval of an
//! event begins behind its lost packet; discounting goes to 0.5; every loss event is reported at
//! once; a report comes 1.5 round trips after the last one where no arrival called for it.

use controllers::loss_history::{Averaging, LossHistory, Partial};
use controllers::tcp_friendly::{self, Path, Timeouts};
use units::{Bytes, Duration, Ecn, Time};

use crate::datagram::{ArrivalWindow, Datagram, Sequence};
use crate::tfrc::losses::{Arrival, Detector, Hole};
use crate::tfrc::meter::Meter;
use crate::tfrc::receiver::first_interval;
use crate::tfrc::{TfrcArrival, TfrcData, TfrcDelivery, TfrcFeedback, TfrcReceiverConfig};

/// A TFRC sink of ns-2.35's.
#[derive(Clone, Debug)]
pub struct TfrcSink {
    config: TfrcReceiverConfig,
    window: ArrivalWindow,
    detector: Detector,
    events: Option<Events>,
    /// The newest packet's header, and when it arrived.
    newest: Option<(TfrcData, Time)>,
    meter: Meter,
    /// Since the last feedback.
    losses: u32,
    new_event: bool,
    /// One past the newest packet at the last report.
    reported_end: u64,
    /// When the feedback timer expires.
    deadline: Option<Time>,
    /// Feedback that is to leave.
    pub(crate) answer: Option<Datagram<TfrcFeedback>>,
}

/// The loss events so far.
#[derive(Clone, Debug)]
pub(super) struct Events {
    pub(super) history: LossHistory,
    /// When the packet left whose loss began the last event (`lastloss`).
    last_at: Time,
    /// The sender's round then (`lastloss_round_id`).
    last_round: u32,
}

impl TfrcSink {
    /// A sink that has seen nothing.
    pub fn new(config: TfrcReceiverConfig) -> Self {
        Self {
            window: ArrivalWindow::default(),
            detector: Detector::new(config.later_packets),
            events: None,
            newest: None,
            meter: Meter::default(),
            losses: 0,
            new_event: false,
            reported_end: 0,
            deadline: None,
            answer: None,
            config,
        }
    }

    /// A packet arrived.
    #[inline]
    pub fn on_data(&mut self, data: &TfrcData, arrival: &TfrcArrival) -> TfrcDelivery {
        let TfrcArrival { now, size, ecn } = *arrival;
        let highest = self.detector.newest().map(|newest| newest.number);
        let number = match highest {
            None => data.number.first(),
            Some(highest) => data.number.near(highest).unwrap_or(0),
        };
        if !self.window.insert(number) {
            return TfrcDelivery {
                new: false,
                feedback: None,
            };
        }
        self.meter.note(now, size, data.rtt);
        let is_newest = highest.is_none_or(|highest| number > highest);
        if is_newest {
            self.newest = Some((*data, now));
        }
        let rtt = self.rtt();
        let here = Arrival {
            number,
            at: data.timestamp,
        };
        let hole = self.detector.on_arrival(here);
        let mark = (ecn == Ecn::Ce).then_some(here);
        let event = self.look_for_event(hole, mark);
        self.new_event |= event;
        let round_trip_over =
            is_newest && !rtt.is_zero() && now.since(self.meter.reported_at()) >= rtt;
        let report = data.urgent || event || round_trip_over;
        TfrcDelivery {
            new: true,
            feedback: report.then(|| self.report(now)),
        }
    }

    /// To be called at or after [`next_timer`](Self::next_timer); harmless when early.
    pub fn on_timer(&mut self, now: Time) -> Option<Datagram<TfrcFeedback>> {
        if self.deadline? > now {
            return None;
        }
        self.deadline = None;
        // Also for data that arrived in the instant of the last report.
        let reported_at = self.meter.reported_at();
        let arrived = self.newest.is_some_and(|(_, at)| at >= reported_at);
        arrived.then(|| self.report(now))
    }

    /// When feedback is due.
    #[inline]
    pub fn next_timer(&self) -> Option<Time> {
        self.deadline
    }

    /// The loss event rate p: 0 before the first loss event.
    pub fn loss_event_rate(&self) -> f64 {
        let events = self.events.as_ref();
        events.map_or(0.0, |events| events.history.loss_event_rate())
    }

    /// State worth plotting: `loss_event_rate`, `average_loss_interval`, `open_loss_interval`, and
    /// `receive_rate` in bits per second.
    pub fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("loss_event_rate", self.loss_event_rate());
        if let Some(events) = &self.events {
            visit("average_loss_interval", events.history.average());
            visit("open_loss_interval", events.history.open() as f64);
        }
        visit("receive_rate", self.meter.last_rate() * 8.0);
    }

    #[cfg(test)]
    pub(super) fn closed_intervals(&self) -> Vec<f64> {
        let events = self.events.as_ref().expect("there was an event");
        events.history.closed().collect()
    }

    /// Headers of a data packet.
    pub(crate) fn header_size(&self) -> Bytes {
        self.config.header_size
    }

    fn rtt(&self) -> Duration {
        self.newest.map_or(Duration::ZERO, |(data, _)| data.rtt)
    }

    /// Whether a loss event begins with a hole or a mark: one at most for each round of the sender.
    #[inline]
    fn look_for_event(&mut self, hole: Option<Hole>, mark: Option<Arrival>) -> bool {
        if hole.is_none() && mark.is_none() {
            return false;
        }
        let lost = hole.map_or(0, |hole| hole.packets()) + u64::from(mark.is_some());
        self.losses = self.losses.saturating_add(lost as u32);
        let Some((newest, now)) = self.newest else {
            return false;
        };
        let Some(events) = &mut self.events else {
            self.events = Some(self.first_event(&newest, now));
            return true;
        };
        if events.last_round >= newest.round {
            return false;
        }
        let after = events.last_at.saturating_add(newest.rtt);
        let lost = hole.and_then(|hole| {
            let number = hole.first_after(after)?;
            Some((number, hole.time_of(number)))
        });
        let lost = lost.or_else(|| {
            let mark = mark.filter(|mark| mark.at > after)?;
            Some((mark.number, mark.at))
        });
        let Some((number, at)) = lost else {
            return false;
        };
        events.history.begin_event(number + 1);
        events.last_at = at;
        events.last_round = newest.round;
        true
    }

    /// The interval before the first loss is what would have given the rate.
    fn first_event(&self, newest: &TfrcData, now: Time) -> Events {
        let (received, interval) = self.meter.measure(now, newest.rtt);
        let rate = received.as_f64() / interval.as_secs_f64();
        let rate = if rate.is_finite() { rate } else { 0.0 };
        let rtt_s = newest.rtt.as_secs_f64();
        let interval = if rtt_s > 0.0 {
            let path = Path {
                loss_event_rate: 1.0,
                rtt_s,
                timeout_s: if newest.timeout.is_zero() {
                    4.0 * rtt_s
                } else {
                    newest.timeout.as_secs_f64()
                },
                acked_per_ack: 1.0,
            };
            first_interval(rate / self.meter.newest_size(), &path, Timeouts::Bounded)
        } else {
            1.0 / tcp_friendly::loss_event_rate_of_window(0.5)
        };
        let rfc = Averaging::rfc(self.config.history_discounting);
        let averaging = Averaging {
            discount_threshold: rfc.discount_threshold.map(|_| DISCOUNT_THRESHOLD),
            partial: Partial::All,
            ..rfc
        };
        Events {
            history: LossHistory::new(averaging, interval.trunc(), self.reported_end),
            last_at: newest.timestamp,
            last_round: newest.round,
        }
    }

    fn report(&mut self, now: Time) -> Datagram<TfrcFeedback> {
        let (data, arrived_at) = self.newest.expect("reports follow data");
        let rtt = data.rtt;
        let (received, interval) = self.meter.report(now, rtt);
        let end = self.detector.newest().map_or(0, |newest| newest.number + 1);
        if let Some(events) = &mut self.events {
            events.history.advance(end);
        }
        let feedback = TfrcFeedback {
            newest: Sequence::of(end.wrapping_sub(1)),
            timestamp: data.timestamp,
            delay: now.saturating_since(arrived_at),
            received,
            interval,
            loss_event_rate: self.loss_event_rate(),
            losses: std::mem::take(&mut self.losses),
            new_event: std::mem::take(&mut self.new_event),
        };
        self.reported_end = end;
        let wait = rtt.saturating_add(rtt / 2);
        self.deadline = (!rtt.is_zero()).then(|| now.saturating_add(wait));
        Datagram {
            header: feedback,
            size: self.config.feedback_size,
            ecn: Ecn::NotEct,
        }
    }
}

/// `minDiscountRatio_`
const DISCOUNT_THRESHOLD: f64 = 0.5;
