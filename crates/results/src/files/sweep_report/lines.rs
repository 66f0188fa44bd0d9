//! Lines, points and bars: a metric over an axis or a metric.

use super::choice::{Along, Places};
use super::draw::{Drawing, Fixed};
use super::scale::Scale;
use crate::page::{self, Axis, Chart, Series};
use crate::sweep::AxisColumn;
use experiments::metrics::confidence_95;

impl Drawing<'_> {
    /// A chart of lines; none where nothing is to be seen. `place` is the metric's among those read.
    pub(super) fn chart(
        &self,
        id: String,
        metric: usize,
        place: usize,
        fixed: &Fixed,
    ) -> Option<Chart> {
        let Places::Lines { x, colour, .. } = self.choice.places else {
            return None;
        };
        let metric = &self.description.metrics[metric];
        let mut lines: Vec<Line> = Vec::new();
        for (values, moments) in self.combinations(fixed) {
            let Some(mean) = moments[place].mean() else {
                continue;
            };
            let at = match x {
                Along::Axis(None) => 0.0,
                Along::Axis(Some(x)) => match self.key(x).number(values[x.axis]) {
                    Some(number) => number,
                    None => values[x.axis] as f64,
                },
                Along::Metric(_) => match moments[1].mean() {
                    Some(mean) => mean,
                    None => continue,
                },
            };
            let half = confidence_95(&moments[place]);
            let ends = half.map_or((f64::NAN, f64::NAN), |half| (mean - half, mean + half));
            let value = colour.map_or(0, |colour| values[colour.axis]);
            let found = lines.iter().position(|line| line.value == value);
            let number = found.unwrap_or_else(|| {
                lines.push(Line {
                    value,
                    ..Line::default()
                });
                lines.len() - 1
            });
            let line = &mut lines[number];
            line.points.push((at, mean));
            line.ends.push(ends);
        }
        if lines.is_empty() {
            return None;
        }
        lines.sort_by_key(|line| line.value);
        let title = self.title(fixed).unwrap_or_else(|| match x {
            Along::Axis(Some(x)) => format!("{} over {}", metric.label, self.key(x).label),
            _ => metric.label.clone(),
        });
        let scale = Scale::of_metric(
            metric,
            lines.iter().flat_map(|line| &line.points).map(|p| p.1),
        );
        let (x_axis, x_scale, kind) = self.x_axis(x, &lines);
        let mut chart = Chart::new(id, title, x_axis, Axis::linear(&metric.label, scale.unit));
        if kind == page::Kind::Line && are_close(lines.iter().flat_map(|line| &line.points)) {
            chart.y = chart.y.fitted();
        }
        let too_many = lines.len().saturating_sub(MOST_LINES);
        for mut line in lines.into_iter().take(MOST_LINES) {
            line.sort();
            let points = line
                .points
                .iter()
                .map(|(x, y)| (x / x_scale, y / scale.size));
            let ends = line
                .ends
                .iter()
                .map(|(low, high)| (low / scale.size, high / scale.size));
            let name = match colour {
                Some(colour) => self.value_in_words(colour, line.value),
                None => metric.label.clone(),
            };
            let mut series = Series::new(name, kind, points.collect());
            if line.ends.iter().any(|ends| ends.0.is_finite()) {
                series = series.interval(ends.collect());
            }
            chart = chart.with(series);
        }
        if too_many > 0 {
            chart = chart.note(format!(
                "{too_many} more values of the colour's axis are not shown; runs.parquet has them."
            ));
        }
        for note in self.notes() {
            chart = chart.note(note);
        }
        Some(chart)
    }

    fn x_axis(&self, x: Along, lines: &[Line]) -> (Axis, f64, page::Kind) {
        let x = match x {
            Along::Axis(None) => {
                return (Axis::category("", "", ["all runs"]), 1.0, page::Kind::Bars);
            }
            Along::Metric(metric) => {
                let metric = &self.description.metrics[metric];
                let values = lines.iter().flat_map(|line| &line.points).map(|p| p.0);
                let scale = Scale::of_metric(metric, values);
                let axis = Axis::linear(&metric.label, scale.unit);
                return (axis, scale.size, page::Kind::Points);
            }
            Along::Axis(Some(x)) => self.key(x),
        };
        if !x.is_number() {
            let axis = Axis::category(&x.label, "", x.shown.iter().cloned());
            return (axis, 1.0, page::Kind::Bars);
        }
        let numbers: Vec<f64> = x
            .values
            .iter()
            .filter_map(serde_json::Value::as_f64)
            .collect();
        let scale = Scale::of(&x.unit, numbers.iter().copied());
        let logarithmic = x.scale == LOGARITHMIC && numbers.iter().all(|number| *number > 0.0);
        let axis = if logarithmic { Axis::log } else { Axis::linear };
        (
            axis(x.label.clone(), scale.unit.clone()),
            scale.size,
            page::Kind::Line,
        )
    }
}

/// The points of one colour.
#[derive(Default)]
struct Line {
    /// Number of the value on the colour's axis.
    value: usize,
    points: Vec<(f64, f64)>,
    ends: Vec<(f64, f64)>,
}

impl Line {
    /// From left to right.
    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by(|a, b| self.points[*a].0.total_cmp(&self.points[*b].0));
        self.points = order.iter().map(|at| self.points[*at]).collect();
        self.ends = order.iter().map(|at| self.ends[*at]).collect();
    }
}

impl AxisColumn {
    fn number(&self, value: usize) -> Option<f64> {
        if self.is_number() {
            self.values[value].as_f64()
        } else {
            None
        }
    }
}

/// Whether values differ by less than a quarter of the greatest: from zero on they would lie in a
/// heap.
fn are_close<'a>(points: impl Iterator<Item = &'a (f64, f64)>) -> bool {
    let (low, high) = points.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, y)| {
        (low.min(*y), high.max(*y))
    });
    low > 0.0 && high - low < 0.25 * high
}

/// Charts side by side have one y axis.
pub(super) fn share_y_axis(charts: &mut [Chart]) {
    if charts.len() < 2 {
        return;
    }
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for series in charts.iter().flat_map(|chart| &chart.series) {
        let ends = series
            .interval
            .iter()
            .flatten()
            .flat_map(|ends| [ends.0, ends.1]);
        let values = series.points.iter().map(|point| point.1).chain(ends);
        for value in values.filter(|value| value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
    }
    if low < 0.0 || high <= 0.0 {
        return;
    }
    // Two digits are round enough.
    let step = libm::pow(10.0, libm::floor(libm::log10(high)) - 1.0);
    let top = libm::ceil(high / step) * step;
    for chart in charts {
        chart.y.min = Some(0.0);
        chart.y.max = Some(top);
        chart.y.from_zero = None;
    }
}

/// Most lines in a chart.
const MOST_LINES: usize = 32;
const LOGARITHMIC: &str = "logarithmic";
