//! SmoothTCP's parameters by name: five for each control metric, and those of the slow start.
//!
//! Defaults: Vieira and Bauer, Round-trip Time Variation in SmoothTCP in the Face of Spurious
//! Errors, §V. The paper gives coefficients of the source quench alone; the other metrics have the
//! same until they are set.

use super::curve::Curve;
use super::metric::Derivative;
use super::{Metric, Reading, Settings, SlowStart, SlowStartSignal};
use crate::parameters::{COUNTING, counting};
use crate::{Kind, Parameter, Parameters, Value};

/// Names of a metric's switch and of its A, B, C and M.
type Names = [&'static str; COEFFICIENTS];
const COEFFICIENTS: usize = 5;
/// In the order of [`Metric`].
const METRICS: [Names; Metric::COUNT] = [
    [
        "rtt_variation",
        "rtt_variation_a",
        "rtt_variation_b",
        "rtt_variation_c",
        "rtt_variation_m",
    ],
    [
        "timeouts",
        "timeouts_a",
        "timeouts_b",
        "timeouts_c",
        "timeouts_m",
    ],
    [
        "fast_retransmits",
        "fast_retransmits_a",
        "fast_retransmits_b",
        "fast_retransmits_c",
        "fast_retransmits_m",
    ],
    ["ecn", "ecn_a", "ecn_b", "ecn_c", "ecn_m"],
    [
        "source_quench",
        "source_quench_a",
        "source_quench_b",
        "source_quench_c",
        "source_quench_m",
    ],
];

/// What each switch does.
const SWITCHES: [&str; Metric::COUNT] = [
    "Control metric j: how far the round trip is over the smallest one, in units of that one.",
    "Control metric x: retransmission timeouts.",
    "Control metric f: losses found by duplicate ACKs or SACK.",
    "Control metric e: ACKs that tell of a CE mark.",
    "Control metric q: ICMP source quenches. The only metric of the paper's runs: a loss alone does \
     not lower the window then.",
];

const SHARED: [Parameter; 10] = [
    Parameter {
        name: "kappa",
        kind: Kind::Number { min: 0.0, max: 1.0 },
        default: Value::Number(0.005),
        unit: "packets",
        doc: "Fairness factor κ: what each ACK adds to D, so about κ packets more each round trip. \
              Default: §V; the appendix speaks of 0.001, 0.005 and 0.010.",
    },
    Parameter {
        name: "reading",
        kind: Kind::Choice(&["event", "differential"]),
        default: Value::Choice("event"),
        unit: "",
        doc: "What dp is. event: 1 for each signal (for the round trip, its growth), so that the \
              queue is regulated. differential: the change of the average p from one round trip to \
              the next, so that a steady stream of signals changes nothing (the paper's words).",
    },
    Parameter {
        name: "weight",
        kind: Kind::Number {
            min: 0.001,
            max: 1.0,
        },
        default: Value::Number(0.125),
        unit: "",
        doc: "Weight α of a new value in the averages p. Default: 1/8 (footnote 1, which also \
              names 1/4).",
    },
    Parameter {
        name: "slow_start",
        kind: Kind::Choice(&["closed", "recurrence", "literal", "none"]),
        default: Value::Choice("closed"),
        unit: "",
        doc: "How slow start grows. closed: along eq. 8. recurrence: by eq. 7 over the window for \
              each ACK. literal: by eq. 7 for each ACK, as the paper's listing says. none: \
              congestion avoidance from the first ACK on.",
    },
    Parameter {
        name: "slow_start_signal",
        kind: Kind::Choice(&["drop", "explicit", "both"]),
        default: Value::Choice("drop"),
        unit: "",
        doc: "What lowers the limit of slow start, at most once each round trip: a loss or timeout, \
              a source quench or ECN echo, or either. Default: the paper's \"packet drop\".",
    },
    Parameter {
        name: "slow_start_tolerance",
        kind: Kind::Number {
            min: 0.0,
            max: 1_000_000.0,
        },
        default: Value::Number(1.0),
        unit: "packets",
        doc: "How near its limit the window must come for slow start to end: it never reaches it. \
              Default: open in the paper.",
    },
    Parameter {
        name: "slow_start_a",
        kind: Kind::Number {
            min: 1e-6,
            max: 1e9,
        },
        default: Value::Number(40.0),
        unit: "packets²",
        doc: "A of eq. 7: growth at the beginning.",
    },
    Parameter {
        name: "slow_start_b",
        kind: Kind::Number {
            min: 1e-9,
            max: 10.0,
        },
        default: Value::Number(0.003_038),
        unit: "",
        doc: "B of eq. 7: how many ACKs slow start takes, about 1/B.",
    },
    Parameter {
        name: "slow_start_m",
        kind: Kind::Number { min: 0.0, max: 1e9 },
        default: Value::Number(0.0),
        unit: "",
        doc: "M of eq. 7: ACKs by which its end is put off. Default: 0, with which eq. 8 holds.",
    },
    Parameter {
        name: "slow_start_t",
        kind: Kind::Number { min: 0.0, max: 1e9 },
        default: Value::Number(1.0),
        unit: "packets²",
        doc: "T of eq. 9: the square of the first window, 1 packet.",
    },
];

const COUNT: usize = SHARED.len() + 1 + Metric::COUNT * COEFFICIENTS;

/// All of them.
pub(super) const PARAMETERS: [Parameter; COUNT] = {
    let mut all = [COUNTING; COUNT];
    let mut at = 0;
    while at < SHARED.len() {
        all[at] = SHARED[at];
        at += 1;
    }
    at += 1; // COUNTING
    let mut metric = 0;
    while metric < Metric::COUNT {
        let of_metric = of_metric(metric);
        let mut index = 0;
        while index < COEFFICIENTS {
            all[at] = of_metric[index];
            at += 1;
            index += 1;
        }
        metric += 1;
    }
    all
};

const fn of_metric(metric: usize) -> [Parameter; COEFFICIENTS] {
    let names = METRICS[metric];
    [
        Parameter {
            name: names[0],
            kind: Kind::Flag,
            default: Value::Flag(metric == Metric::SourceQuench as usize),
            unit: "",
            doc: SWITCHES[metric],
        },
        coefficient(names[1], 0.0, "A of its ∂w/∂p = A + C tanh(B (p + M))."),
        coefficient(names[2], 0.5493, "B of its ∂w/∂p: how soon C takes hold."),
        coefficient(
            names[3],
            0.0625,
            "C of its ∂w/∂p: the most that one signal takes of the window.",
        ),
        coefficient(names[4], 0.0, "M of its ∂w/∂p: added to p."),
    ]
}

const fn coefficient(name: &'static str, default: f64, doc: &'static str) -> Parameter {
    Parameter {
        name,
        kind: Kind::Number {
            min: -1_000.0,
            max: 1_000.0,
        },
        default: Value::Number(default),
        unit: "",
        doc,
    }
}

/// What a file has set.
pub(super) fn settings(parameters: &Parameters) -> Settings {
    let number = |name| parameters.number(name).expect("it has a default");
    Settings {
        kappa: number("kappa"),
        reading: match parameters.choice("reading") {
            "differential" => Reading::Differential,
            _ => Reading::Event,
        },
        weight: number("weight"),
        slow_start: match parameters.choice("slow_start") {
            "recurrence" => SlowStart::Recurrence,
            "literal" => SlowStart::Literal,
            "none" => SlowStart::None,
            _ => SlowStart::Closed,
        },
        slow_start_signal: match parameters.choice("slow_start_signal") {
            "explicit" => SlowStartSignal::Explicit,
            "both" => SlowStartSignal::Both,
            _ => SlowStartSignal::Drop,
        },
        tolerance: number("slow_start_tolerance"),
        curve: Curve {
            amplitude: number("slow_start_a"),
            slope: number("slow_start_b"),
            shift: number("slow_start_m"),
            constant: number("slow_start_t"),
        },
        counting: counting(parameters),
        metrics: METRICS.map(|[switch, a, b, c, m]| {
            parameters.flag(switch).then(|| Derivative {
                constant: number(a),
                slope: number(b),
                amplitude: number(c),
                shift: number(m),
            })
        }),
    }
}
