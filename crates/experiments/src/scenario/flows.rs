//! The flows of a scenario: groups of alike flows, their protocol and their application.

use controllers::Parameters;
use units::{Bytes, Distribution, Duration, Packets, Rate};

use super::{Loss, Queue};

/// Flows that are alike but for what is drawn for each.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowGroup {
    /// Its name, different from every other group's.
    pub label: String,
    /// How many flows.
    pub count: u32,
    /// What carries the data.
    pub protocol: Protocol,
    /// What has data to send.
    pub application: Application,
    /// Data packets to transfer; none: no end.
    pub packets: Option<u64>,
    /// A full data packet on the wire, header included.
    pub packet_size: Bytes,
    /// The header's share of each packet; with TCP, the size of a packet without data too.
    pub header: Bytes,
    /// When each flow begins.
    pub start: Distribution,
    /// When all of them end; none: with the run.
    pub stop: Option<Duration>,
    /// Which way the data goes.
    pub direction: Direction,
    /// Where data enters and leaves the network.
    pub route: Route,
    /// What is different about this group's access links; see [`Scenario::access`].
    ///
    /// [`Scenario::access`]: super::Scenario::access
    pub access: Option<FlowAccess>,
    /// When an ACK opens the window, the sender waits a time drawn evenly up to this; zero: it
    /// sends at once.
    pub dither: Duration,
}

impl FlowGroup {
    /// Data in a full packet.
    pub fn payload(&self) -> Bytes {
        self.packet_size.saturating_sub(self.header)
    }

    /// How far a packet's size may lie from [`packet_size`](Self::packet_size), which is the mean.
    pub fn size_spread(&self) -> Bytes {
        match &self.protocol {
            Protocol::Tfrc(options) => options.size_spread,
            Protocol::Tfwc(options) => options.size_spread,
            Protocol::Tcp(_) | Protocol::Udp => Bytes(0),
        }
    }

    /// The protocol's name in scenario files.
    pub fn protocol_name(&self) -> &'static str {
        match self.protocol {
            Protocol::Tcp(_) => "tcp",
            Protocol::Udp => "udp",
            Protocol::Tfrc(_) => "tfrc",
            Protocol::Tfwc(_) => "tfwc",
        }
    }
}

impl Protocol {
    /// Its congestion controller, if it has one.
    pub fn controller(&self) -> Option<&ControllerChoice> {
        match self {
            Self::Tcp(options) => Some(&options.controller),
            Self::Udp => None,
            Self::Tfrc(options) => Some(&options.controller),
            Self::Tfwc(options) => Some(&options.controller),
        }
    }

    /// The receiver's window; none: no limit.
    pub fn max_window(&self) -> Option<Packets> {
        match self {
            Self::Tcp(options) => options.max_window,
            Self::Udp | Self::Tfrc(_) | Self::Tfwc(_) => None,
        }
    }
}

/// Which way data goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Along the bottleneck or the row of hops.
    #[default]
    Forward,
    /// Against it: the sender stands at the end, the receiver at the beginning.
    Reverse,
}

/// Where data enters and leaves the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// From one side of the dumbbell to the other.
    Across,
    /// Along the hops of a parking lot from `first` to `last`, both included.
    Hops {
        /// Index into [`ParkingLot::hops`](super::ParkingLot::hops).
        first: usize,
        /// Index into [`ParkingLot::hops`](super::ParkingLot::hops), at least `first`.
        last: usize,
    },
    /// From node to node of a graph.
    Nodes {
        /// Index into [`Graph::nodes`](super::Graph::nodes).
        from: usize,
        /// Index into [`Graph::nodes`](super::Graph::nodes).
        to: usize,
    },
}

/// What a group's access links have in place of the topology's. What is none stays as it is there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowAccess {
    /// Rate on both sides.
    pub rate: Option<AccessRate>,
    /// Delay on the sender's side.
    pub delay: Option<Distribution>,
    /// Delay on the receiver's side.
    pub receiver_delay: Option<Distribution>,
    /// Queues on both sides.
    pub queue: Option<Queue>,
    /// Losses of data on the sender's side.
    pub losses: Option<Vec<Loss>>,
    /// Losses of data on the receiver's side.
    pub receiver_losses: Option<Vec<Loss>>,
}

/// The rate of an access link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessRate {
    /// Infinitely fast.
    Unlimited,
    /// This rate.
    Limited(Rate),
}

/// What carries the data.
#[derive(Clone, Debug, PartialEq)]
pub enum Protocol {
    /// Reliable and in order, with a congestion controller.
    Tcp(TcpOptions),
    /// Datagrams as the application gives them.
    Udp,
    /// Datagrams at a rate that follows the loss event rate.
    Tfrc(TfrcOptions),
    /// Datagrams within a window, acknowledged by an ACK vector.
    Tfwc(TfwcOptions),
}

/// The parts and parameters of a TFRC flow.
#[derive(Clone, Debug, PartialEq)]
pub struct TfrcOptions {
    /// The rate law.
    pub controller: ControllerChoice,
    /// Old loss intervals count less when the present one is long.
    pub history_discounting: bool,
    /// Later packets that tell of a loss, 1 to 3.
    pub later_packets: u32,
    /// Explicit congestion notification.
    pub ecn: bool,
    /// How far a packet's size may lie from the group's, which is the mean.
    pub size_spread: Bytes,
    /// A feedback packet on the wire.
    pub feedback_size: Bytes,
    /// Whose habits to follow where they differ from RFC 5348.
    pub compat: Compat,
}

/// The parts and parameters of a TFWC flow.
#[derive(Clone, Debug, PartialEq)]
pub struct TfwcOptions {
    /// The window law.
    pub controller: ControllerChoice,
    /// Window at the start.
    pub initial_window: Packets,
    /// Timeout before the first round trip is measured.
    pub initial_timeout: Duration,
    /// Least that four variations count in the timeout.
    pub granularity: Duration,
    /// How far a packet's size may lie from the group's, which is the mean.
    pub size_spread: Bytes,
    /// An ACK on the wire.
    pub feedback_size: Bytes,
    /// An ACK is larger by its coded ACK vector.
    pub ack_vector_on_wire: bool,
}

/// The parts and parameters of a TCP connection.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a key of its own, and they go together freely"
)]
pub struct TcpOptions {
    /// How losses are found and repaired.
    pub recovery: Recovery,
    /// The window law.
    pub controller: ControllerChoice,
    /// The receiver acknowledges every second packet, or after this time; none: every packet.
    pub delayed_ack: Option<Duration>,
    /// Explicit congestion notification.
    pub ecn: bool,
    /// The connection begins with a SYN and its answer.
    pub handshake: bool,
    /// Window at the start.
    pub initial_window: Packets,
    /// The receiver's window; none: no limit.
    pub max_window: Option<Packets>,
    /// Slow-start threshold at the start; none: no limit.
    pub initial_slow_start_threshold: Option<Packets>,
    /// Duplicate ACKs that are taken for a loss.
    pub duplicate_ack_threshold: u32,
    /// New data goes out on the first duplicate ACKs.
    pub limited_transmit: bool,
    /// Duplicate ACKs inflate the window in fast recovery.
    pub window_inflation: bool,
    /// Packets leave spread over the round trip.
    pub pacing: bool,
    /// Windows for each round trip then; none: as Linux has it.
    pub pacing_factor: Option<f64>,
    /// An ACK echoes the marks of the packets that it answers, and no others.
    pub accurate_ecn: bool,
    /// A round-trip sample from every ACK; else one for each window, with Karn's rule.
    pub timestamps: bool,
    /// No sample from a retransmission, timestamps or not.
    pub karn: bool,
    /// With RACK: a probe after two round trips without an ACK.
    pub tail_loss_probe: bool,
    /// Most packets that one ACK lets out; none: no limit.
    pub max_burst: Option<Packets>,
    /// How retransmissions without cause are found, to be undone.
    pub spurious: SpuriousDetection,
    /// The receiver reports duplicates.
    pub d_sack: bool,
    /// How the threshold of duplicate ACKs follows reordering.
    pub threshold_adaptation: ThresholdAdaptation,
    /// The retransmission timer.
    pub rto: Rto,
    /// Whose habits to follow where they differ from the RFCs.
    pub compat: Compat,
}

/// How TCP finds and repairs losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Timeouts only.
    OldTahoe,
    /// Fast retransmit, then slow start.
    Tahoe,
    /// Fast retransmit and fast recovery.
    Reno,
    /// Fast recovery that stays until all losses of a window are repaired.
    NewReno,
    /// Selective acknowledgements.
    Sack,
    /// Reno, and earlier where the oldest packet is overdue.
    Vegas,
    /// Selective acknowledgements; a packet is lost when it is overdue.
    Rack,
    /// As Reno, for real losses only: a reference.
    Genie,
}

impl Recovery {
    /// Its name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            Self::OldTahoe => "old-tahoe",
            Self::Tahoe => "tahoe",
            Self::Reno => "reno",
            Self::NewReno => "new-reno",
            Self::Sack => "sack",
            Self::Vegas => "vegas",
            Self::Rack => "rack",
            Self::Genie => "genie",
        }
    }
}

/// A congestion controller by name, with every parameter filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerChoice {
    /// Its name in the registry.
    pub name: &'static str,
    /// All of its parameters.
    pub parameters: Parameters,
}

/// The retransmission timer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rto {
    /// Before the first sample.
    pub initial: Duration,
    /// Never shorter.
    pub minimum: Duration,
    /// Never longer.
    pub maximum: Duration,
    /// Clock tick by which round trips are measured; over zero.
    pub granularity: Duration,
    /// Where within a tick the clock stands when the run begins. Only ns-2's clock has one.
    pub phase: Duration,
    /// Variations added to the smoothed round trip.
    pub k: u32,
    /// How it is computed.
    pub arithmetic: RtoArithmetic,
}

/// How a sender learns that a retransmission had no cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpuriousDetection {
    /// It does not.
    Ignore,
    /// By the timestamp of the next ACK.
    Eifel,
    /// After a timeout, by the next two ACKs.
    FRto,
    /// By the receiver's reports of duplicates.
    DSack,
}

impl SpuriousDetection {
    /// Its name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ignore => "ignore",
            Self::Eifel => "eifel",
            Self::FRto => "f-rto",
            Self::DSack => "d-sack",
        }
    }
}

/// How the threshold of duplicate ACKs follows reordering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThresholdAdaptation {
    /// It does not.
    Fixed,
    /// One higher for each false fast retransmit.
    Increment,
    /// Half of the way to what it would have needed.
    Average,
    /// A quarter of the way.
    Ewma,
}

impl ThresholdAdaptation {
    /// Its name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Increment => "increment",
            Self::Average => "average",
            Self::Ewma => "ewma",
        }
    }
}

/// How the retransmission timeout is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RtoArithmetic {
    /// Real numbers; what is added to the round trip is at least one tick.
    Rfc,
    /// Real numbers; what is added may vanish.
    WithoutFloor,
    /// Whole ticks.
    Ticks,
}

impl RtoArithmetic {
    /// Its name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rfc => "rfc",
            Self::WithoutFloor => "without-floor",
            Self::Ticks => "ticks",
        }
    }
}

/// Whose habits to follow where they differ from the RFCs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compat {
    /// The RFCs'.
    #[default]
    Rfc,
    /// Those of ns-2.35.
    Ns2,
}

/// What has data to send.
#[derive(Clone, Debug, PartialEq)]
pub enum Application {
    /// Always something to send.
    Bulk,
    /// At a constant rate.
    Cbr {
        /// Rate of what is sent: on the wire for UDP, else payload.
        rate: Rate,
        /// TCP only: what the receiving player holds at most; none: no player.
        playback_buffer: Option<Bytes>,
    },
    /// At a constant rate during on-times, nothing during off-times. Begins with an on-time.
    OnOff {
        /// Rate during an on-time: on the wire for UDP, else payload.
        rate: Rate,
        /// How long each on-time lasts.
        on: Distribution,
        /// How long each off-time lasts.
        off: Distribution,
    },
}
