//! Vieira and Bauer, Round-trip Time Variation in SmoothTCP in the Face of Spurious Errors.
//!
//! Here: Figures 1 and 3 to 16, and figures of our own: fairness over a long time, marks in place of
//! source quenches, and today's paths.
//!
//! The paper's κ: §V says 0.005 for all its runs, the appendix calls 0.005 and 0.010 "other values".
//! Both hold if Figures 6 to 8 have 0.005 and Figures 11 and 12 have 0.001; all three stand in the
//! tables.

mod claims;
mod figures;
mod forced;
mod judging;
mod measure;
mod ours;
mod setting;
mod tables;
mod today;

use crate::paper::{Choice, Found, Paper};

/// The paper.
pub const PAPER: Paper = Paper {
    name: "smoothtcp",
    title: "Round-trip Time Variation in SmoothTCP in the Face of Spurious Errors",
    authors: "Elvis Vieira and Michael Bauer",
    summary: "SmoothTCP changes its window by small steps, a hyperbolic tangent of how often routers \
              send source quenches, where standard TCP halves it. The paper shows two connections on \
              a slow link for 600 s, with and without three forced losses, and finds the round trip \
              of SmoothTCP shorter and steadier. Its curves are lost in the text that is left: what \
              they show is known from its words and from four numbers of bytes.",
    protocols: &[
        setting::CONNECTIONS[0],
        setting::CONNECTIONS[1],
        today::LAWS[0].name,
        today::LAWS[1].name,
        today::LAWS[2].name,
    ],
    figures: &[
        figures::FIGURE_1,
        figures::FIGURE_3,
        figures::FIGURE_4,
        figures::FIGURE_5,
        figures::FIGURE_6,
        figures::FIGURE_7,
        figures::FIGURE_8,
        figures::FIGURE_9,
        figures::FIGURE_10,
        figures::FIGURE_11,
        figures::FIGURE_12,
        figures::FIGURE_13,
        figures::FIGURE_14,
        figures::FIGURE_15,
        figures::FIGURE_16,
        ours::FAIRNESS,
        ours::MARKS,
        today::ALONE,
        today::MIXED,
    ],
    claims: &[
        claims::STANDARD_RTT,
        claims::CONVERGES,
        claims::STANDARD_QUEUE,
        claims::RTT,
        claims::QUEUE,
        claims::QUENCHES,
        claims::LATE_DROPS,
        claims::SLOW_START_DROPS,
        claims::ARRIVALS,
        claims::BYTES,
        claims::TOGETHER,
        claims::FAIRNESS,
        forced::MASKED,
        forced::DIPS,
        forced::QUEUE_DIPS,
        forced::KAPPA_GROWS,
        forced::KAPPA_SMOOTH,
        forced::SMALL_KAPPA,
    ],
    own: &["7-8-together"],
    choices: &[
        Choice {
            name: "reading",
            base: "differential",
            why: "\"stable state: dq = 0, dw = 0\": only a difference is zero under steady quenches",
            others: &["event", "fixed"],
        },
        Choice {
            name: "slow start",
            base: "closed",
            why: "equation 8, for which equations 9 to 11 hold; the listing leaves out the division by w",
            others: &["literal"],
        },
    ],
    found: FOUND,
    searched_seeds: setting::FIRST_SEED - 1,
};

/// The readings that a search found.
const FOUND: &[Found] = &[
    Found {
        claim: "8-bytes",
        choice: "reading = fixed, slow start = literal",
    },
    Found {
        claim: "6-fair",
        choice: "reading = event, slow start = literal",
    },
    Found {
        claim: "fairness-kappa",
        choice: "reading = event",
    },
];
