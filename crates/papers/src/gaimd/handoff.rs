//! Figure 5: one flow whose wireless link is interrupted by handoffs (§5.1).

use experiments::simulation::Outcome;
use results::page::{Align, Axis, Block, Cell, Chart, Column, Kind, Series, Table};

use super::grid::Grid;
use super::setup::{Group, Setup, parameters};
use super::{
    DITHER, IN_BASE, LONG_QUEUE, NEW_RENO, PROTOCOLS, Protocol, TAHOE, Variation, point, seeds_of,
};
use crate::claim::{Claim, Evidence, Judged, Quantity};
use crate::data::{Data, Measured, Samples};
use crate::paper::{Figure, Mode, Run};
use crate::rules::{self, Place, judged, shown};

/// Figure 5.
pub(super) const FIGURE_5: Figure = Figure {
    id: "5",
    title: "allotted goodput with handoffs",
    shows: "Goodput within each second of one flow whose wireless link of 10 Mb/s loses everything \
            for a time, exponential with a mean of 1 s, at a handoff every 5 s.",
    parameters: parameters![
        (
            "bottleneck",
            "100 Mb/s, not in the way: the wireless link is the narrow one (open in the paper)"
        ),
        (
            "receiver's access link",
            "10 Mb/s, drop-tail, 50 packets = 0.67 of the bandwidth-delay product (open choice: queue)"
        ),
        (
            "handoffs",
            "every 5 s, of exponential length with mean 1 s; one that lasts longer swallows the next"
        ),
        ("duration", "100 s, all of it counted (paper: 100 s)"),
    ],
    plan,
    measure,
    draw,
};

const GOODPUT: &str = "goodput_mbps";
const RECOVERY: &str = "recovery_s";
const VARIATION: &str = "variation";
const TRACE: &str = "allotted_goodput_mbps";
const FOLDED: &str = "goodput_after_handoff_mbps";

fn setup(protocol: &Protocol, variation: Variation, seed: u64) -> Setup {
    Setup {
        what: format!("Figure 5, {},", protocol.name),
        name: "gaimd-5".to_owned(),
        seed,
        duration_s: 100,
        bottleneck_mbps: 100,
        sender_mbps: 100,
        receiver_mbps: 10,
        queue_packets: 50,
        receiver_loss: Some(
            "{ kind = \"outage\", every = \"5 s\", duration = { exponential = \"1 s\" } }".into(),
        ),
        record: Some("500 ms"),
        variation,
        groups: vec![Group::new("gaimd", 1, protocol)],
    }
}

fn plan(mode: Mode) -> Vec<Run> {
    let (variations, seeds): (&[Variation], u64) = match mode {
        Mode::Quick => (&[IN_BASE], 10),
        Mode::Full => (&[IN_BASE, NEW_RENO, TAHOE, LONG_QUEUE, DITHER], 40),
    };
    let mut runs = Vec::new();
    for variation in variations {
        for protocol in &PROTOCOLS {
            runs.extend(seeds_of(seeds).map(|seed| {
                let setup = setup(protocol, *variation, seed);
                Run {
                    key: point(protocol, "flows", 1.0, *variation),
                    seed,
                    scenario: setup.scenario(),
                    // About a third of what 10 Mb/s carry.
                    work: setup.packets() / 30.0,
                }
            }));
        }
    }
    runs
}

fn measure(outcome: &Outcome) -> Measured {
    let summary = &outcome.summary;
    // Means over half a second each, by the time at which it ends.
    let samples: Vec<(f64, f64)> = outcome
        .recording
        .flows
        .iter()
        .map(|sample| (sample.time_s, sample.goodput_bps / 1e6))
        .collect();
    let slots = summary.allotted.as_ref();
    let trace: Vec<(f64, f64)> = slots.map_or_else(Vec::new, |slots| {
        (1..)
            .zip(&slots.system_goodput_bps)
            .map(|(second, bps)| (f64::from(second), bps / 1e6))
            .collect()
    });
    let variation = slots.and_then(|slots| slots.system_goodput_sd_bps);
    Measured::default()
        .value(GOODPUT, summary.goodput_bps / 1e6)
        .value(VARIATION, variation.map(|sd| sd / summary.goodput_bps))
        .value(RECOVERY, recovery(&samples))
        .value(
            "timeouts",
            summary.flows.first().map(|flow| flow.timeouts as f64),
        )
        .curve(FOLDED, folded(&samples))
        .curve(TRACE, trace)
}

/// Mean time from the beginning of a handoff until half of the link is used again within one half
/// second; what does not come before the next handoff counts as the whole 5 s.
fn recovery(samples: &[(f64, f64)]) -> Option<f64> {
    let epochs: Vec<f64> = samples
        .chunks_exact(PER_EPOCH)
        .skip(1)
        .map(|epoch| {
            // In the first half second it may still be delivered what was sent before.
            let found = epoch
                .iter()
                .skip(1)
                .position(|(_, mbps)| *mbps >= HALF_MBPS);
            found.map_or(5.0, |index| (index + 2) as f64 * 0.5)
        })
        .collect();
    (!epochs.is_empty()).then(|| epochs.iter().sum::<f64>() / epochs.len() as f64)
}

/// Goodput by the time since the last handoff was due, mean over the handoffs.
fn folded(samples: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let epochs: Vec<_> = samples.chunks_exact(PER_EPOCH).skip(1).collect();
    let mean = |index: usize| {
        let sum: f64 = epochs.iter().map(|epoch| epoch[index].1).sum();
        ((index as f64 + 0.5) * 0.5, sum / epochs.len().max(1) as f64)
    };
    (0..PER_EPOCH).map(mean).collect()
}

fn draw(data: &Data) -> Vec<Block> {
    let mut trace = Chart::new(
        "gaimd-5-trace",
        "Allotted goodput of one flow, one run",
        Axis::linear("time", "s").range(0.0, 100.0),
        Axis::linear("allotted goodput", "Mb/s"),
    );
    let mut after = Chart::new(
        "gaimd-5-recovery",
        "Goodput after a handoff, mean over all handoffs",
        Axis::linear("time since the handoff began", "s").range(0.0, 5.0),
        Axis::linear("goodput", "Mb/s"),
    );
    let columns = vec![
        Column::text("protocol"),
        Column::number("goodput", "Mb/s").digits(3),
        Column::number("until half of the link is used again", "s").digits(3),
        Column::number("deviation / mean of the allotted goodput", "").digits(3),
    ];
    let mut table = Table::new(
        "Means over the seeds with 95 % confidence intervals.",
        columns,
    );
    let grid = Grid::new(data, "flows");
    for (index, protocol) in PROTOCOLS.iter().enumerate() {
        let Some(found) = data.point(&point(protocol, "flows", 1.0, IN_BASE)) else {
            continue;
        };
        if let Some((_, first)) = found.runs.first() {
            let points = first.curves.get(TRACE).cloned().unwrap_or_default();
            trace = trace.with(Series::new(protocol.name, Kind::Line, points));
        }
        let mean = found.curve(FOLDED);
        let points = mean.iter().map(|(at, mean)| (*at, mean.mean)).collect();
        let ends = mean.iter().map(|(_, mean)| mean.ends()).collect();
        after = after.with(Series::new(protocol.name, Kind::Line, points).interval(ends));
        let cell = |name: &str| grid.samples(index, 1.0, name).cell();
        table.rows.push(vec![
            Cell::Text(protocol.name.to_owned()),
            cell(GOODPUT),
            cell(RECOVERY),
            cell(VARIATION),
        ]);
    }
    debug_assert!(
        table
            .columns
            .iter()
            .skip(1)
            .all(|c| c.align == Align::Right)
    );
    trace = trace.note("One seed. The handoffs are the same for all four.");
    vec![
        Block::Chart(trace),
        Block::Chart(after),
        Block::Table(table),
    ]
}

/// Compares the four from the smoothest to the most responsive.
fn steps(evidence: &Evidence<'_>, name: &str, unit: &str, sign: f64) -> Judged {
    let grid = Grid::new(evidence.figure("5"), "flows");
    let four = grid.four(1.0, name);
    let step = |upper: usize| {
        Samples::combine(&[four[upper].clone(), four[upper - 1].clone()], |pair| {
            sign * (pair[0] - pair[1])
        })
    };
    let labels = ["0.75 against 0.875", "0.5 against 0.75", "0.25 against 0.5"];
    let places: Vec<Place> = (1..)
        .zip(labels)
        .map(|(upper, label)| Place {
            label: format!("β = {label}"),
            answer: rules::above(&step(upper), 0.0),
            found: format!(
                "difference {}; the four: {}",
                shown(step(upper).estimate(), unit),
                grid.means(1.0, name)
            ),
        })
        .collect();
    let ends = Samples::combine(&[four[3].clone(), four[0].clone()], |pair| {
        sign * (pair[0] - pair[1])
    });
    judged(&places, ends.estimate())
}

/// "A high sending rate reflects a desirable behavior": goodput follows α.
pub(super) const ORDER: Claim = Claim {
    id: "5-goodput",
    figures: &["5"],
    statement: "With handoffs, the more responsive the protocol, the more goodput.",
    paper: Quantity::words("ordered by α (no numbers)"),
    unit: "Mb/s",
    rule: "Each of the three steps from TCP(0.31, 0.875) to TCP(1.25, 0.25) must bring more \
           goodput, the 95 % interval of the difference excluding zero. All: reproduced. Two: \
           partly. Ours is the difference from end to end.",
    judge: |evidence| steps(evidence, GOODPUT, "Mb/s", 1.0),
};

/// "After the handoff period is over, a responsive TCP recovers faster."
pub(super) const RECOVERS: Claim = Claim {
    id: "5-recovery",
    figures: &["5"],
    statement: "After a handoff, the more responsive the protocol, the sooner it has recovered.",
    paper: Quantity::words("ordered by α (no numbers)"),
    unit: "s",
    rule: "Recovered is the first half second, after that in which the handoff began, in which \
           half of the link is used. Each of the three steps from TCP(0.31, 0.875) to \
           TCP(1.25, 0.25) must shorten the time to it, the 95 % interval of the difference \
           excluding zero. All: reproduced. Two: partly. Ours is the time saved from end to end.",
    judge: |evidence| steps(evidence, RECOVERY, "s", -1.0),
};

/// "… and attains smoother rates."
pub(super) const SMOOTHER: Claim = Claim {
    id: "5-smoother",
    figures: &["5"],
    statement: "With handoffs, the responsive protocols attain the smoother rates.",
    paper: Quantity::words("responsive smoother (no numbers)"),
    unit: "",
    rule: "Smoothness is the standard deviation of the allotted goodput over its mean. Each of the \
           three steps from TCP(0.31, 0.875) to TCP(1.25, 0.25) must lessen it, the 95 % interval \
           of the difference excluding zero. All: reproduced. Two: partly. Ours is how much less \
           it is from end to end.",
    judge: |evidence| steps(evidence, VARIATION, "", -1.0),
};

/// Samples between two handoffs: 5 s / 0.5 s.
const PER_EPOCH: usize = 10;
/// Half of what 10 Mb/s carry as payload.
const HALF_MBPS: f64 = 4.8;

#[cfg(test)]
mod tests {
    use super::*;

    /// Three epochs of 10 half seconds, of which the first is left out. In the second the third
    /// half second is the first, after the one it begins in, to reach 4.8 Mb/s: 1.5 s. In the last
    /// none does: 5 s. Mean 3.25 s.
    #[test]
    fn recovery_of_a_worked_example() {
        let mut mbps = vec![9.0; 10];
        mbps.extend([9.0, 0.0, 5.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0]);
        mbps.extend([4.7; 10]);
        let samples: Vec<_> = (1..).map(|n| f64::from(n) * 0.5).zip(mbps).collect();
        assert_eq!(recovery(&samples), Some(3.25));
        // Third half second: (5 + 4.7) / 2 at 1.25 s.
        assert_eq!(folded(&samples)[2], (1.25, 4.85));
    }
}
