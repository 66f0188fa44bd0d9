//! How fast the protocols follow a change.

use super::{because, place};
use crate::claim::{Claim, Quantity};
use crate::data::{Data, Samples};
use crate::rules::{self, judged};
use crate::tfwc::setting::Media;
use crate::tfwc::{on_off, step};

/// §3.4: TFRC "is not going to cut down its sending rate right away".
pub(in crate::tfwc) const STEP_DOWN: Claim = Claim {
    id: "step-down",
    figures: &["step"],
    statement: "When the bandwidth falls, TFWC makes room sooner than TFRC: no ACK, no packet.",
    paper: Quantity::words("sooner (no numbers)"),
    unit: "s",
    rule: "At a place (reading of TFRC, number of flows) it holds if TFRC takes longer to the new share, \
           the interval of the difference excluding zero. At all places: reproduced; at half or more: \
           partly. Ours is the difference with RFC 5348 and four flows.",
    judge: |evidence| {
        let data = evidence.figure("step");
        let later = |tfrc: Media, flows| {
            let of = |media: Media| data.samples(&step::key(media.name(), flows), step::DOWN);
            of(tfrc).less(&of(Media::Tfwc))
        };
        let mut places = Vec::new();
        for tfrc in TFRC {
            for flows in step::flows(data) {
                let later = later(tfrc, flows);
                let label = format!("{}, flows: {flows}", tfrc.name());
                places.push(place(label, rules::above(&later, 0.0), &later, "s"));
            }
        }
        let loss = |media: Media| {
            let loss = data.samples(&step::key(media.name(), 4), step::LOSS);
            format!("{} {}", media.name(), rules::shown(loss.estimate(), ""))
        };
        let why = format!(
            "A sender of TFRC follows what its receiver reports within a few round trips. The cost differs: of \
             the packets of the five seconds after the step, with four flows, are lost: {}.",
            step::MEDIA.map(loss).join(", ")
        );
        because(
            judged(&places, later(Media::Tfrc, 4).estimate()),
            &places,
            &why,
        )
    },
};

/// §4.2.3: 0.1 packet for each round trip.
pub(in crate::tfwc) const STEP_UP: Claim = Claim {
    id: "step-up",
    figures: &["step"],
    statement: "When bandwidth comes free, TCP fills it sooner than TFWC, whose window grows by a tenth of \
                a packet for each round trip. (That the report says; the comparison follows from it.)",
    paper: Quantity::words("0.1 against 1 packet/RTT"),
    unit: "s",
    rule: "At a number of flows it holds if TFWC takes longer to the new share than TCP, the interval of \
           the difference excluding zero. At all of them: reproduced; at half or more: partly. Ours is \
           the difference with four flows.",
    judge: |evidence| {
        let data = evidence.figure("step");
        let later = |flows| {
            let of = |media: Media| data.samples(&step::key(media.name(), flows), step::UP);
            of(Media::Tfwc).less(&of(Media::Tcp))
        };
        let places: Vec<_> = step::flows(data)
            .into_iter()
            .map(|flows| {
                let later = later(flows);
                let answer = rules::above(&later, 0.0);
                place(format!("flows: {flows}"), answer, &later, "s")
            })
            .collect();
        judged(&places, later(4).estimate())
    },
};

/// §3.4: CBR traffic that takes almost all of the link.
pub(in crate::tfwc) const CBR_COMES: Claim = Claim {
    id: "on-off-cut",
    figures: &["on-off"],
    statement: "When CBR traffic takes most of the link, TFRC does not cut its rate at once; a window does.",
    paper: Quantity::words("not right away (no numbers)"),
    unit: "s",
    rule: "At a place (reading of TFRC, number of flows), with on-times of 10 s, it holds if TFRC takes \
           longer to the new share than TFWC, the interval of the difference excluding zero. At all \
           places: reproduced; at half or more: partly. Ours is the difference with RFC 5348 and four \
           flows.",
    judge: |evidence| {
        let data = evidence.figure("on-off");
        let later = |tfrc, flows| more(data, tfrc, flows, on_off::LONG_S, on_off::ON);
        let mut places = Vec::new();
        for tfrc in TFRC {
            for flows in on_off::FLOWS {
                let later = later(tfrc, flows);
                if !later.0.is_empty() {
                    let label = format!("{}, flows: {flows}", tfrc.name());
                    places.push(place(label, rules::above(&later, 0.0), &later, "s"));
                }
            }
        }
        judged(&places, later(Media::Tfrc, 4).estimate())
    },
};

/// §1 and §3.4: short on/off CBR, "especially under a low level of statistical multiplexing".
pub(in crate::tfwc) const OSCILLATION: Claim = Claim {
    id: "on-off-oscillation",
    figures: &["on-off"],
    statement: "CBR traffic that comes and goes for short times makes TFRC's rate oscillate; a window \
                avoids it.",
    paper: Quantity::words("oscillates (no numbers)"),
    unit: "",
    rule: "At a place (reading of TFRC, number of flows, on-times of up to 1 s) it holds if TFRC's CoV \
           over 2 s, in each of which the same is left, is greater than TFWC's, the interval of the \
           difference excluding zero. At all places: reproduced; at half or more: partly. Ours is the \
           difference with RFC 5348, four flows and times of 1 s.",
    judge: |evidence| {
        let data = evidence.figure("on-off");
        let rougher = |tfrc, flows, time_s| more(data, tfrc, flows, time_s, on_off::COV);
        let mut places = Vec::new();
        for tfrc in TFRC {
            for flows in on_off::FLOWS {
                for time_s in on_off::SHORT_S {
                    let rougher = rougher(tfrc, flows, time_s);
                    if !rougher.0.is_empty() {
                        let label = format!("{}, flows: {flows}, {time_s} s", tfrc.name());
                        places.push(place(label, rules::above(&rougher, 0.0), &rougher, ""));
                    }
                }
            }
        }
        let of_all = |media: Media| {
            let sum = data.samples(&on_off::key(media, 4, 1.0), on_off::COV_OF_ALL);
            format!("{} {}", media.name(), rules::shown(sum.estimate(), ""))
        };
        let why = format!(
            "The CoV of what four flows send together, times of 1 s: {}.",
            on_off::MEDIA.map(of_all).join(", ")
        );
        let ours = rougher(Media::Tfrc, 4, 1.0).estimate();
        because(judged(&places, ours), &places, &why)
    },
};

const TFRC: [Media; 2] = [Media::Tfrc, Media::TfrcNs2];

/// By how much a number of TFRC is above that of TFWC; none at points that the quick form leaves out.
fn more(data: &Data, tfrc: Media, flows: u32, time_s: f64, name: &str) -> Samples {
    let of = |media| data.samples(&on_off::key(media, flows, time_s), name);
    of(tfrc).less(&of(Media::Tfwc))
}
