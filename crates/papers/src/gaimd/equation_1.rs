//! A figure of our own: measured throughput against equation 1 (§2).

use controllers::equation::{Path, friendly_alpha, gaimd_throughput, low_loss_advantage};
use experiments::simulation::Outcome;
use results::page::{Axis, Block, Chart, Dash, Kind, Series};

use super::grid::{Grid, extreme, farther_from_one};
use super::lossy_path::lossy;
use super::wireless::line;
use super::{IN_BASE, NEW_RENO, PROTOCOLS, Protocol, STANDARD, TAHOE, Variation, point};
use crate::claim::{Claim, Quantity, with_unit};
use crate::data::{Data, Measured, Samples};
use crate::paper::{Figure, Mode, Run};
use crate::rules::{Place, judged, shown, within};

/// Measured throughput against equation 1.
pub(super) const FIGURE: Figure = Figure {
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

const THROUGHPUT: &str = "throughput_packets_per_s";

fn plan_1(mode: Mode) -> Vec<Run> {
    let (rates, variations): (&[f64], &[Variation]) = match mode {
        Mode::Quick => (&[0.0001, 0.001, 0.01, 0.1], &[IN_BASE]),
        Mode::Full => (
            &[0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1],
            &[IN_BASE, NEW_RENO, TAHOE],
        ),
    };
    let mut runs = Vec::new();
    for variation in variations {
        for protocol in &PROTOCOLS {
            for p in rates {
                runs.extend(super::seeds(mode).map(|seed| {
                    let what = format!("p = {p}");
                    let loss = format!("{{ kind = \"bernoulli\", probability = {p} }}");
                    Run {
                        key: point(protocol, "loss_rate", *p, *variation),
                        seed,
                        scenario: lossy(
                            ("equation-1", what),
                            protocol,
                            *variation,
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
pub(super) fn predicted(protocol: &Protocol, loss_rate: f64) -> f64 {
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
    let grid = Grid::new(data, "loss_rate");
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
        if index == STANDARD {
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
        let standard = &PROTOCOLS[STANDARD];
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
    four[protocol].over(&four[STANDARD])
}

/// The corrected equation 1 as a prediction.
pub(super) const FITS: Claim = Claim {
    id: "equation-1-fits",
    figures: &["equation-1"],
    statement: "Equation 1 (with p inside both square roots) gives the throughput of TCP(α, β).",
    paper: Quantity::Number(1.0),
    unit: "",
    rule: "At each loss rate and for each protocol the measured throughput over that of equation 1 \
           must be within 0.8 and 1.25, the whole 95 % interval. At every place: reproduced. At half of them or \
           more: partly. Ours is the ratio farthest from 1.",
    judge: |evidence| {
        let grid = &Grid::new(evidence.figure("equation-1"), "loss_rate");
        let (mut places, mut all) = (Vec::new(), Vec::new());
        for (index, protocol) in PROTOCOLS.iter().enumerate() {
            for p in grid.places() {
                let law = predicted(protocol, p);
                let measured = grid.samples(index, p, THROUGHPUT);
                let ratio = Samples::combine(&[measured], |g| g[0] / law);
                places.push(Place {
                    label: format!("p = {p} for {}", protocol.name),
                    answer: within(&ratio, 0.8, 1.25),
                    found: shown(ratio.estimate(), ""),
                });
                all.push(ratio);
            }
        }
        judged(&places, extreme(all.into_iter(), farther_from_one))
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
           be within 0.9 and 1.1, the whole 95 % interval. At every place: reproduced. At half of them or more: \
           partly. Ours is the ratio farthest from 1.",
    judge: |evidence| {
        let grid = &Grid::new(evidence.figure("equation-1"), "loss_rate");
        let (mut places, mut all) = (Vec::new(), Vec::new());
        for p in grid.places() {
            for index in [0, 1, 3] {
                let ratio = to_standard(grid, index, p);
                places.push(Place {
                    label: format!("p = {p} for {}", PROTOCOLS[index].name),
                    answer: within(&ratio, 0.9, 1.1),
                    found: shown(ratio.estimate(), ""),
                });
                all.push(ratio);
            }
        }
        let mut judged = judged(&places, extreme(all.into_iter(), farther_from_one));
        judged.reason += &low_loss(grid);
        judged
    },
};

/// What is found where losses are rarest, beside what the other term of equation 1 alone gives:
/// equation 3 equates the timeout term.
fn low_loss(grid: &Grid<'_>) -> String {
    let Some(p) = grid.places().into_iter().reduce(f64::min) else {
        return String::new();
    };
    let told = [0, 1, 3].map(|index| {
        let beta = PROTOCOLS[index].beta;
        let expected = low_loss_advantage(friendly_alpha(beta), beta);
        let found = shown(to_standard(grid, index, p).estimate(), "");
        format!("{found} against {}", with_unit(expected, ""))
    });
    format!(
        " At p = {p}, where equation 1 without its timeout term gives √(α (1 + β) / (3 (1 − β))): {}.",
        told.join("; ")
    )
}

/// 10^(1/20).
const TWENTIETH_OF_A_DECADE: f64 = 1.122_018_454_301_963;

#[cfg(test)]
mod tests {
    use super::*;

    /// p = 0.01, T0 = 0.2: 0.06 × 0.0816497 + 0.2 × 0.1837117 × 0.01 × 1.0032 = 0.00526757; its
    /// inverse is 189.841.
    #[test]
    fn equation_1_on_the_figures_path() {
        assert!((predicted(&PROTOCOLS[2], 0.01) - 189.841).abs() < 0.05);
    }
}
