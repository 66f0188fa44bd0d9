//! What `ackclock reproduce --json` prints.

use std::path::Path;

use serde::Serialize;

use crate::claim::{Quantity, Verdict};
use crate::judging::Variation;
use crate::runner::{PaperOutcome, Reproduction};

/// Papers, their figures and claims.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReproduceResult {
    /// The papers.
    pub papers: Vec<PaperResult>,
    /// Path of the report's first page; none if there is no report.
    pub report: Option<String>,
}

/// A paper.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperResult {
    /// Its short name.
    pub name: String,
    /// The figures that were run.
    pub figures: Vec<FigureResult>,
    /// The claims that these figures decide.
    pub claims: Vec<ClaimResult>,
}

/// A figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FigureResult {
    /// Its number in the paper.
    pub id: String,
    /// Its title.
    pub title: String,
    /// How many points it has.
    pub points: usize,
    /// How many seeds each point has.
    pub seeds: usize,
}

/// A claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimResult {
    /// Its name within the paper.
    pub id: String,
    /// The figure it is about; the first, if there are several.
    pub figure: String,
    /// What the paper says, in our own words.
    pub statement: String,
    /// What the paper gives.
    pub paper: Quantity,
    /// What our data give.
    pub ours: Quantity,
    /// 95 % confidence interval of `ours`: lower and upper end; none where it has none.
    pub interval: Option<[f64; 2]>,
    /// The judgement.
    pub verdict: Verdict,
    /// The open choice that brings it, where the base does not: `rtt = 150 ms`.
    pub with: Option<String>,
    /// The verdict with each open choice that was run.
    pub variations: Vec<VariationResult>,
    /// Whether it is an expectation or an addition of ours: then it is not counted.
    pub own: bool,
    /// What it rests on; where the claim failed, why.
    pub reason: String,
}

/// A claim with another value of an open choice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariationResult {
    /// The choice and its value: `rtt = 150 ms`.
    pub choice: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What our data give.
    pub ours: Quantity,
    /// 95 % confidence interval of `ours`; none where it has none.
    pub interval: Option<[f64; 2]>,
}

impl ReproduceResult {
    /// The results of `reproduction`, whose report is at `report`.
    pub fn new(reproduction: &Reproduction, report: Option<&Path>) -> Self {
        Self {
            papers: reproduction.papers.iter().map(PaperResult::new).collect(),
            report: report.map(|path| path.display().to_string()),
        }
    }
}

impl VariationResult {
    fn new(variation: &Variation) -> Self {
        let judged = &variation.judged;
        Self {
            choice: variation.choice.clone(),
            verdict: judged.verdict,
            ours: judged.ours.clone(),
            interval: judged.interval.map(|(low, high)| [low, high]),
        }
    }
}

impl PaperResult {
    fn new(outcome: &PaperOutcome) -> Self {
        let figures = outcome.figures.iter().map(|outcome| FigureResult {
            id: outcome.figure.id.to_owned(),
            title: outcome.figure.title.to_owned(),
            points: outcome.data.points.len(),
            seeds: outcome.data.seeds(),
        });
        let claims = outcome.claims.iter().map(|outcome| ClaimResult {
            id: outcome.claim.id.to_owned(),
            figure: outcome.claim.figures[0].to_owned(),
            statement: outcome.claim.statement.to_owned(),
            paper: outcome.claim.paper.clone(),
            ours: outcome.judged.ours.clone(),
            interval: outcome.judged.interval.map(|(low, high)| [low, high]),
            verdict: outcome.judged.verdict,
            with: outcome.with.clone(),
            variations: outcome
                .variations
                .iter()
                .map(VariationResult::new)
                .collect(),
            own: outcome.own,
            reason: outcome.judged.reason.clone(),
        });
        Self {
            name: outcome.paper.name.to_owned(),
            figures: figures.collect(),
            claims: claims.collect(),
        }
    }
}
