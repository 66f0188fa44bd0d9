//! Figures 6 and 7: flows that join and flows that leave (§5.2).

use experiments::page::{Along, Axis, Block, Chart, Kind, Series};
use experiments::simulation::Outcome;

use super::grid::{Positive, lag, lead};
use super::setup::{Group, Setup, parameters};
use super::{PROTOCOLS, Protocol, Variant, point};
use crate::claim::{Claim, Quantity};
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

/// A claim judged at each bottleneck rate that the paper names for Figure 6.
macro_rules! growing {
    ($name:literal, $of:expr, $why:literal) => {
        |evidence| {
            Positive {
                figure: "6",
                axis: "bottleneck_mbps",
                name: $name,
                unit: "",
                at: |_| true,
                of: $of,
                why: $why,
            }
            .judge(evidence)
        }
    };
}

/// "[9] claims that generating smoother traffic improves allotted fairness, as confirmed in the
/// time period from t0 = 0 to t1 = 15 in Figure 6."
pub(super) const SMOOTH_IS_FAIR: Claim = Claim {
    id: "6-smooth",
    figures: &["6"],
    statement: "Before flows join, the smoothest protocol has the highest allotted fairness.",
    paper: Quantity::words("smooth highest (no numbers)"),
    unit: "",
    rule: "The mean allotted fairness from 5 to 15 s of TCP(0.31, 0.875) must be above that of \
           each other protocol, the 95 % interval of the difference to the next excluding zero. At \
           100 Mb/s (the text's bottleneck) and at 10 Mb/s (the caption's): reproduced. At one: \
           partly. Ours is the smaller difference.",
    judge: growing!("fairness_5_15", |four| lead(four, 0), ""),
};

/// "When new flows come in, fairness drops for all protocols."
pub(super) const FAIRNESS_DROPS: Claim = Claim {
    id: "6-drops",
    figures: &["6"],
    statement: "When new flows come in, fairness drops for all protocols.",
    paper: Quantity::words("drops for all (no numbers)"),
    unit: "",
    rule: "The mean allotted fairness from 16 to 18 s, when 13 flows have joined 12, must be below \
           that from 13 to 15 s for every protocol, the 95 % interval of the least drop excluding \
           zero. At 100 Mb/s and at 10 Mb/s: reproduced. At one: partly. Ours is the least drop.",
    judge: growing!(
        "fairness_lost_at_15_s",
        |four| four.iter().copied().fold(f64::INFINITY, f64::min),
        ""
    ),
};

/// "The fairness of TCP(1.25, 0.25) recovers faster" (hypothesis 1).
pub(super) const RESPONSIVE_RECOVERS: Claim = Claim {
    id: "6-recovers",
    figures: &["6"],
    statement: "After flows have joined, the fairness of TCP(1.25, 0.25) recovers faster than that \
                of the smooth protocols (hypothesis 1).",
    paper: Quantity::words("responsive faster (no numbers)"),
    unit: "",
    rule: "Five seconds after the first flows joined, from 18 to 20 s, the mean allotted fairness \
           of TCP(1.25, 0.25) must be above that of both smooth protocols, the 95 % interval of \
           the difference to the better one excluding zero. At 100 Mb/s and at 10 Mb/s: \
           reproduced. At one: partly. Ours is the smaller difference.",
    judge: growing!("fairness_18_20", |four| four[3] - four[0].max(four[1]), ""),
};

/// "After a 20-second period the responsive TCP displays the highest fairness."
pub(super) const RESPONSIVE_FAIREST: Claim = Claim {
    id: "6-responsive",
    figures: &["6"],
    statement: "From 20 s on TCP(1.25, 0.25) has the highest allotted fairness (hypothesis 1).",
    paper: Quantity::words("responsive highest (no numbers)"),
    unit: "",
    rule: "The mean allotted fairness from 20 to 30 s of TCP(1.25, 0.25) must be above that of \
           each other protocol, the 95 % interval of the difference to the next excluding zero. At \
           100 Mb/s and at 10 Mb/s: reproduced. At one: partly. Ours is the smaller difference.",
    judge: growing!("fairness_20_30", |four| lead(four, 3), ""),
};

macro_rules! shrinking {
    ($name:literal, $of:expr, $why:literal) => {
        |evidence| {
            Positive {
                figure: "7",
                axis: "bottleneck_mbps",
                name: $name,
                unit: "Mb/s",
                at: |_| true,
                of: $of,
                why: $why,
            }
            .judge(evidence)
        }
    };
}

/// "From t0 = 0 to t1 = 15 […] the higher the β, the higher the allotted goodput."
pub(super) const ORDERED_BEFORE: Claim = Claim {
    id: "7-before",
    figures: &["7"],
    statement: "Before flows leave, the higher β, the higher the allotted goodput.",
    paper: Quantity::words("ordered by β (no numbers)"),
    unit: "Mb/s",
    rule: "Reproduced if the least of the three steps from β = 0.25 to 0.875 in mean allotted \
           goodput from 5 to 15 s is above zero, its whole 95 % interval. Ours is that step.",
    judge: shrinking!(
        "goodput_5_15_mbps",
        |four| (four[0] - four[1])
            .min(four[1] - four[2])
            .min(four[2] - four[3]),
        ""
    ),
};

/// "The goodput initially decreases for all protocols since the resource consumption suddenly
/// drops."
pub(super) const GOODPUT_DROPS: Claim = Claim {
    id: "7-drops",
    figures: &["7"],
    statement: "When half of the flows leave, goodput drops for all protocols at first.",
    paper: Quantity::words("drops for all (no numbers)"),
    unit: "Mb/s",
    rule: "Reproduced if the allotted goodput of the second from 15 s on is below that of the \
           second before for every protocol, the 95 % interval of the least drop excluding zero. \
           Ours is the least drop.",
    judge: shrinking!(
        "goodput_lost_at_15_s_mbps",
        |four| four.iter().copied().fold(f64::INFINITY, f64::min),
        ""
    ),
};

/// "It is not surprising that TCP(0.31, 0.875)'s achieves the lowest performance" (observation 3).
pub(super) const SMOOTH_LOWEST: Claim = Claim {
    id: "7-lowest",
    figures: &["7"],
    statement: "Once flows leave, TCP(0.31, 0.875) has the lowest goodput (observation 3).",
    paper: Quantity::words("smooth lowest (no numbers)"),
    unit: "Mb/s",
    rule: "Reproduced if the mean allotted goodput from 15 to 30 s of TCP(0.31, 0.875) is below \
           that of each other protocol, the 95 % interval of the difference to the next excluding \
           zero. Ours is that difference.",
    judge: shrinking!("goodput_15_30_mbps", |four| lag(four, 0), ""),
};

/// "TCP(1, 0.5)'s goodput is the highest."
pub(super) const STANDARD_HIGHEST: Claim = Claim {
    id: "7-highest",
    figures: &["7"],
    statement: "Once flows leave, standard TCP has the highest goodput.",
    paper: Quantity::words("standard highest (no numbers)"),
    unit: "Mb/s",
    rule: "Reproduced if the mean allotted goodput from 15 to 30 s of TCP(1, 0.5) is above that of \
           each other protocol, the 95 % interval of the difference to the next excluding zero. \
           Ours is that difference.",
    judge: shrinking!("goodput_15_30_mbps", |four| lead(four, 2), ""),
};

/// "… although TCP(1.25, 0.25)'s recovery speed is the fastest after the step decrease."
pub(super) const RESPONSIVE_FASTEST: Claim = Claim {
    id: "7-fastest",
    figures: &["7"],
    statement: "After a step down in flows TCP(1.25, 0.25) recovers the fastest.",
    paper: Quantity::words("responsive fastest (no numbers)"),
    unit: "Mb/s",
    rule: "Recovery speed is by how much the allotted goodput of the last second, 29 to 30 s, is \
           above the lowest since 25 s. Reproduced if that of TCP(1.25, 0.25) is above that of each \
           other protocol, the 95 % interval of the difference to the next excluding zero. Ours is \
           that difference.",
    judge: shrinking!("goodput_regained_25_30_mbps", |four| lead(four, 3), ""),
};

/// "The smaller the number of flows, the longer it takes smooth TCP to exploit the available
/// bandwidth when the fair share step-increases" (observation 1).
pub(super) const FEWER_SLOWER: Claim = Claim {
    id: "7-fewer",
    figures: &["7"],
    statement: "The fewer flows are left, the longer a smooth protocol takes to use what has come \
                free (observation 1): TCP(0.31, 0.875) has less goodput in the five seconds with 12 \
                flows than in those with 50.",
    paper: Quantity::words("longer with fewer flows (no numbers)"),
    unit: "Mb/s",
    rule: "Reproduced if the mean allotted goodput of TCP(0.31, 0.875) from 15 to 20 s less that \
           from 25 to 30 s is above zero, the whole 95 % interval. Ours is that difference.",
    judge: shrinking!("goodput_lost_with_fewer_mbps", |four| four[0], ""),
};

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
