//! A run's summary as tables for people.

use std::fmt::Write as _;

use experiments::scenario::{Protocol, Scenario};
use experiments::summary::{FlowSummary, Summary};

use super::windows::Windows;
use crate::table::{Quantity, Table, count};

/// The summary as text; headings bold if `bold`.
pub(super) fn tables(
    scenario: &Scenario,
    summary: &Summary,
    windows: &Windows,
    bold: bool,
) -> String {
    let mut text = String::new();
    let left_out = match summary.warmup_s {
        0.0 => String::new(),
        warmup => format!(
            ", the first {} left out of rates and means",
            seconds(warmup)
        ),
    };
    let _ = writeln!(
        text,
        "{}: {} simulated{left_out}; seed {}, ackclock {}",
        summary.scenario,
        seconds(summary.duration_s),
        summary.seed,
        summary.version
    );
    let _ = writeln!(text, "{}", conservation(summary));
    let mut indices = Vec::new();
    if let Some(jain) = summary.jain {
        indices.push(format!("Jain's index {jain:.4}"));
    }
    if let (Some(theta), Some(first)) = (summary.theta, summary.groups.first()) {
        indices.push(format!(
            "{}'s share of the throughput (theta) {theta:.4}",
            first.label
        ));
    }
    if !indices.is_empty() {
        let _ = writeln!(text, "{}", indices.join(", "));
    }
    let tables = [
        Some(groups(summary)),
        Some(flows(scenario, &summary.flows)),
        Some(links(summary)),
        windows.table(),
    ];
    for table in tables.into_iter().flatten() {
        text.push('\n');
        table.write(&mut text, bold);
    }
    let hidden = summary.flows.len().saturating_sub(FLOWS_SHOWN);
    if hidden > 0 {
        let _ = writeln!(text, "\n… {} more flows (see --json)", count(hidden as u64));
    }
    text
}

fn conservation(summary: &Summary) -> String {
    let duplicated = match summary.duplicated {
        0 => String::new(),
        number => format!(" + {} duplicated", count(number)),
    };
    format!(
        "{} data packets sent{duplicated} = {} delivered + {} dropped + {} lost + {} in flight",
        count(summary.packets_sent),
        count(summary.packets_delivered),
        count(summary.drops),
        count(summary.lost),
        count(summary.in_flight)
    )
}

fn seconds(number: f64) -> String {
    format!("{number} s")
}

fn groups(summary: &Summary) -> Table {
    let groups = &summary.groups;
    let mut table = Table::default();
    table.words("group", groups.iter().map(|group| group.label.clone()));
    table.counts("flows", groups.iter().map(|group| group.flows));
    table.measures(
        "goodput",
        Quantity::Rate,
        groups.iter().map(|group| Some(group.goodput_bps)),
    );
    let throughputs = groups.iter().map(|group| Some(group.throughput_bps));
    table.measures("throughput", Quantity::Rate, throughputs);
    table.measures(
        "Jain",
        Quantity::Plain,
        groups.iter().map(|group| group.jain),
    );
    table
}

fn flows(scenario: &Scenario, flows: &[FlowSummary]) -> Table {
    let flows = &flows[..flows.len().min(FLOWS_SHOWN)];
    let mut table = Table::default();
    table.words(
        "flow",
        flows
            .iter()
            .map(|flow| format!("{} {}", flow.label, flow.index)),
    );
    // Such as "tcp sack reno": protocol, loss recovery, controller.
    let kind = |flow: &FlowSummary| {
        let group = scenario
            .flows
            .iter()
            .find(|group| group.label == flow.label);
        let recovery = match group.map(|group| &group.protocol) {
            Some(Protocol::Tcp(options)) => Some(options.recovery.name()),
            _ => None,
        };
        let words = [
            Some(flow.protocol.as_str()),
            recovery,
            flow.controller.as_deref(),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    table.words("kind", flows.iter().map(kind));
    table.measures(
        "start",
        Quantity::Time,
        flows.iter().map(|flow| Some(flow.start_s)),
    );
    if flows.iter().any(|flow| flow.completed_s.is_some()) {
        table.measures(
            "done",
            Quantity::Time,
            flows.iter().map(|flow| flow.completed_s),
        );
    }
    table.measures(
        "goodput",
        Quantity::Rate,
        flows.iter().map(|flow| Some(flow.goodput_bps)),
    );
    let throughputs = flows.iter().map(|flow| Some(flow.throughput_bps));
    table.measures("throughput", Quantity::Rate, throughputs);
    table.counts("sent", flows.iter().map(|flow| flow.packets_sent));
    table.counts("delivered", flows.iter().map(|flow| flow.packets_delivered));
    table.counts("resent", flows.iter().map(|flow| flow.retransmits));
    table.counts("timeouts", flows.iter().map(|flow| flow.timeouts));
    if flows.iter().any(|flow| flow.source_quenches > 0) {
        table.counts("quenches", flows.iter().map(|flow| flow.source_quenches));
    }
    table.measures(
        "RTT mean",
        Quantity::Time,
        flows.iter().map(|flow| flow.rtt_mean_s),
    );
    table.measures(
        "RTT sd",
        Quantity::Time,
        flows.iter().map(|flow| flow.rtt_sd_s),
    );
    if flows
        .iter()
        .any(|flow| flow.playback_success_percent.is_some())
    {
        let successes = flows.iter().map(|flow| flow.playback_success_percent);
        table.measures("playback", Quantity::In("%"), successes);
    }
    table
}

fn links(summary: &Summary) -> Table {
    let links = &summary.links[..summary.links.len().min(LINKS_SHOWN)];
    let mut table = Table::default();
    table.words("link", links.iter().map(|link| link.name.clone()));
    let utilizations = links.iter().map(|link| Some(link.utilization));
    table.measures("used", Quantity::Share, utilizations);
    table.counts("packets in", links.iter().map(|link| link.packets_in));
    table.counts("out", links.iter().map(|link| link.packets_out));
    table.counts("dropped", links.iter().map(|link| link.drops));
    table.measures(
        "drop rate",
        Quantity::Share,
        links.iter().map(|link| Some(link.drop_rate)),
    );
    table.counts("marked", links.iter().map(|link| link.marks));
    table.counts("lost", links.iter().map(|link| link.lost));
    let queues = links.iter().map(|link| Some(link.queue_mean_packets));
    table.measures("queue mean", Quantity::In("packets"), queues);
    table.counts(
        "queue most",
        links.iter().map(|link| link.queue_max_packets),
    );
    if links.iter().any(|link| link.source_quenches > 0) {
        table.counts("quenches", links.iter().map(|link| link.source_quenches));
    }
    table
}

/// As many rows as a screen holds.
const FLOWS_SHOWN: usize = 40;
const LINKS_SHOWN: usize = 40;
