//! Zhang and Tsaoussidis, The Interrelation of TCP Responsiveness and Smoothness.
//!
//! Here: Figures 2 to 11, that is all but the picture of the topology, and three of our own for
//! its equations and observations.

mod claims;
mod crowd_claims;
mod crowds;
mod equation_1;
mod equation_4;
mod grid;
mod handoff;
mod lossy_path;
mod ns2;
mod pairs;
mod setup;
mod step;
mod wired;
mod wireless;

use crate::paper::{Key, Mode, Paper};

/// The paper.
pub const PAPER: Paper = Paper {
    name: "gaimd",
    title: "The Interrelation of TCP Responsiveness and Smoothness",
    authors: "Chi Zhang and Vassilios Tsaoussidis",
    summary: "TCP(α, β) adds α packets to its window each round trip and keeps the fraction β of \
              it after a loss. Equation 3, α = 4(1 − β²)/3, makes all of them equally friendly to \
              standard TCP on paper. The paper asks when it pays to be smooth (high β, low α) and \
              when to be responsive (low β, high α). Its curves are lost in the text that is left: \
              what its figures show is known from its words.",
    protocols: &[
        PROTOCOLS[0].name,
        PROTOCOLS[1].name,
        PROTOCOLS[2].name,
        PROTOCOLS[3].name,
    ],
    figures: &[
        wired::FIGURE_2,
        wired::FIGURE_3,
        wireless::FIGURE_4,
        handoff::FIGURE_5,
        crowds::FIGURE_6,
        crowds::FIGURE_7,
        wireless::FIGURE_8,
        pairs::FIGURE_9,
        pairs::FIGURE_10,
        pairs::FIGURE_11,
        equation_1::FIGURE,
        equation_4::FIGURE,
        step::FIGURE,
    ],
    claims: &[
        claims::EQUAL,
        claims::AGGRESSIVE,
        claims::SMOOTH,
        claims::ORDER,
        claims::PROJECTION,
        claims::FAIR_SHARE,
        wireless::GOODPUT_LOW,
        wireless::GOODPUT_HIGH,
        wireless::GOODPUT_DEGRADES,
        wireless::GOODPUT_ALPHA,
        handoff::ORDER,
        handoff::RECOVERS,
        handoff::SMOOTHER,
        crowd_claims::SMOOTH_IS_FAIR,
        crowd_claims::FAIRNESS_DROPS,
        crowd_claims::RESPONSIVE_RECOVERS,
        crowd_claims::RESPONSIVE_FAIREST,
        crowd_claims::ORDERED_BEFORE,
        crowd_claims::GOODPUT_DROPS,
        crowd_claims::SMOOTH_LOWEST,
        crowd_claims::STANDARD_HIGHEST,
        crowd_claims::RESPONSIVE_FASTEST,
        crowd_claims::FEWER_SLOWER,
        wireless::SUCCESS_LOW,
        wireless::SUCCESS_HIGH,
        pairs::CONSERVATIVE_9,
        pairs::CONSERVATIVE_10,
        pairs::EQUAL_11,
        pairs::WIDE,
        equation_1::FITS,
        equation_1::FRIENDLY,
        equation_4::EPOCH,
        step::REGAINS,
        step::FEWER,
    ],
};

/// One of the paper's protocols.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Protocol {
    name: &'static str,
    /// Packets added each round trip.
    alpha: f64,
    /// Fraction of the window kept after a loss.
    beta: f64,
}

/// §4.1: two smooth ones, standard TCP, and a responsive one. α as the paper rounds it.
const PROTOCOLS: [Protocol; 4] = [
    Protocol {
        name: "TCP(0.31, 0.875)",
        alpha: 0.31,
        beta: 0.875,
    },
    Protocol {
        name: "TCP(0.583, 0.75)",
        alpha: 0.583,
        beta: 0.75,
    },
    Protocol {
        name: "TCP(1, 0.5)",
        alpha: 1.0,
        beta: 0.5,
    },
    Protocol {
        name: "TCP(1.25, 0.25)",
        alpha: 1.25,
        beta: 0.25,
    },
];

/// What is different in a run from the parameters that the figures show. The paper leaves these
/// open, and its verdicts may depend on them.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Variant {
    /// Nothing.
    Base,
    /// Recovery stays in force until all losses of a window are repaired.
    NewReno,
    /// A queue of one bandwidth-delay product.
    LargeQueue,
    /// A queue of a third of one.
    SmallQueue,
    /// Senders use a window at once when an ACK opens it.
    NoDither,
    /// A bottleneck of 100 Mb/s where the figure has 10.
    Wide,
}

impl Variant {
    /// The ones that differ from what the figures show.
    const OTHERS: [Self; 5] = [
        Self::NewReno,
        Self::LargeQueue,
        Self::SmallQueue,
        Self::NoDither,
        Self::Wide,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::NewReno => "NewReno",
            Self::LargeQueue => "queue of 1 BDP",
            Self::SmallQueue => "queue of 1/3 BDP",
            Self::NoDither => "no sender dither",
            Self::Wide => "100 Mb/s",
        }
    }

    /// The name as a part of an id.
    fn slug(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::NewReno => "new-reno",
            Self::LargeQueue => "large-queue",
            Self::SmallQueue => "small-queue",
            Self::NoDither => "no-dither",
            Self::Wide => "wide",
        }
    }
}

/// The point of `protocol` with that number of flows.
fn key(protocol: &Protocol, flows: f64, variant: Variant) -> Key {
    point(protocol, "flows", flows, variant)
}

/// The point of `protocol` at that place of an axis.
fn point(protocol: &Protocol, axis: &'static str, at: f64, variant: Variant) -> Key {
    Key::new()
        .with("protocol", protocol.name)
        .with(axis, at)
        .with("variant", variant.name())
}

/// How many seeds most figures have.
fn seeds(mode: Mode) -> u64 {
    match mode {
        Mode::Quick => 3,
        Mode::Full => 10,
    }
}

/// Standard TCP's place in [`PROTOCOLS`].
const STANDARD: usize = 2;
