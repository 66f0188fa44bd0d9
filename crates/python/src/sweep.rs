//! `ackclock.sweep`: every combination of some values, on all cores.

use std::path::PathBuf;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use results::files::{SWEEP_PAGE, Wishes, write_sweep_report};
use results::sweep::{Options, Progress, RunNumber, Swept};
use serde_json::json;

use crate::interrupt::interruptible;
use crate::scenario::Scenario;
use crate::{errors, value};

/// Runs what is missing of the scenario's sweep and writes the data set to `folder`; gives its
/// description with `run`, `skipped` and `interrupted`. `progress` is called with the number of
/// runs that are finished and of those that there are.
#[pyfunction]
#[pyo3(signature = (scenario, folder, jobs = None, progress = None))]
pub(crate) fn sweep<'py>(
    py: Python<'py>,
    scenario: &Scenario,
    folder: PathBuf,
    jobs: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    keeps(scenario)?;
    let swept = interruptible(py, |interrupted| {
        let tell = |at: Progress| {
            let Some(progress) = &progress else { return };
            Python::attach(|py| {
                let told = progress.call1(py, (at.run + at.skipped, at.points));
                if let Err(error) = told {
                    error.write_unraisable(py, None);
                }
            });
        };
        results::sweep::sweep(
            &scenario.document,
            &folder,
            &Options {
                threads: jobs,
                registry: &scenario.registry,
                interrupted,
                admit: &|_| Ok(()),
                started: &|_| (),
                progress: &tell,
            },
        )
    })?;
    let swept = swept.map_err(|error| errors::sweep(&error))?;
    done(py, &swept)
}

/// What a sweep gave, for Python.
fn done<'py>(py: Python<'py>, swept: &Swept) -> PyResult<Bound<'py, PyAny>> {
    let done = json!({
        "description": swept.description,
        "run": swept.run,
        "skipped": swept.skipped,
        "interrupted": swept.interrupted,
    });
    value::from_json(py, &done.to_string())
}

/// Draws a sweep's data set; gives the page's path.
#[pyfunction]
pub(crate) fn write_report(py: Python<'_>, folder: PathBuf) -> PyResult<PathBuf> {
    py.detach(|| write_sweep_report(&folder, &Wishes::default()))
        .map_err(|error| errors::sweep_report(&error))?;
    Ok(folder.join(SWEEP_PAGE))
}

/// A sweep keeps results by what determines them; of a class it sees the name alone.
pub(crate) fn keeps(scenario: &Scenario) -> PyResult<()> {
    scenario.without_version().map_or(Ok(()), |name| {
        Err(errors::refused(
            format!(
                "a sweep keeps results by what determines them, and cannot see whether the class \
                 of the controller \"{name}\" has changed"
            ),
            "give the class a version = \"1\", and another one whenever you change it",
        ))
    })
}

/// A sweep whose runs others do.
#[pyclass(module = "ackclock._core")]
pub(crate) struct Campaign(Option<results::sweep::Campaign>);

#[pymethods]
impl Campaign {
    #[new]
    fn new(
        py: Python<'_>,
        scenario: &Scenario,
        folder: PathBuf,
        parcels: Vec<Vec<u8>>,
    ) -> PyResult<Self> {
        keeps(scenario)?;
        let open = || {
            results::sweep::Campaign::open(
                &scenario.document,
                &folder,
                &scenario.registry,
                &parcels,
            )
        };
        let campaign = py.detach(open).map_err(|error| errors::sweep(&error))?;
        Ok(Self(Some(campaign)))
    }

    fn batch(&mut self, work: f64) -> PyResult<Vec<RunNumber>> {
        Ok(self.get()?.batch(work))
    }

    fn work(&mut self, batch: Vec<RunNumber>) -> PyResult<f64> {
        Ok(self.get()?.work(&batch))
    }

    fn give_back(&mut self, batch: Vec<RunNumber>) -> PyResult<()> {
        self.get()?.give_back(&batch);
        Ok(())
    }

    fn receive(&mut self, parcel: &[u8]) -> PyResult<()> {
        let received = self.get()?.receive(parcel);
        received.map_err(|error| errors::sweep(&error))
    }

    fn progress(&mut self) -> PyResult<(u64, u64)> {
        let at = self.get()?.progress();
        Ok((at.run + at.skipped, at.points))
    }

    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let campaign = self.0.take().ok_or_else(finished)?;
        let swept = py.detach(|| campaign.finish());
        done(py, &swept.map_err(|error| errors::sweep(&error))?)
    }
}

impl Campaign {
    fn get(&mut self) -> PyResult<&mut results::sweep::Campaign> {
        self.0.as_mut().ok_or_else(finished)
    }
}

fn finished() -> PyErr {
    PyRuntimeError::new_err("the sweep is finished")
}

/// What a worker does; the parcel for [`Campaign::receive`].
#[pyfunction]
pub(crate) fn run_batch<'py>(
    py: Python<'py>,
    scenario: &Scenario,
    batch: Vec<RunNumber>,
) -> PyResult<Bound<'py, PyBytes>> {
    let parcel = interruptible(py, |interrupted| {
        results::sweep::run_batch(&scenario.document, &scenario.registry, &batch, interrupted)
    })?;
    let parcel = parcel.map_err(|error| errors::sweep(&error))?;
    Ok(PyBytes::new(py, &parcel))
}

/// Whether a parcel is of this version, and as it was written.
#[pyfunction]
pub(crate) fn is_whole_parcel(parcel: &[u8]) -> bool {
    results::sweep::is_whole_parcel(parcel)
}
