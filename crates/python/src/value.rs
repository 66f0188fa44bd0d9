//! Python values as TOML text, and JSON as Python values.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use crate::controller;
use controllers::Controller;

/// Writes `value` as TOML text: texts, numbers, flags, lists, dictionaries. A class that derives
/// from `ackclock.Controller` becomes its name, and is added to `classes`.
pub(crate) fn to_toml(value: &Bound<'_, PyAny>, classes: &mut Vec<Controller>) -> PyResult<String> {
    if let Ok(class) = value.cast::<PyType>() {
        let controller = controller::described(class)?;
        classes.push(controller);
        return Ok(quoted(controller.name));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(quoted(text.to_str()?));
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().to_string());
    }
    if value.cast::<PyInt>().is_ok() {
        return Ok(value.str()?.to_string());
    }
    if value.cast::<PyFloat>().is_ok() {
        return Ok(toml::Value::Float(value.extract()?).to_string());
    }
    if let Ok(table) = value.cast::<PyDict>() {
        let entries = table.iter().map(|(key, value)| {
            let key = key
                .cast::<PyString>()
                .map_err(|_| wrong(&key))?
                .to_str()?
                .to_owned();
            Ok(format!("{} = {}", quoted(&key), to_toml(&value, classes)?))
        });
        let entries = entries.collect::<PyResult<Vec<_>>>()?;
        return Ok(format!("{{ {} }}", entries.join(", ")));
    }
    if value.cast::<PyList>().is_ok() || value.cast::<PyTuple>().is_ok() {
        let mut items = Vec::new();
        for item in value.try_iter()? {
            items.push(to_toml(&item?, classes)?);
        }
        return Ok(format!("[{}]", items.join(", ")));
    }
    // Numbers of other libraries, such as NumPy's.
    if value.hasattr("__index__")? {
        return Ok(value.call_method0("__index__")?.str()?.to_string());
    }
    if value.hasattr("__float__")? {
        return Ok(toml::Value::Float(value.extract()?).to_string());
    }
    Err(wrong(value))
}

/// JSON text as Python values.
pub(crate) fn from_json<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json,))
}

pub(crate) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn wrong(value: &Bound<'_, PyAny>) -> PyErr {
    let of = value.get_type().name();
    let of = of.map_or_else(|_| "something".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "a scenario holds texts, numbers, flags, lists, dictionaries and classes of controllers, \
         not {of}"
    ))
}
