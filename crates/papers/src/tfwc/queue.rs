//! Queue dynamics: what waits at the bottleneck under each protocol and under mixes, with drop-tail
//! and RED. Planned in the report; its §6.3 has a remark on it.

use experiments::metrics::Moments;
use experiments::simulation::Outcome;
use results::page::{Axis, Block, Cell, Chart, Column, Kind, Series, Table};

use super::measure::refused;
use super::setting::{Flows, Media, Network, QUEUES, Queue, record};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Run};

/// Queue dynamics.
pub(super) const QUEUE: Figure = Figure {
    id: "queue",
    title: "queue dynamics",
    shows: "What waits at the bottleneck over time, its mean and deviation, and what is lost, for twelve \
            flows of one protocol and of several.",
    parameters: &[
        (
            "bottleneck",
            "15 Mb/s, 20 ms; access 50 Mb/s, 0.5 to 5 ms on each side, drawn: as in Figure 6.9",
        ),
        (
            "queue",
            "40 packets; drop-tail, or RED, gentle, thresholds 6.7 and 20 packets, weight automatic",
        ),
        (
            "flows",
            "twelve: of one protocol, six and six, or four and four and four; TCP is SACK as in \
             ns-2.35, TFRC RFC 5348",
        ),
        (
            "dither",
            "TCP and TFWC wait up to 0.53 ms, one packet's time",
        ),
        (
            "deviation",
            "of the number of packets waiting, sampled each 50 ms; the mean is over all time",
        ),
        (
            "duration",
            "100 s (quick form: 40 s); the first 20 s are left out",
        ),
    ],
    plan,
    measure,
    draw,
};

/// Names and protocols.
pub(super) const MIXES: [(&str, &[Media]); 6] = [
    ("TCP", &[Media::Tcp]),
    ("TFRC", &[Media::Tfrc]),
    ("TFWC", &[Media::Tfwc]),
    ("TCP + TFRC", &[Media::Tcp, Media::Tfrc]),
    ("TCP + TFWC", &[Media::Tcp, Media::Tfwc]),
    ("all three", &[Media::Tcp, Media::Tfrc, Media::Tfwc]),
];
pub(super) const DEVIATION: &str = "queue_sd_packets";
const MEAN: &str = "queue_mean_packets";
const LOSS: &str = "loss_rate";
const UTILIZATION: &str = "utilization";
const CURVE: &str = "queue_packets";
const FLOWS: u32 = 12;
const LIMIT: u32 = 40;
const MBPS: f64 = 15.0;
/// The part of a run whose queue is drawn.
const SHOWN_S: (f64, f64) = (30.0, 40.0);

pub(super) fn key(mix: &str, queue: &str) -> Key {
    Key::new().with("queue", queue).with("mix", mix)
}

fn plan(mode: Mode) -> Vec<Run> {
    let (seeds, duration_s) = match mode {
        Mode::Quick => (3, 40),
        Mode::Full => (10, 100),
    };
    let mut runs = Vec::new();
    for queue in QUEUES {
        let waits = Queue::named(queue, LIMIT, FLOWS);
        let network = Network::long(MBPS, waits, duration_s);
        for (mix, protocols) in MIXES {
            let each = FLOWS / protocols.len() as u32;
            let group = |media: &Media| Flows::new(*media, each, (0, 5)).dithered(8.0 / MBPS);
            let flows: Vec<Flows> = protocols.iter().map(group).collect();
            let record = record("50 ms");
            runs.extend((1..=seeds).map(|seed| Run {
                key: key(mix, queue),
                seed,
                scenario: network.scenario("queue", seed, &flows, &record),
                work: network.packets(),
            }));
        }
    }
    runs
}

fn measure(outcome: &Outcome) -> Measured {
    let summary = &outcome.summary;
    let bottleneck = outcome.recording.links.iter();
    let bottleneck = bottleneck.filter(|sample| sample.link == 0);
    let samples: Vec<(f64, f64)> = bottleneck
        .filter(|sample| sample.time_s > summary.warmup_s)
        .map(|sample| (sample.time_s, sample.queue_packets as f64))
        .collect();
    let mut moments = Moments::default();
    for (_, packets) in &samples {
        moments.add(*packets);
    }
    let shown = |(at, _): &(f64, f64)| *at > SHOWN_S.0 && *at <= SHOWN_S.1;
    Measured::default()
        .value(MEAN, summary.links[0].queue_mean_packets)
        .value(DEVIATION, moments.standard_deviation())
        .value(LOSS, refused(outcome, summary.warmup_s, summary.duration_s))
        .value(UTILIZATION, summary.links[0].utilization)
        .curve(CURVE, samples.into_iter().filter(shown).collect())
}

fn draw(data: &Data) -> Vec<Block> {
    let traces = |queue: &str| {
        MIXES
            .iter()
            .map(|(mix, _)| {
                let point = key(mix, queue);
                let first = data.point(&point).and_then(|point| point.runs.first());
                let curve = first.and_then(|(_, run)| run.curves.get(CURVE)).cloned();
                Block::Chart(
                    Chart::new(
                        format!("tfwc-queue-{}", point.slug()),
                        format!("{mix}, {queue}, seed 1"),
                        Axis::linear("time", "s").range(SHOWN_S.0, SHOWN_S.1),
                        Axis::linear("waiting", "packets").range(0.0, f64::from(LIMIT)),
                    )
                    .group(format!("tfwc-queue-{}", key("", queue).slug()))
                    .with(Series::new(
                        *mix,
                        Kind::Line,
                        curve.unwrap_or_default(),
                    )),
                )
            })
            .collect()
    };
    let mut table = Table::new(
        "After the warm-up: means over the seeds, with 95 % confidence intervals",
        vec![
            Column::text("queue"),
            Column::text("flows"),
            Column::number("mean waiting", "packets"),
            Column::number("deviation", "packets"),
            Column::number("loss rate", ""),
            Column::number("utilization", ""),
        ],
    );
    for point in &data.points {
        let word = |axis| Cell::from(point.key.word(axis).unwrap_or_default());
        let mut row = vec![word("queue"), word("mix")];
        for name in [MEAN, DEVIATION, LOSS, UTILIZATION] {
            row.push(point.samples(name).cell());
        }
        table.rows.push(row);
    }
    let bars = |name: &str, title: &str, axis: Axis| {
        let mut chart = Chart::new(
            format!("tfwc-queue-{}", name.replace('_', "-")),
            title,
            Axis::category("", "", MIXES.map(|(mix, _)| mix)),
            axis,
        );
        for queue in QUEUES {
            let (mut points, mut intervals) = (Vec::new(), Vec::new());
            for (at, (mix, _)) in MIXES.iter().enumerate() {
                if let Some(estimate) = data.samples(&key(mix, queue), name).estimate() {
                    points.push((at as f64, estimate.mean));
                    intervals.push(estimate.ends());
                }
            }
            chart = chart.with(Series::new(queue, Kind::Bars, points).interval(intervals));
        }
        Block::Chart(chart)
    };
    let mut blocks = vec![Block::Grid(vec![
        bars(MEAN, "Mean queue", Axis::linear("mean", "packets")),
        bars(
            DEVIATION,
            "Deviation of the queue",
            Axis::linear("deviation", "packets"),
        ),
        bars(LOSS, "Packets refused", Axis::linear("loss rate", "")),
    ])];
    blocks.extend(QUEUES.map(|queue| Block::Grid(traces(queue))));
    blocks.push(Block::Table(table));
    blocks
}
