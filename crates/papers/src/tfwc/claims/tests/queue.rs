use super::super::queue::BULKY;
use super::{point, verdict};
use crate::claim::Verdict;
use crate::tfwc::queue;

#[test]
fn tfwc_must_have_the_larger_deviation_at_red() {
    let of = |alone: f64, beside: f64| {
        let mut runs = Vec::new();
        for (mix, deviation) in [
            ("TFRC", 4.0),
            ("TFWC", alone),
            ("TCP + TFRC", 4.0),
            ("TCP + TFWC", beside),
        ] {
            let key = queue::key(mix, "RED");
            runs.extend(point(&key, &[(queue::DEVIATION, deviation)]));
        }
        verdict(&BULKY, runs)
    };
    assert_eq!(of(5.0, 4.5), Verdict::Reproduced);
    assert_eq!(of(3.0, 4.5), Verdict::Partly);
    assert_eq!(of(4.0, 3.0), Verdict::NotReproduced);
}
