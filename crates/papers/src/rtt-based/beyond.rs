//! Figures of our own: handovers, which the paper's conclusion leaves for later, Reno as a neighbour,
//! and a route that becomes longer.

use experiments::simulation::Outcome;
use results::page::{Axis, Block, Chart, Kind, Series};

use super::{Protocol, RENO, RTT_BASED, VEGAS, first_curve, seeds, table, thinned, within};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Run};

/// Handovers: the delay of the path jumps between two values.
pub(super) const HANDOVER: Figure = Figure {
    id: "handover",
    title: "the round trip jumps with each handover (not in the paper)",
    shows: "One connection on 10 Mb/s. Its round trip is 40 ms all the time, or jumps between 40 and 120 ms \
            every 2 s on average, as when a host roams between base stations. The paper's conclusion \
            expects that the scheme suffers.",
    parameters: &[
        (
            "path",
            "10 Mb/s; a queue of 1 bandwidth-delay product of 40 ms",
        ),
        (
            "jumps",
            "40 ↔ 120 ms, stays of 1 s and an exponential second",
        ),
        (
            "with memory of 5 s",
            "the smallest round trip is forgotten after 5 to 10 s",
        ),
    ],
    plan: |mode| {
        let mut all = Vec::new();
        for (path, delay) in [
            ("steady", r#""19 ms""#),
            (
                "jumps",
                r#"{ kind = "alternating", states = [{ delay = "19 ms", stay = "1 s", extra = "1 s" }, { delay = "99 ms", stay = "1 s", extra = "1 s" }] }"#,
            ),
        ] {
            for protocol in [RENO, VEGAS, FORGETFUL_VEGAS, RTT_BASED, FORGETFUL] {
                for seed in 1..=seeds(mode) {
                    let key = Key::new()
                        .with("path", path)
                        .with("protocol", protocol.name);
                    all.push(run(
                        &Path { delay, ..PATH },
                        &[("tcp", protocol)],
                        key,
                        seed,
                    ));
                }
            }
        }
        all
    },
    measure: |outcome| measure(outcome, false),
    draw: |data| {
        let values = [
            ("goodput_mbps", "goodput", "Mb/s"),
            ("queue_mean_packets", "mean queue", "packets"),
            ("timeouts", "timeouts", ""),
            ("fast_retransmits", "repairs", ""),
        ];
        vec![
            Block::Table(table("Steady and jumping round trips", data, &values)),
            Block::text(
                "The delay comes back to its small value before the memory of 5 s has passed, so forgetting \
                 changes nothing here: it helps where a route stays longer (figure route). On a steady path \
                 it costs a longer queue, since the smallest round trip is then one with a queue. Repairs are \
                 fast retransmits.",
            ),
        ]
    },
};

/// One connection beside one of Reno.
pub(super) const RENO_BESIDE: Figure = Figure {
    id: "reno",
    title: "beside Reno (not in the paper)",
    shows: "One connection of each protocol beside one of Reno, on a short and a long queue: its part of \
            the goodput. A half is fair. A sender that keeps queues short loses to one that fills them.",
    parameters: &[("path", "10 Mb/s, 40 ms")],
    plan: |mode| {
        let mut all = Vec::new();
        for (name, queue) in [
            ("1/4 BDP", "12 packets"),
            ("1 BDP", "50 packets"),
            ("4 BDP", "200 packets"),
        ] {
            for protocol in [RENO, VEGAS, RTT_BASED] {
                for seed in 1..=seeds(mode) {
                    let key = Key::new()
                        .with("queue", name)
                        .with("protocol", protocol.name);
                    let flows = [("tcp", protocol), ("reno", RENO)];
                    all.push(run(&Path { queue, ..PATH }, &flows, key, seed));
                }
            }
        }
        all
    },
    measure: |outcome| measure(outcome, false),
    draw: |data| {
        let values = [
            ("part", "its part", ""),
            ("goodput_mbps", "goodput of both", "Mb/s"),
            ("queue_mean_packets", "mean queue", "packets"),
        ];
        vec![Block::Table(table("Beside Reno", data, &values))]
    },
};

/// A route that becomes longer.
pub(super) const ROUTE: Figure = Figure {
    id: "route",
    title: "a route becomes longer (not in the paper)",
    shows: "At 10 s the round trip of the empty path goes from 40 to 100 ms. A sender that remembers the \
            smallest round trip for ever takes the longer way for a queue. One that forgets finds out.",
    parameters: &[
        (
            "path",
            "10 Mb/s; 40 ms, from 10 s on 100 ms; a queue of 200 packets",
        ),
        (
            "with memory of 5 s",
            "the smallest round trip is forgotten after 5 to 10 s",
        ),
    ],
    plan: |mode| {
        let path = Path {
            queue: "200 packets",
            schedule: r#"schedule = [{ at = "10 s", delay = "49 ms" }]"#,
            ..PATH
        };
        let mut all = Vec::new();
        for protocol in ROUTE_PROTOCOLS {
            for seed in 1..=seeds(mode) {
                let key = Key::new().with("protocol", protocol.name);
                all.push(run(&path, &[("tcp", protocol)], key, seed));
            }
        }
        all
    },
    measure: |outcome| measure(outcome, true),
    draw: |data| {
        let values = [
            ("before_mbps", "goodput, 5–10 s", "Mb/s"),
            ("after_mbps", "goodput, 30–40 s", "Mb/s"),
            ("queue_mean_packets", "mean queue", "packets"),
        ];
        let mut blocks = vec![Block::Chart(route_chart(data))];
        blocks.push(Block::Table(table("Before and after", data, &values)));
        blocks
    },
};

fn route_chart(data: &Data) -> Chart {
    let chart = Chart::new(
        "rtt-based-route",
        "window as the route becomes longer at 10 s",
        Axis::linear("time", "s"),
        Axis::linear("window", "packets"),
    )
    .note("The first run of each protocol.");
    ROUTE_PROTOCOLS.iter().fold(chart, |chart, protocol| {
        let key = Key::new().with("protocol", protocol.name);
        let curve = |point| first_curve(point, "window_packets");
        let points = data.point(&key).map(curve).unwrap_or_default();
        chart.with(Series::new(protocol.name, Kind::Line, points))
    })
}

const FORGETFUL: Protocol = Protocol {
    name: "RTT-based, memory of 5 s",
    controller: r#"{ name = "rtt-based", alpha = 3, base_rtt_period = "5 s" }"#,
    recovery: "new-reno",
};
const FORGETFUL_VEGAS: Protocol = Protocol {
    name: "Vegas, memory of 5 s",
    controller: r#"{ name = "vegas", base_rtt_period = "5 s" }"#,
    recovery: "vegas",
};
const ROUTE_PROTOCOLS: [Protocol; 4] = [RTT_BASED, FORGETFUL, VEGAS, FORGETFUL_VEGAS];

struct Path {
    /// As in a scenario file.
    delay: &'static str,
    queue: &'static str,
    schedule: &'static str,
}

const PATH: Path = Path {
    delay: r#""19 ms""#,
    queue: "50 packets",
    schedule: "",
};

fn run(path: &Path, flows: &[(&str, Protocol)], key: Key, seed: u64) -> Run {
    let Path {
        delay,
        queue,
        schedule,
    } = path;
    let mut scenario = format!(
        r#"# Beyond "An end-to-end flow control approach based on round trip time": {key}, seed {seed}.
name = "rtt-based-beyond"
duration = "40 s"
warmup = "2 s"
seed = {seed}

[topology]
kind = "dumbbell"
access = {{ rate = "100 Mbps", delay = "0.5 ms" }}
reverse = {{ rate = "10 Mbps", delay = "19 ms" }}

[topology.bottleneck]
rate = "10 Mbps"
delay = {delay}
queue = {{ kind = "drop-tail", limit = "{queue}" }}
{schedule}

[record]
every = "100 ms"
"#
    );
    for (label, protocol) in flows {
        let Protocol {
            controller,
            recovery,
            ..
        } = protocol;
        scenario += &format!(
            r#"
[[flows]]
label = "{label}"
protocol = "tcp"
recovery = "{recovery}"
controller = {controller}
packet_size = "1000 B"
start = {{ uniform = ["0 s", "1 s"] }}
"#
        );
    }
    Run {
        key,
        seed,
        scenario,
        work: 10e6 * 40.0 / 8_000.0,
    }
}

fn measure(outcome: &Outcome, curves: bool) -> Measured {
    let summary = &outcome.summary;
    let of = |label: &str| summary.groups.iter().find(|group| group.label == label);
    let tcp = of("tcp").map_or(0.0, |group| group.goodput_bps);
    let all: f64 = summary.groups.iter().map(|group| group.goodput_bps).sum();
    let flow = summary.flows.first();
    let link = summary.links.iter().find(|link| link.name == "bottleneck");
    let of_first = outcome
        .recording
        .flows
        .iter()
        .filter(|sample| sample.flow == 0);
    let goodput: Vec<_> = of_first
        .clone()
        .map(|sample| (sample.time_s, sample.goodput_bps))
        .collect();
    let mean = |from, to| {
        let values: Vec<f64> = within(&goodput, from, to).collect();
        values.iter().sum::<f64>() / values.len().max(1) as f64 / 1e6
    };
    let measured = Measured::default()
        .value("goodput_mbps", all / 1e6)
        .value("part", tcp / all)
        .value("before_mbps", mean(5.0, 10.0))
        .value("after_mbps", mean(30.0, 40.0))
        .value("timeouts", flow.map(|flow| flow.timeouts as f64))
        .value(
            "fast_retransmits",
            flow.map(|flow| flow.fast_retransmits as f64),
        )
        .value(
            "queue_mean_packets",
            link.map(|link| link.queue_mean_packets),
        );
    if !curves {
        return measured;
    }
    let window: Vec<_> = of_first
        .filter_map(|sample| Some((sample.time_s, sample.window_packets?)))
        .collect();
    measured.curve("window_packets", thinned(&window, 1))
}
