//! A paper of two small figures, for tests: runs of 2 s on a link of 1 Mb/s.

use std::sync::atomic::AtomicBool;

use experiments::Registry;
use experiments::simulation::Outcome;
use results::page::{Axis, Block, Chart, Kind, Series};

use crate::claim::{Claim, Judged, Quantity, Verdict};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Paper, Run};
use crate::runner::{Options, Reproduction, reproduce};
use crate::selection::Selection;

/// The paper, as a list of papers.
pub(crate) const PAPERS: &[Paper] = &[Paper {
    name: "toy",
    title: "A toy",
    authors: "Nobody",
    summary: "Flows on a slow link.",
    protocols: &["reno"],
    figures: &[
        Figure {
            id: "1",
            title: "goodput",
            shows: "Goodput by number of flows.",
            parameters: &[("bottleneck", "1 Mb/s")],
            plan: |mode| plan(mode, "1"),
            measure,
            draw: |data| draw("toy-1", data),
        },
        // Asks for the same scenarios and one more.
        Figure {
            id: "2",
            title: "goodput again",
            shows: "The same, with 3 flows as well.",
            parameters: &[],
            plan: |mode| plan(mode, "2"),
            measure,
            draw: |data| draw("toy-2", data),
        },
    ],
    claims: &[
        Claim {
            id: "1-fills",
            figures: &["1"],
            statement: "Two flows fill the link.",
            paper: Quantity::Number(0.96),
            unit: "Mb/s",
            rule: "Goodput of two flows is from 0.8 to 0.96 Mb/s.",
            judge: |evidence| {
                let key = Key::new().with("flows", 2);
                let goodput = evidence
                    .figure("1")
                    .samples(&key, "goodput_mbps")
                    .estimate();
                let goodput = goodput.expect("the plan has 2 flows");
                let fills = (0.8..=0.96).contains(&goodput.mean);
                Judged {
                    ours: goodput.mean.into(),
                    interval: goodput.interval(),
                    verdict: if fills {
                        Verdict::Reproduced
                    } else {
                        Verdict::NotReproduced
                    },
                    reason: "As measured.".to_owned(),
                }
            },
        },
        Claim {
            id: "2-same",
            figures: &["2", "1"],
            statement: "Both figures show the same.",
            paper: Quantity::words("the same"),
            unit: "",
            rule: "Equal numbers.",
            judge: |evidence| {
                let (one, two) = (evidence.figure("1"), evidence.figure("2"));
                let same = one.points.iter().all(|point| two.points.contains(point));
                Judged {
                    ours: Quantity::words(if same { "the same" } else { "different" }),
                    interval: None,
                    verdict: if same {
                        Verdict::Reproduced
                    } else {
                        Verdict::NotReproduced
                    },
                    reason: "Compared point by point.".to_owned(),
                }
            },
        },
    ],
    own: &["2-same"],
    choices: &[],
    found: &[],
    searched_seeds: 0,
}];

fn plan(mode: Mode, figure: &str) -> Vec<Run> {
    let seeds = if mode == Mode::Quick { 2 } else { 3 };
    let flow_numbers: &[u32] = if figure == "1" { &[1, 2] } else { &[1, 2, 3] };
    let run = |flows: u32, seed| Run {
        key: Key::new().with("flows", flows),
        seed,
        scenario: scenario(flows, seed),
        work: f64::from(flows),
    };
    flow_numbers
        .iter()
        .flat_map(|flows| (1..=seeds).map(move |seed| run(*flows, seed)))
        .collect()
}

fn scenario(flows: u32, seed: u64) -> String {
    format!(
        r#"duration = "2 s"
seed = {seed}

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "1 Mbps", delay = "10 ms", queue = {{ kind = "drop-tail", limit = "10 packets" }} }}

[[flows]]
label = "reno"
count = {flows}
protocol = "tcp"
start = {{ uniform = ["0 s", "100 ms"] }}
"#
    )
}

fn measure(outcome: &Outcome) -> Measured {
    let goodput_bps: f64 = outcome
        .summary
        .groups
        .iter()
        .map(|group| group.goodput_bps)
        .sum();
    Measured::default().value("goodput_mbps", goodput_bps / 1e6)
}

fn draw(id: &str, data: &Data) -> Vec<Block> {
    let points = data.points.iter().filter_map(|point| {
        Some((
            point.key.number("flows")?,
            point.samples("goodput_mbps").estimate()?.mean,
        ))
    });
    let series = Series::new("reno", Kind::Line, points.collect());
    let (x, y) = (Axis::linear("flows", ""), Axis::linear("goodput", "Mb/s"));
    vec![Block::Chart(Chart::new(id, "Goodput", x, y).with(series))]
}

/// The toy's figures of these names, in quick form.
pub(crate) fn quick(names: &[&str], threads: usize) -> Reproduction {
    let options = Options {
        mode: Mode::Quick,
        threads: Some(threads),
        registry: &Registry::standard(),
        interrupted: &AtomicBool::new(false),
        results: None,
        started: &|_| (),
        progress: &|_| (),
    };
    reproduce(&Selection::parse(PAPERS, names).unwrap(), &options).unwrap()
}
