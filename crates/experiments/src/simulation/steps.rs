//! A run taken step by step, by those who act in between: an agent that learns, say.

use controllers::Registry;
use units::Time;

use super::{Endpoints, Outcome, RunError, Simulation, Stations, summarize};
use crate::scenario::Scenario;

/// A run that goes on when told. Events are not recorded.
///
/// What it comes to does not depend on where it is stopped, unless someone acts there.
pub struct Steps {
    simulation: Simulation<false>,
    stations: Stations,
    scenario: Scenario,
    at: Time,
}

impl Steps {
    /// The run of a scenario, at its beginning.
    pub fn new(scenario: Scenario, registry: &Registry) -> Result<Self, RunError> {
        Ok(Self {
            simulation: Simulation::new(&scenario, registry, &Endpoints::default())?,
            stations: Stations::new(&scenario),
            scenario,
            at: Time::ZERO,
        })
    }

    /// How far it is.
    pub const fn at(&self) -> Time {
        self.at
    }

    /// Whether it has reached the scenario's end.
    pub fn is_over(&self) -> bool {
        self.at >= self.end()
    }

    /// Goes on to `until`, at the latest to the end. No endpoint has then seen anything later.
    pub fn advance(&mut self, until: Time) {
        let limit = until.min(self.end());
        while self.at < limit {
            self.at = self
                .simulation
                .reach(&self.scenario, &mut self.stations, limit);
        }
    }

    /// Runs the rest; what the whole run gives.
    pub fn finish(mut self) -> Result<Outcome, RunError> {
        self.advance(Time::MAX);
        summarize::summarize(&self.scenario, self.simulation.built)
    }

    fn end(&self) -> Time {
        Time::ZERO + self.scenario.duration
    }
}
