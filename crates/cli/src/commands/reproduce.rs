//! `ackclock reproduce`: the papers' figures and claims, and the report.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use experiments::scenario::nearest;
use papers::{
    ClaimOutcome, Counts, Earlier, Mode, Options, PAPERS, PaperOutcome, ReportError,
    ReproduceError, ReproduceResult, Reproduction, Selection, UnknownName, Verdict, reproduce,
    write_report,
};

use crate::interrupt;
use crate::output::{self, Failure};
use crate::progress::Progress;
use crate::registry;
use crate::table::{Table, count, wall_time, wrap};

/// Arguments of `reproduce`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// What to reproduce, e.g. `gaimd` or `gaimd/2` [default: everything]
    #[arg(value_name = "PAPER[/FIGURE]")]
    names: Vec<String>,
    /// Runs fewer points and seeds, for a look within a minute [default: everything, with
    /// confidence intervals]
    #[arg(long)]
    quick: bool,
    /// Runs at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Where the report goes; results of finished runs are kept beside it, in DIR-results, so that
    /// the same command goes on where it was
    #[arg(long, value_name = "DIR", default_value = "out/report")]
    out: PathBuf,
    /// Prints the results as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let selection =
        Selection::parse(PAPERS, &arguments.names).map_err(|error| explain_name(&error))?;
    papers::may_write_report(&arguments.out).map_err(|error| explain_report(&error))?;
    interrupt::listen();
    let reproduction = run_figures(&selection, arguments)?;
    if reproduction.interrupted {
        return Err(interrupted(&selection, &reproduction, &arguments.out));
    }
    let page =
        write_report(&arguments.out, &reproduction).map_err(|error| explain_report(&error))?;
    if arguments.json {
        return output::print_json(&ReproduceResult::new(&reproduction, Some(&page)));
    }
    output::print(&text(
        &reproduction,
        &page,
        output::colour(&std::io::stdout()),
    ))
}

/// Runs the figures with a progress bar.
fn run_figures(selection: &Selection, arguments: &Arguments) -> Result<Reproduction, Failure> {
    let results = results_folder(&arguments.out);
    let shown = Mutex::new(Shown::new());
    let lock = || shown.lock().unwrap_or_else(PoisonError::into_inner);
    let options = Options {
        mode: if arguments.quick {
            Mode::Quick
        } else {
            Mode::Full
        },
        threads: arguments.jobs.map(usize::from),
        registry: registry(),
        interrupted: interrupt::flag(),
        results: Some(&results),
        started: &|earlier| lock().start(earlier, &results),
        progress: &|at| lock().update(&at),
    };
    let reproduction = reproduce(selection, &options).map_err(|error| match error {
        ReproduceError::Store(error) => Failure::refused(
            error.to_string(),
            format!(
                "results of finished runs are kept in {}: wait for the other ackclock, see whether \
                 it may be written, or give --out another folder",
                results.display()
            ),
        ),
        error => Failure::fault(with_causes(&error)),
    })?;
    let mut shown = shown.into_inner().unwrap_or_else(PoisonError::into_inner);
    shown.finish();
    Ok(reproduction)
}

/// Where results of finished runs are kept: beside the report, which is replaced as a whole.
fn results_folder(report: &Path) -> PathBuf {
    match report.file_name() {
        Some(name) => {
            let mut name = name.to_owned();
            name.push("-results");
            report.with_file_name(name)
        }
        None => report.join("results"),
    }
}

/// What stderr shows while figures run.
struct Shown {
    progress: Progress,
    /// Runs that ended since the start, counted for each figure that wants them.
    runs: u64,
    figures: Vec<papers::Progress>,
}

impl Shown {
    fn new() -> Self {
        Self {
            progress: Progress::start(),
            runs: 0,
            figures: Vec::new(),
        }
    }

    fn start(&mut self, earlier: &Earlier, results: &Path) {
        self.figures.clone_from(&earlier.figures);
        if let Some(text) = output::other_versions(&earlier.others, results) {
            self.progress.line(&text);
        }
        let (done, total) = self.runs_done();
        if done > 0 {
            self.progress.line(&format!(
                "{} of {} runs are finished already ({})",
                count(done),
                count(total),
                results.display()
            ));
        }
    }

    fn update(&mut self, at: &papers::Progress) {
        self.runs += 1;
        let (runs, elapsed) = (self.runs, self.progress.watch().elapsed());
        let mut of = self.figures.iter_mut();
        if let Some(figure) = of.find(|one| (one.paper, one.figure) == (at.paper, at.figure)) {
            *figure = *at;
        }
        if at.done == at.total {
            let (paper, figure) = (at.paper, at.figure);
            let number = count(at.total as u64);
            self.progress.line(&format!(
                "{paper}/{figure}: done, {number} runs, {}",
                wall_time(elapsed)
            ));
        }
        let figures = &self.figures;
        self.progress.update(at.work_done, at.work_total, || {
            let speed = runs as f64 / elapsed.as_secs_f64();
            let (done, total) = runs_of(figures);
            let all = format!(
                "{} of {} runs, {speed:.1} runs/s",
                count(done),
                count(total)
            );
            (all, papers_left(figures))
        });
    }

    fn runs_done(&self) -> (u64, u64) {
        runs_of(&self.figures)
    }

    fn finish(&mut self) {
        self.progress.finish();
        output::note(&format!(
            "{} runs in {}",
            count(self.runs),
            wall_time(self.progress.watch().elapsed())
        ));
    }
}

fn runs_of(figures: &[papers::Progress]) -> (u64, u64) {
    let done: usize = figures.iter().map(|figure| figure.done).sum();
    let total: usize = figures.iter().map(|figure| figure.total).sum();
    (done as u64, total as u64)
}

/// A line for each paper that is not done: figures done, and runs of those that are at work.
fn papers_left(figures: &[papers::Progress]) -> Vec<String> {
    let mut lines = Vec::new();
    for of_paper in figures.chunk_by(|one, other| one.paper == other.paper) {
        let (done, total) = runs_of(of_paper);
        if done == total {
            continue;
        }
        let finished = of_paper.iter().filter(|figure| figure.done == figure.total);
        let mut line = format!(
            "{:<12} {} of {} figures, {} of {} runs",
            of_paper[0].paper,
            finished.count(),
            of_paper.len(),
            count(done),
            count(total)
        );
        let mut begun: Vec<_> = of_paper
            .iter()
            .filter(|figure| figure.done > 0 && figure.done < figure.total)
            .collect();
        // Those that will be done next first.
        begun.sort_by_key(|figure| figure.total - figure.done);
        for (index, figure) in begun.iter().take(MOST_FIGURES_SHOWN).enumerate() {
            let comma = if index == 0 { ": " } else { ", " };
            let _ = write!(
                line,
                "{comma}{} {}/{}",
                figure.figure, figure.done, figure.total
            );
        }
        if begun.len() > MOST_FIGURES_SHOWN {
            line.push_str(", …");
        }
        lines.push(line);
    }
    lines
}

/// More would not fit on a line.
const MOST_FIGURES_SHOWN: usize = 4;

/// What was finished before the user stopped it is kept.
fn interrupted(selection: &Selection, reproduction: &Reproduction, folder: &Path) -> Failure {
    let finished: usize = reproduction
        .papers
        .iter()
        .map(|outcome| outcome.figures.len())
        .sum();
    let all: usize = selection
        .papers()
        .iter()
        .map(|chosen| chosen.figures.len())
        .sum();
    let kept = if finished == 0 {
        "no figure was complete: there is no report".to_owned()
    } else {
        match write_report(folder, reproduction) {
            Ok(page) => format!("the complete ones are in {}", page.display()),
            Err(error) => with_causes(&error),
        }
    };
    let kept = format!("{kept}; the same command goes on with the runs that are left");
    Failure::refused(
        format!("interrupted: {finished} of {all} figures are complete"),
        kept,
    )
}

fn text(reproduction: &Reproduction, page: &Path, bold: bool) -> String {
    let mut text = String::new();
    for outcome in &reproduction.papers {
        write_paper(&mut text, outcome, bold);
    }
    let claims = reproduction
        .papers
        .iter()
        .flat_map(|outcome| &outcome.claims);
    let counts = Counts::of(claims);
    let _ = writeln!(text, "{} claims: {counts}.", counts.total());
    if reproduction.mode == Mode::Quick {
        let _ = writeln!(
            text,
            "This was the quick form; without --quick there are more points and seeds, and the open \
             choices."
        );
    }
    let _ = writeln!(text, "The report: {}", page.display());
    text
}

fn write_paper(text: &mut String, outcome: &PaperOutcome, bold: bool) {
    let _ = writeln!(text, "{}: {}\n", outcome.paper.name, outcome.paper.title);
    let figures = &outcome.figures;
    let mut table = Table::default();
    table.words(
        "figure",
        figures.iter().map(|figure| figure.figure.id.to_owned()),
    );
    table.counts(
        "points",
        figures.iter().map(|figure| figure.data.points.len() as u64),
    );
    table.counts(
        "seeds",
        figures.iter().map(|figure| figure.data.seeds() as u64),
    );
    table.words(
        "title",
        figures.iter().map(|figure| figure.figure.title.to_owned()),
    );
    table.write(text, bold);
    text.push('\n');

    let claims = &outcome.claims;
    let mut table = Table::default();
    let verdict = |outcome: &ClaimOutcome| {
        if outcome.own {
            format!("({})", outcome.words())
        } else {
            outcome.words()
        }
    };
    table.words("verdict", claims.iter().map(verdict));
    table.words(
        "claim",
        claims.iter().map(|outcome| outcome.claim.id.to_owned()),
    );
    table.words(
        "figure",
        claims
            .iter()
            .map(|outcome| outcome.claim.figures.join(", ")),
    );
    let paper = |outcome: &ClaimOutcome| outcome.claim.paper.shown(outcome.claim.unit);
    table.words("paper", claims.iter().map(paper));
    table.words("ours (95 % interval)", claims.iter().map(ours));
    if !claims.is_empty() {
        table.write(text, bold);
        text.push('\n');
    }
    if claims.iter().any(|claim| claim.own) {
        text.push_str("(In brackets: our own, not counted among the paper's claims.)\n\n");
    }
    let stands =
        |claim: &&ClaimOutcome| claim.judged.verdict == Verdict::Reproduced && claim.with.is_none();
    for outcome in claims.iter().filter(|claim| !stands(claim)) {
        let verdict = outcome.words();
        wrap(
            text,
            &format!(
                "{}, {verdict}: {}",
                outcome.claim.id, outcome.claim.statement
            ),
            "  ",
        );
        wrap(text, &outcome.judged.reason, "      ");
        if let Some(robustness) = outcome.robustness() {
            wrap(text, &robustness, "      ");
        }
        text.push('\n');
    }
}

fn ours(outcome: &ClaimOutcome) -> String {
    let ours = outcome.judged.ours.shown(outcome.claim.unit);
    match outcome.judged.interval {
        Some((low, high)) => {
            let [low, high] = [low, high].map(|end| papers::Quantity::from(end).shown(""));
            format!("{ours} ({low} to {high})")
        }
        None => ours,
    }
}

fn explain_name(error: &UnknownName) -> Failure {
    let (name, known) = match error {
        UnknownName::Paper { name, known } | UnknownName::Figure { name, known, .. } => {
            (name, known)
        }
    };
    let hint = nearest(name, known.iter().copied()).map_or_else(
        || "`ackclock list papers` lists the papers, `ackclock explain PAPER` their figures".into(),
        |near| format!("did you mean {near}?"),
    );
    Failure::refused(error.to_string(), hint)
}

fn explain_report(error: &ReportError) -> Failure {
    match error {
        ReportError::Page { .. } | ReportError::Nothing { .. } => {
            Failure::fault(with_causes(error))
        }
        _ => Failure::refused(with_causes(error), "give --out another folder"),
    }
}

/// An error and what caused it: `gaimd/2: the run failed: …`.
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(paper: &'static str, figure: &'static str, done: usize) -> papers::Progress {
        papers::Progress {
            paper,
            figure,
            done,
            total: 10,
            work_done: 0.0,
            work_total: 0.0,
        }
    }

    #[test]
    fn each_paper_that_is_not_done_has_a_line() {
        let figures = [
            at("gaimd", "2", 10),
            at("gaimd", "3", 4),
            at("gaimd", "4", 7),
            at("gaimd", "5", 0),
            at("tfwc", "1", 10),
            at("smooth", "1", 0),
        ];
        assert_eq!(
            papers_left(&figures),
            [
                "gaimd        1 of 4 figures, 21 of 40 runs: 4 7/10, 3 4/10",
                "smooth       0 of 1 figures, 0 of 10 runs"
            ]
        );
    }

    #[test]
    fn results_are_kept_beside_the_report() {
        let beside = |report: &str| results_folder(Path::new(report));
        assert_eq!(beside("out/report"), Path::new("out/report-results"));
        assert_eq!(beside("out/report/"), Path::new("out/report-results"));
        assert_eq!(beside("."), Path::new("./results"));
    }
}
