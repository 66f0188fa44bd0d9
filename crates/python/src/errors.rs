//! Errors of the crates below as exceptions of `ackclock`.
//!
//! Their texts are those of the command: what is wrong, and a line that begins with `hint:`.

use std::error::Error;

use ::papers::{ReportError, ReproduceError};
use experiments::Registry;
use experiments::scenario::ScenarioError;
use experiments::simulation::RunError;
use experiments::{catalogue, gallery};
use papers::validation::ValidateError;
use pyo3::PyErr;
use pyo3::exceptions::PyKeyboardInterrupt;
use results::files::{FilesError, SweepReportError};
use results::store::StoreError;
use results::sweep::SweepError;

/// The exceptions, as Python defines them.
mod python {
    pyo3::import_exception!(ackclock._errors, ScenarioError);
    pyo3::import_exception!(ackclock._errors, RunError);
    pyo3::import_exception!(ackclock._errors, StoreError);
    pyo3::import_exception!(ackclock._errors, Fault);
}

pub(crate) fn scenario(error: &ScenarioError) -> PyErr {
    let hint = error
        .hint
        .clone()
        .or_else(|| catalogue::hint(&Registry::standard(), &error.key));
    let place = error.position.map(|at| (at.line, at.column));
    let (line, column) = place.unzip();
    python::ScenarioError::new_err((
        error.to_string(),
        hint,
        error.key.clone(),
        error.file.clone(),
        line,
        column,
    ))
}

/// A scenario that cannot be what is asked for.
pub(crate) fn refused(message: impl Into<String>, hint: impl Into<String>) -> PyErr {
    python::ScenarioError::new_err((message.into(), Some(hint.into())))
}

/// No file and no included scenario has that name.
pub(crate) fn no_such_scenario(name: &str) -> PyErr {
    let hint = match gallery::nearest(name) {
        Some(near) => format!("did you mean \"{near}\", which comes with ackclock?"),
        None => "ackclock.scenarios() lists those that come with ackclock".to_owned(),
    };
    refused(format!("{name}: no such file"), hint)
}

pub(crate) fn run(error: &RunError) -> PyErr {
    match error {
        RunError::Interrupted { .. } => PyKeyboardInterrupt::new_err(error.to_string()),
        RunError::Controller(_) => python::RunError::new_err((
            error.to_string(),
            Some("ackclock list controllers lists them"),
        )),
        RunError::NotConserved { .. } => fault(error),
    }
}

pub(crate) fn sweep(error: &SweepError) -> PyErr {
    match error {
        SweepError::Scenario(error) => scenario(error),
        SweepError::NoSweep { .. } => refused(
            error.to_string(),
            "say what varies, for example over={\"flows.LABEL.count\": [1, 4, 16]}, seeds=10",
        ),
        SweepError::NotASweep { .. } | SweepError::AnotherSweep { .. } => store(
            error,
            "give out= another folder, such as one that is not there yet",
        ),
        SweepError::Interrupted => PyKeyboardInterrupt::new_err(error.to_string()),
        SweepError::Store(error) => of_store(error),
        SweepError::Parcel(_) => fault(error),
        SweepError::Threads(_) => store(error, "give fewer jobs"),
        SweepError::Files(_) | SweepError::Io { .. } => store(error, MAY_BE_WRITTEN),
    }
}

pub(crate) fn of_store(error: &StoreError) -> PyErr {
    let hint = match error {
        StoreError::Busy { .. } => "wait for it, or give out= another folder",
        StoreError::Damaged { .. } => "the same call runs again what is missing",
        StoreError::Io { .. } | StoreError::NotALog { .. } => MAY_BE_WRITTEN,
    };
    store(error, hint)
}

pub(crate) fn files(error: &FilesError) -> PyErr {
    store(error, MAY_BE_WRITTEN)
}

pub(crate) fn sweep_report(error: &SweepReportError) -> PyErr {
    store(error, "the folder must be that of a sweep")
}

pub(crate) fn report(error: &ReportError) -> PyErr {
    store(error, "give out= another folder")
}

pub(crate) fn reproduce(error: &ReproduceError) -> PyErr {
    match error {
        ReproduceError::Store(error) => of_store(error),
        error => fault(error),
    }
}

pub(crate) fn validate(error: &ValidateError) -> PyErr {
    match error {
        ValidateError::NothingNamed(_) => refused(
            error.to_string(),
            "a part of a scenario's name is wanted, such as micro, gaimd/2, red or abrupt-delay",
        ),
        ValidateError::Interrupted => PyKeyboardInterrupt::new_err(error.to_string()),
        error => fault(error),
    }
}

/// The user's files.
fn store(error: &dyn Error, hint: &str) -> PyErr {
    python::StoreError::new_err((error.to_string(), Some(hint.to_owned())))
}

/// Our fault.
fn fault(error: &dyn Error) -> PyErr {
    let cause = error
        .source()
        .map_or_else(String::new, |cause| format!(": {cause}"));
    python::Fault::new_err((format!("{error}{cause}"), None::<String>))
}

const MAY_BE_WRITTEN: &str =
    "see whether the folder may be written and the disk has room; what is finished is kept";
