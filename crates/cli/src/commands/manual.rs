//! `ackclock completions` and `ackclock manual`: for the shell, from the command line's own
//! description.

use std::fs;
use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::output::{self, Failure};

/// Arguments of `completions`.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Arguments of `manual`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The folder for the pages
    #[arg(long, value_name = "DIR", default_value = "out/man")]
    out: PathBuf,
}

pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<(), Failure> {
    let mut text = Vec::new();
    let mut command = crate::arguments::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "ackclock", &mut text);
    output::print(&String::from_utf8_lossy(&text))
}

pub(crate) fn pages(arguments: &Arguments) -> Result<(), Failure> {
    let folder = &arguments.out;
    let command = crate::arguments::Arguments::command();
    let written =
        fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
    written.map_err(|error| {
        Failure::refused(
            format!("{}: cannot be written: {error}", folder.display()),
            "give --out a folder that you may write",
        )
    })?;
    output::note(&format!("The manual pages are in {}", folder.display()));
    Ok(())
}
