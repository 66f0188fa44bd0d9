//! Figures 9 to 11: half of the flows of one protocol, half standard TCP (§5.4).

use experiments::simulation::Outcome;
use results::page::{Axis, Block, Chart, Kind, Series};

use super::grid::{Grid, because, extreme, with_variants};
use super::setup::{Group, PAYLOAD_SHARE, Setup, parameters};
use super::{PROTOCOLS, STANDARD, Variant, point};
use crate::claim::{Claim, Evidence, Judged, Quantity};
use crate::data::{Data, Measured, Samples};
use crate::paper::{Figure, Mode, Run};
use crate::rules::{self, Answer, Place, judged, shown};

macro_rules! figure {
    ($id:literal, $protocol:literal, $title:literal) => {
        Figure {
            id: $id,
            title: $title,
            shows: "Aggregated protocol goodput of each half of the flows, 10 to 100 in all, that \
                    share a bottleneck of 10 Mb/s. Ideal: half of the link for each.",
            parameters: parameters![
                (
                    "bottleneck",
                    "10 Mb/s, drop-tail, 50 packets = 0.67 of the bandwidth-delay product (queue open in the paper)"
                ),
                (
                    "access links",
                    "10 Mb/s, as the bottleneck (paper: \"in most cases\")"
                ),
                ("duration", "100 s, all of it counted (paper: 100 s)"),
            ],
            plan: |mode| plan($id, $protocol, mode),
            measure,
            draw: |data| draw($id, $protocol, data),
        }
    };
}

/// Figure 9.
pub(super) const FIGURE_9: Figure = figure!("9", 0, "TCP(0.31, 0.875) competing with TCP(1, 0.5)");
/// Figure 10.
pub(super) const FIGURE_10: Figure =
    figure!("10", 1, "TCP(0.583, 0.75) competing with TCP(1, 0.5)");
/// Figure 11.
pub(super) const FIGURE_11: Figure = figure!("11", 3, "TCP(1.25, 0.25) competing with TCP(1, 0.5)");

const OWN: &str = "own_goodput_mbps";
const STANDARDS: &str = "standard_goodput_mbps";

fn setup(figure: &str, protocol: usize, flows: u32, variant: Variant, seed: u64) -> Setup {
    let mbps = if variant == Variant::Wide { 100 } else { 10 };
    let protocol = &PROTOCOLS[protocol];
    Setup {
        what: format!("Figure {figure}, {flows} flows,"),
        name: format!("gaimd-{figure}"),
        seed,
        duration_s: 100,
        bottleneck_mbps: mbps,
        sender_mbps: mbps,
        receiver_mbps: mbps,
        queue_packets: if mbps == 100 { 250 } else { 50 },
        receiver_loss: None,
        record: None,
        variant,
        groups: vec![
            Group::new("own", flows / 2, protocol),
            Group::new("standard", flows / 2, &PROTOCOLS[STANDARD]),
        ],
    }
}

fn plan(figure: &str, protocol: usize, mode: Mode) -> Vec<Run> {
    const ALL: &[u32] = &[10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
    const FEW: &[u32] = &[10, 50, 100];
    let variants: &[(Variant, &[u32])] = match mode {
        Mode::Quick => &[
            (Variant::Base, FEW),
            (Variant::LargeQueue, &[100]),
            (Variant::Wide, &[10]),
        ],
        Mode::Full => &[
            (Variant::Base, ALL),
            (Variant::NewReno, FEW),
            (Variant::LargeQueue, FEW),
            (Variant::SmallQueue, FEW),
            (Variant::NoDither, FEW),
            (Variant::Wide, &[10, 50]),
        ],
    };
    let mut runs = Vec::new();
    for (variant, numbers) in variants {
        for flows in *numbers {
            runs.extend((1..=super::seeds(mode)).map(|seed| {
                let setup = setup(figure, protocol, *flows, *variant, seed);
                Run {
                    key: point(&PROTOCOLS[protocol], "flows", f64::from(*flows), *variant),
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
    let groups = &outcome.summary.groups;
    let of = |label: &str| groups.iter().find(|group| group.label == label);
    let mbps = |label: &str| of(label).map(|group| group.goodput_bps / 1e6);
    let timeouts = |label: &str| {
        let flows = outcome.summary.flows.iter();
        let all: u64 = flows
            .filter(|flow| flow.label == label)
            .map(|flow| flow.timeouts)
            .sum();
        of(label).map(|group| all as f64 / group.flows as f64)
    };
    Measured::default()
        .value(OWN, mbps("own"))
        .value(STANDARDS, mbps("standard"))
        .value("jain", outcome.summary.jain)
        .value("own_timeouts_per_flow", timeouts("own"))
        .value("standard_timeouts_per_flow", timeouts("standard"))
}

fn draw(figure: &str, protocol: usize, data: &Data) -> Vec<Block> {
    let chart = |variant: Variant| {
        let grid = Grid::new(data, "flows", variant);
        if !grid.is_there() {
            return None;
        }
        let mbps = if variant == Variant::Wide {
            100.0
        } else {
            10.0
        };
        let title = match variant {
            Variant::Base => format!("Aggregated protocol goodput, {mbps} Mb/s bottleneck"),
            _ => format!("Figure {figure}: {}", variant.name()),
        };
        let mut chart = Chart::new(
            format!("gaimd-{figure}-{}", variant.slug()),
            title,
            Axis::linear("number of flows", "").range(0.0, 105.0),
            Axis::linear("aggregated goodput", "Mb/s").fitted(),
        );
        for (index, name) in [(protocol, OWN), (STANDARD, STANDARDS)] {
            let (mut points, mut intervals) = (Vec::new(), Vec::new());
            for at in grid.places() {
                if let Some(estimate) = grid.samples(protocol, at, name).estimate() {
                    points.push((at, estimate.mean));
                    intervals.push(estimate.ends());
                }
            }
            let series = Series::new(PROTOCOLS[index].name, Kind::Line, points);
            chart = chart.with(series.interval(intervals));
        }
        let half = mbps * PAYLOAD_SHARE / 2.0;
        Some(chart.line(
            results::page::Along::Y,
            half,
            format!("half of the link: {half} Mb/s of payload"),
        ))
    };
    let mut blocks = Vec::new();
    if let Some(base) = chart(Variant::Base) {
        let note = "Error bars: 95 % confidence interval of the mean over the seeds.";
        blocks.push(Block::Chart(base.note(note)));
    }
    let others: Vec<_> = Variant::OTHERS.into_iter().filter_map(chart).collect();
    if !others.is_empty() {
        blocks.push(Block::text(
            "The same with what the paper leaves open chosen otherwise; whether a verdict depends \
             on it stands with the verdict.",
        ));
        blocks.push(Block::Grid(others.into_iter().map(Block::Chart).collect()));
    }
    blocks
}

/// Standard TCP's goodput less the other protocol's, in per cent of the mean of both.
fn excess(grid: &Grid<'_>, protocol: usize, at: f64) -> Samples {
    let pair = [STANDARDS, OWN].map(|name| grid.samples(protocol, at, name));
    Samples::combine(&pair, |g| 100.0 * (g[0] - g[1]) / f64::midpoint(g[0], g[1]))
}

/// Judges the excess at some numbers of flows; ours is the one that `choose` picks.
fn judge(
    evidence: &Evidence<'_>,
    (figure, protocol): (&'static str, usize),
    at: fn(f64) -> bool,
    answer: fn(&Samples) -> Answer,
    choose: fn(f64, f64) -> f64,
    why: &str,
) -> Judged {
    let judged = with_variants(evidence.figure(figure), "flows", "%", |grid| {
        let flows: Vec<f64> = grid
            .places()
            .into_iter()
            .filter(|flows| at(*flows))
            .collect();
        let places: Vec<Place> = flows
            .iter()
            .map(|flows| {
                let excess = excess(grid, protocol, *flows);
                let mean = |name| shown(grid.samples(protocol, *flows, name).estimate(), "Mb/s");
                Place {
                    label: format!("{flows} flows"),
                    answer: answer(&excess),
                    found: format!(
                        "standard {}, the other {}: {}",
                        mean(STANDARDS),
                        mean(OWN),
                        shown(excess.estimate(), "%")
                    ),
                }
            })
            .collect();
        let all = flows.into_iter().map(|flows| excess(grid, protocol, flows));
        judged(&places, extreme(all, choose))
    });
    because(judged, why)
}

macro_rules! conservative {
    ($id:literal, $figure:literal, $protocol:literal, $statement:literal) => {
        Claim {
            id: $id,
            figures: &[$figure],
            statement: $statement,
            paper: Quantity::words("standard TCP exceeds its share (no numbers)"),
            unit: "%",
            rule: "The excess is standard TCP's goodput less the other's, in per cent of the mean \
                   of both. With 50 flows or more it must be above zero, its whole 95 % interval: \
                   at every number of flows reproduced, at half of them or more partly. Ours is \
                   the smallest excess.",
            judge: |evidence| {
                judge(
                    evidence,
                    ($figure, $protocol),
                    |flows| flows >= 50.0,
                    |excess| rules::above(excess, 0.0),
                    f64::min,
                    "Where duplicate ACKs repair most losses, equation 1 favours the smooth \
                     protocol: √(α (1 + β) / (3 (1 − β))) is 1.25 for β = 0.875 and 1.17 for \
                     0.75. Standard TCP wins only where there are so many flows that losses end \
                     in timeouts; the queue decides where that begins. Without sender dither the \
                     phases of a drop-tail queue decide instead of the protocols.",
                )
            },
        }
    };
}

/// "With 10 Mbps bottleneck and a large number of flows, smooth TCP appears to be too
/// conservative, allowing the standard TCP to consume bandwidth more aggressively, exceeding its
/// fair share" (hypothesis 2).
pub(super) const CONSERVATIVE_9: Claim = conservative!(
    "9-conservative",
    "9",
    0,
    "With many flows on 10 Mb/s TCP(0.31, 0.875) is too conservative: standard TCP exceeds its \
     fair share (hypothesis 2)."
);
/// The same of Figure 10.
pub(super) const CONSERVATIVE_10: Claim = conservative!(
    "10-conservative",
    "10",
    1,
    "With many flows on 10 Mb/s TCP(0.583, 0.75) is too conservative: standard TCP exceeds its \
     fair share (hypothesis 2)."
);

/// Whether two goodputs are within 10 % of each other: yes where the mean is, no where the whole
/// interval is not.
fn about_equal(excess: &Samples) -> Answer {
    let size = |sign: f64| Samples::combine(std::slice::from_ref(excess), |g| sign * g[0]);
    rules::all([
        rules::at_most(&size(1.0), ABOUT_EQUAL_PERCENT),
        rules::at_most(&size(-1.0), ABOUT_EQUAL_PERCENT),
    ])
}

fn farther(a: f64, b: f64) -> f64 {
    if a.abs() >= b.abs() { a } else { b }
}

/// Of the three pairs, Figure 11 is the one for which the text names no winner.
pub(super) const EQUAL_11: Claim = Claim {
    id: "11-equal",
    figures: &["11"],
    statement: "Responsive TCP(1.25, 0.25) and standard TCP share 10 Mb/s about equally with many \
                flows: being too conservative is said of the smooth protocols only.",
    paper: Quantity::words("about equal (no numbers)"),
    unit: "%",
    rule: "The excess is standard TCP's goodput less the other's, in per cent of the mean of both. \
           With 50 flows or more it must be within ± 10 %: at every number of flows reproduced, at \
           half of them or more partly. Ours is the excess farthest from zero.",
    judge: |evidence| {
        judge(
            evidence,
            ("11", 3),
            |flows| flows >= 50.0,
            about_equal,
            farther,
            "",
        )
    },
};

/// "With large bandwidth and consequently a relatively larger fair share, TCP(0.31, 0.875),
/// TCP(0.583, 0.75) and TCP(1.25, 0.25) compete fairly with standard TCP."
pub(super) const WIDE: Claim = Claim {
    id: "9-wide",
    figures: &["9", "10", "11"],
    statement: "With 100 Mb/s all three protocols compete fairly with standard TCP.",
    paper: Quantity::words("compete fairly (not shown in the paper)"),
    unit: "%",
    rule: "The excess is standard TCP's goodput less the other's, in per cent of the mean of both. \
           It must be within ± 10 % for each of the three at each number of flows: at all places \
           reproduced, at half of them or more partly. Ours is the excess farthest from zero.",
    judge: |evidence| {
        let (mut places, mut all) = (Vec::new(), Vec::new());
        for (figure, protocol) in [("9", 0), ("10", 1), ("11", 3)] {
            let grid = Grid::new(evidence.figure(figure), "flows", Variant::Wide);
            for flows in grid.places() {
                let excess = excess(&grid, protocol, flows);
                places.push(Place {
                    label: format!("{flows} flows, {}", PROTOCOLS[protocol].name),
                    answer: about_equal(&excess),
                    found: shown(excess.estimate(), "%"),
                });
                all.push(excess);
            }
        }
        judged(&places, extreme(all.into_iter(), farther))
    },
};

/// What still counts as about equal, in per cent of the mean.
const ABOUT_EQUAL_PERCENT: f64 = 10.0;
