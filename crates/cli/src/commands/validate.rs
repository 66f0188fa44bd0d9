//! `ackclock validate`: our results against the reference data kept in the project.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use clap::Args;
use papers::validation::{Row, ValidateError, ValidateOptions, Validation, Verdict, validate};

use crate::interrupt;
use crate::output::{self, Failure};
use crate::progress::Progress;
use crate::registry;
use crate::table::{Table, count, wall_time};

/// Arguments of `validate`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Only comparisons whose scenario's name contains this, e.g. `micro/A` or `gaimd/2`
    /// [default: all]
    #[arg(value_name = "NAME")]
    only: Option<String>,
    /// Runs at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Prints the results as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    interrupt::listen();
    let progress = Mutex::new(Progress::start());
    let tell = |done: usize, total: usize| {
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.update(done as f64, total as f64, || {
            format!("run {done} of {total}")
        });
    };
    let result = validate(&ValidateOptions {
        only: arguments.only.as_deref(),
        threads: arguments.jobs.map(usize::from),
        registry: registry(),
        interrupted: interrupt::flag(),
        progress: &tell,
    });
    let mut progress = progress
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    progress.finish();
    let validation = result.map_err(|error| explain(&error))?;
    output::note(&format!(
        "{} comparisons in {}",
        count(validation.rows.len() as u64),
        wall_time(progress.watch().elapsed())
    ));
    if arguments.json {
        return output::print_json(&validation);
    }
    output::print(&text(&validation, output::colour(&std::io::stdout())))
}

fn text(validation: &Validation, bold: bool) -> String {
    let mut text = String::new();
    let rows = &validation.rows;
    let mut table = Table::default();
    table.words(
        "verdict",
        rows.iter().map(|row| word(row.verdict).to_owned()),
    );
    table.words("scenario", rows.iter().map(|row| row.scenario.clone()));
    table.words("ours", rows.iter().map(|row| number(row.ours)));
    table.words("reference", rows.iter().map(|row| number(row.reference)));
    table.words("difference (interval)", rows.iter().map(difference));
    table.words("metric", rows.iter().map(|row| row.metric.clone()));
    table.write(&mut text, bold);
    let of = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let _ = writeln!(
        text,
        "\n{} comparisons with ns-2.35: {} agree, {} differ for a known reason, {} differ.",
        rows.len(),
        of(Verdict::Agrees),
        of(Verdict::Explained),
        of(Verdict::Differs),
    );
    let _ = writeln!(
        text,
        "Intervals are of 95 % for all rows of a family together (Bonferroni), without tolerance."
    );
    let mut told: Vec<&str> = rows
        .iter()
        .filter_map(|row| row.deviation.as_deref())
        .collect();
    told.dedup();
    told.sort_unstable();
    told.dedup();
    for deviation in told {
        let _ = writeln!(text, "Known reason: {deviation}");
    }
    text
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => "agrees",
        Verdict::Explained => "explained",
        Verdict::Differs => "differs",
    }
}

fn difference(row: &Row) -> String {
    match row.interval {
        Some([low, high]) => {
            format!(
                "{} ({} to {})",
                number(row.difference),
                number(low),
                number(high)
            )
        }
        None => number(row.difference),
    }
}

/// Five significant digits.
fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let digits_before = format!("{:.0}", value.abs().floor()).len();
    let decimals = if value.abs() < 1.0 {
        5
    } else {
        5_usize.saturating_sub(digits_before)
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

fn explain(error: &ValidateError) -> Failure {
    match error {
        ValidateError::NothingNamed(_) => Failure::refused(
            error.to_string(),
            "a part of a scenario's name is wanted, such as micro, gaimd/2, red or abrupt-delay",
        ),
        ValidateError::Interrupted => {
            Failure::refused("interrupted: no comparison is complete", "start it again")
        }
        _ => {
            let cause = error
                .source()
                .map_or_else(String::new, |cause| format!(": {cause}"));
            Failure::fault(format!("{error}{cause}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_five_significant_digits() {
        assert_eq!(number(0.123_456_7), "0.12346");
        assert_eq!(number(123_456.7), "123457");
        assert_eq!(number(-2.5), "-2.5");
        assert_eq!(number(0.0), "0");
    }
}
