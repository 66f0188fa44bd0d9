//! What a figure shows: panels of series, from the rows.

use std::collections::BTreeMap;

use experiments::metrics::{Moments, confidence_95};
use experiments::scenario::nearest;

use super::data::{FOLDER, Source, Value, tables};
use super::{Figure, FigureError, Kind};

/// A figure's data.
#[derive(Debug)]
pub(super) struct Plot {
    pub(super) kind: Kind,
    pub(super) x: String,
    pub(super) y: String,
    pub(super) colour: Option<String>,
    /// Names of the places along x (and of a heat map along y), where they are no numbers.
    pub(super) x_names: Vec<String>,
    pub(super) y_names: Vec<String>,
    pub(super) panels: Vec<Panel>,
    pub(super) rows: usize,
}

/// A drawing of its own.
#[derive(Debug)]
pub(super) struct Panel {
    /// The facet's value; empty without facets.
    pub(super) name: String,
    pub(super) series: Vec<Series>,
}

/// What has one colour.
#[derive(Debug)]
pub(super) struct Series {
    pub(super) name: String,
    pub(super) points: Vec<Point>,
}

/// A point, in the order of x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
    /// The ends of the confidence interval, or in a box plot the least and the greatest.
    pub(super) ends: Option<(f64, f64)>,
    /// In a box plot, the quartiles.
    pub(super) quartiles: Option<(f64, f64)>,
    /// In a heat map, the value at x and y.
    pub(super) value: Option<f64>,
}

/// Where a column is: its name.
struct Columns {
    x: String,
    y: String,
    colour: Option<String>,
    facet: Option<String>,
}

impl Plot {
    /// Reads what the figure is made of.
    pub(super) fn of(figure: &Figure) -> Result<Self, FigureError> {
        let mut sources = Vec::new();
        for folder in &figure.from {
            sources.push(source(figure, tables(folder)?)?);
        }
        let columns = Columns::of(figure, &sources)?;
        let mut rows = Rows::default();
        let wanted = [
            columns.x.as_str(),
            columns.y.as_str(),
            columns.colour.as_deref().unwrap_or(FOLDER),
            columns.facet.as_deref().unwrap_or(FOLDER),
        ];
        for source in &sources {
            source.rows(&wanted, |values| {
                rows.add(
                    values,
                    figure.kind,
                    columns.colour.is_some(),
                    columns.facet.is_some(),
                );
            })?;
        }
        if rows.count == 0 {
            let column = match figure.kind {
                Kind::HeatMap => columns.colour.unwrap_or_default(),
                _ => columns.y,
            };
            return Err(FigureError::Nothing { column });
        }
        Ok(rows.plot(figure.kind, columns))
    }

    /// All points as a table, one line each.
    pub(super) fn csv(&self) -> String {
        let mut text = String::new();
        let colour = self.colour.as_deref().unwrap_or("series");
        let head = match self.kind {
            Kind::HeatMap => vec!["panel", &self.x, &self.y, colour],
            Kind::Box => vec![
                "panel",
                colour,
                &self.x,
                "median",
                "least",
                "lower_quartile",
                "upper_quartile",
                "greatest",
            ],
            Kind::Cdf => vec!["panel", colour, &self.y, "part"],
            Kind::Lines | Kind::Bars => vec!["panel", colour, &self.x, &self.y, "low", "high"],
        };
        line(&mut text, head.into_iter().map(str::to_owned));
        for panel in &self.panels {
            for series in &panel.series {
                for point in &series.points {
                    let place = place(point.x, &self.x_names);
                    let pair = |pair: Option<(f64, f64)>| {
                        let (low, high) = pair.unzip();
                        [low, high].map(|end| end.map_or(String::new(), |end| end.to_string()))
                    };
                    let mut cells = vec![panel.name.clone()];
                    match self.kind {
                        Kind::HeatMap => cells.extend([
                            place,
                            self::place(point.y, &self.y_names),
                            point.value.map_or(String::new(), |value| value.to_string()),
                        ]),
                        Kind::Box => {
                            let ([least, greatest], [lower, upper]) =
                                (pair(point.ends), pair(point.quartiles));
                            cells.extend([series.name.clone(), place, point.y.to_string()]);
                            cells.extend([least, lower, upper, greatest]);
                        }
                        Kind::Cdf => {
                            cells.extend([series.name.clone(), place, point.y.to_string()]);
                        }
                        Kind::Lines | Kind::Bars => {
                            cells.extend([series.name.clone(), place, point.y.to_string()]);
                            cells.extend(pair(point.ends));
                        }
                    }
                    line(&mut text, cells.into_iter());
                }
            }
        }
        text
    }
}

/// A number, or the name of the place that it stands for.
fn place(at: f64, names: &[String]) -> String {
    names
        .get(at as usize)
        .cloned()
        .unwrap_or_else(|| at.to_string())
}

fn line(text: &mut String, cells: impl Iterator<Item = String>) {
    let quoted = cells.map(|cell| {
        if cell.contains([',', '"', '\n']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell
        }
    });
    text.push_str(&quoted.collect::<Vec<_>>().join(","));
    text.push('\n');
}

/// Of a folder's tables the first that has y, or in a heat map the colour's column.
fn source(figure: &Figure, sources: Vec<Source>) -> Result<Source, FigureError> {
    let (option, given) = match (figure.kind, &figure.colour) {
        (Kind::HeatMap, Some(colour)) => ("--colour", colour),
        _ => ("--y", &figure.y),
    };
    let all: Vec<String> = sources.iter().flat_map(|one| one.columns.clone()).collect();
    let has = |source: &&Source| find(&source.columns, given).is_ok();
    let index = sources.iter().position(|source| has(&source));
    match index {
        Some(index) => Ok(sources.into_iter().nth(index).expect("it was found")),
        None => Err(no_column(option, given, &all)),
    }
}

/// The column that is meant: its name, or the end or a part of the name of one column only.
fn find<'c>(columns: &'c [String], given: &str) -> Result<&'c String, Vec<String>> {
    if let Some(exact) = columns.iter().find(|column| *column == given) {
        return Ok(exact);
    }
    let ends = columns.iter().filter(|column| {
        column.ends_with(&format!(".{given}")) || column.starts_with(&format!("{given}_"))
    });
    let ends: Vec<&String> = ends.collect();
    match &ends[..] {
        [only] => Ok(only),
        _ => Err(ends.into_iter().cloned().collect()),
    }
}

fn no_column(option: &'static str, given: &str, columns: &[String]) -> FigureError {
    let near = nearest(given, columns.iter().map(String::as_str));
    FigureError::Column {
        option,
        given: given.to_owned(),
        reason: match near {
            Some(near) => format!("there is no such column; did you mean {near}?"),
            None => "there is no such column".to_owned(),
        },
        columns: columns.to_vec(),
    }
}

impl Columns {
    fn of(figure: &Figure, sources: &[Source]) -> Result<Self, FigureError> {
        let first = &sources
            .first()
            .ok_or_else(|| FigureError::Nothing {
                column: figure.y.clone(),
            })?
            .columns;
        let named = |option: &'static str, given: &str| {
            if given == FOLDER {
                return Ok(FOLDER.to_owned());
            }
            find(first, given).cloned().map_err(|several| {
                if several.is_empty() {
                    return no_column(option, given, first);
                }
                FigureError::Column {
                    option,
                    given: given.to_owned(),
                    reason: "more than one column is meant".to_owned(),
                    columns: several,
                }
            })
        };
        let there = |name: &str| first.iter().any(|column| column == name);
        // The axes of a sweep stand between the columns for seed and point and the metrics.
        let axes: Vec<&String> = first
            .iter()
            .skip_while(|column| *column != "seed")
            .skip(1)
            .take_while(|column| *column != "goodput_bps" && *column != "error")
            .collect();
        let x = match &figure.x {
            Some(x) => named("--x", x)?,
            None if there("time_s") => "time_s".to_owned(),
            None => match axes.first() {
                Some(axis) => (*axis).clone(),
                None => FOLDER.to_owned(),
            },
        };
        let colour = match figure.colour.as_deref() {
            Some("none") => None,
            Some(colour) => Some(named("--colour", colour)?),
            None if figure.from.len() > 1 => Some(FOLDER.to_owned()),
            None if there("label") => Some("label".to_owned()),
            None if there("link") => Some("link".to_owned()),
            None => axes
                .iter()
                .find(|axis| ***axis != x)
                .map(|axis| (*axis).clone()),
        };
        let facet = match figure.facet.as_deref() {
            None | Some("none") => None,
            Some(facet) => Some(named("--facet", facet)?),
        };
        let y = named("--y", &figure.y)?;
        Ok(Self {
            x,
            y,
            colour,
            facet,
        })
    }
}

/// The rows by panel, colour and place.
#[derive(Default)]
struct Rows {
    panels: BTreeMap<Key, BTreeMap<Key, Places>>,
    count: usize,
}

/// The values at each place: x and y.
type Places = BTreeMap<(Key, Key), Vec<f64>>;

/// A value in order: numbers by size, then texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Number(OrderedBits),
    Text(String),
}

/// A finite number, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct OrderedBits(u64);

impl Key {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) if number.is_finite() => {
                let bits = (number + 0.0).to_bits();
                let sign = 1 << 63;
                let ordered = if bits & sign == 0 { bits | sign } else { !bits };
                Some(Self::Number(OrderedBits(ordered)))
            }
            Value::Text(text) => Some(Self::Text(text.clone())),
            _ => None,
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Number(OrderedBits(ordered)) => {
                let sign = 1 << 63;
                let bits = if ordered & sign == 0 {
                    !ordered
                } else {
                    ordered & !sign
                };
                Some(f64::from_bits(bits))
            }
            Self::Text(_) => None,
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(_) => Value::Number(self.number().unwrap_or_default()).shown(),
        }
    }
}

impl Rows {
    fn add(&mut self, values: &[Value], kind: Kind, coloured: bool, faceted: bool) {
        let nothing = Key::Text(String::new());
        let facet = if faceted {
            Key::of(&values[3])
        } else {
            Some(nothing.clone())
        };
        let heat = kind == Kind::HeatMap;
        let colour = if coloured && !heat {
            Key::of(&values[2])
        } else {
            Some(nothing.clone())
        };
        let (place, value) = match kind {
            Kind::HeatMap => (
                (Key::of(&values[0]), Key::of(&values[1])),
                values[2].number(),
            ),
            Kind::Cdf => ((Some(nothing.clone()), Some(nothing)), values[1].number()),
            _ => ((Key::of(&values[0]), Some(nothing)), values[1].number()),
        };
        let (Some(facet), Some(colour), (Some(x), Some(y)), Some(value)) =
            (facet, colour, place, value)
        else {
            return;
        };
        self.count += 1;
        let panel = self.panels.entry(facet).or_default();
        let series = panel.entry(colour).or_default();
        series.entry((x, y)).or_default().push(value);
    }

    fn plot(self, kind: Kind, columns: Columns) -> Plot {
        let places = || {
            let series = self.panels.values().flat_map(BTreeMap::values);
            series.flat_map(BTreeMap::keys)
        };
        let named = matches!(kind, Kind::Box | Kind::Bars | Kind::HeatMap);
        let x_names = match kind {
            Kind::Cdf => Vec::new(),
            _ => names(places().map(|(x, _)| x), named),
        };
        let y_names = match kind {
            Kind::HeatMap => names(places().map(|(_, y)| y), true),
            _ => Vec::new(),
        };
        let panels = self.panels.into_iter().map(|(facet, series)| Panel {
            name: facet.shown(),
            series: series
                .into_iter()
                .map(|(colour, places)| Series {
                    name: colour.shown(),
                    points: points(kind, places, &x_names, &y_names),
                })
                .collect(),
        });
        Plot {
            kind,
            panels: panels.collect(),
            x_names: x_names.iter().map(Key::shown).collect(),
            y_names: y_names.iter().map(Key::shown).collect(),
            x: columns.x,
            y: columns.y,
            colour: columns.colour,
            rows: self.count,
        }
    }
}

/// The places in order, where they are to have names: always, or where not all are numbers.
fn names<'k>(places: impl Iterator<Item = &'k Key>, always: bool) -> Vec<Key> {
    let mut all: Vec<Key> = places.cloned().collect();
    all.sort();
    all.dedup();
    if always || all.iter().any(|key| key.number().is_none()) {
        all
    } else {
        Vec::new()
    }
}

fn points(kind: Kind, places: Places, x_names: &[Key], y_names: &[Key]) -> Vec<Point> {
    let at = |key: &Key, names: &[Key]| match names.binary_search(key) {
        Ok(index) => index as f64,
        Err(_) => key.number().unwrap_or_default(),
    };
    let mut points = Vec::new();
    for ((x, y), mut values) in places {
        if kind == Kind::Cdf {
            values.sort_by(f64::total_cmp);
            let count = values.len() as f64;
            let steps = values.iter().enumerate();
            points
                .extend(steps.map(|(rank, value)| Point::plain(*value, (rank + 1) as f64 / count)));
            continue;
        }
        let x = at(&x, x_names);
        if kind == Kind::Box {
            values.sort_by(f64::total_cmp);
            points.push(Point {
                ends: Some((quantile(&values, 0.0), quantile(&values, 1.0))),
                quartiles: Some((quantile(&values, 0.25), quantile(&values, 0.75))),
                ..Point::plain(x, quantile(&values, 0.5))
            });
            continue;
        }
        let mut moments = Moments::default();
        for value in &values {
            moments.add(*value);
        }
        let mean = moments.mean().unwrap_or_default();
        points.push(match kind {
            Kind::HeatMap => Point {
                value: Some(mean),
                ..Point::plain(x, at(&y, y_names))
            },
            _ => Point {
                ends: confidence_95(&moments).map(|half| (mean - half, mean + half)),
                ..Point::plain(x, mean)
            },
        });
    }
    points
}

impl Point {
    fn plain(x: f64, y: f64) -> Self {
        Self {
            x,
            y,
            ends: None,
            quartiles: None,
            value: None,
        }
    }
}

/// Between the two nearest values in order, as far as `part` says (type 7 of Hyndman and Fan).
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() - 1) as f64;
    let below = libm::floor(place);
    let (low, high) = (sorted[below as usize], sorted[libm::ceil(place) as usize]);
    low + (high - low) * (place - below)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 1, 2, 3, 4: the median 2.5, the quartiles 1.75 and 3.25.
    #[test]
    fn quantiles_lie_between_values() {
        let values = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(
            [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| quantile(&values, part)),
            [1.0, 1.75, 2.5, 3.25, 4.0]
        );
    }

    #[test]
    fn numbers_are_in_order_and_come_back() {
        let numbers = [-2.5, -1.0, 0.0, 0.5, 3.0];
        let keys = numbers.map(|number| Key::of(&Value::Number(number)).unwrap());
        assert!(keys.is_sorted());
        let back: Vec<f64> = keys.iter().filter_map(Key::number).collect();
        assert_eq!(back, numbers);
        assert_eq!(Key::of(&Value::Number(f64::NAN)), None);
    }

    #[test]
    fn a_column_is_found_by_its_end_where_that_is_clear() {
        let columns =
            ["time_s", "flows.a.jain", "flows.b.jain", "jain", "rtt_s"].map(str::to_owned);
        assert_eq!(find(&columns, "jain").unwrap(), "jain");
        assert_eq!(find(&columns, "rtt").unwrap(), "rtt_s");
        assert_eq!(find(&columns, "a.jain").unwrap(), "flows.a.jain");
        assert!(find(&columns, "nothing").is_err());
    }
}
