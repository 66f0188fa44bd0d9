//! Figures of our own on the paper's network: fairness over 10,000 s, and CE marks in place of
//! source quenches.

use experiments::simulation::Outcome;
use results::page::{Axis, Block, Cell, Chart, Column, Kind, Series, Table};

use super::figures::{reading, slug};
use super::measure::{RTT, WINDOW, measure, of_connection};
use super::setting::{
    CONNECTIONS, READINGS, SLOW_START_S, SLOW_STARTS, Sender, Setting, Smooth, runs, smooths,
};
use crate::data::{Data, Measured};
use crate::paper::Figure;

/// Fairness over a long time.
pub(super) const FAIRNESS: Figure = Figure {
    id: "fairness",
    title: "fairness over 10,000 s (not in the paper)",
    shows: "Jain's index over the goodputs of the two connections from 200 s to the end, for each κ, \
            from many start times. A window moves by about κ packets in a round trip, some two packets \
            in 600 s with κ = 0.005: the paper's runs are too short to show whether shares become \
            equal.",
    parameters: &[
        ("network", "the paper's, without forced losses"),
        ("duration", "10,000 s, the first 200 s not counted"),
        ("start", "each connection at random within the first 4 s"),
    ],
    plan: |mode| {
        let long = |sender| Setting {
            duration_s: LONG_S,
            ..Setting::of(sender, false)
        };
        let settings: Vec<_> = smooths(mode, &[0.005, 0.001, 0.010])
            .into_iter()
            .filter(|smooth| smooth.slow_start == SLOW_STARTS[0] && smooth.reading != READINGS[2])
            .map(|smooth| long(Sender::Smooth(smooth)))
            .collect();
        runs(&settings, mode)
    },
    measure: |outcome: &Outcome| Measured::default().value("jain_after", outcome.summary.jain),
    draw: |data| {
        let mut kappas = data.numbers("kappa");
        kappas.sort_by(f64::total_cmp);
        let mut chart = Chart::new(
            "smoothtcp-fairness-jain",
            "Fairness after 10,000 s",
            Axis::linear("κ", "packets").range(0.0, 0.012),
            Axis::linear("Jain's index", "").range(0.5, 1.0),
        );
        for variation in data.variations() {
            let of_variation = data.variation(variation);
            let (mut points, mut intervals) = (Vec::new(), Vec::new());
            for kappa in &kappas {
                let key = Smooth::in_base(*kappa).key();
                if let Some(jain) = of_variation.samples(&key, "jain_after").estimate() {
                    points.push((*kappa, jain.mean));
                    intervals.push(jain.ends());
                }
            }
            let label = reading(variation);
            chart = chart.with(Series::new(label, Kind::Line, points).interval(intervals));
        }
        vec![Block::Chart(chart.note(
            "Error bars: 95 % confidence interval of the mean over the seeds.",
        ))]
    },
};

/// The paper's Figure 6 with marks.
pub(super) const MARKS: Figure = Figure {
    id: "marks",
    title: "SmoothTCP on CE marks (not in the paper)",
    shows: "As Figure 6, with a CE mark where the paper sends a source quench, which RFC 6633 \
            deprecates. The receiver echoes each mark once (as DCTCP's does); the sender hears of it a \
            round trip later than of a source quench.",
    parameters: &[
        ("network", "the paper's, without forced losses"),
        ("marks", "for each packet that finds 7 or more waiting"),
        (
            "echo",
            "each ACK says whether what it answers was marked (RFC 8257 §3.2)",
        ),
        ("SmoothTCP", "control metric e with the coefficients of q"),
    ],
    plan: |mode| {
        let marked = |smooth| Setting::of(Sender::Marked(smooth), false);
        let kappas: &[f64] = &[0.005, 0.001, 0.010];
        let settings: Vec<_> = smooths(mode, kappas)
            .into_iter()
            .filter(|smooth| smooth.slow_start == SLOW_STARTS[0] && smooth.reading != READINGS[2])
            .map(marked)
            .collect();
        runs(&settings, mode)
    },
    measure,
    draw: draw_marks,
};

fn draw_marks(data: &Data) -> Vec<Block> {
    let mut blocks = Vec::new();
    for variation in data.variations() {
        let of_variation = data.variation(variation);
        let Some(point) = of_variation.point(&Smooth::in_base(0.005).key()) else {
            continue;
        };
        let group = format!("smoothtcp-marks-{}", slug(variation));
        let reading = reading(variation);
        for (part, name, title, axis) in [
            ("rtt", RTT, "Round trip", Axis::linear("round trip", "s")),
            (
                "window",
                WINDOW,
                "Congestion window",
                Axis::linear("window", "packets"),
            ),
        ] {
            let mut chart = Chart::new(
                format!("{group}-{part}"),
                format!("{title}, {reading}, κ = 0.005"),
                Axis::linear("time", "s").range(0.0, 600.0),
                axis,
            )
            .group(&*group);
            for (connection, label) in CONNECTIONS.iter().enumerate() {
                let curves = point.runs.first().map(|(_, run)| &run.curves);
                let curve = curves.and_then(|curves| curves.get(&of_connection(name, connection)));
                let points = curve.cloned().unwrap_or_default();
                chart = chart.with(Series::new(*label, Kind::Line, points));
            }
            blocks.push(Block::Chart(chart));
        }
    }
    let values = [
        ("rtt_mean_s", "round trip", "s"),
        ("rtt_sd_s", "its sd", "s"),
        ("queue_mean_packets", "mean queue", "packets"),
        ("drops_in_slow_start", "drops before 200 s", "packets"),
        ("drops_after", "drops after", "packets"),
        ("jain", "Jain's index", ""),
    ];
    let mut columns = vec![Column::text("reading"), Column::text("κ")];
    columns.extend(values.map(|(_, label, unit)| Column::number(label, unit)));
    let mut table = Table::new(
        format!("Means over the seeds after {SLOW_START_S} s, with 95 % intervals."),
        columns,
    );
    for point in &data.points {
        let mut row: Vec<Cell> = vec![
            reading(point.key.variation()).into(),
            point
                .key
                .number("kappa")
                .unwrap_or_default()
                .to_string()
                .into(),
        ];
        row.extend(values.map(|(name, _, _)| point.samples(name).cell()));
        table.rows.push(row);
    }
    blocks.push(Block::Table(table));
    blocks
}

/// 4000 round trips of 2.5 s.
const LONG_S: u32 = 10_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::{Mode, Run};

    /// Two readings × three κ × ten or thirty seeds, of which quick has three.
    #[test]
    fn both_figures_have_each_reading_and_kappa() {
        for (figure, full) in [(FAIRNESS, 60), (MARKS, 180)] {
            let count = |mode| (figure.plan)(mode).len();
            assert_eq!((count(Mode::Full), count(Mode::Quick)), (full, 18));
        }
        let run: &Run = &(FAIRNESS.plan)(Mode::Quick)[0];
        assert!(run.scenario.contains("duration = \"10000 s\""));
    }
}
