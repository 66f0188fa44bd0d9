//! Figures 6.7 and 6.8, and what reverse traffic changes: fairness.

use super::{below, place, yes_if};
use crate::claim::{Claim, Evidence, Judged, Quantity};
use crate::data::{Data, Point, Samples};
use crate::rules::{self, Answer, judged, shown};
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
    rule: "At a condition (reverse traffic, dither) it holds if the mean of θ over all cells below 1 Mb/s \
           is below 0.2, its whole interval. At all four: reproduced; at half or more: partly. Ours is \
           that mean without reverse traffic, with dither.",
    judge: |evidence| {
        over_conditions(
            evidence,
            "6.7",
            Media::Tfrc,
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
    rule: "At a condition it holds if the mean of θ over all cells above 5 Mb/s lies within 0.4 to 0.6, \
           its whole interval. At all four: reproduced; at half or more: partly.",
    judge: |evidence| {
        over_conditions(
            evidence,
            "6.7",
            Media::Tfrc,
            |mbps, _| mbps > 5.0,
            |theta| within(theta, 0.4, 0.6),
        )
    },
};

/// §6.2: Figure 6.7 (b).
pub(in crate::tfwc) const TFWC_FAIR: Claim = Claim {
    id: "6.7b-fair",
    figures: &["6.7"],
    statement: "With drop-tail TFWC is fair to TCP at every bandwidth and number of flows.",
    paper: Quantity::Number(0.5),
    unit: "",
    rule: "At a condition it holds if the mean of θ over all cells lies within 0.4 to 0.6, its whole \
           interval, and at most a twentieth of the cells is unfair (mean θ below 0.2 or above 0.8). At \
           all four: reproduced; at half or more: partly.",
    judge: |evidence| {
        let mut judged = judge_fair(evidence.figure("6.7"), Media::Tfwc);
        judged.reason +=
            " The timer of ns-2's TCP stays backed off for longer than that of RFC 6298.";
        judged
    },
};

/// §7.1: the worst scenario.
pub(in crate::tfwc) const WORST: Claim = Claim {
    id: "7.1-worst",
    figures: &["6.7"],
    statement: "Drop-tail without reverse traffic is the worst case, for both protocols.",
    paper: Quantity::words("both unfair"),
    unit: "",
    rule: "At a protocol and dither it holds if unfairness, the mean of |θ − 0.5| over all cells, is \
           greater without reverse traffic than with it, the interval of the difference excluding zero. \
           At all four: reproduced; at half or more: partly. Ours is the difference for TFRC with dither.",
    judge: |evidence| {
        let data = evidence.figure("6.7");
        let difference = |media, dither| {
            let of = |reverse| {
                mean_over(
                    data,
                    |point| picks(point, media, reverse, dither),
                    |theta| (theta - 0.5).abs(),
                )
            };
            of(surface::REVERSE[0]).less(&of(surface::REVERSE[1]))
        };
        let mut places = Vec::new();
        for media in surface::MEDIA {
            for dither in surface::DITHERS {
                let difference = difference(media, dither);
                let label = format!("{}, dither: {dither}", media.name());
                places.push(place(
                    label,
                    rules::above(&difference, 0.0),
                    &difference,
                    "",
                ));
            }
        }
        judged(
            &places,
            difference(surface::MEDIA[0], surface::DITHERS[0]).estimate(),
        )
    },
};

/// §6.2: Figure 6.8 (a).
pub(in crate::tfwc) const RED_SLOW: Claim = Claim {
    id: "6.8a-slow",
    figures: &["6.8"],
    statement: "With RED and less than 2 Mb/s TFRC starves TCP.",
    paper: Quantity::words("starved"),
    unit: "",
    rule: "At a condition it holds if the mean of θ over all cells below 2 Mb/s is below 0.3, its whole \
           interval. At all four: reproduced; at half or more: partly. Ours is that mean without \
           reverse traffic, with dither.",
    judge: |evidence| {
        over_conditions(
            evidence,
            "6.8",
            Media::Tfrc,
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
    rule: "At a condition it holds if the mean of θ over all cells of up to four flows is below 0.3, its \
           whole interval. At all four: reproduced; at half or more: partly.",
    judge: |evidence| {
        over_conditions(
            evidence,
            "6.8",
            Media::Tfrc,
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
    rule: "As for drop-tail: at a condition it holds if the mean of θ over all cells lies within 0.4 to \
           0.6, its whole interval, and at most a twentieth of the cells is unfair. At all four: \
           reproduced; at half or more: partly.",
    judge: |evidence| {
        let data = evidence.figure("6.8");
        judge_fair(data, Media::Tfwc)
    },
};

/// Chapter 7: TFWC is the fairer one.
pub(in crate::tfwc) const CONFOUNDED: Claim = Claim {
    id: "7-fairer",
    figures: &["confound"],
    statement: "TFWC is fairer to TCP than TFRC, also where both run under the same conditions.",
    paper: Quantity::words("fairer"),
    unit: "",
    rule: "At a comparison it holds if TFRC's unfairness, the mean of |θ − 0.5| over the bandwidths, is \
           greater than TFWC's, the interval of the difference excluding zero. Comparisons: as the \
           report's scripts ran it (TFRC without reverse traffic, TFWC with it), both without and both \
           with, for TFRC as RFC 5348 and as ns-2 have it, and for TCP as ns-2 and as the RFCs have it. \
           At all twelve: reproduced; at half or more: partly. Ours is the difference with RFC 5348 and \
           TCP as in ns-2, both without reverse traffic.",
    judge: |evidence| {
        let data = evidence.figure("confound");
        let unfairness = |tcp: Media, media: Media, reverse: &str| {
            let wanted = |point: &Point| {
                let is = |axis, word| point.key.word(axis) == Some(word);
                is("tcp", tcp.name()) && is("protocol", media.name()) && is("reverse", reverse)
            };
            mean_over(data, wanted, |theta| (theta - 0.5).abs())
        };
        let [none, many] = surface::REVERSE;
        let difference = |tcp, media, tfrc, tfwc| {
            unfairness(tcp, media, tfrc).less(&unfairness(tcp, Media::Tfwc, tfwc))
        };
        let mut places = Vec::new();
        for tcp in surface::READINGS {
            for media in [Media::Tfrc, Media::TfrcNs2] {
                for (label, tfrc, tfwc) in [
                    ("as the scripts ran it", none, many),
                    ("both without", none, none),
                    ("both with", many, many),
                ] {
                    let difference = difference(tcp, media, tfrc, tfwc);
                    let label = format!("{}, {}, {label}", tcp.name(), media.name());
                    places.push(place(
                        label,
                        rules::above(&difference, 0.0),
                        &difference,
                        "",
                    ));
                }
            }
        }
        let ours = difference(Media::Tcp, Media::Tfrc, none, none);
        judged(&places, ours.estimate())
    },
};

/// A claim about the mean of θ over the cells of a surface that `wanted` picks by bandwidth and
/// number of flows, at each of the four conditions.
fn over_conditions(
    evidence: &Evidence<'_>,
    figure: &str,
    media: Media,
    wanted: impl Fn(f64, f64) -> bool,
    answer: impl Fn(&Samples) -> Answer,
) -> Judged {
    let data = evidence.figure(figure);
    let wanted = |point: &Point| {
        let number = |axis| point.key.number(axis).unwrap_or(f64::NAN);
        wanted(number("mbps"), number("flows"))
    };
    let theta = |reverse, dither| {
        mean_over(
            data,
            |point| picks(point, media, reverse, dither) && wanted(point),
            |theta| theta,
        )
    };
    let mut places = Vec::new();
    for reverse in surface::REVERSE {
        for dither in surface::DITHERS {
            let theta = theta(reverse, dither);
            places.push(place(
                condition(reverse, dither),
                answer(&theta),
                &theta,
                "",
            ));
        }
    }
    let ours = theta(surface::REVERSE[0], surface::DITHERS[0]);
    let mut judged = judged(&places, ours.estimate());
    judged.reason += &both_readings(data, media, wanted);
    judged
}

/// The mean of θ over the cells that TCP by the RFCs has, with it and with ns-2's TCP.
fn both_readings(data: &Data, media: Media, wanted: impl Fn(&Point) -> bool) -> String {
    let with = |tcp| {
        data.points
            .iter()
            .filter(|point| picks_beside(point, (tcp, media), surface::RFC_AT) && wanted(point))
            .collect::<Vec<_>>()
    };
    let rfc = with(Media::TcpRfc);
    let size = |point: &Point| (point.key.number("mbps"), point.key.number("flows"));
    let mut ns2 = with(Media::Tcp);
    ns2.retain(|point| rfc.iter().any(|other| size(other) == size(point)));
    let mean = |points: &[&Point]| {
        let thetas: Vec<Samples> = points.iter().map(|point| point.samples(THETA)).collect();
        shown(super::mean(&thetas).estimate(), "")
    };
    if rfc.is_empty() {
        return String::new();
    }
    format!(
        " Beside TCP by the RFCs, with reverse flows and dither: mean θ {} over {} cells; beside ns-2's TCP \
         in the same cells {}.",
        mean(&rfc),
        rfc.len(),
        mean(&ns2)
    )
}

/// Whether the mean of θ over all cells is fair, and hardly any cell is not.
fn judge_fair(data: &Data, media: Media) -> Judged {
    let mut places = Vec::new();
    let mut first = None;
    for reverse in surface::REVERSE {
        for dither in surface::DITHERS {
            let wanted = |point: &Point| picks(point, media, reverse, dither);
            let theta = mean_over(data, wanted, |theta| theta);
            let cells: Vec<f64> = measure::points(data, wanted)
                .filter_map(|point| Some(point.samples(THETA).estimate()?.mean))
                .collect();
            let unfair = cells.iter().filter(|theta| !(0.2..=0.8).contains(*theta));
            let unfair = unfair.count();
            let answer = rules::all([
                within(&theta, 0.4, 0.6),
                yes_if(20 * unfair <= cells.len() && !cells.is_empty()),
            ]);
            let mut place = place(condition(reverse, dither), answer, &theta, "");
            place.found += &format!(", {unfair} of {} cells unfair", cells.len());
            places.push(place);
            first = first.or_else(|| theta.estimate());
        }
    }
    let mut judged = judged(&places, first);
    judged.reason += &both_readings(data, media, |_| true);
    judged
}

fn condition(reverse: &str, dither: &str) -> String {
    format!("reverse flows: {reverse}, dither: {dither}")
}

/// Whether a cell is one of that protocol beside TCP as in ns-2, at that condition.
fn picks(point: &Point, media: Media, reverse: &str, dither: &str) -> bool {
    picks_beside(point, (Media::Tcp, media), (reverse, dither))
}

fn picks_beside(
    point: &Point,
    (tcp, media): (Media, Media),
    (reverse, dither): (&str, &str),
) -> bool {
    let is = |axis, word| point.key.word(axis) == Some(word);
    is("tcp", tcp.name())
        && is("protocol", media.name())
        && is("reverse", reverse)
        && is("dither", dither)
}
