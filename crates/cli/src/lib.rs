//! The program `ackclock`, a laboratory for congestion control, as a library.
//!
//! A program of your own has every command of it, and your own controllers, queues and models beside
//! those of the project:
//!
//! ```no_run
//! use ackclock::experiments::Registry;
//! # use ackclock::controllers::reno::CONTROLLER;
//!
//! fn main() -> std::process::ExitCode {
//!     let mut registry = Registry::standard();
//!     registry.register(CONTROLLER); // a `controllers::Controller` of yours
//!     ackclock::main_with(registry)
//! }
//! ```
//!
//! `ackclock new NAME` writes a crate with such a program, a controller, a scenario and a test.

mod arguments;
mod commands;
mod interrupt;
mod machine;
mod output;
mod progress;
mod repeat;
mod scenarios;
mod table;

pub use {controllers, experiments, netsim, papers, results, transport, units};

use std::ffi::OsString;
use std::panic;
use std::process::ExitCode;
use std::sync::{Mutex, OnceLock};

use clap::Parser;
use experiments::Registry;

use arguments::Arguments;
use output::Failure;

/// The program with what comes with the project.
pub fn main() -> ExitCode {
    program(Registry::standard())
}

/// The program with these controllers, queues and models to choose from.
///
/// Kept results are used again by the very same program file only: who changes a controller and
/// builds again does not get what the old one gave.
pub fn main_with(registry: Registry) -> ExitCode {
    results::store::keep_by_program_file();
    program(registry)
}

fn program(registry: Registry) -> ExitCode {
    // A second call in one process keeps the first one's.
    let _ = REGISTRY.set(registry);
    let words: Vec<OsString> = std::env::args_os().collect();
    let (json, result) = match Arguments::try_parse_from(&words) {
        Ok(arguments) => (arguments.json(), guarded(|| arguments.run())),
        Err(error) => (
            words.iter().any(|word| word == "--json"),
            arguments::explain_error(&error, &words),
        ),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ExitCode::from(failure.report(json, &words)),
    }
}

/// What scenario files can choose from.
pub(crate) fn registry() -> &'static Registry {
    REGISTRY.get_or_init(Registry::standard)
}

static REGISTRY: OnceLock<Registry> = OnceLock::new();

/// Runs a command; a panic becomes a failure of ours that is told in the usual shape.
fn guarded(command: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    static PANIC: Mutex<Option<String>> = Mutex::new(None);
    panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("panic").to_owned();
        let place = info
            .location()
            .map_or_else(String::new, |at| format!(" ({at})"));
        if let Ok(mut first) = PANIC.lock() {
            first.get_or_insert(message + &place);
        }
    }));
    panic::catch_unwind(panic::AssertUnwindSafe(command)).unwrap_or_else(|_| {
        let message = PANIC.lock().ok().and_then(|mut first| first.take());
        Err(Failure::fault(
            message.unwrap_or_else(|| "panic".to_owned()),
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_our_fault_and_says_where_it_was() {
        let failure = guarded(|| panic!("the books do not balance")).unwrap_err();
        let Failure::Fault { message } = &failure else {
            panic!("{failure:?}");
        };
        assert!(
            message.starts_with("the books do not balance ("),
            "{message}"
        );
        assert!(message.contains("lib.rs:"), "{message}");
        assert_eq!(failure.report(false, &["ackclock".into()]), 2);
    }
}
