//! Figure 1 and the analysis of §2.4: formulas only.

use controllers::rtt_based::ramp::{Increment, published_round_trips};
use controllers::rtt_based::reduction::{least_left, remaining};
use results::page::{Along, Axis, Block, Chart, Dash, Kind, Series};

use crate::data::Measured;
use crate::paper::Figure;

/// Figure 1.
pub(super) const FIGURE_1: Figure = Figure {
    id: "1",
    title: "three ways to let a window grow",
    shows: "Slow start to 32 packets for five round trips, two without change, then three ways to go on: \
            twice the window each round trip, 1, 2, 4, … packets more, and one packet more. Then what \
            §2.1 says about them: the round trips to a larger window, and how far they go beyond it.",
    parameters: &[
        (
            "slow start",
            "0 to 5 round trips, from 1 packet (the paper's)",
        ),
        ("steady", "5 to 7 round trips (the paper's)"),
    ],
    plan: |_| Vec::new(),
    measure: |_| Measured::default(),
    draw: |_| vec![windows(), round_trips(), overshoots()],
};

/// §2.4.
pub(super) const SECTION_2_4: Figure = Figure {
    id: "2.4",
    title: "the fraction K of a queue that is taken away each round trip (§2.4)",
    shows: "What is left of N packets when each round trip takes the fraction K of what was left two round \
            trips before: below zero, more was taken than there was. And the least that is ever left, \
            over K.",
    parameters: &[("K", "0.1 to 0.9; the paper's own is 0.25")],
    plan: |_| Vec::new(),
    measure: |_| Measured::default(),
    draw: |_| vec![left(), least()],
};

fn name(increment: Increment) -> &'static str {
    match increment {
        Increment::Traditional => "traditional exponential",
        Increment::Proposed => "proposed exponential",
        Increment::Linear => "linear",
    }
}

fn windows() -> Block {
    let before = (0..=STEADY_UNTIL).map(|i| {
        let window = Increment::Traditional.window(1, i.min(SLOW_START_UNTIL));
        (f64::from(i), window as f64)
    });
    let chart = Chart::new(
        "rtt-based-1",
        "window under three ways of growing",
        Axis::linear("time", "round trips"),
        Axis::linear("window", "packets").range(0.0, 140.0),
    )
    .note("Doubling leaves the chart at 128 packets.")
    .with(Series::new("before", Kind::Line, before.collect()));
    let start = Increment::Traditional.window(1, SLOW_START_UNTIL);
    Block::Chart(Increment::ALL.iter().fold(chart, |chart, increment| {
        let points = (0..=4).map(|i| {
            let time = f64::from(STEADY_UNTIL + i);
            (time, increment.window(start, i) as f64)
        });
        chart.with(Series::new(name(*increment), Kind::Line, points.collect()))
    }))
}

fn round_trips() -> Block {
    let over = |count: &dyn Fn(u64) -> u64| {
        let points = (1..=GAPS).map(|gap| (gap as f64, count(START + gap) as f64));
        points.collect::<Vec<_>>()
    };
    let mut chart = Chart::new(
        "rtt-based-1-time",
        "round trips from 32 packets to a larger window",
        Axis::linear("gap between the windows", "packets"),
        Axis::linear("time", "round trips").range(0.0, 10.0),
    );
    for increment in Increment::ALL {
        let points = over(&|goal| increment.round_trips(START, goal));
        chart = chart.with(Series::new(name(increment), Kind::Step, points));
    }
    let printed = over(&|goal| published_round_trips(START, goal));
    let printed = Series::new("proposed, formula as printed", Kind::Step, printed);
    Block::Chart(
        chart
            .with(printed.colour(name(Increment::Proposed)).dash(Dash::Dotted))
            .note(
                "Linear growth needs as many round trips as the gap has packets: it leaves the chart at \
                 10. The printed ⌈log₂(m − n)⌉ + 1 is one too many unless the gap is a power of two.",
            ),
    )
}

fn overshoots() -> Block {
    let chart = Chart::new(
        "rtt-based-1-overshoot",
        "packets beyond the larger window",
        Axis::linear("gap between the windows", "packets"),
        Axis::linear("beyond", "packets"),
    );
    Block::Chart(Increment::ALL.iter().fold(chart, |chart, increment| {
        let beyond = |gap: u64| increment.overshoot(START, START + gap) as f64;
        let points = (1..=GAPS).map(|gap| (gap as f64, beyond(gap)));
        chart.with(Series::new(name(*increment), Kind::Step, points.collect()))
    }))
}

fn left() -> Block {
    let chart = Chart::new(
        "rtt-based-2.4",
        "what is left of the queue",
        Axis::linear("time", "round trips"),
        Axis::linear("left", "% of N"),
    );
    Block::Chart([0.1, 0.25, 0.3, 0.5, 0.9].iter().fold(chart, |chart, k| {
        let after = remaining(100.0, *k, 20);
        let points = after
            .iter()
            .enumerate()
            .map(|(i, left)| ((i + 1) as f64, *left));
        let points = std::iter::once((0.0, 100.0)).chain(points);
        chart.with(Series::new(
            format!("K = {k}"),
            Kind::Line,
            points.collect(),
        ))
    }))
}

fn least() -> Block {
    let points = (1..=90).map(|percent| {
        let k = f64::from(percent) / 100.0;
        (k, 100.0 * least_left(k))
    });
    Block::Chart(
        Chart::new(
            "rtt-based-2.4-least",
            "the least that is ever left",
            Axis::linear("K", ""),
            Axis::linear("least left", "% of N"),
        )
        .with(Series::new("least left", Kind::Line, points.collect()))
        .line(Along::X, 0.25, "1/4")
        .note(
            "Up to K = 1/4 exactly nothing is taken that is not there. Just above it the excess is far \
             too small to matter: 1.2 % of N at K = 0.3. Eq. 5 as printed, the infinite sum, holds for \
             every K below 1.",
        ),
    )
}

/// The end of slow start, in round trips ("from T = 0 to 5 RTTs").
const SLOW_START_UNTIL: u32 = 5;
/// "The window size keeps stable from T = 5 to 7 RTTs."
const STEADY_UNTIL: u32 = 7;
/// The window that the increments start from: 2⁵.
const START: u64 = 32;
/// Largest gap shown.
const GAPS: u64 = 64;
