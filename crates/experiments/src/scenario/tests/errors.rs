//! What is refused, where the error points, and what it says.

use super::*;

/// What to replace in [`MINIMAL`] by what, the line and column of the error, and what its message
/// and hint contain.
type Case = (
    &'static str,
    &'static str,
    (usize, usize),
    &'static [&'static str],
);

const CASES: &[Case] = &[
    // Bad TOML.
    ("duration = \"10 s\"", "duration = ", (2, 12), &["not TOML"]),
    (
        "duration",
        "duration = \"1 s\"\nduration",
        (3, 1),
        &["not TOML", "duplicate key"],
    ),
    // Keys.
    (
        "bottleneck =",
        "botleneck =",
        (5, 1),
        &[
            "botleneck",
            "allowed: kind, bottleneck, reverse",
            "did you mean \"bottleneck\"?",
        ],
    ),
    (
        "protocol = \"tcp\"",
        "protocol = \"tcp\"\npackt_size = \"1 B\"",
        (8, 1),
        &["packt_size", "did you mean \"packet_size\"?"],
    ),
    (
        "[[flows]]",
        "[[flow]]",
        (6, 3),
        &[
            "unknown key \"flow\" in the scenario",
            "did you mean \"flows\"?",
        ],
    ),
    (
        "duration = \"10 s\"",
        "",
        (1, 1),
        &["the scenario needs the key \"duration\""],
    ),
    (
        "rate = \"10 Mbps\", ",
        "",
        (5, 14),
        &["topology.bottleneck needs the key \"rate\""],
    ),
    (
        "\"tcp\"",
        "\"udp\"\nrecovery = \"sack\"",
        (8, 1),
        &[
            "unknown key \"recovery\"",
            "\"recovery\" goes with protocol = \"tcp\"",
        ],
    ),
    (
        "\"tcp\"",
        "\"tpc\"",
        (7, 12),
        &["\"tpc\"", "\"tcp\", \"udp\"", "did you mean \"tcp\"?"],
    ),
    (
        "\"tcp\"",
        "\"tfrc\"\nmax_window = \"9 packets\"",
        (8, 1),
        &[
            "unknown key \"max_window\"",
            "\"max_window\" goes with protocol = \"tcp\"",
        ],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\nack_vector_on_wire = true",
        (8, 1),
        &["\"ack_vector_on_wire\" goes with protocol = \"tfwc\""],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\ncontroller = \"tfwc\"",
        (8, 14),
        &[
            "goes with protocol = \"tfwc\" only",
            "set protocol = \"tfwc\"",
        ],
    ),
    (
        "\"tcp\"",
        "\"tfrc\"\ndither = \"1 ms\"",
        (8, 10),
        &[
            "goes with protocol = \"tcp\" or \"tfwc\"",
            "tfrc sends at a rate",
        ],
    ),
    (
        "\"tcp\"",
        "\"tfwc\"\ncontroller = { name = \"tfrc\" }",
        (8, 14),
        &["goes with protocol = \"tfrc\" only"],
    ),
    (
        "\"tcp\"",
        "\"tfrc\"\ncontroller = \"reno\"",
        (8, 14),
        &["sets no rate", "protocol = \"tfwc\""],
    ),
    (
        "\"tcp\"",
        "\"tfwc\"\napplication = { kind = \"cbr\", rate = \"1 Mbps\", playback_buffer = \"1 kB\" }",
        (8, 66),
        &["goes with tcp only"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\nspurious = \"eifel\"\ntimestamps = false",
        (8, 12),
        &["spurious = \"eifel\" needs timestamps"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\nspurious = \"f-rto\"\ncompat = \"ns-2\"",
        (8, 12),
        &["not with compat = \"ns-2\""],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\nrecovery = \"rack\"\ncompat = \"ns-2\"",
        (8, 12),
        &["recovery = \"rack\": not with compat = \"ns-2\""],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\nrecovery = \"genie\"\ncompat = \"ns-2\"",
        (8, 12),
        &["recovery = \"genie\": not with compat = \"ns-2\""],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\nd_sack = true\ncompat = \"ns-2\"",
        (8, 10),
        &["d_sack: not with compat = \"ns-2\""],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\nspurious = \"d-sack\"\nd_sack = false",
        (9, 10),
        &["d_sack = false", "spurious = \"d-sack\" needs it"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\nspurious = \"f-rto\"\nthreshold_adaptation = \"ewma\"",
        (9, 24),
        &["threshold_adaptation = \"ewma\" needs spurious = \"eifel\" or \"d-sack\""],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\npacing_factor = 1.25",
        (8, 17),
        &["pacing_factor needs pacing = true"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\npacing = true\ncompat = \"ns-2\"",
        (8, 10),
        &["pacing: not with compat = \"ns-2\""],
    ),
    // Quantities.
    (
        "\"10 Mbps\"",
        "\"-10 Mbps\"",
        (5, 23),
        &["topology.bottleneck.rate", "negative"],
    ),
    (
        "\"10 Mbps\"",
        "\"0 bps\"",
        (5, 23),
        &["\"0 bps\"", "over zero"],
    ),
    ("\"10 Mbps\"", "\"10\"", (5, 23), &["no unit", "Mbps"]),
    (
        "\"10 Mbps\"",
        "10",
        (5, 23),
        &["= 10 is not allowed", "Mbps"],
    ),
    (
        "\"10 Mbps\"",
        "\"10 Mbit\"",
        (5, 23),
        &["unknown unit", "Mbps"],
    ),
    ("\"10 s\"", "\"31000 h\"", (2, 12), &["too large"]),
    ("\"10 s\"", "\"2000 h\"", (2, 12), &["30 days"]),
    ("\"10 s\"", "\"0 s\"", (2, 12), &["over zero"]),
    (
        "\"20 ms\" }",
        "\"20 ms\", queue = { kind = \"drop-tail\", limit = \"5 parsecs\" } }",
        (5, 89),
        &["limit = \"5 parsecs\"", "5 packets", "1 BDP"],
    ),
    (
        "\"20 ms\" }",
        "\"20 ms\", queue = { kind = \"drop-tail\", limit = \"0 packets\" } }",
        (5, 89),
        &["0 packets"],
    ),
    (
        "\"20 ms\" }",
        "\"20 ms\", queue = \"drop\" }",
        (5, 59),
        &["\"drop\"", "drop-tail", "did you mean \"drop-tail\"?"],
    ),
    (
        "\"20 ms\" }",
        "\"20 ms\", loss = { kind = \"bernoulli\", probability = nan } }",
        (5, 94),
        &["nan", "a number from 0 to 1"],
    ),
    (
        "\"20 ms\" }",
        "\"20 ms\", loss = { kind = \"bernoulli\", probability = 1.5 } }",
        (5, 94),
        &["1.5"],
    ),
    (
        "\"20 ms\" }",
        "\"20 ms\", loss = { kind = \"list\", packets = [3, 3] } }",
        (5, 85),
        &["ascending"],
    ),
    (
        "\"20 ms\" }",
        "\"20 ms\", loss = { kind = \"at\", times = [\"1 s\"], flow = \"x\" } }",
        (5, 97),
        &["\"x\"", "\"tcp-reno\""],
    ),
    (
        "\"20 ms\" }",
        "{ uniform = [\"2 ms\", \"1 ms\"] } }",
        (5, 54),
        &["2 ms, is greater"],
    ),
    (
        "\"20 ms\" }",
        "{ uniform = [\"2 ms\"] } }",
        (5, 54),
        &["two lengths of time"],
    ),
    ("\"20 ms\" }", "{ } }", (5, 42), &["exactly one"]),
    (
        "\"20 ms\" }",
        "{ list = [\"1 s\"] } }",
        (5, 51),
        &["not allowed here"],
    ),
    (
        "\"20 ms\" }",
        "\"20 ms\", schedule = [{ at = \"2 s\", up = false }, { at = \"1 s\", up = true }] }",
        (5, 98),
        &["not after"],
    ),
    (
        "\"20 ms\" }",
        "\"20 ms\", schedule = [{ at = \"2 s\" }] }",
        (5, 63),
        &["changes nothing"],
    ),
    (
        "\"10 Mbps\"",
        "\"unlimited\"",
        (6, 1),
        &["nothing limits it"],
    ),
    (
        "\"10 Mbps\", delay = \"20 ms\"",
        "\"unlimited\", delay = \"0 s\"",
        (6, 1),
        &["without time passing"],
    ),
    // Times and counts.
    (
        "duration = \"10 s\"",
        "duration = \"10 s\"\nwarmup = \"10 s\"",
        (3, 10),
        &["warmup = \"10 s\" is not shorter than the duration"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\nstart = \"10 s\"",
        (8, 9),
        &["could start at 10 s", "ends at 10 s"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\nstart = { uniform = [\"1 s\", \"11 s\"] }",
        (8, 9),
        &["could start at 11 s"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\nstart = \"3 s\"\nstop = \"3 s\"",
        (9, 8),
        &["could start only after"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\nstart = { list = [\"1 s\"] }\ncount = 2",
        (8, 18),
        &["1 values", "2 flows"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\ncount = 0",
        (8, 9),
        &["from 1 to 2000000"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\ncount = 99999999999999999999",
        (8, 9),
        &["out of range"],
    ),
    ("\"tcp\"", "\"tcp\"\ncount = -1", (8, 9), &["-1"]),
    (
        "\"tcp\"",
        "\"tcp\"\npacket_size = \"40 B\"",
        (8, 15),
        &["no room for data"],
    ),
    (
        "\"tcp\"",
        "\"tfwc\"\nsize_spread = \"960 B\"",
        (8, 15),
        &["at most 959 B", "header = \"40 B\""],
    ),
    (
        "duration = \"10 s\"",
        "duration = \"10 s\"\nseed = -1",
        (3, 8),
        &["seed = -1"],
    ),
    // Flows.
    (
        "\"tcp\"",
        "\"tcp\"\n[[flows]]\nprotocol = \"tcp\"",
        (8, 1),
        &["two groups", "\"tcp-reno\"", "another label"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\nfrom = \"x\"",
        (8, 8),
        &["parking lot or a graph"],
    ),
    (
        "\"tcp\"",
        "\"udp\"",
        (6, 1),
        &["udp needs an application with a rate"],
    ),
    (
        "\"tcp\"",
        "\"udp\"\napplication = \"bulk\"",
        (8, 15),
        &["no rate"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\napplication = \"cbr\"",
        (8, 15),
        &["needs the key \"rate\""],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\ncontroller = \"rno\"",
        (8, 14),
        &[
            "no such controller",
            "\"gaimd\", ",
            "\"smooth\", ",
            "did you mean \"reno\"?",
        ],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\ncontroller = { name = \"gaimd\", alhpa = 1 }",
        (8, 32),
        &[
            "no parameter \"alhpa\"",
            "allowed: name, alpha",
            "did you mean \"alpha\"?",
        ],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\ncontroller = { name = \"gaimd\", beta = 2 }",
        (8, 39),
        &["beta = 2", "from 0 to 1"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\ncontroller = { alpha = 1 }",
        (8, 14),
        &["needs the key \"name\""],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\nlabel = \"\"",
        (8, 9),
        &["a name of 1 to 64 characters"],
    ),
    // Sweeps.
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\n\"flows.tcp-reno.count\" = 3",
        (9, 1),
        &["list of at least one value"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\n\"flows.tcp-reno.count\" = [1, 0]",
        (9, 30),
        &["with flows.tcp-reno.count = 0 from [sweep]", "from 1 to"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\n\"flows.tcp.count\" = [1]",
        (9, 1),
        &["nothing is named \"tcp\""],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\n\"flows.tcp-reno.cuont\" = [1]",
        (9, 1),
        &["unknown key \"cuont\"", "did you mean \"count\"?"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\nseed = 3",
        (9, 1),
        &["axis takes a list", "did you mean \"seeds\"?"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\nseed = [3]",
        (9, 1),
        &["seed cannot be an axis", "seeds = 10"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\nwarmup = { from = \"1 s\", to = \"2 ms\", steps = 3 }",
        (9, 31),
        &["to = \"2 ms\" is not in the unit of", "from = \"1 s\""],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\nwarmup = { from = \"0 s\", to = \"2 s\", steps = 3, scale = \"log\" }",
        (9, 57),
        &[
            "one of \"linear\", \"logarithmic\"",
            "did you mean \"logarithmic\"?",
        ],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\nwarmup = { from = \"0 s\", to = \"2 s\", steps = 3, scale = \"logarithmic\" }",
        (9, 19),
        &["over zero at both ends"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\nflows.tcp-reno.count = { from = 1, to = 4, steps = 3 }",
        (9, 52),
        &["3 values from 1 to 4 are not whole numbers"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\nflows.tcp-reno.count = { from = 1, to = 3, steps = 4, scale = \"logarithmic\" }",
        (9, 52),
        &["only 3 different values between 1 and 3"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\nwarmup = { from = \"0 s\", to = \"2 s\", step = 3 }",
        (9, 38),
        &["unknown key \"step\"", "did you mean \"steps\"?"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\nwarmup = { from = \"8 s\", to = \"12 s\", steps = 3 }",
        (9, 1),
        &[
            "with warmup = \"10 s\" from [sweep]",
            "not shorter than the duration",
        ],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[[sweep.together]]\nwarmup = [\"1 s\", \"2 s\"]\nduration = [\"5 s\"]",
        (10, 1),
        &["warmup has 2 values and duration has 1"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\nwarmup = [\"1 s\", \"2 s\"]\ntogether = { warmup = [\"1 s\"] }",
        (10, 14),
        &["warmup is on two axes"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\nseeds = { until = \"godput_bps\", within = \"2 %\", at_most = 9 }",
        (9, 9),
        &["there is no such metric", "did you mean \"goodput_bps\"?"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\nseeds = { until = \"goodput_bps\", within = 0.02, at_most = 9 }",
        (9, 43),
        &["within = 0.02 is not allowed", "\"2 %\""],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\nseeds = { until = \"goodput_bps\", within = \"2 %\", at_most = 4 }",
        (9, 60),
        &["at_most = 4 is less than at_least, 5"],
    ),
    (
        "\"tcp\"",
        "\"tcp\"\n[sweep]\nseeds = { until = \"goodput_bps\", within = \"2 %\" }",
        (9, 9),
        &["needs the key \"at_most\""],
    ),
    // Topologies.
    (
        "duration",
        "nodes = []\nduration",
        (2, 9),
        &["topology.kind = \"graph\""],
    ),
];

#[test]
fn each_mistake_has_its_place_and_says_what_is_allowed() {
    for (what, by, (line, column), fragments) in CASES {
        assert!(MINIMAL.contains(what), "{what}");
        let text = MINIMAL.replacen(what, by, 1);
        let error = parse(&text).expect_err(&text);
        let shown = format!("{error}\n{}", error.hint.as_deref().unwrap_or_default());
        let place = Position {
            line: *line,
            column: *column,
        };
        assert_eq!(error.position, Some(place), "{shown}\n{text}");
        assert!(
            shown.starts_with(&format!("test.toml:{line}:{column}: ")),
            "{shown}"
        );
        for fragment in *fragments {
            assert!(
                shown.contains(fragment),
                "\"{fragment}\" is not in: {shown}"
            );
        }
    }
}

const GRAPH: &str = r#"
duration = "10 s"
topology = { kind = "graph" }
nodes = [{ name = "a" }, { name = "b" }, { name = "c" }]
links = [
  { from = "a", to = "b", rate = "1 Mbps", delay = "1 ms", duplex = true },
  { from = "b", to = "c", rate = "1 Mbps", delay = "1 ms" },
]
[[flows]]
protocol = "tcp"
from = "a"
to = "b"
"#;

#[test]
fn mistakes_in_graphs_are_named() {
    parse(GRAPH).unwrap();
    for (what, by, fragments) in [
        (
            "to = \"b\"\n",
            "to = \"c\"\n",
            &["node \"a\" is not reachable from node \"c\"", "ACKs"][..],
        ),
        (
            "from = \"a\"\nto = \"b\"",
            "from = \"c\"\nto = \"a\"",
            &["node \"a\" is not reachable from node \"c\"", "the data"],
        ),
        (
            "to = \"b\"\n",
            "to = \"d\"\n",
            &["no such node", "\"a\", \"b\", \"c\""],
        ),
        (
            "to = \"b\"\n",
            "to = \"a\"\n",
            &["also where the data comes from"],
        ),
        ("to = \"b\"\n", "", &["needs from and to"]),
        (
            "to = \"b\"\n",
            "to = \"b\"\ndirection = \"reverse\"\n",
            &["from and to say where data goes"],
        ),
        (
            "{ name = \"b\" }",
            "{ name = \"b\" }, { name = \"a\" }",
            &["two nodes are named \"a\""],
        ),
        (
            "{ from = \"b\", to = \"c\"",
            "{ from = \"a\", to = \"b\"",
            &["two links are named \"a-b\""],
        ),
        (
            "{ from = \"b\", to = \"c\"",
            "{ from = \"b\", to = \"b\"",
            &["from \"b\" to itself"],
        ),
        (
            "{ from = \"b\", to = \"c\", rate = \"1 Mbps\", delay = \"1 ms\" }",
            "{ from = \"b\", to = \"c\", rate = \"unlimited\", delay = \"0 s\", duplex = true }",
            &["b → c → b", "no time passes"],
        ),
        (
            "rate = \"1 Mbps\", delay = \"1 ms\" }",
            "rate = \"unlimited\", delay = \"1 ms\", queue = { kind = \"drop-tail\", limit = \"1 BDP\" } }",
            &["no bandwidth-delay product"],
        ),
    ] {
        assert!(GRAPH.contains(what), "{what}");
        let error = parse(&GRAPH.replacen(what, by, 1)).expect_err(by);
        let shown = error.to_string();
        assert!(error.position.is_some(), "{shown}");
        for fragment in fragments {
            assert!(
                shown.contains(fragment),
                "\"{fragment}\" is not in: {shown}"
            );
        }
    }
}

#[test]
fn hops_are_named_and_in_order() {
    let lot = |flow: &str| {
        parse(&format!(
            "duration = \"10 s\"\ntopology = {{ kind = \"parking-lot\", count = 2, hop = {{ rate = \
             \"1 Mbps\", delay = \"1 ms\" }} }}\n[[flows]]\nprotocol = \"tcp\"\n{flow}"
        ))
    };
    assert_eq!(
        lot("").unwrap().flows[0].route,
        Route::Hops { first: 0, last: 1 }
    );
    let error = lot("from = \"hop2\"\nto = \"hop1\"").unwrap_err();
    assert!(
        error.message.contains("\"hop1\" comes before hop \"hop2\""),
        "{error}"
    );
    assert!(error.hint.unwrap().contains("reverse"));
    let error = lot("from = \"hop3\"").unwrap_err();
    assert!(error.message.contains("\"hop1\", \"hop2\""), "{error}");
}
