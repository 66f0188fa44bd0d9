//! A delay that follows a CSV file beside the scenario.

mod common;

use std::fs;
use std::path::Path;

use common::{Said, ackclock};

/// One flow over 1 Mb/s; the fourth line names the trace.
const SCENARIO: &str = r#"duration = "4 s"
[topology]
kind = "dumbbell"
bottleneck = { rate = "1 Mbps", delay = DELAY }
reverse = { rate = "unlimited", delay = "0 s" }
[[flows]]
protocol = "tcp"
max_window = "1 packets"
"#;

const FILE: &str = r#"{ kind = "trace", file = "path.csv" }"#;

/// Writes the scenario, and the trace where there is one, and runs `command` on it.
fn with_trace(folder: &Path, delay: &str, trace: Option<&[u8]>, command: &[&str]) -> Said {
    let scenario = folder.join("scenario.toml");
    fs::write(&scenario, SCENARIO.replace("DELAY", delay)).unwrap();
    if let Some(trace) = trace {
        fs::write(folder.join("path.csv"), trace).unwrap();
    }
    let file = scenario.to_str().unwrap();
    ackclock(&[&command[..1], &[file], &command[1..]].concat())
}

/// With a window of one packet a round trip is 8 ms on the link and the delay: 20 + 8 ms in the first
/// two seconds and 492 + 8 ms in the others, which are four packets of the 71 + 4.
#[test]
fn packets_take_as_long_as_the_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let trace = b"time_s,delay_s\n0,0.02\n2,0.492\n";
    let said = with_trace(folder.path(), FILE, Some(trace), &["run", "--json"]).ok();
    let flow = &said.json()["flows"][0];
    assert_eq!(flow["rtt_min_s"], 0.028);
    let sent = flow["packets_sent"].as_u64().unwrap();
    assert!((74..=77).contains(&sent), "{flow}");
    // Points in the scenario give the same run.
    let points = r#"{ kind = "trace", points = [["0 s", "20 ms"], ["2 s", "492 ms"]] }"#;
    let other = with_trace(folder.path(), points, None, &["run", "--json"]).ok();
    assert_eq!(said.stdout, other.stdout);
}

/// The scenario in the folder of a run has the trace in it.
#[test]
fn a_run_can_be_repeated_without_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let run = ["run", "--json", "--out", out.to_str().unwrap()];
    let trace = b"time_s,delay_s\n0,0.02\n2,0.492\n";
    let first = with_trace(folder.path(), FILE, Some(trace), &run).ok();
    fs::remove_file(folder.path().join("path.csv")).unwrap();
    let again = out.join("scenario.toml");
    let again = ackclock(&["run", again.to_str().unwrap(), "--json"]).ok();
    assert_eq!(first.json()["flows"], again.json()["flows"]);
}

/// One error line with the place where the scenario names the file, the name, and what is wrong with
/// it; one hint.
#[test]
fn a_wrong_file_is_said_once_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(Option<&[u8]>, &str); 6] = [
        (None, "cannot be read: No such file"),
        (Some(b"\xff\xfe"), "valid UTF-8"),
        (Some(b""), "line 1, the header"),
        (
            Some(b"time_s,delay_s\n0,0.01\n1,x\n"),
            "line 3: delay_s = \"x\"",
        ),
        (
            Some(b"time_s,delay_s\n1,0.01\n"),
            "line 2: time_s = 1: the times",
        ),
        (
            Some(b"time_s,delay_s\n0,0.01\n2,1\n1,1\n"),
            "line 4: time_s = 1: the times",
        ),
    ];
    for (trace, told) in cases {
        for command in ["run", "check", "sweep"] {
            let said = with_trace(folder.path(), FILE, trace, &[command]);
            let error = said.refusal();
            assert_eq!(said.stdout, "");
            let place = "scenario.toml:4:66: topology.bottleneck.delay.file = \"path.csv\": ";
            assert!(error.contains(place), "{error}");
            assert!(error.contains(told), "{error}");
        }
    }
}
