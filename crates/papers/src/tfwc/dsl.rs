//! Figure 3.2: TFRC on a slow line, and TFWC in its place. The report's figure is one run; here the
//! spread over seeds, packet sizes, reverse traffic and random waiting times is shown.

use results::page::{Axis, Block, Cell, Chart, Column, Kind, Series, Table};

use super::FIRST_SEED;
use super::measure::{THETA, shares, spread};
use super::setting::{Access, Flows, Media, Network};
use crate::data::Data;
use crate::paper::{BASE, Figure, Key, Mode, Run, VARIATION};

/// Figure 3.2.
pub(super) const FIGURE_3_2: Figure = Figure {
    id: "3.2",
    title: "four flows of TCP beside four of TFRC or TFWC on a DSL line",
    shows: "TCP's part θ of the goodput of four TCP SACK flows and four others that share 1 Mb/s and \
            a queue of five packets: one point for each seed. 0.5 is fair; at 0 TCP starves.",
    parameters: &[
        (
            "bottleneck",
            "1 Mb/s, 10 ms, drop-tail, 5 packets as ns-2 counts (report)",
        ),
        (
            "access links",
            "15 Mb/s, 0.5 to 2 ms, drawn (report); one for each flow, at its sender (open choice: access)",
        ),
        (
            "duration",
            "200 s; the first 20 s are left out (report: 200 s)",
        ),
        (
            "start",
            "at random within the first second (open in the report)",
        ),
        (
            "packets",
            "1040 B on the wire for all (open choice: packets)",
        ),
        (
            "reverse",
            "four TCP flows the other way, 50 packets of queue",
        ),
        (
            "dither",
            "TCP and TFWC wait up to 8 ms, one packet's time, when an ACK opens the window",
        ),
        (
            "TCP",
            "SACK as in ns-2.35, whose timer stays backed off for longer; by the RFCs: RFC 6675 and RFC 6298, at least 200 ms",
        ),
        (
            "TFRC",
            "RFC 5348; (ns-2): the agent of ns-2.35, timeout term in ticks of 0.1 s",
        ),
        (
            "TFWC",
            "exact timer; (ticks): timer in ticks of 0.1 s, as in the author's code",
        ),
    ],
    plan,
    measure: shares,
    draw,
};

/// What differs from the printed set-up.
const CONDITIONS: [&str; 4] = ["", "reverse", "dither", "dither and reverse"];
/// What differs from how the author ran it.
const VARIANTS: [&str; 5] = [
    "",
    "packets = 1000 B",
    "packets = 1040 B and 1032 B",
    "access = both sides",
    "TCP = by the RFCs",
];
const MEDIA: [Media; 4] = [Media::TfrcNs2, Media::Tfrc, Media::TfwcTicks, Media::Tfwc];
const SEEDS_FULL: u64 = 20;
const SEEDS_QUICK: u64 = 10;
const DITHER_MS: f64 = 8.0;

pub(super) fn key(media: Media, condition: &str, variant: &str) -> Key {
    let mut parts = Vec::new();
    if !condition.is_empty() {
        parts.push(format!("traffic = {condition}"));
    }
    if !variant.is_empty() {
        parts.push(variant.to_owned());
    }
    let name = if parts.is_empty() {
        BASE.to_owned()
    } else {
        parts.join(", ")
    };
    Key::new()
        .with("protocol", media.name())
        .with(VARIATION, name.as_str())
}

fn plan(mode: Mode) -> Vec<Run> {
    let (seeds, conditions) = match mode {
        Mode::Quick => (SEEDS_QUICK, &CONDITIONS[..1]),
        Mode::Full => (SEEDS_FULL, &CONDITIONS[..]),
    };
    let mut runs = Vec::new();
    for media in MEDIA {
        for (number, condition) in conditions.iter().enumerate() {
            for variant in VARIANTS {
                let mut network = Network::dsl(1.0);
                if variant == VARIANTS[3] {
                    network.access = Access::Both;
                }
                let flows = |media| {
                    let mut flows = Flows::new(media, 4, (0, 1));
                    if number >= 2 {
                        flows = flows.dithered(DITHER_MS);
                    }
                    match variant {
                        "packets = 1000 B" => flows.sized(1_000),
                        "packets = 1040 B and 1032 B" => flows.with_headers(),
                        _ => flows,
                    }
                };
                let tcp = if variant == VARIANTS[4] {
                    Media::TcpRfc
                } else {
                    Media::Tcp
                };
                let mut groups = vec![flows(tcp), flows(media)];
                if number % 2 == 1 {
                    groups.push(flows(tcp).reversed());
                }
                runs.extend((FIRST_SEED..FIRST_SEED + seeds).map(|seed| Run {
                    key: key(media, condition, variant),
                    seed,
                    scenario: network.scenario("3.2", seed, &groups, ""),
                    work: network.packets(),
                }));
            }
        }
    }
    runs
}

fn draw(data: &Data) -> Vec<Block> {
    let mut blocks = Vec::new();
    let variations = data.variations();
    let chart = |media: Media| {
        let slug = key(media, "", "").slug();
        let of = |(at, variation): (usize, &&str)| {
            let of_variation = data.variation(variation);
            let samples = of_variation.samples(&key(media, "", ""), THETA).0;
            samples
                .into_iter()
                .map(move |(_, theta)| (at as f64, theta))
        };
        let points = variations.iter().enumerate().flat_map(of).collect();
        let chart = Chart::new(
            format!("tfwc-3.2-{slug}"),
            format!("TCP beside {}", media.name()),
            Axis::category("", "", variations.iter().copied()),
            Axis::linear("θ: TCP's share", "").range(0.0, 1.0),
        );
        Block::Chart(chart.with(Series::new("one seed", Kind::Points, points)))
    };
    blocks.push(Block::Grid(MEDIA.into_iter().map(chart).collect()));
    let mut table = Table::new(
        "TCP's share θ over the seeds",
        vec![
            Column::text("beside"),
            Column::text("variation"),
            Column::number("mean", ""),
            Column::number("median", ""),
            Column::number("least", ""),
            Column::number("greatest", ""),
        ],
    );
    for point in &data.points {
        let word = |axis| Cell::from(point.key.word(axis).unwrap_or_default());
        if let Some(spread) = spread(&point.samples(THETA)) {
            let cells = [word("protocol"), word(VARIATION)];
            let numbers = spread.map(Cell::Number);
            table.rows.push(cells.into_iter().chain(numbers).collect());
        }
    }
    blocks.push(Block::Table(table));
    blocks
}
