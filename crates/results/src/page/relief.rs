//! A heat map as a relief: values as heights over its two axes, seen from above at an angle.
//!
//! Drawn as SVG when the page is written, in the page's colours. What is farther away is drawn first
//! and covered by what lies before it.

use std::fmt::Write as _;

use super::escape::html;
use super::heat_map::heat_spec;
use super::{Axis, HeatMap, PageError, Scale, significant};

/// The SVG of `map`: the first column and row in front, at the bottom; columns go to the right and
/// back, rows to the left and back.
pub(super) fn relief(map: &HeatMap) -> Result<String, PageError> {
    let (low, high, diverging) = heat_spec(map)?.range();
    let (columns, rows) = (names(&map.x), names(&map.y));
    if columns.len() < 2 || rows.len() < 2 {
        return Err(PageError::Axis {
            chart: map.id.clone(),
            reason: "a relief needs two categories on each axis",
        });
    }
    let view = View {
        columns: (columns.len() - 1) as f64,
        rows: (rows.len() - 1) as f64,
    };
    let height = |value: f64| (value - low) / if high > low { high - low } else { 1.0 };
    let mut svg = String::new();
    let mut line = |class: &str, points: &[(f64, f64)]| {
        let points = path(points);
        let _ = writeln!(svg, "<polyline class=\"{class}\" points=\"{points}\"/>");
    };
    let (right, left) = ((view.columns, 0.0), (0.0, view.rows));
    let back = (view.columns, view.rows);
    for level in LEVELS {
        line("wall", &[left, back, right].map(|at| view.at(at, level)));
    }
    for corner in [left, back, right] {
        line("wall", &[view.at(corner, 0.0), view.at(corner, 1.0)]);
    }
    line(
        "edge",
        &[left, (0.0, 0.0), right].map(|at| view.at(at, 0.0)),
    );
    line("edge", &[view.at(left, 0.0), view.at(left, 1.0)]);

    let value = |column: usize, row: usize| map.values[row][column].filter(|value| !value.is_nan());
    let mut cells: Vec<(usize, usize)> = (0..columns.len() - 1)
        .flat_map(|column| (0..rows.len() - 1).map(move |row| (column, row)))
        .collect();
    cells.sort_by_key(|(column, row)| std::cmp::Reverse(column + row));
    for (column, row) in cells {
        let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(across, up)| {
            let at = (column + across, row + up);
            value(at.0, at.1).map(|value| (at, height(value)))
        });
        let corners: Vec<_> = corners.into_iter().flatten().collect();
        if corners.len() < 4 {
            continue;
        }
        let mean = corners.iter().map(|(_, height)| height).sum::<f64>() / 4.0;
        let points = corners
            .iter()
            .map(|((column, row), height)| view.at((*column as f64, *row as f64), *height));
        let points = path(&points.collect::<Vec<_>>());
        let fill = colour(mean, diverging);
        let _ = writeln!(svg, "<polygon points=\"{points}\" style=\"fill:{fill}\"/>");
    }

    let mut text = |(x, y): (f64, f64), anchor: &str, words: &str| {
        let words = html(words);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>"
        );
    };
    for (column, name) in columns.iter().enumerate() {
        let (x, y) = view.at((column as f64, 0.0), 0.0);
        text((x + 4.0, y + 15.0), "start", name);
    }
    for (row, name) in rows.iter().enumerate() {
        let (x, y) = view.at((0.0, row as f64), 0.0);
        text((x - 4.0, y + 15.0), "end", name);
    }
    for level in LEVELS {
        let (x, y) = view.at(left, level);
        let value = significant(low + level * (high - low), 2);
        text((x - 8.0, y + 4.0), "end", &value);
    }
    let below = |at| {
        let (x, y) = view.at(at, 0.0);
        (x, y + 42.0)
    };
    text(below((0.62 * view.columns, 0.0)), "start", &title(&map.x));
    text(below((0.0, 0.62 * view.rows)), "end", &title(&map.y));
    let (x, y) = view.at(left, 1.0);
    text((x - 34.0, y - 14.0), "start", &named(&map.label, &map.unit));
    Ok(format!(
        "<svg class=\"relief\" viewBox=\"{VIEW_BOX}\" role=\"img\" aria-label=\"{}\">\n{svg}</svg>",
        html(&map.title)
    ))
}

/// From places on the axes and heights to places in the drawing.
struct View {
    /// Steps along each axis.
    columns: f64,
    rows: f64,
}

impl View {
    /// The place of a column and a row, both from 0, at a height from 0 to 1.
    fn at(&self, (column, row): (f64, f64), height: f64) -> (f64, f64) {
        let (right, left) = (column / self.columns, row / self.rows);
        (
            (right - left) * HALF_WIDTH,
            -(right + left) * HALF_DEPTH - height * HEIGHT,
        )
    }
}

/// As the heat map has it: from pale to blue, or from blue over pale to orange.
fn colour(height: f64, diverging: bool) -> String {
    let (end, part) = if !diverging {
        ("--low", height)
    } else if height < 0.5 {
        ("--low", 1.0 - 2.0 * height)
    } else {
        ("--high", 2.0 * height - 1.0)
    };
    let percent = 100.0 * part.clamp(0.0, 1.0);
    format!("color-mix(in srgb, var({end}) {percent:.0}%, var(--middle))")
}

fn path(points: &[(f64, f64)]) -> String {
    let points = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}"));
    points.collect::<Vec<_>>().join(" ")
}

fn names(axis: &Axis) -> &[String] {
    match &axis.scale {
        Scale::Category(names) => names,
        Scale::Linear | Scale::Log => &[],
    }
}

fn title(axis: &Axis) -> String {
    named(&axis.label, &axis.unit)
}

fn named(label: &str, unit: &str) -> String {
    if unit.is_empty() {
        label.to_owned()
    } else {
        format!("{label} ({unit})")
    }
}

/// Heights at which there is a line and a number.
const LEVELS: [f64; 3] = [0.0, 0.5, 1.0];
// Sizes of the drawing, in units of its view box. The front corner of the floor is at the origin.
const HALF_WIDTH: f64 = 190.0;
const HALF_DEPTH: f64 = 66.0;
const HEIGHT: f64 = 130.0;
const VIEW_BOX: &str = "-250 -284 500 332";

#[cfg(test)]
mod tests {
    use super::super::ColourScale;
    use super::*;

    fn map(values: Vec<Vec<Option<f64>>>) -> HeatMap {
        let columns = (0..values[0].len()).map(|n| format!("c{n}"));
        let rows = (0..values.len()).map(|n| format!("r{n}"));
        HeatMap {
            id: "map".into(),
            title: "A <map>".into(),
            x: Axis::category("columns", "", columns),
            y: Axis::category("rows", "Mb/s", rows),
            scale: ColourScale::Around {
                centre: 0.5,
                reach: 0.5,
            },
            values,
            label: "part".into(),
            unit: String::new(),
            notes: Vec::new(),
            height: None,
        }
    }

    /// Two by two values are one cell: front (0, −130 × 0), right (190, −66 − 130), back
    /// (0, −132 − 65) and left (−190, −66 − 32.5); the mean height (0 + 1 + 0.5 + 0.25) / 4 = 0.4375
    /// is 12.5 % on the blue side.
    #[test]
    fn heights_and_places_are_as_worked_by_hand() {
        let svg = relief(&map(vec![
            vec![Some(0.0), Some(1.0)],
            vec![Some(0.25), Some(0.5)],
        ]))
        .unwrap();
        let cell = "points=\"0.0,0.0 190.0,-196.0 0.0,-197.0 -190.0,-98.5\" \
                    style=\"fill:color-mix(in srgb, var(--low) 12%, var(--middle))\"";
        assert!(svg.replace("-0.0", "0.0").contains(cell), "{svg}");
        assert_eq!(svg.matches("<polygon").count(), 1);
        assert!(svg.contains("aria-label=\"A &lt;map&gt;\""));
        assert!(svg.contains(">rows (Mb/s)</text>"));
    }

    /// Nine values are four cells; the middle one belongs to all of them, a corner to one.
    #[test]
    fn a_cell_without_all_its_corners_is_left_out_and_the_farthest_comes_first() {
        let cells = |missing: Option<(usize, usize)>| {
            let mut values = vec![vec![Some(0.5); 3]; 3];
            if let Some((row, column)) = missing {
                values[row][column] = None;
            }
            relief(&map(values))
                .unwrap()
                .lines()
                .filter_map(|line| Some(line.strip_prefix("<polygon points=\"")?.to_owned()))
                .collect::<Vec<_>>()
        };
        assert_eq!(cells(None).len(), 4);
        assert_eq!(cells(Some((0, 0))).len(), 3);
        assert!(cells(Some((1, 1))).is_empty());
        // The cell at the back begins in the middle: 66 back and 65 high. That in front comes last.
        assert!(cells(None)[0].starts_with("0.0,-131.0 "));
        assert!(cells(None)[3].starts_with("0.0,-65.0 "));
    }

    #[test]
    fn a_single_row_is_no_relief() {
        let error = relief(&map(vec![vec![Some(0.5), Some(0.6)]])).unwrap_err();
        assert!(matches!(error, PageError::Axis { .. }), "{error}");
    }
}
