//! Datagrams whose sizes differ: the sender goes by their mean, and bytes are counted as they are.
//!
//! One flow alone on 4 Mb/s with room for 50 packets: sizes are drawn evenly from 500 to 1500 B, so
//! their mean is 1000 B and their standard deviation √((1001² − 1)/12) = 289 B. Over n packets the
//! mean lies within 5 × 289/√n B of 1000 B but once in two million draws. What arrives is what was
//! sent: of each packet all but its 40 B of header.

use experiments::Registry;
use experiments::run;
use experiments::scenario::Scenario;
use experiments::summary::Summary;

fn summary(protocol: &str, spread: &str) -> Summary {
    let text = format!(
        r#"
duration = "60 s"
seed = 3

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "4 Mbps", delay = "10 ms", queue = {{ kind = "drop-tail", limit = "50 packets" }} }}

[[flows]]
protocol = "{protocol}"
packet_size = "1000 B"
header = "40 B"
size_spread = "{spread}"
"#
    );
    let registry = Registry::standard();
    let scenario = Scenario::parse(&text, "sizes.toml", &registry).unwrap();
    run(&scenario, &registry).unwrap().summary
}

#[test]
fn sizes_have_their_mean_and_all_bytes_are_counted() {
    for protocol in ["tfwc", "tfrc"] {
        let summary = summary(protocol, "500 B");
        let flow = &summary.flows[0];
        assert!(flow.packets_sent > 5_000, "{}", flow.packets_sent);
        // No warm-up: throughput is all that was sent, over 60 s.
        let sent = flow.packets_sent as f64;
        let mean = flow.throughput_bps * 60.0 / 8.0 / sent;
        let off = 5.0 * 289.0 / sent.sqrt();
        assert!((mean - 1_000.0).abs() < off, "{protocol}: {mean} B");
        let arrived = flow.packets_delivered as f64;
        let data = flow.bytes_delivered as f64 / arrived;
        let off = 5.0 * 289.0 / arrived.sqrt();
        assert!((data - 960.0).abs() < off, "{protocol}: {data} B");
        assert_ne!(flow.bytes_delivered, 960 * flow.packets_delivered);
        let goodput = flow.bytes_delivered as f64 * 8.0 / 60.0;
        assert!((flow.goodput_bps - goodput).abs() < 1.0);
        // The link cannot have carried more than its rate.
        let utilization = summary.links[0].utilization;
        assert!((0.9..=1.0).contains(&utilization), "{utilization}");
    }
}

#[test]
fn without_spread_every_packet_has_the_same_size() {
    for protocol in ["tfwc", "tfrc"] {
        let flow = &summary(protocol, "0 B").flows[0];
        assert_eq!(flow.bytes_delivered, 960 * flow.packets_delivered);
    }
}
