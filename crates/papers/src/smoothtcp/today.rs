//! Figures of our own on today's paths: 10 and 100 Mb/s, 40 ms, a queue of one bandwidth-delay
//! product that marks, with SmoothTCP beside Reno and GAIMD, alone and mixed with Reno.

use experiments::simulation::Outcome;
use results::page::{Block, Cell, Column, Table};

use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Run};

/// A window law on a path with marks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Law {
    pub(super) name: &'static str,
    controller: &'static str,
    /// Whether the receiver echoes each mark once.
    accurate: bool,
}

pub(super) const LAWS: [Law; 3] = [
    Law {
        name: "Reno",
        controller: "\"reno\"",
        accurate: false,
    },
    Law {
        name: "GAIMD",
        controller: "\"gaimd\"",
        accurate: false,
    },
    Law {
        name: "SmoothTCP",
        controller: "{ name = \"smooth\", ecn = true, source_quench = false, \
                     slow_start_signal = \"both\" }",
        accurate: true,
    },
];

/// Four connections of one law.
pub(super) const ALONE: Figure = Figure {
    id: "today",
    title: "SmoothTCP on today's paths (not in the paper)",
    shows: "Four connections of one law on 10 and on 100 Mb/s: what they bring across, how long and how \
            steady their round trips are, how fairly they share, and how long the queue is.",
    parameters: PARAMETERS,
    plan: |mode| {
        let mut all = Vec::new();
        for path in &PATHS {
            for law in LAWS {
                let key = key(path).with("law", law.name);
                all.extend((1..=seeds(mode)).map(|seed| path.run(&[(law, 4)], key.clone(), seed)));
            }
        }
        all
    },
    measure,
    draw: |data| {
        let values = [
            ("goodput_mbps", "goodput", "Mb/s"),
            ("jain", "Jain's index", ""),
            ("rtt_mean_ms", "round trip", "ms"),
            ("rtt_sd_ms", "its sd", "ms"),
            ("queue_mean_packets", "mean queue", "packets"),
            ("marks", "marks", "packets"),
            ("drops", "drops", "packets"),
        ];
        vec![Block::Table(table(data, &values))]
    },
};

/// Connections of SmoothTCP and of Reno side by side.
pub(super) const MIXED: Figure = Figure {
    id: "mixed",
    title: "SmoothTCP beside Reno (not in the paper)",
    shows: "Two connections of SmoothTCP and two of Reno on one bottleneck: the part of the throughput \
            that SmoothTCP gets. A half is fair.",
    parameters: PARAMETERS,
    plan: |mode| {
        let mut all = Vec::new();
        for path in &PATHS {
            let laws = [(LAWS[2], 2), (LAWS[0], 2)];
            all.extend((1..=seeds(mode)).map(|seed| path.run(&laws, key(path), seed)));
        }
        all
    },
    measure,
    draw: |data| {
        let values = [
            ("theta", "part of SmoothTCP", ""),
            ("goodput_mbps", "goodput of all", "Mb/s"),
            ("queue_mean_packets", "mean queue", "packets"),
            ("marks", "marks", "packets"),
            ("drops", "drops", "packets"),
        ];
        vec![Block::Table(table(data, &values))]
    },
};

/// A path of 40 ms.
struct Path {
    rate_mbps: u32,
    duration_s: u32,
}

const PATHS: [Path; 2] = [
    Path {
        rate_mbps: 10,
        duration_s: 300,
    },
    Path {
        rate_mbps: 100,
        duration_s: 300,
    },
];

impl Path {
    /// rate × 40 ms in packets of 1500 B.
    fn product_packets(&self) -> u32 {
        self.rate_mbps * 40_000 / PACKET_BITS
    }

    fn run(&self, laws: &[(Law, u32)], key: Key, seed: u64) -> Run {
        let (rate, duration) = (self.rate_mbps, self.duration_s);
        let mark = self.product_packets() / 4;
        let mut scenario = format!(
            r#"# SmoothTCP on today's paths: {key}, seed {seed}.
name = "smoothtcp-today"
duration = "{duration} s"
warmup = "{WARMUP_S} s"
seed = {seed}

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "{rate} Mbps", delay = "15 ms", queue = {{ kind = "drop-tail", limit = "1 BDP", mark = "{mark} packets" }} }}
access = {{ rate = "1 Gbps", delay = {{ uniform = ["1.5 ms", "3.5 ms"] }} }}
"#
        );
        for (law, count) in laws {
            let Law {
                name,
                controller,
                accurate,
            } = law;
            scenario += &format!(
                r#"
[[flows]]
label = "{name}"
count = {count}
protocol = "tcp"
recovery = "sack"
controller = {controller}
packet_size = "1500 B"
ecn = true
accurate_ecn = {accurate}
start = {{ uniform = ["0 s", "1 s"] }}
"#
            );
        }
        Run {
            key,
            seed,
            scenario,
            work: f64::from(rate) * 1e6 * f64::from(duration) / f64::from(PACKET_BITS),
        }
    }
}

fn key(path: &Path) -> Key {
    Key::new().with("Mb/s", path.rate_mbps)
}

fn measure(outcome: &Outcome) -> Measured {
    let summary = &outcome.summary;
    let goodput: f64 = summary.groups.iter().map(|group| group.goodput_bps).sum();
    let mean = |of: fn(&experiments::summary::FlowSummary) -> Option<f64>| {
        let values: Option<Vec<f64>> = summary.flows.iter().map(of).collect();
        values.map(|values| 1e3 * values.iter().sum::<f64>() / values.len() as f64)
    };
    let bottleneck = summary.links.iter().find(|link| link.name == "bottleneck");
    Measured::default()
        .value("goodput_mbps", goodput / 1e6)
        .value("rtt_mean_ms", mean(|flow| flow.rtt_mean_s))
        .value("rtt_sd_ms", mean(|flow| flow.rtt_sd_s))
        .value(
            "queue_mean_packets",
            bottleneck.map(|link| link.queue_mean_packets),
        )
        .value("marks", bottleneck.map(|link| link.marks as f64))
        .value("drops", bottleneck.map(|link| link.drops as f64))
        .value("jain", summary.jain)
        .value("theta", summary.theta)
}

fn table(data: &Data, values: &[(&str, &str, &str)]) -> Table {
    let mut columns: Vec<Column> = data
        .points
        .first()
        .map(|point| {
            point
                .key
                .iter()
                .map(|(axis, _)| Column::text(axis))
                .collect()
        })
        .unwrap_or_default();
    columns.extend(
        values
            .iter()
            .map(|(_, label, unit)| Column::number(*label, *unit)),
    );
    let mut table = Table::new(
        "Means over the seeds, with 95 % intervals; rates and means without the first 30 s.",
        columns,
    );
    for point in &data.points {
        let mut row: Vec<Cell> = point
            .key
            .iter()
            .map(|(_, value)| Cell::from(value.to_string()))
            .collect();
        row.extend(values.iter().map(|(name, _, _)| point.samples(name).cell()));
        table.rows.push(row);
    }
    table
}

fn seeds(mode: Mode) -> u64 {
    match mode {
        Mode::Quick => 3,
        Mode::Full => 10,
    }
}

/// 1500 B.
const PACKET_BITS: u32 = 12_000;
const WARMUP_S: u32 = 30;
const PARAMETERS: &[(&str, &str)] = &[
    (
        "bottleneck",
        "10 and 100 Mb/s; 40 ms there and back in the mean",
    ),
    ("its queue", "drop-tail, one bandwidth-delay product"),
    (
        "marks",
        "for each packet that finds a quarter of it waiting",
    ),
    ("recovery", "SACK"),
    (
        "echo",
        "classic for Reno and GAIMD; each mark once for SmoothTCP",
    ),
    (
        "SmoothTCP",
        "event reading, κ = 0.005, on ECN; slow start heeds losses and marks",
    ),
    ("GAIMD", "α = 0.3125, β = 0.875"),
    ("duration", "300 s, the first 30 s not counted"),
    ("start", "each connection at random within the first second"),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// 10 Mb/s × 40 ms = 400,000 bits = 33.3 packets of 12,000; 100 Mb/s: 333.3.
    #[test]
    fn marks_begin_at_a_quarter_of_the_product() {
        assert_eq!(PATHS.each_ref().map(Path::product_packets), [33, 333]);
        let runs = (ALONE.plan)(Mode::Quick);
        assert_eq!(runs.len(), 2 * 3 * 3);
        assert!(runs[0].scenario.contains("mark = \"8 packets\""));
        assert!(runs[9].scenario.contains("mark = \"83 packets\""));
    }
}
