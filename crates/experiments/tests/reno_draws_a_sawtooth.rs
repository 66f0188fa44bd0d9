//! One Reno flow on one drop-tail bottleneck draws the textbook's sawtooth.
//!
//! At 10 Mb/s a packet of 1000 B takes 0.8 ms. The round trip without queue is 20 + 20 ms of
//! propagation, 0.8 ms for the packet and 0.032 ms for its 40 B acknowledgement: 40.832 ms, or
//! 51.04 packets. One BDP (10e6 × 0.040 / 8 / 1000 = 50 packets) may wait.
//!
//! *Peak.* With a full queue 51.04 + 50 = 101 packets are out. The window passes that by one
//! before the loss and grows by at most one more in the round trip until the loss is known: 101
//! to 103.
//!
//! *Trough.* Half of that: 50.5 to 51.5, allowing for the limited transmit of two packets in
//! either reckoning 49.5 to 52.5.
//!
//! *Period.* While packets wait the ACK clock ticks every 0.8 ms, so a round trip with window w
//! takes 0.8 w ms, and each adds one packet: from 51 to 102 that is
//! 0.8 × (51 + 52 + … + 102) ms = 0.8 × 52 × 76.5 = 3182 ms, and a recovery of one full round
//! trip, 81 ms, between two teeth: 3.26 s. One round trip more or less on either end (up to 0.09
//! s each) gives 3.1 to 3.45 s.

use experiments::Registry;
use experiments::scenario::Scenario;
use experiments::{Outcome, run};

const SCENARIO: &str = r#"
name = "sawtooth"
duration = "60 s"
warmup = "20 s"

[topology]
kind = "dumbbell"
bottleneck = { rate = "10 Mbps", delay = "20 ms", queue = { kind = "drop-tail", limit = "1 BDP" } }

[[flows]]
label = "reno"
protocol = "tcp"
recovery = "new-reno"
controller = "reno"
packet_size = "1000 B"
max_window = "1000 packets"
initial_slow_start_threshold = "50 packets"

[record]
every = "5 ms"
"#;

fn one_flow() -> Outcome {
    let registry = Registry::standard();
    let scenario = Scenario::parse(SCENARIO, "sawtooth.toml", &registry).unwrap();
    run(&scenario, &registry).unwrap()
}

/// Instants after the warm-up at which the window fell by more than a third, and the windows
/// before and after.
fn falls(outcome: &Outcome) -> Vec<(f64, f64, f64)> {
    let samples: Vec<(f64, f64)> = outcome
        .recording
        .flows
        .iter()
        .filter(|sample| sample.time_s > 20.0)
        .map(|sample| (sample.time_s, sample.window_packets.unwrap()))
        .collect();
    samples
        .windows(2)
        .filter(|pair| pair[1].1 < pair[0].1 * 0.67)
        .map(|pair| (pair[1].0, pair[0].1, pair[1].1))
        .collect()
}

#[test]
fn peaks_troughs_and_period_are_the_textbooks() {
    let outcome = one_flow();
    let falls = falls(&outcome);
    assert!((11..=13).contains(&falls.len()), "{falls:?}");
    for (at, peak, trough) in &falls {
        assert!((101.0..=103.5).contains(peak), "peak {peak} at {at} s");
        assert!((49.5..=52.5).contains(trough), "trough {trough} at {at} s");
    }
    for pair in falls.windows(2) {
        let period = pair[1].0 - pair[0].0;
        assert!(
            (3.1..=3.45).contains(&period),
            "period {period} s at {} s",
            pair[0].0
        );
    }
}

#[test]
fn one_bdp_of_buffer_keeps_the_link_busy() {
    let summary = one_flow().summary;
    let bottleneck = &summary.links[0];
    assert!(
        (0.99..=1.0).contains(&bottleneck.utilization),
        "{bottleneck:?}"
    );
    // 960 of 1000 bytes are payload; a loss costs a packet every 3.2 s, less than 0.1 %.
    let goodput = summary.flows[0].goodput_bps;
    assert!((9.45e6..=9.6e6).contains(&goodput), "{goodput}");
    assert_eq!(summary.flows[0].timeouts, 0);
}

#[test]
fn packets_are_conserved() {
    let summary = one_flow().summary;
    let accounted = summary.packets_delivered + summary.drops + summary.lost + summary.in_flight;
    assert_eq!(summary.packets_sent + summary.duplicated, accounted);
    assert!((10..=60).contains(&summary.drops), "{}", summary.drops);
}
