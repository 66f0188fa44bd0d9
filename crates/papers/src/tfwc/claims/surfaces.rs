//! Figures 6.7 and 6.8, and what reverse traffic changes: fairness.

use super::{below, place, yes_if};
use crate::claim::{Claim, Evidence, Judged, Quantity};
use crate::data::{Data, Point, Samples};
use crate::rules::{self, Answer, Place, judged};
use crate::tfwc::measure::{self, THETA, mean_over, within};
use crate::tfwc::setting::Media;
use crate::tfwc::surface;

/// §6.2: Figure 6.7 (a).
pub(in crate::tfwc) const TFRC_SLOW: Claim = Claim {
    id: "6.7a-slow",
    figures: &["6.7"],
    statement: "With drop-tail and less than 1 Mb/s TFRC leaves TCP a share of about 0.1.",
    paper: Quantity::Number(0.1),
    unit: "",
    rule: "With reverse traffic, as the report has it, the mean of θ over all cells below 1 Mb/s is below \
           0.2, its whole interval.",
    judge: |evidence| {
        over_cells(
            evidence,
            "6.7",
            |mbps, _| mbps < 1.0,
            |theta| below(theta, 0.2),
        )
    },
};

/// §6.2: Figure 6.7 (a).
pub(in crate::tfwc) const TFRC_FAST: Claim = Claim {
    id: "6.7a-fast",
    figures: &["6.7"],
    statement: "With drop-tail and more than 5 Mb/s TFRC is fair to TCP.",
    paper: Quantity::Number(0.5),
    unit: "",
    rule: "With reverse traffic the mean of θ over all cells above 5 Mb/s lies within 0.4 to 0.6, its \
           whole interval: reproduced. Within 0.3 to 0.7: partly.",
    judge: |evidence| {
        let theta = mean_theta(evidence.figure("6.7"), TFRC, |mbps, _| mbps > 5.0);
        let place = place(
            "above 5 Mb/s".to_owned(),
            within(&theta, 0.4, 0.6),
            &theta,
            "",
        );
        Judged {
            verdict: rules::full_or_lesser(within(&theta, 0.4, 0.6), within(&theta, 0.3, 0.7)),
            ..judged(&[place], theta.estimate())
        }
    },
};

/// §6.2: Figure 6.7 (b).
pub(in crate::tfwc) const TFWC_FAIR: Claim = Claim {
    id: "6.7b-fair",
    figures: &["6.7"],
    statement: "With drop-tail TFWC is fair to TCP at every bandwidth and number of flows.",
    paper: Quantity::Number(0.5),
    unit: "",
    rule: "With reverse traffic the mean of θ over all cells lies within 0.4 to 0.6, its whole interval, \
           and at most a twentieth of the cells is unfair (mean θ below 0.2 or above 0.8): reproduced. \
           One of the two: partly.",
    judge: |evidence| judge_fair(evidence.figure("6.7")),
};

/// §7.1: the worst scenario.
pub(in crate::tfwc) const WORST: Claim = Claim {
    id: "7.1-worst",
    figures: &["6.7"],
    statement: "Drop-tail without reverse traffic is the worst case, for both protocols.",
    paper: Quantity::words("both unfair"),
    unit: "",
    rule: "For a protocol it holds if unfairness, the mean of |θ − 0.5| over the cells of one or two flows \
           each, for which the report says it, is greater without reverse traffic than with it, the \
           interval of the difference excluding zero. For both: reproduced; for one: partly. Ours is \
           the difference for TFRC.",
    judge: |evidence| {
        let data = evidence.figure("6.7");
        let difference = |media| {
            let of = |reverse| {
                let wanted = |point: &Point| {
                    let few = point.key.number("flows").is_some_and(|flows| flows <= 2.0);
                    few && picks(point, media, reverse)
                };
                mean_over(data, wanted, |theta| (theta - 0.5).abs())
            };
            of(surface::REVERSE[0]).less(&of(surface::REVERSE[1]))
        };
        let places = surface::MEDIA.map(|media| {
            let difference = difference(media);
            let answer = rules::above(&difference, 0.0);
            place(media.name().to_owned(), answer, &difference, "")
        });
        judged(&places, difference(TFRC).estimate())
    },
};

/// §6.2: Figure 6.8 (a).
pub(in crate::tfwc) const RED_SLOW: Claim = Claim {
    id: "6.8a-slow",
    figures: &["6.8"],
    statement: "With RED and less than 2 Mb/s TFRC starves TCP.",
    paper: Quantity::words("starved"),
    unit: "",
    rule: "With reverse traffic the mean of θ over all cells below 2 Mb/s is below 0.3, its whole interval.",
    judge: |evidence| {
        over_cells(
            evidence,
            "6.8",
            |mbps, _| mbps < 2.0,
            |theta| below(theta, 0.3),
        )
    },
};

/// §6.2: Figure 6.8.
pub(in crate::tfwc) const RED_FEW: Claim = Claim {
    id: "6.8a-few",
    figures: &["6.8"],
    statement: "With RED a few flows of TFRC starve TCP at every bandwidth.",
    paper: Quantity::words("starved"),
    unit: "",
    rule: "With reverse traffic the mean of θ over all cells of up to four flows is below 0.3, its whole \
           interval.",
    judge: |evidence| {
        over_cells(
            evidence,
            "6.8",
            |_, flows| flows <= 4.0,
            |theta| below(theta, 0.3),
        )
    },
};

/// §6.2: Figure 6.8 (b).
pub(in crate::tfwc) const RED_TFWC: Claim = Claim {
    id: "6.8b-fair",
    figures: &["6.8"],
    statement: "With RED TFWC is fair to TCP.",
    paper: Quantity::Number(0.5),
    unit: "",
    rule: "As for drop-tail: with reverse traffic the mean of θ over all cells lies within 0.4 to 0.6, its \
           whole interval, and at most a twentieth of the cells is unfair: reproduced. One of the two: \
           partly.",
    judge: |evidence| judge_fair(evidence.figure("6.8")),
};

/// Chapter 7: TFWC is the fairer one.
pub(in crate::tfwc) const CONFOUNDED: Claim = Claim {
    id: "7-fairer",
    figures: &["6.7", "6.8"],
    statement: "TFWC is fairer to TCP than TFRC (both under the same conditions).",
    paper: Quantity::words("fairer"),
    unit: "",
    rule: "TFRC's unfairness, the mean of |θ − 0.5| over all cells, is greater than TFWC's, the interval \
           of the difference excluding zero: with drop-tail and with RED, both with reverse traffic. Of \
           both queues: reproduced; of one: partly. Ours is the difference with drop-tail.",
    judge: |evidence| {
        let difference = |figure| {
            let data = evidence.figure(figure);
            let unfairness = |media| {
                let wanted = |point: &Point| picks(point, media, surface::REVERSE[1]);
                mean_over(data, wanted, |theta| (theta - 0.5).abs())
            };
            unfairness(TFRC).less(&unfairness(TFWC))
        };
        let places = [("6.7", "drop-tail"), ("6.8", "RED")].map(|(figure, queue)| {
            let difference = difference(figure);
            let answer = rules::above(&difference, 0.0);
            place(queue.to_owned(), answer, &difference, "")
        });
        judged(&places, difference("6.7").estimate())
    },
};

/// A claim about the mean of θ beside TFRC, with reverse traffic, over the cells that `wanted` picks
/// by bandwidth and number of flows.
fn over_cells(
    evidence: &Evidence<'_>,
    figure: &str,
    wanted: impl Fn(f64, f64) -> bool,
    answer: impl Fn(&Samples) -> Answer,
) -> Judged {
    let theta = mean_theta(evidence.figure(figure), TFRC, wanted);
    let place = place("these cells".to_owned(), answer(&theta), &theta, "");
    judged(&[place], theta.estimate())
}

/// The mean of θ with reverse traffic over some cells.
fn mean_theta(data: &Data, media: Media, wanted: impl Fn(f64, f64) -> bool) -> Samples {
    let wanted = |point: &Point| {
        let number = |axis| point.key.number(axis).unwrap_or(f64::NAN);
        picks(point, media, surface::REVERSE[1]) && wanted(number("mbps"), number("flows"))
    };
    mean_over(data, wanted, |theta| theta)
}

/// Whether the mean of θ beside TFWC over all cells is fair, and hardly any cell is not.
fn judge_fair(data: &Data) -> Judged {
    let theta = mean_theta(data, TFWC, |_, _| true);
    let cells: Vec<f64> = measure::points(data, |point| picks(point, TFWC, surface::REVERSE[1]))
        .filter_map(|point| Some(point.samples(THETA).estimate()?.mean))
        .collect();
    let unfair = cells.iter().filter(|theta| !(0.2..=0.8).contains(*theta));
    let unfair = unfair.count();
    let few = yes_if(20 * unfair <= cells.len() && !cells.is_empty());
    let places = [
        place("mean θ".to_owned(), within(&theta, 0.4, 0.6), &theta, ""),
        Place {
            label: "unfair cells".to_owned(),
            answer: few,
            found: format!("{unfair} of {}", cells.len()),
        },
    ];
    judged(&places, theta.estimate())
}

/// Whether a cell is one of that protocol, with or without reverse traffic.
fn picks(point: &Point, media: Media, reverse: &str) -> bool {
    let is = |axis, word| point.key.word(axis) == Some(word);
    is("protocol", media.name()) && is("reverse", reverse)
}

const TFRC: Media = surface::MEDIA[0];
const TFWC: Media = surface::MEDIA[1];
