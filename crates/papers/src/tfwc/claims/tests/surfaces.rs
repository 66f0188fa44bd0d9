use super::super::surfaces::{
    CONFOUNDED, RED_FEW, RED_SLOW, RED_TFWC, TFRC_FAST, TFRC_SLOW, TFWC_FAIR, WORST,
};
use super::{point, verdict};
use crate::claim::{Claim, Evidence, Verdict};
use crate::data::Data;
use crate::tfwc::measure::THETA;
use crate::tfwc::setting::Media;
use crate::tfwc::surface::{MEDIA, REVERSE, key};

const TFRC: Media = MEDIA[0];
const TFWC: Media = MEDIA[1];

/// One cell with reverse traffic, at θ; that without counts for nothing.
fn cell(claim: &Claim, media: Media, size: (f64, u32), theta: f64) -> Verdict {
    let mut runs = point(&key(media, REVERSE[1], size), &[(THETA, theta)]);
    runs.extend(point(&key(media, REVERSE[0], size), &[(THETA, 0.99)]));
    verdict(claim, runs)
}

#[test]
fn tfrc_is_judged_below_1_and_above_5_mbps() {
    let slow = |mbps, theta| cell(&TFRC_SLOW, TFRC, (mbps, 5), theta);
    assert_eq!(slow(0.5, 0.1), Verdict::Reproduced);
    assert_eq!(slow(0.5, 0.3), Verdict::NotReproduced);
    assert_eq!(slow(0.5, 0.2), Verdict::Undecided);
    // Cells at other bandwidths do not count: nothing to judge.
    assert_eq!(slow(1.0, 0.1), Verdict::Undecided);
    let fast = |theta| cell(&TFRC_FAST, TFRC, (10.0, 5), theta);
    assert_eq!(fast(0.5), Verdict::Reproduced);
    assert_eq!(fast(0.65), Verdict::Partly);
    assert_eq!(fast(0.8), Verdict::NotReproduced);
}

#[test]
fn with_red_tfrc_is_judged_below_2_mbps_and_with_few_flows() {
    let slow = |theta| cell(&RED_SLOW, TFRC, (1.0, 20), theta);
    assert_eq!(slow(0.2), Verdict::Reproduced);
    assert_eq!(slow(0.4), Verdict::NotReproduced);
    let few = |flows, theta| cell(&RED_FEW, TFRC, (10.0, flows), theta);
    assert_eq!(few(2, 0.2), Verdict::Reproduced);
    assert_eq!(few(2, 0.5), Verdict::NotReproduced);
    assert_eq!(few(5, 0.2), Verdict::Undecided);
}

/// 0.45 and 0.55: fair. 0.1 and 0.9: the mean is fair, but both cells are not. 0.7 and 0.75: no cell
/// is unfair, but the mean is. 0.05 and 0.1: neither.
#[test]
fn a_fair_mean_of_unfair_cells_is_fair_in_part() {
    let of = |claim, thetas: [f64; 2]| {
        let cells = [1, 5].into_iter().zip(thetas);
        let runs = cells.flat_map(|(flows, theta)| {
            point(&key(TFWC, REVERSE[1], (1.0, flows)), &[(THETA, theta)])
        });
        verdict(claim, runs.collect())
    };
    for claim in [&TFWC_FAIR, &RED_TFWC] {
        assert_eq!(of(claim, [0.45, 0.55]), Verdict::Reproduced);
        assert_eq!(of(claim, [0.1, 0.9]), Verdict::Partly);
        assert_eq!(of(claim, [0.7, 0.75]), Verdict::Partly);
        assert_eq!(of(claim, [0.05, 0.1]), Verdict::NotReproduced);
    }
}

/// |0.1 − 0.5| = 0.4 without reverse traffic; with it 0.1, or 0.45.
#[test]
fn the_worst_case_must_be_worse_for_both_protocols() {
    let of = |tfrc: f64, tfwc: f64| {
        let mut runs = Vec::new();
        for (media, with) in [(TFRC, tfrc), (TFWC, tfwc)] {
            for (reverse, theta) in REVERSE.into_iter().zip([0.1, with]) {
                runs.extend(point(&key(media, reverse, (1.0, 2)), &[(THETA, theta)]));
            }
        }
        verdict(&WORST, runs)
    };
    assert_eq!(of(0.4, 0.6), Verdict::Reproduced);
    assert_eq!(of(0.4, 0.95), Verdict::Partly);
    assert_eq!(of(0.95, 0.05), Verdict::NotReproduced);
}

/// |0.2 − 0.5| of TFRC against |0.45 − 0.5| or |0.1 − 0.5| of TFWC, with each queue.
#[test]
fn tfwc_must_be_fairer_with_each_queue() {
    let surface = |tfwc| {
        let mut runs = point(&key(TFRC, REVERSE[1], (1.0, 5)), &[(THETA, 0.2)]);
        runs.extend(point(&key(TFWC, REVERSE[1], (1.0, 5)), &[(THETA, tfwc)]));
        Data::gather(runs)
    };
    let of = |tfwc: [f64; 2]| {
        let [drop_tail, red] = tfwc.map(surface);
        let evidence = Evidence::new(vec![("6.7", &drop_tail), ("6.8", &red)]);
        (CONFOUNDED.judge)(&evidence).verdict
    };
    assert_eq!(of([0.45, 0.45]), Verdict::Reproduced);
    assert_eq!(of([0.45, 0.1]), Verdict::Partly);
    assert_eq!(of([0.1, 0.1]), Verdict::NotReproduced);
}
