//! A step in the bandwidth, down and up: how long until the new share is reached, and what it costs.
//! Planned in the report as a responsiveness test, not in its figures.

use experiments::simulation::Outcome;
use results::page::{Along, Axis, Block, Chart, Kind, Series};

use super::measure::{refused, sent_mbps, settled_s};
use super::setting::{Flows, Media, Network, Queue, record};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Run};

/// A step in the bandwidth.
pub(super) const STEP: Figure = Figure {
    id: "step",
    title: "a step in the bandwidth, down and up",
    shows: "The bottleneck falls from 10 to 2.5 Mb/s at 40 s and is back at 80 s: what the flows send, \
            how long it takes until it is the new rate, and how much is lost on the way.",
    parameters: &[
        (
            "time to the new share",
            "from the step until the first five seconds in which each mean over one second of what \
             all flows send together lies within 20 % of the bottleneck's new rate; at most the 40 s \
             to the next change",
        ),
        (
            "loss after the step down",
            "packets that the bottleneck refused of those that came in the five seconds after it",
        ),
        (
            "bottleneck",
            "20 ms; a round trip of 51 ms with the access links: 50 Mb/s, 0.5 to 5 ms on each side, drawn",
        ),
        (
            "queue",
            "drop-tail, 32 packets: half a bandwidth-delay product of the higher rate, two of the lower",
        ),
        (
            "flows",
            "1, 4 or 16 of one protocol; or four of TCP, TFRC and TFWC each",
        ),
        (
            "protocols",
            "TCP is SACK as in ns-2.35; TFRC RFC 5348, (ns-2) the agent of ns-2.35",
        ),
        (
            "dither",
            "TCP and TFWC wait up to 0.8 ms, one packet's time at the higher rate",
        ),
    ],
    plan,
    measure,
    draw,
};

pub(super) const MEDIA: [Media; 4] = [Media::Tcp, Media::Tfrc, Media::TfrcNs2, Media::Tfwc];
pub(super) const DOWN: &str = "down_s";
pub(super) const UP: &str = "up_s";
pub(super) const LOSS: &str = "loss_after_step_down";
const FLOWS_FULL: [u32; 3] = [1, 4, 16];
const FLOWS_QUICK: [u32; 1] = [4];
const ALL: &str = "all three";
const TOGETHER: [Media; 3] = [Media::Tcp, Media::Tfrc, Media::Tfwc];
const HIGH_MBPS: f64 = 10.0;
const LOW_MBPS: f64 = 2.5;
const DOWN_AT_S: u32 = 40;
const UP_AT_S: u32 = 80;
const END_S: u32 = 120;

pub(super) fn key(protocol: &str, flows: u32) -> Key {
    Key::new().with("protocol", protocol).with("flows", flows)
}

/// The numbers of flows of one protocol that there are.
pub(super) fn flows(data: &Data) -> Vec<u32> {
    let has = |flows: &u32| data.point(&key(MEDIA[0].name(), *flows)).is_some();
    FLOWS_FULL.into_iter().filter(has).collect()
}

fn plan(mode: Mode) -> Vec<Run> {
    let (all_flows, seeds): (&[u32], u64) = match mode {
        Mode::Quick => (&FLOWS_QUICK, 3),
        Mode::Full => (&FLOWS_FULL, 10),
    };
    let network = Network {
        rates: &[(DOWN_AT_S, LOW_MBPS), (UP_AT_S, HIGH_MBPS)],
        ..Network::long(HIGH_MBPS, Queue::DropTail(32), END_S)
    };
    let mut points: Vec<(Key, Vec<Flows>)> = Vec::new();
    let group = |media, count| Flows::new(media, count, (0, 5)).dithered(8.0 / HIGH_MBPS);
    for media in MEDIA {
        for count in all_flows {
            points.push((key(media.name(), *count), vec![group(media, *count)]));
        }
    }
    let together = TOGETHER.map(|media| group(media, 4));
    points.push((key(ALL, 12), together.to_vec()));
    let record = record("100 ms");
    let run = |(key, flows): &(Key, Vec<Flows>), seed| Run {
        key: key.clone(),
        seed,
        scenario: network.scenario("step", seed, flows, &record),
        work: network.packets(),
    };
    points
        .iter()
        .flat_map(|point| (1..=seeds).map(move |seed| run(point, seed)))
        .collect()
}

fn measure(outcome: &Outcome) -> Measured {
    let sent = sent_mbps(outcome, |_| true);
    let between = |from: u32, to: u32| -> Vec<f64> {
        let (from, to) = (f64::from(from) + NEAR_S, f64::from(to) + NEAR_S);
        let within = sent.iter().filter(|(at, _)| *at > from && *at < to);
        within.map(|(_, mbps)| *mbps).collect()
    };
    let after = f64::from(DOWN_AT_S);
    let measured = Measured::default()
        .value(DOWN, settled_s(&between(DOWN_AT_S, UP_AT_S), LOW_MBPS))
        .value(UP, settled_s(&between(UP_AT_S, END_S), HIGH_MBPS))
        .value(LOSS, refused(outcome, after, after + 5.0));
    MEDIA.into_iter().fold(measured, |measured, media| {
        let groups = &outcome.summary.groups;
        if groups.iter().all(|group| group.label != media.name()) {
            return measured;
        }
        let of_group = sent_mbps(outcome, |label| label == media.name());
        measured.curve(&curve(media), half_seconds(&of_group))
    })
}

fn curve(media: Media) -> String {
    format!("{}_sent_mbps", media.id())
}

/// Means of five samples, at the time of the last.
fn half_seconds(samples: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mean = |five: &[(f64, f64)]| {
        let sum: f64 = five.iter().map(|(_, mbps)| mbps).sum();
        (five[4].0, sum / 5.0)
    };
    samples.chunks_exact(5).map(mean).collect()
}

fn draw(data: &Data) -> Vec<Block> {
    let all_flows = flows(data);
    let bars = |name: &str, title: &str, axis: Axis| {
        let names = all_flows.iter().map(ToString::to_string);
        let mut chart = Chart::new(
            format!("tfwc-step-{name}"),
            title,
            Axis::category("flows", "", names),
            axis,
        );
        for media in MEDIA {
            let (mut points, mut intervals) = (Vec::new(), Vec::new());
            for (at, flows) in all_flows.iter().enumerate() {
                let samples = data.samples(&key(media.name(), *flows), name);
                if let Some(estimate) = samples.estimate() {
                    points.push((at as f64, estimate.mean));
                    intervals.push(estimate.ends());
                }
            }
            chart = chart.with(Series::new(media.name(), Kind::Bars, points).interval(intervals));
        }
        Block::Chart(chart)
    };
    let trace = |id: &str, title: &str, of: &[(Media, Key)]| {
        let mut chart = Chart::new(
            format!("tfwc-step-{id}"),
            title,
            Axis::linear("time", "s").range(30.0, f64::from(END_S)),
            Axis::linear("sent", "Mb/s").range(0.0, 16.0),
        )
        .line(Along::X, f64::from(DOWN_AT_S), "2.5 Mb/s")
        .line(Along::X, f64::from(UP_AT_S), "10 Mb/s");
        for (media, key) in of {
            let mean = data.point(key).map(|point| point.curve(&curve(*media)));
            let mean = mean.unwrap_or_default().into_iter();
            let points = mean.filter(|(at, _)| *at >= 30.0);
            let points = points.map(|(at, sent)| (at, sent.mean)).collect();
            chart = chart.with(Series::new(media.name(), Kind::Line, points));
        }
        Block::Chart(chart)
    };
    let four = MEDIA.map(|media| (media, key(media.name(), 4)));
    let together = TOGETHER.map(|media| (media, key(ALL, 12)));
    vec![
        trace(
            "four",
            "What four flows of one protocol send, mean over the seeds",
            &four,
        ),
        Block::Grid(vec![
            bars(
                DOWN,
                "To the new share after the step down",
                Axis::linear("time", "s"),
            ),
            bars(
                UP,
                "To the new share after the step up",
                Axis::linear("time", "s"),
            ),
            bars(
                LOSS,
                "Loss in the five seconds after the step down",
                Axis::linear("loss rate", ""),
            ),
            trace(
                "together",
                "Four flows of each together, mean over the seeds",
                &together,
            ),
        ]),
    ]
}

/// Less than the time between two samples: tells the sample at a change from the first after it.
const NEAR_S: f64 = 0.05;

#[cfg(test)]
mod tests {
    use super::super::measure::tests::{came, outcome, sends};
    use super::*;

    /// 10 Mb/s until 42.0 s, then 2.5, and from 81.0 s on 10 again. A second that begins at 41.9 s has
    /// a mean of 3.25 > 3: 2.0 s. One that begins at 80.8 s has 8.5 ≥ 8, at 80.7 s 7.75: 0.8 s. Of 500
    /// packets that come in the five seconds 50 are refused.
    #[test]
    fn times_and_loss_are_as_worked_by_hand() {
        let mut outcome = outcome(&[("TFRC", 1, 0.0)]);
        for tenth in 1..=1_200_u32 {
            let at = f64::from(tenth) / 10.0;
            let low = (421..=810).contains(&tenth);
            let bps = if low { 2.5e6 } else { 10e6 };
            outcome.recording.flows.push(sends(0, at, bps));
        }
        outcome.recording.links.push(came(0, 40.0, 1_000, 10));
        outcome.recording.links.push(came(0, 45.0, 1_500, 60));
        let measured = measure(&outcome);
        assert_eq!(measured.values[DOWN], 2.0);
        assert_eq!(measured.values[UP], 0.8);
        assert_eq!(measured.values[LOSS], 0.1);
        let curve = &measured.curves[&curve(Media::Tfrc)];
        assert_eq!((curve.len(), curve[0]), (240, (0.5, 10.0)));
        assert_eq!(measured.curves.len(), 1);
    }

    #[test]
    fn the_bottleneck_falls_and_comes_back() {
        let scenario = &plan(Mode::Quick)[0].scenario;
        let schedule =
            r#"schedule = [{ at = "40 s", rate = "2.5 Mbps" }, { at = "80 s", rate = "10 Mbps" }]"#;
        assert!(scenario.contains(schedule), "{scenario}");
    }
}
