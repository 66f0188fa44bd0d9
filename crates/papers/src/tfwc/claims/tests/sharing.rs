use super::super::sharing::{EVEN, MIXED, PACKET_SIZE};
use super::{point, verdict};
use crate::claim::Verdict;
use crate::tfwc::setting::{Media, QUEUES};
use crate::tfwc::{alone, mixed, packet_size};

/// TFWC's part at 1 and at 2 Mb/s: means of 0.5, 0.425 and 0.35.
#[test]
fn parts_are_even_by_their_mean_over_the_bandwidths() {
    let of = |parts: [[f64; 2]; 2]| {
        let mut runs = Vec::new();
        for (tfrc, parts) in alone::TFRC.into_iter().zip(parts) {
            for queue in QUEUES {
                for each in alone::EACH {
                    for (mbps, part) in [1.0, 2.0].into_iter().zip(parts) {
                        let key = alone::key(tfrc, queue, each, mbps);
                        runs.extend(point(&key, &[(alone::PART, part)]));
                    }
                }
            }
        }
        verdict(&EVEN, runs)
    };
    assert_eq!(of([[0.3, 0.7], [0.45, 0.4]]), Verdict::Reproduced);
    assert_eq!(of([[0.3, 0.7], [0.4, 0.3]]), Verdict::Partly);
    assert_eq!(of([[0.7, 0.6], [0.4, 0.3]]), Verdict::NotReproduced);
}

#[test]
fn each_of_three_must_have_its_share() {
    let of = |drop_tail: [f64; 3], red: [f64; 3]| {
        let mut runs = Vec::new();
        for (queue, shares) in QUEUES.into_iter().zip([drop_tail, red]) {
            let names = mixed::MEDIA.map(mixed::share);
            let values: Vec<(&str, f64)> = names.iter().map(String::as_str).zip(shares).collect();
            runs.extend(point(
                &mixed::key(mixed::VARIANTS[0].0, queue, 1.0),
                &values,
            ));
        }
        verdict(&MIXED, runs)
    };
    let (fair, unfair) = ([0.9, 1.0, 1.1], [0.85, 0.85, 1.3]);
    assert_eq!(of(fair, fair), Verdict::Reproduced);
    assert_eq!(of(fair, unfair), Verdict::Partly);
    assert_eq!(of(unfair, unfair), Verdict::NotReproduced);
}

/// Two packets for each of TCP's with 1000 B; 2.2 are 1.1 times as many, 3 are 1.5 times.
#[test]
fn packets_must_not_depend_on_their_size() {
    let of = |tfrc: f64, tfwc: f64| {
        let mut runs = Vec::new();
        for (media, other) in [(Media::Tfrc, tfrc), (Media::Tfwc, tfwc)] {
            for queue in packet_size::QUEUES {
                for size in packet_size::SIZES {
                    let key = packet_size::key(media, queue, packet_size::label(size));
                    let rate = if size == packet_size::EQUAL {
                        2.0
                    } else {
                        other
                    };
                    runs.extend(point(&key, &[(&packet_size::packets(size), rate)]));
                }
            }
        }
        verdict(&PACKET_SIZE, runs)
    };
    assert_eq!(of(2.2, 1.8), Verdict::Reproduced);
    assert_eq!(of(2.2, 3.0), Verdict::Partly);
    assert_eq!(of(1.0, 3.0), Verdict::NotReproduced);
}
