//! `ackclock sweep`: every combination of a scenario's `[sweep]`, resumable.

mod dask;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use experiments::Registry;
use experiments::metrics::{Moments, confidence_95};
use experiments::scenario::{Document, Scenario, check_memory};
use results::store::StoreError;
use results::sweep::{self, Earlier, MetricColumn, Options, Overview, RUNS, SweepError, Swept};
use serde::Serialize;
use units::Bytes;

use crate::interrupt;
use crate::machine::available_memory_bytes;
use crate::output::{self, Failure};
use crate::progress::Progress;
use crate::registry;
use crate::scenarios::{self, ScenarioArguments};
use crate::table::{Quantity, Table, count, wall_time};

/// Arguments of `sweep`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    scenario: ScenarioArguments,
    /// Where the results go; the same command with the same folder goes on where it was [default:
    /// out/sweep/ and the scenario's name]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Runs at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Runs on the Dask cluster behind this scheduler, such as `tcp://head:8786`, through the Python
    /// package; workers leave results in the folder [default: this machine runs]
    #[arg(long, value_name = "ADDRESS", conflicts_with = "jobs")]
    dask: Option<String>,
    /// Prints what was done as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What was done, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Done {
    /// Runs of the sweep, seeds counted: `run` and `skipped` together.
    points: u64,
    /// Runs done now.
    run: u64,
    /// Runs that were finished before.
    skipped: u64,
    /// Those of all of these that failed: they have no metrics.
    failed: u64,
    /// The folder.
    out: String,
    /// The data set.
    data: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let registry = registry();
    let document = arguments.scenario.document(None)?;
    let scenario = document
        .check(registry)
        .map_err(|error| scenarios::explain(&error))?;
    let folder = arguments
        .out
        .clone()
        .unwrap_or_else(|| Path::new("out/sweep").join(file_name(&scenario.name)));
    interrupt::listen();
    if let Some(address) = &arguments.dask {
        dask::run_on(address, &scenario, &folder)?;
    }
    let swept = run_sweep(&document, &folder, arguments.jobs, registry)
        .map_err(|error| explain(&error, &folder))?;
    if swept.interrupted {
        return Err(interrupted(&swept, &folder));
    }
    tell_failures(&swept);
    let data = folder.join(RUNS);
    if arguments.json {
        let at = &swept.description;
        return output::print_json(&Done {
            points: at.points,
            run: swept.run,
            skipped: swept.skipped,
            failed: at.failed,
            out: folder.display().to_string(),
            data: data.display().to_string(),
        });
    }
    let mut text = overview(&swept.overview, output::colour(&std::io::stdout()));
    let _ = writeln!(
        text,
        "The data set: {}\nThe charts: ackclock report {}",
        data.display(),
        output::shell_words(&[folder.as_os_str().to_owned()])
    );
    output::print(&text)
}

/// Runs what is missing, with a progress bar.
fn run_sweep(
    document: &Document,
    folder: &Path,
    jobs: Option<u16>,
    registry: &Registry,
) -> Result<Swept, SweepError> {
    let progress = Mutex::new(Progress::start());
    let started = |earlier: &Earlier| tell_earlier(earlier, folder);
    let tell = |at: sweep::Progress| {
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        let elapsed = progress.watch().elapsed().as_secs_f64();
        progress.update(at.work_done, at.work_total, || {
            let done = at.run + at.skipped;
            let mut text = format!(
                "{} of {} runs, {} left, {:.1} runs/s",
                count(done),
                count(at.points),
                count(at.points.saturating_sub(done)),
                at.run as f64 / elapsed
            );
            if at.failed > 0 {
                let _ = write!(text, ", {} failed", count(at.failed));
            }
            text
        });
    };
    let swept = sweep::sweep(
        document,
        folder,
        &Options {
            threads: jobs.map(usize::from),
            registry,
            interrupted: interrupt::flag(),
            admit: &|scenario| fits(scenario),
            started: &started,
            progress: &tell,
        },
    );
    let mut progress = progress
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    progress.finish();
    let swept = swept?;
    let elapsed = progress.watch().elapsed();
    let speed = swept.run as f64 / elapsed.as_secs_f64().max(1e-9);
    output::note(&format!(
        "{} runs in {}, {speed:.1} runs/s; {} were finished before",
        count(swept.run),
        wall_time(elapsed),
        count(swept.skipped)
    ));
    Ok(swept)
}

fn fits(scenario: &Scenario) -> Result<(), String> {
    let available = available_memory_bytes().unwrap_or(u64::MAX);
    check_memory(scenario, Bytes(available)).map_err(|error| error.to_string())
}

/// What was there when the sweep began, as far as it is worth a line.
fn tell_earlier(earlier: &Earlier, folder: &Path) {
    if earlier.torn_bytes > 0 {
        output::note("The last run of the log was not whole: it is done again.");
    }
    if let Some(text) = output::other_versions(&earlier.others, &folder.join("results")) {
        output::note(&text);
    }
    if let Some(path) = &earlier.set_aside {
        output::note(&format!("Its data set is kept as {}.", path.display()));
    }
    if earlier.finished > 0 {
        output::note(&format!(
            "{} of {} runs are finished already.",
            count(earlier.finished),
            count(earlier.points)
        ));
    }
}

fn tell_failures(swept: &Swept) {
    let at = &swept.description;
    if let Some(first) = at.errors.first() {
        output::note(&format!(
            "{} of {} runs failed; their rows say why in the column \"error\". The first: point {}, \
             seed {}: {}",
            count(at.failed),
            count(at.points),
            first.point,
            first.seed,
            first.error
        ));
    }
}

fn interrupted(swept: &Swept, folder: &Path) -> Failure {
    let at = &swept.description;
    let left = at.points.saturating_sub(at.done);
    let data = if at.done > 0 {
        format!("what is finished is in {}; ", folder.join(RUNS).display())
    } else {
        String::new()
    };
    Failure::refused(
        format!(
            "interrupted: {} of {} runs are finished, {} are left",
            count(at.done),
            count(at.points),
            count(left)
        ),
        format!("{data}the same command goes on with the rest"),
    )
}

/// The combinations with the most important metrics.
fn overview(overview: &Overview, bold: bool) -> String {
    let rows = &overview.rows;
    let mut table = Table::default();
    for (index, axis) in overview.axes.iter().enumerate() {
        let cells = rows.iter().map(|row| row.values[index].clone());
        table.words(axis, cells);
    }
    table.counts("runs", rows.iter().map(|row| row.runs));
    for (index, metric) in overview.metrics.iter().enumerate() {
        let of = |row: &results::sweep::OverviewRow| row.metrics[index];
        table.measures(
            &heading(metric),
            quantity(metric),
            rows.iter().map(|row| of(row).mean()),
        );
        if index == 0 {
            let widths = rows.iter().map(|row| relative_width(&of(row)));
            table.measures("± (95 %)", Quantity::Share, widths);
        }
    }
    let mut text = String::new();
    table.write(&mut text, bold);
    if overview.left_out > 0 {
        let _ = writeln!(text, "… and {} more combinations", count(overview.left_out));
    }
    text.push('\n');
    text
}

/// Half the width of the 95 % confidence interval over the mean.
fn relative_width(samples: &Moments) -> Option<f64> {
    let (half, mean) = (confidence_95(samples)?, samples.mean()?);
    (mean != 0.0).then(|| half / mean.abs())
}

/// Short: which link it is of goes without saying, since only the first one is shown.
fn heading(metric: &MetricColumn) -> String {
    let label = metric.label.split(" of ").next().unwrap_or_default();
    match metric.part.as_str() {
        "flows" => format!("{} {label}", metric.of),
        _ => label.to_owned(),
    }
}

fn quantity(metric: &MetricColumn) -> Quantity {
    match metric.unit.as_str() {
        "bps" => Quantity::Rate,
        "s" => Quantity::Time,
        "packets" => Quantity::In("packets"),
        _ if ["utilization", "drop_rate"].contains(&metric.name.as_str()) => Quantity::Share,
        _ => Quantity::Plain,
    }
}

/// The scenario's name as a name of a folder.
pub(crate) fn file_name(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let name: String = name
        .chars()
        .map(|c| if plain(c) { c } else { '-' })
        .collect();
    match name.trim_matches('.') {
        "" => "scenario".to_owned(),
        name => name.to_owned(),
    }
}

fn explain(error: &SweepError, folder: &Path) -> Failure {
    match error {
        SweepError::Scenario(error) => scenarios::explain(error),
        SweepError::NoSweep { .. } => Failure::refused(
            error.to_string(),
            "add [sweep] to the file, for example with flows.LABEL.count = [1, 4, 16] and seeds = 10",
        ),
        SweepError::NotASweep { .. } => Failure::refused(
            error.to_string(),
            "give --out another folder, such as one that is not there yet",
        ),
        SweepError::AnotherSweep { .. } => Failure::refused(
            error.to_string(),
            "give --out another folder, or remove this one",
        ),
        SweepError::Interrupted => {
            Failure::refused(error.to_string(), "the same command starts it again")
        }
        SweepError::Store(StoreError::Busy { .. }) => Failure::refused(
            error.to_string(),
            "wait for it, or give --out another folder",
        ),
        SweepError::Store(StoreError::Damaged { .. }) => Failure::refused(
            error.to_string(),
            "the same command runs again what is missing",
        ),
        SweepError::Threads(_) => Failure::refused(error.to_string(), "give a smaller --jobs"),
        SweepError::Parcel(_) => Failure::fault(error.to_string()),
        SweepError::Store(_) | SweepError::Files(_) | SweepError::Io { .. } => Failure::refused(
            error.to_string(),
            format!(
                "see whether {} may be written and the disk has room; what is finished is kept",
                folder.display()
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_cannot_lead_out_of_the_folder() {
        assert_eq!(file_name("dsl"), "dsl");
        assert_eq!(file_name("../my sweep"), "-my-sweep");
        assert_eq!(file_name(".."), "scenario");
    }

    /// 98, 100, 102: 4.303 × 2 / √3 = 4.969, of 100.
    #[test]
    fn the_width_is_relative_to_the_mean() {
        let mut moments = Moments::default();
        for sample in [98.0, 100.0, 102.0] {
            moments.add(sample);
        }
        assert!((relative_width(&moments).unwrap() - 0.04969).abs() < 1e-5);
    }
}
