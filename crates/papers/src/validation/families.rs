//! The statistical scenarios: how to repeat each row of the reference's tables.
//!
//! The same sizes, access rates, queues, agent and dither as the scripts in
//! `references/ns2/tcl/`. A drop-tail queue that ns-2 limits to L holds L − 1 waiting packets.

use experiments::Outcome;
use experiments::summary::FlowSummary;

use super::micro::TIES;
use super::statistical::{Family, Metric};
use super::table::Cells;

macro_rules! data {
    ($file:literal) => {
        include_str!(concat!("../../../../references/ns2/data/", $file, ".csv"))
    };
}

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "gaimd/2",
        reference: data!("gaimd_10m"),
        keys: &["set", "n", "alpha"],
        scenario: gaimd,
        metrics: &[GOODPUT, JAIN, DROPS, TIMEOUTS],
        explained: one_rate_for_all_links,
    },
    Family {
        name: "gaimd/3",
        reference: data!("gaimd_100m"),
        keys: &["set", "n", "alpha"],
        scenario: gaimd,
        metrics: &[GOODPUT, JAIN, DROPS, TIMEOUTS],
        explained: one_rate_for_all_links,
    },
    Family {
        name: "gaimd/4",
        reference: data!("gaimd_wireless"),
        keys: &["per", "alpha"],
        scenario: gaimd,
        metrics: &[GOODPUT, JAIN, TIMEOUTS],
        explained: one_rate_for_all_links,
    },
    Family {
        name: "gaimd/5",
        reference: data!("gaimd_handoff"),
        keys: &["alpha"],
        scenario: gaimd,
        metrics: &[GOODPUT, TIMEOUTS],
        explained: nothing,
    },
    Family {
        name: "gaimd/9-11",
        reference: data!("gaimd_friend_10m"),
        keys: &["set", "n", "alpha"],
        scenario: gaimd,
        metrics: &[FIRST_HALF, SECOND_HALF, DROPS],
        explained: one_rate_for_all_links,
    },
    Family {
        name: "gaimd/untied",
        reference: data!("gaimd_untied"),
        keys: &["mode", "n", "alpha"],
        scenario: gaimd,
        metrics: &[GOODPUT, FIRST_HALF, JAIN, DROPS, TIMEOUTS],
        explained: nothing,
    },
    Family {
        name: "gaimd/6-7",
        reference: data!("gaimd_dynamic"),
        keys: &["mode", "alpha"],
        scenario: dynamic,
        metrics: &[
            Metric {
                name: "allotted goodput, 15 to 20 s (Mb/s)",
                reference: |row| row.number("asg2_bps") / 1e6,
                ours: |outcome| allotted(outcome, 16, 20).0 / 1e6,
            },
            Metric {
                name: "allotted goodput, 25 to 30 s (Mb/s)",
                reference: |row| row.number("asg4_bps") / 1e6,
                ours: |outcome| allotted(outcome, 26, 30).0 / 1e6,
            },
            Metric {
                name: "allotted fairness, 5 to 15 s",
                reference: |row| row.number("jain1"),
                ours: |outcome| allotted(outcome, 6, 15).1,
            },
            Metric {
                name: "allotted fairness, 25 to 30 s",
                reference: |row| row.number("jain4"),
                ours: |outcome| allotted(outcome, 26, 30).1,
            },
        ],
        explained: one_rate_for_all_links,
    },
    Family {
        name: "red",
        reference: data!("red_tcp"),
        keys: &["n", "weight", "byte_mode", "gentle"],
        scenario: red,
        metrics: &[
            GOODPUT,
            Metric {
                name: "drop rate",
                reference: |row| row.number("drop_rate"),
                ours: drop_rate,
            },
            Metric {
                name: "average queue (packets)",
                reference: |row| row.number("average_mean_pkts"),
                ours: average_queue,
            },
            Metric {
                name: "queue (packets)",
                reference: |row| row.number("queue_mean_pkts"),
                ours: |outcome| outcome.summary.links[0].queue_mean_packets,
            },
        ],
        explained: nothing,
    },
    Family {
        name: "periodic-loss",
        reference: data!("periodic_loss"),
        keys: &["kind", "k", "rtt_ms"],
        scenario: periodic_loss,
        metrics: &[Metric {
            name: "packets sent a second",
            reference: |row| row.number("sent_pkts_per_s"),
            ours: |outcome| {
                let flow = &outcome.summary.flows[0];
                let size = if flow.protocol == "tfrc" {
                    1_032.0
                } else {
                    1_040.0
                };
                flow.throughput_bps / (8.0 * size)
            },
        }],
        explained: one_packet_of_tfrc,
    },
    Family {
        name: "abrupt-delay",
        reference: data!("abrupt_delay"),
        keys: &["set", "kind", "h", "p", "d", "g_s"],
        scenario: abrupt_delay,
        metrics: &[
            Metric {
                name: "packets acknowledged a second",
                reference: |row| row.number("goodput_pkts_per_s"),
                ours: |outcome| {
                    let flow = &outcome.summary.flows[0];
                    flow.bytes_delivered as f64 / 960.0 / outcome.summary.duration_s
                },
            },
            TIMEOUTS,
            Metric {
                name: "fast retransmits",
                reference: |row| row.number("fast_retx"),
                ours: |outcome| outcome.summary.flows[0].fast_retransmits as f64,
            },
        ],
        explained: nothing,
    },
    super::vegas::SIMPLE,
    super::vegas::LOT,
    super::vegas::LOSSY,
    super::datagrams::DSL,
    super::datagrams::THETA,
    super::datagrams::WEIGHT,
    Family {
        name: "smoothtcp/standard",
        reference: data!("standard_tcp"),
        keys: &["forced_drops"],
        scenario: standard_tcp,
        metrics: &[
            Metric {
                name: "payload bytes sent",
                reference: |row| row.number("sent1_B") + row.number("sent2_B"),
                ours: |outcome| outcome.summary.packets_sent as f64 * 536.0,
            },
            Metric {
                name: "drops",
                reference: |row| row.number("drops_pkts"),
                ours: |outcome| outcome.summary.links[0].drops as f64,
            },
            Metric {
                name: "timeouts",
                reference: |row| row.number("timeouts1") + row.number("timeouts2"),
                ours: timeouts,
            },
        ],
        explained: nothing,
    },
];

fn nothing(_: &str, _: &str) -> Option<&'static str> {
    None
}

/// Where all links have one rate and nothing is dithered, packets arrive on one instant all the
/// time. The family `gaimd/untied` is the same with a little faster access links.
fn one_rate_for_all_links(scenario: &str, _metric: &str) -> Option<&'static str> {
    let dithered = scenario.contains("set=ovh0.");
    (!dithered).then_some(TIES)
}

/// The phase left over from slow start, some milliseconds, puts a packet beyond the edge of the
/// 200 s that count.
fn one_packet_of_tfrc(scenario: &str, _metric: &str) -> Option<&'static str> {
    let at_the_edge = ["kind=tfrc k=50 rtt_ms=100", "kind=tfrc k=10 rtt_ms=100"];
    let known = at_the_edge.iter().any(|row| scenario.ends_with(row));
    known.then_some("ns2-tfrc-ties")
}

const GOODPUT: Metric = Metric {
    name: "goodput (Mb/s)",
    reference: |row| row.number("goodput_bps") / 1e6,
    ours: |outcome| goodput(&outcome.summary.flows) / 1e6,
};

const FIRST_HALF: Metric = Metric {
    name: "goodput of the first half of the flows (Mb/s)",
    reference: |row| row.number("goodput_first_bps") / 1e6,
    ours: |outcome| goodput(halves(outcome).0) / 1e6,
};

const SECOND_HALF: Metric = Metric {
    name: "goodput of the second half of the flows (Mb/s)",
    reference: |row| row.number("goodput_second_bps") / 1e6,
    ours: |outcome| goodput(halves(outcome).1) / 1e6,
};

const JAIN: Metric = Metric {
    name: "Jain's index",
    reference: |row| row.number("jain"),
    ours: |outcome| outcome.summary.jain.unwrap_or(0.0),
};

const DROPS: Metric = Metric {
    name: "drops at the bottleneck",
    reference: |row| row.number("drops_pkts"),
    ours: |outcome| outcome.summary.links[0].drops as f64,
};

const TIMEOUTS: Metric = Metric {
    name: "timeouts",
    reference: |row| row.number("timeouts"),
    ours: timeouts,
};

fn goodput(flows: &[FlowSummary]) -> f64 {
    flows.iter().map(|flow| flow.goodput_bps).sum()
}

fn halves(outcome: &Outcome) -> (&[FlowSummary], &[FlowSummary]) {
    let flows = &outcome.summary.flows;
    flows.split_at(flows.len() / 2)
}

fn timeouts(outcome: &Outcome) -> f64 {
    outcome
        .summary
        .flows
        .iter()
        .map(|flow| flow.timeouts)
        .sum::<u64>() as f64
}

/// Keys of a flow that follows ns-2.35's defaults: Reno, 1000 B of payload, no timestamps.
pub(super) const NS2_FLOW: &str = r#"
protocol = "tcp"
compat = "ns-2"
handshake = true
packet_size = "1040 B"
initial_window = "2 packets"
initial_slow_start_threshold = "1000 packets"
max_window = "1000 packets"
timestamps = false
rto = { initial = "3 s", minimum = "200 ms", granularity = "10 ms" }
"#;

/// `p001_dumbbell.tcl`: static, friendly and handoff modes.
fn gaimd(row: &Cells<'_>, seed: u64) -> String {
    let (n, bw) = (row.number("n") as u64, row.number("bw_bps"));
    let (alpha, beta) = (row.text("alpha"), row.text("beta"));
    let dither = match row.text("set").strip_prefix("ovh") {
        Some(seconds) if seconds != "0" => {
            format!(
                "dither = \"{} ms\"",
                seconds.parse::<f64>().unwrap_or(0.0) * 1e3
            )
        }
        _ => String::new(),
    };
    let set = row.text("set");
    let access_rate = if set == "untied" { 10.37e6 } else { bw };
    let (receiver_rate, loss) = match set {
        "wireless" => (
            10e6,
            format!(
                "loss = {{ kind = \"bernoulli\", probability = {} }}",
                row.text("per")
            ),
        ),
        "handoff" => (
            10e6,
            "loss = { kind = \"outage\", every = \"5 s\", duration = { exponential = \"1 s\" } }"
                .to_owned(),
        ),
        _ => (access_rate, String::new()),
    };
    let flows = |label: &str, count: u64, alpha: &str, beta: &str| {
        format!(
            r#"
[[flows]]
label = "{label}"
count = {count}
recovery = "reno"
controller = {{ name = "gaimd", alpha = {alpha}, beta = {beta} }}
start = {{ uniform = ["0 s", "1 s"] }}
{dither}
{NS2_FLOW}
"#
        )
    };
    let groups = if row.text("mode") == "friend" {
        flows("one", n / 2, alpha, beta) + &flows("other", n - n / 2, "1", "0.5")
    } else {
        flows("one", n, alpha, beta)
    };
    format!(
        r#"
name = "gaimd"
duration = "100 s"
seed = {seed}

[topology]
kind = "dumbbell"

[topology.bottleneck]
rate = "{bw} bps"
delay = "20 ms"
queue = {{ kind = "drop-tail", limit = "49 packets" }}

[topology.reverse]
rate = "{bw} bps"
delay = "20 ms"
queue = {{ kind = "drop-tail", limit = "9999 packets" }}

[topology.sender_access]
rate = "{access_rate} bps"
delay = "5 ms"
queue = {{ kind = "drop-tail", limit = "9999 packets" }}

[topology.receiver_access]
rate = "{receiver_rate} bps"
delay = "5 ms"
queue = {{ kind = "drop-tail", limit = "49 packets" }}
{loss}
{groups}
"#
    )
}

/// `p001_dumbbell.tcl`, modes `inc` and `dec`: 12, 25, 50, 100 flows from 0, 15, 20, 25 s on, or the
/// other way.
fn dynamic(row: &Cells<'_>, seed: u64) -> String {
    let (alpha, beta) = (row.text("alpha"), row.text("beta"));
    let grows = row.text("mode") == "inc";
    let groups: Vec<String> = [(12, 0), (13, 15), (25, 20), (50, 25)]
        .iter()
        .map(|(count, from)| {
            // The scripts' flows that leave do so in the other order: the last fifty first.
            let stop = match (grows, count) {
                (false, 13) => "stop = \"25 s\"",
                (false, 25) => "stop = \"20 s\"",
                (false, 50) => "stop = \"15 s\"",
                _ => "",
            };
            let (start, spread) = match (grows, from) {
                (true, 0) | (false, _) => (0.0, 1.0),
                (true, from) => (f64::from(*from), 0.1),
            };
            format!(
                r#"
[[flows]]
label = "from-{from}"
count = {count}
recovery = "reno"
controller = {{ name = "gaimd", alpha = {alpha}, beta = {beta} }}
start = {{ uniform = ["{start} s", "{} s"] }}
{stop}
{NS2_FLOW}
"#,
                start + spread
            )
        })
        .collect();
    format!(
        r#"
name = "gaimd-dynamic"
duration = "30 s"
seed = {seed}

[topology]
kind = "dumbbell"
access = {{ rate = "100 Mbps", delay = "5 ms" }}
reverse = {{ rate = "100 Mbps", delay = "20 ms", queue = {{ kind = "drop-tail", limit = "9999 packets" }} }}

[topology.bottleneck]
rate = "100 Mbps"
delay = "20 ms"
queue = {{ kind = "drop-tail", limit = "49 packets" }}

{}

[record]
every = "1 s"
"#,
        groups.concat()
    )
}

/// System goodput and Jain's index over the active flows, each the mean over the slots of a second
/// that end at `from` to `to`.
fn allotted(outcome: &Outcome, from: u64, to: u64) -> (f64, f64) {
    let active = |flow: u32, slot: u64| {
        let grows = outcome.summary.flows.iter().any(|flow| flow.start_s >= 2.0);
        let size = |times: [u64; 3]| times.iter().filter(|time| slot > **time).count();
        let sizes = [12, 25, 50, 100];
        let most = if grows {
            sizes[size([15, 20, 25])]
        } else {
            sizes[3 - size([15, 20, 25])]
        };
        flow < most
    };
    let (mut goodput, mut fairness) = (0.0, 0.0);
    for slot in from..=to {
        let rates: Vec<f64> = outcome
            .recording
            .flows
            .iter()
            .filter(|sample| sample.time_s == slot as f64)
            .filter(|sample| active(sample.flow, slot))
            .map(|sample| sample.goodput_bps)
            .collect();
        goodput += all_rates(outcome, slot);
        fairness += experiments::metrics::jain(&rates).unwrap_or(0.0);
    }
    let slots = (to - from + 1) as f64;
    (goodput / slots, fairness / slots)
}

fn all_rates(outcome: &Outcome, slot: u64) -> f64 {
    let samples = outcome.recording.flows.iter();
    samples
        .filter(|sample| sample.time_s == slot as f64)
        .map(|sample| sample.goodput_bps)
        .sum()
}

/// `red_tcp.tcl`.
fn red(row: &Cells<'_>, seed: u64) -> String {
    let weight = match row.text("weight") {
        "-1" => "\"auto\"".to_owned(),
        number => number.to_owned(),
    };
    let mode = if row.text("byte_mode") == "1" {
        "bytes"
    } else {
        "packets"
    };
    let gentle = row.text("gentle") == "1";
    let n = row.text("n");
    format!(
        r#"
name = "red"
duration = "120 s"
warmup = "20 s"
seed = {seed}

[topology]
kind = "dumbbell"
access = {{ rate = "50 Mbps", delay = "2 ms" }}

[topology.bottleneck]
rate = "5 Mbps"
delay = "10 ms"

[topology.bottleneck.queue]
kind = "red"
limit = "50 packets"
weight = {weight}
mode = "{mode}"
gentle = {gentle}
mean_packet_size = "1000 B"
max_probability = 0.1

[topology.reverse]
rate = "5 Mbps"
delay = "10 ms"
queue = {{ kind = "drop-tail", limit = "9999 packets" }}

[[flows]]
count = {n}
recovery = "sack"
controller = "reno"
start = {{ uniform = ["0 s", "1 s"] }}
dither = "1 ms"
{NS2_FLOW}

[record]
every = "10 ms"
"#
    )
}

/// Drops over arrivals after the warm-up, which the summary's counts include.
fn drop_rate(outcome: &Outcome) -> f64 {
    let link = &outcome.summary.links[0];
    let before = outcome
        .recording
        .links
        .iter()
        .rfind(|sample| sample.link == 0 && sample.time_s <= outcome.summary.warmup_s);
    let (drops, arrivals) = before.map_or((0, 0), |sample| (sample.drops, sample.packets_in));
    (link.drops - drops) as f64 / (link.packets_in - arrivals) as f64
}

/// Mean of RED's average after the warm-up.
fn average_queue(outcome: &Outcome) -> f64 {
    let mut moments = experiments::metrics::Moments::default();
    for sample in &outcome.recording.variables {
        if sample.name == "average_packets" && sample.time_s > outcome.summary.warmup_s {
            moments.add(sample.value);
        }
    }
    moments.mean().unwrap_or(f64::NAN)
}

/// `p002_periodic.tcl`: each k-th packet that comes to a fast path is lost before it.
fn periodic_loss(row: &Cells<'_>, _seed: u64) -> String {
    let flow = match row.text("kind") {
        "tfrc" => PERIODIC_TFRC.to_owned(),
        "newreno" => periodic_tcp("new-reno"),
        other => periodic_tcp(other),
    };
    // The script's two access links take 1 ms each way.
    let delay = row.number("rtt_ms") / 2.0 - 2.0;
    let k = row.text("k");
    format!(
        r#"
name = "periodic-loss"
duration = "220 s"
warmup = "20 s"

[topology]
kind = "dumbbell"
access = {{ rate = "100 Mbps", delay = "1 ms" }}
reverse = {{ rate = "100 Mbps", delay = "{delay} ms" }}

[topology.bottleneck]
rate = "100 Mbps"
delay = "{delay} ms"
loss = {{ kind = "every", packets = {k}, place = "entry" }}

[[flows]]
compat = "ns-2"
{flow}
"#
    )
}

const PERIODIC_TFRC: &str = r#"protocol = "tfrc"
later_packets = 1
packet_size = "1032 B"
header = "32 B""#;

fn periodic_tcp(recovery: &str) -> String {
    format!(
        r#"protocol = "tcp"
recovery = "{recovery}"
controller = "reno"
handshake = true
packet_size = "1040 B"
initial_window = "2 packets"
initial_slow_start_threshold = "10000 packets"
max_window = "10000 packets"
timestamps = false
rto = {{ initial = "3 s", minimum = "200 ms", granularity = "10 ms" }}"#
    )
}

/// `p004_rtt.tcl`: the round trip switches between two values.
fn abrupt_delay(row: &Cells<'_>, seed: u64) -> String {
    let (mu, h) = (row.number("mu_bps"), row.number("h"));
    let transmission_ms = 8.0 * 1_000.0 / mu * 1e3;
    let state = |round_trip: &str| {
        let t_ms = row.number(round_trip) * 1e3;
        format!(
            r#"{{ delay = "{:.6} ms", stay = "{t_ms} ms", extra = "{} ms" }}"#,
            t_ms - transmission_ms,
            t_ms * h
        )
    };
    let recovery = match row.text("kind") {
        "oldtahoe" => "old-tahoe",
        "newreno" => "new-reno",
        other => other,
    };
    let loss = match row.text("p") {
        "0" => String::new(),
        p => format!("loss = {{ kind = \"bernoulli\", probability = {p} }}"),
    };
    let window = row.text("window_pkts");
    let tick = row.number("g_s") * 1e3;
    format!(
        r#"
name = "abrupt-delay"
duration = "1000 s"
seed = {seed}

[topology]
kind = "dumbbell"
reverse = {{ rate = "10 Gbps", delay = "0 s" }}

[topology.bottleneck]
rate = "{mu} bps"
delay = {{ kind = "alternating", states = [{}, {}] }}
queue = {{ kind = "drop-tail", limit = "999 packets" }}
{loss}

[[flows]]
protocol = "tcp"
recovery = "{recovery}"
controller = "reno"
compat = "ns-2"
handshake = true
packet_size = "1000 B"
initial_window = "2 packets"
initial_slow_start_threshold = "{window} packets"
max_window = "{window} packets"
duplicate_ack_threshold = {}
limited_transmit = false
timestamps = true
rto = {{ initial = "3 s", minimum = "0 s", granularity = "{tick} ms" }}
"#,
        state("t1_s"),
        state("t2_s"),
        row.text("d"),
    )
}

/// `p000_baseline.tcl`: two connections, the second a little later.
fn standard_tcp(row: &Cells<'_>, seed: u64) -> String {
    let loss = if row.text("forced_drops") == "1" {
        "loss = { kind = \"at\", times = [\"81.13 s\", \"254.14 s\", \"427.19 s\"] }"
    } else {
        ""
    };
    format!(
        r#"
name = "standard-tcp"
duration = "600 s"
seed = {seed}

[topology]
kind = "dumbbell"
reverse = {{ rate = "31250 bps", delay = "8 ms" }}
sender_access = {{ rate = "1 Mbps", delay = "1 ms", {loss} }}

[topology.bottleneck]
rate = "31250 bps"
delay = "8 ms"
queue = {{ kind = "drop-tail", limit = "19 packets" }}

[[flows]]
protocol = "tcp"
count = 2
recovery = "reno"
controller = "reno"
compat = "ns-2"
handshake = true
packet_size = "586 B"
start = {{ list = ["{} s", "{} s"] }}
initial_window = "2 packets"
initial_slow_start_threshold = "1000 packets"
max_window = "1000 packets"
timestamps = true
rto = {{ initial = "3 s", minimum = "200 ms", granularity = "10 ms" }}
"#,
        row.text("start1_s"),
        row.text("start2_s"),
    )
    .replace(", }", " }")
}
