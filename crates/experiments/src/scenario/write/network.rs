//! Topologies, links and their models as text.

use units::{Duration, Packets};

use super::{Inline, Lines, list, or_unlimited, quantity};
use crate::scenario::document::{
    default_back_name, default_hop_name, default_link_name, number_text, quoted,
};
use crate::scenario::reader::{AUTO, UNLIMITED};
use crate::scenario::{
    Access, Delay, Distribution, Graph, Holding, Hop, Limit, Link, Loss, LossModel, LossPlace,
    ParkingLot, Queue, Red, RedMode, RedWeight, Topology,
};

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
    let default = Queue::drop_tail(Limit::default_of_link(link.rate));
    if out.sweep.is_none() || link.queue != default || link.source_quench.is_some() {
        inline = inline.with("queue", link_queue(link));
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
    if differs(link.queue == forward.queue && both_limited && link.source_quench.is_none()) {
        inline = inline.with("queue", link_queue(link));
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
        .with("delay", distribution(&access.delay))
        .with("queue", queue(&access.queue));
    let losses = (!access.losses.is_empty()).then(|| losses(&access.losses));
    inline.with_some("loss", losses).text()
}

fn delay(delay: &Delay) -> String {
    match delay {
        Delay::Fixed(fixed) => distribution(fixed),
        Delay::Alternating(alternating) => Inline::of_kind("alternating")
            .with(
                "states",
                list(&alternating.states, |state| {
                    let inline = Inline::default().with("delay", quantity(state.delay));
                    match &state.holding {
                        Holding::Exponential { stay, extra } => inline
                            .with("stay", quantity(stay))
                            .with("extra", quantity(extra)),
                        Holding::Drawn(law) => inline.with("hold", distribution(law)),
                    }
                    .text()
                }),
            )
            .with(
                "transitions",
                list(&alternating.transitions, |row| {
                    list(row, |number| number_text(*number))
                }),
            )
            .text(),
        Delay::Trace(points) => Inline::of_kind("trace")
            .with(
                "points",
                list(points, |(at, delay)| list([at, delay], quantity)),
            )
            .text(),
    }
}

pub(super) fn distribution(distribution: &Distribution<Duration>) -> String {
    let inline = Inline::default();
    match distribution {
        Distribution::Constant(value) => return quantity(value),
        Distribution::Uniform { low, high } => inline.with("uniform", list([low, high], quantity)),
        Distribution::Exponential { mean } => inline.with("exponential", quantity(mean)),
        Distribution::Pareto { mean, shape } => inline.with(
            "pareto",
            Inline::default()
                .with("mean", quantity(mean))
                .with("shape", number_text(*shape))
                .text(),
        ),
        Distribution::List(values) => inline.with("list", list(values, quantity)),
    }
    .text()
}

/// The queue of a link between routers or nodes.
fn link_queue(link: &Link) -> String {
    queue_table(&link.queue)
        .with_some("source_quench", packets(link.source_quench))
        .text()
}

pub(super) fn queue(queue: &Queue) -> String {
    queue_table(queue).text()
}

fn packets(packets: Option<u64>) -> Option<String> {
    packets.map(|packets| quantity(Packets(packets)))
}

fn queue_table(queue: &Queue) -> Inline {
    match queue {
        Queue::DropTail { limit, mark } => Inline::of_kind("drop-tail")
            .with("limit", self::limit(*limit))
            .with_some("mark", packets(*mark)),
        Queue::Red(red) => self::red(red),
    }
}

fn red(red: &Red) -> Inline {
    let threshold = |packets: Option<f64>| match packets {
        Some(packets) => quoted(&format!("{packets} packets")),
        None => quoted(AUTO),
    };
    Inline::of_kind("red")
        .with("limit", limit(red.limit))
        .with("min_threshold", threshold(red.min_threshold))
        .with("max_threshold", threshold(red.max_threshold))
        .with("max_probability", number_text(red.max_probability))
        .with(
            "weight",
            match red.weight {
                RedWeight::Auto => quoted("auto"),
                RedWeight::AutoSecond => quoted("auto-1s"),
                RedWeight::AutoTenthSecond => quoted("auto-100ms"),
                RedWeight::Value(weight) => number_text(weight),
            },
        )
        .with("gentle", red.gentle)
        .with("wait", red.wait)
        .with(
            "mode",
            quoted(match red.mode {
                RedMode::Packets => "packets",
                RedMode::Bytes => "bytes",
            }),
        )
        .with("mean_packet_size", quantity(red.mean_packet_size))
        .with("ecn", red.ecn)
}

fn limit(limit: Limit) -> String {
    match limit {
        Limit::Unlimited => quoted(UNLIMITED),
        Limit::Packets(packets) => quantity(Packets(packets)),
        Limit::Bytes(bytes) => quantity(bytes),
        Limit::Bdp(number) => quoted(&format!("{number} BDP")),
    }
}

/// One loss as a table, several as a list.
pub(super) fn losses(losses: &[Loss]) -> String {
    match losses {
        [one] => loss(one),
        several => list(several, loss),
    }
}

fn loss(loss: &Loss) -> String {
    let inline = match &loss.model {
        LossModel::Bernoulli { probability } => {
            Inline::of_kind("bernoulli").with("probability", number_text(*probability))
        }
        LossModel::GilbertElliott {
            good_to_bad,
            bad_to_good,
            loss_good,
            loss_bad,
        } => Inline::of_kind("gilbert-elliott")
            .with("good_to_bad", number_text(*good_to_bad))
            .with("bad_to_good", number_text(*bad_to_good))
            .with("loss_good", number_text(*loss_good))
            .with("loss_bad", number_text(*loss_bad)),
        LossModel::Every { packets } => Inline::of_kind("every").with("packets", packets),
        LossModel::List { packets, flow } => Inline::of_kind("list")
            .with("packets", list(packets, ToString::to_string))
            .with_some("flow", flow.as_deref().map(quoted)),
        LossModel::At { times, flow } => Inline::of_kind("at")
            .with("times", list(times, quantity))
            .with_some("flow", flow.as_deref().map(quoted)),
        LossModel::Outage { every, duration } => Inline::of_kind("outage")
            .with("every", distribution(every))
            .with("duration", distribution(duration)),
    };
    let place = match loss.place {
        LossPlace::Entry => "entry",
        LossPlace::Exit => "exit",
    };
    inline.with("place", quoted(place)).text()
}
