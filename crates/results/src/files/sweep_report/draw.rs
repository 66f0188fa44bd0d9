//! The page: charts, what they are made of, and how to draw it otherwise.

use super::choice::{Along, AxisKey, Choice, Places};
use super::lines::share_y_axis;
use super::rows::Rows;
use super::{Kind, SweepReportError};
use crate::page::{Block, Chart, Page};
use crate::sweep::{AxisColumn, Description};
use experiments::metrics::Moments;

/// The page and the number of points on it.
pub(super) fn page(
    description: &Description,
    choice: &Choice,
    rows: &Rows,
) -> Result<(Page, usize), SweepReportError> {
    let drawing = Drawing {
        description,
        choice,
        rows,
    };
    let metric = &description.metrics[choice.metric()];
    let points = drawing.points();
    if points == 0 {
        return Err(SweepReportError::Unsuitable {
            reason: format!("no run of the sweep has a value for {}", metric.column),
            hint: "`ackclock report DIR --y NAME` draws another metric".to_owned(),
        });
    }
    let subtitle = format!("{}, ackclock {}", drawing.subject(), description.version);
    let mut page = Page::new(&description.scenario, subtitle);
    if !rows.complete {
        page = page.with(Block::text(format!(
            "The sweep is not complete: {} of {} runs are there. The same command goes on with it; \
             then draw it again.",
            rows.runs, description.points
        )));
    }
    if rows.failed > 0 {
        page = page.with(Block::text(format!(
            "{} of {} runs failed and are left out; the column error of runs.parquet says why.",
            rows.failed, rows.runs
        )));
    }
    if !description.description.is_empty() {
        page = page.with(Block::text(&description.description));
    }
    page = page.with(Block::KeyValues(drawing.key_numbers()));
    page.blocks.extend(drawing.charts());
    page = page
        .with(drawing.table())
        .with(Block::Code {
            caption: "Draw it otherwise".to_owned(),
            text: COMMANDS.to_owned(),
        })
        .with(drawing.choices());
    Ok((page, points))
}

/// A sweep and what of it is drawn.
pub(super) struct Drawing<'a> {
    pub(super) description: &'a Description,
    pub(super) choice: &'a Choice,
    pub(super) rows: &'a Rows,
}

/// A place on some axes: for each the number of its value.
pub(super) type Fixed = Vec<(AxisKey, usize)>;

impl Drawing<'_> {
    pub(super) fn key(&self, at: AxisKey) -> &AxisColumn {
        &self.description.axes[at.axis].keys[at.key]
    }

    /// For each axis the number of its value at a combination; the last axis varies fastest.
    pub(super) fn values_at(&self, point: u64) -> Vec<usize> {
        let axes = &self.description.axes;
        let mut left = point as usize;
        let mut values: Vec<_> = axes
            .iter()
            .rev()
            .map(|axis| {
                let value = left % axis.len();
                left /= axis.len();
                value
            })
            .collect();
        values.reverse();
        values
    }

    /// Combinations that a chart of `fixed` shows, with their values on the axes.
    pub(super) fn combinations<'b>(
        &'b self,
        fixed: &'b Fixed,
    ) -> impl Iterator<Item = (Vec<usize>, &'b Vec<Moments>)> {
        let rows = self.rows.points.iter();
        rows.map(|(point, moments)| (self.values_at(*point), moments))
            .filter(|(values, _)| fixed.iter().all(|(at, value)| values[at.axis] == *value))
    }

    /// Combinations with a number to draw.
    fn points(&self) -> usize {
        let needed = if matches!(
            self.choice.places,
            Places::Lines {
                x: Along::Metric(_),
                ..
            }
        ) {
            2
        } else {
            1
        };
        let drawn = |moments: &&Vec<Moments>| moments[..needed].iter().all(|m| m.count() > 0);
        self.rows.points.values().filter(drawn).count()
    }

    /// What is drawn, in words: `goodput over bottleneck rate, by tcp count`.
    pub(super) fn subject(&self) -> String {
        let label = |at: AxisKey| self.key(at).label.clone();
        let metric = &self.description.metrics[self.choice.metric()].label;
        match self.choice.places {
            Places::Lines { x, colour, .. } => {
                let over = match x {
                    Along::Axis(Some(x)) => format!(" over {}", label(x)),
                    Along::Axis(None) => String::new(),
                    Along::Metric(x) => format!(" over {}", self.description.metrics[x].label),
                };
                let by = colour.map_or_else(String::new, |at| format!(", by {}", label(at)));
                format!("{metric}{over}{by}")
            }
            Places::HeatMap { x, y, .. } => {
                format!("{metric} over {} and {}", label(x), label(y))
            }
        }
    }

    fn key_numbers(&self) -> Vec<(String, String)> {
        let Description {
            seeds,
            combinations,
            ..
        } = self.description;
        let seeds = if seeds.at_least == seeds.at_most {
            seeds.at_most.to_string()
        } else {
            format!("{} to {}", seeds.at_least, seeds.at_most)
        };
        let mut pairs = vec![
            ("Combinations".to_owned(), combinations.to_string()),
            ("Seeds for each".to_owned(), seeds),
            ("Runs".to_owned(), self.rows.runs.to_string()),
        ];
        for axis in &self.description.axes {
            let labels: Vec<_> = axis.keys.iter().map(|key| key.label.as_str()).collect();
            let shown = axis.keys.first().map_or(&[][..], |key| &key.shown);
            let values = if shown.len() > VALUES_SHOWN {
                format!(
                    "{} … {} ({})",
                    shown[0],
                    shown[shown.len() - 1],
                    shown.len()
                )
            } else {
                shown.join(", ")
            };
            pairs.push((labels.join(" with "), values));
        }
        pairs
    }

    /// One chart for each combination of the facet's and the rest's values, then the others.
    fn charts(&self) -> Vec<Block> {
        let mut dimensions = self.choice.rest.clone();
        dimensions.extend(self.choice.facet);
        let mut all: Vec<Fixed> = vec![Vec::new()];
        for at in dimensions {
            let values = self.description.axes[at.axis].len();
            let with = |fixed: &Fixed| {
                let fixed = fixed.clone();
                (0..values).map(move |value| [fixed.clone(), vec![(at, value)]].concat())
            };
            all = all.iter().flat_map(with).collect();
        }
        let number = all.len();
        all.truncate(MOST_CHARTS);
        let metric = self.choice.metric();
        let mut charts: Vec<Chart> = Vec::new();
        let mut blocks = Vec::new();
        for (place, fixed) in all.iter().enumerate() {
            let column = &self.description.metrics[metric].column;
            let id = if number == 1 {
                column.clone()
            } else {
                format!("{column}-{}", place + 1)
            };
            match self.choice.places {
                Places::HeatMap { .. } => blocks.extend(self.heat_map(id, fixed)),
                Places::Lines { .. } => charts.extend(self.chart(id, metric, 0, fixed)),
            }
        }
        share_y_axis(&mut charts);
        blocks.extend(charts.into_iter().map(Block::Chart));
        let mut page = match blocks.len() {
            1 => blocks,
            _ => vec![Block::Grid(blocks)],
        };
        if number > MOST_CHARTS {
            page.push(Block::text(format!(
                "The first {MOST_CHARTS} of {number} charts are shown; runs.parquet has the rest."
            )));
        }
        let others = self.choice.others(self.description);
        let others = others.iter().enumerate().filter_map(|(place, metric)| {
            let id = self.description.metrics[*metric].column.clone();
            self.chart(id, *metric, place + 1, &Vec::new())
        });
        let others: Vec<_> = others.map(Block::Chart).collect();
        if !others.is_empty() {
            page.push(Block::section("The same runs by other metrics"));
            page.push(Block::Grid(others));
        }
        page
    }

    pub(super) fn notes(&self) -> Vec<String> {
        let counts = self.rows.points.values().map(|moments| moments[0].count());
        let counts = counts.filter(|count| *count > 0);
        let (least, most) = (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0));
        let mut notes = Vec::new();
        notes.push(match (least, most) {
            (_, 0 | 1) => "One run for each point: no interval can be given.".to_owned(),
            (least, most) => {
                let seeds = if least == most {
                    most.to_string()
                } else {
                    format!("{least} to {most}")
                };
                let bars = match self.choice.kind() {
                    Kind::Lines => "; error bars: its 95 % confidence interval",
                    Kind::HeatMap => "",
                };
                format!("Mean over {seeds} seeds{bars}.")
            }
        });
        let places = match self.choice.places {
            Places::Lines {
                x: Along::Axis(Some(x)),
                colour,
                ..
            } => vec![Some(x), colour],
            Places::Lines { colour, .. } => vec![colour],
            Places::HeatMap { x, y, .. } => vec![Some(x), Some(y)],
        };
        for at in places.into_iter().flatten() {
            let keys = self.description.axes[at.axis].keys.iter().enumerate();
            let others = keys
                .filter(|(number, _)| *number != at.key)
                .map(|(_, key)| key.label.as_str());
            let others: Vec<_> = others.collect();
            if !others.is_empty() {
                notes.push(format!(
                    "With {} goes {}.",
                    self.key(at).label,
                    others.join(", ")
                ));
            }
        }
        notes
    }

    /// What is fixed in a chart: `tcp count 4, queue red`.
    pub(super) fn title(&self, fixed: &Fixed) -> Option<String> {
        let words = fixed
            .iter()
            .map(|(at, value)| self.value_in_words(*at, *value));
        let words: Vec<_> = words.collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    pub(super) fn value_in_words(&self, at: AxisKey, value: usize) -> String {
        let key = self.key(at);
        if key.is_number() {
            format!("{} {}", key.label, key.shown[value])
        } else {
            key.shown[value].clone()
        }
    }
}

/// How to draw a sweep otherwise.
const COMMANDS: &str = "\
ackclock report DIR --x AXIS --y METRIC --colour AXIS --facet AXIS
ackclock report DIR --kind heat-map --x AXIS --y AXIS --colour METRIC";

/// Most charts on a page, and values of an axis in a line of text.
const MOST_CHARTS: usize = 24;
const VALUES_SHOWN: usize = 12;
