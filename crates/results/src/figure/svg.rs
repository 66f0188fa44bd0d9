//! Figures as SVG, drawn by `plotters`. Words stay words, so that they can be searched and edited.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::plot::{Panel, Plot, Point, Series};
use super::{Figure, FigureError, Kind};
use crate::page::significant;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Failed = Box<dyn std::error::Error>;

/// The figure as SVG.
pub(super) fn svg(figure: &Figure, plot: &Plot) -> Result<String, FigureError> {
    let mut text = String::new();
    {
        let size = (figure.width, figure.height);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let style = Style::of(figure);
        draw(&root, figure, plot, &style).map_err(|error| FigureError::Drawing {
            reason: error.to_string(),
        })?;
    }
    Ok(text)
}

/// Colours and letters.
struct Style<'f> {
    ink: RGBColor,
    paper: RGBColor,
    grid: RGBColor,
    colours: [RGBColor; 8],
    font: &'f str,
    size: i32,
}

impl<'f> Style<'f> {
    fn of(figure: &'f Figure) -> Self {
        let (ink, paper, grid) = if figure.dark {
            (
                RGBColor(231, 233, 236),
                RGBColor(28, 33, 38),
                RGBColor(58, 66, 74),
            )
        } else {
            (RGBColor(27, 30, 34), WHITE, RGBColor(225, 228, 231))
        };
        Self {
            ink,
            paper,
            grid,
            colours: if figure.dark { DARK } else { LIGHT },
            font: &figure.font,
            size: pixels(figure.font_size as usize),
        }
    }

    fn letters(&self) -> TextStyle<'f> {
        (self.font, self.size).into_font().color(&self.ink)
    }
}

/// An axis: from where to where, whether by logarithms, and names of its places.
struct Axis<'p> {
    low: f64,
    high: f64,
    log: bool,
    names: &'p [String],
}

impl Axis<'_> {
    /// Where a value stands.
    fn at(&self, value: f64) -> f64 {
        if self.log { libm::log10(value) } else { value }
    }

    /// What stands at a place.
    fn label(&self, place: f64) -> String {
        if !self.names.is_empty() {
            let whole = libm::round(place);
            let near = (place - whole).abs() < 0.01;
            let name = self.names.get(whole.max(0.0) as usize);
            return name
                .filter(|_| near && whole >= 0.0)
                .cloned()
                .unwrap_or_default();
        }
        let value = if self.log {
            libm::pow(10.0, place)
        } else {
            place
        };
        significant(value, 3)
    }
}

fn draw(root: &Area<'_>, figure: &Figure, plot: &Plot, style: &Style<'_>) -> Result<(), Failed> {
    root.fill(&style.paper)?;
    let mut area = root.clone();
    if !figure.title.is_empty() {
        let (head, rest) = area.split_vertically(style.size * 2);
        let middle = (pixels(figure.width as usize) / 2, style.size / 2);
        let title = (style.font, style.size * 5 / 4)
            .into_font()
            .color(&style.ink);
        let centred = title.pos(Pos::new(HPos::Center, VPos::Top));
        head.draw(&Text::new(figure.title.clone(), middle, centred))?;
        area = rest;
    }
    let names = names(plot);
    if plot.kind != Kind::HeatMap && names.len() > 1 {
        let rows = legend_rows(&names, figure, style);
        let (head, rest) = area.split_vertically(style.size * 3 / 2 * pixels(rows.len()) + 4);
        legend(&head, &names, &rows, style)?;
        area = rest;
    }
    let (x, y) = axes(figure, plot);
    let count = plot.panels.len();
    let columns = (1..=count)
        .find(|columns| columns * columns >= count)
        .unwrap_or(1);
    let parts = area.split_evenly((count.div_ceil(columns), columns));
    for (panel, part) in plot.panels.iter().zip(&parts) {
        draw_panel(part, figure, plot, panel, &names, (&x, &y), style)?;
    }
    root.present()?;
    Ok(())
}

/// The names of all series, in order.
fn names(plot: &Plot) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for series in plot.panels.iter().flat_map(|panel| &panel.series) {
        if !names.contains(&series.name.as_str()) {
            names.push(&series.name);
        }
    }
    names
}

/// Which names stand in each row of the legend, and where they begin.
fn legend_rows(names: &[&str], figure: &Figure, style: &Style<'_>) -> Vec<Vec<(usize, i32)>> {
    let mut rows = vec![Vec::new()];
    let mut left = LEGEND_LEFT;
    for (index, name) in names.iter().enumerate() {
        let width = 34 + pixels(name.chars().count()) * style.size * 6 / 10 + 14;
        if left > LEGEND_LEFT && left + width > pixels(figure.width as usize) {
            rows.push(Vec::new());
            left = LEGEND_LEFT;
        }
        let row = rows.last_mut().expect("there is one");
        row.push((index, left));
        left += width;
    }
    rows
}

fn legend(
    area: &Area<'_>,
    names: &[&str],
    rows: &[Vec<(usize, i32)>],
    style: &Style<'_>,
) -> Result<(), Failed> {
    for (row, entries) in rows.iter().enumerate() {
        let y = 4 + style.size * 3 / 2 * pixels(row);
        for (index, left) in entries {
            let colour = style.colours[index % style.colours.len()];
            let middle = y + style.size / 2;
            let line = vec![(*left, middle), (left + 26, middle)];
            area.draw(&PathElement::new(line, colour.stroke_width(3)))?;
            let words = Text::new(names[*index].to_owned(), (left + 32, y), style.letters());
            area.draw(&words)?;
        }
    }
    Ok(())
}

/// The axes that all panels share.
fn axes<'p>(figure: &Figure, plot: &'p Plot) -> (Axis<'p>, Axis<'p>) {
    let points = || {
        let series = plot.panels.iter().flat_map(|panel| &panel.series);
        series.flat_map(|series| &series.points)
    };
    let axis =
        |values: &mut dyn Iterator<Item = f64>, log: bool, names: &'p [String], from_zero| {
            if !names.is_empty() {
                return Axis {
                    low: -0.5,
                    high: names.len() as f64 - 0.5,
                    log: false,
                    names,
                };
            }
            let values = values.filter(|value| !log || *value > 0.0);
            let (mut low, mut high) = values
                .fold((f64::INFINITY, f64::NEG_INFINITY), |ends, value| {
                    (ends.0.min(value), ends.1.max(value))
                });
            if low > high {
                (low, high) = (1.0, 10.0);
            }
            if log {
                (low, high) = (libm::log10(low), libm::log10(high));
            } else if from_zero && low > 0.0 {
                low = 0.0;
            }
            if low == high {
                high = low + 1.0;
            }
            let room = (high - low) * 0.03;
            Axis {
                low: if from_zero && low == 0.0 {
                    0.0
                } else {
                    low - room * f64::from(u8::from(from_zero || log))
                },
                high: high + room,
                log,
                names,
            }
        };
    let x = axis(
        &mut points().map(|point| point.x),
        figure.log_x,
        &plot.x_names,
        false,
    );
    let mut heights = points().flat_map(|point| {
        let ends = point.ends.map(|(low, high)| [low, high]);
        ends.into_iter().flatten().chain([point.y])
    });
    let y = axis(&mut heights, figure.log_y, &plot.y_names, true);
    (x, y)
}

fn draw_panel(
    area: &Area<'_>,
    figure: &Figure,
    plot: &Plot,
    panel: &Panel,
    names: &[&str],
    (x, y): (&Axis<'_>, &Axis<'_>),
    style: &Style<'_>,
) -> Result<(), Failed> {
    let widest = y.names.iter().map(|name| name.chars().count()).max();
    let room = widest.map_or(style.size * 4, |widest| {
        style.size * 2 + pixels(widest) * style.size * 6 / 10
    });
    let mut builder = ChartBuilder::on(area);
    builder
        .margin(style.size / 2)
        .x_label_area_size(style.size * 3)
        .y_label_area_size(room.min(pixels(figure.width as usize) / 3));
    if !panel.name.is_empty() {
        let facet = figure.facet.as_deref().unwrap_or_default();
        let words = format!("{facet}: {}", panel.name);
        builder.caption(words, style.letters());
    }
    let mut chart = builder.build_cartesian_2d(x.low..x.high, y.low..y.high)?;
    let y_label = match (plot.kind, &figure.y_label) {
        (_, Some(label)) => label.clone(),
        (Kind::Cdf, None) => "part of all".to_owned(),
        _ => plot.y.clone(),
    };
    let x_label = match (plot.kind, &figure.x_label) {
        (_, Some(label)) => label.clone(),
        (Kind::Cdf, None) => plot.y.clone(),
        _ => plot.x.clone(),
    };
    let ticks = |axis: &Axis<'_>| {
        if axis.names.is_empty() {
            8
        } else {
            2 * axis.names.len() + 1
        }
    };
    chart
        .configure_mesh()
        .x_desc(x_label)
        .y_desc(y_label)
        .x_labels(ticks(x))
        .y_labels(ticks(y))
        .x_label_formatter(&|place| x.label(*place))
        .y_label_formatter(&|place| y.label(*place))
        .axis_style(style.ink)
        .bold_line_style(style.grid)
        .light_line_style(style.paper)
        .label_style(style.letters())
        .axis_desc_style(style.letters())
        .draw()?;
    let series_count = names.len().max(1) as f64;
    let values = plot.panels.iter().flat_map(|panel| &panel.series);
    let values = values.flat_map(|series| series.points.iter().filter_map(|point| point.value));
    let range = values.fold((f64::INFINITY, f64::NEG_INFINITY), |ends, value| {
        (ends.0.min(value), ends.1.max(value))
    });
    for series in &panel.series {
        let index = names
            .iter()
            .position(|name| *name == series.name)
            .unwrap_or(0);
        let colour = style.colours[index % style.colours.len()];
        // Bars and boxes of one place stand side by side.
        let width = 0.8 / series_count;
        let left = -0.4 + width * index as f64;
        match plot.kind {
            Kind::Lines | Kind::Cdf => {
                let points = corners(series, plot.kind);
                let shown = points
                    .into_iter()
                    .map(|point| (x.at(point.0), y.at(point.1)));
                let shown = shown.filter(|point| point.0.is_finite() && point.1.is_finite());
                chart.draw_series([PathElement::new(
                    shown.collect::<Vec<_>>(),
                    colour.stroke_width(2),
                )])?;
                let few = series.points.len() <= MOST_MARKED;
                for point in series
                    .points
                    .iter()
                    .filter(|_| few && plot.kind == Kind::Lines)
                {
                    let middle = (x.at(point.x), y.at(point.y));
                    chart.draw_series([Circle::new(middle, 3, colour.filled())])?;
                    chart.draw_series(whisker(point, middle.0, y, colour))?;
                }
            }
            Kind::Bars => {
                for point in &series.points {
                    let (from, to) = (point.x + left, point.x + left + width * 0.95);
                    let base = if y.log { y.low } else { 0.0_f64.max(y.low) };
                    let corners = [(from, base), (to, y.at(point.y))];
                    chart.draw_series([Rectangle::new(corners, colour.filled())])?;
                    let middle = f64::midpoint(from, to);
                    chart.draw_series(whisker(point, middle, y, style.ink))?;
                }
            }
            Kind::Box => {
                for point in &series.points {
                    let (from, to) = (point.x + left, point.x + left + width * 0.9);
                    let middle = f64::midpoint(from, to);
                    chart.draw_series(whisker(point, middle, y, colour))?;
                    let (low, high) = point.quartiles.unwrap_or((point.y, point.y));
                    let corners = [(from, y.at(low)), (to, y.at(high))];
                    chart.draw_series([Rectangle::new(corners, style.paper.filled())])?;
                    chart.draw_series([Rectangle::new(corners, colour.stroke_width(2))])?;
                    let median = vec![(from, y.at(point.y)), (to, y.at(point.y))];
                    chart.draw_series([PathElement::new(median, colour.stroke_width(3))])?;
                }
            }
            Kind::HeatMap => {
                for point in &series.points {
                    let Some(value) = point.value else { continue };
                    let part = if range.1 > range.0 {
                        (value - range.0) / (range.1 - range.0)
                    } else {
                        0.5
                    };
                    let colour = blend(part, style);
                    let corners = [
                        (point.x - 0.5, point.y - 0.5),
                        (point.x + 0.5, point.y + 0.5),
                    ];
                    chart.draw_series([Rectangle::new(corners, colour.filled())])?;
                    let ink = if part > 0.55 { WHITE } else { style.ink };
                    let letters = (style.font, style.size * 9 / 10).into_font().color(&ink);
                    let centred = letters.pos(Pos::new(HPos::Center, VPos::Center));
                    chart.draw_series([Text::new(
                        significant(value, 3),
                        (point.x, point.y),
                        centred,
                    )])?;
                }
            }
        }
    }
    Ok(())
}

/// The points of a line; those of a distribution are steps.
fn corners(series: &Series, kind: Kind) -> Vec<(f64, f64)> {
    if kind != Kind::Cdf {
        return series
            .points
            .iter()
            .map(|point| (point.x, point.y))
            .collect();
    }
    let mut height = 0.0;
    let mut corners = Vec::new();
    for point in &series.points {
        corners.extend([(point.x, height), (point.x, point.y)]);
        height = point.y;
    }
    corners
}

/// The interval of a point as an upright line.
fn whisker(
    point: &Point,
    x: f64,
    y: &Axis<'_>,
    colour: RGBColor,
) -> Option<PathElement<(f64, f64)>> {
    let (low, high) = point.ends?;
    let ends = vec![(x, y.at(low).max(y.low)), (x, y.at(high).min(y.high))];
    let drawn = ends.iter().all(|end| end.1.is_finite());
    drawn.then(|| PathElement::new(ends, colour.stroke_width(1)))
}

/// From pale to blue.
fn blend(part: f64, style: &Style<'_>) -> RGBColor {
    let (from, to) = (style.grid, RGBColor(10, 92, 148));
    let mix = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * part) as u8;
    RGBColor(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// A number of pixels or of things that take some.
fn pixels(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Longer lines have no markers.
const MOST_MARKED: usize = 60;
const LEGEND_LEFT: i32 = 16;
/// After Okabe and Ito, told apart by readers with any colour vision.
const LIGHT: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(181, 87, 140),
    RGBColor(219, 146, 0),
    RGBColor(63, 167, 220),
    RGBColor(74, 79, 85),
    RGBColor(143, 133, 0),
];
/// The same on a dark ground.
const DARK: [RGBColor; 8] = [
    RGBColor(74, 159, 232),
    RGBColor(245, 124, 58),
    RGBColor(44, 193, 151),
    RGBColor(227, 148, 194),
    RGBColor(242, 178, 51),
    RGBColor(155, 220, 255),
    RGBColor(213, 217, 221),
    RGBColor(239, 227, 76),
];
