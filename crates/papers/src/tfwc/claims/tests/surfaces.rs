use super::super::surfaces::{
    CONFOUNDED, RED_FEW, RED_SLOW, RED_TFWC, TFRC_FAST, TFRC_SLOW, TFWC_FAIR, WORST,
};
use super::{point, verdict};
use crate::claim::Evidence;
use crate::claim::{Claim, Verdict};
use crate::data::Data;
use crate::tfwc::measure::THETA;
use crate::tfwc::setting::Media;
use crate::tfwc::surface;

/// One cell at each of the four conditions; `thetas` are their θ, first those without reverse
/// traffic, with and without dither.
fn at_conditions(
    claim: &Claim,
    media: Media,
    (mbps, flows): (f64, u32),
    thetas: [f64; 4],
) -> Verdict {
    let mut runs = Vec::new();
    let mut thetas = thetas.into_iter();
    for reverse in surface::REVERSE {
        for dither in surface::DITHERS {
            let key = surface::key((Media::Tcp, media), (reverse, dither), (mbps, flows));
            runs.extend(point(&key, &[(THETA, thetas.next().unwrap())]));
        }
    }
    verdict(claim, runs)
}

/// The claim holds at a condition with θ = `yes` and not with `no`.
fn each_way(claim: &Claim, media: Media, cell: (f64, u32), (yes, no): (f64, f64)) {
    let of = |thetas| at_conditions(claim, media, cell, thetas);
    assert_eq!(of([yes; 4]), Verdict::Reproduced, "{}", claim.id);
    assert_eq!(of([yes, no, yes, no]), Verdict::Partly, "{}", claim.id);
    assert_eq!(
        of([no, no, no, yes]),
        Verdict::NotReproduced,
        "{}",
        claim.id
    );
}

#[test]
fn tfrc_is_judged_below_1_and_above_5_mbps() {
    each_way(&TFRC_SLOW, Media::Tfrc, (0.5, 5), (0.1, 0.3));
    each_way(&TFRC_FAST, Media::Tfrc, (10.0, 5), (0.5, 0.7));
    // Cells at other bandwidths do not count: nothing to judge.
    let elsewhere = at_conditions(&TFRC_SLOW, Media::Tfrc, (1.0, 5), [0.1; 4]);
    assert_eq!(elsewhere, Verdict::Undecided);
}

#[test]
fn with_red_tfrc_is_judged_below_2_mbps_and_with_few_flows() {
    each_way(&RED_SLOW, Media::Tfrc, (1.0, 20), (0.2, 0.4));
    each_way(&RED_FEW, Media::Tfrc, (10.0, 2), (0.2, 0.5));
    let many = at_conditions(&RED_FEW, Media::Tfrc, (10.0, 5), [0.2; 4]);
    assert_eq!(many, Verdict::Undecided);
}

#[test]
fn a_surface_is_fair_at_each_condition_or_not() {
    for claim in [&TFWC_FAIR, &RED_TFWC] {
        each_way(claim, Media::Tfwc, (1.0, 5), (0.45, 0.85));
    }
}

/// The mean of 0.1 and 0.9 is fair, but both cells are not.
#[test]
fn a_fair_mean_of_unfair_cells_is_not_fair() {
    let of = |thetas: [f64; 2]| {
        let mut runs = Vec::new();
        for reverse in surface::REVERSE {
            for dither in surface::DITHERS {
                for (flows, theta) in [1, 5].into_iter().zip(thetas) {
                    let key =
                        surface::key((Media::Tcp, Media::Tfwc), (reverse, dither), (1.0, flows));
                    runs.extend(point(&key, &[(THETA, theta)]));
                }
            }
        }
        verdict(&TFWC_FAIR, runs)
    };
    assert_eq!(of([0.45, 0.55]), Verdict::Reproduced);
    assert_eq!(of([0.1, 0.9]), Verdict::NotReproduced);
}

/// Cells with other readings of TCP do not change the verdict; the reason has both, over the cells
/// that both have: 0.3 beside TCP by the RFCs, 0.6 beside ns-2's.
#[test]
fn the_reason_tells_of_the_other_reading_of_tcp() {
    let mut runs = Vec::new();
    for reverse in surface::REVERSE {
        for dither in surface::DITHERS {
            for (flows, theta) in [(5, 0.6), (10, 0.1)] {
                let key = surface::key((Media::Tcp, Media::Tfrc), (reverse, dither), (0.5, flows));
                runs.extend(point(&key, &[(THETA, theta)]));
            }
        }
    }
    let rfc = surface::key((Media::TcpRfc, Media::Tfrc), surface::RFC_AT, (0.5, 5));
    runs.extend(point(&rfc, &[(THETA, 0.3)]));
    let data = Data::gather(runs);
    let judged = (TFRC_SLOW.judge)(&Evidence::new(vec![("6.7", &data)]));
    assert_eq!(judged.verdict, Verdict::NotReproduced);
    let told = "Beside TCP by the RFCs, with reverse flows and dither: mean θ 0.300 [0.298, 0.302] over 1 \
                cells; beside ns-2's TCP in the same cells 0.600 [0.598, 0.602].";
    assert!(judged.reason.ends_with(told), "{}", judged.reason);
}

/// |0.1 − 0.5| = 0.4 without reverse traffic; with it 0.1, or 0.45.
#[test]
fn the_worst_case_must_be_worse_for_both_protocols() {
    let of = |tfrc: f64, tfwc: f64| {
        let mut runs = Vec::new();
        for (media, with) in [(Media::Tfrc, tfrc), (Media::Tfwc, tfwc)] {
            for dither in surface::DITHERS {
                for (reverse, theta) in surface::REVERSE.into_iter().zip([0.1, with]) {
                    let key = surface::key((Media::Tcp, media), (reverse, dither), (1.0, 5));
                    runs.extend(point(&key, &[(THETA, theta)]));
                }
            }
        }
        verdict(&WORST, runs)
    };
    assert_eq!(of(0.4, 0.6), Verdict::Reproduced);
    assert_eq!(of(0.4, 0.95), Verdict::Partly);
    assert_eq!(of(0.95, 0.05), Verdict::NotReproduced);
}

/// |0.2 − 0.5| of TFRC against |0.45 − 0.5| of TFWC, at all twelve comparisons; and with TFWC at 0.1
/// beside TCP by the RFCs, which is a half of them.
#[test]
fn tfwc_must_be_fairer_at_each_comparison() {
    let of = |tfwc: [f64; 2]| {
        let mut runs = Vec::new();
        for (tcp, tfwc) in surface::READINGS.into_iter().zip(tfwc) {
            for media in surface::CONFOUND_MEDIA {
                let theta = if media == Media::Tfwc { tfwc } else { 0.2 };
                for reverse in surface::REVERSE {
                    let key = surface::confound_key(tcp, media, reverse, 1.0);
                    runs.extend(point(&key, &[(THETA, theta)]));
                }
            }
        }
        verdict(&CONFOUNDED, runs)
    };
    assert_eq!(of([0.45, 0.45]), Verdict::Reproduced);
    assert_eq!(of([0.45, 0.1]), Verdict::Partly);
    assert_eq!(of([0.1, 0.1]), Verdict::NotReproduced);
}
