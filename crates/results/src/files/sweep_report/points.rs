//! What every combination of a sweep gave, over its seeds.

use std::collections::BTreeMap;
use std::path::Path;

use super::{SweepReportError, describe, rows};
use crate::sweep::{Description, RUNS};
use experiments::metrics::Moments;

/// A combination of a sweep's values, and its metrics over the seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptPoint {
    /// Each key of the axes with its value, as the file has it.
    pub values: Vec<(String, String)>,
    /// By the names of their columns.
    pub metrics: BTreeMap<String, Moments>,
}

/// Reads what the sweep in a folder gave, in the order of the grid.
pub fn swept_points(folder: &Path) -> Result<Vec<SweptPoint>, SweepReportError> {
    let description = describe(folder)?;
    let columns: Vec<String> = description
        .metrics
        .iter()
        .map(|metric| metric.column.clone())
        .collect();
    let rows = rows::read(&folder.join(RUNS), &description, &columns)?;
    let points = rows.points.into_iter().map(|(point, moments)| SweptPoint {
        values: values(&description, point),
        metrics: columns.iter().cloned().zip(moments).collect(),
    });
    Ok(points.collect())
}

/// The values of a combination by its number: the last axis varies fastest.
fn values(description: &Description, point: u64) -> Vec<(String, String)> {
    let mut rest = point;
    let mut values = Vec::new();
    for axis in description.axes.iter().rev() {
        let length = axis.keys.first().map_or(1, |key| key.shown.len().max(1)) as u64;
        let at = (rest % length) as usize;
        rest /= length;
        for key in axis.keys.iter().rev() {
            let shown = key.shown.get(at).cloned().unwrap_or_default();
            values.push((key.key.clone(), shown));
        }
    }
    values.reverse();
    values
}
