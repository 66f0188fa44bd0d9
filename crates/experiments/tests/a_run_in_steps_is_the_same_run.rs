//! A run that is stopped at many instants, off the beat of its samples, gives what the run in one
//! piece gives: endpoints that work ahead of the clock are not ahead where it stops.

use experiments::Registry;
use experiments::gallery;
use experiments::scenario::Scenario;
use experiments::simulation::{Steps, run};
use units::{Duration, Time};

#[test]
fn where_a_run_is_stopped_changes_nothing() {
    let registry = Registry::standard();
    for name in ["dsl", "first", "reordering", "video"] {
        let text = gallery::find(name).expect("it comes along").text;
        let scenario = Scenario::parse(text, name, &registry).unwrap();
        let whole = run(&scenario, &registry).unwrap();
        let mut steps = Steps::new(scenario, &registry).unwrap();
        let mut until = Time::ZERO;
        while !steps.is_over() {
            until += Duration::from_micros(37_123);
            steps.advance(until);
            assert!(steps.at() <= until);
        }
        // The events counted differ by none either.
        assert_eq!(steps.finish().unwrap(), whole, "{name}");
    }
}
