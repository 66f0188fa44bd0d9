//! The tables of keys: every key of a scenario file with its type, bounds, default and meaning.
//! Those of queues, loss models and delay models stand beside the code of these.

mod datagrams;
mod distribution;
mod file;
mod flows;
mod network;
mod sweep;

use std::borrow::Cow;

use controllers::Carrier;
use netsim::queues::UNLIMITED;
use units::choice::{Choice, Kind, Parameter};

pub use datagrams::{TFRC, TFWC};
pub use distribution::{DISTRIBUTION, PARETO};
pub use file::{RECORD, SCENARIO};
pub use flows::{
    APPLICATION, COMPAT, CONTROLLER_NAME, DIRECTION, FLOW, FLOW_ACCESS, RECOVERY, RTO,
    RTO_ARITHMETIC, SPURIOUS, TCP, THRESHOLD_ADAPTATION,
};
pub use network::{
    ACCESS, ACCESS_SIDE, BOTTLENECK, CHANGE, GRAPH_LINK, HOP, NODE, REVERSE, TOPOLOGY,
};
pub use sweep::{RANGE, SEEDS, STOP_RULE, SWEEP, TOGETHER};

/// Things of which one stands in a place of a file, told apart by one key.
#[derive(Clone, Debug)]
pub struct Family {
    /// What one of them is called in messages and in the schema.
    pub name: &'static str,
    /// The key that says which it is.
    pub tag: &'static str,
    /// What there is.
    pub choices: Cow<'static, [Choice]>,
    /// Keys that all of them have.
    pub common: &'static [Parameter],
}

/// A transport, by the controllers that it can drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// TCP.
    Tcp,
    /// TFRC.
    Tfrc,
    /// TFWC.
    Tfwc,
}

impl Drive {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Tcp, Self::Tfrc, Self::Tfwc];

    /// Its name in the key `protocol`.
    pub fn protocol(self) -> &'static str {
        match self {
            Self::Tcp => "tcp",
            Self::Tfrc => "tfrc",
            Self::Tfwc => "tfwc",
        }
    }

    /// The one of that name.
    pub(super) fn named(protocol: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|drive| drive.protocol() == protocol)
    }

    /// Whether it can drive a controller that needs that.
    pub fn takes(self, carrier: Carrier) -> bool {
        match self {
            Self::Tcp => carrier == Carrier::Window,
            Self::Tfrc => carrier == Carrier::Rate,
            Self::Tfwc => matches!(carrier, Carrier::Window | Carrier::Datagrams),
        }
    }

    /// The transport that is there for such controllers.
    pub fn of(carrier: Carrier) -> Self {
        match carrier {
            Carrier::Window => Self::Tcp,
            Carrier::Datagrams => Self::Tfwc,
            Carrier::Rate => Self::Tfrc,
        }
    }
}

const RATE_OR_UNLIMITED: Kind = Kind::Or(&Kind::Rate, UNLIMITED);
const WINDOW_OR_UNLIMITED: Kind = Kind::Or(&Kind::Window, UNLIMITED);
/// A length of time that may be drawn once for a link, or for each period.
pub(super) const LENGTH: Kind = Kind::Distribution {
    over_zero: false,
    each_flow: false,
};
const LENGTH_OVER_ZERO: Kind = Kind::Distribution {
    over_zero: true,
    each_flow: false,
};
const LENGTH_EACH: Kind = Kind::Distribution {
    over_zero: false,
    each_flow: true,
};
