//! Figures 9 to 11: half of the flows of one protocol, half standard TCP (§5.4).

use experiments::simulation::Outcome;
use results::page::{Axis, Block, Chart, Kind, Series};

use super::grid::extreme;
use super::setup::{Group, PAYLOAD_SHARE, Setup, parameters};
use super::wired::{others, slug};
use super::{
    DITHER, IN_BASE, LONG_QUEUE, NEW_RENO, PROTOCOLS, RED, STANDARD, TAHOE, Variation, seeds,
};
use crate::claim::{Claim, Evidence, Judged, Quantity};
use crate::data::{Data, Measured, Samples};
use crate::paper::{BASE, Figure, Key, Mode, Run, VARIATION};
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
                    "10 Mb/s (and 100 Mb/s with 250 packets, of which the text speaks), drop-tail, 50 packets = 0.67 of the bandwidth-delay product (open choice: queue)"
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

/// What the figures show; the text speaks of [`WIDE_MBPS`] too.
const MBPS: u32 = 10;
const WIDE_MBPS: u32 = 100;

fn at(mbps: u32, flows: f64, variation: Variation) -> Key {
    Key::new()
        .with("bottleneck_mbps", mbps)
        .with("flows", flows)
        .with(VARIATION, variation.name().as_str())
}

fn setup(
    figure: &str,
    protocol: usize,
    (mbps, flows): (u32, u32),
    variation: Variation,
    seed: u64,
) -> Setup {
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
        variation,
        groups: vec![
            Group::new("own", flows / 2, protocol),
            Group::new("standard", flows / 2, &PROTOCOLS[STANDARD]),
        ],
    }
}

fn plan(figure: &str, protocol: usize, mode: Mode) -> Vec<Run> {
    const ALL: &[u32] = &[10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
    const FEW: &[u32] = &[50, 100];
    const WIDE: &[u32] = &[10, 50];
    let variations: &[(Variation, &[u32], &[u32])] = match mode {
        Mode::Quick => &[(IN_BASE, &[10, 50, 100], &[10])],
        Mode::Full => &[
            (IN_BASE, ALL, WIDE),
            (DITHER, FEW, &[10]),
            (RED, FEW, &[]),
            (RED.dithered(), FEW, &[]),
            (IN_BASE.rtt(100), FEW, &[]),
            (IN_BASE.rtt(150), FEW, &[]),
            (IN_BASE.rtt(200), FEW, &[]),
            (DITHER.rtt(150), FEW, &[]),
            (DITHER.rtt(150).long_queue(), FEW, &[]),
            (LONG_QUEUE.dithered(), FEW, &[]),
            (TAHOE.dithered(), FEW, &[]),
            (TAHOE.dithered().rtt(150), FEW, &[]),
            (NEW_RENO.dithered(), FEW, &[]),
        ],
    };
    let mut runs = Vec::new();
    for (variation, numbers, wide) in variations {
        let narrow = numbers.iter().map(|flows| (MBPS, *flows));
        let wide = wide.iter().map(|flows| (WIDE_MBPS, *flows));
        for (mbps, flows) in narrow.chain(wide) {
            runs.extend(seeds(mode).map(|seed| {
                let setup = setup(figure, protocol, (mbps, flows), *variation, seed);
                Run {
                    key: at(mbps, f64::from(flows), *variation),
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

/// The numbers of flows that there are with a bottleneck of `mbps`.
fn numbers_of_flows(data: &Data, mbps: u32) -> Vec<f64> {
    let mut numbers = data.numbers("flows");
    numbers.retain(|flows| data.point(&at(mbps, *flows, IN_BASE)).is_some());
    numbers
}

fn draw(figure: &str, protocol: usize, data: &Data) -> Vec<Block> {
    let chart = |variation: &str, data: &Data, mbps: u32| {
        let numbers = numbers_of_flows(data, mbps);
        if numbers.is_empty() {
            return None;
        }
        let title = match (variation, mbps) {
            (BASE, _) => format!("Aggregated protocol goodput, {mbps} Mb/s bottleneck"),
            (other, MBPS) => format!("Figure {figure}: {other}"),
            (other, _) => format!("{mbps} Mb/s, {other}"),
        };
        let mut chart = Chart::new(
            format!("gaimd-{figure}-{mbps}-{}", slug(variation)),
            title,
            Axis::linear("number of flows", "").range(0.0, 105.0),
            Axis::linear("aggregated goodput", "Mb/s").fitted(),
        );
        for (index, name) in [(protocol, OWN), (STANDARD, STANDARDS)] {
            let (mut points, mut intervals) = (Vec::new(), Vec::new());
            for flows in &numbers {
                let samples = data.samples(&at(mbps, *flows, IN_BASE), name);
                if let Some(estimate) = samples.estimate() {
                    points.push((*flows, estimate.mean));
                    intervals.push(estimate.ends());
                }
            }
            let series = Series::new(PROTOCOLS[index].name, Kind::Line, points);
            chart = chart.with(series.interval(intervals));
        }
        let half = f64::from(mbps) * PAYLOAD_SHARE / 2.0;
        Some(chart.line(
            results::page::Along::Y,
            half,
            format!("half of the link: {half} Mb/s of payload"),
        ))
    };
    let base = data.variation(BASE);
    let note = "Error bars: 95 % confidence interval of the mean over the seeds.";
    let mut blocks = Vec::new();
    blocks.extend(chart(BASE, &base, MBPS).map(|chart| Block::Chart(chart.note(note))));
    blocks.extend(others(data, |name, data| chart(name, data, MBPS)));
    let wide = chart(BASE, &base, WIDE_MBPS).map(Block::Chart);
    blocks.extend(wide.map(|wide| Block::Grid(vec![wide])));
    blocks
}

/// Standard TCP's goodput less the other protocol's, in per cent of the mean of both.
fn excess(data: &Data, mbps: u32, flows: f64) -> Samples {
    let pair = [STANDARDS, OWN].map(|name| data.samples(&at(mbps, flows, IN_BASE), name));
    Samples::combine(&pair, |g| 100.0 * (g[0] - g[1]) / f64::midpoint(g[0], g[1]))
}

/// Judges the excess with 100 flows, the paper's largest number.
fn judge(evidence: &Evidence<'_>, figure: &'static str, answer: fn(&Samples) -> Answer) -> Judged {
    let data = evidence.figure(figure);
    let found = excess(data, MBPS, MANY);
    let mean = |name| {
        shown(
            data.samples(&at(MBPS, MANY, IN_BASE), name).estimate(),
            "Mb/s",
        )
    };
    let place = Place {
        label: format!("{MANY} flows"),
        answer: answer(&found),
        found: format!(
            "standard {}, the other {}: {}",
            mean(STANDARDS),
            mean(OWN),
            shown(found.estimate(), "%")
        ),
    };
    judged(&[place], found.estimate())
}

/// "With … a large number of flows", which "range from 10 to a 100".
const MANY: f64 = 100.0;

macro_rules! conservative {
    ($id:literal, $figure:literal, $statement:literal) => {
        Claim {
            id: $id,
            figures: &[$figure],
            statement: $statement,
            paper: Quantity::words("standard TCP exceeds its share (no numbers)"),
            unit: "%",
            rule: "The excess is standard TCP's goodput less the other's, in per cent of the mean \
                   of both. With 100 flows, the most in the paper, it must be above zero, its \
                   whole 95 % interval. Ours is the excess.",
            judge: |evidence| judge(evidence, $figure, |excess| rules::above(excess, 0.0)),
        }
    };
}

/// "With 10 Mbps bottleneck and a large number of flows, smooth TCP appears to be too
/// conservative, allowing the standard TCP to consume bandwidth more aggressively, exceeding its
/// fair share" (hypothesis 2).
pub(super) const CONSERVATIVE_9: Claim = conservative!(
    "9-conservative",
    "9",
    "With many flows on 10 Mb/s TCP(0.31, 0.875) is too conservative: standard TCP exceeds its \
     fair share (hypothesis 2)."
);
/// The same of Figure 10.
pub(super) const CONSERVATIVE_10: Claim = conservative!(
    "10-conservative",
    "10",
    "With many flows on 10 Mb/s TCP(0.583, 0.75) is too conservative: standard TCP exceeds its \
     fair share (hypothesis 2)."
);

/// Whether two goodputs are within 10 % of each other.
fn about_equal(excess: &Samples) -> Answer {
    rules::within(excess, -ABOUT_EQUAL_PERCENT, ABOUT_EQUAL_PERCENT)
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
    paper: Quantity::words("nothing said of it"),
    unit: "%",
    rule: "The excess is standard TCP's goodput less the other's, in per cent of the mean of both. \
           With 100 flows it must be within ± 10 %, its whole 95 % interval. Ours is the excess.",
    judge: |evidence| judge(evidence, "11", about_equal),
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
           It must be within ± 10 %, its whole 95 % interval, for each of the three at each number \
           of flows: at all places reproduced, at half of them or more partly. Ours is the excess farthest from zero.",
    judge: |evidence| {
        let (mut places, mut all) = (Vec::new(), Vec::new());
        for (figure, protocol) in [("9", 0), ("10", 1), ("11", 3)] {
            let data = evidence.figure(figure);
            for flows in numbers_of_flows(data, WIDE_MBPS) {
                let excess = excess(data, WIDE_MBPS, flows);
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
