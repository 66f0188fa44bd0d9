//! Figures of our own: throughput against equation 1, congestion epochs against equation 4, and
//! how long it takes to regain the share after a step (§2, §3).

use controllers::equation::{Path, friendly_alpha, gaimd_throughput, low_loss_advantage};
use experiments::page::{Axis, Block, Chart, Dash, Kind, Series};
use experiments::simulation::Outcome;

use super::grid::{Grid, Positive, because, extreme, judged, with_variants};
use super::setup::{Group, NS2_SENDER, PAYLOAD_SHARE, Setup, parameters};
use super::wireless::line;
use super::{PROTOCOLS, Protocol, Variant, point};
use crate::claim::{Claim, Evidence, Judged, Quantity};
use crate::data::{Data, Measured, Samples};
use crate::paper::{Figure, Mode, Run};
use crate::rules::{self, Place, shown};

/// Measured throughput against equation 1.
pub(super) const EQUATION_1: Figure = Figure {
    id: "equation-1",
    title: "throughput against equation 1 (our own)",
    shows: "Packets per second that one flow sends over a path that loses each packet with \
            probability p and has no other bound, against equation 1 with p inside both square \
            roots, for the four pairs.",
    parameters: &[
        ("path", "10 Gb/s, 60 ms there and back: no queue ever forms"),
        (
            "losses",
            "each data packet by itself, first transmissions and repeats alike",
        ),
        ("duration", "420 s, of which 20 s are left out"),
        (
            "sender",
            "Reno as in ns-2.35, slow start to 64 packets, an ACK for each packet (b = 1)",
        ),
        (
            "T0 in equation 1",
            "200 ms, the least retransmission timeout: a round trip of 60 ms stays below it",
        ),
    ],
    plan: plan_1,
    measure: measure_1,
    draw: draw_1,
};

/// Congestion epochs against equation 4.
pub(super) const EQUATION_4: Figure = Figure {
    id: "equation-4",
    title: "rounds in a congestion epoch (our own)",
    shows: "Round trips from one loss to the next, counted, against equation 4: \
            n = (1 − β) W / α + 1, with W the mean window at which losses were found.",
    parameters: &[
        ("path", "10 Gb/s, 60 ms there and back: no queue ever forms"),
        (
            "losses",
            "each 500th, 2000th or 8000th packet: one at the end of each epoch, as equation 4 has it",
        ),
        ("duration", "320 s, of which 20 s are left out"),
        (
            "sender",
            "Reno as in ns-2.35, slow start to 64 packets, an ACK for each packet",
        ),
    ],
    plan: plan_4,
    measure: measure_4,
    draw: draw_4,
};

/// Time to regain the share after a step.
pub(super) const STEP: Figure = Figure {
    id: "step",
    title: "time to regain the share after a step (our own)",
    shows: "Half of the flows on a bottleneck of 10 Mb/s stop at 50 s: how long it takes until the \
            others use 95 % of the link within one half second.",
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

const THROUGHPUT: &str = "throughput_packets_per_s";
const ROUNDS: &str = "rounds";
const WINDOW: &str = "window_at_loss_packets";
const REGAINED: &str = "regained_s";

/// One flow over a path that only loses packets.
fn lossy(
    (figure, what): (&str, String),
    protocol: &Protocol,
    variant: Variant,
    (loss, duration_s): (String, u32),
    seed: u64,
) -> String {
    let Protocol { name, alpha, beta } = protocol;
    let recovery = match variant {
        Variant::NewReno => "new-reno",
        _ => "reno",
    };
    let sender = NS2_SENDER.replace(
        "threshold = \"10000 packets\"",
        "threshold = \"64 packets\"",
    );
    let record = if figure == "equation-4" {
        "\n[record]\nevery = \"20 ms\"\n"
    } else {
        ""
    };
    format!(
        r#"# Figure "{figure}" on "The Interrelation of TCP Responsiveness and Smoothness" (Zhang and
# Tsaoussidis): {name}, {what}, seed {seed}.
name = "gaimd-{figure}"
duration = "{duration_s} s"
warmup = "20 s"
seed = {seed}

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "10 Gbps", delay = "30 ms", queue = {{ kind = "drop-tail", limit = "100000 packets" }}, loss = {loss} }}

[[flows]]
label = "gaimd"
protocol = "tcp"
recovery = "{recovery}"
controller = {{ name = "gaimd", alpha = {alpha}, beta = {beta} }}
packet_size = "1000 B"
header = "40 B"
start = {{ uniform = ["0 s", "100 ms"] }}
{sender}{record}"#
    )
}

fn plan_1(mode: Mode) -> Vec<Run> {
    let (rates, variants): (&[f64], &[Variant]) = match mode {
        Mode::Quick => (&[0.0001, 0.001, 0.01, 0.1], &[Variant::Base]),
        Mode::Full => (
            &[0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1],
            &[Variant::Base, Variant::NewReno],
        ),
    };
    let mut runs = Vec::new();
    for variant in variants {
        for protocol in &PROTOCOLS {
            for p in rates {
                runs.extend((1..=super::seeds(mode)).map(|seed| {
                    let what = format!("p = {p}");
                    let loss = format!("{{ kind = \"bernoulli\", probability = {p} }}");
                    Run {
                        key: point(protocol, "loss_rate", *p, *variant),
                        seed,
                        scenario: lossy(
                            ("equation-1", what),
                            protocol,
                            *variant,
                            (loss, 420),
                            seed,
                        ),
                        work: 420.0 * predicted(protocol, *p),
                    }
                }));
            }
        }
    }
    runs
}

/// Equation 1 on the figure's path, in packets per second.
fn predicted(protocol: &Protocol, loss_rate: f64) -> f64 {
    let path = Path {
        loss_rate,
        rtt_s: 0.06,
        timeout_s: 0.2,
        acked_per_ack: 1.0,
    };
    gaimd_throughput(&path, protocol.alpha, protocol.beta)
}

fn measure_1(outcome: &Outcome) -> Measured {
    let flow = &outcome.summary.flows[0];
    Measured::default()
        .value(THROUGHPUT, flow.throughput_bps / 8_000.0)
        .value("rtt_mean_s", flow.rtt_mean_s)
        .value("timeouts", flow.timeouts as f64)
        .value("fast_retransmits", flow.fast_retransmits as f64)
}

fn draw_1(data: &Data) -> Vec<Block> {
    let grid = Grid::new(data, "loss_rate", Variant::Base);
    let x = || Axis::log("loss rate p", "");
    let mut absolute = Chart::new(
        "gaimd-equation-1-throughput",
        "Throughput of one flow, measured and by equation 1",
        x(),
        Axis::log("throughput", "packets/s"),
    );
    let mut ratio = Chart::new(
        "gaimd-equation-1-friendliness",
        "Throughput over that of standard TCP",
        x(),
        Axis::linear("throughput / TCP's", "").fitted(),
    );
    let fine: Vec<f64> = std::iter::successors(Some(1e-4), |p| Some(p * TWENTIETH_OF_A_DECADE))
        .take(61)
        .collect();
    for (index, protocol) in PROTOCOLS.iter().enumerate() {
        absolute = absolute.with(line(&grid, index, THROUGHPUT, protocol.name.to_owned()));
        let law = |of: &dyn Fn(f64) -> f64| fine.iter().map(|p| (*p, of(*p))).collect::<Vec<_>>();
        let name = format!("{}, equation 1", protocol.name);
        let series = Series::new(name, Kind::Line, law(&|p| predicted(protocol, p)));
        absolute = absolute.with(series.colour(protocol.name).dash(Dash::Dashed));
        if index == super::STANDARD {
            continue;
        }
        let (mut points, mut intervals) = (Vec::new(), Vec::new());
        for p in grid.places() {
            if let Some(estimate) = to_standard(&grid, index, p).estimate() {
                points.push((p, estimate.mean));
                intervals.push(estimate.ends());
            }
        }
        ratio = ratio.with(Series::new(protocol.name, Kind::Line, points).interval(intervals));
        let standard = &PROTOCOLS[super::STANDARD];
        let series = Series::new(
            format!("{}, equation 1", protocol.name),
            Kind::Line,
            law(&|p| predicted(protocol, p) / predicted(standard, p)),
        );
        ratio = ratio.with(series.colour(protocol.name).dash(Dash::Dashed));
    }
    let note = "Error bars: 95 % confidence interval of the mean over the seeds.";
    vec![
        Block::Chart(absolute.note(note)),
        Block::Chart(ratio.note(
            "Equation 3 equates the timeout term of equation 1 only: where losses are rare the \
             other term is left, and the ratio is √(α (1 + β) / (3 (1 − β))).",
        )),
    ]
}

/// Throughput over that of standard TCP.
fn to_standard(grid: &Grid<'_>, protocol: usize, p: f64) -> Samples {
    let four = grid.four(p, THROUGHPUT);
    four[protocol].over(&four[super::STANDARD])
}

/// The corrected equation 1 as a prediction.
pub(super) const FITS: Claim = Claim {
    id: "equation-1-fits",
    figures: &["equation-1"],
    statement: "Equation 1 (with p inside both square roots) gives the throughput of TCP(α, β).",
    paper: Quantity::Number(1.0),
    unit: "",
    rule: "At each loss rate and for each protocol the measured throughput over that of equation 1 \
           must be within 0.8 and 1.25 (the mean). At every place: reproduced. At half of them or \
           more: partly. Ours is the ratio farthest from 1.",
    judge: |evidence| {
        let judged = with_variants(evidence.figure("equation-1"), "loss_rate", "", |grid| {
            let (mut places, mut all) = (Vec::new(), Vec::new());
            for (index, protocol) in PROTOCOLS.iter().enumerate() {
                for p in grid.places() {
                    let law = predicted(protocol, p);
                    let measured = grid.samples(index, p, THROUGHPUT);
                    let ratio = Samples::combine(&[measured], |g| g[0] / law);
                    places.push(Place {
                        label: format!("p = {p} for {}", protocol.name),
                        answer: rules::all([
                            rules::at_most(&ratio, 1.25),
                            rules::not_below(&ratio, 0.8),
                        ]),
                        found: shown(ratio.estimate(), ""),
                    });
                    all.push(ratio);
                }
            }
            let farthest = |a: f64, b: f64| {
                let size = |ratio: f64| ratio.max(1.0 / ratio);
                if size(a) >= size(b) { a } else { b }
            };
            judged(&places, extreme(all.into_iter(), farthest))
        });
        because(judged, "")
    },
};

/// Equation 2: "the protocols will always achieve about the same throughput as the standard TCP".
pub(super) const FRIENDLY: Claim = Claim {
    id: "equation-2-friendly",
    figures: &["equation-1"],
    statement: "With α by equation 3 the protocols have the throughput of standard TCP at the same \
                loss rate (equation 2).",
    paper: Quantity::Number(1.0),
    unit: "",
    rule: "At each loss rate the throughput of each other protocol over that of standard TCP must \
           be within 0.9 and 1.1 (the mean). At every place: reproduced. At half of them or more: \
           partly. Ours is the ratio farthest from 1.",
    judge: |evidence| {
        let judged = with_variants(evidence.figure("equation-1"), "loss_rate", "", |grid| {
            let (mut places, mut all) = (Vec::new(), Vec::new());
            for p in grid.places() {
                for index in [0, 1, 3] {
                    let ratio = to_standard(grid, index, p);
                    places.push(Place {
                        label: format!("p = {p} for {}", PROTOCOLS[index].name),
                        answer: rules::all([
                            rules::at_most(&ratio, 1.1),
                            rules::not_below(&ratio, 0.9),
                        ]),
                        found: shown(ratio.estimate(), ""),
                    });
                    all.push(ratio);
                }
            }
            let farthest = |a: f64, b: f64| {
                if (a - 1.0).abs() >= (b - 1.0).abs() {
                    a
                } else {
                    b
                }
            };
            judged(&places, extreme(all.into_iter(), farthest))
        });
        let expected: Vec<String> = [0, 1, 3]
            .map(|index| {
                let beta = PROTOCOLS[index].beta;
                let ratio = low_loss_advantage(friendly_alpha(beta), beta);
                crate::claim::with_unit(ratio, "")
            })
            .into();
        let why = format!(
            "Equation 3 equates the timeout term of equation 1 only; with the other term alone, \
             where losses are rare, the ratios are √(α (1 + β) / (3 (1 − β))) = {}.",
            expected.join(" / ")
        );
        because(judged, &why)
    },
};

fn plan_4(mode: Mode) -> Vec<Run> {
    let mut runs = Vec::new();
    for protocol in &PROTOCOLS {
        for packets in [500_u32, 2_000, 8_000] {
            runs.extend((1..=super::seeds(mode)).map(|seed| {
                let what = format!("a loss every {packets} packets");
                let loss = format!("{{ kind = \"every\", packets = {packets} }}");
                Run {
                    key: point(
                        protocol,
                        "packets_per_loss",
                        f64::from(packets),
                        Variant::Base,
                    ),
                    seed,
                    scenario: lossy(
                        ("equation-4", what),
                        protocol,
                        Variant::Base,
                        (loss, 320),
                        seed,
                    ),
                    work: 320.0 * predicted(protocol, 1.0 / f64::from(packets)),
                }
            }));
        }
    }
    runs
}

fn measure_4(outcome: &Outcome) -> Measured {
    let windows: Vec<(f64, f64)> = outcome
        .recording
        .flows
        .iter()
        .filter(|sample| sample.time_s >= outcome.summary.warmup_s)
        .filter_map(|sample| Some((sample.time_s, sample.window_packets?)))
        .collect();
    // A loss: the window falls by more than an ACK could make it.
    let losses: Vec<(f64, f64)> = windows
        .windows(2)
        .filter(|pair| pair[1].1 < 0.95 * pair[0].1)
        .map(|pair| pair[0])
        .collect();
    let (Some(first), Some(last)) = (losses.first(), losses.last()) else {
        return Measured::default();
    };
    let Some(rtt_s) = outcome.summary.flows[0].rtt_mean_s else {
        return Measured::default();
    };
    let epochs = (losses.len() - 1) as f64;
    let window = losses.iter().map(|(_, window)| window).sum::<f64>() / losses.len() as f64;
    Measured::default().value(WINDOW, window).value(
        ROUNDS,
        (epochs > 0.0).then(|| (last.0 - first.0) / epochs / rtt_s),
    )
}

/// Equation 4.
fn rounds(protocol: &Protocol, window: f64) -> f64 {
    (1.0 - protocol.beta) * window / protocol.alpha + 1.0
}

fn draw_4(data: &Data) -> Vec<Block> {
    let grid = Grid::new(data, "packets_per_loss", Variant::Base);
    let mut chart = Chart::new(
        "gaimd-equation-4-rounds",
        "Rounds in a congestion epoch, over the window at its end",
        Axis::linear("window at which the loss is found", "packets"),
        Axis::linear("rounds", ""),
    );
    for (index, protocol) in PROTOCOLS.iter().enumerate() {
        let (mut points, mut intervals, mut law) = (Vec::new(), Vec::new(), Vec::new());
        for packets in grid.places() {
            let window = grid.samples(index, packets, WINDOW).estimate();
            let counted = grid.samples(index, packets, ROUNDS).estimate();
            if let (Some(window), Some(counted)) = (window, counted) {
                points.push((window.mean, counted.mean));
                intervals.push(counted.ends());
                law.push((window.mean, rounds(protocol, window.mean)));
            }
        }
        chart = chart.with(Series::new(protocol.name, Kind::Points, points).interval(intervals));
        let name = format!("{}, equation 4", protocol.name);
        let series = Series::new(name, Kind::Line, law);
        chart = chart.with(series.colour(protocol.name).dash(Dash::Dashed));
    }
    vec![Block::Chart(chart)]
}

/// Equation 4, on which observation 1 rests.
pub(super) const EPOCH: Claim = Claim {
    id: "equation-4-rounds",
    figures: &["equation-4"],
    statement: "A congestion epoch lasts n = (1 − β) W / α + 1 round trips: a small α takes several \
                to pay back the credit of a high β (observation 1).",
    paper: Quantity::Number(1.0),
    unit: "",
    rule: "For each protocol and window the rounds counted over those of equation 4 must be within \
           0.9 and 1.1 (the mean). At every place: reproduced. At half of them or more: partly. \
           Ours is the ratio farthest from 1.",
    judge: |evidence| {
        let judged = with_variants(
            evidence.figure("equation-4"),
            "packets_per_loss",
            "",
            |grid| {
                let (mut places, mut all) = (Vec::new(), Vec::new());
                for (index, protocol) in PROTOCOLS.iter().enumerate() {
                    for packets in grid.places() {
                        let pair = [ROUNDS, WINDOW].map(|name| grid.samples(index, packets, name));
                        let ratio = Samples::combine(&pair, |g| g[0] / rounds(protocol, g[1]));
                        places.push(Place {
                            label: format!("{} with a loss every {packets}", protocol.name),
                            answer: rules::all([
                                rules::at_most(&ratio, 1.1),
                                rules::not_below(&ratio, 0.9),
                            ]),
                            found: format!(
                                "{} rounds, W = {}",
                                shown(pair[0].estimate(), ""),
                                shown(pair[1].estimate(), "packets")
                            ),
                        });
                        all.push(ratio);
                    }
                }
                let farthest = |a: f64, b: f64| {
                    if (a - 1.0).abs() >= (b - 1.0).abs() {
                        a
                    } else {
                        b
                    }
                };
                judged(&places, extreme(all.into_iter(), farthest))
            },
        );
        because(judged, "")
    },
};

fn plan_step(mode: Mode) -> Vec<Run> {
    let mut runs = Vec::new();
    let seeds = match mode {
        Mode::Quick => 5,
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

/// From the step to the end of the first half second in which 95 % of the link is used; to the end
/// of the run if there is none.
fn regained(goodput: &[(f64, f64)]) -> Option<f64> {
    let after = || goodput.iter().filter(|(at, _)| *at > f64::from(STEP_AT_S));
    // What the others had on the way when they stopped is still delivered in the first one.
    let found = after()
        .skip(1)
        .find(|(_, mbps)| *mbps >= 0.95 * 10.0 * PAYLOAD_SHARE);
    let end = found.or_else(|| after().last());
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
            why: "",
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

/// 10^(1/20).
const TWENTIETH_OF_A_DECADE: f64 = 1.122_018_454_301_963;
/// When half of the flows stop.
const STEP_AT_S: u32 = 50;

#[cfg(test)]
mod tests {
    use super::*;

    /// β W / …: 0.5 × 64 / 1 + 1 = 33 (the paper's 3.2 s are 32 round trips of 100 ms);
    /// 0.125 × 62 / 0.31 + 1 = 26; 0.75 × 50 / 1.25 + 1 = 31.
    #[test]
    fn rounds_of_worked_examples() {
        assert_eq!(rounds(&PROTOCOLS[2], 64.0), 33.0);
        assert!((rounds(&PROTOCOLS[0], 62.0) - 26.0).abs() < 1e-12);
        assert_eq!(rounds(&PROTOCOLS[3], 50.0), 31.0);
    }

    /// 95 % of 9.6 Mb/s are 9.12. The half second that ends at 50.5 s is left out.
    #[test]
    fn the_share_is_regained_when_95_per_cent_are_used() {
        let goodput = [(50.0, 9.6), (50.5, 9.5), (51.0, 9.1), (51.5, 9.2)];
        assert_eq!(regained(&goodput), Some(1.5));
        assert_eq!(regained(&goodput[..3]), Some(1.0));
    }

    /// p = 0.01, T0 = 0.2: 0.06 × 0.0816497 + 0.2 × 0.1837117 × 0.01 × 1.0032 = 0.00526757; its
    /// inverse is 189.841.
    #[test]
    fn equation_1_on_the_figures_path() {
        assert!((predicted(&PROTOCOLS[2], 0.01) - 189.841).abs() < 0.05);
    }
}
