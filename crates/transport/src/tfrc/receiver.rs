//! The TFRC receiver: finds loss events, measures the receive rate, reports.
//!
//! Follows RFC 5348 §5 and §6. Feedback goes out once for each round trip in which data arrived, at
//! once when p rises, and for each packet while the sender knows no round trip.
//!
//! Under [`Compat::Ns2`] (`Agent/TFRCSink`): one later packet tells of a loss; losses are dated by
//! the times at which packets left, and there is one event at most for each round of the sender;
//! the first loss interval follows from the rate of the last round trip, cut to whole packets; the
//! interval of an event begins behind its lost packet; every loss event is reported at once; a
//! report comes 1.5 round trips after the last one where no arrival called for it.

use std::collections::VecDeque;

use controllers::loss_history::LossHistory;
use controllers::tcp_friendly::{self, Path, Timeouts};
use units::{Bytes, Duration, Ecn, Time};

use super::losses::{Arrival, Detector, Events, Hole};
use super::{TfrcData, TfrcFeedback, TfrcReceiverConfig};
use crate::config::Compat;
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
    /// Arrivals of the last round trip.
    recent: VecDeque<(Time, Bytes)>,
    recent_bytes: Bytes,
    /// Since the last feedback.
    received: Bytes,
    packets: u64,
    losses: u32,
    new_event: bool,
    reported_at: Time,
    /// One past the newest packet at the last report.
    reported_end: u64,
    /// Largest receive rate so far, in bytes per second.
    fastest: f64,
    last_rate: f64,
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
            recent: VecDeque::new(),
            recent_bytes: Bytes::ZERO,
            received: Bytes::ZERO,
            packets: 0,
            losses: 0,
            new_event: false,
            reported_at: Time::ZERO,
            reported_end: 0,
            fastest: 0.0,
            last_rate: 0.0,
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
        self.received += size;
        self.packets += 1;
        self.note_recent(now, size, data.rtt);
        let is_first = highest.is_none();
        let is_newest = highest.is_none_or(|highest| number > highest);
        if is_newest {
            self.newest = Some((*data, now));
        }
        let rtt = self.rtt();
        let at = match self.config.compat {
            Compat::Rfc => now,
            Compat::Ns2 => data.timestamp,
        };
        let here = Arrival { number, at };
        let hole = self.detector.on_arrival(here);
        let mark = (ecn == Ecn::Ce).then_some(here);
        let before = self.loss_event_rate();
        let event = self.look_for_events(hole, mark);
        self.new_event |= event;
        let report = match self.config.compat {
            Compat::Rfc => {
                let rose = event && self.loss_event_rate() > before;
                is_first || rose || self.due || rtt.is_zero()
            }
            Compat::Ns2 => {
                let round_trip_over =
                    is_newest && !rtt.is_zero() && now.since(self.reported_at) >= rtt;
                data.urgent || event || round_trip_over
            }
        };
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
        let arrived = match self.config.compat {
            Compat::Rfc => self.packets > 0,
            // Also for data that arrived in the instant of the last report.
            Compat::Ns2 => self.newest.is_some_and(|(_, at)| at >= self.reported_at),
        };
        if arrived {
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
        visit("receive_rate", self.last_rate * 8.0);
    }

    pub(crate) fn header_size(&self) -> Bytes {
        self.config.header_size
    }

    fn rtt(&self) -> Duration {
        self.newest.map_or(Duration::ZERO, |(data, _)| data.rtt)
    }

    #[inline]
    fn note_recent(&mut self, now: Time, size: Bytes, rtt: Duration) {
        while let Some((at, size)) = self.recent.front()
            && at.saturating_add(rtt) <= now
        {
            self.recent_bytes = self.recent_bytes.saturating_sub(*size);
            self.recent.pop_front();
        }
        self.recent.push_back((now, size));
        self.recent_bytes += size;
    }

    /// Whether a loss event begins with a hole or a mark.
    #[inline]
    fn look_for_events(&mut self, hole: Option<Hole>, mark: Option<Arrival>) -> bool {
        let end = self.detector.newest().map_or(0, |newest| newest.number + 1);
        if let Some(history) = &mut self.events.history
            && self.config.compat == Compat::Rfc
        {
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
        if self.config.compat == Compat::Ns2 {
            return self.look_for_ns2_event(hole, mark);
        }
        let rtt = self.rtt();
        let by_hole = hole.is_some_and(|hole| self.events.on_hole(&hole, rtt));
        let by_mark = mark.is_some_and(|mark| self.events.on_mark(mark, rtt));
        by_hole || by_mark
    }

    /// One event at most for each round of the sender.
    fn look_for_ns2_event(&mut self, hole: Option<Hole>, mark: Option<Arrival>) -> bool {
        let Some((newest, _)) = self.newest else {
            return false;
        };
        if self
            .events
            .last_round
            .is_some_and(|last| last >= newest.round)
        {
            return false;
        }
        let after = self.events.last_at.saturating_add(newest.rtt);
        let lost = hole.and_then(|hole| {
            let number = hole.first_after(after)?;
            Some((number, hole.time_of(number)))
        });
        let lost = lost.or_else(|| {
            let mark = mark.filter(|mark| mark.at > after)?;
            Some((mark.number, mark.at))
        });
        let (Some((number, at)), Some(history)) = (lost, &mut self.events.history) else {
            return false;
        };
        history.begin_event(number + 1);
        self.events.last_at = at;
        self.events.last_round = Some(newest.round);
        true
    }

    /// RFC 5348 §6.3.1: the interval before the first loss is what would have given the rate.
    fn on_first_loss(&mut self, hole: Option<Hole>, mark: Option<Arrival>) {
        let Some((newest, now)) = self.newest else {
            return;
        };
        let ns2 = self.config.compat == Compat::Ns2;
        let packet = self
            .recent
            .back()
            .map_or(1.0, |(_, size)| size.as_f64().max(1.0));
        let (received, interval) = self.measure(now);
        let rate = received.as_f64() / interval.as_secs_f64();
        let rate = match () {
            () if !rate.is_finite() => 0.0,
            () if ns2 => rate,
            () => rate.max(self.fastest),
        };
        let rtt_s = newest.rtt.as_secs_f64();
        let interval = if rtt_s > 0.0 {
            let timeout_s = if ns2 && !newest.timeout.is_zero() {
                newest.timeout.as_secs_f64()
            } else {
                4.0 * rtt_s
            };
            let path = Path {
                loss_event_rate: 1.0,
                rtt_s,
                timeout_s,
                acked_per_ack: 1.0,
            };
            let timeouts = if ns2 {
                Timeouts::Bounded
            } else {
                Timeouts::Unbounded
            };
            // Half a packet in a round trip at least.
            let packets_per_s = (rate / packet).max(0.5 / rtt_s);
            let p = tcp_friendly::loss_event_rate_of_interval(1.0 / packets_per_s, &path, timeouts);
            1.0 / p
        } else {
            1.0 / tcp_friendly::loss_event_rate_of_window(0.5)
        };
        let averaging = self.config.averaging();
        if ns2 {
            let start = self.reported_end;
            let interval = whole(interval);
            self.events.history = Some(LossHistory::new(averaging, interval, start));
            self.events.last_at = newest.timestamp;
            self.events.last_round = Some(newest.round);
            return;
        }
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

    /// Data received, and the time over which (RFC 5348 §6.2): since the last report, but for an
    /// early one over the last round trip.
    fn measure(&self, now: Time) -> (Bytes, Duration) {
        let rtt = self.rtt();
        let since = now.saturating_since(self.reported_at);
        if self.reported_end == 0 || rtt.is_zero() {
            return (Bytes::ZERO, Duration::ZERO);
        }
        if since >= rtt {
            (self.received, since)
        } else {
            (self.recent_bytes, rtt)
        }
    }

    fn report(&mut self, now: Time) -> Datagram<TfrcFeedback> {
        let (data, arrived_at) = self.newest.expect("reports follow data");
        let rtt = data.rtt;
        // Only what arrived within a round trip of now counts in an early report.
        let (received, interval) = self.measure(now);
        if !interval.is_zero() {
            self.last_rate = received.as_f64() / interval.as_secs_f64();
            self.fastest = self.fastest.max(self.last_rate);
        }
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
        self.received = Bytes::ZERO;
        self.packets = 0;
        self.reported_at = now;
        self.reported_end = end;
        let wait = match self.config.compat {
            Compat::Rfc => rtt,
            Compat::Ns2 => rtt.saturating_add(rtt / 2),
        };
        self.deadline = (!rtt.is_zero()).then(|| now.saturating_add(wait));
        // Without a timer the next packet, which may know a round trip, is reported.
        self.due = rtt.is_zero();
        Datagram {
            header: feedback,
            size: self.config.feedback_size,
            ecn: Ecn::NotEct,
        }
    }
}

/// Whole packets.
fn whole(packets: f64) -> f64 {
    packets as u64 as f64
}

#[cfg(test)]
mod tests;
