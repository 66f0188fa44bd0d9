//! Figures 2 and 3: system goodput over the number of flows, with a bottleneck of 10 and of
//! 100 Mb/s and no losses but those of its queue (§5.1).

use experiments::simulation::Outcome;
use results::page::{Along, Axis, Block, Chart, Dash, Kind, Series};

use super::{PROTOCOLS, Protocol, Variant, key, ns2};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Mode, Run};

/// Figure 2.
pub(super) const FIGURE_2: Figure = Figure {
    id: "2",
    title: "goodput over a wired network, 10 Mb/s bottleneck",
    shows: "System goodput, the sum over all flows of what reached the receiver in order and for \
            the first time, as 10 to 100 flows of one protocol share a bottleneck of 10 Mb/s.",
    parameters: PARAMETERS_2,
    plan: |mode| plan(&SETTING_2, mode),
    measure,
    draw: |data| draw(&SETTING_2, data),
};

/// Figure 3.
pub(super) const FIGURE_3: Figure = Figure {
    id: "3",
    title: "goodput over a wired network, 100 Mb/s bottleneck",
    shows: "The same with a bottleneck of 100 Mb/s: each flow's fair share is ten times as large.",
    parameters: PARAMETERS_3,
    plan: |mode| plan(&SETTING_3, mode),
    measure,
    draw: |data| draw(&SETTING_3, data),
};

/// What differs between the two figures.
struct Setting {
    figure: &'static str,
    /// Of the bottleneck and of all access links: §4.1, "in most cases".
    rate_mbps: u32,
    /// How many packets may wait for the bottleneck.
    queue_packets: u32,
    reference: &'static ns2::Reference,
    /// "The number of flows ranges from 10 to 100"; and those of the quick form.
    flows_all: &'static [u32],
    flows_few: &'static [u32],
}

const SETTING_2: Setting = Setting {
    figure: "2",
    rate_mbps: 10,
    queue_packets: 50,
    reference: &ns2::FIGURE_2,
    flows_all: &[10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
    flows_few: &[10, 40, 70, 100],
};
const SETTING_3: Setting = Setting {
    figure: "3",
    rate_mbps: 100,
    queue_packets: 250,
    reference: &ns2::FIGURE_3,
    flows_all: &[10, 20, 40, 70, 100],
    flows_few: &[10, 100],
};

/// Name of the number that the figures show.
pub(super) const GOODPUT: &str = "goodput_mbps";

impl Setting {
    /// One packet's time on the bottleneck, in microseconds: 1000 B × 8 / rate.
    fn packet_us(&self) -> u32 {
        PACKET_BITS / self.rate_mbps
    }

    /// Data packets that the bottleneck can carry in a run.
    fn packets(&self) -> f64 {
        f64::from(self.rate_mbps) * 1e6 * f64::from(DURATION_S) / f64::from(PACKET_BITS)
    }

    /// How many packets may wait for each link.
    fn queue_packets(&self, variant: Variant) -> u32 {
        match variant {
            Variant::LargeQueue => ROUND_TRIP_US / self.packet_us(),
            _ => self.queue_packets,
        }
    }

    fn scenario(&self, protocol: &Protocol, flows: u32, variant: Variant, seed: u64) -> String {
        let Self {
            figure, rate_mbps, ..
        } = self;
        let queue_packets = self.queue_packets(variant);
        let recovery = match variant {
            Variant::NewReno => "new-reno",
            _ => "reno",
        };
        let Protocol { name, alpha, beta } = protocol;
        let dither_us = self.packet_us();
        format!(
            r#"# Figure {figure} of "The Interrelation of TCP Responsiveness and Smoothness" (Zhang and
# Tsaoussidis): the point of {flows} flows of {name}, seed {seed}.
name = "gaimd-{figure}"
description = "{flows} flows of {name} on a bottleneck of {rate_mbps} Mb/s"
duration = "{DURATION_S} s"
seed = {seed}

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "{rate_mbps} Mbps", delay = "10 ms", queue = {{ kind = "drop-tail", limit = "{queue_packets} packets" }} }}
access = {{ rate = "{rate_mbps} Mbps", delay = "10 ms", queue = {{ kind = "drop-tail", limit = "{queue_packets} packets" }} }}

[[flows]]
label = "gaimd"
count = {flows}
protocol = "tcp"
recovery = "{recovery}"
controller = {{ name = "gaimd", alpha = {alpha}, beta = {beta} }}
packet_size = "1000 B"
header = "40 B"
start = {{ uniform = ["0 s", "100 ms"] }}
dither = "{dither_us} us"
# From here on: the sender of ns-2, on which the paper's figures were made.
compat = "ns-2"
handshake = true
initial_window = "2 packets"
max_window = "10000 packets"
initial_slow_start_threshold = "10000 packets"
rto = {{ initial = "3 s", minimum = "200 ms", granularity = "10 ms" }}
"#
        )
    }
}

fn plan(setting: &Setting, mode: Mode) -> Vec<Run> {
    let (variants, seeds): (&[(Variant, &[u32])], u64) = match mode {
        Mode::Quick => (&[(Variant::Base, setting.flows_few)], SEEDS_QUICK),
        Mode::Full => (
            &[
                (Variant::Base, setting.flows_all),
                (Variant::NewReno, &FLOWS_ENDS),
                (Variant::LargeQueue, &FLOWS_ENDS),
            ],
            SEEDS_FULL,
        ),
    };
    let mut runs = Vec::new();
    for (variant, flow_numbers) in variants {
        for protocol in &PROTOCOLS {
            for flows in *flow_numbers {
                runs.extend((1..=seeds).map(|seed| Run {
                    key: key(protocol, f64::from(*flows), *variant),
                    seed,
                    scenario: setting.scenario(protocol, *flows, *variant, seed),
                    work: setting.packets(),
                }));
            }
        }
    }
    runs
}

fn measure(outcome: &Outcome) -> Measured {
    let summary = &outcome.summary;
    let goodput_bps: f64 = summary.groups.iter().map(|group| group.goodput_bps).sum();
    let timeouts: u64 = summary.flows.iter().map(|flow| flow.timeouts).sum();
    let bottleneck = summary.links.iter().find(|link| link.name == "bottleneck");
    Measured::default()
        .value(GOODPUT, goodput_bps / 1e6)
        .value("jain", summary.jain)
        .value("utilization", bottleneck.map(|link| link.utilization))
        .value("drop_rate", bottleneck.map(|link| link.drop_rate))
        .value(
            "queue_mean_packets",
            bottleneck.map(|link| link.queue_mean_packets),
        )
        .value(
            "timeouts_per_flow",
            timeouts as f64 / summary.flows.len().max(1) as f64,
        )
}

fn draw(setting: &Setting, data: &Data) -> Vec<Block> {
    let mut main = chart(setting, data, Variant::Base);
    for (index, protocol) in PROTOCOLS.iter().enumerate() {
        let name = format!("{}, ns-2.35", protocol.name);
        let series = Series::new(name, Kind::Points, setting.reference.points(index));
        main = main.with(series.colour(protocol.name).dash(Dash::Dotted));
    }
    let differs = setting.reference.differs;
    main = main
        .note("Error bars: 95 % confidence interval of the mean over the seeds.")
        .note(format!("ns-2.35 (hollow markers) differs: {differs}"));
    let mut blocks = vec![Block::Chart(main)];

    let is_there = |variant: &Variant| {
        let name = Some(variant.name());
        data.points
            .iter()
            .any(|point| point.key.word("variant") == name)
    };
    let others = Variant::OTHERS.into_iter().filter(is_there);
    let others: Vec<_> = others
        .map(|variant| Block::Chart(chart(setting, data, variant)))
        .collect();
    if !others.is_empty() {
        blocks.push(Block::text(
            "The same with what the paper leaves open chosen otherwise; whether a verdict depends \
             on it stands with the verdict.",
        ));
        blocks.push(Block::Grid(others));
    }
    blocks
}

/// Goodput over the number of flows.
fn chart(setting: &Setting, data: &Data, variant: Variant) -> Chart {
    let (figure, rate_mbps) = (setting.figure, setting.rate_mbps);
    let (id, title) = match variant {
        Variant::Base => (
            "goodput",
            format!("System goodput, {rate_mbps} Mb/s bottleneck"),
        ),
        other => (other.slug(), format!("Figure {figure}: {}", other.name())),
    };
    let mut chart = Chart::new(
        format!("gaimd-{figure}-{id}"),
        title,
        Axis::linear("number of flows", "").range(0.0, 105.0),
        Axis::linear("system goodput", "Mb/s").fitted(),
    );
    for protocol in &PROTOCOLS {
        let (mut points, mut intervals) = (Vec::new(), Vec::new());
        for flows in data.numbers("flows") {
            let goodput = data.samples(&key(protocol, flows, variant), GOODPUT);
            if let Some(goodput) = goodput.estimate() {
                points.push((flows, goodput.mean));
                intervals.push(goodput.ends());
            }
        }
        chart = chart.with(Series::new(protocol.name, Kind::Line, points).interval(intervals));
    }
    let payload_mbps = f64::from(rate_mbps) * PAYLOAD_SHARE;
    chart.line(
        Along::Y,
        payload_mbps,
        format!("full link: {payload_mbps} Mb/s of payload"),
    )
}

/// §4.1: "the connection time was fixed at 100 seconds".
const DURATION_S: u32 = 100;
/// A packet of 1000 B.
const PACKET_BITS: u32 = 8_000;
/// Propagation there and back: 2 × (10 + 10 + 10) ms.
const ROUND_TRIP_US: u32 = 60_000;
/// Payload in each packet: 960 of 1000 B.
const PAYLOAD_SHARE: f64 = 0.96;
/// Where a variant is compared.
const FLOWS_ENDS: [u32; 2] = [10, 100];
const SEEDS_FULL: u64 = 10;
/// Three, since an interval from two is 12.706/4.303 × √(3/2) = 3.6 times as wide.
const SEEDS_QUICK: u64 = 3;

/// Parameters that do not differ between the figures.
macro_rules! parameters {
    ($rate:literal, $queue:literal, $dither:literal) => {
        &[
            ("bottleneck", $rate),
            (
                "access links",
                concat!($rate, ", as the bottleneck (paper: \"in most cases\")"),
            ),
            ("duration", "100 s, all of it counted (paper: 100 s)"),
            ("protocols", "equation 3, α as the paper rounds it"),
            (
                "round trip",
                "60 ms: 10 ms each of access, bottleneck, access (open in the paper)",
            ),
            ("bottleneck queue", $queue),
            ("access queues", "as the bottleneck's (open in the paper)"),
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
                "each flow at random within the first 100 ms (open in the paper)",
            ),
            ("sender dither", $dither),
        ]
    };
}

const PARAMETERS_2: &[(&str, &str)] = parameters!(
    "10 Mb/s",
    "drop-tail, 50 packets = 0.67 of the bandwidth-delay product (open in the paper)",
    "up to 0.8 ms, one packet's time on the bottleneck (open in the paper)"
);
const PARAMETERS_3: &[(&str, &str)] = parameters!(
    "100 Mb/s",
    "drop-tail, 250 packets = 0.33 of the bandwidth-delay product (open in the paper)",
    "up to 0.08 ms, one packet's time on the bottleneck (open in the paper)"
);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Full: 4 protocols × 10 or 5 numbers of flows, and 2 of them with each of 2 variants, are
    /// 4 × (10 + 2 × 2) = 56 or 4 × (5 + 2 × 2) = 36 points, × 10 seeds. Quick: 4 × 4 = 16 or
    /// 4 × 2 = 8 points, × 3 seeds.
    #[test]
    fn the_plan_has_every_protocol_number_of_flows_and_seed() {
        for (setting, full, quick) in [(&SETTING_2, 56, 16), (&SETTING_3, 36, 8)] {
            for (mode, points, seeds) in [(Mode::Full, full, 10), (Mode::Quick, quick, 3)] {
                let plan = plan(setting, mode);
                let runs = points * seeds;
                assert_eq!(plan.len(), runs);
                let keys: BTreeSet<_> = plan.iter().map(|run| run.key.to_string()).collect();
                assert_eq!(keys.len(), points);
                let texts: BTreeSet<_> = plan.iter().map(|run| &run.scenario).collect();
                assert_eq!(texts.len(), runs);
            }
        }
    }

    /// A packet of 8000 bits lasts 0.8 ms at 10 Mb/s and 0.08 ms at 100 Mb/s; 100 s carry
    /// 125 000 and 1 250 000 of them. Bandwidth-delay product: 60 ms / 0.8 ms = 75 packets, of
    /// which 50 are 0.67; 60 ms / 0.08 ms = 750, of which 250 are 0.33.
    #[test]
    fn work_dither_and_queue_go_by_the_bottleneck() {
        for (setting, packet_us, packets, queue_share) in [
            (&SETTING_2, 800, 125_000.0, 0.67),
            (&SETTING_3, 80, 1_250_000.0, 0.33),
        ] {
            assert_eq!(setting.packet_us(), packet_us);
            assert_eq!(setting.packets(), packets);
            let product = 60_000.0 / f64::from(packet_us);
            assert_eq!(
                f64::from(setting.queue_packets(Variant::LargeQueue)),
                product
            );
            assert!((f64::from(setting.queue_packets) / product - queue_share).abs() < 0.005);
            let dither = format!("dither = \"{packet_us} us\"");
            assert!(
                setting
                    .scenario(&PROTOCOLS[0], 10, Variant::Base, 1)
                    .contains(&dither)
            );
        }
    }
}
