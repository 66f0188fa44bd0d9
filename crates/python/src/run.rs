//! `ackclock.run` and what it gives.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use experiments::scenario as files;
use experiments::simulation::{Outcome, RunError, run_with_progress};
use pyo3::prelude::*;
use results::files::{run_tables, write_run_folder};

use crate::interrupt::EVERY;
use crate::scenario::Scenario;
use crate::table::Table;
use crate::{controller, errors, value};

/// A run: its totals, and as tables whatever was recorded.
#[pyclass(frozen, module = "ackclock._core")]
pub(crate) struct Run {
    scenario: files::Scenario,
    outcome: Outcome,
}

#[pymethods]
impl Run {
    /// The summary as JSON text.
    #[getter]
    fn json(&self) -> String {
        serde_json::to_string(&self.outcome.summary).expect("numbers and texts")
    }

    /// The summary as a dictionary.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        value::from_json(py, &self.json())
    }

    /// The scenario that ran, as TOML.
    #[getter]
    fn toml(&self) -> String {
        files::to_toml(&self.scenario)
    }

    /// The table of that name.
    fn table(&self, py: Python<'_>, name: &str) -> PyResult<Table> {
        py.detach(|| {
            let tables = run_tables(&self.outcome);
            let table = tables.iter().find(|table| table.name == name);
            table.map(Table::of)
        })
        .ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(name.to_owned()))
    }

    /// Writes the run folder.
    fn write(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        py.detach(|| write_run_folder(&folder, &self.scenario, &self.outcome))
            .map_err(|error| errors::files(&error))
    }
}

/// Runs a scenario. `progress` is called with the simulated time reached in seconds.
#[pyfunction]
#[pyo3(signature = (scenario, seed = None, progress = None))]
pub(crate) fn run(
    py: Python<'_>,
    scenario: &Scenario,
    seed: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Run> {
    let chosen = scenario.with_seed(seed)?;
    let outcome = if scenario.calls_python() {
        // To stay attached makes each call of a controller cheaper.
        simulate(&chosen, scenario, progress.as_ref())
    } else {
        py.detach(|| simulate(&chosen, scenario, progress.as_ref()))
    }?;
    Ok(Run {
        scenario: chosen,
        outcome,
    })
}

fn simulate(
    chosen: &files::Scenario,
    scenario: &Scenario,
    progress: Option<&Py<PyAny>>,
) -> PyResult<Outcome> {
    let mut looked = now();
    let mut raised = None;
    let watch = |at: units::Time| {
        if looked.elapsed() < EVERY {
            return ControlFlow::Continue(());
        }
        looked = now();
        let told = Python::attach(|py| {
            py.check_signals()?;
            progress.map_or(Ok(()), |call| call.call1(py, (at.as_secs_f64(),)).map(drop))
        });
        match told {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                raised = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    let outcome = controller::catch(|| run_with_progress(chosen, &scenario.registry, watch))?;
    match (outcome, raised) {
        (_, Some(raised)) => Err(raised),
        (outcome, None) => outcome.map_err(|error: RunError| errors::run(&error)),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "how often to look for Ctrl-C goes by the clock; no result does"
)]
fn now() -> Instant {
    Instant::now()
}
