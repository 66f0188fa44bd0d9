//! TFRC and TFWC end to end: what follows by hand from their equation, and what becomes of packets
//! that nobody repeats.

use experiments::Registry;
use experiments::scenario::Scenario;
use experiments::{Outcome, run};

fn outcome(flows: &str) -> Outcome {
    let text = format!(
        r#"
duration = "30 s"
warmup = "10 s"

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "100 Mbps", delay = "20 ms", loss = {{ kind = "every", packets = 100 }} }}

[[flows]]
{flows}

[record]
every = "100 ms"
"#
    );
    let registry = Registry::standard();
    let scenario = Scenario::parse(&text, "datagrams.toml", &registry).unwrap();
    run(&scenario, &registry).unwrap()
}

/// f(0.01) = √(0.02/3) + 12·√(0.03/8)·0.01·(1 + 32·0.0001) = 0.08165 + 0.00737 = 0.08902 round trips
/// for each packet: a window of 11.23 packets, 11 when rounded.
#[test]
fn a_window_is_what_the_equation_gives_at_the_loss_intervals_of_the_path() {
    let outcome = outcome("protocol = \"tfwc\"");
    let later = |time_s: f64| time_s > 10.0;
    let mut samples = 0;
    for sample in &outcome.recording.variables {
        if sample.name == "average_loss_interval" && later(sample.time_s) {
            samples += 1;
            assert!((sample.value - 100.0).abs() < 1e-9, "{sample:?}");
        }
    }
    assert_eq!(samples, 200, "each 100 ms from 10.1 to 30 s");
    for sample in outcome.recording.flows.iter().filter(|it| later(it.time_s)) {
        assert_eq!(sample.window_packets, Some(11.0));
    }
    assert_eq!(outcome.summary.flows[0].loss_event_rate, Some(0.01));
}

/// A rate of 1/0.08902 = 11.23 packets for each round trip of 40 ms is 280.8 packets a second:
/// 2.246 Mb/s on the wire.
#[test]
fn a_rate_is_what_the_equation_gives_at_the_loss_events_of_the_path() {
    let outcome = outcome("protocol = \"tfrc\"");
    let flow = &outcome.summary.flows[0];
    let difference = flow.throughput_bps / 2.246e6 - 1.0;
    assert!(difference.abs() < 0.02, "{} bit/s", flow.throughput_bps);
    assert_eq!(flow.loss_event_rate, Some(0.01));
}

#[test]
fn what_is_lost_stays_lost_and_the_transfer_ends() {
    for protocol in ["tfrc", "tfwc"] {
        let outcome = outcome(&format!("protocol = \"{protocol}\"\npackets = 1000"));
        let flow = &outcome.summary.flows[0];
        assert_eq!(
            (flow.packets_sent, flow.retransmits),
            (1_000, 0),
            "{protocol}"
        );
        assert_eq!((flow.lost, flow.packets_delivered), (10, 990), "{protocol}");
        assert_eq!(flow.bytes_delivered, 990 * 960, "{protocol}");
        assert!(flow.completed_s.is_some(), "{protocol}");
    }
}

#[test]
fn what_an_application_does_not_supply_is_not_sent() {
    for protocol in ["tfrc", "tfwc"] {
        let application = "application = { kind = \"cbr\", rate = \"96 kbps\" }";
        let outcome = outcome(&format!("protocol = \"{protocol}\"\n{application}"));
        // 960 B of payload each 80 ms: 375 packets in 30 s, and one at the start.
        let sent = outcome.summary.flows[0].packets_sent;
        assert!((375..=376).contains(&sent), "{protocol}: {sent}");
    }
}
