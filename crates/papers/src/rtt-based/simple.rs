//! Figures 2, 4 and 5: one connection on a bottleneck that it shares with 20 Mb/s of UDP from 1.5 to
//! 3 s (§4.2, §4.3); and of our own the choice of K.

use experiments::simulation::Outcome;
use results::page::{Along, Axis, Block, Chart, Kind, Series};

use super::{
    LITERAL, Protocol, RTT_BASED, VEGAS, first_curve, first_time, seeds, table, thinned, within,
};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Run};

/// Figure 2: the network, and what other settings give.
pub(super) const FIGURE_2: Figure = Figure {
    id: "2",
    title: "the simple configuration, and what depends on its settings",
    shows: "The drawing of this network is lost. Its rate and round trip are inferred; here are fifteen \
            settings. The ramp is the time from the start until the window first has 95 % of the \
            bandwidth-delay product, the lasting ramp until it has that for good; down and up are the times from the beginning and the end of the UDP traffic until the window \
            has come within 5 packets of its new product, and to 95 % of its old one.",
    parameters: PARAMETERS,
    plan: |mode| {
        let mut all = Vec::new();
        for (rate_mbps, delay_ms) in settings(mode) {
            for protocol in [RTT_BASED, VEGAS] {
                let setting = Setting {
                    rate_mbps,
                    delay_ms,
                };
                for seed in 1..=seeds(mode).min(3) {
                    all.push(setting.run(&protocol, key_2(setting, &protocol), seed));
                }
            }
        }
        all
    },
    measure: |outcome| measure(outcome, false),
    draw: |data| {
        vec![
            Block::Table(table("Times", data, &TIMES)),
            Block::Table(table("Queues and windows", data, &QUEUES)),
            Block::text(
                "At 30 Mb/s and 12 ms RTT-based TCP has 95 % of the product after six round trips, for 1.6 ms: \
                 the ACKs of a window that doubles let packets go at twice the bottleneck's rate, \
                 the last ones of the sixth burst find more than α packets waiting, and the window \
                 falls back to that of the last monitor packet. From there it grows anew, one packet \
                 first, and has its product for good after nine round trips more.",
            ),
            Block::text(
                "On long paths RTT-based TCP needs long to fill the link, or does not until 1.5 s: its fast \
                 growth makes bursts, whose last packets see a round trip beyond the threshold before the \
                 link is full, and the growth begins anew. A window that was below its product before the \
                 UDP traffic makes a short queue without merit.",
            ),
        ]
    },
};

/// Figure 4.
pub(super) const FIGURE_4: Figure = Figure {
    id: "4",
    title: "comparison of window size",
    shows: "The window of one connection. At 1.5 s two thirds of its bottleneck go to UDP traffic, at 3 s \
            they come back.",
    parameters: PARAMETERS,
    plan,
    measure: |outcome| measure(outcome, true),
    draw: |data| {
        vec![
            Block::Chart(chart(data, "window_packets", "window", "rtt-based-4")),
            Block::Table(table("Times", data, &TIMES[1..])),
        ]
    },
};

/// Figure 5.
pub(super) const FIGURE_5: Figure = Figure {
    id: "5",
    title: "comparison of queue occupancy",
    shows: "The packets that wait for the bottleneck in the same runs.",
    parameters: PARAMETERS,
    plan,
    measure: |outcome| measure(outcome, true),
    draw: |data| {
        vec![
            Block::Chart(chart(data, "queue_packets", "queue", "rtt-based-5")),
            Block::Table(table("Queues", data, &QUEUES[..3])),
        ]
    },
};

/// The fraction K in a run.
pub(super) const K: Figure = Figure {
    id: "k",
    title: "the fraction K in a run (not in the paper)",
    shows: "The runs of Figures 4 and 5 with other fractions K of the packets beyond α that are taken \
            away each round trip. §2.4 forbids more than a quarter.",
    parameters: PARAMETERS,
    plan: |mode| {
        let mut all = Vec::new();
        for (k, controller) in FRACTIONS {
            let protocol = Protocol {
                controller,
                ..RTT_BASED
            };
            for seed in 1..=seeds(mode) {
                all.push(SETTING.run(&protocol, Key::new().with("k", k), seed));
            }
        }
        all
    },
    measure: |outcome| measure(outcome, false),
    draw: |data| {
        vec![
            Block::Table(table("Times with four fractions", data, &TIMES)),
            Block::Table(table("Queues and windows", data, &QUEUES)),
        ]
    },
};

/// A bottleneck rate and the one-way delay of its link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Setting {
    rate_mbps: u32,
    delay_ms: u32,
}

const SETTING: Setting = Setting {
    rate_mbps: 30,
    delay_ms: 5,
};

/// The protocols of Figures 4 and 5.
pub(super) const COMPARED: [Protocol; 3] = [RTT_BASED, VEGAS, LITERAL];

pub(super) fn key(protocol: &Protocol) -> Key {
    Key::new().with("protocol", protocol.name)
}

fn key_2(setting: Setting, protocol: &Protocol) -> Key {
    Key::new()
        .with("rate_mbps", setting.rate_mbps)
        .with("rtt_ms", 2 * (setting.delay_ms + ACCESS_MS))
        .with("protocol", protocol.name)
}

fn settings(mode: Mode) -> Vec<(u32, u32)> {
    let rates: &[u32] = match mode {
        Mode::Quick => &[30],
        Mode::Full => &[25, 30, 40, 50, 100],
    };
    let delays = [5, 10, 20];
    let all = rates
        .iter()
        .flat_map(|rate| delays.map(|delay| (*rate, delay)));
    all.collect()
}

fn plan(mode: Mode) -> Vec<Run> {
    let mut all = Vec::new();
    for protocol in &COMPARED {
        for seed in 1..=seeds(mode) {
            all.push(SETTING.run(protocol, key(protocol), seed));
        }
    }
    all
}

impl Setting {
    fn run(self, protocol: &Protocol, key: Key, seed: u64) -> Run {
        let Self {
            rate_mbps,
            delay_ms,
        } = self;
        let Protocol {
            name,
            controller,
            recovery,
        } = protocol;
        let scenario = format!(
            r#"# The simple configuration of "An end-to-end flow control approach based on round trip time"
# (Chen, Chen and Lee): {name}, seed {seed}.
name = "rtt-based-simple-{rate_mbps}"
duration = "4.5 s"
seed = {seed}

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "{rate_mbps} Mbps", delay = "{delay_ms} ms", queue = {{ kind = "drop-tail", limit = "unlimited" }} }}
sender_access = {{ rate = "100 Mbps", delay = "0.5 ms" }}
receiver_access = {{ rate = "100 Mbps", delay = "0.5 ms" }}

[[flows]]
label = "tcp"
protocol = "tcp"
recovery = "{recovery}"
controller = {controller}
packet_size = "1000 B"
initial_window = "1 packet"
start = {{ uniform = ["0 s", "10 ms"] }}

[[flows]]
label = "udp"
protocol = "udp"
application = {{ kind = "cbr", rate = "20 Mbps" }}
packet_size = "1000 B"
start = "1.5 s"
stop = "3 s"

[record]
every = "0.5 ms"
"#
        );
        Run {
            key,
            seed,
            scenario,
            work: f64::from(rate_mbps) * 1e6 * 4.5 / 8_000.0,
        }
    }
}

/// Whether the run keeps its series.
fn measure(outcome: &Outcome, curves: bool) -> Measured {
    let recording = &outcome.recording;
    let tcp = recording.flows.iter().filter(|sample| sample.flow == 0);
    let window: Vec<_> = tcp
        .filter_map(|sample| Some((sample.time_s, sample.window_packets?)))
        .collect();
    let link = outcome
        .summary
        .links
        .iter()
        .position(|link| link.name == "bottleneck");
    let at_bottleneck = recording
        .links
        .iter()
        .filter(|sample| Some(sample.link as usize) == link);
    let queue: Vec<_> = at_bottleneck
        .map(|sample| (sample.time_s, sample.queue_packets as f64))
        .collect();
    // The scenario's name ends in its rate.
    let rate = outcome.summary.scenario.rsplit('-').next();
    let rate_mbps = rate.and_then(|rate| rate.parse().ok()).unwrap_or(f64::NAN);
    let rtt_s = outcome
        .summary
        .flows
        .first()
        .and_then(|flow| flow.rtt_min_s);
    let product = |mbps: f64| rtt_s.unwrap_or(0.0) * mbps * 1e6 / 8_000.0;
    let reached = |window: f64| window >= RAMPED * product(rate_mbps);
    let left = |window: f64| window <= product(rate_mbps - UDP_MBPS) + NEAR_PACKETS;
    let start_s = outcome
        .summary
        .flows
        .first()
        .map_or(0.0, |flow| flow.start_s);
    // One sample behind the last one that was below.
    let mut before_udp = window.iter().filter(|(time, _)| *time < UDP_FROM_S);
    let below = before_udp.rfind(|(_, window)| !reached(*window));
    let lasting = below
        .map(|(time, _)| time + SAMPLE_S - start_s)
        .filter(|time| start_s + time < UDP_FROM_S);
    let most = |from, to| within(&queue, from, to).reduce(f64::max);
    let during: Vec<f64> = within(&queue, UDP_FROM_S, UDP_TO_S).collect();
    let measured = Measured::default()
        .value(
            "ramp_s",
            first_time(&window, start_s, reached).filter(|time| *time < UDP_FROM_S),
        )
        .value("lasting_ramp_s", lasting)
        .value(
            "down_s",
            first_time(&window, UDP_FROM_S, left).filter(|time| *time < UDP_TO_S - UDP_FROM_S),
        )
        .value("up_s", first_time(&window, UDP_TO_S, reached))
        .value(
            "window_before_packets",
            within(&window, 1.3, UDP_FROM_S).last(),
        )
        .value("queue_max_before_packets", most(0.0, UDP_FROM_S))
        .value("queue_max_packets", most(UDP_FROM_S, UDP_TO_S))
        .value("queue_max_after_packets", most(UDP_TO_S + 0.2, 4.5))
        .value(
            "queue_mean_packets",
            during.iter().sum::<f64>() / during.len().max(1) as f64,
        )
        .value("product_packets", product(rate_mbps))
        .value(
            "drops",
            outcome
                .summary
                .links
                .iter()
                .map(|link| link.drops)
                .sum::<u64>() as f64,
        );
    if !curves {
        return measured;
    }
    measured
        .curve("window_packets", thinned(&window, 20))
        .curve("queue_packets", thinned(&queue, 20))
}

fn chart(data: &Data, curve: &str, label: &str, id: &str) -> Chart {
    let mut chart = Chart::new(
        id,
        format!("{label} with UDP traffic from 1.5 to 3 s"),
        Axis::linear("time", "s"),
        Axis::linear(label, "packets"),
    )
    .line(Along::X, UDP_FROM_S, "UDP on")
    .line(Along::X, UDP_TO_S, "UDP off")
    .note("The first run of each protocol.")
    .group("rtt-based-simple");
    for protocol in &COMPARED {
        if let Some(point) = data.point(&key(protocol)) {
            let points = first_curve(point, curve);
            chart = chart.with(Series::new(protocol.name, Kind::Line, points));
        }
    }
    chart
}

const TIMES: [super::Shown; 4] = [
    ("ramp_s", "ramp", "s"),
    ("lasting_ramp_s", "lasting ramp", "s"),
    ("down_s", "down", "s"),
    ("up_s", "up", "s"),
];

const QUEUES: [super::Shown; 4] = [
    ("queue_max_packets", "max queue during UDP", "packets"),
    ("queue_mean_packets", "mean queue during UDP", "packets"),
    ("queue_max_after_packets", "max queue after", "packets"),
    ("window_before_packets", "window before UDP", "packets"),
];

const PARAMETERS: &[(&str, &str)] = &[
    (
        "bottleneck",
        "30 Mb/s, 5 ms one way, a queue without end (inferred; Figure 2 has others)",
    ),
    (
        "access",
        "100 Mb/s, 1 ms one way in all: RTT 12 ms empty (inferred)",
    ),
    ("UDP", "20 Mb/s from 1.5 to 3 s (the paper's)"),
    ("packets", "1000 B (inferred)"),
    (
        "α of RTT-based TCP",
        "3 packets, K = 0.25, rounded occupancy (α inferred)",
    ),
    (
        "Vegas",
        "α = 1, β = 3, γ = 1 (its own defaults; the paper gives none)",
    ),
    ("start", "within 10 ms, drawn for each run"),
];

/// In scenario files, by K.
const FRACTIONS: [(f64, &str); 4] = [
    (0.1, r#"{ name = "rtt-based", alpha = 3, k = 0.1 }"#),
    (0.25, RTT_BASED.controller),
    (0.5, r#"{ name = "rtt-based", alpha = 3, k = 0.5 }"#),
    (0.9, r#"{ name = "rtt-based", alpha = 3, k = 0.9 }"#),
];
/// One way, both access links.
const ACCESS_MS: u32 = 1;
/// Between samples of the series.
const SAMPLE_S: f64 = 0.000_5;
const UDP_FROM_S: f64 = 1.5;
const UDP_TO_S: f64 = 3.0;
const UDP_MBPS: f64 = 20.0;
/// Part of the bandwidth-delay product at which a window has ramped up.
const RAMPED: f64 = 0.95;
/// Packets beyond the product that a window may have to count as down.
const NEAR_PACKETS: f64 = 5.0;
