//! Figures 3.2 and 5.4: the slow line.

use super::{below, place};
use crate::claim::{Claim, Quantity};
use crate::rules::{self, judged};
use crate::tfwc::measure::THETA;
use crate::tfwc::setting::Media;
use crate::tfwc::{dsl, outage};

/// §3: "TFRC starves TCP" on a DSL line.
pub(in crate::tfwc) const STARVED: Claim = Claim {
    id: "3.2-starved",
    figures: &["3.2"],
    statement: "On a DSL line with a queue of five packets TFRC starves TCP: θ is about 0.",
    paper: Quantity::Number(0.0),
    unit: "",
    rule: "Starved is a share θ below 0.1, a fifth of the fair one; it holds where the whole interval of \
           the mean over the seeds is below. Places: each condition and packet size, TFRC as RFC 5348 \
           and as ns-2 have it. At all of them: reproduced; at half or more: partly. Ours is θ of RFC \
           5348 as printed, packets of 1000 B.",
    judge: |evidence| {
        let data = evidence.figure("3.2");
        let mut places = Vec::new();
        for media in [Media::Tfrc, Media::TfrcNs2] {
            for condition in dsl::CONDITIONS {
                for variant in dsl::VARIANTS {
                    let theta = data.samples(&dsl::key(media, condition, variant), THETA);
                    let label = format!("{}, {condition}, {variant}", media.name());
                    places.push(place(label, below(&theta, STARVED_SHARE), &theta, ""));
                }
            }
        }
        let ours = dsl::key(Media::Tfrc, dsl::CONDITIONS[0], dsl::VARIANTS[0]);
        judged(&places, data.samples(&ours, THETA).estimate())
    },
};

/// §5.4.1: the rate mode removes the starvation of 160 to 180 s.
pub(in crate::tfwc) const OUTAGE: Claim = Claim {
    id: "5.4-outage",
    figures: &["5.4"],
    statement: "Without rate mode a TFWC flow gets nothing through for many seconds; the rate mode \
                removes such outages.",
    paper: Quantity::words("an outage of 20 s is gone"),
    unit: "s",
    rule: "At a place (flows, dither) it holds if the longest outage is shorter with rate mode, the \
           interval of the difference excluding zero. At all of them: reproduced; at half or more: \
           partly. Ours is the difference with eight and eight flows without dither.",
    judge: |evidence| {
        let data = evidence.figure("5.4");
        let gain = |mix, dither| {
            let of = |media| data.samples(&outage::key(media, mix, dither), outage::OUTAGE);
            of(outage::MODES[1]).less(&of(outage::MODES[0]))
        };
        let mut places = Vec::new();
        for mix in outage::MIXES {
            for dither in outage::DITHERS {
                let gain = gain(mix, dither);
                let label = format!("{mix} flows, dither: {dither}");
                places.push(place(label, rules::above(&gain, 0.0), &gain, "s"));
            }
        }
        judged(
            &places,
            gain(outage::MIXES[1], outage::DITHERS[0]).estimate(),
        )
    },
};

/// A fifth of the fair share.
const STARVED_SHARE: f64 = 0.1;
