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

use std::ops::RangeInclusive;

use crate::paper::{Choice, Found, Key, Mode, Paper, VARIATION};

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
        step::REGAINS,
        step::FEWER,
    ],
    own: &["11-equal"],
    choices: CHOICES,
    found: FOUND,
    searched_seeds: SEARCHED_SEEDS,
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

/// What is chosen otherwise than in the base, of what the paper leaves open.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Variation {
    /// Propagation there and back, in milliseconds.
    rtt_ms: u32,
    queue: Queue,
    /// Loss recovery of the senders.
    recovery: &'static str,
    /// Whether a sender waits at random, up to one packet's time on the bottleneck, before it uses
    /// a window that an ACK has opened.
    dither: bool,
    /// Rate of the bottleneck, where the paper says two.
    rate_mbps: Option<u32>,
}

/// The bottleneck's queue.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Queue {
    /// Drop-tail, as long as the figure says.
    AsGiven,
    /// Drop-tail, one bandwidth-delay product.
    Product,
    /// Random early detection with ns-2's automatic thresholds, as long as the figure says.
    Red,
}

/// Nothing is chosen otherwise.
const IN_BASE: Variation = Variation {
    rtt_ms: 60,
    queue: Queue::AsGiven,
    recovery: "reno",
    dither: false,
    rate_mbps: None,
};
const DITHER: Variation = Variation {
    dither: true,
    ..IN_BASE
};
const RED: Variation = Variation {
    queue: Queue::Red,
    ..IN_BASE
};
const LONG_QUEUE: Variation = Variation {
    queue: Queue::Product,
    ..IN_BASE
};
const TAHOE: Variation = Variation {
    recovery: "tahoe",
    ..IN_BASE
};
const NEW_RENO: Variation = Variation {
    recovery: "new-reno",
    ..IN_BASE
};

impl Variation {
    const fn rtt(self, rtt_ms: u32) -> Self {
        Self { rtt_ms, ..self }
    }

    const fn dithered(self) -> Self {
        Self {
            dither: true,
            ..self
        }
    }

    const fn long_queue(self) -> Self {
        Self {
            queue: Queue::Product,
            ..self
        }
    }

    const fn rate(self, mbps: u32) -> Self {
        Self {
            rate_mbps: Some(mbps),
            ..self
        }
    }

    /// Its name: each choice that differs from the base, with its value.
    fn name(self) -> String {
        let mut parts = Vec::new();
        if let Some(mbps) = self.rate_mbps {
            parts.push(format!("rate = {mbps} Mb/s"));
        }
        if self.rtt_ms != IN_BASE.rtt_ms {
            parts.push(format!("rtt = {} ms", self.rtt_ms));
        }
        match self.queue {
            Queue::AsGiven => {}
            Queue::Product => parts.push("queue = 1 BDP".to_owned()),
            Queue::Red => parts.push("queue = RED".to_owned()),
        }
        if self.recovery != IN_BASE.recovery {
            parts.push(format!("recovery = {}", self.recovery));
        }
        if self.dither {
            parts.push("dither = one packet".to_owned());
        }
        if parts.is_empty() {
            crate::paper::BASE.to_owned()
        } else {
            parts.join(", ")
        }
    }
}

/// What the paper leaves open and the figures are run with.
const CHOICES: &[Choice] = &[
    Choice {
        name: "dither",
        base: "none",
        why: "ns-2's default (overhead_ 0); the paper names ns-2 and nothing else",
        others: &["one packet"],
    },
    Choice {
        name: "rtt",
        base: "60 ms",
        why: "three links of 10 ms each way, ns-2's customary delay; the paper gives none",
        others: &["100 ms", "150 ms", "200 ms"],
    },
    Choice {
        name: "queue",
        base: "drop-tail, a third to two thirds of the bandwidth-delay product",
        why: "50 packets, ns-2's default, at 10 Mb/s, 250 at 100 Mb/s",
        others: &["1 BDP", "RED"],
    },
    Choice {
        name: "recovery",
        base: "Reno",
        why: "the sender on which equation 1 (Padhye and others) rests; ns-2's plain Agent/TCP is Tahoe",
        others: &["tahoe", "new-reno"],
    },
    Choice {
        name: "rate",
        base: "10 Mb/s in Figure 6",
        why: "Figure 6's caption; the text beside it says 100 Mb/s",
        others: &["100 Mb/s"],
    },
];

/// The point of `protocol` with that number of flows.
fn key(protocol: &Protocol, flows: f64, variation: Variation) -> Key {
    point(protocol, "flows", flows, variation)
}

/// The point of `protocol` at that place of an axis.
fn point(protocol: &Protocol, axis: &'static str, at: f64, variation: Variation) -> Key {
    Key::new()
        .with("protocol", protocol.name)
        .with(axis, at)
        .with(VARIATION, variation.name().as_str())
}

/// The seeds of most figures.
fn seeds(mode: Mode) -> RangeInclusive<u64> {
    match mode {
        Mode::Quick => seeds_of(4),
        Mode::Full => seeds_of(10),
    }
}

/// So many seeds, none of which the search for choices used.
fn seeds_of(number: u64) -> RangeInclusive<u64> {
    SEARCHED_SEEDS + 1..=SEARCHED_SEEDS + number
}

/// The search for choices that bring a claim used seeds 1 to this one.
const SEARCHED_SEEDS: u64 = 200;

/// Standard TCP's place in [`PROTOCOLS`].
const STANDARD: usize = 2;

/// What the search found.
const FOUND: &[Found] = &[
    Found {
        claim: "2-equal",
        choice: "dither = one packet",
    },
    Found {
        claim: "2-equal",
        choice: "queue = RED",
    },
    Found {
        claim: "2-aggressive",
        choice: "dither = one packet",
    },
    Found {
        claim: "3-smooth",
        choice: "dither = one packet",
    },
    Found {
        claim: "3-order",
        choice: "dither = one packet",
    },
    Found {
        claim: "3-projection",
        choice: "dither = one packet",
    },
    Found {
        claim: "3-fair-share",
        choice: "dither = one packet",
    },
    Found {
        claim: "4-responsive",
        choice: "recovery = tahoe",
    },
    Found {
        claim: "6-smooth",
        choice: "rate = 100 Mb/s, dither = one packet",
    },
    Found {
        claim: "6-responsive",
        choice: "rtt = 100 ms",
    },
    Found {
        claim: "7-before",
        choice: "rtt = 150 ms, dither = one packet",
    },
    Found {
        claim: "7-drops",
        choice: "dither = one packet",
    },
    Found {
        claim: "7-lowest",
        choice: "rtt = 150 ms, dither = one packet",
    },
    Found {
        claim: "7-highest",
        choice: "rtt = 200 ms",
    },
    Found {
        claim: "7-fastest",
        choice: "rtt = 200 ms, dither = one packet",
    },
    Found {
        claim: "7-fastest",
        choice: "rtt = 200 ms, recovery = tahoe",
    },
    Found {
        claim: "9-conservative",
        choice: "queue = RED",
    },
    Found {
        claim: "9-conservative",
        choice: "dither = one packet",
    },
    Found {
        claim: "10-conservative",
        choice: "queue = RED",
    },
    Found {
        claim: "11-equal",
        choice: "queue = RED",
    },
    Found {
        claim: "9-wide",
        choice: "dither = one packet",
    },
    Found {
        claim: "step-responsive",
        choice: "dither = one packet",
    },
    Found {
        claim: "step-fewer",
        choice: "dither = one packet",
    },
];
