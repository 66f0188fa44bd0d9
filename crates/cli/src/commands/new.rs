//! `ackclock new`: a crate with a controller of one's own, a scenario and a test.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use crate::output::{self, Failure};
use crate::registry;

/// Arguments of `new`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Name of the controller and of the folder: lower-case letters, digits and dashes
    #[arg(value_name = "NAME")]
    name: String,
    /// Where ackclock's own crate is, if not from the registry: the folder `crates/cli`
    #[arg(long, value_name = "DIR")]
    ackclock: Option<PathBuf>,
    /// Prints what was written as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Written {
    name: String,
    files: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let name = &arguments.name;
    check_name(name)?;
    let folder = Path::new(name);
    if folder.exists() {
        return Err(Failure::refused(
            format!("{name} is there already"),
            "choose another name, or another folder to be in",
        ));
    }
    let own = match &arguments.ackclock {
        None => format!("\"{}\"", env!("CARGO_PKG_VERSION")),
        Some(place) => {
            let place = place.canonicalize().map_err(|error| {
                Failure::refused(
                    format!("{}: {error}", place.display()),
                    "--ackclock takes the folder crates/cli of the project",
                )
            })?;
            format!("{{ path = {:?} }}", place.display().to_string())
        }
    };
    let module = name.replace('-', "_");
    let mut files = Vec::new();
    for (path, text) in TEMPLATE {
        let path = path.replace("my_controller", &module);
        let text = text
            .replace("ackclock = ACKCLOCK", &format!("ackclock = {own}"))
            .replace("my-controller", name)
            .replace("my_controller", &module)
            .replace("MyController", &type_name(name));
        write(&folder.join(&path), &text)?;
        files.push(path);
    }
    if arguments.json {
        return output::print_json(&Written {
            name: name.clone(),
            files,
        });
    }
    output::print(&format!(
        "{name} is written. Next:\n  cd {name}\n  cargo test --release\n  cargo run --release -- run \
         scenarios/alone.toml\nThe controller is src/{module}.rs.\n"
    ))
}

fn check_name(name: &str) -> Result<(), Failure> {
    let refused = |what: &str| {
        let hint = "a name is such as `gentle-reno`: lower-case letters, digits and dashes";
        Err(Failure::refused(format!("\"{name}\" {what}"), hint))
    };
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !begins || name.ends_with('-') || name.len() > LONGEST_NAME || !name.chars().all(allowed) {
        return refused("cannot be the name of a controller and a crate");
    }
    if registry().get(name).is_ok() {
        return refused("is a controller that there is");
    }
    if TAKEN.contains(&name) {
        return refused("is the name of a crate that it uses, or a word of Rust");
    }
    Ok(())
}

fn type_name(name: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    };
    name.split('-').map(capital).collect()
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let parent = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(parent)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| {
            Failure::refused(
                format!("{}: cannot be written: {error}", path.display()),
                "see whether you may write here",
            )
        })
}

/// The crate, with `my-controller` for the name.
const TEMPLATE: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        include_str!("../../templates/new/Cargo.toml.txt"),
    ),
    ("README.md", include_str!("../../templates/new/README.md")),
    ("src/lib.rs", include_str!("../../templates/new/src/lib.rs")),
    (
        "src/main.rs",
        include_str!("../../templates/new/src/main.rs"),
    ),
    (
        "src/my_controller.rs",
        include_str!("../../templates/new/src/my_controller.rs"),
    ),
    (
        "scenarios/alone.toml",
        include_str!("../../templates/new/scenarios/alone.toml"),
    ),
    (
        "tests/fills_the_link.rs",
        include_str!("../../templates/new/tests/fills_the_link.rs"),
    ),
];

const LONGEST_NAME: usize = 40;
const TAKEN: &[&str] = &[
    "ackclock", "std", "core", "alloc", "test", "crate", "self", "super", "mod", "fn", "impl",
    "type", "use", "move", "match", "loop", "dyn", "async", "await", "static", "struct", "trait",
    "where",
];
