//! Determinism: the same scenario and seed give the same bytes, another seed gives others.
//!
//! The scenario draws from every kind of stream: start times, access delays, dither, losses,
//! outages, on and off times, RED.

use experiments::Registry;
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

[[flows]]
protocol = "tfrc"
count = 2
start = { uniform = ["0 s", "1 s"] }

[[flows]]
protocol = "tfwc"
count = 2
dither = "2 ms"
start = { uniform = ["0 s", "1 s"] }

[record]
every = "100 ms"
events = true
"#;

/// Source quenches of two hops, which meet data and ACKs on their way back.
const QUENCHED: &str = r#"
name = "quenched"
duration = "20 s"
seed = 7

[topology]
kind = "parking-lot"
count = 2
hop = { rate = "4 Mbps", delay = "5 ms", queue = { kind = "drop-tail", limit = "60 packets", source_quench = "10 packets" }, reverse = { rate = "4 Mbps", queue = { kind = "drop-tail", limit = "60 packets", source_quench = "10 packets" } } }
access = { rate = "20 Mbps", delay = { uniform = ["0.5 ms", "5 ms"] } }

[[flows]]
label = "long"
count = 3
protocol = "tcp"
controller = "smooth"
start = { uniform = ["0 s", "1 s"] }

[[flows]]
label = "second"
count = 2
protocol = "tcp"
controller = "smooth"
from = "hop2"
to = "hop2"
start = { uniform = ["0 s", "1 s"] }

[[flows]]
label = "back"
count = 2
protocol = "tcp"
direction = "reverse"
start = { uniform = ["0 s", "1 s"] }

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
    for text in [SCENARIO, QUENCHED] {
        let registry = Registry::standard();
        let recorded = Scenario::parse(text, "everything.toml", &registry).unwrap();
        let mut plain = recorded.clone();
        plain.record = None;
        let with = run(&recorded, &registry).unwrap().summary;
        let without = run(&plain, &registry).unwrap().summary;
        // Observed wires have events of their own, and slots are the recorder's; all else is the
        // same.
        let bare = |summary| experiments::Summary {
            events: 0,
            allotted: None,
            ..summary
        };
        assert_eq!(bare(with), bare(without));
    }
}

#[test]
fn source_quenches_come_back_over_links_that_carry_data() {
    let registry = Registry::standard();
    let scenario = Scenario::parse(QUENCHED, "quenched.toml", &registry).unwrap();
    let summary = run(&scenario, &registry).unwrap().summary;
    let arrived: u64 = summary.flows.iter().map(|flow| flow.source_quenches).sum();
    let sent: u64 = summary.links.iter().map(|link| link.source_quenches).sum();
    // Some may be lost on the way or on their way at the end.
    assert!(arrived > 1_000, "{arrived}");
    assert!(arrived <= sent && sent < arrived + 100, "{arrived} {sent}");
}
