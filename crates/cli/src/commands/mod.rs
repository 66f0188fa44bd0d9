//! The commands, one file each.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod list;
pub(crate) mod manual;
pub(crate) mod new;
pub(crate) mod plot;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod sweep;
pub(crate) mod validate;
