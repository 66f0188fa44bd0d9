use super::super::weight::{WEIGHT_MEAN, WEIGHT_RANGE};
use super::{point, verdict};
use crate::claim::Verdict;
use crate::tfwc::setting::Media;
use crate::tfwc::weight;

/// 14 / 13 is 7.7 % more, 15 / 13 is 15 %.
#[test]
fn the_mean_may_rise_by_a_tenth() {
    let of = |highest: f64| {
        let mut runs = Vec::new();
        for (weight, mean) in [(0.001, 13.0), (0.01, highest), (0.1, 13.5)] {
            let key = weight::key(Media::Tfwc, weight);
            runs.extend(point(&key, &[(weight::MEAN, mean)]));
        }
        verdict(&WEIGHT_MEAN, runs)
    };
    assert_eq!(of(14.0), Verdict::Reproduced);
    assert_eq!(of(15.0), Verdict::NotReproduced);
}

/// TFWC's range is 8 at both weights: it does not move.
#[test]
fn the_range_must_move_more_with_tfrc() {
    let of = |tfrc: [f64; 2]| {
        let mut runs = Vec::new();
        for (weight, tfrc) in [0.001, 0.1].into_iter().zip(tfrc) {
            for (media, range) in [(Media::Tfrc, tfrc), (Media::Tfwc, 8.0)] {
                let key = weight::key(media, weight);
                runs.extend(point(&key, &[(weight::RANGE, range)]));
            }
        }
        verdict(&WEIGHT_RANGE, runs)
    };
    assert_eq!(of([9.0, 12.0]), Verdict::Reproduced);
    assert_eq!(of([12.0, 12.0]), Verdict::NotReproduced);
}
