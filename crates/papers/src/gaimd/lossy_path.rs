//! The path of the figures of our own on equations 1 and 4: it loses packets and has no other bound.

use super::setup::NS2_SENDER;
use super::{Protocol, Variation};

/// One flow over a path that only loses packets.
pub(super) fn lossy(
    (figure, what): (&str, String),
    protocol: &Protocol,
    variation: Variation,
    (loss, duration_s): (String, u32),
    seed: u64,
) -> String {
    let Protocol { name, alpha, beta } = protocol;
    let recovery = variation.recovery;
    let sender = NS2_SENDER.replace(
        "threshold = \"10000 packets\"",
        "threshold = \"64 packets\"",
    );
    let record = if figure == "equation-4" {
        "\n[record]\nevery = \"20 ms\"\n"
    } else {
        ""
    };
    format!(
        r#"# Figure "{figure}" on "The Interrelation of TCP Responsiveness and Smoothness" (Zhang and
# Tsaoussidis): {name}, {what}, seed {seed}.
name = "gaimd-{figure}"
duration = "{duration_s} s"
warmup = "20 s"
seed = {seed}

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "10 Gbps", delay = "30 ms", queue = {{ kind = "drop-tail", limit = "100000 packets" }}, loss = {loss} }}

[[flows]]
label = "gaimd"
protocol = "tcp"
recovery = "{recovery}"
controller = {{ name = "gaimd", alpha = {alpha}, beta = {beta} }}
packet_size = "1000 B"
header = "40 B"
start = {{ uniform = ["0 s", "100 ms"] }}
{sender}{record}"#
    )
}
