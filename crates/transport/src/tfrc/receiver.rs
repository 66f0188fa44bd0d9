//! The TFRC receiver: finds loss events, measures the receive rate, reports.
//!
//! Follows RFC 5348 §5 and §6. Feedback goes out once for each round trip in which data arrived, at
//! once when p rises, and for each packet while the sender knows no round trip.

use controllers::loss_history::{Averaging, LossHistory};
use controllers::tcp_friendly::{self, Path, Timeouts};
use units::{Bytes, Duration, Ecn, Time};

use super::losses::{Arrival, Detector, Events, Hole};
use super::meter::Meter;
use super::{TfrcData, TfrcFeedback, TfrcReceiverConfig};
use crate::datagram::{ArrivalWindow, Datagram, Sequence};

/// A TFRC receiver.
#[derive(Clone, Debug)]
pub struct TfrcReceiver {
    config: TfrcReceiverConfig,
    window: ArrivalWindow,
    detector: Detector,
    events: Events,
    /// The newest packet's header, and when it arrived.
    newest: Option<(TfrcData, Time)>,
    meter: Meter,
    /// Since the last feedback.
    packets: u64,
    losses: u32,
    new_event: bool,
    /// Largest receive rate so far, in bytes per second.
    fastest: f64,
    /// When the feedback timer expires.
    deadline: Option<Time>,
    /// The timer expired without data: the next packet is reported at once.
    due: bool,
    /// The report that leaves when it is asked for.
    pub(crate) answer: Option<Datagram<TfrcFeedback>>,
}

/// What became of a packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TfrcDelivery {
    /// It had not arrived before: the application gets it.
    pub new: bool,
    /// Feedback to send at once, if any.
    pub feedback: Option<Datagram<TfrcFeedback>>,
}

/// A packet with data as it arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TfrcArrival {
    /// When.
    pub now: Time,
    /// Its size on the wire.
    pub size: Bytes,
    /// Its ECN field.
    pub ecn: Ecn,
}

impl TfrcReceiver {
    /// A receiver that has seen nothing.
    pub fn new(config: TfrcReceiverConfig) -> Self {
        Self {
            window: ArrivalWindow::default(),
            detector: Detector::new(config.later_packets),
            events: Events::default(),
            newest: None,
            meter: Meter::default(),
            packets: 0,
            losses: 0,
            new_event: false,
            fastest: 0.0,
            deadline: None,
            due: false,
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
        self.packets += 1;
        self.meter.note(now, size, data.rtt);
        let is_first = highest.is_none();
        let is_newest = highest.is_none_or(|highest| number > highest);
        if is_newest {
            self.newest = Some((*data, now));
        }
        let rtt = self.rtt();
        let here = Arrival { number, at: now };
        let hole = self.detector.on_arrival(here);
        let mark = (ecn == Ecn::Ce).then_some(here);
        let before = self.loss_event_rate();
        let event = self.look_for_events(hole, mark);
        self.new_event |= event;
        let rose = event && self.loss_event_rate() > before;
        let report = is_first || rose || self.due || rtt.is_zero();
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
        if self.packets > 0 {
            return Some(self.report(now));
        }
        self.due = true; // RFC 5348 §6.2: no data, no feedback
        None
    }

    /// When feedback is due.
    #[inline]
    pub fn next_timer(&self) -> Option<Time> {
        self.deadline
    }

    /// The loss event rate p: 0 before the first loss event.
    pub fn loss_event_rate(&self) -> f64 {
        let history = self.events.history.as_ref();
        history.map_or(0.0, LossHistory::loss_event_rate)
    }

    /// State worth plotting: `loss_event_rate`, `average_loss_interval`, `open_loss_interval`, and
    /// `receive_rate` in bits per second.
    pub fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("loss_event_rate", self.loss_event_rate());
        if let Some(history) = &self.events.history {
            visit("average_loss_interval", history.average());
            visit("open_loss_interval", history.open() as f64);
        }
        visit("receive_rate", self.meter.last_rate() * 8.0);
    }

    pub(crate) fn header_size(&self) -> Bytes {
        self.config.header_size
    }

    fn rtt(&self) -> Duration {
        self.newest.map_or(Duration::ZERO, |(data, _)| data.rtt)
    }

    /// Whether a loss event begins with a hole or a mark.
    #[inline]
    fn look_for_events(&mut self, hole: Option<Hole>, mark: Option<Arrival>) -> bool {
        let end = self.detector.newest().map_or(0, |newest| newest.number + 1);
        if let Some(history) = &mut self.events.history {
            history.advance(end);
        }
        if hole.is_none() && mark.is_none() {
            return false;
        }
        let lost = hole.map_or(0, |hole| hole.packets()) + u64::from(mark.is_some());
        self.losses = self.losses.saturating_add(lost as u32);
        if self.events.history.is_none() {
            self.on_first_loss(hole, mark);
            return true;
        }
        let rtt = self.rtt();
        let by_hole = hole.is_some_and(|hole| self.events.on_hole(&hole, rtt));
        let by_mark = mark.is_some_and(|mark| self.events.on_mark(mark, rtt));
        by_hole || by_mark
    }

    /// RFC 5348 §6.3.1: the interval before the first loss is what would have given the rate.
    fn on_first_loss(&mut self, hole: Option<Hole>, mark: Option<Arrival>) {
        let Some((newest, now)) = self.newest else {
            return;
        };
        let (received, interval) = self.meter.measure(now, newest.rtt);
        let rate = received.as_f64() / interval.as_secs_f64();
        let rate = if rate.is_finite() {
            rate.max(self.fastest)
        } else {
            0.0
        };
        let rtt_s = newest.rtt.as_secs_f64();
        let interval = if rtt_s > 0.0 {
            let path = Path {
                loss_event_rate: 1.0,
                rtt_s,
                timeout_s: 4.0 * rtt_s,
                acked_per_ack: 1.0,
            };
            first_interval(rate / self.meter.newest_size(), &path, Timeouts::Unbounded)
        } else {
            1.0 / tcp_friendly::loss_event_rate_of_window(0.5)
        };
        let averaging = Averaging::rfc(self.config.history_discounting);
        let (number, at) = match (hole, mark) {
            (Some(hole), _) => {
                let number = hole.before.number + 1;
                (number, hole.time_of(number))
            }
            (None, Some(mark)) => (mark.number, mark.at),
            (None, None) => return,
        };
        let end = self.detector.newest().map_or(0, |newest| newest.number + 1);
        let mut history = LossHistory::new(averaging, interval, number);
        history.advance(end);
        self.events.history = Some(history);
        self.events.last_at = at;
        if let Some(hole) = hole {
            // A hole longer than a round trip holds further events.
            self.events.on_hole(&hole, newest.rtt);
        }
    }

    fn report(&mut self, now: Time) -> Datagram<TfrcFeedback> {
        let (data, arrived_at) = self.newest.expect("reports follow data");
        let rtt = data.rtt;
        let (received, interval) = self.meter.report(now, rtt);
        self.fastest = self.fastest.max(self.meter.last_rate());
        let end = self.detector.newest().map_or(0, |newest| newest.number + 1);
        if let Some(history) = &mut self.events.history {
            history.advance(end);
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
        self.packets = 0;
        self.deadline = (!rtt.is_zero()).then(|| now.saturating_add(rtt));
        // Without a timer the next packet, which may know a round trip, is reported.
        self.due = rtt.is_zero();
        Datagram {
            header: feedback,
            size: self.config.feedback_size,
            ecn: Ecn::NotEct,
        }
    }
}

/// The loss interval with which the equation gives `packets_per_s`, or half a packet in a round trip
/// where that is more.
pub(crate) fn first_interval(packets_per_s: f64, path: &Path, timeouts: Timeouts) -> f64 {
    let packets_per_s = packets_per_s.max(0.5 / path.rtt_s);
    1.0 / tcp_friendly::loss_event_rate_of_interval(1.0 / packets_per_s, path, timeouts)
}

#[cfg(test)]
mod tests;
