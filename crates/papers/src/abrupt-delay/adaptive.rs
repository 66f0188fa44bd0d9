//! The paper's second announced step, loss detection that adapts, with what has become a standard
//! since: retransmissions without cause are found and undone (§V).
//!
//! Here: Eifel (RFC 3522 with the response of RFC 4015) and F-RTO (RFC 5682), each with Reno.
//!
//! Not here: thresholds driven by D-SACK (RFC 3708), RACK-TLP (RFC 8985).

use experiments::page::{Along, Axis, Block, Cell, Chart, Column, Table};

use super::goodput::{BASE, EXPERIMENTS, IDEAL, PACKET_S, ROUND_TRIPS, goodput_axis, series};
use super::setting::{
    GENIE, GOODPUT, OLD_TAHOE, RENO, SEEDS_FULL, SEEDS_QUICK, Sender, Setting, measure, two_states,
};
use crate::data::{Data, Samples};
use crate::paper::{Figure, Key, Mode, Run};

pub(super) const FIGURE: Figure = Figure {
    id: "adaptive",
    title: "detection that adapts, on the axes of Figures 5 and 7",
    shows: "What the standards that came after the paper make of it: Reno that finds and undoes \
            retransmissions without cause, beside plain Reno, OldTahoe and the genie; over h without \
            losses, and over D with them.",
    parameters: PARAMETERS,
    plan,
    measure,
    draw,
};

const EIFEL: Sender = Sender::new(
    "Reno with Eifel",
    "recovery = \"reno\"\nspurious = \"eifel\"",
);
const F_RTO: Sender = Sender::new(
    "Reno with F-RTO",
    "recovery = \"reno\"\nspurious = \"f-rto\"",
);
/// With a threshold D.
const RENOS: [Sender; 3] = [RENO, EIFEL, F_RTO];

fn key(sender: &Sender, h: f64, loss: f64, threshold: u32) -> Key {
    Key::new()
        .with("sender", sender.name)
        .with("h", h)
        .with("p", loss)
        .with("D", threshold)
}

fn plan(mode: Mode) -> Vec<Run> {
    let (all_h, thresholds, seeds): (&[f64], &[u32], u64) = match mode {
        Mode::Quick => (&[0.1, 1.0, 10.0], &[1, 3, 7, 12], SEEDS_QUICK),
        Mode::Full => (
            &[0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0],
            &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
            SEEDS_FULL,
        ),
    };
    let mut runs = Vec::new();
    let mut add = |sender: &Sender, h: f64, loss: f64, threshold: u32| {
        let setting = Setting {
            figure: "adaptive",
            what: &format!("{}, h = {h}, p = {loss}, D = {threshold}", sender.name),
            delay: &two_states(ROUND_TRIPS, PACKET_S, h),
            loss,
            sender,
            threshold,
            ..BASE
        };
        runs.extend(setting.runs(&key(sender, h, loss, threshold), seeds));
    };
    for h in all_h {
        for sender in [GENIE, OLD_TAHOE].iter().chain(&RENOS) {
            add(sender, *h, 0.0, 3);
        }
    }
    for experiment in EXPERIMENTS {
        for threshold in thresholds {
            for sender in &RENOS {
                add(sender, experiment.h, experiment.loss, *threshold);
            }
        }
    }
    runs
}

fn draw(data: &Data) -> Vec<Block> {
    let mut over_h = Chart::new(
        "abrupt-delay-adaptive",
        "Goodput over h, no losses, D = 3",
        Axis::log("holding time factor h", ""),
        goodput_axis(),
    )
    .line(Along::Y, IDEAL, "R_I");
    let lossless = |sender: &Sender, h: f64| key(sender, h, 0.0, 3);
    let mut all_h = data.numbers("h");
    all_h.retain(|h| data.point(&lossless(&GENIE, *h)).is_some());
    all_h.sort_by(f64::total_cmp);
    for sender in [GENIE, OLD_TAHOE].iter().chain(&RENOS) {
        let points = all_h.iter().map(|h| (*h, lossless(sender, *h))).collect();
        over_h = over_h.with(series(data, sender.name.to_owned(), points));
    }
    let over_d = |experiment: &super::goodput::Experiment| {
        let super::goodput::Experiment { name, h, loss } = *experiment;
        let mut chart = Chart::new(
            format!("abrupt-delay-adaptive-{name}"),
            format!("{name}: h = {h}, p = {loss}"),
            Axis::linear("threshold D", "duplicate ACKs").range(0.0, 13.0),
            goodput_axis(),
        );
        for sender in &RENOS {
            let thresholds = data.numbers("D").into_iter();
            let points = thresholds.map(|d| (d, key(sender, h, loss, d as u32)));
            chart = chart.with(series(data, sender.name.to_owned(), points.collect()));
        }
        Block::Chart(chart)
    };
    vec![
        Block::Chart(over_h),
        Block::Grid(EXPERIMENTS.iter().map(over_d).collect()),
        Block::Table(gaps(data, &all_h)),
    ]
}

/// How much of the gap between Reno and the genie a detection closes, and what it changes under loss.
fn gaps(data: &Data, all_h: &[f64]) -> Table {
    let mut columns = vec![Column::text("sender")];
    columns.extend(
        all_h
            .iter()
            .map(|h| Column::number(format!("h = {h}"), "% of the gap").digits(3)),
    );
    columns.extend(
        EXPERIMENTS
            .iter()
            .map(|experiment| Column::number(experiment.name, "% of Reno").digits(3)),
    );
    let mut table = Table::new(
        "Of the goodput that plain Reno with D = 3 lacks to the genie, the part that is won back; and \
         goodput in the four experiments as a share of plain Reno's, D = 3.",
        columns,
    );
    let cell = |samples: Samples| match samples.estimate() {
        None => Cell::Empty,
        Some(estimate) => match estimate.interval() {
            None => estimate.mean.into(),
            Some((low, high)) => Cell::Interval {
                value: estimate.mean,
                low,
                high,
            },
        },
    };
    for sender in &RENOS[1..] {
        let of = |sender: &Sender, h, loss| data.samples(&key(sender, h, loss, 3), GOODPUT);
        let mut row = vec![Cell::from(sender.name.to_owned())];
        for h in all_h {
            let three = [of(&GENIE, *h, 0.0), of(&RENO, *h, 0.0), of(sender, *h, 0.0)];
            row.push(cell(Samples::combine(&three, |g| {
                100.0 * (g[2] - g[1]) / (g[0] - g[1])
            })));
        }
        for experiment in EXPERIMENTS {
            let (h, loss) = (experiment.h, experiment.loss);
            let ratio = of(sender, h, loss).over(&of(&RENO, h, loss));
            row.push(cell(Samples::combine(&[ratio], |g| 100.0 * g[0])));
        }
        table.rows.push(row);
    }
    table
}

const PARAMETERS: &[(&str, &str)] = &[
    ("path and sender", "as in Figures 5 and 7"),
    (
        "Eifel",
        "RFC 3522: the first new ACK after a timeout or a fast retransmit echoes the original's \
         timestamp; response of RFC 4015",
    ),
    (
        "F-RTO",
        "RFC 5682, basic: two ACKs that advance after a timeout; it says nothing of fast retransmits",
    ),
    (
        "losses",
        "each data packet by itself, as it leaves the link",
    ),
    ("duration", "1000 s; ten seeds (three in the quick form)"),
];
