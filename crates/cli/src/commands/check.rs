//! `ackclock check`: whether a scenario is right, and what it amounts to, without running it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clap::Args;
use experiments::scenario::{
    FlowGroup, LinkAt, ResolvedLimit, Scenario, Sweep, Topology, estimated_memory,
};
use serde::Serialize;
use units::Bytes;

use crate::output::{self, Failure};
use crate::registry;
use crate::scenarios::{self, ScenarioArguments};
use crate::table::{Quantity, Table, bytes, count};

/// Arguments of `check`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    scenario: ScenarioArguments,
    /// Prints what was found as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a scenario amounts to.
#[derive(Debug, Serialize)]
struct Found {
    ok: bool,
    scenario: String,
    duration_s: f64,
    seed: u64,
    /// Runs that its sweep has at most, if it has one.
    sweep_runs: Option<u64>,
    /// Combinations of values that its sweep has.
    sweep_combinations: Option<u64>,
    /// Runs that its sweep has at least: fewer where a rule says when there are seeds enough.
    sweep_least_runs: Option<u64>,
    /// What the flows' slowest links let through at most; none where no link is limited.
    data_packets_at_most: Option<u64>,
    memory_bytes: u64,
    groups: Vec<Group>,
    links: Vec<Link>,
}

#[derive(Debug, Serialize)]
struct Group {
    label: String,
    flows: u32,
    protocol: &'static str,
    controller: Option<&'static str>,
    base_rtt_s: f64,
    slowest_link: Option<String>,
}

#[derive(Debug, Serialize)]
struct Link {
    name: String,
    rate_bps: Option<f64>,
    delay_s: f64,
    queue_limit_packets: Option<u64>,
    queue_limit_bytes: Option<u64>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let scenario = arguments.scenario.load(None, registry())?;
    scenarios::fits_in_memory(&scenario)?;
    let found = find(&scenario);
    if arguments.json {
        output::print_json(&found)
    } else {
        output::print(&text(&found, output::colour(&std::io::stdout())))
    }
}

fn find(scenario: &Scenario) -> Found {
    let sweep = scenario.sweep.as_ref();
    Found {
        ok: true,
        scenario: scenario.name.clone(),
        duration_s: scenario.duration.as_secs_f64(),
        seed: scenario.seed,
        sweep_runs: sweep.map(Sweep::most_runs),
        sweep_combinations: sweep.map(Sweep::combinations),
        sweep_least_runs: sweep.map(|sweep| sweep.combinations() * sweep.seeds.at_least()),
        data_packets_at_most: data_packets_at_most(scenario),
        memory_bytes: estimated_memory(scenario).0,
        groups: scenario
            .flows
            .iter()
            .map(|group| describe_group(scenario, group))
            .collect(),
        links: scenario
            .topology
            .links()
            .iter()
            .map(|(at, _)| describe_link(scenario, *at))
            .collect(),
    }
}

fn describe_group(scenario: &Scenario, group: &FlowGroup) -> Group {
    Group {
        label: group.label.clone(),
        flows: group.count,
        protocol: group.protocol_name(),
        controller: group.protocol.controller().map(|choice| choice.name),
        base_rtt_s: scenario.base_round_trip(group).as_secs_f64(),
        slowest_link: slowest_link(scenario, group).map(|at| link_name(scenario, at)),
    }
}

fn describe_link(scenario: &Scenario, at: LinkAt) -> Link {
    let link = scenario.topology.link(at);
    let (packets, bytes) = match scenario.queue_limit(at) {
        ResolvedLimit::Packets(packets) => (Some(packets), None),
        ResolvedLimit::Bytes(Bytes(bytes)) => (None, Some(bytes)),
        ResolvedLimit::Unlimited => (None, None),
    };
    Link {
        name: link_name(scenario, at),
        rate_bps: link.rate.map(units::Rate::as_f64),
        delay_s: link.delay.nominal().as_secs_f64(),
        queue_limit_packets: packets,
        queue_limit_bytes: bytes,
    }
}

/// The slowest of the links between routers or nodes that a group's data takes.
fn slowest_link(scenario: &Scenario, group: &FlowGroup) -> Option<LinkAt> {
    let (there, _) = scenario.paths(group);
    let limited = there
        .into_iter()
        .filter_map(|at| Some((scenario.topology.link(at).rate?, at)));
    limited
        .min_by(|(one, _), (other, _)| one.cmp(other))
        .map(|(_, at)| at)
}

/// Packets that fit through the slowest link of each group in the time, each link counted once.
fn data_packets_at_most(scenario: &Scenario) -> Option<u64> {
    let mut smallest_on: BTreeMap<LinkAt, Bytes> = BTreeMap::new();
    for group in &scenario.flows {
        let size = smallest_on
            .entry(slowest_link(scenario, group)?)
            .or_insert(group.packet_size);
        *size = group.packet_size.min(*size);
    }
    let through = |(at, size): (&LinkAt, &Bytes)| {
        let rate = scenario.topology.link(*at).rate?;
        Some(rate.bytes_in(scenario.duration).0 / size.0.max(1))
    };
    smallest_on.iter().map(through).sum()
}

fn link_name(scenario: &Scenario, at: LinkAt) -> String {
    match (&scenario.topology, at) {
        (Topology::ParkingLot(lot), LinkAt::Forward(i)) => lot.hops[i].name.clone(),
        (Topology::ParkingLot(lot), LinkAt::Reverse(i)) => format!("{}-reverse", lot.hops[i].name),
        (Topology::Graph(graph), LinkAt::Graph(i)) => graph.links[i].name.clone(),
        (_, LinkAt::Reverse(_)) => "bottleneck-reverse".to_owned(),
        _ => "bottleneck".to_owned(),
    }
}

fn text(found: &Found, bold: bool) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "ok: {}, {} s simulated, seed {}",
        found.scenario, found.duration_s, found.seed
    );
    let packets = found.data_packets_at_most.map_or_else(
        || "data packets unknown (no link has a rate)".to_owned(),
        |packets| format!("at most about {} data packets", count(packets)),
    );
    let _ = writeln!(
        text,
        "{packets}; about {} of memory",
        bytes(found.memory_bytes)
    );
    if let (Some(most), Some(least), Some(combinations)) = (
        found.sweep_runs,
        found.sweep_least_runs,
        found.sweep_combinations,
    ) {
        let runs = if least == most {
            count(most)
        } else {
            format!("{} to {}", count(least), count(most))
        };
        let combinations = count(combinations);
        let _ = writeln!(
            text,
            "its [sweep] has {runs} runs, of {combinations} combinations"
        );
    }
    text.push('\n');
    let groups = &found.groups;
    let mut table = Table::default();
    table.words("group", groups.iter().map(|group| group.label.clone()));
    table.counts("flows", groups.iter().map(|group| group.flows.into()));
    let kind = |group: &Group| match group.controller {
        Some(controller) => format!("{} {controller}", group.protocol),
        None => group.protocol.to_owned(),
    };
    table.words("kind", groups.iter().map(kind));
    table.measures(
        "base RTT",
        Quantity::Time,
        groups.iter().map(|group| Some(group.base_rtt_s)),
    );
    let slowest = |group: &Group| group.slowest_link.clone().unwrap_or_else(|| "-".to_owned());
    table.words("slowest link", groups.iter().map(slowest));
    table.write(&mut text, bold);
    text.push('\n');
    let links = &found.links;
    let mut table = Table::default();
    table.words("link", links.iter().map(|link| link.name.clone()));
    table.measures(
        "rate",
        Quantity::Rate,
        links.iter().map(|link| link.rate_bps),
    );
    table.measures(
        "delay",
        Quantity::Time,
        links.iter().map(|link| Some(link.delay_s)),
    );
    let limit = |link: &Link| match (link.queue_limit_packets, link.queue_limit_bytes) {
        (Some(packets), _) => format!("{} packets", count(packets)),
        (None, Some(limit)) => bytes(limit),
        (None, None) => "unlimited".to_owned(),
    };
    table.numbers("queue limit", links.iter().map(limit));
    table.write(&mut text, bold);
    text
}
