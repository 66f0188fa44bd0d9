//! `ackclock sweep`.

mod common;

use std::fs;
use std::path::Path;

use common::{SMALL, ackclock};

/// 12 combinations of 2 seeds.
const SWEEP: &str = r#"
[sweep]
seeds = 2
"topology.bottleneck.rate" = { from = "0.5 Mbps", to = "2 Mbps", steps = 3, scale = "logarithmic" }
"flows.tcp.count" = { from = 1, to = 4, steps = 4 }
"#;

fn write_sweep(folder: &Path, sweep: &str) -> String {
    let path = folder.join("small.toml");
    fs::write(&path, format!("{SMALL}{sweep}")).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The files of a sweep that others read.
fn files(folder: &Path) -> [Vec<u8>; 3] {
    ["runs.parquet", "sweep.json", "sweep.toml"].map(|name| fs::read(folder.join(name)).unwrap())
}

#[test]
fn a_sweep_runs_once_and_the_same_command_finds_all_done() {
    let home = tempfile::tempdir().unwrap();
    let file = write_sweep(home.path(), SWEEP);
    let out = home.path().join("out");
    let out_text = out.to_str().unwrap();
    let sweep = |more: &[&str]| {
        let arguments = [&["sweep", &file, "--out", out_text], more].concat();
        ackclock(&arguments).ok()
    };
    let said = sweep(&["--json"]);
    let result = said.json();
    for (name, number) in [("points", 24), ("run", 24), ("skipped", 0), ("failed", 0)] {
        assert_eq!(result[name], number, "{name}");
    }
    assert_eq!(result["out"], out_text);
    assert!(!said.stderr.contains('\x1b'), "no bar without a terminal");
    let first = files(&out);

    let again = sweep(&["--jobs", "1"]);
    assert!(again.stderr.contains("24 of 24 runs are finished already"));
    // A row for each of the first 20 combinations: all 12 here.
    let rows = again.stdout.lines().filter(|line| line.contains("Mbps  "));
    assert_eq!(rows.count(), 12, "{}", again.stdout);
    assert!(again.stdout.contains("runs.parquet"));
    assert!(files(&out) == first);

    // Settings make it another sweep, which does not go there.
    let said = ackclock(&["sweep", &file, "--out", out_text, "--set", "duration=6 s"]);
    assert!(said.refusal().contains("holds another sweep"), "{said:?}");
    assert!(files(&out) == first);
}

#[test]
fn what_cannot_be_swept_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let file = write_sweep(home.path(), "");
    let out = home.path().join("out");
    let said = ackclock(&["sweep", &file, "--out", out.to_str().unwrap()]);
    assert!(said.refusal().contains("has no [sweep]"), "{said:?}");
    assert!(!out.exists());

    let file = write_sweep(home.path(), SWEEP);
    let said = ackclock(&[
        "sweep",
        &file,
        "--out",
        home.path().to_str().unwrap(),
        "--json",
    ]);
    assert!(
        said.refusal().contains("is not the folder of a sweep"),
        "{said:?}"
    );
    assert!(said.json()["hint"].is_string());
}

#[test]
fn an_included_scenario_is_found_by_its_name() {
    let said = ackclock(&["check", "dsl", "--json"]).ok();
    let found = said.json();
    // 3 rates × 3 numbers of flows, 10 seeds each.
    assert_eq!(found["sweep_combinations"], 9);
    assert_eq!(found["sweep_runs"], 90);
}

#[test]
fn two_sweeps_do_not_share_a_folder_at_the_same_time() {
    let home = tempfile::tempdir().unwrap();
    let file = write_sweep(home.path(), SWEEP);
    let out = home.path().join("out");
    fs::create_dir_all(out.join("results")).unwrap();
    let lock = fs::File::create(out.join("results/lock")).unwrap();
    lock.lock().unwrap();
    let said = ackclock(&["sweep", &file, "--out", out.to_str().unwrap()]);
    assert!(
        said.refusal().contains("another ackclock is at work here"),
        "{said:?}"
    );
    drop(lock);
    ackclock(&["sweep", &file, "--out", out.to_str().unwrap()]).ok();
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_keeps_what_is_finished_and_says_how_to_go_on() {
    let home = tempfile::tempdir().unwrap();
    let file = write_sweep(home.path(), &kill::SWEEP.replace("40 s", "200 s"));
    let out = home.path().join("out");
    let child = kill::start(&file, &out);
    kill::wait_for_results(&out);
    kill::send("-INT", &child);
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("error: interrupted: "), "{stderr}");
    assert!(stderr.contains("the same command goes on"), "{stderr}");
    let description = fs::read_to_string(out.join("sweep.json")).unwrap();
    let description: serde_json::Value = serde_json::from_str(&description).unwrap();
    assert_eq!(description["state"], "partial");
    let done = description["done"].as_u64().unwrap();
    assert!((1..120).contains(&done), "{done}");
}

/// A sweep that is killed at random moments and started again comes to the same bytes as one that
/// is not disturbed.
#[cfg(target_os = "linux")]
#[test]
fn a_sweep_survives_being_killed() {
    kill::at_random_moments(8);
}

/// The same at more moments; takes a minute.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "a_sweep_survives_being_killed in its long form"]
fn a_sweep_survives_being_killed_fifty_times() {
    kill::at_random_moments(50);
}

#[cfg(target_os = "linux")]
mod kill {
    use std::path::Path;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    use super::*;
    use crate::common::command;

    /// 60 combinations of 2 seeds, some milliseconds each.
    pub(super) const SWEEP: &str = r#"
[sweep]
seeds = 2
duration = ["40 s"]
"topology.bottleneck.rate" = { from = "1 Mbps", to = "20 Mbps", steps = 20 }
"flows.tcp.count" = [1, 2, 4]
"#;

    /// Starts the sweep.
    pub(super) fn start(file: &str, out: &Path) -> Child {
        command(&["sweep", file, "--json", "--out"])
            .arg(out)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    pub(super) fn send(signal: &str, child: &Child) {
        let sent = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
    }

    /// Waits until the log has grown beyond its heading.
    pub(super) fn wait_for_results(out: &Path) {
        for _ in 0..6_000 {
            let logs = fs::read_dir(out.join("results")).into_iter().flatten();
            let sizes = logs.map(|entry| entry.unwrap().metadata().unwrap().len());
            if sizes.max().unwrap_or(0) > 1_000 {
                return;
            }
            sleep(Duration::from_millis(10));
        }
        panic!("there are no results after a minute");
    }

    pub(super) fn at_random_moments(kills: u32) {
        let home = tempfile::tempdir().unwrap();
        let file = write_sweep(home.path(), SWEEP);
        let undisturbed = home.path().join("undisturbed");
        let started = now();
        let output = start(&file, &undisturbed).wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        // Each start gets up to half of the time that the whole takes: a sweep is killed about
        // four times, at its beginning, between runs, and while the data set is written.
        let half = started.elapsed() / 2;
        let expected = files(&undisturbed);

        let (mut killed, mut finished, mut random) = (0, 0, 0x2545_f491_4f6c_dd1d_u64);
        let mut disturbed = 0;
        while killed < kills || disturbed > 0 {
            let out = home.path().join(format!("out-{finished}"));
            let mut child = start(&file, &out);
            if killed < kills {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                sleep(half.mul_f64((random >> 11) as f64 / (1_u64 << 53) as f64));
                if child.try_wait().unwrap().is_none() {
                    child.kill().unwrap();
                    child.wait().unwrap();
                    killed += 1;
                    disturbed += 1;
                    continue;
                }
            }
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{output:?}");
            let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(
                result["run"].as_u64().unwrap() + result["skipped"].as_u64().unwrap(),
                120
            );
            assert!(files(&out) == expected, "after {disturbed} kills");
            (finished, disturbed) = (finished + 1, 0);
        }
        assert!(finished > 0 && killed == kills);
    }

    #[expect(clippy::disallowed_methods, reason = "it waits for another process")]
    fn sleep(length: Duration) {
        std::thread::sleep(length);
    }

    #[expect(clippy::disallowed_methods, reason = "how long another process takes")]
    fn now() -> Instant {
        Instant::now()
    }
}
