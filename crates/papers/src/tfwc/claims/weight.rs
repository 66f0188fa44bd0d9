//! Figure 6.9: RED's weight.

use super::place;
use crate::claim::{Claim, Quantity};
use crate::data::Samples;
use crate::rules::{self, judged};
use crate::tfwc::setting::Media;
use crate::tfwc::weight;

/// §6.3: Figure 6.9.
pub(in crate::tfwc) const WEIGHT_MEAN: Claim = Claim {
    id: "6.9-mean",
    figures: &["6.9"],
    statement: "With TFWC the mean of RED's average queue hardly depends on the weight.",
    paper: Quantity::words("insensitive"),
    unit: "%",
    rule: "The greatest mean over all weights is at most 10 % above the least: reproduced. Else: not. \
           Ours is by how much it is above.",
    judge: |evidence| {
        let data = evidence.figure("6.9");
        let weights = data.numbers("weight");
        let means: Vec<Samples> = weights
            .iter()
            .map(|value| data.samples(&weight::key(Media::Tfwc, *value), weight::MEAN))
            .collect();
        let above = Samples::combine(&means, |means| {
            let most = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let least = means.iter().copied().fold(f64::INFINITY, f64::min);
            100.0 * (most / least - 1.0)
        });
        let answer = rules::at_most(&above, 10.0);
        let places = [place("TFWC".to_owned(), answer, &above, "%")];
        judged(&places, above.estimate())
    },
};

/// §6.3: Figure 6.9.
pub(in crate::tfwc) const WEIGHT_RANGE: Claim = Claim {
    id: "6.9-range",
    figures: &["6.9"],
    statement: "RED's average queue varies more with TFRC than with TFWC.",
    paper: Quantity::words("more"),
    unit: "packets",
    rule: "At a weight it holds if the range of the average queue (greatest less least) is larger with \
           TFRC, the interval of the difference excluding zero. At all of them: reproduced; at half or \
           more: partly. Ours is the largest difference.",
    judge: |evidence| {
        let data = evidence.figure("6.9");
        let difference = |value: f64| {
            let of = |media| data.samples(&weight::key(media, value), weight::RANGE);
            of(Media::Tfrc).less(&of(Media::Tfwc))
        };
        let weights = data.numbers("weight");
        let places: Vec<_> = weights
            .iter()
            .map(|value| {
                let difference = difference(*value);
                let answer = rules::above(&difference, 0.0);
                place(format!("w_q = {value}"), answer, &difference, "packets")
            })
            .collect();
        let estimates = weights
            .iter()
            .filter_map(|value| difference(*value).estimate());
        judged(
            &places,
            estimates.max_by(|one, other| one.mean.total_cmp(&other.mean)),
        )
    },
};
