//! Figures 6 and 7: flows that join and flows that leave (§5.2).

use experiments::simulation::Outcome;
use results::page::{Along, Axis, Block, Chart, Kind, Series};

use super::setup::{Group, Setup, parameters};
use super::{PROTOCOLS, Protocol, Variant, point};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Mode, Run};

/// Figure 6.
pub(super) const FIGURE_6: Figure = Figure {
    id: "6",
    title: "allotted fairness with an increasing number of flows",
    shows: "Fairness within each second, among the flows that are there for the whole second, as \
            the number of flows grows from 12 to 25, 50 and 100 at 15, 20 and 25 s.",
    parameters: parameters![
        (
            "bottleneck",
            "100 Mb/s as in the text, and 10 Mb/s as in the caption: the paper says both"
        ),
        (
            "queues",
            "drop-tail: 250 packets = 0.33 of the bandwidth-delay product with 100 Mb/s, 50 = 0.67 with 10 Mb/s (open in the paper)"
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
            "100 Mb/s, drop-tail, 250 packets = 0.33 of the bandwidth-delay product (queue open in the paper)"
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

fn setup(which: Which, protocol: &Protocol, mbps: u32, variant: Variant, seed: u64) -> Setup {
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
        variant,
        groups,
    }
}

fn plan(which: Which, mode: Mode) -> Vec<Run> {
    let variants: &[Variant] = match mode {
        Mode::Quick => &[Variant::Base],
        Mode::Full => &[
            Variant::Base,
            Variant::NewReno,
            Variant::LargeQueue,
            Variant::NoDither,
        ],
    };
    let rates: &[u32] = match which {
        Which::Growing => &[100, 10],
        Which::Shrinking => &[100],
    };
    let mut runs = Vec::new();
    for variant in variants {
        for protocol in &PROTOCOLS {
            for mbps in rates {
                runs.extend((1..=super::seeds(mode)).map(|seed| {
                    let setup = setup(which, protocol, *mbps, *variant, seed);
                    Run {
                        key: point(protocol, "bottleneck_mbps", f64::from(*mbps), *variant),
                        seed,
                        scenario: setup.scenario(),
                        work: setup.packets(),
                    }
                }));
            }
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
    let gain = |first: usize| {
        let stage: Vec<f64> = goodput[first..first + 5]
            .iter()
            .copied()
            .flatten()
            .collect();
        let lowest = stage.iter().copied().fold(f64::INFINITY, f64::min);
        stage.last().map(|last| last - lowest)
    };
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
        .value("goodput_regained_25_30_mbps", gain(25))
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
    let (figure, name, y, rates): (_, _, _, &[f64]) = match which {
        Which::Growing => ("6", "fairness", "allotted fairness", &[100.0, 10.0]),
        Which::Shrinking => ("7", "goodput_mbps", "allotted system goodput", &[100.0]),
    };
    let mut blocks = Vec::new();
    let mut others = Vec::new();
    for variant in [Variant::Base].into_iter().chain(Variant::OTHERS) {
        for mbps in rates {
            let title = match (which, variant) {
                (_, Variant::Base) => format!("Figure {figure}, {mbps} Mb/s bottleneck"),
                _ => format!("{mbps} Mb/s, {}", variant.name()),
            };
            let unit = if which == Which::Growing { "" } else { "Mb/s" };
            let axis = Axis::linear(y, unit);
            let mut chart = Chart::new(
                format!("gaimd-{figure}-{mbps}-{}", variant.slug()),
                title,
                Axis::linear("time", "s").range(0.0, 30.0),
                if which == Which::Growing {
                    axis.range(0.0, 1.0)
                } else {
                    axis
                },
            )
            .line(Along::X, 15.0, "")
            .line(Along::X, 20.0, "")
            .line(Along::X, 25.0, "");
            let mut any = false;
            for protocol in &PROTOCOLS {
                let key = point(protocol, "bottleneck_mbps", *mbps, variant);
                let Some(found) = data.point(&key) else {
                    continue;
                };
                let mean = found.curve(name);
                any = true;
                let points = mean.iter().map(|(at, mean)| (*at, mean.mean)).collect();
                let ends = mean.iter().map(|(_, mean)| mean.ends()).collect();
                chart = chart.with(Series::new(protocol.name, Kind::Line, points).interval(ends));
            }
            if !any {
                continue;
            }
            if variant == Variant::Base {
                let note = "Each second at its end. Error bars: 95 % confidence interval of the \
                            mean over the seeds.";
                blocks.push(Block::Chart(chart.note(note)));
            } else {
                others.push(Block::Chart(chart));
            }
        }
    }
    if !others.is_empty() {
        blocks.push(Block::text(
            "The same with what the paper leaves open chosen otherwise; whether a verdict depends \
             on it stands with the verdict.",
        ));
        blocks.push(Block::Grid(others));
    }
    blocks
}

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
