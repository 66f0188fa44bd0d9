//! Figures 4 and 8: packet errors on the receivers' access links (§5.1, §5.3).
//!
//! 100 flows cross a bottleneck of 100 Mb/s to receivers on wireless links of 10 Mb/s, which lose
//! each data packet with the same probability.

use experiments::simulation::Outcome;
use results::page::{Axis, Block, Chart, Kind, Series};

use super::grid::{Grid, Positive, lag, lead};
use super::setup::{Group, PAYLOAD_SHARE, Setup, parameters};
use super::wired::{others, slug};
use super::{DITHER, IN_BASE, NEW_RENO, PROTOCOLS, Protocol, TAHOE, Variation, point, seeds};
use crate::claim::{Claim, Quantity};
use crate::data::{Data, Measured, Samples};
use crate::paper::{BASE, Figure, Mode, Run};
use crate::rules::{self, Place, judged, shown};

/// Figure 4.
pub(super) const FIGURE_4: Figure = Figure {
    id: "4",
    title: "goodput over a heterogeneous network",
    shows: "System goodput of 100 flows over a bottleneck of 100 Mb/s whose receivers sit behind \
            wireless links of 10 Mb/s, over the packet error rate of these links.",
    parameters: parameters![
        (
            "bottleneck",
            "100 Mb/s, drop-tail, 250 packets = 0.33 of the bandwidth-delay product (open choice: queue)"
        ),
        (
            "receivers' access links",
            "10 Mb/s, each loses data packets at random, first transmissions and repeats alike"
        ),
        (
            "senders' access links",
            "100 Mb/s, as the bottleneck (paper: \"in most cases\")"
        ),
        ("duration", "100 s, all of it counted (paper: 100 s)"),
    ],
    plan: |mode| plan(Which::Goodput, mode),
    measure,
    draw: |data| draw(Which::Goodput, data),
};

/// Figure 8.
pub(super) const FIGURE_8: Figure = Figure {
    id: "8",
    title: "70 % application success",
    shows: "100 flows, each a playback application of 1 Mb/s with a buffer of 125 kB, over a \
            bottleneck of 100 Mb/s and wireless links of 10 Mb/s: how many per cent of all reads, \
            one a second, find more than 70 % of 125 kB newly arrived.",
    parameters: parameters![
        (
            "application",
            "1 Mb/s of payload, read once a second by a player with a buffer of 125 kB (paper §4.2)"
        ),
        (
            "bottleneck",
            "100 Mb/s, drop-tail, 250 packets (open choice: queue); with headers 4 % less than the applications want"
        ),
        (
            "receivers' access links",
            "10 Mb/s, each loses data packets at random, first transmissions and repeats alike"
        ),
        (
            "senders' access links",
            "100 Mb/s, as the bottleneck (paper: \"in most cases\")"
        ),
        ("duration", "100 s, all of it counted (paper: 100 s)"),
    ],
    plan: |mode| plan(Which::Success, mode),
    measure,
    draw: |data| draw(Which::Success, data),
};

#[derive(Clone, Copy, PartialEq)]
enum Which {
    Goodput,
    Success,
}

const GOODPUT: &str = "goodput_mbps";
const SUCCESS: &str = "success_70_percent";

fn setup(which: Which, protocol: &Protocol, per: f64, variation: Variation, seed: u64) -> Setup {
    let (figure, application) = match which {
        Which::Goodput => ("4", None),
        Which::Success => ("8", Some(PLAYBACK)),
    };
    Setup {
        what: format!(
            "Figure {figure}, {}, packet error rate {per},",
            protocol.name
        ),
        name: format!("gaimd-{figure}"),
        seed,
        duration_s: 100,
        bottleneck_mbps: 100,
        sender_mbps: 100,
        receiver_mbps: 10,
        queue_packets: 250,
        receiver_loss: (per > 0.0)
            .then(|| format!("{{ kind = \"bernoulli\", probability = {per} }}")),
        record: None,
        variation,
        groups: vec![Group {
            application,
            ..Group::new("gaimd", 100, protocol)
        }],
    }
}

fn plan(which: Which, mode: Mode) -> Vec<Run> {
    let (rates, ends): (&[f64], &[f64]) = match (which, mode) {
        (Which::Goodput, Mode::Quick) => (&[0.0, 0.02, 0.05], &[]),
        (Which::Goodput, Mode::Full) => (&[0.0, 0.005, 0.01, 0.02, 0.03, 0.05], &[0.05]),
        (Which::Success, Mode::Quick) => (&[0.0, 0.05, 0.4], &[]),
        (Which::Success, Mode::Full) => {
            (&[0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.1, 0.2, 0.4], &[0.05])
        }
    };
    let mut runs = Vec::new();
    let variations = [
        (IN_BASE, rates),
        (TAHOE, ends),
        (NEW_RENO, ends),
        (DITHER, ends),
    ];
    for (variation, rates) in variations {
        for protocol in &PROTOCOLS {
            for per in rates {
                runs.extend(seeds(mode).map(|seed| {
                    let setup = setup(which, protocol, *per, variation, seed);
                    Run {
                        key: point(protocol, "per", *per, variation),
                        seed,
                        scenario: setup.scenario(),
                        // Losses leave less to carry: about 1/(1 + 25 PER) of it.
                        work: setup.packets() / (1.0 + 25.0 * per),
                    }
                }));
            }
        }
    }
    runs
}

fn measure(outcome: &Outcome) -> Measured {
    let summary = &outcome.summary;
    let group = &summary.groups[0];
    let flows = summary.flows.len().max(1) as f64;
    let timeouts: u64 = summary.flows.iter().map(|flow| flow.timeouts).sum();
    let successes = group.application_success_percent.as_ref();
    let mut measured = Measured::default()
        .value(GOODPUT, summary.goodput_bps / 1e6)
        .value("jain", summary.jain)
        .value("timeouts_per_flow", timeouts as f64 / flows);
    for (percent, index) in [(50, 4), (70, 6), (90, 8)] {
        let name = format!("success_{percent}_percent");
        measured = measured.value(&name, successes.map(|all| all[index]));
    }
    measured
}

fn draw(which: Which, data: &Data) -> Vec<Block> {
    let (id, title, name, y) = match which {
        Which::Goodput => (
            "gaimd-4-goodput",
            "System goodput, 100 flows, 100 Mb/s bottleneck, 10 Mb/s wireless links",
            GOODPUT,
            Axis::linear("system goodput", "Mb/s"),
        ),
        Which::Success => (
            "gaimd-8-success",
            "70 % application success, 100 flows of 1 Mb/s",
            SUCCESS,
            Axis::linear("70 % application success", "%").range(0.0, 100.0),
        ),
    };
    let chart = |id: String, title: String, data: &Data| {
        let grid = Grid::new(data, "per");
        let x = Axis::linear("packet error rate of the wireless links", "");
        let mut chart = Chart::new(id, title, x, y.clone());
        for (index, protocol) in PROTOCOLS.iter().enumerate() {
            chart = chart.with(line(&grid, index, name, protocol.name.to_owned()));
        }
        chart
    };
    let base = data.variation(BASE);
    let mut main = chart(id.to_owned(), title.to_owned(), &base)
        .note("Error bars: 95 % confidence interval of the mean over the seeds.");
    if which == Which::Goodput {
        for (index, protocol) in PROTOCOLS.iter().enumerate() {
            let points = NS2_4
                .iter()
                .map(|(per, four)| (*per, four[index] * PAYLOAD_SHARE));
            let name = format!("{}, ns-2.35", protocol.name);
            let series = Series::new(name, Kind::Points, points.collect());
            main = main.with(
                series
                    .colour(protocol.name)
                    .dash(results::page::Dash::Dotted),
            );
        }
        main = main
            .note("ns-2.35 (hollow markers) differs: one seed, counted with headers, here × 0.96.");
    }
    let mut blocks = vec![Block::Chart(main)];
    blocks.extend(others(data, |variation, data| {
        let several = data.numbers("per").len() > 1;
        several.then(|| {
            chart(
                format!("{id}-{}", slug(variation)),
                variation.to_owned(),
                data,
            )
        })
    }));
    blocks
}

/// A protocol's number over the axis, with intervals.
pub(super) fn line(grid: &Grid<'_>, protocol: usize, name: &str, title: String) -> Series {
    let (mut points, mut intervals) = (Vec::new(), Vec::new());
    for at in grid.places() {
        if let Some(estimate) = grid.samples(protocol, at, name).estimate() {
            points.push((at, estimate.mean));
            intervals.push(estimate.ends());
        }
    }
    Series::new(title, Kind::Line, points)
        .colour(PROTOCOLS[protocol].name)
        .interval(intervals)
}

/// "When the error rate is low, the smooth TCP attain higher goodput."
pub(super) const GOODPUT_LOW: Claim = Claim {
    id: "4-low",
    figures: &["4"],
    statement: "While packet errors are rare, the smooth protocols bring more goodput.",
    paper: Quantity::words("smooth higher (no numbers)"),
    unit: "Mb/s",
    rule: "At an error rate of 0.005 or less it holds if the lower of the two smooth protocols is \
           above the higher of the two others, the 95 % interval of the difference excluding zero. \
           At every such rate: reproduced. At half of them: partly. Ours is the smallest \
           difference.",
    judge: |evidence| {
        Positive {
            figure: "4",
            axis: "per",
            name: GOODPUT,
            unit: "Mb/s",
            at: |per| per <= 0.005,
            of: |four| four[0].min(four[1]) - four[2].max(four[3]),
        }
        .judge(evidence)
    },
};

/// "Smooth TCP's goodput performance degrades faster and responsive TCP outperforms the smooth
/// one" (observation 2).
pub(super) const GOODPUT_HIGH: Claim = Claim {
    id: "4-high",
    figures: &["4"],
    statement: "At a packet error rate of 0.05 smooth TCP(0.31, 0.875) brings the least goodput of \
                all (observation 2).",
    paper: Quantity::words("smooth lowest (no numbers)"),
    unit: "Mb/s",
    rule: "Reproduced if the goodput of TCP(0.31, 0.875) is below that of each other protocol at \
           0.05, the 95 % interval of the difference to the next excluding zero. Ours is that \
           difference.",
    judge: |evidence| {
        Positive {
            figure: "4",
            axis: "per",
            name: GOODPUT,
            unit: "Mb/s",
            at: |per| per == 0.05,
            of: |four| lag(four, 0),
        }
        .judge(evidence)
    },
};

/// "Smooth TCP's goodput performance degrades faster."
pub(super) const GOODPUT_DEGRADES: Claim = Claim {
    id: "4-degrades",
    figures: &["4"],
    statement: "From packet error rate 0 to 0.05 the goodput of the smoothest protocol degrades the \
                most.",
    paper: Quantity::words("smooth degrades faster (no numbers)"),
    unit: "percentage points",
    rule: "What is left at 0.05 in per cent of the goodput at 0 must be less for TCP(0.31, 0.875) \
           than for each other protocol, the 95 % interval of the difference to the next \
           excluding zero. Ours is that difference.",
    judge: |evidence| {
        let grid = Grid::new(evidence.figure("4"), "per");
        let left = [0, 1, 2, 3].map(|protocol| {
            let of = |per| grid.samples(protocol, per, GOODPUT);
            Samples::combine(&[of(0.05), of(0.0)], |g| 100.0 * g[0] / g[1])
        });
        let difference = Samples::combine(&left, |left| lag(left, 0));
        let told = left.map(|left| shown(left.estimate(), "%")).join(" / ");
        let place = Place {
            label: "PER 0.05".to_owned(),
            answer: rules::above(&difference, 0.0),
            found: told.clone(),
        };
        let mut judged = judged(&[place], difference.estimate());
        judged.reason += &format!(" Left of the four: {told}.");
        judged
    },
};

/// "… responsive TCP outperforms the smooth one […], unlike the high α value of TCP(1.25, 0.25)
/// which permits a more aggressive behavior."
pub(super) const GOODPUT_ALPHA: Claim = Claim {
    id: "4-responsive",
    figures: &["4"],
    statement: "At a packet error rate of 0.05 responsive TCP(1.25, 0.25) outperforms both smooth \
                protocols.",
    paper: Quantity::words("responsive above smooth (no numbers)"),
    unit: "Mb/s",
    rule: "Reproduced if the goodput of TCP(1.25, 0.25) at 0.05 is above that of both smooth \
           protocols, the 95 % interval of the difference to the better one excluding zero. Ours \
           is that difference.",
    judge: |evidence| {
        Positive {
            figure: "4",
            axis: "per",
            name: GOODPUT,
            unit: "Mb/s",
            at: |per| per == 0.05,
            of: |four| four[3] - four[0].max(four[1]),
        }
        .judge(evidence)
    },
};

/// "When the error rate is low, smooth TCP outperforms responsive TCP."
pub(super) const SUCCESS_LOW: Claim = Claim {
    id: "8-low",
    figures: &["8"],
    statement: "Without packet errors TCP(0.31, 0.875) has the highest application success.",
    paper: Quantity::words("smooth best (no numbers)"),
    unit: "percentage points",
    rule: "Reproduced if the success of TCP(0.31, 0.875) is above that of each other protocol at an \
           error rate of 0, the 95 % interval of the difference to the next excluding zero. Ours is \
           that difference.",
    judge: |evidence| {
        Positive {
            figure: "8",
            axis: "per",
            name: SUCCESS,
            unit: "percentage points",
            at: |per| per == 0.0,
            of: |four| lead(four, 0),
        }
        .judge(evidence)
    },
};

/// "However, when the error rate becomes dense the application success percentage of
/// TCP(0.31, 0.875) degrades sharply": α is the dominant factor (observation 2).
pub(super) const SUCCESS_HIGH: Claim = Claim {
    id: "8-high",
    figures: &["8"],
    statement: "Where packet errors are dense, TCP(0.31, 0.875) has the lowest application success \
                (observation 2).",
    paper: Quantity::words("smooth worst (no numbers)"),
    unit: "percentage points",
    rule: "At an error rate of 0.05 or more it holds if the success of TCP(0.31, 0.875) is below \
           that of each other protocol, the 95 % interval of the difference to the next excluding \
           zero. At every such rate at which not all four are zero: reproduced. At half of them \
           or more: partly. Ours is the smallest difference.",
    judge: |evidence| {
        Positive {
            figure: "8",
            axis: "per",
            name: SUCCESS,
            unit: "percentage points",
            at: |per| per >= 0.05,
            of: |four| lag(four, 0),
        }
        .judge(evidence)
    },
};

/// §4.1: data rate 1 Mb/s; §4.2: "the playback buffer is exactly 125 KB".
const PLAYBACK: &str = "{ kind = \"cbr\", rate = \"1 Mbps\", playback_buffer = \"125 kB\" }";

/// What ns-2.35 gave, headers counted: packet error rate, and Mb/s of each protocol.
const NS2_4: [(f64, [f64; 4]); 4] = [
    (0.005, [97.9, 97.7, 97.3, 95.8]),
    (0.01, [96.9, 97.1, 96.9, 96.9]),
    (0.02, [79.4, 86.7, 85.1, 78.0]),
    (0.05, [40.5, 44.4, 45.6, 43.8]),
];
