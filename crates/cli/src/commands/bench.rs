//! `ackclock bench`: delivered data packets per CPU second, and peak memory.
//!
//! The workloads are the scenarios under `bench/`. Each runs in a process of its own, so that its
//! peak memory is its own.

mod instructions;

use std::ops::ControlFlow;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use clap::Args;
use experiments::run_with_progress;
use experiments::scenario::{Document, nearest};
use serde::{Deserialize, Serialize};

use crate::interrupt;
use crate::machine::{Stopwatch, peak_memory_bytes};
use crate::output::{self, Failure};
use crate::progress::Progress;
use crate::registry;
use crate::scenarios;
use crate::table::{Quantity, Table, bytes};
use experiments::gallery::{self, INCLUDED, Included};

/// Arguments of `bench`.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "switches, each on or off")]
pub(crate) struct Arguments {
    /// The workloads, e.g. `w2 w3`; `--list` names them [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Lists the workloads and measures nothing
    #[arg(long, conflicts_with_all = ["instructions", "gate"])]
    list: bool,
    /// Runs each so often and keeps the fastest: other work on the machine only ever slows it
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Counts processor instructions for each packet under valgrind, instead of time: the number
    /// does not depend on what else the machine does
    #[arg(long)]
    instructions: bool,
    /// With --instructions: fails where a workload takes more than it may
    #[arg(long, requires = "instructions", conflicts_with = "json")]
    gate: bool,
    /// Prints the measurements as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Measures one workload in this process: what the command starts for each
    #[arg(long, hide = true)]
    here: bool,
    /// With --here: runs it for this long instead of as long as its file says
    #[arg(long, hide = true, value_name = "TIME")]
    duration: Option<String>,
}

/// One workload's measurements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Workload {
    name: String,
    flows: u64,
    packets_delivered: u64,
    /// From the scenario's text to the end of the run, summary included.
    cpu_s: f64,
    packets_per_cpu_s: f64,
    events: u64,
    /// The part of `cpu_s` before the first event: reading the scenario and building the network.
    setup_s: f64,
    /// Of the whole process; none where the system does not say.
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct Report<W> {
    workloads: Vec<W>,
}

/// A workload that can be measured.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    summary: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let names = chosen(&arguments.names)?;
    if arguments.here {
        return output::print_json(&measure(names[0], arguments.duration.as_deref())?);
    }
    if arguments.list {
        return list(&names, arguments.json);
    }
    interrupt::listen();
    if arguments.instructions {
        let names = if arguments.names.is_empty() {
            Vec::new()
        } else {
            names
        };
        return instructions::run(&names, arguments);
    }
    let names = fitting(names, &arguments.names)?;
    let runs = (names.len() * arguments.repeat as usize) as f64;
    let mut progress = Progress::start();
    let mut workloads: Vec<Workload> = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let mut fastest: Option<Workload> = None;
        for repeat in 0..arguments.repeat {
            let done = number * arguments.repeat as usize + repeat as usize;
            progress.update(done as f64, runs, || {
                format!("{name}, run {} of {}", repeat + 1, arguments.repeat)
            });
            let measured = measure_apart(name)?;
            fastest = Some(match fastest {
                Some(before) => faster(before, measured)?,
                None => measured,
            });
        }
        workloads.extend(fastest);
    }
    progress.finish();
    if arguments.json {
        return output::print_json(&Report { workloads });
    }
    output::print(&table(&workloads, output::colour(&std::io::stdout())))
}

/// Those of the workloads that the memory left on this machine can hold. One that was asked for by
/// name is refused instead of left out.
fn fitting(names: Vec<&'static str>, asked: &[String]) -> Result<Vec<&'static str>, Failure> {
    let registry = registry();
    let mut fit = Vec::new();
    for name in names {
        let scenario = document(name, None)?
            .check(registry)
            .map_err(|error| scenarios::explain(&error))?;
        match scenarios::fits_in_memory(&scenario) {
            Ok(()) => fit.push(name),
            Err(_) if asked.is_empty() => output::note(&format!(
                "{name} is left out: there is not enough memory left for it"
            )),
            Err(refused) => return Err(refused),
        }
    }
    Ok(fit)
}

/// Prints what each workload is.
fn list(names: &[&'static str], json: bool) -> Result<(), Failure> {
    let workloads: Vec<Listed> = names
        .iter()
        .map(|name| Listed {
            name,
            summary: gallery::description(included(name)),
        })
        .collect();
    if json {
        return output::print_json(&Report { workloads });
    }
    let mut table = Table::default();
    table.words("workload", workloads.iter().map(|it| it.name.to_owned()));
    table.words("what it is", workloads.into_iter().map(|it| it.summary));
    let mut text = String::new();
    table.write(&mut text, output::colour(&std::io::stdout()));
    output::print(&text)
}

/// The workloads asked for, by the names they have.
fn chosen(asked: &[String]) -> Result<Vec<&'static str>, Failure> {
    let all: Vec<&'static str> = INCLUDED
        .iter()
        .filter_map(|included| included.name.strip_prefix(FOLDER))
        .collect();
    if asked.is_empty() {
        return Ok(all);
    }
    asked
        .iter()
        .map(|name| {
            let plain = name.strip_prefix(FOLDER).unwrap_or(name);
            all.iter()
                .find(|known| **known == plain)
                .copied()
                .ok_or_else(|| {
                    let hint = match nearest(plain, all.iter().copied()) {
                        Some(near) => format!("did you mean {near}? There is: {}", all.join(", ")),
                        None => format!("there is: {}", all.join(", ")),
                    };
                    Failure::refused(format!("no workload is named \"{name}\""), hint)
                })
        })
        .collect()
}

/// The scenario of a workload.
fn included(name: &str) -> &'static Included {
    gallery::find(&format!("{FOLDER}{name}")).expect("only known names are chosen")
}

/// Its text, read, with another duration if one is given.
fn document(name: &str, duration: Option<&str>) -> Result<Document, Failure> {
    let refused = |error| scenarios::explain(&error);
    let included = included(name);
    let mut document = Document::parse(included.text, included.name).map_err(refused)?;
    if let Some(duration) = duration {
        document.set("duration", duration).map_err(refused)?;
    }
    Ok(document)
}

/// Measures a workload in a process of its own.
fn measure_apart(name: &str) -> Result<Workload, Failure> {
    let started = std::env::current_exe().and_then(|program| {
        Command::new(program)
            .args(["bench", "--here", name])
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
    });
    let done =
        started.map_err(|error| Failure::fault(format!("{name}: no process for it: {error}")))?;
    measured(name, &done)
}

/// What the process that measured a workload says.
fn measured(name: &str, done: &Output) -> Result<Workload, Failure> {
    if interrupt::asked() {
        return Err(Failure::refused(
            format!("interrupted while measuring {name}"),
            "name single workloads, such as `ackclock bench w1`, to measure less",
        ));
    }
    if !done.status.success() {
        return Err(Failure::fault(format!(
            "{name}: its process ended with {}",
            done.status
        )));
    }
    serde_json::from_slice(&done.stdout)
        .map_err(|error| Failure::fault(format!("{name}: its process wrote no result: {error}")))
}

/// Measures a workload in this process.
fn measure(name: &str, duration: Option<&str>) -> Result<Workload, Failure> {
    let registry = registry();
    let watch = Stopwatch::start();
    let scenario = document(name, duration)?
        .check(registry)
        .map_err(|error| scenarios::explain(&error))?;
    scenarios::fits_in_memory(&scenario)?;
    let mut setup = None;
    let outcome = run_with_progress(&scenario, registry, |_| {
        setup.get_or_insert_with(|| watch.processor_elapsed());
        ControlFlow::Continue(())
    })
    .map_err(|error| super::run::explain(&error, &scenario))?;
    let cpu_s = watch.processor_elapsed().as_secs_f64();
    let summary = &outcome.summary;
    let packets = summary.packets_delivered;
    Ok(Workload {
        name: name.to_owned(),
        flows: summary.flows.len() as u64,
        packets_delivered: packets,
        cpu_s,
        packets_per_cpu_s: packets as f64 / cpu_s.max(1e-9),
        events: summary.events,
        setup_s: setup.map_or(0.0, |setup: Duration| setup.as_secs_f64()),
        peak_memory_bytes: peak_memory_bytes(),
    })
}

/// The faster of two measurements of one workload, which must have done the same.
fn faster(one: Workload, other: Workload) -> Result<Workload, Failure> {
    if (one.packets_delivered, one.events) != (other.packets_delivered, other.events) {
        return Err(Failure::fault(format!(
            "two runs of {} gave different results",
            one.name
        )));
    }
    Ok(if other.cpu_s < one.cpu_s { other } else { one })
}

fn table(workloads: &[Workload], bold: bool) -> String {
    let mut table = Table::default();
    table.words(
        "workload",
        workloads.iter().map(|workload| workload.name.clone()),
    );
    table.counts("flows", workloads.iter().map(|workload| workload.flows));
    table.counts(
        "packets delivered",
        workloads.iter().map(|workload| workload.packets_delivered),
    );
    let times = workloads.iter().map(|workload| Some(workload.cpu_s));
    table.measures("CPU", Quantity::In("s"), times);
    table.counts(
        "packets per CPU second",
        workloads
            .iter()
            .map(|workload| workload.packets_per_cpu_s as u64),
    );
    let setups = workloads.iter().map(|workload| Some(workload.setup_s));
    table.measures("of which set-up", Quantity::In("s"), setups);
    table.counts("events", workloads.iter().map(|workload| workload.events));
    let memory = |workload: &Workload| workload.peak_memory_bytes.map_or("-".to_owned(), bytes);
    table.numbers("peak memory", workloads.iter().map(memory));
    let mut text = String::new();
    table.write(&mut text, bold);
    text
}

/// Where the workloads' scenario files are.
const FOLDER: &str = "bench/";

#[cfg(test)]
mod tests {
    use super::*;

    fn workload(cpu_s: f64, events: u64) -> Workload {
        Workload {
            name: "w".to_owned(),
            flows: 1,
            packets_delivered: 10,
            cpu_s,
            packets_per_cpu_s: 10.0 / cpu_s,
            events,
            setup_s: 0.1,
            peak_memory_bytes: None,
        }
    }

    #[test]
    fn the_fastest_run_counts_and_all_must_have_done_the_same() {
        assert_eq!(
            faster(workload(2.0, 5), workload(1.0, 5)).unwrap().cpu_s,
            1.0
        );
        assert_eq!(
            faster(workload(1.0, 5), workload(2.0, 5)).unwrap().cpu_s,
            1.0
        );
        assert!(faster(workload(1.0, 5), workload(1.0, 6)).is_err());
    }
}
