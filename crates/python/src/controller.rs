//! `ackclock.Controller`: congestion controllers written in Python.
//!
//! A class is described once and registered under its name like any other controller; each
//! connection gets an instance. Its limits are attributes, checked as they are set, so that reading
//! them costs no call.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic;
use std::sync::{Mutex, PoisonError};

use controllers::{
    Build, Carrier, CongestionController, Kind, Limits, Parameter, Parameters, Properties, Value,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyTuple, PyType};
use units::choice::Setting;
use units::{Bytes, Rate};

use crate::signals::{self, Rounds};

/// Base of congestion controllers written in Python: one instance for each connection.
///
/// A subclass defines `on_ack(self, ack)`, called for each ACK, or `on_round(self, round)`, called
/// once for each round trip, or both; and as it likes `on_congestion(self, congestion)`,
/// `on_sent(self, sent)`, `on_spurious_congestion(self)` and `variables(self)`, which gives numbers
/// by name to record. It answers by setting `window_bytes` and, to pace, `pacing_bps`. Its
/// `__init__(self, setup, …)` may take parameters with defaults, numbers or flags, which scenarios
/// then set like those of any controller. What it raises stops the run.
#[pyclass(subclass, module = "ackclock")]
pub(crate) struct Controller {
    setup: controllers::Setup,
    window_bytes: f64,
    pacing_bps: Option<f64>,
}

#[pymethods]
impl Controller {
    /// Its name in scenarios; by default the class's, `MyLaw` as `my-law`.
    #[classattr]
    #[pyo3(name = "name")]
    const NAME: &'static str = "";
    /// What results of sweeps are kept under; another one after each change of the class.
    #[classattr]
    #[pyo3(name = "version")]
    const OWN_VERSION: &'static str = "";
    /// Whether it gives a rate.
    #[classattr]
    #[pyo3(name = "paced")]
    const PACED: bool = false;
    /// Whether it reads `Ack.delivery_rate_bps`: it is measured for it alone.
    #[classattr]
    #[pyo3(name = "rate_samples")]
    const RATE_SAMPLES: bool = false;

    #[new]
    #[pyo3(signature = (setup, *_arguments, **_keys))]
    fn new(
        setup: &Bound<'_, PyAny>,
        _arguments: &Bound<'_, PyTuple>,
        _keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let setup = setup.cast::<signals::Setup>().map_err(|_| {
            PyTypeError::new_err(
                "a controller is made for each connection by the run: give the class to the \
                 scenario, not an instance",
            )
        })?;
        let setup = setup.get().0;
        Ok(Self {
            window_bytes: setup.initial_window.as_f64(),
            pacing_bps: None,
            setup,
        })
    }

    /// Most data in flight, in bytes; 0 or more.
    #[getter]
    fn window_bytes(&self) -> f64 {
        self.window_bytes
    }

    #[setter]
    fn set_window_bytes(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.window_bytes = number(
            "window_bytes",
            "a number of bytes, 0 or more",
            value,
            |bytes| bytes >= 0.0,
        )?;
        Ok(())
    }

    /// Rate at which packets leave, in bit/s and over 0; `None` leaves it to the ACK clock.
    #[getter]
    fn pacing_bps(&self) -> Option<f64> {
        self.pacing_bps
    }

    #[setter]
    fn set_pacing_bps(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.pacing_bps = if value.is_none() {
            None
        } else {
            let allowed = "a number of bits per second over 0, or None";
            let over_zero = |rate: f64| rate > 0.0 && rate.is_finite();
            Some(number("pacing_bps", allowed, value, over_zero)?)
        };
        Ok(())
    }

    /// Size by which windows are counted: a full data packet, in bytes.
    #[getter]
    fn segment_bytes(&self) -> u64 {
        self.setup.segment.0
    }
}

impl Controller {
    fn limits(&self) -> Limits {
        Limits {
            // Saturates: what is too large for an integer is no limit.
            window: Bytes(self.window_bytes as u64),
            pacing: self
                .pacing_bps
                .map(|rate| Rate::bits_per_s((rate as u64).max(1))),
            quantum: None,
            slow_start: false,
        }
    }
}

fn number(
    name: &str,
    allowed: &str,
    value: &Bound<'_, PyAny>,
    is_allowed: impl FnOnce(f64) -> bool,
) -> PyResult<f64> {
    let Ok(number) = value.extract::<f64>() else {
        let shown = value.repr()?;
        return Err(PyTypeError::new_err(format!(
            "{name} = {shown}: it is {allowed}"
        )));
    };
    if is_allowed(number) {
        Ok(number)
    } else {
        Err(PyValueError::new_err(format!(
            "{name} = {number}: it is {allowed}"
        )))
    }
}

/// A class as the registry knows it. Described once, and kept as long as the program runs.
pub(crate) fn described(class: &Bound<'_, PyType>) -> PyResult<controllers::Controller> {
    if let Some(known) = known(|of, _| of.is(class)) {
        return Ok(known);
    }
    let py = class.py();
    if !class.is_subclass_of::<Controller>()? {
        return Err(PyTypeError::new_err(format!(
            "{} is no controller: it does not derive from ackclock.Controller",
            class.name()?
        )));
    }
    let description = py
        .import("ackclock._controller")?
        .call_method1("describe", (class,))?;
    let (name, summary, version, paced, rate_samples, defaults): Description<'_> =
        description.extract()?;
    let mut parameters = Vec::new();
    for (name, default) in &defaults {
        let (kind, default) = kind(name, default)?;
        parameters.push(Parameter {
            name: interned(name),
            kind,
            default,
            unit: "",
            doc: "",
        });
    }
    if !version.is_empty() {
        let version = interned(&version);
        parameters.push(Parameter {
            name: VERSION,
            kind: Kind::Choice(Vec::leak(vec![version])),
            default: Value::Choice(version),
            unit: "",
            doc: "Version of the class: results are kept under it.",
        });
    }
    let of = class.clone().unbind();
    let build: &'static Build = Box::leak(Box::new(
        move |parameters: &Parameters,
              setup: &controllers::Setup|
              -> Box<dyn CongestionController> {
            Python::attach(|py| match Bridge::build(of.bind(py), parameters, setup) {
                Ok(bridge) => Box::new(bridge),
                Err(error) => raise(py, error),
            })
        },
    ));
    let controller = controllers::Controller {
        name: interned(&name),
        summary: interned(&summary),
        source: "Python",
        carrier: Carrier::Window,
        properties: Properties {
            paced,
            rate_samples,
            ..Properties::WINDOW
        },
        parameters: Vec::leak(parameters),
        build,
    };
    let mut classes = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
    classes.push((class.clone().unbind(), controller));
    Ok(controller)
}

/// Name, summary, version, whether it paces, whether it reads rates, parameters with defaults.
type Description<'py> = (
    String,
    String,
    String,
    bool,
    bool,
    Vec<(String, Bound<'py, PyAny>)>,
);

/// The class behind a controller of the registry.
pub(crate) fn class_of<'py>(
    py: Python<'py>,
    controller: &controllers::Controller,
) -> Option<Bound<'py, PyType>> {
    let classes = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut classes = classes.iter();
    let (class, _) = classes.find(|(_, of)| std::ptr::addr_eq(of.build, controller.build))?;
    Some(class.bind(py).clone())
}

fn known(
    is_it: impl Fn(&Py<PyType>, &controllers::Controller) -> bool,
) -> Option<controllers::Controller> {
    let classes = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut classes = classes.iter();
    classes
        .find(|(of, controller)| is_it(of, controller))
        .map(|(_, controller)| *controller)
}

/// The classes used so far.
static CLASSES: Mutex<Vec<(Py<PyType>, controllers::Controller)>> = Mutex::new(Vec::new());

fn kind(name: &str, default: &Bound<'_, PyAny>) -> PyResult<(Kind, Value)> {
    if let Ok(flag) = default.extract::<bool>() {
        return Ok((Kind::Flag, Value::Flag(flag)));
    }
    if default.is_instance_of::<PyInt>()
        && let Ok(integer) = default.extract::<u64>()
    {
        let (min, max) = (0, u64::MAX);
        return Ok((Kind::Integer { min, max }, Value::Integer(integer)));
    }
    if default.is_instance_of::<PyFloat>() || default.is_instance_of::<PyInt>() {
        let (min, max) = (f64::NEG_INFINITY, f64::INFINITY);
        return Ok((Kind::Number { min, max }, Value::Number(default.extract()?)));
    }
    Err(PyTypeError::new_err(format!(
        "the parameter {name} = {}: parameters of controllers are numbers and flags, with a default",
        default.repr()?
    )))
}

/// An instance of a class, as the simulator drives it.
#[derive(Debug)]
struct Bridge {
    object: Py<Controller>,
    segment: Bytes,
    limits: Limits,
    methods: Methods,
    rounds: Rounds,
}

/// The methods that the class defines, bound to the instance.
#[derive(Debug)]
struct Methods {
    ack: Option<Py<PyAny>>,
    congestion: Option<Py<PyAny>>,
    sent: Option<Py<PyAny>>,
    spurious_congestion: Option<Py<PyAny>>,
    round: Option<Py<PyAny>>,
    variables: Option<Py<PyAny>>,
}

impl Bridge {
    fn build(
        class: &Bound<'_, PyType>,
        parameters: &Parameters,
        setup: &controllers::Setup,
    ) -> PyResult<Self> {
        let py = class.py();
        let keys = PyDict::new(py);
        for (name, value) in parameters.iter() {
            match value {
                Setting::Value(Value::Number(number)) => keys.set_item(name, number)?,
                Setting::Value(Value::Integer(number)) => keys.set_item(name, number)?,
                Setting::Value(Value::Flag(flag)) => keys.set_item(name, flag)?,
                _ => {}
            }
        }
        let object = class.call((signals::Setup(*setup),), Some(&keys))?;
        Self::around(object.cast_into::<Controller>()?)
    }

    fn around(object: Bound<'_, Controller>) -> PyResult<Self> {
        let method = |name: &str| -> PyResult<Option<Py<PyAny>>> {
            Ok(object.getattr_opt(name)?.map(Bound::unbind))
        };
        let methods = Methods {
            ack: method("on_ack")?,
            congestion: method("on_congestion")?,
            sent: method("on_sent")?,
            spurious_congestion: method("on_spurious_congestion")?,
            round: method("on_round")?,
            variables: method("variables")?,
        };
        let (limits, segment) = {
            let state = object.borrow();
            (state.limits(), state.setup.segment)
        };
        Ok(Self {
            object: object.unbind(),
            segment,
            limits,
            methods,
            rounds: Rounds::default(),
        })
    }

    /// Calls a method, and reads the limits again; whether they are others.
    fn call(
        object: &Py<Controller>,
        limits: &mut Limits,
        method: Option<&Py<PyAny>>,
        signal: impl for<'py> FnOnce(Python<'py>) -> PyResult<Bound<'py, PyTuple>>,
    ) -> bool {
        let Some(method) = method else { return false };
        Python::attach(|py| {
            let called = signal(py).and_then(|signal| method.bind(py).call1(signal));
            if let Err(error) = called {
                raise(py, error);
            }
            let now = object.borrow(py).limits();
            let changed = now != *limits;
            *limits = now;
            changed
        })
    }
}

impl CongestionController for Bridge {
    fn limits(&self) -> Limits {
        self.limits
    }

    fn on_ack(&mut self, ack: &controllers::Ack) {
        let (object, limits) = (&self.object, &mut self.limits);
        Self::call(object, limits, self.methods.ack.as_ref(), |py| {
            (signals::Ack(*ack),).into_pyobject(py)
        });
        if self.methods.round.is_some()
            && let Some(round) = self.rounds.on_ack(ack)
        {
            Self::call(object, limits, self.methods.round.as_ref(), |py| {
                (round,).into_pyobject(py)
            });
        }
    }

    fn on_congestion(&mut self, congestion: &controllers::Congestion) {
        self.rounds.on_congestion(congestion);
        let (object, limits) = (&self.object, &mut self.limits);
        Self::call(object, limits, self.methods.congestion.as_ref(), |py| {
            (signals::Congestion(*congestion),).into_pyobject(py)
        });
    }

    fn on_sent(&mut self, sent: &controllers::Sent) -> bool {
        let (object, limits) = (&self.object, &mut self.limits);
        Self::call(object, limits, self.methods.sent.as_ref(), |py| {
            (signals::Sent(*sent),).into_pyobject(py)
        })
    }

    fn on_spurious_congestion(&mut self) {
        let (object, limits) = (&self.object, &mut self.limits);
        let method = self.methods.spurious_congestion.as_ref();
        Self::call(object, limits, method, |py| Ok(PyTuple::empty(py)));
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit(
            "window",
            self.limits.window.as_f64() / self.segment.as_f64(),
        );
        let Some(method) = &self.methods.variables else {
            return;
        };
        let values: BTreeMap<String, f64> = Python::attach(|py| {
            let values = method.call0(py).and_then(|values| values.extract(py));
            values.unwrap_or_else(|error| raise(py, error))
        });
        for (name, value) in values {
            visit(interned(&name), value);
        }
    }
}

impl Clone for Bridge {
    fn clone(&self) -> Self {
        Python::attach(|py| {
            let copy = || -> PyResult<Self> {
                let copied = py
                    .import("copy")?
                    .call_method1("deepcopy", (&self.object,))?;
                let copied = Self::around(copied.cast_into::<Controller>()?)?;
                Ok(Self {
                    rounds: self.rounds.clone(),
                    ..copied
                })
            };
            copy().unwrap_or_else(|error| raise(py, error))
        })
    }
}

thread_local! {
    /// Whether the run on this thread is one that raises what a controller raised.
    static RAISES: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`; what a controller in Python raises comes back as the error.
///
/// It leaves the simulator as a panic that carries the exception: a controller's methods have no
/// other way out.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    let before = RAISES.replace(true);
    let result = panic::catch_unwind(panic::AssertUnwindSafe(work));
    RAISES.set(before);
    result.map_err(|panic| match panic.downcast::<PyErr>() {
        Ok(error) => *error,
        Err(panic) => panic::resume_unwind(panic),
    })
}

/// Ends the run. In a sweep that is one run of many: its row says why.
fn raise(py: Python<'_>, error: PyErr) -> ! {
    if RAISES.get() {
        panic::resume_unwind(Box::new(error));
    }
    let trace = error.traceback(py).and_then(|trace| trace.format().ok());
    panic::resume_unwind(Box::new(format!("{}{error}", trace.unwrap_or_default())));
}

/// The same text as long as the program runs. There are as many as there are different ones.
fn interned(text: &str) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text) {
        return known;
    }
    let text: &'static str = Box::leak(text.into());
    texts.insert(text);
    text
}

/// The parameter under which the version of a class is kept.
pub(crate) const VERSION: &str = "version";
