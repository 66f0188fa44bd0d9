//! How evenly the protocols send.

use super::{because, place};
use crate::claim::{Claim, Evidence, Judged, Quantity};
use crate::data::{Data, Samples};
use crate::rules::{self, Answer, Place, judged};
use crate::tfwc::setting::Media;
use crate::tfwc::setting::QUEUES;
use crate::tfwc::smoothness::{self, MBPS, Mix, SLOTS};

/// §2.3 and §3.4.
pub(in crate::tfwc) const TFRC: Claim = Claim {
    id: "smoothness-tfrc",
    figures: &["smoothness"],
    statement: "TFRC sends more smoothly than TCP.",
    paper: Quantity::words("much smoother (no numbers)"),
    unit: "",
    rule: "At a place (mix, queue, bandwidth, length of time) it holds if TCP's CoV is the greater one, \
           the interval of the difference excluding zero. Mixes: each by itself, six and six, four of \
           each. At all places: reproduced; at half or more: partly. Ours is the difference over 1 s \
           with each by itself, drop-tail, 6 Mb/s.",
    judge: |evidence| {
        let why = "TCP's sawtooth averages out over a few seconds; slower swings do not.";
        smoother_than_tcp(evidence, Media::Tfrc, why)
    },
};

/// §3.4: "smooth and predictable throughput" is what TFWC is to keep of TFRC.
pub(in crate::tfwc) const TFWC: Claim = Claim {
    id: "smoothness-tfwc",
    figures: &["smoothness"],
    statement: "TFWC sends more smoothly than TCP.",
    paper: Quantity::words("smoother (no numbers)"),
    unit: "",
    rule: "As for TFRC: at a place (mix, queue, bandwidth, length of time) it holds if TCP's CoV is the \
           greater one, the interval of the difference excluding zero. At all places: reproduced; at \
           half or more: partly. Ours is the difference over 1 s with each by itself, drop-tail, 6 Mb/s.",
    judge: |evidence| smoother_than_tcp(evidence, Media::Tfwc, ""),
};

/// §3.4: the same benefit.
pub(in crate::tfwc) const SAME: Claim = Claim {
    id: "smoothness-same",
    figures: &["smoothness"],
    statement: "TFWC is as smooth as TFRC.",
    paper: Quantity::words("the same benefit (no numbers)"),
    unit: "",
    rule: "At a place (mix, queue, bandwidth, length of time) it holds if TFWC's CoV is at most 1.1 times \
           that of TFRC, as the mean over the seeds. At all places: reproduced; at half or more: partly. \
           Ours is that ratio over 1 s with each by itself, drop-tail, 6 Mb/s.",
    judge: |evidence| {
        over_mixes(
            evidence.figure("smoothness"),
            [Media::Tfwc, Media::Tfrc],
            Samples::over,
            |ratio| rules::at_most(ratio, 1.1),
            "",
        )
    },
};

fn smoother_than_tcp(evidence: &Evidence<'_>, media: Media, why: &str) -> Judged {
    over_mixes(
        evidence.figure("smoothness"),
        [Media::Tcp, media],
        Samples::less,
        |difference| rules::above(difference, 0.0),
        why,
    )
}

/// Compares how much two protocols vary, wherever there are both: each by itself, beside TCP, together.
fn over_mixes(
    data: &Data,
    [one, other]: [Media; 2],
    compare: fn(&Samples, &Samples) -> Samples,
    answer: impl Fn(&Samples) -> Answer,
    why: &str,
) -> Judged {
    // TCP is within the mix of the other; TFRC and TFWC have mixes of their own.
    let beside = |media| Mix::BesideTcp(if media == Media::Tcp { other } else { media });
    let mixes = [
        ("by itself", Mix::Alone(one), Mix::Alone(other)),
        ("beside TCP", beside(one), beside(other)),
        ("all three", Mix::All, Mix::All),
    ];
    let mut places: Vec<Place> = Vec::new();
    let mut ours = None;
    for (name, of_one, of_other) in mixes {
        for queue in QUEUES {
            for mbps in MBPS {
                for slot in SLOTS {
                    let cov = |mix, media| {
                        let key = smoothness::key(mix, queue, mbps);
                        data.samples(&key, &smoothness::cov(media, slot))
                    };
                    let compared = compare(&cov(of_one, one), &cov(of_other, other));
                    if compared.0.is_empty() {
                        continue; // the quick form has one queue
                    }
                    let length = smoothness::slot_s(slot);
                    let label = format!("{name}, {queue}, {mbps} Mb/s, {length} s");
                    places.push(place(label, answer(&compared), &compared, ""));
                    if of_one == Mix::Alone(one) && queue == QUEUES[0] && mbps > 5.0 && slot == 2 {
                        ours = compared.estimate();
                    }
                }
            }
        }
    }
    because(judged(&places, ours), &places, why)
}
