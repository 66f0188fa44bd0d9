//! One CUBIC flow on one drop-tail bottleneck: the window turns flat where the last loss was.
//!
//! At 10 Mb/s a packet of 1500 B takes 1.2 ms. The round trip without queue is 2 × 49.4 + 1.2 +
//! 0.032 ms: 100.0 ms, or 83.4 packets. 83 packets may wait besides the one in transmission.
//!
//! *Peaks.* With a full queue 83.4 + 83 = 166 packets are out. The window passes that by one before the
//! loss, and by what the curve rises in the round trip of 0.2 s until it is known: a fraction of a
//! packet where it is flat, up to 4 where it is steep. 166.4 to 172.
//!
//! *Without fast convergence* each plateau is the last peak, some 167: K = ∛(0.3 × 167/0.4) = 5.0 s. From
//! period to period the loss comes nearer to the flat part, then behind it; with the repair of up to
//! two round trips 4.7 to 5.7 s, and no period shorter than the one before by more than a sample.
//!
//! *With fast convergence* a long period and a short one alternate. Long: after a peak of 168 below the
//! plateau, the new plateau is 0.85 × 168 = 143, from 118: K = ∛(25/0.4) = 4.0 s. The curve passes 169
//! ∛(26/0.4) = 4.0 s later: 8.0 s, less the round trip that it looks ahead, more the repair: 7.6 to 8.7.
//! That peak, some 171, is above the plateau and becomes the next one. Short: from 120, K = 5.04 s, the
//! curve passes 167 ∛(4/0.4) = 2.15 s before that: 2.9 s, 2.5 to 3.6.

use experiments::Registry;
use experiments::scenario::Scenario;
use experiments::{Outcome, run};

fn one_flow(fast_convergence: bool) -> Outcome {
    let text = format!(
        r#"
name = "plateau"
duration = "120 s"
warmup = "20 s"

[topology]
kind = "dumbbell"

[topology.bottleneck]
rate = "10 Mbps"
delay = "49.4 ms"
queue = {{ kind = "drop-tail", limit = "83 packets" }}

[[flows]]
label = "cubic"
protocol = "tcp"
recovery = "sack"
controller = {{ name = "cubic", fast_convergence = {fast_convergence} }}
packet_size = "1500 B"
max_window = "1000 packets"

[record]
every = "10 ms"
"#
    );
    let registry = Registry::standard();
    let scenario = Scenario::parse(&text, "plateau.toml", &registry).unwrap();
    run(&scenario, &registry).unwrap()
}

/// Instants after the warm-up at which the window fell by more than a fifth, and the window before.
fn falls(outcome: &Outcome) -> Vec<(f64, f64)> {
    let samples: Vec<(f64, f64)> = outcome
        .recording
        .flows
        .iter()
        .filter(|sample| sample.time_s > 20.0)
        .map(|sample| (sample.time_s, sample.window_packets.unwrap()))
        .collect();
    samples
        .windows(2)
        .filter(|pair| pair[1].1 < pair[0].1 * 0.8)
        .map(|pair| (pair[1].0, pair[0].1))
        .collect()
}

fn periods(outcome: &Outcome) -> Vec<f64> {
    falls(outcome)
        .windows(2)
        .map(|pair| pair[1].0 - pair[0].0)
        .collect()
}

#[test]
fn without_fast_convergence_the_period_creeps_up_to_the_plateau() {
    let outcome = one_flow(false);
    let periods = periods(&outcome);
    assert!((17..=21).contains(&periods.len()), "{periods:?}");
    for pair in periods.windows(2) {
        assert!((4.7..=5.7).contains(&pair[0]), "{periods:?}");
        assert!(pair[1] > pair[0] - 0.015, "{periods:?}");
    }
}

#[test]
fn with_fast_convergence_long_and_short_periods_alternate() {
    let outcome = one_flow(true);
    let periods = periods(&outcome);
    assert!((14..=20).contains(&periods.len()), "{periods:?}");
    let is_long = |period: f64| (7.6..=8.7).contains(&period);
    let is_short = |period: f64| (2.5..=3.6).contains(&period);
    for pair in periods.windows(2) {
        let [one, other] = pair else { unreachable!() };
        let alternates = is_long(*one) && is_short(*other) || is_short(*one) && is_long(*other);
        assert!(alternates, "{periods:?}");
    }
}

#[test]
fn peaks_are_where_the_queue_is_full_and_the_link_is_never_idle() {
    for fast_convergence in [true, false] {
        let outcome = one_flow(fast_convergence);
        for (at, peak) in falls(&outcome) {
            assert!((166.4..=172.0).contains(&peak), "peak {peak} at {at} s");
        }
        let bottleneck = &outcome.summary.links[0];
        assert!(
            (0.995..=1.0).contains(&bottleneck.utilization),
            "{bottleneck:?}"
        );
        assert_eq!(outcome.summary.flows[0].timeouts, 0);
    }
}

#[test]
fn packets_are_conserved() {
    let summary = one_flow(true).summary;
    let accounted = summary.packets_delivered + summary.drops + summary.lost + summary.in_flight;
    assert_eq!(summary.packets_sent + summary.duplicated, accounted);
}
