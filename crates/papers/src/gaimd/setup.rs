//! The scenario that the figures of this paper are variations of: a dumbbell of 60 ms with the
//! sender of ns-2.

use super::{Protocol, Variant};

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
    pub(super) variant: Variant,
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
        let product = 1_000 * ROUND_TRIP_US / self.packet_ns();
        match self.variant {
            Variant::LargeQueue => product,
            Variant::SmallQueue => product / 3,
            _ => self.queue_packets,
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
        let queue = format!(
            "queue = {{ kind = \"drop-tail\", limit = \"{} packets\" }}",
            self.queue()
        );
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
bottleneck = {{ rate = "{bottleneck_mbps} Mbps", delay = "10 ms", {queue} }}
sender_access = {{ rate = "{sender_mbps} Mbps", delay = "10 ms", {queue} }}
receiver_access = {{ rate = "{receiver_mbps} Mbps", delay = "10 ms", {queue}{loss} }}
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
        let recovery = if self.variant == Variant::NewReno {
            "new-reno"
        } else {
            "reno"
        };
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
        if self.variant != Variant::NoDither {
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
/// Propagation there and back: 2 × (10 + 10 + 10) ms.
const ROUND_TRIP_US: u32 = 60_000;
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
                "60 ms: 10 ms each of access, bottleneck, access (open in the paper)",
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
                "up to one packet's time on the bottleneck (open in the paper)",
            ),
        ]
    };
}
pub(super) use parameters;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gaimd::PROTOCOLS;

    fn setup(variant: Variant) -> Setup {
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
            variant,
            groups: vec![Group::new("a", 2, &PROTOCOLS[0])],
        }
    }

    /// 8000 bits at 10 Mb/s are 0.8 ms; 60 ms hold 75 of them, a third of which are 25; 30 s carry
    /// 37 500.
    #[test]
    fn variants_change_queue_recovery_and_dither() {
        let text = |variant| setup(variant).scenario();
        assert!(text(Variant::Base).contains("limit = \"50 packets\""));
        assert!(text(Variant::Base).contains("dither = \"800000 ns\""));
        assert!(text(Variant::LargeQueue).contains("limit = \"75 packets\""));
        assert!(text(Variant::SmallQueue).contains("limit = \"25 packets\""));
        assert!(text(Variant::NewReno).contains("\"new-reno\""));
        assert!(!text(Variant::NoDither).contains("dither"));
        assert_eq!(setup(Variant::Base).packets(), 37_500.0);
    }
}
