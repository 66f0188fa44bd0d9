//! `ackclock list`: what there is to choose from.

use std::fmt::Write as _;

use clap::Args;
use experiments::catalogue::{self, CATEGORIES, Entry};
use experiments::metrics::{Metric, Part, column};
use experiments::scenario::nearest;
use papers::PAPERS;
use serde::Serialize;

use crate::output::{self, Failure};
use crate::registry;
use crate::table::Table;
use experiments::gallery::{self, INCLUDED, Included};

/// Arguments of `list`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// What to list, e.g. `controllers`, `queues`, `keys`, `papers`, `scenarios` [default: the
    /// kinds there are, with their names]
    #[arg(value_name = "KIND")]
    kind: Option<String>,
    /// Prints the list as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A kind of thing and the things of that kind.
#[derive(Debug, Serialize)]
pub(super) struct Listing {
    /// Its name: a plural.
    pub(super) kind: &'static str,
    pub(super) summary: &'static str,
    pub(super) entries: Vec<Entry>,
}

#[derive(Serialize)]
struct Names {
    kinds: Vec<KindNames>,
}

#[derive(Serialize)]
struct KindNames {
    kind: &'static str,
    summary: &'static str,
    names: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let kinds = kinds();
    let Some(name) = &arguments.kind else {
        return overview(&kinds, arguments.json);
    };
    let Some(kind) = kinds.iter().find(|kind| kind.kind == name) else {
        let names: Vec<_> = kinds.iter().map(|kind| kind.kind).collect();
        let near = nearest(name, names.iter().copied());
        let near = near.map_or_else(String::new, |near| format!("did you mean {near}? "));
        return Err(Failure::refused(
            format!("there are no \"{name}\" to list"),
            format!("{near}There are: {}", names.join(", ")),
        ));
    };
    if arguments.json {
        return output::print_json(kind);
    }
    let mut text = String::new();
    table(kind).write(&mut text, output::colour(&std::io::stdout()));
    output::print(&text)
}

/// Everything there is.
pub(super) fn kinds() -> Vec<Listing> {
    let mut entries = catalogue::entries(registry());
    let mut kinds: Vec<Listing> = CATEGORIES
        .iter()
        .map(|category| Listing {
            kind: category.name,
            summary: category.summary,
            entries: entries
                .extract_if(.., |entry| entry.category == category.name)
                .collect(),
        })
        .collect();
    let papers = PAPERS
        .iter()
        .map(|paper| entry("papers", paper.name, paper.title));
    // Those of the benchmarks come last: they show nothing.
    let (bench, gallery): (Vec<&Included>, Vec<&Included>) = INCLUDED
        .iter()
        .partition(|included| included.name.contains('/'));
    let included = gallery
        .into_iter()
        .chain(bench)
        .map(|included| entry("scenarios", included.name, &gallery::description(included)));
    let metrics = Part::ALL.into_iter().flat_map(|part| {
        let metrics = part.metrics().iter();
        metrics.map(move |metric| metric_entry(part, metric))
    });
    kinds.push(Listing {
        kind: METRICS,
        summary: "What a run is measured by: columns of a sweep",
        entries: metrics.collect(),
    });
    kinds.push(Listing {
        kind: "papers",
        summary: "Published papers to reproduce",
        entries: papers.collect(),
    });
    kinds.push(Listing {
        kind: "scenarios",
        summary: "Scenario files that come with ackclock",
        entries: included.collect(),
    });
    kinds
}

/// A metric, by the name of its column.
fn metric_entry(part: Part, metric: &Metric) -> Entry {
    let of = match part {
        Part::Total => "",
        Part::Flows => "LABEL",
        Part::Links => "NAME",
    };
    let unit = match (metric.unit, metric.count) {
        ("", true) => "a count".to_owned(),
        ("", false) => "a number".to_owned(),
        (unit, _) => format!("in {unit}"),
    };
    Entry {
        place: column(part, of, metric.name),
        ..entry(METRICS, metric.name, &format!("{} ({unit})", metric.about))
    }
}

fn entry(category: &'static str, name: &str, summary: &str) -> Entry {
    Entry {
        category,
        name: name.to_owned(),
        summary: summary.to_owned(),
        source: String::new(),
        place: String::new(),
        parameters: Vec::new(),
    }
}

fn overview(kinds: &[Listing], json: bool) -> Result<(), Failure> {
    let names = |kind: &Listing| -> Vec<String> {
        kind.entries
            .iter()
            .map(|entry| entry.name.clone())
            .collect()
    };
    if json {
        let with_names = |kind: &Listing| KindNames {
            kind: kind.kind,
            summary: kind.summary,
            names: names(kind),
        };
        return output::print_json(&Names {
            kinds: kinds.iter().map(with_names).collect(),
        });
    }
    let shown = |kind: &Listing| {
        let names = names(kind);
        let some = names
            .iter()
            .take(NAMES_SHOWN)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        match names.len() - names.len().min(NAMES_SHOWN) {
            0 => some,
            more => format!("{some}, … {more} more"),
        }
    };
    let mut table = Table::default();
    table.words("kind", kinds.iter().map(|kind| kind.kind.to_owned()));
    table.words("what", kinds.iter().map(|kind| kind.summary.to_owned()));
    table.words("names", kinds.iter().map(shown));
    let mut text = String::new();
    table.write(&mut text, output::colour(&std::io::stdout()));
    let _ = writeln!(
        text,
        "\n`ackclock list KIND` says more about a kind, `ackclock explain NAME` about one of its names."
    );
    output::print(&text)
}

fn table(kind: &Listing) -> Table {
    let entries = &kind.entries;
    let mut table = Table::default();
    if kind.kind == METRICS {
        table.words("column", entries.iter().map(|entry| entry.place.clone()));
    }
    if kind.kind == KEYS {
        table.words("in", entries.iter().map(|entry| entry.place.clone()));
    }
    if kind.kind != METRICS {
        table.words("name", entries.iter().map(|entry| entry.name.clone()));
    }
    if kind.kind == KEYS {
        let default = |entry: &Entry| {
            entry
                .parameters
                .first()
                .map_or_else(String::new, |key| key.default.clone())
        };
        table.words("default", entries.iter().map(default));
    }
    table.words("what", entries.iter().map(|entry| entry.summary.clone()));
    table
}

/// The kind whose entries are keys of scenario files.
pub(super) const KEYS: &str = "keys";
/// The kind whose entries are metrics.
pub(super) const METRICS: &str = "metrics";
const NAMES_SHOWN: usize = 8;
