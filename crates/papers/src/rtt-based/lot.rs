//! Figures 3 and 6 to 10 and Table 1: five connections of different round trips that share the last
//! link of a parking lot (§4.2, §4.3).

use experiments::simulation::Outcome;
use results::page::{Along, Axis, Block, Cell, Chart, Column, Kind, Series, Table};

use super::{Protocol, RTT_BASED, VEGAS, first_curve, first_time, seeds, table, thinned, within};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Run};

/// Figure 3: the network, and what other settings give.
pub(super) const FIGURE_3: Figure = Figure {
    id: "3",
    title: "the parking lot, and what depends on its settings",
    shows: "The drawing of this network is lost. Its links, and where the five connections enter, are \
            inferred. Here are other networks, other parameters of both protocols, and five times the \
            time.",
    parameters: PARAMETERS,
    plan: |mode| {
        let mut all = Vec::new();
        for (lot_name, lot) in LOTS {
            for (name, protocol) in VARIANTS {
                let varied = lot != LOT && !matches!(name, RTT_BASED_3 | VEGAS_131);
                if varied || (mode == Mode::Quick && lot != LOT) {
                    continue;
                }
                let key = Key::new().with("network", lot_name).with("protocol", name);
                all.extend((1..=seeds(mode)).map(|seed| lot.run(&protocol, key.clone(), seed)));
            }
        }
        all
    },
    measure: |outcome| measure(outcome, false),
    draw: |data| {
        vec![
            Block::Table(table("Networks and parameters", data, &VALUES)),
            Block::text(
                "The last column is the largest standard deviation of one of the five windows over the last \
                 0.5 s.",
            ),
        ]
    },
};

/// Figure 6.
pub(super) const FIGURE_6: Figure = Figure {
    id: "6",
    title: "window size of RTT-based TCP, long access links",
    shows: "The windows of the three connections with long access links.",
    parameters: PARAMETERS,
    plan: |mode| plan(&[RTT_BASED], mode),
    measure: |outcome| measure(outcome, true),
    draw: |data| vec![windows(data, &RTT_BASED, [1, 2, 3], "rtt-based-6")],
};

/// Figure 7.
pub(super) const FIGURE_7: Figure = Figure {
    id: "7",
    title: "window size of TCP Vegas, long access links",
    shows: "The same with Vegas.",
    parameters: PARAMETERS,
    plan: |mode| plan(&[VEGAS], mode),
    measure: |outcome| measure(outcome, true),
    draw: |data| vec![windows(data, &VEGAS, [1, 2, 3], "rtt-based-7")],
};

/// Figure 8.
pub(super) const FIGURE_8: Figure = Figure {
    id: "8",
    title: "window size of RTT-based TCP, short access links",
    shows: "The windows of sources 3, 4 and 5.",
    parameters: PARAMETERS,
    plan: |mode| plan(&[RTT_BASED, DEAD_BAND], mode),
    measure: |outcome| measure(outcome, true),
    draw: |data| {
        vec![
            windows(data, &RTT_BASED, [3, 4, 5], "rtt-based-8"),
            windows(data, &DEAD_BAND, [3, 4, 5], "rtt-based-8-dead-band"),
        ]
    },
};

/// Figure 9.
pub(super) const FIGURE_9: Figure = Figure {
    id: "9",
    title: "window size of TCP Vegas, short access links",
    shows: "The same with Vegas.",
    parameters: PARAMETERS,
    plan: |mode| plan(&[VEGAS], mode),
    measure: |outcome| measure(outcome, true),
    draw: |data| vec![windows(data, &VEGAS, [3, 4, 5], "rtt-based-9")],
};

/// Figure 10.
pub(super) const FIGURE_10: Figure = Figure {
    id: "10",
    title: "total queue occupancy under the parking-lot configuration",
    shows: "The packets that wait for all links of the lot. Below, the same with a Vegas that leaves slow \
            start late.",
    parameters: PARAMETERS,
    plan: |mode| plan(&[RTT_BASED, VEGAS, LATE_VEGAS], mode),
    measure: |outcome| measure(outcome, true),
    draw: |data| {
        let chart = Chart::new(
            "rtt-based-10",
            "packets that wait",
            Axis::linear("time", "s"),
            Axis::linear("queues", "packets"),
        )
        .line(Along::Y, 65.0, "largest, Vegas (paper)")
        .line(Along::Y, 45.0, "largest, RTT-based (paper)")
        .note("The first run of each protocol.");
        let all = [RTT_BASED, VEGAS, LATE_VEGAS];
        let chart = all.iter().fold(chart, |chart, protocol| {
            let curve = |point| first_curve(point, "queue_packets");
            let points = data.point(&key(protocol)).map(curve).unwrap_or_default();
            chart.with(Series::new(protocol.name, Kind::Line, points))
        });
        vec![Block::Chart(chart)]
    },
};

/// Table 1.
pub(super) const TABLE_1: Figure = Figure {
    id: "table-1",
    title: "performance index",
    shows: "The part of the last link that is used, and Jain's index over the five connections.",
    parameters: PARAMETERS,
    plan: |mode| plan(&[VEGAS, RTT_BASED], mode),
    measure: |outcome| measure(outcome, false),
    draw: |data| {
        let columns = vec![
            Column::text(""),
            Column::number("Vegas", ""),
            Column::number("paper", "").digits(3),
            Column::number("RTT-based TCP", ""),
            Column::number("paper", "").digits(3),
        ];
        let mut table = Table::new("Throughput and fairness", columns);
        for (name, value, vegas, rtt_based) in [
            (
                "throughput, % of the bottleneck",
                "utilization_percent",
                97.2,
                97.3,
            ),
            ("fairness", "jain", 0.871, 0.999),
        ] {
            table.rows.push(vec![
                Cell::from(name),
                data.samples(&key(&VEGAS), value).cell(),
                Cell::from(vegas),
                data.samples(&key(&RTT_BASED), value).cell(),
                Cell::from(rtt_based),
            ]);
        }
        vec![Block::Table(table)]
    },
};

pub(super) fn key(protocol: &Protocol) -> Key {
    Key::new().with("protocol", protocol.name)
}

/// A parking lot whose links are alike, and five connections that leave at its end.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lot {
    links: u32,
    rate_mbps: u32,
    delay_ms: u32,
    /// The link where each connection enters, from 1.
    enters: [u32; 5],
    /// One-way delay of its access link.
    access_ms: [u32; 5],
    duration_s: u32,
}

const LOT: Lot = Lot {
    links: 4,
    rate_mbps: 10,
    delay_ms: 2,
    enters: [1, 1, 2, 2, 4],
    access_ms: [5, 5, 5, 1, 1],
    duration_s: 2,
};

pub(super) const BASE: &str = "as in Figures 6 to 10";
const LOTS: [(&str, Lot); 4] = [
    (BASE, LOT),
    (
        "20 Mb/s",
        Lot {
            rate_mbps: 20,
            ..LOT
        },
    ),
    (
        "five links, one entry each",
        Lot {
            links: 5,
            enters: [1, 2, 3, 4, 5],
            ..LOT
        },
    ),
    (
        "10 s",
        Lot {
            duration_s: 10,
            ..LOT
        },
    ),
];

const RTT_BASED_3: &str = RTT_BASED.name;
const VEGAS_131: &str = VEGAS.name;
pub(super) const LATE_VEGAS: Protocol = Protocol {
    name: "Vegas, α = 2, β = 4, γ = 8",
    controller: r#"{ name = "vegas", alpha = 2, beta = 4, gamma = 8 }"#,
    recovery: "vegas",
};
pub(super) const DEAD_BAND: Protocol = Protocol {
    name: "RTT-based, dead band of 1",
    controller: r#"{ name = "rtt-based", alpha = 3, dead_band = 1 }"#,
    recovery: "new-reno",
};
const fn rtt_based(name: &'static str, controller: &'static str) -> (&'static str, Protocol) {
    let recovery = "new-reno";
    let protocol = Protocol {
        name,
        controller,
        recovery,
    };
    (name, protocol)
}
const VARIANTS: [(&str, Protocol); 9] = [
    (RTT_BASED_3, RTT_BASED),
    rtt_based("RTT-based, α = 2", r#"{ name = "rtt-based", alpha = 2 }"#),
    rtt_based("RTT-based, α = 4", r#"{ name = "rtt-based", alpha = 4 }"#),
    rtt_based(
        "RTT-based, real occupancy",
        r#"{ name = "rtt-based", alpha = 3, occupancy = "real" }"#,
    ),
    (DEAD_BAND.name, DEAD_BAND),
    rtt_based(
        "RTT-based, α = 2, dead band of 2",
        r#"{ name = "rtt-based", alpha = 2, dead_band = 2 }"#,
    ),
    rtt_based(
        "RTT-based, as printed",
        r#"{ name = "rtt-based", alpha = 3, reading = "literal" }"#,
    ),
    (VEGAS_131, VEGAS),
    (LATE_VEGAS.name, LATE_VEGAS),
];

fn plan(protocols: &[Protocol], mode: Mode) -> Vec<Run> {
    let mut all = Vec::new();
    for protocol in protocols {
        all.extend((1..=seeds(mode)).map(|seed| LOT.run(protocol, key(protocol), seed)));
    }
    all
}

impl Lot {
    fn run(&self, protocol: &Protocol, key: Key, seed: u64) -> Run {
        let Self {
            links,
            rate_mbps,
            delay_ms,
            enters,
            access_ms,
            duration_s,
        } = self;
        let Protocol {
            name,
            controller,
            recovery,
        } = protocol;
        let mut scenario = format!(
            r#"# The parking lot of "An end-to-end flow control approach based on round trip time" (Chen, Chen
# and Lee): {name}, seed {seed}.
name = "rtt-based-lot"
duration = "{duration_s} s"
seed = {seed}

[topology]
kind = "parking-lot"
count = {links}
hop = {{ rate = "{rate_mbps} Mbps", delay = "{delay_ms} ms", queue = {{ kind = "drop-tail", limit = "unlimited" }} }}
sender_access = {{ rate = "100 Mbps", delay = "1 ms" }}
receiver_access = {{ delay = "0 ms" }}

[record]
every = "1 ms"
"#
        );
        for (index, (enters, access)) in enters.iter().zip(access_ms).enumerate() {
            let source = index + 1;
            scenario += &format!(
                r#"
[[flows]]
label = "source{source}"
protocol = "tcp"
recovery = "{recovery}"
controller = {controller}
packet_size = "1000 B"
initial_window = "1 packet"
from = "hop{enters}"
access = {{ delay = "{access} ms" }}
start = {{ uniform = ["0 s", "10 ms"] }}
"#
            );
        }
        Run {
            key,
            seed,
            scenario,
            work: f64::from(rate_mbps * duration_s) * 1e6 / 8_000.0,
        }
    }
}

/// Whether the run keeps its series.
fn measure(outcome: &Outcome, curves: bool) -> Measured {
    let recording = &outcome.recording;
    let links = &outcome.summary.links;
    let is_hop = |link: u32| {
        let name = links.get(link as usize).map(|link| link.name.as_str());
        name.is_some_and(|name| name.starts_with("hop") && !name.contains("reverse"))
    };
    let mut queue: Vec<(f64, f64)> = Vec::new();
    let mut last_link: Vec<(f64, f64)> = Vec::new();
    let last = (0..links.len() as u32).rfind(|link| is_hop(*link));
    for sample in recording.links.iter().filter(|sample| is_hop(sample.link)) {
        match queue.last_mut() {
            Some((time, waiting)) if *time == sample.time_s => {
                *waiting += sample.queue_packets as f64;
            }
            _ => queue.push((sample.time_s, sample.queue_packets as f64)),
        }
        if Some(sample.link) == last {
            last_link.push((sample.time_s, sample.throughput_bps));
        }
    }
    let utilization = last.map(|link| links[link as usize].utilization);
    let busy: Vec<_> = last_link
        .windows(RATE_OVER_SAMPLES)
        .map(|part| {
            let sum: f64 = part.iter().map(|(_, bps)| bps).sum();
            (part[part.len() - 1].0, sum / part.len() as f64)
        })
        .collect();
    let most = busy.iter().map(|(_, bps)| *bps).fold(0.0, f64::max);
    let end = outcome.summary.duration_s;
    let mut measured = Measured::default()
        .value("utilization_percent", utilization.map(|part| 100.0 * part))
        .value("jain", outcome.summary.jain)
        .value("ramp_s", first_time(&busy, 0.0, |bps| bps >= RAMPED * most))
        .value(
            "queue_max_packets",
            within(&queue, 0.0, f64::MAX).reduce(f64::max),
        )
        .value(
            "drops",
            links.iter().map(|link| link.drops).sum::<u64>() as f64,
        );
    let mut largest_sd = 0.0_f64;
    for flow in 0..5_u32 {
        let of_flow = recording.flows.iter().filter(|sample| sample.flow == flow);
        let window: Vec<_> = of_flow
            .filter_map(|sample| Some((sample.time_s, sample.window_packets?)))
            .collect();
        let late: Vec<f64> = within(&window, end - 0.5, end).collect();
        largest_sd = largest_sd.max(deviation(&late));
        if curves {
            measured = measured.curve(WINDOWS[flow as usize], thinned(&window, 5));
        }
    }
    if curves {
        measured = measured.curve("queue_packets", thinned(&queue, 5));
    }
    measured.value("window_sd_packets", largest_sd)
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values
        .iter()
        .map(|value| (value - mean) * (value - mean))
        .sum();
    let deviation = (squares / count).sqrt();
    // Windows that are all the same leave the rounding of their mean.
    if deviation < 1e-9 { 0.0 } else { deviation }
}

fn windows(data: &Data, protocol: &Protocol, sources: [usize; 3], id: &str) -> Block {
    let chart = Chart::new(
        id,
        format!("window, {}", protocol.name),
        Axis::linear("time", "s"),
        Axis::linear("window", "packets"),
    )
    .note("The first run.");
    Block::Chart(sources.iter().fold(chart, |chart, source| {
        let curve = |point| first_curve(point, WINDOWS[source - 1]);
        let points = data.point(&key(protocol)).map(curve).unwrap_or_default();
        chart.with(Series::new(format!("source {source}"), Kind::Line, points))
    }))
}

const WINDOWS: [&str; 5] = [
    "window_1_packets",
    "window_2_packets",
    "window_3_packets",
    "window_4_packets",
    "window_5_packets",
];

const VALUES: [super::Shown; 5] = [
    ("utilization_percent", "last link used", "%"),
    ("jain", "Jain's index", ""),
    ("queue_max_packets", "max queue, all links", "packets"),
    ("ramp_s", "ramp", "s"),
    ("window_sd_packets", "sd of a window", "packets"),
];

const PARAMETERS: &[(&str, &str)] = &[
    (
        "links",
        "four of 10 Mb/s and 2 ms, queues without end (inferred; Figure 3 has others)",
    ),
    (
        "connections",
        "enter at links 1, 1, 2, 2, 4 and leave after the last (inferred)",
    ),
    (
        "access",
        "100 Mb/s, 5 ms for sources 1 to 3 and 1 ms for 4 and 5: RTT 29, 29, 25, 17, 8 ms (inferred)",
    ),
    ("packets", "1000 B (inferred)"),
    (
        "α of RTT-based TCP",
        "3 packets, K = 0.25, rounded occupancy (α inferred)",
    ),
    (
        "Vegas",
        "α = 1, β = 3, γ = 1 (its own defaults; the paper gives none)",
    ),
    (
        "time",
        "2 s (the paper's); starts within 10 ms, drawn for each run",
    ),
];
/// Time over which the rate of the last link is averaged, in samples of 1 ms.
const RATE_OVER_SAMPLES: usize = 20;
/// Part of its highest rate at which the last link counts as filled.
const RAMPED: f64 = 0.95;
