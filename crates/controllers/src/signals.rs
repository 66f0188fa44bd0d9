//! What a transport tells a controller, and what the controller answers.

use units::{Bytes, Duration, Rate, Time};

/// What a controller allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most data in flight. A transport that counts packets divides by the packet size and rounds
    /// down.
    pub window: Bytes,
    /// Rate at which packets leave; `None` leaves pacing to the ACK clock.
    pub pacing: Option<Rate>,
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
}

/// A packet, as its sender knew it when it left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// How fast data arrived over the last round trip (as BBR measures it).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateSample {
    /// Data acknowledged between the departure of the packet this sample is from and now.
    pub delivered: Bytes,
    /// The time between the two.
    pub interval: Duration,
}

impl RateSample {
    /// Delivered data over the interval.
    pub fn rate(&self) -> Rate {
        Rate::from_bytes_over(self.delivered, self.interval)
    }
}

/// New data was acknowledged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ack {
    /// When the ACK arrived.
    pub now: Time,
    /// Newly acknowledged data.
    pub acked: Bytes,
    /// The same in packets.
    pub acked_packets: u64,
    /// Round trip measured by this ACK, unrounded; none where it would be ambiguous.
    pub rtt: Option<Duration>,
    /// Smoothed round trip; zero before the first sample.
    pub smoothed_rtt: Duration,
    /// Smallest round trip so far; zero before the first sample.
    pub min_rtt: Duration,
    /// In flight after this ACK.
    pub in_flight: Bytes,
    /// Rate at which data arrives, if it could be measured.
    pub delivered: Option<RateSample>,
    /// The window was not the limit: the application, or the peer's window, held the sender back.
    pub app_limited: bool,
    /// The newest packet that this ACK acknowledges.
    pub newest: PacketRef,
    /// The transport is still repairing the losses of an earlier signal, so a window law that is
    /// clocked by ACKs does not grow.
    pub in_recovery: bool,
    /// Packets that arrived with a CE mark, since the last ACK.
    pub ecn_ce: u64,
    /// Source quenches since the last ACK.
    pub source_quenches: u64,
    /// Loss event rate that the receiver reports (RFC 5348 §3.2.2), if the protocol carries one.
    pub loss_event_rate: Option<f64>,
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
    /// Data that is lost, or that was marked.
    pub lost: Bytes,
    /// The same in packets.
    pub lost_packets: u64,
    /// The newest of these packets; for a source quench, the packet that caused it.
    pub newest: PacketRef,
    /// `FlightSize` of RFC 5681: outstanding data before this signal, without what limited
    /// transmit added. A transport that follows RFC 9002 gives the window.
    pub flight_size: Bytes,
}
