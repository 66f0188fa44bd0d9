//! Whose run a folder holds.

use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;

use super::{FilesError, PAGE, SCENARIO, SUMMARY, tables};

/// What tells one run from another.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RunIdentity {
    /// Name of the scenario.
    pub scenario: String,
    /// Seed of the random streams.
    pub seed: u64,
    /// Version of the program that ran it.
    pub version: String,
}

/// The run that the folder `dir` holds; none where there is nothing yet, or an empty folder.
///
/// Anything else is an error, so that no folder is overwritten that is not a run's: a file, a folder
/// without a readable `summary.json`, a run folder in which something else was put.
pub fn existing_run(dir: &Path) -> Result<Option<RunIdentity>, FilesError> {
    let not_a_run = |reason: String| FilesError::NotARun {
        path: dir.to_owned(),
        reason,
    };
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(if dir.exists() {
                not_a_run("it is a file".to_owned())
            } else {
                FilesError::io(dir)(error)
            });
        }
        Err(error) => return Err(FilesError::io(dir)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(FilesError::io(dir))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    if names.is_empty() {
        return Ok(None);
    }
    names.sort();
    if let Some(stranger) = names.iter().find(|name| !is_of_a_run(name)) {
        return Err(not_a_run(format!(
            "it holds \"{stranger}\", which no run writes"
        )));
    }
    if !names.iter().any(|name| name == SUMMARY) {
        return Err(not_a_run(format!("it holds no {SUMMARY}")));
    }
    let path = dir.join(SUMMARY);
    let file = fs::File::open(&path).map_err(FilesError::io(&path))?;
    serde_json::from_reader(io::BufReader::new(file))
        .map(Some)
        .map_err(|error| not_a_run(format!("{SUMMARY} cannot be read: {error}")))
}

fn is_of_a_run(name: &str) -> bool {
    [SCENARIO, SUMMARY, PAGE].contains(&name)
        || name
            .strip_suffix(".parquet")
            .is_some_and(|stem| tables::NAMES.contains(&stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(dir.path().join(name), text).unwrap();
        }
        dir
    }

    fn reason(dir: &Path) -> String {
        match existing_run(dir) {
            Err(FilesError::NotARun { reason, .. }) => reason,
            other => panic!("{other:?}"),
        }
    }

    const SUMMARY_TEXT: &str = r#"{"version":"0.1.0","scenario":"dsl","seed":7,"flows":[]}"#;

    #[test]
    fn a_run_says_whose_it_is() {
        let dir = folder(&[
            (SUMMARY, SUMMARY_TEXT),
            (SCENARIO, ""),
            ("events.parquet", ""),
        ]);
        let expected = RunIdentity {
            scenario: "dsl".to_owned(),
            seed: 7,
            version: "0.1.0".to_owned(),
        };
        assert_eq!(existing_run(dir.path()).unwrap(), Some(expected));
    }

    #[test]
    fn nothing_and_an_empty_folder_hold_no_run() {
        let dir = folder(&[]);
        assert_eq!(existing_run(dir.path()).unwrap(), None);
        assert_eq!(existing_run(&dir.path().join("new")).unwrap(), None);
    }

    #[test]
    fn other_folders_and_files_are_refused_with_the_reason() {
        let dir = folder(&[(SUMMARY, SUMMARY_TEXT), ("thesis.tex", "years of work")]);
        assert_eq!(
            reason(dir.path()),
            "it holds \"thesis.tex\", which no run writes"
        );
        assert_eq!(reason(&dir.path().join("thesis.tex")), "it is a file");
        let dir = folder(&[(SCENARIO, "")]);
        assert_eq!(reason(dir.path()), "it holds no summary.json");
        let dir = folder(&[(SUMMARY, "{}")]);
        assert!(reason(dir.path()).starts_with("summary.json cannot be read: missing field"));
    }
}
