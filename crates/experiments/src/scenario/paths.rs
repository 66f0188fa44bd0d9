//! Where packets go, how long they take at least, and what a bandwidth-delay product is.

use std::collections::BTreeSet;

use units::{Bytes, Duration, Rate};

use super::{
    Access, AccessRate, Delay, Direction, FlowGroup, Graph, Link, ResolvedLimit, Route, Scenario,
    Topology, resolve_limit,
};

/// One of the links between routers or nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkAt {
    /// Hop `i` of a parking lot, forward; a dumbbell's bottleneck is hop 0.
    Forward(usize),
    /// Hop `i` the other way.
    Reverse(usize),
    /// Link `i` of a graph.
    Graph(usize),
}

impl Delay {
    /// The delay that paths and bandwidth-delay products are reckoned with: the mean of what is
    /// drawn, the delay at the start of what changes.
    pub fn nominal(&self) -> Duration {
        match self {
            Self::Fixed(distribution) => distribution.mean(),
            Self::Model(model) => (model.what.first)(&model.parameters),
        }
    }

    /// The least it can be.
    fn least(&self) -> Duration {
        match self {
            Self::Fixed(distribution) => distribution.least(),
            Self::Model(model) => (model.what.least)(&model.parameters),
        }
    }
}

impl Graph {
    /// The links on the path of least nominal delay; of two such the one with fewer links, then
    /// the one found first in the order of the file. None where there is no path.
    pub fn path(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let mut best = vec![None; self.nodes.len()];
        let mut arrived_by = vec![None; self.nodes.len()];
        let mut open = BTreeSet::from([(Duration::ZERO, 0_usize, from)]);
        best[from] = Some((Duration::ZERO, 0));
        let mut outgoing = vec![Vec::new(); self.nodes.len()];
        for (index, link) in self.links.iter().enumerate() {
            outgoing[link.from].push(index);
        }
        while let Some((delay, links, node)) = open.pop_first() {
            if best[node] != Some((delay, links)) {
                continue;
            }
            for &index in &outgoing[node] {
                let link = &self.links[index];
                let cost = (delay.saturating_add(link.link.delay.nominal()), links + 1);
                if best[link.to].is_none_or(|known| cost < known) {
                    best[link.to] = Some(cost);
                    arrived_by[link.to] = Some(index);
                    open.insert((cost.0, cost.1, link.to));
                }
            }
        }
        let mut path = Vec::new();
        let mut node = to;
        while node != from {
            let index = arrived_by[node]?;
            path.push(index);
            node = self.links[index].from;
        }
        path.reverse();
        Some(path)
    }

    /// Nodes of a cycle in which no time passes: no link of it has a rate or a delay.
    pub(super) fn timeless_cycle(&self) -> Option<Vec<usize>> {
        let timeless = |index: &usize| {
            let link = &self.links[*index].link;
            link.rate.is_none() && link.delay.least().is_zero()
        };
        let links: Vec<_> = (0..self.links.len()).filter(timeless).collect();
        // Takes away, again and again, links that nothing timeless leads on from; what is left
        // goes round.
        let mut left = links;
        loop {
            let before = left.len();
            let begins: BTreeSet<_> = left.iter().map(|index| self.links[*index].from).collect();
            left.retain(|index| begins.contains(&self.links[*index].to));
            if left.len() == before {
                break;
            }
        }
        let mut node = self.links[*left.first()?].from;
        let mut visited = Vec::new();
        while !visited.contains(&node) {
            visited.push(node);
            let next = left.iter().find(|index| self.links[**index].from == node)?;
            node = self.links[*next].to;
        }
        let start = visited.iter().position(|known| *known == node)?;
        Some(visited.split_off(start))
    }
}

impl Topology {
    /// What the access links of the sender and of the receiver are like; none in a graph.
    pub fn accesses(&self) -> Option<(&Access, &Access)> {
        match self {
            Self::Dumbbell(dumbbell) => Some((&dumbbell.sender_access, &dumbbell.receiver_access)),
            Self::ParkingLot(lot) => Some((&lot.sender_access, &lot.receiver_access)),
            Self::Graph(_) => None,
        }
    }

    /// All links between routers or nodes.
    pub fn links(&self) -> Vec<(LinkAt, &Link)> {
        match self {
            Self::Dumbbell(dumbbell) => vec![
                (LinkAt::Forward(0), &dumbbell.bottleneck),
                (LinkAt::Reverse(0), &dumbbell.reverse),
            ],
            Self::ParkingLot(lot) => (0..)
                .zip(&lot.hops)
                .flat_map(|(i, hop)| {
                    [
                        (LinkAt::Forward(i), &hop.forward),
                        (LinkAt::Reverse(i), &hop.reverse),
                    ]
                })
                .collect(),
            Self::Graph(graph) => (0..)
                .zip(&graph.links)
                .map(|(i, link)| (LinkAt::Graph(i), &link.link))
                .collect(),
        }
    }

    /// One of the links.
    ///
    /// # Panics
    /// When the topology has no such link.
    pub fn link(&self, at: LinkAt) -> &Link {
        match (self, at) {
            (Self::Dumbbell(dumbbell), LinkAt::Forward(0)) => &dumbbell.bottleneck,
            (Self::Dumbbell(dumbbell), LinkAt::Reverse(0)) => &dumbbell.reverse,
            (Self::ParkingLot(lot), LinkAt::Forward(i)) => &lot.hops[i].forward,
            (Self::ParkingLot(lot), LinkAt::Reverse(i)) => &lot.hops[i].reverse,
            (Self::Graph(graph), LinkAt::Graph(i)) => &graph.links[i].link,
            _ => panic!("no link {at:?}"),
        }
    }
}

impl Scenario {
    /// What a group's access links are like: the sender's and the receiver's.
    pub fn access(&self, group: &FlowGroup) -> (Access, Access) {
        let (mut sender, mut receiver) = match self.topology.accesses() {
            Some((sender, receiver)) => (sender.clone(), receiver.clone()),
            None => (Access::default(), Access::default()),
        };
        let Some(own) = &group.access else {
            return (sender, receiver);
        };
        if let Some(rate) = own.rate {
            let rate = match rate {
                AccessRate::Unlimited => None,
                AccessRate::Limited(rate) => Some(rate),
            };
            (sender.rate, receiver.rate) = (rate, rate);
        }
        if let Some(delay) = &own.delay {
            sender.delay = delay.clone();
        }
        if let Some(delay) = &own.receiver_delay {
            receiver.delay = delay.clone();
        }
        if let Some(queue) = &own.queue {
            (sender.queue, receiver.queue) = (queue.clone(), queue.clone());
        }
        if let Some(losses) = &own.losses {
            sender.losses.clone_from(losses);
        }
        if let Some(losses) = &own.receiver_losses {
            receiver.losses.clone_from(losses);
        }
        (sender, receiver)
    }

    /// The links between routers or nodes that a group's data takes, and those that its ACKs take.
    pub fn paths(&self, group: &FlowGroup) -> (Vec<LinkAt>, Vec<LinkAt>) {
        let hops = |first: usize, last: usize| {
            let along = (first..=last).map(LinkAt::Forward).collect();
            let against = (first..=last).rev().map(LinkAt::Reverse).collect();
            match group.direction {
                Direction::Forward => (along, against),
                Direction::Reverse => (against, along),
            }
        };
        match (&self.topology, group.route) {
            (Topology::Graph(graph), Route::Nodes { from, to }) => {
                let path = |from, to| {
                    let links = graph.path(from, to).unwrap_or_default();
                    links.into_iter().map(LinkAt::Graph).collect()
                };
                (path(from, to), path(to, from))
            }
            (Topology::ParkingLot(_), Route::Hops { first, last }) => hops(first, last),
            _ => hops(0, 0),
        }
    }

    /// The links on a group's path that send source quenches, each with the links between routers
    /// or nodes that lead back from its beginning.
    pub fn quench_paths(&self, group: &FlowGroup) -> Vec<(LinkAt, Vec<LinkAt>)> {
        let (there, back) = self.paths(group);
        let quenching = |(index, at): (usize, &LinkAt)| {
            self.topology.link(*at).queue.source_quench()?;
            let way = match (&self.topology, group.route, *at) {
                (Topology::Graph(graph), Route::Nodes { from, .. }, LinkAt::Graph(link)) => {
                    let path = graph.path(graph.links[link].from, from);
                    let links = path.unwrap_or_default();
                    links.into_iter().map(LinkAt::Graph).collect()
                }
                // What leads back from hop to hop, without the hop itself and those beyond.
                _ => back[there.len() - index..].to_vec(),
            };
            Some((*at, way))
        };
        there.iter().enumerate().filter_map(quenching).collect()
    }

    /// The base round trip of a group: propagation delays there and back, access links included,
    /// in the mean over what is drawn; no transmission, no queues.
    pub fn base_round_trip(&self, group: &FlowGroup) -> Duration {
        let (sender, receiver) = self.access(group);
        let access = sender.delay.mean().saturating_add(receiver.delay.mean());
        let (there, back) = self.paths(group);
        there
            .into_iter()
            .chain(back)
            .map(|at| self.topology.link(at).delay.nominal())
            .fold(access.saturating_mul(2), Duration::saturating_add)
    }

    /// The round trip by which a link's bandwidth-delay product is reckoned: the mean base round
    /// trip of the flows whose data or ACKs take the link, or twice its own delay where none do.
    pub fn link_round_trip(&self, at: LinkAt) -> Duration {
        let (mut sum, mut flows) = (0_u128, 0_u128);
        for group in &self.flows {
            let (there, back) = self.paths(group);
            if there.contains(&at) || back.contains(&at) {
                let count = u128::from(group.count);
                sum += u128::from(self.base_round_trip(group).as_picos()) * count;
                flows += count;
            }
        }
        match sum.checked_div(flows) {
            Some(mean) => Duration::from_picos(u64::try_from(mean).unwrap_or(u64::MAX)),
            None => self.topology.link(at).delay.nominal().saturating_mul(2),
        }
    }

    /// How much may wait for a link between routers or nodes. A BDP is the link's rate times
    /// [`link_round_trip`](Self::link_round_trip), in packets of the first group's size.
    pub fn queue_limit(&self, at: LinkAt) -> ResolvedLimit {
        let link = self.topology.link(at);
        let round_trip = self.link_round_trip(at);
        resolve_limit(
            link.queue.limit(),
            link.rate,
            round_trip,
            self.packet_size(),
        )
    }

    /// How much may wait for one of a group's access links. A BDP is the link's rate times the
    /// group's [`base_round_trip`](Self::base_round_trip), in packets of the first group's size.
    pub fn access_queue_limit(&self, group: &FlowGroup, access: &Access) -> ResolvedLimit {
        let round_trip = self.base_round_trip(group);
        resolve_limit(
            access.queue.limit(),
            access.rate,
            round_trip,
            self.packet_size(),
        )
    }

    /// The packet size by which bandwidth-delay products are counted: the first group's.
    fn packet_size(&self) -> Bytes {
        self.flows
            .first()
            .map_or(Bytes(1), |group| group.packet_size)
    }

    /// Whether a group's packets can go there and back without any time passing.
    pub(super) fn is_timeless(&self, group: &FlowGroup) -> bool {
        let free = |rate: Option<Rate>, delay: Duration| rate.is_none() && delay.is_zero();
        let (sender, receiver) = self.access(group);
        let (there, back) = self.paths(group);
        [&sender, &receiver]
            .iter()
            .all(|access| free(access.rate, access.delay.least()))
            && there.into_iter().chain(back).all(|at| {
                let link = self.topology.link(at);
                free(link.rate, link.delay.least())
            })
    }
}
