//! One flow alone on 10 Mbps with 40 ms of round trip and a queue of one bandwidth-delay product.
//!
//! The window swings between 0.7 of path and queue together (1.4 bandwidth-delay products) and all
//! of it (2), so the queue never runs empty and the link is busy all the time. A packet of 1000 B
//! has 40 B of header: at most 9.6 Mbps of goodput.

use ackclock::experiments::{run, scenario::Scenario};

#[test]
fn it_fills_the_link() {
    let registry = my_controller::registry();
    let text = include_str!("../scenarios/alone.toml");
    let scenario = Scenario::parse(text, "alone.toml", &registry).unwrap();
    let summary = run(&scenario, &registry).unwrap().summary;
    let goodput = summary.groups[0].goodput_bps;
    assert!((9.4e6..=9.6e6).contains(&goodput), "{goodput}");
}
