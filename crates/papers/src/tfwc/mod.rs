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
    own: &[],
    choices: &[],
    found: &[],
    searched_seeds: 0,
};
