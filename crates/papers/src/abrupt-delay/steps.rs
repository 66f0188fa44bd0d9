//! Figures 1 to 4: what a single step of the round trip does (§III).

use experiments::simulation::{EventKind, Outcome};
use results::page::{Along, Axis, Block, Chart, Column, Kind, Series, Table};

use super::setting::{RENO, Sender, Setting};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Run};

macro_rules! figure {
    ($id:literal, $title:literal, $shows:literal, $step:expr) => {
        Figure {
            id: $id,
            title: $title,
            shows: $shows,
            parameters: PARAMETERS,
            plan: |_: Mode| plan($id, &$step),
            measure,
            draw: |data| draw($id, &$step, data),
        }
    };
}

pub(super) const FIGURE_1: Figure = figure!(
    "1",
    "a step up with a window of 26: no timeout",
    "Number of each packet as it leaves, window, timeout and round trip over time, as the round trip \
     grows from 0.2 to 0.3 s at 6.0 s.",
    STEP_1
);
pub(super) const FIGURE_2: Figure = figure!(
    "2",
    "the same step with a window of 13: a timeout",
    "As Figure 1 with half the window: the round has an idle time, and the timer expires in it.",
    STEP_2
);
pub(super) const FIGURE_3: Figure = figure!(
    "3",
    "a step down in the idle time: no false fast retransmit",
    "The same four panels, as the round trip falls from 0.2 to 0.1 s at 6.0 s. Windows of 26 \
     (the paper's caption) and of 13 (that of Figure 2).",
    STEP_3
);
pub(super) const FIGURE_4: Figure = figure!(
    "4",
    "a step down in the busy time: a false fast retransmit",
    "As Figure 3 at 6.07 s, while the packets of a round leave. Windows as there, and those between.",
    STEP_4
);

const STEP_1: Step = Step {
    at_s: 6.0,
    after_s: 0.3,
    windows: &[26],
    timestamps: &[true, false],
};
const STEP_2: Step = Step {
    windows: &[13],
    ..STEP_1
};
const STEP_3: Step = Step {
    at_s: 6.0,
    after_s: 0.1,
    windows: &[26, 13],
    timestamps: &[true],
};
const STEP_4: Step = Step {
    at_s: 6.07,
    windows: &[26, 13, 11, 12, 17, 23, 24, 25],
    ..STEP_3
};

/// A single step of the round trip from 0.2 s on.
struct Step {
    at_s: f64,
    after_s: f64,
    /// The first ones are drawn.
    windows: &'static [u32],
    timestamps: &'static [bool],
}

/// The point with this window, with or without timestamps.
pub(super) fn key(window: u32, timestamps: bool) -> Key {
    let word = if timestamps { "on" } else { "off" };
    Key::new().with("window", window).with("timestamps", word)
}

fn plan(figure: &str, step: &Step) -> Vec<Run> {
    let delay_us = |round_trip: f64| ((round_trip - PACKET_S) * 1e6).round();
    let link = format!(
        "schedule = [{{ at = \"{} s\", delay = \"{} us\" }}]\n",
        step.at_s,
        delay_us(step.after_s)
    );
    let delay = format!("\"{} us\"", delay_us(BEFORE_S));
    let mut runs = Vec::new();
    for window in step.windows {
        for timestamps in step.timestamps {
            let setting = Setting {
                figure,
                what: &format!("a window of {window} packets, timestamps {timestamps}"),
                duration_s: 12,
                rate_mbps: 1,
                delay: &delay,
                link: &link,
                loss: 0.0,
                sender: &Sender {
                    timestamps: *timestamps,
                    ..RENO
                },
                window: *window,
                threshold: 3,
                tick_ms: 1.0,
                more: "\n[record]\nevery = \"5 ms\"\nevents = true\n",
            };
            runs.extend(setting.runs(&key(*window, *timestamps), 1));
        }
    }
    runs
}

fn measure(outcome: &Outcome) -> Measured {
    let flow = &outcome.summary.flows[0];
    let recording = &outcome.recording;
    let sends = recording
        .events
        .iter()
        .filter(|event| event.kind == EventKind::Send);
    let sequence = sends.map(|event| (event.time_ps as f64 / 1e12, event.packet_number as f64));
    let series = |of: fn(&experiments::simulation::FlowSample) -> Option<f64>| {
        let samples = recording.flows.iter();
        samples
            .filter_map(|sample| Some((sample.time_s, of(sample)?)))
            .collect()
    };
    Measured::default()
        .value("timeouts", flow.timeouts as f64)
        .value("fast_retransmits", flow.fast_retransmits as f64)
        .value("retransmits", flow.retransmits as f64)
        .curve("sequence", sequence.collect())
        .curve("window_packets", series(|sample| sample.window_packets))
        .curve(RTO, series(|sample| sample.rto_s))
        .curve("rtt_s", series(|sample| sample.rtt_s))
}

fn draw(figure: &str, step: &Step, data: &Data) -> Vec<Block> {
    let mut blocks = Vec::new();
    // A window of 26 and one of 13, where there are both; else with timestamps and without.
    for window in step.windows.iter().take(2) {
        for timestamps in step.timestamps {
            blocks.extend(panels(figure, step, data, (*window, *timestamps)));
        }
    }
    let mut table = Table::new(
        "Timeouts, fast retransmits and packets sent again in the 12 s: all of them false, since \
         nothing is lost.",
        vec![
            Column::number("window", "packets"),
            Column::text("timestamps"),
            Column::number("timeouts", ""),
            Column::number("fast retransmits", ""),
            Column::number("sent again", "packets"),
        ],
    );
    for point in &data.points {
        let value = |name| {
            point
                .samples(name)
                .estimate()
                .map_or(0.0, |found| found.mean)
        };
        table.rows.push(vec![
            point.key.number("window").unwrap_or_default().into(),
            point
                .key
                .word("timestamps")
                .unwrap_or_default()
                .to_owned()
                .into(),
            value("timeouts").into(),
            value("fast_retransmits").into(),
            value("retransmits").into(),
        ]);
    }
    blocks.push(Block::Table(table));
    blocks
}

/// The four panels of one run.
fn panels(figure: &str, step: &Step, data: &Data, (window, timestamps): (u32, bool)) -> Vec<Block> {
    let Some(point) = data.point(&key(window, timestamps)) else {
        return Vec::new();
    };
    let curve = |name: &str| {
        let curves = point.runs.first().map(|(_, run)| &run.curves);
        curves
            .and_then(|curves| curves.get(name))
            .cloned()
            .unwrap_or_default()
    };
    let without = if timestamps { "" } else { ", no timestamps" };
    let suffix = if timestamps { "" } else { "-untimed" };
    let group = format!("abrupt-delay-{figure}-{window}{suffix}");
    let path = vec![
        (SHOWN_S.0, BEFORE_S),
        (step.at_s, step.after_s),
        (SHOWN_S.1, step.after_s),
    ];
    let chart = |part: &str, title: &str, axis: Axis| {
        Chart::new(
            format!("{group}-{part}"),
            format!("{title}, window of {window}{without}"),
            Axis::linear("time", "s").range(SHOWN_S.0, SHOWN_S.1),
            axis,
        )
        .group(group.clone())
        .line(Along::X, step.at_s, "step")
    };
    let packets = |unit| Axis::linear(unit, "packets");
    vec![
        Block::Chart(
            chart(
                "sequence",
                "Packets sent",
                packets("packet number").fitted(),
            )
            .with(Series::new(
                "packet sent",
                Kind::Points,
                visible(curve("sequence")),
            )),
        ),
        Block::Chart(
            chart("window", "Congestion window", packets("window")).with(Series::new(
                "window",
                Kind::Step,
                visible(curve("window_packets")),
            )),
        ),
        Block::Chart(
            chart(
                "rto",
                "Retransmission timeout",
                Axis::linear("timeout", "s"),
            )
            .with(Series::new("timeout", Kind::Step, visible(curve(RTO)))),
        ),
        Block::Chart(
            chart(
                "rtt",
                "Round trip of the path",
                Axis::linear("round trip", "s"),
            )
            .with(Series::new("of the path", Kind::Step, path))
            .with(Series::new(
                "as measured",
                Kind::Step,
                visible(curve("rtt_s")),
            )),
        ),
    ]
}

/// What the panels show.
fn visible(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.retain(|(time, _)| (4.9..=9.1).contains(time));
    points
}

/// Series of the retransmission timeout.
pub(super) const RTO: &str = "rto_s";
/// §III.A.
const BEFORE_S: f64 = 0.2;
/// A packet of 1000 B at 1 Mb/s.
const PACKET_S: f64 = 0.008;

const PARAMETERS: &[(&str, &str)] = &[
    (
        "link",
        "1 Mb/s, 125 packets of 1000 B a second; back at once",
    ),
    (
        "round trip before the step",
        "0.2 s, a packet's time on the link included",
    ),
    ("losses", "none; the queue has no limit"),
    (
        "sender",
        "Reno, D = 3, k = 4, window of 1 at the start (open in the paper)",
    ),
    (
        "timer",
        "G = 1 ms (paper: \"fine grained\"), at least 2 G; SRTT + 4 SVAR without a floor, so that it comes \
         down to the round trip; a sample from every ACK but those of packets sent again",
    ),
];

/// The part of the run that the charts show. Points beyond it are not drawn.
const SHOWN_S: (f64, f64) = (5.0, 9.0);
