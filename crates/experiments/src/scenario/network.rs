//! The network of a scenario: topology, links, queues, loss and delay models.

use netsim::delay::Process;
use units::choice::Limit;
use units::{Bytes, Distribution, Duration, Rate};

use super::{Chosen, Loss, Queue};

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
    pub delay: Distribution,
    /// The queue of each direction.
    pub queue: Queue,
    /// Losses of the flow's data; what comes back (ACKs) is not lost here.
    pub losses: Vec<Loss>,
}

/// How long packets are on their way.
#[derive(Clone, Debug, PartialEq)]
pub enum Delay {
    /// Drawn once for the link, when the run begins.
    Fixed(Distribution),
    /// Changes by itself.
    Model(Chosen<Process>),
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

/// The limit of a link between routers or nodes that is given none.
pub(super) fn default_limit(rate: Option<Rate>) -> Limit {
    if rate.is_some() {
        Limit::Bdp(1.0)
    } else {
        Limit::Unlimited
    }
}

/// A limit without reference to a bandwidth-delay product.
///
/// `n` BDP are `n × rate × round_trip` in packets of `packet_size`, rounded to the nearest
/// whole packet, at least 1. Infinitely fast links (`rate` none) have no such product: there
/// the limit is [`ResolvedLimit::Unlimited`]; scenario files refuse it.
pub fn resolve_limit(
    limit: Limit,
    rate: Option<Rate>,
    round_trip: Duration,
    packet_size: Bytes,
) -> ResolvedLimit {
    match (limit, rate) {
        (Limit::Unlimited, _) | (Limit::Bdp(_), None) => ResolvedLimit::Unlimited,
        (Limit::Packets(packets), _) => ResolvedLimit::Packets(packets),
        (Limit::Bytes(bytes), _) => ResolvedLimit::Bytes(bytes),
        (Limit::Bdp(number), Some(rate)) => {
            let bits = rate.as_f64() * round_trip.as_secs_f64();
            let packets = number * bits / (8.0 * packet_size.as_f64().max(1.0));
            ResolvedLimit::Packets((packets.round() as u64).max(1))
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
