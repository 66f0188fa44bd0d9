//! What the paper says about two connections without forced losses (§V), with the rule of each
//! verdict.

use super::judging::{Extreme, Found, none, off_percent, one, only, over_points, with_kappa};
use super::setting::QUEUE_THRESHOLD_PACKETS;
use crate::claim::{Claim, Evidence, Quantity};
use crate::data::{Data, Point, Samples};
use crate::rules::{self, Answer};

/// §V.A 1: "most of the time between 1.4 s and 3 s".
pub(super) const STANDARD_RTT: Claim = Claim {
    id: "3-range",
    figures: &["3"],
    statement: "The round trip of standard TCP varies greatly, most of the time between 1.4 and 3 s.",
    paper: Quantity::words("most of the time within 1.4 to 3 s"),
    unit: "% of the samples",
    rule: "More than half of the samples, the whole interval, lie within 1.4 and 3.005 s (the round \
           trip with a full queue of 20 packets is 3.0003 s).",
    judge: |evidence| {
        let share = only(evidence.figure("3")).samples("rtt_in_range_percent");
        one(&share, rules::above(&share, 50.0))
    },
};

/// §V.A 2: "the two curves are almost linear. That means the average of the queue size was above of
/// the queue threshold."
pub(super) const STANDARD_QUEUE: Claim = Claim {
    id: "4-above",
    figures: &["4"],
    statement: "With standard TCP the average queue is above the threshold of the source quenches.",
    paper: Quantity::words("above 7 packets"),
    unit: "packets",
    rule: "The mean of the queue after 200 s is above 7 packets, the whole interval.",
    judge: |evidence| {
        let queue = only(evidence.figure("4")).samples("queue_mean_packets");
        one(&queue, rules::above(&queue, QUEUE_THRESHOLD_PACKETS))
    },
};

/// Figure 1 and §IV: "If the window size reaches `W_c` and no congestion signal is detected, then the
/// slow-start function has found the stable window" (equations 8 to 11).
pub(super) const CONVERGES: Claim = Claim {
    id: "1-converges",
    figures: &["1"],
    statement: "SmoothTCP's slow start finds a stable window: iteration by iteration the limit of its \
                curve (equations 8 to 11) falls to what the path holds.",
    paper: Quantity::words("a stable window"),
    unit: "packets",
    rule: "In a run it holds if the limits of the two connections at the end of their slow starts add \
           up to at most 21.3 packets: 20 in the router and 0.192 s / 0.150016 s = 1.3 on the way. In \
           every run: reproduced. In half of them or more: partly. Ours is the largest sum.",
    judge: |evidence| {
        let limits = evidence.figure("1").points.first();
        let limits = limits.map_or_else(Samples::default, |point| {
            point.samples("slow_start_limits_packets")
        });
        let mut found = Found::new(Extreme::Largest);
        for (seed, limit) in limits.0 {
            let of_run = Samples(vec![(seed, limit)]);
            found.add(format!("seed {seed}"), Answer::from(limit <= 21.3), &of_run);
        }
        found.judged()
    },
};

/// §V.B 1.
pub(super) const RTT: Claim = Claim {
    id: "6-rtt",
    figures: &["6", "3"],
    statement: "The round trip of SmoothTCP is smaller than that of standard TCP and varies less.",
    paper: Quantity::words("smaller and smoother"),
    unit: "of standard TCP's sd",
    rule: "With κ = 0.005, the paper's, mean and standard deviation are both below standard TCP's, the \
           interval of the difference excluding zero. Ours is the ratio of the deviations.",
    judge: |evidence| {
        let standard = only(evidence.figure("3"));
        let lower = |point: &Point, name| {
            rules::above(&standard.samples(name).less(&point.samples(name)), 0.0)
        };
        over_points(&at_kappa(evidence, "6"), Extreme::Largest, |point| {
            let ratio = point
                .samples("rtt_sd_s")
                .over(&standard.samples("rtt_sd_s"));
            (
                rules::all([lower(point, "rtt_mean_s"), lower(point, "rtt_sd_s")]),
                ratio,
            )
        })
    },
};

/// §V.B 2.
pub(super) const QUEUE: Claim = Claim {
    id: "7-queue",
    figures: &["7", "4"],
    statement: "SmoothTCP results in a smaller queue than standard TCP.",
    paper: Quantity::words("smaller"),
    unit: "packets less",
    rule: "With κ = 0.005 the mean queue is smaller, the interval of the difference excluding zero.",
    judge: |evidence| {
        let standard = only(evidence.figure("4")).samples("queue_mean_packets");
        over_points(&at_kappa(evidence, "7"), Extreme::Smallest, |point| {
            let less = standard.less(&point.samples("queue_mean_packets"));
            (rules::above(&less, 0.0), less)
        })
    },
};

/// §V.B 2: "the number of ICMP-SQ messages is almost the same as in Standard TCP".
pub(super) const QUENCHES: Claim = Claim {
    id: "7-quenches",
    figures: &["7", "4"],
    statement: "SmoothTCP gets almost as many source quenches as standard TCP.",
    paper: Quantity::words("almost the same"),
    unit: "% fewer",
    rule: "With κ = 0.005 the numbers differ by at most 10 %, the whole interval.",
    judge: |evidence| {
        let standard = only(evidence.figure("4")).samples("quenches");
        over_points(&at_kappa(evidence, "7"), Extreme::Largest, |point| {
            let pair = [point.samples("quenches"), standard.clone()];
            let off = Samples::combine(&pair, |pair| off_percent(pair[0], pair[1]));
            (rules::at_most(&off, 10.0), off)
        })
    },
};

/// §V.B 3: "No packets are dropped in the congestion avoidance phase."
pub(super) const LATE_DROPS: Claim = Claim {
    id: "8-late",
    figures: &["8"],
    statement: "SmoothTCP drops no packet in congestion avoidance.",
    paper: Quantity::Number(0.0),
    unit: "drops",
    rule: "With κ = 0.005 no seed has a drop after both connections have left slow start.",
    judge: |evidence| {
        over_points(&at_kappa(evidence, "8"), Extreme::Largest, |point| {
            let drops = point.samples("drops_after");
            (none(&drops), drops)
        })
    },
};

/// §V.B 3: "only large during the slow-start phase". The bytes sent and carried differ by 240
/// packets.
pub(super) const SLOW_START_DROPS: Claim = Claim {
    id: "8-slow-start",
    figures: &["8"],
    statement: "The drops of SmoothTCP are large during slow start.",
    paper: Quantity::words("large; its numbers of bytes leave some 240"),
    unit: "drops",
    rule: "With κ = 0.005 more packets than the queue holds (20) are dropped before both \
           connections have left slow start, the whole interval.",
    judge: |evidence| {
        over_points(&at_kappa(evidence, "8"), Extreme::Smallest, |point| {
            let drops = point.samples("drops_in_slow_start");
            (rules::above(&drops, 20.0), drops)
        })
    },
};

/// §V.B 3: "in Standard TCP, large bursts of packet arrivals happen periodically, in SmoothTCP they
/// are smaller and less frequent".
pub(super) const ARRIVALS: Claim = Claim {
    id: "8-arrivals",
    figures: &["8", "5"],
    statement: "Bursts of arrivals at the router are smaller with SmoothTCP.",
    paper: Quantity::words("smaller and less frequent"),
    unit: "of standard TCP's sd",
    rule: "With κ = 0.005 the standard deviation of the arrivals in a second is below standard TCP's, \
           the interval of the difference excluding zero. Ours is the ratio.",
    judge: |evidence| {
        let standard = only(evidence.figure("5")).samples("arrivals_sd_per_s");
        over_points(&at_kappa(evidence, "8"), Extreme::Largest, |point| {
            let ours = point.samples("arrivals_sd_per_s");
            (
                rules::above(&standard.less(&ours), 0.0),
                ours.over(&standard),
            )
        })
    },
};

/// §V.B 3: 1,046,272 and 1,230,656 B.
pub(super) const BYTES: Claim = Claim {
    id: "8-bytes",
    figures: &["8"],
    statement: "The two connections of SmoothTCP transferred 2,276,928 bytes.",
    paper: Quantity::Number(2_276_928.0),
    unit: "B",
    rule: "With κ = 0.005 the payload sent is within 2 % of it, the whole interval.",
    judge: |evidence| {
        let data = &at_kappa(evidence, "8");
        let mut judged = over_points(data, Extreme::Smallest, |point| {
            let sent = point.samples("bytes_sent");
            let off = Samples::combine(&[sent], |sent| off_percent(sent[0], PAPERS_BYTES));
            (rules::at_most(&off, 2.0), off)
        });
        let distance = |mean: &f64| (mean - PAPERS_BYTES).abs();
        let means = data.points.iter().filter_map(|point| {
            let estimate = point.samples("bytes_sent").estimate()?;
            Some((estimate.mean, estimate.interval()))
        });
        if let Some((mean, interval)) =
            means.min_by(|a, b| distance(&a.0).total_cmp(&distance(&b.0)))
        {
            judged.ours = mean.into();
            judged.interval = interval;
        }
        judged
    },
};

/// Two numbers that one implementation gave.
pub(super) const TOGETHER: Claim = Claim {
    id: "7-8-together",
    figures: &["7", "4", "8"],
    statement: "One reading brings both the number of source quenches and the bytes.",
    paper: Quantity::words("both (one implementation)"),
    unit: "% off, of the worse",
    rule: "With κ = 0.005 the number of source quenches is within 10 % of standard TCP's, and the \
           payload sent within 2 % of the paper's, both with their whole intervals. Ours is the \
           distance of the one that is farther off.",
    judge: |evidence| {
        let standard = only(evidence.figure("4")).samples("quenches");
        let bytes = with_kappa(evidence.figure("8"), PAPERS_KAPPA, PAPERS_KAPPA);
        let quenches = with_kappa(evidence.figure("7"), PAPERS_KAPPA, PAPERS_KAPPA);
        over_points(&quenches, Extreme::Largest, |point| {
            let pair = [point.samples("quenches"), standard.clone()];
            let off = Samples::combine(&pair, |pair| off_percent(pair[0], pair[1]));
            let sent = bytes.samples(&point.key, "bytes_sent");
            let far = Samples::combine(&[sent], |sent| off_percent(sent[0], PAPERS_BYTES));
            let answer = rules::all([rules::at_most(&off, 10.0), rules::at_most(&far, 2.0)]);
            let worse = Samples::combine(&[off, far], |two| two[0].max(two[1]));
            (answer, worse)
        })
    },
};

/// §VII: "fairness comparable to Standard TCP" with κ from 0.001 to 0.005.
pub(super) const FAIRNESS: Claim = Claim {
    id: "6-fair",
    figures: &["6", "3"],
    statement: "With κ from 0.001 to 0.005 SmoothTCP is about as fair as standard TCP.",
    paper: Quantity::Number(0.9935),
    unit: "Jain's index",
    rule: "With κ = 0.001 and 0.005 Jain's index over what was sent is at most 0.05 below standard \
           TCP's, the whole interval. At both: reproduced. At one: partly. Ours is the smaller index; \
           the paper's follows from its numbers of bytes.",
    judge: |evidence| {
        let standard = only(evidence.figure("3")).samples("jain");
        let data = with_kappa(evidence.figure("6"), 0.001, PAPERS_KAPPA);
        over_points(&data, Extreme::Smallest, |point| {
            let ours = point.samples("jain");
            (rules::at_most(&standard.less(&ours), 0.05), ours)
        })
    },
};

/// A figure of SmoothTCP with the κ that §V gives for it.
fn at_kappa(evidence: &Evidence<'_>, figure: &str) -> Data {
    with_kappa(evidence.figure(figure), PAPERS_KAPPA, PAPERS_KAPPA)
}

/// §V: "fairness-factor of κ = 0.005".
const PAPERS_KAPPA: f64 = 0.005;
/// §V.B 3: 1,046,272 and 1,230,656 B.
const PAPERS_BYTES: f64 = 2_276_928.0;

#[cfg(test)]
mod tests {
    use super::super::forced::{DIPS, KAPPA_GROWS};
    use super::super::setting::{PAYLOAD_BYTES, Smooth};
    use super::*;
    use crate::Verdict;
    use crate::data::Measured;
    use crate::paper::Run;

    /// Points of SmoothTCP (κ, values), three seeds that differ by ± 1 %.
    fn data(points: &[(f64, &[(&str, f64)])]) -> Data {
        spread(0.01, points)
    }

    fn spread(spread: f64, points: &[(f64, &[(&str, f64)])]) -> Data {
        let mut runs = Vec::new();
        for (kappa, values) in points {
            for (seed, factor) in [(1, 1.0 - spread), (2, 1.0), (3, 1.0 + spread)] {
                let mut measured = Measured::default();
                for (name, value) in *values {
                    measured = measured.value(name, value * factor);
                }
                let run = Run {
                    key: Smooth::in_base(*kappa).key(),
                    seed,
                    scenario: String::new(),
                    work: 1.0,
                };
                runs.push((run, measured));
            }
        }
        Data::gather(runs)
    }

    fn verdict(claim: &Claim, figures: &[(&'static str, &Data)]) -> Verdict {
        (claim.judge)(&Evidence::new(figures.to_vec())).verdict
    }

    /// 4248 packets of 536 B are the paper's 2,276,928 B; 4069, standard TCP's, are 4.2 % fewer.
    /// With three seeds of ± 0.1 % the intervals are ± 0.25 %.
    #[test]
    fn bytes_are_judged_by_their_distance() {
        for (packets, expected) in [
            (4_248.0, Verdict::Reproduced),
            (4_069.0, Verdict::NotReproduced),
        ] {
            let sent = packets * PAYLOAD_BYTES;
            let data = spread(0.001, &[(0.005, &[("bytes_sent", sent)])]);
            assert_eq!(verdict(&BYTES, &[("8", &data)]), expected, "{packets}");
        }
    }

    /// 4,000 quenches against 4,030 and 2.277 MB: both. 1,000 quenches: not both.
    #[test]
    fn quenches_and_bytes_must_come_together() {
        let standard = spread(0.001, &[(0.0, &[("quenches", 4_030.0)])]);
        let judge = |quenches, bytes| {
            let smooth = spread(
                0.001,
                &[(0.005, &[("quenches", quenches), ("bytes_sent", bytes)])],
            );
            let figures = [("7", &smooth), ("4", &standard), ("8", &smooth)];
            verdict(&TOGETHER, &figures)
        };
        assert_eq!(judge(4_000.0, 2_277_000.0), Verdict::Reproduced);
        assert_eq!(judge(1_000.0, 2_277_000.0), Verdict::NotReproduced);
        assert_eq!(judge(4_000.0, 2_160_000.0), Verdict::NotReproduced);
    }

    #[test]
    fn slow_start_converges_to_what_the_path_holds() {
        let judge = |limits| {
            let data = spread(0.001, &[(0.005, &[("slow_start_limits_packets", limits)])]);
            verdict(&CONVERGES, &[("1", &data)])
        };
        assert_eq!(judge(20.0), Verdict::Reproduced);
        assert_eq!(judge(30.0), Verdict::NotReproduced);
    }

    #[test]
    fn the_round_trip_must_be_both_shorter_and_steadier() {
        let standard = data(&[(0.0, &[("rtt_mean_s", 2.4), ("rtt_sd_s", 0.5)])]);
        let judge = |mean, sd| {
            let smooth = data(&[(0.005, &[("rtt_mean_s", mean), ("rtt_sd_s", sd)])]);
            verdict(&RTT, &[("6", &smooth), ("3", &standard)])
        };
        assert_eq!(judge(1.2, 0.07), Verdict::Reproduced);
        assert_eq!(judge(1.2, 0.6), Verdict::NotReproduced);
        assert_eq!(judge(2.6, 0.07), Verdict::NotReproduced);
    }

    #[test]
    fn one_late_drop_of_one_seed_is_one_too_many() {
        let drops = |count| data(&[(0.005, &[("drops_after", count)])]);
        assert_eq!(
            verdict(&LATE_DROPS, &[("8", &drops(0.0))]),
            Verdict::Reproduced
        );
        assert_eq!(
            verdict(&LATE_DROPS, &[("8", &drops(1.0))]),
            Verdict::NotReproduced
        );
    }

    /// 0.02, 0.07, 0.08: grows at both steps; 0.02, 0.07, 0.03: at one of two.
    #[test]
    fn variation_must_grow_at_each_step_of_kappa() {
        let judge = |deviations: [f64; 3]| {
            let values = deviations.map(|sd| [("rtt_sd_s", sd)]);
            let points = [
                (0.005, &values[1][..]),
                (0.001, &values[0][..]),
                (0.010, &values[2][..]),
            ];
            verdict(&KAPPA_GROWS, &[("6", &data(&points))])
        };
        assert_eq!(judge([0.02, 0.07, 0.08]), Verdict::Reproduced);
        assert_eq!(judge([0.02, 0.07, 0.03]), Verdict::Partly);
        assert_eq!(judge([0.08, 0.07, 0.03]), Verdict::NotReproduced);
    }

    /// Before 1.2 s; after 0.3 s, a quarter, at two of three losses: partly.
    #[test]
    fn each_forced_loss_must_show() {
        let judge = |third| {
            let data = data(&[(
                0.001,
                &[
                    ("rtt_before_s_1", 1.2),
                    ("rtt_before_s_2", 1.2),
                    ("rtt_before_s_3", 1.2),
                    ("rtt_least_after_s_1", 0.3),
                    ("rtt_least_after_s_2", 0.3),
                    ("rtt_least_after_s_3", third),
                ],
            )]);
            verdict(&DIPS, &[("11", &data)])
        };
        assert_eq!(judge(0.3), Verdict::Reproduced);
        assert_eq!(judge(1.0), Verdict::Partly);
    }

    #[test]
    fn small_kappas_alone_are_judged_for_fairness() {
        let standard = data(&[(0.0, &[("jain", 0.99)])]);
        let judge = |small, large| {
            let smooth = data(&[(0.005, &[("jain", small)]), (0.010, &[("jain", large)])]);
            verdict(&FAIRNESS, &[("6", &smooth), ("3", &standard)])
        };
        assert_eq!(judge(0.98, 0.5), Verdict::Reproduced);
        assert_eq!(judge(0.7, 0.99), Verdict::NotReproduced);
    }
}
