//! `ackclock validate`.

use std::process::Command;

fn ackclock(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_ackclock"))
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn rows_have_the_documented_fields_and_the_sack_trace_is_identical() {
    let output = ackclock(&["validate", "micro/B/sack", "--json"]);
    assert!(output.status.success(), "{output:?}");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = result["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 1);
    for field in [
        "scenario",
        "metric",
        "ours",
        "reference",
        "difference",
        "interval",
        "verdict",
    ] {
        assert!(rows[0].get(field).is_some(), "{field} in {}", rows[0]);
    }
    assert_eq!(rows[0]["verdict"], "agrees");
    // ns-2 sends 5443 packets in this scenario, the SYN included.
    assert_eq!(rows[0]["ours"], 5_443.0);
}

#[test]
fn an_explained_row_names_its_deviation() {
    let output = ackclock(&["validate", "micro/A/sack", "--json"]);
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = &result["rows"][0];
    assert_eq!(row["verdict"], "explained");
    assert_eq!(row["deviation"], "ties-at-a-queue");
}

#[test]
fn the_table_counts_the_verdicts() {
    let output = ackclock(&["validate", "micro/C"]);
    let text = String::from_utf8(output.stdout).unwrap();
    // Three variants with seven kinds of sender each.
    assert!(
        text.contains("21 comparisons with ns-2.35: 21 agree"),
        "{text}"
    );
}

#[test]
fn an_unknown_name_is_refused() {
    let output = ackclock(&["validate", "macro"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("error: no comparison is named \"macro\""),
        "{text}"
    );
    assert!(text.contains("hint:"), "{text}");
}
