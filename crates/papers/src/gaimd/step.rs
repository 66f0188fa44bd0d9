//! A figure of our own: how long it takes to regain the share after a step (§3).

use experiments::simulation::Outcome;
use results::page::{Axis, Block, Chart, Kind, Series};

use super::grid::{Grid, Positive, because, extreme, with_variants};
use super::setup::{Group, Setup, parameters};
use super::wireless::line;
use super::{PROTOCOLS, Variant, point};
use crate::claim::{Claim, Evidence, Judged, Quantity};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Mode, Run};
use crate::rules::{self, Place, judged, shown};

/// Time to regain the share after a step.
pub(super) const FIGURE: Figure = Figure {
    id: "step",
    title: "time to regain the share after a step (our own)",
    shows: "Half of the flows on a bottleneck of 10 Mb/s stop at 50 s: how long it takes until the \
            others have, within one half second, 95 % of what they have on average from 80 s on.",
    parameters: parameters![
        (
            "bottleneck",
            "10 Mb/s, drop-tail, 25 packets: a queue of a third of the bandwidth-delay product, so that it does not hide the step"
        ),
        ("access links", "10 Mb/s"),
        ("duration", "100 s"),
    ],
    plan: plan_step,
    measure: measure_step,
    draw: draw_step,
};

const REGAINED: &str = "regained_s";

fn plan_step(mode: Mode) -> Vec<Run> {
    let mut runs = Vec::new();
    let seeds = match mode {
        Mode::Quick => 3,
        Mode::Full => 20,
    };
    for protocol in &PROTOCOLS {
        for flows in [4_u32, 10, 20] {
            runs.extend((1..=seeds).map(|seed| {
                let setup = Setup {
                    what: format!("Figure \"step\", {flows} flows of {},", protocol.name),
                    name: "gaimd-step".to_owned(),
                    seed,
                    duration_s: 100,
                    bottleneck_mbps: 10,
                    sender_mbps: 10,
                    receiver_mbps: 10,
                    queue_packets: 25,
                    receiver_loss: None,
                    record: Some("500 ms"),
                    variant: Variant::Base,
                    groups: vec![
                        Group {
                            stop_s: Some(STEP_AT_S),
                            ..Group::new("leaves", flows / 2, protocol)
                        },
                        Group::new("stays", flows / 2, protocol),
                    ],
                };
                Run {
                    key: point(protocol, "flows", f64::from(flows), Variant::Base),
                    seed,
                    scenario: setup.scenario(),
                    work: setup.packets(),
                }
            }));
        }
    }
    runs
}

fn measure_step(outcome: &Outcome) -> Measured {
    let flows = outcome.summary.flows.len();
    let goodput: Vec<(f64, f64)> = outcome
        .recording
        .flows
        .chunks_exact(flows.max(1))
        .map(|flows| {
            let bps: f64 = flows.iter().map(|flow| flow.goodput_bps).sum();
            (flows[0].time_s, bps / 1e6)
        })
        .collect();
    Measured::default()
        .value(REGAINED, regained(&goodput))
        .curve("goodput_mbps", goodput)
}

/// From the step to the end of the first half second in which 95 % of what the flows have from 80 s
/// on is used; to the end of the run if there is none.
///
/// Not 95 % of the link: a protocol that never fills it would be taken for a slow one.
fn regained(goodput: &[(f64, f64)]) -> Option<f64> {
    let late: Vec<f64> = goodput
        .iter()
        .filter(|(at, _)| *at > STEADY_FROM_S)
        .map(|(_, mbps)| *mbps)
        .collect();
    let steady = late.iter().sum::<f64>() / late.len().max(1) as f64;
    let after = || goodput.iter().filter(|(at, _)| *at > f64::from(STEP_AT_S));
    // What the others had on the way when they stopped is still delivered in the first one.
    let found = after().skip(1).find(|(_, mbps)| *mbps >= 0.95 * steady);
    let end = found.or_else(|| goodput.last());
    end.map(|(at, _)| at - f64::from(STEP_AT_S))
}

fn draw_step(data: &Data) -> Vec<Block> {
    let grid = Grid::new(data, "flows", Variant::Base);
    let mut chart = Chart::new(
        "gaimd-step-regained",
        "Time until the link is used again",
        Axis::linear("number of flows before the step", "").range(0.0, 21.0),
        Axis::linear("time after the step", "s"),
    );
    for (index, protocol) in PROTOCOLS.iter().enumerate() {
        chart = chart.with(line(&grid, index, REGAINED, protocol.name.to_owned()));
    }
    let mut trace = Chart::new(
        "gaimd-step-goodput",
        "System goodput, 4 flows of which 2 leave at 50 s",
        Axis::linear("time", "s").range(45.0, 70.0),
        Axis::linear("goodput", "Mb/s"),
    );
    for protocol in &PROTOCOLS {
        let found = data.point(&point(protocol, "flows", 4.0, Variant::Base));
        let mean = found.map_or_else(Vec::new, |found| found.curve("goodput_mbps"));
        let near = |at: &f64| (45.0..=70.0).contains(at);
        let points = mean
            .iter()
            .filter(|(at, _)| near(at))
            .map(|(at, mean)| (*at, mean.mean));
        trace = trace.with(Series::new(protocol.name, Kind::Line, points.collect()));
    }
    let note = "Error bars: 95 % confidence interval of the mean over the seeds.";
    vec![Block::Chart(chart.note(note)), Block::Chart(trace)]
}

/// "When additional bandwidth becomes available, a responsive TCP approaches its fair share
/// faster than a smooth TCP."
pub(super) const REGAINS: Claim = Claim {
    id: "step-responsive",
    figures: &["step"],
    statement: "When bandwidth comes free, a responsive TCP reaches its share faster than a smooth \
                one (observation 3).",
    paper: Quantity::words("responsive faster (no numbers)"),
    unit: "s",
    rule: "At a number of flows it holds if the slower of TCP(1, 0.5) and TCP(1.25, 0.25) regains \
           the link before the faster of the two smooth protocols, the 95 % interval of the \
           difference excluding zero. At every number of flows: reproduced. At half of them or \
           more: partly. Ours is the smallest difference.",
    judge: |evidence| {
        Positive {
            figure: "step",
            axis: "flows",
            name: REGAINED,
            unit: "s",
            at: |_| true,
            of: |four| four[0].min(four[1]) - four[2].max(four[3]),
            why: "With many flows the windows to regain are a few packets: all four take about a \
                  second, which is two steps of the measure.",
        }
        .judge(evidence)
    },
};

/// "The smaller the number, the larger the window and therefore the longer the convergence time"
/// (observation 1, by equations 4 and 5).
pub(super) const FEWER: Claim = Claim {
    id: "step-fewer",
    figures: &["step"],
    statement: "The fewer flows there are, the longer a smooth protocol takes to reach its share \
                (observation 1).",
    paper: Quantity::words("longer with fewer flows (no numbers)"),
    unit: "s",
    rule: "For each of the two smooth protocols the time with 4 flows must be above that with 10, \
           and that above the time with 20, the 95 % intervals of the differences excluding zero. \
           All four: reproduced. Two or three: partly. Ours is the smallest difference.",
    judge: fewer,
};

fn fewer(evidence: &Evidence<'_>) -> Judged {
    let judged = with_variants(evidence.figure("step"), "flows", "s", |grid| {
        let (mut places, mut all) = (Vec::new(), Vec::new());
        for (index, protocol) in PROTOCOLS.iter().enumerate().take(2) {
            for (few, many) in [(4.0, 10.0), (10.0, 20.0)] {
                let of = |flows| grid.samples(index, flows, REGAINED);
                let longer = of(few).less(&of(many));
                places.push(Place {
                    label: format!("{} with {few} against {many} flows", protocol.name),
                    answer: rules::above(&longer, 0.0),
                    found: format!(
                        "{} against {}",
                        shown(of(few).estimate(), "s"),
                        shown(of(many).estimate(), "s")
                    ),
                });
                all.push(longer);
            }
        }
        judged(&places, extreme(all.into_iter(), f64::min))
    });
    because(judged, "")
}

/// From when on the flows that stay have settled.
const STEADY_FROM_S: f64 = 80.0;
/// When half of the flows stop.
const STEP_AT_S: u32 = 50;

#[cfg(test)]
mod tests {
    use super::*;

    /// 9 Mb/s from 80 s on, 95 % of which are 8.55. The half second that ends at 50.5 s is left out.
    #[test]
    fn the_share_is_regained_when_95_per_cent_of_what_comes_later_are_used() {
        let goodput = [
            (50.0, 9.6),
            (50.5, 9.5),
            (51.0, 8.5),
            (51.5, 8.6),
            (90.0, 9.0),
        ];
        assert_eq!(regained(&goodput), Some(1.5));
        let never = [
            (50.5, 9.5),
            (51.0, 8.5),
            (80.0, 1.0),
            (90.0, 9.0),
            (90.5, 99.0),
        ];
        assert_eq!(regained(&never), Some(40.5));
    }
}
