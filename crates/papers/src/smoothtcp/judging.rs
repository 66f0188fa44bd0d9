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
        found.add(label(point), answer, &quantity);
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
            let label = format!("{}, loss at {at} s", label(point));
            found.add(label, answer, &quantity);
        }
    }
    found.judged()
}

/// Judged by one comparison.
pub(super) fn one(quantity: &Samples, answer: Answer) -> Judged {
    let mut found = Found::new(Extreme::Largest);
    found.add("the figure".to_owned(), answer, quantity);
    found.judged()
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

/// A point, in words.
pub(super) fn label(point: &Point) -> String {
    match point.key.number("kappa") {
        Some(kappa) => format!("κ = {kappa}"),
        None => "standard TCP".to_owned(),
    }
}

/// The point of a figure that has only one.
pub(super) fn only(data: &Data) -> &Point {
    data.points.first().expect("the figure's plan has a point")
}

/// The points with a κ from one to another.
pub(super) fn with_kappa(data: &Data, from: f64, to: f64) -> Data {
    let is_in = |point: &&Point| {
        let kappa = point.key.number("kappa");
        kappa.is_some_and(|kappa| (from..=to).contains(&kappa))
    };
    Data {
        points: data.points.iter().filter(is_in).cloned().collect(),
    }
}

pub(super) fn off_percent(ours: f64, theirs: f64) -> f64 {
    100.0 * (ours / theirs - 1.0).abs()
}
