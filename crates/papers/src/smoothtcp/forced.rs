//! What the paper says of forced losses and of κ (§VI, §VII and appendix), with the rule of each
//! verdict.

use super::judging::{Extreme, Found, one, only, over_errors, over_points, with_kappa};
use crate::claim::{Claim, Quantity};
use crate::data::Samples;
use crate::rules;

/// §VI.A 1: "Standard TCP masks the effects".
pub(super) const MASKED: Claim = Claim {
    id: "9-masked",
    figures: &["9"],
    statement: "With standard TCP one cannot see where the forced losses are.",
    paper: Quantity::words("not identifiable"),
    unit: "s above the lowest twentieth",
    rule: "At a forced loss it holds if the least round trip within 10 s after it is not below the one \
           that one in twenty of all samples is below, less the round trip of one packet (0.15 s), \
           the whole interval. At each: reproduced. At half of them or more: partly. Ours is the \
           smallest distance.",
    judge: |evidence| {
        let point = only(evidence.figure("9"));
        over_errors(&[point], Extreme::Smallest, |point, number| {
            let least = point.samples(&format!("rtt_least_after_s_{number}"));
            let over = least.less(&point.samples("rtt_low_s"));
            (rules::at_least(&over, -super::setting::PACKET_S), over)
        })
    },
};

/// §VI.B 1: "three points where there are large decrements in RTT".
pub(super) const DIPS: Claim = Claim {
    id: "11-dips",
    figures: &["11"],
    statement: "With SmoothTCP the round trip falls far after each of the three forced losses.",
    paper: Quantity::words("three large decrements"),
    unit: "of the round trip before",
    rule: "At a forced loss it holds if the least round trip within 10 s after it is below half of the \
           median of the 30 s before, the whole interval. At each: reproduced. At half of them or \
           more: partly. Ours is the largest ratio.",
    judge: |evidence| {
        let points: Vec<_> = evidence.figure("11").points.iter().collect();
        over_errors(&points, Extreme::Largest, |point, number| {
            let least = point.samples(&format!("rtt_least_after_s_{number}"));
            let ratio = least.over(&point.samples(&format!("rtt_before_s_{number}")));
            let kept = Samples::combine(std::slice::from_ref(&ratio), |ratio| 1.0 - ratio[0]);
            (rules::above(&kept, 0.5), ratio)
        })
    },
};

/// §VI.B 2.
pub(super) const QUEUE_DIPS: Claim = Claim {
    id: "12-dips",
    figures: &["12"],
    statement: "With SmoothTCP the queue falls far after each of the three forced losses.",
    paper: Quantity::words("a large decay"),
    unit: "packets",
    rule: "At a forced loss it holds if at most one packet waits at some time within 10 s after it, \
           the whole interval. At each: reproduced. At half of them or more: partly. Ours is the \
           largest.",
    judge: |evidence| {
        let points: Vec<_> = evidence.figure("12").points.iter().collect();
        over_errors(&points, Extreme::Largest, |point, number| {
            let least = point.samples(&format!("queue_least_after_packets_{number}"));
            (rules::at_most(&least, 1.0), least)
        })
    },
};

/// §V.B 1, §VII: "By increasing κ, we also increase the RTT variation."
pub(super) const KAPPA_GROWS: Claim = Claim {
    id: "6-kappa",
    figures: &["6"],
    statement: "The round trip varies the more, the greater κ is.",
    paper: Quantity::words("grows with κ (0.001, 0.005, 0.010)"),
    unit: "s",
    rule: "At a step from one κ to the next it holds if the standard deviation grows, the interval of \
           the difference excluding zero. At both steps: reproduced. At one: partly. Ours is the \
           smaller difference.",
    judge: |evidence| {
        let data = evidence.figure("6");
        let mut kappas = data.numbers("kappa");
        kappas.sort_by(f64::total_cmp);
        let mut found = Found::new(Extreme::Smallest);
        for step in kappas.windows(2) {
            let [lesser, greater] = [step[0], step[1]].map(|kappa| {
                let points = with_kappa(data, kappa, kappa).points;
                points
                    .first()
                    .map_or_else(Samples::default, |point| point.samples("rtt_sd_s"))
            });
            let more = greater.less(&lesser);
            let label = format!("κ from {} to {}", step[0], step[1]);
            found.add(label, rules::above(&more, 0.0), &more);
        }
        found.judged()
    },
};

/// §VII: "κ values from 0.001 until 0.005 result in RTT variation much smaller than TCP".
pub(super) const KAPPA_SMOOTH: Claim = Claim {
    id: "6-kappa-smooth",
    figures: &["6", "3"],
    statement: "With κ from 0.001 to 0.005 the round trip varies much less than with standard TCP.",
    paper: Quantity::words("much smaller"),
    unit: "of standard TCP's sd",
    rule: "With κ = 0.001 and 0.005 the standard deviation is at most a quarter of standard TCP's, the \
           whole interval. At both: reproduced. At one: partly. Ours is the larger ratio.",
    judge: |evidence| {
        let standard = only(evidence.figure("3")).samples("rtt_sd_s");
        let data = with_kappa(evidence.figure("6"), 0.001, 0.005);
        over_points(&data, Extreme::Largest, |point| {
            let ratio = point.samples("rtt_sd_s").over(&standard);
            (rules::at_most(&ratio, 0.25), ratio)
        })
    },
};

/// §VII: "too small values of κ can lead to unfair bandwidth sharing".
pub(super) const SMALL_KAPPA: Claim = Claim {
    id: "fairness-kappa",
    figures: &["fairness"],
    statement: "Too small a κ makes the shares unfair.",
    paper: Quantity::words("unfair with too small a κ"),
    unit: "of Jain's index",
    rule: "Jain's index over 10,000 s is lower with κ = 0.001 than with 0.005, the interval of the \
           difference excluding zero. Ours is the difference.",
    judge: |evidence| {
        let data = evidence.figure("fairness");
        let [small, larger] = [0.001, 0.005].map(|kappa| {
            let points = with_kappa(data, kappa, kappa).points;
            points
                .first()
                .map_or_else(Samples::default, |point| point.samples("jain_after"))
        });
        let more = larger.less(&small);
        one(&more, rules::above(&more, 0.0))
    },
};
