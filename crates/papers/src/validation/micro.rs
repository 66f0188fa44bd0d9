//! Deterministic scenarios, compared packet by packet.
//!
//! One flow over 10 Mb/s and 2 ms, a bottleneck of 1.5 Mb/s, and 10 Mb/s and 2 ms. Two sequences
//! are identical as far as each packet has the same number, leaves at the same microsecond (ns-2
//! prints microseconds: half a microsecond either way), and the same window (ns-2 prints three
//! decimals) holds when it leaves. An explained
//! difference must begin at the packet that is written down with it. The window at the SYN is left out: ns-2 shows one there, before
//! there is a window.

use experiments::Outcome;
use experiments::simulation::EventKind;

use super::table::Table;
use super::{Job, Row, Verdict};

/// A reference trace.
#[derive(Clone, Copy, Debug)]
pub struct Trace {
    /// Its name: `micro/A/reno`.
    pub name: &'static str,
    variant: Variant,
    kind: &'static str,
    reference: &'static str,
    /// A known reason to differ, and how many packets are identical before.
    deviation: Option<(&'static str, usize)>,
}

#[derive(Clone, Copy, Debug)]
enum Variant {
    /// 50 ms, nine packets may wait, 30 s.
    A,
    /// The same, where the packets that ns-2's full queue dropped (63, 65, 67) are lost by number
    /// before a long one: no tie decides.
    Given,
    /// As A with a clock of 0.1 ms, 12 s.
    Af,
    /// 10 ms, nine packets may wait, 30 s.
    B,
    /// 50 ms, a window of 30, packet 60 lost, 12 s.
    C1,
    /// Packets 60, 62, 64 lost.
    C3,
    /// Packets 60 to 63 lost.
    C4,
}

macro_rules! trace {
    ($variant:ident, $file:literal, $kind:literal) => {
        trace!($variant, $file, $kind, None)
    };
    ($variant:ident, $file:literal, $kind:literal, $deviation:expr) => {
        Trace {
            name: concat!("micro/", stringify!($variant), "/", $kind),
            variant: Variant::$variant,
            kind: $kind,
            reference: include_str!(concat!(
                "../../../../references/ns2/data/micro/",
                $file,
                "-",
                $kind,
                ".csv"
            )),
            deviation: $deviation,
        }
    };
}

/// All reference traces.
pub fn traces() -> Vec<Trace> {
    vec![
        trace!(A, "A_50ms_q10", "oldtahoe"),
        trace!(A, "A_50ms_q10", "tahoe"),
        trace!(A, "A_50ms_q10", "reno"),
        trace!(A, "A_50ms_q10", "newreno", Some((TIES, 192))),
        trace!(A, "A_50ms_q10", "sack", Some((TIES, 163))),
        trace!(A, "A_50ms_q10", "newreno_delack", Some((TIES, 207))),
        trace!(A, "A_50ms_q10", "vegas", Some((TIES, 86))),
        trace!(Given, "A_50ms_q10", "vegas"),
        trace!(Af, "Af_50ms_q10_tick1e-4", "tahoe"),
        trace!(Af, "Af_50ms_q10_tick1e-4", "reno"),
        trace!(Af, "Af_50ms_q10_tick1e-4", "newreno", Some((TIES, 192))),
        trace!(Af, "Af_50ms_q10_tick1e-4", "sack", Some((TIES, 163))),
        trace!(
            Af,
            "Af_50ms_q10_tick1e-4",
            "newreno_delack",
            Some((TIES, 205))
        ),
        trace!(Af, "Af_50ms_q10_tick1e-4", "vegas", Some((TIES, 86))),
        trace!(B, "B_10ms_q10", "oldtahoe"),
        trace!(B, "B_10ms_q10", "tahoe"),
        trace!(B, "B_10ms_q10", "reno"),
        trace!(B, "B_10ms_q10", "newreno"),
        trace!(B, "B_10ms_q10", "sack"),
        trace!(B, "B_10ms_q10", "newreno_delack"),
        trace!(B, "B_10ms_q10", "vegas"),
        trace!(C1, "C1_50ms_drop60", "oldtahoe"),
        trace!(C1, "C1_50ms_drop60", "tahoe"),
        trace!(C1, "C1_50ms_drop60", "reno"),
        trace!(C1, "C1_50ms_drop60", "newreno"),
        trace!(C1, "C1_50ms_drop60", "sack"),
        trace!(C1, "C1_50ms_drop60", "newreno_delack"),
        trace!(C1, "C1_50ms_drop60", "vegas"),
        trace!(C3, "C3_50ms_drop60_62_64", "oldtahoe"),
        trace!(C3, "C3_50ms_drop60_62_64", "tahoe"),
        trace!(C3, "C3_50ms_drop60_62_64", "reno"),
        trace!(C3, "C3_50ms_drop60_62_64", "newreno"),
        trace!(C3, "C3_50ms_drop60_62_64", "sack"),
        trace!(C3, "C3_50ms_drop60_62_64", "newreno_delack"),
        trace!(C3, "C3_50ms_drop60_62_64", "vegas"),
        trace!(C4, "C4_50ms_drop60to63", "oldtahoe"),
        trace!(C4, "C4_50ms_drop60to63", "tahoe"),
        trace!(C4, "C4_50ms_drop60to63", "reno"),
        trace!(C4, "C4_50ms_drop60to63", "newreno"),
        trace!(C4, "C4_50ms_drop60to63", "sack"),
        trace!(C4, "C4_50ms_drop60to63", "newreno_delack"),
        trace!(C4, "C4_50ms_drop60to63", "vegas"),
    ]
}

impl Trace {
    pub(super) fn job(&self) -> Job {
        Job {
            name: self.name.to_owned(),
            scenario: self.scenario(),
        }
    }

    /// The scenario that repeats the trace.
    pub fn scenario(&self) -> String {
        let (delay, waiting, window, seconds, drops) = match self.variant {
            Variant::A => ("50 ms", 9, 100, 30, ""),
            Variant::Given => ("50 ms", 99, 100, 30, "63, 65, 67"),
            Variant::Af => ("50 ms", 9, 100, 12, ""),
            Variant::B => ("10 ms", 9, 100, 30, ""),
            Variant::C1 => ("50 ms", 99, 30, 12, "60"),
            Variant::C3 => ("50 ms", 99, 30, 12, "60, 62, 64"),
            Variant::C4 => ("50 ms", 99, 30, 12, "60, 61, 62, 63"),
        };
        let vegas = self.kind == "vegas";
        // ns-2 draws the phase of each agent's clock. To the only agent of each of these runs its
        // default stream gives 0.555880715864 of a tick (the draw that follows the agent's making);
        // Vegas draws once more when it is made, and then comes 0.014204660437.
        let (tick, phase) = match (self.variant, vegas) {
            (Variant::Af, false) => ("0.1 ms", "0.055588071 ms"),
            (Variant::Af, true) => ("0.1 ms", "0.001420466 ms"),
            (_, false) => ("10 ms", "5.558807158 ms"),
            (_, true) => ("10 ms", "0.142046604 ms"),
        };
        let loss = if drops.is_empty() {
            String::new()
        } else {
            format!(r#"loss = {{ kind = "list", packets = [{drops}], place = "entry" }}"#)
        };
        let (recovery, delayed) = match self.kind {
            "oldtahoe" => ("old-tahoe", ""),
            "newreno" => ("new-reno", ""),
            "newreno_delack" => ("new-reno", "delayed_ack = \"100 ms\""),
            other => (other, ""),
        };
        let limited_transmit = self.kind != "oldtahoe";
        // Vegas sends its first segment as one of data, and its sizes are without headers.
        let (controller, handshake, size) = if vegas {
            ("vegas", false, 1_000)
        } else {
            ("reno", true, 1_040)
        };
        format!(
            r#"
name = "{name}"
duration = "{seconds} s"

[topology]
kind = "dumbbell"
access = {{ rate = "10 Mbps", delay = "2 ms" }}

[topology.bottleneck]
rate = "1.5 Mbps"
delay = "{delay}"
queue = {{ kind = "drop-tail", limit = "{waiting} packets" }}
{loss}

[topology.reverse]
rate = "1.5 Mbps"
delay = "{delay}"

[[flows]]
protocol = "tcp"
recovery = "{recovery}"
controller = "{controller}"
compat = "ns-2"
handshake = {handshake}
packet_size = "{size} B"
initial_window = "2 packets"
initial_slow_start_threshold = "{window} packets"
max_window = "{window} packets"
timestamps = false
limited_transmit = {limited_transmit}
rto = {{ initial = "3 s", minimum = "200 ms", granularity = "{tick}", phase = "{phase}" }}
{delayed}

[record]
events = true
"#,
            name = self.name,
        )
    }

    fn packets(&self) -> Vec<Packet> {
        Table::read(self.reference)
            .rows()
            .map(|row| Packet {
                time_us: row.number("time_us"),
                number: row.number("number") as u64,
                window: row.number("window_milli") / 1e3,
            })
            .collect()
    }
}

/// A packet that left.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Packet {
    time_us: f64,
    number: u64,
    window: f64,
}

impl Packet {
    fn is(&self, other: &Self) -> bool {
        self.number == other.number
            && (self.time_us - other.time_us).abs() <= HALF_MICROSECOND + ROUNDING
            && (self.number == SYN
                || (self.window - other.window).abs() <= HALF_MILLIPACKET + ROUNDING)
    }
}

/// Compares our packets with the reference's.
pub(super) fn compare(trace: &Trace, outcome: &Outcome) -> Vec<Row> {
    let ours: Vec<Packet> = outcome
        .recording
        .events
        .iter()
        .filter(|event| event.kind == EventKind::Send)
        .map(|event| Packet {
            time_us: event.time_ps as f64 / 1e6,
            number: event.packet_number,
            window: event.window_packets.unwrap_or_default(),
        })
        .collect();
    let theirs = trace.packets();
    let same = ours
        .iter()
        .zip(&theirs)
        .take_while(|(a, b)| a.is(b))
        .count();
    let identical = same == theirs.len() && same == ours.len();
    // The reason holds at the packet at which it was found, and nowhere else.
    let explanation = trace
        .deviation
        .filter(|(_, at)| *at == same && !identical)
        .map(|(reason, _)| reason);
    let metric = match (identical, ours.get(same), theirs.get(same)) {
        (true, ..) => "packets sent: time, number, window".to_owned(),
        (_, ours, theirs) => format!(
            "packets sent: time, number, window; the first to differ: {}, reference {}",
            describe(ours),
            describe(theirs)
        ),
    };
    vec![Row {
        scenario: trace.name.to_owned(),
        metric,
        ours: same as f64,
        reference: theirs.len() as f64,
        difference: same as f64 - theirs.len() as f64,
        interval: None,
        verdict: match (identical, explanation) {
            (true, _) => Verdict::Agrees,
            (false, Some(_)) => Verdict::Explained,
            (false, None) => Verdict::Differs,
        },
        deviation: explanation.map(str::to_owned),
    }]
}

fn describe(packet: Option<&Packet>) -> String {
    packet.map_or_else(
        || "none".to_owned(),
        |packet| {
            format!(
                "packet {} at {:.6} s with window {:.3}",
                packet.number,
                packet.time_us / 1e6,
                packet.window
            )
        },
    )
}

/// In these runs packets arrive at the full queue at the instant in which another leaves it.
pub(super) const TIES: &str = "ties-at-a-queue";
/// The SYN, for which ns-2 shows a window of one and a controller its own.
const SYN: u64 = 0;
/// ns-2 prints times in whole microseconds.
const HALF_MICROSECOND: f64 = 0.5;
/// ns-2 prints windows in thousandths of a packet.
const HALF_MILLIPACKET: f64 = 0.000_5;
/// Of the numbers' own arithmetic.
const ROUNDING: f64 = 1e-6;
