//! `ackclock reproduce`.

mod common;

use std::fs;

use common::{ackclock, command};

const VERDICTS: [&str; 4] = ["reproduced", "partly", "undecided", "not-reproduced"];

#[test]
fn a_figure_gives_claims_with_verdicts_and_a_report() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("report");
    let out_text = out.to_str().unwrap();
    let said = ackclock(&[
        "reproduce",
        "gaimd/2",
        "--quick",
        "--json",
        "--out",
        out_text,
    ])
    .ok();
    let result = said.json();
    let papers = result["papers"].as_array().unwrap();
    assert_eq!(papers.len(), 1);
    assert_eq!(papers[0]["name"], "gaimd");
    let figures = papers[0]["figures"].as_array().unwrap();
    assert_eq!(figures.len(), 1);
    assert_eq!(figures[0]["id"], "2");
    assert!(figures[0]["points"].as_u64().unwrap() > 1);
    assert!(figures[0]["seeds"].as_u64().unwrap() >= 2);
    let claims = papers[0]["claims"].as_array().unwrap();
    assert!(!claims.is_empty());
    for claim in claims {
        for name in [
            "id",
            "figure",
            "statement",
            "paper",
            "ours",
            "interval",
            "reason",
            "with",
            "variations",
            "own",
        ] {
            assert!(claim.get(name).is_some(), "no {name} in {claim}");
        }
        let verdict = claim["verdict"].as_str().unwrap();
        assert!(VERDICTS.contains(&verdict), "{verdict}");
        assert!(!claim["ours"].is_null(), "no result in {claim}");
    }
    let page = result["report"].as_str().unwrap();
    assert_eq!(page, out.join("index.html").to_str().unwrap());
    assert!(fs::read_to_string(page).unwrap().contains("gaimd"));
    // Figure by figure on stderr, and no bar where there is no terminal.
    assert!(
        said.stderr.starts_with("gaimd/2: done, "),
        "{}",
        said.stderr
    );
    assert!(!said.stderr.contains('\x1b'));
}

#[test]
fn a_folder_that_is_no_report_is_refused_before_anything_runs() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("thesis.tex"), "years of work").unwrap();
    let said = ackclock(&["reproduce", "--out", home.path().to_str().unwrap()]);
    assert!(said.refusal().contains("is not a report"), "{said:?}");
    assert_eq!(said.stdout, "");
    assert!(home.path().join("thesis.tex").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_before_the_first_figure_writes_nothing() {
    use std::process::{Command, Stdio};
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("report");
    let child = command(&["reproduce", "gaimd", "--out"])
        .arg(&out)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    #[expect(clippy::disallowed_methods, reason = "it waits for another process")]
    std::thread::sleep(std::time::Duration::from_millis(500));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("error: interrupted: 0 of "), "{stderr}");
    assert_eq!(output.stdout, b"");
    assert!(!out.exists());
}

/// Killed in the middle and started again: what was finished is not run again, and the results are
/// those of a reproduction that was not disturbed.
#[cfg(target_os = "linux")]
#[test]
fn finished_runs_are_kept_when_it_is_killed() {
    use std::process::Stdio;
    use std::time::Duration;
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("report");
    let arguments = ["reproduce", "gaimd/2", "--quick", "--json", "--out"];
    let mut child = command(&arguments)
        .arg(&out)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let kept = || {
        let logs = fs::read_dir(home.path().join("report-results"))
            .into_iter()
            .flatten();
        let sizes = logs.map(|entry| entry.unwrap().metadata().unwrap().len());
        sizes.max().unwrap_or(0)
    };
    for _ in 0..6_000 {
        if kept() > 300 {
            break;
        }
        #[expect(clippy::disallowed_methods, reason = "it waits for another process")]
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!out.exists(), "it was killed before the report");

    let again = |out: &std::path::Path| {
        let output = command(&arguments).arg(out).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let mut json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        json["report"] = serde_json::Value::Null;
        (json, String::from_utf8(output.stderr).unwrap())
    };
    let (resumed, stderr) = again(&out);
    assert!(stderr.contains("runs are finished already"), "{stderr}");
    let (undisturbed, stderr) = again(&home.path().join("other"));
    assert!(!stderr.contains("finished already"), "{stderr}");
    assert_eq!(resumed, undisturbed);
    let (third, stderr) = again(&out);
    assert!(stderr.contains("\n0 runs in "), "{stderr}");
    assert_eq!(third, undisturbed);
}
