//! TCP(α, β) with α = 4(1 − β²)/3 at low loss, where timeouts play no part: what each of the four
//! protocols takes of a path against standard TCP.
//!
//! Eq. 3 makes the timeout terms of the throughput equation equal, not the terms of congestion
//! avoidance. These give the ratio √(α(1 + β) / (3(1 − β))), with eq. 3's α (1 + β) / 1.5:
//!
//! | β     | 0.875 | 0.75  | 0.5 | 0.25  |
//! |-------|-------|-------|-----|-------|
//! | ratio | 1.250 | 1.167 | 1   | 0.833 |
//!
//! **Regular losses.** With one packet of k lost, the window before a loss is the same for all four,
//! W = √(2αk / (1 − β²)) = √(8k / 3), and an epoch lasts n = (1 − β)W / α = 3W / (4(1 + β)) round
//! trips and one more, of repair. k = 10 000: W = 163.3; n = 65.3, 70.0, 81.6, 98.0.
//!
//! Three things shift the ratios. The W packets between a loss and its detection do not make the
//! window grow, and the repair takes a round trip: throughput is (1 + β) k / (3W / 4 + β), and the
//! ratio to standard TCP shifts by (0.5 − β) / 122: −0.3 … +0.2 %. The fraction β is kept of whole
//! packets, β / 2 of a packet less on average, which lowers W by β² / (2(1 − β²)) = 1.6, 0.6, 0.2, 0
//! packets: −1.0 … −0.1 %. Whole packets are sent, half of one less than the mean windows 153, 143,
//! 122, 102: −0.3 … −0.5 %. In sum the ratios shift by less than 1.5 %; the bound is 2 %.
//!
//! **Random losses.** With each packet lost by chance, probability p, the window before a loss obeys
//! W'² = β²W² + 2αY, where Y, the packets of an epoch, is exponential with mean 1/p. The mean of W²
//! is as before, 2α / (p(1 − β²)), but throughput, α / ((1 − β) p E[W]) per round trip, goes by the
//! mean of W, and E[W] = c √E[W²] with c = √(1 − β²) E[√Z], Z = Σ β²ᵏEₖ, Eₖ exponential with mean
//! one. Z is a sum of exponentials of different means, so that
//! E[√Z] = (√π / 2) Σₖ βᵏ Πⱼ 1 / (1 − β²⁽ʲ⁻ᵏ⁾), j ≠ k, which is c = 0.9842, 0.9680, 0.9350, 0.9038.
//! The ratio to standard TCP is that of eq. 3 times 0.9350 / c:
//!
//! | β     | 0.875 | 0.75  | 0.5 | 0.25  |
//! |-------|-------|-------|-----|-------|
//! | ratio | 1.188 | 1.127 | 1   | 0.862 |
//!
//! So chance narrows what regular losses show: the smoother a protocol, the less its window varies
//! from epoch to epoch. Here p = 0.0005, W = 73.0; the shifts above are 163.3 / 73.0 = 2.2 times as
//! large: the ratios shift by less than 2.2 %, most with β = 0.875.

use experiments::Registry;
use experiments::metrics::{Moments, confidence_95};
use experiments::scenario::Document;
use experiments::{Summary, run};

/// The fractions kept, the smoothest first; standard TCP is the third. α is left to eq. 3.
const BETAS: [f64; 4] = [0.875, 0.75, 0.5, 0.25];
const STANDARD: usize = 2;

/// What the protocols take of a path of 50 ms that is as fast as they like, losses apart.
fn summary(beta: f64, flows: u32, times: [&str; 2], loss: &str, seed: u64) -> Summary {
    let [duration, warmup] = times;
    let text = format!(
        r#"
        duration = "{duration}"
        warmup = "{warmup}"
        seed = {seed}

        [topology]
        kind = "dumbbell"
        bottleneck = {{ rate = "unlimited", delay = "15 ms" }}
        sender_access = {{ delay = "10 ms", loss = {loss} }}

        [[flows]]
        label = "gaimd"
        count = {flows}
        protocol = "tcp"
        recovery = "sack"
        controller = {{ name = "gaimd", beta = {beta} }}
        initial_slow_start_threshold = "70 packets"
        start = {{ uniform = ["0 s", "100 ms"] }}
        "#
    );
    let registry = Registry::standard();
    let scenario = Document::parse(&text, "gaimd")
        .unwrap()
        .check(&registry)
        .unwrap();
    let summary = run(&scenario, &registry).unwrap().summary;
    assert_eq!(
        summary.packets_sent,
        summary.packets_delivered + summary.drops + summary.lost + summary.in_flight
    );
    // Where a repair is lost too, it takes a timeout: at most one loss in a hundred.
    let timeouts: u64 = summary.flows.iter().map(|flow| flow.timeouts).sum();
    assert!(timeouts * 100 <= summary.lost, "{timeouts} timeouts");
    summary
}

/// 600 s at 122 packets in 50 ms are 1.5 million packets: 146 epochs, the first few left out.
#[test]
fn with_regular_losses_the_shares_are_those_of_the_equation() {
    let loss = r#"{ kind = "every", packets = 10000 }"#;
    let goodputs =
        BETAS.map(|beta| summary(beta, 1, ["600 s", "50 s"], loss, 1).groups[0].goodput_bps);
    for (goodput, expected) in goodputs.iter().zip([1.250, 1.167, 1.0, 0.833]) {
        let ratio = goodput / goodputs[STANDARD];
        assert!(
            (ratio / expected - 1.0).abs() < 0.02,
            "{ratio} for {expected}"
        );
    }
}

/// 15 flows, 60 s after the first 10, 5 seeds: 50 to 70 packets in 50 ms make 4.5 to 6.3 million
/// packets of each protocol, 2250 to 3150 losses.
///
/// The interval over the seeds must hold the ratio expected, up to the shift of 2.2 %, and must not
/// hold that of regular losses.
#[test]
fn with_random_losses_the_shares_are_narrower_by_the_variation_of_the_window() {
    let loss = r#"{ kind = "bernoulli", probability = 0.0005 }"#;
    let goodput =
        |beta, seed| summary(beta, 15, ["70 s", "10 s"], loss, seed).groups[0].goodput_bps;
    let mut ratios = [Moments::default(); BETAS.len()];
    for seed in 1..=5 {
        let goodputs = BETAS.map(|beta| goodput(beta, seed));
        for (ratios, goodput) in ratios.iter_mut().zip(goodputs) {
            ratios.add(goodput / goodputs[STANDARD]);
        }
    }
    for (protocol, (expected, regular)) in
        [(1.188, 1.250), (1.127, 1.167), (1.0, 1.0), (0.862, 0.833)]
            .into_iter()
            .enumerate()
    {
        let ratios = &ratios[protocol];
        let (mean, half) = (ratios.mean().unwrap(), confidence_95(ratios).unwrap());
        assert!(
            (mean - expected).abs() <= half + 0.022 * expected,
            "{mean} ± {half} for {expected}"
        );
        assert!(
            protocol == STANDARD || (mean - regular).abs() > half,
            "{mean} ± {half} holds {regular}"
        );
    }
}
