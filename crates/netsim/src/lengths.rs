//! Random lengths of time: how long an outage lasts, how far apart two of them are.

use units::{Distribution, Duration};

use crate::random::Stream;

/// A law by which lengths of time are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lengths {
    /// Always the same.
    Constant(Duration),
    /// Evenly between two lengths, both included.
    Uniform {
        /// The shortest.
        low: Duration,
        /// The longest.
        high: Duration,
    },
    /// Exponential.
    Exponential {
        /// The mean.
        mean: Duration,
    },
    /// Pareto.
    Pareto {
        /// The mean.
        mean: Duration,
        /// The shape, above 1; the smaller, the heavier the tail.
        shape: f64,
    },
}

impl Lengths {
    /// The next length.
    pub fn draw(&self, random: &mut Stream) -> Duration {
        match *self {
            Self::Constant(length) => length,
            Self::Uniform { low, high } => random.duration_between(low, high),
            Self::Exponential { mean } => random.exponential(mean),
            Self::Pareto { mean, shape } => random.pareto(mean, shape),
        }
    }
}

impl From<&Distribution> for Lengths {
    /// A list, which is for flows and not for times, gives its mean.
    fn from(law: &Distribution) -> Self {
        match law {
            Distribution::Constant(length) => Self::Constant(*length),
            Distribution::Uniform { low, high } => Self::Uniform {
                low: *low,
                high: *high,
            },
            Distribution::Exponential { mean } => Self::Exponential { mean: *mean },
            Distribution::Pareto { mean, shape } => Self::Pareto {
                mean: *mean,
                shape: *shape,
            },
            Distribution::List(_) => Self::Constant(law.mean()),
        }
    }
}
