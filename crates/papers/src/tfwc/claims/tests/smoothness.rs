use super::super::smoothness::{SAME, TFRC, TFWC};
use super::{point, verdict};
use crate::claim::{Claim, Verdict};
use crate::tfwc::setting::Media;
use crate::tfwc::setting::QUEUES;
use crate::tfwc::smoothness::{self, MBPS, Mix, SLOTS};

/// The variation of TCP, TFRC and TFWC, by themselves and in mixes.
fn with(claim: &Claim, by_themselves: [f64; 3], mixed: [f64; 3]) -> Verdict {
    let media = [Media::Tcp, Media::Tfrc, Media::Tfwc];
    let mut points: Vec<(Mix, Vec<(Media, f64)>)> = Vec::new();
    for (media, cov) in media.into_iter().zip(by_themselves) {
        points.push((Mix::Alone(media), vec![(media, cov)]));
    }
    for (media, cov) in media.into_iter().zip(mixed).skip(1) {
        let beside = vec![(Media::Tcp, mixed[0]), (media, cov)];
        points.push((Mix::BesideTcp(media), beside));
    }
    points.push((Mix::All, media.into_iter().zip(mixed).collect()));
    let mut runs = Vec::new();
    for (mix, covs) in points {
        for queue in QUEUES {
            for mbps in MBPS {
                let names: Vec<(String, f64)> = covs
                    .iter()
                    .flat_map(|(media, cov)| {
                        SLOTS.map(|slot| (smoothness::cov(*media, slot), *cov))
                    })
                    .collect();
                let values: Vec<(&str, f64)> = names
                    .iter()
                    .map(|(name, cov)| (name.as_str(), *cov))
                    .collect();
                runs.extend(point(&smoothness::key(mix, queue, mbps), &values));
            }
        }
    }
    verdict(claim, runs)
}

/// A third of the places are by themselves, two thirds in mixes.
#[test]
fn a_smoother_protocol_varies_less_than_tcp_everywhere() {
    let (smooth, rough) = ([0.4, 0.2, 0.3], [0.4, 0.4, 0.5]);
    for claim in [&TFRC, &TFWC] {
        assert_eq!(with(claim, smooth, smooth), Verdict::Reproduced);
        assert_eq!(with(claim, rough, smooth), Verdict::Partly);
        assert_eq!(with(claim, smooth, rough), Verdict::NotReproduced);
    }
}

/// 0.21 / 0.2 = 1.05; 0.25 / 0.2 = 1.25.
#[test]
fn as_smooth_is_up_to_a_tenth_more() {
    let (same, rougher) = ([0.4, 0.2, 0.21], [0.4, 0.2, 0.25]);
    assert_eq!(with(&SAME, same, same), Verdict::Reproduced);
    assert_eq!(with(&SAME, rougher, same), Verdict::Partly);
    assert_eq!(with(&SAME, same, rougher), Verdict::NotReproduced);
}
