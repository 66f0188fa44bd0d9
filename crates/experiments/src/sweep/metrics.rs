//! The metrics of a run: every scalar of its summary, by the name of its column.
//!
//! Totals have plain names (`goodput_bps`), those of a group of flows begin with `flows` and its
//! label (`flows.tcp.goodput_bps`), those of a link with `links` and its name
//! (`links.bottleneck.utilization`).

use crate::scenario::{LinkAt, Scenario, Topology};
use crate::summary::{FlowSummary, LinkSummary, Summary};

/// A metric, without what it is of.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its name, which ends in its unit.
    pub name: &'static str,
    /// The name for people.
    pub label: &'static str,
    /// Its unit; empty for indices, ratios and counts of things.
    pub unit: &'static str,
    /// Whether it is a whole number.
    pub count: bool,
}

/// What a metric is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The whole run.
    Total,
    /// A group of flows.
    Flows,
    /// A link.
    Links,
}

/// A metric of something, as the name of a column says it.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// What it is of.
    pub part: Part,
    /// The label or name of that; empty for the whole run.
    pub of: &'a str,
    /// The metric.
    pub metric: &'static Metric,
}

impl Part {
    /// Its metrics, in the order of their columns.
    pub fn metrics(self) -> &'static [Metric] {
        match self {
            Self::Total => TOTAL,
            Self::Flows => FLOWS,
            Self::Links => LINKS,
        }
    }

    /// What the names of its columns begin with.
    pub fn name(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Flows => "flows",
            Self::Links => "links",
        }
    }
}

/// The name of a column.
pub fn column(part: Part, of: &str, name: &str) -> String {
    match part {
        Part::Total => name.to_owned(),
        _ => format!("{}.{of}.{name}", part.name()),
    }
}

/// What the name of a column stands for.
pub fn named(column: &str) -> Option<Named<'_>> {
    let find = |part: Part, name: &str| part.metrics().iter().find(|metric| metric.name == name);
    if let Some(metric) = find(Part::Total, column) {
        let (part, of) = (Part::Total, "");
        return Some(Named { part, of, metric });
    }
    let (part, rest) = column.split_once('.')?;
    let part = [Part::Flows, Part::Links]
        .into_iter()
        .find(|known| known.name() == part)?;
    let (of, name) = rest.rsplit_once('.')?;
    let metric = find(part, name)?;
    Some(Named { part, of, metric })
}

/// The columns that a run of `scenario` may have: all of its groups, and of the links between its
/// routers or nodes.
pub fn names(scenario: &Scenario) -> Vec<String> {
    let mut names: Vec<String> = TOTAL.iter().map(|metric| metric.name.to_owned()).collect();
    let mut add = |part: Part, of: &str| {
        let columns = part.metrics().iter();
        names.extend(columns.map(|metric| column(part, of, metric.name)));
    };
    for group in &scenario.flows {
        add(Part::Flows, &group.label);
    }
    for (at, _) in scenario.topology.links() {
        add(Part::Links, &link_name(&scenario.topology, at));
    }
    names
}

/// The name that a link has in the summary.
fn link_name(topology: &Topology, at: LinkAt) -> String {
    match (topology, at) {
        (Topology::ParkingLot(lot), LinkAt::Forward(hop)) => lot.hops[hop].name.clone(),
        (Topology::ParkingLot(lot), LinkAt::Reverse(hop)) => {
            format!("{}-reverse", lot.hops[hop].name)
        }
        (Topology::Graph(graph), LinkAt::Graph(link)) => graph.links[link].name.clone(),
        (_, LinkAt::Reverse(_)) => "bottleneck-reverse".to_owned(),
        _ => "bottleneck".to_owned(),
    }
}

/// The metrics of a run, in the order of their columns; those that do not exist are left out.
pub fn of(summary: &Summary) -> Vec<(String, f64)> {
    let mut all = Vec::new();
    let mut add = |part: Part, of: &str, values: &[Option<f64>]| {
        debug_assert_eq!(part.metrics().len(), values.len(), "one value for each");
        for (metric, value) in part.metrics().iter().zip(values) {
            if let Some(value) = value {
                all.push((column(part, of, metric.name), *value));
            }
        }
    };
    add(Part::Total, "", &total(summary));
    for group in &summary.groups {
        let members: Vec<_> = summary
            .flows
            .iter()
            .filter(|flow| flow.label == group.label)
            .collect();
        let mut values = vec![
            Some(group.flows as f64),
            Some(group.goodput_bps),
            Some(group.throughput_bps),
            group.jain,
        ];
        values.extend(of_flows(&members));
        add(Part::Flows, &group.label, &values);
    }
    for link in &summary.links {
        add(Part::Links, &link.name, &of_link(link));
    }
    all
}

fn total(summary: &Summary) -> Vec<Option<f64>> {
    let sum = |rates: &mut dyn Iterator<Item = f64>| Some(rates.sum::<f64>());
    let count = |count: u64| Some(count as f64);
    let allotted = summary.allotted.as_ref();
    vec![
        sum(&mut summary.groups.iter().map(|group| group.goodput_bps)),
        sum(&mut summary.groups.iter().map(|group| group.throughput_bps)),
        summary.jain,
        summary.theta,
        allotted.and_then(|slots| slots.system_goodput_sd_bps),
        allotted.and_then(|slots| slots.system_goodput_min_bps),
        allotted.and_then(|slots| slots.fairness_mean),
        allotted.and_then(|slots| slots.fairness_min),
        count(summary.events),
        count(summary.packets_sent),
        count(summary.duplicated),
        count(summary.packets_delivered),
        count(summary.drops),
        count(summary.lost),
        count(summary.in_flight),
    ]
}

/// Sums of counts; the mean over the flows of means; the least and the last of what is such.
fn of_flows(flows: &[&FlowSummary]) -> Vec<Option<f64>> {
    let sum = |count: fn(&FlowSummary) -> u64| {
        let counts = flows.iter().map(|flow| count(flow));
        Some(counts.sum::<u64>() as f64)
    };
    let mean = |value: fn(&FlowSummary) -> Option<f64>| {
        let values: Vec<f64> = flows.iter().filter_map(|flow| value(flow)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let completed: Option<Vec<f64>> = flows.iter().map(|flow| flow.completed_s).collect();
    let minimum = flows.iter().filter_map(|flow| flow.rtt_min_s);
    vec![
        sum(|flow| flow.bytes_delivered),
        sum(|flow| flow.packets_sent),
        sum(|flow| flow.packets_delivered),
        sum(|flow| flow.drops),
        sum(|flow| flow.lost),
        sum(|flow| flow.in_flight),
        sum(|flow| flow.marks),
        sum(|flow| flow.source_quenches),
        sum(|flow| flow.retransmits),
        sum(|flow| flow.spurious_retransmits),
        sum(|flow| flow.timeouts),
        sum(|flow| flow.fast_retransmits),
        mean(|flow| flow.rtt_mean_s),
        minimum.min_by(f64::total_cmp),
        completed.and_then(|all| all.into_iter().max_by(f64::total_cmp)),
        mean(|flow| flow.loss_event_rate),
        mean(|flow| flow.playback_success_percent),
    ]
}

fn of_link(link: &LinkSummary) -> Vec<Option<f64>> {
    let count = |count: u64| Some(count as f64);
    vec![
        Some(link.utilization),
        count(link.packets_in),
        count(link.packets_out),
        count(link.drops),
        count(link.marks),
        count(link.lost),
        count(link.source_quenches),
        Some(link.drop_rate),
        Some(link.queue_mean_packets),
        count(link.queue_max_packets),
    ]
}

const fn real(name: &'static str, label: &'static str, unit: &'static str) -> Metric {
    Metric {
        name,
        label,
        unit,
        count: false,
    }
}

const fn count(name: &'static str, label: &'static str, unit: &'static str) -> Metric {
    Metric {
        name,
        label,
        unit,
        count: true,
    }
}

const TOTAL: &[Metric] = &[
    real("goodput_bps", "goodput", "bps"),
    real("throughput_bps", "throughput", "bps"),
    real("jain", "Jain's index", ""),
    real("theta", "theta", ""),
    real(
        "allotted_goodput_sd_bps",
        "deviation of the allotted goodput",
        "bps",
    ),
    real("allotted_goodput_min_bps", "least allotted goodput", "bps"),
    real("allotted_fairness_mean", "mean allotted fairness", ""),
    real("allotted_fairness_min", "least allotted fairness", ""),
    count("events", "events", ""),
    count("packets_sent", "packets sent", "packets"),
    count("duplicated", "packets duplicated", "packets"),
    count("packets_delivered", "packets delivered", "packets"),
    count("drops", "drops", "packets"),
    count("lost", "packets lost", "packets"),
    count("in_flight", "packets in flight at the end", "packets"),
];

const FLOWS: &[Metric] = &[
    count("flows", "flows", ""),
    real("goodput_bps", "goodput", "bps"),
    real("throughput_bps", "throughput", "bps"),
    real("jain", "Jain's index", ""),
    count("bytes_delivered", "bytes delivered", "bytes"),
    count("packets_sent", "packets sent", "packets"),
    count("packets_delivered", "packets delivered", "packets"),
    count("drops", "drops", "packets"),
    count("lost", "packets lost", "packets"),
    count("in_flight", "packets in flight at the end", "packets"),
    count("marks", "marks", "packets"),
    count("source_quenches", "source quenches", ""),
    count("retransmits", "retransmits", "packets"),
    count("spurious_retransmits", "spurious retransmits", "packets"),
    count("timeouts", "timeouts", ""),
    count("fast_retransmits", "fast retransmits", ""),
    real("rtt_mean_s", "mean round trip", "s"),
    real("rtt_min_s", "least round trip", "s"),
    real("completed_s", "time of completion", "s"),
    real("loss_event_rate", "loss event rate", ""),
    real("playback_success_percent", "playback success", "%"),
];

const LINKS: &[Metric] = &[
    real("utilization", "utilization", ""),
    count("packets_in", "packets in", "packets"),
    count("packets_out", "packets out", "packets"),
    count("drops", "drops", "packets"),
    count("marks", "marks", "packets"),
    count("lost", "packets lost", "packets"),
    count("source_quenches", "source quenches", ""),
    real("drop_rate", "drop rate", ""),
    real("queue_mean_packets", "mean queue", "packets"),
    count("queue_max_packets", "longest queue", "packets"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_says_what_it_is_of() {
        let named_of = |column| {
            named(column).map(|named| (named.part, named.of.to_owned(), named.metric.name))
        };
        assert_eq!(
            named_of("goodput_bps"),
            Some((Part::Total, String::new(), "goodput_bps"))
        );
        // A label may have dots in it.
        assert_eq!(
            named_of("flows.a.b.goodput_bps"),
            Some((Part::Flows, "a.b".to_owned(), "goodput_bps"))
        );
        assert_eq!(named_of("links.bottleneck.goodput_bps"), None);
        assert_eq!(named_of("goodput"), None);
    }

    #[test]
    fn no_two_metrics_of_a_part_have_the_same_name() {
        for part in [Part::Total, Part::Flows, Part::Links] {
            let mut names: Vec<_> = part.metrics().iter().map(|metric| metric.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), part.metrics().len(), "{part:?}");
        }
    }
    #[test]
    fn the_reference_lists_exactly_these_metrics() {
        let reference = include_str!("../../../../docs/reference/tables.md");
        let section = reference.split("### Metrics").nth(1).expect("it has one");
        for (part, row) in [
            (Part::Total, "| of the run: `NAME` |"),
            (Part::Flows, "| of a group: `flows.LABEL.NAME` |"),
            (Part::Links, "| of a link: `links.NAME.NAME` |"),
        ] {
            let line = section.lines().find_map(|line| line.strip_prefix(row));
            let quoted = line
                .expect("a row for each part")
                .split('`')
                .skip(1)
                .step_by(2);
            let mut documented: Vec<_> = quoted.collect();
            let mut written: Vec<_> = part.metrics().iter().map(|metric| metric.name).collect();
            documented.sort_unstable();
            written.sort_unstable();
            assert_eq!(documented, written);
        }
    }
}
