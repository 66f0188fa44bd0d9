//! Zhang and Tsaoussidis, The Interrelation of TCP Responsiveness and Smoothness.
//!
//! Here: Figures 2 and 3, goodput over wired networks.
//!
//! Not here: Figures 4 to 11 (wireless links, handoffs, changing numbers of flows, playback,
//! protocol pairs).

mod claims;
mod ns2;
mod wired;

use crate::paper::{Key, Paper};

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
    figures: &[wired::FIGURE_2, wired::FIGURE_3],
    claims: &[
        claims::EQUAL,
        claims::AGGRESSIVE,
        claims::SMOOTH,
        claims::ORDER,
        claims::PROJECTION,
        claims::FAIR_SHARE,
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
}

impl Variant {
    /// The ones that differ from what the figures show.
    const OTHERS: [Self; 2] = [Self::NewReno, Self::LargeQueue];

    fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::NewReno => "NewReno",
            Self::LargeQueue => "queue of 1 BDP",
        }
    }
}

/// The point of `protocol` with that number of flows.
fn key(protocol: &Protocol, flows: f64, variant: Variant) -> Key {
    Key::new()
        .with("protocol", protocol.name)
        .with("flows", flows)
        .with("variant", variant.name())
}
