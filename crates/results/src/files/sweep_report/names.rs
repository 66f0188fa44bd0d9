//! Axes and metrics by name.

use super::SweepReportError;
use super::choice::AxisKey;
use crate::sweep::{AxisColumn, AxisDescription, Description, MetricColumn};
use experiments::scenario::nearest;

/// An axis or a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Axis(AxisKey),
    Metric(usize),
}

/// What the user says about a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish<T> {
    /// Nothing: it is to be chosen.
    Free,
    /// That it stays empty.
    Empty,
    /// This.
    This(T),
}

impl<T> Wish<T> {
    /// What is asked for by name; else what is usual, if nothing speaks against it.
    pub(super) fn or(self, usual: Option<T>) -> Option<T> {
        match self {
            Self::This(named) => Some(named),
            Self::Free => usual,
            Self::Empty => None,
        }
    }

    /// What is asked for by name.
    pub(super) fn this(self) -> Option<T> {
        match self {
            Self::This(named) => Some(named),
            Self::Free | Self::Empty => None,
        }
    }
}

/// Finds axes and metrics by name.
pub(super) struct Finder<'a> {
    pub(super) description: &'a Description,
}

impl Finder<'_> {
    pub(super) fn key(&self, at: AxisKey) -> &AxisColumn {
        &self.description.axes[at.axis].keys[at.key]
    }

    /// Axes with several values that have no place yet.
    pub(super) fn free(&self, taken: &[usize]) -> Vec<AxisKey> {
        let axes = self.description.axes.iter().enumerate();
        axes.filter(|(at, axis)| axis.len() > 1 && !taken.contains(at))
            .map(|(axis, _)| AxisKey { axis, key: 0 })
            .collect()
    }

    /// Two axes of numbers with many values each, and no seeds.
    pub(super) fn is_a_surface(&self) -> bool {
        let many: Vec<_> = self.free(&[]);
        let long = |at: &&AxisKey| {
            self.key(**at).is_number() && self.description.axes[at.axis].len() >= MANY_VALUES
        };
        self.description.seeds.at_most <= 1
            && many.iter().filter(long).count() == 2
            && many.len() == 2
    }

    /// The goodput of all flows, or the first metric there is.
    pub(super) fn usual_metric(&self) -> Result<usize, SweepReportError> {
        let metrics = &self.description.metrics;
        let usual = metrics.iter().position(|metric| metric.column == USUAL);
        let first = (!metrics.is_empty()).then_some(0);
        usual.or(first).ok_or_else(|| SweepReportError::Unsuitable {
            reason: "the sweep has no metrics".to_owned(),
            hint: "repeat the sweep's command: what is done is not run again".to_owned(),
        })
    }

    pub(super) fn find_or_none(
        &self,
        option: &'static str,
        wish: Option<&str>,
    ) -> Result<Wish<Named>, SweepReportError> {
        match wish {
            Some("none") => Ok(Wish::Empty),
            wish => Ok(self.find(option, wish)?.map_or(Wish::Free, Wish::This)),
        }
    }

    pub(super) fn find(
        &self,
        option: &'static str,
        wish: Option<&str>,
    ) -> Result<Option<Named>, SweepReportError> {
        let Some(wish) = wish else { return Ok(None) };
        let all = self.names();
        // The whole name before its end, an axis before a metric.
        for same in [is_same as fn(&str, &str) -> bool, is_end_of] {
            let found: Vec<_> = all
                .iter()
                .filter(|(_, names)| names.iter().any(|name| same(wish, name)))
                .collect();
            match found.as_slice() {
                [] => {}
                [(named, _)] => return Ok(Some(*named)),
                several => {
                    let which: Vec<_> = several.iter().map(|(_, names)| names[0]).collect();
                    return Err(SweepReportError::Name {
                        option,
                        given: wish.to_owned(),
                        reason: "could mean several things".to_owned(),
                        hint: format!("say which: {}", shortened(&which)),
                    });
                }
            }
        }
        let near = nearest(
            wish,
            all.iter().flat_map(|(_, names)| names.iter().copied()),
        );
        let near = near.map_or_else(String::new, |near| format!("did you mean {near}? "));
        Err(SweepReportError::Name {
            option,
            given: wish.to_owned(),
            reason: "the sweep has no such axis or metric".to_owned(),
            hint: format!(
                "{near}{}; {}",
                self.axes_in_words(),
                self.metrics_in_words()
            ),
        })
    }

    /// All axes and metrics with the names that they go by, the usual one first.
    fn names(&self) -> Vec<(Named, Vec<&str>)> {
        let axes = self.description.axes.iter().enumerate();
        let axes = axes.flat_map(|(axis, of)| {
            let keys = of.keys.iter().enumerate();
            keys.map(move |(key, of)| {
                let names = vec![of.key.as_str(), &of.column, &of.label];
                (Named::Axis(AxisKey { axis, key }), names)
            })
        });
        let metrics = self.description.metrics.iter().enumerate();
        let metrics = metrics.map(|(number, metric)| {
            let names = vec![metric.column.as_str(), without_unit(metric), &metric.label];
            (Named::Metric(number), names)
        });
        axes.chain(metrics).collect()
    }

    pub(super) fn wrong_place(
        &self,
        option: &'static str,
        given: Option<&str>,
        wanted: &str,
    ) -> SweepReportError {
        SweepReportError::Name {
            option,
            given: given.unwrap_or_default().to_owned(),
            reason: format!("cannot go there: needs {wanted}"),
            hint: format!("{}; {}", self.axes_in_words(), self.metrics_in_words()),
        }
    }

    pub(super) fn axes_in_words(&self) -> String {
        let keys = self.description.axes.iter().flat_map(|axis| &axis.keys);
        let keys: Vec<_> = keys.map(|key| key.key.as_str()).collect();
        if keys.is_empty() {
            "there are no axes".to_owned()
        } else {
            format!("axes: {}", keys.join(", "))
        }
    }

    fn metrics_in_words(&self) -> String {
        let metrics = &self.description.metrics;
        let names: Vec<_> = metrics
            .iter()
            .map(|metric| metric.column.as_str())
            .collect();
        format!("metrics: {}", shortened(&names))
    }
}

fn shortened(names: &[&str]) -> String {
    let more = names.len().saturating_sub(NAMES_SHOWN);
    let shown = names[..names.len() - more].join(", ");
    match more {
        0 => shown,
        more => format!("{shown}, … {more} more (columns of runs.parquet)"),
    }
}

/// `goodput` for `goodput_bps`.
fn without_unit(metric: &MetricColumn) -> &str {
    let units = ["_bps", "_s", "_packets", "_percent"];
    let column = metric.column.as_str();
    units
        .iter()
        .find_map(|unit| column.strip_suffix(unit))
        .filter(|_| !metric.unit.is_empty() || metric.name.ends_with("_packets"))
        .unwrap_or(column)
}

fn is_same(wish: &str, name: &str) -> bool {
    wish == name
}

/// `count` is the end of `flows.tcp.count`, and so is `tcp.count`.
fn is_end_of(wish: &str, name: &str) -> bool {
    name.strip_suffix(wish)
        .is_some_and(|before| before.ends_with('.'))
}

impl AxisDescription {
    /// How many values it has.
    pub(super) fn len(&self) -> usize {
        self.keys.first().map_or(1, |key| key.values.len())
    }
}

impl AxisColumn {
    /// Whether its values are numbers.
    pub(super) fn is_number(&self) -> bool {
        !self.values.is_empty() && self.values.iter().all(serde_json::Value::is_number)
    }
}

/// From how many values on an axis makes a surface.
const MANY_VALUES: usize = 4;
/// Most names in a hint.
const NAMES_SHOWN: usize = 30;
/// The metric drawn when none is named.
const USUAL: &str = "goodput_bps";
