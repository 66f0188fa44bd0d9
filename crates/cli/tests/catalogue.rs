//! `ackclock list`, `explain`, `schema`, help and version.

mod common;

use common::ackclock;

#[test]
fn every_kind_can_be_listed_and_every_name_explained() {
    let all = ackclock(&["list", "--json"]).ok().json();
    let kinds = all["kinds"].as_array().unwrap();
    assert!(kinds.len() >= 10);
    for kind in kinds {
        let name = kind["kind"].as_str().unwrap();
        let listed = ackclock(&["list", name]).ok();
        assert_eq!(listed.stderr, "");
        for entry in kind["names"].as_array().unwrap() {
            assert!(
                listed.stdout.contains(entry.as_str().unwrap()),
                "{name}: {entry}"
            );
        }
        let first = kind["names"][0].as_str().unwrap();
        let explained = ackclock(&["explain", first]).ok();
        assert!(
            explained.stdout.starts_with(&format!("{first}: ")),
            "{}",
            explained.stdout
        );
    }
}

#[test]
fn a_controller_is_explained_with_parameters_defaults_and_source() {
    let text = ackclock(&["explain", "gaimd"]).ok().stdout;
    for words in ["alpha", "beta", "Default: ", "Source: "] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
    let object = ackclock(&["explain", "gaimd", "--json"]).ok().json();
    let entry = &object["entries"][0];
    assert_eq!(entry["category"], "controllers");
    let parameters = entry["parameters"].as_array().unwrap();
    assert!(
        parameters
            .iter()
            .any(|parameter| parameter["name"] == "alpha")
    );
}

#[test]
fn a_paper_and_a_scenario_are_explained() {
    let text = ackclock(&["explain", "dsl"]).ok().stdout;
    assert!(text.contains("[topology]"), "{text}");
}

#[test]
fn the_schema_is_one_json_object_that_knows_the_keys() {
    let schema = ackclock(&["schema"]).ok().json();
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    for key in [
        "name", "duration", "warmup", "seed", "topology", "flows", "record", "sweep",
    ] {
        assert!(schema["properties"].get(key).is_some(), "no {key}");
    }
    let required = schema["required"].as_array().unwrap();
    assert!(required.iter().any(|key| key == "duration"));
    assert!(!required.iter().any(|key| key == "seed"));
}

#[test]
fn help_is_a_result_and_names_every_command_and_default() {
    for arguments in [&["--help"][..], &["help"]] {
        let help = ackclock(arguments).ok();
        assert_eq!(help.stderr, "");
        for command in [
            "run",
            "check",
            "schema",
            "list",
            "explain",
            "reproduce",
            "bench",
        ] {
            assert!(
                help.stdout.contains(&format!("\n  {command} ")),
                "no {command}"
            );
        }
    }
    for command in ["run", "check", "list", "reproduce", "bench"] {
        let help = ackclock(&["help", command]).ok().stdout;
        assert!(
            help.contains("--json") && help.contains("Usage: ackclock"),
            "{help}"
        );
        assert_eq!(help, ackclock(&[command, "--help"]).ok().stdout);
    }
    let reproduce = ackclock(&["help", "reproduce"]).ok().stdout;
    assert!(reproduce.contains("[default: out/report]"), "{reproduce}");
}

#[test]
fn the_version_is_that_of_the_summaries() {
    let version = ackclock(&["--version"]).ok().stdout;
    let summary = common::ackclock_with_input(&["run", "-", "--json"], common::SMALL)
        .ok()
        .json();
    assert_eq!(
        version,
        format!("ackclock {}\n", summary["version"].as_str().unwrap())
    );
}
