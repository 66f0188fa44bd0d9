//! What the paper says about two connections without forced losses (§V), with the rule of each
//! verdict.

use super::judging::{Extreme, because, graded, none, off_percent, only, over_points, up_to_kappa};
use crate::claim::{Claim, Quantity};
use crate::data::{Point, Samples};
use crate::rules;

/// §V.A 1: "most of the time between 1.4 s and 3 s".
pub(super) const STANDARD_RTT: Claim = Claim {
    id: "3-range",
    figures: &["3"],
    statement: "The round trip of standard TCP varies greatly, most of the time between 1.4 and 3 s.",
    paper: Quantity::words("most of the time within 1.4 to 3 s"),
    unit: "% of the samples",
    rule: "Three quarters of the samples, the whole interval, lie within 1.4 to 3 s: reproduced. \
           Half of them: partly.",
    judge: |evidence| {
        let judged = {
            let share = only(evidence.figure("3")).samples("rtt_in_range_percent");
            graded(
                &share,
                [rules::above(&share, 75.0), rules::above(&share, 50.0)],
            )
        };
        because(
            judged,
            "The longest round trip with a full queue is 3.2 s, so that part of the samples lies \
             above the paper's range.",
        )
    },
};

/// §V.A 2: "the two curves are almost linear".
pub(super) const STANDARD_QUENCHES: Claim = Claim {
    id: "4-linear",
    figures: &["4"],
    statement: "With standard TCP the number of source quenches grows almost linearly.",
    paper: Quantity::words("almost linear"),
    unit: "R²",
    rule: "R² of the best line through the curve after 20 s is over 0.99, the whole interval: \
           reproduced. Over 0.95: partly.",
    judge: |evidence| {
        let straight = only(evidence.figure("4")).samples("quenches_straightness");
        graded(
            &straight,
            [rules::above(&straight, 0.99), rules::above(&straight, 0.95)],
        )
    },
};

/// §V.A 3: "also follows an almost linear growth".
pub(super) const STANDARD_DROPS: Claim = Claim {
    id: "5-linear",
    figures: &["5"],
    statement: "With standard TCP the number of drops grows almost linearly.",
    paper: Quantity::words("almost linear"),
    unit: "R²",
    rule: "R² of the best line through the curve after 20 s is over 0.97, the whole interval: \
           reproduced. Over 0.9: partly. (Drops come in steps; less is asked than of the quenches.)",
    judge: |evidence| {
        let straight = only(evidence.figure("5")).samples("drops_straightness");
        graded(
            &straight,
            [rules::above(&straight, 0.97), rules::above(&straight, 0.9)],
        )
    },
};

/// §V.B 3: 988,384 and 1,192,600 B.
pub(super) const STANDARD_BYTES: Claim = Claim {
    id: "5-bytes",
    figures: &["5"],
    statement: "The two connections of standard TCP transferred 2,180,984 bytes.",
    paper: Quantity::Number(2_180_984.0),
    unit: "B",
    rule: "Payload sent, retransmissions and drops included (the link carries only 2,143,500 B), is \
           within 2 % of it: reproduced. Within 5 %: partly. How it is split between the two depends \
           on the start times and is no target.",
    judge: |evidence| {
        let sent = only(evidence.figure("5")).samples("bytes_sent");
        let off = Samples::combine(std::slice::from_ref(&sent), |sent| {
            off_percent(sent[0], 2_180_984.0)
        });
        graded(
            &sent,
            [rules::at_most(&off, 2.0), rules::at_most(&off, 5.0)],
        )
    },
};

/// §V.B 1.
pub(super) const RTT: Claim = Claim {
    id: "6-rtt",
    figures: &["6", "3"],
    statement: "The round trip of SmoothTCP is smaller than that of standard TCP and varies less.",
    paper: Quantity::words("smaller and smoother"),
    unit: "of standard TCP's sd",
    rule: "At a point (reading, slow start, κ) it holds if mean and standard deviation are both below \
           standard TCP's, the interval of the difference excluding zero. At every point: reproduced. \
           At half of them: partly. Ours is the largest ratio of deviations.",
    judge: |evidence| {
        let standard = only(evidence.figure("3"));
        let lower = |point: &Point, name| {
            rules::above(&standard.samples(name).less(&point.samples(name)), 0.0)
        };
        over_points(evidence.figure("6"), Extreme::Largest, |point| {
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
    rule: "At a point it holds if the mean queue is smaller, the interval of the difference excluding \
           zero. At every point: reproduced. At half of them: partly. Ours is the smallest difference.",
    judge: |evidence| {
        let standard = only(evidence.figure("4")).samples("queue_mean_packets");
        over_points(evidence.figure("7"), Extreme::Smallest, |point| {
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
    rule: "At a point it holds if the numbers differ by at most 10 % in the mean. At every point: \
           reproduced. At half of them: partly. Ours is the largest difference.",
    judge: |evidence| {
        let judged = {
            let standard = only(evidence.figure("4")).samples("quenches");
            over_points(evidence.figure("7"), Extreme::Largest, |point| {
                let pair = [point.samples("quenches"), standard.clone()];
                let off = Samples::combine(&pair, |pair| off_percent(pair[0], pair[1]));
                (rules::at_most(&off, 10.0), off)
            })
        };
        because(
            judged,
            "In the event reading each source quench takes a part of the window, so that no more \
             come than κ makes up for; only in the differential reading does a steady stream of \
             them change nothing. After the literal slow start the queue is below the threshold, and \
             κ takes a large part of the run to fill it.",
        )
    },
};

/// §V.B 3: "No packets are dropped in the congestion avoidance phase."
pub(super) const LATE_DROPS: Claim = Claim {
    id: "8-late",
    figures: &["8"],
    statement: "SmoothTCP drops no packet in congestion avoidance.",
    paper: Quantity::Number(0.0),
    unit: "drops",
    rule: "At a point it holds if no seed has a drop after 200 s. At every point: reproduced. At half \
           of them: partly. Ours is the largest mean.",
    judge: |evidence| {
        over_points(evidence.figure("8"), Extreme::Largest, |point| {
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
    rule: "At a point it holds if more packets than the queue holds (20) are dropped before 200 s, the \
           whole interval. At every point: reproduced. At half of them: partly. Ours is the smallest \
           mean.",
    judge: |evidence| {
        over_points(evidence.figure("8"), Extreme::Smallest, |point| {
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
    rule: "At a point it holds if the standard deviation of the arrivals in a second is below standard \
           TCP's, the interval of the difference excluding zero. At every point: reproduced. At half \
           of them: partly. Ours is the largest ratio.",
    judge: |evidence| {
        let standard = only(evidence.figure("5")).samples("arrivals_sd_per_s");
        over_points(evidence.figure("8"), Extreme::Largest, |point| {
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
    rule: "At a point it holds if the payload sent is within 2 % of it in the mean. At every point: \
           reproduced. At half of them: partly. Ours is the nearest mean.",
    judge: |evidence| {
        let judged = {
            let data = evidence.figure("8");
            let mut judged = over_points(data, Extreme::Smallest, |point| {
                let sent = point.samples("bytes_sent");
                let off = Samples::combine(&[sent], |sent| off_percent(sent[0], 2_276_928.0));
                (rules::at_most(&off, 2.0), off)
            });
            let distance = |mean: &f64| (mean - 2_276_928.0).abs();
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
        };
        because(
            judged,
            "The closed slow start drops some 30 to 40 packets, so that far fewer are sent again \
             than the paper's numbers leave; those of the literal one come nearest, in the event \
             reading.",
        )
    },
};

/// §V.B 3: "Regardless, they have almost the same throughput."
pub(super) const SAME_THROUGHPUT: Claim = Claim {
    id: "8-throughput",
    figures: &["8", "5"],
    statement: "SmoothTCP and standard TCP have almost the same throughput.",
    paper: Quantity::Number(4.4),
    unit: "% apart",
    rule: "At a point it holds if unique payload differs by at most 5 % in the mean. At every point: \
           reproduced. At half of them: partly. Ours is the largest difference; the paper's is of \
           bytes sent.",
    judge: |evidence| {
        let standard = only(evidence.figure("5")).samples("bytes_unique");
        over_points(evidence.figure("8"), Extreme::Largest, |point| {
            let pair = [point.samples("bytes_unique"), standard.clone()];
            let off = Samples::combine(&pair, |pair| off_percent(pair[0], pair[1]));
            (rules::at_most(&off, 5.0), off)
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
    rule: "At a point with κ of at most 0.005 it holds if Jain's index over what was sent is at most \
           0.05 below standard TCP's in the mean. At every point: reproduced. At half of them: partly. \
           Ours is the smallest index; the paper's follows from its numbers of bytes.",
    judge: |evidence| {
        let judged = {
            let standard = only(evidence.figure("3")).samples("jain");
            let data = up_to_kappa(evidence.figure("6"), 0.005);
            over_points(&data, Extreme::Smallest, |point| {
                let ours = point.samples("jain");
                (rules::at_most(&standard.less(&ours), 0.05), ours)
            })
        };
        because(
            judged,
            "A window moves by about κ packets in a round trip, some two packets in 600 s with κ \
             = 0.005: what slow start leaves uneven stays so.",
        )
    },
};

#[cfg(test)]
mod tests {
    use super::super::forced::{DIPS, KAPPA_GROWS};
    use super::super::setting::PAYLOAD_BYTES;
    use super::*;
    use crate::Verdict;
    use crate::claim::Evidence;
    use crate::data::Data;
    use crate::data::Measured;
    use crate::paper::{Key, Run};

    /// Points of SmoothTCP (κ, values), three seeds that differ by ± 1 %.
    fn data(points: &[(f64, &[(&str, f64)])]) -> Data {
        let mut runs = Vec::new();
        for (kappa, values) in points {
            for (seed, factor) in [(1, 0.99), (2, 1.0), (3, 1.01)] {
                let mut measured = Measured::default();
                for (name, value) in *values {
                    measured = measured.value(name, value * factor);
                }
                let run = Run {
                    key: Key::new()
                        .with("reading", "event")
                        .with("slow start", "closed")
                        .with("kappa", *kappa),
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

    /// 4069 packets of 536 B are 2,180,984 B; 4200 are 2,251,200, 3.2 % more; 5000, 22.9 % more.
    #[test]
    fn bytes_are_judged_by_their_distance() {
        for (packets, expected) in [
            (4_069.0, Verdict::Reproduced),
            (4_200.0, Verdict::Partly),
            (5_000.0, Verdict::NotReproduced),
        ] {
            let sent = packets * PAYLOAD_BYTES;
            let data = data(&[(0.005, &[("bytes_sent", sent)])]);
            assert_eq!(
                verdict(&STANDARD_BYTES, &[("5", &data)]),
                expected,
                "{packets}"
            );
        }
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
