//! What is done of a sweep and what is to do: the longest runs first, and after each run the
//! question whether its combination needs another seed.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::store::{Digest, Entry, Measured, Store, StoreError};
use experiments::metrics::{Moments, confidence_95};
use experiments::scenario::{Seeds, StopRule};

/// The runs of a sweep, by combination and seed.
#[derive(Debug)]
pub(super) struct Board {
    seeds: Seeds,
    points: Vec<Point>,
    ready: BinaryHeap<Job>,
    in_flight: usize,
    runs: u64,
    pub(super) work_done: f64,
    pub(super) work_total: f64,
}

/// A combination of values.
#[derive(Debug)]
pub(super) struct Point {
    /// Work of one run.
    work: f64,
    /// As many runs as are known to be needed.
    pub(super) runs: Vec<Run>,
}

/// A run of a combination.
#[derive(Clone, Debug)]
pub(super) enum Run {
    /// To do.
    Missing,
    /// In the store.
    Kept(Digest),
    /// Not possible here and now, so that nothing is kept.
    Refused(Box<str>),
}

/// A run to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    pub(super) work: f64,
    pub(super) combination: usize,
    /// Number of the seed, from 0.
    pub(super) seed: usize,
}

impl Board {
    pub(super) fn new(seeds: &Seeds) -> Self {
        Self {
            seeds: seeds.clone(),
            points: Vec::new(),
            ready: BinaryHeap::new(),
            in_flight: 0,
            runs: 0,
            work_done: 0.0,
            work_total: 0.0,
        }
    }

    pub(super) fn points(&self) -> &[Point] {
        &self.points
    }

    /// Adds the next combination with the seeds that it needs in any case.
    pub(super) fn add_point(&mut self, work: f64, runs: Vec<Run>) {
        let (combination, missing) = (self.points.len(), |run: &Run| matches!(run, Run::Missing));
        for (seed, _) in runs.iter().enumerate().filter(|(_, run)| missing(run)) {
            self.push(Job {
                work,
                combination,
                seed,
            });
        }
        self.runs += runs.len() as u64;
        self.points.push(Point { work, runs });
    }

    /// The next run to do; none if there is none now.
    pub(super) fn take(&mut self) -> Option<Job> {
        let job = self.ready.pop()?;
        self.in_flight += 1;
        Some(job)
    }

    /// A run that was taken has come to this.
    pub(super) fn put(&mut self, job: Job, run: Run) {
        self.in_flight -= 1;
        self.work_done += job.work;
        self.points[job.combination].runs[job.seed] = run;
    }

    /// A run that was taken was stopped: it is still to do.
    pub(super) fn give_up(&mut self, job: Job) {
        self.in_flight -= 1;
        self.ready.push(job);
    }

    /// How many runs are known to be needed.
    pub(super) fn runs(&self) -> u64 {
        self.runs
    }

    /// How many runs have ended.
    pub(super) fn ended(&self) -> u64 {
        let runs = self.points.iter().flat_map(|point| &point.runs);
        runs.filter(|run| !matches!(run, Run::Missing)).count() as u64
    }

    /// Whether there is nothing to do and nothing will come.
    pub(super) fn is_over(&self) -> bool {
        self.ready.is_empty() && self.in_flight == 0
    }

    /// Gives a combination whose runs have all ended its next seed, if it needs one. `next` says
    /// what is known of the run with a seed.
    pub(super) fn extend(
        &mut self,
        combination: usize,
        store: &mut Store,
        next: impl Fn(&Store, usize) -> Run,
    ) -> Result<(), StoreError> {
        loop {
            let Seeds::Until(rule) = &self.seeds else {
                return Ok(());
            };
            let point = &self.points[combination];
            let seed = point.runs.len();
            if point.runs.iter().any(|run| matches!(run, Run::Missing))
                || seed as u64 >= rule.at_most
                || is_enough(rule, &point.runs, store)?
            {
                return Ok(());
            }
            let run = next(store, seed);
            let missing = matches!(run, Run::Missing);
            let work = point.work;
            self.points[combination].runs.push(run);
            self.runs += 1;
            if missing {
                self.push(Job {
                    work,
                    combination,
                    seed,
                });
            }
        }
    }

    fn push(&mut self, job: Job) {
        self.work_total += job.work;
        self.ready.push(job);
    }
}

/// Whether the runs of a combination satisfy the rule. Where all of them failed, more are no use.
fn is_enough(rule: &StopRule, runs: &[Run], store: &mut Store) -> Result<bool, StoreError> {
    let mut samples = vec![Moments::default(); rule.until.len()];
    let mut any = false;
    for run in runs {
        let Run::Kept(key) = run else { continue };
        if let Some(Entry::Done(measured)) = store.get(*key)? {
            any = true;
            add(&mut samples, &rule.until, &measured);
        }
    }
    Ok(!any || samples.iter().all(|of| is_known(of, rule.within_percent)))
}

fn add(samples: &mut [Moments], names: &[String], measured: &Measured) {
    for (moments, name) in samples.iter_mut().zip(names) {
        if let Some((_, value)) = measured.values.iter().find(|(of, _)| of == name) {
            moments.add(*value);
        }
    }
}

/// Whether half the width of the 95 % confidence interval is at most so many per cent of the mean.
fn is_known(samples: &Moments, within_percent: f64) -> bool {
    match (samples.mean(), confidence_95(samples)) {
        (Some(mean), Some(half)) => half * 100.0 <= within_percent * mean.abs(),
        _ => false,
    }
}

impl Ord for Job {
    /// The longest first, then in the order of the grid.
    fn cmp(&self, other: &Self) -> Ordering {
        self.work
            .total_cmp(&other.work)
            .then(other.combination.cmp(&self.combination))
            .then(other.seed.cmp(&self.seed))
    }
}

impl PartialOrd for Job {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Job {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Job {}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(samples: &[f64]) -> Moments {
        let mut moments = Moments::default();
        for sample in samples {
            moments.add(*sample);
        }
        moments
    }

    /// 98, 100, 102: mean 100, sd 2, t(2) = 4.303: half width 4.303 × 2 / √3 = 4.969, 4.97 % of the
    /// mean. With 98, 102 more (5 samples): sd √(16/4) = 2, t(4) = 2.776, 2.776 × 2 / √5 = 2.483.
    #[test]
    fn a_metric_is_known_when_its_interval_is_narrow() {
        let three = moments(&[98.0, 100.0, 102.0]);
        assert!(!is_known(&three, 4.96) && is_known(&three, 4.98));
        let five = moments(&[98.0, 100.0, 102.0, 98.0, 102.0]);
        assert!(!is_known(&five, 2.48) && is_known(&five, 2.49));
        // Of a negative mean the size counts.
        assert!(is_known(&moments(&[-98.0, -100.0, -102.0]), 4.98));
        // One sample has no interval; equal samples have none to speak of.
        assert!(!is_known(&moments(&[5.0]), 100.0));
        assert!(is_known(&moments(&[0.0, 0.0]), 0.1));
    }

    /// Samples 98, 100, 102, 98, 102 as above: within 2.49 % after five, not before.
    #[test]
    fn seeds_are_added_until_the_rule_is_satisfied() {
        let home = tempfile::tempdir().unwrap();
        let mut store = Store::open(home.path(), "1").unwrap();
        let key = |seed: usize| Digest::of(&[&seed.to_string()]);
        let rule = |within_percent, at_most| {
            Seeds::Until(StopRule {
                until: vec!["x".to_owned()],
                within_percent,
                at_least: 3,
                at_most,
            })
        };
        let mut runs_needed = |seeds: &Seeds| {
            let mut board = Board::new(seeds);
            board.add_point(1.0, vec![Run::Missing; 3]);
            while let Some(job) = board.take() {
                let value = [98.0, 100.0, 102.0, 98.0, 102.0, 100.0, 100.0][job.seed];
                let measured = Measured {
                    values: vec![("x".to_owned(), value)],
                    curves: Vec::new(),
                };
                store.add(key(job.seed), &Entry::Done(measured)).unwrap();
                board.put(job, Run::Kept(key(job.seed)));
                board.extend(0, &mut store, |_, _| Run::Missing).unwrap();
            }
            assert!(board.is_over());
            board.points()[0].runs.len()
        };
        assert_eq!(runs_needed(&rule(2.49, 7)), 5);
        assert_eq!(runs_needed(&rule(4.98, 7)), 3);
        assert_eq!(runs_needed(&rule(0.01, 7)), 7);
        assert_eq!(runs_needed(&rule(0.01, 4)), 4);
        assert_eq!(runs_needed(&Seeds::Fixed(3)), 3);
    }

    #[test]
    fn the_longest_runs_come_first_then_the_order_of_the_grid() {
        let seeds = Seeds::Fixed(2);
        let mut board = Board::new(&seeds);
        for work in [1.0, 5.0, 1.0] {
            board.add_point(work, vec![Run::Missing; 2]);
        }
        let mut order = Vec::new();
        while let Some(job) = board.take() {
            order.push((job.combination, job.seed));
        }
        assert_eq!(order, [(1, 0), (1, 1), (0, 0), (0, 1), (2, 0), (2, 1)]);
        assert!(!board.is_over(), "nothing has been put back");
    }
}
