//! `ackclock explain`: what a name stands for, its parameters, defaults, units and source.

use std::fmt::Write as _;

use clap::Args;
use experiments::catalogue::Entry;
use experiments::gallery;
use experiments::metrics::Part;
use experiments::scenario::nearest;
use papers::{PAPERS, Paper};
use serde::Serialize;

use super::list::{KEYS, Listing, METRICS, kinds};
use crate::output::{self, Failure};
use crate::table::wrap;

/// Arguments of `explain`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// A name from `ackclock list`, e.g. `gaimd`, `red`, `packet_size`, `dsl`; a path such as
    /// `topology.bottleneck.rate`, `controllers/gaimd`, `gaimd/5`; a metric such as `goodput_bps`
    #[arg(value_name = "NAME")]
    name: String,
    /// Prints the explanation as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// All that a name stands for: one name can be a controller and a recovery.
#[derive(Serialize)]
struct Explanation {
    name: String,
    entries: Vec<Entry>,
    /// The paper of that name, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    paper: Option<PaperExplained>,
    /// The text of the scenario file of that name, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    scenario: Option<&'static str>,
}

#[derive(Serialize)]
struct PaperExplained {
    title: &'static str,
    authors: &'static str,
    summary: &'static str,
    figures: Vec<FigureExplained>,
    claims: Vec<ClaimExplained>,
}

#[derive(Serialize)]
struct FigureExplained {
    id: &'static str,
    title: &'static str,
    shows: &'static str,
}

#[derive(Serialize)]
struct ClaimExplained {
    id: &'static str,
    figures: &'static [&'static str],
    statement: &'static str,
    rule: &'static str,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let explanation = explain(&arguments.name)?;
    if arguments.json {
        return output::print_json(&explanation);
    }
    output::print(&text(&explanation))
}

fn explain(name: &str) -> Result<Explanation, Failure> {
    let kinds = kinds();
    let is_meant = |entry: &&Entry| {
        let (kind, plain) = name.split_once('/').unzip();
        entry.name == name
            || (entry.category == KEYS && full_name(entry) == name)
            || (entry.category == METRICS && is_column(entry, name))
            || (kind == Some(entry.category) && plain == Some(entry.name.as_str()))
    };
    let all = || kinds.iter().flat_map(|kind: &Listing| &kind.entries);
    let mut entries: Vec<Entry> = all().filter(is_meant).cloned().collect();
    if entries.is_empty() {
        if let Some(part) = part_of_paper(name) {
            return Ok(part);
        }
        // A key with all tables that lead to it: `topology.bottleneck.rate`.
        if let Some((_, key)) = name.rsplit_once('.') {
            let is_key = |entry: &&Entry| entry.category == KEYS && entry.name == key;
            entries = all().filter(is_key).cloned().collect();
            narrow(&mut entries, name);
        }
    }
    if entries.is_empty() {
        let near = nearest(name, all().map(|entry| entry.name.as_str()));
        let hint = near.map_or_else(
            || "`ackclock list` lists all names".to_owned(),
            |near| format!("did you mean {near}? `ackclock list` lists all names"),
        );
        return Err(Failure::refused(
            format!("there is nothing named \"{name}\""),
            hint,
        ));
    }
    Ok(Explanation {
        name: name.to_owned(),
        entries,
        paper: PAPERS
            .iter()
            .find(|paper| paper.name == name)
            .map(explain_paper),
        scenario: gallery::find(name).map(|included| included.text),
    })
}

/// Of keys with the same name, those whose table the path names.
fn narrow(entries: &mut Vec<Entry>, path: &str) {
    let tables: Vec<&str> = path.split('.').rev().skip(1).collect();
    let named = |entry: &Entry| {
        let mut words = entry.place.split_whitespace();
        words.any(|word| tables.contains(&word))
            || tables.contains(&"flows") && entry.place.starts_with("flow")
            || tables.contains(&"bottleneck") && entry.place.contains("link")
    };
    if entries.iter().any(named) {
        entries.retain(named);
    }
}

/// Whether a metric's column is meant: `flows.tcp.goodput_bps`.
fn is_column(entry: &Entry, name: &str) -> bool {
    let known = experiments::metrics::named(name);
    known.is_some_and(|known| {
        let part = known.part.name();
        known.metric.name == entry.name
            && (entry.place == entry.name) == (known.part == Part::Total)
            && (known.part == Part::Total || entry.place.starts_with(part))
    })
}

/// A figure or a claim of a paper: `gaimd/5`.
fn part_of_paper(name: &str) -> Option<Explanation> {
    let (paper, id) = name.split_once('/')?;
    let paper = PAPERS.iter().find(|known| known.name == paper)?;
    let mut explained = explain_paper(paper);
    explained.figures.retain(|figure| figure.id == id);
    let of_figure = |claim: &ClaimExplained| claim.id == id || claim.figures.contains(&id);
    explained.claims.retain(of_figure);
    (!explained.figures.is_empty() || !explained.claims.is_empty()).then(|| Explanation {
        name: paper.name.to_owned(),
        entries: Vec::new(),
        paper: Some(explained),
        scenario: None,
    })
}

fn explain_paper(paper: &Paper) -> PaperExplained {
    let figures = paper.figures.iter().map(|figure| FigureExplained {
        id: figure.id,
        title: figure.title,
        shows: figure.shows,
    });
    let claims = paper.claims.iter().map(|claim| ClaimExplained {
        id: claim.id,
        figures: claim.figures,
        statement: claim.statement,
        rule: claim.rule,
    });
    PaperExplained {
        title: paper.title,
        authors: paper.authors,
        summary: paper.summary,
        figures: figures.collect(),
        claims: claims.collect(),
    }
}

/// A key with its table: `red queue.limit`.
fn full_name(entry: &Entry) -> String {
    format!("{}.{}", entry.place, entry.name)
}

fn text(explanation: &Explanation) -> String {
    let mut text = String::new();
    for entry in &explanation.entries {
        if !text.is_empty() {
            text.push('\n');
        }
        write_entry(&mut text, entry);
    }
    if let Some(paper) = &explanation.paper {
        write_paper(&mut text, &explanation.name, paper);
    }
    if let Some(scenario) = explanation.scenario {
        let _ = write!(text, "\n{scenario}");
    }
    text
}

fn write_entry(text: &mut String, entry: &Entry) {
    let Entry {
        name,
        category,
        place,
        ..
    } = entry;
    let _ = match *category {
        KEYS if place.is_empty() => writeln!(text, "{name}: a key of scenario files"),
        KEYS => writeln!(text, "{name}: a key of scenario files, in: {place}"),
        METRICS => writeln!(text, "{name}: a metric, in the column {place}"),
        "papers" | "scenarios" => writeln!(text, "{name}: one of the {category}"),
        _ => writeln!(text, "{name}: one of the {category}, for the key `{place}`"),
    };
    wrap(text, &entry.summary, "  ");
    if !entry.source.is_empty() {
        wrap(text, &format!("Source: {}", entry.source), "  ");
    }
    for parameter in &entry.parameters {
        text.push('\n');
        let unit = if parameter.unit.is_empty() {
            String::new()
        } else {
            format!(", in {}", parameter.unit)
        };
        wrap(
            text,
            &format!("{}: {}{unit}", parameter.name, parameter.kind),
            "  ",
        );
        wrap(text, &format!("Default: {}", parameter.default), "      ");
        // What a key does has been said.
        if *category != KEYS {
            wrap(text, &parameter.doc, "      ");
        }
    }
}

fn write_paper(text: &mut String, name: &str, paper: &PaperExplained) {
    wrap(text, &format!("By {}", paper.authors), "  ");
    wrap(text, paper.summary, "  ");
    for figure in &paper.figures {
        let _ = writeln!(text);
        wrap(
            text,
            &format!("{name}/{}: {}", figure.id, figure.title),
            "  ",
        );
        wrap(text, figure.shows, "      ");
    }
    for claim in &paper.claims {
        let _ = writeln!(text);
        wrap(
            text,
            &format!("Claim {}: {}", claim.id, claim.statement),
            "  ",
        );
        wrap(text, &format!("Rule: {}", claim.rule), "      ");
    }
}
