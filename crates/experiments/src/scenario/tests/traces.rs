//! A delay that follows a trace, in the scenario or in a file beside it.

use netsim::delay::Process;
use netsim::random::Stream;
use units::{Duration, Time};

use super::*;
use crate::scenario::{Chosen, Document, Scenario, ScenarioError, Topology};

fn scenario(delay: &str) -> String {
    format!(
        r#"duration = "10 s"
[topology]
kind = "dumbbell"
bottleneck = {{ rate = "1 Mbps", delay = {delay} }}
[[flows]]
protocol = "tcp"
"#
    )
}

/// Reads a scenario beside which the file `path.csv` has this text.
fn beside(delay: &str, text: &str) -> Result<Scenario, ScenarioError> {
    let mut document = Document::parse(&scenario(delay), "a.toml")?;
    document.read_files(|name| match name {
        "path.csv" => Ok(text.to_owned()),
        _ => Err("cannot be read: no such file".to_owned()),
    })?;
    document.check(&Registry::standard())
}

fn delay_of(scenario: &Scenario) -> &Chosen<Process> {
    let Topology::Dumbbell(dumbbell) = &scenario.topology else {
        panic!("a dumbbell");
    };
    match &dumbbell.bottleneck.delay {
        Delay::Model(model) => model,
        Delay::Fixed(_) => panic!("a model"),
    }
}

const FILE: &str = r#"{ kind = "trace", file = "path.csv" }"#;

#[test]
fn a_file_gives_the_same_as_its_points_in_the_scenario() {
    let in_file = beside(FILE, "delay_s, time_s\n0.02,0\n0.0305,1.5\n\n0,2e0\n").unwrap();
    let points = r#"{ kind = "trace", points = [["0 s", "20 ms"], ["1500 ms", "30.5 ms"], ["2 s", "0 s"]] }"#;
    let in_place = beside(points, "").unwrap();
    assert_eq!(in_file, in_place);
    let ms = Duration::from_millis;
    let mut built =
        (delay_of(&in_file).what.build)(&delay_of(&in_file).parameters, Stream::named(1, "delay"));
    for (at, delay) in [
        (ms(0), ms(20)),
        (ms(1_499), ms(20)),
        (ms(1_500), Duration::from_micros(30_500)),
        (ms(2_000), ms(0)),
    ] {
        assert_eq!(built.at(Time::ZERO + at), delay);
    }
}

#[test]
fn what_is_wrong_in_a_trace_is_said_with_its_line() {
    for (text, told) in [
        (
            "time_s,delay\n0,1\n",
            "line 1, the header, has no column delay_s",
        ),
        ("time_s,delay_s\n", "no line after the header"),
        ("time_s,delay_s\n0,0.1\n1,x\n", "line 3: delay_s = \"x\""),
        ("time_s,delay_s\n0,0.1\n1\n", "line 3: delay_s = \"\""),
        ("time_s,delay_s\n0,-1\n", "line 2: delay_s = \"-1\""),
        ("time_s,delay_s\n0,nan\n", "line 2: delay_s = \"nan\""),
        ("time_s,delay_s\n1,0.1\n", "line 2: time_s = 1: the times"),
        (
            "time_s,delay_s\n0,0.1\n2,1\n2,0\n",
            "line 4: time_s = 2: the",
        ),
    ] {
        let error = beside(FILE, text).unwrap_err();
        assert!(error.to_string().contains(told), "{error}");
        assert_eq!(
            error.position.map(|position| position.line),
            Some(4),
            "{error}"
        );
    }
    let missing = beside(r#"{ kind = "trace", file = "other.csv" }"#, "").unwrap_err();
    assert!(
        missing.to_string().contains("other.csv\": cannot be read"),
        "{missing}"
    );
}

#[test]
fn a_file_that_nobody_read_and_a_trace_without_points_are_refused() {
    for (delay, told) in [
        (FILE, "has not been read"),
        (r#"{ kind = "trace" }"#, "needs points"),
        (r#"{ kind = "trace", points = [] }"#, "is empty"),
        (
            r#"{ kind = "trace", points = [["0 s"]] }"#,
            "a time and a delay",
        ),
    ] {
        let error = Scenario::parse(&scenario(delay), "a.toml", &Registry::standard()).unwrap_err();
        assert!(error.to_string().contains(told), "{error}");
    }
}

#[test]
fn a_state_holds_by_one_law() {
    let with = |law: &str| {
        let state = format!(r#"{{ delay = "1 ms", {law} }}"#);
        let text = scenario(&format!(
            r#"{{ kind = "alternating", states = [{state}, {state}] }}"#
        ));
        Scenario::parse(&text, "a.toml", &Registry::standard())
    };
    let drawn = with(r#"hold = { exponential = "1 s" }"#).unwrap();
    let law = Distribution::Exponential {
        mean: Duration::from_secs(1),
    };
    let mut states = delay_of(&drawn).parameters.tables("states");
    assert_eq!(states.next().unwrap().distribution("hold"), &law);
    for law in [
        r#"hold = "1 s", stay = "1 s""#,
        r#"hold = "1 s", extra = "1 s""#,
    ] {
        assert!(with(law).unwrap_err().to_string().contains("one law"));
    }
    assert!(
        with(r#"hold = "0 s""#)
            .unwrap_err()
            .to_string()
            .contains("too short")
    );
    assert!(
        with(r#"stay = "0 s""#)
            .unwrap_err()
            .to_string()
            .contains("time must pass")
    );
}
