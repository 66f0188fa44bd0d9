//! `ackclock diff`: what changed between two runs or two sweeps, with intervals; exit 1 beyond them.
//!
//! Two runs are compared metric by metric: with one seed each there is no interval, so that any
//! difference beyond the tolerance counts. In two sweeps the combinations with the same values are
//! compared: the difference of the means over their seeds, with its 95 % confidence interval (Welch).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use experiments::metrics::{self, Moments};
use experiments::summary::Summary;
use results::files::{SUMMARY, swept_points};
use results::sweep::DESCRIPTION;
use serde::Serialize;

use super::report;
use crate::output::{self, Failure};
use crate::table::{Table, count};

/// Arguments of `diff`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The folder of a run or of a sweep, or a summary as JSON
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The same, to compare with
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Differences up to so many per cent do not count
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0)]
    tolerance: f64,
    /// Only metrics whose names hold this text; may be repeated
    #[arg(long, value_name = "TEXT")]
    metric: Vec<String>,
    /// Prints the changes as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What was compared, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Difference {
    /// How many metrics both have.
    compared: usize,
    /// Those that are not the same.
    changes: Vec<Change>,
    /// Metrics that only one of them has.
    missing: Vec<String>,
}

/// A metric that is not the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Change {
    /// The metric; in a sweep after the values of its combination.
    metric: String,
    /// In the first one: its value, or the mean over the seeds.
    a: f64,
    /// In the second one.
    b: f64,
    /// The 95 % confidence interval of `b` less `a`; none where there is a single run of each.
    interval: Option<[f64; 2]>,
    /// Whether the difference is beyond interval and tolerance.
    beyond: bool,
}

type Metrics = BTreeMap<String, Moments>;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (a, b) = (read(&arguments.a)?, read(&arguments.b)?);
    let wanted = |name: &str| {
        arguments.metric.is_empty() || arguments.metric.iter().any(|text| name.contains(text))
    };
    let difference = compare(&a, &b, arguments.tolerance, &wanted);
    if difference.compared == 0 {
        return Err(Failure::refused(
            "nothing in common to compare".to_owned(),
            "give two runs or two sweeps with metrics of the same names",
        ));
    }
    if arguments.json {
        output::print_json(&difference)?;
    } else {
        output::print(&text(&difference, output::colour(&std::io::stdout())))?;
    }
    let beyond = difference.changes.iter().filter(|change| change.beyond);
    match beyond.count() {
        0 => Ok(()),
        number => Err(Failure::Differs(format!(
            "{} of {} metrics differ",
            count(number as u64),
            count(difference.compared as u64)
        ))),
    }
}

fn read(path: &Path) -> Result<Metrics, Failure> {
    if path.join(DESCRIPTION).is_file() {
        let points = swept_points(path).map_err(|error| report::explain(&error))?;
        let named = points.into_iter().flat_map(|point| {
            let values: Vec<String> = point
                .values
                .iter()
                .map(|(key, value)| format!("{key}={value}"))
                .collect();
            let values = values.join(" ");
            let metrics = point.metrics.into_iter();
            metrics.map(move |(name, moments)| (format!("{values} {name}"), moments))
        });
        return Ok(named.filter(|(_, moments)| moments.count() > 0).collect());
    }
    let file = if path.is_dir() {
        path.join(SUMMARY)
    } else {
        path.to_owned()
    };
    let unreadable = |error: &dyn std::fmt::Display| {
        Failure::refused(
            format!("{}: cannot be read: {error}", file.display()),
            "give the folder of a run (`run --out`), of a sweep, or a summary (`run --json`)",
        )
    };
    let text = fs::read(&file).map_err(|error| unreadable(&error))?;
    let summary: Summary = serde_json::from_slice(&text).map_err(|error| unreadable(&error))?;
    let of_one = |value: f64| {
        let mut moments = Moments::default();
        moments.add(value);
        moments
    };
    let values = metrics::values(&summary).into_iter();
    Ok(values.map(|(name, value)| (name, of_one(value))).collect())
}

fn compare(a: &Metrics, b: &Metrics, tolerance: f64, wanted: &dyn Fn(&str) -> bool) -> Difference {
    let mut difference = Difference {
        compared: 0,
        changes: Vec::new(),
        missing: Vec::new(),
    };
    for (name, first) in a.iter().filter(|(name, _)| wanted(name)) {
        let Some(second) = b.get(name) else {
            difference.missing.push(name.clone());
            continue;
        };
        difference.compared += 1;
        difference
            .changes
            .extend(change(name, first, second, tolerance));
    }
    let only_second = b
        .keys()
        .filter(|name| wanted(name) && !a.contains_key(*name));
    difference.missing.extend(only_second.cloned());
    difference
}

/// How the second differs from the first; none where they are the same.
fn change(name: &str, first: &Moments, second: &Moments, tolerance: f64) -> Option<Change> {
    let (a, b) = (first.mean()?, second.mean()?);
    if first == second {
        return None;
    }
    let interval = metrics::difference_95(first, second);
    let apart = interval.is_none_or(|(low, high)| low > 0.0 || high < 0.0);
    let large = (b - a).abs() > tolerance / 100.0 * a.abs();
    Some(Change {
        metric: name.to_owned(),
        a,
        b,
        interval: interval.map(|(low, high)| [low, high]),
        beyond: apart && large && a != b,
    })
}

fn text(difference: &Difference, bold: bool) -> String {
    let compared = count(difference.compared as u64);
    if difference.changes.is_empty() && difference.missing.is_empty() {
        return format!("No difference in {compared} metrics.\n");
    }
    let mut text = String::new();
    let mut shown: Vec<&Change> = difference.changes.iter().collect();
    // What counts first.
    shown.sort_by_key(|change| !change.beyond);
    let left_out = shown.len().saturating_sub(MOST_LINES);
    shown.truncate(MOST_LINES);
    let mut table = Table::default();
    let number = |value: f64| results::page::significant(value, 6);
    let cells = |of: fn(&Change) -> f64| shown.iter().map(move |change| number(of(change)));
    table.words("metric", shown.iter().map(|change| change.metric.clone()));
    table.numbers("A", cells(|change| change.a));
    table.numbers("B", cells(|change| change.b));
    table.numbers("difference", cells(|change| change.b - change.a));
    table.numbers(
        "interval",
        shown.iter().map(|change| match change.interval {
            Some([low, high]) => format!("{} to {}", number(low), number(high)),
            None => "-".to_owned(),
        }),
    );
    let verdict = |change: &&Change| if change.beyond { "differs" } else { "within" };
    table.words("", shown.iter().map(|change| verdict(change).to_owned()));
    table.write(&mut text, bold);
    if left_out > 0 {
        text.push_str(&format!("… {left_out} more (see --json)\n"));
    }
    if !difference.missing.is_empty() {
        text.push_str(&format!(
            "Only one of them has: {}\n",
            difference.missing.join(", ")
        ));
    }
    text
}

const MOST_LINES: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Moments {
        let mut moments = Moments::default();
        for value in values {
            moments.add(*value);
        }
        moments
    }

    #[test]
    fn single_runs_differ_where_they_are_not_the_same() {
        assert_eq!(change("x", &of(&[1.0]), &of(&[1.0]), 0.0), None);
        let other = change("x", &of(&[100.0]), &of(&[101.0]), 0.0).unwrap();
        assert!(other.beyond && other.interval.is_none());
        assert!(
            !change("x", &of(&[100.0]), &of(&[101.0]), 2.0)
                .unwrap()
                .beyond
        );
    }

    /// Means 2 and 3, deviations 1: the difference is 1 ± 2.776 × √(1/3 + 1/3) = 1 ± 2.27; with 13
    /// the means are ten intervals apart.
    #[test]
    fn means_differ_where_the_interval_leaves_out_zero() {
        let near = change("x", &of(&[1.0, 2.0, 3.0]), &of(&[2.0, 3.0, 4.0]), 0.0).unwrap();
        assert!(!near.beyond, "{near:?}");
        let [low, high] = near.interval.unwrap();
        assert!(
            (low + 1.267).abs() < 0.01 && (high - 3.267).abs() < 0.01,
            "{near:?}"
        );
        let far = change("x", &of(&[1.0, 2.0, 3.0]), &of(&[12.0, 13.0, 14.0]), 0.0).unwrap();
        assert!(far.beyond, "{far:?}");
    }

    #[test]
    fn what_only_one_has_is_named() {
        let a = Metrics::from([("x".to_owned(), of(&[1.0])), ("y".to_owned(), of(&[1.0]))]);
        let b = Metrics::from([("x".to_owned(), of(&[1.0])), ("z".to_owned(), of(&[1.0]))]);
        let difference = compare(&a, &b, 0.0, &|_| true);
        assert_eq!(difference.compared, 1);
        assert_eq!(difference.missing, ["y", "z"]);
        assert!(difference.changes.is_empty());
    }
}
