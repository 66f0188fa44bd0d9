//! Figures 6.7 and 6.8: TCP's share over bandwidth and number of flows, with drop-tail and with RED,
//! and what reverse traffic alone changes.

use results::page::{Axis, Block, Chart, ColourScale, HeatMap, Kind, Series};

use super::measure::{THETA, shares};
use super::setting::{Flows, Media, Network, Queue, product};
use crate::data::Data;
use crate::paper::{Figure, Key, Mode, Run};

/// Figure 6.7.
pub(super) const FIGURE_6_7: Figure = Figure {
    id: "6.7",
    title: "fairness over bandwidth and number of flows, drop-tail",
    shows: "TCP's part θ of the goodput of n flows of TCP SACK and n of TFRC (a) or TFWC (b), for each \
            bandwidth and n; with and without traffic the other way, with and without random waiting \
            times. 0.5 is fair.",
    parameters: PARAMETERS_6_7,
    plan: |mode| plan(false, mode),
    measure: shares,
    draw: |data| draw("6.7", data),
};

/// Figure 6.8.
pub(super) const FIGURE_6_8: Figure = Figure {
    id: "6.8",
    title: "fairness over bandwidth and number of flows, RED",
    shows: "The same with RED at the bottleneck.",
    parameters: PARAMETERS_6_8,
    plan: |mode| plan(true, mode),
    measure: shares,
    draw: |data| draw("6.8", data),
};

/// The confound of Figures 6.7 and 6.8.
pub(super) const CONFOUND: Figure = Figure {
    id: "confound",
    title: "what reverse traffic alone does to the comparison",
    shows: "TCP's part θ beside TFRC and beside TFWC over the bandwidth, each with and without as many \
            TCP flows the other way. The scripts of the report ran TFRC without reverse traffic and \
            TFWC with it: compare these two lines, and then those of equal conditions.",
    parameters: &[
        ("flows", "four of each"),
        (
            "all else",
            "as in Figure 6.7, with random waiting times of up to one packet",
        ),
        ("TFRC", "RFC 5348; (ns-2): the agent of ns-2.35"),
        (
            "TCP",
            "SACK as in ns-2.35; (RFC): RFC 6675 and RFC 6298, timeout at least 200 ms",
        ),
    ],
    plan: plan_confound,
    measure: shares,
    draw: draw_confound,
};

pub(super) const MEDIA: [Media; 2] = [Media::Tfrc, Media::Tfwc];
/// How TCP repairs losses and times out.
pub(super) const READINGS: [Media; 2] = [Media::Tcp, Media::TcpRfc];
pub(super) const CONFOUND_MEDIA: [Media; 3] = [Media::Tfrc, Media::TfrcNs2, Media::Tfwc];
pub(super) const REVERSE: [&str; 2] = ["none", "as many"];
pub(super) const DITHERS: [&str; 2] = ["one packet", "none"];
const MBPS_FULL: [f64; 10] = [0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 6.0, 10.0, 15.0, 20.0];
const MBPS_QUICK: [f64; 3] = [0.2, 1.0, 6.0];
const FLOWS_FULL: [u32; 7] = [1, 2, 5, 10, 20, 50, 100];
const FLOWS_QUICK: [u32; 3] = [1, 5, 20];
/// Cells with TCP by the RFCs, at the condition [`RFC_AT`].
const MBPS_RFC: [f64; 5] = [0.2, 1.0, 2.0, 6.0, 20.0];
const FLOWS_RFC: [u32; 4] = [1, 5, 20, 100];
/// The condition in which nothing locks in phase: traffic the other way, and dither.
pub(super) const RFC_AT: (&str, &str) = (REVERSE[1], DITHERS[0]);
const SEEDS_FULL: u64 = 10;
const SEEDS_QUICK: u64 = 3;

pub(super) fn key(
    (tcp, media): (Media, Media),
    (reverse, dither): (&str, &str),
    (mbps, flows): (f64, u32),
) -> Key {
    Key::new()
        .with("tcp", tcp.name())
        .with("protocol", media.name())
        .with("reverse", reverse)
        .with("dither", dither)
        .with("mbps", mbps)
        .with("flows", flows)
}

/// A cell of a surface.
fn cell(
    (tcp, media, red): (Media, Media, bool),
    (reverse, dither): (&str, &str),
    (mbps, flows): (f64, u32),
    (duration_s, seed): (u32, u64),
) -> Run {
    let limit = product(mbps);
    let queue = if red {
        Queue::Red {
            limit,
            flows: 2 * flows,
        }
    } else {
        Queue::DropTail(limit)
    };
    let network = Network::short(mbps, queue, duration_s);
    let packet_ms = if dither == DITHERS[0] {
        8.0 / mbps
    } else {
        0.0
    };
    let group = |media, start| Flows::new(media, flows, start).dithered(packet_ms);
    let mut groups = vec![group(tcp, (1, 10)), group(media, (1, 10))];
    if reverse == REVERSE[1] {
        groups.push(group(tcp, (10, 15)).reversed());
    }
    Run {
        key: key((tcp, media), (reverse, dither), (mbps, flows)),
        seed,
        scenario: network.scenario(if red { "6.8" } else { "6.7" }, seed, &groups, ""),
        work: network.packets() * groups.len() as f64 / 2.0,
    }
}

fn plan(red: bool, mode: Mode) -> Vec<Run> {
    let (all_mbps, all_flows, seeds, duration_s): (&[f64], &[u32], u64, u32) = match mode {
        Mode::Quick => (&MBPS_QUICK, &FLOWS_QUICK, SEEDS_QUICK, 80),
        Mode::Full => (&MBPS_FULL, &FLOWS_FULL, SEEDS_FULL, 200),
    };
    let mut cells = Vec::new();
    for media in MEDIA {
        for reverse in REVERSE {
            for dither in DITHERS {
                for mbps in all_mbps {
                    for flows in all_flows {
                        let at = (reverse, dither);
                        cells.push(((Media::Tcp, media), at, (*mbps, *flows)));
                    }
                }
            }
        }
        let (rfc_mbps, rfc_flows): (&[f64], &[u32]) = match mode {
            Mode::Quick => (&MBPS_QUICK, &FLOWS_QUICK),
            Mode::Full => (&MBPS_RFC, &FLOWS_RFC),
        };
        for mbps in rfc_mbps {
            for flows in rfc_flows {
                cells.push(((Media::TcpRfc, media), RFC_AT, (*mbps, *flows)));
            }
        }
    }
    cells
        .into_iter()
        .flat_map(|((tcp, media), at, size)| {
            (1..=seeds).map(move |seed| cell((tcp, media, red), at, size, (duration_s, seed)))
        })
        .collect()
}

pub(super) fn confound_key(tcp: Media, media: Media, reverse: &str, mbps: f64) -> Key {
    Key::new()
        .with("tcp", tcp.name())
        .with("protocol", media.name())
        .with("reverse", reverse)
        .with("mbps", mbps)
}

fn plan_confound(mode: Mode) -> Vec<Run> {
    let (seeds, duration_s) = match mode {
        Mode::Quick => (SEEDS_QUICK, 80),
        Mode::Full => (SEEDS_FULL, 200),
    };
    let mut runs = Vec::new();
    for tcp in READINGS {
        for media in CONFOUND_MEDIA {
            for reverse in REVERSE {
                for mbps in CONFOUND_MBPS {
                    runs.extend((1..=seeds).map(|seed| Run {
                        key: confound_key(tcp, media, reverse, mbps),
                        ..cell(
                            (tcp, media, false),
                            (reverse, DITHERS[0]),
                            (mbps, 4),
                            (duration_s, seed),
                        )
                    }));
                }
            }
        }
    }
    runs
}

const CONFOUND_MBPS: [f64; 6] = [0.2, 0.5, 1.0, 2.0, 4.0, 6.0];

fn draw(figure: &str, data: &Data) -> Vec<Block> {
    let parts = || ["a", "b"].into_iter().zip(MEDIA);
    let mut blocks = Vec::new();
    for (part, media) in parts() {
        let mut maps = Vec::new();
        for reverse in REVERSE {
            for dither in DITHERS {
                let at = (reverse, dither);
                maps.push(Block::HeatMap(map(
                    figure,
                    part,
                    (Media::Tcp, media),
                    at,
                    data,
                )));
            }
        }
        blocks.push(Block::Grid(maps));
    }
    blocks.push(Block::text(
        "The same as surfaces, as the report draws them, with dither: lower and blue is less for TCP.",
    ));
    let mut reliefs = Vec::new();
    for reverse in REVERSE {
        for (part, media) in parts() {
            let at = (reverse, DITHERS[0]);
            let mut relief = map(figure, part, (Media::Tcp, media), at, data);
            relief.id += "-surface";
            reliefs.push(Block::Relief(relief));
        }
    }
    blocks.push(Block::Grid(reliefs));
    blocks.push(Block::text(
        "The same with TCP by the RFCs (RFC 6675, RFC 6298, timeout at least 200 ms) in fewer cells: how much \
         of these surfaces is TCP's timer.",
    ));
    let rfc = |(part, media)| {
        let tcp = (Media::TcpRfc, media);
        Block::HeatMap(map(figure, part, tcp, RFC_AT, data))
    };
    blocks.push(Block::Grid(parts().map(rfc).collect()));
    blocks
}

/// θ over bandwidth and number of flows, where there are such cells.
fn map(
    figure: &str,
    part: &str,
    (tcp, media): (Media, Media),
    (reverse, dither): (&str, &str),
    data: &Data,
) -> HeatMap {
    let mean = |mbps: f64, flows: f64| {
        let key = key((tcp, media), (reverse, dither), (mbps, flows as u32));
        let estimate = data.samples(&key, THETA).estimate();
        estimate.map(|estimate| estimate.mean)
    };
    let (mut all_mbps, mut all_flows) = (data.numbers("mbps"), data.numbers("flows"));
    let (some_mbps, some_flows) = (all_mbps.clone(), all_flows.clone());
    all_mbps.retain(|mbps| some_flows.iter().any(|flows| mean(*mbps, *flows).is_some()));
    all_flows.retain(|flows| some_mbps.iter().any(|mbps| mean(*mbps, *flows).is_some()));
    let row = |mbps: &f64| -> Vec<Option<f64>> {
        all_flows.iter().map(|flows| mean(*mbps, *flows)).collect()
    };
    let shown =
        |numbers: &[f64]| -> Vec<String> { numbers.iter().map(ToString::to_string).collect() };
    HeatMap {
        id: format!(
            "tfwc-{figure}{part}-{}-{}-{}",
            tcp.id().replace('_', "-"),
            slug(reverse),
            slug(dither)
        ),
        title: format!(
            "({part}) {} beside {}; reverse flows: {reverse}; dither: {dither}",
            tcp.name(),
            media.name()
        ),
        x: Axis::category("flows of each", "", shown(&all_flows)),
        y: Axis::category("bottleneck", "Mb/s", shown(&all_mbps)),
        values: all_mbps.iter().map(row).collect(),
        label: "θ: TCP's share".to_owned(),
        unit: String::new(),
        // All shares, so that maps can be compared.
        scale: ColourScale::Around {
            centre: 0.5,
            reach: 0.5,
        },
        notes: Vec::new(),
        height: None,
    }
}

fn slug(words: &str) -> String {
    words.replace(' ', "-")
}

fn draw_confound(data: &Data) -> Vec<Block> {
    let chart = |tcp: Media| {
        let mut chart = Chart::new(
            format!("tfwc-confound-{}", confound_key(tcp, tcp, "", 0.0).slug()),
            format!("{}: its share with and without reverse traffic", tcp.name()),
            Axis::log("bottleneck", "Mb/s"),
            Axis::linear("θ: TCP's share", "").range(0.0, 1.0),
        );
        for media in CONFOUND_MEDIA {
            for reverse in REVERSE {
                let (mut points, mut intervals) = (Vec::new(), Vec::new());
                for mbps in data.numbers("mbps") {
                    let samples = data.samples(&confound_key(tcp, media, reverse, mbps), THETA);
                    if let Some(theta) = samples.estimate() {
                        points.push((mbps, theta.mean));
                        intervals.push(theta.ends());
                    }
                }
                let name = format!("beside {}, reverse flows: {reverse}", media.name());
                chart = chart.with(Series::new(name, Kind::Line, points).interval(intervals));
            }
        }
        Block::Chart(chart)
    };
    READINGS.into_iter().map(chart).collect()
}

macro_rules! parameters {
    ($queue:literal) => {
        &[
            (
                "bottleneck",
                "0.1 to 20 Mb/s, 10 ms (report); a round trip of 22.5 ms",
            ),
            (
                "access links",
                "50 Mb/s, 0.5 to 2 ms on each side, drawn (the author's scripts of June 2006)",
            ),
            ("queue", $queue),
            (
                "flows",
                "n of TCP SACK as in ns-2.35 and n of TFRC (RFC 5348) or TFWC",
            ),
            (
                "TCP (RFC)",
                "RFC 6675 and RFC 6298, timeout at least 200 ms: with reverse flows and dither, fewer \
                 cells",
            ),
            (
                "reverse",
                "none, or n TCP flows the other way, 50 packets of queue",
            ),
            (
                "dither",
                "none, or TCP and TFWC wait up to one packet's time when an ACK opens the window",
            ),
            (
                "duration",
                "200 s (quick form: 80 s); the first 20 s are left out",
            ),
            (
                "start",
                "at random from 1 to 10 s, reverse flows from 10 to 15 s (the author's scripts)",
            ),
            ("packets", "1000 B on the wire"),
        ]
    };
}

const PARAMETERS_6_7: &[(&str, &str)] =
    parameters!("drop-tail, a bandwidth-delay product, at least 5 packets as ns-2 counts");
const PARAMETERS_6_8: &[(&str, &str)] = parameters!(
    "RED, gentle, by packets, the same limit Q; thresholds Q/6 and Q/2, weight automatic, largest \
     probability twice that at which the equation gives a flow its share"
);

#[cfg(test)]
mod tests {
    use super::*;

    /// 2 protocols × 2 × 2 conditions × 10 bandwidths × 7 numbers of flows × 10 seeds = 5600, and with
    /// TCP by the RFCs 2 × 5 × 4 × 10 = 400. Quick: 2 × (4 + 1) × 9 cells × 3 seeds.
    #[test]
    fn the_full_surface_has_every_cell() {
        assert_eq!(plan(false, Mode::Full).len(), 6_000);
        assert_eq!(plan(true, Mode::Quick).len(), 10 * 9 * 3);
    }
}
