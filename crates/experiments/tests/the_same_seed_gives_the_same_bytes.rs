//! Determinism: the same scenario and seed give the same bytes, another seed gives others.
//!
//! The scenario draws from every kind of stream: start times, access delays, dither, losses,
//! outages, on and off times, RED.

use controllers::Registry;
use experiments::run;
use experiments::scenario::Scenario;

const SCENARIO: &str = r#"
name = "everything-random"
duration = "20 s"
warmup = "2 s"

[topology]
kind = "dumbbell"
bottleneck = { rate = "4 Mbps", delay = "10 ms", queue = { kind = "red", limit = "60 packets" } }
access = { rate = "20 Mbps", delay = { uniform = ["0.5 ms", "5 ms"] }, loss = { kind = "bernoulli", probability = 0.002 } }

[[flows]]
label = "tcp"
count = 5
protocol = "tcp"
recovery = "sack"
controller = "reno"
dither = "2 ms"
start = { uniform = ["0 s", "1 s"] }

[[flows]]
label = "noise"
protocol = "udp"
application = { kind = "on-off", rate = "1 Mbps", on = { exponential = "500 ms" }, off = { pareto = { mean = "500 ms", shape = 1.5 } } }

[record]
every = "100 ms"
events = true
"#;

fn outcome(seed: u64) -> (String, usize, String) {
    let registry = Registry::standard();
    let text = format!("seed = {seed}\n{SCENARIO}");
    let scenario = Scenario::parse(&text, "everything.toml", &registry).unwrap();
    let outcome = run(&scenario, &registry).unwrap();
    let summary = serde_json::to_string(&outcome.summary).unwrap();
    (
        summary,
        outcome.recording.events.len(),
        format!("{:?}", outcome.recording),
    )
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let (first, second) = (outcome(7), outcome(7));
    assert_eq!(first, second);
    assert!(first.1 > 10_000, "the events were recorded: {}", first.1);
}

#[test]
fn another_seed_gives_others() {
    assert_ne!(outcome(7).0, outcome(8).0);
}

#[test]
fn recording_changes_nothing() {
    let registry = Registry::standard();
    let recorded = Scenario::parse(SCENARIO, "everything.toml", &registry).unwrap();
    let mut plain = recorded.clone();
    plain.record = None;
    let with = run(&recorded, &registry).unwrap().summary;
    let without = run(&plain, &registry).unwrap().summary;
    // Observed wires have events of their own; all else is the same.
    assert_eq!(
        experiments::Summary { events: 0, ..with },
        experiments::Summary {
            events: 0,
            ..without
        }
    );
}
