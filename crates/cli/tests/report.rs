//! `ackclock report`: a sweep's folder becomes a page, or an error says why not.

mod common;

use std::fs;
use std::path::Path;

use common::{SMALL, ackclock, command};

/// A sweep of a small scenario, run.
fn swept(scratch: &Path, axes: &str) -> String {
    let file = scratch.join("small.toml");
    fs::write(&file, format!("{SMALL}\n[sweep]\n{axes}\n")).unwrap();
    let folder = scratch.join("swept");
    let arguments = [
        "sweep",
        file.to_str().unwrap(),
        "--out",
        folder.to_str().unwrap(),
    ];
    let output = command(&arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    folder.to_str().unwrap().to_owned()
}

#[test]
fn a_sweep_becomes_a_page_and_the_result_says_what_was_drawn() {
    let scratch = tempfile::tempdir().unwrap();
    let axes = "seeds = 2\n\"topology.bottleneck.rate\" = [\"1 Mbps\", \"2 Mbps\", \"4 Mbps\"]\n\
                \"flows.tcp.count\" = [1, 2]";
    let folder = swept(scratch.path(), axes);
    let drawn = ackclock(&["report", &folder, "--json"]).ok().json();
    assert_eq!(drawn["x"], "topology.bottleneck.rate");
    assert_eq!(drawn["y"], "goodput_bps");
    assert_eq!(drawn["colour"], "flows.tcp.count");
    assert_eq!(drawn["facet"], serde_json::Value::Null);
    assert_eq!((&drawn["points"], &drawn["runs"]), (&6.into(), &12.into()));
    assert_eq!(drawn["complete"], true);
    let page = fs::read_to_string(drawn["out"].as_str().unwrap()).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("Mean over 2 seeds"));

    let said = ackclock(&["report", &folder, "--x", "count", "--y", "utilization"]);
    // Two links have one.
    assert!(
        said.refusal()
            .contains("--y utilization: could mean several things")
    );
    assert!(
        said.stderr.contains("links.bottleneck.utilization"),
        "{}",
        said.stderr
    );
    let said = ackclock(&[
        "report",
        &folder,
        "--x",
        "count",
        "--y",
        "links.bottleneck.utilization",
    ]);
    assert!(
        said.ok()
            .stdout
            .contains("links.bottleneck.utilization over flows.tcp.count")
    );
    let said = ackclock(&["report", &folder, "--colour", "recovery", "--json"]);
    assert!(
        said.refusal()
            .contains("--colour recovery: the sweep has no such axis or metric")
    );
    assert!(
        said.json()["hint"]
            .as_str()
            .unwrap()
            .contains("axes: topology.bottleneck.rate")
    );
}

#[test]
fn a_grid_without_seeds_becomes_a_heat_map() {
    let scratch = tempfile::tempdir().unwrap();
    let axes = "\"topology.bottleneck.rate\" = [\"1 Mbps\", \"2 Mbps\", \"3 Mbps\", \"4 Mbps\"]\n\
                \"flows.tcp.count\" = [1, 2, 3, 4]";
    let folder = swept(scratch.path(), axes);
    let drawn = ackclock(&["report", &folder, "--y", "jain", "--json"])
        .ok()
        .json();
    assert_eq!(
        (&drawn["kind"], &drawn["colour"]),
        (&"heat-map".into(), &"jain".into())
    );
}

#[test]
fn what_is_not_a_sweep_is_refused() {
    let said = ackclock(&["report", "scenarios"]);
    assert_eq!(said.refusal(), "scenarios: is not the folder of a sweep");
    assert!(said.stderr.contains("`ackclock sweep"), "{}", said.stderr);
    assert_eq!(
        ackclock(&["report", "no-such"]).refusal(),
        "no-such: no such folder"
    );
}
