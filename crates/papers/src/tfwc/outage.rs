//! Figure 5.4: what the rate mode of TFWC is for. Below two packets a window waits for an ACK that
//! may not come; a timer sends on.

use experiments::metrics::Moments;
use experiments::simulation::Outcome;
use results::page::{Axis, Block, Cell, Chart, Column, Kind, Series, Table};

use super::setting::{Flows, Media, Network, record};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Run};

/// Figure 5.4.
pub(super) const FIGURE_5_4: Figure = Figure {
    id: "5.4",
    title: "TFWC with and without rate mode on a slow line",
    shows: "How long a TFWC flow gets nothing through, and how even its goodput is: one flow of \
            TCP, TFRC and TFWC each, as printed, and eight of TCP beside eight of TFWC.",
    parameters: &[
        (
            "bottleneck",
            "1.5 Mb/s, 10 ms, drop-tail, 5 packets as ns-2 counts (rate open in the report)",
        ),
        ("access links", "15 Mb/s, 0.5 to 2 ms on each side, drawn"),
        ("duration", "200 s; the first 20 s are left out"),
        ("dither", "none, or up to 5.3 ms: one packet's time"),
        (
            "outage",
            "longest time in which no packet of a TFWC flow arrives, in steps of 100 ms",
        ),
        (
            "CoV",
            "standard deviation over mean of a TFWC flow's goodput in steps of 500 ms",
        ),
    ],
    plan,
    measure,
    draw,
};

pub(super) const MIXES: [&str; 2] = ["1 + 1 + 1", "8 + 8"];
pub(super) const DITHERS: [&str; 2] = ["none", "one packet"];
pub(super) const MODES: [Media; 2] = [Media::Tfwc, Media::TfwcWindow];
pub(super) const OUTAGE: &str = "longest_outage_s";
const COV: &str = "cov_500_ms";
const CURVE: &str = "goodput_mbps";
const SEEDS_FULL: u64 = 20;
const SEEDS_QUICK: u64 = 10;
const PACKET_MS: f64 = 16.0 / 3.0;

pub(super) fn key(media: Media, mix: &str, dither: &str) -> Key {
    Key::new()
        .with("protocol", media.name())
        .with("flows", mix)
        .with("dither", dither)
}

fn plan(mode: Mode) -> Vec<Run> {
    let seeds = match mode {
        Mode::Quick => SEEDS_QUICK,
        Mode::Full => SEEDS_FULL,
    };
    let network = Network::dsl(1.5);
    let mut runs = Vec::new();
    for mix in MIXES {
        for dither in DITHERS {
            for media in MODES {
                let flows = |media, count| {
                    let wait = if dither == DITHERS[1] { PACKET_MS } else { 0.0 };
                    Flows::new(media, count, (0, 1)).dithered(wait)
                };
                let groups = if mix == MIXES[0] {
                    vec![
                        flows(Media::Tcp, 1),
                        flows(Media::TfrcNs2, 1),
                        flows(media, 1),
                    ]
                } else {
                    vec![flows(Media::Tcp, 8), flows(media, 8)]
                };
                runs.extend((1..=seeds).map(|seed| Run {
                    key: key(media, mix, dither),
                    seed,
                    scenario: network.scenario("5.4", seed, &groups, &record("100 ms")),
                    work: network.packets(),
                }));
            }
        }
    }
    runs
}

fn measure(outcome: &Outcome) -> Measured {
    let summary = &outcome.summary;
    let flows = summary.flows.len();
    let (mut longest, mut variation) = (0_u32, Moments::default());
    let mut first_curve = Vec::new();
    for (number, flow) in summary.flows.iter().enumerate() {
        if flow.controller.as_deref() != Some("tfwc") {
            continue;
        }
        let samples = outcome.recording.flows.iter().skip(number).step_by(flows);
        let goodputs: Vec<(f64, f64)> = samples
            .filter(|sample| sample.time_s > summary.warmup_s)
            .map(|sample| (sample.time_s, sample.goodput_bps))
            .collect();
        let mut silent = 0;
        for (_, goodput) in &goodputs {
            silent = if *goodput > 0.0 { 0 } else { silent + 1 };
            longest = longest.max(silent);
        }
        let mut moments = Moments::default();
        for slot in goodputs.chunks_exact(5) {
            moments.add(slot.iter().map(|(_, goodput)| goodput).sum::<f64>() / 5.0);
        }
        if let (Some(mean), Some(deviation)) = (moments.mean(), moments.standard_deviation())
            && mean > 0.0
        {
            variation.add(deviation / mean);
        }
        if first_curve.is_empty() {
            // Means of a second, over the part of the run that the report shows.
            let shown: Vec<_> = goodputs.iter().filter(|(at, _)| *at > 140.0).collect();
            first_curve = shown
                .chunks_exact(10)
                .map(|slot| {
                    let sum: f64 = slot.iter().map(|(_, goodput)| goodput).sum();
                    (slot[9].0, sum / 1e7)
                })
                .collect();
        }
    }
    Measured::default()
        .value(OUTAGE, f64::from(longest) / 10.0)
        .value(COV, variation.mean())
        .curve(CURVE, first_curve)
}

fn draw(data: &Data) -> Vec<Block> {
    let mut charts = Vec::new();
    for (at, mix) in MIXES.iter().enumerate() {
        let mut chart = Chart::new(
            format!("tfwc-5.4-{at}"),
            format!("Goodput of one TFWC flow, {mix} flows, seed 1, no dither"),
            Axis::linear("time", "s").range(140.0, 200.0),
            Axis::linear("goodput", "Mb/s"),
        );
        for media in MODES {
            let point = data.point(&key(media, mix, DITHERS[0]));
            let curve = point.and_then(|point| point.runs.first());
            let curve = curve.and_then(|(_, run)| run.curves.get(CURVE)).cloned();
            chart = chart.with(Series::new(
                media.name(),
                Kind::Line,
                curve.unwrap_or_default(),
            ));
        }
        charts.push(Block::Chart(chart));
    }
    let mut table = Table::new(
        "Means over the seeds, with 95 % confidence intervals",
        vec![
            Column::text("protocol"),
            Column::text("flows"),
            Column::text("dither"),
            Column::number("longest outage", "s"),
            Column::number("CoV over 500 ms", ""),
        ],
    );
    for point in &data.points {
        let word = |axis| Cell::from(point.key.word(axis).unwrap_or_default());
        let mut row = vec![word("protocol"), word("flows"), word("dither")];
        for name in [OUTAGE, COV] {
            row.push(point.samples(name).cell());
        }
        table.rows.push(row);
    }
    let why = Block::text(
        "With eight of each, a window of one packet whose packet is dropped lives by its timer alone, \
         which doubles each time: after n drops in a row the flow has been silent for 2ⁿ − 1 \
         timeouts, and the queue of five packets, kept full by flows that ACKs clock, drops most of \
         these single packets. Some flows never come back before the end, TCP's as well as TFWC's. \
         In rate mode the timer does not double.",
    );
    vec![Block::Grid(charts), why, Block::Table(table)]
}
