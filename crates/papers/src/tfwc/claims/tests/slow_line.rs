use super::super::slow_line::{IN_ITS_PLACE, OUTAGE, STARVED};
use super::{point, verdict};
use crate::claim::Verdict;
use crate::tfwc::dsl;
use crate::tfwc::measure::THETA;
use crate::tfwc::outage;
use crate::tfwc::setting::Media;

/// Three seeds ± 0.001: intervals of ± 0.0025 around θ.
#[test]
fn starvation_is_a_share_below_a_tenth() {
    let beside = |media, theta| point(&dsl::key(media, "", ""), &[(THETA, theta)]);
    let starved = |theta| verdict(&STARVED, beside(Media::TfrcNs2, theta));
    assert_eq!(starved(0.05), Verdict::Reproduced);
    assert_eq!(starved(0.1), Verdict::Undecided);
    assert_eq!(starved(0.4), Verdict::NotReproduced);
    let in_its_place = |ticks, exact| {
        let mut runs = beside(Media::TfwcTicks, ticks);
        runs.extend(beside(Media::Tfwc, exact));
        verdict(&IN_ITS_PLACE, runs)
    };
    assert_eq!(in_its_place(0.4, 0.3), Verdict::Reproduced);
    assert_eq!(in_its_place(0.4, 0.03), Verdict::Partly);
    assert_eq!(in_its_place(0.03, 0.03), Verdict::NotReproduced);
}

/// Seeds with 0.001 around the outage: 20 s without rate mode, and what `with` says with it; and 1 s,
/// which is no outage.
#[test]
fn an_outage_must_be_shorter_with_rate_mode_in_each_run_that_has_one() {
    let of = |without, with| {
        let [with_rate, window_only] =
            outage::MODES.map(|media| outage::key(media, outage::MIXES[0], outage::DITHERS[0]));
        let mut runs = point(&with_rate, &[(outage::OUTAGE, with)]);
        runs.extend(point(&window_only, &[(outage::OUTAGE, without)]));
        verdict(&OUTAGE, runs)
    };
    assert_eq!(of(20.0, 2.0), Verdict::Reproduced);
    assert_eq!(of(20.0, 30.0), Verdict::NotReproduced);
    assert_eq!(of(1.0, 30.0), Verdict::Undecided);
}
