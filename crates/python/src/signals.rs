//! What controllers in Python are told: the signals of `controllers`, field by field.
//!
//! Names carry the unit: seconds, bytes, packets, bits per second.

use controllers::{Episode, Signal};
use pyo3::prelude::*;
use units::{Bytes, Duration, Rate, Time};

/// What a controller knows when its connection begins.
#[pyclass(frozen, module = "ackclock")]
pub(crate) struct Setup(pub(crate) controllers::Setup);

#[pymethods]
impl Setup {
    /// Size by which windows are counted: a full data packet, in bytes.
    #[getter]
    fn segment_bytes(&self) -> u64 {
        self.0.segment.0
    }

    /// Window at the start, in bytes.
    #[getter]
    fn initial_window_bytes(&self) -> u64 {
        self.0.initial_window.0
    }

    /// Slow-start threshold at the start, in bytes; `None` for none.
    #[getter]
    fn initial_slow_start_threshold_bytes(&self) -> Option<u64> {
        let threshold = self.0.initial_slow_start_threshold;
        (threshold < Bytes::MAX).then_some(threshold.0)
    }

    /// Seed for a controller that draws random numbers: one for each connection of a run.
    #[getter]
    fn seed(&self) -> u64 {
        self.0.seed
    }
}

/// An ACK told something new.
#[pyclass(frozen, module = "ackclock")]
pub(crate) struct Ack(pub(crate) controllers::Ack);

#[pymethods]
impl Ack {
    /// When the ACK arrived, in s.
    #[getter]
    fn now_s(&self) -> f64 {
        seconds(self.0.now)
    }

    /// Data newly acknowledged in order, in bytes; 0 for an ACK that only selects.
    #[getter]
    fn acked_bytes(&self) -> u64 {
        self.0.acked.0
    }

    /// The same in packets.
    #[getter]
    fn acked_packets(&self) -> u64 {
        self.0.acked_packets
    }

    /// Data of which this ACK is the first to tell that it arrived, in bytes.
    #[getter]
    fn newly_delivered_bytes(&self) -> u64 {
        self.0.newly_delivered.0
    }

    /// All data that arrived so far, in bytes.
    #[getter]
    fn delivered_total_bytes(&self) -> u64 {
        self.0.delivered_total.0
    }

    /// Data declared lost since the last ACK, in bytes.
    #[getter]
    fn newly_lost_bytes(&self) -> u64 {
        self.0.newly_lost.0
    }

    /// Round trip measured by this ACK, in s; `None` where it would be ambiguous.
    #[getter]
    fn rtt_s(&self) -> Option<f64> {
        self.0.rtt.map(Duration::as_secs_f64)
    }

    /// Smoothed round trip, in s; 0 before the first sample.
    #[getter]
    fn smoothed_rtt_s(&self) -> f64 {
        self.0.smoothed_rtt.as_secs_f64()
    }

    /// Smallest round trip so far, in s; 0 before the first sample.
    #[getter]
    fn min_rtt_s(&self) -> f64 {
        self.0.min_rtt.as_secs_f64()
    }

    /// Time on the way there plus an unknown constant, in s; `None` where not reported.
    #[getter]
    fn one_way_delay_s(&self) -> Option<f64> {
        self.0.one_way_delay.map(Duration::as_secs_f64)
    }

    /// In flight after this ACK, in bytes.
    #[getter]
    fn in_flight_bytes(&self) -> u64 {
        self.0.in_flight.0
    }

    /// Rate at which data arrives, in bit/s; `None` unless the class has `rate_samples = True`.
    #[getter]
    fn delivery_rate_bps(&self) -> Option<f64> {
        self.0.delivered.map(|sample| Rate::as_f64(sample.rate()))
    }

    /// The application, or the peer, held the sender back.
    #[getter]
    fn app_limited(&self) -> bool {
        self.0.app_limited
    }

    /// The window held the sender back.
    #[getter]
    fn window_limited(&self) -> bool {
        self.0.window_limited
    }

    /// Number of the newest packet acknowledged.
    #[getter]
    fn newest_number(&self) -> u64 {
        self.0.newest.number
    }

    /// When that packet left, in s.
    #[getter]
    fn newest_sent_at_s(&self) -> f64 {
        seconds(self.0.newest.sent_at)
    }

    /// Losses of an earlier signal are being repaired: a window clocked by ACKs does not grow.
    #[getter]
    fn in_recovery(&self) -> bool {
        self.0.in_recovery
    }

    /// Packets that arrived with a CE mark since the last ACK.
    #[getter]
    fn ecn_ce(&self) -> u64 {
        self.0.ecn_ce
    }

    /// Loss event rate that the receiver reports, 0 to 1; `None` where it does not.
    #[getter]
    fn loss_event_rate(&self) -> Option<f64> {
        self.0.report.map(|report| report.loss_event_rate)
    }
}

/// The network signalled congestion.
#[pyclass(frozen, module = "ackclock")]
pub(crate) struct Congestion(pub(crate) controllers::Congestion);

#[pymethods]
impl Congestion {
    /// When the sign arrived, in s.
    #[getter]
    fn now_s(&self) -> f64 {
        seconds(self.0.now)
    }

    /// `"loss"`, `"ecn-echo"`, `"source-quench"`, `"timeout"` or `"persistent-congestion"`.
    #[getter]
    fn signal(&self) -> &'static str {
        match self.0.signal {
            Signal::Loss => "loss",
            Signal::EcnEcho => "ecn-echo",
            Signal::SourceQuench => "source-quench",
            Signal::Timeout => "timeout",
            Signal::PersistentCongestion => "persistent-congestion",
        }
    }

    /// Whether it opens a new episode: window laws reduce once for each.
    #[getter]
    fn begins(&self) -> bool {
        self.0.episode == Episode::Begins
    }

    /// Data that is lost, in bytes.
    #[getter]
    fn lost_bytes(&self) -> u64 {
        self.0.lost.0
    }

    /// The same in packets.
    #[getter]
    fn lost_packets(&self) -> u64 {
        self.0.lost_packets
    }

    /// Data declared lost so far, in bytes.
    #[getter]
    fn lost_total_bytes(&self) -> u64 {
        self.0.lost_total.0
    }

    /// Number of the newest of these packets.
    #[getter]
    fn newest_number(&self) -> u64 {
        self.0.newest.number
    }

    /// When it left, in s.
    #[getter]
    fn newest_sent_at_s(&self) -> f64 {
        seconds(self.0.newest.sent_at)
    }

    /// Outstanding data before this signal (RFC 5681), in bytes.
    #[getter]
    fn flight_size_bytes(&self) -> u64 {
        self.0.flight_size.0
    }
}

/// A packet with data left.
#[pyclass(frozen, module = "ackclock")]
pub(crate) struct Sent(pub(crate) controllers::Sent);

#[pymethods]
impl Sent {
    /// When it left, in s.
    #[getter]
    fn now_s(&self) -> f64 {
        seconds(self.0.packet.sent_at)
    }

    /// Its number.
    #[getter]
    fn number(&self) -> u64 {
        self.0.packet.number
    }

    /// Its size, in bytes.
    #[getter]
    fn size_bytes(&self) -> u64 {
        self.0.size.0
    }

    /// In flight, this packet included, in bytes.
    #[getter]
    fn in_flight_bytes(&self) -> u64 {
        self.0.in_flight.0
    }

    /// Whether its data had been sent before.
    #[getter]
    fn retransmission(&self) -> bool {
        self.0.retransmission
    }
}

/// What ACKs and signs of congestion told over a round trip.
#[pyclass(frozen, module = "ackclock", get_all)]
#[derive(Clone, Debug, Default)]
pub(crate) struct Round {
    /// When it ended, in s.
    now_s: f64,
    /// How long it took, in s.
    duration_s: f64,
    /// How many ACKs there were.
    acks: u64,
    /// Data acknowledged in order, in bytes.
    acked_bytes: u64,
    /// The same in packets.
    acked_packets: u64,
    /// Data that arrived, in order or not, in bytes.
    delivered_bytes: u64,
    /// Data that is lost, in bytes.
    lost_bytes: u64,
    /// The same in packets.
    lost_packets: u64,
    /// How many signs of congestion there were.
    congestion_signals: u64,
    /// Packets that arrived with a CE mark.
    ecn_ce: u64,
    /// Smallest round trip measured in it, in s; `None` without a sample.
    rtt_min_s: Option<f64>,
    /// Mean of those measured in it, in s; `None` without a sample.
    rtt_mean_s: Option<f64>,
    /// Smoothed round trip at its end, in s.
    smoothed_rtt_s: f64,
    /// Smallest round trip so far, in s.
    min_rtt_s: f64,
    /// In flight at its end, in bytes.
    in_flight_bytes: u64,
    /// The application, or the peer, held the sender back in it.
    app_limited: bool,
}

#[pymethods]
impl Round {
    /// Data delivered over the time it took.
    #[getter]
    fn delivery_rate_bps(&self) -> Option<f64> {
        (self.duration_s > 0.0).then(|| self.delivered_bytes as f64 * 8.0 / self.duration_s)
    }
}

/// Gathers a [`Round`]: it ends with the first ACK of a packet that left after it began.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounds {
    began: Option<Time>,
    so_far: Round,
    rtts: (f64, u64),
}

impl Rounds {
    pub(crate) fn on_congestion(&mut self, congestion: &controllers::Congestion) {
        self.so_far.congestion_signals += 1;
        self.so_far.lost_bytes += congestion.lost.0;
        self.so_far.lost_packets += congestion.lost_packets;
    }

    /// The round that this ACK ends, if it ends one.
    pub(crate) fn on_ack(&mut self, ack: &controllers::Ack) -> Option<Round> {
        let round = &mut self.so_far;
        round.acks += 1;
        round.acked_bytes += ack.acked.0;
        round.acked_packets += ack.acked_packets;
        round.delivered_bytes += ack.newly_delivered.0;
        round.ecn_ce += ack.ecn_ce;
        round.app_limited |= ack.app_limited;
        if let Some(rtt) = ack.rtt.map(Duration::as_secs_f64) {
            round.rtt_min_s = Some(round.rtt_min_s.map_or(rtt, |least| least.min(rtt)));
            self.rtts = (self.rtts.0 + rtt, self.rtts.1 + 1);
        }
        let began = *self.began.get_or_insert(ack.newest.sent_at);
        if ack.newest.sent_at < began {
            return None;
        }
        let (sum, count) = std::mem::take(&mut self.rtts);
        self.began = Some(ack.now);
        let ended = std::mem::take(round);
        Some(Round {
            now_s: seconds(ack.now),
            duration_s: ack.now.saturating_since(began).as_secs_f64(),
            rtt_mean_s: (count > 0).then(|| sum / count as f64),
            smoothed_rtt_s: ack.smoothed_rtt.as_secs_f64(),
            min_rtt_s: ack.min_rtt.as_secs_f64(),
            in_flight_bytes: ack.in_flight.0,
            ..ended
        })
    }
}

fn seconds(time: Time) -> f64 {
    time.as_secs_f64()
}
