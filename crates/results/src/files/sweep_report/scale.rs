//! Units that suit the values.

use crate::files::charts::{RATES, TIMES, unit_for};
use crate::sweep::MetricColumn;

/// A unit that suits the greatest value, and its size in the column's unit.
pub(super) struct Scale {
    pub(super) unit: String,
    pub(super) size: f64,
}

impl Scale {
    pub(super) fn of(unit: &str, values: impl Iterator<Item = f64>) -> Self {
        let units = match unit {
            "bps" => RATES,
            "s" => TIMES,
            "bytes" => SIZES,
            unit => {
                return Self {
                    unit: unit.to_owned(),
                    size: 1.0,
                };
            }
        };
        let (size, unit) = unit_for(values, units);
        Self {
            unit: unit.to_owned(),
            size,
        }
    }

    pub(super) fn of_metric(metric: &MetricColumn, values: impl Iterator<Item = f64>) -> Self {
        Self::of(&metric.unit, values)
    }
}

/// Units of sizes, in bytes.
const SIZES: &[(f64, &str)] = &[(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")];
