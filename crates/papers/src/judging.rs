//! The verdict on a claim: in the base, and with each open choice that the figures were run with.
//!
//! The rule is applied to the base and to each variation by itself. Where the base does not bring a
//! claim and a named choice does, the verdict is "reproduced with" that choice, if an earlier search
//! had found the choice and these are seeds that the search did not use. Nothing that could still
//! turn a verdict is passed over: it is undecided then.

use crate::claim::{Claim, Evidence, Judged, Verdict};
use crate::data::Data;
use crate::paper::{BASE, Figure, Mode, Paper};
use crate::runner::{ClaimOutcome, FigureOutcome};

/// A claim in one variation of its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// The open choice and its value: `rtt = 150 ms`.
    pub choice: String,
    /// How the claim fared with it.
    pub judged: Judged,
}

/// The verdicts on the claims that these figures are enough for.
pub fn judge(paper: &'static Paper, figures: &[FigureOutcome]) -> Vec<ClaimOutcome> {
    let all: Vec<(&str, Vec<String>)> = figures
        .iter()
        .map(|outcome| (outcome.figure.id, in_full_form(outcome.figure)))
        .collect();
    let outcome = |claim: &'static Claim| {
        let (mut data, mut known) = (Vec::new(), Vec::new());
        for id in claim.figures {
            let found = figures.iter().find(|outcome| outcome.figure.id == *id)?;
            let (_, variations) = all.iter().find(|(figure, _)| figure == id)?;
            // A figure that no open choice touches is the same in every variation.
            let varied = !variations.is_empty();
            data.push((found.figure.id, &found.data, varied));
            if varied {
                known.push(variations.clone());
            }
        }
        Some(judge_one(paper, claim, &data, &common(known)))
    };
    paper.claims.iter().filter_map(outcome).collect()
}

/// The variations of a figure in the full form, in the order of its plan.
fn in_full_form(figure: &Figure) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for run in (figure.plan)(Mode::Full) {
        let variation = run.key.variation();
        if variation != BASE && found.iter().all(|known| known != variation) {
            found.push(variation.to_owned());
        }
    }
    found
}

/// What all of several lists have.
fn common(mut lists: Vec<Vec<String>>) -> Vec<String> {
    let mut first = lists.pop().unwrap_or_default();
    first.retain(|one| lists.iter().all(|list| list.contains(one)));
    first
}

fn judge_one(
    paper: &'static Paper,
    claim: &'static Claim,
    data: &[(&'static str, &Data, bool)],
    known: &[String],
) -> ClaimOutcome {
    let at = |variation: &str| {
        let mut of_variation = Vec::new();
        for (id, data, varied) in data {
            let name = if *varied { variation } else { BASE };
            let data = data.variation(name);
            // In the base a figure may have no points: one that draws formulas alone.
            if name != BASE && data.points.is_empty() {
                return None;
            }
            of_variation.push((*id, data));
        }
        let evidence = of_variation.iter().map(|(id, data)| (*id, data)).collect();
        Some((claim.judge)(&Evidence::new(evidence)))
    };
    let base = at(BASE).expect("the base is always judged");
    let mut variations: Vec<Variation> = Vec::new();
    let mut missing = Vec::new();
    for choice in known {
        match at(choice) {
            // What the rule asks for is not among the runs with this choice.
            Some(judged) if judged.ours == crate::rules::NO_DATA => {}
            Some(judged) => variations.push(Variation {
                choice: choice.clone(),
                judged,
            }),
            None => missing.push(choice.as_str()),
        }
    }
    let fresh = data.iter().all(|(_, data, _)| {
        let seeds = data.points.iter().flat_map(|point| &point.runs);
        seeds.map(|(seed, _)| *seed).min() > Some(paper.searched_seeds)
    });
    let found: Vec<&str> = paper
        .found
        .iter()
        .filter(|found| found.claim == claim.id)
        .map(|found| found.choice)
        .collect();
    let (judged, with) = settle(claim, base, &variations, &missing, (&found, fresh));
    ClaimOutcome {
        claim,
        own: paper.own.contains(&claim.id),
        judged,
        with,
        variations,
    }
}

/// The verdict, and the choice that brings it where the base does not.
fn settle(
    claim: &Claim,
    base: Judged,
    variations: &[Variation],
    missing: &[&str],
    (found, fresh): (&[&str], bool),
) -> (Judged, Option<String>) {
    if base.verdict == Verdict::Reproduced {
        return (base, None);
    }
    let reproduced = |variation: &&Variation| variation.judged.verdict == Verdict::Reproduced;
    let in_base = format!(
        "In the base: {}, ours {}. {}",
        base.verdict.words(),
        base.ours.shown(claim.unit),
        base.reason
    );
    let confirmed = found.iter().find_map(|choice| {
        let of = |variation: &&Variation| variation.choice == *choice;
        variations.iter().filter(reproduced).find(of)
    });
    if let (Some(variation), true) = (confirmed, fresh) {
        let judged = Judged {
            reason: format!(
                "With {}: {} The choice was found on other seeds than these. {in_base}",
                variation.choice, variation.judged.reason
            ),
            ..variation.judged.clone()
        };
        return (judged, Some(variation.choice.clone()));
    }
    let unconfirmed: Vec<&str> = variations
        .iter()
        .filter(reproduced)
        .map(|variation| variation.choice.as_str())
        .collect();
    let open: Vec<&str> = variations
        .iter()
        .filter(|variation| found.contains(&variation.choice.as_str()))
        .filter(|variation| variation.judged.verdict == Verdict::Undecided)
        .map(|variation| variation.choice.as_str())
        .collect();
    let why = if !unconfirmed.is_empty() {
        format!(
            "It comes out with {}, which no other seeds have confirmed.",
            unconfirmed.join("; ")
        )
    } else if !open.is_empty() {
        format!("The interval is open with {}.", open.join("; "))
    } else if !missing.is_empty() && base.verdict != Verdict::Undecided {
        format!(
            "The open choices that could turn it are not run in this form: {}.",
            missing.join("; ")
        )
    } else {
        return (base, None);
    };
    let judged = Judged {
        verdict: Verdict::Undecided,
        reason: format!("{why} {in_base}"),
        ..base
    };
    (judged, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Quantity;

    const CLAIM: Claim = Claim {
        id: "1-one",
        figures: &["1"],
        statement: "It is one.",
        paper: Quantity::Number(1.0),
        unit: "s",
        rule: "At one.",
        judge: |_| unreachable!("judged by hand below"),
    };

    fn judged(verdict: Verdict, ours: f64) -> Judged {
        Judged {
            ours: ours.into(),
            interval: None,
            verdict,
            reason: format!("Found {ours}."),
        }
    }

    fn variation(choice: &str, verdict: Verdict) -> Variation {
        Variation {
            choice: choice.to_owned(),
            judged: judged(verdict, 1.0),
        }
    }

    fn settled(
        base: Verdict,
        variations: &[Variation],
        missing: &[&str],
        found: &[&str],
        fresh: bool,
    ) -> (Verdict, Option<String>, String) {
        let base = judged(base, 2.0);
        let (judged, with) = settle(&CLAIM, base, variations, missing, (found, fresh));
        (judged.verdict, with, judged.reason)
    }

    #[test]
    fn what_the_base_brings_needs_no_choice() {
        use Verdict::{NotReproduced, Reproduced};
        let all = [variation("rtt = 150 ms", NotReproduced)];
        let (verdict, with, reason) = settled(Reproduced, &all, &["dither = on"], &[], true);
        assert_eq!((verdict, with), (Reproduced, None));
        assert_eq!(reason, "Found 2.");
    }

    #[test]
    fn a_choice_counts_once_a_search_on_other_seeds_has_found_it() {
        use Verdict::{NotReproduced, Reproduced, Undecided};
        let all = [
            variation("dither = on", Reproduced),
            variation("rtt = 150 ms", Reproduced),
        ];
        let of = |found: &[&str], fresh| settled(NotReproduced, &all, &[], found, fresh);
        let (verdict, with, reason) = of(&["rtt = 150 ms"], true);
        assert_eq!(
            (verdict, with.as_deref()),
            (Reproduced, Some("rtt = 150 ms"))
        );
        for part in [
            "With rtt = 150 ms: Found 1.",
            "In the base: not reproduced, ours 2 s. Found 2.",
        ] {
            assert!(reason.replace(".00", "").contains(part), "{reason}");
        }
        // The seeds of the search, or a choice that none has found.
        for (verdict, with, reason) in [of(&["rtt = 150 ms"], false), of(&[], true)] {
            assert_eq!((verdict, with), (Undecided, None));
            assert!(reason.contains("comes out with dither = on; rtt = 150 ms, which no other"));
        }
    }

    #[test]
    fn what_could_still_turn_a_verdict_leaves_it_undecided() {
        use Verdict::{NotReproduced, Partly, Undecided};
        let no = variation("dither = on", NotReproduced);
        let open = variation("rtt = 150 ms", Undecided);
        let all = [no.clone(), open];
        let of = |found: &[&str]| settled(Partly, &all, &[], found, true);
        assert_eq!(of(&["rtt = 150 ms"]).0, Undecided);
        assert_eq!(of(&["dither = on"]).0, Partly);
        let quick = settled(NotReproduced, &[], &["rtt = 150 ms"], &[], true);
        assert_eq!(quick.0, Undecided);
        assert!(quick.2.contains("not run in this form: rtt = 150 ms"));
        assert_eq!(
            settled(NotReproduced, &[no], &[], &[], true).0,
            NotReproduced
        );
    }

    #[test]
    fn a_claim_on_two_figures_has_the_variations_that_both_have() {
        let lists = ["a b c", "c a d"].map(|list| list.split(' ').map(str::to_owned).collect());
        assert_eq!(common(lists.into()), ["c", "a"]);
    }
}
