//! Runs the program as a user does.
#![allow(dead_code, reason = "not every test file uses every helper")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What the program said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Said {
    pub(crate) fn new(output: Output) -> Self {
        Self {
            code: output.status.code().expect("no signal ended it"),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// Its stdout as one JSON object.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The result of a command that should have succeeded.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.code, 0, "{self:?}");
        self
    }

    /// The one `error:` line of a command that should have refused its input: exit 1, one such
    /// line, then one `hint:` line and nothing else.
    #[track_caller]
    pub(crate) fn refusal(&self) -> String {
        assert_eq!(self.code, 1, "{self:?}");
        let mut lines = self.stderr.lines();
        let first = lines.next().and_then(|line| line.strip_prefix("error: "));
        let error = first.unwrap_or_else(|| panic!("no error line: {self:?}"));
        let rest: Vec<&str> = lines.collect();
        assert_eq!(rest.len(), 1, "not one hint: {self:?}");
        assert!(rest[0].starts_with("hint: "), "{self:?}");
        error.to_owned()
    }
}

/// Runs `ackclock` at the root of the project.
pub(crate) fn ackclock(arguments: &[&str]) -> Said {
    Said::new(command(arguments).output().expect("it starts"))
}

/// The same with `input` on stdin.
pub(crate) fn ackclock_with_input(arguments: &[&str], input: &str) -> Said {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    // It may refuse its arguments before it reads.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    Said::new(child.wait_with_output().expect("it ends"))
}

/// `ackclock` with these arguments, at the root of the project.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ackclock"));
    command
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::null());
    command
}

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A small scenario that runs in an instant: two flows on 1 Mb/s for 5 s.
pub(crate) const SMALL: &str = r#"
name = "small"
duration = "5 s"
warmup = "1 s"

[topology]
kind = "dumbbell"
bottleneck = { rate = "1 Mbps", delay = "10 ms", queue = { kind = "drop-tail", limit = "5 packets" } }
access = { rate = "15 Mbps", delay = { uniform = ["0.5 ms", "2 ms"] } }

[[flows]]
label = "tcp"
count = 2
protocol = "tcp"
packet_size = "1000 B"
start = { uniform = ["0 s", "1 s"] }
"#;
