//! What a transport tells a controller, and what the controller answers.

use units::{Bytes, Duration, Ecn, Rate, Time};

/// What a controller allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most data in flight. A transport that counts packets divides by the packet size and rounds
    /// down.
    pub window: Bytes,
    /// Rate at which packets leave; `None` leaves pacing to the transport, or to the ACK clock.
    pub pacing: Option<Rate>,
    /// With a rate: most data that leaves back to back, charged to the rate as a whole; `None` for
    /// one packet.
    pub quantum: Option<Bytes>,
    /// The window is below half of the slow-start threshold: a transport that paces by the window
    /// leaves it room to double within a round trip.
    pub slow_start: bool,
}

impl Limits {
    /// A window, and no rate.
    #[inline]
    pub const fn of_window(window: Bytes) -> Self {
        Self {
            window,
            pacing: None,
            quantum: None,
            slow_start: false,
        }
    }

    /// A rate, and no window.
    #[inline]
    pub const fn of_rate(rate: Rate) -> Self {
        Self {
            window: Bytes::MAX,
            pacing: Some(rate),
            quantum: None,
            slow_start: false,
        }
    }
}

/// What a controller knows when its connection begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Size by which the window is counted: a full data packet.
    pub segment: Bytes,
    /// Window at the start.
    pub initial_window: Bytes,
    /// Slow-start threshold at the start; [`Bytes::MAX`] for none.
    pub initial_slow_start_threshold: Bytes,
    /// Seed of a controller that draws random numbers: the same for the same connection of the
    /// same run, and for no other one.
    pub seed: u64,
    /// Packets leave spread over the round trip, not in bursts with the ACKs.
    pub paced: bool,
    /// The receiver tells which packets arrived out of order (SACK, QUIC's ACK ranges, an ACK
    /// vector).
    pub selective: bool,
    /// What was agreed on explicit congestion notification.
    pub ecn: EcnSupport,
}

impl Setup {
    /// A connection without threshold, pacing, selective ACKs and ECN, and with seed 0.
    pub const fn new(segment: Bytes, initial_window: Bytes) -> Self {
        Self {
            segment,
            initial_window,
            initial_slow_start_threshold: Bytes::MAX,
            seed: 0,
            paced: false,
            selective: false,
            ecn: EcnSupport::None,
        }
    }
}

/// What the two ends agreed on explicit congestion notification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EcnSupport {
    /// Packets are not ECN-capable.
    #[default]
    None,
    /// ACKs echo that there was a mark until the sender says that it has reduced (RFC 3168).
    Classic,
    /// ACKs tell how many packets were marked (RFC 8257 §3.2, RFC 9768, QUIC).
    Accurate,
}

/// A packet, as its sender knew it when it left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacketRef {
    /// Its number: for TCP the segment number, else the packet number.
    pub number: u64,
    /// When it left.
    pub sent_at: Time,
}

/// A packet with data left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// When, and which.
    pub packet: PacketRef,
    /// Size counted against the window.
    pub size: Bytes,
    /// In flight, this packet included.
    pub in_flight: Bytes,
    /// Whether its data had been sent before.
    pub retransmission: bool,
}

/// What was known of the connection when a packet left, that packet included: what its fate is
/// measured against. [`RateSampler`](crate::RateSampler) makes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SentState {
    /// The packet.
    pub packet: PacketRef,
    /// Its size.
    pub size: Bytes,
    /// In flight, this packet included.
    pub in_flight: Bytes,
    /// Data delivered so far.
    pub delivered: Bytes,
    /// When the last of that was.
    pub delivered_at: Time,
    /// When the packet left whose ACK that was.
    pub first_sent_at: Time,
    /// Data declared lost so far.
    pub lost: Bytes,
    /// The application had left opportunities to send unused.
    pub app_limited: bool,
}

/// How fast data was delivered, seen over the time on the way of one packet.
///
/// As draft-ietf-ccwg-bbr has it; [`RateSampler`](crate::RateSampler) takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateSample {
    /// Data delivered between the last delivery before the packet left and now.
    pub delivered: Bytes,
    /// The longer of the time in which that was sent and the time in which it arrived.
    pub interval: Duration,
    /// [`SentState::delivered`] of the packet. A round trip of packets ends with the first sample
    /// whose value here is at least the [`Ack::delivered_total`] with which it began.
    pub prior_delivered: Bytes,
    /// [`SentState::in_flight`] of the packet.
    pub in_flight: Bytes,
    /// Data declared lost since the packet left.
    pub lost: Bytes,
    /// [`SentState::app_limited`] of the packet: the rate may be the application's, not the path's.
    pub app_limited: bool,
}

impl RateSample {
    /// Delivered data over the interval.
    pub fn rate(&self) -> Rate {
        Rate::from_bytes_over(self.delivered, self.interval)
    }
}

/// What the receiver of a rate-based protocol reports (RFC 5348 §3.2.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReceiverReport {
    /// Loss event rate, from 0 to 1.
    pub loss_event_rate: f64,
    /// Data that arrived since the last report.
    pub received: Bytes,
    /// The time between the two; zero where there is none to measure.
    pub interval: Duration,
}

/// A packet whose arrival the receiver reports by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// The packet.
    pub packet: PacketRef,
    /// When it arrived, by the receiver's clock; none where that is not reported.
    pub arrived_at: Option<Time>,
    /// Its ECN field on arrival; none where that is not reported.
    pub ecn: Option<Ecn>,
}

/// An ACK or a feedback packet told something new.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ack {
    /// When the ACK arrived.
    pub now: Time,
    /// Newly acknowledged data, in order: what the cumulative acknowledgement has advanced by. Zero
    /// for an ACK that only selects (SACK); a law that counts ACKs passes over those.
    pub acked: Bytes,
    /// The same in packets.
    pub acked_packets: u64,
    /// Data of which this ACK is the first to tell that it arrived, in order or not.
    pub newly_delivered: Bytes,
    /// All data that arrived so far, as far as ACKs tell.
    pub delivered_total: Bytes,
    /// Data declared lost since the last ACK told of. What was in flight after that ACK, and what
    /// left since, are `in_flight + newly_delivered + newly_lost`.
    pub newly_lost: Bytes,
    /// Round trip measured by this ACK, unrounded; none where it would be ambiguous.
    pub rtt: Option<Duration>,
    /// Smoothed round trip; zero before the first sample.
    pub smoothed_rtt: Duration,
    /// Smallest round trip so far; zero before the first sample.
    pub min_rtt: Duration,
    /// Time on the way of the packet that this ACK answers, plus an unknown constant (the clocks
    /// of the two ends differ); none where the receiver does not report it.
    pub one_way_delay: Option<Duration>,
    /// In flight after this ACK.
    pub in_flight: Bytes,
    /// Rate at which data arrives, if it could be measured. Only for a controller whose
    /// [`Properties::rate_samples`](crate::Properties::rate_samples) is set.
    pub delivered: Option<RateSample>,
    /// The window was not the limit when the sender last stopped: the application, or the peer's
    /// window, held it back.
    pub app_limited: bool,
    /// The window stopped the sender while the oldest data that was out before this ACK was. Not
    /// the opposite of `app_limited`: a pacer, or the peer's window, makes both false.
    pub window_limited: bool,
    /// The packet with the highest number of those newly acknowledged.
    pub newest: PacketRef,
    /// The transport is still repairing the losses of an earlier signal, so a window law that is
    /// clocked by ACKs does not grow.
    pub in_recovery: bool,
    /// Packets that arrived with a CE mark, since the last ACK told of. With
    /// [`EcnSupport::Classic`] nobody can count them: one for each ACK that echoes a mark,
    /// duplicate ACKs included.
    pub ecn_ce: u64,
    /// What the receiver reports of itself, if the protocol has that.
    pub report: Option<ReceiverReport>,
}

/// What kind of sign of congestion arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// A loss was inferred from what arrived later: duplicate ACKs, SACK, an ACK vector.
    Loss,
    /// The receiver echoed a CE mark (RFC 3168).
    EcnEcho,
    /// A router asked for less (ICMP source quench, RFC 792).
    SourceQuench,
    /// The retransmission timer expired.
    Timeout,
    /// Everything sent over several timeouts was lost (RFC 9002 §7.6).
    PersistentCongestion,
}

/// Whether a signal opens a new congestion episode, in the transport's reckoning: TCP allows one
/// reduction for each window of data, QUIC one for each round trip. Window laws reduce when an
/// episode begins; controllers that form loss events of their own read every signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Episode {
    /// First signal of an episode. For a timeout: of a packet not yet retransmitted by one.
    Begins,
    /// A further signal of the same episode.
    Continues,
}

/// The network signalled congestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Congestion {
    /// When the sign arrived.
    pub now: Time,
    /// What it was.
    pub signal: Signal,
    /// Whether the transport sees it as a new episode.
    pub episode: Episode,
    /// Data that is lost. A transport that finds losses packet by packet tells of each by itself,
    /// oldest first, before the ACK that showed them.
    pub lost: Bytes,
    /// The same in packets.
    pub lost_packets: u64,
    /// The newest of these packets; for a source quench, the packet that caused it.
    pub newest: PacketRef,
    /// `FlightSize` of RFC 5681: outstanding data before this signal, without what limited
    /// transmit added. A transport that follows RFC 9002 gives the window.
    pub flight_size: Bytes,
    /// Data declared lost so far, this included.
    pub lost_total: Bytes,
    /// For a loss: its number does not follow that of the loss told before it.
    pub range_begins: bool,
    /// For a loss: the newest lost packet as it left. Only for a controller whose
    /// [`Properties::rate_samples`](crate::Properties::rate_samples) is set.
    pub sent: Option<SentState>,
}
