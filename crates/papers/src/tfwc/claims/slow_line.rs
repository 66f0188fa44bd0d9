//! Figures 3.2 and 5.4: the slow line.

use super::{below, place};
use crate::claim::{Claim, Evidence, Quantity};
use crate::data::Samples;
use crate::rules::{self, Answer, Place, judged};
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
    rule: "Starved is a share θ below 0.1, a fifth of the fair one; it holds if the whole interval of \
           the mean over the seeds is below. As the author ran it: TFRC of ns-2, receivers on the far \
           router, packets of 1040 B. Ours is θ.",
    judge: |evidence| {
        let theta = share(evidence, Media::TfrcNs2);
        let place = place(
            "beside TFRC".to_owned(),
            below(&theta, STARVED_SHARE),
            &theta,
            "",
        );
        judged(&[place], theta.estimate())
    },
};

/// What TFWC does in TFRC's place, with its timer in ticks and with the exact one of eq. 5.6.
pub(in crate::tfwc) const IN_ITS_PLACE: Claim = Claim {
    id: "3.2-tfwc",
    figures: &["3.2"],
    statement: "In TFRC's place on the DSL line TFWC does not starve TCP, whichever timer it has.",
    paper: Quantity::words("nothing said of it"),
    unit: "",
    rule: "θ is above 0.1, the whole interval of the mean over the seeds, with the timer in ticks of \
           0.1 s and with the exact one. With both: reproduced; with one: partly. Ours is the lesser θ.",
    judge: |evidence| {
        let shares = [Media::TfwcTicks, Media::Tfwc].map(|media| (media, share(evidence, media)));
        let places = shares.each_ref().map(|(media, theta)| {
            let answer = rules::above(theta, STARVED_SHARE);
            place(media.name().to_owned(), answer, theta, "")
        });
        let least = shares.iter().filter_map(|(_, theta)| theta.estimate());
        judged(
            &places,
            least.min_by(|one, other| one.mean.total_cmp(&other.mean)),
        )
    },
};

fn share(evidence: &Evidence<'_>, media: Media) -> Samples {
    evidence
        .figure("3.2")
        .samples(&dsl::key(media, "", ""), THETA)
}

/// §5.4.1: the rate mode removes the starvation of 160 to 180 s.
pub(in crate::tfwc) const OUTAGE: Claim = Claim {
    id: "5.4-outage",
    figures: &["5.4"],
    statement: "Without rate mode a TFWC flow gets nothing through for many seconds; the rate mode \
                removes such outages.",
    paper: Quantity::words("an outage of 20 s is gone"),
    unit: "of the seeds",
    rule: "Of one TCP, one TFRC and one TFWC flow without dither, as the report has them: seed by seed, \
           the longest outage of more than 2 s without rate mode must be shorter with it. Without a \
           seed that has one: nothing to compare. In every such seed: reproduced; in half of them or \
           more: partly. Ours is the share of seeds with an outage of more than 2 s without rate mode.",
    judge: |evidence| {
        let data = evidence.figure("5.4");
        let of = |media| {
            let key = outage::key(media, outage::MIXES[0], outage::DITHERS[0]);
            data.samples(&key, outage::OUTAGE)
        };
        let (with, without) = (of(outage::MODES[0]), of(outage::MODES[1]));
        let mut places = Vec::new();
        for (seed, longest) in &without.0 {
            let other = with.0.iter().find(|(other, _)| other == seed);
            let other = other.map_or(f64::NAN, |(_, other)| *other);
            places.push(Place {
                label: format!("seed {seed}"),
                answer: if *longest <= LONG_OUTAGE_S {
                    Answer::Nothing
                } else {
                    Answer::from(other < *longest)
                },
                found: format!("{longest:.1} s, {other:.1} s with rate mode"),
            });
        }
        let long = Samples::combine(&[without], |longest| {
            f64::from(u8::from(longest[0] > LONG_OUTAGE_S))
        });
        judged(&places, long.estimate())
    },
};

/// A fifth of the fair share.
const STARVED_SHARE: f64 = 0.1;
/// What counts as an outage: fifty round trips.
const LONG_OUTAGE_S: f64 = 2.0;
