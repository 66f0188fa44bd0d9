//! What is taken from a run, and numbers over several cells of a figure.

use experiments::simulation::Outcome;

use super::setting::Media;
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
    let other_mbps = of(&|label| !label.starts_with(tcp) && label != "reverse");
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

#[cfg(test)]
mod tests {
    use super::*;

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
