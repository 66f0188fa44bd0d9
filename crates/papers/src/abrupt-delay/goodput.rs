//! Figures 5 to 8: goodput over paths whose round trip goes to and fro (§IV).

use results::page::{Along, Axis, Block, Chart, Dash, Kind, Series};

use super::ideal::ideal_goodput;
use super::ns2;
use super::setting::{
    DURATION_S, GENIE, GOODPUT, OLD_TAHOE, RENO, SEEDS_FULL, SEEDS_QUICK, Sender, Setting, measure,
    two_states,
};
use crate::data::Data;
use crate::paper::{Figure, Key, Mode, Run};

pub(super) const FIGURE_5: Figure = Figure {
    id: "5",
    title: "goodput over the holding time factor h",
    shows: "Packets that arrive for the first time, a second, over h: the path stays (1 + h) T on \
            average in a state of round trip T, so that a small h means many changes. The genie \
            never takes anything for lost; R_I is equation 3.",
    parameters: PARAMETERS_5,
    plan: plan_5,
    measure,
    draw: draw_5,
};

pub(super) const FIGURE_6: Figure = Figure {
    id: "6",
    title: "goodput over Reno's threshold D, h = 0.1",
    shows: "How Reno's goodput grows with the number of duplicate ACKs that it takes for a loss.",
    parameters: PARAMETERS_6,
    plan: plan_6,
    measure,
    draw: draw_6,
};

pub(super) const FIGURE_7: Figure = Figure {
    id: "7",
    title: "goodput over Reno's threshold D, with losses",
    shows: "Four experiments, each with a holding time factor and a probability of loss.",
    parameters: PARAMETERS_7,
    plan: plan_7,
    measure,
    draw: draw_7,
};

pub(super) const FIGURE_8: Figure = Figure {
    id: "8",
    title: "OldTahoe's goodput over the granularity G of its clock",
    shows: "The shortest timeout is 2 G. Without losses, as in the paper's caption, and with.",
    parameters: PARAMETERS_8,
    plan: plan_8,
    measure,
    draw: draw_8,
};

// Figure 5.

pub(super) fn key_5(sender: &Sender, h: f64, loss: f64) -> Key {
    Key::new()
        .with("sender", sender.name)
        .with("h", h)
        .with("p", loss)
}

fn plan_5(mode: Mode) -> Vec<Run> {
    let (all_h, lossy_h, others, seeds): (&[f64], &[f64], &[Sender], u64) = match mode {
        Mode::Quick => (&H_QUICK, &H_LOSSY_QUICK, &[], SEEDS_QUICK),
        Mode::Full => (&H_FULL, &H_FULL, &VARIANTS, SEEDS_FULL),
    };
    let mut runs = Vec::new();
    let mut add = |sender: &Sender, h: f64, loss: f64| {
        let setting = Setting {
            figure: "5",
            what: &format!("{}, h = {h}, p = {loss}", sender.name),
            delay: &two_states(ROUND_TRIPS, PACKET_S, h),
            loss,
            sender,
            ..BASE
        };
        runs.extend(setting.runs(&key_5(sender, h, loss), seeds));
    };
    for h in all_h {
        for sender in [GENIE, OLD_TAHOE, RENO].iter().chain(others) {
            add(sender, *h, 0.0);
        }
    }
    for loss in LOSSES {
        for h in lossy_h {
            add(&OLD_TAHOE, *h, loss);
            add(&RENO, *h, loss);
        }
    }
    runs
}

fn draw_5(data: &Data) -> Vec<Block> {
    let chart = |id: &str, title: &str| {
        let h = Axis::log("holding time factor h", "");
        Chart::new(format!("abrupt-delay-5{id}"), title, h, goodput_axis()).line(
            Along::Y,
            IDEAL,
            "R_I = 2 w / (T₁ + T₂)",
        )
    };
    let over_h = |sender: &Sender, loss: f64| {
        let points = data.numbers("h").into_iter();
        let mut points: Vec<_> = points.map(|h| (h, key_5(sender, h, loss))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        series(data, sender.name.to_owned(), points)
    };
    let mut main = chart("", "Goodput over h, no losses");
    for sender in [GENIE, OLD_TAHOE, RENO] {
        main = main.with(over_h(&sender, 0.0));
    }
    for (sender, kind) in [(OLD_TAHOE, "oldtahoe"), (RENO, "reno")] {
        let points = ns2::goodput(&[("set", "fig5"), ("kind", kind)], "h");
        main = main.with(reference(sender.name, points));
    }
    let mut lossy = chart("-lossy", "The same with losses");
    for sender in [OLD_TAHOE, RENO] {
        for loss in LOSSES {
            let mut series = over_h(&sender, loss);
            series.name = format!("{}, p = {loss}", sender.name);
            lossy = lossy.with(series.colour(sender.name));
        }
    }
    let mut blocks = vec![
        Block::Chart(main.note(INTERVALS).note(NS2)),
        Block::Chart(lossy),
    ];
    let has = |sender: &Sender| {
        let mut words = data
            .points
            .iter()
            .filter_map(|point| point.key.word("sender"));
        words.any(|word| word == sender.name)
    };
    if VARIANTS.iter().any(has) {
        let mut variants = chart(
            "-variants",
            "With what the paper leaves open chosen otherwise",
        );
        for sender in [OLD_TAHOE, RENO].iter().chain(&VARIANTS) {
            variants = variants.with(over_h(sender, 0.0));
        }
        blocks.push(Block::Chart(variants));
    }
    blocks
}

// Figures 6 and 7.

/// The point of an experiment with Reno's threshold; OldTahoe has none, 0.
pub(super) fn key_7(experiment: &Experiment, threshold: u32) -> Key {
    Key::new()
        .with("experiment", experiment.name)
        .with("D", threshold)
}

pub(super) fn key_6(sender: &Sender, threshold: u32) -> Key {
    Key::new().with("sender", sender.name).with("D", threshold)
}

/// A pair of holding time factor and losses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Experiment {
    pub(super) name: &'static str,
    pub(super) h: f64,
    pub(super) loss: f64,
}

fn plan_6(mode: Mode) -> Vec<Run> {
    let seeds = seeds(mode);
    let mut runs = Vec::new();
    let mut add = |sender: &Sender, threshold: u32| {
        let setting = Setting {
            figure: "6",
            what: &format!("{}, D = {threshold}", sender.name),
            delay: &two_states(ROUND_TRIPS, PACKET_S, 0.1),
            sender,
            threshold: threshold.max(1),
            ..BASE
        };
        runs.extend(setting.runs(&key_6(sender, threshold), seeds));
    };
    add(&GENIE, 0);
    add(&OLD_TAHOE, 0);
    for threshold in thresholds(mode) {
        add(&RENO, *threshold);
    }
    runs
}

fn plan_7(mode: Mode) -> Vec<Run> {
    let seeds = seeds(mode);
    let mut runs = Vec::new();
    for experiment in EXPERIMENTS {
        let Experiment { name, h, loss } = experiment;
        let mut add = |sender: &Sender, threshold: u32| {
            let setting = Setting {
                figure: "7",
                what: &format!(
                    "{name}: {}, D = {threshold}, h = {h}, p = {loss}",
                    sender.name
                ),
                delay: &two_states(ROUND_TRIPS, PACKET_S, h),
                loss,
                sender,
                threshold: threshold.max(1),
                ..BASE
            };
            runs.extend(setting.runs(&key_7(&experiment, threshold), seeds));
        };
        add(&OLD_TAHOE, 0);
        for threshold in thresholds(mode) {
            add(&RENO, *threshold);
        }
    }
    runs
}

fn draw_6(data: &Data) -> Vec<Block> {
    let mut chart = Chart::new(
        "abrupt-delay-6",
        "Goodput over D, no losses, h = 0.1",
        threshold_axis(),
        goodput_axis(),
    )
    .with(series(
        data,
        RENO.name.to_owned(),
        over_d(data, |d| key_6(&RENO, d)),
    ))
    .with(reference(RENO.name, ns2::goodput(&[("set", "fig6")], "d")));
    for sender in [OLD_TAHOE, GENIE] {
        let level = data.samples(&key_6(&sender, 0), GOODPUT).estimate();
        if let Some(level) = level {
            chart = chart.with(Series::new(
                sender.name,
                Kind::Line,
                vec![(1.0, level.mean), (14.0, level.mean)],
            ));
        }
    }
    vec![Block::Chart(chart.note(INTERVALS).note(NS2))]
}

fn draw_7(data: &Data) -> Vec<Block> {
    let mut chart = Chart::new(
        "abrupt-delay-7",
        "Goodput over D, with losses",
        threshold_axis(),
        goodput_axis(),
    );
    for experiment in EXPERIMENTS {
        let Experiment { name, h, loss } = experiment;
        let points = over_d(data, |d| key_7(&experiment, d));
        let name = format!("{name}: h = {h}, p = {loss}");
        chart = chart.with(series(data, name.clone(), points).dash(Dash::Solid));
        if let Some(level) = data.samples(&key_7(&experiment, 0), GOODPUT).estimate() {
            let points = vec![(1.0, level.mean), (14.0, level.mean)];
            let series = Series::new(format!("{name}, OldTahoe"), Kind::Line, points);
            chart = chart.with(series.colour(name).dash(Dash::Dotted));
        }
    }
    vec![Block::Chart(chart.note(INTERVALS))]
}

// Figure 8.

pub(super) fn key_8(arithmetic: &str, loss: f64, tick_s: f64) -> Key {
    Key::new()
        .with("arithmetic", arithmetic)
        .with("p", loss)
        .with("G", tick_s)
}

fn plan_8(mode: Mode) -> Vec<Run> {
    let (ticks_s, losses): (&[f64], &[f64]) = match mode {
        Mode::Quick => (&TICKS_QUICK_S, &[0.0, 0.001, 0.01]),
        Mode::Full => (&TICKS_S, &[0.0, 0.0005, 0.001, 0.01, 0.05]),
    };
    let mut runs = Vec::new();
    let mut add = |arithmetic: &'static str, loss: f64, tick_s: f64| {
        let setting = Setting {
            figure: "8",
            what: &format!("OldTahoe, G = {tick_s} s, p = {loss}, {arithmetic} numbers"),
            rate_mbps: 2,
            delay: &two_states(ROUND_TRIPS, PACKET_S / 2.0, 10.0),
            loss,
            sender: &Sender {
                arithmetic: if arithmetic == REAL {
                    "without-floor"
                } else {
                    "ticks"
                },
                ..OLD_TAHOE
            },
            window: 24,
            tick_ms: (tick_s * 1e3).round(),
            ..BASE
        };
        runs.extend(setting.runs(&key_8(arithmetic, loss, tick_s), seeds(mode)));
    };
    for tick_s in ticks_s {
        for loss in losses {
            add(REAL, *loss, *tick_s);
        }
        add(INTEGER, 0.0, *tick_s);
    }
    runs
}

fn draw_8(data: &Data) -> Vec<Block> {
    let axis = Axis::log("granularity G", "s");
    let mut chart = Chart::new(
        "abrupt-delay-8",
        "OldTahoe's goodput over G, h = 10",
        axis,
        goodput_axis(),
    );
    let over_g = |arithmetic: &str, loss: f64| {
        let ticks = data.numbers("G").into_iter();
        ticks
            .map(|tick| (tick, key_8(arithmetic, loss, tick)))
            .collect()
    };
    for loss in data.numbers("p") {
        let name = format!("p = {loss}");
        chart = chart.with(series(data, name, over_g(REAL, loss)).dash(Dash::Solid));
    }
    let integer = series(data, "p = 0, whole ticks".to_owned(), over_g(INTEGER, 0.0));
    chart = chart.with(integer.colour("p = 0").dash(Dash::Dashed));
    for loss in ["0", "0.001"] {
        let points = ns2::goodput(&[("set", "fig8"), ("p", loss)], "g_s");
        chart = chart.with(reference(&format!("p = {loss}"), points));
    }
    let ideal = ideal_goodput(24.0, 250.0, &[(0.1, 0.1), (0.3, 0.3)]);
    let note = "ns-2.35 (hollow markers) counts in whole ticks, where the deviation stalls at up to \
                three quarters of one: its timeout is longer by up to three ticks.";
    vec![Block::Chart(
        chart
            .line(Along::Y, ideal, "R_I")
            .note(INTERVALS)
            .note(note),
    )]
}

// All.

/// Goodput with intervals at these points.
pub(super) fn series(data: &Data, name: String, at: Vec<(f64, Key)>) -> Series {
    let (mut points, mut intervals) = (Vec::new(), Vec::new());
    for (x, key) in at {
        if let Some(goodput) = data.samples(&key, GOODPUT).estimate() {
            points.push((x, goodput.mean));
            intervals.push(goodput.ends());
        }
    }
    Series::new(name, Kind::Line, points).interval(intervals)
}

fn reference(name: &str, points: Vec<(f64, f64)>) -> Series {
    Series::new(format!("{name}, ns-2.35"), Kind::Points, points)
        .colour(name)
        .dash(Dash::Dotted)
}

fn over_d(data: &Data, key: impl Fn(u32) -> Key) -> Vec<(f64, Key)> {
    let thresholds = data.numbers("D").into_iter().filter(|d| *d > 0.0);
    thresholds.map(|d| (d, key(d as u32))).collect()
}

pub(super) fn goodput_axis() -> Axis {
    Axis::linear("goodput", "packets/s")
}

fn threshold_axis() -> Axis {
    Axis::linear("threshold D", "duplicate ACKs").range(0.0, 15.0)
}

fn seeds(mode: Mode) -> u64 {
    match mode {
        Mode::Quick => SEEDS_QUICK,
        Mode::Full => SEEDS_FULL,
    }
}

fn thresholds(mode: Mode) -> &'static [u32] {
    match mode {
        Mode::Quick => &[1, 3, 4, 7, 11, 12, 14],
        Mode::Full => &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    }
}

/// The setting of Figures 5 to 7, at what they vary.
pub(super) const BASE: Setting<'static> = Setting {
    figure: "",
    what: "",
    duration_s: DURATION_S,
    rate_mbps: 1,
    delay: "",
    link: "",
    loss: 0.0,
    sender: &OLD_TAHOE,
    window: WINDOW,
    threshold: 3,
    tick_ms: 10.0,
    more: "",
};

/// wₘ of Figures 5 to 7.
pub(super) const WINDOW: u32 = 12;
/// T₁ and T₂ of Figures 5 to 8.
pub(super) const ROUND_TRIPS: [f64; 2] = [0.1, 0.3];
/// A packet of 1000 B at 1 Mb/s.
pub(super) const PACKET_S: f64 = 0.008;
/// Equation 3: 2 × 12 / (0.1 + 0.3).
pub(super) const IDEAL: f64 = 60.0;

const H_FULL: [f64; 8] = [0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0];
const H_QUICK: [f64; 5] = [0.01, 0.1, 1.0, 10.0, 30.0];
const H_LOSSY_QUICK: [f64; 2] = [0.1, 10.0];
/// Losses that the words about Figure 5 are judged with.
pub(super) const LOSSES: [f64; 5] = [0.0005, 0.001, 0.002, 0.01, 0.05];
/// The paper gives no pairs; these make the optima that it tells of.
pub(super) const EXPERIMENTS: [Experiment; 4] = [
    Experiment {
        name: "S1",
        h: 0.1,
        loss: 0.001,
    },
    Experiment {
        name: "S2",
        h: 1.0,
        loss: 0.01,
    },
    Experiment {
        name: "S3",
        h: 0.1,
        loss: 0.005,
    },
    Experiment {
        name: "S4",
        h: 10.0,
        loss: 0.05,
    },
];
const TICKS_S: [f64; 14] = [
    0.001, 0.01, 0.03, 0.05, 0.07, 0.09, 0.1, 0.105, 0.12, 0.15, 0.2, 0.3, 0.5, 1.0,
];
const TICKS_QUICK_S: [f64; 6] = [0.001, 0.05, 0.1, 0.15, 0.5, 1.0];
pub(super) const REAL: &str = "real";
pub(super) const INTEGER: &str = "integer";

/// What the paper leaves open, or has in two forms.
const VARIANTS: [Sender; 5] = [
    Sender {
        name: "OldTahoe, one sample a round",
        timestamps: false,
        ..OLD_TAHOE
    },
    Sender {
        name: "Reno, one sample a round",
        timestamps: false,
        ..RENO
    },
    Sender {
        name: "OldTahoe, k = 2",
        k: 2,
        ..OLD_TAHOE
    },
    Sender {
        name: "OldTahoe, whole ticks",
        arithmetic: "ticks",
        ..OLD_TAHOE
    },
    Sender::new("NewReno", "recovery = \"new-reno\""),
];

const INTERVALS: &str = "Error bars: 95 % confidence interval of the mean over the seeds.";
const NS2: &str = "ns-2.35 (hollow markers): ten runs of 1000 s. Its Reno differs in recovery: \
                   one fast retransmit for each window, where RFC 5681 may make several.";

macro_rules! parameters {
    ($($more:expr),* $(,)?) => {
        &[
            $($more,)*
            ("round trips", "T₁ = 0.1 s and T₂ = 0.3 s, a packet's time on the link included"),
            ("time in a state", "T and an exponential time of mean h T"),
            ("duration", "1000 s, all of it counted; ten seeds (three in the quick form), so that a \
                          point has 495 changes or more on average (484 in the quick form)"),
            ("packets", "1000 B; the queue has no limit; ACKs come back at once and are not lost"),
            ("sender", "k = 4, a sample from every ACK but those of packets sent again, real \
                        numbers, timeout at least 2 G; window of 1 and no threshold at the start; \
                        no limited transmit"),
        ]
    };
}

const PARAMETERS_5: &[(&str, &str)] = parameters!(
    ("link", "1 Mb/s, w = 12 packets"),
    ("threshold D", "3"),
    (
        "granularity G",
        "10 ms (open in the paper; from 1 to 100 ms it changes little)"
    ),
);
const PARAMETERS_6: &[(&str, &str)] = parameters!(
    ("link", "1 Mb/s, w = 12 packets"),
    ("h, p", "0.1, 0"),
    ("granularity G", "10 ms (open in the paper)"),
);
const PARAMETERS_7: &[(&str, &str)] = parameters!(
    ("link", "1 Mb/s, w = 12 packets"),
    (
        "pairs (h, p)",
        "lost with the paper's figure; these stand in for them"
    ),
    (
        "losses",
        "each data packet by itself, as it leaves the link"
    ),
    ("granularity G", "10 ms (open in the paper)"),
);
const PARAMETERS_8: &[(&str, &str)] = parameters!(
    ("link", "2 Mb/s, w = 24 packets"),
    ("h", "10"),
    (
        "losses",
        "each data packet by itself, as it leaves the link"
    ),
);
