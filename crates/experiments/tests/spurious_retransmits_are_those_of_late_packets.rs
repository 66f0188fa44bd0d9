//! What counts as a spurious retransmit, and what a genie never sends.
//!
//! *A late packet.* 1 Mb/s, packets of 1000 B: one every 8 ms. The round trip is 300 ms, with 8 ms of
//! it on the link, and 13 packets are out: a round begins every 300 ms, at 6 s too. At 6.07 s the
//! path becomes 200 ms shorter, between packet 8 of the round (starts at 6.064 s) and 9 (6.072 s).
//! Packets 9 to 12 arrive 100 + 72 … 100 + 96 ms after the round began, 0 at 300 ms: four overtake it,
//! the third makes three duplicate ACKs, and packet 0 leaves again, without need. Reno leaves it at that;
//! NewReno and SACK send all of 0 to 8 again, which nobody had lost either.
//!
//! *Who finds that.* The copy of packet 0 leaves 100 + 88 ms after the round began, or at once after,
//! takes the short path too and is there after 288 ms, 12 ms before the original. So the ACK echoes
//! the copy, and Eifel says nothing; the original is the duplicate that D-SACK reports.
//!
//! *A lost packet.* On the steady path one packet is lost: it leaves again, once and not without need.
//!
//! *A genie* sends nothing again in the first case. On a path that jumps and loses 1 % it sends again
//! what was lost and nothing else: each of its losses but what is not repaired when the run ends.

use experiments::Registry;
use experiments::run;
use experiments::scenario::Scenario;
use experiments::summary::FlowSummary;

fn flow(delay: &str, link: &str, recovery: &str) -> FlowSummary {
    let text = format!(
        r#"
duration = "200 s"

[topology]
kind = "dumbbell"
reverse = {{ rate = "unlimited", delay = "0 s" }}

[topology.bottleneck]
rate = "1 Mbps"
delay = {delay}
queue = {{ kind = "drop-tail", limit = "unlimited" }}
{link}

[[flows]]
protocol = "tcp"
{recovery}
initial_window = "1 packets"
max_window = "13 packets"
limited_transmit = false
rto = {{ initial = "3 s", minimum = "20 ms", granularity = "10 ms" }}
"#
    );
    let registry = Registry::standard();
    let scenario = Scenario::parse(&text, "late.toml", &registry).unwrap();
    run(&scenario, &registry).unwrap().summary.flows.remove(0)
}

const STEP: &str = r#"{ kind = "trace", points = [["0 s", "292 ms"], ["6.07 s", "92 ms"]] }"#;
const STEADY: &str = r#""92 ms""#;
const JUMPS: &str = r#"{ kind = "alternating", states = [{ delay = "92 ms", stay = "100 ms", extra = "100 ms" }, { delay = "292 ms", stay = "300 ms", extra = "300 ms" }] }"#;
const LOSS: &str = r#"loss = { kind = "bernoulli", probability = 0.01, place = "exit" }"#;

/// Timeouts, fast retransmits, retransmits and spurious ones.
fn counts(flow: &FlowSummary) -> [u64; 4] {
    [
        flow.timeouts,
        flow.fast_retransmits,
        flow.retransmits,
        flow.spurious_retransmits,
    ]
}

#[test]
fn an_overtaken_packet_is_sent_again_without_need() {
    for detection in ["ignore", "eifel", "f-rto", "d-sack"] {
        for (recovery, again) in [("reno", 1), ("new-reno", 9), ("sack", 9)] {
            let keys = format!("recovery = \"{recovery}\"\nspurious = \"{detection}\"");
            let flow = flow(STEP, "", &keys);
            assert_eq!(counts(&flow), [0, 1, again, again], "{keys}");
        }
    }
}

#[test]
fn a_lost_packet_is_not() {
    let loss = "loss = { kind = \"list\", packets = [500] }";
    let flow = flow(STEADY, loss, "recovery = \"reno\"");
    assert_eq!((flow.lost, counts(&flow)), (1, [0, 1, 1, 0]));
}

#[test]
fn a_genie_sends_nothing_without_need() {
    let genie = "recovery = \"genie\"";
    assert_eq!(counts(&flow(STEP, "", genie)), [0; 4]);
    assert_eq!(counts(&flow(JUMPS, "", genie)), [0; 4]);
    let (reno, genie) = (
        flow(JUMPS, LOSS, "recovery = \"reno\""),
        flow(JUMPS, LOSS, genie),
    );
    assert!(reno.spurious_retransmits > 100, "{reno:?}");
    assert_eq!(genie.spurious_retransmits, 0);
    // About 200 s × 50 packets/s × 1 % = 100, with a deviation of 10.
    assert!((60..=140).contains(&genie.lost), "{genie:?}");
    assert!((genie.lost - 13..=genie.lost).contains(&genie.retransmits));
    assert!(genie.bytes_delivered > reno.bytes_delivered);
}

/// The window was as large as the receiver's and is half of it afterwards, unless that is undone.
#[test]
fn d_sack_finds_what_eifel_cannot() {
    for recovery in ["reno", "new-reno", "sack"] {
        let delivered = |detection: &str| {
            let keys = format!("recovery = \"{recovery}\"\nspurious = \"{detection}\"");
            flow(STEP, "", &keys).bytes_delivered
        };
        let [ignore, eifel, d_sack] = ["ignore", "eifel", "d-sack"].map(delivered);
        assert_eq!(ignore, eifel, "{recovery}");
        assert!(ignore < d_sack, "{recovery}: {ignore} {d_sack}");
    }
}
