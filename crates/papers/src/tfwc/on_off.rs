//! CBR traffic that comes and goes: how long until the others have made room or filled it, and how
//! much they vary for nothing. Planned in the report as a responsiveness test, not in its figures.

use experiments::metrics::Moments;
use experiments::simulation::Outcome;
use results::page::{Axis, Block, Cell, Chart, Column, Dash, Kind, Series, Table};

use super::measure::{rates, sent_mbps, settled_s, variation};
use super::setting::{Flows, Media, Network, Queue, record};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Run};

/// On/off CBR.
pub(super) const ON_OFF: Figure = Figure {
    id: "on-off",
    title: "CBR traffic that comes and goes",
    shows: "Beside flows of one protocol a flow of a constant 7.5 Mb/s is on and off in turn, which \
            leaves them 2.5 or 10 Mb/s: what they make of it, over the length of an on-time, and how \
            they follow it.",
    parameters: &[
        (
            "CBR",
            "7.5 Mb/s in packets of 1000 B from 20 s on; on- and off-times are equally long",
        ),
        (
            "time to the new share",
            "with times of 10 s: from each change until the first five seconds in which each mean over \
             one second of what the flows send together lies within 20 % of what is left; at most 10 s. \
             Mean over the changes of a run",
        ),
        (
            "least share",
            "with times of 10 s: the least mean over one second of an on-time, over the 2.5 Mb/s left",
        ),
        (
            "CoV",
            "of what a flow sends in 2 s, which hold whole cycles of times up to 1 s: what is left is \
             the same in each",
        ),
        (
            "use of what is left",
            "packets delivered over the bottleneck's rate less the CBR's mean",
        ),
        (
            "path",
            "10 Mb/s; delays and queue as in figure step; 1 or 4 flows; dither up to 0.8 ms",
        ),
        (
            "duration",
            "140 s (quick form: 60 s); the first 20 s are left out",
        ),
    ],
    plan,
    measure,
    draw,
};

pub(super) const MEDIA: [Media; 4] = [Media::Tcp, Media::Tfrc, Media::TfrcNs2, Media::Tfwc];
pub(super) const FLOWS: [u32; 2] = [1, 4];
/// Lengths of an on-time up to which 2 s hold whole cycles.
pub(super) const SHORT_S: [f64; 3] = [0.2, 0.5, 1.0];
pub(super) const LONG_S: f64 = 10.0;
pub(super) const ON: &str = "on_s";
const OFF: &str = "off_s";
pub(super) const COV: &str = "cov_2_s";
/// The same of what all flows send together.
pub(super) const COV_OF_ALL: &str = "cov_2_s_of_all";
const USE: &str = "use_of_what_is_left";
const LEAST: &str = "least_share";
const DROPS: &str = "drop_rate";
const CYCLE: &str = "sent_over_a_cycle_mbps";
const TIMES_FULL: [f64; 6] = [0.2, 0.5, 1.0, 2.0, 5.0, LONG_S];
const TIMES_QUICK: [f64; 2] = [1.0, LONG_S];
const MBPS: f64 = 10.0;
const CBR_MBPS: f64 = 7.5;
const CBR: &str = "CBR";
const WARMUP_S: f64 = 20.0;

pub(super) fn key(media: Media, flows: u32, time_s: f64) -> Key {
    Key::new()
        .with("protocol", media.name())
        .with("flows", flows)
        .with("time_s", time_s)
}

fn plan(mode: Mode) -> Vec<Run> {
    let (times, all_flows, seeds, duration_s): (&[f64], &[u32], u64, u32) = match mode {
        Mode::Quick => (&TIMES_QUICK, &FLOWS[1..], 3, 60),
        Mode::Full => (&TIMES_FULL, &FLOWS, 10, 140),
    };
    let network = Network::long(MBPS, Queue::DropTail(32), duration_s);
    let mut runs = Vec::new();
    for media in MEDIA {
        for flows in all_flows {
            for time_s in times {
                let groups = [Flows::new(media, *flows, (0, 5)).dithered(8.0 / MBPS)];
                let more = cbr(*time_s) + &record("100 ms");
                runs.extend((1..=seeds).map(|seed| Run {
                    key: key(media, *flows, *time_s),
                    seed,
                    scenario: network.scenario("on-off", seed, &groups, &more),
                    work: network.packets(),
                }));
            }
        }
    }
    runs
}

/// The flow that comes and goes, for the end of a scenario file.
fn cbr(time_s: f64) -> String {
    format!(
        r#"
[[flows]]
label = "{}"
protocol = "udp"
packet_size = "1000 B"
application = {{ kind = "on-off", rate = "{CBR_MBPS} Mbps", on = "{time_s} s", off = "{time_s} s" }}
start = "{WARMUP_S} s"
"#,
        cbr_label(time_s)
    )
}

fn cbr_label(time_s: f64) -> String {
    format!("{CBR} {time_s} s")
}

fn measure(outcome: &Outcome) -> Measured {
    let summary = &outcome.summary;
    let (mut variations, mut delivered_mbps) = (Moments::default(), 0.0);
    for (number, flow) in (0..).zip(&summary.flows) {
        if !flow.label.starts_with(CBR) {
            delivered_mbps += flow.goodput_bps / 1e6 * PACKET_OVER_PAYLOAD;
            let sent = rates(outcome, number, |flow| flow.throughput_bps);
            if let Some(variation) = variation(&sent, 20) {
                variations.add(variation);
            }
        }
    }
    let measured = Measured::default()
        .value(USE, delivered_mbps / (MBPS - CBR_MBPS / 2.0))
        .value(COV, variations.mean())
        .value(DROPS, summary.links[0].drop_rate);
    let sent = sent_mbps(outcome, |label| !label.starts_with(CBR));
    let sent: Vec<f64> = sent
        .iter()
        .filter(|(at, _)| *at > WARMUP_S + NEAR_S)
        .map(|(_, mbps)| *mbps)
        .collect();
    let measured = measured.value(COV_OF_ALL, variation(&sent, 20));
    let long = cbr_label(LONG_S);
    if summary.flows.iter().any(|flow| flow.label == long) {
        follow(measured, &sent)
    } else {
        measured
    }
}

/// How times of 10 s are followed: what was sent in each tenth of a second from the first one on.
fn follow(measured: Measured, sent: &[f64]) -> Measured {
    let half = (LONG_S * 10.0) as usize;
    let (mut on, mut off, mut least) = (Moments::default(), Moments::default(), Moments::default());
    let mut cycle = vec![Moments::default(); 2 * half / 5];
    for sent in sent.chunks_exact(2 * half) {
        let (while_on, while_off) = sent.split_at(half);
        on.add(settled_s(while_on, MBPS - CBR_MBPS));
        off.add(settled_s(while_off, MBPS));
        let seconds = while_on.windows(10);
        let means = seconds.map(|second| second.iter().sum::<f64>() / 10.0);
        least.add(means.fold(f64::INFINITY, f64::min) / (MBPS - CBR_MBPS));
        for (mean, five) in cycle.iter_mut().zip(sent.chunks_exact(5)) {
            mean.add(five.iter().sum::<f64>() / 5.0);
        }
    }
    let points = (0..).zip(&cycle);
    let points = points.filter_map(|(n, mean)| Some((f64::from(n) / 2.0 + 0.25, mean.mean()?)));
    measured
        .value(ON, on.mean())
        .value(OFF, off.mean())
        .value(LEAST, least.mean())
        .curve(CYCLE, points.collect())
}

fn draw(data: &Data) -> Vec<Block> {
    let mut cycle = Chart::new(
        "tfwc-on-off-cycle",
        "What four flows send while CBR comes for 10 s and goes for 10 s, mean over cycles and seeds",
        Axis::linear("time since it came", "s").range(0.0, 2.0 * LONG_S),
        Axis::linear("sent", "Mb/s"),
    );
    for media in MEDIA {
        let mean = data.point(&key(media, 4, LONG_S));
        let mean = mean.map(|point| point.curve(CYCLE)).unwrap_or_default();
        let points = mean.into_iter().map(|(at, sent)| (at, sent.mean)).collect();
        cycle = cycle.with(Series::new(media.name(), Kind::Line, points));
    }
    let left = vec![(0.0, MBPS - CBR_MBPS), (LONG_S, MBPS), (2.0 * LONG_S, MBPS)];
    let left = Series::new("what is left", Kind::Step, left).dash(Dash::Dashed);
    let mut charts = Vec::new();
    for (name, axis) in [
        (USE, "use of what is left"),
        (COV, "CoV over 2 s"),
        (DROPS, "drop rate"),
    ] {
        for flows in FLOWS {
            let lines: Vec<Series> = MEDIA
                .map(|media| over_times(data, media, flows, name))
                .to_vec();
            if lines.iter().all(|line| line.points.is_empty()) {
                continue; // the quick form has four flows only
            }
            let mut chart = Chart::new(
                format!("tfwc-on-off-{}-{flows}", name.replace('_', "-")),
                format!(
                    "{flows} {}: {axis}",
                    if flows == 1 { "flow" } else { "flows" }
                ),
                Axis::log("on- and off-times", "s"),
                Axis::linear(axis, ""),
            );
            chart.series = lines;
            charts.push(Block::Chart(chart));
        }
    }
    let mut table = Table::new(
        "Times of 10 s: means over the seeds, with 95 % confidence intervals",
        vec![
            Column::text("protocol"),
            Column::number("flows", ""),
            Column::number("to the new share when CBR comes", "s"),
            Column::number("when it goes", "s"),
            Column::number("least share", ""),
        ],
    );
    for media in MEDIA {
        for flows in FLOWS {
            if let Some(point) = data.point(&key(media, flows, LONG_S)) {
                let numbers = [ON, OFF, LEAST].map(|name| point.samples(name).cell());
                let start = [Cell::from(media.name()), Cell::Number(f64::from(flows))];
                table.rows.push(start.into_iter().chain(numbers).collect());
            }
        }
    }
    vec![
        Block::Chart(cycle.with(left)),
        Block::Grid(charts),
        Block::Table(table),
    ]
}

fn over_times(data: &Data, media: Media, flows: u32, name: &str) -> Series {
    let (mut points, mut intervals) = (Vec::new(), Vec::new());
    for time_s in data.numbers("time_s") {
        if let Some(estimate) = data.samples(&key(media, flows, time_s), name).estimate() {
            points.push((time_s, estimate.mean));
            intervals.push(estimate.ends());
        }
    }
    Series::new(media.name(), Kind::Line, points).interval(intervals)
}

/// 1000 B on the wire over 960 B of payload.
const PACKET_OVER_PAYLOAD: f64 = 1_000.0 / 960.0;
/// Less than the time between two samples: tells the sample at a change from the first after it.
const NEAR_S: f64 = 0.05;

#[cfg(test)]
mod tests {
    use super::*;

    /// Two cycles: 10 Mb/s for another second (two) after CBR came, then 2.5, with one second at 2;
    /// 2.5 for three seconds after it went, then 10. The mean over the second that begins a tenth
    /// before a change is (10 + 9 × 2.5) / 10 = 3.25 > 3, or (2.5 + 9 × 10) / 10 = 9.25 ≥ 8, and that
    /// which begins two tenths before it (5 + 8 × 10) / 10 = 8.5, three tenths 7.75.
    #[test]
    fn a_cycle_is_followed_as_worked_by_hand() {
        let mut sent = Vec::new();
        for late in [10, 20] {
            sent.extend(vec![10.0; late]);
            sent.extend(vec![2.5; 90 - late]);
            sent.extend(vec![2.0; 10]);
            sent.extend(vec![2.5; 30]);
            sent.extend(vec![10.0; 70]);
        }
        let measured = follow(Measured::default(), &sent);
        let is = |name: &str, expected: f64| {
            let value = measured.values[name];
            assert!((value - expected).abs() < 1e-9, "{name}: {value}");
        };
        is(ON, 1.5);
        is(OFF, 2.8);
        is(LEAST, 0.8);
        // The second half second: 10 in both; the third: 2.5 in one, 10 in the other.
        let curve = &measured.curves[CYCLE];
        assert_eq!(curve[1], (0.75, 10.0));
        assert_eq!(curve[2], (1.25, 6.25));
        assert_eq!(curve.len(), 40);
    }

    #[test]
    fn what_is_not_a_whole_cycle_is_left_out() {
        assert!(follow(Measured::default(), &[2.5; 199]).values.is_empty());
    }
}
