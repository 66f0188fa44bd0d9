//! Any scenario reads back from its own text; no text makes the reader panic.

use proptest::prelude::*;

use super::*;

fn duration(least_us: u64) -> impl Strategy<Value = String> {
    (least_us..5_000_000, prop::sample::select(vec!["us", "ns"]))
        .prop_map(|(number, unit)| format!("\"{number} {unit}\""))
}

fn distribution() -> impl Strategy<Value = String> {
    prop_oneof![
        duration(1),
        (1_u64..1_000, 1_u64..1_000).prop_map(|(low, more)| format!(
            "{{ uniform = [\"{low} us\", \"{} us\"] }}",
            low + more
        )),
        (1_u64..1_000).prop_map(|mean| format!("{{ exponential = \"{mean} ms\" }}")),
        (1_u64..1_000, 1.01_f64..100.0).prop_map(|(mean, shape)| format!(
            "{{ pareto = {{ mean = \"{mean} ms\", shape = {shape:?} }} }}"
        )),
    ]
}

fn limit() -> impl Strategy<Value = String> {
    prop_oneof![
        (1_u64..100_000).prop_map(|n| format!("\"{n} packets\"")),
        (1_u64..100_000).prop_map(|n| format!("\"{n} B\"")),
        (0.001_f64..1_000.0).prop_map(|n| format!("\"{n} BDP\"")),
        Just("\"unlimited\"".to_owned()),
    ]
}

fn queue() -> impl Strategy<Value = String> {
    let red = (limit(), 0.1_f64..10.0, 0.1_f64..100.0, 1e-6_f64..1.0, any::<[bool; 4]>()).prop_map(
        |(limit, min, more, weight, [gentle, wait, bytes, ecn])| {
            format!(
                "{{ kind = \"red\", limit = {limit}, min_threshold = \"{min} packets\", max_threshold \
                 = \"{} packets\", weight = {weight:?}, gentle = {gentle}, wait = {wait}, mode = \
                 \"{}\", ecn = {ecn} }}",
                min + more,
                if bytes { "bytes" } else { "packets" },
            )
        },
    );
    prop_oneof![
        limit().prop_map(|limit| format!("{{ kind = \"drop-tail\", limit = {limit} }}")),
        Just("\"red\"".to_owned()),
        red,
    ]
}

fn loss() -> impl Strategy<Value = String> {
    let place = prop::sample::select(vec!["entry", "exit"]);
    let model = prop_oneof![
        (0.0_f64..=1.0).prop_map(|p| format!("kind = \"bernoulli\", probability = {p:?}")),
        prop::array::uniform4(0.0_f64..=1.0).prop_map(|[a, b, c, d]| format!(
            "kind = \"gilbert-elliott\", good_to_bad = {a:?}, bad_to_good = {b:?}, loss_good = \
             {c:?}, loss_bad = {d:?}"
        )),
        (1_u64..1_000_000).prop_map(|n| format!("kind = \"every\", packets = {n}")),
        prop::collection::btree_set(0_u64..1_000_000, 0..5).prop_map(|set| {
            let set = Vec::from_iter(set);
            format!("kind = \"list\", flow = \"first\", packets = {set:?}")
        }),
        prop::collection::btree_set(0_u64..1_000_000, 0..5).prop_map(|set| {
            let times: Vec<_> = set.iter().map(|t| format!("\"{t} us\"")).collect();
            format!("kind = \"at\", times = [{}]", times.join(", "))
        }),
        (distribution(), distribution()).prop_filter_map("too short", |(every, duration)| {
            let short = |text: &String| text.ends_with(" ns\"");
            (!short(&every) && !short(&duration))
                .then(|| format!("kind = \"outage\", every = {every}, duration = {duration}"))
        }),
    ];
    (model, place).prop_map(|(model, place)| format!("{{ {model}, place = \"{place}\" }}"))
}

fn delay() -> impl Strategy<Value = String> {
    let alternating = prop::collection::vec((duration(0), duration(2_000), duration(0)), 2..5)
        .prop_map(|states| {
            let states: Vec<_> = states
                .iter()
                .map(|(d, s, e)| format!("{{ delay = {d}, stay = {s}, extra = {e} }}"))
                .collect();
            format!(
                "{{ kind = \"alternating\", states = [{}] }}",
                states.join(", ")
            )
        });
    let trace = prop::collection::vec((duration(1), duration(0)), 0..4).prop_map(|points| {
        let mut at = 0.0;
        let mut text = "[\"0 s\", \"1 ms\"]".to_owned();
        for (index, (_, delay)) in points.iter().enumerate() {
            at += 0.5 + index as f64;
            text += &format!(", [\"{at} s\", {delay}]");
        }
        format!("{{ kind = \"trace\", points = [{text}] }}")
    });
    prop_oneof![3 => distribution(), 1 => alternating, 1 => trace]
}

fn link() -> impl Strategy<Value = String> {
    (1_u64..1_000_000_000_000, delay(), queue(), prop::collection::vec(loss(), 0..3), any::<bool>())
        .prop_map(|(rate, delay, queue, losses, change)| {
            let schedule = if change { ", schedule = [{ at = \"3 s\", rate = \"7 kbps\" }]" } else { "" };
            format!(
                "{{ rate = \"{rate} bps\", delay = {delay}, queue = {queue}, loss = [{}]{schedule} }}",
                losses.join(", ")
            )
        })
}

fn group() -> impl Strategy<Value = String> {
    let controller = prop_oneof![
        Just("\"reno\"".to_owned()),
        (0.0_f64..=1.0).prop_map(|beta| format!("{{ name = \"gaimd\", beta = {beta:?} }}")),
    ];
    let window = prop_oneof![
        (1_u64..100_000).prop_map(|n| format!("\"{n} packets\"")),
        (65_535_u64..100_000_000).prop_map(|n| format!("\"{n} B\"")),
    ];
    let recovery = prop::sample::select(vec![
        "old-tahoe",
        "tahoe",
        "reno",
        "new-reno",
        "sack",
        "vegas",
        "rack",
        "genie",
    ]);
    let detection = prop::sample::select(vec![
        "spurious = \"f-rto\"",
        "spurious = \"eifel\"\nthreshold_adaptation = \"increment\"",
        "spurious = \"d-sack\"\nthreshold_adaptation = \"average\"",
        "spurious = \"d-sack\"\nd_sack = true\nthreshold_adaptation = \"ewma\"",
        "d_sack = true",
        "pacing = true",
        "pacing = true\npacing_factor = 1.25",
        "",
    ]);
    let choices = (recovery, detection);
    let tcp = (controller, window, choices, any::<[bool; 5]>(), duration(1)).prop_map(
        |(controller, window, (recovery, detection), [a, b, c, d, ns2], time)| {
            let ns2 = ns2 && !["rack", "genie"].contains(&recovery);
            let allowed = !ns2 && (c || !detection.contains("eifel"));
            let detection = if allowed { detection } else { "" };
            format!(
                "protocol = \"tcp\"\ncontroller = {controller}\nmax_window = {window}\nrecovery = \
                 \"{recovery}\"\necn = {a}\nhandshake = {b}\ntimestamps = {c}\nlimited_transmit = {d}\n\
                 {detection}\n\
                 delayed_ack = {time}\nrto = {{ minimum = {time} }}\ncompat = \"{}\"",
                if ns2 { "ns-2" } else { "rfc" }
            )
        },
    );
    let udp = (1_u64..1_000_000_000).prop_map(|rate| {
        format!("protocol = \"udp\"\napplication = {{ kind = \"cbr\", rate = \"{rate} bps\" }}")
    });
    let common = (1_u32..1_000, 41_u64..60_000, distribution(), any::<bool>()).prop_map(
        |(count, size, start, reverse)| {
            let start = if start.contains("exponential") || start.contains("pareto") {
                "{ uniform = [\"0 s\", \"1 s\"] }".to_owned()
            } else {
                start
            };
            format!(
                "count = {count}\npacket_size = \"{size} B\"\nstart = {start}\n\
                 direction = \"{}\"",
                if reverse { "reverse" } else { "forward" }
            )
        },
    );
    let datagrams =
        (any::<[bool; 2]>(), 1_u32..=3, 1_u64..60_000).prop_map(|([flag, ns2], later, size)| {
            if ns2 {
                format!(
                    "protocol = \"tfrc\"\nlater_packets = {later}\necn = {flag}\nfeedback_size = \
                     \"{size} B\"\ncompat = \"ns-2\""
                )
            } else {
                format!(
                    "protocol = \"tfwc\"\ncontroller = {{ name = \"tfwc\", margin = {later} }}\n\
                     size_spread = \"0 B\"\nfeedback_size = \"{size} B\"\nack_vector_on_wire = {flag}"
                )
            }
        });
    let protocol = prop_oneof![3 => tcp, 1 => udp, 1 => datagrams];
    (protocol, common, duration(0)).prop_map(|(protocol, common, dither)| {
        // What sends at a rate has none.
        let waits = protocol.contains("\"tcp\"") || protocol.contains("\"tfwc\"");
        let dither = if waits {
            format!("dither = {dither}")
        } else {
            String::new()
        };
        format!("{protocol}\n{common}\n{dither}\n")
    })
}

fn scenario() -> impl Strategy<Value = String> {
    let access = || {
        (distribution(), queue()).prop_map(|(delay, queue)| {
            format!("{{ rate = \"100 Mbps\", delay = {delay}, queue = {queue} }}")
        })
    };
    let topology = prop_oneof![
        (link(), access()).prop_map(|(link, access)| format!(
            "topology = {{ kind = \"dumbbell\", bottleneck = {link}, access = {access} }}\n"
        )),
        (link(), link(), access()).prop_map(|(one, other, access)| format!(
            "topology = {{ kind = \"parking-lot\", receiver_access = {access}, hops = [{one}, {other}] }}\n"
        )),
    ];
    (
        topology,
        group(),
        prop::collection::vec(group(), 0..3),
        any::<u32>(),
    )
        .prop_map(|(topology, first, others, seed)| {
            let mut text = format!("seed = {seed}\nduration = \"10 s\"\n{topology}");
            text = format!("{text}[[flows]]\nlabel = \"first\"\n{first}");
            for (index, group) in others.iter().enumerate() {
                text = format!("{text}[[flows]]\nlabel = \"group {index}\"\n{group}");
            }
            text
        })
}

/// One damage to a text.
#[derive(Clone, Debug)]
enum Damage {
    Flip(usize, u8),
    Cut(usize, usize),
    Swap(usize, usize),
    Number(usize, &'static str),
    Insert(usize, &'static str),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>().prop_map(|index| index.index(1_000_000));
    let huge = vec![
        "18446744073709551615",
        "99999999999999999999999999",
        "1e308",
        "-1",
        "0",
        "0.0000001",
        "nan",
        "inf",
        "-inf",
        "9223372036854775807",
        "0x7fffffffffffffff",
        "1e-400",
    ];
    let token = vec![
        "[",
        "]",
        "{",
        "}",
        "\"",
        "=",
        "\n",
        "[[flows]]\n",
        "[sweep]\n",
        "é",
        "\0",
        "'''",
        "#",
        "1979-05-27",
        "flows.a.b.c = 1\n",
        "\"unlimited\"",
        "\"auto\"",
        "kind = \"red\"\n",
    ];
    prop_oneof![
        (at.clone(), 0_u8..128).prop_map(|(at, byte)| Damage::Flip(at, byte)),
        (at.clone(), 1_usize..40).prop_map(|(at, length)| Damage::Cut(at, length)),
        (at.clone(), at.clone()).prop_map(|(a, b)| Damage::Swap(a, b)),
        (at.clone(), prop::sample::select(huge))
            .prop_map(|(at, number)| Damage::Number(at, number)),
        (at, prop::sample::select(token)).prop_map(|(at, token)| Damage::Insert(at, token)),
    ]
}

fn apply(text: &str, damage: &Damage) -> String {
    let boundary = |at: usize| {
        let mut at = at % (text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    match damage {
        Damage::Flip(at, byte) => {
            let mut bytes = text.as_bytes().to_vec();
            if let Some(target) = bytes.get_mut(at % text.len().max(1)) {
                *target = *byte;
            }
            String::from_utf8_lossy(&bytes).into_owned()
        }
        Damage::Cut(at, length) => {
            let (start, end) = (boundary(*at), boundary(at % (text.len() + 1) + length));
            let (start, end) = (start.min(end), start.max(end));
            format!("{}{}", &text[..start], &text[end..])
        }
        // Swaps what stands left of the equals signs of two lines.
        Damage::Swap(a, b) => {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let keyed: Vec<_> = (0..lines.len())
                .filter(|i| lines[*i].contains('='))
                .collect();
            if keyed.len() > 1 {
                let (a, b) = (keyed[a % keyed.len()], keyed[b % keyed.len()]);
                let key = |line: &str| line.split('=').next().unwrap_or_default().to_owned();
                let (one, other) = (key(&lines[a]), key(&lines[b]));
                lines[a] = lines[a].replacen(&one, &other, 1);
                if a != b {
                    lines[b] = lines[b].replacen(&other, &one, 1);
                }
            }
            lines.join("\n")
        }
        // Replaces the first number from a place on.
        Damage::Number(at, number) => {
            let start = boundary(*at);
            let digit = |c: char| c.is_ascii_digit() || c == '.';
            let Some(first) = text[start..].find(digit) else {
                return text.to_owned();
            };
            let rest = &text[start + first..];
            let end = rest.find(|c| !digit(c)).unwrap_or(rest.len());
            format!("{}{number}{}", &text[..start + first], &rest[end..])
        }
        Damage::Insert(at, token) => {
            let at = boundary(*at);
            format!("{}{token}{}", &text[..at], &text[at..])
        }
    }
}

/// Reads a text; what reads must read back the same.
fn survives(text: &str) {
    let Ok(scenario) = parse(text) else { return };
    let written = to_toml(&scenario);
    let again = parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again, scenario, "{written}");
    let _ = estimated_memory(&scenario);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_scenario_reads_back_the_same(text in scenario()) {
        let scenario = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let written = to_toml(&scenario);
        let again = parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
        prop_assert_eq!(again, scenario);
    }

    #[test]
    fn damaged_texts_are_refused_or_read_but_never_panic(
        file in prop::sample::select(FILES),
        damages in prop::collection::vec(damage(), 1..6),
    ) {
        let mut text = file.1.to_owned();
        for damage in &damages {
            text = apply(&text, damage);
        }
        survives(&text);
    }

    #[test]
    fn any_setting_is_refused_or_taken_but_never_panics(
        file in prop::sample::select(FILES),
        key in "[a-z_.\"\\-0-9]{0,40}|(topology|flows)\\.(bottleneck|tcp|reverse)\\.[a-z_]{1,12}",
        value in "\\PC{0,20}|[0-9.e\\-]{1,12}( (s|ms|Mbps|packets))?",
    ) {
        let mut document = Document::parse(file.1, file.0).unwrap();
        if document.set(&key, &value).is_ok()
            && let Ok(scenario) = document.check(&Registry::standard())
        {
            prop_assert_eq!(parse(&to_toml(&scenario)).unwrap(), scenario);
        }
    }
}
