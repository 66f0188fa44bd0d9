//! `ackclock schema`: the JSON Schema of scenario files.

use clap::Args;

use crate::output::{self, Failure};
use crate::registry;

/// Arguments of `schema`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Changes nothing: a schema is JSON
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(_: &Arguments) -> Result<(), Failure> {
    output::print_json(&experiments::scenario::schema(registry()))
}
