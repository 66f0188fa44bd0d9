//! A transfer is complete when all of it is acknowledged, not when the sender has caught up.
//!
//! At 4 Mb/s of payload, one second on and one second off, packets of 960 B of payload leave every
//! 1.92 ms: 521 in each second that is on. 2000 of them take three full seconds on and 437 packets
//! of the fourth, which begins after three off: 3 + 3 + 437 × 0.00192 = 6.84 s, and a round trip
//! of 40 ms. The second that is on begins again only after the packet that fell beyond it, so each
//! cycle is up to 2 ms longer.

use experiments::Registry;
use experiments::run;
use experiments::scenario::Scenario;

fn completed_s(packets: &str) -> Option<f64> {
    let text = format!(
        r#"
name = "transfer"
duration = "20 s"

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "10 Mbps", delay = "20 ms", queue = {{ kind = "drop-tail", limit = "1 BDP" }} }}

[[flows]]
protocol = "tcp"
controller = "reno"
{packets}
application = {{ kind = "on-off", rate = "4 Mbps", on = "1 s", off = "1 s" }}
"#
    );
    let registry = Registry::standard();
    let scenario = Scenario::parse(&text, "transfer.toml", &registry).unwrap();
    run(&scenario, &registry).unwrap().summary.flows[0].completed_s
}

#[test]
fn a_finite_transfer_ends_with_its_last_packet() {
    let completed = completed_s("packets = 2000").unwrap();
    assert!((6.8..=6.95).contains(&completed), "{completed}");
}

#[test]
fn an_endless_one_never_does() {
    assert_eq!(completed_s(""), None);
}
