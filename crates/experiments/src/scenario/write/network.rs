//! Topologies, links and their models as text.

use super::{Inline, Lines, list, or_unlimited, quantity};
use crate::scenario::document::{default_back_name, default_hop_name, default_link_name, quoted};
use crate::scenario::network::default_limit;
use crate::scenario::{Access, Delay, Graph, Hop, Link, Loss, ParkingLot, Queue, Topology};

pub(super) fn topology(out: &mut Lines<'_>, topology: &Topology) {
    out.heading("[topology]");
    match topology {
        Topology::Dumbbell(dumbbell) => {
            out.key("kind", quoted("dumbbell"));
            out.key("bottleneck", link(out, &dumbbell.bottleneck).text());
            if let Some(reverse) = reverse(out, &dumbbell.reverse, &dumbbell.bottleneck) {
                out.key("reverse", reverse);
            }
            accesses(out, &dumbbell.sender_access, &dumbbell.receiver_access);
        }
        Topology::ParkingLot(lot) => parking_lot(out, lot),
        Topology::Graph(graph) => self::graph(out, graph),
    }
}

fn accesses(out: &mut Lines<'_>, sender: &Access, receiver: &Access) {
    if sender == receiver {
        out.key("access", access(sender));
    } else {
        out.key("sender_access", access(sender));
        out.key("receiver_access", access(receiver));
    }
}

fn parking_lot(out: &mut Lines<'_>, lot: &ParkingLot) {
    let hop = |out: &Lines<'_>, hop: &Hop| {
        let reverse = reverse(out, &hop.reverse, &hop.forward);
        link(out, &hop.forward).with_some("reverse", reverse)
    };
    out.key("kind", quoted("parking-lot"));
    let first = &lot.hops[0];
    let alike = (0..).zip(&lot.hops).all(|(index, other)| {
        other.name == default_hop_name(index)
            && (&other.forward, &other.reverse) == (&first.forward, &first.reverse)
    });
    if alike && !out.sweeps("topology.hops") {
        out.key("count", lot.hops.len());
        out.key("hop", hop(out, first).text());
        accesses(out, &lot.sender_access, &lot.receiver_access);
        return;
    }
    accesses(out, &lot.sender_access, &lot.receiver_access);
    for one in &lot.hops {
        out.heading("[[topology.hops]]");
        out.key("name", quoted(&one.name));
        out.entries(hop(out, one));
    }
}

fn graph(out: &mut Lines<'_>, graph: &Graph) {
    out.key("kind", quoted("graph"));
    for node in &graph.nodes {
        out.heading("[[nodes]]");
        out.key("name", quoted(node));
    }
    let mut links = graph.links.iter().peekable();
    while let Some(edge) = links.next() {
        let (from, to) = (&graph.nodes[edge.from], &graph.nodes[edge.to]);
        let unnamed = edge.name == default_link_name(from, to);
        let back_name = if unnamed {
            default_link_name(to, from)
        } else {
            default_back_name(&edge.name)
        };
        let duplex = links
            .next_if(|back| {
                (back.from, back.to) == (edge.to, edge.from)
                    && back.name == back_name
                    && back.link == edge.link
            })
            .is_some();
        out.heading("[[links]]");
        if !unnamed {
            out.key("name", quoted(&edge.name));
        }
        out.key("from", quoted(from));
        out.key("to", quoted(to));
        out.key("duplex", duplex);
        out.entries(link(out, &edge.link));
    }
}

fn link(out: &Lines<'_>, link: &Link) -> Inline {
    let mut inline = Inline::default()
        .with("rate", or_unlimited(link.rate))
        .with("delay", delay(&link.delay));
    if out.sweep.is_none() || link.queue != Queue::of_limit(default_limit(link.rate)) {
        inline = inline.with("queue", &link.queue);
    }
    losses_and_schedule(inline, link)
}

/// The link back; none where it is as by default.
fn reverse(out: &Lines<'_>, link: &Link, forward: &Link) -> Option<String> {
    let differs = |same: bool| out.sweep.is_none() || !same;
    let mut inline = Inline::default();
    if differs(link.rate == forward.rate) {
        inline = inline.with("rate", or_unlimited(link.rate));
    }
    if differs(link.delay == forward.delay) {
        inline = inline.with("delay", delay(&link.delay));
    }
    let both_limited = link.rate.is_some() == forward.rate.is_some();
    if differs(link.queue == forward.queue && both_limited && link.queue.source_quench().is_none())
    {
        inline = inline.with("queue", &link.queue);
    }
    let inline = losses_and_schedule(inline, link);
    (!inline.0.is_empty()).then(|| inline.text())
}

fn losses_and_schedule(inline: Inline, link: &Link) -> Inline {
    let schedule = (!link.schedule.is_empty()).then(|| {
        list(&link.schedule, |change| {
            Inline::default()
                .with("at", quantity(change.at))
                .with_some("rate", change.rate.map(quantity))
                .with_some("delay", change.delay.map(quantity))
                .with_some("up", change.up)
                .text()
        })
    });
    let losses = (!link.losses.is_empty()).then(|| losses(&link.losses));
    inline
        .with_some("loss", losses)
        .with_some("schedule", schedule)
}

fn access(access: &Access) -> String {
    let inline = Inline::default()
        .with("rate", or_unlimited(access.rate))
        .with("delay", &access.delay)
        .with("queue", &access.queue);
    let losses = (!access.losses.is_empty()).then(|| losses(&access.losses));
    inline.with_some("loss", losses).text()
}

fn delay(delay: &Delay) -> String {
    match delay {
        Delay::Fixed(fixed) => fixed.to_string(),
        Delay::Model(model) => model.to_string(),
    }
}

/// One loss as a table, several as a list.
pub(super) fn losses(losses: &[Loss]) -> String {
    match losses {
        [one] => one.to_string(),
        several => list(several, ToString::to_string),
    }
}
