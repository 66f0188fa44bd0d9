//! What is taken from a run, and numbers over several cells of a figure.

use experiments::metrics::Moments;
use experiments::simulation::{FlowSample, Outcome};

use super::setting::{Media, REVERSE};
use crate::data::{Data, Measured, Point, Samples};
use crate::rules::Answer;

/// TCP's part of the goodput of TCP and what shares the bottleneck with it.
pub(super) const THETA: &str = "theta";

/// Shares, utilization and drop rate.
pub(super) fn shares(outcome: &Outcome) -> Measured {
    let summary = &outcome.summary;
    let tcp = Media::Tcp.name();
    let of = |wanted: &dyn Fn(&str) -> bool| {
        let groups = summary.groups.iter();
        let groups = groups.filter(|group| wanted(&group.label));
        groups.map(|group| group.goodput_bps).sum::<f64>() / 1e6
    };
    let tcp_mbps = of(&|label| label.starts_with(tcp));
    let other_mbps = of(&|label| !label.starts_with(tcp) && label != REVERSE);
    let all = tcp_mbps + other_mbps;
    let bottleneck = &summary.links[0];
    Measured::default()
        .value(THETA, (all > 0.0).then(|| tcp_mbps / all))
        .value("tcp_mbps", tcp_mbps)
        .value("other_mbps", other_mbps)
        .value("utilization", bottleneck.utilization)
        .value("drop_rate", bottleneck.drop_rate)
}

/// The points that a test picks.
pub(super) fn points<'a>(
    data: &'a Data,
    wanted: impl Fn(&Point) -> bool + 'a,
) -> impl Iterator<Item = &'a Point> + 'a {
    data.points.iter().filter(move |point| wanted(point))
}

/// For each seed, the mean of `of` over all points that a test picks.
pub(super) fn mean_over(
    data: &Data,
    wanted: impl Fn(&Point) -> bool,
    of: impl Fn(f64) -> f64,
) -> Samples {
    let picked: Vec<Samples> = points(data, wanted)
        .map(|point| point.samples(THETA))
        .collect();
    Samples::combine(&picked, |values| {
        values.iter().map(|value| of(*value)).sum::<f64>() / values.len() as f64
    })
}

/// Whether a quantity lies within bounds: yes where its whole interval does, no where none of it
/// does.
pub(super) fn within(samples: &Samples, low: f64, high: f64) -> Answer {
    match samples.estimate().and_then(|estimate| estimate.interval()) {
        Some((from, to)) if from >= low && to <= high => Answer::Yes,
        Some((from, to)) if to < low || from > high => Answer::No,
        _ => Answer::Open,
    }
}

/// Mean of the values, middle, least and greatest; none without values.
pub(super) fn spread(samples: &Samples) -> Option<[f64; 4]> {
    let mut values: Vec<f64> = samples.0.iter().map(|(_, value)| *value).collect();
    values.sort_by(f64::total_cmp);
    let (least, greatest) = (*values.first()?, *values.last()?);
    let middle = values.len() / 2;
    let median = if values.len() % 2 == 1 {
        values[middle]
    } else {
        f64::midpoint(values[middle - 1], values[middle])
    };
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    Some([mean, median, least, greatest])
}

/// The sum of what the flows of the labels `wanted` send, in Mb/s, at each sample of the run.
pub(super) fn sent_mbps(outcome: &Outcome, wanted: impl Fn(&str) -> bool) -> Vec<(f64, f64)> {
    let flows = &outcome.summary.flows;
    let of_sample = |samples: &[FlowSample]| {
        let of_flows = samples.iter().zip(flows);
        let of_flows = of_flows.filter(|(_, flow)| wanted(&flow.label));
        let bps: f64 = of_flows.map(|(sample, _)| sample.throughput_bps).sum();
        (samples[0].time_s, bps / 1e6)
    };
    let samples = outcome.recording.flows.chunks_exact(flows.len().max(1));
    samples.map(of_sample).collect()
}

/// Packets that the bottleneck refused of those that reached it between two samples.
pub(super) fn refused(outcome: &Outcome, from_s: f64, to_s: f64) -> Option<f64> {
    let at = |time_s: f64| {
        let mut samples = outcome.recording.links.iter();
        samples.find(|sample| sample.link == 0 && (sample.time_s - time_s).abs() < 1e-6)
    };
    let (from, to) = (at(from_s)?, at(to_s)?);
    let came = to.packets_in - from.packets_in;
    (came > 0).then(|| (to.drops - from.drops) as f64 / came as f64)
}

/// How long after a change the new share is reached: the time until the first five seconds in which
/// every mean over one second lies within a fifth of `share`. `sent` are the rates since the change,
/// each over a tenth of a second. All of this time where there are no such five seconds.
pub(super) fn settled_s(sent: &[f64], share: f64) -> f64 {
    let near = |second: &[f64]| {
        let mean = second.iter().sum::<f64>() / second.len() as f64;
        (mean - share).abs() <= 0.2 * share
    };
    let near: Vec<bool> = sent.windows(PER_S).map(near).collect();
    // Five seconds hold 41 seconds that begin a tenth after each other.
    let mut settled = near.windows(4 * PER_S + 1);
    let first = settled.position(|five| five.iter().all(|near| *near));
    first.unwrap_or(sent.len()) as f64 / PER_S as f64
}

/// Samples in a second where [`settled_s`] is measured.
const PER_S: usize = 10;

/// A rate of a flow at each sample after the warm-up.
pub(super) fn rates(outcome: &Outcome, flow: u32, rate: fn(&FlowSample) -> f64) -> Vec<f64> {
    let samples = outcome.recording.flows.iter();
    samples
        .filter(|sample| sample.flow == flow && sample.time_s > outcome.summary.warmup_s)
        .map(rate)
        .collect()
}

/// The coefficient of variation of means over `slot` values each; none where all are zero.
pub(super) fn variation(values: &[f64], slot: usize) -> Option<f64> {
    let mut moments = Moments::default();
    for part in values.chunks_exact(slot) {
        moments.add(part.iter().sum::<f64>() / slot as f64);
    }
    let mean = moments.mean().filter(|mean| *mean > 0.0)?;
    Some(moments.standard_deviation()? / mean)
}

#[cfg(test)]
pub(super) mod tests {
    use experiments::Registry;
    use experiments::scenario::Document;
    use experiments::simulation::{self, LinkSample};
    use experiments::summary::GroupSummary;

    use super::*;

    /// The outcome of a run with groups of these labels and numbers of flows, without samples; the
    /// goodputs of the groups are those given.
    pub(in crate::tfwc) fn outcome(groups: &[(&str, u64, f64)]) -> Outcome {
        let mut text = r#"duration = "1 s"
[topology]
kind = "dumbbell"
bottleneck = { rate = "1 Mbps", delay = "1 ms" }
"#
        .to_owned();
        for (label, count, _) in groups {
            text +=
                &format!("[[flows]]\nlabel = \"{label}\"\ncount = {count}\nprotocol = \"tfwc\"\n");
        }
        let registry = Registry::standard();
        let scenario = Document::parse(&text, "made up").and_then(|text| text.check(&registry));
        let mut outcome = simulation::run(&scenario.unwrap(), &registry).unwrap();
        for (group, (_, _, goodput_bps)) in outcome.summary.groups.iter_mut().zip(groups) {
            *group = GroupSummary {
                goodput_bps: *goodput_bps,
                ..group.clone()
            };
        }
        outcome
    }

    /// A sample of a flow that sends so much.
    pub(in crate::tfwc) fn sends(flow: u32, time_s: f64, throughput_bps: f64) -> FlowSample {
        FlowSample {
            time_s,
            flow,
            window_packets: None,
            slow_start_threshold_packets: None,
            in_flight_packets: 0.0,
            rtt_s: None,
            smoothed_rtt_s: None,
            rto_s: None,
            acknowledged_packets: 0,
            source_quenches: 0,
            goodput_bps: 0.0,
            delivery_rate_bps: 0.0,
            throughput_bps,
        }
    }

    /// A sample of a link at which so many packets came, of which so many were refused.
    pub(in crate::tfwc) fn came(link: u32, time_s: f64, packets_in: u64, drops: u64) -> LinkSample {
        LinkSample {
            time_s,
            link,
            queue_packets: 0,
            queue_bytes: 0,
            packets_in,
            drops,
            marks: 0,
            lost: 0,
            source_quenches: 0,
            throughput_bps: 0.0,
        }
    }

    #[test]
    fn what_is_sent_is_the_sum_over_the_flows_of_a_label() {
        let mut outcome = outcome(&[("TCP", 1, 0.0), ("TFWC", 2, 0.0)]);
        for (time_s, bps) in [(0.1, [1e6, 2e6, 3e6]), (0.2, [4e6, 0.0, 0.5e6])] {
            for (flow, bps) in (0..).zip(bps) {
                outcome.recording.flows.push(sends(flow, time_s, bps));
            }
        }
        let tfwc = sent_mbps(&outcome, |label| label == "TFWC");
        assert_eq!(tfwc, [(0.1, 5.0), (0.2, 0.5)]);
        assert_eq!(sent_mbps(&outcome, |_| true), [(0.1, 6.0), (0.2, 4.5)]);
        assert_eq!(rates(&outcome, 2, |flow| flow.throughput_bps), [3e6, 0.5e6]);
    }

    /// 40 came between the two samples, 10 of them were refused.
    #[test]
    fn what_is_refused_counts_the_bottleneck_between_two_samples() {
        let mut outcome = outcome(&[("TFWC", 1, 0.0)]);
        for (time_s, packets, drops) in [(1.0, 100, 5), (2.0, 140, 15), (3.0, 140, 15)] {
            outcome.recording.links.push(came(1, time_s, 7, 7));
            outcome
                .recording
                .links
                .push(came(0, time_s, packets, drops));
        }
        assert_eq!(refused(&outcome, 1.0, 2.0), Some(0.25));
        assert_eq!(refused(&outcome, 2.0, 3.0), None, "nothing came");
        assert_eq!(refused(&outcome, 1.0, 4.0), None, "no such sample");
    }

    /// Halves 1, 3, 1, 3: mean 2, deviation √(4/3), coefficient of variation 0.577; in pairs all are 2.
    #[test]
    fn variation_shrinks_with_the_length_it_is_counted_over() {
        let values = [1.0, 3.0, 1.0, 3.0];
        let fine = variation(&values, 1).unwrap();
        assert!((fine - 0.577_35).abs() < 1e-5, "{fine}");
        assert_eq!(variation(&values, 2), Some(0.0));
        assert_eq!(variation(&[0.0, 0.0], 1), None);
    }

    /// 2 s at 4 Mb/s, then 1: the second that begins at 1.9 s has a mean of 1.3, beyond 1.2; the one
    /// that begins at 2.0 s is the first of five.
    #[test]
    fn the_share_is_reached_where_five_seconds_of_it_begin() {
        let with = |later: &[f64]| [&[4.0; 20][..], later].concat();
        assert_eq!(settled_s(&with(&[1.0; 50]), 1.0), 2.0);
        // 1.15 is within a fifth; so is a tenth of a second at 2.9 among nine at 1, but not two of them.
        assert_eq!(settled_s(&with(&[1.15; 50]), 1.0), 2.0);
        let mut once = [1.0; 80];
        once[20] = 2.9;
        assert_eq!(settled_s(&with(&once), 1.0), 2.0);
        once[21] = 2.9;
        assert_eq!(settled_s(&with(&once), 1.0), 4.1);
        // Not five seconds long: all of the time.
        assert_eq!(settled_s(&with(&[1.0; 49]), 1.0), 6.9);
        assert_eq!(settled_s(&[], 1.0), 0.0);
    }

    #[test]
    fn a_spread_has_mean_median_and_ends() {
        let samples = |values: &[f64]| Samples((1..).zip(values.iter().copied()).collect());
        assert_eq!(
            spread(&samples(&[4.0, 1.0, 1.0])),
            Some([2.0, 1.0, 1.0, 4.0])
        );
        assert_eq!(
            spread(&samples(&[4.0, 1.0, 2.0, 5.0])),
            Some([3.0, 3.0, 1.0, 5.0])
        );
        assert_eq!(spread(&Samples::default()), None);
    }
}
