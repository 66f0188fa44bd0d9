use super::super::slow_line::{OUTAGE, STARVED};
use super::{point, verdict};
use crate::claim::Verdict;
use crate::tfwc::dsl;
use crate::tfwc::measure::THETA;
use crate::tfwc::outage;
use crate::tfwc::setting::Media;

/// 12 places of each reading: `rfc` and `ns2` are their θ everywhere.
fn starved(rfc: f64, ns2: f64) -> Verdict {
    let mut runs = Vec::new();
    for (media, theta) in [(Media::Tfrc, rfc), (Media::TfrcNs2, ns2)] {
        for condition in dsl::CONDITIONS {
            for variant in dsl::VARIANTS {
                runs.extend(point(
                    &dsl::key(media, condition, variant),
                    &[(THETA, theta)],
                ));
            }
        }
    }
    verdict(&STARVED, runs)
}

#[test]
fn starvation_can_come_out_each_way() {
    assert_eq!(starved(0.03, 0.05), Verdict::Reproduced);
    assert_eq!(starved(0.03, 0.9), Verdict::Partly);
    assert_eq!(starved(0.4, 0.9), Verdict::NotReproduced);
}

/// Two mixes and two dithers: the outage without rate mode at each, 2 s with it.
#[test]
fn an_outage_must_be_shorter_with_rate_mode() {
    let of = |without: [f64; 4]| {
        let mut runs = Vec::new();
        let mut without = without.into_iter();
        for mix in outage::MIXES {
            for dither in outage::DITHERS {
                let [with_rate, window_only] =
                    outage::MODES.map(|media| outage::key(media, mix, dither));
                runs.extend(point(&with_rate, &[(outage::OUTAGE, 2.0)]));
                let longest = without.next().unwrap();
                runs.extend(point(&window_only, &[(outage::OUTAGE, longest)]));
            }
        }
        verdict(&OUTAGE, runs)
    };
    assert_eq!(of([20.0, 3.0, 30.0, 5.0]), Verdict::Reproduced);
    assert_eq!(of([2.0, 1.0, 30.0, 5.0]), Verdict::Partly);
    assert_eq!(of([2.0, 1.0, 2.0, 5.0]), Verdict::NotReproduced);
}
