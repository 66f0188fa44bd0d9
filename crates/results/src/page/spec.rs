//! Charts checked and put into the form that `assets/page` reads.

use std::collections::BTreeSet;

use serde::Serialize;

use super::chart::NEUTRAL;
use super::palette::{COLOURS, MARKERS};
use super::{Along, Axis, Chart, Dash, Kind, PageError, Palette, Scale, Series};

/// A chart as `assets/page` reads it.
#[derive(Serialize)]
pub(super) struct ChartSpec<'a> {
    kind: &'static str,
    id: &'a str,
    title: &'a str,
    x: AxisSpec<'a>,
    y: AxisSpec<'a>,
    series: Vec<SeriesSpec<'a>>,
    lines: Vec<LineSpec<'a>>,
    spans: Vec<SpanSpec<'a>>,
    settled: Option<f64>,
    group: Option<&'a str>,
    height: Option<u32>,
    /// What had to be left out; for the reader, beside the chart's own notes.
    #[serde(skip)]
    pub(super) notes: Vec<String>,
}

/// An axis as `assets/page` reads it.
#[derive(Serialize)]
pub(super) struct AxisSpec<'a> {
    label: &'a str,
    unit: &'a str,
    scale: &'static str,
    names: &'a [String],
    min: Option<f64>,
    max: Option<f64>,
    zero: bool,
}

impl<'a> AxisSpec<'a> {
    pub(super) fn new(axis: &'a Axis, from_zero: bool) -> Self {
        let (scale, names): (_, &[String]) = match &axis.scale {
            Scale::Linear => ("linear", &[]),
            Scale::Log => ("log", &[]),
            Scale::Category(names) => ("category", names),
        };
        let zero = axis.from_zero.unwrap_or(from_zero);
        Self {
            label: &axis.label,
            unit: &axis.unit,
            scale,
            names,
            min: axis.min,
            max: axis.max,
            zero,
        }
    }

    /// Number of categories, if these are its scale.
    pub(super) fn categories(&self) -> Option<usize> {
        (self.scale == "category").then_some(self.names.len())
    }
}

#[derive(Serialize)]
struct SeriesSpec<'a> {
    name: &'a str,
    kind: &'static str,
    x: Vec<f64>,
    /// Absent: a gap.
    y: Vec<Option<f64>>,
    /// Absent with a `high` present: lies below what a logarithmic axis shows.
    low: Option<Vec<Option<f64>>>,
    high: Option<Vec<Option<f64>>>,
    colour: usize,
    shade: u32,
    marker: usize,
    dash: &'static str,
    hollow: bool,
}

#[derive(Serialize)]
struct SpanSpec<'a> {
    from: f64,
    to: f64,
    label: &'a str,
}

#[derive(Serialize)]
struct LineSpec<'a> {
    axis: &'static str,
    value: f64,
    label: &'a str,
}

/// Checks a chart and makes it ready for the script.
pub(super) fn chart_spec<'a>(
    chart: &'a Chart,
    palette: &mut Palette,
) -> Result<ChartSpec<'a>, PageError> {
    check_axes(chart)?;
    let mut names = BTreeSet::new();
    let mut uses_of_slot = Vec::new();
    let mut series = Vec::new();
    let mut notes = Vec::new();
    for one in &chart.series {
        if !names.insert(&one.name) {
            return Err(PageError::DuplicateSeries {
                chart: chart.id.clone(),
                series: one.name.clone(),
            });
        }
        let points = Points::of(chart, one)?;
        let slot = if one.colour == NEUTRAL {
            GREY
        } else {
            palette.slot(&one.colour)
        };
        let earlier_uses = uses_of_slot.iter().filter(|used| **used == slot).count();
        uses_of_slot.push(slot);
        if points.left_out > 0 {
            let (count, name) = (points.left_out, &one.name);
            let what = if count == 1 {
                "point at or below zero is"
            } else {
                "points at or below zero are"
            };
            notes.push(format!(
                "{name}: {count} {what} not on the logarithmic axis."
            ));
        }
        if points.y.iter().all(Option::is_none) {
            notes.push(format!("{}: no data.", one.name));
            continue;
        }
        series.push(series_spec(one, points, slot, earlier_uses));
    }
    if series.is_empty() {
        return Err(PageError::EmptyChart {
            chart: chart.id.clone(),
        });
    }
    let lines = chart.lines.iter().map(|line| LineSpec {
        axis: if line.along == Along::X { "x" } else { "y" },
        value: line.value,
        label: &line.label,
    });
    let spans = chart.spans.iter().map(|span| SpanSpec {
        from: span.from,
        to: span.to,
        label: &span.label,
    });
    Ok(ChartSpec {
        kind: "chart",
        id: &chart.id,
        title: &chart.title,
        x: AxisSpec::new(&chart.x, false),
        y: AxisSpec::new(&chart.y, true),
        series,
        lines: lines.collect(),
        spans: spans.collect(),
        settled: chart.settled,
        group: chart.group.as_deref(),
        height: chart.height,
        notes,
    })
}

fn check_axes(chart: &Chart) -> Result<(), PageError> {
    let categories = matches!(chart.x.scale, Scale::Category(_));
    let bars = chart.series.iter().any(|series| series.kind == Kind::Bars);
    let limits = [chart.x.min, chart.x.max, chart.y.min, chart.y.max];
    let fits_log = |axis: &Axis, along| {
        let lines = chart
            .lines
            .iter()
            .filter(|line| line.along == along)
            .map(|line| line.value);
        axis.scale != Scale::Log
            || lines
                .chain(axis.min)
                .chain(axis.max)
                .all(|value| value > 0.0)
    };
    let reason = if matches!(chart.y.scale, Scale::Category(_)) {
        "the y axis of a chart cannot have categories"
    } else if bars && !categories {
        "bars need an x axis with categories"
    } else if bars && chart.y.scale == Scale::Log {
        "bars begin at zero, which a logarithmic axis does not have"
    } else if categories && chart.group.is_some() {
        "charts of a group need x axes with numbers"
    } else if limits
        .into_iter()
        .flatten()
        .chain(chart.lines.iter().map(|l| l.value))
        .chain(chart.spans.iter().flat_map(|span| [span.from, span.to]))
        .chain(chart.settled)
        .any(|v| !v.is_finite())
    {
        "an axis limit or reference line is not a finite number"
    } else if !fits_log(&chart.x, Along::X) || !fits_log(&chart.y, Along::Y) {
        "a limit or reference line at or below zero on a logarithmic axis"
    } else {
        return Ok(());
    };
    Err(PageError::Axis {
        chart: chart.id.clone(),
        reason,
    })
}

/// The points of a series that can be drawn.
struct Points {
    x: Vec<f64>,
    y: Vec<Option<f64>>,
    low: Vec<Option<f64>>,
    high: Vec<Option<f64>>,
    left_out: usize,
}

impl Points {
    fn of(chart: &Chart, series: &Series) -> Result<Self, PageError> {
        let intervals = series.interval.as_deref().unwrap_or_default();
        let wanted = series.interval.is_some() || series.kind == Kind::Band;
        if wanted && intervals.len() != series.points.len() {
            return Err(PageError::Intervals {
                chart: chart.id.clone(),
                series: series.name.clone(),
                points: series.points.len(),
                intervals: intervals.len(),
            });
        }
        let on_axis = |axis: &Axis, value: f64| axis.scale != Scale::Log || value > 0.0;
        let mut points = Self {
            x: vec![],
            y: vec![],
            low: vec![],
            high: vec![],
            left_out: 0,
        };
        for (index, &(x, y)) in series.points.iter().enumerate() {
            let not_finite = |value: f64| PageError::NotFinite {
                chart: chart.id.clone(),
                series: series.name.clone(),
                index,
                value: value.to_string(),
            };
            check_category(chart, series, x)?;
            if !x.is_finite() {
                return Err(not_finite(x));
            }
            if y.is_infinite() {
                return Err(not_finite(y));
            }
            let drawn = on_axis(&chart.y, y) || y.is_nan();
            points.left_out += usize::from(!drawn || !on_axis(&chart.x, x));
            if !on_axis(&chart.x, x) {
                continue;
            }
            points.x.push(x);
            points.y.push((drawn && !y.is_nan()).then_some(y));
            let Some(&(low, high)) = intervals.get(index) else {
                continue;
            };
            let absent = low.is_nan() && high.is_nan();
            let bad = [low, high].into_iter().find(|end| !end.is_finite());
            if let (false, Some(bad)) = (absent, bad) {
                return Err(not_finite(bad));
            }
            let shown = |end| (!absent && on_axis(&chart.y, end)).then_some(end);
            points.low.push(shown(low));
            points.high.push(shown(high));
        }
        Ok(points)
    }
}

fn check_category(chart: &Chart, series: &Series, x: f64) -> Result<(), PageError> {
    let Scale::Category(names) = &chart.x.scale else {
        return Ok(());
    };
    if x >= 0.0 && x < names.len() as f64 && x.fract() == 0.0 {
        return Ok(());
    }
    Err(PageError::Category {
        chart: chart.id.clone(),
        series: series.name.clone(),
        value: x.to_string(),
        categories: names.len(),
    })
}

fn series_spec(
    series: &Series,
    points: Points,
    slot: usize,
    earlier_uses: usize,
) -> SeriesSpec<'_> {
    let grey = slot == GREY;
    let round = if grey { 0 } else { slot / COLOURS };
    let dashes = [Dash::Solid, Dash::Dashed, Dash::Dotted, Dash::DashDot];
    // Dashes would tear apart a line of many points; there the markers have to do.
    let turn = if points.x.len() > MOST_POINTS_DASHED || series.shade > 0 {
        0
    } else {
        round + earlier_uses
    };
    let dash = series.dash.unwrap_or(dashes[turn % dashes.len()]);
    let ranged = series.interval.is_some();
    SeriesSpec {
        name: &series.name,
        kind: match series.kind {
            Kind::Line => "line",
            Kind::Step => "step",
            Kind::Points => "points",
            Kind::Bars => "bars",
            Kind::Band => "band",
        },
        x: points.x,
        y: points.y,
        low: ranged.then_some(points.low),
        high: ranged.then_some(points.high),
        colour: if grey { COLOURS } else { slot % COLOURS },
        shade: series.shade,
        marker: if grey { 0 } else { (slot + round) % MARKERS },
        dash: match dash {
            Dash::Solid => "solid",
            Dash::Dashed => "dashed",
            Dash::Dotted => "dotted",
            Dash::DashDot => "dash-dot",
        },
        hollow: series
            .dash
            .map_or(earlier_uses % 2 == 1 && series.shade == 0, |dash| {
                dash != Dash::Solid
            }),
    }
}

/// The slot of what is drawn in grey; on the page it comes after the colours.
const GREY: usize = usize::MAX;
/// Longest series that gets a dash without being asked.
const MOST_POINTS_DASHED: usize = 200;
