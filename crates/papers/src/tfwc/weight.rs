//! Figure 6.9: RED's average queue over its weight, for flows of one protocol.

use experiments::metrics::Moments;
use experiments::simulation::Outcome;
use results::page::{Axis, Block, Chart, Dash, Kind, Series};

use super::setting::{Flows, Media, Network, Queue, record};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Run};

/// Figure 6.9.
pub(super) const FIGURE_6_9: Figure = Figure {
    id: "6.9",
    title: "RED's average queue over its weight",
    shows: "Mean, least and greatest of RED's average queue as its weight w_q grows, for flows of TCP, \
            of TFRC and of TFWC.",
    parameters: &[
        ("bottleneck", "15 Mb/s, 20 ms (the author's scripts)"),
        (
            "access links",
            "50 Mb/s, 0.5 to 5 ms on each side, drawn (the author's scripts)",
        ),
        (
            "queue",
            "RED, gentle, 40 packets, thresholds 6.7 and 20 packets",
        ),
        (
            "flows",
            "four of one protocol (open in the report); nothing the other way",
        ),
        (
            "dither",
            "TCP and TFWC wait up to 0.53 ms, one packet's time",
        ),
        (
            "duration",
            "80 s (quick form: 50 s); from 20 s on, each 50 ms",
        ),
        ("weight", "0.0001 to 0.5 (the author's scripts: 0 to 1)"),
    ],
    plan,
    measure,
    draw,
};

pub(super) const MEDIA: [Media; 3] = [Media::Tcp, Media::Tfrc, Media::Tfwc];
pub(super) const MEAN: &str = "average_queue_mean_packets";
pub(super) const RANGE: &str = "average_queue_range_packets";
const LEAST: &str = "average_queue_least_packets";
const GREATEST: &str = "average_queue_greatest_packets";
const WEIGHTS_FULL: [f64; 12] = [
    0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5,
];
const WEIGHTS_QUICK: [f64; 4] = [0.0001, 0.001, 0.01, 0.1];

pub(super) fn key(media: Media, weight: f64) -> Key {
    Key::new()
        .with("protocol", media.name())
        .with("weight", weight)
}

fn plan(mode: Mode) -> Vec<Run> {
    let (weights, seeds, duration_s): (&[f64], u64, u32) = match mode {
        Mode::Quick => (&WEIGHTS_QUICK, 3, 50),
        Mode::Full => (&WEIGHTS_FULL, 10, 80),
    };
    let mut runs = Vec::new();
    for media in MEDIA {
        for weight in weights {
            let queue = Queue::Weight {
                limit: 40,
                flows: 4,
                weight: *weight,
            };
            let network = Network::long(15.0, queue, duration_s);
            let flows = [Flows::new(media, 4, (0, 1)).dithered(8.0 / 15.0)];
            runs.extend((1..=seeds).map(|seed| Run {
                key: key(media, *weight),
                seed,
                scenario: network.scenario("6.9", seed, &flows, &record("50 ms")),
                work: network.packets(),
            }));
        }
    }
    runs
}

fn measure(outcome: &Outcome) -> Measured {
    let mut moments = Moments::default();
    let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
    for sample in &outcome.recording.variables {
        if sample.name == "average_packets" && sample.time_s > outcome.summary.warmup_s {
            moments.add(sample.value);
            least = least.min(sample.value);
            greatest = greatest.max(sample.value);
        }
    }
    let some = |value: f64| value.is_finite().then_some(value);
    Measured::default()
        .value(MEAN, moments.mean())
        .value(LEAST, some(least))
        .value(GREATEST, some(greatest))
        .value(RANGE, some(greatest - least))
        .value("utilization", outcome.summary.links[0].utilization)
}

fn draw(data: &Data) -> Vec<Block> {
    let chart = |media: Media| {
        let mut chart = Chart::new(
            format!("tfwc-6.9-{}", media.name().to_lowercase()),
            format!("Four flows of {}", media.name()),
            Axis::log("weight w_q", ""),
            Axis::linear("average queue", "packets").range(0.0, 40.0),
        );
        for (name, value) in [("mean", MEAN), ("least", LEAST), ("greatest", GREATEST)] {
            let points = data.numbers("weight").into_iter().filter_map(|weight| {
                let estimate = data.samples(&key(media, weight), value).estimate()?;
                Some((weight, estimate.mean))
            });
            let series = Series::new(name, Kind::Line, points.collect());
            chart = chart.with(if value == MEAN {
                series
            } else {
                series.dash(Dash::Dotted)
            });
        }
        Block::Chart(chart)
    };
    vec![Block::Grid(MEDIA.into_iter().map(chart).collect())]
}
