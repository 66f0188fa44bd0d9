//! The numbers of a figure by protocol and along one axis, and claims about them place by place.

use super::{IN_BASE, PROTOCOLS, point};
use crate::claim::{Evidence, Judged};
use crate::data::{Data, Estimate, Samples};
use crate::rules::{self, Answer, Place, judged, shown};

/// A figure's numbers in the base.
pub(super) struct Grid<'a> {
    data: &'a Data,
    axis: &'static str,
}

impl<'a> Grid<'a> {
    pub(super) fn new(data: &'a Data, axis: &'static str) -> Self {
        Self { data, axis }
    }

    /// Where on the axis there are points.
    pub(super) fn places(&self) -> Vec<f64> {
        let there = |at: &f64| {
            let of = |protocol| self.data.point(&point(protocol, self.axis, *at, IN_BASE));
            PROTOCOLS.iter().any(|protocol| of(protocol).is_some())
        };
        let mut places = self.data.numbers(self.axis);
        places.retain(there);
        places
    }

    /// A number of a protocol, by its place in [`PROTOCOLS`].
    pub(super) fn samples(&self, protocol: usize, at: f64, name: &str) -> Samples {
        let key = point(&PROTOCOLS[protocol], self.axis, at, IN_BASE);
        self.data.samples(&key, name)
    }

    /// A number of each protocol.
    pub(super) fn four(&self, at: f64, name: &str) -> [Samples; 4] {
        [0, 1, 2, 3].map(|protocol| self.samples(protocol, at, name))
    }

    /// The means of a number of each protocol, in words.
    pub(super) fn means(&self, at: f64, name: &str) -> String {
        let mean = |samples: &Samples| match samples.estimate() {
            Some(estimate) => crate::claim::with_unit(estimate.mean, ""),
            None => "no data".to_owned(),
        };
        self.four(at, name).each_ref().map(mean).join(" / ")
    }
}

/// A claim that at some places a quantity, computed from the four protocols' numbers, is positive.
pub(super) struct Positive {
    pub(super) figure: &'static str,
    pub(super) axis: &'static str,
    /// The number.
    pub(super) name: &'static str,
    /// Unit of the quantity.
    pub(super) unit: &'static str,
    /// At which places it is judged.
    pub(super) at: fn(f64) -> bool,
    /// The quantity, from the numbers of the four.
    pub(super) of: fn(&[f64]) -> f64,
}

impl Positive {
    pub(super) fn judge(&self, evidence: &Evidence<'_>) -> Judged {
        let grid = Grid::new(evidence.figure(self.figure), self.axis);
        let places: Vec<f64> = grid
            .places()
            .into_iter()
            .filter(|at| (self.at)(*at))
            .collect();
        let quantity = |at: f64| Samples::combine(&grid.four(at, self.name), self.of);
        let place = |at: &f64| {
            let four = grid.four(*at, self.name);
            let difference = quantity(*at);
            let all_zero = four
                .iter()
                .flat_map(|one| &one.0)
                .all(|(_, value)| *value == 0.0);
            Place {
                label: place_label(self.axis, *at),
                answer: if all_zero {
                    Answer::Nothing
                } else {
                    rules::above(&difference, 0.0)
                },
                found: format!(
                    "difference {}; the four: {}",
                    shown(difference.estimate(), self.unit),
                    grid.means(*at, self.name)
                ),
            }
        };
        let told: Vec<Place> = places.iter().map(place).collect();
        let compared = places.iter().zip(&told);
        let compared = compared.filter(|(_, place)| place.answer != Answer::Nothing);
        judged(
            &told,
            extreme(compared.map(|(at, _)| quantity(*at)), f64::min),
        )
    }
}

/// A place on an axis, in words.
fn place_label(axis: &str, at: f64) -> String {
    match axis {
        super::crowds::PLACE => "the figure".to_owned(),
        "flows" => format!("{at} flows"),
        "per" => format!("PER {at}"),
        _ => format!("{axis} {at}"),
    }
}

/// The estimate whose mean is the greatest or the least.
pub(super) fn extreme(
    samples: impl Iterator<Item = Samples>,
    choose: fn(f64, f64) -> f64,
) -> Option<Estimate> {
    samples
        .filter_map(|samples| samples.estimate())
        .reduce(|a, b| {
            if choose(a.mean, b.mean) == a.mean {
                a
            } else {
                b
            }
        })
}

/// Which of two ratios is farther from 1.
pub(super) fn farther_from_one(a: f64, b: f64) -> f64 {
    let size = |ratio: f64| ratio.max(1.0 / ratio);
    if size(a) >= size(b) { a } else { b }
}

/// The number `who` less the greatest of the others.
pub(super) fn lead(four: &[f64], who: usize) -> f64 {
    let others = (0..four.len()).filter(|other| *other != who);
    four[who]
        - others
            .map(|other| four[other])
            .fold(f64::NEG_INFINITY, f64::max)
}

/// The least of the others less the number `who`.
pub(super) fn lag(four: &[f64], who: usize) -> f64 {
    let others = (0..four.len()).filter(|other| *other != who);
    others
        .map(|other| four[other])
        .fold(f64::INFINITY, f64::min)
        - four[who]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Quantity;
    use crate::claim::Verdict;
    use crate::data::Measured;
    use crate::paper::Run;

    const CLAIM: Positive = Positive {
        figure: "4",
        axis: "per",
        name: "goodput_mbps",
        unit: "Mb/s",
        at: |per| per >= 0.02,
        of: |four| lead(four, 0),
    };

    fn data(rows: &[(f64, [f64; 4])]) -> Vec<(Run, Measured)> {
        let mut runs = Vec::new();
        for (per, goodputs) in rows {
            for (protocol, goodput) in PROTOCOLS.iter().zip(goodputs) {
                for seed in 1..=3 {
                    let key = point(protocol, "per", *per, IN_BASE);
                    let run = Run {
                        key,
                        seed,
                        scenario: String::new(),
                        work: 1.0,
                    };
                    // The same factor for all leaves differences with an interval of ± 0.25 %.
                    let factor = 1.0 + 0.001 * (seed as f64 - 2.0);
                    let measured = Measured::default().value("goodput_mbps", goodput * factor);
                    runs.push((run, measured));
                }
            }
        }
        runs
    }

    fn judge(runs: Vec<(Run, Measured)>) -> Judged {
        let data = Data::gather(runs);
        CLAIM.judge(&Evidence::new(vec![("4", &data)]))
    }

    const LEADS: [f64; 4] = [5.0, 4.0, 3.0, 2.0];
    const LAGS: [f64; 4] = [3.0, 4.0, 3.0, 2.0];

    #[test]
    fn a_claim_of_a_difference_comes_out_each_way() {
        let of = |rows: &[(f64, [f64; 4])]| judge(data(rows)).verdict;
        // What happens at PER 0 is not asked for.
        assert_eq!(
            of(&[(0.0, LAGS), (0.02, LEADS), (0.05, LEADS)]),
            Verdict::Reproduced
        );
        assert_eq!(of(&[(0.02, LEADS), (0.05, LAGS)]), Verdict::Partly);
        assert_eq!(of(&[(0.02, LAGS), (0.05, LAGS)]), Verdict::NotReproduced);
        assert_eq!(of(&[(0.0, LEADS)]), Verdict::Undecided);
    }

    /// Where all are zero there is nothing to compare: neither for the claim nor against it.
    #[test]
    fn a_place_with_nothing_to_compare_counts_neither_way() {
        let of = |rows: &[(f64, [f64; 4])]| judge(data(rows));
        let judged = of(&[(0.02, LEADS), (0.4, [0.0; 4])]);
        assert_eq!(judged.verdict, Verdict::Reproduced);
        assert_eq!(judged.ours.shown(""), "1.00");
        assert_eq!(of(&[(0.4, [0.0; 4])]).verdict, Verdict::Undecided);
    }

    #[test]
    fn the_reason_has_the_four_numbers() {
        let judged = judge(data(&[(0.02, LAGS)]));
        // 3 − 4 = −1.
        assert_eq!(judged.ours, Quantity::Number(-1.0));
        let reason = judged.reason.replace(".00", "");
        for part in ["PER 0.02 (difference −1", "the four: 3 / 4 / 3 / 2"] {
            assert!(reason.contains(part), "{part}: {reason}");
        }
    }

    #[test]
    fn leads_and_lags_of_worked_examples() {
        assert_eq!(lead(&LEADS, 0), 1.0);
        assert_eq!(lead(&LEADS, 2), -2.0);
        assert_eq!(lag(&LEADS, 3), 1.0);
        assert_eq!(lag(&LEADS, 0), -3.0);
    }
}
