//! The numbers of a figure by protocol and along one axis, and claims about them place by place.

use super::{PROTOCOLS, Variant, point};
use crate::claim::{Evidence, Judged};
use crate::data::{Data, Estimate, Samples};
use crate::rules::{self, Answer, Place, judged, shown};

/// A figure's numbers in one variant.
pub(super) struct Grid<'a> {
    data: &'a Data,
    axis: &'static str,
    variant: Variant,
}

impl<'a> Grid<'a> {
    pub(super) fn new(data: &'a Data, axis: &'static str, variant: Variant) -> Self {
        Self {
            data,
            axis,
            variant,
        }
    }

    /// Whether the data have it.
    pub(super) fn is_there(&self) -> bool {
        !self.places().is_empty()
    }

    /// Where on the axis there are points.
    pub(super) fn places(&self) -> Vec<f64> {
        let there = |at: &f64| {
            let of = |protocol| {
                self.data
                    .point(&point(protocol, self.axis, *at, self.variant))
            };
            PROTOCOLS.iter().any(|protocol| of(protocol).is_some())
        };
        let mut places = self.data.numbers(self.axis);
        places.retain(there);
        places
    }

    /// A number of a protocol, by its place in [`PROTOCOLS`].
    pub(super) fn samples(&self, protocol: usize, at: f64, name: &str) -> Samples {
        let key = point(&PROTOCOLS[protocol], self.axis, at, self.variant);
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
    /// Why it failed, where it did.
    pub(super) why: &'static str,
}

impl Positive {
    pub(super) fn judge(&self, evidence: &Evidence<'_>) -> Judged {
        let data = evidence.figure(self.figure);
        let judged = with_variants(data, self.axis, self.unit, |grid| {
            let places: Vec<f64> = grid
                .places()
                .into_iter()
                .filter(|at| (self.at)(*at))
                .collect();
            let quantity = |at: f64| Samples::combine(&grid.four(at, self.name), self.of);
            let place = |at: &f64| {
                let difference = quantity(*at);
                Place {
                    label: place_label(self.axis, *at),
                    answer: rules::above(&difference, 0.0),
                    found: format!(
                        "difference {}; the four: {}",
                        shown(difference.estimate(), self.unit),
                        grid.means(*at, self.name)
                    ),
                }
            };
            let told: Vec<Place> = places.iter().map(place).collect();
            judged(&told, extreme(places.into_iter().map(quantity), f64::min))
        });
        because(judged, self.why)
    }
}

/// A place on an axis, in words.
fn place_label(axis: &str, at: f64) -> String {
    match axis {
        "flows" => format!("{at} flows"),
        "bottleneck_mbps" => format!("{at} Mb/s"),
        "per" => format!("PER {at}"),
        "loss_rate" => format!("p = {at}"),
        "packets_per_loss" => format!("a loss every {at} packets"),
        _ => format!("{axis} {at}"),
    }
}

/// Judged by the base; the reason tells of each variant that there is, too.
pub(super) fn with_variants(
    data: &Data,
    axis: &'static str,
    unit: &str,
    judge: impl Fn(&Grid<'_>) -> Judged,
) -> Judged {
    let mut judged = judge(&Grid::new(data, axis, Variant::Base));
    for variant in Variant::OTHERS {
        let grid = Grid::new(data, axis, variant);
        if grid.is_there() {
            let other = judge(&grid);
            if other.ours == rules::NO_DATA {
                continue;
            }
            judged.reason += &format!(
                " With {}: {}, ours {}.",
                variant.name(),
                other.verdict.words(),
                other.ours.shown(unit)
            );
        }
    }
    judged
}

/// With the reason found, where the claim did not come out.
pub(super) fn because(mut judged: Judged, why: &str) -> Judged {
    if judged.verdict != crate::claim::Verdict::Reproduced && !why.is_empty() {
        judged.reason += " ";
        judged.reason += why;
    }
    judged
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

/// Whether a ratio lies within two bounds: yes where the mean does, no where the whole interval
/// does not.
pub(super) fn within(ratio: &Samples, low: f64, high: f64) -> Answer {
    let inverse = Samples::combine(std::slice::from_ref(ratio), |g| 1.0 / g[0]);
    rules::all([
        rules::at_most(ratio, high),
        rules::at_most(&inverse, 1.0 / low),
    ])
}

/// Which of two ratios is farther from 1.
pub(super) fn farther_from_one(a: f64, b: f64) -> f64 {
    let size = |ratio: f64| ratio.max(1.0 / ratio);
    if size(a) >= size(b) { a } else { b }
}

/// Whether every one of some quantities is above zero.
pub(super) fn all_above(quantities: &[Samples]) -> Answer {
    rules::all(quantities.iter().map(|one| rules::above(one, 0.0)))
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
        why: "That is why.",
    };

    fn data(variant: Variant, rows: &[(f64, [f64; 4])]) -> Vec<(Run, Measured)> {
        let mut runs = Vec::new();
        for (per, goodputs) in rows {
            for (protocol, goodput) in PROTOCOLS.iter().zip(goodputs) {
                for seed in 1..=3 {
                    let key = point(protocol, "per", *per, variant);
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
        let of = |rows: &[(f64, [f64; 4])]| judge(data(Variant::Base, rows)).verdict;
        // What happens at PER 0 is not asked for.
        assert_eq!(
            of(&[(0.0, LAGS), (0.02, LEADS), (0.05, LEADS)]),
            Verdict::Reproduced
        );
        assert_eq!(of(&[(0.02, LEADS), (0.05, LAGS)]), Verdict::Partly);
        assert_eq!(of(&[(0.02, LAGS), (0.05, LAGS)]), Verdict::NotReproduced);
        assert_eq!(of(&[(0.0, LEADS)]), Verdict::NotReproduced);
    }

    #[test]
    fn the_reason_has_both_numbers_the_variants_and_why() {
        let mut runs = data(Variant::Base, &[(0.02, LAGS)]);
        runs.extend(data(Variant::NewReno, &[(0.02, LEADS)]));
        let judged = judge(runs);
        // 3 − 4 = −1.
        assert_eq!(judged.ours, Quantity::Number(-1.0));
        for part in [
            "PER 0.02 (difference −1",
            "the four: 3 / 4 / 3 / 2",
            "With NewReno: reproduced, ours 1",
            "That is why.",
        ] {
            let reason = judged.reason.replace(".00", "");
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
