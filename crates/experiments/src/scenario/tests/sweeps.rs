//! `[sweep]`: ranges, keys that move together, seeds by rule.

use super::*;

fn sweep(text: &str) -> Sweep {
    let scenario = parse(&format!("{MINIMAL}\n{text}")).unwrap();
    scenario.sweep.expect("there is one")
}

/// The values of the first key of the first axis.
fn values(text: &str) -> Vec<String> {
    sweep(text).axes[0].keys[0].values.clone()
}

#[test]
fn a_linear_range_has_both_ends_and_equal_differences() {
    assert_eq!(
        values("[sweep]\nwarmup = { from = \"1 s\", to = \"3 s\", steps = 5 }"),
        ["\"1 s\"", "\"1.5 s\"", "\"2 s\"", "\"2.5 s\"", "\"3 s\""]
    );
    // Downwards too; 0.1 × 3 is 0.3.
    let loss = "\"topology.bottleneck.loss\" = [{ kind = \"bernoulli\", probability = 0.0 }]\n";
    assert_eq!(
        values("[sweep]\n\"flows.tcp-reno.count\" = { from = 9, to = 3, steps = 3 }"),
        ["9", "6", "3"]
    );
    let text = format!(
        "[sweep]\n{loss}[[sweep.together]]\n\"topology.bottleneck.queue.limit\" = {{ from = \"10 packet\", to = \"30 packets\", steps = 3 }}"
    );
    assert_eq!(
        sweep(&text).axes[1].keys[0].values,
        ["\"10 packets\"", "\"20 packets\"", "\"30 packets\""]
    );
}

#[test]
fn a_logarithmic_range_has_equal_ratios() {
    // √10 = 3.16228 to six digits.
    assert_eq!(
        values(
            "[sweep]\n\"topology.bottleneck.rate\" = { from = \"1 Mbps\", to = \"100 Mbps\", steps = 5, \
             scale = \"logarithmic\" }"
        ),
        [
            "\"1 Mbps\"",
            "\"3.16228 Mbps\"",
            "\"10 Mbps\"",
            "\"31.6228 Mbps\"",
            "\"100 Mbps\""
        ]
    );
    // 100^(1/3) = 4.64, 100^(2/3) = 21.5: rounded, since both ends are whole.
    assert_eq!(
        values(
            "[sweep]\nflows.tcp-reno.count = { from = 1, to = 100, steps = 4, scale = \"logarithmic\" }"
        ),
        ["1", "5", "22", "100"]
    );
}

#[test]
fn keys_that_move_together_are_one_axis() {
    let text = "[sweep]\nseeds = 2\nwarmup = [\"1 s\", \"2 s\", \"3 s\"]\n\
                [[sweep.together]]\n\"topology.bottleneck.rate\" = [\"1 Mbps\", \"10 Mbps\"]\n\
                flows.tcp-reno.count = { from = 1, to = 10, steps = 2 }";
    let document = Document::parse(&format!("{MINIMAL}\n{text}"), "m.toml").unwrap();
    let registry = Registry::standard();
    let sweep = document.check(&registry).unwrap().sweep.unwrap();
    assert_eq!((sweep.combinations(), sweep.most_runs()), (6, 12));
    // The last axis varies fastest: 0 (0, 0), 1 (0, 1), 2 (1, 0), …
    assert_eq!(sweep.choice(3), [1, 1]);
    let point = document.at_point(&sweep, &[1, 1], &registry).unwrap();
    assert_eq!(point.warmup, Duration::from_secs(2));
    assert_eq!(point.flows[0].count, 10);
    assert_eq!(
        point.topology.link(LinkAt::Forward(0)).rate,
        Some(Rate::mbit_per_s(10))
    );
}

#[test]
fn a_key_named_from_is_no_range() {
    // Values of a graph's `from` and `to`, without quotes: a table of tables to TOML.
    let text = include_str!("../../../../../scenarios/graph.toml");
    let scenario = parse(text).unwrap();
    let FlowGroup {
        label,
        route: Route::Nodes { .. },
        ..
    } = &scenario.flows[0]
    else {
        panic!("the first group of the graph has a route");
    };
    let node = |index: usize| match &scenario.topology {
        Topology::Graph(graph) => graph.nodes[index].clone(),
        _ => unreachable!("it is a graph"),
    };
    let text = format!(
        "{text}\n[sweep]\nflows.\"{label}\".from = [\"{}\"]\n",
        node(0)
    );
    // Whether the route makes sense is not the question: the key must be read as an axis.
    match parse(&text) {
        Ok(scenario) => assert!(
            scenario.sweep.unwrap().axes[0].keys[0]
                .key
                .ends_with("from")
        ),
        Err(error) => assert!(error.message.contains("from [sweep]"), "{error}"),
    }
}

#[test]
fn seeds_may_follow_a_rule() {
    let text = "[sweep]\nseeds = { until = \"goodput_bps\", within = \"2 %\", at_most = 50 }";
    let rule = StopRule {
        until: vec!["goodput_bps".to_owned()],
        within_percent: 2.0,
        at_least: 5,
        at_most: 50,
    };
    assert_eq!(sweep(text).seeds, Seeds::Until(rule));
}
