//! `ackclock sweep --dask`: the runs on a Dask cluster, by way of the Python package.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use experiments::scenario::{Scenario, to_toml};

use crate::output::Failure;

/// Has the cluster behind `address` do what is missing of a sweep; `folder` then holds it all.
pub(super) fn run_on(address: &str, scenario: &Scenario, folder: &Path) -> Result<(), Failure> {
    let output = call(address, scenario, folder).map_err(|error| {
        Failure::refused(format!("{PYTHON} cannot be started: {error}"), INSTALL)
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(failure(&said))
}

fn call(address: &str, scenario: &Scenario, folder: &Path) -> io::Result<Output> {
    let mut child = Command::new(PYTHON)
        .args(["-m", "ackclock._dask", address])
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    // It may have ended without reading: what it said tells why.
    let _ = child
        .stdin
        .take()
        .map(|mut stdin| stdin.write_all(to_toml(scenario).as_bytes()));
    child.wait_with_output()
}

/// What Python said: an error of the package, or something that it did not expect.
fn failure(said: &str) -> Failure {
    if said.contains("No module named ackclock") {
        return Failure::refused(
            format!("{PYTHON} does not have the package ackclock"),
            INSTALL,
        );
    }
    let line = |start: &str| said.lines().find_map(|line| line.strip_prefix(start));
    match line("error: ") {
        Some(error) => Failure::refused(error, line("hint: ").unwrap_or(GO_ON)),
        None if said.contains("KeyboardInterrupt") => Failure::refused("interrupted", GO_ON),
        None => Failure::fault(said.trim().to_owned()),
    }
}

const PYTHON: &str = "python3";
const INSTALL: &str = "install it for the python3 that is first on your PATH: pip install '.[dask]' \
                       in the project's folder";
const GO_ON: &str = "what is finished is kept: the same command goes on with the rest";

#[cfg(test)]
mod tests {
    use super::failure;

    #[test]
    fn what_the_package_says_is_what_the_user_reads() {
        let told = |said: &str| format!("{:?}", failure(said));
        let error = told("Traceback\nerror: tcp://nowhere: timed out\nhint: look again\n");
        assert!(error.contains("tcp://nowhere: timed out") && error.contains("look again"));
        assert!(told("python3: No module named ackclock").contains("pip install"));
        assert!(told("KeyboardInterrupt").contains("goes on with the rest"));
    }
}
