//! Figures 2 and 3: system goodput over the number of flows, with a bottleneck of 10 and of
//! 100 Mb/s and no losses but those of its queue (§5.1).

use experiments::simulation::Outcome;
use results::page::{Along, Axis, Block, Chart, Dash, Kind, Series};

use super::grid::Grid;
use super::setup::{Group, PAYLOAD_SHARE, Setup, parameters};
use super::wireless::line;
use super::{
    DITHER, IN_BASE, LONG_QUEUE, NEW_RENO, PROTOCOLS, Protocol, RED, Variation, key, ns2, seeds,
};
use crate::data::{Data, Measured};
use crate::paper::{BASE, Figure, Key, Mode, Run, VARIATION};

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
    flows_few: &'static [u32],
    /// What is run in full, and with which numbers of flows.
    variations: &'static [(Variation, &'static [u32])],
}

const SETTING_2: Setting = Setting {
    figure: "2",
    rate_mbps: 10,
    queue_packets: 50,
    reference: &ns2::FIGURE_2,
    flows_few: &[10, 40, 70, 100],
    variations: &[
        (IN_BASE, &[10, 20, 30, 40, 50, 60, 70, 80, 90, 100]),
        (DITHER, &[10, 20, 40, 70, 100]),
        (NEW_RENO, &FLOWS_ENDS),
        (LONG_QUEUE, &FLOWS_ENDS),
        (RED, &[10, 20, 30, 40, 50, 60, 70, 80, 90, 100]),
    ],
};
const SETTING_3: Setting = Setting {
    figure: "3",
    rate_mbps: 100,
    queue_packets: 250,
    reference: &ns2::FIGURE_3,
    flows_few: &[10, 100],
    variations: &[
        (IN_BASE, &[10, 20, 40, 70, 100]),
        (DITHER, &FLOWS_ENDS),
        (NEW_RENO, &FLOWS_ENDS),
    ],
};

/// Name of the number that the figures show.
pub(super) const GOODPUT: &str = "goodput_mbps";

impl Setting {
    fn setup(&self, protocol: &Protocol, flows: u32, variation: Variation, seed: u64) -> Setup {
        Setup {
            what: format!(
                "Figure {}, {flows} flows of {},",
                self.figure, protocol.name
            ),
            name: format!("gaimd-{}", self.figure),
            seed,
            duration_s: 100,
            bottleneck_mbps: self.rate_mbps,
            sender_mbps: self.rate_mbps,
            receiver_mbps: self.rate_mbps,
            queue_packets: self.queue_packets,
            receiver_loss: None,
            record: None,
            variation,
            groups: vec![Group::new("gaimd", flows, protocol)],
        }
    }
}

fn plan(setting: &Setting, mode: Mode) -> Vec<Run> {
    let variations: &[(Variation, &[u32])] = match mode {
        Mode::Quick => &[(IN_BASE, setting.flows_few)],
        Mode::Full => setting.variations,
    };
    let mut runs = Vec::new();
    for (variation, flow_numbers) in variations {
        for protocol in &PROTOCOLS {
            for flows in *flow_numbers {
                runs.extend(seeds(mode).map(|seed| seed + FRESH).map(|seed| {
                    let setup = setting.setup(protocol, *flows, *variation, seed);
                    Run {
                        key: key(protocol, f64::from(*flows), *variation),
                        seed,
                        scenario: setup.scenario(),
                        work: setup.packets(),
                    }
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
    let mut main = chart(setting, BASE, &data.variation(BASE));
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
    blocks.extend(others(data, |name, data| Some(chart(setting, name, data))));
    blocks
}

/// A small chart for each variation but the base.
pub(super) fn others(data: &Data, chart: impl Fn(&str, &Data) -> Option<Chart>) -> Vec<Block> {
    let names = data.variations().into_iter().filter(|name| *name != BASE);
    let charts: Vec<_> = names
        .filter_map(|name| chart(name, &data.variation(name)))
        .map(Block::Chart)
        .collect();
    if charts.is_empty() {
        return Vec::new();
    }
    vec![
        Block::text("The same with what the paper leaves open chosen otherwise."),
        Block::Grid(charts),
    ]
}

/// A variation's name as a part of an id.
pub(super) fn slug(variation: &str) -> String {
    Key::new().with(VARIATION, variation).slug()
}

/// Goodput over the number of flows.
fn chart(setting: &Setting, variation: &str, data: &Data) -> Chart {
    let (figure, rate_mbps) = (setting.figure, setting.rate_mbps);
    let title = match variation {
        BASE => format!("System goodput, {rate_mbps} Mb/s bottleneck"),
        other => format!("Figure {figure}: {other}"),
    };
    let mut chart = Chart::new(
        format!("gaimd-{figure}-{}", slug(variation)),
        title,
        Axis::linear("number of flows", "").range(0.0, 105.0),
        Axis::linear("system goodput", "Mb/s").fitted(),
    );
    let grid = Grid::new(data, "flows");
    for (index, protocol) in PROTOCOLS.iter().enumerate() {
        chart = chart.with(line(&grid, index, GOODPUT, protocol.name.to_owned()));
    }
    let payload_mbps = f64::from(rate_mbps) * PAYLOAD_SHARE;
    chart.line(
        Along::Y,
        payload_mbps,
        format!("full link: {payload_mbps} Mb/s of payload"),
    )
}

/// Figure 2 behind RED was found on the seeds that the other figures have; these are others.
const FRESH: u64 = 100;
/// Where a variation is compared.
const FLOWS_ENDS: [u32; 2] = [10, 100];

const PARAMETERS_2: &[(&str, &str)] = parameters![
    (
        "bottleneck",
        "10 Mb/s, drop-tail, 50 packets = 0.67 of the bandwidth-delay product (open choice: queue)"
    ),
    (
        "access links",
        "10 Mb/s, as the bottleneck (paper: \"in most cases\")"
    ),
    ("duration", "100 s, all of it counted (paper: 100 s)"),
];
const PARAMETERS_3: &[(&str, &str)] = parameters![
    (
        "bottleneck",
        "100 Mb/s, drop-tail, 250 packets = 0.33 of the bandwidth-delay product (open choice: queue)"
    ),
    (
        "access links",
        "100 Mb/s, as the bottleneck (paper: \"in most cases\")"
    ),
    ("duration", "100 s, all of it counted (paper: 100 s)"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Full: 4 protocols × 10, 5 and 10 numbers of flows and 2 with each of 2 variations, or × 5 and 2
    /// with each of 2, are 4 × (10 + 5 + 10 + 2 × 2) = 116 or 4 × (5 + 2 × 2) = 36 points, × 10 seeds. Quick: 4 × 4 = 16 or
    /// 4 × 2 = 8 points, × 4 seeds.
    #[test]
    fn the_plan_has_every_protocol_number_of_flows_and_seed() {
        for (setting, full, quick) in [(&SETTING_2, 116, 16), (&SETTING_3, 36, 8)] {
            for (mode, points, seeds) in [(Mode::Full, full, 10), (Mode::Quick, quick, 4)] {
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
}
