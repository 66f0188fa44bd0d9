//! What can be set on the endpoints of a TCP connection.

use controllers::{EcnSupport, Properties, Setup};
use units::{Bytes, Duration};

use crate::pacer::Pacing;

/// How a sender is told that a segment is lost, and how it repairs the loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recovery {
    /// The retransmission timer alone.
    OldTahoe,
    /// Fast retransmit, then slow start (4.3BSD-Tahoe).
    Tahoe,
    /// Fast retransmit and fast recovery (RFC 5681 §3.2).
    Reno,
    /// The same, staying in recovery through partial acknowledgements (RFC 6582).
    #[default]
    NewReno,
    /// Selective acknowledgements (RFC 6675).
    Sack,
    /// Reno, and earlier where the oldest segment is overdue by a fine clock (Brakmo and Peterson).
    Vegas,
    /// Selective acknowledgements, and losses found by the time since a segment left (RFC 8985).
    Rack,
    /// Reno that answers to real losses only, told by
    /// [`TcpSender::on_lost`](crate::TcpSender::on_lost): a reference.
    Genie,
}

/// How a sender learns that a retransmission had no cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SpuriousDetection {
    /// It does not.
    #[default]
    Ignore,
    /// By the timestamp of the next ACK (RFC 3522); needs timestamps.
    Eifel,
    /// After a timeout, by the next two ACKs (RFC 5682).
    FRto,
    /// By the receiver's reports of duplicates (RFC 3708); needs
    /// [`d_sack`](ReceiverConfig::d_sack).
    DSack,
}

/// How the threshold D follows the reordering that is seen. Each fast retransmit that is found to
/// have had no cause raises it; a timeout takes it back (Blanton and Allman, 2002).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThresholdAdaptation {
    /// It does not.
    #[default]
    Fixed,
    /// By one.
    Increment,
    /// Half of the way to what the reordering would have needed.
    Average,
    /// A quarter of the way: an exponentially weighted average.
    Ewma,
}

/// What can be set on a sender. The default is what the RFCs say.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "options of the protocol, each on or off"
)]
pub struct SenderConfig {
    /// Size of a full data segment on the wire, headers included. The window is counted by it.
    pub segment_size: Bytes,
    /// Size of its headers; a SYN is as large.
    pub header_size: Bytes,
    /// How losses are repaired.
    pub recovery: Recovery,
    /// Duplicate ACKs that tell of a loss (D); at least 1.
    pub duplicate_ack_threshold: u32,
    /// New data on the duplicate ACKs before that (RFC 3042).
    pub limited_transmit: bool,
    /// Duplicate ACKs inflate the window in fast recovery (RFC 5681 §3.2 step 4); otherwise, with
    /// `NewReno`, the sender waits until the retransmission is acknowledged.
    pub window_inflation: bool,
    /// With [`Recovery::Rack`]: a probe after two round trips without an ACK (RFC 8985 §7).
    pub tail_loss_probe: bool,
    /// Window at the start, in packets.
    pub initial_window: u64,
    /// Slow-start threshold at the start, in packets; none: no threshold.
    pub initial_slow_start_threshold: Option<u64>,
    /// Most packets in flight, whatever the controller allows: the window that the receiver
    /// offers.
    pub max_window: Option<u64>,
    /// The retransmission timer.
    pub rto: RtoConfig,
    /// Round trips are sampled on every new ACK, also where a retransmission triggered it (RFC
    /// 7323 §4.1); otherwise one packet of a window is timed, and retransmissions cannot be
    /// (Karn).
    pub timestamps: bool,
    /// Karn's rule with timestamps too, as before RFC 7323: no sample from an ACK that a
    /// retransmission triggered.
    pub karn: bool,
    /// Most packets sent in answer to one ACK or timer.
    pub max_burst: Option<u32>,
    /// How a retransmission without cause is found, which is then undone.
    pub spurious: SpuriousDetection,
    /// How D follows the fast retransmits so found.
    pub threshold_adaptation: ThresholdAdaptation,
    /// Explicit congestion notification (RFC 3168).
    pub ecn: bool,
    /// With it: ACKs echo the marks of the packets that they answer, as
    /// [`ReceiverConfig::accurate_ecn`] has it.
    pub accurate_ecn: bool,
    /// Packets leave spread over the round trip where the controller gives no rate; none: with the
    /// ACKs.
    pub pacing: Option<Pacing>,
    /// What the controller leaves to the sender, and what not.
    pub properties: Properties,
    /// Opens the connection with a SYN.
    pub handshake: bool,
}

impl Default for SenderConfig {
    fn default() -> Self {
        Self {
            segment_size: Bytes(1_000),
            header_size: Bytes(40),
            recovery: Recovery::default(),
            duplicate_ack_threshold: DUPLICATE_ACK_THRESHOLD,
            limited_transmit: true,
            window_inflation: true,
            tail_loss_probe: true,
            initial_window: INITIAL_WINDOW_PACKETS,
            initial_slow_start_threshold: None,
            max_window: None,
            rto: RtoConfig::default(),
            timestamps: true,
            karn: false,
            max_burst: None,
            spurious: SpuriousDetection::default(),
            threshold_adaptation: ThresholdAdaptation::default(),
            ecn: false,
            accurate_ecn: false,
            pacing: None,
            properties: Properties::WINDOW,
            handshake: false,
        }
    }
}

impl SenderConfig {
    /// The defaults of ns-2.35's TCP agents, for data segments of `segment_size` on the wire.
    ///
    /// `maximum_window` is `window_` (20 by default), which is the first slow-start threshold too.
    pub fn ns2(recovery: Recovery, segment_size: Bytes, maximum_window: u64) -> Self {
        Self {
            segment_size,
            recovery,
            limited_transmit: recovery != Recovery::OldTahoe,
            initial_window: 2,
            max_window: Some(maximum_window),
            rto: RtoConfig::ns2(),
            timestamps: false,
            handshake: true,
            ..Self::default()
        }
    }

    /// What the controller of such a sender is built with, but for its seed.
    pub fn setup(&self) -> Setup {
        let threshold = self.initial_slow_start_threshold;
        Setup {
            segment: self.segment_size,
            initial_window: self.segment_size.saturating_mul(self.initial_window),
            initial_slow_start_threshold: threshold.map_or(Bytes::MAX, |packets| {
                self.segment_size.saturating_mul(packets)
            }),
            seed: 0,
            paced: self.properties.paced || self.pacing.is_some(),
            selective: matches!(self.recovery, Recovery::Sack | Recovery::Rack),
            ecn: match (self.ecn, self.accurate_ecn) {
                (false, _) => EcnSupport::None,
                (true, false) => EcnSupport::Classic,
                (true, true) => EcnSupport::Accurate,
            },
        }
    }
}

/// The retransmission timer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RtoConfig {
    /// Before the first sample.
    pub initial: Duration,
    /// Shortest timeout.
    pub minimum: Duration,
    /// Longest timeout, backed off.
    pub maximum: Duration,
    /// Granularity G of the sender's clock; not zero.
    pub granularity: Duration,
    /// Weight k of the deviation.
    pub k: u32,
    /// How the estimate is computed.
    pub arithmetic: RtoArithmetic,
    /// Where within a tick the clock of the sender stands at time zero. Used with ticks and
    /// without timestamps: then a round trip counts the ticks of this clock that it spans.
    pub phase: Duration,
}

/// How the retransmission timeout is computed from the samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RtoArithmetic {
    /// `SRTT + max(G, k·RTTVAR)` (RFC 6298 (2.3)).
    #[default]
    Rfc,
    /// `SRTT + k·RTTVAR`: the deviation may vanish.
    WithoutFloor,
    /// Whole ticks of G, scaled by 8 and 4 (4.3BSD), with ns-2.35's limits.
    Ticks,
}

impl Default for RtoConfig {
    fn default() -> Self {
        Self {
            initial: Duration::from_secs(1),
            minimum: Duration::from_secs(1),
            maximum: Duration::from_secs(60),
            granularity: Duration::from_millis(1),
            k: 4,
            arithmetic: RtoArithmetic::Rfc,
            phase: Duration::ZERO,
        }
    }
}

impl RtoConfig {
    /// The defaults of ns-2.35: `rtxcur_init_` 3 s, `minrto_` 0.2 s, `tcpTick_` 10 ms.
    pub fn ns2() -> Self {
        Self {
            initial: Duration::from_secs(3),
            minimum: Duration::from_millis(200),
            granularity: Duration::from_millis(10),
            arithmetic: RtoArithmetic::Ticks,
            ..Self::default()
        }
    }
}

/// What can be set on a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "options of the protocol, each on or off"
)]
pub struct ReceiverConfig {
    /// ACKs wait for a second packet, at most this long (RFC 5681 §4.2); none: every packet is
    /// acknowledged at once.
    pub delayed_ack: Option<Duration>,
    /// Selective acknowledgements (RFC 2018).
    pub sack: bool,
    /// The first block of an ACK reports a segment that arrived again (RFC 2883), also where there
    /// are no other blocks.
    pub d_sack: bool,
    /// Size of an ACK on the wire, without SACK blocks.
    pub ack_size: Bytes,
    /// Payload of a data segment.
    pub payload: Bytes,
    /// Explicit congestion notification (RFC 3168).
    pub ecn: bool,
    /// With it: an ACK echoes whether a packet that it answers was marked (RFC 8257 §3.2), instead
    /// of every ACK until the sender says that it has reduced.
    pub accurate_ecn: bool,
}

impl Default for ReceiverConfig {
    fn default() -> Self {
        Self {
            delayed_ack: None,
            sack: true,
            d_sack: false,
            ack_size: Bytes(40),
            payload: Bytes(960),
            ecn: false,
            accurate_ecn: false,
        }
    }
}

/// RFC 5681 §3.2.
const DUPLICATE_ACK_THRESHOLD: u32 = 3;
/// RFC 6928 §2.
const INITIAL_WINDOW_PACKETS: u64 = 10;
