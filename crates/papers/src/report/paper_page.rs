//! The page of a paper: each figure with its claims, parameters, data and the way to repeat it.

use results::page::{Block, Cell, Column, Link, Page, Table, VerdictCard};

use super::{DATA, INDEX, SCENARIOS, anchor, base_name, heading, scenario_name};
use crate::claim::with_unit;
use crate::data::Data;
use crate::paper::{Coordinate, Mode};
use crate::runner::{ClaimOutcome, FigureOutcome, PaperOutcome};

/// The page.
pub(super) fn page(outcome: &PaperOutcome, mode: Mode) -> Page {
    let paper = outcome.paper;
    let mut links = vec![Link::new("All papers", INDEX)];
    links.extend(outcome.figures.iter().map(|figure| {
        let text = format!("{}: {}", heading(figure.figure.id), figure.figure.title);
        Link::new(text, format!("#{}", anchor(figure)))
    }));
    let mut page = Page::new(paper.title, paper.authors)
        .with(Block::text(paper.summary))
        .with(Block::Links(links));
    for figure in &outcome.figures {
        page.blocks.extend(figure_blocks(outcome, figure, mode));
    }
    page
}

fn figure_blocks(outcome: &PaperOutcome, figure: &FigureOutcome, mode: Mode) -> Vec<Block> {
    let id = figure.figure.id;
    let base = base_name(outcome, figure);
    let mut blocks = vec![
        Block::Heading {
            level: 2,
            text: format!("{}: {}", heading(id), figure.figure.title),
            anchor: Some(anchor(figure)),
        },
        Block::text(figure.figure.shows),
    ];
    let mut drawn = (figure.figure.draw)(&figure.data);
    drawn.extend(parameters(figure));
    let cards: Vec<_> = outcome
        .claims
        .iter()
        .filter(|one| one.claim.figures[0] == id)
        .map(card)
        .collect();
    if cards.is_empty() {
        blocks.extend(drawn);
    } else {
        blocks.push(Block::Beside {
            main: drawn,
            side: vec![Block::Verdicts(cards)],
        });
    }
    let elsewhere: Vec<_> = outcome
        .claims
        .iter()
        .filter(|one| one.claim.figures[1..].contains(&id))
        .map(|one| {
            let at = one.claim.figures[0];
            let text = format!("{} (with {})", one.claim.statement, heading(at));
            Link::new(text, format!("#figure-{at}"))
        })
        .collect();
    if !elsewhere.is_empty() {
        blocks.push(Block::text("Claims that rest on this figure too:"));
        blocks.push(Block::Links(elsewhere));
    }
    let quick = if mode == Mode::Quick { " --quick" } else { "" };
    let mut commands = format!("ackclock reproduce {}/{id}{quick}", outcome.paper.name);
    let first = figure.data.points.first();
    let first = first.map(|point| format!("{SCENARIOS}/{}", scenario_name(&base, &point.key)));
    if let Some(file) = &first {
        commands +=
            &format!("\nackclock run {file} --out out/{base}    # one run of it, from this folder");
    }
    blocks.push(Block::Code {
        caption: "Repeat this figure".to_owned(),
        text: commands,
    });
    if let Some(file) = first {
        blocks.push(Block::Details {
            summary: "Every point, with its scenario file".to_owned(),
            blocks: vec![Block::Table(points(&figure.data, &base))],
        });
        let mut files = vec![Link::download("Data (CSV)", format!("{DATA}/{base}.csv"))];
        if !figure.data.curve_names().is_empty() {
            files.push(Link::download(
                "Series (CSV)",
                format!("{DATA}/{base}-series.csv"),
            ));
        }
        files.push(Link::download("Scenario of its first point (TOML)", file));
        blocks.push(Block::Links(files));
    }
    blocks
}

/// What was fixed in the figure's runs.
fn parameters(figure: &FigureOutcome) -> Option<Block> {
    if figure.figure.parameters.is_empty() {
        return None;
    }
    let columns = vec![Column::text("parameter"), Column::text("value")];
    let mut table = Table::new("", columns);
    let row = |(name, value): &(&str, &str)| vec![(*name).into(), (*value).into()];
    table.rows.extend(figure.figure.parameters.iter().map(row));
    let seeds = figure.data.seeds().to_string();
    table
        .rows
        .push(vec!["seeds for each point".into(), seeds.into()]);
    Some(Block::Table(table))
}

/// A claim with both numbers, its verdict and the reason for it.
pub(super) fn card(one: &ClaimOutcome) -> VerdictCard {
    VerdictCard {
        statement: one.claim.statement.to_owned(),
        paper: one.claim.paper.shown(one.claim.unit),
        ours: one.judged.ours.shown(one.claim.unit),
        interval: interval(one),
        verdict: one.judged.verdict.into(),
        reason: Some(format!("{} Rule: {}", one.judged.reason, one.claim.rule)),
    }
}

/// The interval of our number, in words.
pub(super) fn interval(one: &ClaimOutcome) -> Option<String> {
    let (low, high) = one.judged.interval?;
    Some(format!(
        "{} to {}",
        with_unit(low, ""),
        with_unit(high, one.claim.unit)
    ))
}

/// Every point with all that was measured, and its scenario.
fn points(data: &Data, base: &str) -> Table {
    let names = data.value_names();
    let axes = data.points[0].key.iter();
    let mut columns: Vec<_> = axes
        .map(|(axis, value)| match value {
            Coordinate::Word(_) => Column::text(axis),
            Coordinate::Number(_) => Column::number(axis, ""),
        })
        .collect();
    columns.extend(names.iter().map(|name| Column::number(*name, "")));
    columns.push(Column::text("scenario"));
    let mut table = Table::new("", columns);
    for point in &data.points {
        let mut row: Vec<Cell> = point
            .key
            .iter()
            .map(|(_, value)| match value {
                Coordinate::Word(word) => word.as_str().into(),
                Coordinate::Number(number) => Cell::Number(*number),
            })
            .collect();
        row.extend(names.iter().map(|name| point.samples(name).cell()));
        let href = format!("{SCENARIOS}/{}", scenario_name(base, &point.key));
        row.push(Cell::Link(Link::download("TOML", href)));
        table.rows.push(row);
    }
    table
}
