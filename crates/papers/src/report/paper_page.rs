//! The page of a paper: each figure with its claims, parameters, data and the way to repeat it.

use results::page::{Block, Cell, Column, Link, Page, Table, VerdictCard};

use super::{DATA, INDEX, SCENARIOS, anchor, base_name, heading, scenario_name};
use crate::claim::{Verdict, with_unit};
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
    let mut page = Page::new(paper.title, paper.authors).with(Block::text(paper.summary));
    page.blocks.extend(summary(outcome));
    page = page.with(Block::Links(links));
    page.blocks.extend(choices(outcome));
    for figure in &outcome.figures {
        page.blocks.extend(figure_blocks(outcome, figure, mode));
    }
    page
}

/// Which findings stand, which depend on what, which do not: a line for each claim.
fn summary(outcome: &PaperOutcome) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (intro, verdict, with) in [
        ("Stand", Verdict::Reproduced, false),
        ("Stand with an open choice", Verdict::Reproduced, true),
        ("Stand in part", Verdict::Partly, false),
        ("Undecided", Verdict::Undecided, false),
        ("Do not stand", Verdict::NotReproduced, false),
    ] {
        let those: Vec<String> = outcome
            .claims
            .iter()
            .filter(|one| !one.own && one.judged.verdict == verdict && one.with.is_some() == with)
            .map(|one| match &one.with {
                Some(choice) => format!("{} [{choice}]", one.claim.statement),
                None => one.claim.statement.to_owned(),
            })
            .collect();
        if !those.is_empty() {
            blocks.push((format!("{intro} ({})", those.len()), those.join(" ")));
        }
    }
    if blocks.is_empty() {
        Vec::new()
    } else {
        vec![Block::KeyValues(blocks)]
    }
}

/// What the paper leaves open, with the values that were taken for it.
fn choices(outcome: &PaperOutcome) -> Option<Block> {
    let paper = outcome.paper;
    if paper.choices.is_empty() {
        return None;
    }
    let columns = vec![
        Column::text("open choice"),
        Column::text("base"),
        Column::text("why"),
        Column::text("also"),
    ];
    let mut table = Table::new("", columns);
    for choice in paper.choices {
        table.rows.push(vec![
            choice.name.into(),
            choice.base.into(),
            choice.why.into(),
            choice.others.join("; ").as_str().into(),
        ]);
    }
    let mut intro =
        "What the paper leaves open. A claim is judged in the base; where the base does \
                     not bring it and one of the other values does, the verdict names that value."
            .to_owned();
    if paper.searched_seeds > 0 {
        intro += &format!(
            " Which values do was first found by a search on seeds 1 to {}; the verdicts here rest \
             on others.",
            paper.searched_seeds
        );
    }
    Some(Block::Details {
        summary: "What the paper leaves open, and what was chosen".to_owned(),
        blocks: vec![Block::text(intro), Block::Table(table)],
    })
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
        statement: if one.own {
            format!("{} (Our own, not the paper's.)", one.claim.statement)
        } else {
            one.claim.statement.to_owned()
        },
        paper: one.claim.paper.shown(one.claim.unit),
        ours: one.judged.ours.shown(one.claim.unit),
        interval: interval(one),
        verdict: one.judged.verdict.into(),
        with: one.with.as_ref().map(|choice| format!("with {choice}")),
        reason: Some(first_sentence(&one.judged.reason).to_owned()),
        details: details(one),
    }
}

/// What a claim's card hides: all places, the rule, and what the open choices do.
fn details(one: &ClaimOutcome) -> Vec<(String, String)> {
    let mut details = Vec::new();
    if first_sentence(&one.judged.reason) != one.judged.reason {
        details.push(("Places".to_owned(), one.judged.reason.clone()));
    }
    details.push(("Rule".to_owned(), one.claim.rule.to_owned()));
    if let Some(robustness) = one.robustness() {
        let numbers: Vec<_> = one
            .variations
            .iter()
            .map(|variation| {
                let ours = variation.judged.ours.shown(one.claim.unit);
                format!("{}: {ours}", variation.choice)
            })
            .collect();
        let text = format!("{robustness} Ours there: {}.", numbers.join("; "));
        details.push(("Variations".to_owned(), text));
    }
    details
}

/// Up to the first full stop that ends a sentence.
fn first_sentence(text: &str) -> &str {
    let ends = text.match_indices(". ");
    let mut upper = ends.filter(|(at, _)| text[at + 2..].starts_with(char::is_uppercase));
    upper.next().map_or(text, |(at, _)| &text[..=at])
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
