//! Keys of `[sweep]`.

use super::Default::{Is, Otherwise};
use super::{Key, Kind, REQUIRED, Table, Word};

/// `[sweep]`.
pub const SWEEP: Table = Table {
    name: "sweep",
    doc: "The variations that a sweep runs: every combination of the axes' values.",
    keys: &[
        Key::new(
            "seeds",
            Kind::Seeds,
            Is("1"),
            "Seeds for each combination: seed, seed + 1 and so on; or a table that says when there \
             are enough.",
        ),
        Key::new(
            "together",
            Kind::OneOrMore(&Kind::Table(&TOGETHER)),
            Otherwise("every key is an axis of its own"),
            "Keys that move together: a table of axes of equal length, which are one axis; several \
             as [[sweep.together]].",
        ),
    ],
    others: Some(AXIS),
};

/// `[[sweep.together]]`.
pub const TOGETHER: Table = Table {
    name: "together",
    doc: "Axes that move together: the first value of one goes with the first of all others.",
    keys: &[],
    others: Some(AXIS),
};

/// `[sweep] seeds` as a rule.
pub const STOP_RULE: Table = Table::new(
    "seeds",
    "When there are seeds enough for a combination.",
    &[
        Key::new(
            "until",
            Kind::OneOrMore(&Kind::Text),
            REQUIRED,
            "The metric that must be known well, by the name of its column in runs.parquet, or \
             several: \"goodput_bps\", \"flows.tcp.goodput_bps\".",
        ),
        Key::new(
            "within",
            Kind::Percent,
            REQUIRED,
            "How well: half the width of the 95 % confidence interval over the mean, both over the \
             seeds.",
        ),
        Key::new("at_least", AT_LEAST, Is("5"), "Fewest seeds."),
        Key::new(
            "at_most",
            SEEDS,
            REQUIRED,
            "Most seeds, whatever the interval; not under at_least.",
        ),
    ],
);

/// An axis as a range.
pub const RANGE: Table = Table::new(
    "range",
    "Evenly spaced values of an axis, both ends included.",
    &[
        Key::new("from", Kind::Quantity, REQUIRED, "The first value."),
        Key::new(
            "to",
            Kind::Quantity,
            REQUIRED,
            "The last value, in the same unit. Two whole numbers give whole numbers.",
        ),
        Key::new(
            "steps",
            Kind::Integer {
                min: 2,
                max: 10_000,
            },
            REQUIRED,
            "How many values, both ends counted.",
        ),
        Key::new(
            "scale",
            Kind::Choice(SCALE),
            Is("\"linear\""),
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
