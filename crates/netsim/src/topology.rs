//! Nodes, the links between them, and the shortest way from one to another.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use units::Duration;

use crate::LinkId;

/// A node, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub usize);

/// Nodes and one-way links, for finding routes.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    outgoing: Vec<Vec<Edge>>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: usize,
    delay: Duration,
    link: LinkId,
}

/// No way leads from one node to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable {
    /// Where the way should begin.
    pub from: NodeId,
    /// Where it should end.
    pub to: NodeId,
}

impl Graph {
    /// Adds a node.
    pub fn add_node(&mut self) -> NodeId {
        self.outgoing.push(Vec::new());
        NodeId(self.outgoing.len() - 1)
    }

    /// Adds a link in one direction.
    ///
    /// # Panics
    /// When a node does not exist.
    pub fn add_link(&mut self, from: NodeId, to: NodeId, delay: Duration, link: LinkId) {
        assert!(to.0 < self.outgoing.len(), "no such node");
        self.outgoing[from.0].push(Edge { to: to.0, delay, link });
    }

    /// The way of least delay; of two such ways the one with fewer links, then the one whose
    /// nodes were added first.
    pub fn shortest(&self, from: NodeId, to: NodeId) -> Result<Vec<LinkId>, Unreachable> {
        let mut best: Vec<Option<(Duration, usize)>> = vec![None; self.outgoing.len()];
        let mut arrived_by: Vec<Option<(usize, LinkId)>> = vec![None; self.outgoing.len()];
        let mut open = BinaryHeap::from([Reverse((Duration::ZERO, 0_usize, from.0))]);
        best[from.0] = Some((Duration::ZERO, 0));
        while let Some(Reverse((delay, hops, node))) = open.pop() {
            if best[node] != Some((delay, hops)) {
                continue;
            }
            for edge in &self.outgoing[node] {
                let cost = (delay.saturating_add(edge.delay), hops + 1);
                if best[edge.to].is_none_or(|known| cost < known) {
                    best[edge.to] = Some(cost);
                    arrived_by[edge.to] = Some((node, edge.link));
                    open.push(Reverse((cost.0, cost.1, edge.to)));
                }
            }
        }
        let mut links = Vec::new();
        let mut node = to.0;
        while node != from.0 {
            let Some((before, link)) = arrived_by[node] else {
                return Err(Unreachable { from, to });
            };
            links.push(link);
            node = before;
        }
        links.reverse();
        Ok(links)
    }
}
