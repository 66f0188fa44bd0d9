//! What the paper says about goodput (Figures 5 to 8), with the rule of each verdict.

use super::goodput::{
    EXPERIMENTS, Experiment, IDEAL, INTEGER, LOSSES, REAL, WINDOW, key_5, key_6, key_7, key_8,
};
use super::setting::{GENIE, GOODPUT, OLD_TAHOE, RENO, Sender};
use crate::claim::{Claim, Judged, Quantity, Verdict};
use crate::data::{Data, Estimate, Samples};
use crate::rules::{self, Answer, Place, judged, shown};

/// "While `R_I` is not affected by changes in h, the actual measured goodput seriously deteriorates
/// with small h (i.e. high transition rates)."
pub(super) const DETERIORATES: Claim = Claim {
    id: "5-deteriorates",
    figures: &["5"],
    statement: "With a small h goodput is far below R_I, which does not depend on h.",
    paper: Quantity::words("seriously deteriorates (no numbers)"),
    unit: "% of R_I",
    rule: "For each of Reno and OldTahoe: at h = 0.1 goodput is below 80 % of R_I = 60 packets/s, and \
           below its own value at the largest h, both whole 95 % intervals. Both: reproduced; one: \
           partly. Ours is the higher of the two shares.",
    judge: |evidence| {
        let data = evidence.figure("5");
        let largest = largest_h(data);
        let low = |sender: &Sender| data.samples(&key_5(sender, 0.1, 0.0), GOODPUT);
        let places = [RENO, OLD_TAHOE].map(|sender| {
            let high = data.samples(&key_5(&sender, largest, 0.0), GOODPUT);
            let loss = Samples::combine(&[low(&sender)], |g| 0.8 * IDEAL - g[0]);
            let (small, high) = (low(&sender), high);
            let gain = high.less(&small);
            Place {
                label: sender.name.to_owned(),
                answer: rules::all([rules::above(&loss, 0.0), rules::above(&gain, 0.0)]),
                found: format!(
                    "{} at h = 0.1, {} at h = {largest}",
                    shown(small.estimate(), "packets/s"),
                    shown(high.estimate(), "packets/s")
                ),
            }
        });
        let share = Samples::combine(&[low(&OLD_TAHOE), low(&RENO)], |g| {
            100.0 * g[0].max(g[1]) / IDEAL
        });
        let mut judged = judged(&places, share.estimate());
        let genie = low(&GENIE).less(&low(&OLD_TAHOE));
        judged.reason += &format!(
            " A genie that never takes anything for lost brings {} at h = 0.1, OldTahoe {} less.",
            shown(low(&GENIE).estimate(), "packets/s"),
            shown(genie.estimate(), "packets/s")
        );
        judged
    },
};

/// "OldTahoe is less sensitive to changes in h than Reno as it does not rely on TD."
pub(super) const LESS_SENSITIVE: Claim = Claim {
    id: "5-less-sensitive",
    figures: &["5"],
    statement: "OldTahoe is less sensitive to changes in h than Reno.",
    paper: Quantity::words("less sensitive (no numbers)"),
    unit: "packets/s",
    rule: "How far goodput ranges over h, largest less smallest, is less for OldTahoe than for Reno, \
           the 95 % interval of the difference excluding zero: reproduced, else not. Ours is the \
           difference.",
    judge: |evidence| {
        let data = evidence.figure("5");
        let range = |sender: &Sender| {
            let keys = data.numbers("h").into_iter().map(|h| key_5(sender, h, 0.0));
            let all: Vec<Samples> = keys.map(|key| data.samples(&key, GOODPUT)).collect();
            Samples::combine(&all, |g| {
                let most = g.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                most - g.iter().copied().fold(f64::INFINITY, f64::min)
            })
        };
        let (reno, tahoe) = (range(&RENO), range(&OLD_TAHOE));
        let difference = reno.less(&tahoe);
        let found = format!(
            "Reno ranges over {}, OldTahoe over {}",
            shown(reno.estimate(), "packets/s"),
            shown(tahoe.estimate(), "packets/s")
        );
        let place = Place {
            label: "range over h".to_owned(),
            answer: rules::above(&difference, 0.0),
            found: found.clone(),
        };
        let mut judged = judged(&[place], difference.estimate());
        judged.reason += &format!(" {found}.");
        judged
    },
};

/// "The effect of packet loss will be an additional loss in goodput which will result in having the
/// three curves in Figure 5 shifted downwards by an amount proportional to the packet loss rate."
pub(super) const SHIFTED: Claim = Claim {
    id: "5-shifted",
    figures: &["5"],
    statement: "Losses shift the curves of Figure 5 down, in proportion to the loss rate.",
    paper: Quantity::words("shifted in proportion (no numbers)"),
    unit: "",
    rule: "At each h that has losses, for each of Reno and OldTahoe: goodput falls with each higher p \
           up to 0.002 (whole 95 % intervals), and the fall for each per cent of loss at p = 0.002 is \
           within 0.8 and 1.25 times that at p = 0.001 (whole interval). Both at every place: \
           reproduced; the first alone at every place: partly. Beyond p = 0.002 a fall in proportion \
           would take more than there is. Ours is the ratio farthest from 1.",
    judge: |evidence| {
        let data = evidence.figure("5");
        let (mut falls, mut proportional) = (Vec::new(), Vec::new());
        let mut farthest: Option<Estimate> = None;
        for sender in [RENO, OLD_TAHOE] {
            for h in data.numbers("h") {
                let all: Vec<Samples> = [0.0]
                    .iter()
                    .chain(&LOSSES[..3])
                    .map(|p| data.samples(&key_5(&sender, h, *p), GOODPUT))
                    .collect();
                if all.iter().any(|samples| samples.0.is_empty()) {
                    continue;
                }
                let steps = all
                    .windows(2)
                    .map(|two| rules::above(&two[0].less(&two[1]), 0.0));
                let ratio = Samples::combine(&all, |g| (g[0] - g[3]) / 2.0 / (g[0] - g[2]));
                let place = |answer| Place {
                    label: format!("{}, h = {h}", sender.name),
                    answer,
                    found: format!("ratio {}", shown(ratio.estimate(), "")),
                };
                falls.push(place(rules::all(steps)));
                proportional.push(place(rules::within(&ratio, 0.8, 1.25)));
                let size = |estimate: &Estimate| estimate.mean.max(1.0 / estimate.mean);
                farthest = farthest
                    .into_iter()
                    .chain(ratio.estimate())
                    .max_by(|one, other| size(one).total_cmp(&size(other)));
            }
        }
        let held = |places: &[Place]| rules::all(places.iter().map(|place| place.answer));
        Judged {
            verdict: rules::full_or_lesser(
                rules::all([held(&falls), held(&proportional)]),
                held(&falls),
            ),
            reason: format!(
                "Falling: {} In proportion: {}",
                rules::reason(&falls),
                rules::reason(&proportional)
            ),
            ..judged(&[], farthest)
        }
    },
};

/// "For a lossless link, setting D = wₘ is the optimal choice"; "an optimum value for D above which
/// the goodput of Reno approaches that of OldTahoe".
pub(super) const BEST_THRESHOLD: Claim = Claim {
    id: "6-best",
    figures: &["6"],
    statement: "Without losses D = w_m = 12 is best, and from there on Reno's goodput is OldTahoe's.",
    paper: Quantity::Number(12.0),
    unit: "duplicate ACKs",
    rule: "Every D below 12 brings less than D = 12 (whole 95 % interval), and every D from 12 on \
           brings OldTahoe's goodput to 1 %: reproduced. The second alone: partly. Ours is the least D \
           that brings OldTahoe's goodput to 1 %.",
    judge: |evidence| {
        let data = evidence.figure("6");
        let at = |threshold| data.samples(&key_6(&RENO, threshold), GOODPUT);
        let tahoe = data.samples(&key_6(&OLD_TAHOE, 0), GOODPUT);
        let thresholds = data.numbers("D").into_iter().map(|d| d as u32);
        let thresholds: Vec<u32> = thresholds.filter(|d| *d > 0).collect();
        let short = |d: u32| mean(&tahoe.less(&at(d))) / mean(&tahoe);
        let below = thresholds.iter().filter(|d| **d < WINDOW);
        let worse: Vec<Place> = below
            .map(|d| {
                let loss = at(WINDOW).less(&at(*d));
                Place {
                    label: format!("D = {d}"),
                    answer: rules::above(&loss, 0.0),
                    found: shown(loss.estimate(), "packets/s less"),
                }
            })
            .collect();
        let reaches = thresholds
            .iter()
            .filter(|d| **d >= WINDOW)
            .all(|d| short(*d).abs() <= 0.01);
        let least = thresholds.iter().find(|d| short(**d).abs() <= 0.01);
        Judged {
            ours: least.map_or(Quantity::words("none"), |d| f64::from(*d).into()),
            interval: None,
            verdict: match (rules::over_places(&worse), reaches) {
                (Verdict::Reproduced, true) => Verdict::Reproduced,
                (_, true) => Verdict::Partly,
                (_, false) => Verdict::NotReproduced,
            },
            reason: format!(
                "OldTahoe: {}. D = 12: {}. Below 12: {}",
                shown(tahoe.estimate(), "packets/s"),
                shown(at(WINDOW).estimate(), "packets/s"),
                rules::reason(&worse)
            ),
        }
    },
};

/// "D = 1 for the case with relatively high p (e.g. S4), D = wₘ for the case of relatively low h
/// (e.g. S1 and S3) and D = [4, 11] for S2."
pub(super) const BEST_WITH_LOSSES: Claim = Claim {
    id: "7-best",
    figures: &["7"],
    statement: "The best D follows from losses and changes: w_m where the path changes often (S1, S3), \
                1 where much is lost (S4), 4 to 11 between (S2).",
    paper: Quantity::words("12, 4 to 11, 12, 1 for S1 to S4"),
    unit: "",
    rule: "S1 and S3: D = 12 is among the best, S4: D = 1 is; a D is among the best unless the 95 % \
           interval of its distance to the highest mean excludes zero. S2: the highest mean is at a D \
           from 4 to 11. All four: reproduced; two or more: partly. Ours is the D of the highest mean.",
    judge: |evidence| {
        let data = evidence.figure("7");
        let mut bests = Vec::new();
        let places: Vec<Place> = EXPERIMENTS
            .iter()
            .map(|experiment| {
                let (best, place) = best_threshold(data, experiment);
                bests.push(best.to_string());
                place
            })
            .collect();
        let mut judged = judged(&places, None);
        judged.ours = format!("{} for S1 to S4", bests.join(", ")).into();
        let all: Vec<String> = places
            .iter()
            .map(|place| format!("{}: {}", place.label, place.found))
            .collect();
        judged.reason = format!(
            "{} {}. The paper's pairs of h and p are lost; these were searched for agreement, and show that such pairs exist.",
            judged.reason,
            all.join("; ")
        );
        judged
    },
};

/// "There exist an optimum value for G."
pub(super) const BEST_GRANULARITY: Claim = Claim {
    id: "8-best",
    figures: &["8"],
    statement: "OldTahoe's goodput has an optimum in G (caption: without losses).",
    paper: Quantity::words("an optimum (no number)"),
    unit: "",
    rule: "As for D in Figure 6: the optimum is the least G that brings the highest goodput to 1 %; it \
           is one if it is not the least G of all and its goodput is above that there, whole 95 % \
           interval. Without losses, as the caption says: reproduced. Only with losses: partly. Ours \
           is that G for each p.",
    judge: |evidence| {
        let data = evidence.figure("8");
        let mut ticks = data.numbers("G");
        ticks.sort_by(f64::total_cmp);
        let optimum = |arithmetic: &str, loss: f64| {
            let at = |tick: f64| data.samples(&key_8(arithmetic, loss, tick), GOODPUT);
            let highest = ticks
                .iter()
                .map(|tick| mean(&at(*tick)))
                .fold(0.0, f64::max);
            let least = ticks
                .iter()
                .copied()
                .find(|tick| mean(&at(*tick)) >= 0.99 * highest)?;
            let (first, last) = (*ticks.first()?, *ticks.last()?);
            let found = format!(
                "p = {loss}: {} at G = {first} s, {} at {least} s, {} at {last} s",
                shown(at(first).estimate(), ""),
                shown(at(least).estimate(), ""),
                shown(at(last).estimate(), "")
            );
            let answer = if least > first {
                rules::above(&at(least).less(&at(first)), 0.0)
            } else {
                Answer::No
            };
            Some((answer, least, found))
        };
        let all: Vec<(f64, (Answer, f64, String))> = data
            .numbers("p")
            .into_iter()
            .filter_map(|loss| Some((loss, optimum(REAL, loss)?)))
            .collect();
        let best = |lossy: bool| {
            let of = all.iter().filter(|(loss, _)| (*loss > 0.0) == lossy);
            of.map(|(_, found)| found.0)
                .min()
                .unwrap_or(Answer::Nothing)
        };
        let bests = all
            .iter()
            .map(|(loss, found)| format!("{} s (p = {loss})", found.1));
        let found: Vec<String> = all.iter().map(|(_, found)| found.2.clone()).collect();
        let integer = optimum(INTEGER, 0.0).map_or(String::new(), |found| found.2);
        Judged {
            ours: bests.collect::<Vec<_>>().join(", ").into(),
            interval: None,
            verdict: rules::full_or_lesser(best(false), best(true)),
            reason: format!(
                "Goodput in packets/s, {}. In whole ticks, {integer}.",
                found.join("; ")
            ),
        }
    },
};

/// The threshold of the highest mean, and whether it is as the paper says.
fn best_threshold(data: &Data, experiment: &Experiment) -> (u32, Place) {
    let at = |threshold| data.samples(&key_7(experiment, threshold), GOODPUT);
    let thresholds = data.numbers("D").into_iter().map(|d| d as u32);
    let thresholds: Vec<u32> = thresholds.filter(|d| *d > 0).collect();
    let by_mean = |a: &&u32, b: &&u32| mean(&at(**a)).total_cmp(&mean(&at(**b)));
    let best = thresholds.iter().max_by(by_mean).copied().unwrap_or(0);
    let among_best = |threshold: u32| {
        threshold == best || rules::above(&at(best).less(&at(threshold)), 0.0) != Answer::Yes
    };
    let holds = match experiment.name {
        "S1" | "S3" => among_best(WINDOW),
        "S4" => among_best(1),
        _ => (4..=11).contains(&best),
    };
    let among: Vec<u32> = thresholds
        .iter()
        .copied()
        .filter(|d| among_best(*d))
        .collect();
    let place = Place {
        label: experiment.name.to_owned(),
        answer: if holds { Answer::Yes } else { Answer::No },
        found: format!(
            "highest {} at D = {best}, among the best {among:?}",
            shown(at(best).estimate(), "packets/s")
        ),
    };
    (best, place)
}

fn largest_h(data: &Data) -> f64 {
    data.numbers("h").into_iter().fold(0.0, f64::max)
}

/// The mean; not a number where there is no sample.
pub(super) fn mean(samples: &Samples) -> f64 {
    samples
        .estimate()
        .map_or(f64::NAN, |estimate| estimate.mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Evidence;
    use crate::data::Measured;
    use crate::paper::{Key, Run};

    /// Three seeds for each point, at its goodput and 0.01 to either side: an interval of ± 0.025.
    fn data(points: Vec<(Key, f64)>) -> Data {
        Data::gather(points.into_iter().flat_map(|(key, goodput)| {
            [(1, -0.01), (2, 0.0), (3, 0.01)].map(|(seed, off)| {
                let run = Run {
                    key: key.clone(),
                    seed,
                    scenario: String::new(),
                    work: 1.0,
                };
                // Seeds differ by points, too, so that differences have an interval.
                let sign = if goodput > 40.0 { 1.0 } else { -1.0 };
                (
                    run,
                    Measured::default().value(GOODPUT, goodput + sign * off),
                )
            })
        }))
    }

    fn verdict(claim: &Claim, data: &Data) -> Verdict {
        (claim.judge)(&Evidence::new(vec![(claim.figures[0], data)])).verdict
    }

    #[test]
    fn goodput_deteriorates_for_both_for_one_or_for_none() {
        let judge = |reno: f64, tahoe: f64| {
            let points = [(RENO, reno), (OLD_TAHOE, tahoe), (GENIE, 45.0)];
            let points = points.iter().flat_map(|(sender, low)| {
                [
                    (key_5(sender, 0.1, 0.0), *low),
                    (key_5(sender, 30.0, 0.0), 58.0),
                ]
            });
            verdict(&DETERIORATES, &data(points.collect()))
        };
        assert_eq!(judge(27.0, 44.0), Verdict::Reproduced);
        assert_eq!(judge(27.0, 50.0), Verdict::Partly);
        assert_eq!(judge(50.0, 50.0), Verdict::NotReproduced);
    }

    #[test]
    fn the_less_sensitive_has_the_smaller_range() {
        let judge = |reno: f64, tahoe: f64| {
            let points = [(RENO, reno), (OLD_TAHOE, tahoe)];
            let points = points.iter().flat_map(|(sender, low)| {
                [
                    (key_5(sender, 0.1, 0.0), *low),
                    (key_5(sender, 30.0, 0.0), 58.0),
                ]
            });
            verdict(&LESS_SENSITIVE, &data(points.collect()))
        };
        assert_eq!(judge(27.0, 44.0), Verdict::Reproduced);
        assert_eq!(judge(44.0, 27.0), Verdict::NotReproduced);
    }

    /// Falls of 5, 10, 20 for p = 0.0005, 0.001, 0.002 are in proportion; 5, 10, 12 are not.
    #[test]
    fn a_shift_is_in_proportion_or_only_down() {
        let judge = |falls: [f64; 3]| {
            let mut points = Vec::new();
            for sender in [RENO, OLD_TAHOE] {
                points.push((key_5(&sender, 1.0, 0.0), 60.0));
                for (loss, fall) in LOSSES.iter().zip(falls) {
                    points.push((key_5(&sender, 1.0, *loss), 60.0 - fall));
                }
            }
            verdict(&SHIFTED, &data(points))
        };
        assert_eq!(judge([5.0, 10.0, 20.0]), Verdict::Reproduced);
        assert_eq!(judge([5.0, 10.0, 12.0]), Verdict::Partly);
        assert_eq!(judge([5.0, 10.0, 4.0]), Verdict::NotReproduced);
    }

    #[test]
    fn the_best_threshold_is_the_window_or_among_several() {
        let judge = |at_11: f64, at_12: f64| {
            let goodputs = [(1, 20.0), (11, at_11), (12, at_12), (13, at_12)];
            let points = goodputs.map(|(d, goodput)| (key_6(&RENO, d), goodput));
            let mut points = points.to_vec();
            points.push((key_6(&OLD_TAHOE, 0), 44.5));
            verdict(&BEST_THRESHOLD, &data(points))
        };
        assert_eq!(judge(41.0, 44.5), Verdict::Reproduced);
        assert_eq!(judge(44.5, 44.5), Verdict::Partly);
        assert_eq!(judge(38.0, 43.0), Verdict::NotReproduced);
    }

    /// Goodputs at D = 1, 7, 12 for S1 to S4.
    #[test]
    fn the_best_thresholds_follow_losses_in_all_in_half_or_in_none() {
        let judge = |all: [[f64; 3]; 4]| {
            let mut points = Vec::new();
            for (experiment, goodputs) in EXPERIMENTS.iter().zip(all) {
                for (d, goodput) in [1, 7, 12].into_iter().zip(goodputs) {
                    points.push((key_7(experiment, d), goodput));
                }
            }
            verdict(&BEST_WITH_LOSSES, &data(points))
        };
        let (first, middle, last) = ([30.0, 20.0, 10.0], [10.0, 30.0, 20.0], [10.0, 20.0, 30.0]);
        assert_eq!(judge([last, middle, last, first]), Verdict::Reproduced);
        assert_eq!(judge([last, middle, last, last]), Verdict::Partly);
        assert_eq!(judge([first, first, first, last]), Verdict::NotReproduced);
    }

    #[test]
    fn an_optimum_lies_within_the_range_without_losses_only_with_them_or_never() {
        let judge = |without: [f64; 3], with: [f64; 3]| {
            let mut points = Vec::new();
            for (loss, goodputs) in [(0.0, without), (0.01, with)] {
                for (tick, goodput) in [0.01, 0.1, 1.0].into_iter().zip(goodputs) {
                    points.push((key_8(REAL, loss, tick), goodput));
                }
            }
            verdict(&BEST_GRANULARITY, &data(points))
        };
        let (interior, plateau, flat) = ([30.0, 38.0, 20.0], [30.0, 38.0, 38.0], [38.0; 3]);
        assert_eq!(judge(interior, flat), Verdict::Reproduced);
        assert_eq!(judge(plateau, flat), Verdict::Reproduced);
        assert_eq!(judge(flat, interior), Verdict::Partly);
        assert_eq!(judge(flat, flat), Verdict::NotReproduced);
    }
}
