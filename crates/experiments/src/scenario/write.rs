//! A scenario as text: complete, with every default filled in, and read back as the same scenario.

use std::fmt::Display;
use std::fmt::Write as _;

use controllers::Value as Parameter;
use units::{Duration, Packets, Rate};

use super::document::{number_text, quoted, split_key};
use super::reader::{AUTO, UNLIMITED};
use super::{
    Access, AccessRate, Application, Compat, ControllerChoice, Delay, Direction, Distribution,
    FlowAccess, FlowGroup, Limit, Link, Loss, LossModel, LossPlace, Protocol, Queue, Recovery, Red,
    RedMode, RedWeight, Route, Scenario, TcpOptions, Topology,
};

/// Writes a scenario as TOML.
pub fn to_toml(scenario: &Scenario) -> String {
    let mut out = Lines::default();
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
    out.0
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn key(&mut self, key: &str, value: impl Display) {
        writeln!(self.0, "{key} = {value}").expect("writing to a string cannot fail");
    }

    fn heading(&mut self, heading: &str) {
        writeln!(self.0, "\n{heading}").expect("writing to a string cannot fail");
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

fn topology(out: &mut Lines, topology: &Topology) {
    out.heading("[topology]");
    match topology {
        Topology::Dumbbell(dumbbell) => {
            out.key("kind", quoted("dumbbell"));
            out.key("bottleneck", link(&dumbbell.bottleneck).text());
            out.key("reverse", link(&dumbbell.reverse).text());
            out.key("sender_access", access(&dumbbell.sender_access));
            out.key("receiver_access", access(&dumbbell.receiver_access));
        }
        Topology::ParkingLot(lot) => {
            out.key("kind", quoted("parking-lot"));
            out.key("sender_access", access(&lot.sender_access));
            out.key("receiver_access", access(&lot.receiver_access));
            for hop in &lot.hops {
                out.heading("[[topology.hops]]");
                out.key("name", quoted(&hop.name));
                for entry in link(&hop.forward)
                    .with("reverse", link(&hop.reverse).text())
                    .0
                {
                    writeln!(out.0, "{entry}").expect("writing to a string cannot fail");
                }
            }
        }
        Topology::Graph(graph) => {
            out.key("kind", quoted("graph"));
            for node in &graph.nodes {
                out.heading("[[nodes]]");
                out.key("name", quoted(node));
            }
            for edge in &graph.links {
                out.heading("[[links]]");
                out.key("name", quoted(&edge.name));
                out.key("from", quoted(&graph.nodes[edge.from]));
                out.key("to", quoted(&graph.nodes[edge.to]));
                for entry in link(&edge.link).0 {
                    writeln!(out.0, "{entry}").expect("writing to a string cannot fail");
                }
            }
        }
    }
}

fn link(link: &Link) -> Inline {
    let mut inline = Inline::default()
        .with("rate", or_unlimited(link.rate))
        .with("delay", delay(&link.delay))
        .with("queue", queue(&link.queue));
    if !link.losses.is_empty() {
        inline = inline.with("loss", list(&link.losses, loss));
    }
    if !link.schedule.is_empty() {
        inline = inline.with(
            "schedule",
            list(&link.schedule, |change| {
                Inline::default()
                    .with("at", quantity(change.at))
                    .with_some("rate", change.rate.map(quantity))
                    .with_some("delay", change.delay.map(quantity))
                    .with_some("up", change.up)
                    .text()
            }),
        );
    }
    inline
}

fn access(access: &Access) -> String {
    let inline = Inline::default()
        .with("rate", or_unlimited(access.rate))
        .with("delay", distribution(&access.delay))
        .with("queue", queue(&access.queue));
    let losses = (!access.losses.is_empty()).then(|| list(&access.losses, loss));
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

fn flow_group(out: &mut Lines, group: &FlowGroup, topology: &Topology) {
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
    let losses = |losses: &Option<Vec<Loss>>| losses.as_ref().map(|losses| list(losses, loss));
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

fn tcp(out: &mut Lines, options: &TcpOptions) {
    let recovery = match options.recovery {
        Recovery::OldTahoe => "old-tahoe",
        Recovery::Tahoe => "tahoe",
        Recovery::Reno => "reno",
        Recovery::NewReno => "new-reno",
        Recovery::Sack => "sack",
    };
    out.key("recovery", quoted(recovery));
    out.key("controller", controller(&options.controller));
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
/// left out: reading gives them back.
fn controller(choice: &ControllerChoice) -> String {
    let mut inline = Inline::default().with("name", quoted(choice.name));
    for (name, value) in choice.parameters.iter() {
        let text = match value {
            Parameter::Number(number) if !number.is_finite() => continue,
            Parameter::Derived => continue,
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
