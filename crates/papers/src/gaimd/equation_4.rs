//! A figure of our own: round trips in a congestion epoch against equation 4 (§2, §3).

use experiments::simulation::Outcome;
use results::page::{Axis, Block, Chart, Dash, Kind, Series};

use super::equation_1::predicted;
use super::grid::Grid;
use super::lossy_path::lossy;
use super::{IN_BASE, PROTOCOLS, Protocol, point};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Mode, Run};

/// Congestion epochs against equation 4.
pub(super) const FIGURE: Figure = Figure {
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

const ROUNDS: &str = "rounds";
const WINDOW: &str = "window_at_loss_packets";

fn plan_4(mode: Mode) -> Vec<Run> {
    let mut runs = Vec::new();
    for protocol in &PROTOCOLS {
        for packets in [500_u32, 2_000, 8_000] {
            runs.extend(super::seeds(mode).map(|seed| {
                let what = format!("a loss every {packets} packets");
                let loss = format!("{{ kind = \"every\", packets = {packets} }}");
                Run {
                    key: point(protocol, "packets_per_loss", f64::from(packets), IN_BASE),
                    seed,
                    scenario: lossy(("equation-4", what), protocol, IN_BASE, (loss, 320), seed),
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
    let grid = Grid::new(data, "packets_per_loss");
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
}
