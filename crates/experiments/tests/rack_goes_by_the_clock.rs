//! RACK-TLP finds by time what counting finds late or wrongly.
//!
//! 8 Mb/s, packets of 1000 B: one every 1 ms; 50 ms there and 50 ms back, so a round trip of 101 ms
//! and a bit. The shortest timeout is 1 s.
//!
//! *A lost tail.* 40 packets, 10 at first: rounds of 10, 20 and 10, the last of which begins at 202
//! ms. The last packet is lost. The ACK of the one before it comes at 202 + 9 + 101 = 312 ms and
//! leaves one packet out: the probe waits for two round trips (2 × 105 ms, a few packets of queue
//! included) and the 200 ms that its ACK might be delayed, until 312 + 410 = 722 ms, and is
//! acknowledged at 823 ms. The timeout would be at 312 + 1000 = 1312 ms, and the end at 1413 ms.
//!
//! *A retransmission that is lost.* Windows of ten packets and a few more. Packet 33 is lost and
//! leaves again on the third SACK, as the packet that comes to the link after 0 to 46, and is lost
//! there too: were that another packet, nobody would need a timeout. With RACK the SACK of the next
//! new packet, a round trip later, shows it; without, the timeout does, 1 s after the
//! retransmission: 0.5 to 1 s later.
//!
//! *Small reordering.* The way there alternates between 40 and 55 ms, the way back takes 50: the
//! smallest round trip is 91 ms, and 15 ms are less than the 91 / 4 ms that a packet may be late. A
//! window of 85 packets keeps the path almost full, so when it becomes shorter about 15 packets
//! overtake.
//!
//! *Large reordering.* 40 ms are more than 91 / 4, and less than twice that: D-SACK gives the
//! second quarter after the first false recovery, and those that follow are few.

use experiments::Registry;
use experiments::run;
use experiments::scenario::Scenario;
use experiments::summary::FlowSummary;

fn flow(link: &str, keys: &str) -> FlowSummary {
    let text = format!(
        r#"
duration = "100 s"

[topology]
kind = "dumbbell"
access = {{ rate = "1 Gbps", delay = "0 s" }}
reverse = {{ rate = "unlimited", delay = "50 ms" }}

[topology.bottleneck]
rate = "8 Mbps"
queue = {{ kind = "drop-tail", limit = "unlimited" }}
{link}

[[flows]]
label = "tcp"
protocol = "tcp"
start = "0 s"
{keys}
"#
    );
    let registry = Registry::standard();
    let scenario = Scenario::parse(&text, "rack.toml", &registry).unwrap();
    run(&scenario, &registry).unwrap().summary.flows.remove(0)
}

fn losing(packets: &str) -> String {
    format!("delay = \"50 ms\"\nloss = {{ kind = \"list\", packets = {packets}, flow = \"tcp\" }}")
}

/// The longer branch of a path that changes about once in 0.75 s.
fn branches(longer: &str) -> String {
    let stay = "stay = \"0.5 s\", extra = \"0.25 s\"";
    format!(
        "delay = {{ kind = \"alternating\", states = [{{ delay = \"40 ms\", {stay} }}, {{ delay = \
         \"{longer}\", {stay} }}] }}"
    )
}

fn completed_ms(flow: &FlowSummary) -> f64 {
    flow.completed_s.expect("it ends") * 1e3
}

#[test]
fn a_lost_tail_is_repaired_after_a_probe_and_not_a_timeout() {
    let tail = |keys| flow(&losing("[39]"), &format!("packets = 40\n{keys}"));
    let rack = tail("recovery = \"rack\"");
    assert_eq!((rack.lost, rack.retransmits, rack.timeouts), (1, 1, 0));
    assert_eq!(rack.spurious_retransmits, 0);
    let completed = completed_ms(&rack);
    assert!((810.0..=835.0).contains(&completed), "{completed}");
    for keys in [
        "recovery = \"sack\"",
        "recovery = \"rack\"\ntail_loss_probe = false",
    ] {
        let other = tail(keys);
        assert_eq!((other.lost, other.retransmits, other.timeouts), (1, 1, 1));
        let completed = completed_ms(&other);
        assert!((1_400.0..=1_425.0).contains(&completed), "{completed}");
    }
}

#[test]
fn a_lost_retransmission_is_found_without_a_timeout() {
    let again = |recovery| {
        let keys = format!(
            "packets = 200\ninitial_slow_start_threshold = \"10 packets\"\nrecovery = \"{recovery}\""
        );
        flow(&losing("[33, 47]"), &keys)
    };
    let (rack, sack) = (again("rack"), again("sack"));
    for flow in [&rack, &sack] {
        assert_eq!((flow.lost, flow.retransmits), (2, 2), "{flow:?}");
        assert_eq!(flow.fast_retransmits, 1, "{flow:?}");
    }
    // Only a retransmission that is lost makes the other time out.
    assert_eq!((rack.timeouts, sack.timeouts), (0, 1));
    let saved = completed_ms(&sack) - completed_ms(&rack);
    assert!((500.0..=1_000.0).contains(&saved), "{saved}");
}

#[test]
fn what_is_late_by_less_than_a_quarter_of_the_round_trip_costs_nothing() {
    let keys = "max_window = \"85 packets\"\nrecovery = ";
    let rack = flow(&branches("55 ms"), &format!("{keys}\"rack\""));
    assert_eq!(rack.retransmits, 0);
    assert_eq!((rack.fast_retransmits, rack.timeouts), (0, 0));
    // 85 packets of 960 B in 91 to 106 ms.
    let goodput = rack.goodput_bps / 1e6;
    assert!((6.1..=7.2).contains(&goodput), "{goodput}");
    // About 100 / 1.5 moves to the shorter branch, most of them while packets are on the way.
    let sack = flow(&branches("55 ms"), &format!("{keys}\"sack\""));
    assert!((20..=75).contains(&sack.fast_retransmits), "{sack:?}");
    assert_eq!(sack.spurious_retransmits, sack.retransmits);
    assert!(sack.goodput_bps < 0.8 * rack.goodput_bps);
}

#[test]
fn reports_of_duplicates_teach_what_is_late_by_more() {
    let keys = "max_window = \"85 packets\"\nrecovery = \"rack\"";
    let taught = flow(&branches("80 ms"), keys);
    assert!((1..=4).contains(&taught.fast_retransmits), "{taught:?}");
    assert_eq!(taught.timeouts, 0);
    let untaught = flow(&branches("80 ms"), &format!("{keys}\nd_sack = false"));
    assert!(
        (15..=75).contains(&untaught.fast_retransmits),
        "{untaught:?}"
    );
    assert_eq!(untaught.spurious_retransmits, untaught.retransmits);
    assert!(untaught.goodput_bps < 0.8 * taught.goodput_bps);
}
