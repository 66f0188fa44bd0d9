//! How evenly each protocol sends, by the length of time over which it is counted. Planned in the
//! report, not in its figures.

use experiments::metrics::Moments;
use experiments::simulation::Outcome;
use results::page::{Axis, Block, Chart, Kind, Series};

use super::measure::{rates, variation};
use super::setting::{Flows, Media, Network, QUEUES, Queue, product, record};
use crate::data::{Data, Measured, Samples};
use crate::paper::{Figure, Key, Mode, Run};

/// Smoothness.
pub(super) const SMOOTHNESS: Figure = Figure {
    id: "smoothness",
    title: "how evenly TCP, TFRC and TFWC send",
    shows: "The coefficient of variation (CoV) of what a flow sends, its standard deviation over its \
            mean, over the length of time in which it is counted; lower is smoother. Each protocol by \
            itself, beside as much TCP, and all three together.",
    parameters: &[
        (
            "flows",
            "twelve: of one protocol; six of TCP and six others; four of each",
        ),
        (
            "CoV",
            "of the sending rate after the warm-up, as the mean over the protocol's flows",
        ),
        (
            "queue",
            "drop-tail, a bandwidth-delay product, at least 5 packets; RED as in Figure 6.8",
        ),
        (
            "TFRC",
            "RFC 5348; (ns-2): the agent of ns-2.35; TCP is SACK as in ns-2.35",
        ),
        (
            "all else",
            "as in Figure 6.7, without reverse traffic, with dither",
        ),
        (
            "duration",
            "200 s (quick form: 100 s); the first 20 s are left out",
        ),
    ],
    plan,
    measure,
    draw,
};

/// Who shares the bottleneck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mix {
    Alone(Media),
    BesideTcp(Media),
    All,
}

impl Mix {
    fn groups(self) -> Vec<(Media, u32)> {
        match self {
            Self::Alone(media) => vec![(media, 12)],
            Self::BesideTcp(media) => vec![(Media::Tcp, 6), (media, 6)],
            Self::All => [Media::Tcp, Media::Tfrc, Media::Tfwc]
                .map(|media| (media, 4))
                .to_vec(),
        }
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Alone(media) => media.name().to_owned(),
            Self::BesideTcp(media) => format!("TCP and {}", media.name()),
            Self::All => "all three".to_owned(),
        }
    }
}

const MIXES: [Mix; 8] = [
    Mix::Alone(Media::Tcp),
    Mix::Alone(Media::Tfrc),
    Mix::Alone(Media::TfrcNs2),
    Mix::Alone(Media::Tfwc),
    Mix::BesideTcp(Media::Tfrc),
    Mix::BesideTcp(Media::TfrcNs2),
    Mix::BesideTcp(Media::Tfwc),
    Mix::All,
];
pub(super) const MBPS: [f64; 2] = [1.0, 6.0];
const FLOWS: u32 = 12;
const SAMPLE_S: f64 = 0.5;
/// Lengths of time in samples of half a second.
pub(super) const SLOTS: [usize; 5] = [1, 2, 4, 10, 20];

pub(super) fn key(mix: Mix, queue: &str, mbps: f64) -> Key {
    Key::new()
        .with("mix", mix.name().as_str())
        .with("queue", queue)
        .with("mbps", mbps)
}

/// Name of a protocol's variation over so many samples.
pub(super) fn cov(media: Media, slot: usize) -> String {
    format!("{}_cov_{}_s", media.id(), slot_s(slot))
}

pub(super) fn slot_s(slot: usize) -> f64 {
    slot as f64 * SAMPLE_S
}

fn plan(mode: Mode) -> Vec<Run> {
    let (queues, seeds, duration_s): (&[&str], u64, u32) = match mode {
        Mode::Quick => (&QUEUES[..1], 3, 100),
        Mode::Full => (&QUEUES, 10, 200),
    };
    let mut runs = Vec::new();
    for mix in MIXES {
        for queue in queues {
            for mbps in MBPS {
                let limit = product(mbps);
                let waits = Queue::named(queue, limit, FLOWS);
                let network = Network::short(mbps, waits, duration_s);
                let flows: Vec<Flows> = mix
                    .groups()
                    .into_iter()
                    .map(|(media, count)| Flows::new(media, count, (1, 10)).dithered(8.0 / mbps))
                    .collect();
                let record = record("500 ms");
                runs.extend((1..=seeds).map(|seed| Run {
                    key: key(mix, queue, mbps),
                    seed,
                    scenario: network.scenario("smoothness", seed, &flows, &record),
                    work: network.packets(),
                }));
            }
        }
    }
    runs
}

fn measure(outcome: &Outcome) -> Measured {
    let mut measured = Measured::default();
    for media in PROTOCOLS {
        let flows = (0..)
            .zip(&outcome.summary.flows)
            .filter(|(_, flow)| flow.label == media.name());
        let sent: Vec<Vec<f64>> = flows
            .map(|(number, _)| rates(outcome, number, |flow| flow.throughput_bps))
            .collect();
        for slot in SLOTS {
            let mut mean = Moments::default();
            for variation in sent.iter().filter_map(|flow| variation(flow, slot)) {
                mean.add(variation);
            }
            measured = measured.value(&cov(media, slot), mean.mean());
        }
    }
    measured
}

const PROTOCOLS: [Media; 4] = [Media::Tcp, Media::Tfrc, Media::TfrcNs2, Media::Tfwc];

fn line(name: &str, of: impl Fn(usize) -> Samples) -> Series {
    let (mut points, mut intervals) = (Vec::new(), Vec::new());
    for slot in SLOTS {
        if let Some(estimate) = of(slot).estimate() {
            points.push((slot_s(slot), estimate.mean));
            intervals.push(estimate.ends());
        }
    }
    Series::new(name, Kind::Line, points).interval(intervals)
}

fn draw(data: &Data) -> Vec<Block> {
    let mut blocks = Vec::new();
    for queue in QUEUES {
        let mut charts = Vec::new();
        for mbps in MBPS {
            if data.point(&key(Mix::All, queue, mbps)).is_none() {
                continue; // the quick form has one queue
            }
            let of = |mix: Mix, media: Media| {
                line(media.name(), |slot| {
                    data.samples(&key(mix, queue, mbps), &cov(media, slot))
                })
            };
            let chart = |part: &str, title: &str| {
                let id = format!(
                    "tfwc-smoothness-{part}-{}",
                    key(Mix::All, queue, mbps).slug()
                );
                let axis = Axis::linear("CoV of the sending rate", "");
                Chart::new(
                    id,
                    format!("{title}: {mbps} Mb/s, {queue}"),
                    Axis::log("counted over", "s"),
                    axis,
                )
            };
            let mut alone = chart("alone", "Twelve flows of one protocol");
            for media in PROTOCOLS {
                alone = alone.with(of(Mix::Alone(media), media));
            }
            let mut beside = chart("beside", "Six flows beside six of TCP");
            for media in &PROTOCOLS[1..] {
                beside = beside.with(of(Mix::BesideTcp(*media), *media));
            }
            let mut all = chart("all", "Four flows of each");
            for (media, _) in Mix::All.groups() {
                all = all.with(of(Mix::All, media));
            }
            charts.extend([alone, beside, all].map(Block::Chart));
        }
        if !charts.is_empty() {
            blocks.push(Block::Grid(charts));
        }
    }
    blocks
}
