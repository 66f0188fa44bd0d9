//! `ackclock run`: one scenario, from its file to its results.

mod folder;
mod seeds;
mod text;
mod windows;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use experiments::Registry;
use experiments::scenario::Scenario;
use experiments::simulation::{Outcome, RunError, run_watched};
use units::Time;

use crate::interrupt;
use crate::machine::Stopwatch;
use crate::output::{self, Failure};
use crate::progress::Progress;
use crate::registry;
use crate::scenarios::{self, ScenarioArguments};
use crate::table::{Quantity, count, measure, wall_time};
use windows::Windows;

/// Arguments of `run`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    scenario: ScenarioArguments,
    /// Seed of the random streams [default: the file's, else 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Writes the run folder: scenario, summary, tables, and a page with the charts [default: nothing
    /// is written]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Runs with so many seeds, and prints each metric's mean with its 95 % interval
    #[arg(long, value_name = "N", conflicts_with_all = ["out", "open"], value_parser = clap::value_parser!(u16).range(2..=10_000))]
    seeds: Option<u16>,
    /// Opens the page in the browser when the run is done [default folder: out/run/ and the scenario's
    /// name]
    #[arg(long)]
    open: bool,
    /// Prints the summary as JSON instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let registry = registry();
    let scenario = arguments.scenario.load(arguments.seed, registry)?;
    if let Some(seeds) = arguments.seeds {
        return seeds::run(scenario, seeds, arguments.json, registry);
    }
    scenarios::fits_in_memory(&scenario)?;
    let default = || Path::new("out/run").join(crate::commands::sweep::file_name(&scenario.name));
    let out = arguments.out.clone();
    let out = out.or_else(|| arguments.open.then(default));
    if let Some(folder) = &out {
        folder::may_be_written(folder, &scenario)?;
    }
    interrupt::listen();
    let mut windows = (!arguments.json).then(|| Windows::of(&scenario));
    let (outcome, watch) = simulate(&scenario, registry, windows.as_mut())?;
    tell_speed(&outcome, watch);
    if let Some(folder) = &out {
        folder::write(folder, &scenario, &outcome)?;
        if arguments.open {
            folder::open(folder);
        }
    }
    match windows {
        None => output::print_json(&outcome.summary),
        Some(windows) => {
            let bold = output::colour(&std::io::stdout());
            output::print(&text::tables(&scenario, &outcome.summary, &windows, bold))
        }
    }
}

/// Runs with a progress bar, and looks at the windows.
fn simulate(
    scenario: &Scenario,
    registry: &Registry,
    mut windows: Option<&mut Windows>,
) -> Result<(Outcome, Stopwatch), Failure> {
    let mut progress = Progress::start();
    let whole = scenario.duration;
    let outcome = run_watched(scenario, registry, |glance| {
        let at = glance.at;
        if let Some(windows) = &mut windows {
            windows.look(glance);
        }
        progress.update(at.as_secs_f64(), whole.as_secs_f64(), || {
            format!(
                "{} of {whole} simulated",
                measure(at.as_secs_f64(), Quantity::In("s"))
            )
        });
        if interrupt::asked() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    progress.finish();
    let outcome = outcome.map_err(|error| explain(&error, scenario))?;
    Ok((outcome, progress.watch()))
}

/// Why a run gave no result, as the user sees it.
pub(crate) fn explain(error: &RunError, scenario: &Scenario) -> Failure {
    match error {
        RunError::Interrupted { at } => interrupted(*at, scenario),
        RunError::NotConserved { .. } => Failure::fault(error.to_string()),
        RunError::Controller(_) => Failure::refused(
            format!("{}: {error}", scenario.name),
            "`ackclock list controllers` lists them",
        ),
    }
}

fn interrupted(at: Time, scenario: &Scenario) -> Failure {
    Failure::refused(
        format!(
            "interrupted at {} of {} of simulated time",
            measure(at.as_secs_f64(), Quantity::In("s")),
            scenario.duration
        ),
        "nothing was written; `--set duration=…` makes the run shorter",
    )
}

fn tell_speed(outcome: &Outcome, watch: Stopwatch) {
    let processor = watch.processor_elapsed().as_secs_f64();
    let packets = outcome.summary.packets_delivered;
    let speed = if processor > 0.0 {
        format!(
            ", {} packets per CPU second",
            count((packets as f64 / processor) as u64)
        )
    } else {
        String::new()
    };
    output::note(&format!(
        "{} packets delivered in {}{speed}",
        count(packets),
        wall_time(watch.elapsed())
    ));
}
