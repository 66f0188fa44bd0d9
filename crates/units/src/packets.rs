//! Numbers of packets, kept apart from bytes.

use std::fmt;
use std::str::FromStr;

use crate::parse::{self, ParseQuantityError, Unit};

/// A number of packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packets(pub u64);

impl fmt::Display for Packets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.0 == 1 { "" } else { "s" };
        write!(f, "{} packet{plural}", self.0)
    }
}

impl FromStr for Packets {
    type Err = ParseQuantityError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let units = [Unit::new("packets", 1), Unit::alias("packet", 1)];
        parse::read(text, "a number of packets", &units).map(Self)
    }
}
