//! Figures 3 to 16: two connections over 600 s, of standard TCP and of SmoothTCP, without and with
//! three forced losses.

use results::page::{Along, Axis, Block, Chart, Dash, Kind, Series};

use super::measure::{
    ARRIVALS, DROPS, LIMIT, QUENCHES, QUEUE, RTT, WINDOW, measure, of_connection,
};
use super::setting::{CONNECTIONS, ERRORS_S, Sender, Setting, Smooth, runs, smooths};
use super::tables::{NOTE, tables};
use crate::data::{Data, Point};
use crate::paper::{BASE, Figure, Key, Mode, Run, VARIATION};

/// A figure of the paper: whose connections, and which of the three pairs of series.
macro_rules! figure {
    ($id:literal, $title:literal, $shows:literal, $whose:expr, $panel:expr) => {
        Figure {
            id: $id,
            title: $title,
            shows: $shows,
            parameters: $whose.parameters(),
            plan: |mode| $whose.plan(mode),
            measure,
            draw: |data| draw($id, &$whose, $panel, data),
        }
    };
}

/// Figure 1, of runs of Figure 6.
pub(super) const FIGURE_1: Figure = Figure {
    id: "1",
    title: "evolution of the slow start",
    shows: "The congestion window in slow start, and the limit that its curve approaches: with each \
            drop a new iteration begins, whose limit is the window at the drop (equations 8 to 11).",
    parameters: SMOOTH,
    plan: |mode| {
        let smooths = smooths(mode, &[0.005]).into_iter();
        let settings: Vec<_> = smooths
            .map(|smooth| Setting::of(Sender::Smooth(smooth), false))
            .collect();
        runs(&settings, mode)
    },
    measure,
    draw: draw_slow_start,
};

fn draw_slow_start(data: &Data) -> Vec<Block> {
    let chart = |variation: &str, data: &Data| {
        let mut chart = Chart::new(
            format!("smoothtcp-1-{}", slug(variation)),
            format!("Slow start, {}", reading(variation)),
            Axis::linear("time", "s").range(0.0, 200.0),
            Axis::linear("window", "packets"),
        );
        let runs = data.points.first().and_then(|point| point.runs.first());
        let Some((_, run)) = runs else { return chart };
        for (connection, label) in CONNECTIONS.iter().enumerate() {
            for (name, what, dash) in [(WINDOW, "", Dash::Solid), (LIMIT, ", limit", Dash::Dashed)]
            {
                let curve = run.curves.get(&of_connection(name, connection));
                let early = curve.into_iter().flatten().filter(|(at, _)| *at <= 200.0);
                let series = Series::new(
                    format!("{label}{what}"),
                    Kind::Line,
                    early.copied().collect(),
                );
                chart = chart.with(series.colour(*label).dash(dash));
            }
        }
        chart
    };
    data.variations()
        .into_iter()
        .map(|name| Block::Chart(chart(name, &data.variation(name))))
        .collect()
}

pub(super) const FIGURE_3: Figure = figure!(
    "3",
    "round trip and window of standard TCP",
    "The congestion window of each connection, and the round trip that it measures.",
    Whose::Standard { errors: false },
    Panel::WindowAndRtt
);
pub(super) const FIGURE_4: Figure = figure!(
    "4",
    "queue and source quenches of standard TCP",
    "What waits in the router's queue, and how many source quenches have reached each sender, which \
     standard TCP ignores.",
    Whose::Standard { errors: false },
    Panel::QueueAndQuenches
);
pub(super) const FIGURE_5: Figure = figure!(
    "5",
    "drops and arrivals of standard TCP",
    "How many packets the router has dropped, and how many arrive in each second.",
    Whose::Standard { errors: false },
    Panel::DropsAndArrivals
);
pub(super) const FIGURE_6: Figure = figure!(
    "6",
    "round trip and window of SmoothTCP",
    "As Figure 3, with κ = 0.005; the table has κ = 0.001 and 0.010, too.",
    Whose::SMOOTH,
    Panel::WindowAndRtt
);
pub(super) const FIGURE_7: Figure = figure!(
    "7",
    "queue and source quenches of SmoothTCP",
    "As Figure 4, with κ = 0.005.",
    Whose::SMOOTH,
    Panel::QueueAndQuenches
);
pub(super) const FIGURE_8: Figure = figure!(
    "8",
    "drops and arrivals of SmoothTCP",
    "As Figure 5, with κ = 0.005.",
    Whose::SMOOTH,
    Panel::DropsAndArrivals
);
pub(super) const FIGURE_9: Figure = figure!(
    "9",
    "round trip and window of standard TCP with forced losses",
    "As Figure 3, with three packets of each connection lost.",
    Whose::Standard { errors: true },
    Panel::WindowAndRtt
);
pub(super) const FIGURE_10: Figure = figure!(
    "10",
    "queue and source quenches of standard TCP with forced losses",
    "As Figure 4, with three packets of each connection lost.",
    Whose::Standard { errors: true },
    Panel::QueueAndQuenches
);
pub(super) const FIGURE_11: Figure = figure!(
    "11",
    "round trip and window of SmoothTCP with forced losses",
    "As Figure 6, with three packets of each connection lost and κ = 0.001.",
    Whose::forced(0.001),
    Panel::WindowAndRtt
);
pub(super) const FIGURE_12: Figure = figure!(
    "12",
    "queue and source quenches of SmoothTCP with forced losses",
    "As Figure 7, with three packets of each connection lost and κ = 0.001.",
    Whose::forced(0.001),
    Panel::QueueAndQuenches
);
pub(super) const FIGURE_13: Figure = figure!(
    "13",
    "round trip and window of SmoothTCP, κ = 0.005",
    "As Figure 11, with κ = 0.005.",
    Whose::forced(0.005),
    Panel::WindowAndRtt
);
pub(super) const FIGURE_14: Figure = figure!(
    "14",
    "queue and source quenches of SmoothTCP, κ = 0.005",
    "As Figure 12, with κ = 0.005.",
    Whose::forced(0.005),
    Panel::QueueAndQuenches
);
pub(super) const FIGURE_15: Figure = figure!(
    "15",
    "round trip and window of SmoothTCP, κ = 0.010",
    "As Figure 11, with κ = 0.010.",
    Whose::forced(0.010),
    Panel::WindowAndRtt
);
pub(super) const FIGURE_16: Figure = figure!(
    "16",
    "queue and source quenches of SmoothTCP, κ = 0.010",
    "As Figure 12, with κ = 0.010.",
    Whose::forced(0.010),
    Panel::QueueAndQuenches
);

/// Whose connections a figure shows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Whose {
    Standard {
        errors: bool,
    },
    /// With the first κ in the charts and all in the table.
    Smooth {
        kappas: &'static [f64],
        errors: bool,
    },
}

impl Whose {
    const SMOOTH: Self = Self::Smooth {
        kappas: &[0.005, 0.001, 0.010],
        errors: false,
    };

    /// SmoothTCP with forced losses. One κ for each figure, as in the paper.
    const fn forced(kappa: f64) -> Self {
        let kappas: &'static [f64] = if kappa < 0.002 {
            &[0.001]
        } else if kappa < 0.007 {
            &[0.005]
        } else {
            &[0.010]
        };
        Self::Smooth {
            kappas,
            errors: true,
        }
    }

    fn plan(self, mode: Mode) -> Vec<Run> {
        let settings: Vec<Setting> = match self {
            Self::Standard { errors } => vec![Setting::of(Sender::Standard, errors)],
            Self::Smooth { kappas, errors } => smooths(mode, kappas)
                .into_iter()
                .map(|smooth| Setting::of(Sender::Smooth(smooth), errors))
                .collect(),
        };
        runs(&settings, mode)
    }

    const fn parameters(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Standard { .. } => STANDARD,
            Self::Smooth { .. } => SMOOTH,
        }
    }

    const fn errors(self) -> bool {
        let (Self::Standard { errors } | Self::Smooth { errors, .. }) = self;
        errors
    }
}

/// Which of the paper's pairs of series a figure shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Panel {
    WindowAndRtt,
    QueueAndQuenches,
    DropsAndArrivals,
}

fn draw(id: &str, whose: &Whose, panel: Panel, data: &Data) -> Vec<Block> {
    let mut blocks = Vec::new();
    match whose {
        Whose::Standard { .. } => {
            if let Some(point) = data.points.first() {
                blocks.extend(charts(&format!("smoothtcp-{id}"), "", whose, panel, point));
            }
        }
        Whose::Smooth { kappas, .. } => {
            for variation in data.variations() {
                let of_variation = data.variation(variation);
                if let Some(point) = of_variation.point(&Smooth::in_base(kappas[0]).key()) {
                    let name = format!("smoothtcp-{id}-{}", slug(variation));
                    let title = format!(", {}", reading(variation));
                    blocks.extend(charts(&name, &title, whose, panel, point));
                }
            }
        }
    }
    blocks.extend(tables(panel).map(|table| Block::Table(table.of(data))));
    blocks.push(Block::text(NOTE));
    blocks
}

/// A variation in words.
pub(super) fn reading(variation: &str) -> String {
    match variation {
        BASE => "differential, closed".to_owned(),
        other => other.to_owned(),
    }
}

/// A variation as a part of an id.
pub(super) fn slug(variation: &str) -> String {
    Key::new().with(VARIATION, variation).slug()
}

/// Of a chart: the end of its id, its title, its y axis, and names and labels of its series.
type Part = (&'static str, &'static str, Axis, Vec<(String, String)>);

/// The two charts of a panel, for one run.
fn charts(name: &str, of: &str, whose: &Whose, panel: Panel, point: &Point) -> Vec<Block> {
    let both = |name| [of_connection(name, 0), of_connection(name, 1)];
    let two = |name| both(name).into_iter().zip(CONNECTIONS.map(str::to_owned));
    let one = |name: &str, label: &str| vec![(name.to_owned(), label.to_owned())];
    let parts: [Part; 2] = match panel {
        Panel::WindowAndRtt => [
            (
                "rtt",
                "Round trip",
                Axis::linear("round trip", "s"),
                two(RTT).collect(),
            ),
            (
                "window",
                "Congestion window",
                Axis::linear("window", "packets"),
                two(WINDOW).collect(),
            ),
        ],
        Panel::QueueAndQuenches => [
            (
                "queue",
                "Queue in the router",
                Axis::linear("waiting", "packets"),
                one(QUEUE, "queue"),
            ),
            (
                "quenches",
                "Source quenches at the senders",
                Axis::linear("source quenches", ""),
                two(QUENCHES).collect(),
            ),
        ],
        Panel::DropsAndArrivals => [
            (
                "drops",
                "Packets that the router has dropped",
                Axis::linear("drops", "packets"),
                one(DROPS, "drops"),
            ),
            (
                "arrivals",
                "Arrivals at the router",
                Axis::linear("arrivals", "packets/s"),
                one(ARRIVALS, "arrivals"),
            ),
        ],
    };
    let curves = point.runs.first().map(|(_, run)| &run.curves);
    let chart = |(part, title, axis, series): Part| {
        let mut chart = Chart::new(
            format!("{name}-{part}"),
            format!("{title}{of}"),
            Axis::linear("time", "s").range(0.0, 600.0),
            axis,
        )
        .group(name);
        for (curve, label) in series {
            let points = curves.and_then(|curves| curves.get(&curve)).cloned();
            chart = chart.with(Series::new(label, Kind::Line, points.unwrap_or_default()));
        }
        if whose.errors() {
            for at in ERRORS_S {
                chart = chart.line(Along::X, at, "loss");
            }
        }
        Block::Chart(chart)
    };
    parts.into_iter().map(chart).collect()
}

/// What was fixed, and why.
macro_rules! parameters {
    ($($more:expr),* $(,)?) => {
        &[
            ("bottleneck", "31,250 b/s, 8 ms"),
            (
                "its queue",
                "drop-tail, 19 packets wait and one is sent, as ns-2's limit of 20 has it; a source quench for each packet that finds 7 or more",
            ),
            ("access links", "1 Mb/s, 1 ms, on the senders' side (Figure 2 is lost)"),
            ("source quench", "56 B, straight back to the sender"),
            (
                "packets",
                "586 B on the wire, of which 536 B are payload (from the paper's numbers of bytes)",
            ),
            ("ACKs", "50 B, one for each packet"),
            ("duration", "600 s"),
            ("start", "each connection at random within the first 4 s (open in the paper)"),
            ("receiver's window", "no limit (open in the paper)"),
            ("retransmission timer", "RFC 6298, at least 1 s (open in the paper)"),
            $($more),*
        ]
    };
}

const STANDARD: &[(&str, &str)] = parameters!((
    "sender",
    "Reno's window, NewReno recovery, no limited transmit (paper: ns-2)"
),);
const SMOOTH: &[(&str, &str)] = parameters!(
    (
        "SmoothTCP",
        "A_a = 40, B_a = 0.003038; B_q = 0.5493, C_q = 0.0625, the others 0 (§V)"
    ),
    (
        "reading of dq",
        "differential: the change of the average from round trip to round trip (open choice: reading)"
    ),
    (
        "slow start",
        "closed: eq. 8, its limit falls with a loss (open choice: slow start)"
    ),
    (
        "recovery",
        "NewReno without inflation of the window: the sender waits for the retransmission's ACK (§VI)"
    ),
);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::data::Measured;

    /// Figures 3 to 5 want the same runs, as do 6 to 8 and each pair from 9 on.
    #[test]
    fn the_figures_of_one_experiment_share_its_runs() {
        let texts = |figure: &Figure| -> BTreeSet<String> {
            let runs = (figure.plan)(Mode::Full);
            runs.into_iter().map(|run| run.scenario).collect()
        };
        for (one, other) in [
            (FIGURE_3, FIGURE_5),
            (FIGURE_6, FIGURE_8),
            (FIGURE_9, FIGURE_10),
            (FIGURE_11, FIGURE_12),
            (FIGURE_13, FIGURE_14),
            (FIGURE_15, FIGURE_16),
        ] {
            assert_eq!(texts(&one), texts(&other));
        }
        // 30 seeds of 1, of 3 × 2 × 3, and of 3 × 2 points.
        let counts = [FIGURE_3, FIGURE_6, FIGURE_13].map(|figure| texts(&figure).len());
        assert_eq!(counts, [30, 540, 180]);
    }

    #[test]
    fn a_figure_draws_both_readings_and_marks_the_losses() {
        let runs = (FIGURE_11.plan)(Mode::Quick);
        let measured = Measured::default()
            .value("rtt_mean_s", 1.2)
            .curve("rtt_s_1", vec![(0.5, 0.2)])
            .curve("window_packets_1", vec![(0.5, 1.0)]);
        let data = Data::gather(runs.into_iter().map(|run| (run, measured.clone())));
        let blocks = (FIGURE_11.draw)(&data);
        let charts: Vec<_> = blocks
            .iter()
            .filter_map(|block| match block {
                Block::Chart(chart) => Some((chart.id.as_str(), chart.lines.len())),
                _ => None,
            })
            .collect();
        assert_eq!(
            charts,
            [
                ("smoothtcp-11-base-rtt", 3),
                ("smoothtcp-11-base-window", 3),
                ("smoothtcp-11-reading-event-rtt", 3),
                ("smoothtcp-11-reading-event-window", 3),
            ]
        );
        let rows: Vec<_> = blocks
            .iter()
            .filter_map(|block| match block {
                Block::Table(table) => Some(table.rows.len()),
                _ => None,
            })
            .collect();
        assert_eq!(rows, [2, 2]);
    }
}
