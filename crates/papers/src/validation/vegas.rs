//! Vegas: how to repeat each row of `p003_vegas.tcl` (without losses) and of `micro.tcl` over lists of
//! lost packets.

use experiments::Outcome;

use super::statistical::{Family, Metric};
use super::table::Cells;

/// One Vegas flow beside UDP. Nothing is random and nothing is lost.
pub(super) const SIMPLE: Family = Family {
    name: "vegas/simple",
    reference: include_str!("../../../../references/ns2/data/vegas_simple.csv"),
    keys: &["bw_bps"],
    scenario,
    metrics: &[Metric {
        name: "packets acknowledged",
        reference: |row| {
            let bits = row.number("total_goodput_bps") * row.number("dur_s");
            (bits / PACKET_BITS).round()
        },
        ours: |outcome| acknowledged(outcome).iter().sum(),
    }],
    explained: |_, _| None,
};

/// Five Vegas flows in a parking lot, all from time zero over links of one rate: which of two packets
/// that arrive at one instant comes first decides a single run (`ties-at-a-queue`). Means over
/// the sixteen settings are compared.
pub(super) const LOT: Family = Family {
    name: "vegas/lot",
    reference: include_str!("../../../../references/ns2/data/vegas_lot.csv"),
    keys: &["dur_s"],
    scenario,
    metrics: &[
        Metric {
            name: "part of the last link used",
            reference: |row| row.number("fraction_of_bw"),
            ours: |outcome| {
                let all: f64 = acknowledged(outcome).iter().sum();
                // The scenario's name ends in the rate.
                let rate = outcome.summary.scenario.rsplit('-').next();
                let rate: f64 = rate.and_then(|rate| rate.parse().ok()).unwrap_or(f64::NAN);
                all * PACKET_BITS / rate / outcome.summary.duration_s
            },
        },
        Metric {
            name: "Jain's index",
            reference: |row| row.number("jain"),
            ours: |outcome| {
                let each = acknowledged(outcome);
                let sum: f64 = each.iter().sum();
                let squares: f64 = each.iter().map(|one| one * one).sum();
                sum * sum / (each.len() as f64 * squares)
            },
        },
    ],
    explained: |_, _| None,
};

/// One Vegas flow over lists of lost packets. Nothing is random.
pub(super) const LOSSY: Family = Family {
    name: "vegas/lossy",
    reference: include_str!("../../../../references/ns2/data/vegas_lossy.csv"),
    keys: &["run"],
    scenario: lossy,
    metrics: &[
        Metric {
            name: "packets sent",
            reference: |row| row.number("sent_pkts"),
            ours: |outcome| outcome.summary.flows[0].packets_sent as f64,
        },
        Metric {
            name: "retransmissions",
            reference: |row| row.number("rexmit_pkts"),
            ours: |outcome| outcome.summary.flows[0].retransmits as f64,
        },
        Metric {
            name: "timeouts",
            reference: |row| row.number("timeouts"),
            ours: |outcome| outcome.summary.flows[0].timeouts as f64,
        },
    ],
    explained: |name, metric| {
        // At 7.014 s its difference is one half.
        (name == "vegas/lossy run=11" && metric == "packets sent").then_some("ns2-vegas-half")
    },
};

/// The number of the highest segment acknowledged to each TCP flow at the end; the first is 0.
fn acknowledged(outcome: &Outcome) -> Vec<f64> {
    let end = outcome.summary.duration_s;
    let samples = outcome.recording.flows.iter();
    samples
        .filter(|sample| sample.time_s == end && sample.window_packets.is_some())
        .map(|sample| sample.acknowledged_packets as f64 - 1.0)
        .collect()
}

fn scenario(row: &Cells<'_>, seed: u64) -> String {
    let [rate, delay, alpha, beta, seconds] = [
        "bw_bps",
        "hop_delay_ms",
        "vegas_alpha",
        "vegas_beta",
        "dur_s",
    ]
    .map(|column| row.number(column));
    let simple = row.text("mode") == "simple";
    let link = format!(
        r#"{{ rate = "{rate} bps", delay = "{delay} ms", queue = {{ kind = "drop-tail", limit = "999 packets" }} }}"#
    );
    let topology = if simple {
        format!(
            "kind = \"dumbbell\"\nbottleneck = {link}\n\
             access = {{ rate = \"100 Mbps\", delay = \"1 ms\" }}"
        )
    } else {
        format!(
            "kind = \"parking-lot\"\ncount = 5\nhop = {link}\n\
             sender_access = {{ rate = \"100 Mbps\", delay = \"1 ms\" }}\n\
             receiver_access = {{ delay = \"0 ms\" }}"
        )
    };
    let mut text = format!(
        r#"
name = "vegas-{rate}"
duration = "{seconds} s"
seed = {seed}

[topology]
{topology}

[record]
every = "{seconds} s"
"#
    );
    let sources = if simple { 1 } else { 5 };
    for source in 1..=sources {
        let place = if simple {
            String::new()
        } else {
            let access = row.text(if source <= 3 {
                "long_access_ms"
            } else {
                "short_access_ms"
            });
            format!("from = \"hop{source}\"\naccess = {{ delay = \"{access} ms\" }}")
        };
        text += &format!(
            r#"
[[flows]]
label = "source{source}"
protocol = "tcp"
recovery = "vegas"
controller = {{ name = "vegas", alpha = {alpha}, beta = {beta} }}
compat = "ns-2"
packet_size = "1000 B"
initial_window = "2 packets"
initial_slow_start_threshold = "1000 packets"
max_window = "1000 packets"
timestamps = false
rto = {{ initial = "3 s", minimum = "200 ms", granularity = "10 ms" }}
{place}
"#
        );
    }
    if simple {
        text += r#"
[[flows]]
label = "udp"
protocol = "udp"
application = { kind = "cbr", rate = "20 Mbps" }
packet_size = "1000 B"
start = "1.5 s"
stop = "3 s"
"#;
    }
    text
}

fn lossy(row: &Cells<'_>, seed: u64) -> String {
    let drops = row.text("drops").replace(' ', ", ");
    let window = row.number("window_pkts");
    format!(
        r#"
name = "vegas-lossy"
duration = "40 s"
seed = {seed}

[topology]
kind = "dumbbell"
access = {{ rate = "10 Mbps", delay = "2 ms" }}

[topology.bottleneck]
rate = "1.5 Mbps"
delay = "50 ms"
queue = {{ kind = "drop-tail", limit = "999 packets" }}
loss = {{ kind = "list", packets = [{drops}], place = "entry" }}

[topology.reverse]
rate = "1.5 Mbps"
delay = "50 ms"

[[flows]]
protocol = "tcp"
recovery = "vegas"
controller = "vegas"
compat = "ns-2"
packet_size = "1000 B"
initial_window = "2 packets"
initial_slow_start_threshold = "{window} packets"
max_window = "{window} packets"
timestamps = false
rto = {{ initial = "3 s", minimum = "200 ms", granularity = "10 ms", phase = "0.142046604 ms" }}
"#
    )
}

const PACKET_BITS: f64 = 8_000.0;
