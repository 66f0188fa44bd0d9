//! The metrics of a run: every scalar of its summary, by the name of its column.
//!
//! Each stands once: its name, unit and meaning, and how it is read from a summary. Totals have
//! plain names (`goodput_bps`), those of a group of flows begin with `flows` and its label
//! (`flows.tcp.goodput_bps`), those of a link with `links` and its name
//! (`links.bottleneck.utilization`).

use crate::scenario::{LinkAt, Scenario, Topology};
use crate::summary::{FlowSummary, GroupSummary, LinkSummary, Summary};

/// A metric, without what it is of.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its name, which ends in its unit.
    pub name: &'static str,
    /// The name for people.
    pub label: &'static str,
    /// Its unit; empty for indices, ratios and counts of things.
    pub unit: &'static str,
    /// What it is, in a sentence or two.
    pub about: &'static str,
    /// Whether it is a whole number.
    pub count: bool,
    read: Read,
}

/// How a metric is read from a summary; none where it does not exist.
#[derive(Clone, Copy, Debug)]
enum Read {
    Total(fn(&Summary) -> Option<f64>),
    Flows(fn(&Group<'_>) -> Option<f64>),
    Links(fn(&LinkSummary) -> Option<f64>),
}

/// A group of flows and its members.
struct Group<'a> {
    whole: &'a GroupSummary,
    flows: Vec<&'a FlowSummary>,
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
    /// All parts, in the order of their columns.
    pub const ALL: [Self; 3] = [Self::Total, Self::Flows, Self::Links];

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
pub fn columns(scenario: &Scenario) -> Vec<String> {
    let total = TOTAL.iter().map(|metric| metric.name.to_owned());
    let mut names: Vec<String> = total.collect();
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

/// The name that a link between routers or nodes has in the summary.
pub fn link_name(topology: &Topology, at: LinkAt) -> String {
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

/// The metrics of a run by their columns, in order; those that do not exist are left out.
pub fn values(summary: &Summary) -> Vec<(String, f64)> {
    let mut all = Vec::new();
    let mut add = |part: Part, of: &str, read: &dyn Fn(Read) -> Option<f64>| {
        for metric in part.metrics() {
            if let Some(value) = read(metric.read) {
                all.push((column(part, of, metric.name), value));
            }
        }
    };
    add(Part::Total, "", &|read| match read {
        Read::Total(read) => read(summary),
        _ => None,
    });
    for whole in &summary.groups {
        let members = summary
            .flows
            .iter()
            .filter(|flow| flow.label == whole.label);
        let flows = members.collect();
        let group = Group { whole, flows };
        add(Part::Flows, &whole.label, &|read| match read {
            Read::Flows(read) => read(&group),
            _ => None,
        });
    }
    for link in &summary.links {
        add(Part::Links, &link.name, &|read| match read {
            Read::Links(read) => read(link),
            _ => None,
        });
    }
    all
}

impl Group<'_> {
    fn sum(&self, count: fn(&FlowSummary) -> u64) -> f64 {
        let counts = self.flows.iter().map(|flow| count(flow));
        counts.sum::<u64>() as f64
    }

    /// The mean over the flows that have a value.
    fn mean(&self, value: fn(&FlowSummary) -> Option<f64>) -> Option<f64> {
        let values: Vec<f64> = self.flows.iter().filter_map(|flow| value(flow)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    fn least(&self, value: fn(&FlowSummary) -> Option<f64>) -> Option<f64> {
        let values = self.flows.iter().filter_map(|flow| value(flow));
        values.min_by(f64::total_cmp)
    }

    /// The greatest, where all flows have a value.
    fn last(&self, value: fn(&FlowSummary) -> Option<f64>) -> Option<f64> {
        let values: Option<Vec<f64>> = self.flows.iter().map(|flow| value(flow)).collect();
        values?.into_iter().max_by(f64::total_cmp)
    }
}

const TOTAL: &[Metric] = &[
    Metric {
        name: "goodput_bps",
        label: "goodput",
        unit: "bps",
        about: "New payload delivered in order, all flows together, in each second after the warm-up.",
        count: false,
        read: Read::Total(|run| Some(run.groups.iter().map(|group| group.goodput_bps).sum())),
    },
    Metric {
        name: "throughput_bps",
        label: "throughput",
        unit: "bps",
        about: "Data put onto the wire, headers and retransmissions included, all flows together.",
        count: false,
        read: Read::Total(|run| Some(run.groups.iter().map(|group| group.throughput_bps).sum())),
    },
    Metric {
        name: "jain",
        label: "Jain's index",
        unit: "",
        about: "Jain's fairness index over the goodputs of all flows: from 1/n (one takes all) to 1 (all equal).",
        count: false,
        read: Read::Total(|run| run.jain),
    },
    Metric {
        name: "theta",
        label: "theta",
        unit: "",
        about: "Where there are two groups: the first one's part of their throughput, 0 to 1.",
        count: false,
        read: Read::Total(|run| run.theta),
    },
    Metric {
        name: "allotted_goodput_sd_bps",
        label: "deviation of the allotted goodput",
        unit: "bps",
        about: "Standard deviation of the goodput of all flows from second to second. Needs `[record] every` of which a second is a multiple.",
        count: false,
        read: Read::Total(|run| run.allotted.as_ref()?.system_goodput_sd_bps),
    },
    Metric {
        name: "allotted_goodput_min_bps",
        label: "least allotted goodput",
        unit: "bps",
        about: "Goodput of all flows in the worst second.",
        count: false,
        read: Read::Total(|run| run.allotted.as_ref()?.system_goodput_min_bps),
    },
    Metric {
        name: "allotted_fairness_mean",
        label: "mean allotted fairness",
        unit: "",
        about: "Mean of Jain's index of single seconds, over the flows active in the whole second.",
        count: false,
        read: Read::Total(|run| run.allotted.as_ref()?.fairness_mean),
    },
    Metric {
        name: "allotted_fairness_min",
        label: "least allotted fairness",
        unit: "",
        about: "Jain's index of the least fair second.",
        count: false,
        read: Read::Total(|run| run.allotted.as_ref()?.fairness_min),
    },
    Metric {
        name: "events",
        label: "events",
        unit: "",
        about: "Events that the simulator worked off.",
        count: true,
        read: Read::Total(|run| Some(run.events as f64)),
    },
    Metric {
        name: "packets_sent",
        label: "packets sent",
        unit: "packets",
        about: "Data packets sent, retransmissions included, over the whole run.",
        count: true,
        read: Read::Total(|run| Some(run.packets_sent as f64)),
    },
    Metric {
        name: "duplicated",
        label: "packets duplicated",
        unit: "packets",
        about: "Data packets that a link made a second copy of.",
        count: true,
        read: Read::Total(|run| Some(run.duplicated as f64)),
    },
    Metric {
        name: "packets_delivered",
        label: "packets delivered",
        unit: "packets",
        about: "Data packets that reached their receivers.",
        count: true,
        read: Read::Total(|run| Some(run.packets_delivered as f64)),
    },
    Metric {
        name: "drops",
        label: "drops",
        unit: "packets",
        about: "Data packets that queues refused.",
        count: true,
        read: Read::Total(|run| Some(run.drops as f64)),
    },
    Metric {
        name: "lost",
        label: "packets lost",
        unit: "packets",
        about: "Data packets that loss models took.",
        count: true,
        read: Read::Total(|run| Some(run.lost as f64)),
    },
    Metric {
        name: "in_flight",
        label: "packets in flight at the end",
        unit: "packets",
        about: "Data packets on their way when the run ended.",
        count: true,
        read: Read::Total(|run| Some(run.in_flight as f64)),
    },
    Metric {
        name: "rtt_p50_ms",
        label: "round trip, median",
        unit: "ms",
        about: "Round trip of all flows after the warm-up: the median.",
        count: false,
        read: Read::Total(|run| Some(run.rtt_ms?.p50)),
    },
    Metric {
        name: "rtt_p95_ms",
        label: "round trip, 95 %",
        unit: "ms",
        about: "Round trip of all flows after the warm-up: 95 % are at most so long.",
        count: false,
        read: Read::Total(|run| Some(run.rtt_ms?.p95)),
    },
    Metric {
        name: "rtt_p99_ms",
        label: "round trip, 99 %",
        unit: "ms",
        about: "Round trip of all flows after the warm-up: 99 % are at most so long.",
        count: false,
        read: Read::Total(|run| Some(run.rtt_ms?.p99)),
    },
    Metric {
        name: "queueing_delay_p50_ms",
        label: "queueing delay, median",
        unit: "ms",
        about: "Queueing delay of all flows after the warm-up: the median.",
        count: false,
        read: Read::Total(|run| Some(run.queueing_delay_ms?.p50)),
    },
    Metric {
        name: "queueing_delay_p95_ms",
        label: "queueing delay, 95 %",
        unit: "ms",
        about: "Queueing delay of all flows after the warm-up: 95 % are at most so long.",
        count: false,
        read: Read::Total(|run| Some(run.queueing_delay_ms?.p95)),
    },
    Metric {
        name: "queueing_delay_p99_ms",
        label: "queueing delay, 99 %",
        unit: "ms",
        about: "Queueing delay of all flows after the warm-up: 99 % are at most so long.",
        count: false,
        read: Read::Total(|run| Some(run.queueing_delay_ms?.p99)),
    },
];

const FLOWS: &[Metric] = &[
    Metric {
        name: "flows",
        label: "flows",
        unit: "",
        about: "Number of flows in the group.",
        count: true,
        read: Read::Flows(|group| Some(group.whole.flows as f64)),
    },
    Metric {
        name: "goodput_bps",
        label: "goodput",
        unit: "bps",
        about: "New payload delivered in order in each second after the warm-up, the flows of the group together.",
        count: false,
        read: Read::Flows(|group| Some(group.whole.goodput_bps)),
    },
    Metric {
        name: "throughput_bps",
        label: "throughput",
        unit: "bps",
        about: "Data put onto the wire, headers and retransmissions included, the flows of the group together.",
        count: false,
        read: Read::Flows(|group| Some(group.whole.throughput_bps)),
    },
    Metric {
        name: "jain",
        label: "Jain's index",
        unit: "",
        about: "Jain's fairness index over the goodputs of the group.",
        count: false,
        read: Read::Flows(|group| group.whole.jain),
    },
    Metric {
        name: "bytes_delivered",
        label: "bytes delivered",
        unit: "bytes",
        about: "Payload delivered in order over the whole run.",
        count: true,
        read: Read::Flows(|group| Some(group.sum(|flow| flow.bytes_delivered))),
    },
    Metric {
        name: "packets_sent",
        label: "packets sent",
        unit: "packets",
        about: "Data packets sent, retransmissions included.",
        count: true,
        read: Read::Flows(|group| Some(group.sum(|flow| flow.packets_sent))),
    },
    Metric {
        name: "packets_delivered",
        label: "packets delivered",
        unit: "packets",
        about: "Data packets that reached the receivers, duplicates included.",
        count: true,
        read: Read::Flows(|group| Some(group.sum(|flow| flow.packets_delivered))),
    },
    Metric {
        name: "drops",
        label: "drops",
        unit: "packets",
        about: "Data packets that queues refused.",
        count: true,
        read: Read::Flows(|group| Some(group.sum(|flow| flow.drops))),
    },
    Metric {
        name: "lost",
        label: "packets lost",
        unit: "packets",
        about: "Data packets that loss models took.",
        count: true,
        read: Read::Flows(|group| Some(group.sum(|flow| flow.lost))),
    },
    Metric {
        name: "in_flight",
        label: "packets in flight at the end",
        unit: "packets",
        about: "Data packets on their way when the run ended.",
        count: true,
        read: Read::Flows(|group| Some(group.sum(|flow| flow.in_flight))),
    },
    Metric {
        name: "marks",
        label: "marks",
        unit: "packets",
        about: "Data packets that reached the receivers with a CE mark.",
        count: true,
        read: Read::Flows(|group| Some(group.sum(|flow| flow.marks))),
    },
    Metric {
        name: "source_quenches",
        label: "source quenches",
        unit: "",
        about: "Source quenches that reached the senders.",
        count: true,
        read: Read::Flows(|group| Some(group.sum(|flow| flow.source_quenches))),
    },
    Metric {
        name: "retransmits",
        label: "retransmits",
        unit: "packets",
        about: "Data packets sent again.",
        count: true,
        read: Read::Flows(|group| Some(group.sum(|flow| flow.retransmits))),
    },
    Metric {
        name: "spurious_retransmits",
        label: "spurious retransmits",
        unit: "packets",
        about: "Of what was sent again, what proved needless: the packet had arrived already in another copy.",
        count: true,
        read: Read::Flows(|group| Some(group.sum(|flow| flow.spurious_retransmits))),
    },
    Metric {
        name: "timeouts",
        label: "timeouts",
        unit: "",
        about: "Retransmission timeouts.",
        count: true,
        read: Read::Flows(|group| Some(group.sum(|flow| flow.timeouts))),
    },
    Metric {
        name: "fast_retransmits",
        label: "fast retransmits",
        unit: "",
        about: "Fast retransmits.",
        count: true,
        read: Read::Flows(|group| Some(group.sum(|flow| flow.fast_retransmits))),
    },
    Metric {
        name: "rtt_mean_s",
        label: "mean round trip",
        unit: "s",
        about: "Mean over the flows of the mean of the round trips that each measured after the warm-up.",
        count: false,
        read: Read::Flows(|group| group.mean(|flow| flow.rtt_mean_s)),
    },
    Metric {
        name: "rtt_min_s",
        label: "least round trip",
        unit: "s",
        about: "Smallest round trip measured over the whole run.",
        count: false,
        read: Read::Flows(|group| group.least(|flow| flow.rtt_min_s)),
    },
    Metric {
        name: "completed_s",
        label: "time of completion",
        unit: "s",
        about: "When the last finite transfer of the group was acknowledged in full; none if one is not.",
        count: false,
        read: Read::Flows(|group| group.last(|flow| flow.completed_s)),
    },
    Metric {
        name: "loss_event_rate",
        label: "loss event rate",
        unit: "",
        about: "Mean over the flows of the loss event rate p at the end of the run, where the protocol has one.",
        count: false,
        read: Read::Flows(|group| group.mean(|flow| flow.loss_event_rate)),
    },
    Metric {
        name: "playback_success_percent",
        label: "playback success",
        unit: "%",
        about: "Applications that play back: how many per cent of the reads found more than 70 % of the buffer newly arrived; mean over the flows.",
        count: false,
        read: Read::Flows(|group| group.mean(|flow| flow.playback_success_percent)),
    },
    Metric {
        name: "rtt_p50_ms",
        label: "round trip, median",
        unit: "ms",
        about: "Round trips that the flows measured after the warm-up: the median.",
        count: false,
        read: Read::Flows(|group| Some(group.whole.rtt_ms?.p50)),
    },
    Metric {
        name: "rtt_p95_ms",
        label: "round trip, 95 %",
        unit: "ms",
        about: "Round trips that the flows measured after the warm-up: 95 % of them are at most so long.",
        count: false,
        read: Read::Flows(|group| Some(group.whole.rtt_ms?.p95)),
    },
    Metric {
        name: "rtt_p99_ms",
        label: "round trip, 99 %",
        unit: "ms",
        about: "Round trips that the flows measured after the warm-up: 99 % of them are at most so long.",
        count: false,
        read: Read::Flows(|group| Some(group.whole.rtt_ms?.p99)),
    },
    Metric {
        name: "queueing_delay_p50_ms",
        label: "queueing delay, median",
        unit: "ms",
        about: "Round trips less the least that their flow had seen by then: the time in queues as senders see it: the median.",
        count: false,
        read: Read::Flows(|group| Some(group.whole.queueing_delay_ms?.p50)),
    },
    Metric {
        name: "queueing_delay_p95_ms",
        label: "queueing delay, 95 %",
        unit: "ms",
        about: "Round trips less the least that their flow had seen by then: the time in queues as senders see it: 95 % of them are at most so long.",
        count: false,
        read: Read::Flows(|group| Some(group.whole.queueing_delay_ms?.p95)),
    },
    Metric {
        name: "queueing_delay_p99_ms",
        label: "queueing delay, 99 %",
        unit: "ms",
        about: "Round trips less the least that their flow had seen by then: the time in queues as senders see it: 99 % of them are at most so long.",
        count: false,
        read: Read::Flows(|group| Some(group.whole.queueing_delay_ms?.p99)),
    },
    Metric {
        name: "completion_mean_s",
        label: "mean time of a transfer",
        unit: "s",
        about: "Finite transfers that are complete: the mean time from start to completion.",
        count: false,
        read: Read::Flows(|group| Some(group.whole.completion_s?.mean)),
    },
    Metric {
        name: "completion_p50_s",
        label: "time of a transfer, median",
        unit: "s",
        about: "Finite transfers that are complete, from start to completion: the median.",
        count: false,
        read: Read::Flows(|group| Some(group.whole.completion_s?.percentiles.p50)),
    },
    Metric {
        name: "completion_p95_s",
        label: "time of a transfer, 95 %",
        unit: "s",
        about: "Finite transfers that are complete, from start to completion: 95 % of them took at most so long.",
        count: false,
        read: Read::Flows(|group| Some(group.whole.completion_s?.percentiles.p95)),
    },
    Metric {
        name: "completion_p99_s",
        label: "time of a transfer, 99 %",
        unit: "s",
        about: "Finite transfers that are complete, from start to completion: 99 % of them took at most so long.",
        count: false,
        read: Read::Flows(|group| Some(group.whole.completion_s?.percentiles.p99)),
    },
];

const LINKS: &[Metric] = &[
    Metric {
        name: "utilization",
        label: "utilization",
        unit: "",
        about: "Part of the time after the warm-up in which the link was sending, 0 to 1.",
        count: false,
        read: Read::Links(|link| Some(link.utilization)),
    },
    Metric {
        name: "packets_in",
        label: "packets in",
        unit: "packets",
        about: "Packets of all kinds that reached the link.",
        count: true,
        read: Read::Links(|link| Some(link.packets_in as f64)),
    },
    Metric {
        name: "packets_out",
        label: "packets out",
        unit: "packets",
        about: "Packets that left at the far end, or will.",
        count: true,
        read: Read::Links(|link| Some(link.packets_out as f64)),
    },
    Metric {
        name: "drops",
        label: "drops",
        unit: "packets",
        about: "Packets that the queue refused.",
        count: true,
        read: Read::Links(|link| Some(link.drops as f64)),
    },
    Metric {
        name: "marks",
        label: "marks",
        unit: "packets",
        about: "Packets that the queue marked.",
        count: true,
        read: Read::Links(|link| Some(link.marks as f64)),
    },
    Metric {
        name: "lost",
        label: "packets lost",
        unit: "packets",
        about: "Packets that a loss model took.",
        count: true,
        read: Read::Links(|link| Some(link.lost as f64)),
    },
    Metric {
        name: "source_quenches",
        label: "source quenches",
        unit: "",
        about: "Source quenches that the link sent.",
        count: true,
        read: Read::Links(|link| Some(link.source_quenches as f64)),
    },
    Metric {
        name: "drop_rate",
        label: "drop rate",
        unit: "",
        about: "Packets refused over packets that reached the link, whole run.",
        count: false,
        read: Read::Links(|link| Some(link.drop_rate)),
    },
    Metric {
        name: "queue_mean_packets",
        label: "mean queue",
        unit: "packets",
        about: "Mean number of waiting packets after the warm-up, without the one being sent.",
        count: false,
        read: Read::Links(|link| Some(link.queue_mean_packets)),
    },
    Metric {
        name: "queue_max_packets",
        label: "longest queue",
        unit: "packets",
        about: "Most packets that ever waited, whole run.",
        count: true,
        read: Read::Links(|link| Some(link.queue_max_packets as f64)),
    },
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
        for part in Part::ALL {
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
