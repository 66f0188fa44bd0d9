//! Charts with two axes: lines, steps, points, bars and bands.

/// A chart: series over two axes.
///
/// On the page it can be zoomed (Ctrl and wheel; a long one also by a slider), its series can be
/// switched off, and it can be saved as SVG and its points as CSV.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Names the chart in links, in saved files and in errors; no white space, unique in the page.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What it shows; at least one series with a point. Series without points are left out, and
    /// a note says so.
    pub series: Vec<Series>,
    /// Lines at fixed values: a capacity, a limit, a fair share.
    pub lines: Vec<ReferenceLine>,
    /// Stretches of the x axis with something about them: an outage.
    pub spans: Vec<Span>,
    /// Where what is before counts less, such as the end of a warm-up: the y axis shows the range of
    /// what comes after, if that is much smaller, and a button shows all.
    pub settled: Option<f64>,
    /// Remarks under the chart.
    pub notes: Vec<String>,
    /// Charts of one group share the range and the zoom of their x axes and the pointer, and a
    /// series switched off in one is off in all.
    pub group: Option<String>,
    /// Height of the drawing in CSS pixels; absent: 330, or 215 in a group.
    pub height: Option<u32>,
}

impl Chart {
    /// A chart without series.
    pub fn new(id: impl Into<String>, title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
            x,
            y,
            series: Vec::new(),
            lines: Vec::new(),
            spans: Vec::new(),
            settled: None,
            notes: Vec::new(),
            group: None,
            height: None,
        }
    }

    /// The chart with one more series.
    #[must_use]
    pub fn with(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// The chart with a labelled line at `value` along an axis.
    #[must_use]
    pub fn line(mut self, along: Along, value: f64, label: impl Into<String>) -> Self {
        self.lines.push(ReferenceLine {
            along,
            value,
            label: label.into(),
        });
        self
    }

    /// The chart with one more remark.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The chart as a member of a group.
    #[must_use]
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.group = Some(group.into());
        self
    }
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The quantity.
    pub label: String,
    /// Its unit; empty if it has none.
    pub unit: String,
    /// How values become places.
    pub scale: Scale,
    /// The lowest value shown; absent: as the data need.
    pub min: Option<f64>,
    /// The highest value shown; absent: as the data need.
    pub max: Option<f64>,
    /// Whether a linear axis begins at zero even if the data do not; absent: a y axis does, an x
    /// axis does not.
    pub from_zero: Option<bool>,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            unit: unit.into(),
            scale: Scale::Linear,
            min: None,
            max: None,
            from_zero: None,
        }
    }

    /// A logarithmic axis. What is zero or less cannot be drawn on it; a note says how much was
    /// left out.
    pub fn log(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            scale: Scale::Log,
            ..Self::linear(label, unit)
        }
    }

    /// An x axis of names, one place each; a point's x is the index of its name.
    pub fn category<T: Into<String>>(
        label: impl Into<String>,
        unit: impl Into<String>,
        names: impl IntoIterator<Item = T>,
    ) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        Self {
            scale: Scale::Category(names),
            ..Self::linear(label, unit)
        }
    }

    /// The axis from `min` to `max`, whatever the data.
    #[must_use]
    pub fn range(mut self, min: f64, max: f64) -> Self {
        self.min = Some(min);
        self.max = Some(max);
        self
    }

    /// The axis fitted to the data instead of beginning at zero.
    #[must_use]
    pub fn fitted(mut self) -> Self {
        self.from_zero = Some(false);
        self
    }
}

/// How an axis turns values into places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps.
    Linear,
    /// Equal factors.
    Log,
    /// Names in this order.
    Category(Vec<String>),
}

/// A named set of points.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend; unique in the chart.
    pub name: String,
    /// How it is drawn.
    pub kind: Kind,
    /// x and y in the axes' units, in drawing order. A y that is not a number is a gap.
    pub points: Vec<(f64, f64)>,
    /// For each point the ends (low, high) of its confidence interval: error bars, or the area of
    /// a band. Two ends that are not numbers: this point has none.
    pub interval: Option<Vec<(f64, f64)>>,
    /// Equal keys have equal colours over the whole page, and over all pages with one
    /// [`Palette`](super::Palette).
    pub colour: String,
    /// The line's dash; absent: solid, or what tells apart short series of one colour.
    pub dash: Option<Dash>,
    /// Which shade of its colour: 0 the colour itself, then lighter and darker ones in turn.
    pub shade: u32,
}

impl Series {
    /// A series whose colour key is its name.
    pub fn new(name: impl Into<String>, kind: Kind, points: Vec<(f64, f64)>) -> Self {
        let name = name.into();
        Self {
            colour: name.clone(),
            name,
            kind,
            points,
            interval: None,
            dash: None,
            shade: 0,
        }
    }

    /// Leaves about `most` points of a longer series: of each stretch the lowest and the highest,
    /// so that peaks stay.
    pub fn thin(&mut self, most: usize) {
        if self.points.len() <= most {
            return;
        }
        let length = (2 * self.points.len()).div_ceil(most.max(2)).max(2);
        let mut kept = Vec::new();
        for first in (0..self.points.len()).step_by(length) {
            let stretch = first..self.points.len().min(first + length);
            let by_height = |a: &usize, b: &usize| self.points[*a].1.total_cmp(&self.points[*b].1);
            let ends = [stretch.clone().min_by(by_height), stretch.max_by(by_height)];
            let mut ends: Vec<usize> = ends.into_iter().flatten().collect();
            ends.sort_unstable();
            ends.dedup();
            kept.extend(ends);
        }
        self.points = kept.iter().map(|at| self.points[*at]).collect();
        if let Some(interval) = &mut self.interval {
            *interval = kept
                .iter()
                .filter_map(|at| interval.get(*at).copied())
                .collect();
        }
    }

    /// The series with confidence intervals, one (low, high) for each point.
    #[must_use]
    pub fn interval(mut self, interval: Vec<(f64, f64)>) -> Self {
        self.interval = Some(interval);
        self
    }

    /// The series with another colour key.
    #[must_use]
    pub fn colour(mut self, key: impl Into<String>) -> Self {
        self.colour = key.into();
        self
    }

    /// The series in another shade of its colour.
    #[must_use]
    pub fn shade(mut self, shade: u32) -> Self {
        self.shade = shade;
        self
    }

    /// The series in grey, as something that the others are held against: a capacity.
    #[must_use]
    pub fn neutral(mut self) -> Self {
        NEUTRAL.clone_into(&mut self.colour);
        self
    }

    /// The series with this dash; markers are hollow unless it is solid.
    #[must_use]
    pub fn dash(mut self, dash: Dash) -> Self {
        self.dash = Some(dash);
        self
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Straight lines from point to point.
    Line,
    /// Each value holds until the next point.
    Step,
    /// Markers alone.
    Points,
    /// Bars from zero, side by side; the x axis has categories.
    Bars,
    /// A line inside the area that its intervals cover.
    Band,
}

/// A line's dash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// Unbroken.
    Solid,
    /// Long strokes.
    Dashed,
    /// Dots.
    Dotted,
    /// Strokes and dots in turn.
    DashDot,
}

/// A stretch of the x axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Where it begins, in the axis's unit.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// What is the matter; may be empty.
    pub label: String,
}

/// A labelled line across the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLine {
    /// The axis on which it has a value.
    pub along: Along,
    /// The value, in that axis's unit.
    pub value: f64,
    /// What it marks; may be empty.
    pub label: String,
}

/// One of a chart's axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// The horizontal axis; the line is upright.
    X,
    /// The vertical axis; the line is level.
    Y,
}

/// The colour key of what is drawn in grey.
pub(super) const NEUTRAL: &str = "\u{0}neutral";
