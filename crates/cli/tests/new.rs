//! `ackclock new`: what it writes is built, passes its own test, and has every command.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::{Said, ackclock, command, root};

fn written(folder: &Path, name: &str) -> Said {
    let mut new = command(&["new", name, "--ackclock"]);
    let own = root().join("crates/cli");
    Said::new(
        new.arg(own)
            .current_dir(folder)
            .output()
            .expect("it starts"),
    )
}

/// Cargo in a written crate, with the libraries that are there already. `words` are for the
/// program that it runs.
fn cargo(krate: &Path, command: &[&str], words: &[&str]) -> Output {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(command).arg("--offline").arg("--").args(words);
    let target = root().join("target");
    cargo.env(
        "CARGO_TARGET_DIR",
        option_env!("CARGO_TARGET_DIR").map_or(target, Into::into),
    );
    cargo.current_dir(krate).output().expect("cargo starts")
}

#[test]
fn a_written_crate_builds_passes_its_test_and_has_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let said = written(folder.path(), "gentle-reno").ok();
    assert!(said.stdout.contains("src/gentle_reno.rs"), "{said:?}");
    let krate = folder.path().join("gentle-reno");
    fs::copy(root().join("Cargo.lock"), krate.join("Cargo.lock")).unwrap();
    let tested = cargo(&krate, &["test"], &[]);
    assert!(tested.status.success(), "{tested:?}");
    let run = |arguments: &[&str]| {
        let output = cargo(&krate, &["run", "--quiet"], arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(run(&["list", "controllers"]).contains("gentle-reno"));
    assert!(run(&["explain", "gentle-reno"]).contains("kept"));
    assert!(run(&["schema"]).contains("\"gentle-reno\""));
    let summary = run(&["run", "scenarios/alone.toml", "--json"]);
    assert!(
        summary.contains("\"controller\": \"gentle-reno\""),
        "{summary}"
    );
    let swept = run(&["sweep", "scenarios/alone.toml", "--out", "out", "--json"]);
    assert!(swept.contains("\"run\": 3"), "{swept}");
}

#[test]
fn a_name_that_cannot_be_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (name, told) in [
        ("Gentle", "cannot be the name"),
        ("../x", "cannot be the name"),
        ("reno", "is a controller that there is"),
        ("std", "is the name of a crate"),
    ] {
        let error = written(folder.path(), name).refusal();
        assert!(error.contains(told), "{error}");
    }
    fs::create_dir(folder.path().join("taken")).unwrap();
    let error = written(folder.path(), "taken").refusal();
    assert!(error.contains("is there already"), "{error}");
}

#[test]
fn the_guide_shows_what_new_writes() {
    let folder = tempfile::tempdir().unwrap();
    written(folder.path(), "my-controller").ok();
    let krate = folder.path().join("my-controller");
    let files = [
        "src/my_controller.rs",
        "src/lib.rs",
        "src/main.rs",
        "tests/fills_the_link.rs",
        "scenarios/alone.toml",
    ];
    let texts = files.map(|file| fs::read_to_string(krate.join(file)).unwrap());
    let guide = fs::read_to_string(root().join("docs/guide/your-own-controller.md")).unwrap();
    let mut blocks = 0;
    for block in guide.split("```").skip(1).step_by(2) {
        let (language, code) = block.split_once('\n').unwrap();
        if ["rust", "toml"].contains(&language) {
            blocks += 1;
            assert!(texts.iter().any(|text| text.contains(code)), "{code}");
        }
    }
    assert!(blocks >= 4, "{blocks}");
    assert!(ackclock(&["help", "new"]).ok().stdout.contains("NAME"));
}
