//! What the paper says, with the rule of each verdict.

use controllers::rtt_based::ramp::{Increment, published_round_trips};
use controllers::rtt_based::reduction::least_left;

use super::lot::{DEAD_BAND, LATE_VEGAS};
use super::{LITERAL, Protocol, RTT_BASED, VEGAS, simple};
use crate::claim::{Claim, Evidence, Judged, Quantity, Verdict};
use crate::data::Samples;
use crate::paper::Key;
use crate::rules::{self, Answer, Place, above, at_most, shown};

/// In the order of the paper.
pub(super) const CLAIMS: &[Claim] = &[
    TIME,
    OVERSHOOT,
    QUARTER,
    FASTER,
    SMALLER_QUEUE,
    LITTLE_QUEUE,
    PSEUDO_CODE,
    RAMP,
    STABLE,
    TOTAL_QUEUE,
    THROUGHPUT,
    FAIRNESS,
    WIRELESS,
];

/// §2.1: "⌈log₂(m − n)⌉ + 1 RTTs".
const TIME: Claim = Claim {
    id: "2.1-time",
    figures: &["1"],
    statement: "From a window n to a window m the proposed increment takes ⌈log₂(m − n)⌉ + 1 round trips \
                (as recovered from a scan: the brackets may have been ⌊ ⌋).",
    paper: Quantity::words("⌈log₂(m − n)⌉ + 1, as recovered"),
    unit: "",
    rule: "By the paper's own recursion: equal for all gaps m − n from 1 to 64: reproduced. Where ⌊ ⌋ is \
           equal for all and ⌈ ⌉ is not, the scan decides: undecided. Else for half of them or more: \
           partly.",
    judge: |_| {
        let equal = |formula: &dyn Fn(u64) -> u64| {
            let right = |gap: &u64| formula(*gap) == Increment::Proposed.round_trips(32, 32 + gap);
            (1..=GAPS).filter(right).count()
        };
        let with_ceiling = equal(&|gap| published_round_trips(32, 32 + gap));
        let with_floor = equal(&|gap| u64::from(gap.ilog2()) + 1);
        let scan_decides = with_floor == GAPS as usize && with_ceiling < with_floor;
        Judged {
            ours: format!("⌈ ⌉ right for {with_ceiling}, ⌊ ⌋ for {with_floor} of {GAPS} gaps")
                .into(),
            interval: None,
            verdict: if scan_decides {
                Verdict::Undecided
            } else {
                part(with_ceiling, GAPS as usize)
            },
            reason: format!(
                "⌈log₂(m − n)⌉ + 1 is right for {with_ceiling} of {GAPS} gaps, ⌊log₂(m − n)⌋ + 1 for \
                 {with_floor}."
            ),
        }
    },
};

/// §2.1: "the amount of over-increased window will be mostly smaller than or at least equal to that
/// under the traditional exponential increment approach".
const OVERSHOOT: Claim = Claim {
    id: "2.1-overshoot",
    figures: &["1"],
    statement: "The proposed increment mostly goes no further beyond the new window than doubling does.",
    paper: Quantity::words("mostly smaller or equal"),
    unit: "%",
    rule: "For windows n from 1 to 64 and every larger m up to 4n: not further in more than half of the \
           pairs: reproduced. Ours is their part.",
    judge: |_| {
        let pairs = (1..=GAPS).flat_map(|n| (n + 1..=4 * n).map(move |m| (n, m)));
        let (mut all, mut no_further) = (0_usize, 0_usize);
        for (n, m) in pairs {
            all += 1;
            let (ours, doubled) = (
                Increment::Proposed.overshoot(n, m),
                Increment::Traditional.overshoot(n, m),
            );
            no_further += usize::from(ours <= doubled);
        }
        Judged {
            ours: (100.0 * no_further as f64 / all as f64).into(),
            interval: None,
            verdict: if 2 * no_further > all {
                Verdict::Reproduced
            } else {
                Verdict::NotReproduced
            },
            reason: format!(
                "No further in {no_further} of {all} pairs. It goes further where m is just below a \
                 power of two times n, which doubling meets by chance."
            ),
        }
    },
};

/// §2.4: "we are able to derive the maximum value of K, which is about 0.25".
const QUARTER: Claim = Claim {
    id: "2.4-quarter",
    figures: &["2.4"],
    statement: "Up to K = 0.25 the queue is never reduced by more than there is.",
    paper: Quantity::Number(0.25),
    unit: "",
    rule: "What is left never falls below zero for every K up to 0.25 in steps of 0.01, and does for 0.26: \
           reproduced.",
    judge: |_| {
        let is_safe = |percent: &u32| least_left(f64::from(*percent) / 100.0) >= 0.0;
        let largest = (1..=100).take_while(is_safe).last().unwrap_or(0);
        let safe = largest >= 25;
        let excess = least_left(0.26);
        let holds = safe && excess < 0.0;
        Judged {
            ours: (f64::from(largest) / 100.0).into(),
            interval: None,
            verdict: if holds {
                Verdict::Reproduced
            } else {
                Verdict::NotReproduced
            },
            reason: format!(
                "x² − x + K has real roots up to K = 1/4 exactly. The paper's eq. 5 does not say it: the \
                 infinite sum is N for every K below 1. Beyond a quarter the excess is small: \
                 {:.4} % of N at 0.26, {:.1} % at 0.3, {:.0} % at 0.5.",
                -100.0 * excess,
                -100.0 * least_left(0.3),
                -100.0 * least_left(0.5)
            ),
        }
    },
};

/// §4.3: "RTT-based TCP responds faster than TCP Vegas", when the rate falls and when it rises.
const FASTER: Claim = Claim {
    id: "4-faster",
    figures: &["4"],
    statement: "RTT-based TCP responds faster than Vegas when the available rate falls at 1.5 s and when \
                it rises at 3 s.",
    paper: Quantity::words("faster (no numbers)"),
    unit: "",
    rule: "The time to the new window is shorter, the 95 % interval of the difference wholly above zero, \
           both at 1.5 s and at 3 s: reproduced. At one of them: partly.",
    judge: |evidence| {
        let places: Vec<Place> = [("down", "down_s"), ("up", "up_s")]
            .iter()
            .map(|(label, value)| {
                let (ours, vegas) = two(evidence, "4", value);
                Place {
                    label: (*label).to_owned(),
                    answer: above(&vegas.less(&ours), 0.0),
                    found: against(&ours, &vegas, "s"),
                }
            })
            .collect();
        let found: Vec<String> = places
            .iter()
            .map(|place| format!("{} {}", place.label, place.found))
            .collect();
        Judged {
            ours: found.join("; ").into(),
            interval: None,
            verdict: rules::over_places(&places),
            reason: rules::reason(&places),
        }
    },
};

/// §4.3: "when the service rate is reduced dramatically, the maximum queue occupancy in RTT-based TCP
/// will be smaller than that in Vegas, as shown in Fig. 5".
const SMALLER_QUEUE: Claim = Claim {
    id: "5-queue",
    figures: &["5"],
    statement: "When two thirds of the rate are gone, the largest queue is smaller with RTT-based TCP than \
                with Vegas.",
    paper: Quantity::words("smaller (no numbers)"),
    unit: "packets",
    rule: "Vegas's largest queue during the UDP traffic less that of RTT-based TCP, 95 % interval wholly \
           above zero: reproduced. Ours is the difference.",
    judge: |evidence| {
        let (ours, vegas) = two(evidence, "5", "queue_max_packets");
        let mut judged = by_answer(above(&vegas.less(&ours), 0.0), &vegas.less(&ours));
        judged.reason = format!(
            "Largest queue, RTT-based TCP and Vegas: {}.",
            against(&ours, &vegas, "packets")
        );
        judged
    },
};

/// §4.3: "When the available service rate increases at 3 s, RTT-based TCP also responds faster than
/// TCP Vegas without increasing too much queue occupancy."
const LITTLE_QUEUE: Claim = Claim {
    id: "5-after",
    figures: &["5"],
    statement: "When the rate comes back at 3 s, the fast growth does not make a long queue.",
    paper: Quantity::words("not too much (no numbers)"),
    unit: "packets",
    rule: "RTT-based TCP's largest queue from 3.2 s on is at most half of its largest during the UDP \
           traffic: reproduced. Less than that one: partly. Ours is the largest queue.",
    judge: |evidence| {
        let data = evidence.figure("5");
        let key = simple::key(&RTT_BASED);
        let after = data.samples(&key, "queue_max_after_packets");
        let during = data.samples(&key, "queue_max_packets");
        let half = at_most(&after.over(&during), 0.5);
        let verdict = rules::full_or_lesser(half, above(&during.less(&after), 0.0));
        Judged {
            verdict,
            reason: format!(
                "{} from 3.2 s on, {} during the UDP traffic.",
                shown(after.estimate(), "packets"),
                shown(during.estimate(), "packets")
            ),
            ..by_answer(Answer::Yes, &after)
        }
    },
};

/// §3.1.2, the listing.
const PSEUDO_CODE: Claim = Claim {
    id: "4-pseudo-code",
    figures: &["4"],
    statement: "The pseudo-code of §3.1.2, as it is printed, does what Figure 4 shows: the window falls when \
                the rate falls.",
    paper: Quantity::words("the algorithm of Figure 4"),
    unit: "",
    rule: "The window comes within 5 packets of the new bandwidth-delay product while the UDP traffic lasts, \
           in every run: reproduced. In half of them or more: partly.",
    judge: |evidence| {
        let data = evidence.figure("4");
        let key = simple::key(&LITERAL);
        let runs = data.point(&key).map_or(0, |point| point.runs.len());
        let down = data.samples(&key, "down_s").0.len();
        let queue = data.samples(&key, "queue_mean_packets");
        Judged {
            ours: format!("the window falls in {down} of {runs} runs").into(),
            interval: None,
            verdict: part(down, runs),
            reason: format!(
                "The decrement waits for offset ≤ bound, while offset is above zero and bound is zero: it \
                 never comes, and {} wait all the time. The corrected reading (offset > bound, the \
                 threshold looked at in the increment phase only) is what all other figures run.",
                shown(queue.estimate(), "packets")
            ),
        }
    },
};

/// §4.3, Figs 6 and 7: "RTT-based TCP features both shorter ramp-up time and faster window size
/// adjustment than TCP Vegas".
const RAMP: Claim = Claim {
    id: "6-ramp",
    figures: &["10"],
    statement: "In the parking lot RTT-based TCP ramps up in a shorter time than Vegas.",
    paper: Quantity::words("shorter (no numbers)"),
    unit: "s",
    rule: "The time until the last link carries 95 % of its highest rate over 20 ms: Vegas's less \
           RTT-based TCP's, 95 % interval wholly above zero: reproduced. Ours is the difference.",
    judge: |evidence| {
        let (ours, vegas) = two(evidence, "10", "ramp_s");
        let mut judged = by_answer(above(&vegas.less(&ours), 0.0), &vegas.less(&ours));
        judged.reason = format!(
            "Ramp, RTT-based TCP and Vegas: {}.",
            against(&ours, &vegas, "s")
        );
        judged
    },
};

/// §4.3: "the fluctuation is small and the window size becomes stable after a period of time".
const STABLE: Claim = Claim {
    id: "8-stable",
    figures: &["8"],
    statement: "After a time of small fluctuations the windows of RTT-based TCP become stable.",
    paper: Quantity::words("stable"),
    unit: "packets",
    rule: "The largest standard deviation of one of the five windows over the last 0.5 s is at most 0.5 \
           packets: reproduced. At most 1: partly.",
    judge: |evidence| {
        let data = evidence.figure("8");
        let sd = data.samples(&simple::key(&RTT_BASED), "window_sd_packets");
        let band = data.samples(&simple::key(&DEAD_BAND), "window_sd_packets");
        let still = sd.0.iter().filter(|(_, sd)| *sd == 0.0).count();
        let verdict = rules::full_or_lesser(at_most(&sd, 0.5), at_most(&sd, 1.0));
        Judged {
            verdict,
            reason: format!(
                "In {still} of {} runs no window moves at all: every rounded estimate is α. In the others an \
                 estimate off α moves a window now and then. With occupancies that are not rounded no \
                 estimate is ever α (Figure 3). With a dead band of 1 packet, which the paper does not \
                 have: {}.",
                sd.0.len(),
                shown(band.estimate(), "packets")
            ),
            ..by_answer(Answer::Yes, &sd)
        }
    },
};

/// §4.3: "the maximum queue occupancy in Vegas is 65 segments, while it is 45 segments in RTT-based
/// TCP".
const TOTAL_QUEUE: Claim = Claim {
    id: "10-queue",
    figures: &["10"],
    statement: "In the parking lot the largest queue is smaller with RTT-based TCP (45 packets) than with \
                Vegas (65).",
    paper: Quantity::Number(20.0),
    unit: "packets",
    rule: "Vegas's largest total queue less that of RTT-based TCP, 95 % interval wholly above zero: \
           reproduced. Ours is the difference.",
    judge: |evidence| {
        let (ours, vegas) = two(evidence, "10", "queue_max_packets");
        let key = simple::key(&LATE_VEGAS);
        let late = evidence.figure("10").samples(&key, "queue_max_packets");
        let mut judged = by_answer(above(&vegas.less(&ours), 0.0), &vegas.less(&ours));
        judged.reason = format!(
            "Largest queue, RTT-based TCP and Vegas: {}. Vegas with α = 2, β = 4, γ = 8: {}.",
            against(&ours, &vegas, "packets"),
            shown(late.estimate(), "packets")
        );
        judged
    },
};

/// Table 1: 97.2 % and 97.3 %; "only a little better than TCP Vegas in terms of throughput".
const THROUGHPUT: Claim = Claim {
    id: "table-1-throughput",
    figures: &["table-1"],
    statement: "RTT-based TCP brings a little more throughput than Vegas (97.3 against 97.2 %).",
    paper: Quantity::Number(0.1),
    unit: "points",
    rule: "RTT-based TCP's part of the last link less Vegas's: 95 % interval wholly above zero, and wholly at \
           most 2 points: reproduced. One of the two: partly. Ours is the difference.",
    judge: |evidence| {
        let (ours, vegas) = two(evidence, "table-1", "utilization_percent");
        let gain = ours.less(&vegas);
        Judged {
            verdict: rules::of_answers([above(&gain, 0.0), at_most(&gain, 2.0)]),
            reason: format!("RTT-based TCP and Vegas: {}.", against(&ours, &vegas, "%")),
            ..by_answer(Answer::Yes, &gain)
        }
    },
};

/// Table 1: fairness 0.999 and 0.871.
const FAIRNESS: Claim = Claim {
    id: "table-1-fairness",
    figures: &["table-1"],
    statement: "RTT-based TCP shares significantly more fairly than Vegas (Jain's index 0.999 against 0.871).",
    paper: Quantity::Number(0.128),
    unit: "",
    rule: "RTT-based TCP's index less Vegas's, 95 % interval wholly above zero: reproduced. Ours is the \
           difference.",
    judge: |evidence| {
        let (ours, vegas) = two(evidence, "table-1", "jain");
        let mut judged = by_answer(above(&ours.less(&vegas), 0.0), &ours.less(&vegas));
        judged.reason = format!("RTT-based TCP and Vegas: {}.", against(&ours, &vegas, ""));
        judged
    },
};

/// §5: "the proposed approach may not work as efficiently as in wired networks if it is directly
/// applied in wireless networks".
const WIRELESS: Claim = Claim {
    id: "wireless",
    figures: &["handover"],
    statement: "Where handovers make the round trip jump, RTT-based TCP works less efficiently.",
    paper: Quantity::words("less efficiently (no numbers)"),
    unit: "",
    rule: "Goodput with jumping over goodput with steady round trips, 95 % interval wholly below 0.9: \
           reproduced. Below 1: partly. Ours is the quotient.",
    judge: |evidence| {
        let quotient = |protocol: &Protocol| {
            let data = evidence.figure("handover");
            let of = |path: &str| {
                let key = Key::new()
                    .with("path", path)
                    .with("protocol", protocol.name);
                data.samples(&key, "goodput_mbps")
            };
            of("jumps").over(&of("steady"))
        };
        let ours = quotient(&RTT_BASED);
        Judged {
            verdict: rules::full_or_lesser(at_most(&ours, 0.9), at_most(&ours, 1.0)),
            reason: format!(
                "The same quotient for Vegas: {}, for Reno: {}.",
                shown(quotient(&VEGAS).estimate(), ""),
                shown(quotient(&super::RENO).estimate(), "")
            ),
            ..by_answer(Answer::Yes, &ours)
        }
    },
};

/// A number of RTT-based TCP and of Vegas.
fn two(evidence: &Evidence<'_>, figure: &str, value: &str) -> (Samples, Samples) {
    let of = |protocol| {
        evidence
            .figure(figure)
            .samples(&simple::key(protocol), value)
    };
    (of(&RTT_BASED), of(&VEGAS))
}

fn against(ours: &Samples, theirs: &Samples, unit: &str) -> String {
    let (ours, theirs) = (ours.estimate(), theirs.estimate());
    format!("{} against {}", shown(ours, unit), shown(theirs, unit))
}

/// One comparison, of which `quantity` is what is shown.
fn by_answer(answer: Answer, quantity: &Samples) -> Judged {
    let estimate = quantity.estimate();
    Judged {
        ours: estimate.map_or(Quantity::words("no data"), |estimate| estimate.mean.into()),
        interval: estimate.and_then(|estimate| estimate.interval()),
        verdict: match answer {
            Answer::Yes => Verdict::Reproduced,
            Answer::Open | Answer::Nothing => Verdict::Undecided,
            Answer::No => Verdict::NotReproduced,
        },
        reason: String::new(),
    }
}

/// All: reproduced; half or more: partly.
fn part(held: usize, of: usize) -> Verdict {
    if held == of && of > 0 {
        Verdict::Reproduced
    } else if of > 0 && 2 * held >= of {
        Verdict::Partly
    } else {
        Verdict::NotReproduced
    }
}

/// Largest gap for which the formula is tried.
const GAPS: u64 = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Data, Measured};
    use crate::paper::Run;

    /// Three seeds of each point, at 0.99, 1 and 1.01 of its values.
    fn data(points: &[(Key, &[(&str, f64)])]) -> Data {
        let mut runs = Vec::new();
        for (key, values) in points {
            for (seed, factor) in [(1, 0.99), (2, 1.0), (3, 1.01)] {
                let run = Run {
                    key: key.clone(),
                    seed,
                    scenario: String::new(),
                    work: 1.0,
                };
                let measured = values
                    .iter()
                    .fold(Measured::default(), |all, (name, value)| {
                        all.value(name, value * factor)
                    });
                runs.push((run, measured));
            }
        }
        Data::gather(runs)
    }

    fn verdict(claim: &Claim, data: &Data) -> Verdict {
        let evidence = Evidence::new(claim.figures.iter().map(|id| (*id, data)).collect());
        (claim.judge)(&evidence).verdict
    }

    /// RTT-based TCP and Vegas with these values.
    fn pair(ours: &[(&str, f64)], vegas: &[(&str, f64)]) -> Data {
        data(&[
            (simple::key(&RTT_BASED), ours),
            (simple::key(&VEGAS), vegas),
        ])
    }

    use Verdict::{NotReproduced, Partly, Reproduced, Undecided};

    #[test]
    fn formulas_are_judged_without_runs() {
        let none = data(&[]);
        // Powers of two up to 64: 1, 2, 4, 8, 16, 32, 64, seven of 64.
        // ⌊ ⌋ is right for all, so that the scan decides.
        assert_eq!(verdict(&TIME, &none), Undecided);
        assert_eq!(verdict(&OVERSHOOT, &none), Reproduced);
        assert_eq!(verdict(&QUARTER, &none), Reproduced);
    }

    #[test]
    fn responding_faster_is_asked_both_ways() {
        for (down, up, expected) in [
            (0.1, 0.1, Reproduced),
            (0.1, 0.5, Partly),
            (0.9, 0.5, NotReproduced),
        ] {
            let ours = [("down_s", down), ("up_s", up)];
            let found = pair(&ours, &[("down_s", 0.8), ("up_s", 0.4)]);
            assert_eq!(verdict(&FASTER, &found), expected);
        }
    }

    #[test]
    fn comparisons_with_vegas_can_fail() {
        for (claim, value, better, worse) in [
            (&SMALLER_QUEUE, "queue_max_packets", 60.0, 90.0),
            (&TOTAL_QUEUE, "queue_max_packets", 60.0, 90.0),
            (&RAMP, "ramp_s", 60.0, 90.0),
            (&FAIRNESS, "jain", 90.0, 60.0),
        ] {
            let against = [(value, 75.0)];
            assert_eq!(
                verdict(claim, &pair(&[(value, better)], &against)),
                Reproduced
            );
            assert_eq!(
                verdict(claim, &pair(&[(value, worse)], &against)),
                NotReproduced
            );
        }
        let used = "utilization_percent";
        for (ours, expected) in [(97.5, Reproduced), (99.9, Partly), (80.0, Partly)] {
            let found = pair(&[(used, ours)], &[(used, 97.2)]);
            assert_eq!(verdict(&THROUGHPUT, &found), expected, "{ours}");
        }
        assert_eq!(verdict(&THROUGHPUT, &data(&[])), Undecided);
    }

    #[test]
    fn queues_after_and_fluctuations_have_two_bounds() {
        for (after, expected) in [(30.0, Reproduced), (50.0, Partly), (70.0, NotReproduced)] {
            let ours = [
                ("queue_max_after_packets", after),
                ("queue_max_packets", 62.0),
            ];
            assert_eq!(verdict(&LITTLE_QUEUE, &pair(&ours, &[])), expected);
        }
        for (sd, expected) in [(0.2, Reproduced), (0.8, Partly), (1.5, NotReproduced)] {
            let found = pair(&[("window_sd_packets", sd)], &[]);
            assert_eq!(verdict(&STABLE, &found), expected);
        }
    }

    #[test]
    fn the_pseudo_code_is_judged_by_whether_the_window_falls() {
        let key = simple::key(&LITERAL);
        let falls = data(&[(key.clone(), &[("down_s", 0.1)])]);
        assert_eq!(verdict(&PSEUDO_CODE, &falls), Reproduced);
        let never = data(&[(key, &[("ramp_s", 0.1)])]);
        assert_eq!(verdict(&PSEUDO_CODE, &never), NotReproduced);
        assert_eq!(part(2, 3), Partly);
    }

    #[test]
    fn handovers_are_judged_by_what_is_left_of_the_goodput() {
        for (jumps, expected) in [(4.0, Reproduced), (9.3, Partly), (9.9, NotReproduced)] {
            let key = |path: &str| {
                Key::new()
                    .with("path", path)
                    .with("protocol", RTT_BASED.name)
            };
            let steady: &[_] = &[("goodput_mbps", 9.6)];
            let jumping: &[_] = &[("goodput_mbps", jumps)];
            let found = data(&[(key("steady"), steady), (key("jumps"), jumping)]);
            assert_eq!(verdict(&WIRELESS, &found), expected);
        }
    }
}
