//! Rules by which claims are judged: comparisons at single places, and the verdict over all places.
//!
//! A comparison has three answers. It is [`Answer::Open`] where the confidence interval leaves both
//! ways open, and what is open does not count in favour of a claim.

use crate::claim::{Judged, Quantity, Verdict, with_unit};
use crate::data::{Estimate, Samples};

/// The answer of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// It holds.
    Yes,
    /// The interval allows both.
    Open,
    /// It does not hold.
    No,
}

/// A comparison at one place of a figure, such as one number of flows.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The place: `N = 10`.
    pub label: String,
    /// Whether what is claimed holds there.
    pub answer: Answer,
    /// What was found there, for the reason.
    pub found: String,
}

/// Whether a quantity is greater than `limit`: yes where its whole interval is, no where its whole
/// interval is not.
pub fn above(samples: &Samples, limit: f64) -> Answer {
    match samples.estimate().and_then(|estimate| estimate.interval()) {
        Some((low, _)) if low > limit => Answer::Yes,
        Some((_, high)) if high <= limit => Answer::No,
        _ => Answer::Open,
    }
}

/// Whether a quantity is not less than `limit`: no where its whole interval is less, else yes.
/// With a single seed, open unless the value is not less.
pub fn not_below(samples: &Samples, limit: f64) -> Answer {
    match samples.estimate() {
        None => Answer::Open,
        Some(estimate) => match estimate.interval() {
            Some((_, high)) if high < limit => Answer::No,
            None if estimate.mean < limit => Answer::Open,
            _ => Answer::Yes,
        },
    }
}

/// Whether a quantity is at most `limit`: yes where its mean is, no where its whole interval lies
/// above.
pub fn at_most(samples: &Samples, limit: f64) -> Answer {
    match samples.estimate() {
        None => Answer::Open,
        Some(estimate) if estimate.mean <= limit => Answer::Yes,
        Some(estimate) => match estimate.interval() {
            Some((low, _)) if low <= limit => Answer::Open,
            Some(_) => Answer::No,
            None => Answer::Open,
        },
    }
}

/// The worst of several answers: what holds only if each of them does.
pub fn all(answers: impl IntoIterator<Item = Answer>) -> Answer {
    answers.into_iter().max().unwrap_or(Answer::Open)
}

/// Reproduced where the claim holds at every place, partly where it holds at half of them or more,
/// else not reproduced.
pub fn over_places(places: &[Place]) -> Verdict {
    let held = places
        .iter()
        .filter(|place| place.answer == Answer::Yes)
        .count();
    if places.is_empty() || 2 * held < places.len() {
        Verdict::NotReproduced
    } else if held < places.len() {
        Verdict::Partly
    } else {
        Verdict::Reproduced
    }
}

/// What a verdict over places rests on, in words.
pub fn reason(places: &[Place]) -> String {
    let with = |answer| places.iter().filter(move |place| place.answer == answer);
    let told = |answer| {
        let told: Vec<_> = with(answer)
            .map(|place| format!("{} ({})", place.label, place.found))
            .collect();
        told.join("; ")
    };
    let mut text = format!(
        "Holds at {} of {} places.",
        with(Answer::Yes).count(),
        places.len()
    );
    if with(Answer::No).next().is_some() {
        text += &format!(" Does not hold at {}.", told(Answer::No));
    }
    if with(Answer::Open).next().is_some() {
        text += &format!(" The intervals leave it open at {}.", told(Answer::Open));
    }
    text
}

/// The verdict over places, with our number.
pub fn judged(places: &[Place], ours: Option<Estimate>) -> Judged {
    Judged {
        ours: ours.map_or(NO_DATA, |ours| Quantity::Number(ours.mean)),
        interval: ours.and_then(|ours| ours.interval()),
        verdict: over_places(places),
        reason: reason(places),
    }
}

/// Our number where there is none.
pub const NO_DATA: Quantity = Quantity::words("no data");

/// An estimate in words: `1.23 Mb/s [1.2, 1.26]`.
pub fn shown(estimate: Option<Estimate>, unit: &str) -> String {
    let Some(estimate) = estimate else {
        return "no data".to_owned();
    };
    let mean = with_unit(estimate.mean, unit);
    match estimate.interval() {
        None => mean,
        Some((low, high)) => format!("{mean} [{}, {}]", with_unit(low, ""), with_unit(high, "")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three seeds: mean `mean`, sd `spread`, half width 4.303 × spread / √3 = 2.484 × spread.
    fn samples(mean: f64, spread: f64) -> Samples {
        Samples(vec![(1, mean - spread), (2, mean), (3, mean + spread)])
    }

    fn one(value: f64) -> Samples {
        Samples(vec![(1, value)])
    }

    fn places(answers: &[Answer]) -> Vec<Place> {
        let place = |(index, answer): (usize, &Answer)| Place {
            label: format!("N = {}", index + 1),
            answer: *answer,
            found: format!("found {}", index + 1),
        };
        answers.iter().enumerate().map(place).collect()
    }

    #[test]
    fn above_needs_the_whole_interval() {
        // 1 ± 0.2484 is above 0.7 and not above 1.3; it leaves 0.9 and 1.1 open.
        let one_ish = samples(1.0, 0.1);
        assert_eq!(above(&one_ish, 0.7), Answer::Yes);
        assert_eq!(above(&one_ish, 0.9), Answer::Open);
        assert_eq!(above(&one_ish, 1.1), Answer::Open);
        assert_eq!(above(&one_ish, 1.3), Answer::No);
        assert_eq!(above(&one(1.0), 0.0), Answer::Open);
        assert_eq!(above(&Samples::default(), 0.0), Answer::Open);
    }

    #[test]
    fn not_below_fails_only_beyond_the_interval() {
        let one_ish = samples(1.0, 0.1);
        assert_eq!(not_below(&one_ish, 0.9), Answer::Yes);
        assert_eq!(not_below(&one_ish, 1.2), Answer::Yes);
        assert_eq!(not_below(&one_ish, 1.3), Answer::No);
        assert_eq!(not_below(&one(1.0), 1.0), Answer::Yes);
        assert_eq!(not_below(&one(0.9), 1.0), Answer::Open);
        assert_eq!(not_below(&Samples::default(), 1.0), Answer::Open);
    }

    #[test]
    fn at_most_goes_by_the_mean_until_the_interval_is_beyond() {
        let one_ish = samples(1.0, 0.1);
        assert_eq!(at_most(&one_ish, 1.0), Answer::Yes);
        assert_eq!(at_most(&one_ish, 0.8), Answer::Open);
        assert_eq!(at_most(&one_ish, 0.7), Answer::No);
        assert_eq!(at_most(&one(1.0), 0.5), Answer::Open);
        assert_eq!(at_most(&Samples::default(), 0.5), Answer::Open);
    }

    #[test]
    fn what_needs_several_holds_as_the_worst_of_them() {
        use Answer::{No, Open, Yes};
        assert_eq!(all([Yes, Yes]), Yes);
        assert_eq!(all([Yes, Open]), Open);
        assert_eq!(all([Open, No, Yes]), No);
        assert_eq!(all([]), Open);
    }

    #[test]
    fn a_verdict_can_come_out_each_way() {
        use Answer::{No, Open, Yes};
        assert_eq!(over_places(&places(&[Yes, Yes, Yes])), Verdict::Reproduced);
        assert_eq!(over_places(&places(&[Yes, Yes, Open])), Verdict::Partly);
        assert_eq!(over_places(&places(&[Yes, No])), Verdict::Partly);
        assert_eq!(
            over_places(&places(&[Yes, No, Open])),
            Verdict::NotReproduced
        );
        assert_eq!(over_places(&places(&[Open])), Verdict::NotReproduced);
        assert_eq!(over_places(&[]), Verdict::NotReproduced);
    }

    #[test]
    fn the_reason_names_the_places_that_failed() {
        use Answer::{No, Open, Yes};
        assert_eq!(
            reason(&places(&[Yes, No, Open])),
            "Holds at 1 of 3 places. Does not hold at N = 2 (found 2). \
             The intervals leave it open at N = 3 (found 3)."
        );
        assert_eq!(reason(&places(&[Yes, Yes])), "Holds at 2 of 2 places.");
        assert_eq!(
            shown(samples(1.0, 0.1).estimate(), "Mb/s"),
            "1 Mb/s [0.752, 1.25]"
        );
        assert_eq!(shown(one(1.5).estimate(), ""), "1.50");
        assert_eq!(shown(None, ""), "no data");
    }
}
