//! The tables of a run. `docs/reference/tables.md` lists their columns.

use parquet::data_type::ByteArray;

use super::table::{Column, Table};
use experiments::simulation::{Outcome, Recording};
use experiments::summary::Summary;

/// Names of the tables of a run, in the order of [`run_tables`].
pub(super) const NAMES: [&str; 6] = [
    "flows",
    "links",
    "series",
    "link_series",
    "variables",
    "events",
];

/// The tables of a run; those of which nothing was recorded have no rows.
pub fn run_tables(outcome: &Outcome) -> Vec<Table<'_>> {
    let Outcome { summary, recording } = outcome;
    vec![
        flows(summary),
        links(summary),
        series(summary, recording),
        link_series(summary, recording),
        variables(summary, recording),
        events(summary, recording),
    ]
}

fn flows(summary: &Summary) -> Table<'_> {
    let flows = &summary.flows;
    let columns = vec![
        Column::count("flow", |row| row as u64),
        Column::text("label", |row| text(&flows[row].label)),
        Column::count("index", |row| flows[row].index),
        Column::text("protocol", |row| text(&flows[row].protocol)),
        Column::optional_text("controller", |row| {
            flows[row].controller.as_deref().map(text)
        }),
        Column::real("start_s", |row| flows[row].start_s),
        Column::optional_real("completed_s", |row| flows[row].completed_s),
        Column::real("goodput_bps", |row| flows[row].goodput_bps),
        Column::real("throughput_bps", |row| flows[row].throughput_bps),
        Column::count("bytes_delivered", |row| flows[row].bytes_delivered),
        Column::count("packets_sent", |row| flows[row].packets_sent),
        Column::count("packets_delivered", |row| flows[row].packets_delivered),
        Column::count("drops", |row| flows[row].drops),
        Column::count("lost", |row| flows[row].lost),
        Column::count("in_flight", |row| flows[row].in_flight),
        Column::count("marks", |row| flows[row].marks),
        Column::count("source_quenches", |row| flows[row].source_quenches),
        Column::count("retransmits", |row| flows[row].retransmits),
        Column::count("spurious_retransmits", |row| {
            flows[row].spurious_retransmits
        }),
        Column::count("timeouts", |row| flows[row].timeouts),
        Column::count("fast_retransmits", |row| flows[row].fast_retransmits),
        Column::optional_real("rtt_mean_s", |row| flows[row].rtt_mean_s),
        Column::optional_real("rtt_sd_s", |row| flows[row].rtt_sd_s),
        Column::optional_real("rtt_min_s", |row| flows[row].rtt_min_s),
        Column::optional_real("loss_event_rate", |row| flows[row].loss_event_rate),
        Column::optional_real("playback_success_percent", |row| {
            flows[row].playback_success_percent
        }),
    ];
    Table {
        name: "flows",
        rows: flows.len(),
        columns,
    }
}

fn links(summary: &Summary) -> Table<'_> {
    let links = &summary.links;
    let columns = vec![
        Column::text("name", |row| text(&links[row].name)),
        Column::real("utilization", |row| links[row].utilization),
        Column::count("packets_in", |row| links[row].packets_in),
        Column::count("packets_out", |row| links[row].packets_out),
        Column::count("drops", |row| links[row].drops),
        Column::count("marks", |row| links[row].marks),
        Column::count("lost", |row| links[row].lost),
        Column::count("source_quenches", |row| links[row].source_quenches),
        Column::real("drop_rate", |row| links[row].drop_rate),
        Column::real("queue_mean_packets", |row| links[row].queue_mean_packets),
        Column::count("queue_max_packets", |row| links[row].queue_max_packets),
    ];
    Table {
        name: "links",
        rows: links.len(),
        columns,
    }
}

fn series<'a>(summary: &'a Summary, recording: &'a Recording) -> Table<'a> {
    let samples = &recording.flows;
    let mut columns = vec![Column::real("time_s", |row| samples[row].time_s)];
    columns.extend(flow_columns(summary, samples.len(), |row| {
        samples[row].flow
    }));
    columns.extend([
        Column::optional_real("window_packets", |row| samples[row].window_packets),
        Column::optional_real("slow_start_threshold_packets", |row| {
            samples[row].slow_start_threshold_packets
        }),
        Column::real("in_flight_packets", |row| samples[row].in_flight_packets),
        Column::optional_real("rtt_s", |row| samples[row].rtt_s),
        Column::optional_real("smoothed_rtt_s", |row| samples[row].smoothed_rtt_s),
        Column::optional_real("rto_s", |row| samples[row].rto_s),
        Column::count("acknowledged_packets", |row| {
            samples[row].acknowledged_packets
        }),
        Column::count("source_quenches", |row| samples[row].source_quenches),
        Column::real("goodput_bps", |row| samples[row].goodput_bps),
        Column::real("delivery_rate_bps", |row| samples[row].delivery_rate_bps),
        Column::real("throughput_bps", |row| samples[row].throughput_bps),
    ]);
    Table {
        name: "series",
        rows: samples.len(),
        columns,
    }
}

fn link_series<'a>(summary: &'a Summary, recording: &'a Recording) -> Table<'a> {
    let samples = &recording.links;
    let names = link_names(summary, samples.len());
    let columns = vec![
        Column::real("time_s", |row| samples[row].time_s),
        Column::text("link", move |row| names[samples[row].link as usize].clone()),
        Column::count("queue_packets", |row| samples[row].queue_packets),
        Column::count("queue_bytes", |row| samples[row].queue_bytes),
        Column::count("packets_in", |row| samples[row].packets_in),
        Column::count("drops", |row| samples[row].drops),
        Column::count("marks", |row| samples[row].marks),
        Column::count("lost", |row| samples[row].lost),
        Column::count("source_quenches", |row| samples[row].source_quenches),
        Column::real("throughput_bps", |row| samples[row].throughput_bps),
    ];
    Table {
        name: "link_series",
        rows: samples.len(),
        columns,
    }
}

fn variables<'a>(summary: &'a Summary, recording: &'a Recording) -> Table<'a> {
    let samples = &recording.variables;
    let (labels, links) = (
        flow_labels(summary, samples.len()),
        link_names(summary, samples.len()),
    );
    let columns = vec![
        Column::real("time_s", |row| samples[row].time_s),
        Column::optional_count("flow", |row| samples[row].flow.map(u64::from)),
        Column::optional_text("label", move |row| {
            samples[row].flow.map(|flow| labels[flow as usize].clone())
        }),
        Column::optional_count("index", |row| {
            samples[row]
                .flow
                .map(|flow| summary.flows[flow as usize].index)
        }),
        Column::optional_text("link", move |row| {
            samples[row].link.map(|link| links[link as usize].clone())
        }),
        Column::text("variable", |row| ByteArray::from(samples[row].name)),
        Column::real("value", |row| samples[row].value),
    ];
    Table {
        name: "variables",
        rows: samples.len(),
        columns,
    }
}

fn events<'a>(summary: &'a Summary, recording: &'a Recording) -> Table<'a> {
    let events = &recording.events;
    let links = link_names(summary, events.len());
    let mut columns = vec![Column::real("time_s", |row| {
        events[row].time_ps as f64 / PICOSECONDS_PER_SECOND
    })];
    columns.extend(flow_columns(summary, events.len(), |row| events[row].flow));
    columns.extend([
        Column::text("event", |row| ByteArray::from(events[row].kind.name())),
        Column::count("packet_number", |row| events[row].packet_number),
        Column::optional_text("link", move |row| {
            events[row].link.map(|link| links[link as usize].clone())
        }),
        Column::optional_real("window_packets", |row| events[row].window_packets),
    ]);
    Table {
        name: "events",
        rows: events.len(),
        columns,
    }
}

/// Which flow a row is about: its number, the label of its group, its number there.
fn flow_columns<'a>(
    summary: &'a Summary,
    rows: usize,
    flow: impl Fn(usize) -> u32 + Copy + 'a,
) -> [Column<'a>; 3] {
    let labels = flow_labels(summary, rows);
    [
        Column::count("flow", move |row| flow(row).into()),
        Column::text("label", move |row| labels[flow(row) as usize].clone()),
        Column::count("index", move |row| summary.flows[flow(row) as usize].index),
    ]
}

/// Labels by number of the flow, for a table of so many rows; none are needed for one without.
fn flow_labels(summary: &Summary, rows: usize) -> Vec<ByteArray> {
    let needed = summary.flows.iter().filter(|_| rows > 0);
    needed.map(|flow| text(&flow.label)).collect()
}

/// Names by number of the link, likewise.
fn link_names(summary: &Summary, rows: usize) -> Vec<ByteArray> {
    let needed = summary.links.iter().filter(|_| rows > 0);
    needed.map(|link| text(&link.name)).collect()
}

fn text(text: &str) -> ByteArray {
    ByteArray::from(text)
}

const PICOSECONDS_PER_SECOND: f64 = 1e12;
