//! `ackclock schema`: the JSON Schema of scenario files.

use clap::Args;
use controllers::Registry;

use crate::output::{self, Failure};

/// Arguments of `schema`: none.
#[derive(Args, Debug)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> Result<(), Failure> {
    output::print_json(&experiments::scenario::schema(&Registry::standard()))
}
