//! Drop-tail that decides at departure gives what drop-tail that decides at arrival gives.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use netsim::queues::{self, Discipline, Fifo, Queue, Victim};

use super::*;
use crate::Registry;
use crate::scenario::Record;

/// Drop-tail queues that mark nothing decide when packets leave.
fn departing() -> Registry {
    let usual = queues::STANDARD[0];
    let mut registry = Registry::standard();
    registry.register_queue(Discipline {
        build: |parameters, place| match parameters.integer("mark") {
            Some(_) => (queues::STANDARD[0].build)(parameters, place),
            None => Queue::at_departure(Fifo::new(place.limit, Victim::Newest)),
        },
        ..usual
    });
    registry
}

/// All scenarios that ship, but those of a hundred thousand flows and more.
fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut files = Vec::new();
    for folder in [folder.join("bench"), folder] {
        let entries = std::fs::read_dir(folder).expect("the folder is there");
        let paths = entries.map(|entry| entry.expect("it can be read").path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "toml")));
    }
    files.retain(|file| {
        !["w4", "w5", "w6"]
            .map(|it| file.ends_with(format!("{it}.toml")))
            .contains(&true)
    });
    files.sort();
    files
}

fn outcome<const EVENTS: bool>(scenario: &Scenario) -> Outcome {
    let built = build::build::<EVENTS>(scenario, &Registry::standard(), &Endpoints::default());
    let simulation = Simulation {
        built: built.expect("it can be built"),
    };
    let outcome = simulation.run(scenario, |_| ControlFlow::Continue(()));
    outcome.expect("it runs to its end")
}

/// The same in the order of time, and without what a link that works ahead tells of the time after
/// the end.
fn events(outcome: &Outcome) -> Vec<(u64, u32, String, u64)> {
    let end = outcome.summary.duration_s * 1e12;
    let past = outcome.recording.events.iter();
    let past = past.filter(|event| event.time_ps as f64 <= end);
    let mut events: Vec<_> = past
        .map(|event| {
            (
                event.time_ps,
                event.flow,
                format!("{event:?}"),
                event.packet_number,
            )
        })
        .collect();
    events.sort();
    events
}

/// Makes two outcomes comparable: a link that decides at departure counts a packet when it leaves
/// or is lost, one that decides at arrival when it comes.
fn without_what_waits(mut outcome: Outcome) -> Outcome {
    let summary = &mut outcome.summary;
    summary.events = 0;
    summary.in_flight += std::mem::take(&mut summary.lost);
    for flow in &mut summary.flows {
        flow.in_flight += std::mem::take(&mut flow.lost);
    }
    for link in &mut summary.links {
        (link.packets_out, link.lost) = (0, 0);
    }
    let samples = &mut outcome.recording.links;
    let loses = |number: u32, samples: &[LinkSample]| {
        samples.iter().any(|it| it.link == number && it.lost > 0)
    };
    let lossy: Vec<bool> = (0..summary.links.len() as u32)
        .map(|number| loses(number, samples))
        .collect();
    for sample in samples {
        sample.lost = 0;
        if lossy[sample.link as usize] {
            sample.throughput_bps = 0.0;
        }
    }
    outcome.recording.events.clear();
    outcome
}

fn compare<const EVENTS: bool>([early, late]: &[Scenario; 2]) {
    let name = &early.name;
    let (early, late) = (outcome::<EVENTS>(early), outcome::<EVENTS>(late));
    assert_eq!(events(&early), events(&late), "{name}");
    for (early, late) in early.summary.links.iter().zip(&late.summary.links) {
        // What is not yet counted of a queue that decides at departure in both.
        let kept = early.packets_in - early.packets_out - early.lost - early.drops;
        let out = early.packets_out + early.lost + kept;
        let waiting = out - late.packets_out - late.lost;
        let offered = late.packets_out + late.lost + late.drops + waiting;
        assert_eq!(late.packets_in, offered, "{name}");
    }
    let [early, late] = [early, late].map(without_what_waits);
    if early != late {
        let [early, late] = [early, late].map(|outcome| format!("{outcome:#?}"));
        let mut lines = early.lines().zip(late.lines());
        panic!("{name}: {:?}", lines.find(|(early, late)| early != late));
    }
}

#[test]
fn drop_tail_at_departure_gives_the_same_records_on_every_shipped_scenario() {
    for file in shipped() {
        let text = std::fs::read_to_string(&file).expect("it can be read");
        let name = file.display().to_string();
        let short = name.contains("/bench/");
        let mut both = [Registry::standard(), departing()].map(|registry| {
            let parsed = Scenario::parse(&text, &name, &registry);
            let mut scenario = parsed.expect("what ships is valid");
            scenario.duration =
                scenario
                    .duration
                    .min(Duration::from_secs(if short { 2 } else { 60 }));
            scenario.warmup = scenario.warmup.min(scenario.duration / 2);
            scenario.record = Some(Record {
                // Never in the instant in which a packet begins: it still waits at departure then.
                every: Some(Duration::from_picos(99_999_999_937)),
                events: false,
            });
            scenario
        });
        compare::<false>(&both);
        for scenario in &mut both {
            scenario.duration = scenario.duration.min(Duration::from_secs(10));
            scenario.warmup = scenario.warmup.min(scenario.duration / 2);
        }
        compare::<true>(&both);
    }
}
