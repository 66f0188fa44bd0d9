//! What the paper says about Figures 2 and 3 (§3 and §5.1), with the rule of each verdict.

use super::PROTOCOLS;
use super::grid::{Grid, extreme};
use super::wired::GOODPUT;
use crate::claim::{Claim, Evidence, Judged, Quantity, with_unit};
use crate::data::Samples;
use crate::rules::{self, Answer, Place, judged, shown};

/// "The results on 10Mbps links comply with the projection of TCP-friendly equations."
pub(super) const EQUAL: Claim = Claim {
    id: "2-equal",
    figures: &["2"],
    statement: "With 10 Mb/s all four protocols bring about the same system goodput, as the \
                TCP-friendly equations project.",
    paper: Quantity::words("about equal (no numbers)"),
    unit: "%",
    rule: "The spread, (largest − smallest) / largest goodput of the four protocols, is at most \
           5 %, the whole 95 % interval, at every number of flows from 10 to 100: reproduced. At \
           half of them or more: partly. Ours is the largest spread.",
    judge: |evidence| {
        let figure = Figure::of(evidence, "2");
        let places = figure.places(0.0, |flows| {
            let spread = figure.spread(flows);
            (
                rules::at_most(&spread, ABOUT_EQUAL_PERCENT),
                figure.lagging(flows, &spread),
            )
        });
        let spreads = figure.flows(0.0).map(|flows| figure.spread(flows));
        judged(&places, extreme(spreads, f64::max))
    },
};

/// "In the latter case [high congestion], the available bandwidth is low and the aggressiveness
/// due to the high α value doesn't improve the system goodput, as shown in Figure 2."
pub(super) const AGGRESSIVE: Claim = Claim {
    id: "2-aggressive",
    figures: &["2"],
    statement: "Where congestion is high and bandwidth scarce, the aggressiveness of \
                TCP(1.25, 0.25) does not improve the system goodput.",
    paper: Quantity::words("no improvement (no numbers)"),
    unit: "%",
    rule: "With 50 flows or more, TCP(1.25, 0.25) brings at most 1 % more goodput than standard \
           TCP, the whole 95 % interval, at every number of flows: reproduced. At half of them or more: partly. Ours is the \
           largest gain.",
    judge: |evidence| {
        let figure = Figure::of(evidence, "2");
        let gain = |flows| {
            let pair = [figure.goodput(3, flows), figure.goodput(2, flows)];
            Samples::combine(&pair, |g| 100.0 * (g[0] / g[1] - 1.0))
        };
        let places = figure.places(50.0, |flows| {
            let gain = gain(flows);
            (
                rules::at_most(&gain, NO_IMPROVEMENT_PERCENT),
                shown(gain.estimate(), "%"),
            )
        });
        judged(&places, extreme(figure.flows(50.0).map(gain), f64::max))
    },
};

/// Hypothesis 3: "Throughput of smooth TCP may be greater than the throughput of standard and
/// responsive TCP", which "the result with 100Mbps bottleneck" supports.
pub(super) const SMOOTH: Claim = Claim {
    id: "3-smooth",
    figures: &["3"],
    statement: "With 100 Mb/s both smooth protocols bring more system goodput than standard TCP \
                and than the responsive one (hypothesis 3).",
    paper: Quantity::words("smooth above standard and responsive (no numbers)"),
    unit: "Mb/s",
    rule: "At a number of flows it holds if the lower of the two smooth protocols is above the \
           higher of the two others, the 95 % interval of the difference excluding zero. At every \
           number of flows: reproduced. At half of them or more: partly. Ours is the smallest \
           difference.",
    judge: |evidence| {
        let figure = Figure::of(evidence, "3");
        let gain =
            |flows| Samples::combine(&figure.four(flows), |g| g[0].min(g[1]) - g[2].max(g[3]));
        let places = figure.places(0.0, |flows| {
            let gain = gain(flows);
            (
                rules::above(&gain, 0.0),
                format!("difference {}", shown(gain.estimate(), "Mb/s")),
            )
        });
        judged(&places, extreme(figure.flows(0.0).map(gain), f64::min))
    },
};

/// "When the fair-share for each flow is large, a smooth downward adjustment contributes to
/// exploiting the system goodput better": the more so, the smoother.
pub(super) const ORDER: Claim = Claim {
    id: "3-order",
    figures: &["3"],
    statement: "With 100 Mb/s system goodput follows smoothness: β = 0.875 is not below 0.75, \
                0.75 is above 0.5, and 0.5 above 0.25.",
    paper: Quantity::words("ordered by β (no numbers)"),
    unit: "",
    rule: "At a number of flows the order holds if the 95 % interval of G(0.875) − G(0.75) lies \
           wholly above −1 Mb/s (at a full link they can only be equal), and those of \
           G(0.75) − G(0.5) and G(0.5) − G(0.25) wholly above zero. \
           At every number of flows: reproduced. At half of them or more: partly.",
    judge: |evidence| {
        let figure = Figure::of(evidence, "3");
        let places = figure.places(0.0, |flows| figure.order(flows));
        let held = places
            .iter()
            .filter(|place| place.answer == Answer::Yes)
            .count();
        let ours = format!("in order at {held} of {} numbers of flows", places.len());
        Judged {
            ours: ours.into(),
            ..judged(&places, None)
        }
    },
};

/// Hypothesis 3: "Equation (2) indicates that the protocols will always achieve about the same
/// throughput as the standard TCP. However, …": the 100 Mb/s bottleneck contradicts it.
pub(super) const PROJECTION: Claim = Claim {
    id: "3-projection",
    figures: &["3"],
    statement: "With 100 Mb/s the projection of equations 2 and 3, equal throughput for all \
                protocols, does not come true.",
    paper: Quantity::words("not equal (no numbers)"),
    unit: "%",
    rule: "The spread, (largest − smallest) / largest goodput of the four protocols, is more than \
           5 %, the whole 95 % interval, at every number of flows: reproduced. At half of them or \
           more: partly. Ours is the smallest spread.",
    judge: |evidence| {
        let figure = Figure::of(evidence, "3");
        let places = figure.places(0.0, |flows| {
            let spread = figure.spread(flows);
            (
                rules::above(&spread, ABOUT_EQUAL_PERCENT),
                figure.lagging(flows, &spread),
            )
        });
        let spreads = figure.flows(0.0).map(|flows| figure.spread(flows));
        judged(&places, extreme(spreads, f64::min))
    },
};

/// "When the fair-share for each flow is large, a smooth downward adjustment contributes to
/// exploiting the system goodput better", said of Figure 3 against Figure 2.
pub(super) const FAIR_SHARE: Claim = Claim {
    id: "3-fair-share",
    figures: &["3", "2"],
    statement: "Smoothness gains where each flow's fair share is large: its gain over standard TCP \
                is greater with 100 Mb/s than with 10 Mb/s.",
    paper: Quantity::words("gain with 100 Mb/s, none with 10 Mb/s (no numbers)"),
    unit: "percentage points",
    rule: "The gain is the mean goodput of the two smooth protocols over that of standard TCP. At \
           a number of flows it holds if the gain with 100 Mb/s is above that with 10 Mb/s, the \
           95 % interval of the difference excluding zero. At every number of flows: reproduced. \
           At half of them or more: partly. Ours is the smallest difference.",
    judge: |evidence| {
        let wide = Figure::of(evidence, "3");
        let narrow = Figure::of(evidence, "2");
        let difference = |flows| wide.smooth_gain(flows).less(&narrow.smooth_gain(flows));
        let places = wide.places(0.0, |flows| {
            let difference = difference(flows);
            let found = shown(difference.estimate(), "percentage points");
            (rules::above(&difference, 0.0), found)
        });
        judged(&places, extreme(wide.flows(0.0).map(difference), f64::min))
    },
};

/// The goodputs of a figure.
struct Figure<'a>(Grid<'a>);

impl<'a> Figure<'a> {
    fn of(evidence: &Evidence<'a>, id: &str) -> Self {
        Self(Grid::new(evidence.figure(id), "flows"))
    }

    /// The numbers of flows from `from` on.
    fn flows(&self, from: f64) -> impl Iterator<Item = f64> {
        self.0
            .places()
            .into_iter()
            .filter(move |flows| *flows >= from)
    }

    /// The numbers of flows from `from` on, each with an answer and what was found.
    fn places(&self, from: f64, answer: impl Fn(f64) -> (Answer, String)) -> Vec<Place> {
        let place = |flows: f64| {
            let (answer, found) = answer(flows);
            Place {
                label: format!("{flows} flows"),
                answer,
                found,
            }
        };
        self.flows(from).map(place).collect()
    }

    /// Goodput of a protocol, by its place in [`PROTOCOLS`], in Mb/s.
    fn goodput(&self, protocol: usize, flows: f64) -> Samples {
        self.0.samples(protocol, flows, GOODPUT)
    }

    fn four(&self, flows: f64) -> [Samples; 4] {
        [0, 1, 2, 3].map(|protocol| self.goodput(protocol, flows))
    }

    /// How far the four protocols lie apart, in per cent of the largest.
    fn spread(&self, flows: f64) -> Samples {
        Samples::combine(&self.four(flows), |four| {
            let most = four.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let least = four.iter().copied().fold(f64::INFINITY, f64::min);
            100.0 * (most - least) / most
        })
    }

    /// The spread in words, and who is last.
    fn lagging(&self, flows: f64, spread: &Samples) -> String {
        let means = self
            .four(flows)
            .map(|goodput| goodput.estimate().map(|goodput| goodput.mean));
        let known = PROTOCOLS
            .iter()
            .zip(means)
            .filter_map(|(protocol, mean)| Some((protocol, mean?)));
        let last = known
            .min_by(|(_, a), (_, b)| a.total_cmp(b))
            .map_or_else(String::new, |last| {
                format!(
                    ", lowest {} with {}",
                    last.0.name,
                    with_unit(last.1, "Mb/s")
                )
            });
        format!("spread {}{last}", shown(spread.estimate(), "%"))
    }

    /// Whether goodput follows smoothness, and the steps that do not.
    fn order(&self, flows: f64) -> (Answer, String) {
        let goodputs = self.four(flows);
        let step = |upper: usize| goodputs[upper].less(&goodputs[upper + 1]);
        let steps = [
            (
                "0.875 − 0.75",
                step(0),
                rules::at_least(&step(0), -EQUAL_MBPS),
            ),
            ("0.75 − 0.5", step(1), rules::above(&step(1), 0.0)),
            ("0.5 − 0.25", step(2), rules::above(&step(2), 0.0)),
        ];
        let failed: Vec<_> = steps
            .iter()
            .filter(|(_, _, answer)| *answer != Answer::Yes)
            .map(|(name, step, _)| format!("{name}: {}", shown(step.estimate(), "Mb/s")))
            .collect();
        (
            rules::all(steps.iter().map(|(_, _, answer)| *answer)),
            failed.join(", "),
        )
    }

    /// How much more the smooth protocols bring than standard TCP, in per cent.
    fn smooth_gain(&self, flows: f64) -> Samples {
        let [first, second, standard, _] = self.four(flows);
        Samples::combine(&[first, second, standard], |g| {
            100.0 * (f64::midpoint(g[0], g[1]) / g[2] - 1.0)
        })
    }
}

/// The specification's bound for "about equal", in per cent of the largest goodput.
const ABOUT_EQUAL_PERCENT: f64 = 5.0;
/// What two full links may differ by: 1 % of 100 Mb/s.
const EQUAL_MBPS: f64 = 1.0;
/// A fifth of what still counts as about equal.
const NO_IMPROVEMENT_PERCENT: f64 = 1.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::{Evidence, Verdict};
    use crate::data::Data;
    use crate::data::Measured;
    use crate::gaimd::{IN_BASE, key};
    use crate::paper::Run;

    /// Some numbers of flows, each protocol with three seeds at its goodput ± 0.1 %.
    ///
    /// Three seeds that differ by the same factor leave ratios without spread; the interval of a
    /// difference d is d ± 4.303 × 0.001 d / √3 = d (1 ± 0.0025).
    fn data(rows: &[(f64, [f64; 4])]) -> Data {
        Data::gather(runs(rows))
    }

    fn runs(rows: &[(f64, [f64; 4])]) -> Vec<(Run, Measured)> {
        let mut runs = Vec::new();
        for (flows, goodputs) in rows {
            for (protocol, goodput) in PROTOCOLS.iter().zip(goodputs) {
                for (seed, factor) in [(1, 0.999), (2, 1.0), (3, 1.001)] {
                    let key = key(protocol, *flows, IN_BASE);
                    let run = Run {
                        key,
                        seed,
                        scenario: String::new(),
                        work: 1.0,
                    };
                    runs.push((run, Measured::default().value(GOODPUT, goodput * factor)));
                }
            }
        }
        runs
    }

    fn judge(claim: &Claim, figures: &[(&'static str, &Data)]) -> Judged {
        (claim.judge)(&Evidence::new(figures.to_vec()))
    }

    fn verdict(claim: &Claim, figure: &'static str, rows: &[(f64, [f64; 4])]) -> Verdict {
        judge(claim, &[(figure, &data(rows))]).verdict
    }

    const EVEN: [f64; 4] = [9.5, 9.5, 9.5, 9.5];

    /// (9.5 − 9.12) / 9.5 = 4 %; (9.5 − 8.55) / 9.5 = 10 %.
    #[test]
    fn equal_is_judged_by_the_spread_from_10_flows_on() {
        let (four, ten) = ([9.5, 9.4, 9.3, 9.12], [9.5, 9.4, 9.3, 8.55]);
        let of = |rows: &[(f64, [f64; 4])]| verdict(&EQUAL, "2", rows);
        assert_eq!(of(&[(10.0, four), (100.0, EVEN)]), Verdict::Reproduced);
        assert_eq!(
            of(&[(10.0, ten), (40.0, EVEN), (100.0, four)]),
            Verdict::Partly
        );
        assert_eq!(
            of(&[(10.0, EVEN), (40.0, ten), (100.0, ten)]),
            Verdict::NotReproduced
        );

        let judged = judge(&EQUAL, &[("2", &data(&[(10.0, four), (100.0, EVEN)]))]);
        let Quantity::Number(ours) = judged.ours else {
            panic!("{judged:?}")
        };
        assert!((ours - 4.0).abs() < 1e-9);
    }

    /// 9.595 / 9.5 = 1.01: at the bound of 1 %, 9.69 / 9.5 = 1.02 beyond, 9.2 / 9.5 below.
    #[test]
    fn aggressive_is_judged_against_standard_tcp_from_50_flows_on() {
        let with = |goodput| [9.5, 9.5, 9.5, goodput];
        let of = |rows: &[(f64, [f64; 4])]| verdict(&AGGRESSIVE, "2", rows);
        let (less, more) = (with(9.2), with(9.69));
        assert_eq!(
            of(&[(40.0, more), (70.0, less), (100.0, with(9.59))]),
            Verdict::Reproduced
        );
        assert_eq!(
            of(&[(40.0, less), (70.0, less), (100.0, more)]),
            Verdict::Partly
        );
        assert_eq!(
            of(&[(40.0, less), (70.0, more), (100.0, more)]),
            Verdict::NotReproduced
        );
    }

    #[test]
    fn smooth_needs_both_smooth_ones_above_both_others() {
        let of = |rows: &[(f64, [f64; 4])]| verdict(&SMOOTH, "3", rows);
        let (yes, one_only) = ([94.0, 95.0, 90.0, 80.0], [94.0, 89.0, 90.0, 80.0]);
        assert_eq!(of(&[(10.0, yes), (100.0, yes)]), Verdict::Reproduced);
        assert_eq!(of(&[(10.0, yes), (100.0, one_only)]), Verdict::Partly);
        assert_eq!(
            of(&[(10.0, one_only), (100.0, one_only)]),
            Verdict::NotReproduced
        );

        // Smallest of 94 − 90 = 4 and 93 − 90 = 3, with 3 (1 ± 0.0025).
        let rows = [(10.0, yes), (100.0, [93.0, 95.0, 90.0, 80.0])];
        let judged = judge(&SMOOTH, &[("3", &data(&rows))]);
        let Quantity::Number(ours) = judged.ours else {
            panic!("{judged:?}")
        };
        assert!((ours - 3.0).abs() < 1e-9);
        let (low, high) = judged.interval.unwrap();
        assert!((low - 2.9925).abs() < 1e-4 && (high - 3.0075).abs() < 1e-4);
    }

    /// 92 − 95 = −3, beyond the 1 Mb/s that two full links may differ by.
    #[test]
    fn order_lets_the_smooth_ones_tie_but_not_the_others() {
        let of = |rows: &[(f64, [f64; 4])]| verdict(&ORDER, "3", rows);
        let (order, tie) = ([95.0, 94.0, 90.0, 80.0], [95.0, 95.0, 90.0, 80.0]);
        let (reversed, level) = ([92.0, 95.0, 90.0, 80.0], [95.0, 94.0, 90.0, 90.0]);
        assert_eq!(of(&[(10.0, order), (100.0, tie)]), Verdict::Reproduced);
        assert_eq!(of(&[(10.0, order), (100.0, reversed)]), Verdict::Partly);
        assert_eq!(
            of(&[(10.0, level), (100.0, reversed)]),
            Verdict::NotReproduced
        );
    }

    /// (95 − 80) / 95 = 15.8 %; (95 − 92) / 95 = 3.2 %.
    #[test]
    fn projection_fails_where_the_spread_is_large() {
        let of = |rows: &[(f64, [f64; 4])]| verdict(&PROJECTION, "3", rows);
        let (apart, close) = ([95.0, 94.0, 90.0, 80.0], [95.0, 94.0, 93.0, 92.0]);
        assert_eq!(of(&[(10.0, apart), (100.0, apart)]), Verdict::Reproduced);
        assert_eq!(of(&[(10.0, apart), (100.0, close)]), Verdict::Partly);
        assert_eq!(of(&[(10.0, close), (100.0, close)]), Verdict::NotReproduced);
    }

    /// Gains: 95 / 90 = 5.6 % with 100 Mb/s; 9.5 / 9.5 = 0 % and 9.5 / 8.5 = 11.8 % with 10 Mb/s.
    #[test]
    fn fair_share_compares_the_two_figures() {
        let wide = data(&[
            (10.0, [95.0, 95.0, 90.0, 80.0]),
            (100.0, [95.0, 95.0, 90.0, 80.0]),
        ]);
        let of = |first, second| {
            let narrow = data(&[(10.0, first), (100.0, second)]);
            judge(&FAIR_SHARE, &[("3", &wide), ("2", &narrow)]).verdict
        };
        let gains = [9.5, 9.5, 8.5, 8.0];
        assert_eq!(of(EVEN, [9.5, 9.4, 9.4, 9.0]), Verdict::Reproduced);
        assert_eq!(of(EVEN, gains), Verdict::Partly);
        assert_eq!(of(gains, gains), Verdict::NotReproduced);
    }
}
