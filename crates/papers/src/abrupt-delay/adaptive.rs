//! The paper's second announced step, loss detection that adapts, with what has become a standard
//! since: retransmissions without cause are found and undone, and thresholds follow the reordering
//! that is seen (§V).
//!
//! Here: Eifel (RFC 3522 with the response of RFC 4015), F-RTO (RFC 5682) and D-SACK (RFC 2883, RFC
//! 3708) with a threshold D that adapts (Blanton and Allman), each with Reno; and RACK-TLP (RFC
//! 8985), a recovery of its own. What they come to beside the genie is in
//! [`super::adaptive_answer`].

use results::page::{Along, Axis, Block, Chart, Kind, Series};

use super::adaptive_answer::{share, tables, words};
use super::goodput::{
    BASE, EXPERIMENTS, Experiment, IDEAL, PACKET_S, ROUND_TRIPS, goodput_axis, series,
};
use super::setting::{
    GENIE, OLD_TAHOE, RENO, SEEDS_FULL, SEEDS_QUICK, Sender, Setting, measure, two_states,
};
use crate::data::{Data, Samples};
use crate::paper::{Figure, Key, Mode, Run};

pub(super) const FIGURE: Figure = Figure {
    id: "adaptive",
    title: "detection that adapts, on the axes of Figures 5 and 7",
    shows: "What the standards that came after the paper make of it: senders that find and undo \
            retransmissions without cause, or wait for late packets by the clock, beside plain Reno, \
            OldTahoe and the genie; over h without losses, over D with them, and over losses on a path \
            that does not change.",
    parameters: PARAMETERS,
    plan,
    measure,
    draw,
};

/// A way to tell late packets from lost ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach {
    pub(super) sender: Sender,
    /// It has a threshold D.
    threshold: bool,
}

const fn with_threshold(sender: Sender) -> Approach {
    Approach {
        sender,
        threshold: true,
    }
}

const fn without_threshold(sender: Sender) -> Approach {
    Approach {
        sender,
        threshold: false,
    }
}

/// All that are drawn. The genie comes first, then what the paper has.
pub(super) const APPROACHES: &[Approach] = &[
    with_threshold(GENIE),
    without_threshold(OLD_TAHOE),
    with_threshold(RENO),
    with_threshold(Sender::new(
        "Reno with Eifel",
        "recovery = \"reno\"\nspurious = \"eifel\"",
    )),
    with_threshold(Sender::new(
        "Reno with F-RTO",
        "recovery = \"reno\"\nspurious = \"f-rto\"",
    )),
    with_threshold(Sender::new(
        "Reno with D-SACK",
        "recovery = \"reno\"\nspurious = \"d-sack\"\nthreshold_adaptation = \"average\"",
    )),
    without_threshold(Sender::new("RACK-TLP", "recovery = \"rack\"")),
];

/// Detection and adaptation apart, and each law of adaptation: in tables only.
pub(super) const VARIANTS: [Sender; 7] = [
    Sender::new(
        "D-SACK, fixed D",
        "recovery = \"reno\"\nspurious = \"d-sack\"",
    ),
    Sender::new(
        "D-SACK, D + 1",
        "recovery = \"reno\"\nspurious = \"d-sack\"\nthreshold_adaptation = \"increment\"",
    ),
    Sender::new(
        "D-SACK, EWMA",
        "recovery = \"reno\"\nspurious = \"d-sack\"\nthreshold_adaptation = \"ewma\"",
    ),
    Sender::new(
        "Eifel, average",
        "recovery = \"reno\"\nspurious = \"eifel\"\nthreshold_adaptation = \"average\"",
    ),
    Sender::new(
        "NewReno, D-SACK",
        "recovery = \"new-reno\"\nspurious = \"d-sack\"\nthreshold_adaptation = \"average\"",
    ),
    Sender::new(
        "RACK without probes",
        "recovery = \"rack\"\ntail_loss_probe = false",
    ),
    Sender::new(
        "RACK-TLP with F-RTO",
        "recovery = \"rack\"\nspurious = \"f-rto\"",
    ),
];

/// What data goes over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Path {
    /// Between T₁ and T₂, with a holding time factor h.
    Jumps(f64),
    /// A round trip of (T₁ + T₂) / 2.
    Steady,
}

impl Path {
    fn delay(self) -> String {
        match self {
            Self::Jumps(h) => two_states(ROUND_TRIPS, PACKET_S, h),
            Self::Steady => {
                let mean = f64::midpoint(ROUND_TRIPS[0], ROUND_TRIPS[1]);
                format!("\"{} ms\"", ((mean - PACKET_S) * 1e3).round())
            }
        }
    }
}

pub(super) fn key(sender: &Sender, path: Path, loss: f64, threshold: u32) -> Key {
    let (name, h) = match path {
        Path::Jumps(h) => ("jumps", h),
        Path::Steady => ("steady", 0.0),
    };
    Key::new()
        .with("sender", sender.name)
        .with("path", name)
        .with("h", h)
        .with("p", loss)
        .with("D", threshold)
}

fn plan(mode: Mode) -> Vec<Run> {
    let (all_h, thresholds, losses, seeds): (&[f64], &[u32], &[f64], u64) = match mode {
        Mode::Quick => (
            &[0.1, 1.0, 10.0],
            &[1, 3, 7, 12],
            &[0.001, 0.01, 0.05],
            SEEDS_QUICK,
        ),
        Mode::Full => (
            &[0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0],
            &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
            &[0.001, 0.003, 0.01, 0.03, 0.05, 0.1],
            SEEDS_FULL,
        ),
    };
    let mut runs = Vec::new();
    let mut add = |sender: &Sender, path: Path, loss: f64, threshold: u32| {
        let place = match path {
            Path::Jumps(h) => format!("h = {h}"),
            Path::Steady => "a steady path".to_owned(),
        };
        let setting = Setting {
            figure: "adaptive",
            what: &format!("{}, {place}, p = {loss}, D = {threshold}", sender.name),
            delay: &path.delay(),
            loss,
            sender,
            threshold,
            ..BASE
        };
        runs.extend(setting.runs(&key(sender, path, loss, threshold), seeds));
    };
    let senders = || APPROACHES.iter().map(|approach| &approach.sender);
    for h in all_h {
        for sender in senders() {
            add(sender, Path::Jumps(*h), 0.0, STANDARD);
        }
    }
    for h in APART {
        for sender in &VARIANTS {
            add(sender, Path::Jumps(h), 0.0, STANDARD);
        }
    }
    for Experiment { h, loss, .. } in EXPERIMENTS {
        for Approach { sender, threshold } in APPROACHES {
            let all: &[u32] = if *threshold { thresholds } else { &[STANDARD] };
            for value in all {
                add(sender, Path::Jumps(h), loss, *value);
            }
        }
        for sender in &VARIANTS {
            add(sender, Path::Jumps(h), loss, STANDARD);
        }
    }
    for loss in losses {
        for sender in senders() {
            add(sender, Path::Steady, *loss, STANDARD);
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
    let mut of_genie = Chart::new(
        "abrupt-delay-adaptive-share",
        "The same beside the genie",
        Axis::log("holding time factor h", ""),
        Axis::linear("goodput", "% of the genie's").fitted(),
    );
    let mut over_p = Chart::new(
        "abrupt-delay-adaptive-steady",
        "Over losses on a steady path, D = 3",
        Axis::log("losses p", ""),
        Axis::linear("goodput", "% of plain Reno's").fitted(),
    );
    for Approach { sender, .. } in APPROACHES {
        let at = |h: &f64| (*h, key(sender, Path::Jumps(*h), 0.0, STANDARD));
        let points = lossless(data).iter().map(at).collect();
        over_h = over_h.with(series(data, sender.name.to_owned(), points));
        let at = |h: &f64| (*h, share(data, sender, &GENIE, Path::Jumps(*h), 0.0));
        of_genie = of_genie.with(of_samples(sender, lossless(data).iter().map(at)));
        let at = |p: &f64| (*p, share(data, sender, &RENO, Path::Steady, *p));
        over_p = over_p.with(of_samples(sender, steady(data).iter().map(at)));
    }
    let mut blocks = vec![
        Block::Paragraph(words(data)),
        Block::Chart(over_h),
        Block::Chart(of_genie),
        Block::Grid(EXPERIMENTS.iter().map(|e| over_d(data, e)).collect()),
        Block::Chart(over_p),
    ];
    blocks.extend(tables(data));
    blocks
}

fn of_samples(sender: &Sender, points: impl Iterator<Item = (f64, Samples)>) -> Series {
    let estimates = points.filter_map(|(x, samples)| Some((x, samples.estimate()?)));
    let (points, intervals) = estimates.map(|(x, y)| ((x, y.mean), y.ends())).unzip();
    Series::new(sender.name, Kind::Line, points).interval(intervals)
}

/// Goodput over the threshold; what has none is level.
fn over_d(data: &Data, experiment: &Experiment) -> Block {
    let Experiment { name, h, loss } = *experiment;
    let mut chart = Chart::new(
        format!("abrupt-delay-adaptive-{name}"),
        format!("{name}: h = {h}, p = {loss}"),
        Axis::linear("threshold D", "duplicate ACKs").range(0.0, 13.0),
        goodput_axis(),
    );
    let mut thresholds = data.numbers("D");
    thresholds.sort_by(f64::total_cmp);
    for Approach { sender, threshold } in APPROACHES {
        let of = |d: f64| key(sender, Path::Jumps(h), loss, d as u32);
        let points = if *threshold {
            thresholds.iter().map(|d| (*d, of(*d))).collect()
        } else {
            let ends = [thresholds.first(), thresholds.last()];
            let level = |d: &f64| (*d, of(f64::from(STANDARD)));
            ends.into_iter().flatten().map(level).collect()
        };
        chart = chart.with(series(data, sender.name.to_owned(), points));
    }
    Block::Chart(chart)
}

/// Every h at which all run without losses.
pub(super) fn lossless(data: &Data) -> Vec<f64> {
    let mut all = data.numbers("h");
    all.retain(|h| {
        let point = key(&GENIE, Path::Jumps(*h), 0.0, STANDARD);
        data.point(&point).is_some()
    });
    all.sort_by(f64::total_cmp);
    all
}

/// Every p on the steady path.
pub(super) fn steady(data: &Data) -> Vec<f64> {
    let mut all = data.numbers("p");
    all.retain(|p| {
        let point = key(&GENIE, Path::Steady, *p, STANDARD);
        data.point(&point).is_some()
    });
    all.sort_by(f64::total_cmp);
    all
}

/// The threshold D of RFC 5681.
pub(super) const STANDARD: u32 = 3;
/// h at which detection and adaptation are taken apart: often, now and then, seldom.
pub(super) const APART: [f64; 3] = [0.1, 1.0, 10.0];

const PARAMETERS: &[(&str, &str)] = &[
    ("path and sender", "as in Figures 5 and 7"),
    (
        "genie",
        "Reno that is told what is lost: it answers duplicate ACKs and timeouts as Reno does where \
         a packet is lost, and never where it is late",
    ),
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
        "D-SACK",
        "RFC 3708: all that was sent again is reported to have arrived twice. Each fast retransmit so \
         found takes D half of the way to what the reordering would have needed, to the packets out but \
         one at most; a timeout takes D back unless it is found to have had no cause. D on the axes is \
         where it starts",
    ),
    (
        "RACK-TLP",
        "RFC 8985: a packet is lost when one sent later has arrived and it is overdue by a reordering \
         window, which D-SACK widens; repair by SACK, and a probe before the timeout. D = 3 counts only \
         until packets were seen out of order",
    ),
    (
        "in the tables",
        "\"fixed D\" undoes and does not adapt; \"D + 1\", \"average\" (half of the way) and \"EWMA\" (a \
         quarter of the way) are the laws of adaptation, \"average\" being that of Reno with D-SACK",
    ),
    (
        "steady path",
        "a round trip of 0.2 s, the mean of the other two",
    ),
    (
        "losses",
        "each data packet by itself, as it leaves the link",
    ),
    ("duration", "1000 s; ten seeds (three in the quick form)"),
];
