//! Abouzeid and Roy, TCP in Networks with Abrupt Delay Variations and Random Loss.
//!
//! Here: Figures 1 to 8, the conditions for false timeouts and false fast retransmits that the paper
//! leaves out ([`Step`]), the ideal goodput, and the paper's announced step to paths with more
//! states.
//!
//! Not here: losses of ACKs, which the paper does not have either.

mod claims;
mod conditions;
mod goodput;
mod ideal;
mod ns2;
mod setting;
mod states;
mod steps;

use crate::paper::Paper;

pub use conditions::{Moment, Step};
pub use ideal::{ideal_goodput, visits};

/// The paper.
pub const PAPER: Paper = Paper {
    name: "abrupt-delay",
    title: "TCP in Networks with Abrupt Delay Variations and Random Loss",
    authors: "Alhussein A. Abouzeid and Sumit Roy",
    summary: "A path's round trip jumps between two values, as when a satellite or a route changes, \
              and packets under way keep their delay. A sender takes late ACKs for a timeout and \
              overtaken packets for a loss. The paper shows when a single step does that, and what \
              it costs a long transfer, by how often the path changes, by the threshold D of fast \
              retransmit, and by the shortest timeout. Its curves are lost in the text that is left: \
              what its figures show is known from its words.",
    protocols: &[
        setting::GENIE.name,
        setting::OLD_TAHOE.name,
        setting::RENO.name,
    ],
    figures: &[
        steps::FIGURE_1,
        steps::FIGURE_2,
        steps::FIGURE_3,
        steps::FIGURE_4,
        goodput::FIGURE_5,
        goodput::FIGURE_6,
        goodput::FIGURE_7,
        goodput::FIGURE_8,
        states::FIGURE,
    ],
    claims: &[
        claims::NO_TIMEOUT,
        claims::TIMEOUT,
        claims::WITHOUT_TIMESTAMPS,
        claims::NO_FAST_RETRANSMIT,
        claims::FAST_RETRANSMIT,
        claims::DETERIORATES,
        claims::LESS_SENSITIVE,
        claims::SHIFTED,
        claims::BEST_THRESHOLD,
        claims::BEST_WITH_LOSSES,
        claims::BEST_GRANULARITY,
    ],
};
