//! The networks and flows of the report, as scenario files.

use std::fmt::Write as _;

use controllers::tcp_friendly::loss_event_rate_of_window;

/// What shares the bottleneck with TCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Media {
    /// TCP SACK as ns-2.35 has it.
    Tcp,
    /// TCP SACK by the RFCs; its timeout is at least 200 ms too.
    TcpRfc,
    /// TFRC as RFC 5348 has it.
    Tfrc,
    /// TFRC as ns-2.35 has it: a timeout term in ticks of 0.1 s.
    TfrcNs2,
    /// TFWC.
    Tfwc,
    /// TFWC that never sends by a timer.
    TfwcWindow,
    /// TFWC whose timer counts in ticks of 0.1 s.
    TfwcTicks,
}

impl Media {
    /// Its name in keys, charts and as a label.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Tcp => "TCP",
            Self::TcpRfc => "TCP (RFC)",
            Self::Tfrc => "TFRC",
            Self::TfrcNs2 => "TFRC (ns-2)",
            Self::Tfwc => "TFWC",
            Self::TfwcWindow => "TFWC without rate mode",
            Self::TfwcTicks => "TFWC (ticks)",
        }
    }

    /// The keys of a group of such flows.
    fn keys(self) -> &'static str {
        match self {
            Self::Tcp => TCP,
            Self::TcpRfc => TCP_RFC,
            Self::Tfrc => "protocol = \"tfrc\"",
            Self::TfrcNs2 => "protocol = \"tfrc\"\ncompat = \"ns-2\"\nlater_packets = 1",
            Self::Tfwc => "protocol = \"tfwc\"",
            Self::TfwcWindow => {
                "protocol = \"tfwc\"\ncontroller = { name = \"tfwc\", rate_mode = false }"
            }
            Self::TfwcTicks => {
                "protocol = \"tfwc\"\ncontroller = { name = \"tfwc\", tick = \"100 ms\" }"
            }
        }
    }
}

/// TCP SACK as ns-2.35 has it, on which the report's figures were made.
const TCP: &str = r#"protocol = "tcp"
recovery = "sack"
controller = "reno"
compat = "ns-2"
handshake = true
initial_window = "2 packets"
max_window = "10000 packets"
initial_slow_start_threshold = "10000 packets"
rto = { initial = "3 s", minimum = "200 ms", granularity = "10 ms" }"#;

const TCP_RFC: &str = r#"protocol = "tcp"
recovery = "sack"
controller = "reno"
initial_window = "2 packets"
rto = { initial = "3 s", minimum = "200 ms", granularity = "1 ms" }"#;

/// What waits at the bottleneck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Queue {
    /// So many packets, the one being sent included, as ns-2 counts.
    DropTail(u32),
    /// RED with thresholds of Q/6 and Q/2, and the largest probability twice that at which the
    /// bottleneck's share of a flow is what the equation gives.
    Red { limit: u32, flows: u32 },
    /// RED with that weight.
    Weight { limit: u32, flows: u32, weight: f64 },
}

/// A network without its flows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Network {
    pub(super) mbps: f64,
    /// Of the bottleneck, one way.
    pub(super) delay_ms: f64,
    pub(super) queue: Queue,
    pub(super) access_mbps: u32,
    /// Drawn evenly for each flow and side.
    pub(super) access_ms: (f64, f64),
    pub(super) duration_s: u32,
    pub(super) warmup_s: u32,
}

/// A group of flows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flows {
    pub(super) media: Media,
    pub(super) count: u32,
    pub(super) start_s: (u32, u32),
    pub(super) dither_ms: f64,
    pub(super) packet: u32,
    pub(super) header: u32,
    pub(super) reverse: bool,
}

impl Flows {
    /// Flows with packets of 1000 B on the wire.
    pub(super) fn new(media: Media, count: u32, start_s: (u32, u32)) -> Self {
        Self {
            media,
            count,
            start_s,
            dither_ms: 0.0,
            packet: 1_000,
            header: 40,
            reverse: false,
        }
    }

    pub(super) fn dithered(self, dither_ms: f64) -> Self {
        Self { dither_ms, ..self }
    }

    /// 1000 B of payload: ns-2 adds 40 B to TCP's packets, and 32 B to TFRC's.
    pub(super) fn with_headers(self) -> Self {
        let header = match self.media {
            Media::Tcp | Media::TcpRfc => 40,
            _ => 32,
        };
        Self {
            packet: 1_000 + header,
            header,
            ..self
        }
    }

    pub(super) fn reversed(self) -> Self {
        Self {
            reverse: true,
            ..self
        }
    }
}

impl Network {
    /// The slow line of Figures 3.2 and 5.4 at `mbps`: five packets may wait.
    pub(super) fn dsl(mbps: f64) -> Self {
        Self {
            mbps,
            delay_ms: 10.0,
            queue: Queue::DropTail(5),
            access_mbps: 15,
            access_ms: (0.5, 2.0),
            duration_s: 200,
            warmup_s: 20,
        }
    }

    /// Round trip without queues, access at its mean.
    fn round_trip_s(&self) -> f64 {
        2.0 * (self.delay_ms + self.access_ms.0 + self.access_ms.1) / 1e3
    }

    fn queue(&self) -> String {
        let red = |limit: u32, flows: u32, weight: &str| {
            let max_threshold = f64::from(limit) / 2.0;
            let window = self.mbps * 1e6 * self.round_trip_s() / 8_000.0 / f64::from(flows);
            let loss = loss_event_rate_of_window(window).clamp(LEAST_LOSS, 1.0);
            format!(
                "{{ kind = \"red\", limit = \"{limit} packets\", min_threshold = \"{:.4} packets\", \
                 max_threshold = \"{max_threshold} packets\", max_probability = {:.6}, weight = {weight} }}",
                max_threshold / 3.0,
                (2.0 * loss).min(1.0),
            )
        };
        match self.queue {
            Queue::DropTail(limit) => {
                format!(
                    "{{ kind = \"drop-tail\", limit = \"{} packets\" }}",
                    limit - 1
                )
            }
            Queue::Red { limit, flows } => red(limit, flows, "\"auto\""),
            Queue::Weight {
                limit,
                flows,
                weight,
            } => red(limit, flows, &weight.to_string()),
        }
    }

    /// The scenario file. `more` stands at its end.
    pub(super) fn scenario(&self, name: &str, seed: u64, flows: &[Flows], more: &str) -> String {
        let Self {
            mbps,
            delay_ms,
            access_mbps,
            access_ms: (low, high),
            duration_s,
            warmup_s,
            ..
        } = self;
        let queue = self.queue();
        let mut text = format!(
            r#"# {name} of "TCP-Friendly Window-based Congestion Control" (Choi), seed {seed}.
name = "tfwc-{name}"
duration = "{duration_s} s"
warmup = "{warmup_s} s"
seed = {seed}

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "{mbps} Mbps", delay = "{delay_ms} ms", queue = {queue} }}
reverse = {{ rate = "{mbps} Mbps", delay = "{delay_ms} ms", queue = {{ kind = "drop-tail", limit = "49 packets" }} }}
access = {{ rate = "{access_mbps} Mbps", delay = {{ uniform = ["{low} ms", "{high} ms"] }} }}
"#
        );
        for group in flows {
            let (label, direction) = if group.reverse {
                ("reverse", "reverse")
            } else {
                (group.media.name(), "forward")
            };
            let Flows {
                count,
                start_s: (from, to),
                dither_ms,
                packet,
                header,
                ..
            } = group;
            let keys = group.media.keys();
            write!(
                text,
                r#"
[[flows]]
label = "{label}"
count = {count}
direction = "{direction}"
packet_size = "{packet} B"
header = "{header} B"
start = {{ uniform = ["{from} s", "{to} s"] }}
dither = "{dither_ms:.6} ms"
{keys}
"#
            )
            .expect("writing to a string cannot fail");
        }
        text + more
    }

    /// Data packets that the bottleneck carries in a run.
    pub(super) fn packets(&self) -> f64 {
        self.mbps * 1e6 * f64::from(self.duration_s) / 8_000.0
    }
}

/// Below this the equation is not inverted.
const LEAST_LOSS: f64 = 1e-4;
