//! `ackclock.reproduce` and `ackclock.validate`.

use std::path::PathBuf;

use ::papers::validation::{ValidateOptions, validate as compare};
use ::papers::{
    Mode, Options, PAPERS, ReproduceResult, Selection, may_write_report, reproduce as run_figures,
    write_report,
};
use experiments::Registry;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::interrupt::interruptible;
use crate::{errors, value};

/// Runs figures of the papers and judges their claims; gives what `ackclock reproduce --json`
/// prints.
#[pyfunction]
pub(crate) fn reproduce(
    py: Python<'_>,
    names: Vec<String>,
    quick: bool,
    folder: PathBuf,
    jobs: Option<usize>,
) -> PyResult<Bound<'_, PyAny>> {
    let selection = Selection::parse(PAPERS, &names).map_err(|error| {
        errors::refused(
            error.to_string(),
            "ackclock list papers lists papers and figures",
        )
    })?;
    may_write_report(&folder).map_err(|error| errors::report(&error))?;
    let mut kept = folder.file_name().unwrap_or_default().to_owned();
    kept.push("-results");
    let kept = folder.with_file_name(kept);
    let reproduction = interruptible(py, |interrupted| {
        run_figures(
            &selection,
            &Options {
                mode: if quick { Mode::Quick } else { Mode::Full },
                threads: jobs,
                registry: &Registry::standard(),
                interrupted,
                results: Some(&kept),
                started: &|_| (),
                progress: &|_| (),
            },
        )
    })?;
    let reproduction = reproduction.map_err(|error| errors::reproduce(&error))?;
    if reproduction.interrupted {
        return Err(PyKeyboardInterrupt::new_err(
            "interrupted: what is finished is kept",
        ));
    }
    let page = py
        .detach(|| write_report(&folder, &reproduction))
        .map_err(|error| errors::report(&error))?;
    let result = ReproduceResult::new(&reproduction, Some(&page));
    value::from_json(
        py,
        &serde_json::to_string(&result).expect("numbers and texts"),
    )
}

/// Compares with the reference data; gives what `ackclock validate --json` prints.
#[pyfunction]
pub(crate) fn validate(
    py: Python<'_>,
    only: Option<String>,
    jobs: Option<usize>,
) -> PyResult<Bound<'_, PyAny>> {
    let validation = interruptible(py, |interrupted| {
        compare(&ValidateOptions {
            only: only.as_deref(),
            threads: jobs,
            registry: &Registry::standard(),
            interrupted,
            progress: &|_, _| (),
        })
    })?;
    let validation = validation.map_err(|error| errors::validate(&error))?;
    value::from_json(
        py,
        &serde_json::to_string(&validation).expect("numbers and texts"),
    )
}
