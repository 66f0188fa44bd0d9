//! Abouzeid and Roy, TCP in Networks with Abrupt Delay Variations and Random Loss.
//!
//! Here: Figures 1 to 8, the conditions for false timeouts and false fast retransmits that the paper
//! leaves out ([`Step`]), the ideal goodput, and the paper's two announced steps: paths with more
//! states, and loss detection that adapts.
//!
//! Not here: losses of ACKs, which the paper does not have either.

mod adaptive;
mod adaptive_answer;
mod conditions;
mod goodput;
mod goodput_claims;
mod ideal;
mod ns2;
mod setting;
mod states;
mod step_claims;
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
        adaptive::APPROACHES[3].sender.name,
        adaptive::APPROACHES[4].sender.name,
        adaptive::APPROACHES[5].sender.name,
        adaptive::APPROACHES[6].sender.name,
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
        adaptive::FIGURE,
    ],
    claims: &[
        step_claims::NO_TIMEOUT,
        step_claims::TIMEOUT,
        step_claims::WITHOUT_TIMESTAMPS,
        step_claims::NO_FAST_RETRANSMIT,
        step_claims::FAST_RETRANSMIT,
        goodput_claims::DETERIORATES,
        goodput_claims::LESS_SENSITIVE,
        goodput_claims::SHIFTED,
        goodput_claims::BEST_THRESHOLD,
        goodput_claims::BEST_WITH_LOSSES,
        goodput_claims::BEST_GRANULARITY,
        adaptive_answer::NOT_ADAPTIVE,
    ],
    own: &["adaptive-wins-back"],
    choices: &[],
    found: &[],
    searched_seeds: 0,
};
