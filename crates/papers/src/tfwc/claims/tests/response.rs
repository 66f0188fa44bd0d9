use super::super::response::{CBR_COMES, OSCILLATION, STEP_DOWN, STEP_UP};
use super::{point, verdict};
use crate::claim::{Claim, Verdict};
use crate::tfwc::on_off;
use crate::tfwc::setting::Media;
use crate::tfwc::step;

/// Four flows of each protocol: how long TCP, TFRC, TFRC as in ns-2 and TFWC take.
fn stepped(claim: &Claim, name: &str, times_s: [f64; 4]) -> Verdict {
    let mut runs = Vec::new();
    for (media, time_s) in step::MEDIA.into_iter().zip(times_s) {
        runs.extend(point(&step::key(media.name(), 4), &[(name, time_s)]));
    }
    verdict(claim, runs)
}

#[test]
fn both_readings_of_tfrc_must_be_later_than_tfwc() {
    let of = |rfc, ns2| stepped(&STEP_DOWN, step::DOWN, [1.0, rfc, ns2, 2.0]);
    assert_eq!(of(3.0, 5.0), Verdict::Reproduced);
    assert_eq!(of(3.0, 1.5), Verdict::Partly);
    assert_eq!(of(1.0, 2.0), Verdict::NotReproduced);
}

#[test]
fn tfwc_must_take_longer_than_tcp_to_fill_the_link() {
    let of = |tfwc| stepped(&STEP_UP, step::UP, [1.0, 9.0, 9.0, tfwc]);
    assert_eq!(of(4.0), Verdict::Reproduced);
    assert_eq!(of(1.0), Verdict::NotReproduced);
    assert_eq!(of(0.5), Verdict::NotReproduced);
}

/// TFRC and TFRC as in ns-2 at each number of flows and time; TFWC has 1.
fn beside_cbr(claim: &Claim, name: &str, tfrc: [f64; 2]) -> Verdict {
    let mut runs = Vec::new();
    for flows in on_off::FLOWS {
        for time_s in on_off::SHORT_S.into_iter().chain([on_off::LONG_S]) {
            let media = [Media::Tfrc, Media::TfrcNs2, Media::Tfwc];
            for (media, value) in media.into_iter().zip([tfrc[0], tfrc[1], 1.0]) {
                runs.extend(point(&on_off::key(media, flows, time_s), &[(name, value)]));
            }
        }
    }
    verdict(claim, runs)
}

#[test]
fn tfrc_must_be_later_when_cbr_comes_and_rougher_beside_it() {
    for (claim, name) in [(&CBR_COMES, on_off::ON), (&OSCILLATION, on_off::COV)] {
        let of = |tfrc| beside_cbr(claim, name, tfrc);
        assert_eq!(of([1.5, 2.0]), Verdict::Reproduced, "{}", claim.id);
        assert_eq!(of([1.5, 1.0]), Verdict::Partly, "{}", claim.id);
        assert_eq!(of([0.5, 1.0]), Verdict::NotReproduced, "{}", claim.id);
    }
}
