//! What the user sees: results on stdout, all else on stderr, errors in one shape.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use results::store::OtherVersion;
use serde::Serialize;

/// Why a command gave no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The user's input is wrong, or the user stopped the command: exit 1.
    Refused {
        /// What is wrong, where, and what is allowed.
        message: String,
        /// What to do about it.
        hints: Vec<String>,
    },
    /// Our own fault: exit 2.
    Fault {
        /// What went wrong.
        message: String,
    },
    /// The result is there, and says that two things differ: exit 1.
    Differs(String),
    /// Nobody reads stdout any more, as with `| head`: a quiet exit.
    PipeClosed,
}

impl Failure {
    /// An error of the user's with what to do about it.
    pub(crate) fn refused(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Refused {
            message: message.into(),
            hints: vec![hint.into()],
        }
    }

    /// An error of ours.
    pub(crate) fn fault(message: impl Into<String>) -> Self {
        Self::Fault {
            message: message.into(),
        }
    }

    /// Tells the user on stderr, with `json` also on stdout, and gives the exit code.
    ///
    /// `command` is the command line, so that a fault can be repeated.
    pub(crate) fn report(self, json: bool, command: &[OsString]) -> u8 {
        let (message, hints, code) = match self {
            Self::PipeClosed => return 0,
            Self::Differs(what) => {
                note(&what);
                return 1;
            }
            Self::Refused { message, hints } => (message, hints, 1),
            Self::Fault { message } => {
                let repeat = format!("this command repeats it: {}", shell_words(command));
                let hints = vec![
                    "this is a fault of ackclock, not of your input".into(),
                    repeat,
                ];
                (format!("internal fault: {message}"), hints, 2)
            }
        };
        let stderr = io::stderr();
        let (red, cyan, plain) = if colour(&stderr) {
            ("\x1b[1;31m", "\x1b[1;36m", "\x1b[0m")
        } else {
            ("", "", "")
        };
        let mut text = format!("{red}error:{plain} {}\n", one_line(&message));
        for hint in &hints {
            let _ = writeln!(text, "{cyan}hint:{plain} {}", one_line(hint));
        }
        let _ = stderr.lock().write_all(text.as_bytes());
        if json {
            let hint = (!hints.is_empty()).then(|| hints.join("; "));
            let _ = print_json(&serde_json::json!({ "error": message, "hint": hint }));
        }
        code
    }
}

/// Prints a result.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|error| {
            if error.kind() == io::ErrorKind::BrokenPipe {
                Failure::PipeClosed
            } else {
                Failure::refused(
                    format!("cannot write to stdout: {error}"),
                    "see whether the disk is full or the output was closed",
                )
            }
        })
}

/// Prints a result as one JSON object.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string_pretty(value)
        .map_err(|error| Failure::fault(format!("the result is not JSON: {error}")))?;
    text.push('\n');
    print(&text)
}

/// Tells the user something that is no result.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// What the user should know of results of other versions in a folder; none where there are none.
pub(crate) fn other_versions(others: &[OtherVersion], folder: &Path) -> Option<String> {
    let results: u64 = others.iter().map(|other| other.results).sum();
    if results == 0 {
        return None;
    }
    let versions: Vec<&str> = others.iter().map(|other| other.version.as_str()).collect();
    Some(format!(
        "{} results in {} are of another version ({}; this is {}) and are not used: everything is run \
         anew. Remove them when you do not need them any more, or give --out another folder.",
        crate::table::count(results),
        folder.display(),
        versions.join(", "),
        results::store::version()
    ))
}

/// Whether to colour what goes to `stream`: only a terminal's, and not where the user says no.
pub(crate) fn colour(stream: &impl IsTerminal) -> bool {
    #[expect(
        clippy::disallowed_methods,
        reason = "the user's wish, which no result depends on"
    )]
    let (no_colour, terminal) = (std::env::var_os("NO_COLOR"), std::env::var_os("TERM"));
    stream.is_terminal()
        && no_colour.is_none_or(|value| value.is_empty())
        && terminal.is_some_and(|name| name != "dumb")
}

/// The command line as one would type it.
pub(crate) fn shell_words(words: &[OsString]) -> String {
    let quoted: Vec<String> = words
        .iter()
        .map(|word| shell_word(&word.to_string_lossy()))
        .collect();
    quoted.join(" ")
}

fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The text on one line, and with nothing in it that a terminal would obey.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            '\n' => line.push(' '),
            c if c.is_control() => line.extend(c.escape_default()),
            c => line.push(c),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_and_cannot_steer_the_terminal() {
        assert_eq!(
            one_line("a\nb \x1b[31mc\u{7f}\n"),
            "a b \\u{1b}[31mc\\u{7f}"
        );
    }

    #[test]
    fn the_command_can_be_typed_again() {
        let words = ["ackclock", "run", "my file.toml", "--set", "name='x'"].map(OsString::from);
        assert_eq!(
            shell_words(&words),
            r"ackclock run 'my file.toml' --set 'name='\''x'\'''"
        );
    }
}
