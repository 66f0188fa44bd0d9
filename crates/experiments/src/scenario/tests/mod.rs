//! Tests of the reading as a whole: values, errors, settings, sweeps, schema.

mod errors;
mod properties;
mod sweeps;
mod traces;

use super::*;
use units::{Bytes, Packets, Rate};

/// The scenario files of the project, and one with every key.
pub(super) const FILES: &[(&str, &str)] = &[
    (
        "dsl.toml",
        include_str!("../../../../../scenarios/dsl.toml"),
    ),
    (
        "first.toml",
        include_str!("../../../../../scenarios/first.toml"),
    ),
    (
        "graph.toml",
        include_str!("../../../../../scenarios/graph.toml"),
    ),
    (
        "late-comer.toml",
        include_str!("../../../../../scenarios/late-comer.toml"),
    ),
    (
        "lossy.toml",
        include_str!("../../../../../scenarios/lossy.toml"),
    ),
    (
        "parking-lot.toml",
        include_str!("../../../../../scenarios/parking-lot.toml"),
    ),
    (
        "red.toml",
        include_str!("../../../../../scenarios/red.toml"),
    ),
    (
        "reverse.toml",
        include_str!("../../../../../scenarios/reverse.toml"),
    ),
    ("everything.toml", include_str!("everything.toml")),
];

pub(super) const MINIMAL: &str = r#"
duration = "10 s"
[topology]
kind = "dumbbell"
bottleneck = { rate = "10 Mbps", delay = "20 ms" }
[[flows]]
protocol = "tcp"
"#;

pub(super) fn parse(text: &str) -> Result<Scenario, ScenarioError> {
    Scenario::parse(text, "test.toml", &Registry::standard())
}

pub(super) fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn with(settings: &[(&str, &str)]) -> Result<Scenario, ScenarioError> {
    let mut document = Document::parse(MINIMAL, "test.toml")?;
    for (key, value) in settings {
        document.set(key, value)?;
    }
    document.check(&Registry::standard())
}

fn tcp(group: &FlowGroup) -> &TcpOptions {
    match &group.protocol {
        Protocol::Tcp(options) => options,
        other => panic!("not tcp: {other:?}"),
    }
}

#[test]
fn the_scenario_files_read_and_read_back_the_same() {
    for (file, text) in FILES {
        let scenario = Scenario::parse(text, file, &Registry::standard())
            .unwrap_or_else(|error| panic!("{error}"));
        let written = to_toml(&scenario);
        let again = parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(again, scenario, "{written}");
    }
}

#[test]
fn the_dsl_scenario_says_what_its_text_says() {
    let scenario = parse(FILES[0].1).unwrap();
    assert_eq!(scenario.name, "dsl");
    assert_eq!(
        (scenario.duration, scenario.warmup),
        (Duration::from_secs(200), Duration::from_secs(20))
    );
    let Topology::Dumbbell(dumbbell) = &scenario.topology else {
        panic!()
    };
    assert_eq!(dumbbell.bottleneck.rate, Some(Rate::mbit_per_s(1)));
    assert_eq!(
        dumbbell.bottleneck.queue,
        Queue::of_limit(Limit::Packets(5))
    );
    assert_eq!(dumbbell.reverse, dumbbell.bottleneck);
    let delay = Distribution::Uniform {
        low: Duration::from_micros(500),
        high: ms(2),
    };
    for access in [&dumbbell.sender_access, &dumbbell.receiver_access] {
        assert_eq!(
            (access.rate, &access.delay),
            (Some(Rate::mbit_per_s(15)), &delay)
        );
        assert_eq!(access.queue, Queue::of_limit(Limit::Unlimited));
    }
    let labels: Vec<_> = scenario
        .flows
        .iter()
        .map(|group| group.label.as_str())
        .collect();
    assert_eq!(labels, ["tcp", "tcp-reno"]);
    assert_eq!(tcp(&scenario.flows[0]).recovery, Recovery::Sack);
    assert_eq!(tcp(&scenario.flows[1]).recovery, Recovery::Reno);
    assert_eq!(
        scenario.record,
        Some(Record {
            every: Some(ms(100)),
            events: false
        })
    );
    let sweep = scenario.sweep.unwrap();
    assert_eq!(sweep.seeds, Seeds::Fixed(10));
    assert_eq!(sweep.axes[0].keys[0].key, "topology.bottleneck.rate");
    assert_eq!(
        sweep.axes[0].keys[0].values,
        ["\"0.5 Mbps\"", "\"1 Mbps\"", "\"2 Mbps\""]
    );
    assert_eq!(sweep.axes[1].keys[0].values, ["1", "4", "16"]);
}

#[test]
fn what_a_file_leaves_out_has_its_documented_default() {
    let scenario = parse(MINIMAL).unwrap();
    assert_eq!(
        (scenario.name.as_str(), scenario.seed, scenario.warmup),
        ("test", 1, Duration::ZERO)
    );
    let Topology::Dumbbell(dumbbell) = &scenario.topology else {
        panic!()
    };
    assert_eq!(dumbbell.bottleneck.queue, Queue::of_limit(Limit::Bdp(1.0)));
    assert_eq!(dumbbell.sender_access, Access::default());
    let group = &scenario.flows[0];
    assert_eq!((group.label.as_str(), group.count), ("tcp-reno", 1));
    assert_eq!(
        (group.packet_size, group.header, group.payload()),
        (Bytes(1_000), Bytes(40), Bytes(960))
    );
    let options = tcp(group);
    assert_eq!(
        (options.recovery, options.controller.name),
        (Recovery::Sack, "reno")
    );
    assert_eq!(options.initial_window, Packets(10));
    assert_eq!(options.max_window, None);
    assert_eq!(options.rto.minimum, Duration::from_secs(1));
    assert_eq!(options.rto.k, 4);
}

#[test]
fn a_window_in_bytes_counts_payload_and_rounds_down() {
    // 64 kB / 960 B = 66.67
    let scenario = with(&[("flows.tcp-reno.max_window", "64 kB")]).unwrap();
    assert_eq!(tcp(&scenario.flows[0]).max_window, Some(Packets(66)));
}

#[test]
fn one_bdp_is_rate_times_base_round_trip_in_packets() {
    // 10 Mbps × 40 ms = 400,000 bit = 50 packets of 1000 B.
    let scenario = parse(MINIMAL).unwrap();
    assert_eq!(scenario.base_round_trip(&scenario.flows[0]), ms(40));
    assert_eq!(
        scenario.queue_limit(LinkAt::Forward(0)),
        ResolvedLimit::Packets(50)
    );

    // Access of 0.5 to 2 ms on both sides: mean 1.25 ms, four times: 45 ms; 56.25 packets.
    let access = (
        "topology.access.delay",
        r#"{ uniform = ["0.5 ms", "2 ms"] }"#,
    );
    let scenario = with(&[access]).unwrap();
    assert_eq!(
        scenario.queue_limit(LinkAt::Forward(0)),
        ResolvedLimit::Packets(56)
    );

    // A second group of three flows with 10 ms at its senders: 20 + 20 + 2 × (10 + 0) = 60 ms.
    // Mean over 1 × 40 and 3 × 60 ms: 55 ms; 68.75 packets.
    let text = format!(
        "{MINIMAL}[[flows]]\nlabel = \"far\"\ncount = 3\nprotocol = \"tcp\"\naccess = {{ delay = \"10 ms\" }}\n"
    );
    let scenario = parse(&text).unwrap();
    assert_eq!(
        scenario.queue_limit(LinkAt::Forward(0)),
        ResolvedLimit::Packets(69)
    );

    // A tenth of a millisecond at 10 Mbps is an eighth of a packet: at least one waits.
    let tiny = ("topology.bottleneck.delay", "50 us");
    let scenario = with(&[tiny]).unwrap();
    assert_eq!(
        scenario.queue_limit(LinkAt::Forward(0)),
        ResolvedLimit::Packets(1)
    );
}

#[test]
fn bdp_on_a_hop_counts_the_flows_that_cross_it() {
    let scenario = parse(
        r#"
        duration = "10 s"
        [topology]
        kind = "parking-lot"
        count = 3
        hop = { rate = "8 Mbps", delay = "5 ms" }
        [[flows]]
        label = "long"
        protocol = "tcp"
        [[flows]]
        label = "short"
        protocol = "tcp"
        from = "hop2"
        to = "hop2"
        "#,
    )
    .unwrap();
    // Hop 1 has the long flow alone: 2 × 3 × 5 ms = 30 ms × 8 Mbps = 30 packets.
    assert_eq!(
        scenario.queue_limit(LinkAt::Forward(0)),
        ResolvedLimit::Packets(30)
    );
    // Hop 2 has both: mean of 30 and 10 ms.
    assert_eq!(
        scenario.queue_limit(LinkAt::Forward(1)),
        ResolvedLimit::Packets(20)
    );
    let (there, back) = scenario.paths(&scenario.flows[1]);
    assert_eq!(
        (there, back),
        (vec![LinkAt::Forward(1)], vec![LinkAt::Reverse(1)])
    );
}

#[test]
fn packets_in_a_graph_take_the_least_delay() {
    let scenario = parse(FILES[2].1).unwrap();
    let Topology::Graph(graph) = &scenario.topology else {
        panic!()
    };
    let names = |group: usize| -> Vec<&str> {
        let (there, _) = scenario.paths(&scenario.flows[group]);
        there
            .iter()
            .map(|at| match at {
                LinkAt::Graph(index) => graph.links[*index].name.as_str(),
                other => panic!("{other:?}"),
            })
            .collect()
    };
    // alice: 1 + 8 + 4 ms straight on, 1 + 5 + 5 + 4 ms over the north.
    assert_eq!(names(0), ["alice-west", "direct", "last-mile"]);
    assert_eq!(names(1), ["bob-north", "north-east", "last-mile"]);
    assert_eq!(scenario.base_round_trip(&scenario.flows[0]), ms(26));
    assert_eq!(scenario.base_round_trip(&scenario.flows[1]), ms(20));
    // 10 Mbps × mean of 26 and 20 ms = 28.75 packets.
    let last_mile = graph
        .links
        .iter()
        .position(|link| link.name == "last-mile")
        .unwrap();
    assert_eq!(
        scenario.queue_limit(LinkAt::Graph(last_mile)),
        ResolvedLimit::Packets(29)
    );
}

#[test]
fn a_groups_own_access_replaces_the_topologys_part_by_part() {
    let scenario = parse(FILES[8].1).unwrap();
    let (sender, receiver) = scenario.access(&scenario.flows[0]);
    assert_eq!(
        (sender.rate, receiver.rate),
        (Some(Rate::mbit_per_s(2)), Some(Rate::mbit_per_s(2)))
    );
    assert_eq!(sender.delay, Distribution::List(vec![ms(1), ms(2)]));
    assert_eq!(receiver.delay, Distribution::Constant(ms(3)));
    assert_eq!((sender.losses.len(), receiver.losses.len()), (0, 1));
    let (sender, receiver) = scenario.access(&scenario.flows[1]);
    assert_eq!(
        (sender.rate, receiver.rate),
        (Some(Rate::mbit_per_s(15)), None)
    );
    assert_eq!((sender.losses.len(), receiver.losses.len()), (1, 2));
}

#[test]
fn settings_reach_flows_by_label_and_words_become_tables() {
    let scenario = with(&[
        ("flows.tcp-reno.count", "7"),
        ("flows.tcp-reno.controller", "gaimd"),
        ("flows.tcp-gaimd.controller.beta", "0.75"),
        ("topology.bottleneck.queue", "drop-tail"),
        ("topology.bottleneck.queue.limit", "5 packets"),
        ("record.every", "1 s"),
        ("name", "named"),
    ])
    .unwrap();
    assert_eq!(
        (scenario.name.as_str(), scenario.flows[0].count),
        ("named", 7)
    );
    assert_eq!(
        tcp(&scenario.flows[0]).controller.parameters.number("beta"),
        Some(0.75)
    );
    assert_eq!(
        scenario.topology.link(LinkAt::Forward(0)).queue.limit(),
        Limit::Packets(5)
    );
    assert_eq!(scenario.record.unwrap().every, Some(Duration::from_secs(1)));
}

#[test]
fn a_wrong_setting_is_the_settings_error() {
    let error = with(&[("flows.tcp-ren.count", "7")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "--set flows.tcp-ren.count=7: nothing is named \"tcp-ren\"; there is: tcp-reno"
    );
    assert_eq!(error.hint.as_deref(), Some("did you mean \"tcp-reno\"?"));
    let error = with(&[("topology.bottleneck.rat", "7")]).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("--set topology.bottleneck.rat=7: unknown key"),
        "{error}"
    );
    for bad in ["", ".", "a..b", "\"a", "a.b.", "warmup.x"] {
        assert!(with(&[(bad, "1")]).is_err(), "{bad}");
    }
}

#[test]
fn a_point_of_a_sweep_is_the_scenario_with_its_values() {
    let registry = Registry::standard();
    let document = Document::parse(FILES[0].1, "dsl.toml").unwrap();
    let scenario = document.check(&registry).unwrap();
    let sweep = scenario.sweep.clone().unwrap();
    let point = document.at_point(&sweep, &[2, 0], &registry).unwrap();
    assert_eq!(
        point.topology.link(LinkAt::Forward(0)).rate,
        Some(Rate::mbit_per_s(2))
    );
    assert_eq!(point.flows[0].count, 1);
    assert_eq!((point.sweep, point.flows[1].count), (None, 4));
}

/// What a run folder keeps is the written form: a sweep over it must mean the same.
#[test]
fn a_written_scenario_has_the_same_points() {
    let registry = Registry::standard();
    for (file, text) in FILES {
        let document = Document::parse(text, file).unwrap();
        let scenario = document.check(&registry).unwrap();
        let Some(sweep) = &scenario.sweep else {
            continue;
        };
        let written = Document::parse(&to_toml(&scenario), file).unwrap();
        let last: Vec<_> = sweep.axes.iter().map(|axis| axis.len() - 1).collect();
        for choice in [vec![0; last.len()], last] {
            let point = document.at_point(sweep, &choice, &registry).unwrap();
            assert_eq!(
                written.at_point(sweep, &choice, &registry).unwrap(),
                point,
                "{file}"
            );
        }
    }
}

#[test]
fn memory_is_flows_and_queues_and_what_is_recorded() {
    // 1 flow × 4096 B + (50 + 50 packets) × 64 B
    let scenario = parse(MINIMAL).unwrap();
    assert_eq!(estimated_memory(&scenario), Bytes(4_096 + 6_400));
    // 10 s / 10 ms + 1 = 1001 samples of one flow and two links, 80 B each.
    let scenario = with(&[("record.every", "10 ms")]).unwrap();
    assert_eq!(
        estimated_memory(&scenario),
        Bytes(4_096 + 6_400 + 1_001 * 3 * 80)
    );
    // An unlimited queue can fill with all that 10 Mbps send in 10 s: 12,500 packets. The link
    // back has only ACKs.
    let scenario = with(&[
        ("topology.bottleneck.queue.limit", "unlimited"),
        ("topology.bottleneck.queue.kind", "drop-tail"),
    ])
    .unwrap();
    assert_eq!(estimated_memory(&scenario), Bytes(4_096 + 12_500 * 64));
    assert!(check_memory(&scenario, Bytes(1 << 20)).is_ok());
    let error = check_memory(&scenario, Bytes(1 << 19))
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "\"test\" needs about 785.2 KiB of memory, and 512.0 KiB are available"
    );
}

#[test]
fn every_key_is_in_the_schema_and_in_an_example() {
    let schema = schema(&Registry::standard()).to_string();
    let examples: String = FILES.iter().map(|(_, text)| *text).collect();
    let mut keys = 0;
    every_key(&Registry::standard(), |place, key| {
        keys += 1;
        assert!(
            schema.contains(&format!("\"{}\":", key.name)),
            "{place}.{}",
            key.name
        );
        let used = examples.contains(&format!("{} =", key.name))
            || examples.contains(&format!("{}]", key.name))
            || examples.contains(&format!("{}.", key.name));
        assert!(used, "no example has {place}.{}", key.name);
        assert!(key.doc.ends_with('.'), "{place}.{}", key.name);
    });
    assert!(keys > 100, "{keys}");
}

#[test]
fn the_schema_names_controllers_with_their_parameters() {
    let schema = schema(&Registry::standard());
    let of = |protocol: &str| {
        let name = format!("controller-of-{protocol}");
        schema["$defs"][name]["anyOf"].as_array().unwrap()
    };
    let names = |protocol| -> Vec<&str> {
        let named = of(protocol).iter();
        named.filter_map(|one| one["const"].as_str()).collect()
    };
    assert_eq!(names("tfrc"), ["tfrc"]);
    let windows = names("tcp");
    for name in [
        "binomial",
        "cubic",
        "gaimd",
        "reno",
        "rtt-based",
        "smooth",
        "vegas",
    ] {
        assert!(windows.contains(&name), "{name}");
    }
    assert!(!windows.contains(&"tfrc") && !windows.contains(&"tfwc"));
    assert_eq!(names("tfwc").len(), windows.len() + 1);
    assert!(names("tfwc").contains(&"tfwc"));
    let gaimd = of("tcp")
        .iter()
        .find(|one| one["properties"]["name"]["const"] == "gaimd")
        .expect("gaimd as a table");
    assert_eq!(gaimd["properties"]["beta"]["maximum"], 1.0);
    assert_eq!(gaimd["properties"]["beta"]["default"], 0.875);
    assert_eq!(schema["properties"]["duration"]["type"], "string");
    assert!(
        !schema.to_string().contains("null"),
        "an unfinished definition"
    );
}
