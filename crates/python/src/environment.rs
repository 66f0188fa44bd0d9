//! What is behind `ackclock.gym`: runs in steps, a flow of which does what it is told.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use controllers::{
    Ack, Build, Carrier, Congestion, CongestionController, Controller, Limits, Parameters,
    Properties, Setup,
};
use experiments::Registry;
use experiments::scenario as files;
use experiments::simulation::Steps;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use units::{Bytes, Duration, Rate, Time};

use crate::scenario::Scenario;
use crate::{controller, errors};

/// What the agent does and sees: the two ends of a flow's controller.
#[derive(Clone, Debug, Default)]
struct Hand {
    setup: Option<Setup>,
    window_bytes: f64,
    pacing_bps: Option<f64>,
    /// Since the last step.
    seen: Seen,
    smoothed_rtt_s: f64,
    min_rtt_s: f64,
    in_flight_bytes: f64,
}

/// What ACKs and signs of congestion told during a step.
#[derive(Clone, Debug, Default)]
struct Seen {
    delivered_bytes: f64,
    lost_bytes: f64,
    acks: f64,
    marks: f64,
    rtts: (f64, f64),
}

/// The controller that does what the hand says.
#[derive(Clone, Debug)]
struct Agent(Arc<Mutex<Hand>>);

impl Agent {
    fn hand(&self) -> MutexGuard<'_, Hand> {
        lock(&self.0)
    }
}

impl CongestionController for Agent {
    fn limits(&self) -> Limits {
        let hand = self.hand();
        Limits {
            window: Bytes(hand.window_bytes as u64),
            pacing: hand
                .pacing_bps
                .map(|rate| Rate::bits_per_s((rate as u64).max(1))),
            quantum: None,
            slow_start: false,
        }
    }

    fn on_ack(&mut self, ack: &Ack) {
        let mut hand = self.hand();
        hand.smoothed_rtt_s = ack.smoothed_rtt.as_secs_f64();
        hand.min_rtt_s = ack.min_rtt.as_secs_f64();
        hand.in_flight_bytes = ack.in_flight.as_f64();
        hand.seen.delivered_bytes += ack.newly_delivered.as_f64();
        hand.seen.lost_bytes += ack.newly_lost.as_f64();
        hand.seen.acks += 1.0;
        hand.seen.marks += ack.ecn_ce as f64;
        if let Some(rtt) = ack.rtt {
            hand.seen.rtts.0 += rtt.as_secs_f64();
            hand.seen.rtts.1 += 1.0;
        }
    }

    fn on_congestion(&mut self, _: &Congestion) {}

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        let hand = self.hand();
        if let Some(setup) = hand.setup {
            visit("window", hand.window_bytes / setup.segment.as_f64());
        }
    }
}

/// Several runs of one scenario, stepped together on all cores.
#[pyclass(module = "ackclock._core")]
pub(crate) struct Environments {
    scenario: files::Scenario,
    /// Number of the agent's group.
    group: usize,
    step: Duration,
    places: Vec<Place>,
}

/// A run, and the hand of its agent.
struct Place {
    hand: Arc<Mutex<Hand>>,
    registry: Registry,
    /// Behind a lock only because Python may share what holds it.
    steps: Mutex<Option<Steps>>,
}

#[pymethods]
impl Environments {
    /// `count` runs of `scenario`, whose group `label` is one flow: the agent's. A step takes
    /// `step_s`.
    #[new]
    fn new(scenario: &Scenario, label: &str, count: usize, step_s: f64) -> PyResult<Self> {
        if !(step_s > 0.0 && step_s.is_finite()) {
            return Err(PyValueError::new_err("a step takes some time"));
        }
        let groups = &scenario.checked.flows;
        let Some(number) = groups.iter().position(|group| group.label == label) else {
            let labels: Vec<&str> = groups.iter().map(|group| group.label.as_str()).collect();
            return Err(errors::refused(
                format!("the scenario has no flows labelled \"{label}\""),
                format!("there is: {}", labels.join(", ")),
            ));
        };
        let group = &groups[number];
        if group.count != 1 {
            return Err(errors::refused(
                format!(
                    "{} flows are labelled \"{label}\"; the agent is one",
                    group.count
                ),
                "set the group's count to 1",
            ));
        }
        let places: Vec<Place> = (0..count).map(|_| Place::new(&scenario.registry)).collect();
        let mut document = scenario.document.clone();
        let key = format!("flows.{}.controller", crate::value::quoted(label));
        let registry = places
            .first()
            .map_or(&scenario.registry, |place| &place.registry);
        let checked = document
            .set_by("controller =", &key, AGENT)
            .and_then(|()| document.check(registry))
            .map_err(|error| errors::scenario(&error))?;
        Ok(Self {
            scenario: checked,
            group: number,
            step: Duration::from_secs_f64(step_s),
            places,
        })
    }

    /// Rate of the slowest link on the agent's way in bits per second, and its packets' size in bytes.
    fn path(&self) -> (f64, f64) {
        let group = &self.scenario.flows[self.group];
        let (there, _) = self.scenario.paths(group);
        let rates = there
            .into_iter()
            .filter_map(|at| self.scenario.topology.link(at).rate);
        let slowest = rates.map(Rate::as_f64).fold(f64::INFINITY, f64::min);
        (slowest, group.packet_size.as_f64())
    }

    /// Begins a run anew.
    fn reset(&mut self, py: Python<'_>, index: usize, seed: u64) -> PyResult<()> {
        let scenario = files::Scenario {
            seed,
            ..self.scenario.clone()
        };
        let place = self.place(index)?;
        *lock(&place.hand) = Hand::default();
        let steps = py.detach(|| controller::catch(|| Steps::new(scenario, &place.registry)))?;
        *unlocked(&mut place.steps) = Some(steps.map_err(|error| errors::run(&error))?);
        Ok(())
    }

    /// Sets windows in bytes, or rates in bits per second where they are over zero, and takes a
    /// step with all runs that have a window. Gives for each: [`FIELDS`] numbers, as bytes of little-endian doubles.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        windows: Vec<Option<f64>>,
        rates: Vec<f64>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        if windows.len() != self.places.len() || rates.len() != self.places.len() {
            return Err(PyValueError::new_err(
                "one window and one rate for each run",
            ));
        }
        let all = windows.iter().flatten().chain(&rates);
        if all.copied().any(|value| value < 0.0 || value.is_nan()) {
            return Err(PyValueError::new_err(
                "a window is a number of bytes, a rate one of bits per second: 0 or more",
            ));
        }
        let step = self.step;
        let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let each = self.places.len().div_ceil(threads).max(1);
        let places = &mut self.places;
        let seen = py.detach(|| {
            thread::scope(|scope| {
                let parts: Vec<_> = places
                    .chunks_mut(each)
                    .zip(windows.chunks(each).zip(rates.chunks(each)))
                    .map(|(places, (windows, rates))| {
                        scope.spawn(move || {
                            controller::catch(|| {
                                let pairs = places.iter_mut().zip(windows.iter().zip(rates));
                                pairs
                                    .map(|(place, (window, rate))| match window {
                                        Some(window) => place.step(*window, *rate, step),
                                        None => Some([0.0; FIELDS]),
                                    })
                                    .collect::<Vec<_>>()
                            })
                        })
                    })
                    .collect();
                let mut seen = Vec::new();
                for part in parts {
                    let part = part.join();
                    seen.extend(part.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
                }
                Ok::<_, PyErr>(seen)
            })
        })?;
        let numbers = seen.into_iter().collect::<Option<Vec<_>>>();
        let numbers = numbers.ok_or_else(|| PyRuntimeError::new_err("reset a run first"))?;
        let bytes: Vec<u8> = numbers
            .iter()
            .flatten()
            .flat_map(|n| n.to_le_bytes())
            .collect();
        Ok(PyBytes::new(py, &bytes))
    }

    /// Runs the rest of a run and writes its folder.
    fn write(&mut self, py: Python<'_>, index: usize, folder: PathBuf) -> PyResult<()> {
        let steps = unlocked(&mut self.place(index)?.steps).take();
        let steps = steps.ok_or_else(|| PyRuntimeError::new_err("reset a run first"))?;
        let outcome = py.detach(|| controller::catch(|| steps.finish()))?;
        let outcome = outcome.map_err(|error| errors::run(&error))?;
        results::files::write_run_folder(&folder, &self.scenario, &outcome)
            .map_err(|error| errors::files(&error))
    }
}

impl Environments {
    fn place(&mut self, index: usize) -> PyResult<&mut Place> {
        let place = self.places.get_mut(index);
        place.ok_or_else(|| PyValueError::new_err("there are not so many runs"))
    }
}

impl Place {
    fn new(registry: &Registry) -> Self {
        let hand = Arc::new(Mutex::new(Hand::default()));
        let agent = Agent(Arc::clone(&hand));
        // One for each place, as long as the program runs.
        let build: &'static Build = Box::leak(Box::new(
            move |_: &Parameters, setup: &Setup| -> Box<dyn CongestionController> {
                let mut hand = agent.hand();
                hand.setup = Some(*setup);
                hand.window_bytes = setup.initial_window.as_f64();
                Box::new(agent.clone())
            },
        ));
        let mut registry = registry.clone();
        registry.register(Controller {
            name: AGENT,
            summary: "Does what an agent outside of the simulator says.",
            source: "Python",
            carrier: Carrier::Window,
            properties: Properties {
                paced: true,
                ..Properties::WINDOW
            },
            parameters: &[],
            build,
        });
        Self {
            hand,
            registry,
            steps: Mutex::new(None),
        }
    }

    fn step(
        &mut self,
        window_bytes: f64,
        pacing_bps: f64,
        step: Duration,
    ) -> Option<[f64; FIELDS]> {
        let steps = unlocked(&mut self.steps).as_mut()?;
        {
            let mut hand = lock(&self.hand);
            // With nothing in flight there is no ACK, and no step after this one.
            let segment = hand.setup.map_or(0.0, |setup| setup.segment.as_f64());
            hand.window_bytes = window_bytes.max(segment);
            hand.pacing_bps = (pacing_bps > 0.0).then_some(pacing_bps);
            hand.seen = Seen::default();
        }
        let began = steps.at();
        steps.advance(began + step);
        let hand = lock(&self.hand);
        let seconds = steps.at().saturating_since(began).as_secs_f64();
        let (sum, count) = hand.seen.rtts;
        Some([
            steps.at().saturating_since(Time::ZERO).as_secs_f64(),
            seconds,
            hand.seen.delivered_bytes,
            hand.seen.lost_bytes,
            if count > 0.0 { sum / count } else { 0.0 },
            hand.smoothed_rtt_s,
            hand.min_rtt_s,
            hand.in_flight_bytes,
            hand.seen.acks,
            hand.seen.marks,
            hand.window_bytes,
            if steps.is_over() { 1.0 } else { 0.0 },
        ])
    }
}

fn unlocked<T>(of: &mut Mutex<T>) -> &mut T {
    of.get_mut().unwrap_or_else(PoisonError::into_inner)
}

fn lock(hand: &Mutex<Hand>) -> MutexGuard<'_, Hand> {
    hand.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Time, length of the step, delivered and lost bytes, mean round trip, smoothed and smallest round
/// trip, bytes in flight, ACKs, marks, window in bytes, and whether the run is over.
const FIELDS: usize = 12;
const AGENT: &str = "agent";
