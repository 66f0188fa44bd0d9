//! How the paper's claims are judged: at each point of a figure, at each forced loss, or by one number.

use super::setting::ERRORS_S;
use crate::claim::{Judged, Quantity};
use crate::data::{Data, Point, Samples};
use crate::rules::{self, Answer, Place, shown};

/// Which of the places' means stands for all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Extreme {
    Largest,
    Smallest,
}

/// Places, and the quantity at the one that stands for all.
pub(super) struct Found {
    extreme: Extreme,
    places: Vec<Place>,
    ours: Option<(f64, Option<(f64, f64)>)>,
}

impl Found {
    pub(super) fn new(extreme: Extreme) -> Self {
        Self {
            extreme,
            places: Vec::new(),
            ours: None,
        }
    }

    pub(super) fn add(&mut self, label: String, answer: Answer, quantity: &Samples) {
        let estimate = quantity.estimate();
        self.places.push(Place {
            label,
            answer,
            found: shown(estimate, ""),
        });
        let Some(estimate) = estimate else { return };
        let further = self.ours.is_none_or(|(mean, _)| match self.extreme {
            Extreme::Largest => estimate.mean > mean,
            Extreme::Smallest => estimate.mean < mean,
        });
        if further {
            self.ours = Some((estimate.mean, estimate.interval()));
        }
    }

    pub(super) fn judged(self) -> Judged {
        let ours = self.ours.map(|(mean, _)| mean.into());
        Judged {
            ours: ours.unwrap_or(Quantity::words("no data")),
            interval: self.ours.and_then(|(_, interval)| interval),
            verdict: rules::over_places(&self.places),
            reason: rules::reason(&self.places),
        }
    }
}

/// Judged at each point of a figure.
pub(super) fn over_points(
    data: &Data,
    extreme: Extreme,
    judge: impl Fn(&Point) -> (Answer, Samples),
) -> Judged {
    let mut found = Found::new(extreme);
    for point in &data.points {
        let (answer, quantity) = judge(point);
        found.add(point.key.to_string(), answer, &quantity);
    }
    found.judged()
}

/// Judged at each forced loss of each point.
pub(super) fn over_errors(
    points: &[&Point],
    extreme: Extreme,
    judge: impl Fn(&Point, usize) -> (Answer, Samples),
) -> Judged {
    let mut found = Found::new(extreme);
    for point in points {
        for (index, at) in ERRORS_S.iter().enumerate() {
            let (answer, quantity) = judge(point, index + 1);
            found.add(format!("{}, loss at {at} s", point.key), answer, &quantity);
        }
    }
    found.judged()
}

/// Judged by two bounds, the stricter one first: reproduced, or partly.
pub(super) fn graded(quantity: &Samples, answers: [Answer; 2]) -> Judged {
    let verdict = match answers {
        [Answer::Yes, _] => crate::Verdict::Reproduced,
        [_, Answer::Yes] => crate::Verdict::Partly,
        _ => crate::Verdict::NotReproduced,
    };
    let estimate = quantity.estimate();
    Judged {
        ours: estimate.map_or(Quantity::words("no data"), |estimate| estimate.mean.into()),
        interval: estimate.and_then(|estimate| estimate.interval()),
        verdict,
        reason: format!("{} over the seeds.", shown(estimate, "")),
    }
}

/// With the reason found, where the claim fails at a place and is not just left open by the intervals.
pub(super) fn because(mut judged: Judged, why: &str) -> Judged {
    let open_only =
        judged.reason.contains("leave it open") && !judged.reason.contains("Does not hold");
    if judged.verdict != crate::Verdict::Reproduced && !open_only {
        judged.reason.push(' ');
        judged.reason.push_str(why);
    }
    judged
}

/// Whether all samples are zero.
pub(super) fn none(samples: &Samples) -> Answer {
    if samples.0.is_empty() {
        Answer::Open
    } else if samples.0.iter().all(|(_, value)| *value == 0.0) {
        Answer::Yes
    } else {
        Answer::No
    }
}

/// The point of a figure that has only one.
pub(super) fn only(data: &Data) -> &Point {
    data.points.first().expect("the figure's plan has a point")
}

pub(super) fn up_to_kappa(data: &Data, most: f64) -> Data {
    let small = |point: &&Point| point.key.number("kappa").is_some_and(|kappa| kappa <= most);
    Data {
        points: data.points.iter().filter(small).cloned().collect(),
    }
}

pub(super) fn is_kappa(point: &Point, kappa: f64) -> bool {
    point.key.number("kappa") == Some(kappa)
}

pub(super) fn off_percent(ours: f64, theirs: f64) -> f64 {
    100.0 * (ours / theirs - 1.0).abs()
}
