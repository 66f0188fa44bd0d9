//! Choi, TCP-Friendly Window-based Congestion Control: TFWC, with TFRC and TCP SACK beside it.
//!
//! Here: Figures 3.2, 5.4, 6.2 to 6.9 and the patterns of C.1.2, what reverse traffic changes, and
//! mixed traffic of all three.
//!
//! Not here: queue dynamics, responsiveness, packets of varying size.

mod claims;
mod dsl;
mod measure;
mod mixed;
mod outage;
mod patterns;
mod setting;
mod surface;
mod weight;

use experiments::page::Cell;

use crate::data::Samples;
use crate::paper::Paper;

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
        surface::CONFOUND,
        mixed::MIXED,
    ],
    claims: &[
        claims::STARVED,
        claims::OUTAGE,
        claims::INTERVALS,
        claims::WINDOWS,
        claims::RANDOM,
        claims::SPACED,
        claims::GROWTH,
        claims::TFRC_SLOW,
        claims::TFRC_FAST,
        claims::TFWC_FAIR,
        claims::WORST,
        claims::RED_SLOW,
        claims::RED_FEW,
        claims::RED_TFWC,
        claims::WEIGHT_MEAN,
        claims::WEIGHT_RANGE,
        claims::CONFOUNDED,
    ],
};

/// A mean over seeds with its interval, for a table.
fn cell(samples: &Samples) -> Cell {
    let Some(estimate) = samples.estimate() else {
        return Cell::Empty;
    };
    match estimate.interval() {
        Some((low, high)) => Cell::Interval {
            value: estimate.mean,
            low,
            high,
        },
        None => Cell::Number(estimate.mean),
    }
}
