//! Choi, TCP-Friendly Window-based Congestion Control: TFWC, with TFRC and TCP SACK beside it.
//!
//! Here: Figures 3.2, 5.4, 6.2 to 6.9 and the patterns of C.1.2; what reverse traffic changes; and what
//! the report plans beyond them: TFRC against TFWC, mixed traffic of all three, smoothness,
//! responsiveness to a step in the bandwidth and to traffic that comes and goes, queue dynamics, and
//! packets of different and of varying sizes.
//!
//! Not here: the evaluation with applications (C.1.4), which needs video.

mod alone;
mod claims;
mod dsl;
mod measure;
mod mixed;
mod on_off;
mod outage;
mod packet_size;
mod patterns;
mod queue;
mod setting;
mod smoothness;
mod step;
mod surface;
mod weight;

use crate::paper::{Choice, Paper};

/// The paper.
pub const PAPER: Paper = Paper {
    name: "tfwc",
    title: "TCP-Friendly Window-based Congestion Control",
    authors: "Soo-Hyun Choi",
    summary: "TFRC sends media at the rate that TCP would have at the same loss event rate. TFWC \
              turns the same equation into a window, W = 1/f(p), acknowledged by a vector of what \
              arrived, so that TCP's clock stays. The report asks which of them shares a line \
              fairly with TCP, from a DSL line to 20 Mb/s. Its plots are lost in the text that is \
              left: claims stand on its words and numbers. Many of its cases lock in phase: every \
              figure here is the spread over seeds, with and without random waiting times.",
    protocols: &["TCP", "TFRC", "TFWC"],
    figures: &[
        dsl::FIGURE_3_2,
        outage::FIGURE_5_4,
        patterns::PATTERNS_6,
        surface::FIGURE_6_7,
        surface::FIGURE_6_8,
        weight::FIGURE_6_9,
        alone::ALONE,
        mixed::MIXED,
        smoothness::SMOOTHNESS,
        step::STEP,
        on_off::ON_OFF,
        queue::QUEUE,
        packet_size::PACKET_SIZE,
    ],
    claims: &[
        claims::slow_line::STARVED,
        claims::slow_line::IN_ITS_PLACE,
        claims::slow_line::OUTAGE,
        claims::patterns::INTERVALS,
        claims::patterns::WINDOWS,
        claims::patterns::RANDOM,
        claims::patterns::SPACED,
        claims::patterns::GROWTH,
        claims::surfaces::TFRC_SLOW,
        claims::surfaces::TFRC_FAST,
        claims::surfaces::TFWC_FAIR,
        claims::surfaces::WORST,
        claims::surfaces::RED_SLOW,
        claims::surfaces::RED_FEW,
        claims::surfaces::RED_TFWC,
        claims::weight::WEIGHT_MEAN,
        claims::weight::WEIGHT_RANGE,
        claims::surfaces::CONFOUNDED,
        claims::sharing::EVEN,
        claims::sharing::MIXED,
        claims::smoothness::TFRC,
        claims::smoothness::TFWC,
        claims::smoothness::SAME,
        claims::response::STEP_DOWN,
        claims::response::STEP_UP,
        claims::response::CBR_COMES,
        claims::response::OSCILLATION,
        claims::queue::BULKY,
        claims::sharing::PACKET_SIZE,
    ],
    own: &[
        "3.2-tfwc",
        "alone-even",
        "mixed-fair",
        "smoothness-tfrc",
        "smoothness-tfwc",
        "smoothness-same",
        "step-down",
        "step-up",
        "on-off-cut",
        "packet-size",
    ],
    choices: CHOICES,
    found: &[],
    searched_seeds: FIRST_SEED - 1,
};

/// What the report leaves open. The base is what the author's public scripts have.
const CHOICES: &[Choice] = &[
    Choice {
        name: "access",
        base: "one link for each flow, at its sender",
        why: "the round trip of 22.0 ms in the captions of Figures 6.7 and 6.8, and the author's scripts",
        others: &["both sides"],
    },
    Choice {
        name: "packets",
        base: "1040 B on the wire for all",
        why: "the author's scripts; the text says 8000 bits",
        others: &["1000 B", "1040 B and 1032 B"],
    },
    Choice {
        name: "timers",
        base: "TFRC as in ns-2 and TFWC, in ticks of 0.1 s",
        why: "§5.5: \"follows the conventional TCP and TFRC update mechanisms\", which were ns-2's",
        others: &["exact"],
    },
    Choice {
        name: "TCP",
        base: "SACK as in ns-2",
        why: "the report names ns-2",
        others: &["by the RFCs"],
    },
    Choice {
        name: "dither",
        base: "none",
        why: "ns-2's default",
        others: &["one packet"],
    },
    Choice {
        name: "traffic",
        base: "none the other way in Figure 3.2",
        why: "the report mentions none there",
        others: &["reverse", "dither", "dither and reverse"],
    },
    Choice {
        name: "reverse queue",
        base: "as the bottleneck's in Figures 6.7 and 6.8",
        why: "links of both directions are alike",
        others: &["50 packets"],
    },
];

/// First seed of the figures that were searched for choices.
const FIRST_SEED: u64 = 101;
