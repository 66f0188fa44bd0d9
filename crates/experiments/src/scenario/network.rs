//! The network of a scenario: topology, links, queues, loss and delay models.

use units::{Bytes, Duration, Rate};

use super::Distribution;

/// Which links there are and how they join.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a scenario has one, and dumbbells are the usual ones"
)]
pub enum Topology {
    /// Two routers, one link between them, hosts on both sides.
    Dumbbell(Dumbbell),
    /// Routers in a row; flows enter and leave at any of them.
    ParkingLot(ParkingLot),
    /// Nodes and links as given; packets take the shortest path by delay.
    Graph(Graph),
}

/// Two routers and the links between them. Each flow has an access link of its own on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Dumbbell {
    /// From the left router to the right one: data of forward flows, ACKs of reverse flows.
    pub bottleneck: Link,
    /// From the right router to the left one.
    pub reverse: Link,
    /// Between each flow's sender and its router.
    pub sender_access: Access,
    /// Between each flow's receiver and its router.
    pub receiver_access: Access,
}

/// Routers in a row. Hop `i` leads from router `i` to router `i + 1`.
#[derive(Clone, Debug, PartialEq)]
pub struct ParkingLot {
    /// The links from router to router; at least one.
    pub hops: Vec<Hop>,
    /// Between each flow's sender and the router where it enters.
    pub sender_access: Access,
    /// Between each flow's receiver and the router where it leaves.
    pub receiver_access: Access,
}

/// One hop of a parking lot.
#[derive(Clone, Debug, PartialEq)]
pub struct Hop {
    /// Its name, used by the flows' `from` and `to`.
    pub name: String,
    /// Towards the end of the row.
    pub forward: Link,
    /// Towards the beginning of the row.
    pub reverse: Link,
}

/// Nodes and one-directional links. Flows start and end at nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// The nodes' names, all different.
    pub nodes: Vec<String>,
    /// The links, each one direction; a duplex link of the file stands here twice.
    pub links: Vec<GraphLink>,
}

/// One direction of a link between two nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphLink {
    /// Its name, different from every other link's.
    pub name: String,
    /// Index into [`Graph::nodes`].
    pub from: usize,
    /// Index into [`Graph::nodes`].
    pub to: usize,
    /// What it is like.
    pub link: Link,
}

/// A link: one direction, a queue before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// How fast it sends; none: infinitely fast.
    pub rate: Option<Rate>,
    /// Its propagation delay.
    pub delay: Delay,
    /// Where packets wait for it.
    pub queue: Queue,
    /// Length of the queue, in packets, from which senders get source quenches; none: never.
    pub source_quench: Option<u64>,
    /// Losses on the way; each takes from what the ones before it let through.
    pub losses: Vec<Loss>,
    /// What changes during the run, in order of time.
    pub schedule: Vec<Change>,
}

/// The links between a host and its router: one in each direction, both alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Access {
    /// How fast; none: infinitely fast.
    pub rate: Option<Rate>,
    /// Propagation delay, drawn once for each flow.
    pub delay: Distribution<Duration>,
    /// The queue of each direction.
    pub queue: Queue,
    /// Losses of the flow's data; what comes back (ACKs) is not lost here.
    pub losses: Vec<Loss>,
}

/// How long packets are on their way.
#[derive(Clone, Debug, PartialEq)]
pub enum Delay {
    /// Drawn once for the link, when the run begins.
    Fixed(Distribution<Duration>),
    /// Changes from state to state.
    Alternating(Alternating),
    /// Changes as was measured, or at will: times since the beginning of the run, the first of them
    /// zero, ascending, each with the delay from then on.
    Trace(Vec<(Duration, Duration)>),
}

/// A delay that follows a semi-Markov process. It begins in the first state. Packets keep the
/// delay they had when their transmission began, so that later ones may overtake them.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternating {
    /// The states; at least two.
    pub states: Vec<DelayState>,
    /// `transitions[i][j]`: probability that state `j` follows state `i`. Each row adds up to 1.
    pub transitions: Vec<Vec<f64>>,
}

/// One state of an alternating delay.
#[derive(Clone, Debug, PartialEq)]
pub struct DelayState {
    /// The propagation delay in this state.
    pub delay: Duration,
    /// How long it stays, each time.
    pub holding: Holding,
}

/// The law of a holding time.
#[derive(Clone, Debug, PartialEq)]
pub enum Holding {
    /// A least time and an exponential one.
    Exponential {
        /// Least time spent in the state.
        stay: Duration,
        /// Mean of the exponential time that is added to `stay`.
        extra: Duration,
    },
    /// Any other.
    Drawn(Distribution<Duration>),
}

/// A queue discipline.
#[derive(Clone, Debug, PartialEq)]
pub enum Queue {
    /// First in, first out; what finds it full is dropped.
    DropTail {
        /// How much may wait, the packet being sent not counted.
        limit: Limit,
        /// How many must wait for a packet to be marked; none: no marks.
        mark: Option<u64>,
    },
    /// Random early detection.
    Red(Red),
}

impl Default for Queue {
    fn default() -> Self {
        Self::DropTail {
            limit: Limit::Unlimited,
            mark: None,
        }
    }
}

impl Queue {
    /// A drop-tail queue that marks nothing.
    pub(super) fn drop_tail(limit: Limit) -> Self {
        Self::DropTail { limit, mark: None }
    }

    /// How much may wait.
    pub fn limit(&self) -> Limit {
        match self {
            Self::DropTail { limit, .. } => *limit,
            Self::Red(red) => red.limit,
        }
    }
}

/// How much may wait in a queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Everything.
    Unlimited,
    /// So many packets.
    Packets(u64),
    /// So many bytes.
    Bytes(Bytes),
    /// So many bandwidth-delay products; see [`Limit::resolve`].
    Bdp(f64),
}

/// A limit in the units that a queue counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResolvedLimit {
    /// Everything.
    Unlimited,
    /// So many packets.
    Packets(u64),
    /// So many bytes.
    Bytes(Bytes),
}

impl Limit {
    /// The limit of a link between routers or nodes that is given none.
    pub(super) fn default_of_link(rate: Option<Rate>) -> Self {
        if rate.is_some() {
            Self::Bdp(1.0)
        } else {
            Self::Unlimited
        }
    }

    /// The limit without reference to a bandwidth-delay product.
    ///
    /// `n` BDP are `n × rate × round_trip` in packets of `packet_size`, rounded to the nearest
    /// whole packet, at least 1. Infinitely fast links (`rate` none) have no such product: there
    /// the limit is [`ResolvedLimit::Unlimited`]; scenario files refuse it.
    pub fn resolve(
        self,
        rate: Option<Rate>,
        round_trip: Duration,
        packet_size: Bytes,
    ) -> ResolvedLimit {
        match (self, rate) {
            (Self::Unlimited, _) | (Self::Bdp(_), None) => ResolvedLimit::Unlimited,
            (Self::Packets(packets), _) => ResolvedLimit::Packets(packets),
            (Self::Bytes(bytes), _) => ResolvedLimit::Bytes(bytes),
            (Self::Bdp(number), Some(rate)) => {
                let bits = rate.as_f64() * round_trip.as_secs_f64();
                let packets = number * bits / (8.0 * packet_size.as_f64().max(1.0));
                ResolvedLimit::Packets((packets.round() as u64).max(1))
            }
        }
    }
}

/// Parameters of random early detection.
#[derive(Clone, Debug, PartialEq)]
pub struct Red {
    /// How much may wait, whatever the average.
    pub limit: Limit,
    /// Average at which dropping begins, in packets; none: automatic.
    pub min_threshold: Option<f64>,
    /// Average at which the probability reaches `max_probability`, in packets; none: three times
    /// the lower one.
    pub max_threshold: Option<f64>,
    /// Drop probability at `max_threshold`.
    pub max_probability: f64,
    /// Weight of a new sample in the average.
    pub weight: RedWeight,
    /// Between `max_threshold` and twice it the probability rises to 1 instead of jumping there.
    pub gentle: bool,
    /// Drops keep a distance from each other.
    pub wait: bool,
    /// What the average counts.
    pub mode: RedMode,
    /// By which bytes become packets and the other way round.
    pub mean_packet_size: Bytes,
    /// Marks packets that understand ECN instead of dropping them, below the limit.
    pub ecn: bool,
}

/// Weight of a new sample in RED's average. `C` is the link's rate in mean packets per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RedWeight {
    /// 1 − exp(−1 / (10 R C)) with R = max(0.1 s, 3 (delay + 1 / C)); ns-2's −1.
    Auto,
    /// 1 − exp(−1 / C): a time constant of a second; ns-2's 0.
    AutoSecond,
    /// 1 − exp(−10 / C): a time constant of a tenth of a second; ns-2's −2.
    AutoTenthSecond,
    /// As given, over 0 and at most 1.
    Value(f64),
}

/// What RED's average counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedMode {
    /// Packets of any size.
    Packets,
    /// Bytes; large packets are dropped more often.
    Bytes,
}

/// A loss model and where it acts.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// Which packets are lost.
    pub model: LossModel,
    /// Before the queue or on the wire.
    pub place: LossPlace,
}

/// Where on a link packets are lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LossPlace {
    /// Before the queue: a lost packet uses neither buffer nor link.
    Entry,
    /// On the wire: a lost packet has used the link.
    #[default]
    Exit,
}

/// Which packets are lost.
#[derive(Clone, Debug, PartialEq)]
pub enum LossModel {
    /// Each packet by itself.
    Bernoulli {
        /// Of each packet.
        probability: f64,
    },
    /// Two states that change with each packet.
    GilbertElliott {
        /// From good to bad, at each packet.
        good_to_bad: f64,
        /// From bad to good, at each packet.
        bad_to_good: f64,
        /// Loss in the good state.
        loss_good: f64,
        /// Loss in the bad state.
        loss_bad: f64,
    },
    /// Each `packets`-th packet.
    Every {
        /// One of so many.
        packets: u64,
    },
    /// Given packets.
    List {
        /// Counted from 0 in the order in which they come to the link; ascending.
        packets: Vec<u64>,
        /// Only this group's data packets count, for each of its flows by itself; none: every
        /// packet counts.
        flow: Option<String>,
    },
    /// The first packet at or after each of these times.
    At {
        /// Since the run began; ascending.
        times: Vec<Duration>,
        /// Only this group's data packets; none: any packet.
        flow: Option<String>,
    },
    /// Everything, for some time.
    Outage {
        /// From the beginning of one outage to that of the next.
        every: Distribution<Duration>,
        /// How long each lasts.
        duration: Distribution<Duration>,
    },
}

impl LossModel {
    /// The label of the group that it is for, if it is for one.
    pub fn flow(&self) -> Option<&str> {
        match self {
            Self::List { flow, .. } | Self::At { flow, .. } => flow.as_deref(),
            _ => None,
        }
    }
}

/// A change of a link at a time. What is none stays as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// When, since the run began.
    pub at: Duration,
    /// The rate from then on.
    pub rate: Option<Rate>,
    /// The delay of packets whose transmission begins from then on.
    pub delay: Option<Duration>,
    /// Whether packets pass from then on; while down, all that come are lost.
    pub up: Option<bool>,
}
