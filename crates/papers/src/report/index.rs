//! The report's first page: papers, claims and one chart of each figure.

use results::page::{Block, Cell, Column, Link, Page, Table};

use super::paper_page::{card, interval};
use super::{RESULTS, anchor, drawing, heading, page_name};
use crate::claim::Verdict;
use crate::paper::Mode;
use crate::runner::{Counts, FigureOutcome, PaperOutcome, Reproduction};

/// The page.
pub(super) fn page(reproduction: &Reproduction) -> Page {
    let figures: usize = reproduction
        .papers
        .iter()
        .map(|outcome| outcome.figures.len())
        .sum();
    let counts = Counts::of(reproduction.papers.iter().flat_map(|paper| &paper.claims));
    let subtitle = format!(
        "{figures} figures run again by ackclock {}; {} claims: {counts}",
        env!("CARGO_PKG_VERSION"),
        counts.total()
    );
    let mut page = Page::new("Published experiments, run again", subtitle)
        .with(Block::text(mode_words(reproduction)))
        .with(Block::Table(papers(reproduction)));
    for outcome in &reproduction.papers {
        page = page
            .with(Block::section(outcome.paper.title))
            .with(Block::Table(claims(outcome)));
        let failed = outcome.claims.iter();
        let failed = failed.filter(|one| one.judged.verdict != Verdict::Reproduced && !one.own);
        let failed: Vec<_> = failed.map(|one| Block::Verdicts(vec![card(one)])).collect();
        if !failed.is_empty() {
            page = page
                .with(Block::Heading {
                    level: 3,
                    text: "What was not, or only partly, reproduced, or is undecided, and why"
                        .to_owned(),
                    anchor: None,
                })
                .with(Block::Grid(failed));
        }
        page = page
            .with(Block::Links(links(outcome)))
            .with(Block::Grid(charts(outcome)));
    }
    page.with(Block::Links(vec![Link::download(
        "All results as JSON",
        RESULTS,
    )]))
}

fn mode_words(reproduction: &Reproduction) -> String {
    let mut words = match reproduction.mode {
        Mode::Full => "Every point and every seed.".to_owned(),
        Mode::Quick => "The quick form: fewer points and seeds, wider intervals. Without \
                        --quick everything runs."
            .to_owned(),
    };
    words += " Intervals are 95 % confidence intervals over the seeds (Student's t). The rule of \
              each verdict stands beside it; what the papers leave open, and what was chosen for it, \
              stands under each figure.";
    if reproduction.interrupted {
        words += " The run was stopped: figures that were not complete are missing.";
    }
    words
}

fn papers(reproduction: &Reproduction) -> Table {
    let mut columns = vec![
        Column::text("paper"),
        Column::text("authors"),
        Column::number("figures", ""),
    ];
    let words = Counts::default().columns();
    columns.extend(words.map(|(_, words)| Column::number(words, "claims")));
    let mut table = Table::new("Papers", columns);
    for outcome in &reproduction.papers {
        let mut row = vec![
            Cell::Link(Link::new(outcome.paper.title, page_name(outcome))),
            outcome.paper.authors.into(),
            Cell::Number(outcome.figures.len() as f64),
        ];
        let counts = Counts::of(&outcome.claims).columns();
        row.extend(counts.map(|(number, _)| Cell::Number(number as f64)));
        table.rows.push(row);
    }
    table
}

fn claims(outcome: &PaperOutcome) -> Table {
    let columns = vec![
        Column::text("figure"),
        Column::text("claim"),
        Column::text("paper"),
        Column::text("ours"),
        Column::text("verdict"),
        Column::text("with"),
    ];
    let mut table = Table::new("", columns);
    for one in &outcome.claims {
        let id = one.claim.figures[0];
        let ours = one.judged.ours.shown(one.claim.unit);
        let ours = match interval(one) {
            Some(interval) => format!("{ours} ({interval})"),
            None => ours,
        };
        table.rows.push(vec![
            Cell::Link(Link::new(
                heading(id),
                format!("{}#figure-{id}", page_name(outcome)),
            )),
            one.claim.statement.into(),
            one.claim.paper.shown(one.claim.unit).into(),
            ours.into(),
            Cell::Verdict(one.judged.verdict.into()),
            match (&one.with, one.own) {
                (Some(choice), _) => choice.as_str().into(),
                (None, true) => "our own, not counted".into(),
                (None, false) => Cell::Empty,
            },
        ]);
    }
    table
}

/// The first chart of each figure, or its first table: small, without remarks, by itself.
fn charts(outcome: &PaperOutcome) -> Vec<Block> {
    let first = |figure: &FigureOutcome| {
        let mut block = drawing(&(figure.figure.draw)(&figure.data))?.clone();
        match &mut block {
            Block::Chart(chart) => {
                chart.notes.clear();
                chart.group = None;
                chart.height = None;
                for series in &mut chart.series {
                    series.thin(MOST_POINTS);
                }
            }
            Block::HeatMap(map) => map.notes.clear(),
            _ => {}
        }
        Some(block)
    };
    outcome.figures.iter().filter_map(first).collect()
}

/// The way to each figure.
fn links(outcome: &PaperOutcome) -> Vec<Link> {
    let link = |figure: &FigureOutcome| {
        let text = format!("{}: {}", heading(figure.figure.id), figure.figure.title);
        Link::new(text, format!("{}#{}", page_name(outcome), anchor(figure)))
    };
    outcome.figures.iter().map(link).collect()
}

/// Most points of a series on this page; the paper's own page has all.
const MOST_POINTS: usize = 600;
