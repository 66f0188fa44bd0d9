//! One run: endpoints on the nodes of a network, from the first packet to the summary.

mod application;
mod build;
mod end;
mod endpoints;
mod flow;
mod glance;
mod handed;
mod hosts;
mod models;
mod payload;
mod record;
mod steps;
mod summarize;

use std::ops::ControlFlow;

use controllers::Registry;
use units::{Duration, Time};

pub use glance::Glance;
pub use handed::{Endpoints, Ends, Place};
pub use record::{Event, EventKind, FlowSample, LinkSample, Recording, VariableSample};
pub use steps::Steps;

use crate::scenario::Scenario;
use crate::summary::Summary;
use build::Built;

/// Why a run gave no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// A controller cannot be built.
    #[error(transparent)]
    Controller(#[from] controllers::ParameterError),
    /// The caller asked to stop.
    #[error("interrupted at {at} of simulated time")]
    Interrupted {
        /// How far the run had come.
        at: Time,
    },
    /// Packets were lost from the books: a fault of the simulator.
    #[error(
        "packets are not conserved ({what}): {sent} sent, but {accounted} delivered, dropped, \
         lost or in flight"
    )]
    NotConserved {
        /// Which packets.
        what: &'static str,
        /// How many were sent.
        sent: u64,
        /// How many are accounted for.
        accounted: u64,
    },
}

/// What a run gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Totals, means and indices.
    pub summary: Summary,
    /// Series and events, as far as the scenario asks for them.
    pub recording: Recording,
}

/// Runs a scenario.
pub fn run(scenario: &Scenario, registry: &Registry) -> Result<Outcome, RunError> {
    run_with_progress(scenario, registry, |_| ControlFlow::Continue(()))
}

/// Runs a scenario and calls `progress` with the simulated time reached, first when the network is
/// built and then now and then; it stops where `progress` breaks.
pub fn run_with_progress(
    scenario: &Scenario,
    registry: &Registry,
    mut progress: impl FnMut(Time) -> ControlFlow<()>,
) -> Result<Outcome, RunError> {
    run_watched(scenario, registry, |glance| progress(glance.at))
}

/// The same, but `watch` may look at the flows too, at 200 instants or more.
pub fn run_watched(
    scenario: &Scenario,
    registry: &Registry,
    watch: impl FnMut(&Glance<'_>) -> ControlFlow<()>,
) -> Result<Outcome, RunError> {
    run_with_endpoints(scenario, registry, &Endpoints::default(), watch)
}

/// The same with endpoints of one's own for some of the flows.
pub fn run_with_endpoints(
    scenario: &Scenario,
    registry: &Registry,
    endpoints: &Endpoints<'_>,
    watch: impl FnMut(&Glance<'_>) -> ControlFlow<()>,
) -> Result<Outcome, RunError> {
    // Two copies of the event loop, so that what is not recorded costs nothing.
    let mut outcome = if scenario.record.is_some_and(|record| record.events) {
        Simulation::<true>::new(scenario, registry, endpoints)?.run(scenario, watch)
    } else {
        Simulation::<false>::new(scenario, registry, endpoints)?.run(scenario, watch)
    }?;
    endpoints.name_protocols(&mut outcome.summary);
    Ok(outcome)
}

struct Simulation<const EVENTS: bool> {
    built: Built<EVENTS>,
}

impl<const EVENTS: bool> Simulation<EVENTS> {
    fn new(
        scenario: &Scenario,
        registry: &Registry,
        endpoints: &Endpoints<'_>,
    ) -> Result<Self, RunError> {
        Ok(Self {
            built: build::build(scenario, registry, endpoints)?,
        })
    }

    fn run(
        mut self,
        scenario: &Scenario,
        mut watch: impl FnMut(&Glance<'_>) -> ControlFlow<()>,
    ) -> Result<Outcome, RunError> {
        let end = Time::ZERO + scenario.duration;
        let mut stations = Stations::new(scenario);
        if watch(&self.built.hosts.glance(Time::ZERO)).is_break() {
            return Err(RunError::Interrupted { at: Time::ZERO });
        }
        loop {
            let at = self.reach(scenario, &mut stations, end);
            if at >= end {
                break;
            }
            if watch(&self.built.hosts.glance(at)).is_break() {
                return Err(RunError::Interrupted { at });
            }
        }
        summarize::summarize(scenario, self.built)
    }

    /// Goes on to the next station, at the latest to `limit`; where that is.
    fn reach(&mut self, scenario: &Scenario, stations: &mut Stations, limit: Time) -> Time {
        let Built {
            network,
            hosts,
            links,
        } = &mut self.built;
        let at = stations.next().min(limit);
        network.run_ahead(hosts, at, stations.next_visit().min(limit));
        if at == Time::ZERO + scenario.warmup {
            hosts.begin_measuring();
        }
        stations.visit(at, |station| match station {
            Station::Sample => hosts.sample(network, links),
            Station::Stop(flows) => hosts.stop(network, flows),
            Station::Playback(flows) => hosts.play(flows),
        });
        at
    }
}

/// Instants at which the run pauses to do something to all flows, or to show progress.
struct Stations {
    regular: Vec<Regular>,
    warmup: Option<Time>,
    stops: Vec<(Time, std::ops::Range<usize>)>,
}

struct Regular {
    every: Duration,
    next: Time,
    what: Option<Station>,
}

#[derive(Clone, Debug)]
enum Station {
    /// Take a sample of every flow and link.
    Sample,
    /// These flows stop.
    Stop(std::ops::Range<usize>),
    /// The players of these flows read.
    Playback(std::ops::Range<usize>),
}

impl Stations {
    fn new(scenario: &Scenario) -> Self {
        let mut regular = Vec::new();
        let mut add = |every: Duration, what| {
            regular.push(Regular {
                every,
                next: Time::ZERO + every,
                what,
            });
        };
        add(
            (scenario.duration / PROGRESS_STEPS).max(Duration::from_picos(1)),
            None,
        );
        if let Some(every) = scenario.record.and_then(|record| record.every) {
            add(every, Some(Station::Sample));
        }
        let mut stops = Vec::new();
        let mut first = 0;
        for group in &scenario.flows {
            let flows = first..first + group.count as usize;
            first = flows.end;
            if let Some(slot) = flow::playback_slot(group) {
                add(slot, Some(Station::Playback(flows.clone())));
            }
            if let Some(stop) = group.stop {
                stops.push((Time::ZERO + stop, flows));
            }
        }
        stops.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        Self {
            regular,
            warmup: Some(Time::ZERO + scenario.warmup),
            stops,
        }
    }

    /// When the run pauses next.
    fn next(&self) -> Time {
        let regular = self.regular.iter().map(|station| station.next);
        regular.fold(self.next_visit(), Time::min)
    }

    /// When it pauses next to do something to flows, not to show progress.
    fn next_visit(&self) -> Time {
        let visits = self.regular.iter().filter(|station| station.what.is_some());
        let regular = visits.map(|station| station.next).min();
        let stop = self.stops.last().map(|(at, _)| *at);
        [regular, stop, self.warmup]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(Time::MAX)
    }

    fn visit(&mut self, at: Time, mut call: impl FnMut(Station)) {
        if self.warmup == Some(at) {
            self.warmup = None;
        }
        for station in &mut self.regular {
            if station.next == at {
                station.next = at.saturating_add(station.every);
                if let Some(what) = &station.what {
                    call(what.clone());
                }
            }
        }
        while self.stops.last().is_some_and(|(stop, _)| *stop <= at) {
            let (_, flows) = self.stops.pop().expect("there is a last one");
            call(Station::Stop(flows));
        }
    }
}

/// How often a run reports its progress.
const PROGRESS_STEPS: u64 = 200;

#[cfg(test)]
mod tests;
