//! Figures 6.2 to 6.6 and the patterns of C.1.2: one TFWC flow over a fast path that loses packets
//! by a pattern. Its average loss interval is known exactly.

use experiments::metrics::Moments;
use experiments::simulation::Outcome;
use netsim::random::Stream;
use results::page::{Axis, Block, Cell, Chart, Column, Kind, Series, Table};

use super::setting::{Access, Flows, Media, Network, Queue, Reverse, record};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Run};

/// Figures 6.2 to 6.6 and C.1.2.
pub(super) const PATTERNS_6: Figure = Figure {
    id: "6.2-6.6",
    title: "average loss interval and window of one TFWC flow, by pattern of losses",
    shows: "The loss interval that the sender averages, and its window, while packets are lost one \
            in 100, 50, 20 and 10, two in a row, every second one, at random, and by the patterns of \
            C.1.2; and the growth of the window once losses end.",
    parameters: &[
        (
            "path",
            "100 Mb/s, 2 ms; access 2000 Mb/s, 0.5 ms each side: a round trip of 6 ms",
        ),
        (
            "duration",
            "20 s, sampled each 10 ms from 4 s on (report: 500 s)",
        ),
        ("losses", "on the bottleneck, by number of the packet"),
        (
            "growth",
            "losses one in 100 up to packet 2000, none from there on",
        ),
    ],
    plan,
    measure,
    draw,
};

/// A pattern of losses, and what follows from it.
pub(super) struct Pattern {
    pub(super) name: &'static str,
    losses: Losses,
    /// The average loss interval that follows, where it is constant; of random ones, its mean.
    pub(super) interval: f64,
    /// The whole window that follows, if the flow has one.
    pub(super) window: Option<f64>,
    /// What the report gives for the average loss interval.
    pub(super) report: f64,
}

enum Losses {
    /// Each so many.
    Every(u32),
    /// These of each so many, from 1.
    Block(u32, &'static [u32]),
    /// One of each so many, drawn.
    Drawn(u32),
    Bernoulli(&'static str),
}

pub(super) const PATTERNS: [Pattern; 12] = [
    pattern("1 in 100", Losses::Every(100), 100.0, Some(11.0), 100.0),
    pattern("1 in 50", Losses::Every(50), 50.0, Some(7.0), 50.0),
    pattern("1 in 20", Losses::Every(20), 20.0, Some(4.0), 20.0),
    pattern("1 in 10", Losses::Every(10), 10.0, Some(2.0), 10.0),
    pattern(
        "2 in a row of 100",
        Losses::Block(100, &[99, 100]),
        100.0,
        Some(11.0),
        100.0,
    ),
    pattern("every second (OX)", Losses::Every(2), 2.0, None, 2.0),
    pattern(
        "1 drawn of each 100",
        Losses::Drawn(100),
        100.0,
        Some(11.0),
        100.0,
    ),
    pattern(
        "1 drawn of each 20",
        Losses::Drawn(20),
        20.0,
        Some(4.0),
        20.0,
    ),
    pattern(
        "1 drawn of each 10",
        Losses::Drawn(10),
        10.0,
        Some(2.0),
        10.0,
    ),
    pattern(
        "each with 1 %",
        Losses::Bernoulli("0.01"),
        100.0,
        Some(11.0),
        100.0,
    ),
    pattern(
        "OXOXO…O of 100 (C.1.2)",
        Losses::Block(100, &[2, 4]),
        100.0,
        Some(11.0),
        50.0,
    ),
    pattern(
        "XO…OX of 100 (C.1.2)",
        Losses::Block(100, &[1, 100]),
        100.0,
        Some(11.0),
        50.0,
    ),
];

const fn pattern(
    name: &'static str,
    losses: Losses,
    interval: f64,
    window: Option<f64>,
    report: f64,
) -> Pattern {
    Pattern {
        name,
        losses,
        interval,
        window,
        report,
    }
}

pub(super) const GROWTH: &str = "growth";
pub(super) const MEAN: &str = "average_loss_interval";
pub(super) const LEAST: &str = "least_average_loss_interval";
pub(super) const GREATEST: &str = "greatest_average_loss_interval";
pub(super) const WINDOW: &str = "window_packets";
pub(super) const SLOPE: &str = "growth_packets_per_rtt";
const CURVE: &str = "average_loss_interval_curve";
const WINDOWS: &str = "window_curve";

const DURATION_S: u32 = 20;
/// Patterns are listed up to here; no flow sends more.
const MOST_PACKETS: u64 = 100_000;
/// From here on nothing is lost, where growth is measured.
const LAST_LOSS: u64 = 2_000;

pub(super) fn key(name: &str) -> Key {
    Key::new().with("pattern", name)
}

fn list(numbers: impl Iterator<Item = u64>) -> String {
    let numbers: Vec<_> = numbers.map(|number| number.to_string()).collect();
    format!("{{ kind = \"list\", packets = [{}] }}", numbers.join(", "))
}

impl Losses {
    fn toml(&self, seed: u64) -> String {
        match self {
            Self::Every(packets) => format!("{{ kind = \"every\", packets = {packets} }}"),
            Self::Block(size, lost) => {
                let blocks = 0..MOST_PACKETS / u64::from(*size);
                list(blocks.flat_map(|block| {
                    lost.iter()
                        .map(move |at| block * u64::from(*size) + u64::from(*at) - 1)
                }))
            }
            Self::Drawn(size) => {
                let mut random = Stream::named(seed, "pattern");
                let blocks = 0..MOST_PACKETS / u64::from(*size);
                list(blocks.map(|block| {
                    let at = random.below(u64::from(*size));
                    block * u64::from(*size) + at
                }))
            }
            Self::Bernoulli(p) => format!("{{ kind = \"bernoulli\", probability = {p} }}"),
        }
    }
}

fn plan(mode: Mode) -> Vec<Run> {
    let seeds: u64 = match mode {
        Mode::Quick => 3,
        Mode::Full => 10,
    };
    let run = |name: &str, losses: &str, seed| Run {
        key: key(name),
        seed,
        scenario: scenario(losses, seed),
        work: 40_000.0,
    };
    let mut runs = Vec::new();
    for pattern in &PATTERNS {
        runs.extend((1..=seeds).map(|seed| run(pattern.name, &pattern.losses.toml(seed), seed)));
    }
    let fading = list((1..=LAST_LOSS / 100).map(|block| block * 100 - 1));
    runs.push(run(GROWTH, &fading, 1));
    runs
}

fn scenario(losses: &str, seed: u64) -> String {
    let network = Network {
        mbps: 100.0,
        delay_ms: 2.0,
        queue: Queue::DropTail(1_000),
        access_mbps: 2_000,
        access_ms: (0.5, 0.5),
        access: Access::Both,
        reverse: Reverse::Fifty,
        duration_s: DURATION_S,
        warmup_s: 4,
        rates: &[],
    };
    let text = network.scenario(
        "6.2",
        seed,
        &[Flows::new(Media::Tfwc, 1, (0, 0))],
        &record("10 ms"),
    );
    text.replace(
        "access = { rate = \"2000 Mbps\", delay = { uniform = [\"0.5 ms\", \"0.5 ms\"] } }",
        "access = { rate = \"2000 Mbps\", delay = \"0.5 ms\" }",
    )
    .replace(
        "start = { uniform = [\"0 s\", \"0 s\"] }",
        "start = \"0 s\"",
    )
    .replace(
        "limit = \"999 packets\" } }",
        &format!("limit = \"999 packets\" }}, loss = {losses} }}"),
    )
}

fn measure(outcome: &Outcome) -> Measured {
    let from = outcome.summary.warmup_s;
    let variable = |wanted: &str| -> Vec<(f64, f64)> {
        let variables = outcome.recording.variables.iter();
        let of_flow = variables.filter(|sample| sample.flow == Some(0) && sample.name == wanted);
        of_flow
            .map(|sample| (sample.time_s, sample.value))
            .collect()
    };
    let later = |points: &[(f64, f64)]| -> Vec<f64> {
        let points = points.iter().filter(|(at, _)| *at > from);
        points.map(|(_, value)| *value).collect()
    };
    let mean = |values: &[f64]| {
        let mut moments = Moments::default();
        for value in values {
            moments.add(*value);
        }
        moments.mean()
    };
    let intervals = variable("average_loss_interval");
    let values = later(&intervals);
    let windows: Vec<(f64, f64)> = outcome
        .recording
        .flows
        .iter()
        .filter_map(|sample| Some((sample.time_s, sample.window_packets?)))
        .collect();
    Measured::default()
        .value(MEAN, mean(&values))
        .value(LEAST, values.iter().copied().min_by(f64::total_cmp))
        .value(GREATEST, values.iter().copied().max_by(f64::total_cmp))
        .value(WINDOW, mean(&later(&windows)))
        .value(SLOPE, growth(outcome, &variable("equation_window")))
        .curve(CURVE, thinned(&intervals))
        .curve(WINDOWS, thinned(&windows))
}

/// Growth of the equation's window over the second half of the run, in packets for each round
/// trip.
fn growth(outcome: &Outcome, windows: &[(f64, f64)]) -> Option<f64> {
    let round_trip_s = outcome.summary.flows[0].rtt_mean_s?;
    let half = outcome.summary.duration_s / 2.0;
    let mut later = windows.iter().filter(|(at, _)| *at >= half);
    let (from, to) = (later.next()?, windows.last()?);
    Some((to.1 - from.1) / (to.0 - from.0) * round_trip_s)
}

fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    points.iter().step_by(10).copied().collect()
}

fn draw(data: &Data) -> Vec<Block> {
    let mut table = Table::new(
        "From 4 s on; the interval's least and greatest are those of all seeds",
        vec![
            Column::text("pattern"),
            Column::number("interval: expected", "packets"),
            Column::number("the report's", "packets"),
            Column::number("mean", "packets"),
            Column::number("least", "packets"),
            Column::number("greatest", "packets"),
            Column::number("window: expected", "packets"),
            Column::number("mean", "packets"),
        ],
    );
    let mut charts = Vec::new();
    for (number, pattern) in PATTERNS.iter().enumerate() {
        let Some(point) = data.point(&key(pattern.name)) else {
            continue;
        };
        let samples = |name| point.samples(name);
        let end = |name, of: fn(f64, f64) -> f64| {
            let values = samples(name).0.into_iter().map(|(_, value)| value);
            values.reduce(of).map_or(Cell::Empty, Cell::Number)
        };
        table.rows.push(vec![
            Cell::from(pattern.name),
            Cell::Number(pattern.interval),
            Cell::Number(pattern.report),
            samples(MEAN).cell(),
            end(LEAST, f64::min),
            end(GREATEST, f64::max),
            pattern.window.map_or(Cell::Empty, Cell::Number),
            samples(WINDOW).cell(),
        ]);
        let curve = |name| {
            let first = point.runs.first().and_then(|(_, run)| run.curves.get(name));
            first.cloned().unwrap_or_default()
        };
        charts.push(Block::Chart(
            Chart::new(
                format!("tfwc-6.2-6.6-{number}"),
                format!("{}, seed 1", pattern.name),
                Axis::linear("time", "s"),
                Axis::linear("packets", ""),
            )
            .with(Series::new(
                "average loss interval",
                Kind::Line,
                curve(CURVE),
            ))
            .with(Series::new("window", Kind::Line, curve(WINDOWS))),
        ));
    }
    vec![Block::Table(table), Block::Grid(charts)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_lose_what_their_names_say() {
        let text = Losses::Block(100, &[2, 4]).toml(1);
        assert!(text.contains("[1, 3, 101, 103, 201,"), "{text}");
        let drawn = Losses::Drawn(10).toml(1);
        let numbers: Vec<u64> = drawn
            .split(['[', ']'])
            .nth(1)
            .unwrap()
            .split(", ")
            .map(|number| number.parse().unwrap())
            .collect();
        assert_eq!(numbers.len(), 10_000);
        let one_a_block = (0..).zip(&numbers).all(|(block, at)| at / 10 == block);
        assert!(one_a_block, "one in each block of ten");
    }
}
