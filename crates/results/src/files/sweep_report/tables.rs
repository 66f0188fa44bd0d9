//! The numbers of the charts, and the names to choose from, as tables.

use super::draw::Drawing;
use super::scale::Scale;
use crate::page::{Block, Cell, Column, Table, significant};
use experiments::metrics::confidence_95;

impl Drawing<'_> {
    /// Every combination with its number.
    pub(super) fn table(&self) -> Block {
        let metric = &self.description.metrics[self.choice.metric()];
        let keys = || self.description.axes.iter().flat_map(|axis| &axis.keys);
        let means = self
            .rows
            .points
            .values()
            .filter_map(|moments| moments[0].mean());
        let scale = Scale::of_metric(metric, means);
        let mut columns: Vec<_> = keys().map(|key| Column::text(&key.label)).collect();
        columns.push(Column::number(&metric.label, scale.unit));
        columns.push(Column::number("runs", ""));
        let mut table = Table::new("", columns);
        for (point, moments) in self.rows.points.iter().take(MOST_ROWS) {
            let values = self.values_at(*point);
            let axes = self.description.axes.iter().zip(&values);
            let mut row: Vec<Cell> = axes
                .flat_map(|(axis, value)| {
                    axis.keys
                        .iter()
                        .map(|key| key.shown[*value].as_str().into())
                })
                .collect();
            let half = confidence_95(&moments[0]);
            row.push(match (moments[0].mean(), half) {
                (None, _) => Cell::Empty,
                (Some(mean), None) => Cell::Number(mean / scale.size),
                (Some(mean), Some(half)) => Cell::Interval {
                    value: mean / scale.size,
                    low: (mean - half) / scale.size,
                    high: (mean + half) / scale.size,
                },
            });
            row.push(Cell::Number(moments[0].count() as f64));
            table.rows.push(row);
        }
        let summary = match self.rows.points.len() {
            count if count > MOST_ROWS => format!(
                "The first {MOST_ROWS} of {} combinations as a table; runs.parquet has all",
                significant(count as f64, 6)
            ),
            _ => "Every combination as a table".to_owned(),
        };
        Block::Details {
            summary,
            blocks: vec![Block::Table(table)],
        }
    }

    /// Names that the command takes.
    pub(super) fn choices(&self) -> Block {
        let columns = ["name", "what", "is", "unit"].map(Column::text);
        let mut table = Table::new("", columns.to_vec());
        let mut add = |name: &str, what: &str, label: &str, unit: &str| {
            table
                .rows
                .push([name, what, label, unit].map(Cell::from).to_vec());
        };
        for key in self.description.axes.iter().flat_map(|axis| &axis.keys) {
            add(&key.key, "axis", &key.label, &key.unit);
        }
        for metric in &self.description.metrics {
            add(&metric.column, "metric", &metric.label, &metric.unit);
        }
        Block::Details {
            summary: "Axes and metrics to choose from".to_owned(),
            blocks: vec![Block::Table(table)],
        }
    }
}

/// Most rows of the table.
const MOST_ROWS: usize = 1000;
