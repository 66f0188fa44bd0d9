//! What the paper says about Figures 6 and 7 (§3, §5.2), with the rule of each verdict.

use super::crowds::PLACE;
use super::grid::{Grid, Positive, extreme, lag, lead};
use crate::claim::{Claim, Quantity};
use crate::rules::{self, Place, judged, shown};

/// A claim on Figure 6: a quantity is positive.
macro_rules! growing {
    ($name:literal, $of:expr) => {
        |evidence| {
            Positive {
                figure: "6",
                axis: PLACE,
                name: $name,
                unit: "",
                at: |_| true,
                of: $of,
            }
            .judge(evidence)
        }
    };
}

/// "\[9\] claims that generating smoother traffic improves allotted fairness, as confirmed in the
/// time period from t0 = 0 to t1 = 15 in Figure 6."
pub(super) const SMOOTH_IS_FAIR: Claim = Claim {
    id: "6-smooth",
    figures: &["6"],
    statement: "Before flows join, the smoothest protocol has the highest allotted fairness.",
    paper: Quantity::words("smooth highest (no numbers)"),
    unit: "",
    rule: "The mean allotted fairness from 5 to 15 s of TCP(0.31, 0.875) must be above that of \
           each other protocol, the 95 % interval of the difference to the next excluding zero. \
           Ours is that difference.",
    judge: growing!("fairness_5_15", |four| lead(four, 0)),
};

/// "When new flows come in, fairness drops for all protocols."
pub(super) const FAIRNESS_DROPS: Claim = Claim {
    id: "6-drops",
    figures: &["6"],
    statement: "When new flows come in, fairness drops for all protocols.",
    paper: Quantity::words("drops for all (no numbers)"),
    unit: "",
    rule: "The mean allotted fairness from 16 to 18 s, when 13 flows have joined 12, must be below \
           that from 13 to 15 s for every protocol, the 95 % interval of the least drop excluding \
           zero. Ours is the least drop.",
    judge: growing!("fairness_lost_at_15_s", |four| four
        .iter()
        .copied()
        .fold(f64::INFINITY, f64::min)),
};

/// "The fairness of TCP(1.25, 0.25) recovers faster" (hypothesis 1).
pub(super) const RESPONSIVE_RECOVERS: Claim = Claim {
    id: "6-recovers",
    figures: &["6"],
    statement: "After flows have joined, the fairness of TCP(1.25, 0.25) recovers faster than that \
                of the smooth protocols (hypothesis 1).",
    paper: Quantity::words("responsive faster (no numbers)"),
    unit: "",
    rule: "Five seconds after the first flows joined, from 18 to 20 s, the mean allotted fairness \
           of TCP(1.25, 0.25) must be above that of both smooth protocols, the 95 % interval of \
           the difference to the better one excluding zero. Ours is that difference.",
    judge: growing!("fairness_18_20", |four| four[3] - four[0].max(four[1])),
};

/// "After a 20-second period the responsive TCP displays the highest fairness."
pub(super) const RESPONSIVE_FAIREST: Claim = Claim {
    id: "6-responsive",
    figures: &["6"],
    statement: "From 20 s on TCP(1.25, 0.25) has the highest allotted fairness (hypothesis 1).",
    paper: Quantity::words("responsive highest (no numbers)"),
    unit: "",
    rule: "The mean allotted fairness from 20 to 30 s of TCP(1.25, 0.25) must be above that of \
           each other protocol, the 95 % interval of the difference to the next excluding zero. Ours is that difference.",
    judge: growing!("fairness_20_30", |four| lead(four, 3)),
};

macro_rules! shrinking {
    ($name:literal, $of:expr) => {
        |evidence| {
            Positive {
                figure: "7",
                axis: PLACE,
                name: $name,
                unit: "Mb/s",
                at: |_| true,
                of: $of,
            }
            .judge(evidence)
        }
    };
}

/// "From t0 = 0 to t1 = 15 […] the higher the β, the higher the allotted goodput."
pub(super) const ORDERED_BEFORE: Claim = Claim {
    id: "7-before",
    figures: &["7"],
    statement: "Before flows leave, the higher β, the higher the allotted goodput.",
    paper: Quantity::words("ordered by β (no numbers)"),
    unit: "Mb/s",
    rule: "The 95 % interval of each step of the mean allotted goodput from 5 to 15 s, from one β \
           to the next higher one, must lie wholly above zero. All three: reproduced. Two: partly. \
           Ours is the smallest step.",
    judge: |evidence| {
        let grid = Grid::new(evidence.figure("7"), PLACE);
        let four = grid.four(1.0, "goodput_5_15_mbps");
        let step = |upper: usize| four[upper].less(&four[upper + 1]);
        let place = |(upper, label): (usize, &str)| Place {
            label: label.to_owned(),
            answer: rules::above(&step(upper), 0.0),
            found: shown(step(upper).estimate(), "Mb/s"),
        };
        let labels = ["0.875 − 0.75", "0.75 − 0.5", "0.5 − 0.25"];
        let places: Vec<Place> = (0..).zip(labels).map(place).collect();
        judged(&places, extreme((0..3).map(step), f64::min))
    },
};

/// "The goodput initially decreases for all protocols since the resource consumption suddenly
/// drops."
pub(super) const GOODPUT_DROPS: Claim = Claim {
    id: "7-drops",
    figures: &["7"],
    statement: "When half of the flows leave, goodput drops for all protocols at first.",
    paper: Quantity::words("drops for all (no numbers)"),
    unit: "Mb/s",
    rule: "Reproduced if the allotted goodput of the second from 15 s on is below that of the \
           second before for every protocol, the 95 % interval of the least drop excluding zero. \
           Ours is the least drop.",
    judge: shrinking!("goodput_lost_at_15_s_mbps", |four| four
        .iter()
        .copied()
        .fold(f64::INFINITY, f64::min)),
};

/// "It is not surprising that TCP(0.31, 0.875)'s achieves the lowest performance" (observation 3).
pub(super) const SMOOTH_LOWEST: Claim = Claim {
    id: "7-lowest",
    figures: &["7"],
    statement: "Once flows leave, TCP(0.31, 0.875) has the lowest goodput (observation 3).",
    paper: Quantity::words("smooth lowest (no numbers)"),
    unit: "Mb/s",
    rule: "Reproduced if the mean allotted goodput from 15 to 30 s of TCP(0.31, 0.875) is below \
           that of each other protocol, the 95 % interval of the difference to the next excluding \
           zero. Ours is that difference.",
    judge: shrinking!("goodput_15_30_mbps", |four| lag(four, 0)),
};

/// "TCP(1, 0.5)'s goodput is the highest."
pub(super) const STANDARD_HIGHEST: Claim = Claim {
    id: "7-highest",
    figures: &["7"],
    statement: "Once flows leave, standard TCP has the highest goodput.",
    paper: Quantity::words("standard highest (no numbers)"),
    unit: "Mb/s",
    rule: "Reproduced if the mean allotted goodput from 15 to 30 s of TCP(1, 0.5) is above that of \
           each other protocol, the 95 % interval of the difference to the next excluding zero. \
           Ours is that difference.",
    judge: shrinking!("goodput_15_30_mbps", |four| lead(four, 2)),
};

/// "… although TCP(1.25, 0.25)'s recovery speed is the fastest after the step decrease."
pub(super) const RESPONSIVE_FASTEST: Claim = Claim {
    id: "7-fastest",
    figures: &["7"],
    statement: "After a step down in flows TCP(1.25, 0.25) recovers the fastest.",
    paper: Quantity::words("responsive fastest (no numbers)"),
    unit: "",
    rule: "Recovery is the share of the goodput of 13 to 15 s, before the first flows left, that is \
           there again from 18 to 20 s. Reproduced if that of TCP(1.25, 0.25) is above that of each \
           other protocol, the 95 % interval of the difference to the next excluding zero. Ours is \
           that difference.",
    judge: |evidence| {
        Positive {
            figure: "7",
            axis: PLACE,
            name: "goodput_regained_18_20",
            unit: "",
            at: |_| true,
            of: |four| lead(four, 3),
        }
        .judge(evidence)
    },
};

/// "The smaller the number of flows, the longer it takes smooth TCP to exploit the available
/// bandwidth when the fair share step-increases" (observation 1).
pub(super) const FEWER_SLOWER: Claim = Claim {
    id: "7-fewer",
    figures: &["7"],
    statement: "The fewer flows are left, the longer a smooth protocol takes to use what has come \
                free (observation 1): TCP(0.31, 0.875) has less goodput in the five seconds with 12 \
                flows than in those with 50.",
    paper: Quantity::words("longer with fewer flows (no numbers)"),
    unit: "Mb/s",
    rule: "Reproduced if the mean allotted goodput of TCP(0.31, 0.875) from 15 to 20 s less that \
           from 25 to 30 s is above zero, the whole 95 % interval. Ours is that difference.",
    judge: shrinking!("goodput_lost_with_fewer_mbps", |four| four[0]),
};
