//! The scenarios that come with the program: listed, explained, found by name, and they run.

mod common;

use std::fs;
use std::path::Path;

use common::{ackclock, command, root};

/// Names of all scenarios but those of the benchmarks.
fn names() -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("scenarios")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "toml") {
            names.push(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    names.sort();
    names
}

fn text(name: &str) -> String {
    fs::read_to_string(root().join("scenarios").join(format!("{name}.toml"))).unwrap()
}

#[test]
fn there_are_a_dozen_scenarios_and_each_begins_by_saying_what_it_shows() {
    let names = names();
    assert!(names.len() >= 12, "{names:?}");
    let listed = ackclock(&["list", "scenarios", "--json"]).ok().json();
    for name in names {
        let text = text(&name);
        let beginning = format!("name = \"{name}\"\ndescription = \"\"\"\n");
        let described = text.strip_prefix(&beginning);
        let described = described.and_then(|rest| rest.split_once("\n\"\"\"\n"));
        let (description, _) = described.unwrap_or_else(|| panic!("{name} begins otherwise"));
        assert!(description.lines().count() >= 3, "{name}: {description}");
        let entries = listed["entries"].as_array().unwrap();
        let entry = entries.iter().find(|entry| entry["name"] == name.as_str());
        let summary = entry.unwrap()["summary"].as_str().unwrap();
        assert!((20..=120).contains(&summary.len()), "{name}: {summary}");
    }
}

#[test]
fn each_runs_as_it_is_and_delivers_something() {
    for name in names() {
        let summary = ackclock(&["run", &name, "--json"]).ok().json();
        assert_eq!(summary["scenario"], name.as_str());
        for group in summary["groups"].as_array().unwrap() {
            let goodput = group["goodput_bps"].as_f64().unwrap();
            assert!(goodput > 0.0, "{name}: {group}");
        }
    }
}

#[test]
fn a_scenario_is_found_by_name_where_there_is_no_such_file() {
    let elsewhere = tempfile::tempdir().unwrap();
    let run = |folder: &Path| {
        let arguments = ["run", "leo", "--set", "duration=20 s", "--json"];
        let output = command(&arguments).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    assert_eq!(run(elsewhere.path()), run(&root()));
}

#[test]
fn the_sweeps_of_the_gallery_are_grids() {
    let names = names();
    let sweeping = names.iter().filter(|name| text(name).contains("\n[sweep]"));
    for name in sweeping {
        let found = ackclock(&["check", name, "--json"]).ok().json();
        let combinations = found["sweep_combinations"].as_u64().unwrap();
        assert!((3..=100).contains(&combinations), "{name}: {combinations}");
    }
}
