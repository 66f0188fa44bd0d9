//! TFRC against TFWC on one bottleneck, without TCP. Planned in the report (appendix C.1.3), not in
//! its figures.

use experiments::simulation::Outcome;
use results::page::{Along, Axis, Block, Chart, Kind, Series};

use super::setting::{Flows, Media, Network, QUEUES, Queue, product};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Run};

/// TFRC against TFWC.
pub(super) const ALONE: Figure = Figure {
    id: "alone",
    title: "TFRC against TFWC, without TCP",
    shows: "TFWC's part of the goodput of n flows of TFRC and n of TFWC, over the bandwidth. Both have \
            the same equation: 0.5 is fair.",
    parameters: &[
        (
            "flows",
            "1, 4 and 16 of each (report: 1, 4 and many); TFRC as RFC 5348 and as ns-2.35 have it",
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
            "150 s (quick form: 80 s); the first 20 s are left out",
        ),
    ],
    plan,
    measure,
    draw,
};

pub(super) const TFRC: [Media; 2] = [Media::Tfrc, Media::TfrcNs2];
/// TFWC's part of the goodput.
pub(super) const PART: &str = "tfwc_part";
const MBPS_FULL: [f64; 6] = [0.5, 1.0, 2.0, 4.0, 6.0, 10.0];
const MBPS_QUICK: [f64; 2] = [0.5, 2.0];
pub(super) const EACH: [u32; 3] = [1, 4, 16];

pub(super) fn key(tfrc: Media, queue: &str, each: u32, mbps: f64) -> Key {
    Key::new()
        .with("tfrc", tfrc.name())
        .with("queue", queue)
        .with("flows", each)
        .with("mbps", mbps)
}

fn plan(mode: Mode) -> Vec<Run> {
    let (all_mbps, seeds, duration_s): (&[f64], u64, u32) = match mode {
        Mode::Quick => (&MBPS_QUICK, 3, 80),
        Mode::Full => (&MBPS_FULL, 10, 150),
    };
    let mut runs = Vec::new();
    for tfrc in TFRC {
        for queue in QUEUES {
            for each in EACH {
                for mbps in all_mbps {
                    let limit = product(*mbps);
                    let waits = Queue::named(queue, limit, 2 * each);
                    let network = Network::short(*mbps, waits, duration_s);
                    let flows = [tfrc, Media::Tfwc]
                        .map(|media| Flows::new(media, each, (1, 10)).dithered(8.0 / mbps));
                    runs.extend((1..=seeds).map(|seed| Run {
                        key: key(tfrc, queue, each, *mbps),
                        seed,
                        scenario: network.scenario("alone", seed, &flows, ""),
                        work: network.packets(),
                    }));
                }
            }
        }
    }
    runs
}

fn measure(outcome: &Outcome) -> Measured {
    let [tfrc, tfwc] = &outcome.summary.groups[..] else {
        return Measured::default();
    };
    let bottleneck = &outcome.summary.links[0];
    let all = tfrc.goodput_bps + tfwc.goodput_bps;
    Measured::default()
        .value(PART, (all > 0.0).then(|| tfwc.goodput_bps / all))
        .value("tfrc_mbps", tfrc.goodput_bps / 1e6)
        .value("tfwc_mbps", tfwc.goodput_bps / 1e6)
        .value("utilization", bottleneck.utilization)
        .value("drop_rate", bottleneck.drop_rate)
}

fn draw(data: &Data) -> Vec<Block> {
    let mut charts = Vec::new();
    for tfrc in TFRC {
        for queue in QUEUES {
            let slug = key(tfrc, queue, 0, 0.0).slug();
            let mut chart = Chart::new(
                format!("tfwc-alone-{slug}"),
                format!("TFWC beside {}, {queue}", tfrc.name()),
                Axis::log("bottleneck", "Mb/s"),
                Axis::linear("TFWC's part", "").range(0.0, 1.0),
            )
            .line(Along::Y, 0.5, "fair");
            for each in EACH {
                let (mut points, mut intervals) = (Vec::new(), Vec::new());
                for mbps in data.numbers("mbps") {
                    let samples = data.samples(&key(tfrc, queue, each, mbps), PART);
                    if let Some(part) = samples.estimate() {
                        points.push((mbps, part.mean));
                        intervals.push(part.ends());
                    }
                }
                let name = format!("{each} of each");
                chart = chart.with(Series::new(name, Kind::Line, points).interval(intervals));
            }
            charts.push(Block::Chart(chart));
        }
    }
    vec![Block::Grid(charts)]
}
