//! The sender and the path as scenario files: what all figures have in common.

use std::fmt::Write as _;

use experiments::simulation::Outcome;

use crate::data::Measured;
use crate::paper::{Key, Run};

/// A sender of §II, with what the paper leaves open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sender {
    pub(super) name: &'static str,
    /// Keys of the flow that make it what it is.
    pub(super) keys: &'static str,
    /// How the timeout is computed, and the weight of the deviation in it.
    pub(super) arithmetic: &'static str,
    pub(super) k: u32,
    pub(super) timestamps: bool,
}

impl Sender {
    /// With timestamps, k = 4 and real numbers.
    pub(super) const fn new(name: &'static str, keys: &'static str) -> Self {
        Self {
            name,
            keys,
            arithmetic: "without-floor",
            k: 4,
            timestamps: true,
        }
    }
}

pub(super) const GENIE: Sender = Sender::new("genie", "recovery = \"genie\"");
pub(super) const OLD_TAHOE: Sender = Sender::new("OldTahoe", "recovery = \"old-tahoe\"");
pub(super) const RENO: Sender = Sender::new("Reno", "recovery = \"reno\"");

/// A path, a sender and a run over them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting<'a> {
    /// Id of the figure.
    pub(super) figure: &'a str,
    /// What it is, in words.
    pub(super) what: &'a str,
    pub(super) duration_s: u32,
    pub(super) rate_mbps: u32,
    /// The link's delay as TOML, and further keys of the link.
    pub(super) delay: &'a str,
    pub(super) link: &'a str,
    pub(super) loss: f64,
    pub(super) sender: &'a Sender,
    pub(super) window: u32,
    pub(super) threshold: u32,
    /// Granularity of the clock; the shortest timeout is twice it.
    pub(super) tick_ms: f64,
    /// More tables.
    pub(super) more: &'a str,
}

impl Setting<'_> {
    pub(super) fn scenario(&self, seed: u64) -> String {
        let Self {
            figure,
            what,
            duration_s,
            rate_mbps,
            delay,
            window,
            threshold,
            tick_ms,
            ..
        } = self;
        let Sender {
            keys,
            arithmetic,
            k,
            timestamps,
            ..
        } = self.sender;
        let mut text = format!(
            r#"# Figure {figure} of "TCP in Networks with Abrupt Delay Variations and Random Loss" (Abouzeid
# and Roy): {what}, seed {seed}.
name = "abrupt-delay-{figure}"
description = "{what}"
duration = "{duration_s} s"
seed = {seed}

[topology]
kind = "dumbbell"
reverse = {{ rate = "unlimited", delay = "0 s" }}

[topology.bottleneck]
rate = "{rate_mbps} Mbps"
delay = {delay}
queue = {{ kind = "drop-tail", limit = "unlimited" }}
"#
        );
        if self.loss > 0.0 {
            let loss = self.loss;
            let _ = writeln!(
                text,
                "loss = {{ kind = \"bernoulli\", probability = {loss}, place = \"exit\" }}"
            );
        }
        let least_ms = 2.0 * tick_ms;
        let _ = write!(
            text,
            r#"{}
[[flows]]
label = "tcp"
protocol = "tcp"
{keys}
packet_size = "1000 B"
header = "40 B"
initial_window = "1 packets"
max_window = "{window} packets"
duplicate_ack_threshold = {threshold}
limited_transmit = false
timestamps = {timestamps}
karn = true
rto = {{ initial = "3 s", minimum = "{least_ms} ms", granularity = "{tick_ms} ms", k = {k}, arithmetic = "{arithmetic}" }}
{}"#,
            self.link, self.more
        );
        text
    }

    /// One run for each seed.
    pub(super) fn runs(&self, key: &Key, seeds: u64) -> impl Iterator<Item = Run> {
        let work = f64::from(self.duration_s) * f64::from(self.rate_mbps) * 125.0;
        (1..=seeds).map(move |seed| Run {
            key: key.clone(),
            seed,
            scenario: self.scenario(seed),
            work,
        })
    }
}

/// A path between two round trips in seconds, each held for Tᵢ and an exponential time of mean
/// h Tᵢ. A packet's time on the link is a part of the round trip.
pub(super) fn two_states(round_trips: [f64; 2], packet_s: f64, h: f64) -> String {
    let states = round_trips.map(|round_trip| state(round_trip, packet_s, h));
    format!(
        "{{ kind = \"alternating\", states = [{}] }}",
        states.join(", ")
    )
}

/// A state of such a path.
pub(super) fn state(round_trip: f64, packet_s: f64, h: f64) -> String {
    format!(
        "{{ delay = \"{} us\", stay = \"{} us\", extra = \"{} us\" }}",
        microseconds(round_trip - packet_s),
        microseconds(round_trip),
        microseconds(h * round_trip)
    )
}

/// In whole microseconds.
fn microseconds(seconds: f64) -> f64 {
    (seconds * 1e6).round()
}

/// What is kept of a run in which the path goes to and fro.
pub(super) fn measure(outcome: &Outcome) -> Measured {
    let flow = &outcome.summary.flows[0];
    let duration_s = outcome.summary.duration_s;
    let per_s = |count: u64| count as f64 / duration_s;
    Measured::default()
        .value(
            GOODPUT,
            flow.bytes_delivered as f64 / PAYLOAD_BYTES / duration_s,
        )
        .value("timeouts_per_s", per_s(flow.timeouts))
        .value("fast_retransmits_per_s", per_s(flow.fast_retransmits))
        .value("retransmits_per_s", per_s(flow.retransmits))
        .value(SPURIOUS, per_s(flow.spurious_retransmits))
}

/// Name of the number that Figures 5 to 8 show.
pub(super) const GOODPUT: &str = "goodput_packets_per_s";
/// Name of the number of packets that arrived and brought nothing new.
pub(super) const SPURIOUS: &str = "spurious_retransmits_per_s";
/// 1000 B with headers of 40 B.
const PAYLOAD_BYTES: f64 = 960.0;
/// Ten seeds of 1000 s: at h = 100 a path changes every (1 + 100) × 0.2 s = 20.2 s on average, so
/// that a point has 495 changes.
pub(super) const SEEDS_FULL: u64 = 10;
pub(super) const SEEDS_QUICK: u64 = 3;
pub(super) const DURATION_S: u32 = 1_000;
