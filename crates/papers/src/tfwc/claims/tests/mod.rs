//! Each rule on made-up data: that it can hold, hold in part, and fail.

mod patterns;
mod queue;
mod response;
mod sharing;
mod slow_line;
mod smoothness;
mod surfaces;
mod weight;

use crate::claim::{Claim, Evidence, Verdict};
use crate::data::{Data, Measured};
use crate::paper::{Key, Run};

/// Runs of a point: three seeds, each number as given and a thousandth around it: an interval of
/// ± 4.303 × 0.001 / √3 = 0.0025.
fn point(key: &Key, values: &[(&str, f64)]) -> Vec<(Run, Measured)> {
    point_around(key, values, 0.001)
}

/// The same with seeds that differ by `off`; by nothing where what is claimed is exact.
fn point_around(key: &Key, values: &[(&str, f64)], off: f64) -> Vec<(Run, Measured)> {
    let run = |(seed, off): (u64, f64)| {
        let run = Run {
            key: key.clone(),
            seed,
            scenario: String::new(),
            work: 1.0,
        };
        let measured = values
            .iter()
            .fold(Measured::default(), |measured, (name, value)| {
                measured.value(name, value + off)
            });
        (run, measured)
    };
    [(1, -off), (2, 0.0), (3, off)].map(run).to_vec()
}

/// What a claim about one figure comes to.
fn verdict(claim: &Claim, runs: Vec<(Run, Measured)>) -> Verdict {
    let data = Data::gather(runs);
    (claim.judge)(&Evidence::new(vec![(claim.figures[0], &data)])).verdict
}
