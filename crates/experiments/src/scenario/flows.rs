//! The flows of a scenario: groups of alike flows, their protocol and their application.

use controllers::Parameters;
use units::{Bytes, Duration, Packets, Rate};

use super::{Distribution, Loss, Queue};

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
    /// The header's share of each packet, and the size of a packet without data.
    pub header: Bytes,
    /// When each flow begins.
    pub start: Distribution<Duration>,
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

    /// The protocol's name in scenario files.
    pub fn protocol_name(&self) -> &'static str {
        match self.protocol {
            Protocol::Tcp(_) => "tcp",
            Protocol::Udp => "udp",
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
    pub delay: Option<Distribution<Duration>>,
    /// Delay on the receiver's side.
    pub receiver_delay: Option<Distribution<Duration>>,
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
    /// A round-trip sample from every ACK; else one for each window, with Karn's rule.
    pub timestamps: bool,
    /// Most packets that one ACK lets out; none: no limit.
    pub max_burst: Option<Packets>,
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
        /// Rate of what is sent: on the wire for UDP, payload for TCP.
        rate: Rate,
        /// TCP only: what the receiving player holds at most; none: no player.
        playback_buffer: Option<Bytes>,
    },
    /// At a constant rate during on-times, nothing during off-times. Begins with an on-time.
    OnOff {
        /// Rate during an on-time: on the wire for UDP, payload for TCP.
        rate: Rate,
        /// How long each on-time lasts.
        on: Distribution<Duration>,
        /// How long each off-time lasts.
        off: Distribution<Duration>,
    },
}
