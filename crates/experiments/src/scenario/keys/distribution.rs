//! Keys of quantities that are drawn.

use units::choice::{Kind, Parameter, Table, Value};

/// Distributions: exactly one of the keys.
pub const DISTRIBUTION: Table = Table::new(
    "distribution",
    "A quantity drawn at random: exactly one of these keys.",
    &[
        Parameter::new(
            "uniform",
            Kind::List(&Kind::Duration),
            Value::Otherwise("another key"),
            "Evenly between two values: [least, greatest].",
        ),
        Parameter::new(
            "exponential",
            Kind::DurationOverZero,
            Value::Otherwise("another key"),
            "Exponential with this mean.",
        ),
        Parameter::new(
            "pareto",
            Kind::Table(&PARETO),
            Value::Otherwise("another key"),
            "Pareto with this mean and shape.",
        ),
        Parameter::new(
            "list",
            Kind::List(&Kind::Duration),
            Value::Otherwise("another key"),
            "One value for each flow of the group, in order.",
        ),
    ],
);

/// Parameters of a Pareto distribution.
pub const PARETO: Table = Table::new(
    "pareto",
    "A Pareto distribution.",
    &[
        Parameter::new("mean", Kind::DurationOverZero, Value::Required, "Its mean."),
        Parameter::new(
            "shape",
            Kind::Number {
                min: 1.01,
                max: 100.0,
            },
            Value::Required,
            "Its shape; the smaller, the heavier the tail.",
        ),
    ],
);
