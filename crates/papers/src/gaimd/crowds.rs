//! Figures 6 and 7: flows that join and flows that leave (§5.2).

use experiments::simulation::Outcome;
use results::page::{Along, Axis, Block, Chart, Kind, Series};

use super::setup::{Group, Setup, parameters};
use super::wired::{others, slug};
use super::{
    DITHER, IN_BASE, LONG_QUEUE, NEW_RENO, PROTOCOLS, Protocol, RED, TAHOE, Variation, point,
    seeds, seeds_of,
};
use crate::data::{Data, Measured};
use crate::paper::{BASE, Figure, Mode, Run};

/// Figure 6.
pub(super) const FIGURE_6: Figure = Figure {
    id: "6",
    title: "allotted fairness with an increasing number of flows",
    shows: "Fairness within each second, among the flows that are there for the whole second, as \
            the number of flows grows from 12 to 25, 50 and 100 at 15, 20 and 25 s.",
    parameters: parameters![
        (
            "bottleneck",
            "10 Mb/s as in the caption (open choice: rate; the text says 100 Mb/s)"
        ),
        (
            "queue",
            "drop-tail: 50 packets = 0.67 of the bandwidth-delay product, 250 = 0.33 with 100 Mb/s (open choice: queue)"
        ),
        (
            "access links",
            "as the bottleneck (paper: \"in most cases\")"
        ),
        ("duration", "30 s (paper: 30 s)"),
    ],
    plan: |mode| plan(Which::Growing, mode),
    measure,
    draw: |data| draw(Which::Growing, data),
};

/// Figure 7.
pub(super) const FIGURE_7: Figure = Figure {
    id: "7",
    title: "allotted goodput with a decreasing number of flows",
    shows: "System goodput within each second, as the number of flows falls from 100 to 50, 25 and \
            12 at 15, 20 and 25 s.",
    parameters: parameters![
        (
            "bottleneck",
            "100 Mb/s, drop-tail, 250 packets = 0.33 of the bandwidth-delay product (open choice: queue)"
        ),
        (
            "access links",
            "as the bottleneck (paper: \"in most cases\")"
        ),
        ("duration", "30 s (paper: 30 s)"),
    ],
    plan: |mode| plan(Which::Shrinking, mode),
    measure,
    draw: |data| draw(Which::Shrinking, data),
};

#[derive(Clone, Copy, PartialEq)]
enum Which {
    Growing,
    Shrinking,
}

impl Which {
    fn mbps(self, variation: Variation) -> u32 {
        let captions = match self {
            Self::Growing => 10,
            Self::Shrinking => 100,
        };
        variation.rate_mbps.unwrap_or(captions)
    }
}

fn setup(which: Which, protocol: &Protocol, variation: Variation, seed: u64) -> Setup {
    let mbps = which.mbps(variation);
    let group = |label, count| Group::new(label, count, protocol);
    let joins = |label, count, start_s| Group {
        start_s,
        ..group(label, count)
    };
    let leaves = |label, count, stop_s| Group {
        stop_s: Some(stop_s),
        ..group(label, count)
    };
    let (figure, groups) = match which {
        Which::Growing => (
            "6",
            vec![
                group("from-0-s", 12),
                joins("from-15-s", 13, 15),
                joins("from-20-s", 25, 20),
                joins("from-25-s", 50, 25),
            ],
        ),
        Which::Shrinking => (
            "7",
            vec![
                leaves("to-15-s", 50, 15),
                leaves("to-20-s", 25, 20),
                leaves("to-25-s", 13, 25),
                group("to-30-s", 12),
            ],
        ),
    };
    Setup {
        what: format!("Figure {figure}, {}, {mbps} Mb/s,", protocol.name),
        name: format!("gaimd-{figure}"),
        seed,
        duration_s: 30,
        bottleneck_mbps: mbps,
        sender_mbps: mbps,
        receiver_mbps: mbps,
        queue_packets: if mbps == 100 { 250 } else { 50 },
        receiver_loss: None,
        record: Some("1 s"),
        variation,
        groups,
    }
}

fn plan(which: Which, mode: Mode) -> Vec<Run> {
    const WIDE: Variation = IN_BASE.rate(100);
    let variations: &[Variation] = match (mode, which) {
        (Mode::Quick, _) => &[IN_BASE],
        (Mode::Full, Which::Growing) => &[
            IN_BASE,
            WIDE,
            DITHER,
            WIDE.dithered(),
            IN_BASE.rtt(100),
            IN_BASE.rtt(150),
            IN_BASE.rtt(200),
            NEW_RENO,
            NEW_RENO.rate(100),
            TAHOE,
            LONG_QUEUE,
            RED,
        ],
        (Mode::Full, Which::Shrinking) => &[
            IN_BASE,
            IN_BASE.rtt(100),
            IN_BASE.rtt(150),
            IN_BASE.rtt(200),
            DITHER,
            DITHER.rtt(150),
            DITHER.rtt(200),
            NEW_RENO,
            TAHOE.rtt(200),
        ],
    };
    let mut runs = Vec::new();
    for variation in variations {
        let seeds = match (mode, which) {
            (Mode::Full, Which::Growing) => seeds_of(20),
            _ => seeds(mode),
        };
        for protocol in &PROTOCOLS {
            runs.extend(seeds.clone().map(|seed| {
                let setup = setup(which, protocol, *variation, seed);
                Run {
                    key: point(protocol, PLACE, 1.0, *variation),
                    seed,
                    scenario: setup.scenario(),
                    work: setup.packets(),
                }
            }));
        }
    }
    runs
}

fn measure(outcome: &Outcome) -> Measured {
    let Some(slots) = &outcome.summary.allotted else {
        return Measured::default();
    };
    let goodput: Vec<Option<f64>> = slots
        .system_goodput_bps
        .iter()
        .map(|bps| Some(bps / 1e6))
        .collect();
    let mut measured = Measured::default()
        .curve("fairness", curve(&slots.fairness))
        .curve("goodput_mbps", curve(&goodput));
    // From which second to which, both for the paper's stages and for their last two seconds.
    for (from, to) in STAGES {
        measured = measured
            .value(
                &format!("fairness_{from}_{to}"),
                mean(&slots.fairness[from..to]),
            )
            .value(
                &format!("goodput_{from}_{to}_mbps"),
                mean(&goodput[from..to]),
            );
    }
    let value = |name: &str, of: &Measured| of.values.get(name).copied();
    let dip = value("fairness_13_15", &measured)
        .zip(value("fairness_16_18", &measured))
        .map(|(before, after)| before - after);
    let regained = value("goodput_18_20_mbps", &measured)
        .zip(value("goodput_13_15_mbps", &measured))
        .map(|(after, before)| after / before);
    let stages = value("goodput_15_20_mbps", &measured).zip(value("goodput_25_30_mbps", &measured));
    let drop_at_15 = goodput[14]
        .zip(goodput[15])
        .map(|(before, after)| before - after);
    measured
        .value("fairness_lost_at_15_s", dip)
        .value("goodput_lost_at_15_s_mbps", drop_at_15)
        .value(
            "goodput_lost_with_fewer_mbps",
            stages.map(|(many, few)| many - few),
        )
        .value("goodput_regained_18_20", regained)
}

fn curve(slots: &[Option<f64>]) -> Vec<(f64, f64)> {
    let there = |(second, value): (i32, &Option<f64>)| Some((f64::from(second), (*value)?));
    (1..).zip(slots).filter_map(there).collect()
}

fn mean(slots: &[Option<f64>]) -> Option<f64> {
    let there: Vec<f64> = slots.iter().copied().flatten().collect();
    (!there.is_empty()).then(|| there.iter().sum::<f64>() / there.len() as f64)
}

fn draw(which: Which, data: &Data) -> Vec<Block> {
    let chart = |variation: &str, data: &Data| {
        let (figure, name, y) = match which {
            Which::Growing => {
                let axis = Axis::linear("allotted fairness", "").range(0.0, 1.0);
                ("6", "fairness", axis)
            }
            Which::Shrinking => {
                let axis = Axis::linear("allotted system goodput", "Mb/s");
                ("7", "goodput_mbps", axis)
            }
        };
        let title = match variation {
            BASE => format!("Figure {figure}"),
            other => other.to_owned(),
        };
        let id = format!("gaimd-{figure}-{}", slug(variation));
        let x = Axis::linear("time", "s").range(0.0, 30.0);
        let mut chart = Chart::new(id, title, x, y)
            .line(Along::X, 15.0, "")
            .line(Along::X, 20.0, "")
            .line(Along::X, 25.0, "");
        for protocol in &PROTOCOLS {
            let Some(found) = data.point(&point(protocol, PLACE, 1.0, IN_BASE)) else {
                continue;
            };
            let mean = found.curve(name);
            let points = mean.iter().map(|(at, mean)| (*at, mean.mean)).collect();
            let mut series = Series::new(protocol.name, Kind::Line, points);
            // Intervals of a few seeds hide the curves.
            if found.runs.len() >= FEWEST_FOR_INTERVALS {
                series = series.interval(mean.iter().map(|(_, mean)| mean.ends()).collect());
            }
            chart = chart.with(series);
        }
        chart
    };
    let mut main = chart(BASE, &data.variation(BASE)).note("Each second at its end.");
    if data.seeds() >= FEWEST_FOR_INTERVALS {
        main = main.note("Error bars: 95 % confidence interval of the mean over the seeds.");
    }
    let mut blocks = vec![Block::Chart(main)];
    blocks.extend(others(data, |name, data| Some(chart(name, data))));
    blocks
}

/// The axis of figures that have one place only.
pub(super) const PLACE: &str = "figure";

/// Seconds over which means are taken.
const STAGES: [(usize, usize); 9] = [
    (5, 15),
    (13, 15),
    (15, 20),
    (16, 18),
    (18, 20),
    (20, 25),
    (25, 30),
    (15, 30),
    (20, 30),
];
/// Fewest seeds for which intervals are drawn.
const FEWEST_FOR_INTERVALS: usize = 10;
