//! CoDel, FQ-CoDel and PIE hold the waiting time near their targets; what that costs one Reno flow
//! follows from the round trip.
//!
//! 10 Mb/s, packets of 1500 B (1.2 ms each), one flow without an end, 60 s, means over the last 50.
//!
//! *CoDel, round trip 20 ms.* With its own time a packet is under way for 21.2 ms, 17.7 packets. The
//! 5 ms that CoDel lets wait are 4.2 more, and in the interval of 100 ms the window grows by 5: it is
//! 27 when a packet is dropped, and 13 then. It takes a round trip of recovery with 13 out and five
//! with 13, 14, … 17: 4.7 + 4.7 + 3.7 + 2.7 + 1.7 + 0.7 packets too few, a round trip's worth, in a
//! swing of 6 and some 9 more that are up to 1.4 times as long: about 94 %, with half a packet
//! more or less out at all times 91 to 96 %. Packets wait 3 to 5.5 ms in the mean.
//!
//! *CoDel, round trip 100 ms.* The window swings between a half of and the whole of 1.075 BDP. The
//! mean of that, counting at most one BDP, is about 0.80: 76 to 85 %. The queue stands only at the
//! top: 0.4 to 2 ms.
//!
//! *PIE* steers to 15 ms: at 20 ms of round trip the queue alone is 12 packets and covers the lower
//! half of the swing: 98 to 100 %, and 13 to 21 ms. At 100 ms it cannot: 85 to 94 %, 4 to 11 ms.
//!
//! A drop-tail queue of 250 packets, 300 ms, lets a third of it or more wait.

use experiments::scenario::Scenario;
use experiments::summary::Summary;
use experiments::{Registry, run};

/// Utilization, mean wait in milliseconds.
fn reno(queue: &str, round_trip_ms: u32) -> (f64, f64) {
    let summary = summary(queue, round_trip_ms);
    let link = &summary.links[0];
    let packets_per_ms = link.utilization / 1.2;
    (link.utilization, link.queue_mean_packets / packets_per_ms)
}

fn summary(queue: &str, round_trip_ms: u32) -> Summary {
    let text = format!(
        r#"
name = "active-queue"
duration = "60 s"
warmup = "10 s"

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "10 Mbps", delay = "{} ms", queue = {queue} }}
reverse = {{ queue = "drop-tail" }}

[[flows]]
label = "reno"
protocol = "tcp"
recovery = "new-reno"
controller = "reno"
packet_size = "1500 B"
"#,
        round_trip_ms / 2
    );
    let registry = Registry::standard();
    let scenario = Scenario::parse(&text, "active.toml", &registry).expect("it is valid");
    let summary = run(&scenario, &registry).expect("it runs").summary;
    let accounted = summary.packets_delivered + summary.drops + summary.lost + summary.in_flight;
    assert_eq!(summary.packets_sent, accounted);
    assert!(summary.drops > 5, "{queue}: {}", summary.drops);
    summary
}

fn assert_within((used, wait): (f64, f64), used_bounds: [f64; 2], wait_bounds: [f64; 2]) {
    let within = |value: f64, [low, high]: [f64; 2]| (low..=high).contains(&value);
    assert!(within(used, used_bounds), "{used} of the link are used");
    assert!(within(wait, wait_bounds), "packets wait {wait} ms");
}

#[test]
fn codel_keeps_the_wait_at_its_target_where_the_round_trip_is_short() {
    assert_within(reno(r#""codel""#, 20), [0.91, 0.96], [3.0, 5.5]);
}

#[test]
fn codel_leaves_a_fifth_of_the_link_to_one_flow_over_a_long_round_trip() {
    assert_within(reno(r#""codel""#, 100), [0.76, 0.85], [0.4, 2.0]);
}

#[test]
fn pie_steers_to_fifteen_milliseconds() {
    assert_within(reno(r#""pie""#, 20), [0.98, 1.0], [13.0, 21.0]);
    assert_within(reno(r#""pie""#, 100), [0.85, 0.94], [4.0, 11.0]);
}

#[test]
fn a_deep_drop_tail_queue_stands() {
    let queue = r#"{ kind = "drop-tail", limit = "250 packets" }"#;
    assert_within(reno(queue, 20), [0.99, 1.0], [100.0, 300.0]);
}

/// RFC 8290: alone, a flow meets CoDel in its own queue. Packet for packet the same.
#[test]
fn one_flow_alone_cannot_tell_fq_codel_from_codel() {
    for law in ["exact", "newton"] {
        let of = |kind| {
            let queue = format!(r#"{{ kind = "{kind}", control_law = "{law}", ecn = false }}"#);
            summary(&queue, 40)
        };
        assert_eq!(of("codel"), of("fq-codel"));
    }
}
