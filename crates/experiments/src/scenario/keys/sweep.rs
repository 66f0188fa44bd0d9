//! Keys of `[sweep]`.

use units::choice::{self, Kind, Parameter, Table, Value, Word};

/// `[sweep]`.
pub const SWEEP: Table = Table {
    name: "sweep",
    doc: "The variations that a sweep runs: every combination of the axes' values.",
    keys: &[
        Parameter::new(
            "seeds",
            Kind::Seeds,
            Value::Integer(1),
            "Seeds for each combination: seed, seed + 1 and so on; or a table that says when there \
             are enough.",
        ),
        Parameter::new(
            "together",
            Kind::OneOrMore(&Kind::Table(&TOGETHER)),
            Value::Otherwise("every key is an axis of its own"),
            "Keys that move together: a table of axes of equal length, which are one axis; several \
             as [[sweep.together]].",
        ),
    ],
    others: Some(AXIS),
    rule: choice::any,
};

/// `[[sweep.together]]`.
pub const TOGETHER: Table = Table {
    name: "together",
    doc: "Axes that move together: the first value of one goes with the first of all others.",
    keys: &[],
    others: Some(AXIS),
    rule: choice::any,
};

/// `[sweep] seeds` as a rule.
pub const STOP_RULE: Table = Table::new(
    "seeds",
    "When there are seeds enough for a combination.",
    &[
        Parameter::new(
            "until",
            Kind::OneOrMore(&Kind::Text),
            Value::Required,
            "The metric that must be known well, by the name of its column in runs.parquet, or \
             several: \"goodput_bps\", \"flows.tcp.goodput_bps\".",
        ),
        Parameter::new(
            "within",
            Kind::Percent,
            Value::Required,
            "How well: half the width of the 95 % confidence interval over the mean, both over the \
             seeds.",
        ),
        Parameter::new("at_least", AT_LEAST, Value::Integer(5), "Fewest seeds."),
        Parameter::new(
            "at_most",
            SEEDS,
            Value::Required,
            "Most seeds, whatever the interval; not under at_least.",
        ),
    ],
);

/// An axis as a range.
pub const RANGE: Table = Table::new(
    "range",
    "Evenly spaced values of an axis, both ends included.",
    &[
        Parameter::new("from", Kind::Quantity, Value::Required, "The first value."),
        Parameter::new(
            "to",
            Kind::Quantity,
            Value::Required,
            "The last value, in the same unit. Two whole numbers give whole numbers.",
        ),
        Parameter::new(
            "steps",
            Kind::Integer {
                min: 2,
                max: 10_000,
            },
            Value::Required,
            "How many values, both ends counted.",
        ),
        Parameter::new(
            "scale",
            Kind::Words(SCALE),
            Value::Choice("linear"),
            "How the values are spaced.",
        ),
    ],
);

/// How the values of a range are spaced.
const SCALE: &[Word] = &[
    Word {
        name: "linear",
        doc: "By equal differences.",
        source: "",
    },
    Word {
        name: "logarithmic",
        doc: "By equal ratios; six significant digits, whole numbers rounded.",
        source: "",
    },
];

/// How many seeds.
pub const SEEDS: Kind = Kind::Integer {
    min: 1,
    max: 1_000_000,
};
/// An interval needs two.
const AT_LEAST: Kind = Kind::Integer {
    min: 2,
    max: 1_000_000,
};
const AXIS: &str = "An axis: a dotted key of this file, flows by their label (\"flows.tcp.count\"), and \
                    the list of the values it takes, or a range { from, to, steps, scale }.";
