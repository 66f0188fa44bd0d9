//! The data set of a sweep: one row for each run, in the order of the grid.
//!
//! Results are read from the log, a row group at a time, so that memory does not grow with the
//! number of runs beyond a few bytes for each.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use parquet::data_type::ByteArray;
use serde_json::Value;

use super::axes;
use super::board::{Board, Run};
use super::description::{
    AxisColumn, AxisDescription, Description, FORMAT, MetricColumn, RunFailure, SeedRange, State,
};
use super::error::SweepError;
use super::folder::{DESCRIPTION, Folder, RUNS};
use super::overview::{self, Overview};
use crate::files::{Column, FilesError, Origin, ROWS_PER_GROUP, Table};
use crate::store::{Entry, Store};
use experiments::metrics::Moments;
use experiments::metrics::{self, Part};
use experiments::scenario::{Scenario, Seeds, Sweep};

/// What is written about, beside the runs themselves.
pub(super) struct Subject<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) sweep: &'a Sweep,
    pub(super) results: &'a str,
    pub(super) state: State,
}

/// Writes the data set and its description, and returns them in short.
pub(super) fn write(
    folder: &Folder,
    subject: &Subject<'_>,
    board: &Board,
    store: &mut Store,
) -> Result<(Description, Overview), SweepError> {
    let axes = axes::describe(subject.sweep);
    let rows = rows(board);
    let survey = survey(board, &rows, store, subject.sweep)?;
    let description = describe(subject, board, &rows, axes, &survey);
    let overview = overview::overview(&description, &survey.first, subject.sweep);
    if !rows.is_empty() || subject.state == State::Complete {
        write_runs(folder, &description, subject.sweep, board, &rows, store)?;
        folder.publish(RUNS)?;
        let json = serde_json::to_string_pretty(&description).expect("numbers and texts");
        folder.write(DESCRIPTION, &(json + "\n"))?;
    }
    Ok((description, overview))
}

/// A row: numbers of the combination and of the seed.
type Row = (u32, u32);

/// The runs that have ended, in the order of the grid.
fn rows(board: &Board) -> Vec<Row> {
    let mut rows = Vec::new();
    for (combination, point) in board.points().iter().enumerate() {
        for (seed, run) in point.runs.iter().enumerate() {
            if !matches!(run, Run::Missing) {
                rows.push((combination as u32, seed as u32));
            }
        }
    }
    rows
}

/// What a first look at all results shows.
struct Survey {
    /// All metrics that any run has, in the order of their columns.
    columns: Vec<String>,
    failures: Vec<RunFailure>,
    failed: u64,
    /// The first combinations: how many runs, and all metrics.
    first: Vec<(u64, BTreeMap<String, Moments>)>,
}

fn survey(
    board: &Board,
    rows: &[Row],
    store: &mut Store,
    sweep: &Sweep,
) -> Result<Survey, SweepError> {
    let mut parts: [Vec<String>; 3] = Default::default();
    let mut known = std::collections::BTreeSet::new();
    let shown = (sweep.combinations().min(overview::MOST_ROWS as u64)) as usize;
    let mut survey = Survey {
        columns: Vec::new(),
        failures: Vec::new(),
        failed: 0,
        first: vec![(0, BTreeMap::new()); shown],
    };
    for row in rows {
        let mut first = survey.first.get_mut(row.0 as usize);
        if let Some((runs, _)) = &mut first {
            *runs += 1;
        }
        match entry(board, *row, store)? {
            Entry::Done(measured) => {
                for (name, value) in measured.values {
                    if let Some((_, metrics)) = &mut first {
                        metrics.entry(name.clone()).or_default().add(value);
                    }
                    if known.contains(&name) {
                        continue;
                    }
                    let part = metrics::named(&name).map_or(Part::Total, |named| named.part);
                    known.insert(name.clone());
                    parts[part as usize].push(name);
                }
            }
            Entry::Failed(error) => {
                survey.failed += 1;
                if survey.failures.len() < MOST_FAILURES {
                    survey.failures.push(RunFailure {
                        point: row.0.into(),
                        seed: row.1.into(),
                        error,
                    });
                }
            }
        }
    }
    survey.columns = parts.into_iter().flat_map(in_order).collect();
    Ok(survey)
}

/// Groups and links in the order of first sight, each with its metrics in their order: a metric
/// that only a later run has must not stand behind those of others.
fn in_order(mut columns: Vec<String>) -> Vec<String> {
    let mut order: Vec<String> = Vec::new();
    for column in &columns {
        let of = metrics::named(column).map_or("", |named| named.of);
        if !order.iter().any(|known| known == of) {
            order.push(of.to_owned());
        }
    }
    columns.sort_by_key(|column| {
        let Some(named) = metrics::named(column) else {
            return (order.len(), 0);
        };
        let of = order.iter().position(|known| known == named.of);
        let metrics = named.part.metrics().iter();
        let metric = metrics.take_while(|metric| metric.name != named.metric.name);
        (of.unwrap_or(order.len()), metric.count())
    });
    columns
}

fn entry(board: &Board, row: Row, store: &mut Store) -> Result<Entry, SweepError> {
    match &board.points()[row.0 as usize].runs[row.1 as usize] {
        Run::Kept(key) => Ok(store.get(*key)?.expect("what was kept is in the store")),
        Run::Refused(reason) => Ok(Entry::Failed(reason.to_string())),
        Run::Missing => unreachable!("rows are of runs that have ended"),
    }
}

fn describe(
    subject: &Subject<'_>,
    board: &Board,
    rows: &[Row],
    axes: Vec<AxisDescription>,
    survey: &Survey,
) -> Description {
    let Subject {
        scenario,
        sweep,
        results,
        state,
    } = *subject;
    let points: usize = board.points().iter().map(|point| point.runs.len()).sum();
    let mut errors = survey.failures.clone();
    for error in &mut errors {
        error.seed += scenario.seed;
    }
    let rule = match &sweep.seeds {
        Seeds::Fixed(_) => None,
        Seeds::Until(rule) => Some(rule),
    };
    Description {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        results: results.to_owned(),
        scenario: scenario.name.clone(),
        description: scenario.description.clone(),
        state,
        combinations: sweep.combinations(),
        points: points as u64,
        done: rows.len() as u64,
        failed: survey.failed,
        seeds: SeedRange {
            first: scenario.seed,
            at_least: sweep.seeds.at_least(),
            at_most: sweep.seeds.at_most(),
            until: rule.map_or_else(Vec::new, |rule| rule.until.clone()),
            within_percent: rule.map(|rule| rule.within_percent),
        },
        axes,
        metrics: survey
            .columns
            .iter()
            .filter_map(|c| metric_column(c))
            .collect(),
        errors,
    }
}

fn metric_column(column: &str) -> Option<MetricColumn> {
    let named = metrics::named(column)?;
    let label = if named.of.is_empty() {
        named.metric.label.to_owned()
    } else {
        format!("{} of {}", named.metric.label, named.of)
    };
    Some(MetricColumn {
        column: column.to_owned(),
        name: named.metric.name.to_owned(),
        part: named.part.name().to_owned(),
        of: named.of.to_owned(),
        label,
        kind: if named.metric.count {
            "int64"
        } else {
            "float64"
        }
        .to_owned(),
        unit: named.metric.unit.to_owned(),
    })
}

/// The rows of a row group, as far as they come from results.
#[derive(Default)]
struct Group {
    first: usize,
    columns: usize,
    /// Row by row, one for each column of metrics.
    values: Vec<Option<f64>>,
    errors: Vec<Option<String>>,
}

impl Group {
    fn value(&self, row: usize, column: usize) -> Option<f64> {
        self.values[(row - self.first) * self.columns + column]
    }

    fn load(
        &mut self,
        rows: Range<usize>,
        index: &BTreeMap<&str, usize>,
        mut entry: impl FnMut(usize) -> Result<Entry, SweepError>,
    ) -> Result<(), SweepError> {
        self.first = rows.start;
        self.columns = index.len();
        self.values.clear();
        self.values.resize(rows.len() * index.len(), None);
        self.errors.clear();
        for (at, row) in rows.enumerate() {
            let mut error = None;
            match entry(row)? {
                Entry::Done(measured) => {
                    for (name, value) in &measured.values {
                        if let Some(column) = index.get(name.as_str()) {
                            self.values[at * self.columns + column] = Some(*value);
                        }
                    }
                }
                Entry::Failed(reason) => error = Some(reason),
            }
            self.errors.push(error);
        }
        Ok(())
    }
}

fn write_runs(
    folder: &Folder,
    description: &Description,
    sweep: &Sweep,
    board: &Board,
    rows: &[Row],
    store: &mut Store,
) -> Result<(), SweepError> {
    let group = RefCell::new(Group::default());
    let group = &group;
    let mut columns = vec![Column::count("point", |row: usize| rows[row].0.into())];
    for (number, axis) in description.axes.iter().enumerate() {
        for key in &axis.keys {
            columns.push(axis_column(key, number, sweep, rows));
        }
    }
    let first = description.seeds.first;
    columns.push(Column::count("seed", move |row: usize| {
        first + u64::from(rows[row].1)
    }));
    columns.push(Column::optional_text("error", move |row: usize| {
        let group = group.borrow();
        let error = group.errors[row - group.first].as_deref();
        error.map(ByteArray::from)
    }));
    for (number, metric) in description.metrics.iter().enumerate() {
        let name = metric.column.clone();
        let value = move |row: usize| group.borrow().value(row, number);
        columns.push(if metric.kind == "int64" {
            Column::optional_count(name, move |row| value(row).map(|count| count as u64))
        } else {
            Column::optional_real(name, value)
        });
    }
    let index: BTreeMap<&str, usize> = description
        .metrics
        .iter()
        .enumerate()
        .map(|(number, metric)| (metric.column.as_str(), number))
        .collect();
    let table = Table {
        name: "runs",
        rows: rows.len(),
        columns,
    };
    let origin = Origin {
        version: description.version.clone(),
        entries: vec![
            ("ackclock.version".to_owned(), description.version.clone()),
            ("ackclock.results".to_owned(), description.results.clone()),
            ("ackclock.scenario".to_owned(), description.scenario.clone()),
        ],
    };
    let rows_per_group = ROWS_PER_GROUP
        .min(VALUES_PER_GROUP / index.len().max(1))
        .max(1);
    let mut failure = None;
    let written = table.write_in_groups(&folder.fresh(RUNS), &origin, rows_per_group, |range| {
        let loaded = group
            .borrow_mut()
            .load(range, &index, |row| entry(board, rows[row], store));
        loaded.map_err(|error| {
            failure = Some(error);
            let source = std::io::Error::other("results cannot be read");
            FilesError::Io {
                path: folder.path().to_owned(),
                source,
            }
        })
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(written?),
    }
}

/// The column of a key: its value is that of the row's combination.
fn axis_column<'a>(
    key: &'a AxisColumn,
    axis: usize,
    sweep: &'a Sweep,
    rows: &'a [Row],
) -> Column<'a> {
    let value = move |row: usize| -> &'a Value {
        let choice = sweep.choice(rows[row].0.into());
        &key.values[choice[axis]]
    };
    let name = key.column.clone();
    match key.kind.as_str() {
        "int64" => Column::count(name, move |row| value(row).as_u64().unwrap_or_default()),
        "float64" => Column::real(name, move |row| value(row).as_f64().unwrap_or_default()),
        _ => Column::text(name, move |row| {
            ByteArray::from(value(row).as_str().unwrap_or_default())
        }),
    }
}

/// Bounds the memory for a row group.
const VALUES_PER_GROUP: usize = 1 << 21;
const MOST_FAILURES: usize = 100;
