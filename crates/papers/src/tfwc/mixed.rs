//! TCP, TFRC and TFWC together on one bottleneck: who gets what, and how smoothly. Planned in the
//! report, not in its figures.

use experiments::metrics::Moments;
use experiments::page::{Axis, Block, Chart, Kind, Series};
use experiments::simulation::Outcome;

use super::setting::{Flows, Media, Network, Queue};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Run};

/// Mixed traffic.
pub(super) const MIXED: Figure = Figure {
    id: "mixed",
    title: "TCP, TFRC and TFWC on one bottleneck",
    shows: "What four flows of each get of the fair share, over the bandwidth; and how much a flow's \
            goodput varies, over the length of time in which it is counted: the coefficient of \
            variation (CoV), its standard deviation over its mean.",
    parameters: &[
        (
            "flows",
            "four each of TCP SACK (ns-2.35), TFRC (RFC 5348) and TFWC",
        ),
        (
            "queue",
            "drop-tail, a bandwidth-delay product, at least 5 packets",
        ),
        (
            "all else",
            "as in Figure 6.7, without reverse traffic, with random waiting times",
        ),
        ("CoV", "after the warm-up, the mean over a protocol's flows"),
    ],
    plan,
    measure,
    draw,
};

const MEDIA: [Media; 3] = [Media::Tcp, Media::Tfrc, Media::Tfwc];
const EACH: u32 = 4;
const MBPS_FULL: [f64; 7] = [0.5, 1.0, 2.0, 4.0, 6.0, 10.0, 20.0];
const MBPS_QUICK: [f64; 3] = [1.0, 2.0, 6.0];
/// Where smoothness is shown.
const SHOWN_MBPS: [f64; 2] = [1.0, 6.0];
/// Lengths of time in samples of half a second.
const SLOTS: [usize; 5] = [1, 2, 4, 10, 20];
const SAMPLE_S: f64 = 0.5;

fn key(mbps: f64) -> Key {
    Key::new().with("mbps", mbps)
}

fn share(media: Media) -> String {
    format!("{} share", media.name())
}

fn smoothness(media: Media) -> String {
    format!("{} CoV", media.name())
}

fn plan(mode: Mode) -> Vec<Run> {
    let (all_mbps, seeds, duration_s): (&[f64], u64, u32) = match mode {
        Mode::Quick => (&MBPS_QUICK, 3, 100),
        Mode::Full => (&MBPS_FULL, 10, 200),
    };
    let mut runs = Vec::new();
    for mbps in all_mbps {
        let network = Network {
            mbps: *mbps,
            delay_ms: 10.0,
            queue: Queue::DropTail(((0.022 * mbps * 1e6 / 8_000.0).round() as u32).max(5)),
            access_mbps: 50,
            access_ms: (0.5, 2.0),
            duration_s,
            warmup_s: 20,
        };
        let flows = MEDIA.map(|media| Flows::new(media, EACH, (1, 10)).dithered(8.0 / mbps));
        let record = "\n[record]\nevery = \"500 ms\"\n";
        runs.extend((1..=seeds).map(|seed| Run {
            key: key(*mbps),
            seed,
            scenario: network.scenario("mixed", seed, &flows, record),
            work: network.packets(),
        }));
    }
    runs
}

fn measure(outcome: &Outcome) -> Measured {
    let summary = &outcome.summary;
    let total: f64 = summary.groups.iter().map(|group| group.goodput_bps).sum();
    let mut measured = Measured::default();
    for media in MEDIA {
        let of_media = |label: &str| label == media.name();
        let goodput = summary.groups.iter().find(|group| of_media(&group.label));
        let parts = MEDIA.len() as f64;
        let of_fair = goodput.map(|group| parts * group.goodput_bps / total);
        measured = measured.value(&share(media), of_fair);
        let flows = (0..)
            .zip(&summary.flows)
            .filter(|(_, flow)| of_media(&flow.label));
        let goodputs: Vec<Vec<f64>> = flows.map(|(number, _)| goodputs(outcome, number)).collect();
        let curve = SLOTS.iter().filter_map(|slot| {
            let mut mean = Moments::default();
            for variation in goodputs.iter().filter_map(|flow| variation(flow, *slot)) {
                mean.add(variation);
            }
            Some((*slot as f64 * SAMPLE_S, mean.mean()?))
        });
        measured = measured.curve(&smoothness(media), curve.collect());
    }
    measured
}

/// A flow's goodput at each sample after the warm-up.
fn goodputs(outcome: &Outcome, flow: u32) -> Vec<f64> {
    let samples = outcome.recording.flows.iter();
    samples
        .filter(|sample| sample.flow == flow && sample.time_s > outcome.summary.warmup_s)
        .map(|sample| sample.goodput_bps)
        .collect()
}

/// The coefficient of variation of means over `slot` values each; none where nothing arrived.
fn variation(values: &[f64], slot: usize) -> Option<f64> {
    let mut moments = Moments::default();
    for part in values.chunks_exact(slot) {
        moments.add(part.iter().sum::<f64>() / slot as f64);
    }
    let mean = moments.mean().filter(|mean| *mean > 0.0)?;
    Some(moments.standard_deviation()? / mean)
}

fn draw(data: &Data) -> Vec<Block> {
    let mut shares = Chart::new(
        "tfwc-mixed-shares",
        "Goodput of four flows over their fair share",
        Axis::log("bottleneck", "Mb/s"),
        Axis::linear("goodput / fair share", "").range(0.0, 3.0),
    );
    for media in MEDIA {
        let (mut points, mut intervals) = (Vec::new(), Vec::new());
        for mbps in data.numbers("mbps") {
            if let Some(estimate) = data.samples(&key(mbps), &share(media)).estimate() {
                points.push((mbps, estimate.mean));
                intervals.push(estimate.ends());
            }
        }
        shares = shares.with(Series::new(media.name(), Kind::Line, points).interval(intervals));
    }
    let smooth = |mbps: f64| {
        let mut chart = Chart::new(
            format!("tfwc-mixed-smoothness-{mbps}"),
            format!("Variation of a flow's goodput at {mbps} Mb/s"),
            Axis::log("counted over", "s"),
            Axis::linear("CoV", ""),
        );
        for media in MEDIA {
            let point = data.point(&key(mbps));
            let curve = point.map(|point| point.curve(&smoothness(media)));
            let curve = curve.unwrap_or_default().into_iter();
            let points = curve.map(|(at, estimate)| (at, estimate.mean)).collect();
            chart = chart.with(Series::new(media.name(), Kind::Line, points));
        }
        Block::Chart(chart)
    };
    let mut blocks = vec![Block::Chart(shares)];
    blocks.push(Block::Grid(SHOWN_MBPS.into_iter().map(smooth).collect()));
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Halves 1, 3, 1, 3: mean 2, deviation √(4/3), coefficient of variation 0.577; in pairs all are 2.
    #[test]
    fn variation_shrinks_with_the_length_it_is_counted_over() {
        let values = [1.0, 3.0, 1.0, 3.0];
        let fine = variation(&values, 1).unwrap();
        assert!((fine - 0.577_35).abs() < 1e-5, "{fine}");
        assert_eq!(variation(&values, 2), Some(0.0));
        assert_eq!(variation(&[0.0, 0.0], 1), None);
    }
}
