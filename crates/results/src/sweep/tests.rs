//! Whole sweeps, of runs that take milliseconds.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use experiments::Registry;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field, Row};

use super::runner::sweep_as;
use super::*;
use crate::sweep::State;
use experiments::scenario::Document;

/// 2 × 3 combinations of 2 seeds.
const FILE: &str = r#"
name = "small"
duration = "2 s"
warmup = "1 s"

[topology]
kind = "dumbbell"
bottleneck = { rate = "1 Mbps", delay = "10 ms", queue = { kind = "drop-tail", limit = "10 packets" } }

[[flows]]
label = "tcp"
protocol = "tcp"
start = { uniform = ["0 s", "100 ms"] }

[sweep]
seeds = 2
"topology.bottleneck.rate" = ["0.5 Mbps", "1 Mbps"]
flows.tcp.count = [1, 2, 3]
"#;

struct Run<'a> {
    text: &'a str,
    threads: usize,
    version: &'a str,
    /// Interrupted after so many runs.
    stop_after: Option<u64>,
}

impl Default for Run<'_> {
    fn default() -> Self {
        Self {
            text: FILE,
            threads: 2,
            version: "1",
            stop_after: None,
        }
    }
}

impl Run<'_> {
    fn into(self, folder: &Path) -> Result<(Swept, Earlier), SweepError> {
        let document = Document::parse(self.text, "small.toml")?;
        let interrupted = AtomicBool::new(false);
        let earlier = std::sync::Mutex::new(Earlier::default());
        let swept = sweep_as(
            self.version,
            &document,
            folder,
            &Options {
                threads: Some(self.threads),
                registry: &Registry::standard(),
                interrupted: &interrupted,
                admit: &|scenario| {
                    if scenario.flows[0].count == 99 {
                        Err("too many".to_owned())
                    } else {
                        Ok(())
                    }
                },
                started: &|found| *earlier.lock().unwrap() = found.clone(),
                progress: &|at| {
                    if self.stop_after.is_some_and(|runs| at.run >= runs) {
                        interrupted.store(true, Ordering::Relaxed);
                    }
                },
            },
        )?;
        Ok((swept, earlier.into_inner().unwrap()))
    }
}

/// The files that a reader sees.
fn files(folder: &Path) -> Vec<Vec<u8>> {
    [RUNS, DESCRIPTION, SCENARIO]
        .map(|name| fs::read(folder.join(name)).unwrap())
        .to_vec()
}

fn rows(folder: &Path) -> Vec<Row> {
    let file = fs::File::open(folder.join(RUNS)).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(Result::unwrap).collect()
}

fn field<'a>(row: &'a Row, name: &str) -> &'a Field {
    let mut columns = row.get_column_iter();
    columns
        .find(|(column, _)| *column == name)
        .map_or_else(|| panic!("no column {name}"), |(_, field)| field)
}

#[test]
fn every_combination_has_a_row_for_each_seed_in_the_order_of_the_grid() {
    let home = tempfile::tempdir().unwrap();
    let (swept, _) = Run::default().into(home.path()).unwrap();
    assert_eq!(
        (swept.run, swept.skipped, swept.interrupted),
        (12, 0, false)
    );
    let rows = rows(home.path());
    let of = |row: &Row| {
        let Field::Double(rate) = *field(row, "topology.bottleneck.rate_bps") else {
            panic!("rates are real numbers");
        };
        let whole = |name| match *field(row, name) {
            Field::Long(number) => number,
            ref other => panic!("{name} is {other}"),
        };
        (
            whole("point"),
            rate,
            whole("flows.tcp.count"),
            whole("seed"),
        )
    };
    let found: Vec<_> = rows.iter().map(of).collect();
    let expected: Vec<_> = [(500_000.0, 1), (500_000.0, 2), (500_000.0, 3)]
        .into_iter()
        .chain([(1e6, 1), (1e6, 2), (1e6, 3)])
        .zip(0..)
        .flat_map(|((rate, count), point)| [1, 2].map(|seed| (point, rate, count, seed)))
        .collect();
    assert_eq!(found, expected);
    for row in &rows {
        assert_eq!(*field(row, "error"), Field::Null);
        let Field::Double(goodput) = *field(row, "flows.tcp.goodput_bps") else {
            panic!("goodputs are real numbers");
        };
        let (_, rate, count, _) = of(row);
        // The link is full. A hole that is filled early in the second that counts gives the
        // application what waited behind it, at most the 13 packets of queue and path: 0.1 Mb.
        assert!(
            goodput > 0.7 * rate && goodput < rate + 104_000.0,
            "{goodput} of {rate}"
        );
        assert_eq!(*field(row, "flows.tcp.flows"), Field::Long(count));
    }
}

#[test]
fn one_row_is_what_a_run_of_its_scenario_gives() {
    let home = tempfile::tempdir().unwrap();
    Run::default().into(home.path()).unwrap();
    let registry = Registry::standard();
    let mut document = Document::parse(FILE, "small.toml").unwrap();
    for (key, value) in [
        ("topology.bottleneck.rate", "1 Mbps"),
        ("flows.tcp.count", "2"),
        ("seed", "2"),
    ] {
        document.set(key, value).unwrap();
    }
    let outcome = experiments::run(&document.check(&registry).unwrap(), &registry).unwrap();
    // Combination (1, 1) is number 1 × 3 + 1; with the second seed, row 2 × 4 + 1.
    let row = &rows(home.path())[9];
    let summary = &outcome.summary;
    assert_eq!(
        *field(row, "goodput_bps"),
        Field::Double(summary.groups[0].goodput_bps)
    );
    assert_eq!(
        *field(row, "links.bottleneck.queue_mean_packets"),
        Field::Double(summary.links[0].queue_mean_packets)
    );
    assert_eq!(
        *field(row, "packets_sent"),
        Field::Long(summary.packets_sent.cast_signed())
    );
}

#[test]
fn threads_and_interruptions_do_not_change_a_byte() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    let one = Run {
        threads: 1,
        ..Run::default()
    };
    one.into(&at("one")).unwrap();
    let four = Run {
        threads: 4,
        ..Run::default()
    };
    four.into(&at("four")).unwrap();
    assert!(files(&at("one")) == files(&at("four")));

    let mut run = 0;
    for stop_after in [1, 3, 2, 100] {
        let part = Run {
            stop_after: Some(stop_after),
            ..Run::default()
        };
        let (swept, earlier) = part.into(&at("parts")).unwrap();
        assert_eq!(earlier.finished, run, "finished runs are not run again");
        run += swept.run;
        assert_eq!(swept.description.done, run);
        let state = if run < 12 {
            State::Partial
        } else {
            State::Complete
        };
        assert_eq!(swept.description.state, state);
        assert_eq!(rows(&at("parts")).len() as u64, run);
    }
    assert_eq!(run, 12);
    assert!(files(&at("one")) == files(&at("parts")));
}

#[test]
fn a_finished_sweep_runs_nothing_and_a_larger_one_only_what_is_new() {
    let home = tempfile::tempdir().unwrap();
    Run::default().into(home.path()).unwrap();
    let (again, _) = Run::default().into(home.path()).unwrap();
    assert_eq!((again.run, again.skipped), (0, 12));
    // One more value and one more seed: 2 × 4 × 3 = 24 runs.
    let text = FILE
        .replace("[1, 2, 3]", "[1, 2, 3, 4]")
        .replace("seeds = 2", "seeds = 3");
    let larger = Run {
        text: &text,
        ..Run::default()
    };
    let (larger, _) = larger.into(home.path()).unwrap();
    assert_eq!((larger.run, larger.skipped), (12, 12));
    assert_eq!(rows(home.path()).len(), 24);
}

#[test]
fn another_sweep_or_something_else_in_the_folder_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("sweep");
    Run::default().into(&folder).unwrap();
    let before = files(&folder);
    for (from, to) in [
        ("\"small\"", "\"other\""),
        ("\"10 ms\"", "\"11 ms\""),
        ("flows.tcp.count", "warmup = [\"1 s\"]\nflows.tcp.count"),
    ] {
        let text = FILE.replace(from, to);
        let other = Run {
            text: &text,
            ..Run::default()
        };
        let refused = other.into(&folder).map(drop);
        assert!(
            matches!(refused, Err(SweepError::AnotherSweep { .. })),
            "{refused:?}"
        );
    }
    assert!(files(&folder) == before);
    fs::write(home.path().join("thesis.tex"), "years of work").unwrap();
    let refused = Run::default().into(home.path()).map(drop);
    assert!(
        matches!(refused, Err(SweepError::NotASweep { .. })),
        "{refused:?}"
    );
    let refused = Run::default()
        .into(&home.path().join("thesis.tex"))
        .map(drop);
    assert!(
        matches!(refused, Err(SweepError::NotASweep { .. })),
        "{refused:?}"
    );
}

#[test]
fn versions_are_not_mixed() {
    let home = tempfile::tempdir().unwrap();
    Run::default().into(home.path()).unwrap();
    let first = fs::read(home.path().join(RUNS)).unwrap();
    let second = Run {
        version: "2",
        ..Run::default()
    };
    let (swept, earlier) = second.into(home.path()).unwrap();
    assert_eq!((swept.run, swept.skipped), (12, 0));
    assert_eq!(earlier.others[0].version, "1");
    let kept = earlier.set_aside.unwrap();
    assert_eq!(kept, home.path().join("runs-1.parquet"));
    assert!(fs::read(kept).unwrap() == first);
}

#[test]
fn runs_that_fail_are_counted_and_the_others_go_on() {
    let home = tempfile::tempdir().unwrap();
    // The warm-up of some combinations is longer than their run; others are refused for want of
    // room.
    let text = FILE.replace(
        "flows.tcp.count = [1, 2, 3]",
        "warmup = [\"0.5 s\", \"1.5 s\"]\nduration = [\"2 s\", \"1 s\"]\nflows.tcp.count = [1, 99]",
    );
    // Each value by itself must be valid.
    let text = text.replace("warmup = \"1 s\"", "warmup = \"0 s\"");
    let run = || Run {
        text: &text,
        ..Run::default()
    };
    let (swept, _) = run().into(home.path()).unwrap();
    // 2 rates × 2 warm-ups × 2 durations × 2 counts × 2 seeds = 32; a quarter has its warm-up of
    // 1.5 s in a run of 1 s (8), and half of the rest are 99 flows (12).
    let at = &swept.description;
    assert_eq!((at.points, at.done, at.failed), (32, 32, 20));
    assert_eq!(at.errors.len(), 20);
    let rows = rows(home.path());
    let failed: Vec<_> = rows
        .iter()
        .filter(|row| *field(row, "error") != Field::Null)
        .collect();
    assert_eq!(failed.len(), 20);
    assert!(
        failed
            .iter()
            .all(|row| *field(row, "goodput_bps") == Field::Null)
    );
    // What there was no room for is tried again; what is finished is not.
    let (again, _) = run().into(home.path()).unwrap();
    assert_eq!(again.run, 12);
}

#[test]
fn a_rule_gives_each_combination_its_own_number_of_seeds() {
    let home = tempfile::tempdir().unwrap();
    let rule = "seeds = { until = \"goodput_bps\", within = \"3 %\", at_least = 2, at_most = 6 }";
    let text = FILE.replace("seeds = 2", rule);
    let most = AtomicU64::new(0);
    for threads in [1, 3] {
        let folder = home.path().join(threads.to_string());
        let run = Run {
            text: &text,
            threads,
            ..Run::default()
        };
        let (swept, _) = run.into(&folder).unwrap();
        assert!((12..=36).contains(&swept.run), "{}", swept.run);
        most.fetch_max(swept.run, Ordering::Relaxed);
        // The rule again, from the rows.
        for point in 0..6 {
            let mut samples = experiments::metrics::Moments::default();
            let mut enough = Vec::new();
            for row in rows(&folder) {
                if *field(&row, "point") != Field::Long(point) {
                    continue;
                }
                let Field::Double(goodput) = *field(&row, "goodput_bps") else {
                    panic!("goodputs are real numbers");
                };
                samples.add(goodput);
                enough.push(
                    samples.count() >= 2 && {
                        let half = experiments::metrics::confidence_95(&samples).unwrap();
                        half <= 0.03 * samples.mean().unwrap()
                    },
                );
            }
            let (last, before) = enough.split_last().unwrap();
            assert!(*last || enough.len() == 6, "point {point}: {enough:?}");
            assert!(before.iter().all(|enough| !enough), "point {point}");
        }
    }
    assert!(files(&home.path().join("1")) == files(&home.path().join("3")));
}
