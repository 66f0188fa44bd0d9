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
    statement: "Over the weight RED's average queue changes more with TFRC than with TFWC.",
    paper: Quantity::words("TFRC varied more, depending on w_q"),
    unit: "packets",
    rule: "How far the mean of the range of the average queue (greatest less least) moves over the \
           weights is larger with TFRC, the interval of the difference excluding zero. Ours is the \
           difference.",
    judge: |evidence| {
        let data = evidence.figure("6.9");
        let moves = |media| {
            let ranges: Vec<Samples> = data
                .numbers("weight")
                .into_iter()
                .map(|value| data.samples(&weight::key(media, value), weight::RANGE))
                .collect();
            Samples::combine(&ranges, |ranges| {
                let most = ranges.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                most - ranges.iter().copied().fold(f64::INFINITY, f64::min)
            })
        };
        let difference = moves(Media::Tfrc).less(&moves(Media::Tfwc));
        let answer = rules::above(&difference, 0.0);
        let places = [place(
            "over all weights".to_owned(),
            answer,
            &difference,
            "packets",
        )];
        judged(&places, difference.estimate())
    },
};
