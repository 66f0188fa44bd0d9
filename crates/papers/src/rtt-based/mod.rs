//! Chen, Chen and Lee, An end-to-end flow control approach based on round trip time.
//!
//! Here: Figure 1 and the analysis of §2.4, by formulas; Figures 2, 4 and 5, one connection that
//! meets 20 Mb/s of UDP; Figures 3 and 6 to 10 and Table 1, five connections in a parking lot; and of
//! our own the choice of K in a run, handovers, Reno as a neighbour, and a route that becomes longer.
//!
//! The drawings of both networks are lost in the text that is left. The settings are inferred from its
//! numbers, and Figures 2 and 3 show what other settings give.

mod beyond;
mod claims;
mod formulas;
mod lot;
mod simple;

use results::page::{Cell, Column, Table};

use crate::data::{Data, Point};
use crate::paper::{Coordinate, Mode, Paper};

/// The paper.
pub const PAPER: Paper = Paper {
    name: "rtt-based",
    title: "An end-to-end flow control approach based on round trip time",
    authors: "Jin-Ru Chen, Yaw-Chung Chen and Chun-Liang Lee",
    summary: "RTT-based TCP measures with one monitor packet each round trip how many of its packets wait \
              in queues. Below α of them its window grows by 1, 2, 4, … packets each round trip, whatever \
              it was; beyond α a quarter of what is too much is taken away. The paper compares it with \
              TCP Vegas. Its curves and its networks are lost in the text that is left. The \
              networks here and α were searched for agreement with the words on its figures: what is \
              reproduced of Figures 3 to 10 shows that such a network exists, and is no test of another. \
              The scan may have turned brackets and signs; run as recovered, the pseudo-code never \
              shrinks the window (Figures 4 and 5).",
    protocols: &[RTT_BASED.name, VEGAS.name, LITERAL.name, RENO.name],
    figures: &[
        formulas::FIGURE_1,
        formulas::SECTION_2_4,
        simple::FIGURE_2,
        lot::FIGURE_3,
        simple::FIGURE_4,
        simple::FIGURE_5,
        lot::FIGURE_6,
        lot::FIGURE_7,
        lot::FIGURE_8,
        lot::FIGURE_9,
        lot::FIGURE_10,
        lot::TABLE_1,
        simple::K,
        beyond::HANDOVER,
        beyond::RENO_BESIDE,
        beyond::ROUTE,
    ],
    claims: claims::CLAIMS,
    own: &["4-pseudo-code"],
    choices: &[],
    found: &[],
    searched_seeds: 0,
};

/// A sender.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Protocol {
    name: &'static str,
    /// As in a scenario file.
    controller: &'static str,
    recovery: &'static str,
}

const RTT_BASED: Protocol = Protocol {
    name: "RTT-based TCP",
    controller: r#"{ name = "rtt-based", alpha = 3 }"#,
    recovery: "new-reno",
};
const LITERAL: Protocol = Protocol {
    name: "RTT-based TCP, as printed",
    controller: r#"{ name = "rtt-based", alpha = 3, reading = "literal" }"#,
    recovery: "new-reno",
};
const VEGAS: Protocol = Protocol {
    name: "TCP Vegas",
    controller: r#"{ name = "vegas", alpha = 1, beta = 3, gamma = 1 }"#,
    recovery: "vegas",
};
const RENO: Protocol = Protocol {
    name: "Reno",
    controller: r#""reno""#,
    recovery: "new-reno",
};

/// Runs of each point. They differ in when the connections start.
fn seeds(mode: Mode) -> u64 {
    match mode {
        Mode::Quick => 3,
        Mode::Full => 10,
    }
}

/// A numeric column for a value of the figure's runs: its name, a heading and a unit.
type Shown = (&'static str, &'static str, &'static str);

/// Means and intervals of `values` for each point, after a column for each axis.
fn table(caption: &str, data: &Data, values: &[Shown]) -> Table {
    let axes = data
        .points
        .first()
        .into_iter()
        .flat_map(|point| point.key.iter());
    let mut columns: Vec<Column> = axes
        .map(|(axis, _)| match axis.split_once('_') {
            Some((name, "mbps")) => Column::number(name, "Mb/s"),
            Some((name, unit)) => Column::number(name, unit),
            None => Column::text(axis),
        })
        .collect();
    columns.extend(
        values
            .iter()
            .map(|(_, name, unit)| Column::number(*name, *unit).digits(3)),
    );
    let mut table = Table::new(caption, columns);
    for point in &data.points {
        let mut row: Vec<Cell> = point
            .key
            .iter()
            .map(|(_, place)| match place {
                Coordinate::Word(word) => Cell::from(word.as_str()),
                Coordinate::Number(number) => Cell::from(*number),
            })
            .collect();
        row.extend(values.iter().map(|(value, ..)| point.samples(value).cell()));
        table.rows.push(row);
    }
    table
}

/// A series of the first run of a point.
fn first_curve(point: &Point, name: &str) -> Vec<(f64, f64)> {
    let run = point.runs.first();
    run.and_then(|(_, measured)| measured.curves.get(name))
        .cloned()
        .unwrap_or_default()
}

/// Every `step`-th point.
fn thinned(points: &[(f64, f64)], step: usize) -> Vec<(f64, f64)> {
    points.iter().copied().step_by(step).collect()
}

/// The first time from `from` on at which it holds.
fn first_time(points: &[(f64, f64)], from: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    let found = points
        .iter()
        .find(|(time, value)| *time >= from && holds(*value));
    found.map(|(time, _)| time - from)
}

/// The values within a stretch of time.
fn within(points: &[(f64, f64)], from: f64, to: f64) -> impl Iterator<Item = f64> + '_ {
    let inside = move |(time, _): &&(f64, f64)| (from..to).contains(time);
    points.iter().filter(inside).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_and_first_times_of_a_series() {
        let points = [(0.0, 1.0), (0.5, 4.0), (1.0, 9.0), (1.5, 2.0)];
        assert_eq!(first_time(&points, 0.5, |value| value > 5.0), Some(0.5));
        assert_eq!(first_time(&points, 0.5, |value| value > 50.0), None);
        assert_eq!(within(&points, 0.5, 1.5).collect::<Vec<_>>(), [4.0, 9.0]);
        assert_eq!(thinned(&points, 2), [(0.0, 1.0), (1.0, 9.0)]);
    }
}
