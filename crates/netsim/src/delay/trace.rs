//! A delay that changes at given times, as it was measured or at will.

use units::choice::{Choice, Kind, Parameter, Parameters, Setting, Value, Wrong};
use units::{Duration, Time};

use super::Process;
use crate::Schedule;

/// The model as scenario files choose it.
pub(super) const PROCESS: Process = Process {
    about: Choice {
        name: "trace",
        doc: "Changes at given times, as measured; packets under way keep their delay and can \
              be overtaken.",
        source: "",
        keys: &[
            Parameter::new(
                "points",
                Kind::List(&Kind::List(&Kind::Duration)),
                Value::Otherwise("file"),
                "Pairs of a time since the beginning of the run and the delay from then on; the \
                 first time is 0 s, and they ascend.",
            ),
            Parameter::new(
                "file",
                Kind::Text,
                Value::Otherwise("points"),
                "The same in a CSV file: a header line with the columns time_s and delay_s, \
                 numbers in seconds. Its path goes from the scenario file's folder.",
            ),
        ],
        rule: check,
    },
    first: |parameters| {
        points(parameters)
            .next()
            .map_or(Duration::ZERO, |(_, delay)| delay)
    },
    least: |parameters| {
        let delays = points(parameters).map(|(_, delay)| delay);
        delays.min().unwrap_or_default()
    },
    build: |parameters, _| {
        let first = (PROCESS.first)(parameters);
        let steps = points(parameters).map(|(at, delay)| (Time::ZERO + at, delay));
        Schedule::new(first, steps.collect()).into()
    },
};

/// Whoever reads a file for the scenario has put its points in its place.
fn check(parameters: &Parameters) -> Result<(), Wrong> {
    if parameters.has("file") {
        let says = "has not been read: only a scenario file on disk can name another";
        return Err(Wrong::at("file", says));
    }
    if !parameters.has("points") {
        return Err(Wrong::whole("a trace needs points, or a file with them"));
    }
    let given = parameters.list("points");
    if given.is_empty() {
        return Err(Wrong::at("points", "is empty"));
    }
    let mut before = None;
    for (index, item) in given.iter().enumerate() {
        let Some((at, _)) = point(item) else {
            return Err(Wrong::element("points", index, "is not a time and a delay"));
        };
        if before.map_or(!at.is_zero(), |before| at <= before) {
            let says = "is out of order: the times of a trace begin with 0 s and ascend";
            return Err(Wrong::element("points", index, says));
        }
        before = Some(at);
    }
    Ok(())
}

fn points(parameters: &Parameters) -> impl Iterator<Item = (Duration, Duration)> {
    parameters.list("points").iter().filter_map(point)
}

fn point(item: &Setting) -> Option<(Duration, Duration)> {
    let Setting::List(pair) = item else {
        return None;
    };
    match pair[..] {
        [
            Setting::Value(Value::Duration(at)),
            Setting::Value(Value::Duration(delay)),
        ] => Some((at, delay)),
        _ => None,
    }
}
