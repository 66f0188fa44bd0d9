//! The tables of keys: every key of a scenario file with its type, bounds, default and meaning.

mod datagrams;
mod file;
mod flows;
mod models;
mod network;
mod sweep;

use std::fmt;

use controllers::Carrier;

pub use datagrams::{TFRC, TFWC};
pub use file::{RECORD, SCENARIO};
pub use flows::{
    APPLICATION, COMPAT, CONTROLLER_NAME, DIRECTION, FLOW, FLOW_ACCESS, NS2_READING, READING,
    RECOVERY, RTO, RTO_ARITHMETIC, SPURIOUS, TCP, THRESHOLD_ADAPTATION,
};
pub use models::{
    DELAY, DELAY_STATE, DISTRIBUTION, LOSS, LOSS_PLACE, PARETO, QUEUE, RED_MODE, RED_WEIGHTS,
};
pub use network::{
    ACCESS, ACCESS_SIDE, BOTTLENECK, CHANGE, GRAPH_LINK, HOP, NODE, REVERSE, TOPOLOGY,
};
pub use sweep::{RANGE, SEEDS, STOP_RULE, SWEEP, TOGETHER};

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Type and bounds of its value.
    pub kind: Kind,
    /// What holds without it.
    pub default: Default,
    /// What it means.
    pub doc: &'static str,
}

/// What holds when a key is absent.
#[derive(Clone, Copy, Debug)]
pub enum Default {
    /// It must be there.
    Required,
    /// This value, as TOML text.
    Is(&'static str),
    /// What this says.
    Otherwise(&'static str),
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

/// Type and bounds of a value.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Any text.
    Text,
    /// A name: 1 to 64 characters, none of them a control character.
    Name,
    /// `true` or `false`.
    Flag,
    /// A whole number, bounds included.
    Integer {
        /// Least allowed.
        min: u64,
        /// Greatest allowed.
        max: u64,
    },
    /// A finite number, bounds included.
    Number {
        /// Least allowed.
        min: f64,
        /// Greatest allowed.
        max: f64,
    },
    /// A length of time, at most [`LONGEST`](super::LONGEST).
    Duration(Least),
    /// A rate over zero.
    Rate,
    /// A rate over zero, or `"unlimited"`.
    RateOrUnlimited,
    /// A number of bytes, bounds included.
    Bytes {
        /// Least allowed.
        min: u64,
        /// Greatest allowed.
        max: u64,
    },
    /// How much may wait in a queue: packets, bytes, BDPs, or `"unlimited"`.
    Limit,
    /// A whole number of packets, at least one.
    Packets,
    /// A window of at least one packet: packets, or bytes of payload.
    Window,
    /// The same, or `"unlimited"`.
    WindowOrUnlimited,
    /// An average queue: packets, fractions allowed, or `"auto"`.
    Threshold,
    /// A number over 0 and at most 1, or one of [`RED_WEIGHTS`].
    Weight,
    /// A part, over 0 and at most 100 %.
    Percent,
    /// How many seeds: [`SEEDS`], or a table of [`STOP_RULE`].
    Seeds,
    /// A number, or a quantity with a unit.
    Quantity,
    /// One of some words.
    Choice(&'static [Word]),
    /// A length of time, fixed or drawn.
    Distribution(Least, Draw),
    /// A link's delay: fixed, drawn once, or a model of [`DELAY`].
    Delay,
    /// A controller that such a transport can drive: its name, or a table with `name` and its
    /// parameters.
    Controller(Drive),
    /// A table.
    Table(&'static Table),
    /// A table whose tag says which keys it has; the tag alone where no key is required.
    Tagged(&'static Tagged),
    /// A list.
    List(&'static Kind),
    /// One value, or a list of them.
    OneOrMore(&'static Kind),
}

/// Whether zero is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Least {
    /// It is.
    Zero,
    /// It is not.
    OverZero,
}

/// How often a distribution is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// Once for each flow of a group: a list with a value for each is allowed.
    EachFlow,
    /// Otherwise: no lists.
    Other,
}

/// A word that a key takes.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// Where it is specified; empty where it needs no specification.
    pub source: &'static str,
}

/// A table of keys.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// What it is called in messages and in the schema.
    pub name: &'static str,
    /// What it describes.
    pub doc: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
    /// What other keys mean; none: there are no others.
    pub others: Option<&'static str>,
}

/// A table that comes in variants, told apart by one key.
#[derive(Clone, Copy, Debug)]
pub struct Tagged {
    /// What it is called in messages and in the schema.
    pub name: &'static str,
    /// The key that says which variant it is.
    pub tag: &'static str,
    /// The variants.
    pub variants: &'static [Variant],
    /// Keys that all variants have.
    pub common: &'static [Key],
}

/// One variant of a [`Tagged`] table.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The value of the tag.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub doc: &'static str,
    /// Where it is specified; empty where it needs no specification.
    pub source: &'static str,
    /// The keys that it has beside the common ones.
    pub keys: &'static [Key],
}

impl Table {
    /// A table without further keys.
    const fn new(name: &'static str, doc: &'static str, keys: &'static [Key]) -> Self {
        Self {
            name,
            doc,
            keys,
            others: None,
        }
    }
}

impl Key {
    const fn new(name: &'static str, kind: Kind, default: Default, doc: &'static str) -> Self {
        Self {
            name,
            kind,
            default,
            doc,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => write!(f, "a text"),
            Self::Name => write!(f, "a name of 1 to 64 characters"),
            Self::Flag => write!(f, "true or false"),
            Self::Integer { min, max: u64::MAX } => write!(f, "a whole number of at least {min}"),
            Self::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Number { min, max: f64::MAX } => write!(f, "a number of at least {min}"),
            Self::Number { min, max } => write!(f, "a number from {min} to {max}"),
            Self::Duration(Least::Zero) => {
                write!(
                    f,
                    "a length of time such as \"20 ms\" (s, ms, us, ns, ps, min, h)"
                )
            }
            Self::Duration(Least::OverZero) => {
                write!(
                    f,
                    "a length of time over zero such as \"20 ms\" (s, ms, us, ns, ps, min, h)"
                )
            }
            Self::Rate => {
                write!(
                    f,
                    "a rate over zero such as \"10 Mbps\" (bps, kbps, Mbps, Gbps, Tbps)"
                )
            }
            Self::RateOrUnlimited => write!(
                f,
                "a rate over zero such as \"10 Mbps\" (bps, kbps, Mbps, Gbps, Tbps), or \"unlimited\""
            ),
            Self::Bytes { min, max } => write!(
                f,
                "a size from {min} B to {max} B such as \"1000 B\" (B, kB, MB, GB, KiB, MiB, GiB)"
            ),
            Self::Limit => write!(
                f,
                "packets (\"5 packets\"), bytes (\"64 kB\"), bandwidth-delay products (\"1 BDP\"), \
                 or \"unlimited\""
            ),
            Self::Packets => write!(f, "packets, at least one (\"7 packets\")"),
            Self::Window => {
                write!(
                    f,
                    "packets (\"10 packets\") or bytes of payload (\"64 kB\"), at least one packet"
                )
            }
            Self::WindowOrUnlimited => write!(
                f,
                "packets (\"10 packets\") or bytes of payload (\"64 kB\"), at least one packet, or \
                 \"unlimited\""
            ),
            Self::Threshold => write!(f, "packets over zero (\"5 packets\"), or \"auto\""),
            Self::Weight => {
                write!(f, "a number over 0 and at most 1, or ")?;
                write_words(f, RED_WEIGHTS)
            }
            Self::Percent => write!(f, "per cent, over 0 and at most 100, such as \"2 %\""),
            Self::Seeds => write!(
                f,
                "{SEEDS}, or a rule such as {{ until = \"goodput_bps\", within = \"2 %\", \
                 at_least = 5, at_most = 50 }}"
            ),
            Self::Quantity => write!(f, "a number, or a quantity with a unit such as \"10 Mbps\""),
            Self::Choice(words) => {
                write!(f, "one of ")?;
                write_words(f, words)
            }
            Self::Distribution(_, draw) => {
                write!(
                    f,
                    "a length of time such as \"20 ms\", {{ uniform = [\"1 ms\", \"2 ms\"] }}, \
                     {{ exponential = \"1 s\" }} or {{ pareto = {{ mean = \"1 s\", shape = 1.5 }} }}"
                )?;
                if *draw == Draw::EachFlow {
                    write!(
                        f,
                        ", or {{ list = [\"1 ms\", …] }} with a value for each flow"
                    )?;
                }
                Ok(())
            }
            Self::Delay => write!(
                f,
                "a length of time such as \"20 ms\", {{ uniform = [\"1 ms\", \"2 ms\"] }} or \
                 {{ kind = \"alternating\", … }}"
            ),
            Self::Controller(_) => {
                write!(
                    f,
                    "a controller's name, or a table with its name and its parameters"
                )
            }
            Self::Table(table) => write!(f, "a table ({})", table.name),
            Self::Tagged(tagged) => {
                write!(f, "a table with {} = ", tagged.tag)?;
                for (index, variant) in tagged.variants.iter().enumerate() {
                    let separator = if index == 0 { "" } else { " or " };
                    write!(f, "{separator}\"{}\"", variant.name)?;
                }
                Ok(())
            }
            Self::List(of) => write!(f, "a list, each of it {of}"),
            Self::OneOrMore(of) => write!(f, "{of}, or a list of such"),
        }
    }
}

fn write_words(f: &mut fmt::Formatter<'_>, words: &[Word]) -> fmt::Result {
    for (index, word) in words.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        write!(f, "{separator}\"{}\"", word.name)?;
    }
    Ok(())
}

impl fmt::Display for Default {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Required => write!(f, "required"),
            Self::Is(text) | Self::Otherwise(text) => write!(f, "{text}"),
        }
    }
}

const ZERO_OR_MORE: Kind = Kind::Duration(Least::Zero);
const OVER_ZERO: Kind = Kind::Duration(Least::OverZero);
const PROBABILITY: Kind = Kind::Number { min: 0.0, max: 1.0 };
const REQUIRED: Default = Default::Required;
