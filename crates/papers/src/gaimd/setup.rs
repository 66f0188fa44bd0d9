//! The scenario that the figures of this paper are variations of: a dumbbell of 60 ms with the
//! sender of ns-2.

use super::{Protocol, Queue, Variation};

/// What differs from figure to figure.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    /// For the file's comment: `Figure 4, PER 0.01`.
    pub(super) what: String,
    pub(super) name: String,
    pub(super) seed: u64,
    pub(super) duration_s: u32,
    pub(super) bottleneck_mbps: u32,
    /// Of the senders' access links.
    pub(super) sender_mbps: u32,
    /// Of the receivers' access links.
    pub(super) receiver_mbps: u32,
    /// Packets that may wait for each link.
    pub(super) queue_packets: u32,
    /// Loss model of the receivers' access links, if they have one.
    pub(super) receiver_loss: Option<String>,
    /// How often flows are sampled, if they are.
    pub(super) record: Option<&'static str>,
    pub(super) variation: Variation,
    pub(super) groups: Vec<Group>,
}

/// Flows of one protocol that come and go together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) label: &'static str,
    pub(super) count: u32,
    pub(super) protocol: Protocol,
    /// Each starts at random within 100 ms from then on.
    pub(super) start_s: u32,
    pub(super) stop_s: Option<u32>,
    /// The application; none: always something to send.
    pub(super) application: Option<&'static str>,
}

impl Group {
    /// Flows that are there all the time.
    pub(super) fn new(label: &'static str, count: u32, protocol: &Protocol) -> Self {
        Self {
            label,
            count,
            protocol: *protocol,
            start_s: 0,
            stop_s: None,
            application: None,
        }
    }
}

impl Setup {
    /// One packet's time on the bottleneck, in nanoseconds.
    fn packet_ns(&self) -> u32 {
        1_000 * PACKET_BITS / self.bottleneck_mbps
    }

    /// How many packets may wait for each link.
    fn queue(&self) -> u32 {
        match self.variation.queue {
            Queue::Product => 1_000_000 * self.variation.rtt_ms / self.packet_ns(),
            Queue::AsGiven | Queue::Red => self.queue_packets,
        }
    }

    /// Data packets that the bottleneck can carry.
    pub(super) fn packets(&self) -> f64 {
        f64::from(self.bottleneck_mbps) * 1e6 * f64::from(self.duration_s) / f64::from(PACKET_BITS)
    }

    /// The scenario file.
    pub(super) fn scenario(&self) -> String {
        let Self {
            what,
            name,
            seed,
            duration_s,
            bottleneck_mbps,
            sender_mbps,
            receiver_mbps,
            ..
        } = self;
        let queue_of = |kind: &str| {
            let limit = self.queue();
            format!("queue = {{ kind = \"{kind}\", limit = \"{limit} packets\" }}")
        };
        let queue = queue_of("drop-tail");
        let bottleneck_queue = match self.variation.queue {
            Queue::Red => queue_of("red"),
            Queue::AsGiven | Queue::Product => queue.clone(),
        };
        // Three links there and three back.
        let delay = format!("{} us", 1_000 * self.variation.rtt_ms / 6);
        let loss = self
            .receiver_loss
            .as_ref()
            .map_or_else(String::new, |loss| format!(", loss = {loss}"));
        let mut text = format!(
            r#"# {what} of "The Interrelation of TCP Responsiveness and Smoothness" (Zhang and
# Tsaoussidis), seed {seed}.
name = "{name}"
duration = "{duration_s} s"
seed = {seed}

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "{bottleneck_mbps} Mbps", delay = "{delay}", {bottleneck_queue} }}
sender_access = {{ rate = "{sender_mbps} Mbps", delay = "{delay}", {queue} }}
receiver_access = {{ rate = "{receiver_mbps} Mbps", delay = "{delay}", {queue}{loss} }}
"#
        );
        for group in &self.groups {
            text += &self.group(group);
        }
        if let Some(every) = self.record {
            text += &format!("\n[record]\nevery = \"{every}\"\n");
        }
        text
    }

    fn group(&self, group: &Group) -> String {
        let Group {
            label,
            count,
            protocol: Protocol { alpha, beta, .. },
            start_s,
            ..
        } = group;
        let recovery = self.variation.recovery;
        let mut text = format!(
            r#"
[[flows]]
label = "{label}"
count = {count}
protocol = "tcp"
recovery = "{recovery}"
controller = {{ name = "gaimd", alpha = {alpha}, beta = {beta} }}
packet_size = "1000 B"
header = "40 B"
start = {{ uniform = ["{start_s} s", "{start_s}.1 s"] }}
"#
        );
        if let Some(stop_s) = group.stop_s {
            text += &format!("stop = \"{stop_s} s\"\n");
        }
        if let Some(application) = group.application {
            text += &format!("application = {application}\n");
        }
        if self.variation.dither {
            text += &format!("dither = \"{} ns\"\n", self.packet_ns());
        }
        text + NS2_SENDER
    }
}

/// The sender of ns-2, on which the paper's figures were made.
pub(super) const NS2_SENDER: &str = r#"compat = "ns-2"
handshake = true
initial_window = "2 packets"
max_window = "10000 packets"
initial_slow_start_threshold = "10000 packets"
rto = { initial = "3 s", minimum = "200 ms", granularity = "10 ms" }
"#;

/// A packet of 1000 B.
const PACKET_BITS: u32 = 8_000;
/// Payload in each packet: 960 of 1000 B.
pub(super) const PAYLOAD_SHARE: f64 = 0.96;

/// Parameters that all of these figures share, beside their own.
macro_rules! parameters {
    ($($own:expr),* $(,)?) => {
        &[
            $($own,)*
            ("protocols", "equation 3, α as the paper rounds it"),
            (
                "round trip",
                "60 ms: 10 ms each of access, bottleneck, access (open choice: rtt)",
            ),
            ("packets", "960 B payload + 40 B header (open in the paper)"),
            (
                "sender",
                "Reno as in ns-2.35, RTO at least 200 ms in ticks of 10 ms (paper: ns-2)",
            ),
            (
                "receiver's window",
                "10000 packets: no limit (open in the paper)",
            ),
            (
                "β",
                "after fast retransmit only; a timeout halves the threshold",
            ),
            (
                "start",
                "each flow at random within 100 ms (open in the paper)",
            ),
            (
                "sender dither",
                "none (open choice: dither)",
            ),
        ]
    };
}
pub(super) use parameters;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gaimd::{DITHER, IN_BASE, LONG_QUEUE, PROTOCOLS, RED, TAHOE};

    fn setup(variation: Variation) -> Setup {
        Setup {
            what: "A test".to_owned(),
            name: "test".to_owned(),
            seed: 1,
            duration_s: 30,
            bottleneck_mbps: 10,
            sender_mbps: 100,
            receiver_mbps: 20,
            queue_packets: 50,
            receiver_loss: None,
            record: None,
            variation,
            groups: vec![Group::new("a", 2, &PROTOCOLS[0])],
        }
    }

    /// 8000 bits at 10 Mb/s are 0.8 ms; 60 ms hold 75 of them, 150 ms 187.5; 150 / 6 = 25 ms a link;
    /// 30 s carry 37 500 packets.
    #[test]
    fn variations_change_queue_recovery_dither_and_round_trip() {
        let text = |variation| setup(variation).scenario();
        let base = text(IN_BASE);
        assert!(base.contains("limit = \"50 packets\"") && base.contains("\"reno\""));
        assert!(base.contains("delay = \"10000 us\"") && !base.contains("dither"));
        assert!(text(DITHER).contains("dither = \"800000 ns\""));
        assert!(text(LONG_QUEUE).contains("limit = \"75 packets\""));
        let long = text(LONG_QUEUE.rtt(150));
        assert!(long.contains("limit = \"187 packets\"") && long.contains("\"25000 us\""));
        assert!(text(RED).contains("{ kind = \"red\", limit = \"50 packets\" }"));
        assert!(text(TAHOE).contains("\"tahoe\""));
        assert_eq!(setup(IN_BASE).packets(), 37_500.0);
    }
}
