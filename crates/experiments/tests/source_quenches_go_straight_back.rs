//! Source quenches go straight back from the router to the sender.
//!
//! A sender with a window of 12 packets of 586 B sends all of them at once over 1 Mb/s and 1 ms to a
//! router that passes them on at 31,250 b/s: 0.150016 s for each. On the access link a packet takes
//! 586 × 8 / 1e6 = 4.688 ms, so all 12 have come after 57 ms, before the first has gone on. The n-th
//! finds n − 2 waiting (the first is being sent): from the 9th on, 7 or more. That makes four source
//! quenches. Of 56 B, each takes 0.448 ms + 1 ms back, 1.448 ms, while the first ACK takes more than
//! 150 ms.

use experiments::Registry;
use experiments::scenario::Document;
use experiments::simulation::{EventKind, Outcome, run};

fn outcome(queue: &str) -> Outcome {
    let text = format!(
        r#"
duration = "140 ms"

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "31250 bps", delay = "8 ms", queue = {{ limit = "20 packets", {queue} }} }}
sender_access = {{ rate = "1 Mbps", delay = "1 ms" }}
receiver_access = {{ rate = "unlimited", delay = "0 s" }}

[[flows]]
protocol = "tcp"
packet_size = "586 B"
header = "50 B"
initial_window = "12 packets"

[record]
events = true
"#
    );
    let registry = Registry::standard();
    let scenario = Document::parse(&text, "test")
        .and_then(|document| document.check(&registry))
        .unwrap_or_else(|error| panic!("{error}"));
    run(&scenario, &registry).unwrap()
}

#[test]
fn the_ninth_packet_and_those_after_it_are_answered_within_two_milliseconds() {
    let outcome = outcome("kind = \"drop-tail\", source_quench = \"7 packets\"");
    let quenches: Vec<_> = outcome
        .recording
        .events
        .iter()
        .filter(|event| event.kind == EventKind::SourceQuench)
        .map(|event| (event.packet_number, event.time_ps))
        .collect();
    // Packet n (from 0) has come at (n + 1) × 4.688 ms + 1 ms; its quench 1.448 ms later.
    let expected: Vec<_> = (8..12)
        .map(|number| (number, ((number + 1) * 4_688 + 1_000 + 1_448) * 1_000_000))
        .collect();
    assert_eq!(quenches, expected);
    assert_eq!(outcome.summary.flows[0].source_quenches, 4);
    assert_eq!(outcome.summary.links[0].source_quenches, 4);
}

#[test]
fn without_a_threshold_none_is_sent_and_with_red_its_average_counts() {
    for queue in [
        "kind = \"drop-tail\"",
        // The average of 12 packets with a weight of 0.002 stays below 0.2.
        "kind = \"red\", weight = 0.002, source_quench = \"1 packet\"",
    ] {
        let summary = outcome(queue).summary;
        assert_eq!(summary.flows[0].source_quenches, 0, "{queue}");
        assert_eq!(summary.links[0].source_quenches, 0, "{queue}");
    }
    // With a weight of 1 the average is what waits: as drop-tail.
    let red =
        "kind = \"red\", weight = 1, min_threshold = \"18 packets\", source_quench = \"7 packets\"";
    assert_eq!(outcome(red).summary.links[0].source_quenches, 4);
}
