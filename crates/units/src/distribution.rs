//! How a quantity is drawn: once for each flow, each link or each period, as its key says.

use std::fmt;

use crate::Duration;

/// A length of time that is fixed, or drawn at random.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// Always the same.
    Constant(Duration),
    /// Evenly between two values.
    Uniform {
        /// Least value.
        low: Duration,
        /// Greatest value.
        high: Duration,
    },
    /// Exponential, given its mean.
    Exponential {
        /// The mean.
        mean: Duration,
    },
    /// Pareto, given mean and shape.
    Pareto {
        /// The mean.
        mean: Duration,
        /// The shape, over 1; the smaller, the heavier the tail.
        shape: f64,
    },
    /// One value for each flow of a group, in order. As many values as the group has flows.
    List(Vec<Duration>),
}

impl Distribution {
    /// The mean, rounded to the nearest picosecond.
    pub fn mean(&self) -> Duration {
        match self {
            Self::Constant(value) => *value,
            Self::Uniform { low, high } => {
                Duration::from_picos(u64::midpoint(low.as_picos(), high.as_picos()))
            }
            Self::Exponential { mean } | Self::Pareto { mean, .. } => *mean,
            Self::List(values) => {
                let sum: u128 = values.iter().map(|v| u128::from(v.as_picos())).sum();
                let mean = sum / (values.len() as u128).max(1);
                Duration::from_picos(u64::try_from(mean).unwrap_or(u64::MAX))
            }
        }
    }

    /// The greatest value it can take; none where there is no bound.
    pub fn greatest(&self) -> Option<Duration> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Uniform { high, .. } => Some(*high),
            Self::Exponential { .. } | Self::Pareto { .. } => None,
            Self::List(values) => values.iter().max().copied(),
        }
    }

    /// The least value it can take.
    pub fn least(&self) -> Duration {
        match self {
            Self::Constant(value) => *value,
            Self::Uniform { low, .. } => *low,
            Self::Exponential { .. } => Duration::ZERO,
            // The scale of a Pareto distribution: mean × (shape − 1) / shape.
            Self::Pareto { mean, shape } => mean.mul_f64((shape - 1.0) / shape),
            Self::List(values) => values.iter().min().copied().unwrap_or_default(),
        }
    }
}

impl Default for Distribution {
    fn default() -> Self {
        Self::Constant(Duration::ZERO)
    }
}

impl fmt::Display for Distribution {
    /// As files have it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => write!(f, "\"{value}\""),
            Self::Uniform { low, high } => write!(f, "{{ uniform = [\"{low}\", \"{high}\"] }}"),
            Self::Exponential { mean } => write!(f, "{{ exponential = \"{mean}\" }}"),
            Self::Pareto { mean, shape } => {
                write!(
                    f,
                    "{{ pareto = {{ mean = \"{mean}\", shape = {shape:?} }} }}"
                )
            }
            Self::List(values) => {
                let values: Vec<_> = values.iter().map(|value| format!("\"{value}\"")).collect();
                write!(f, "{{ list = [{}] }}", values.join(", "))
            }
        }
    }
}
