//! What the paper says about its figures, with the rule of each verdict.

use super::goodput::{
    EXPERIMENTS, Experiment, IDEAL, INTEGER, LOSSES, REAL, WINDOW, key_5, key_6, key_7, key_8,
};
use super::setting::{GENIE, GOODPUT, OLD_TAHOE, RENO, Sender};
use super::steps::{self, RTO};
use crate::claim::{Claim, Evidence, Judged, Quantity, Verdict};
use crate::data::{Data, Estimate, Samples};
use crate::rules::{self, Answer, Place, shown};

/// "Observe that there is no TO."
pub(super) const NO_TIMEOUT: Claim = Claim {
    id: "1-no-timeout",
    figures: &["1"],
    statement: "With a window of 26 a step of the round trip from 0.2 to 0.3 s makes no timeout.",
    paper: Quantity::Number(0.0),
    unit: "timeouts",
    rule: "No timeout in the run: reproduced, else not.",
    judge: |evidence| counted(evidence, "1", 26, "timeouts", |timeouts| timeouts == 0.0),
};

/// "Same scenario as in Fig. 1 but with w_m = 13 instead of 26. In this case, a TO takes place."
pub(super) const TIMEOUT: Claim = Claim {
    id: "2-timeout",
    figures: &["2"],
    statement: "With a window of 13 the same step makes a timeout, though T₂ < T₁ + Y₁.",
    paper: Quantity::words("a timeout"),
    unit: "timeouts",
    rule: "At least one timeout in the run: reproduced, else not.",
    judge: |evidence| counted(evidence, "2", 13, "timeouts", |timeouts| timeouts >= 1.0),
};

/// "The results for the case without time-stamps is identical, except that the RTO curve shows a
/// slower decay following the 'spike' at the instant TO takes place."
pub(super) const WITHOUT_TIMESTAMPS: Claim = Claim {
    id: "2-timestamps",
    figures: &["1", "2"],
    statement: "Without timestamps the results are the same, but that the timeout decays more slowly \
                after its spike.",
    paper: Quantity::words("identical, slower decay"),
    unit: "",
    rule: "As many timeouts without timestamps as with them in Figures 1 and 2, and in Figure 2 a \
           longer timeout without than with them 2 s after the step: reproduced. One of the two: \
           partly.",
    judge: |evidence| {
        let count = |figure: &str, window, timestamps| {
            let data = evidence.figure(figure);
            mean(data.samples(&steps::key(window, timestamps), "timeouts"))
        };
        let same = [("1", 26), ("2", 13)]
            .iter()
            .all(|(figure, window)| count(figure, *window, true) == count(figure, *window, false));
        let timeout = |timestamps| {
            let point = evidence.figure("2").point(&steps::key(13, timestamps));
            let curve = point.map(|point| point.curve(RTO)).unwrap_or_default();
            let later = curve.into_iter().find(|(time, _)| *time >= 8.0);
            later.map_or(f64::NAN, |(_, timeout)| timeout.mean)
        };
        let (with, without) = (timeout(true), timeout(false));
        let slower = without > with;
        Judged {
            ours: format!("{with:.3} s with, {without:.3} s without timestamps").into(),
            interval: None,
            verdict: match (same, slower) {
                (true, true) => Verdict::Reproduced,
                (false, false) => Verdict::NotReproduced,
                _ => Verdict::Partly,
            },
            reason: format!(
                "Timeouts in Figures 1 and 2 with timestamps: {}, {}; without: {}, {}. The timeout \
                 at 8 s is {with:.3} s with and {without:.3} s without timestamps.",
                count("1", 26, true),
                count("2", 13, true),
                count("1", 26, false),
                count("2", 13, false),
            ),
        }
    },
};

/// "There is no TD."
pub(super) const NO_FAST_RETRANSMIT: Claim = Claim {
    id: "3-none",
    figures: &["3"],
    statement: "A step from 0.2 to 0.1 s at 6.0 s, in the idle time of a round, makes no fast \
                retransmit.",
    paper: Quantity::Number(0.0),
    unit: "fast retransmits",
    rule: "None with the caption's window of 26 nor with 13: reproduced, else not.",
    judge: |evidence| {
        let other = mean(fast_retransmits(evidence, "3", 13));
        let mut judged = counted(evidence, "3", 26, "fast_retransmits", |count| count == 0.0);
        if other > 0.0 {
            judged.verdict = Verdict::NotReproduced;
        }
        judged.reason += &format!(" With a window of 13: {other}.");
        judged
    },
};

/// "Same as simulation in Fig. 3 but RTT is decreased at t = 6.07 within the busy period of a
/// round. A TD takes place."
pub(super) const FAST_RETRANSMIT: Claim = Claim {
    id: "4-one",
    figures: &["4"],
    statement: "The same step at 6.07 s, in the busy time, makes a false fast retransmit (caption: \
                with a window of 26).",
    paper: Quantity::words("one, with a window of 26"),
    unit: "",
    rule: "With the caption's window of 26: reproduced. With 13, the window of Figure 2, but not with \
           26: partly. Else not.",
    judge: |evidence| {
        let count = |window| mean(fast_retransmits(evidence, "4", window));
        let windows = evidence.figure("4").numbers("window");
        let with = windows.iter().filter(|window| count(**window as u32) > 0.0);
        let mut with: Vec<u32> = with.map(|window| *window as u32).collect();
        with.sort_unstable();
        Judged {
            ours: format!("with 26: {}, with 13: {}", count(26), count(13)).into(),
            interval: None,
            verdict: match (count(26) > 0.0, count(13) > 0.0) {
                (true, _) => Verdict::Reproduced,
                (false, true) => Verdict::Partly,
                (false, false) => Verdict::NotReproduced,
            },
            reason: format!(
                "Of the windows run, these make one: {with:?}. 26 packets take 26/125 = 0.208 s, \
                 longer than the round trip: there is no idle time in which three duplicate ACKs \
                 could come in a row, which the paper's own condition (i) asks for. With 24 and 25 \
                 packets it is shorter than three packets."
            ),
        }
    },
};

/// "While R_I is not affected by changes in h, the actual measured goodput seriously deteriorates
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
            " But a genie that never takes anything for lost brings only {} at h = 0.1: R_I is not \
             to be had where rounds are spent in changing, and what OldTahoe loses to that genie is \
             {}.",
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
           (whole 95 % intervals), and the fall for each per cent of loss at p = 0.05 is within 20 % of \
           that at p = 0.01. Both at every place: reproduced; the first alone at every place: partly. \
           Ours is the mean ratio of the two falls for each per cent, which is 1 if proportional.",
    judge: |evidence| {
        let data = evidence.figure("5");
        let goodput = |sender: &Sender, h, loss| data.samples(&key_5(sender, h, loss), GOODPUT);
        let mut falls = Vec::new();
        let mut proportional = Vec::new();
        let mut ratios = Vec::new();
        for sender in [RENO, OLD_TAHOE] {
            for h in data.numbers("h") {
                let all: Vec<Samples> = [0.0]
                    .iter()
                    .chain(&LOSSES)
                    .map(|p| goodput(&sender, h, *p))
                    .collect();
                if all.iter().any(|samples| samples.0.is_empty()) {
                    continue;
                }
                let steps = all
                    .windows(2)
                    .map(|two| rules::above(&two[0].less(&two[1]), 0.0));
                let ratio = Samples::combine(&all, |g| (g[0] - g[3]) / 5.0 / (g[0] - g[2]));
                let ratio = ratio.estimate().map_or(f64::NAN, |ratio| ratio.mean);
                ratios.push(ratio);
                let label = format!("{}, h = {h}", sender.name);
                let place = |answer, found: String| Place {
                    label: label.clone(),
                    answer,
                    found,
                };
                falls.push(place(rules::all(steps), "does not fall".to_owned()));
                let near = (0.8..=1.2).contains(&ratio);
                let answer = if near { Answer::Yes } else { Answer::No };
                proportional.push(place(answer, format!("ratio {ratio:.2}")));
            }
        }
        let held = |places: &[Place]| rules::over_places(places) == Verdict::Reproduced;
        let mean = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
        Judged {
            ours: mean.into(),
            interval: None,
            verdict: match (held(&falls), held(&proportional)) {
                (true, true) => Verdict::Reproduced,
                (true, false) => Verdict::Partly,
                (false, _) => Verdict::NotReproduced,
            },
            reason: format!(
                "Falling: {} In proportion: {} Goodput cannot fall below zero, and a window of 12 is \
                 smaller the more is lost: each further loss costs less.",
                rules::reason(&falls),
                rules::reason(&proportional)
            ),
        }
    },
};

/// "For a lossless link, setting D = w_m is the optimal choice"; "an optimum value for D above which
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
        let short = |d: u32| mean(tahoe.less(&at(d))) / mean(tahoe.clone());
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

/// "D = 1 for the case with relatively high p (e.g. S_4), D = w_m for the case of relatively low h
/// (e.g. S_1 and S_3) and D = [4, 11] for S_2."
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
            "{} {}. The paper's pairs of h and p are lost; these stand in for them.",
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
    rule: "An optimum is a G within the range whose goodput is above that at both ends, whole 95 % \
           intervals. Without losses, as the caption says: reproduced. Only with losses: partly. Ours \
           is the G of the highest mean for each p.",
    judge: |evidence| {
        let data = evidence.figure("8");
        let mut ticks = data.numbers("G");
        ticks.sort_by(f64::total_cmp);
        let interior = |arithmetic: &str, loss: f64| {
            let at = |tick: f64| data.samples(&key_8(arithmetic, loss, tick), GOODPUT);
            let best = ticks
                .iter()
                .copied()
                .max_by(|a, b| mean(at(*a)).total_cmp(&mean(at(*b))))?;
            let (first, last) = (*ticks.first()?, *ticks.last()?);
            let above = |end: f64| rules::above(&at(best).less(&at(end)), 0.0) == Answer::Yes;
            let is_interior = above(first) && above(last);
            let found = format!(
                "p = {loss}: {} at G = {first} s, {} at {best} s, {} at {last} s",
                shown(at(first).estimate(), ""),
                shown(at(best).estimate(), ""),
                shown(at(last).estimate(), "")
            );
            Some((is_interior, best, found))
        };
        let all: Vec<(f64, (bool, f64, String))> = data
            .numbers("p")
            .into_iter()
            .filter_map(|loss| Some((loss, interior(REAL, loss)?)))
            .collect();
        let without = all.iter().any(|(loss, found)| *loss == 0.0 && found.0);
        let with = all.iter().any(|(loss, found)| *loss > 0.0 && found.0);
        let bests = all
            .iter()
            .map(|(loss, found)| format!("{} s (p = {loss})", found.1));
        let found: Vec<String> = all.iter().map(|(_, found)| found.2.clone()).collect();
        let integer = interior(INTEGER, 0.0).map_or(String::new(), |found| found.2);
        Judged {
            ours: bests.collect::<Vec<_>>().join(", ").into(),
            interval: None,
            verdict: match (without, with) {
                (true, _) => Verdict::Reproduced,
                (false, true) => Verdict::Partly,
                (false, false) => Verdict::NotReproduced,
            },
            reason: format!(
                "Goodput in packets/s, {}. In whole ticks, {integer}. Without losses a longer timeout \
                 costs nothing: once 2 G is over max(T₂ − 23/250, T₂ − T₁ + 1/250) = 0.208 s no \
                 timeout is false, and goodput stays where it is.",
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
    let by_mean = |a: &&u32, b: &&u32| mean(at(**a)).total_cmp(&mean(at(**b)));
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

fn counted(
    evidence: &Evidence<'_>,
    figure: &str,
    window: u32,
    what: &str,
    holds: fn(f64) -> bool,
) -> Judged {
    let count = mean(
        evidence
            .figure(figure)
            .samples(&steps::key(window, true), what),
    );
    Judged {
        ours: count.into(),
        interval: None,
        verdict: if holds(count) {
            Verdict::Reproduced
        } else {
            Verdict::NotReproduced
        },
        reason: format!("Counted over the 12 s of the run, in which nothing is lost: {count}."),
    }
}

fn fast_retransmits(evidence: &Evidence<'_>, figure: &str, window: u32) -> Samples {
    evidence
        .figure(figure)
        .samples(&steps::key(window, true), "fast_retransmits")
}

fn largest_h(data: &Data) -> f64 {
    data.numbers("h").into_iter().fold(0.0, f64::max)
}

/// The mean; not a number where there is no sample.
fn mean(samples: Samples) -> f64 {
    samples
        .estimate()
        .map_or(f64::NAN, |estimate| estimate.mean)
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
