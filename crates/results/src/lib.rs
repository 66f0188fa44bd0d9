//! What becomes of runs: run folders with tables and pages, sweeps and what they keep, reports.
//!
//! [`page`] draws plain data as self-contained HTML; [`files`] writes the folder of a run and the
//! report of a sweep with it; [`sweep`] runs every combination of some values on all cores and keeps
//! what it gives in a [`store`]; [`spoken`] says values as people do.

pub mod figure;
pub mod files;
pub mod page;
pub mod spoken;
pub mod store;
pub mod sweep;
