//! Heat maps: a value for each pair of categories, as a colour.

use serde::Serialize;

use super::spec::AxisSpec;
use super::{Axis, PageError};

/// A matrix of coloured cells; small ones also show their numbers.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// Names the chart in links, in saved files and in errors; no white space, unique in the page.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The columns: a category axis.
    pub x: Axis,
    /// The rows, the first at the bottom: a category axis.
    pub y: Axis,
    /// For each row the value of each column; absent or not a number: the cell stays empty.
    pub values: Vec<Vec<Option<f64>>>,
    /// What the values are.
    pub label: String,
    /// Their unit; empty if they have none.
    pub unit: String,
    /// How values become colours.
    pub scale: ColourScale,
    /// Remarks under the chart.
    pub notes: Vec<String>,
    /// Height of the drawing in CSS pixels; absent: by the number of rows.
    pub height: Option<u32>,
}

/// How values become colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColourScale {
    /// From the lowest value (pale) to the highest (blue).
    Sequential,
    /// From `low` (pale) to `high` (blue), so that several maps can share it; a value
    /// outside moves the end.
    Between {
        /// What is palest.
        low: f64,
        /// What is bluest.
        high: f64,
    },
    /// Blue below `centre`, orange above, pale at it; as far on either side as the farthest value.
    Diverging {
        /// The neutral value: 1 for a ratio, 0 for a difference.
        centre: f64,
    },
    /// The same with a given reach on either side, so that several maps can share it; a value
    /// beyond moves both ends.
    Around {
        /// The neutral value.
        centre: f64,
        /// How far from it the colours are full.
        reach: f64,
    },
}

/// A heat map as `assets/page` reads it.
#[derive(Serialize)]
pub(super) struct HeatSpec<'a> {
    kind: &'static str,
    id: &'a str,
    title: &'a str,
    x: AxisSpec<'a>,
    y: AxisSpec<'a>,
    value: ValueSpec<'a>,
    values: &'a [Vec<Option<f64>>],
    diverging: bool,
    min: f64,
    max: f64,
    group: Option<&'a str>,
    height: Option<u32>,
}

#[derive(Serialize)]
struct ValueSpec<'a> {
    label: &'a str,
    unit: &'a str,
}

impl HeatSpec<'_> {
    /// The ends of the scale, and whether it has a neutral middle.
    pub(super) fn range(&self) -> (f64, f64, bool) {
        (self.min, self.max, self.diverging)
    }
}

/// Checks a heat map and makes it ready for the script.
pub(super) fn heat_spec(map: &HeatMap) -> Result<HeatSpec<'_>, PageError> {
    let chart = || map.id.clone();
    let x = AxisSpec::new(&map.x, false);
    let y = AxisSpec::new(&map.y, false);
    let (Some(columns), Some(rows)) = (x.categories(), y.categories()) else {
        return Err(PageError::Axis {
            chart: chart(),
            reason: "a heat map needs two category axes",
        });
    };
    if map.values.len() != rows || map.values.iter().any(|row| row.len() != columns) {
        return Err(PageError::Shape {
            chart: chart(),
            rows,
            columns,
        });
    }
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (index, value) in map.values.iter().flatten().enumerate() {
        let Some(value) = value.filter(|value| !value.is_nan()) else {
            continue;
        };
        if value.is_infinite() {
            let series = map.label.clone();
            return Err(PageError::NotFinite {
                chart: chart(),
                series,
                index,
                value: value.to_string(),
            });
        }
        low = low.min(value);
        high = high.max(value);
    }
    if low > high {
        return Err(PageError::EmptyChart { chart: chart() });
    }
    let (diverging, min, max) = match map.scale {
        ColourScale::Sequential => (false, low, high),
        ColourScale::Between {
            low: from,
            high: to,
        } => (false, from.min(low), to.max(high)),
        ColourScale::Diverging { centre } => {
            let reach = (high - centre).max(centre - low);
            (true, centre - reach, centre + reach)
        }
        ColourScale::Around { centre, reach } => {
            let reach = reach.max(high - centre).max(centre - low);
            (true, centre - reach, centre + reach)
        }
    };
    Ok(HeatSpec {
        kind: "heat",
        id: &map.id,
        title: &map.title,
        x,
        y,
        value: ValueSpec {
            label: &map.label,
            unit: &map.unit,
        },
        values: &map.values,
        diverging,
        min,
        max,
        group: None,
        height: map.height,
    })
}
