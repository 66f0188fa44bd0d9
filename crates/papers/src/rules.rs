//! Rules by which claims are judged: comparisons at single places, and the verdict over all places.
//!
//! Order and equality are judged alike, by the whole 95 % confidence interval: a comparison holds
//! where all of it does, fails where none of it does, and is [`Answer::Open`] between. A place where
//! there is nothing to compare counts neither way. Open places do not count against a claim: where
//! they could turn its verdict it is [`Verdict::Undecided`].

use crate::claim::{Judged, Quantity, Verdict, with_unit};
use crate::data::{Estimate, Samples};

/// The answer of a comparison, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// There is nothing to compare, such as goodputs that are all zero.
    Nothing,
    /// It holds.
    Yes,
    /// The interval allows both.
    Open,
    /// It does not hold.
    No,
}

impl From<bool> for Answer {
    /// The answer to a question that no chance enters.
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
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

/// Whether a quantity is greater than `limit`: yes where its whole interval is, no where none of it
/// is. Open with a single seed.
pub fn above(samples: &Samples, limit: f64) -> Answer {
    within(samples, limit.next_up(), f64::INFINITY)
}

/// Whether a quantity is at least `limit`, by its whole interval.
pub fn at_least(samples: &Samples, limit: f64) -> Answer {
    within(samples, limit, f64::INFINITY)
}

/// Whether a quantity is at most `limit`, by its whole interval.
pub fn at_most(samples: &Samples, limit: f64) -> Answer {
    within(samples, f64::NEG_INFINITY, limit)
}

/// Whether a quantity lies from `low` to `high`: yes where its whole interval does, no where none of
/// it does.
pub fn within(samples: &Samples, low: f64, high: f64) -> Answer {
    match samples.estimate().and_then(|estimate| estimate.interval()) {
        Some((least, most)) if least >= low && most <= high => Answer::Yes,
        Some((least, most)) if most < low || least > high => Answer::No,
        _ => Answer::Open,
    }
}

/// The worst of several answers: what holds only if each of them does.
pub fn all(answers: impl IntoIterator<Item = Answer>) -> Answer {
    answers.into_iter().max().unwrap_or(Answer::Nothing)
}

/// Reproduced where the claim holds at every place where there is something to compare, partly
/// where it holds at half of them or more, else not reproduced; undecided where the open places
/// leave more than one of these.
pub fn over_places(places: &[Place]) -> Verdict {
    of_answers(places.iter().map(|place| place.answer))
}

/// The verdict over places from their answers alone.
pub fn of_answers(answers: impl IntoIterator<Item = Answer>) -> Verdict {
    let (mut yes, mut open, mut no) = (0, 0, 0);
    for answer in answers {
        match answer {
            Answer::Yes => yes += 1,
            Answer::Open => open += 1,
            Answer::No => no += 1,
            Answer::Nothing => {}
        }
    }
    let (worst, best) = (counted(yes, open + no), counted(yes + open, no));
    if worst == best && yes + open + no > 0 {
        worst
    } else {
        Verdict::Undecided
    }
}

fn counted(held: usize, failed: usize) -> Verdict {
    if failed == 0 {
        Verdict::Reproduced
    } else if held >= failed {
        Verdict::Partly
    } else {
        Verdict::NotReproduced
    }
}

/// The verdict on a claim with a full and a lesser form: reproduced where the full one holds, partly
/// where the lesser one does, undecided where an open answer leaves more than one verdict.
pub fn full_or_lesser(full: Answer, lesser: Answer) -> Verdict {
    match (full, lesser) {
        (Answer::Yes, _) => Verdict::Reproduced,
        (Answer::No, Answer::Yes) => Verdict::Partly,
        (Answer::No, Answer::No) => Verdict::NotReproduced,
        _ => Verdict::Undecided,
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
    let compared = places.len() - with(Answer::Nothing).count();
    let mut text = match (compared, with(Answer::Yes).count()) {
        (0, _) => "Nothing to compare.".to_owned(),
        (1, 1) => format!("Holds at {}.", told(Answer::Yes)),
        (compared, held) => format!("Holds at {held} of {compared} places."),
    };
    if with(Answer::No).next().is_some() {
        text += &format!(" Does not hold at {}.", told(Answer::No));
    }
    if with(Answer::Open).next().is_some() {
        text += &format!(" The intervals leave it open at {}.", told(Answer::Open));
    }
    if compared > 0 && with(Answer::Nothing).next().is_some() {
        text += &format!(" Nothing to compare at {}.", told(Answer::Nothing));
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

    /// 1 ± 0.2484: above 0.7, not above 1.3; it leaves 0.9 and 1.1 open.
    #[test]
    fn order_and_equality_need_the_whole_interval() {
        let one_ish = samples(1.0, 0.1);
        for (limit, expected) in [
            (0.7, Answer::Yes),
            (0.9, Answer::Open),
            (1.1, Answer::Open),
            (1.3, Answer::No),
        ] {
            assert_eq!(above(&one_ish, limit), expected, "{limit}");
            assert_eq!(at_least(&one_ish, limit), expected, "{limit}");
        }
        for (limit, expected) in [
            (0.7, Answer::No),
            (0.9, Answer::Open),
            (1.1, Answer::Open),
            (1.3, Answer::Yes),
        ] {
            assert_eq!(at_most(&one_ish, limit), expected, "{limit}");
        }
        assert_eq!(within(&one_ish, 0.7, 1.3), Answer::Yes);
        assert_eq!(within(&one_ish, 0.9, 1.3), Answer::Open);
        assert_eq!(within(&one_ish, 1.3, 1.5), Answer::No);
        assert_eq!(above(&one(1.0), 0.0), Answer::Open);
        assert_eq!(within(&Samples::default(), 0.0, 9.0), Answer::Open);
    }

    /// At the limit itself: not above it, but at least and at most it.
    #[test]
    fn a_limit_belongs_to_at_least_and_at_most() {
        let exact = samples(1.0, 0.0);
        assert_eq!(above(&exact, 1.0), Answer::No);
        assert_eq!(at_least(&exact, 1.0), Answer::Yes);
        assert_eq!(at_most(&exact, 1.0), Answer::Yes);
    }

    #[test]
    fn what_needs_several_holds_as_the_worst_of_them() {
        use Answer::{No, Nothing, Open, Yes};
        assert_eq!(all([Yes, Yes]), Yes);
        assert_eq!(all([Yes, Nothing]), Yes);
        assert_eq!(all([Yes, Open]), Open);
        assert_eq!(all([Open, No, Yes]), No);
        assert_eq!(all([]), Nothing);
    }

    /// Four places: two of them are half. One open place can make three of four or four of four.
    #[test]
    fn a_verdict_can_come_out_each_way() {
        use Answer::{No, Nothing, Open, Yes};
        use Verdict::{NotReproduced, Partly, Reproduced, Undecided};
        for (answers, expected) in [
            (&[Yes, Yes, Yes][..], Reproduced),
            (&[Yes, Nothing], Reproduced),
            (&[Yes, No], Partly),
            (&[Yes, Yes, No, Open], Partly),
            (&[Yes, Yes, Open], Undecided),
            (&[Yes, No, Open], Undecided),
            (&[No, Open, Yes, No], Undecided),
            (&[No, No, Open], NotReproduced),
            (&[No, Nothing], NotReproduced),
            (&[Open], Undecided),
            (&[Nothing], Undecided),
            (&[], Undecided),
        ] {
            assert_eq!(over_places(&places(answers)), expected, "{answers:?}");
        }
    }

    #[test]
    fn a_lesser_form_is_a_part() {
        use Answer::{No, Open, Yes};
        assert_eq!(full_or_lesser(Yes, Yes), Verdict::Reproduced);
        assert_eq!(full_or_lesser(No, Yes), Verdict::Partly);
        assert_eq!(full_or_lesser(No, No), Verdict::NotReproduced);
        assert_eq!(full_or_lesser(Open, Yes), Verdict::Undecided);
        assert_eq!(full_or_lesser(No, Open), Verdict::Undecided);
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
