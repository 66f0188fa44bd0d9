//! The page of a comparison: the table, and windows, rates and queue of one run of each.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use experiments::simulation::Outcome;
use results::files::PAGE;
use results::page::{Axis, Block, Cell, Chart, Column, Kind, Page, Script, Series, Table};

use super::{Compared, MEASURES, verdicts};
use crate::output::{self, Failure};
use crate::table::Quantity;

/// Writes `index.html`; `drawn` has a run of each controller.
pub(super) fn write(folder: &Path, compared: &Compared, drawn: &[&Outcome]) -> Result<(), Failure> {
    let html = page(compared, drawn)
        .to_html(&Script::Embedded)
        .map_err(|error| Failure::fault(error.to_string()))?;
    let path = folder.join(PAGE);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, html));
    written.map_err(|error| {
        Failure::refused(
            format!("{}: cannot be written: {error}", path.display()),
            "give --out a folder that you may write",
        )
    })?;
    output::note(&format!("The comparison: open {}", path.display()));
    Ok(())
}

fn page(compared: &Compared, drawn: &[&Outcome]) -> Page {
    let subtitle = format!(
        "{}: {} controllers, {} seeds, ackclock {}",
        compared.scenario,
        compared.controllers.len(),
        compared.seeds,
        env!("CARGO_PKG_VERSION")
    );
    let title = format!("{}: who gets what", compared.scenario);
    let mut page = Page::new(title, subtitle).with(Block::Table(table(compared)));
    for line in verdicts(compared) {
        page.blocks.push(Block::Paragraph(line));
    }
    let names: Vec<&str> = compared
        .controllers
        .iter()
        .map(|row| row.name.as_str())
        .collect();
    page.blocks.push(Block::section("Over time, first seed"));
    page.blocks.push(Block::text(
        "The mean over the flows that are there, and what they have together.",
    ));
    let charts = [
        chart(
            "window",
            "Congestion window, mean",
            "packets",
            &names,
            drawn,
            &|run| means(run, |sample| sample.0),
        ),
        chart(
            "rate",
            "Delivery rate of all flows",
            "Mbps",
            &names,
            drawn,
            &|run| sums(run),
        ),
        chart(
            "rtt",
            "Round-trip time, mean",
            "ms",
            &names,
            drawn,
            &|run| means(run, |sample| sample.1.map(|rtt_s| rtt_s * 1e3)),
        ),
        chart(
            "queue",
            "Queues, all links",
            "packets",
            &names,
            drawn,
            &|run| queues(run),
        ),
    ];
    page.blocks
        .extend(charts.into_iter().flatten().map(Block::Chart));
    page
}

fn table(compared: &Compared) -> Table {
    let mut columns = vec![Column::text("controller")];
    let scales: Vec<(f64, &str)> = MEASURES
        .iter()
        .map(|measured| match measured.quantity {
            Quantity::Rate => (1e-6, "Mbps"),
            Quantity::Share => (100.0, "%"),
            Quantity::In(unit) => (1.0, unit),
            Quantity::Time => (1.0, "s"),
            Quantity::Plain => (1.0, ""),
        })
        .collect();
    let named = MEASURES.iter().zip(&scales);
    columns.extend(named.map(|(measured, (_, unit))| Column::number(measured.name, *unit)));
    let mut table = Table::new("Means over the seeds, with 95 % intervals", columns);
    for row in &compared.controllers {
        let mut cells = vec![Cell::from(row.name.as_str())];
        for (measured, (scale, _)) in MEASURES.iter().zip(&scales) {
            cells.push(match (measured.of)(row) {
                None => Cell::Empty,
                Some(estimate) => match (estimate.low, estimate.high) {
                    (Some(low), Some(high)) => Cell::Interval {
                        value: estimate.mean * scale,
                        low: low * scale,
                        high: high * scale,
                    },
                    _ => Cell::Number(estimate.mean * scale),
                },
            });
        }
        table.rows.push(cells);
    }
    table
}

type Points = Vec<(f64, f64)>;

fn chart(
    id: &str,
    title: &str,
    unit: &str,
    names: &[&str],
    drawn: &[&Outcome],
    points: &dyn Fn(&Outcome) -> Points,
) -> Option<Chart> {
    let (label, time) = (title.to_lowercase(), Axis::linear("time", "s"));
    let mut chart = Chart::new(id, title, time, Axis::linear(label, unit)).group("time");
    chart.settled = drawn.first().map(|run| run.summary.warmup_s);
    for (name, run) in names.iter().zip(drawn) {
        let mut series = Series::new(*name, Kind::Line, points(run));
        series.thin(MOST_POINTS);
        if !series.points.is_empty() {
            chart.series.push(series);
        }
    }
    (!chart.series.is_empty()).then_some(chart)
}

/// The mean over the flows that have started of window or round trip.
fn means(run: &Outcome, value: impl Fn((Option<f64>, Option<f64>)) -> Option<f64>) -> Points {
    let mut at: BTreeMap<u64, (f64, f64, f64)> = BTreeMap::new();
    for sample in &run.recording.flows {
        let flow = &run.summary.flows[sample.flow as usize];
        let over = flow.completed_s.is_some_and(|end| end < sample.time_s);
        if sample.time_s < flow.start_s || over {
            continue;
        }
        if let Some(value) = value((sample.window_packets, sample.rtt_s)) {
            let sum = at.entry(sample.time_s.to_bits()).or_default();
            *sum = (sample.time_s, sum.1 + value, sum.2 + 1.0);
        }
    }
    at.into_values()
        .map(|(time, sum, count)| (time, sum / count))
        .collect()
}

/// Delivery rates of all flows together.
fn sums(run: &Outcome) -> Points {
    let samples = run.recording.flows.iter();
    added(samples.map(|sample| (sample.time_s, sample.delivery_rate_bps / 1e6)))
}

/// Packets that wait at all links together.
fn queues(run: &Outcome) -> Points {
    let samples = run.recording.links.iter();
    added(samples.map(|sample| (sample.time_s, sample.queue_packets as f64)))
}

/// What belongs to the same time is added up.
fn added(samples: impl Iterator<Item = (f64, f64)>) -> Points {
    let mut points: Points = Vec::new();
    for (time, value) in samples {
        match points.last_mut() {
            Some(last) if last.0 == time => last.1 += value,
            _ => points.push((time, value)),
        }
    }
    points
}

const MOST_POINTS: usize = 2_000;
