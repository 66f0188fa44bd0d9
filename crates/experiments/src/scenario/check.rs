//! What can only be checked when the whole scenario is known, and how much memory it takes.

use units::{Bytes, Duration};

use super::document::{Document, Node, Origin};
use super::error::ScenarioError;
use super::{Application, FlowGroup, Link, LinkAt, Protocol, ResolvedLimit, Scenario, Topology};

/// What is wrong with a list or one of its elements.
pub(super) struct Problem {
    pub(super) key: &'static str,
    element: Option<usize>,
    pub(super) message: String,
}

impl Problem {
    /// Where the list or the element stands.
    pub(super) fn origin(&self, document: &Document) -> Origin {
        let Some(entry) = document.root.get(self.key) else {
            return Origin::Whole;
        };
        match (&entry.value.node, self.element) {
            (Node::List(items), Some(index)) => {
                items.get(index).map_or(entry.origin, |item| item.origin)
            }
            _ => entry.origin,
        }
    }
}

/// Refuses scenarios in which packets could go round without time passing.
pub(super) fn whole(scenario: &Scenario) -> Result<(), Problem> {
    if let Topology::Graph(graph) = &scenario.topology
        && let Some(cycle) = graph.timeless_cycle()
    {
        let names: Vec<_> = cycle
            .iter()
            .chain(cycle.first())
            .map(|node| graph.nodes[*node].as_str())
            .collect();
        return Err(Problem {
            key: "links",
            element: None,
            message: format!(
                "the links {} form a loop in which no time passes: none of them has a rate or a \
                 delay",
                names.join(" → ")
            ),
        });
    }
    for (index, group) in scenario.flows.iter().enumerate() {
        let problem = |what: &str| Problem {
            key: "flows",
            element: Some(index),
            message: format!("flows.{}: {what}", group.label),
        };
        if group.protocol == Protocol::Udp {
            continue;
        }
        if scenario.is_timeless(group) {
            return Err(problem(
                "its packets and their ACKs go round without time passing: no link on their way \
                 has a rate or a delay",
            ));
        }
        let endless = group.application == Application::Bulk && group.packets.is_none();
        if endless && group.protocol.max_window().is_none() && is_boundless(scenario, group) {
            return Err(problem(
                "nothing limits it: no link on its way has a rate or losses; give it a \
                 number of packets or, with tcp, a max_window, or a link a rate",
            ));
        }
    }
    Ok(())
}

/// Whether nothing on the way of a group's data ever holds it back.
fn is_boundless(scenario: &Scenario, group: &FlowGroup) -> bool {
    let (sender, receiver) = scenario.access(group);
    let (there, _) = scenario.paths(group);
    [sender, receiver]
        .iter()
        .all(|access| access.rate.is_none() && access.losses.is_empty())
        && there.into_iter().all(|at| {
            let link = scenario.topology.link(at);
            link.rate.is_none() && link.losses.is_empty() && link.schedule.is_empty()
        })
}

/// About how much memory a run of the scenario takes at most: its flows, the packets that wait in
/// its queues when these are full, and what it records. An unlimited queue counts as holding what
/// its link sends in the whole run, or the windows of all flows; on access links it counts as empty.
pub fn estimated_memory(scenario: &Scenario) -> Bytes {
    let flows: u64 = scenario
        .flows
        .iter()
        .map(|group| u64::from(group.count))
        .sum();
    let links = scenario.topology.links();
    let mut waiting: u64 = 0;
    for (at, link) in &links {
        let limit = waiting_packets(scenario.queue_limit(*at), scenario);
        let limit = limit.unwrap_or_else(|| unlimited_queue(scenario, *at, link));
        waiting = waiting.saturating_add(limit);
    }
    for group in &scenario.flows {
        let (sender, receiver) = scenario.access(group);
        for access in [sender, receiver] {
            let limit = waiting_packets(scenario.access_queue_limit(group, &access), scenario);
            // No more of a flow waits than its window allows.
            let window = group.protocol.max_window().map(|window| window.0);
            let each = limit.map_or(0, |limit| limit.min(window.unwrap_or(u64::MAX)));
            waiting = waiting.saturating_add(each.saturating_mul(u64::from(group.count)));
        }
    }
    Bytes(flows)
        .saturating_mul(BYTES_PER_FLOW)
        .saturating_add(Bytes(waiting).saturating_mul(BYTES_PER_WAITING_PACKET))
        .saturating_add(recorded(scenario, flows, links.len() as u64))
}

/// Refuses a scenario that needs more memory than there is.
pub fn check_memory(scenario: &Scenario, available: Bytes) -> Result<(), ScenarioError> {
    let needed = estimated_memory(scenario);
    if needed <= available {
        return Ok(());
    }
    Err(ScenarioError {
        file: String::new(),
        position: None,
        key: String::new(),
        message: format!(
            "\"{}\" needs about {} of memory, and {} are available",
            scenario.name,
            readable(needed),
            readable(available)
        ),
        hint: Some("fewer flows, shorter queues, a longer [record] every, or no events".to_owned()),
    })
}

/// How many packets can gather in an unlimited queue: under an endless slow start it grows as fast
/// as its link sends.
fn unlimited_queue(scenario: &Scenario, at: LinkAt, link: &Link) -> u64 {
    let mut windows = Some(0_u64);
    let mut carries_data = false;
    for group in &scenario.flows {
        if !scenario.paths(group).0.contains(&at) {
            continue;
        }
        carries_data = true;
        let window = group.protocol.max_window().map(|window| window.0);
        windows = windows
            .zip(window)
            .map(|(sum, window)| sum.saturating_add(window.saturating_mul(u64::from(group.count))));
    }
    if !carries_data {
        return 0;
    }
    sent_packets(scenario, link).min(windows.unwrap_or(u64::MAX))
}

/// How many packets a link sends in the whole run; none where it has no rate.
fn sent_packets(scenario: &Scenario, link: &Link) -> u64 {
    let Some(rate) = link.rate else { return 0 };
    let packet = scenario.flows.iter().map(|group| group.packet_size).min();
    let each = rate
        .time_for(packet.unwrap_or(Bytes(1)))
        .max(Duration::from_picos(1));
    scenario.duration.as_picos() / each.as_picos()
}

fn waiting_packets(limit: ResolvedLimit, scenario: &Scenario) -> Option<u64> {
    match limit {
        ResolvedLimit::Unlimited => None,
        ResolvedLimit::Packets(packets) => Some(packets),
        ResolvedLimit::Bytes(bytes) => {
            let smallest = scenario.flows.iter().map(|group| group.packet_size.0).min();
            Some(bytes.0 / smallest.unwrap_or(1).max(1))
        }
    }
}

fn recorded(scenario: &Scenario, flows: u64, links: u64) -> Bytes {
    let Some(record) = &scenario.record else {
        return Bytes::ZERO;
    };
    let samples = record.every.map_or(0, |every| {
        let samples = scenario.duration.as_picos() / every.as_picos().max(1) + 1;
        samples.saturating_mul(flows.saturating_add(links))
    });
    let series = Bytes(samples).saturating_mul(BYTES_PER_SAMPLE);
    if !record.events {
        return series;
    }
    series.saturating_add(Bytes(events(scenario)).saturating_mul(BYTES_PER_EVENT))
}

/// About how many events a run records: some for each packet that each link sends.
fn events(scenario: &Scenario) -> u64 {
    let links = scenario.topology.links();
    let packets = links.iter().map(|(_, link)| sent_packets(scenario, link));
    packets
        .fold(0, u64::saturating_add)
        .saturating_mul(EVENTS_PER_PACKET)
}

fn readable(bytes: Bytes) -> String {
    let units = [(1_u64 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB")];
    let (size, unit) = units
        .into_iter()
        .find(|(size, _)| bytes.0 >= *size)
        .unwrap_or((1 << 10, "KiB"));
    format!("{:.1} {unit}", bytes.as_f64() / size as f64)
}

/// State of both ends of a flow and of its access links.
const BYTES_PER_FLOW: u64 = 4_096;
const BYTES_PER_WAITING_PACKET: u64 = 64;
/// One flow or link at one instant: about ten numbers.
const BYTES_PER_SAMPLE: u64 = 80;
/// Sent, received, acknowledged, marked or dropped.
const EVENTS_PER_PACKET: u64 = 4;
const BYTES_PER_EVENT: u64 = 48;
