//! What the report says about its figures, with the rule of each verdict.

use super::measure::{THETA, mean_over, within};
use super::setting::Media;
use super::{dsl, outage, patterns, surface, weight};
use crate::claim::{Claim, Evidence, Judged, Quantity};
use crate::data::{Data, Estimate, Point, Samples};
use crate::rules::{self, Answer, Place, shown};

/// §3: "TFRC starves TCP" on a DSL line.
pub(super) const STARVED: Claim = Claim {
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
pub(super) const OUTAGE: Claim = Claim {
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

/// Figures 6.2 to 6.5.
pub(super) const INTERVALS: Claim = Claim {
    id: "6.2-intervals",
    figures: &["6.2-6.6"],
    statement: "Where losses have a fixed pattern the average loss interval is exactly the distance of \
                the loss events: 100, 50, 20, 10; 100 with two losses in a row; 2 with every second \
                packet lost.",
    paper: Quantity::words("exactly these"),
    unit: "packets",
    rule: "At a pattern it holds if the average loss interval never differs from the distance of the \
           loss events from 4 s on. At all six: reproduced; at half or more: partly. Ours is the interval \
           of losses one in 100.",
    judge: |evidence| {
        let data = evidence.figure("6.2-6.6");
        let places: Vec<_> = patterns::PATTERNS[..6]
            .iter()
            .map(|pattern| flat(data, pattern, pattern.interval))
            .collect();
        let first = data.samples(&patterns::key(patterns::PATTERNS[0].name), patterns::MEAN);
        judged(&places, first.estimate())
    },
};

/// Figure 6.6 and eq. 4.4.
pub(super) const WINDOWS: Claim = Claim {
    id: "6.6-windows",
    figures: &["6.2-6.6"],
    statement: "The window is that of the equation, rounded: 11, 7, 4 and 2 packets where one packet in \
                100, 50, 20 and 10 is lost.",
    paper: Quantity::words("11 with 1 in 100"),
    unit: "packets",
    rule: "At a pattern it holds if the window is exactly that from 4 s on. At all four: reproduced; at \
           half or more: partly. Ours is the window of losses one in 100.",
    judge: |evidence| {
        let data = evidence.figure("6.2-6.6");
        let place = |pattern: &patterns::Pattern| {
            let window = data.samples(&patterns::key(pattern.name), patterns::WINDOW);
            let expected = pattern.window.unwrap_or(f64::NAN);
            let answer = yes_if(all(&window, |value| is(value, expected)));
            place(pattern.name.to_owned(), answer, &window, "packets")
        };
        let places: Vec<_> = patterns::PATTERNS[..4].iter().map(place).collect();
        let first = data.samples(&patterns::key(patterns::PATTERNS[0].name), patterns::WINDOW);
        judged(&places, first.estimate())
    },
};

/// Figures 6.2 (b) and following.
pub(super) const RANDOM: Claim = Claim {
    id: "6.2-random",
    figures: &["6.2-6.6"],
    statement: "Random losses of the same rate give the same average loss interval as periodic ones.",
    paper: Quantity::words("identical"),
    unit: "packets",
    rule: "At a pattern it holds if the interval is flat at the periodic one's. At all of them: reproduced; \
           at half or more: partly. Ours is the mean interval with one loss drawn of each 100.",
    judge: |evidence| {
        let data = evidence.figure("6.2-6.6");
        let places: Vec<_> = patterns::PATTERNS[6..10]
            .iter()
            .map(|pattern| flat(data, pattern, pattern.interval))
            .collect();
        let drawn = data.samples(&patterns::key(patterns::PATTERNS[6].name), patterns::MEAN);
        let mut judged = judged(&places, drawn.estimate());
        judged.reason += " The mean comes near to it where one loss is drawn of each block; the \
                          interval itself wanders.";
        judged
    },
};

/// C.1.2.
pub(super) const SPACED: Claim = Claim {
    id: "C.1.2-spaced",
    figures: &["6.2-6.6"],
    statement: "Two losses of each 100 packets, with others between them, make a loss event rate of \
                0.02: an interval of 50 packets.",
    paper: Quantity::Number(50.0),
    unit: "packets",
    rule: "At a pattern it holds if the interval never differs from 50. At both: reproduced; at one: \
           partly. Ours is the interval of OXOXO…O.",
    judge: |evidence| {
        let data = evidence.figure("6.2-6.6");
        let places: Vec<_> = patterns::PATTERNS[10..]
            .iter()
            .map(|pattern| flat(data, pattern, pattern.report))
            .collect();
        let first = data.samples(&patterns::key(patterns::PATTERNS[10].name), patterns::MEAN);
        let mut judged = judged(&places, first.estimate());
        judged.reason += " Losses within a round trip are one loss event, by the report's own \
                          Algorithm 2: the report gives the rate of packets lost instead.";
        judged
    },
};

/// §4.2.3 and C.1.2, item 3.
pub(super) const GROWTH: Claim = Claim {
    id: "4.2.3-growth",
    figures: &["6.2-6.6"],
    statement: "Without losses the window grows by about 0.1 packet for each round trip.",
    paper: Quantity::Number(0.1),
    unit: "packets/RTT",
    rule: "From 0.1 to 0.14 packets for each round trip, 0.125 being what follows from the weights: \
           reproduced. Else: not.",
    judge: |evidence| {
        let data = evidence.figure("6.2-6.6");
        let slope = data.samples(&patterns::key(patterns::GROWTH), patterns::SLOPE);
        let answer = yes_if(all(&slope, |value| (0.1..=0.14).contains(&value)));
        let places = [place("growth".to_owned(), answer, &slope, "packets/RTT")];
        judged(&places, slope.estimate())
    },
};

/// §6.2: Figure 6.7 (a).
pub(super) const TFRC_SLOW: Claim = Claim {
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
pub(super) const TFRC_FAST: Claim = Claim {
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
pub(super) const TFWC_FAIR: Claim = Claim {
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
        judged.reason += " TCP is ns-2's here, whose timer stays backed off for longer than that of \
                          RFC 6298; figures 3.2 and confound have both.";
        judged
    },
};

/// §7.1: the worst scenario.
pub(super) const WORST: Claim = Claim {
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
pub(super) const RED_SLOW: Claim = Claim {
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
pub(super) const RED_FEW: Claim = Claim {
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
pub(super) const RED_TFWC: Claim = Claim {
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

/// §6.3: Figure 6.9.
pub(super) const WEIGHT_MEAN: Claim = Claim {
    id: "6.9-mean",
    figures: &["6.9"],
    statement: "With TFWC the mean of RED's average queue hardly depends on the weight.",
    paper: Quantity::words("insensitive"),
    unit: "%",
    rule: "The greatest mean over all weights is at most 10 % above the least: reproduced. Else: not. \
           Ours is by how much it is above.",
    judge: |evidence| {
        let data = evidence.figure("6.9");
        let weights = data.numbers("weight");
        let means: Vec<Samples> = weights
            .iter()
            .map(|value| data.samples(&weight::key(Media::Tfwc, *value), weight::MEAN))
            .collect();
        let above = Samples::combine(&means, |means| {
            let most = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let least = means.iter().copied().fold(f64::INFINITY, f64::min);
            100.0 * (most / least - 1.0)
        });
        let answer = rules::at_most(&above, 10.0);
        let places = [place("TFWC".to_owned(), answer, &above, "%")];
        judged(&places, above.estimate())
    },
};

/// §6.3: Figure 6.9.
pub(super) const WEIGHT_RANGE: Claim = Claim {
    id: "6.9-range",
    figures: &["6.9"],
    statement: "RED's average queue varies more with TFRC than with TFWC.",
    paper: Quantity::words("more"),
    unit: "packets",
    rule: "At a weight it holds if the range of the average queue (greatest less least) is larger with \
           TFRC, the interval of the difference excluding zero. At all of them: reproduced; at half or \
           more: partly. Ours is the largest difference.",
    judge: |evidence| {
        let data = evidence.figure("6.9");
        let difference = |value: f64| {
            let of = |media| data.samples(&weight::key(media, value), weight::RANGE);
            of(Media::Tfrc).less(&of(Media::Tfwc))
        };
        let weights = data.numbers("weight");
        let places: Vec<_> = weights
            .iter()
            .map(|value| {
                let difference = difference(*value);
                let answer = rules::above(&difference, 0.0);
                place(format!("w_q = {value}"), answer, &difference, "packets")
            })
            .collect();
        let estimates = weights
            .iter()
            .filter_map(|value| difference(*value).estimate());
        judged(
            &places,
            estimates.max_by(|one, other| one.mean.total_cmp(&other.mean)),
        )
    },
};

/// Chapter 7: TFWC is the fairer one.
pub(super) const CONFOUNDED: Claim = Claim {
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
        for tcp in surface::CONFOUND_TCP {
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
    let theta = |reverse, dither| {
        mean_over(
            data,
            |point| {
                let number = |axis| point.key.number(axis).unwrap_or(f64::NAN);
                picks(point, media, reverse, dither) && wanted(number("mbps"), number("flows"))
            },
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
    judged(
        &places,
        theta(surface::REVERSE[0], surface::DITHERS[0]).estimate(),
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
            let cells: Vec<f64> = super::measure::points(data, wanted)
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
    judged(&places, first)
}

fn condition(reverse: &str, dither: &str) -> String {
    format!("reverse flows: {reverse}, dither: {dither}")
}

fn picks(point: &Point, media: Media, reverse: &str, dither: &str) -> bool {
    let is = |axis, word| point.key.word(axis) == Some(word);
    is("protocol", media.name()) && is("reverse", reverse) && is("dither", dither)
}

/// Whether the average loss interval of a pattern is `expected` all the time.
fn flat(data: &Data, pattern: &patterns::Pattern, expected: f64) -> Place {
    let of = |name| data.samples(&patterns::key(pattern.name), name);
    let (least, greatest) = (of(patterns::LEAST), of(patterns::GREATEST));
    let flat =
        all(&least, |value| is(value, expected)) && all(&greatest, |value| is(value, expected));
    let end = |samples: &Samples, choose: fn(f64, f64) -> f64| {
        let values = samples.0.iter().map(|(_, value)| *value);
        values.reduce(choose).unwrap_or(f64::NAN)
    };
    Place {
        label: pattern.name.to_owned(),
        answer: yes_if(flat),
        found: format!(
            "mean {}, from {:.1} to {:.1}",
            shown(of(patterns::MEAN).estimate(), "packets"),
            end(&least, f64::min),
            end(&greatest, f64::max)
        ),
    }
}

fn is(value: f64, expected: f64) -> bool {
    (value - expected).abs() <= 1e-9 * expected
}

/// Whether there are samples and all of them are as wanted.
fn all(samples: &Samples, wanted: impl Fn(f64) -> bool) -> bool {
    !samples.0.is_empty() && samples.0.iter().all(|(_, value)| wanted(*value))
}

fn yes_if(holds: bool) -> Answer {
    if holds { Answer::Yes } else { Answer::No }
}

/// Whether a quantity is less than `limit`: yes where its whole interval is, no where none of it is.
fn below(samples: &Samples, limit: f64) -> Answer {
    within(samples, f64::NEG_INFINITY, limit)
}

fn place(label: String, answer: Answer, samples: &Samples, unit: &str) -> Place {
    Place {
        label,
        answer,
        found: shown(samples.estimate(), unit),
    }
}

fn judged(places: &[Place], ours: Option<Estimate>) -> Judged {
    Judged {
        ours: ours.map_or(Quantity::words("no data"), |ours| {
            Quantity::Number(ours.mean)
        }),
        interval: ours.and_then(|ours| ours.interval()),
        verdict: rules::over_places(places),
        reason: rules::reason(places),
    }
}

/// A fifth of the fair share.
const STARVED_SHARE: f64 = 0.1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Verdict;
    use crate::data::Measured;
    use crate::paper::{Key, Run};

    /// A point with three seeds at `value` and a thousandth around it.
    fn point(key: &Key, name: &str, value: f64) -> Vec<(Run, Measured)> {
        let run = |(seed, off): (u64, f64)| {
            let run = Run {
                key: key.clone(),
                seed,
                scenario: String::new(),
                work: 1.0,
            };
            (run, Measured::default().value(name, value + off))
        };
        [(1, -0.001), (2, 0.0), (3, 0.001)].map(run).to_vec()
    }

    /// 12 × 3 seeds of each reading: `rfc` and `ns2` are their θ everywhere.
    fn starved(rfc: f64, ns2: f64) -> Verdict {
        let mut runs = Vec::new();
        for (media, theta) in [(Media::Tfrc, rfc), (Media::TfrcNs2, ns2)] {
            for condition in dsl::CONDITIONS {
                for variant in dsl::VARIANTS {
                    runs.extend(point(&dsl::key(media, condition, variant), THETA, theta));
                }
            }
        }
        let data = Data::gather(runs);
        (STARVED.judge)(&Evidence::new(vec![("3.2", &data)])).verdict
    }

    #[test]
    fn starvation_can_come_out_each_way() {
        assert_eq!(starved(0.03, 0.05), Verdict::Reproduced);
        assert_eq!(starved(0.03, 0.9), Verdict::Partly);
        assert_eq!(starved(0.4, 0.9), Verdict::NotReproduced);
    }

    #[test]
    fn growth_is_judged_by_the_slope() {
        let verdict = |slope| {
            let runs = point(&patterns::key(patterns::GROWTH), patterns::SLOPE, slope);
            let data = Data::gather(runs);
            (GROWTH.judge)(&Evidence::new(vec![("6.2-6.6", &data)])).verdict
        };
        assert_eq!(verdict(0.125), Verdict::Reproduced);
        assert_eq!(verdict(0.2), Verdict::NotReproduced);
    }

    #[test]
    fn an_interval_that_wanders_is_not_the_periodic_one() {
        let verdict = |greatest: f64| {
            let mut runs = Vec::new();
            for pattern in &patterns::PATTERNS {
                let run = Run {
                    key: patterns::key(pattern.name),
                    seed: 1,
                    scenario: String::new(),
                    work: 1.0,
                };
                let measured = Measured::default()
                    .value(patterns::MEAN, pattern.interval)
                    .value(patterns::LEAST, pattern.interval)
                    .value(patterns::GREATEST, pattern.interval + greatest);
                runs.push((run, measured));
            }
            let data = Data::gather(runs);
            (RANDOM.judge)(&Evidence::new(vec![("6.2-6.6", &data)])).verdict
        };
        assert_eq!(verdict(0.0), Verdict::Reproduced);
        assert_eq!(verdict(7.0), Verdict::NotReproduced);
    }

    /// One cell at each condition: fair at 0.5, not at 0.15 nor at 0.85.
    #[test]
    fn a_surface_is_fair_at_each_condition_or_not() {
        let verdict = |thetas: [f64; 4]| {
            let mut runs = Vec::new();
            let mut thetas = thetas.into_iter();
            for reverse in surface::REVERSE {
                for dither in surface::DITHERS {
                    let key = surface::key(Media::Tfwc, reverse, dither, 1.0, 4);
                    runs.extend(point(&key, THETA, thetas.next().unwrap()));
                }
            }
            let data = Data::gather(runs);
            (TFWC_FAIR.judge)(&Evidence::new(vec![("6.7", &data)])).verdict
        };
        assert_eq!(verdict([0.5, 0.45, 0.55, 0.5]), Verdict::Reproduced);
        assert_eq!(verdict([0.5, 0.15, 0.55, 0.85]), Verdict::Partly);
        assert_eq!(verdict([0.15, 0.15, 0.15, 0.5]), Verdict::NotReproduced);
    }
}
