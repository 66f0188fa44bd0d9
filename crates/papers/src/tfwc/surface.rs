//! Figures 6.7 and 6.8: TCP's share over bandwidth and number of flows, with drop-tail and with RED,
//! and what reverse traffic alone changes.

use results::page::{Axis, Block, ColourScale, HeatMap};

use super::FIRST_SEED;
use super::measure::{THETA, shares};
use super::setting::{Flows, Media, Network, Queue, Reverse, product};
use crate::data::Data;
use crate::paper::{BASE, Figure, Key, Mode, Run, VARIATION};

/// Figure 6.7.
pub(super) const FIGURE_6_7: Figure = Figure {
    id: "6.7",
    title: "fairness over bandwidth and number of flows, drop-tail",
    shows: "TCP's part θ of the goodput of n flows of TCP SACK and n of TFRC (a) or TFWC (b), for each \
            bandwidth and n; with and without traffic the other way. 0.5 is fair.",
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

/// TFRC and TFWC as the author ran them: timeout terms in ticks of 0.1 s.
pub(super) const MEDIA: [Media; 2] = [Media::TfrcNs2, Media::TfwcTicks];
pub(super) const REVERSE: [&str; 2] = ["none", "as many"];
const MBPS_FULL: [f64; 12] = [
    0.1, 0.2, 0.5, 0.8, 1.0, 1.5, 2.0, 4.0, 6.0, 10.0, 15.0, 20.0,
];
const MBPS_QUICK: [f64; 6] = [0.2, 0.5, 0.8, 1.5, 6.0, 10.0];
const FLOWS_FULL: [u32; 7] = [1, 2, 5, 10, 20, 50, 100];
const FLOWS_QUICK: [u32; 3] = [1, 5, 20];
/// Cells of the variations.
const MBPS_FEW: [f64; 5] = [0.2, 0.5, 1.0, 6.0, 20.0];
const FLOWS_FEW: [u32; 4] = [1, 5, 20, 100];
const SEEDS_FULL: u64 = 10;
const SEEDS_QUICK: u64 = 3;

/// What is chosen otherwise than the author did.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Choice {
    Base,
    /// Random waiting times of up to one packet.
    Dither,
    /// TFRC by RFC 5348, TFWC with the exact timer of eq. 5.6.
    ExactTimers,
    /// TCP by RFC 6675 and RFC 6298.
    RfcTcp,
    /// 50 packets, drop-tail, the other way.
    Fifty,
}

impl Choice {
    fn name(self) -> &'static str {
        match self {
            Self::Base => BASE,
            Self::Dither => "dither = one packet",
            Self::ExactTimers => "timers = exact",
            Self::RfcTcp => "TCP = by the RFCs",
            Self::Fifty => "reverse queue = 50 packets",
        }
    }
}

pub(super) fn key(media: Media, reverse: &str, size: (f64, u32)) -> Key {
    key_with(Choice::Base, media, reverse, size)
}

fn key_with(choice: Choice, media: Media, reverse: &str, (mbps, flows): (f64, u32)) -> Key {
    Key::new()
        .with("protocol", media.name())
        .with("reverse", reverse)
        .with("mbps", mbps)
        .with("flows", flows)
        .with(VARIATION, choice.name())
}

/// A cell of a surface.
fn cell(
    (choice, media, red): (Choice, Media, bool),
    reverse: &str,
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
    let mut network = Network::short(mbps, queue, duration_s);
    if choice == Choice::Fifty {
        network.reverse = Reverse::Fifty;
    }
    let packet_ms = if choice == Choice::Dither {
        8.0 / mbps
    } else {
        0.0
    };
    let tcp = if choice == Choice::RfcTcp {
        Media::TcpRfc
    } else {
        Media::Tcp
    };
    let other = match (choice, media) {
        (Choice::ExactTimers, Media::TfrcNs2) => Media::Tfrc,
        (Choice::ExactTimers, _) => Media::Tfwc,
        _ => media,
    };
    let group = |media, start| Flows::new(media, flows, start).dithered(packet_ms);
    let mut groups = vec![
        group(tcp, (1, 10)).called(Media::Tcp.name()),
        group(other, (1, 10)).called(media.name()),
    ];
    if reverse == REVERSE[1] {
        groups.push(group(tcp, (10, 15)).reversed());
    }
    Run {
        key: key_with(choice, media, reverse, (mbps, flows)),
        seed,
        scenario: network.scenario(if red { "6.8" } else { "6.7" }, seed, &groups, ""),
        work: network.packets() * groups.len() as f64 / 2.0,
    }
}

fn plan(red: bool, mode: Mode) -> Vec<Run> {
    let (seeds, duration_s) = match mode {
        Mode::Quick => (SEEDS_QUICK, 80),
        Mode::Full => (SEEDS_FULL, 200),
    };
    let choices: &[Choice] = match mode {
        Mode::Quick => &[Choice::Base],
        Mode::Full => &[
            Choice::Base,
            Choice::Dither,
            Choice::ExactTimers,
            Choice::RfcTcp,
            Choice::Fifty,
        ],
    };
    let mut runs = Vec::new();
    for choice in choices {
        let (all_mbps, all_flows): (&[f64], &[u32]) = match (mode, choice) {
            (Mode::Quick, _) => (&MBPS_QUICK, &FLOWS_QUICK),
            (Mode::Full, Choice::Base) => (&MBPS_FULL, &FLOWS_FULL),
            (Mode::Full, _) => (&MBPS_FEW, &FLOWS_FEW),
        };
        for media in MEDIA {
            for reverse in REVERSE {
                for mbps in all_mbps {
                    for flows in all_flows {
                        runs.extend((FIRST_SEED..FIRST_SEED + seeds).map(|seed| {
                            let size = (*mbps, *flows);
                            cell((*choice, media, red), reverse, size, (duration_s, seed))
                        }));
                    }
                }
            }
        }
    }
    runs
}

fn draw(figure: &str, data: &Data) -> Vec<Block> {
    let parts = || ["a", "b"].into_iter().zip(MEDIA);
    let all = |variation: &str| -> Vec<HeatMap> {
        let data = data.variation(variation);
        let of = |(part, media)| {
            REVERSE.map(|reverse| map((figure, part), (media, reverse), variation, &data))
        };
        parts().flat_map(of).collect()
    };
    let mut blocks = vec![Block::Grid(
        all(BASE).into_iter().map(Block::HeatMap).collect(),
    )];
    blocks.push(Block::text(
        "The same as surfaces, as the report draws them: lower and blue is less for TCP.",
    ));
    let reliefs = all(BASE).into_iter().map(|mut relief| {
        relief.id += "-surface";
        Block::Relief(relief)
    });
    blocks.push(Block::Grid(reliefs.collect()));
    for variation in data.variations().into_iter().filter(|name| *name != BASE) {
        blocks.push(Block::text(format!("With {variation}:")));
        blocks.push(Block::Grid(
            all(variation).into_iter().map(Block::HeatMap).collect(),
        ));
    }
    blocks
}

/// θ over bandwidth and number of flows, where there are such cells.
fn map(
    (figure, part): (&str, &str),
    (media, reverse): (Media, &str),
    variation: &str,
    data: &Data,
) -> HeatMap {
    let mean = |mbps: f64, flows: f64| {
        let estimate = data
            .samples(&key(media, reverse, (mbps, flows as u32)), THETA)
            .estimate();
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
            "tfwc-{figure}{part}-{}-{}",
            slug(reverse),
            Key::new().with(VARIATION, variation).slug()
        ),
        title: format!(
            "({part}) TCP beside {}; reverse flows: {reverse}",
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

macro_rules! parameters {
    ($queue:literal) => {
        &[
            (
                "bottleneck",
                "0.1 to 20 Mb/s, 10 ms (report); a round trip of 22.5 ms (captions: 22.0 ms)",
            ),
            (
                "access links",
                "50 Mb/s, 0.5 to 2 ms, drawn; one for each flow, at its sender (the author's scripts of June 2006)",
            ),
            ("queue", $queue),
            (
                "flows",
                "n of TCP SACK and n of TFRC as in ns-2.35, or of TFWC with a timer in ticks of 0.1 s",
            ),
            (
                "reverse",
                "none, or n TCP flows the other way, through a queue like the bottleneck's (open choice: reverse queue)",
            ),
            (
                "dither",
                "none (open choice: dither)",
            ),
            (
                "duration",
                "200 s (quick form: 80 s); the first 20 s are left out",
            ),
            (
                "start",
                "at random from 1 to 10 s, reverse flows from 10 to 15 s (the author's scripts)",
            ),
            ("packets", "1040 B on the wire for all"),
        ]
    };
}

const PARAMETERS_6_7: &[(&str, &str)] =
    parameters!("drop-tail, a bandwidth-delay product, at least 5 packets as ns-2 counts");
const PARAMETERS_6_8: &[(&str, &str)] = parameters!(
    "RED, gentle, by packets, the same limit Q; thresholds 5 and 15, weight automatic, largest \
     probability twice that at which the equation gives a flow its share"
);

#[cfg(test)]
mod tests {
    use super::*;

    /// 2 protocols × 2 conditions × 12 bandwidths × 7 numbers of flows × 10 seeds = 3360, and with each
    /// of four variations 2 × 2 × 5 × 4 × 10 = 800. Quick: 2 × 2 × 6 × 3 cells × 3 seeds.
    #[test]
    fn the_full_surface_has_every_cell() {
        assert_eq!(plan(false, Mode::Full).len(), 3_360 + 4 * 800);
        assert_eq!(plan(true, Mode::Quick).len(), 216);
    }
}
