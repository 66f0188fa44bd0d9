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

    /// Its name within names of numbers.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Tcp => "tcp",
            Self::TcpRfc => "tcp_rfc",
            Self::Tfrc => "tfrc",
            Self::TfrcNs2 => "tfrc_ns2",
            Self::Tfwc => "tfwc",
            Self::TfwcWindow => "tfwc_window",
            Self::TfwcTicks => "tfwc_ticks",
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
    /// RED with thresholds of 5 and 15 packets (eqs. 6.5 and 6.6 and note 10), and the largest
    /// probability twice that at which the bottleneck's share of a flow is what the equation gives.
    Red { limit: u32, flows: u32 },
    /// RED with that weight.
    Weight { limit: u32, flows: u32, weight: f64 },
    /// As drop-tail, but the limit is bytes: so many packets of 1000 B.
    DropTailBytes(u32),
    /// As RED, but limit and average are bytes, and large packets are dropped more often.
    RedBytes { limit: u32, flows: u32 },
}

/// Names of the queues that figures compare.
pub(super) const QUEUES: [&str; 2] = ["drop-tail", "RED"];

impl Queue {
    /// The one of [`QUEUES`] with that name, for a bottleneck that `flows` share.
    pub(super) fn named(name: &str, limit: u32, flows: u32) -> Self {
        if name == QUEUES[0] {
            Self::DropTail(limit)
        } else {
            Self::Red { limit, flows }
        }
    }
}

/// Where flows have access links of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// On the side of the senders: receivers sit on the far router, as in the author's scripts and as
    /// the round trip of 22 ms in the captions of Figures 6.7 and 6.8 has it.
    Senders,
    /// On both sides.
    Both,
}

/// The queue of the other direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reverse {
    /// Drop-tail, 50 packets, ns-2's default.
    Fifty,
    /// As the bottleneck's.
    Same,
}

/// A network without its flows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Network {
    pub(super) mbps: f64,
    /// Of the bottleneck, one way.
    pub(super) delay_ms: f64,
    pub(super) queue: Queue,
    pub(super) access_mbps: u32,
    /// Drawn evenly for each flow.
    pub(super) access_ms: (f64, f64),
    /// Where flows have an access link of their own.
    pub(super) access: Access,
    /// What may wait the other way.
    pub(super) reverse: Reverse,
    pub(super) duration_s: u32,
    pub(super) warmup_s: u32,
    /// Other rates of the bottleneck, each with the second from which on it holds.
    pub(super) rates: &'static [(u32, f64)],
}

/// A group of flows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flows {
    pub(super) label: &'static str,
    pub(super) media: Media,
    pub(super) count: u32,
    pub(super) start_s: (u32, u32),
    pub(super) dither_ms: f64,
    pub(super) packet: u32,
    /// How far packets of TFRC and TFWC may lie from that, in bytes.
    pub(super) spread: u32,
    pub(super) header: u32,
    pub(super) reverse: bool,
}

impl Flows {
    /// Flows with packets of 1040 B on the wire, those of the author's scripts.
    pub(super) fn new(media: Media, count: u32, start_s: (u32, u32)) -> Self {
        Self {
            label: media.name(),
            media,
            count,
            start_s,
            dither_ms: 0.0,
            packet: WIRE_B,
            spread: 0,
            header: 40,
            reverse: false,
        }
    }

    /// TFRC sends at a rate and has no dither.
    pub(super) fn dithered(self, dither_ms: f64) -> Self {
        let at_a_rate = matches!(self.media, Media::Tfrc | Media::TfrcNs2);
        let dither_ms = if at_a_rate { 0.0 } else { dither_ms };
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
            label: REVERSE,
            reverse: true,
            ..self
        }
    }

    /// Under another name than its protocol's.
    pub(super) fn called(self, label: &'static str) -> Self {
        Self { label, ..self }
    }

    /// With packets of so many bytes on the wire.
    pub(super) fn sized(self, packet: u32) -> Self {
        Self { packet, ..self }
    }

    /// With packets that differ by up to `spread` bytes from their mean size. Not of TCP.
    pub(super) fn spread(self, spread: u32) -> Self {
        Self { spread, ..self }
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
            access: Access::Senders,
            reverse: Reverse::Fifty,
            duration_s: 200,
            warmup_s: 20,
            rates: &[],
        }
    }

    /// That of Figures 6.7 and 6.8: a round trip of 2 × (10 + 1.25) = 22.5 ms.
    pub(super) fn short(mbps: f64, queue: Queue, duration_s: u32) -> Self {
        Self {
            mbps,
            delay_ms: 10.0,
            queue,
            access_mbps: 50,
            access_ms: (0.5, 2.0),
            access: Access::Senders,
            reverse: Reverse::Same,
            duration_s,
            warmup_s: 20,
            rates: &[],
        }
    }

    /// That of Figure 6.9: a round trip of 2 × (20 + 2.75) = 45.5 ms.
    pub(super) fn long(mbps: f64, queue: Queue, duration_s: u32) -> Self {
        Self {
            delay_ms: 20.0,
            access_ms: (0.5, 5.0),
            ..Self::short(mbps, queue, duration_s)
        }
    }

    /// Round trip without queues, access at its mean.
    fn round_trip_s(&self) -> f64 {
        let sides = match self.access {
            Access::Senders => 1.0,
            Access::Both => 2.0,
        };
        let access_ms = sides * f64::midpoint(self.access_ms.0, self.access_ms.1);
        2.0 * (self.delay_ms + access_ms) / 1e3
    }

    fn queue(&self) -> String {
        let red = |flows: u32, keys: &str| {
            let window = self.mbps * 1e6 * self.round_trip_s() / 8_000.0 / f64::from(flows);
            let loss = loss_event_rate_of_window(window).clamp(LEAST_LOSS, 1.0);
            format!(
                "{{ kind = \"red\", min_threshold = \"5 packets\", max_threshold = \"15 packets\", \
                 max_probability = {:.6}, {keys} }}",
                (2.0 * loss).min(1.0),
            )
        };
        let drop_tail = |limit: &str| format!("{{ kind = \"drop-tail\", limit = \"{limit}\" }}");
        match self.queue {
            Queue::DropTail(limit) => drop_tail(&format!("{} packets", limit - 1)),
            Queue::DropTailBytes(limit) => drop_tail(&format!("{} B", 1_000 * (limit - 1))),
            Queue::Red { limit, flows } => {
                let keys = format!("limit = \"{limit} packets\", weight = \"auto\"");
                red(flows, &keys)
            }
            Queue::RedBytes { limit, flows } => {
                let bytes = 1_000 * limit;
                let keys = format!("limit = \"{bytes} B\", weight = \"auto\", mode = \"bytes\"");
                red(flows, &keys)
            }
            Queue::Weight {
                limit,
                flows,
                weight,
            } => {
                let keys = format!("limit = \"{limit} packets\", weight = {weight}");
                red(flows, &keys)
            }
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
        let reverse = match self.reverse {
            Reverse::Fifty => "{ kind = \"drop-tail\", limit = \"49 packets\" }",
            Reverse::Same => &queue,
        };
        let schedule = self.schedule();
        let mut text = format!(
            r#"# {name} of "TCP-Friendly Window-based Congestion Control" (Choi), seed {seed}.
name = "tfwc-{name}"
duration = "{duration_s} s"
warmup = "{warmup_s} s"
seed = {seed}

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "{mbps} Mbps", delay = "{delay_ms} ms", queue = {queue}{schedule} }}
reverse = {{ rate = "{mbps} Mbps", delay = "{delay_ms} ms", queue = {reverse} }}
"#
        );
        let link = format!(
            "{{ rate = \"{access_mbps} Mbps\", delay = {{ uniform = [\"{low} ms\", \"{high} ms\"] }} }}"
        );
        text += &match self.access {
            Access::Both => format!("access = {link}\n"),
            Access::Senders => format!(
                "sender_access = {link}\nreceiver_access = {{ rate = \"unlimited\", delay = \"0 s\" }}\n"
            ),
        };
        for group in flows {
            let direction = if group.reverse { "reverse" } else { "forward" };
            let Flows {
                label,
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
            if group.spread > 0 {
                writeln!(text, "size_spread = \"{} B\"", group.spread)
                    .expect("writing to a string cannot fail");
            }
        }
        text + more
    }

    fn schedule(&self) -> String {
        if self.rates.is_empty() {
            return String::new();
        }
        let change =
            |(at, mbps): &(u32, f64)| format!("{{ at = \"{at} s\", rate = \"{mbps} Mbps\" }}");
        let changes: Vec<String> = self.rates.iter().map(change).collect();
        format!(", schedule = [{}]", changes.join(", "))
    }

    /// Data packets that the bottleneck could carry in a run at its first rate.
    pub(super) fn packets(&self) -> f64 {
        self.mbps * 1e6 * f64::from(self.duration_s) / 8_000.0
    }
}

/// `[record]` with a sample so often, for the end of a scenario file.
pub(super) fn record(every: &str) -> String {
    format!("\n[record]\nevery = \"{every}\"\n")
}

/// The limit Q of Figures 6.7 and 6.8: a bandwidth-delay product of 22 ms, at least 5 packets.
pub(super) fn product(mbps: f64) -> u32 {
    ((ROUND_TRIP_S * mbps * 1e6 / 8_000.0).round() as u32).max(5)
}

/// In the scripts of Figures 6.7 and 6.8; their round trip is 22.5 ms.
const ROUND_TRIP_S: f64 = 0.022;

/// Packets on the wire: 1000 B and, for TCP, 40 B of headers; TFRC and TFWC have packets of 1040 B.
const WIRE_B: u32 = 1_040;

/// Label of the flows the other way.
pub(super) const REVERSE: &str = "reverse";

/// Below this the equation is not inverted.
const LEAST_LOSS: f64 = 1e-4;
