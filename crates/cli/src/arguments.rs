//! The command line: its commands, and its errors in our shape.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use experiments::scenario::nearest;

use crate::commands::{
    bench, check, compare, diff, explain, list, manual, new, plot, report, reproduce, run, schema,
    sweep, validate,
};
use crate::output::{self, Failure};

/// A laboratory for congestion control: simulate a controller, check it against the literature.
#[derive(Debug, Parser)]
#[command(
    name = "ackclock",
    version,
    disable_help_subcommand = false,
    after_help = AFTER_HELP,
    max_term_width = 100
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run one scenario
    Run(run::Arguments),
    /// Run every combination of a scenario's [sweep]; go on where it stopped
    Sweep(sweep::Arguments),
    /// Run one scenario under several controllers: who gets what, with intervals
    Compare(compare::Arguments),
    /// Say what changed between two runs or two sweeps; exit 1 beyond the intervals
    Diff(diff::Arguments),
    /// Check a scenario without running it
    Check(check::Arguments),
    /// Print the JSON Schema of scenario files, for editors
    Schema(schema::Arguments),
    /// List what there is: controllers, queues, protocols, papers, scenarios, …
    List(list::Arguments),
    /// Explain one of these: its parameters, defaults, units, source
    Explain(explain::Arguments),
    /// Run the published papers' figures and claims, and write the report
    Reproduce(reproduce::Arguments),
    /// Write a crate with a controller of your own, a scenario and a test
    New(new::Arguments),
    /// Draw a sweep's results: choose x, y, colour and facet
    Report(report::Arguments),
    /// Draw a figure for a paper from runs and sweeps: SVG, CSV or LaTeX
    Plot(plot::Arguments),
    /// Compare our results with the reference data kept in the project (ns-2.35)
    Validate(validate::Arguments),
    /// Measure the speed: delivered data packets per CPU second, peak memory
    Bench(bench::Arguments),
    /// Print what completes the commands in a shell: bash, zsh, fish, elvish, powershell
    Completions(manual::CompletionsArguments),
    /// Write the manual pages
    Manual(manual::Arguments),
}

impl Arguments {
    /// Whether errors go to stdout as JSON too.
    pub(crate) fn json(&self) -> bool {
        match &self.command {
            Command::Run(arguments) => arguments.json,
            Command::Sweep(arguments) => arguments.json,
            Command::Compare(arguments) => arguments.json,
            Command::Diff(arguments) => arguments.json,
            Command::Check(arguments) => arguments.json,
            Command::Schema(arguments) => arguments.json,
            Command::List(arguments) => arguments.json,
            Command::Explain(arguments) => arguments.json,
            Command::Reproduce(arguments) => arguments.json,
            Command::New(arguments) => arguments.json,
            Command::Report(arguments) => arguments.json,
            Command::Plot(arguments) => arguments.json,
            Command::Completions(_) | Command::Manual(_) => false,
            Command::Validate(arguments) => arguments.json,
            Command::Bench(arguments) => arguments.json,
        }
    }

    /// Does what the user asks.
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Run(arguments) => run::run(&arguments),
            Command::Sweep(arguments) => sweep::run(&arguments),
            Command::Compare(arguments) => compare::run(&arguments),
            Command::Diff(arguments) => diff::run(&arguments),
            Command::Check(arguments) => check::run(&arguments),
            Command::Schema(arguments) => schema::run(&arguments),
            Command::List(arguments) => list::run(&arguments),
            Command::Explain(arguments) => explain::run(&arguments),
            Command::Reproduce(arguments) => reproduce::run(&arguments),
            Command::New(arguments) => new::run(&arguments),
            Command::Report(arguments) => report::run(&arguments),
            Command::Plot(arguments) => plot::run(&arguments),
            Command::Completions(arguments) => manual::completions(&arguments),
            Command::Manual(arguments) => manual::pages(&arguments),
            Command::Validate(arguments) => validate::run(&arguments),
            Command::Bench(arguments) => bench::run(&arguments),
        }
    }
}

/// What the parser of the command line says, in our shape: help goes to stdout, an error becomes
/// one line and its hints. `words` is the command line.
pub(crate) fn explain_error(error: &clap::Error, words: &[OsString]) -> Result<(), Failure> {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            return if output::colour(&std::io::stdout()) {
                output::print(&error.render().ansi().to_string())
            } else {
                output::print(&text)
            };
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            return Err(Failure::refused(
                "no command is given",
                "`ackclock help` lists the commands",
            ));
        }
        _ => {}
    }
    let command = Arguments::command();
    let mut hints = Vec::new();
    if let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidSubcommand) {
        let names = command.get_subcommands().map(clap::Command::get_name);
        hints.extend(nearest(given, names).map(|near| format!("did you mean {near}?")));
    }
    // Paragraphs: the error, tips, the usage, and a pointer to the help.
    let mut message = String::new();
    for paragraph in text.split("\n\n").map(str::trim) {
        let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(error) = line.strip_prefix("error: ") {
            error.clone_into(&mut message);
        } else if let Some(usage) = line.strip_prefix("Usage: ") {
            hints.push(format!("usage: {usage}"));
        } else if line.starts_with("tip:") {
            // That an option could be meant as a value is hardly ever so.
            let tips = line.split("tip:").map(str::trim);
            let useful = tips.filter(|tip| !tip.is_empty() && !tip.starts_with("to pass"));
            hints.extend(useful.map(str::to_owned));
        }
    }
    let given = words.get(1).and_then(|word| command.find_subcommand(word));
    hints.push(match given {
        Some(given) => format!("`ackclock help {}` says more", given.get_name()),
        None => "`ackclock help` lists the commands".to_owned(),
    });
    Err(Failure::refused(message, hints.join("; ")))
}

const AFTER_HELP: &str = "\
Results go to stdout, all else to stderr. Exit code 0: done; 1: something is wrong with the input; \
2: something is wrong with ackclock. NO_COLOR turns colours off.

Examples:
  ackclock run scenarios/dsl.toml
  ackclock run dsl --set topology.bottleneck.rate=2Mbps --json
  ackclock sweep dsl
  ackclock explain gaimd
  ackclock reproduce gaimd/2 --quick";
