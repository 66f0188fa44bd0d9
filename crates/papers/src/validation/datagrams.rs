//! TFRC beside TCP SACK: a DSL line, cells of the fairness surfaces, RED's weight.
//!
//! As `references/ns2/tcl/p002_fair.tcl`: 1000 B of payload, the same queue both ways.

use std::fmt::Write as _;

use experiments::Outcome;
use experiments::metrics::Moments;

use super::statistical::{Family, Metric};
use super::table::Cells;

macro_rules! data {
    ($file:literal) => {
        include_str!(concat!("../../../../references/ns2/data/", $file, ".csv"))
    };
}

pub(super) const DSL: Family = Family {
    name: "tfrc/dsl",
    reference: data!("tfrc_dsl"),
    keys: &["queue_limit_pkts", "nrev", "ovh_s", "tfrc_tick_s"],
    scenario: |row, seed| scenario(row, "15 Mbps", seed),
    metrics: &[SHARE, GOODPUT],
    explained: nothing,
};

pub(super) const THETA: Family = Family {
    name: "tfrc/theta",
    reference: data!("tfrc_theta"),
    keys: &["qtype", "n", "bw_bps"],
    scenario: |row, seed| scenario(row, "50 Mbps", seed),
    metrics: &[SHARE, GOODPUT],
    explained: nothing,
};

pub(super) const WEIGHT: Family = Family {
    name: "tfrc/red-weight",
    reference: data!("tfrc_weight"),
    keys: &["weight"],
    scenario: red_weight,
    metrics: &[
        Metric {
            name: "average queue, mean (packets)",
            reference: |row| row.number("average_mean_pkts"),
            ours: |outcome| averages(outcome).0,
        },
        Metric {
            name: "average queue, least (packets)",
            reference: |row| row.number("average_min_pkts"),
            ours: |outcome| averages(outcome).1,
        },
        Metric {
            name: "average queue, greatest (packets)",
            reference: |row| row.number("average_max_pkts"),
            ours: |outcome| averages(outcome).2,
        },
    ],
    explained: nothing,
};

const SHARE: Metric = Metric {
    name: "TCP's share of the goodput",
    reference: |row| row.number("theta"),
    ours: |outcome| goodput(outcome, "tcp") / (goodput(outcome, "tcp") + goodput(outcome, "tfrc")),
};

const GOODPUT: Metric = Metric {
    name: "goodput (Mb/s)",
    reference: |row| (row.number("tcp_goodput_bps") + row.number("tfrc_goodput_bps")) / 1e6,
    ours: |outcome| (goodput(outcome, "tcp") + goodput(outcome, "tfrc")) / 1e6,
};

fn nothing(_: &str, _: &str) -> Option<&'static str> {
    None
}

fn goodput(outcome: &Outcome, label: &str) -> f64 {
    let mut groups = outcome.summary.groups.iter();
    groups
        .find(|group| group.label == label)
        .map_or(0.0, |group| group.goodput_bps)
}

/// Mean, least and greatest of RED's average after the warm-up.
fn averages(outcome: &Outcome) -> (f64, f64, f64) {
    let (mut moments, mut least, mut greatest) = (Moments::default(), f64::NAN, f64::NAN);
    for sample in &outcome.recording.variables {
        let forward = sample.link == Some(0) && sample.name == "average_packets";
        if forward && sample.time_s > outcome.summary.warmup_s {
            moments.add(sample.value);
            least = least.min(sample.value);
            greatest = greatest.max(sample.value);
        }
    }
    (moments.mean().unwrap_or(f64::NAN), least, greatest)
}

fn scenario(row: &Cells<'_>, access: &str, seed: u64) -> String {
    let limit = row.number("queue_limit_pkts") as u64;
    let queue = match row.text("qtype") {
        "RED" => red(limit, "\"auto\""),
        _ => format!(
            "{{ kind = \"drop-tail\", limit = \"{} packets\" }}",
            limit - 1
        ),
    };
    let flows = Flows {
        each: row.number("n") as u64,
        reverse: row.number("nrev") as u64,
        dither_ms: row.number("ovh_s") * 1e3,
        tick_ms: row.number("tfrc_tick_s") * 1e3,
    };
    let duration_s = row.number("dur_s");
    text(
        row.number("bw_bps"),
        &queue,
        access,
        duration_s,
        &flows,
        seed,
    )
}

fn red_weight(row: &Cells<'_>, seed: u64) -> String {
    let flows = Flows {
        each: 2,
        reverse: 2,
        dither_ms: 0.0,
        tick_ms: 100.0,
    };
    let queue = red(50, row.text("weight"));
    text(5e6, &queue, "50 Mbps", 120.0, &flows, seed) + "\n[record]\nevery = \"50 ms\"\n"
}

fn red(limit: u64, weight: &str) -> String {
    format!(
        "{{ kind = \"red\", limit = \"{limit} packets\", weight = {weight}, max_probability = 0.1 }}"
    )
}

struct Flows {
    /// Of TCP and of TFRC.
    each: u64,
    /// Of TCP, the other way.
    reverse: u64,
    dither_ms: f64,
    tick_ms: f64,
}

fn text(
    rate_bps: f64,
    queue: &str,
    access: &str,
    duration_s: f64,
    flows: &Flows,
    seed: u64,
) -> String {
    let Flows {
        each,
        reverse,
        dither_ms,
        tick_ms,
    } = flows;
    let mut text = format!(
        r#"
name = "tfrc"
duration = "{duration_s} s"
warmup = "20 s"
seed = {seed}

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "{rate_bps} bps", delay = "10 ms", queue = {queue} }}
reverse = {{ rate = "{rate_bps} bps", delay = "10 ms", queue = {queue} }}
access = {{ rate = "{access}", delay = {{ uniform = ["0.5 ms", "2 ms"] }} }}

[[flows]]
label = "tfrc"
count = {each}
protocol = "tfrc"
controller = {{ name = "tfrc", tick = "{tick_ms} ms" }}
compat = "ns-2"
later_packets = 1
packet_size = "1032 B"
header = "32 B"
start = {{ uniform = ["0 s", "1 s"] }}
"#
    );
    for (label, count, direction) in [("tcp", each, "forward"), ("reverse", reverse, "reverse")] {
        if *count == 0 {
            continue;
        }
        write!(
            text,
            r#"
[[flows]]
label = "{label}"
count = {count}
direction = "{direction}"
recovery = "sack"
controller = "reno"
start = {{ uniform = ["0 s", "1 s"] }}
dither = "{dither_ms} ms"
{}
"#,
            super::families::NS2_FLOW
        )
        .expect("writing to a string cannot fail");
    }
    text
}
