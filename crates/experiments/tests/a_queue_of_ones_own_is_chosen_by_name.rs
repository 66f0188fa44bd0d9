//! A discipline and a loss model that a program adds are chosen in files like the project's own.
//!
//! Two packets may wait. Of the ten that one flow sends in one instant the first begins to be sent,
//! and in this instant still waits ([decision 0004]), the second waits, and eight find no room. The
//! loss model loses the first of the two.
//!
//! [decision 0004]: ../../../docs/decisions/0004-ties.md

use experiments::Registry;
use experiments::scenario::{Document, Scenario, schema, to_toml};
use netsim::loss::{self, LossModel, Offered};
use netsim::queues::{self, Arrival, ArrivalDiscipline, Discipline, DropReason, Queue, Verdict};
use units::choice::{Choice, Kind, Parameter, Parameters, Value, Wrong};

#[derive(Debug)]
struct Few {
    most: u64,
}

impl ArrivalDiscipline for Few {
    fn admit(&mut self, arrival: &Arrival) -> Verdict {
        if arrival.backlog.packets < self.most {
            Verdict::Queue
        } else {
            Verdict::Drop(DropReason::Full)
        }
    }
}

const FEW: Discipline = Discipline {
    about: Choice {
        name: "few",
        doc: "Lets few wait.",
        source: "",
        keys: &[Parameter::new(
            "most",
            Kind::Integer { min: 1, max: 9 },
            Value::Integer(3),
            "How many may wait.",
        )],
        rule: odd,
    },
    needs_rate: true,
    usual_packets: None,
    build: |parameters, _| {
        let most = parameters.integer("most").expect("it has a default");
        Queue::at_arrival(Few { most })
    },
};

fn odd(parameters: &Parameters) -> Result<(), Wrong> {
    match parameters.integer("most") {
        Some(7) => Err(Wrong::at("most", "is not a number that this queue likes")),
        _ => Ok(()),
    }
}

#[derive(Debug)]
struct First(bool);

impl LossModel for First {
    fn loses(&mut self, _: &Offered) -> bool {
        std::mem::replace(&mut self.0, false)
    }
}

const FIRST: loss::Model = loss::Model {
    about: Choice {
        name: "first",
        doc: "The first packet is lost.",
        source: "",
        keys: &[],
        rule: units::choice::any,
    },
    build: |_, _| Box::new(First(true)),
};

fn registry() -> Registry {
    let mut registry = Registry::standard();
    registry.register_queue(FEW);
    registry.register_loss(FIRST);
    registry
}

const TEXT: &str = r#"
duration = "1 s"
[topology]
kind = "dumbbell"
bottleneck = { rate = "1 Mbps", delay = "10 ms", queue = { kind = "few", most = 2 }, loss = "first" }
[[flows]]
protocol = "tcp"
recovery = "old-tahoe"
packets = 10
initial_window = "10 packets"
rto = { initial = "30 s" }
"#;

#[test]
fn it_drops_what_its_code_says() {
    let scenario = Scenario::parse(TEXT, "few.toml", &registry()).unwrap();
    let outcome = experiments::run(&scenario, &registry()).unwrap();
    let link = &outcome.summary.links[0];
    assert_eq!((link.packets_in, link.drops, link.lost), (10, 8, 1));
    assert_eq!(outcome.summary.flows[0].packets_delivered, 1);
}

#[test]
fn it_is_written_back_listed_and_in_the_schema() {
    let scenario = Scenario::parse(TEXT, "few.toml", &registry()).unwrap();
    let written = to_toml(&scenario);
    let again = Scenario::parse(&written, "few.toml", &registry()).unwrap();
    assert_eq!(again, scenario, "{written}");
    assert!(schema(&registry()).to_string().contains("\"most\""));
    let found = experiments::catalogue::explain(&registry(), "few").unwrap();
    assert!(found[0].parameters.iter().any(|it| it.name == "most"));
    let without = Scenario::parse(TEXT, "few.toml", &Registry::standard()).unwrap_err();
    assert!(
        without.to_string().contains("\"few\" is not allowed"),
        "{without}"
    );
}

#[test]
fn its_rule_and_its_bounds_are_errors_with_a_place() {
    for (value, told) in [
        (
            "7",
            "topology.bottleneck.queue.most = 7 is not a number that this queue likes",
        ),
        ("10", "it takes a whole number from 1 to 9"),
    ] {
        let mut document = Document::parse(TEXT, "few.toml").unwrap();
        document
            .set("topology.bottleneck.queue.most", value)
            .unwrap();
        let error = document.check(&registry()).unwrap_err();
        assert!(error.to_string().contains(told), "{error}");
        let text = TEXT.replace("most = 2", &format!("most = {value}"));
        let error = Scenario::parse(&text, "few.toml", &registry()).unwrap_err();
        assert_eq!(error.position.map(|at| at.line), Some(5), "{error}");
    }
}

#[test]
fn one_of_the_same_name_takes_the_place_of_the_projects() {
    let mut registry = registry();
    let about = Choice {
        name: "drop-tail",
        ..FEW.about
    };
    registry.register_queue(Discipline { about, ..FEW });
    let text = TEXT.replace("\"few\"", "\"drop-tail\"");
    let scenario = Scenario::parse(&text, "few.toml", &registry).unwrap();
    assert_eq!(
        scenario.topology.links()[0]
            .1
            .queue
            .parameters
            .integer("most"),
        Some(2)
    );
    assert_eq!(queues::STANDARD[0].about.name, "drop-tail");
}
