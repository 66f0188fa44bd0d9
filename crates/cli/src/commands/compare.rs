//! `ackclock compare`: the same scenario under several controllers: who gets what, with intervals.

mod page;

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use experiments::Registry;
use experiments::scenario::{Protocol, Record, Scenario};
use experiments::simulation::Outcome;
use experiments::summary::Summary;
use results::spoken::spoken;
use serde::Serialize;

use crate::output::{self, Failure};
use crate::registry;
use crate::repeat::{Estimate, run_all, with_seeds};
use crate::scenarios::{self, ScenarioArguments};
use crate::table::{Quantity, Table, measure};

/// Arguments of `compare`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    scenario: ScenarioArguments,
    /// The controllers, with parameters after slashes: `reno,gaimd/alpha=0.31/beta=0.875`
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    controllers: Vec<String>,
    /// Changes the controller of these groups only; may be repeated [default: all groups of TCP]
    #[arg(long, value_name = "LABEL")]
    group: Vec<String>,
    /// Runs with so many seeds
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    seeds: u16,
    /// Runs at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Writes a page with the windows of all of them in one chart to this folder [default: none]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Prints the comparison as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What is compared.
#[derive(Clone, Debug, Serialize)]
struct Compared {
    /// The scenario's name.
    scenario: String,
    /// How many seeds each mean is over.
    seeds: u16,
    /// The controllers, in the order given.
    controllers: Vec<Row>,
}

/// What the flows got with one controller. Means over the seeds.
#[derive(Clone, Debug, Serialize)]
struct Row {
    /// The controller with its parameters.
    name: String,
    /// Goodput of all flows.
    goodput_bps: Option<Estimate>,
    /// Median of what the round trips of the flows were above the least.
    queue_ms_p50: Option<Estimate>,
    /// The 95th percentile of the same.
    queue_ms_p95: Option<Estimate>,
    /// Part of the data packets sent that queues refused or loss models took.
    loss: Option<Estimate>,
    /// Jain's index over the goodputs of all flows.
    jain: Option<Estimate>,
}

/// What is compared of a run, which way is better, and how it is written.
struct Measure {
    name: &'static str,
    quantity: Quantity,
    more_is_better: bool,
    of: fn(&Row) -> Option<Estimate>,
}

const MEASURES: [Measure; 5] = [
    Measure {
        name: "goodput",
        quantity: Quantity::Rate,
        more_is_better: true,
        of: |row| row.goodput_bps,
    },
    Measure {
        name: "queueing, median",
        quantity: Quantity::In("ms"),
        more_is_better: false,
        of: |row| row.queue_ms_p50,
    },
    Measure {
        name: "queueing, 95 %",
        quantity: Quantity::In("ms"),
        more_is_better: false,
        of: |row| row.queue_ms_p95,
    },
    Measure {
        name: "loss",
        quantity: Quantity::Share,
        more_is_better: false,
        of: |row| row.loss,
    },
    Measure {
        name: "Jain's index",
        quantity: Quantity::Plain,
        more_is_better: true,
        of: |row| row.jain,
    },
];

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let registry = registry();
    let given = arguments.controllers.iter().map(|given| choice(given));
    let choices: Vec<String> = given.collect();
    let mut runs = Vec::new();
    for choice in &choices {
        let mut scenario = with_controller(arguments, choice, registry)?;
        if arguments.out.is_some() && scenario.record.is_none_or(|record| record.every.is_none()) {
            scenario.record = Some(Record {
                every: Some(scenario.duration / SAMPLES),
                events: false,
            });
        } else if arguments.out.is_none() {
            scenario.record = None;
        }
        let mut seeded = with_seeds(&scenario, arguments.seeds);
        // One run of each is drawn; the others need no series.
        seeded.iter_mut().skip(1).for_each(|run| run.record = None);
        runs.extend(seeded);
    }
    let outcomes = run_all(&runs, registry, arguments.jobs)?;
    let of_each: Vec<&[Outcome]> = outcomes.chunks(arguments.seeds.into()).collect();
    let rows = choices.iter().zip(&of_each);
    let compared = Compared {
        scenario: runs[0].name.clone(),
        seeds: arguments.seeds,
        controllers: rows
            .map(|(choice, runs)| row(spoken(choice), runs))
            .collect(),
    };
    if let Some(folder) = &arguments.out {
        let drawn: Vec<&Outcome> = of_each.iter().map(|runs| &runs[0]).collect();
        page::write(folder, &compared, &drawn)?;
    }
    if arguments.json {
        return output::print_json(&compared);
    }
    output::print(&text(&compared, output::colour(&std::io::stdout())))
}

/// A controller on the command line as a value of a scenario file.
fn choice(given: &str) -> String {
    let mut parts = given.split('/');
    let name = parts.next().unwrap_or_default();
    let parameters: Vec<String> = parts
        .map(|part| match part.split_once('=') {
            Some((key, value)) if value.parse::<f64>().is_ok() => format!(", {key} = {value}"),
            Some((key, value @ ("true" | "false"))) => format!(", {key} = {value}"),
            Some((key, value)) => format!(", {key} = \"{value}\""),
            None => format!(", {part} = true"),
        })
        .collect();
    if parameters.is_empty() {
        format!("\"{name}\"")
    } else {
        format!("{{ name = \"{name}\"{} }}", parameters.concat())
    }
}

/// The scenario with this controller for the groups that are to have it.
fn with_controller(
    arguments: &Arguments,
    choice: &str,
    registry: &Registry,
) -> Result<Scenario, Failure> {
    let mut document = arguments.scenario.document(None)?;
    let explain = |error| scenarios::explain(&error);
    let scenario = document.check(registry).map_err(explain)?;
    let named = |label: &String| arguments.group.is_empty() || arguments.group.contains(label);
    let chosen = scenario.flows.iter().filter(|group| {
        named(&group.label)
            && (!arguments.group.is_empty() || matches!(group.protocol, Protocol::Tcp(_)))
    });
    let labels: Vec<&str> = chosen.map(|group| group.label.as_str()).collect();
    if labels.is_empty() {
        let all: Vec<&str> = scenario
            .flows
            .iter()
            .map(|one| one.label.as_str())
            .collect();
        return Err(Failure::refused(
            "no group of flows takes the controllers".to_owned(),
            format!(
                "the scenario's groups: {}; name some with --group",
                all.join(", ")
            ),
        ));
    }
    for label in labels {
        let key = format!("flows.\"{label}\".controller");
        document
            .set_by("--controllers", &key, choice)
            .map_err(explain)?;
    }
    document.check(registry).map_err(explain)
}

/// The means of one controller's runs.
fn row(name: String, runs: &[Outcome]) -> Row {
    let of = |value: &dyn Fn(&Summary) -> Option<f64>, greatest: f64| {
        let values = runs.iter().filter_map(|run| value(&run.summary));
        Estimate::of(values, (0.0, greatest))
    };
    let queueing = |run: &Summary| run.queueing_delay_ms;
    Row {
        name,
        goodput_bps: of(&|run| Some(run.goodput_bps), f64::INFINITY),
        queue_ms_p50: of(&|run| Some(queueing(run)?.p50), f64::INFINITY),
        queue_ms_p95: of(&|run| Some(queueing(run)?.p95), f64::INFINITY),
        loss: of(&|run| lost(run), 1.0),
        jain: of(&|run| run.jain, 1.0),
    }
}

fn lost(run: &Summary) -> Option<f64> {
    let sent = run.packets_sent as f64;
    (sent > 0.0).then(|| (run.drops + run.lost) as f64 / sent)
}

fn text(compared: &Compared, bold: bool) -> String {
    let mut text = format!(
        "{}, {}\n\n",
        compared.scenario,
        match compared.seeds {
            1 => "one seed".to_owned(),
            seeds => format!("means over {seeds} seeds, with 95 % intervals"),
        }
    );
    let mut table = Table::default();
    let rows = &compared.controllers;
    table.words("controller", rows.iter().map(|row| row.name.clone()));
    for measured in &MEASURES {
        let cells = rows.iter().map(|row| match (measured.of)(row) {
            None => "-".to_owned(),
            Some(estimate) => written(&estimate, measured.quantity),
        });
        table.numbers(measured.name, cells);
    }
    table.write(&mut text, bold);
    text.push('\n');
    for line in verdicts(compared) {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// A mean with half the width of its interval.
fn written(estimate: &Estimate, quantity: Quantity) -> String {
    let mean = measure(estimate.mean, quantity);
    match (estimate.low, estimate.high) {
        (Some(low), Some(high)) if high > low => {
            format!("{mean} ± {}", measure((high - low) / 2.0, quantity))
        }
        _ => mean,
    }
}

/// Who wins where: best by each measure, if its interval is apart from all others.
fn verdicts(compared: &Compared) -> Vec<String> {
    let verdict = |measured: &Measure| {
        let rows = compared.controllers.iter();
        let mut known: Vec<(&str, Estimate)> = rows
            .filter_map(|row| Some((row.name.as_str(), (measured.of)(row)?)))
            .collect();
        known.sort_by(|(_, a), (_, b)| a.mean.total_cmp(&b.mean));
        if measured.more_is_better {
            known.reverse();
        }
        let ((name, best), others) = known.split_first()?;
        let apart = others.iter().all(|(_, other)| best.is_apart_from(other));
        let kind = if measured.more_is_better {
            "most"
        } else {
            "least"
        };
        (!others.is_empty()).then(|| {
            if apart {
                format!("{}: {kind} with {name}", measured.name)
            } else {
                format!("{}: no clear winner", measured.name)
            }
        })
    };
    MEASURES.iter().filter_map(verdict).collect()
}

/// Of a chart of windows, where the scenario records nothing.
const SAMPLES: u64 = 600;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_controller_is_named_with_its_parameters() {
        for (given, value) in [
            ("reno", "\"reno\""),
            (
                "gaimd/alpha=0.31/beta=0.875",
                "{ name = \"gaimd\", alpha = 0.31, beta = 0.875 }",
            ),
            (
                "smooth/ecn/slow_start_signal=both",
                "{ name = \"smooth\", ecn = true, slow_start_signal = \"both\" }",
            ),
        ] {
            assert_eq!(choice(given), value);
        }
    }

    #[test]
    fn a_winner_is_apart_from_all_others() {
        let row = |name: &str, goodput: (f64, f64, f64)| Row {
            name: name.to_owned(),
            goodput_bps: Some(Estimate {
                mean: goodput.0,
                low: Some(goodput.1),
                high: Some(goodput.2),
            }),
            queue_ms_p50: None,
            queue_ms_p95: None,
            loss: None,
            jain: None,
        };
        let of = |rows: Vec<Row>| {
            verdicts(&Compared {
                scenario: "x".to_owned(),
                seeds: 2,
                controllers: rows,
            })
        };
        let apart = of(vec![row("a", (1.0, 0.9, 1.1)), row("b", (2.0, 1.9, 2.1))]);
        assert_eq!(apart, ["goodput: most with b"]);
        let joined = of(vec![row("a", (1.0, 0.0, 2.0)), row("b", (2.0, 1.9, 2.1))]);
        assert_eq!(joined, ["goodput: no clear winner"]);
    }
}
