//! `ackclock reproduce`: the papers' figures and claims, and the report.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use controllers::Registry;
use experiments::scenario::nearest;
use papers::{
    ClaimOutcome, Mode, Options, PAPERS, PaperOutcome, ReportError, ReproduceResult, Reproduction,
    Selection, UnknownName, Verdict, reproduce, write_report,
};

use crate::interrupt;
use crate::output::{self, Failure};
use crate::progress::Progress;
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
    /// Where the report goes
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
    let figures = selection
        .papers()
        .iter()
        .map(|chosen| chosen.figures.len())
        .sum::<usize>();
    let shown = Mutex::new(Shown {
        progress: Progress::start(),
        runs: 0,
        figures_left: figures,
    });
    let tell = |at: papers::Progress| {
        shown
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .update(&at);
    };
    let options = Options {
        mode: if arguments.quick {
            Mode::Quick
        } else {
            Mode::Full
        },
        threads: arguments.jobs.map(usize::from),
        registry: &Registry::standard(),
        interrupted: interrupt::flag(),
        progress: &tell,
    };
    let reproduction =
        reproduce(selection, &options).map_err(|error| Failure::fault(with_causes(&error)))?;
    let mut shown = shown.into_inner().unwrap_or_else(PoisonError::into_inner);
    shown.progress.finish();
    let elapsed = shown.progress.watch().elapsed();
    output::note(&format!(
        "{} runs in {}",
        count(shown.runs),
        wall_time(elapsed)
    ));
    Ok(reproduction)
}

/// What stderr shows while figures run.
struct Shown {
    progress: Progress,
    runs: u64,
    figures_left: usize,
}

impl Shown {
    fn update(&mut self, at: &papers::Progress) {
        self.runs += 1;
        let (runs, elapsed) = (self.runs, self.progress.watch().elapsed());
        if at.done == at.total {
            self.figures_left = self.figures_left.saturating_sub(1);
            let (paper, figure) = (at.paper, at.figure);
            let number = count(at.total as u64);
            self.progress.line(&format!(
                "{paper}/{figure}: done, {number} runs, {}",
                wall_time(elapsed)
            ));
        }
        let left = self.figures_left;
        self.progress.update(at.work_done, at.work_total, || {
            let speed = runs as f64 / elapsed.as_secs_f64();
            format!(
                "{}/{} run {} of {}, figures to do: {left}, {speed:.1} runs/s",
                at.paper, at.figure, at.done, at.total
            )
        });
    }
}

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
        "no figure was complete: nothing was written".to_owned()
    } else {
        match write_report(folder, reproduction) {
            Ok(page) => format!("the complete ones are in {}", page.display()),
            Err(error) => with_causes(&error),
        }
    };
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
    let claims = || {
        reproduction
            .papers
            .iter()
            .flat_map(|outcome| &outcome.claims)
    };
    let numbers = Verdict::ALL.map(|verdict| {
        let number = claims()
            .filter(|claim| claim.judged.verdict == verdict)
            .count();
        format!("{number} {}", verdict.words())
    });
    let _ = writeln!(text, "{} claims: {}.", claims().count(), numbers.join(", "));
    if reproduction.mode == Mode::Quick {
        let _ = writeln!(
            text,
            "This was the quick form; without --quick there are more points and seeds."
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
    let verdict = |outcome: &ClaimOutcome| outcome.judged.verdict.words().to_owned();
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
    for outcome in claims
        .iter()
        .filter(|claim| claim.judged.verdict != Verdict::Reproduced)
    {
        let verdict = outcome.judged.verdict.words();
        wrap(
            text,
            &format!(
                "{}, {verdict}: {}",
                outcome.claim.id, outcome.claim.statement
            ),
            "  ",
        );
        wrap(text, &outcome.judged.reason, "      ");
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
        ReportError::Page { .. } => Failure::fault(with_causes(error)),
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
