//! The command `ackclock`: a laboratory for congestion control.

mod arguments;
mod commands;
mod interrupt;
mod machine;
mod output;
mod progress;
mod repeat;
mod scenarios;
mod table;

use std::ffi::OsString;
use std::panic;
use std::process::ExitCode;
use std::sync::Mutex;

use clap::Parser;

use arguments::Arguments;
use output::Failure;

fn main() -> ExitCode {
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
        assert!(message.contains("main.rs:"), "{message}");
        assert_eq!(failure.report(false, &["ackclock".into()]), 2);
    }
}
