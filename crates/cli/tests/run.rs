//! `ackclock run` and `check` on scenarios that are right.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use common::{SMALL, ackclock, ackclock_with_input, command, root};
use serde_json::Value;

fn number(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("{value} is no count"))
}

/// `packets_sent + duplicated = packets_delivered + drops + lost + in_flight`.
#[track_caller]
fn assert_conserves(summary: &Value) {
    let of = |name: &str| number(&summary[name]);
    assert_eq!(
        of("packets_sent") + of("duplicated"),
        of("packets_delivered") + of("drops") + of("lost") + of("in_flight")
    );
}

#[track_caller]
fn assert_has(object: &Value, names: &[&str]) {
    for name in names {
        assert!(object.get(name).is_some(), "no {name} in {object}");
    }
}

#[test]
fn the_summary_has_every_field_and_conserves_packets() {
    let summary = ackclock(&["run", "scenarios/dsl.toml", "--json"])
        .ok()
        .json();
    assert_has(
        &summary,
        &[
            "version",
            "scenario",
            "seed",
            "duration_s",
            "warmup_s",
            "events",
            "packets_sent",
            "duplicated",
            "packets_delivered",
            "drops",
            "lost",
            "in_flight",
            "groups",
            "flows",
            "links",
            "jain",
            "theta",
        ],
    );
    assert_eq!(summary["scenario"], "dsl");
    assert_conserves(&summary);
    let groups = summary["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 2);
    for group in groups {
        assert_has(group, &["label", "goodput_bps", "throughput_bps", "jain"]);
    }
    let flows = summary["flows"].as_array().unwrap();
    assert_eq!(flows.len(), 8);
    for flow in flows {
        assert_has(
            flow,
            &[
                "label",
                "protocol",
                "controller",
                "start_s",
                "goodput_bps",
                "throughput_bps",
                "packets_sent",
                "packets_delivered",
                "retransmits",
                "timeouts",
                "fast_retransmits",
                "rtt_mean_s",
                "rtt_sd_s",
            ],
        );
    }
    let bottleneck = &summary["links"][0];
    assert_has(
        bottleneck,
        &[
            "name",
            "utilization",
            "packets_in",
            "packets_out",
            "drops",
            "marks",
            "queue_mean_packets",
            "queue_max_packets",
        ],
    );
    // Eight flows fill 1 Mb/s, and never more than that.
    let utilization = bottleneck["utilization"].as_f64().unwrap();
    assert!((0.9..=1.0).contains(&utilization), "{utilization}");
    // At most 5 packets wait, and the buffer is that small that it fills.
    assert_eq!(number(&bottleneck["queue_max_packets"]), 5);
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let run = |seed: &str| {
        ackclock_with_input(&["run", "-", "--json", "--seed", seed], SMALL)
            .ok()
            .stdout
    };
    assert_eq!(run("7"), run("7"));
    assert_ne!(run("7"), run("8").replace("\"seed\": 8", "\"seed\": 7"));
}

#[test]
fn a_setting_does_what_the_edited_file_does() {
    let edited = SMALL
        .replace("count = 2", "count = 3")
        .replace("\"1 Mbps\"", "\"2 Mbps\"");
    let settings = [
        "--set",
        "flows.tcp.count=3",
        "--set",
        "topology.bottleneck.rate=2 Mbps",
    ];
    let arguments = [&["run", "-", "--json"][..], &settings].concat();
    let set = ackclock_with_input(&arguments, SMALL).ok();
    assert_eq!(
        set.stdout,
        ackclock_with_input(&["run", "-", "--json"], &edited)
            .ok()
            .stdout
    );
    let seeded = ackclock_with_input(&["run", "-", "--json", "--seed", "9"], SMALL).ok();
    let set = ackclock_with_input(&["run", "-", "--json", "--set", "seed=9"], SMALL).ok();
    assert_eq!(seeded.stdout, set.stdout);
}

#[test]
fn a_scenario_that_comes_along_runs_by_its_name() {
    let arguments = ["run", "dsl", "--json", "--set", "duration=25s"];
    // Nothing is read from the folder it runs in.
    let elsewhere = tempfile::tempdir().unwrap();
    let output = command(&arguments)
        .current_dir(elsewhere.path())
        .output()
        .unwrap();
    let by_name = String::from_utf8(output.stdout).unwrap();
    let from_file = ackclock(&[
        "run",
        "scenarios/dsl.toml",
        "--json",
        "--set",
        "duration=25s",
    ])
    .ok();
    assert_eq!(by_name, from_file.stdout);
}

#[test]
fn people_get_tables_with_units_and_stdout_holds_nothing_else() {
    let said = ackclock_with_input(&["run", "-"], SMALL).ok();
    assert!(
        said.stdout.starts_with("small: 5 s simulated"),
        "{}",
        said.stdout
    );
    for words in [
        "data packets sent",
        "goodput (",
        "bottleneck",
        "tcp 0",
        "tcp 1",
        "RTT mean (ms)",
    ] {
        assert!(
            said.stdout.contains(words),
            "no {words:?} in {}",
            said.stdout
        );
    }
    // How fast it was depends on the machine: stderr, one line, no bar.
    assert!(!said.stdout.contains("CPU"));
    assert_eq!(said.stderr.lines().count(), 1, "{}", said.stderr);
    assert!(said.stderr.contains("packets delivered in"));
    assert!(!said.stderr.contains('\x1b') && !said.stdout.contains('\x1b'));
}

#[test]
fn beyond_forty_flows_the_table_says_how_many_more() {
    let said = ackclock_with_input(&["run", "-", "--set", "flows.tcp.count=50"], SMALL).ok();
    assert!(said.stdout.contains("tcp 39") && !said.stdout.contains("tcp 40"));
    assert!(said.stdout.contains("… 10 more flows (see --json)"));
}

fn names(folder: &Path) -> BTreeSet<String> {
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| name(entry.unwrap()))
        .collect()
}

#[test]
fn a_run_folder_holds_a_scenario_that_gives_the_same_summary() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("a/run");
    let out_text = out.to_str().unwrap();
    let settings = ["--set", "record.every=100ms", "--set", "flows.tcp.count=3"];
    let arguments = [
        &["run", "-", "--json", "--seed", "5", "--out", out_text][..],
        &settings,
    ];
    let said = ackclock_with_input(&arguments.concat(), SMALL).ok();
    let there = names(&out);
    for name in [
        "scenario.toml",
        "summary.json",
        "index.html",
        "flows.parquet",
        "links.parquet",
    ] {
        assert!(there.contains(name), "{name} is not among {there:?}");
    }
    assert_eq!(
        fs::read_to_string(out.join("summary.json")).unwrap(),
        said.stdout
    );
    let scenario = out.join("scenario.toml");
    let again = ackclock(&["run", scenario.to_str().unwrap(), "--json"]).ok();
    assert_eq!(again.stdout, said.stdout);

    // The same run may be written again, and gives the same bytes.
    let bytes = |name: &String| fs::read(out.join(name)).unwrap();
    let before: Vec<_> = there.iter().map(bytes).collect();
    ackclock_with_input(&arguments.concat(), SMALL).ok();
    assert_eq!(names(&out), there);
    let after: Vec<_> = there.iter().map(bytes).collect();
    assert!(before == after);
    assert_eq!(
        names(&home.path().join("a")),
        BTreeSet::from(["run".to_owned()])
    );
}

#[test]
fn a_folder_with_something_else_is_not_touched() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("run");
    let out_text = out.to_str().unwrap();
    let run =
        |seed: &str| ackclock_with_input(&["run", "-", "--seed", seed, "--out", out_text], SMALL);
    run("1").ok();
    let summary = fs::read(out.join("summary.json")).unwrap();
    let said = run("2");
    assert!(
        said.refusal()
            .contains("holds another run (scenario small, seed 1"),
        "{said:?}"
    );
    assert_eq!(said.stdout, "");
    fs::write(out.join("thesis.tex"), "years of work").unwrap();
    assert!(run("1").refusal().contains("thesis.tex"));
    assert_eq!(fs::read(out.join("summary.json")).unwrap(), summary);
    let file = home.path().join("file");
    fs::write(&file, "text").unwrap();
    let said = ackclock_with_input(&["run", "-", "--out", file.to_str().unwrap()], SMALL);
    said.refusal();
    let below = file.join("run");
    ackclock_with_input(&["run", "-", "--out", below.to_str().unwrap()], SMALL).refusal();
}

#[test]
fn check_says_what_a_scenario_amounts_to() {
    let said = ackclock(&["check", "scenarios/dsl.toml"]).ok();
    assert!(said.stdout.starts_with("ok: dsl"), "{}", said.stdout);
    assert_eq!(said.stderr, "");
    let found = ackclock_with_input(&["check", "-", "--json"], SMALL)
        .ok()
        .json();
    assert_eq!(found["ok"], true);
    assert_eq!(found["groups"][0]["flows"], 2);
    // 1 Mb/s × 5 s / 8000 bits = 625 packets.
    assert_eq!(found["data_packets_at_most"], 625);
    assert_eq!(found["links"][0]["queue_limit_packets"], 5);
    // Twice 10 ms + 1.25 ms + 1.25 ms, the means of what is drawn.
    let round_trip = found["groups"][0]["base_rtt_s"].as_f64().unwrap();
    assert!((round_trip - 0.025).abs() < 1e-9, "{round_trip}");
}

#[test]
fn every_scenario_of_the_project_is_right_and_is_listed() {
    let listed = ackclock(&["list", "scenarios", "--json"]).ok().json();
    let listed: BTreeSet<&str> = listed["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["name"].as_str().unwrap())
        .collect();
    let scenarios = root().join("scenarios");
    let mut found = BTreeSet::new();
    for folder in ["", "bench/"] {
        for name in names(&scenarios.join(folder)) {
            if let Some(stem) = name.strip_suffix(".toml") {
                found.insert(format!("{folder}{stem}"));
            }
        }
    }
    assert_eq!(listed, found.iter().map(String::as_str).collect());
    for name in found {
        ackclock(&["check", &format!("scenarios/{name}.toml")]).ok();
    }
}

#[cfg(unix)]
#[test]
fn a_reader_who_leaves_early_is_no_error() {
    use std::process::Stdio;
    let mut child = command(&["list", "keys", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_says_how_far_it_came_and_writes_nothing() {
    use std::process::{Command, Stdio};
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("run");
    let mut child = command(&["run", "bench/w2", "--set", "duration=10h", "--out"])
        .arg(&out)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    #[expect(clippy::disallowed_methods, reason = "it waits for another process")]
    std::thread::sleep(std::time::Duration::from_secs(1));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(1));
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("error: interrupted at "), "{stderr}");
    assert_eq!(output.stdout, b"");
    assert!(!out.exists());
    assert_eq!(names(home.path()), BTreeSet::new());
}

#[test]
fn the_windows_are_drawn_whether_they_are_recorded_or_not() {
    let said = ackclock_with_input(&["run", "-"], SMALL).ok();
    let lines: Vec<&str> = said.stdout.lines().collect();
    let at = lines
        .iter()
        .position(|line| line.starts_with("window"))
        .unwrap();
    assert!(lines[at].contains("from 0 s to 5 s"), "{}", said.stdout);
    for (line, flow) in lines[at + 1..].iter().zip(["tcp 0", "tcp 1"]) {
        assert!(line.starts_with(flow), "{line}");
        let bars = line.chars().filter(|c| ('▁'..='█').contains(c)).count();
        // Flows start within the first of five seconds: 12 of 60 bars may be blank.
        assert!((47..=60).contains(&bars), "{line}");
    }
    // The scale goes up to the greatest window of all.
    assert!(said.stdout.contains('█'), "{}", said.stdout);
    // Neither colours nor anything else that steers a terminal go into a pipe.
    assert!(!said.stdout.contains('\u{1b}'));
    // Many flows: the mean of each group.
    let many = ackclock_with_input(&["run", "-", "--set", "flows.tcp.count=30"], SMALL).ok();
    let line = many
        .stdout
        .lines()
        .skip_while(|line| !line.starts_with("window"))
        .nth(1);
    assert!(line.unwrap().starts_with("tcp  "), "{}", many.stdout);
    // Nothing that has a window: no such table.
    let none = SMALL.replace(
        "\"tcp\"\npacket",
        "\"udp\"\napplication = { kind = \"cbr\", rate = \"0.1 Mbps\" }\npacket",
    );
    let said = ackclock_with_input(&["run", "-"], &none).ok();
    assert!(!said.stdout.contains("window"), "{}", said.stdout);
}

#[test]
fn to_look_at_the_windows_changes_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("run");
    ackclock_with_input(&["run", "-", "--out", folder.to_str().unwrap()], SMALL).ok();
    let looked = fs::read_to_string(folder.join("summary.json")).unwrap();
    let not_looked = ackclock_with_input(&["run", "-", "--json"], SMALL)
        .ok()
        .stdout;
    assert_eq!(looked, not_looked);
}

#[test]
fn the_table_says_how_losses_are_repaired() {
    for recovery in ["old-tahoe", "sack"] {
        let setting = format!("flows.tcp.recovery={recovery}");
        let said = ackclock_with_input(&["run", "-", "--set", &setting], SMALL).ok();
        assert!(
            said.stdout.contains(&format!("tcp {recovery} reno")),
            "{}",
            said.stdout
        );
    }
}
