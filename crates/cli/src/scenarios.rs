//! Scenarios by file name, from stdin, or by the name of one that the program brings along.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use clap::Args;
use experiments::Registry;
use experiments::catalogue;
use experiments::gallery;
use experiments::scenario::{Document, Scenario, ScenarioError, check_memory};
use units::Bytes;

use crate::machine::available_memory_bytes;
use crate::output::Failure;
use crate::registry;

/// The arguments that choose a scenario.
#[derive(Args, Debug)]
pub(crate) struct ScenarioArguments {
    /// The scenario: a TOML file, `-` for stdin, or a name from `ackclock list scenarios`
    #[arg(value_name = "FILE")]
    file: String,
    /// Sets a key of the file, e.g. `--set flows.tcp.count=8`; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl ScenarioArguments {
    /// Reads the scenario and checks it. `seed` goes before all else.
    pub(crate) fn load(&self, seed: Option<u64>, registry: &Registry) -> Result<Scenario, Failure> {
        let document = self.document(seed)?;
        document.check(registry).map_err(|error| explain(&error))
    }

    /// Reads the scenario with its settings, without checking it.
    pub(crate) fn document(&self, seed: Option<u64>) -> Result<Document, Failure> {
        let (text, file) = self.text()?;
        let mut document = Document::parse(&text, &file).map_err(|error| explain(&error))?;
        for setting in &self.set {
            let (key, value) = setting.split_once('=').ok_or_else(|| {
                Failure::refused(
                    format!("--set {setting}: there is no \"=\""),
                    "a setting is KEY=VALUE, for example --set topology.bottleneck.rate=2Mbps",
                )
            })?;
            document
                .set(key.trim(), value)
                .map_err(|error| explain(&error))?;
        }
        if let Some(seed) = seed {
            document
                .set_by("--seed", "seed", &seed.to_string())
                .map_err(|error| explain(&error))?;
        }
        document
            .read_files(|name| self.other_file(name))
            .map_err(|error| explain(&error))?;
        Ok(document)
    }

    /// The text of a file that the scenario names, from the scenario's folder.
    fn other_file(&self, name: &str) -> Result<String, String> {
        let folder = Path::new(&self.file).parent().unwrap_or(Path::new(""));
        let path = folder.join(name);
        let unreadable = |error: io::Error| format!("cannot be read: {error}");
        let file = File::open(&path).map_err(unreadable)?;
        let mut text = String::new();
        file.take(LONGEST_FILE_BYTES)
            .read_to_string(&mut text)
            .map_err(unreadable)?;
        Ok(text)
    }

    /// The scenario's text, and its name for messages.
    fn text(&self) -> Result<(String, String), Failure> {
        if self.file == "-" {
            return Ok((read(io::stdin().lock(), "stdin")?, "stdin".to_owned()));
        }
        match File::open(&self.file) {
            Ok(file) => Ok((read(file, &self.file)?, self.file.clone())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let included = gallery::find(&self.file).ok_or_else(|| not_found(&self.file))?;
                Ok((included.text.to_owned(), format!("{}.toml", included.name)))
            }
            Err(error) => Err(unreadable(&self.file, &error)),
        }
    }
}

/// Refuses what would need more memory than the machine has left, before it runs.
pub(crate) fn fits_in_memory(scenario: &Scenario) -> Result<(), Failure> {
    match available_memory_bytes() {
        Some(available) => {
            check_memory(scenario, Bytes(available)).map_err(|error| explain(&error))
        }
        None => Ok(()),
    }
}

/// An error of a scenario file as the user sees it.
pub(crate) fn explain(error: &ScenarioError) -> Failure {
    let hint = error.hint.clone().unwrap_or_else(|| {
        catalogue::hint(registry(), &error.key).unwrap_or_else(|| {
            "`ackclock explain first` shows a scenario file, `ackclock list keys` its keys"
                .to_owned()
        })
    });
    Failure::refused(error.to_string(), hint)
}

fn read(source: impl Read, name: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    source
        .take(LONGEST_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(name, &error))?;
    if bytes.len() as u64 > LONGEST_FILE_BYTES {
        return Err(Failure::refused(
            format!("{name}: longer than {LONGEST_FILE_BYTES} bytes"),
            "is this a scenario file?",
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::refused(
            format!("{name}: not UTF-8 text (byte {at})"),
            "a scenario is a TOML file; save it as UTF-8",
        )
    })
}

fn unreadable(name: &str, error: &io::Error) -> Failure {
    let hint = if Path::new(name).is_dir() {
        "name a scenario file, such as one in that folder"
    } else {
        "see whether you may read it"
    };
    Failure::refused(format!("{name}: cannot be read: {error}"), hint)
}

fn not_found(name: &str) -> Failure {
    let hint = match gallery::nearest(name) {
        Some(near) => format!("did you mean `{near}`, which comes with ackclock?"),
        None => "`ackclock list scenarios` lists those that come with ackclock".to_owned(),
    };
    Failure::refused(format!("{name}: no such file"), hint)
}

/// No scenario is longer; a device file might be.
const LONGEST_FILE_BYTES: u64 = 64 << 20;
