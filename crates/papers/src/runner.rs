//! Runs figures on all cores and judges the claims about them.
//!
//! All runs of all figures stand in one list, the longest first, and each thread takes the next
//! one. A scenario that several figures ask for runs once, and one whose results are kept from
//! before not at all. What comes out depends neither on the number of threads nor on the order in
//! which runs end.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use experiments::Registry;
use experiments::scenario::{Document, ScenarioError};
use experiments::simulation::{self, Outcome, RunError};
use results::store::{OtherVersion, StoreError};

use crate::claim::{Claim, Judged, Verdict};
use crate::data::{Data, Measured};
use crate::judging::{Variation, judge};
use crate::kept::{self, Kept};
use crate::paper::{Figure, Mode, Paper, Run};
use crate::selection::Selection;

/// How to reproduce.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// How much to run.
    pub mode: Mode,
    /// Threads to use; none: one for each core.
    pub threads: Option<usize>,
    /// The controllers there are.
    pub registry: &'a Registry,
    /// Once this is true, runs stop; what is complete is kept.
    pub interrupted: &'a AtomicBool,
    /// The folder where results of finished runs are kept, so that none is run twice; none: they
    /// are not kept.
    pub results: Option<&'a Path>,
    /// Told what is there already, before the first run.
    pub started: &'a (dyn Fn(&Earlier) + Sync),
    /// Told after each run. Calls never overlap.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// What there was when a reproduction began.
#[derive(Clone, Debug, PartialEq)]
pub struct Earlier {
    /// Each figure with its runs that are done and all that it needs.
    pub figures: Vec<Progress>,
    /// Other versions that have results in the folder, which are not used.
    pub others: Vec<OtherVersion>,
}

/// How far a reproduction is: a run of this figure has just ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The paper's name.
    pub paper: &'static str,
    /// The figure's id.
    pub figure: &'static str,
    /// Runs of the figure that are done.
    pub done: usize,
    /// Runs that the figure needs.
    pub total: usize,
    /// Work done for all figures, in data packets.
    pub work_done: f64,
    /// Work of all figures, in data packets.
    pub work_total: f64,
}

/// Why figures could not be reproduced. All but [`Store`](Self::Store) are faults of the program,
/// not of its user.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// A figure's scenario is not valid.
    #[error("{figure}: the scenario is not valid")]
    Scenario {
        /// The paper's name and the figure's id: `gaimd/2`.
        figure: String,
        /// What is wrong with it.
        source: Box<ScenarioError>,
    },
    /// A run failed.
    #[error("{figure}: the run failed")]
    Run {
        /// The paper's name and the figure's id: `gaimd/2`.
        figure: String,
        /// How it failed.
        source: RunError,
    },
    /// Results cannot be kept or read: this one is the user's to mend.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There are no threads to be had.
    #[error("threads could not be started")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Figures with their data, and claims with their verdicts.
#[derive(Clone, Debug)]
pub struct Reproduction {
    /// How much was run.
    pub mode: Mode,
    /// The papers of which at least one figure is complete.
    pub papers: Vec<PaperOutcome>,
    /// Whether it was stopped: then some figures are missing.
    pub interrupted: bool,
}

/// A paper's figures with their data, and its claims with their verdicts.
#[derive(Clone, Debug)]
pub struct PaperOutcome {
    /// The paper.
    pub paper: &'static Paper,
    /// The figures that are complete, in the paper's order.
    pub figures: Vec<FigureOutcome>,
    /// The claims all of whose figures are complete, in the paper's order.
    pub claims: Vec<ClaimOutcome>,
}

/// A figure with its data.
#[derive(Clone, Debug)]
pub struct FigureOutcome {
    /// The figure.
    pub figure: &'static Figure,
    /// What its runs gave.
    pub data: Data,
}

/// A claim with its verdict.
#[derive(Clone, Debug)]
pub struct ClaimOutcome {
    /// The claim.
    pub claim: &'static Claim,
    /// Whether it is an expectation or an addition of ours: then it is not counted.
    pub own: bool,
    /// How it fared.
    pub judged: Judged,
    /// The open choice that brings it, where the base does not: `rtt = 150 ms`.
    pub with: Option<String>,
    /// How it fared with each open choice that was run.
    pub variations: Vec<Variation>,
}

impl ClaimOutcome {
    /// The verdict in words: `reproduced with rtt = 150 ms`.
    pub fn words(&self) -> String {
        let verdict = self.judged.verdict.words();
        match &self.with {
            Some(choice) => format!("{verdict} with {choice}"),
            None => verdict.to_owned(),
        }
    }

    /// With how many and which open choices the claim comes out too; none where none was run.
    pub fn robustness(&self) -> Option<String> {
        if self.variations.is_empty() {
            return None;
        }
        let with = |verdicts: &[Verdict]| {
            let those = self.variations.iter();
            let those = those.filter(|one| verdicts.contains(&one.judged.verdict));
            those.map(|one| one.choice.as_str()).collect::<Vec<_>>()
        };
        let yes = with(&[Verdict::Reproduced]);
        let mut text = format!(
            "Comes out at {} of {} variations",
            yes.len(),
            self.variations.len()
        );
        for (intro, choices) in [
            (": ", yes),
            ("; in part: ", with(&[Verdict::Partly])),
            ("; open: ", with(&[Verdict::Undecided])),
            ("; not: ", with(&[Verdict::NotReproduced])),
        ] {
            if !choices.is_empty() {
                text += intro;
                text += &choices.join(" | ");
            }
        }
        Some(text + ".")
    }
}

/// How many of the papers' own claims fared how; claims of ours are not among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reproduced in the base.
    pub reproduced: usize,
    /// Reproduced with a named open choice.
    pub with_a_choice: usize,
    /// Partly reproduced.
    pub partly: usize,
    /// Undecided.
    pub undecided: usize,
    /// Not reproduced.
    pub not_reproduced: usize,
    /// Claims of our own, however they fared.
    pub own: usize,
}

impl Counts {
    /// Counts claims.
    pub fn of<'a>(claims: impl IntoIterator<Item = &'a ClaimOutcome>) -> Self {
        let mut counts = Self::default();
        for one in claims {
            *match (one.own, one.judged.verdict) {
                (true, _) => &mut counts.own,
                (_, Verdict::Reproduced) if one.with.is_some() => &mut counts.with_a_choice,
                (_, Verdict::Reproduced) => &mut counts.reproduced,
                (_, Verdict::Partly) => &mut counts.partly,
                (_, Verdict::Undecided) => &mut counts.undecided,
                (_, Verdict::NotReproduced) => &mut counts.not_reproduced,
            } += 1;
        }
        counts
    }

    /// Numbers with their words, in the order in which tables show them.
    pub fn columns(&self) -> [(usize, &'static str); 6] {
        [
            (self.reproduced, "reproduced"),
            (self.with_a_choice, "reproduced with a choice"),
            (self.partly, "partly reproduced"),
            (self.undecided, "undecided"),
            (self.not_reproduced, "not reproduced"),
            (self.own, "our own (not counted)"),
        ]
    }

    /// How many claims the papers make.
    pub fn total(&self) -> usize {
        self.reproduced + self.with_a_choice + self.partly + self.undecided + self.not_reproduced
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = self
            .columns()
            .map(|(number, words)| format!("{number} {words}"));
        f.write_str(&words.join(", "))
    }
}

/// Runs the figures of `selection` and judges the claims about them.
pub fn reproduce(
    selection: &Selection,
    options: &Options<'_>,
) -> Result<Reproduction, ReproduceError> {
    let plans: Vec<Plan> = selection
        .papers()
        .iter()
        .flat_map(|chosen| {
            chosen
                .figures
                .iter()
                .map(|figure| Plan::new(chosen.paper, figure, options.mode))
        })
        .collect();
    let measured = run_all(&plans, options)?;

    let mut papers: Vec<PaperOutcome> = Vec::new();
    let mut interrupted = false;
    for (plan, measured) in plans.into_iter().zip(measured) {
        let Some(measured) = measured.into_iter().collect::<Option<Vec<_>>>() else {
            interrupted = true;
            continue;
        };
        let data = Data::gather(plan.runs.into_iter().zip(measured));
        let outcome = FigureOutcome {
            figure: plan.figure,
            data,
        };
        match papers
            .last_mut()
            .filter(|last| last.paper.name == plan.paper.name)
        {
            Some(last) => last.figures.push(outcome),
            None => papers.push(PaperOutcome {
                paper: plan.paper,
                figures: vec![outcome],
                claims: Vec::new(),
            }),
        }
    }
    for paper in &mut papers {
        paper.claims = judge(paper.paper, &paper.figures);
    }
    Ok(Reproduction {
        mode: options.mode,
        papers,
        interrupted,
    })
}

/// A figure and its runs.
struct Plan {
    paper: &'static Paper,
    figure: &'static Figure,
    runs: Vec<Run>,
}

impl Plan {
    fn new(paper: &'static Paper, figure: &'static Figure, mode: Mode) -> Self {
        Self {
            paper,
            figure,
            runs: (figure.plan)(mode),
        }
    }

    fn name(&self) -> String {
        format!("{}/{}", self.paper.name, self.figure.id)
    }

    fn key(&self, scenario: &str) -> results::store::Digest {
        kept::key(self.paper.name, self.figure.id, scenario)
    }
}

/// A scenario to run, and who wants to know: indices of plans and of runs in them.
struct Job<'a> {
    scenario: &'a str,
    work: f64,
    wanted_by: Vec<(usize, usize)>,
}

/// The different scenarios of all plans, the longest first.
fn jobs(plans: &[Plan]) -> Vec<Job<'_>> {
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for (plan_index, plan) in plans.iter().enumerate() {
        for (run_index, run) in plan.runs.iter().enumerate() {
            let job = *known.entry(&run.scenario).or_insert_with(|| {
                jobs.push(Job {
                    scenario: &run.scenario,
                    work: run.work,
                    wanted_by: Vec::new(),
                });
                jobs.len() - 1
            });
            jobs[job].wanted_by.push((plan_index, run_index));
        }
    }
    jobs.sort_by(|a, b| b.work.total_cmp(&a.work));
    jobs
}

/// What each run of each plan gave; none for those that were not run.
fn run_all(
    plans: &[Plan],
    options: &Options<'_>,
) -> Result<Vec<Vec<Option<Measured>>>, ReproduceError> {
    let mut board = Board::new(plans, options.results)?;
    let mut jobs = jobs(plans);
    board.take_from_store(&mut jobs, plans)?;
    (options.started)(&board.earlier(plans));
    let board = Mutex::new(board);
    let work_total: f64 = jobs.iter().map(|job| job.work).sum();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let stopped = || options.interrupted.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
    let fail = |error| {
        failed.store(true, Ordering::Relaxed);
        lock(&board).failed.get_or_insert(error);
    };
    let work = || {
        while !stopped() {
            let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let measured = match run(job, plans, options.registry, stopped) {
                Ok(Some(measured)) => measured,
                Ok(None) => break,
                Err(error) => {
                    fail(error);
                    break;
                }
            };
            let kept = lock(&board).keep(job, plans, &measured);
            if let Err(error) = kept {
                fail(error.into());
                break;
            }
            let mut board = lock(&board);
            board.work_done += job.work;
            for ((plan, run), measured) in job.wanted_by.iter().zip(measured) {
                board.put(*plan, *run, measured);
                let at = board.progress(plans, *plan, work_total);
                (options.progress)(at);
            }
        }
    };
    let threads = options.threads.unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?;
    pool.broadcast(|_| work());
    let board = board.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = &board.kept {
        kept.sync()?;
    }
    board.failed.map_or(Ok(board.measured), Err)
}

/// What the threads have found out.
struct Board {
    measured: Vec<Vec<Option<Measured>>>,
    done: Vec<usize>,
    work_done: f64,
    kept: Option<Kept>,
    failed: Option<ReproduceError>,
}

impl Board {
    fn new(plans: &[Plan], results: Option<&Path>) -> Result<Self, ReproduceError> {
        let empty = |plan: &Plan| vec![None; plan.runs.len()];
        Ok(Self {
            measured: plans.iter().map(empty).collect(),
            done: vec![0; plans.len()],
            work_done: 0.0,
            kept: results.map(Kept::open).transpose()?,
            failed: None,
        })
    }

    /// Takes what is kept, and from `jobs` those for which all is.
    fn take_from_store(
        &mut self,
        jobs: &mut Vec<Job<'_>>,
        plans: &[Plan],
    ) -> Result<(), ReproduceError> {
        let Some(mut kept) = self.kept.take() else {
            return Ok(());
        };
        let key = |job: &Job<'_>, plan: usize| plans[plan].key(job.scenario);
        let mut missing = Vec::new();
        for job in jobs.drain(..) {
            let mut wanted = job.wanted_by.iter();
            if !wanted.all(|(plan, _)| kept.contains(key(&job, *plan))) {
                missing.push(job);
                continue;
            }
            for (plan, run) in &job.wanted_by {
                if let Some(measured) = kept.get(key(&job, *plan))? {
                    self.put(*plan, *run, measured);
                }
            }
        }
        *jobs = missing;
        self.kept = Some(kept);
        Ok(())
    }

    /// Keeps what each figure measured of a run; once for a figure that wants it for two points.
    fn keep(
        &mut self,
        job: &Job<'_>,
        plans: &[Plan],
        measured: &[Measured],
    ) -> Result<(), StoreError> {
        let Some(kept) = &mut self.kept else {
            return Ok(());
        };
        for ((plan, _), measured) in job.wanted_by.iter().zip(measured) {
            let key = plans[*plan].key(job.scenario);
            if !kept.contains(key) {
                kept.add(key, measured)?;
            }
        }
        Ok(())
    }

    fn put(&mut self, plan: usize, run: usize, measured: Measured) {
        self.measured[plan][run] = Some(measured);
        self.done[plan] += 1;
    }

    fn progress(&self, plans: &[Plan], plan: usize, work_total: f64) -> Progress {
        Progress {
            paper: plans[plan].paper.name,
            figure: plans[plan].figure.id,
            done: self.done[plan],
            total: plans[plan].runs.len(),
            work_done: self.work_done,
            work_total,
        }
    }

    fn earlier(&self, plans: &[Plan]) -> Earlier {
        let figures = (0..plans.len()).map(|plan| self.progress(plans, plan, 0.0));
        let others = self.kept.as_ref().map(|kept| kept.others().to_vec());
        Earlier {
            figures: figures.collect(),
            others: others.unwrap_or_default(),
        }
    }
}

/// A panic in another thread ends the program once all threads are done: the board may be used on.
fn lock(board: &Mutex<Board>) -> MutexGuard<'_, Board> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a scenario and takes from it what each figure wants; none when stopped on the way.
fn run(
    job: &Job<'_>,
    plans: &[Plan],
    registry: &Registry,
    stopped: impl Fn() -> bool,
) -> Result<Option<Vec<Measured>>, ReproduceError> {
    let figure = || plans[job.wanted_by[0].0].name();
    let scenario = Document::parse(job.scenario, &figure())
        .and_then(|document| document.check(registry))
        .map_err(|source| ReproduceError::Scenario {
            figure: figure(),
            source: Box::new(source),
        })?;
    let go_on = |_| {
        if stopped() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let outcome: Outcome = match simulation::run_with_progress(&scenario, registry, go_on) {
        Ok(outcome) => outcome,
        Err(RunError::Interrupted { .. }) => return Ok(None),
        Err(source) => {
            return Err(ReproduceError::Run {
                figure: figure(),
                source,
            });
        }
    };
    let measure = |(plan, _): &(usize, usize)| (plans[*plan].figure.measure)(&outcome);
    Ok(Some(job.wanted_by.iter().map(measure).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::ReproduceResult;
    use crate::testing::{PAPERS, quick};

    fn everything() -> Selection {
        Selection::all(PAPERS)
    }

    fn options<'a>(
        registry: &'a Registry,
        interrupted: &'a AtomicBool,
        progress: &'a (dyn Fn(Progress) + Sync),
    ) -> Options<'a> {
        Options {
            mode: Mode::Quick,
            threads: Some(2),
            registry,
            interrupted,
            results: None,
            started: &|_| (),
            progress,
        }
    }

    /// Figure 1: 2 points × 2 seeds; Figure 2: 3 points × 2 seeds, 4 of the 6 the same as
    /// Figure 1's. So 6 jobs, those of 3 flows first, serve 10 runs.
    #[test]
    fn a_scenario_that_two_figures_want_runs_once_and_the_longest_first() {
        let selection = everything();
        let chosen = &selection.papers()[0];
        let plans: Vec<_> = chosen
            .figures
            .iter()
            .map(|figure| Plan::new(chosen.paper, figure, Mode::Quick))
            .collect();
        let jobs = jobs(&plans);
        let work: Vec<_> = jobs.iter().map(|job| job.work).collect();
        assert_eq!(work, [3.0, 3.0, 2.0, 2.0, 1.0, 1.0]);
        let wanted: Vec<_> = jobs.iter().map(|job| job.wanted_by.len()).collect();
        assert_eq!(wanted, [1, 1, 2, 2, 2, 2]);
    }

    #[test]
    fn a_small_paper_from_end_to_end() {
        let done = quick(&["toy"], 2);
        assert!(!done.interrupted);
        let result = ReproduceResult::new(&done, None);
        let paper = &result.papers[0];
        let figures: Vec<_> = paper
            .figures
            .iter()
            .map(|f| (f.id.as_str(), f.points, f.seeds))
            .collect();
        assert_eq!(figures, [("1", 2, 2), ("2", 3, 2)]);
        let claims: Vec<_> = paper
            .claims
            .iter()
            .map(|c| (c.id.as_str(), c.verdict))
            .collect();
        let reproduced = crate::Verdict::Reproduced;
        assert_eq!(
            claims,
            [("1-fills", reproduced), ("2-same", reproduced)],
            "{result:?}"
        );
    }

    #[test]
    fn one_thread_and_two_give_the_same_bytes() {
        let json = |threads| {
            let result = ReproduceResult::new(&quick(&["toy"], threads), None);
            serde_json::to_string(&result).unwrap()
        };
        assert_eq!(json(1), json(2));
        assert_eq!(
            quick(&["toy"], 1).papers[0].figures[1].data,
            quick(&["toy"], 2).papers[0].figures[1].data
        );
    }

    #[test]
    fn claims_that_need_a_figure_that_was_not_run_are_not_judged() {
        let claims = |name| {
            let done = quick(&[name], 1);
            done.papers[0]
                .claims
                .iter()
                .map(|one| one.claim.id)
                .collect::<Vec<_>>()
        };
        assert_eq!(claims("toy/1"), ["1-fills"]);
        assert!(claims("toy/2").is_empty());
    }

    #[test]
    fn progress_counts_every_run_of_every_figure() {
        let told = Mutex::new(Vec::new());
        let note = |progress| told.lock().unwrap().push(progress);
        let (registry, interrupted) = (Registry::standard(), AtomicBool::new(false));
        reproduce(&everything(), &options(&registry, &interrupted, &note)).unwrap();
        let told = told.into_inner().unwrap();
        for (figure, total) in [("1", 4), ("2", 6)] {
            let of: Vec<_> = told
                .iter()
                .filter(|progress| progress.figure == figure)
                .collect();
            let counts: Vec<_> = of.iter().map(|progress| progress.done).collect();
            assert_eq!(counts, (1..=total).collect::<Vec<_>>());
            assert!(of.iter().all(|progress| progress.total == total));
        }
        // 2 × (3 + 2 + 1) units of work.
        let last = told.last().unwrap();
        assert_eq!((last.work_done, last.work_total), (12.0, 12.0));
    }

    #[test]
    fn what_is_complete_when_stopped_is_kept() {
        // One thread runs the 3-flow runs of figure 2 first and the 1-flow runs last. Stopped at
        // the first report, nothing is complete; stopped once figure 1 is, figure 1 is kept.
        let (registry, interrupted) = (Registry::standard(), AtomicBool::new(false));
        let stop_at_once = |_: Progress| interrupted.store(true, Ordering::Relaxed);
        let one_thread = Options {
            threads: Some(1),
            ..options(&registry, &interrupted, &stop_at_once)
        };
        let done = reproduce(&everything(), &one_thread).unwrap();
        assert!(done.interrupted && done.papers.is_empty());

        let interrupted = AtomicBool::new(false);
        let stop_late = |progress: Progress| {
            if progress.figure == "1" && progress.done == progress.total {
                interrupted.store(true, Ordering::Relaxed);
            }
        };
        let one_thread = Options {
            threads: Some(1),
            ..options(&registry, &interrupted, &stop_late)
        };
        let selection = Selection::parse(PAPERS, &["toy/1"]).unwrap();
        let done = reproduce(&selection, &one_thread).unwrap();
        assert!(!done.interrupted, "all that was asked for was complete");
        assert_eq!(done.papers[0].figures.len(), 1);
    }
    /// One after the other on one thread, stopped after each run: 6 jobs in 6 calls and none twice.
    #[test]
    fn finished_runs_are_never_run_twice() {
        let home = tempfile::tempdir().unwrap();
        let registry = Registry::standard();
        let whole = serde_json::to_string(&ReproduceResult::new(&quick(&["toy"], 2), None));
        for call in 0..=6 {
            let (interrupted, runs) = (AtomicBool::new(false), AtomicUsize::new(0));
            let work = Mutex::new(0.0);
            let found = Mutex::new(Vec::new());
            let told = |progress: Progress| {
                interrupted.store(true, Ordering::Relaxed);
                runs.fetch_add(1, Ordering::Relaxed);
                *work.lock().unwrap() = progress.work_total;
            };
            let started = |earlier: &Earlier| {
                *found.lock().unwrap() = earlier.figures.iter().map(|at| at.done).collect();
            };
            let one_thread = Options {
                threads: Some(1),
                results: Some(home.path()),
                started: &started,
                ..options(&registry, &interrupted, &told)
            };
            let done = reproduce(&everything(), &one_thread).unwrap();
            // The jobs of 3 flows are for figure 2 alone, the other four for both figures.
            let kept = [[0, 0], [0, 1], [0, 2], [1, 3], [2, 4], [3, 5], [4, 6]][call];
            assert_eq!(*found.lock().unwrap(), kept, "call {call}");
            // Work left: 12 of which 3, 3, 2, 2, 1, 1 are done one by one.
            let left = [12.0, 9.0, 6.0, 4.0, 2.0, 1.0, 0.0][call];
            assert_eq!(*work.lock().unwrap(), left, "call {call}");
            if call == 6 {
                assert_eq!(runs.into_inner(), 0);
                assert!(!done.interrupted);
                let again = serde_json::to_string(&ReproduceResult::new(&done, None));
                assert_eq!(again.unwrap(), whole.as_deref().unwrap());
            }
        }
    }
}
