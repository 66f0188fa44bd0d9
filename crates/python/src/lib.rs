//! The Python package `ackclock`: what of it is in Rust, as the module `ackclock._core`.
//!
//! Thin: scenarios, runs, sweeps and papers are those of the crates below; this one converts. What
//! users see, with its documentation, is in `python/ackclock`.

#![expect(
    clippy::needless_pass_by_value,
    reason = "PyO3 hands arguments over by value"
)]

mod controller;
mod environment;
mod errors;
mod interrupt;
mod papers;
mod run;
mod scenario;
mod signals;
mod sweep;
mod table;
mod value;

use pyo3::prelude::*;

/// The part of `ackclock` that is in Rust.
#[pymodule(gil_used = false)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("RESULTS_VERSION", results::store::VERSION)?;
    module.add_class::<scenario::Scenario>()?;
    module.add_class::<run::Run>()?;
    module.add_class::<environment::Environments>()?;
    module.add_class::<sweep::Campaign>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<controller::Controller>()?;
    module.add_class::<signals::Setup>()?;
    module.add_class::<signals::Ack>()?;
    module.add_class::<signals::Congestion>()?;
    module.add_class::<signals::Sent>()?;
    module.add_class::<signals::Round>()?;
    module.add_function(wrap_pyfunction!(run::run, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::sweep, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::run_batch, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::is_whole_parcel, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::write_report, module)?)?;
    module.add_function(wrap_pyfunction!(table::read_parquet, module)?)?;
    module.add_function(wrap_pyfunction!(papers::reproduce, module)?)?;
    module.add_function(wrap_pyfunction!(papers::validate, module)?)?;
    module.add_function(wrap_pyfunction!(included_scenarios, module)?)?;
    Ok(())
}

/// The scenarios that come along, each with what it shows.
#[pyfunction]
fn included_scenarios() -> Vec<(&'static str, String)> {
    let included = experiments::gallery::INCLUDED.iter();
    included
        .map(|included| (included.name, experiments::gallery::description(included)))
        .collect()
}
