//! Hostile scenario files: none makes the reader panic, and what it reads it reads back the same
//! from its own text.
//!
//! `cargo +nightly fuzz run scenario corpus/scenario ../scenarios -- -dict=scenario.dict`

#![no_main]

use experiments::Registry;
use experiments::scenario::{Scenario, estimated_memory, to_toml};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let registry = Registry::standard();
    let Ok(scenario) = Scenario::parse(text, "fuzz.toml", &registry) else {
        return;
    };
    let _ = estimated_memory(&scenario);
    let written = to_toml(&scenario);
    let again = Scenario::parse(&written, "fuzz.toml", &registry)
        .unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again, scenario, "{written}");
});
