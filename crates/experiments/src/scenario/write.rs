//! A scenario as text: complete, with every default filled in, and read back as the same scenario.

use std::fmt::Display;
use std::fmt::Write as _;

use controllers::Value as Parameter;
use units::{Duration, Packets, Rate};

use super::document::{
    default_back_name, default_hop_name, default_link_name, number_text, quoted, split_key,
};
use super::keys::{NS2_READING, READING};
use super::reader::{AUTO, UNLIMITED};
use super::{
    Access, AccessRate, Application, Compat, Delay, Direction, Distribution, FlowAccess, FlowGroup,
    Graph, Hop, Limit, Link, Loss, LossModel, LossPlace, ParkingLot, Protocol, Queue, Recovery,
    Red, RedMode, RedWeight, Route, Scenario, Sweep, TcpOptions, Topology,
};

/// Writes a scenario as TOML.
///
/// With a sweep, keys that follow another key by default are left out where they do, so that an
/// axis that changes the one changes the other.
pub fn to_toml(scenario: &Scenario) -> String {
    let mut out = Lines {
        text: String::new(),
        sweep: scenario.sweep.as_ref(),
    };
    out.key("name", quoted(&scenario.name));
    if !scenario.description.is_empty() {
        out.key("description", quoted(&scenario.description));
    }
    out.key("duration", quantity(scenario.duration));
    out.key("warmup", quantity(scenario.warmup));
    out.key("seed", scenario.seed.to_string());
    topology(&mut out, &scenario.topology);
    for group in &scenario.flows {
        flow_group(&mut out, group, &scenario.topology);
    }
    if let Some(record) = &scenario.record {
        out.heading("[record]");
        if let Some(every) = record.every {
            out.key("every", quantity(every));
        }
        out.key("events", record.events.to_string());
    }
    if let Some(sweep) = &scenario.sweep {
        out.heading("[sweep]");
        out.key("seeds", sweep.seeds.to_string());
        for axis in &sweep.axes {
            // Always in quotes, so that no axis is taken for another key.
            let key = match split_key(&axis.key) {
                Some(parts) if parts.len() > 1 && axis.key.contains('"') => axis.key.clone(),
                _ => quoted(&axis.key),
            };
            out.key(&key, format!("[{}]", axis.values.join(", ")));
        }
    }
    out.text
}

struct Lines<'a> {
    text: String,
    sweep: Option<&'a Sweep>,
}

impl Lines<'_> {
    fn key(&mut self, key: &str, value: impl Display) {
        writeln!(self.text, "{key} = {value}").expect("writing to a string cannot fail");
    }

    fn heading(&mut self, heading: &str) {
        writeln!(self.text, "\n{heading}").expect("writing to a string cannot fail");
    }

    fn entries(&mut self, table: Inline) {
        for entry in table.0 {
            writeln!(self.text, "{entry}").expect("writing to a string cannot fail");
        }
    }

    /// Whether an axis of the sweep begins so.
    fn sweeps(&self, key: &str) -> bool {
        self.sweep
            .is_some_and(|sweep| sweep.axes.iter().any(|axis| axis.key.starts_with(key)))
    }
}

/// An inline table.
#[derive(Default)]
struct Inline(Vec<String>);

impl Inline {
    fn of_kind(kind: &str) -> Self {
        Self::default().with("kind", quoted(kind))
    }

    fn with(mut self, key: &str, value: impl Display) -> Self {
        self.0.push(format!("{key} = {value}"));
        self
    }

    fn with_some<T: Display>(self, key: &str, value: Option<T>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    fn text(self) -> String {
        if self.0.is_empty() {
            "{}".to_owned()
        } else {
            format!("{{ {} }}", self.0.join(", "))
        }
    }
}

fn quantity(value: impl Display) -> String {
    quoted(&value.to_string())
}

fn or_unlimited<T: Display>(value: Option<T>) -> String {
    value.map_or_else(|| quoted(UNLIMITED), quantity)
}

fn list<T>(items: impl IntoIterator<Item = T>, text: impl Fn(T) -> String) -> String {
    let items: Vec<_> = items.into_iter().map(text).collect();
    format!("[{}]", items.join(", "))
}

fn topology(out: &mut Lines<'_>, topology: &Topology) {
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
    let default = Queue::DropTail {
        limit: Limit::default_of_link(link.rate),
    };
    if out.sweep.is_none() || link.queue != default {
        inline = inline.with("queue", queue(&link.queue));
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
    if differs(link.queue == forward.queue && both_limited) {
        inline = inline.with("queue", queue(&link.queue));
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
                    Inline::default()
                        .with("delay", quantity(state.delay))
                        .with("stay", quantity(state.stay))
                        .with("extra", quantity(state.extra))
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
    }
}

fn distribution(distribution: &Distribution<Duration>) -> String {
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

fn queue(queue: &Queue) -> String {
    match queue {
        Queue::DropTail { limit } => {
            Inline::of_kind("drop-tail").with("limit", self::limit(*limit))
        }
        Queue::Red(red) => self::red(red),
    }
    .text()
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
fn losses(losses: &[Loss]) -> String {
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

fn flow_group(out: &mut Lines<'_>, group: &FlowGroup, topology: &Topology) {
    out.heading("[[flows]]");
    out.key("label", quoted(&group.label));
    out.key("count", group.count);
    out.key("protocol", quoted(group.protocol_name()));
    if let Protocol::Tcp(options) = &group.protocol {
        tcp(out, options);
    }
    out.key("application", application(&group.application));
    if let Some(packets) = group.packets {
        out.key("packets", packets);
    }
    out.key("packet_size", quantity(group.packet_size));
    out.key("header", quantity(group.header));
    out.key("start", distribution(&group.start));
    if let Some(stop) = group.stop {
        out.key("stop", quantity(stop));
    }
    let direction = match group.direction {
        Direction::Forward => "forward",
        Direction::Reverse => "reverse",
    };
    out.key("direction", quoted(direction));
    match (topology, group.route) {
        (Topology::ParkingLot(lot), Route::Hops { first, last }) => {
            out.key("from", quoted(&lot.hops[first].name));
            out.key("to", quoted(&lot.hops[last].name));
        }
        (Topology::Graph(graph), Route::Nodes { from, to }) => {
            out.key("from", quoted(&graph.nodes[from]));
            out.key("to", quoted(&graph.nodes[to]));
        }
        _ => {}
    }
    if let Some(access) = &group.access {
        out.key("access", flow_access(access));
    }
    out.key("dither", quantity(group.dither));
}

fn flow_access(access: &FlowAccess) -> String {
    let rate = access.rate.map(|rate| match rate {
        AccessRate::Unlimited => or_unlimited::<Rate>(None),
        AccessRate::Limited(rate) => quantity(rate),
    });
    let losses = |list: &Option<Vec<Loss>>| list.as_deref().map(losses);
    Inline::default()
        .with_some("rate", rate)
        .with_some("delay", access.delay.as_ref().map(distribution))
        .with_some(
            "receiver_delay",
            access.receiver_delay.as_ref().map(distribution),
        )
        .with_some("queue", access.queue.as_ref().map(queue))
        .with_some("loss", losses(&access.losses))
        .with_some("receiver_loss", losses(&access.receiver_losses))
        .text()
}

fn application(application: &Application) -> String {
    match application {
        Application::Bulk => Inline::of_kind("bulk"),
        Application::Cbr {
            rate,
            playback_buffer,
        } => Inline::of_kind("cbr")
            .with("rate", quantity(rate))
            .with_some("playback_buffer", playback_buffer.map(quantity)),
        Application::OnOff { rate, on, off } => Inline::of_kind("on-off")
            .with("rate", quantity(rate))
            .with("on", distribution(on))
            .with("off", distribution(off)),
    }
    .text()
}

fn tcp(out: &mut Lines<'_>, options: &TcpOptions) {
    let recovery = match options.recovery {
        Recovery::OldTahoe => "old-tahoe",
        Recovery::Tahoe => "tahoe",
        Recovery::Reno => "reno",
        Recovery::NewReno => "new-reno",
        Recovery::Sack => "sack",
    };
    out.key("recovery", quoted(recovery));
    out.key("controller", controller(options, out.sweep.is_some()));
    if let Some(delay) = options.delayed_ack {
        out.key("delayed_ack", quantity(delay));
    }
    out.key("ecn", options.ecn);
    out.key("handshake", options.handshake);
    out.key("initial_window", quantity(options.initial_window));
    out.key("max_window", or_unlimited(options.max_window));
    out.key(
        "initial_slow_start_threshold",
        or_unlimited(options.initial_slow_start_threshold),
    );
    out.key("duplicate_ack_threshold", options.duplicate_ack_threshold);
    out.key("limited_transmit", options.limited_transmit);
    out.key("timestamps", options.timestamps);
    out.key("max_burst", or_unlimited(options.max_burst));
    let rto = Inline::default()
        .with("initial", quantity(options.rto.initial))
        .with("minimum", quantity(options.rto.minimum))
        .with("maximum", quantity(options.rto.maximum))
        .with("granularity", quantity(options.rto.granularity))
        .with("k", options.rto.k);
    out.key("rto", rto.text());
    let compat = match options.compat {
        Compat::Rfc => "rfc",
        Compat::Ns2 => "ns-2",
    };
    out.key("compat", quoted(compat));
}

/// Parameters that the controller derives, and infinite ones (which only a default can be), are
/// left out: reading gives them back. So is, with a sweep, a reading that follows from `compat`.
fn controller(options: &TcpOptions, sweep: bool) -> String {
    let choice = &options.controller;
    let follows =
        |value| (value == Parameter::Choice(NS2_READING)) == (options.compat == Compat::Ns2);
    let mut inline = Inline::default().with("name", quoted(choice.name));
    for (name, value) in choice.parameters.iter() {
        let text = match value {
            Parameter::Number(number) if !number.is_finite() => continue,
            Parameter::Derived => continue,
            reading if sweep && name == READING && follows(reading) => continue,
            Parameter::Number(number) => number_text(number),
            Parameter::Integer(number) => number.to_string(),
            Parameter::Duration(length) => quantity(length),
            Parameter::Flag(flag) => flag.to_string(),
            Parameter::Choice(word) => quoted(word),
        };
        inline = inline.with(name, text);
    }
    inline.text()
}
