//! The published papers: their figures as runs, their claims as rules, and the report.
//!
//! A [`Paper`] is written down as [`Figure`]s and [`Claim`]s in a module of its own and stands in
//! [`PAPERS`]; nothing else knows it by name. [`reproduce`] runs the figures of a [`Selection`] and
//! judges the claims; [`write_report`] makes the pages; [`ReproduceResult`] is the JSON.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use papers::{Mode, Options, PAPERS, Selection, reproduce};
//!
//! let selection = Selection::parse(PAPERS, &["gaimd/2"])?;
//! let options = Options {
//!     mode: Mode::Quick,
//!     threads: None,
//!     registry: &experiments::Registry::standard(),
//!     interrupted: &AtomicBool::new(true), // stopped before it begins
//!     results: None, // nothing is kept between two calls
//!     started: &|_| (),
//!     progress: &|progress| println!("{} of {}", progress.done, progress.total),
//! };
//! assert!(reproduce(&selection, &options)?.interrupted);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[path = "abrupt-delay/mod.rs"]
pub mod abrupt_delay;
mod claim;
mod data;
pub mod gaimd;
mod judging;
mod kept;
mod paper;
mod report;
mod results;
#[path = "rtt-based/mod.rs"]
pub mod rtt_based;
pub mod rules;
mod runner;
mod selection;
pub mod smoothtcp;
#[cfg(test)]
mod testing;
pub mod tfwc;
pub mod validation;

pub use claim::{Claim, Evidence, Judged, Quantity, Verdict};
pub use data::{Data, Estimate, Measured, Point, Samples};
pub use judging::{Variation, judge};
pub use paper::{BASE, Choice, Coordinate, Figure, Found, Key, Mode, Paper, Run, VARIATION};
pub use report::{ReportError, may_write_report, write_report};
pub use results::{ClaimResult, FigureResult, PaperResult, ReproduceResult};
pub use runner::{
    ClaimOutcome, Counts, Earlier, FigureOutcome, Options, PaperOutcome, Progress, ReproduceError,
    Reproduction, reproduce,
};
pub use selection::{Chosen, Selection, UnknownName};

/// The papers there are.
pub const PAPERS: &[Paper] = &[
    gaimd::PAPER,
    rtt_based::PAPER,
    smoothtcp::PAPER,
    tfwc::PAPER,
    abrupt_delay::PAPER,
];
