//! A paced window comes as a stream, not in bursts: it fills less of a short queue while it grows.
//!
//! At 100 Mb/s a packet of 1500 B takes 0.12 ms; in a round trip of 50 ms 417 of them pass. The queue
//! holds 20.
//!
//! *Unpaced*, the window of slow start leaves in one burst, twice as fast as the ACKs come: of n
//! packets n/2 wait. At 64, in the third round trip after the first ten packets, 32 would: the queue
//! overflows, slow start ends near 40 packets, and a tenth of the link is used: from some 30 to some 70
//! packets each round trip, 600 to 1,500 in the first second.
//!
//! *Paced* at two windows for each round trip nothing waits until twice the window fills the path: at
//! 208 packets, five times as many. From there on the link is about half used or more: of 8,333 packets in
//! the first second at least 3,000 pass.
//!
//! Over half a minute CUBIC makes up for some of that; the paced flow's goodput is 1 to 3 times the
//! other's.

use experiments::scenario::Scenario;
use experiments::{Outcome, Registry, run};

fn one_flow(pacing: &str, seconds: u32) -> Outcome {
    let text = format!(
        r#"
name = "pacing"
duration = "{seconds} s"

[topology]
kind = "dumbbell"

[topology.bottleneck]
rate = "100 Mbps"
delay = "25 ms"
queue = {{ kind = "drop-tail", limit = "20 packets" }}

[[flows]]
label = "cubic"
protocol = "tcp"
recovery = "sack"
controller = {{ name = "cubic", slow_start = "standard" }}
packet_size = "1500 B"
max_window = "10000 packets"
{pacing}
"#
    );
    let registry = Registry::standard();
    let scenario = Scenario::parse(&text, "pacing.toml", &registry).unwrap();
    run(&scenario, &registry).unwrap()
}

#[test]
fn slow_start_goes_further_before_a_short_queue_overflows() {
    let delivered = |pacing| one_flow(pacing, 1).summary.links[0].packets_out;
    let (unpaced, paced) = (delivered(""), delivered("pacing = true"));
    assert!((600..=1_500).contains(&unpaced), "{unpaced}");
    assert!((3_000..=8_333).contains(&paced), "{paced}");
}

#[test]
fn goodput_is_no_less() {
    let goodput = |pacing| one_flow(pacing, 30).summary.flows[0].goodput_bps;
    let ratio = goodput("pacing = true") / goodput("");
    assert!((1.0..=3.0).contains(&ratio), "{ratio}");
}

#[test]
fn packets_are_conserved() {
    let summary = one_flow("pacing = true\npacing_factor = 1.25", 5).summary;
    let accounted = summary.packets_delivered + summary.drops + summary.lost + summary.in_flight;
    assert_eq!(summary.packets_sent + summary.duplicated, accounted);
}
