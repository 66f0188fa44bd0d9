//! The scenarios of `scenarios/`, by name, so that programs have them wherever they are.

use crate::Registry;
use crate::scenario::{self, Scenario};

/// A scenario file that is part of the program.
#[derive(Clone, Copy, Debug)]
pub struct Included {
    /// Its path under `scenarios/`, without `.toml`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! included {
    ($($name:literal),* $(,)?) => {
        &[$(Included {
            name: $name,
            text: include_str!(concat!("../../../scenarios/", $name, ".toml")),
        }),*]
    };
}

/// All files under `scenarios/`, in order of name.
pub const INCLUDED: &[Included] = included![
    "active-queues",
    "bench/w1",
    "bench/w2",
    "bench/w2-sack",
    "bench/w2-tfwc",
    "bench/w2-three-hops",
    "bench/w3",
    "bench/w4",
    "bench/w5",
    "bench/w6",
    "buffer-sizing",
    "cbr-and-tcp",
    "cellular",
    "deep-buffer",
    "dsl",
    "first",
    "friendliness",
    "graph",
    "incast",
    "late-comer",
    "leo",
    "lossy",
    "parking-lot",
    "red",
    "reordering",
    "reverse",
    "rtt-unfairness",
    "satellite",
    "short-transfers",
    "smooth-on-marks",
    "smooth-vs-fast",
    "three-controls",
    "video",
    "wifi-handover",
];

/// The scenario of that name that the program brings along.
pub fn find(name: &str) -> Option<&'static Included> {
    INCLUDED.iter().find(|included| included.name == name)
}

/// What such a scenario shows: the first sentence of its description.
///
/// # Panics
/// When the scenario is not valid.
pub fn description(included: &Included) -> String {
    let scenario = Scenario::parse(included.text, included.name, &Registry::standard());
    let description = scenario.expect("what is included is valid").description;
    let words: Vec<&str> = description.split_whitespace().collect();
    let words = words.join(" ");
    // A full stop at the end goes, a question mark stays.
    let end = words.find(". ").into_iter();
    let end = end.chain(words.find("? ").map(|mark| mark + 1)).min();
    let first = &words[..end.unwrap_or(words.len())];
    first.trim_end_matches('.').to_owned()
}

/// The name of an included scenario nearest to that of a file that is not there.
pub fn nearest(file: &str) -> Option<&'static str> {
    let plain = file
        .rsplit('/')
        .next()
        .unwrap_or(file)
        .trim_end_matches(".toml");
    scenario::nearest(plain, INCLUDED.iter().map(|included| included.name))
}
