//! What the report says about its figures, with the rule of each verdict.
//!
//! Where it only plans a comparison, the claim is what its reasoning leads one to expect, and says so.

pub(super) mod patterns;
pub(super) mod queue;
pub(super) mod response;
pub(super) mod sharing;
pub(super) mod slow_line;
pub(super) mod smoothness;
pub(super) mod surfaces;
pub(super) mod weight;

use super::measure::within;
use crate::claim::Judged;
use crate::data::Samples;
use crate::rules::{Answer, Place, shown};

fn yes_if(holds: bool) -> Answer {
    if holds { Answer::Yes } else { Answer::No }
}

/// Whether a quantity is less than `limit`: yes where its whole interval is, no where none of it is.
fn below(samples: &Samples, limit: f64) -> Answer {
    within(samples, f64::NEG_INFINITY, limit)
}

/// The mean of several quantities, seed by seed.
fn mean(parts: &[Samples]) -> Samples {
    Samples::combine(parts, |values| {
        values.iter().sum::<f64>() / values.len() as f64
    })
}

fn place(label: String, answer: Answer, samples: &Samples, unit: &str) -> Place {
    Place {
        label,
        answer,
        found: shown(samples.estimate(), unit),
    }
}

/// With the reason found, where the claim fails at a place and is not just left open by the intervals.
fn because(mut judged: Judged, places: &[Place], why: &str) -> Judged {
    if !why.is_empty() && places.iter().any(|place| place.answer == Answer::No) {
        judged.reason += " ";
        judged.reason += why;
    }
    judged
}

#[cfg(test)]
mod tests;
