//! What the runs of a figure gave, and what it comes to over the seeds.

use std::collections::BTreeMap;

use experiments::metrics::{Moments, confidence_95};
use results::page::Cell;
use serde::{Deserialize, Serialize};

use crate::paper::{Key, Run};

/// What a figure keeps of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Numbers by name; names end in their unit: `goodput_mbps`.
    pub values: BTreeMap<String, f64>,
    /// Series by name: pairs such as time and value.
    pub curves: BTreeMap<String, Vec<(f64, f64)>>,
}

impl Measured {
    /// With one more number; one that does not exist (`None`) is left out.
    #[must_use]
    pub fn value(mut self, name: &str, value: impl Into<Option<f64>>) -> Self {
        if let Some(value) = value.into() {
            self.values.insert(name.to_owned(), value);
        }
        self
    }

    /// With one more series.
    #[must_use]
    pub fn curve(mut self, name: &str, points: Vec<(f64, f64)>) -> Self {
        self.curves.insert(name.to_owned(), points);
        self
    }
}

/// The data of a figure: its points in the order of its plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Data {
    /// The points.
    pub points: Vec<Point>,
}

/// A point of a figure: all runs that differ by seed only.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Which point.
    pub key: Key,
    /// The scenario file of its first run.
    pub scenario: String,
    /// Seeds and what their runs gave, in the order of the plan.
    pub runs: Vec<(u64, Measured)>,
}

impl Data {
    /// Groups runs by point.
    pub fn gather(runs: impl IntoIterator<Item = (Run, Measured)>) -> Self {
        let mut points: Vec<Point> = Vec::new();
        for (run, measured) in runs {
            let result = (run.seed, measured);
            match points.iter_mut().find(|point| point.key == run.key) {
                Some(point) => point.runs.push(result),
                None => points.push(Point {
                    key: run.key,
                    scenario: run.scenario,
                    runs: vec![result],
                }),
            }
        }
        Self { points }
    }

    /// The points of one variation, as if they were the base.
    #[must_use]
    pub fn variation(&self, name: &str) -> Self {
        let of = self.points.iter();
        let of = of.filter(|point| point.key.variation() == name);
        let points = of.map(|point| Point {
            key: point.key.in_base(),
            ..point.clone()
        });
        Self {
            points: points.collect(),
        }
    }

    /// The variations that there are, in the order of the plan; the base among them.
    pub fn variations(&self) -> Vec<&str> {
        let mut found = Vec::new();
        for point in &self.points {
            if !found.contains(&point.key.variation()) {
                found.push(point.key.variation());
            }
        }
        found
    }

    /// The point of that key.
    pub fn point(&self, key: &Key) -> Option<&Point> {
        self.points.iter().find(|point| point.key == *key)
    }

    /// The numbers that the points have on an axis, in the order of the plan, each once.
    pub fn numbers(&self, axis: &str) -> Vec<f64> {
        let mut numbers = Vec::new();
        for number in self
            .points
            .iter()
            .filter_map(|point| point.key.number(axis))
        {
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        numbers
    }

    /// A number of the point `key`, one for each seed; none where there is no such point.
    pub fn samples(&self, key: &Key, name: &str) -> Samples {
        self.point(key)
            .map_or_else(Samples::default, |point| point.samples(name))
    }

    /// Names of all numbers kept, in order of name.
    pub fn value_names(&self) -> Vec<&str> {
        names(self.measured().map(|measured| &measured.values))
    }

    /// Names of all series kept, in order of name.
    pub fn curve_names(&self) -> Vec<&str> {
        names(self.measured().map(|measured| &measured.curves))
    }

    /// The most seeds that a point has.
    pub fn seeds(&self) -> usize {
        self.points
            .iter()
            .map(|point| point.runs.len())
            .max()
            .unwrap_or(0)
    }

    fn measured(&self) -> impl Iterator<Item = &Measured> {
        self.points
            .iter()
            .flat_map(|point| &point.runs)
            .map(|(_, measured)| measured)
    }
}

fn names<'a, T: 'a>(maps: impl Iterator<Item = &'a BTreeMap<String, T>>) -> Vec<&'a str> {
    let mut names: Vec<_> = maps.flat_map(BTreeMap::keys).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names
}

impl Point {
    /// A number, one for each seed that has it.
    pub fn samples(&self, name: &str) -> Samples {
        let of = |(seed, run): &(u64, Measured)| Some((*seed, *run.values.get(name)?));
        Samples(self.runs.iter().filter_map(of).collect())
    }

    /// A series: for each place that all seeds have, the mean over the seeds.
    pub fn curve(&self, name: &str) -> Vec<(f64, Estimate)> {
        let curves: Vec<_> = self
            .runs
            .iter()
            .filter_map(|(_, run)| run.curves.get(name))
            .collect();
        let Some((first, others)) = curves.split_first() else {
            return Vec::new();
        };
        let at = |(index, (x, y)): (usize, &(f64, f64))| {
            let mut samples = Moments::default();
            samples.add(*y);
            for other in others {
                samples.add(other.get(index).filter(|(other_x, _)| other_x == x)?.1);
            }
            Some((*x, Estimate::of(&samples)?))
        };
        first.iter().enumerate().filter_map(at).collect()
    }
}

/// A quantity, once for each seed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples(pub Vec<(u64, f64)>);

impl Samples {
    /// A quantity computed, for each seed that all of `parts` have, from their values.
    ///
    /// Runs with the same seed draw the same start times, so that what is compared seed by seed
    /// differs by less than what is not.
    pub fn combine(parts: &[Self], compute: impl Fn(&[f64]) -> f64) -> Self {
        let Some((first, others)) = parts.split_first() else {
            return Self::default();
        };
        let at = |(seed, value): &(u64, f64)| {
            let mut values = vec![*value];
            for other in others {
                values.push(other.0.iter().find(|(other_seed, _)| other_seed == seed)?.1);
            }
            Some((*seed, compute(&values)))
        };
        Self(first.0.iter().filter_map(at).collect())
    }

    /// `self` less `other`, seed by seed.
    #[must_use]
    pub fn less(&self, other: &Self) -> Self {
        Self::combine(&[self.clone(), other.clone()], |values| {
            values[0] - values[1]
        })
    }

    /// `self` over `other`, seed by seed.
    #[must_use]
    pub fn over(&self, other: &Self) -> Self {
        Self::combine(&[self.clone(), other.clone()], |values| {
            values[0] / values[1]
        })
    }

    /// Mean and interval; `None` without a sample.
    pub fn estimate(&self) -> Option<Estimate> {
        let mut samples = Moments::default();
        for (_, value) in &self.0 {
            samples.add(*value);
        }
        Estimate::of(&samples)
    }

    /// The mean over the seeds with its interval, for a table.
    pub fn cell(&self) -> Cell {
        let Some(estimate) = self.estimate() else {
            return Cell::Empty;
        };
        match estimate.interval() {
            Some((low, high)) => Cell::Interval {
                value: estimate.mean,
                low,
                high,
            },
            None => Cell::Number(estimate.mean),
        }
    }
}

/// A mean over seeds with its 95 % confidence interval (Student's t).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval; none with a single seed.
    pub half_width: Option<f64>,
    /// How many seeds.
    pub count: u64,
}

impl Estimate {
    /// Mean and interval of `samples`; `None` without a sample.
    pub fn of(samples: &Moments) -> Option<Self> {
        let (half_width, count) = (confidence_95(samples), samples.count());
        samples.mean().map(|mean| Self {
            mean,
            half_width,
            count,
        })
    }

    /// The interval's ends; none with a single seed.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.half_width
            .map(|half| (self.mean - half, self.mean + half))
    }

    /// The interval's ends for a chart: two that are not numbers with a single seed.
    pub fn ends(&self) -> (f64, f64) {
        self.interval().unwrap_or((f64::NAN, f64::NAN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(flows: u32, seed: u64) -> Run {
        let scenario = format!("{flows} {seed}");
        Run {
            key: Key::new().with("flows", flows),
            seed,
            scenario,
            work: 1.0,
        }
    }

    fn goodput(value: f64) -> Measured {
        Measured::default().value("goodput_mbps", value)
    }

    #[test]
    fn runs_of_a_point_are_gathered_in_the_order_of_the_plan() {
        let data = Data::gather([
            (run(20, 1), goodput(7.0)),
            (run(10, 1), goodput(9.0)),
            (run(20, 2), goodput(8.0)),
        ]);
        assert_eq!(data.numbers("flows"), [20.0, 10.0]);
        assert_eq!(data.points[0].scenario, "20 1");
        assert_eq!(data.seeds(), 2);
        let key = Key::new().with("flows", 20);
        assert_eq!(data.samples(&key, "goodput_mbps").0, [(1, 7.0), (2, 8.0)]);
        assert_eq!(data.value_names(), ["goodput_mbps"]);
        assert!(
            data.samples(&Key::new().with("flows", 30), "goodput_mbps")
                .0
                .is_empty()
        );
    }

    /// 7 and 9: mean 8, sd √2, t(1) = 12.706, half width 12.706 × √2 / √2 = 12.706.
    /// 1, 2, 3: mean 2, sd 1, t(2) = 4.303, half width 4.303 / √3 = 2.4843.
    #[test]
    fn means_and_intervals_of_worked_examples() {
        let two = Samples(vec![(1, 7.0), (2, 9.0)]).estimate().unwrap();
        assert_eq!((two.mean, two.count), (8.0, 2));
        assert!((two.half_width.unwrap() - 12.706).abs() < 1e-9);
        let three = Samples(vec![(1, 1.0), (2, 2.0), (3, 3.0)])
            .estimate()
            .unwrap();
        let (low, high) = three.interval().unwrap();
        assert!((low - (2.0 - 2.4843)).abs() < 1e-4 && (high - (2.0 + 2.4843)).abs() < 1e-4);
    }

    #[test]
    fn one_seed_has_a_mean_but_no_interval() {
        let one = Samples(vec![(1, 7.0)]).estimate().unwrap();
        assert_eq!(
            (one.mean, one.half_width, one.interval()),
            (7.0, None, None)
        );
        assert_eq!(Samples::default().estimate(), None);
    }

    #[test]
    fn differences_are_taken_seed_by_seed() {
        let a = Samples(vec![(1, 10.0), (2, 20.0), (3, 30.0)]);
        let b = Samples(vec![(2, 19.0), (1, 8.0)]);
        assert_eq!(a.less(&b).0, [(1, 2.0), (2, 1.0)]);
        assert_eq!(b.over(&a).0, [(2, 0.95), (1, 0.8)]);
    }

    #[test]
    fn a_curve_is_averaged_where_all_seeds_have_it() {
        let curve = |ys: &[f64]| {
            let points = ys.iter().enumerate().map(|(i, y)| (i as f64, *y)).collect();
            Measured::default().curve("window_packets", points)
        };
        let data = Data::gather([
            (run(1, 1), curve(&[1.0, 4.0, 9.0])),
            (run(1, 2), curve(&[3.0, 4.0])),
        ]);
        let curve = data.points[0].curve("window_packets");
        let means: Vec<_> = curve
            .iter()
            .map(|(x, estimate)| (*x, estimate.mean))
            .collect();
        assert_eq!(means, [(0.0, 2.0), (1.0, 4.0)]);
        assert!(data.points[0].curve("rtt_s").is_empty());
    }
}
