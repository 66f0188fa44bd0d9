//! A scenario as text: complete, with every default filled in, and read back as the same scenario.

mod network;

use std::fmt::Display;
use std::fmt::Write as _;

use units::Rate;
use units::choice::{Setting, Value as Parameter};

use super::document::{quoted, split_key};
use super::{
    AccessRate, Application, Axis, AxisKey, Compat, ControllerChoice, Direction, FlowAccess,
    FlowGroup, Loss, Protocol, Route, Scenario, Seeds, Sweep, TcpOptions, TfrcOptions, TfwcOptions,
    Topology,
};
use network::{losses, topology};

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
        sweep_keys(&mut out, sweep);
    }
    out.text
}

fn sweep_keys(out: &mut Lines<'_>, sweep: &Sweep) {
    let seeds = match &sweep.seeds {
        Seeds::Fixed(seeds) => seeds.to_string(),
        Seeds::Until(rule) => {
            let until: Vec<_> = rule.until.iter().map(|name| quoted(name)).collect();
            let until = match &until[..] {
                [one] => one.clone(),
                several => format!("[{}]", several.join(", ")),
            };
            Inline::default()
                .with("until", until)
                .with("within", quoted(&format!("{} %", rule.within_percent)))
                .with("at_least", rule.at_least)
                .with("at_most", rule.at_most)
                .text()
        }
    };
    out.key("seeds", seeds);
    let (single, together): (Vec<_>, Vec<_>) =
        sweep.axes.iter().partition(|axis| axis.keys.len() == 1);
    for axis in single {
        axis_keys(out, axis);
    }
    for axis in together {
        out.heading("[[sweep.together]]");
        axis_keys(out, axis);
    }
}

fn axis_keys(out: &mut Lines<'_>, axis: &Axis) {
    for AxisKey { key, values } in &axis.keys {
        // Always in quotes, so that no axis is taken for another key.
        let name = match split_key(key) {
            Some(parts) if parts.len() > 1 && key.contains('"') => key.clone(),
            _ => quoted(key),
        };
        out.key(&name, format!("[{}]", values.join(", ")));
    }
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
        self.sweep.is_some_and(|sweep| {
            let mut keys = sweep.axes.iter().flat_map(|axis| &axis.keys);
            keys.any(|axis| axis.key.starts_with(key))
        })
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
    value.map_or_else(|| quoted("unlimited"), quantity)
}

fn list<T>(items: impl IntoIterator<Item = T>, text: impl Fn(T) -> String) -> String {
    let items: Vec<_> = items.into_iter().map(text).collect();
    format!("[{}]", items.join(", "))
}

fn flow_group(out: &mut Lines<'_>, group: &FlowGroup, topology: &Topology) {
    out.heading("[[flows]]");
    out.key("label", quoted(&group.label));
    out.key("count", group.count);
    out.key("protocol", quoted(group.protocol_name()));
    match &group.protocol {
        Protocol::Tcp(options) => tcp(out, options),
        Protocol::Udp => {}
        Protocol::Tfrc(options) => tfrc(out, options),
        Protocol::Tfwc(options) => tfwc(out, options),
    }
    out.key("application", application(&group.application));
    if let Some(packets) = group.packets {
        out.key("packets", packets);
    }
    out.key("packet_size", quantity(group.packet_size));
    out.key("header", quantity(group.header));
    out.key("start", &group.start);
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
        .with_some("delay", access.delay.as_ref())
        .with_some("receiver_delay", access.receiver_delay.as_ref())
        .with_some("queue", access.queue.as_ref())
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
            .with("on", on)
            .with("off", off),
    }
    .text()
}

fn tcp(out: &mut Lines<'_>, options: &TcpOptions) {
    out.key("recovery", quoted(options.recovery.name()));
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
    out.key("window_inflation", options.window_inflation);
    out.key("pacing", options.pacing);
    if let Some(factor) = options.pacing_factor {
        out.key("pacing_factor", factor);
    }
    out.key("accurate_ecn", options.accurate_ecn);
    out.key("timestamps", options.timestamps);
    out.key("karn", options.karn);
    out.key("tail_loss_probe", options.tail_loss_probe);
    out.key("spurious", quoted(options.spurious.name()));
    out.key("d_sack", options.d_sack);
    out.key(
        "threshold_adaptation",
        quoted(options.threshold_adaptation.name()),
    );
    out.key("max_burst", or_unlimited(options.max_burst));
    let rto = Inline::default()
        .with("initial", quantity(options.rto.initial))
        .with("minimum", quantity(options.rto.minimum))
        .with("maximum", quantity(options.rto.maximum))
        .with("granularity", quantity(options.rto.granularity))
        .with("phase", quantity(options.rto.phase))
        .with("k", options.rto.k)
        .with("arithmetic", quoted(options.rto.arithmetic.name()));
    out.key("rto", rto.text());
    out.key("compat", compat(options.compat));
}

fn tfrc(out: &mut Lines<'_>, options: &TfrcOptions) {
    out.key("controller", controller(&options.controller));
    out.key("history_discounting", options.history_discounting);
    out.key("later_packets", options.later_packets);
    out.key("ecn", options.ecn);
    out.key("size_spread", quantity(options.size_spread));
    out.key("feedback_size", quantity(options.feedback_size));
    out.key("compat", compat(options.compat));
}

fn tfwc(out: &mut Lines<'_>, options: &TfwcOptions) {
    out.key("controller", controller(&options.controller));
    out.key("initial_window", quantity(options.initial_window));
    out.key("initial_timeout", quantity(options.initial_timeout));
    out.key("granularity", quantity(options.granularity));
    out.key("size_spread", quantity(options.size_spread));
    out.key("feedback_size", quantity(options.feedback_size));
    out.key("ack_vector_on_wire", options.ack_vector_on_wire);
}

fn compat(compat: Compat) -> String {
    quoted(match compat {
        Compat::Rfc => "rfc",
        Compat::Ns2 => "ns-2",
    })
}

/// Parameters that the controller derives, and infinite ones (which only a default can be), are
/// left out: reading gives them back.
fn controller(choice: &ControllerChoice) -> String {
    let mut inline = Inline::default().with("name", quoted(choice.name));
    for (name, setting) in choice.parameters.iter() {
        match setting {
            Setting::Value(Parameter::Number(number)) if !number.is_finite() => {}
            Setting::Value(Parameter::Derived) => {}
            setting => inline = inline.with(name, setting),
        }
    }
    inline.text()
}
