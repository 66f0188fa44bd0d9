//! Whatever is wrong with the input: exit 1, one error line that says what and where, a hint.

mod common;

use common::{SMALL, ackclock, ackclock_with_input};

/// `SMALL` with one piece of text replaced.
#[track_caller]
fn small_with(old: &str, new: &str) -> String {
    assert_eq!(SMALL.matches(old).count(), 1, "{old}");
    SMALL.replace(old, new)
}

/// Runs a scenario that must be refused; `check` must say the same.
#[track_caller]
fn refusal_of(scenario: &str) -> String {
    let run = ackclock_with_input(&["run", "-"], scenario);
    assert_eq!(run.stdout, "");
    let check = ackclock_with_input(&["check", "-"], scenario);
    assert_eq!(check.stdout, "");
    assert_eq!(run.refusal(), check.refusal());
    run.refusal()
}

#[track_caller]
fn assert_says(error: &str, fragments: &[&str]) {
    for fragment in fragments {
        assert!(error.contains(fragment), "no {fragment:?} in: {error}");
    }
}

#[test]
fn the_small_scenario_is_right_before_it_is_spoilt() {
    ackclock_with_input(&["check", "-"], SMALL).ok();
}

#[test]
fn a_missing_file() {
    for command in ["run", "check"] {
        let said = ackclock(&[command, "no/such/file.toml"]);
        assert_eq!(said.refusal(), "no/such/file.toml: no such file");
        assert_eq!(said.stdout, "");
    }
}

#[test]
fn a_misspelt_name_of_a_scenario_that_is_there() {
    let said = ackclock(&["run", "scenarios/dsll.toml"]);
    said.refusal();
    assert_says(&said.stderr, &["did you mean `dsl`"]);
}

#[test]
fn a_folder_in_place_of_a_file() {
    assert_says(
        &ackclock(&["run", "scenarios"]).refusal(),
        &["scenarios: cannot be read"],
    );
}

#[test]
fn a_file_that_is_not_text() {
    let said = ackclock(&["check", env!("CARGO_BIN_EXE_ackclock")]);
    said.refusal();
}

#[test]
fn bad_toml_with_its_line() {
    // The sixth line is "[topology]".
    let error = refusal_of(&small_with("[topology]", "[topology"));
    assert_says(&error, &["stdin:6:", "TOML"]);
}

#[test]
fn an_unknown_key_with_its_place_and_the_nearest_one() {
    let text = small_with("packet_size", "paket_size");
    let said = ackclock_with_input(&["run", "-"], &text);
    // Line 15, counted in SMALL, whose first line is empty.
    assert_says(&said.refusal(), &["stdin:15:1:", "paket_size"]);
    assert_says(&said.stderr, &["packet_size"]);
}

#[test]
fn a_negative_rate() {
    let error = refusal_of(&small_with(r#"rate = "1 Mbps""#, r#"rate = "-1 Mbps""#));
    assert_says(&error, &["stdin:8:", "-1 Mbps", "rate"]);
}

#[test]
fn a_unit_that_is_none() {
    let error = refusal_of(&small_with("5 packets", "5 parsecs"));
    assert_says(&error, &["stdin:8:", "5 parsecs", "packets", "BDP"]);
}

#[test]
fn a_flow_that_starts_after_the_end() {
    let error = refusal_of(&small_with(
        r#"start = { uniform = ["0 s", "1 s"] }"#,
        r#"start = "6 s""#,
    ));
    assert_says(&error, &["start", "6 s", "5 s"]);
}

#[test]
fn a_protocol_controller_or_queue_that_is_not_there() {
    let error = refusal_of(&small_with(r#"protocol = "tcp""#, r#"protocol = "tpc""#));
    assert_says(&error, &["tpc", "tcp", "udp"]);
    let text = small_with(
        r#"protocol = "tcp""#,
        "protocol = \"tcp\"\ncontroller = \"rneo\"",
    );
    let said = ackclock_with_input(&["run", "-"], &text);
    assert_says(&said.refusal(), &["rneo"]);
    assert_says(&said.stderr, &["reno"]);
    let error = refusal_of(&small_with(
        r#"kind = "drop-tail""#,
        r#"kind = "drop-tial""#,
    ));
    assert_says(&error, &["drop-tial", "drop-tail"]);
}

#[test]
fn more_than_the_memory_holds_said_before_it_runs() {
    // Each flow takes at least some hundred bytes: 4 billion do not fit.
    let started = std::time::Duration::from_secs(20);
    let text = small_with("count = 2", "count = 4000000000");
    let begun = instant();
    let error = refusal_of(&text);
    assert!(begun.elapsed() < started);
    assert_says(&error, &["count"]);
    // Within what a count may be, but recorded for longer than any memory lasts.
    let text = format!(
        "{}\n[record]\nevery = \"1 ps\"\n",
        small_with("5 s", "480 h")
    );
    let said = ackclock_with_input(&["run", "-"], &text);
    assert_says(&said.refusal(), &["memory", "available"]);
}

#[test]
fn an_unreachable_node_and_a_loop_without_delay() {
    const GRAPH: &str = r#"
duration = "1 s"
topology = { kind = "graph" }
nodes = [{ name = "a" }, { name = "b" }, { name = "c" }]
links = [{ name = "ab", from = "a", to = "b", rate = "1 Mbps", delay = "1 ms", duplex = true }]
flows = [{ label = "tcp", protocol = "tcp", from = "a", to = "TO" }]
"#;
    ackclock_with_input(&["run", "-"], &GRAPH.replace("TO", "b")).ok();
    assert_says(&refusal_of(&GRAPH.replace("TO", "c")), &["\"a\"", "\"c\""]);
    assert_says(&refusal_of(&GRAPH.replace("TO", "d")), &["\"d\""]);
    let instant = GRAPH
        .replace("TO", "b")
        .replace("1 ms", "0 s")
        .replace("1 Mbps", "unlimited");
    assert_says(&refusal_of(&instant), &["delay"]);
}

#[test]
fn a_bad_setting() {
    let set = |setting: &str| ackclock_with_input(&["run", "-", "--set", setting], SMALL);
    assert_says(&set("duration").refusal(), &["--set duration", "="]);
    assert_says(
        &set("flows.tcp.cuont=3").refusal(),
        &["--set flows.tcp.cuont=3"],
    );
    assert_says(&set("flows.ftp.count=3").refusal(), &["ftp", "tcp"]);
    assert_says(
        &set("topology.bottleneck.rate=fast").refusal(),
        &["fast", "rate"],
    );
    assert_says(&set("=3").refusal(), &["--set"]);
}

#[test]
fn a_bad_seed() {
    for seed in ["-1", "x", "1.5", "99999999999999999999"] {
        let said = ackclock_with_input(&["run", "-", "--seed", seed], SMALL);
        said.refusal();
        assert_eq!(said.stdout, "");
    }
}

#[test]
fn an_unknown_name_with_the_nearest_one() {
    let said = ackclock(&["explain", "gaimt"]);
    assert_says(&said.refusal(), &["gaimt"]);
    assert_says(&said.stderr, &["gaimd"]);
    let said = ackclock(&["list", "controlers"]);
    assert_says(&said.refusal(), &["controlers"]);
    assert_says(&said.stderr, &["controllers"]);
    let said = ackclock(&["bench", "w11"]);
    assert_says(&said.refusal(), &["w11"]);
    assert_says(&said.stderr, &["w1"]);
}

#[test]
fn a_paper_or_figure_that_is_not_there() {
    assert_says(&ackclock(&["reproduce", "gaimdd"]).refusal(), &["gaimdd"]);
    assert_says(
        &ackclock(&["reproduce", "gaimd/99"]).refusal(),
        &["gaimd", "\"99\"", "2"],
    );
}

#[test]
fn a_command_line_that_is_wrong_in_itself() {
    for arguments in [
        &[][..],
        &["rnu", "x"],
        &["run"],
        &["run", "x", "--sed", "1"],
        &["run", "x", "y"],
        &["schema", "x"],
        &["bench", "--repeat", "0"],
    ] {
        let said = ackclock(arguments);
        said.refusal();
        assert_eq!(said.stdout, "");
    }
    let said = ackclock(&["rnu", "x"]);
    assert_says(&said.refusal(), &["rnu"]);
    assert_says(&said.stderr, &["did you mean run?"]);
}

#[test]
fn with_json_the_error_is_an_object_on_stdout_too() {
    for arguments in [
        &["run", "no.toml", "--json"][..],
        &["check", "--json"],
        &["explain", "gaimt", "--json"],
    ] {
        let said = ackclock(arguments);
        let error = said.refusal();
        let object = said.json();
        assert_eq!(object["error"], serde_json::json!(error));
        assert!(
            object["hint"].as_str().is_some_and(|hint| !hint.is_empty()),
            "{said:?}"
        );
    }
}

#[expect(clippy::disallowed_methods, reason = "the test has a time limit")]
fn instant() -> std::time::Instant {
    std::time::Instant::now()
}

#[test]
fn an_error_names_the_option_that_was_given() {
    let said = ackclock(&["run", "dsl", "--seed", "18446744073709551615"]);
    let error = said.refusal();
    assert!(
        error.starts_with("--seed 18446744073709551615: seed = "),
        "{error}"
    );
    let said = ackclock(&["run", "dsl", "--set", "topology.bottleneck.rate=1e400 Mbps"]);
    let error = said.refusal();
    assert!(
        error.contains("has an exponent") && error.contains("plain number"),
        "{error}"
    );
    // A wrong option: the usage and where to read on, in one line.
    let said = ackclock(&["run", "dsl", "--sed", "1"]);
    said.refusal();
    assert!(
        said.stderr.contains("hint: ") && said.stderr.contains("`ackclock help run` says more")
    );
}
