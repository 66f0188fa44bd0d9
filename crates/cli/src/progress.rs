//! How far something has come and the time left, on stderr: a bar on a terminal, for what lasts over
//! two seconds; elsewhere (a log) a line each minute.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::machine::Stopwatch;
use crate::output::colour;
use crate::table::wall_time;

/// How far something has come. A bar is shown after [`PATIENCE`], a line after each
/// [`LINE_EVERY`].
#[derive(Debug)]
pub(crate) struct Progress {
    watch: Stopwatch,
    on_terminal: bool,
    bar: Option<ProgressBar>,
    /// When the next line is due, where there is no terminal.
    next_line: Duration,
}

/// What a progress bar says.
#[derive(Debug)]
pub(crate) struct Detail {
    first: String,
    rest: Vec<String>,
}

impl From<String> for Detail {
    fn from(first: String) -> Self {
        let rest = Vec::new();
        Self { first, rest }
    }
}

impl From<(String, Vec<String>)> for Detail {
    fn from((first, rest): (String, Vec<String>)) -> Self {
        Self { first, rest }
    }
}

impl Progress {
    /// Starts the clock.
    pub(crate) fn start() -> Self {
        Self {
            watch: Stopwatch::start(),
            on_terminal: io::stderr().is_terminal(),
            bar: None,
            next_line: LINE_EVERY,
        }
    }

    /// `done` of `total` are done; `detail` says it in words, with further lines where there are
    /// any.
    pub(crate) fn update<D: Into<Detail>>(
        &mut self,
        done: f64,
        total: f64,
        detail: impl FnOnce() -> D,
    ) {
        let elapsed = self.watch.elapsed();
        let due = if self.on_terminal {
            PATIENCE
        } else {
            self.next_line
        };
        if elapsed < due {
            return;
        }
        let part = if total > 0.0 {
            (done / total).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let left = time_left(elapsed, part).map_or_else(String::new, |left| {
            let seconds = left.as_secs_f64().ceil() as u64;
            let left = Duration::from_secs(seconds);
            match seconds {
                0..60 => format!(", {seconds} s left"),
                _ => format!(", {} left", wall_time(left)),
            }
        });
        let Detail { first, rest } = detail().into();
        let mut message = format!("{first}{left}");
        if !self.on_terminal {
            self.next_line = elapsed + LINE_EVERY;
            return crate::output::note(&format!("{:.0} %  {message}", part * 100.0));
        }
        for line in rest {
            message.push_str("\n  ");
            message.push_str(&line);
        }
        let bar = self.bar.get_or_insert_with(|| new_bar(elapsed));
        bar.set_position((part * STEPS as f64) as u64);
        bar.set_message(message);
    }

    /// Writes a line above the bar.
    pub(crate) fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| crate::output::note(text)),
            None => crate::output::note(text),
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Since when.
    pub(crate) fn watch(&self) -> Stopwatch {
        self.watch
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

fn new_bar(elapsed: Duration) -> ProgressBar {
    let bar = ProgressBar::new(STEPS).with_elapsed(elapsed);
    let template = if colour(&io::stderr()) {
        "{bar:30.green} {percent:>3} %  {msg}"
    } else {
        "{bar:30} {percent:>3} %  {msg}"
    };
    let style = ProgressStyle::with_template(template).expect("the template is right");
    bar.set_style(style.progress_chars("━╸─"));
    bar
}

/// The time left if the rest goes on as fast as what is done.
fn time_left(elapsed: Duration, part: f64) -> Option<Duration> {
    (part > 0.0).then(|| elapsed.mul_f64(((1.0 - part) / part).min(1e6)))
}

/// What takes less time than this needs no bar.
const PATIENCE: Duration = Duration::from_secs(2);
/// A log gets a line each time.
const LINE_EVERY: Duration = Duration::from_mins(1);
const STEPS: u64 = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_done_in_ten_seconds_leaves_thirty() {
        let left = time_left(Duration::from_secs(10), 0.25);
        assert_eq!(left, Some(Duration::from_secs(30)));
        assert_eq!(time_left(Duration::from_secs(10), 0.0), None);
    }
}
