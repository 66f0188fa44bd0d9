//! TCP, TFRC and TFWC together on one bottleneck: who gets what. Planned in the report, not in its
//! figures.

use experiments::simulation::Outcome;
use results::page::{Along, Axis, Block, Chart, Kind, Series};

use super::setting::{Flows, Media, Network, QUEUES, Queue, product};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Run};

/// Mixed traffic.
pub(super) const MIXED: Figure = Figure {
    id: "mixed",
    title: "TCP, TFRC and TFWC on one bottleneck",
    shows: "What four flows of each get of the fair share, over the bandwidth; the same with TFWC \
            without its rate mode, and with TCP by the RFCs.",
    parameters: &[
        (
            "flows",
            "four each of TCP SACK (ns-2.35), TFRC (RFC 5348) and TFWC",
        ),
        (
            "queue",
            "drop-tail, a bandwidth-delay product, at least 5 packets; RED as in Figure 6.8",
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

pub(super) const MEDIA: [Media; 3] = [Media::Tcp, Media::Tfrc, Media::Tfwc];
/// Variants, and what runs in place of what.
pub(super) const VARIANTS: [(&str, Option<(Media, Media)>); 3] = [
    ("TCP as in ns-2", None),
    (
        "TFWC without rate mode",
        Some((Media::Tfwc, Media::TfwcWindow)),
    ),
    ("TCP by the RFCs", Some((Media::Tcp, Media::TcpRfc))),
];
const EACH: u32 = 4;
const MBPS_FULL: [f64; 7] = [0.5, 1.0, 2.0, 4.0, 6.0, 10.0, 20.0];
const MBPS_QUICK: [f64; 3] = [1.0, 2.0, 6.0];

pub(super) fn key(variant: &str, queue: &str, mbps: f64) -> Key {
    Key::new()
        .with("variant", variant)
        .with("queue", queue)
        .with("mbps", mbps)
}

/// Name of a protocol's goodput over its fair share.
pub(super) fn share(media: Media) -> String {
    format!("{}_share", media.id())
}

fn plan(mode: Mode) -> Vec<Run> {
    let (all_mbps, seeds, duration_s): (&[f64], u64, u32) = match mode {
        Mode::Quick => (&MBPS_QUICK, 3, 100),
        Mode::Full => (&MBPS_FULL, 10, 200),
    };
    let mut runs = Vec::new();
    let points = VARIANTS
        .into_iter()
        .flat_map(|variant| QUEUES.map(|queue| (variant, queue)));
    for ((variant, replaced), queue) in points {
        for mbps in all_mbps {
            let limit = product(*mbps);
            let waits = Queue::named(queue, limit, 3 * EACH);
            let network = Network::short(*mbps, waits, duration_s);
            let flows = MEDIA.map(|media| {
                let other = replaced.filter(|(one, _)| *one == media);
                Flows::new(other.map_or(media, |(_, other)| other), EACH, (1, 10))
                    .called(media.name())
                    .dithered(8.0 / mbps)
            });
            runs.extend((1..=seeds).map(|seed| Run {
                key: key(variant, queue, *mbps),
                seed,
                scenario: network.scenario("mixed", seed, &flows, ""),
                work: network.packets(),
            }));
        }
    }
    runs
}

fn measure(outcome: &Outcome) -> Measured {
    let groups = &outcome.summary.groups;
    let total: f64 = groups.iter().map(|group| group.goodput_bps).sum();
    let parts = MEDIA.len() as f64;
    MEDIA.iter().fold(Measured::default(), |measured, media| {
        let group = groups.iter().find(|group| group.label == media.name());
        let of_fair = group.map(|group| parts * group.goodput_bps / total);
        measured.value(&share(*media), of_fair)
    })
}

fn draw(data: &Data) -> Vec<Block> {
    let chart = |(variant, queue): (&str, &str)| {
        let mut chart = Chart::new(
            format!("tfwc-mixed-{}", key(variant, queue, 0.0).slug()),
            format!("Goodput over the fair share: {variant}, {queue}"),
            Axis::log("bottleneck", "Mb/s"),
            Axis::linear("goodput / fair share", "").range(0.0, 3.0),
        )
        .line(Along::Y, 1.0, "fair");
        for media in MEDIA {
            let (mut points, mut intervals) = (Vec::new(), Vec::new());
            for mbps in data.numbers("mbps") {
                if let Some(estimate) = data
                    .samples(&key(variant, queue, mbps), &share(media))
                    .estimate()
                {
                    points.push((mbps, estimate.mean));
                    intervals.push(estimate.ends());
                }
            }
            chart = chart.with(Series::new(media.name(), Kind::Line, points).interval(intervals));
        }
        Block::Chart(chart)
    };
    let panels = VARIANTS
        .into_iter()
        .flat_map(|(variant, _)| QUEUES.map(|queue| (variant, queue)));
    vec![Block::Grid(panels.map(chart).collect())]
}
