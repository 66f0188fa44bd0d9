//! The paper's first announced step: paths with more than two states, as a semi-Markov process
//! (§II and §V).
//!
//! n round trips from 0.1 to 0.3 s in equal steps. The path stays in each as in Figure 5 and goes
//! on to any of the others with the same probability ("any"), or to a neighbour ("neighbours"), so
//! that the same range is crossed in smaller jumps.

use results::page::{Along, Axis, Block, Chart, Kind, Series};

use super::goodput::{BASE, PACKET_S, goodput_axis, series};
use super::ideal::{ideal_goodput, visits};
use super::setting::{
    GENIE, OLD_TAHOE, RENO, SEEDS_FULL, SEEDS_QUICK, Sender, Setting, measure, state,
};
use crate::data::Data;
use crate::paper::{Figure, Key, Mode, Run};

pub(super) const FIGURE: Figure = Figure {
    id: "states",
    title: "paths with more states",
    shows: "The paper's announced generalisation, a semi-Markov path with two, three and five states \
            between the same round trips: goodput over h.",
    parameters: PARAMETERS,
    plan,
    measure,
    draw,
};

/// A path of the figure.
#[derive(Clone, Copy, Debug)]
struct Path {
    name: &'static str,
    states: usize,
    /// Whether a state is followed by its neighbours only.
    neighbours: bool,
}

const PATHS: [Path; 4] = [
    Path {
        name: "2 states",
        states: 2,
        neighbours: false,
    },
    Path {
        name: "3 states, any",
        states: 3,
        neighbours: false,
    },
    Path {
        name: "5 states, any",
        states: 5,
        neighbours: false,
    },
    Path {
        name: "5 states, neighbours",
        states: 5,
        neighbours: true,
    },
];

impl Path {
    fn round_trips(&self) -> Vec<f64> {
        let step = 0.2 / (self.states - 1) as f64;
        (0..self.states)
            .map(|state| 0.1 + step * state as f64)
            .collect()
    }

    fn transitions(&self) -> Vec<Vec<f64>> {
        let row = |from: usize| {
            let follows = |to: usize| to != from && (!self.neighbours || to.abs_diff(from) == 1);
            let count = (0..self.states).filter(|to| follows(*to)).count() as f64;
            let probability = |to: usize| if follows(to) { 1.0 / count } else { 0.0 };
            (0..self.states).map(probability).collect()
        };
        (0..self.states).map(row).collect()
    }

    fn delay(&self, h: f64) -> String {
        let states = self.round_trips().into_iter();
        let states: Vec<String> = states.map(|t| state(t, PACKET_S, h)).collect();
        let rows: Vec<String> = self
            .transitions()
            .iter()
            .map(|row| format!("{row:?}"))
            .collect();
        format!(
            "{{ kind = \"alternating\", states = [{}], transitions = [{}] }}",
            states.join(", "),
            rows.join(", ")
        )
    }

    /// `R_I`: a state is held for (1 + h) T each time, so that its share is its visits times T.
    fn ideal(&self) -> f64 {
        let visits = visits(&self.transitions());
        let states: Vec<(f64, f64)> = self
            .round_trips()
            .into_iter()
            .zip(visits)
            .map(|(round_trip, visits)| (round_trip, visits * round_trip))
            .collect();
        ideal_goodput(f64::from(super::goodput::WINDOW), 1.0 / PACKET_S, &states)
    }
}

fn key(path: &Path, sender: &Sender, h: f64) -> Key {
    Key::new()
        .with("path", path.name)
        .with("sender", sender.name)
        .with("h", h)
}

fn plan(mode: Mode) -> Vec<Run> {
    let (all_h, seeds): (&[f64], u64) = match mode {
        Mode::Quick => (&[0.1, 10.0], SEEDS_QUICK),
        Mode::Full => (&[0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0], SEEDS_FULL),
    };
    let mut runs = Vec::new();
    for path in &PATHS {
        for h in all_h {
            for sender in &[GENIE, OLD_TAHOE, RENO] {
                let setting = Setting {
                    figure: "states",
                    what: &format!("{}, {}, h = {h}", path.name, sender.name),
                    delay: &path.delay(*h),
                    sender,
                    ..BASE
                };
                runs.extend(setting.runs(&key(path, sender, *h), seeds));
            }
        }
    }
    runs
}

fn draw(data: &Data) -> Vec<Block> {
    let chart = |path: &Path| {
        let slug: String = path.name.split([' ', ',']).collect();
        let mut chart = Chart::new(
            format!("abrupt-delay-states-{slug}"),
            format!("Goodput over h: {}", path.name),
            Axis::log("holding time factor h", ""),
            goodput_axis(),
        )
        .line(Along::Y, path.ideal(), "R_I");
        for sender in [GENIE, OLD_TAHOE, RENO] {
            let points = data.numbers("h").into_iter();
            let points = points.map(|h| (h, key(path, &sender, h))).collect();
            chart = chart.with(series(data, sender.name.to_owned(), points));
        }
        chart
    };
    // Reno on all paths in one chart.
    let mut together = Chart::new(
        "abrupt-delay-states",
        "Reno on all of them, as a share of R_I",
        Axis::log("holding time factor h", ""),
        Axis::linear("goodput", "% of R_I"),
    );
    for path in &PATHS {
        let ideal = path.ideal();
        let points = data.numbers("h").into_iter();
        let points = points.map(|h| (h, key(path, &RENO, h))).collect();
        let found = series(data, path.name.to_owned(), points);
        let percent = |value: f64| 100.0 * value / ideal;
        let line = found
            .points
            .iter()
            .map(|(h, y)| (*h, percent(*y)))
            .collect();
        let ends = found.interval.unwrap_or_default();
        let ends = ends
            .into_iter()
            .map(|(low, high)| (percent(low), percent(high)));
        together = together.with(Series::new(path.name, Kind::Line, line).interval(ends.collect()));
    }
    vec![
        Block::Chart(together),
        Block::Grid(PATHS.iter().map(|path| Block::Chart(chart(path))).collect()),
    ]
}

const PARAMETERS: &[(&str, &str)] = &[
    (
        "states",
        "round trips from 0.1 to 0.3 s in equal steps, a packet's time on the link included",
    ),
    ("time in a state", "T and an exponential time of mean h T"),
    (
        "next state",
        "any other with equal probability, or a neighbour",
    ),
    ("link", "1 Mb/s, w = 12 packets, no losses"),
    ("sender", "as in Figure 5, D = 3"),
    ("duration", "1000 s; ten seeds (three in the quick form)"),
];

#[cfg(test)]
mod tests {
    use super::super::goodput::IDEAL;
    use super::*;

    /// Two states: 60 as in equation 3. Three states with equal visits, T = 0.1, 0.2, 0.3: each brings
    /// 12 packets per T it lasts, 3 × 12 / 0.6 = 60 again. Five neighbours: visits 1, 2, 2, 2, 1 of 8:
    /// 8 × 12 / (0.1 + 2 × (0.15 + 0.2 + 0.25) + 0.3) = 96 / 1.6 = 60.
    #[test]
    fn the_ideal_is_the_same_on_all_paths() {
        for path in &PATHS {
            assert!((path.ideal() - IDEAL).abs() < 1e-6, "{path:?}");
        }
    }
}
