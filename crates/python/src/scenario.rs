//! `ackclock.Scenario`.

use std::path::Path;

use controllers::Controller;
use experiments::Registry;
use experiments::gallery;
use experiments::scenario::{self as files, Document, to_toml};
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::{controller, errors, value};

/// A checked scenario: a network, its flows, and what to measure.
///
/// `Scenario("FILE")` reads a file or a scenario that comes along, `Scenario(text=…)` TOML,
/// `Scenario(duration="60 s", topology={…}, flows=[{…}])` the keys of a file; keys given beside a file
/// or text replace its own. Quantities are texts with units. A class derived from `Controller` may
/// stand wherever a controller's name may.
#[pyclass(frozen, module = "ackclock")]
pub(crate) struct Scenario {
    pub(crate) document: Document,
    pub(crate) checked: files::Scenario,
    pub(crate) registry: Registry,
    /// Those of the registry that Python defines.
    classes: Vec<Controller>,
}

#[pymethods]
impl Scenario {
    #[new]
    #[pyo3(signature = (source = None, /, *, text = None, **keys))]
    fn new(
        source: Option<&Bound<'_, PyAny>>,
        text: Option<&str>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let document = match (source, text) {
            (Some(_), Some(_)) => {
                return Err(PyTypeError::new_err("give a file or text=, not both"));
            }
            (Some(source), None) => open(&source.str()?.to_string())?,
            (None, Some(text)) => parse(text, "text")?,
            (None, None) => parse("name = \"scenario\"\n", "keyword arguments")?,
        };
        let mut new = Unchecked {
            document,
            classes: Vec::new(),
        };
        if let Some(keys) = keys {
            new.set_all(keys)?;
        }
        new.check()
    }

    /// A copy with some keys changed: `with_(duration="9 s")`, or dotted keys in a dictionary,
    /// `with_({"topology.bottleneck.rate": "2 Mbps"})`. Flows go by their label.
    #[pyo3(signature = (settings = None, /, **keys))]
    fn with_(
        &self,
        settings: Option<&Bound<'_, PyDict>>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut new = Unchecked {
            document: self.document.clone(),
            classes: self.classes.clone(),
        };
        for settings in [settings, keys].into_iter().flatten() {
            new.set_all(settings)?;
        }
        new.check()
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.checked.name
    }

    /// Seed of its random streams.
    #[getter]
    fn seed(&self) -> u64 {
        self.checked.seed
    }

    /// How long it runs, in simulated seconds.
    #[getter]
    fn duration_s(&self) -> f64 {
        self.checked.duration.as_secs_f64()
    }

    /// Time at the beginning that rates, means and indices leave out, in s.
    #[getter]
    fn warmup_s(&self) -> f64 {
        self.checked.warmup.as_secs_f64()
    }

    /// The complete scenario as TOML, defaults filled in.
    #[getter]
    fn toml(&self) -> String {
        to_toml(&self.checked)
    }

    /// Whether it says what a sweep varies.
    #[getter]
    fn has_sweep(&self) -> bool {
        self.checked.sweep.is_some()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.checked == other.checked
    }

    fn __repr__(&self) -> String {
        let flows: Vec<String> = self
            .checked
            .flows
            .iter()
            .map(|group| format!("{} {}", group.count, group.label))
            .collect();
        format!(
            "<ackclock.Scenario \"{}\": {}, {}>",
            self.checked.name,
            self.checked.duration,
            flows.join(", ")
        )
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let escaped = slf.py().import("html")?;
        let escaped = escaped.call_method1("escape", (slf.get().toml(),))?;
        Ok(format!("<pre>{escaped}</pre>"))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let this = slf.get();
        let classes = this
            .classes
            .iter()
            .filter_map(|class| controller::class_of(py, class))
            .collect::<Vec<_>>();
        let state = (
            results::store::VERSION,
            to_toml(&this.checked),
            &this.checked.name,
            classes,
        );
        Ok((
            slf.get_type().getattr("_restore")?,
            state.into_pyobject(py)?,
        ))
    }

    /// What `pickle` calls.
    #[staticmethod]
    fn _restore(
        version: &str,
        toml: &str,
        name: &str,
        classes: Vec<Bound<'_, PyType>>,
    ) -> PyResult<Self> {
        if version != results::store::VERSION {
            return Err(errors::refused(
                format!(
                    "the scenario \"{name}\" was pickled by ackclock {version}; this is {}",
                    results::store::VERSION
                ),
                "install the same version at both ends, or send scenario.toml instead",
            ));
        }
        let classes = classes
            .iter()
            .map(controller::described)
            .collect::<PyResult<_>>()?;
        let document = parse(toml, &format!("{name}.toml"))?;
        Unchecked { document, classes }.check()
    }
}

impl Scenario {
    /// The same with another seed.
    pub(crate) fn with_seed(&self, seed: Option<u64>) -> PyResult<files::Scenario> {
        let Some(seed) = seed else {
            return Ok(self.checked.clone());
        };
        let mut document = self.document.clone();
        document
            .set_by("seed =", "seed", &seed.to_string())
            .and_then(|()| document.check(&self.registry))
            .map_err(|error| errors::scenario(&error))
    }

    /// Whether a flow's controller is written in Python.
    pub(crate) fn calls_python(&self) -> bool {
        !self.classes.is_empty()
    }

    /// Of the controllers written in Python, those whose results cannot be kept: their version is
    /// not known.
    pub(crate) fn without_version(&self) -> Option<&'static str> {
        let version = |class: &&Controller| {
            let mut names = class.parameters.iter().map(|parameter| parameter.name);
            !names.any(|name| name == controller::VERSION)
        };
        self.classes.iter().find(version).map(|class| class.name)
    }
}

/// A scenario in the making.
struct Unchecked {
    document: Document,
    classes: Vec<Controller>,
}

impl Unchecked {
    fn set_all(&mut self, settings: &Bound<'_, PyDict>) -> PyResult<()> {
        for (key, value) in settings {
            let key: String = key.extract()?;
            let text = value::to_toml(&value, &mut self.classes)?;
            self.document
                .set_by(&format!("{key} ="), &key, &text)
                .map_err(|error| errors::scenario(&error))?;
        }
        Ok(())
    }

    fn check(self) -> PyResult<Scenario> {
        let mut registry = Registry::standard();
        for class in &self.classes {
            registry.register(*class);
        }
        let checked = self
            .document
            .check(&registry)
            .map_err(|error| errors::scenario(&error))?;
        Ok(Scenario {
            document: self.document,
            checked,
            registry,
            classes: self.classes,
        })
    }
}

/// A file, or a scenario that comes with the package.
fn open(name: &str) -> PyResult<Document> {
    let path = Path::new(name);
    let mut document = match std::fs::read_to_string(path) {
        Ok(text) => parse(&text, name)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let included = gallery::find(name).ok_or_else(|| errors::no_such_scenario(name))?;
            parse(included.text, &format!("{}.toml", included.name))?
        }
        Err(error) => return Err(PyOSError::new_err(format!("{name}: {error}"))),
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    document
        .read_files(|other| {
            std::fs::read_to_string(folder.join(other))
                .map_err(|error| format!("cannot be read: {error}"))
        })
        .map_err(|error| errors::scenario(&error))?;
    Ok(document)
}

fn parse(text: &str, file: &str) -> PyResult<Document> {
    Document::parse(text, file).map_err(|error| errors::scenario(&error))
}
