//! A figure of our own: how long it takes to regain the share after a step (§3).

use experiments::simulation::Outcome;
use results::page::{Axis, Block, Chart, Kind, Series};

use super::grid::extreme;
use super::setup::{Group, Setup, parameters};
use super::{DITHER, IN_BASE, PROTOCOLS, Protocol, Variation, seeds};
use crate::claim::{Claim, Evidence, Judged, Quantity};
use crate::data::{Data, Measured, Samples};
use crate::paper::{BASE, Figure, Key, Mode, Run, VARIATION};
use crate::rules::{self, Place, judged, shown};

/// Time to regain the share after a step.
pub(super) const FIGURE: Figure = Figure {
    id: "step",
    title: "time to regain the share after a step (our own)",
    shows: "Half of the flows on a bottleneck of 10 or 100 Mb/s stop at 50 s: how long it takes \
            until the others have, within one tenth of a second, 95 % of what they have on average \
            from 80 s on.",
    parameters: parameters![
        (
            "bottleneck",
            "10 Mb/s with 25 packets, 100 Mb/s with 250, drop-tail: a third of the bandwidth-delay product, so that the queue does not hide the step"
        ),
        ("access links", "as the bottleneck"),
        ("duration", "100 s"),
    ],
    plan: plan_step,
    measure: measure_step,
    draw: draw_step,
};

const REGAINED: &str = "regained_s";

/// Rate of the bottleneck in Mb/s, and flows before the step.
const SETTINGS: [(u32, u32); 5] = [(10, 4), (10, 10), (10, 20), (100, 10), (100, 20)];

fn at(protocol: &Protocol, (mbps, flows): (u32, u32), variation: Variation) -> Key {
    Key::new()
        .with("protocol", protocol.name)
        .with("bottleneck_mbps", mbps)
        .with("flows", flows)
        .with(VARIATION, variation.name().as_str())
}

fn plan_step(mode: Mode) -> Vec<Run> {
    let mut runs = Vec::new();
    let (variations, settings): (&[Variation], _) = match mode {
        Mode::Quick => (&[IN_BASE], &SETTINGS[..3]),
        Mode::Full => (&[IN_BASE, DITHER], &SETTINGS[..]),
    };
    for variation in variations {
        for protocol in &PROTOCOLS {
            for (mbps, flows) in settings {
                if *mbps > 10 && *variation != IN_BASE {
                    continue;
                }
                runs.extend(seeds(mode).map(|seed| {
                    let setup = Setup {
                        what: format!(
                            "Figure \"step\", {flows} flows of {}, {mbps} Mb/s,",
                            protocol.name
                        ),
                        name: "gaimd-step".to_owned(),
                        seed,
                        duration_s: 100,
                        bottleneck_mbps: *mbps,
                        sender_mbps: *mbps,
                        receiver_mbps: *mbps,
                        queue_packets: 25 * mbps / 10,
                        receiver_loss: None,
                        record: Some("100 ms"),
                        variation: *variation,
                        groups: vec![
                            Group {
                                stop_s: Some(STEP_AT_S),
                                ..Group::new("leaves", flows / 2, protocol)
                            },
                            Group::new("stays", flows / 2, protocol),
                        ],
                    };
                    Run {
                        key: at(protocol, (*mbps, *flows), *variation),
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
    let regained = regained(&goodput);
    let near = goodput
        .into_iter()
        .filter(|(at, _)| (45.0..=70.0).contains(at));
    Measured::default()
        .value(REGAINED, regained)
        .curve("goodput_mbps", near.collect())
}

/// From the step to the end of the first tenth of a second in which 95 % of what the flows have from 80 s
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
    let after = goodput.iter().filter(|(at, _)| *at > f64::from(STEP_AT_S));
    // What the others had on the way when they stopped is still delivered in the first ones: a
    // round trip of 60 ms and a queue of 20 ms.
    let found = after
        .clone()
        .skip(1)
        .find(|(_, mbps)| *mbps >= 0.95 * steady);
    let end = found.or_else(|| goodput.last());
    end.map(|(at, _)| at - f64::from(STEP_AT_S))
}

fn draw_step(data: &Data) -> Vec<Block> {
    let data = &data.variation(BASE);
    let mut blocks = Vec::new();
    let mut traces = Vec::new();
    for mbps in [10, 100] {
        let of_rate: Vec<(u32, u32)> = settings(data)
            .into_iter()
            .filter(|(rate, _)| *rate == mbps)
            .collect();
        let Some(first) = of_rate.first() else {
            continue;
        };
        let mut chart = Chart::new(
            format!("gaimd-step-regained-{mbps}"),
            format!("Time until the link of {mbps} Mb/s is used again"),
            Axis::linear("number of flows before the step", "").range(0.0, 21.0),
            Axis::linear("time after the step", "s"),
        );
        let mut trace = Chart::new(
            format!("gaimd-step-goodput-{mbps}"),
            format!(
                "System goodput, {} flows of which half leave at 50 s",
                first.1
            ),
            Axis::linear("time", "s").range(45.0, 70.0),
            Axis::linear("goodput", "Mb/s"),
        );
        for protocol in &PROTOCOLS {
            let (mut points, mut intervals) = (Vec::new(), Vec::new());
            for setting in &of_rate {
                let samples = data.samples(&at(protocol, *setting, IN_BASE), REGAINED);
                if let Some(estimate) = samples.estimate() {
                    points.push((f64::from(setting.1), estimate.mean));
                    intervals.push(estimate.ends());
                }
            }
            chart = chart.with(Series::new(protocol.name, Kind::Line, points).interval(intervals));
            let found = data.point(&at(protocol, *first, IN_BASE));
            let mean = found.map_or_else(Vec::new, |found| found.curve("goodput_mbps"));
            let points = mean.iter().map(|(at, mean)| (*at, mean.mean));
            trace = trace.with(Series::new(protocol.name, Kind::Line, points.collect()));
        }
        let note = "Error bars: 95 % confidence interval of the mean over the seeds.";
        blocks.push(Block::Chart(chart.note(note)));
        traces.push(Block::Chart(trace));
    }
    blocks.extend(traces);
    blocks
}

/// The settings that there are.
fn settings(data: &Data) -> Vec<(u32, u32)> {
    let there = |setting: &(u32, u32)| data.point(&at(&PROTOCOLS[0], *setting, IN_BASE)).is_some();
    SETTINGS.into_iter().filter(there).collect()
}

fn regained_by(data: &Data, protocol: usize, setting: (u32, u32)) -> Samples {
    data.samples(&at(&PROTOCOLS[protocol], setting, IN_BASE), REGAINED)
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
           difference excluding zero. At every number of flows at both rates: reproduced. At half \
           of them or more: partly. Ours is the smallest difference.",
    judge: faster,
};

fn faster(evidence: &Evidence<'_>) -> Judged {
    let data = evidence.figure("step");
    let sooner = |setting| {
        let four = [0, 1, 2, 3].map(|protocol| regained_by(data, protocol, setting));
        Samples::combine(&four, |four| four[0].min(four[1]) - four[2].max(four[3]))
    };
    let place = |setting: (u32, u32)| {
        let four = [0, 1, 2, 3]
            .map(|protocol| shown(regained_by(data, protocol, setting).estimate(), "s"));
        Place {
            label: format!("{} Mb/s, {} flows", setting.0, setting.1),
            answer: rules::above(&sooner(setting), 0.0),
            found: four.join(" / "),
        }
    };
    let places: Vec<Place> = settings(data).into_iter().map(place).collect();
    judged(
        &places,
        extreme(settings(data).into_iter().map(sooner), f64::min),
    )
}

/// "The smaller the number, the larger the window and therefore the longer the convergence time"
/// (observation 1, by equations 4 and 5).
pub(super) const FEWER: Claim = Claim {
    id: "step-fewer",
    figures: &["step"],
    statement: "The fewer flows there are, the longer a smooth protocol takes to reach its share \
                (observation 1).",
    paper: Quantity::words("longer with fewer flows (no numbers)"),
    unit: "s",
    rule: "For each of the two smooth protocols the time with 4 flows on 10 Mb/s must be above that \
           with 10, that above the time with 20, and with 100 Mb/s that with 10 above that with 20, \
           the 95 % intervals of the differences excluding zero. All six: reproduced. Half: partly. \
           Ours is the smallest difference.",
    judge: fewer,
};

fn fewer(evidence: &Evidence<'_>) -> Judged {
    let data = evidence.figure("step");
    let (mut places, mut all) = (Vec::new(), Vec::new());
    for (index, protocol) in PROTOCOLS.iter().enumerate().take(2) {
        for pair in settings(data).windows(2) {
            let [few, many] = [pair[0], pair[1]];
            if few.0 != many.0 {
                continue;
            }
            let longer = regained_by(data, index, few).less(&regained_by(data, index, many));
            let found = |setting| shown(regained_by(data, index, setting).estimate(), "s");
            places.push(Place {
                label: format!(
                    "{} with {} against {} flows on {} Mb/s",
                    protocol.name, few.1, many.1, few.0
                ),
                answer: rules::above(&longer, 0.0),
                found: format!("{} against {}", found(few), found(many)),
            });
            all.push(longer);
        }
    }
    judged(&places, extreme(all.into_iter(), f64::min))
}

/// From when on the flows that stay have settled.
const STEADY_FROM_S: f64 = 80.0;
/// When half of the flows stop.
const STEP_AT_S: u32 = 50;

#[cfg(test)]
mod tests {
    use super::*;

    /// 9 Mb/s from 80 s on, 95 % of which are 8.55. The first sample after 50 s is left out.
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
