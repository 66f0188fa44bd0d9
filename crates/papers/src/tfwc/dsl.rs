//! Figure 3.2: TFRC on a slow line, and TFWC in its place. The report's figure is one run; here the
//! spread over seeds, packet sizes, reverse traffic and random waiting times is shown.

use results::page::{Axis, Block, Cell, Chart, Column, Kind, Series, Table};

use super::measure::{THETA, shares, spread};
use super::setting::{Flows, Media, Network};
use crate::data::Data;
use crate::paper::{Figure, Key, Mode, Run};

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
            "15 Mb/s, 0.5 to 2 ms on each side, drawn (report)",
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
            "1000 B on the wire; with headers: TCP 1040 B, the others 1032 B",
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
pub(super) const CONDITIONS: [&str; 4] = ["as printed", "reverse", "dither", "dither and reverse"];
pub(super) const VARIANTS: [&str; 3] = ["1000 B", "with headers", "TCP by the RFCs"];
const MEDIA: [Media; 4] = [Media::Tfrc, Media::TfrcNs2, Media::Tfwc, Media::TfwcTicks];
const SEEDS_FULL: u64 = 20;
const SEEDS_QUICK: u64 = 10;
const DITHER_MS: f64 = 8.0;

pub(super) fn key(media: Media, condition: &str, variant: &str) -> Key {
    Key::new()
        .with("protocol", media.name())
        .with("condition", condition)
        .with("variant", variant)
}

fn plan(mode: Mode) -> Vec<Run> {
    let seeds = match mode {
        Mode::Quick => SEEDS_QUICK,
        Mode::Full => SEEDS_FULL,
    };
    let network = Network::dsl(1.0);
    let mut runs = Vec::new();
    for media in MEDIA {
        for (number, condition) in CONDITIONS.iter().enumerate() {
            for variant in VARIANTS {
                let flows = |media| {
                    let flows = Flows::new(media, 4, (0, 1));
                    let flows = if number >= 2 {
                        flows.dithered(DITHER_MS)
                    } else {
                        flows
                    };
                    if variant == VARIANTS[1] {
                        flows.with_headers()
                    } else {
                        flows
                    }
                };
                let tcp = if variant == VARIANTS[2] {
                    Media::TcpRfc
                } else {
                    Media::Tcp
                };
                let mut groups = vec![flows(tcp), flows(media)];
                if number % 2 == 1 {
                    groups.push(flows(tcp).reversed());
                }
                runs.extend((1..=seeds).map(|seed| Run {
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
    let chart = |media: Media| {
        let slug = key(media, "", "").slug();
        let mut chart = Chart::new(
            format!("tfwc-3.2-{slug}"),
            format!("TCP beside {}", media.name()),
            Axis::category("", "", CONDITIONS),
            Axis::linear("θ: TCP's share", "").range(0.0, 1.0),
        );
        for variant in VARIANTS {
            let of = |(at, condition): (usize, &&str)| {
                let samples = data.samples(&key(media, condition, variant), THETA).0;
                samples
                    .into_iter()
                    .map(move |(_, theta)| (at as f64, theta))
            };
            let points = CONDITIONS.iter().enumerate().flat_map(of).collect();
            chart = chart.with(Series::new(variant, Kind::Points, points));
        }
        Block::Chart(chart)
    };
    blocks.push(Block::Grid(MEDIA.into_iter().map(chart).collect()));
    let mut table = Table::new(
        "TCP's share θ over the seeds",
        vec![
            Column::text("beside"),
            Column::text("condition"),
            Column::text("variant"),
            Column::number("mean", ""),
            Column::number("median", ""),
            Column::number("least", ""),
            Column::number("greatest", ""),
        ],
    );
    for point in &data.points {
        let word = |axis| Cell::from(point.key.word(axis).unwrap_or_default());
        if let Some(spread) = spread(&point.samples(THETA)) {
            let cells = [word("protocol"), word("condition"), word("variant")];
            let numbers = spread.map(Cell::Number);
            table.rows.push(cells.into_iter().chain(numbers).collect());
        }
    }
    blocks.push(Block::Table(table));
    blocks
}
