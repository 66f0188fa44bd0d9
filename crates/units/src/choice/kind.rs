//! Types and bounds of values, and the reading of what a file gives.

use std::fmt;
use std::str::FromStr;

use super::{Given, Limit, MOST_PACKETS, Setting, Table, Value, Word};
use crate::{Bytes, Duration, Packets, ParseQuantityError, Rate};

/// Type and allowed values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A real number within bounds, both included.
    Number {
        /// Least allowed.
        min: f64,
        /// Greatest allowed.
        max: f64,
    },
    /// A number over 0 and at most 1.
    Share,
    /// A whole number within bounds, both included.
    Integer {
        /// Least allowed.
        min: u64,
        /// Greatest allowed.
        max: u64,
    },
    /// `true` or `false`.
    Flag,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// One of some words that are described.
    Words(&'static [Word]),
    /// Any text.
    Text,
    /// A name: 1 to 64 characters, none of them a control character.
    Name,
    /// The label of a group of flows.
    Group,
    /// A length of time.
    Duration,
    /// A length of time over zero.
    DurationOverZero,
    /// A rate over zero.
    Rate,
    /// A number of bytes, bounds included.
    Bytes {
        /// Least allowed.
        min: u64,
        /// Greatest allowed.
        max: u64,
    },
    /// A whole number of packets, at least one.
    Packets,
    /// An average number of packets over zero, fractions allowed.
    Average,
    /// A window of at least one packet: packets, or bytes of payload.
    Window,
    /// How much may wait in a queue: packets, bytes or bandwidth-delay products.
    Limit,
    /// A part, over 0 and at most 100 %.
    Percent,
    /// A number, or a quantity with a unit.
    Quantity,
    /// A value of that kind, or one of some words.
    Or(&'static Kind, &'static [Word]),
    /// A length of time, fixed or drawn.
    Distribution {
        /// Whether what is fixed must be over zero.
        over_zero: bool,
        /// Drawn once for each flow of a group: a list with a value for each is allowed.
        each_flow: bool,
    },
    /// A link's delay: fixed, drawn once, or one of the delay models.
    Delay,
    /// A controller that such a protocol can drive: its name, or a table with `name` and its
    /// parameters.
    Controller(&'static str),
    /// One of the things registered under this name (`queue`, `loss`, …): its name, or a table
    /// with its name and its parameters.
    OneOf(&'static str),
    /// How many seeds a sweep has: a number, or a rule.
    Seeds,
    /// A table.
    Table(&'static Table),
    /// A list.
    List(&'static Kind),
    /// One value, or a list of them.
    OneOrMore(&'static Kind),
}

/// Why a value is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not of the kind, or out of bounds.
    Kind,
    /// A quantity that cannot be read.
    Quantity(ParseQuantityError),
}

/// A number from 0 to 1.
pub const PROBABILITY: Kind = Kind::Number { min: 0.0, max: 1.0 };

impl Kind {
    /// A value as a file gives it, if it is of this kind. Lists, tables and what is drawn are
    /// their reader's to take apart.
    ///
    /// # Errors
    /// When the value is of another type, out of bounds, or no quantity.
    pub fn accept(&self, given: &Given) -> Result<Setting, Refusal> {
        let value = match (self, given) {
            (Self::Number { min, max }, given) => given
                .number()
                .filter(|number| (min..=max).contains(&number))
                .map(Value::Number),
            (Self::Share, given) => given
                .number()
                .filter(|number| *number > 0.0 && *number <= 1.0)
                .map(Value::Number),
            (Self::Integer { min, max }, given) => given
                .integer()
                .filter(|integer| (min..=max).contains(&integer))
                .map(Value::Integer),
            (Self::Quantity, given) => given.number().map(Value::Number),
            (Self::Flag, Given::Flag(flag)) => Some(Value::Flag(*flag)),
            (Self::Or(kind, words), given) => match given {
                Given::Text(text) if word(words, text).is_some() => word(words, text),
                _ => return kind.accept(given),
            },
            (_, Given::Text(text)) => return self.accept_text(text),
            _ => None,
        };
        value.map(Setting::Value).ok_or(Refusal::Kind)
    }

    fn accept_text(&self, text: &str) -> Result<Setting, Refusal> {
        let value = match self {
            Self::Choice(words) => {
                let known = words.iter().find(|known| *known == &text);
                known.map(|known| Value::Choice(known))
            }
            Self::Words(words) => word(words, text),
            Self::Name if !is_name(text) => None,
            Self::Name | Self::Text | Self::Group | Self::Quantity => {
                return Ok(Setting::Text(text.to_owned()));
            }
            Self::Duration => Some(Value::Duration(quantity(text)?)),
            Self::DurationOverZero => Some(quantity(text)?)
                .filter(|length: &Duration| !length.is_zero())
                .map(Value::Duration),
            Self::Rate => Some(quantity(text)?)
                .filter(|rate| *rate != Rate::ZERO)
                .map(Value::Rate),
            Self::Bytes { min, max } => Some(quantity(text)?)
                .filter(|bytes: &Bytes| (min..=max).contains(&&bytes.0))
                .map(Value::Bytes),
            Self::Packets => packets(text).map(Value::Packets),
            Self::Average => {
                let number = text.trim();
                let number = number
                    .strip_suffix("packets")
                    .or_else(|| number.strip_suffix("packet"));
                number
                    .and_then(decimal)
                    .filter(|packets| *packets > 0.0 && *packets <= MOST_PACKETS as f64)
                    .map(Value::Average)
            }
            Self::Window => packets(text).map(Value::Packets).or_else(|| {
                let bytes = text.trim().parse::<Bytes>().ok();
                bytes.filter(|bytes| bytes.0 > 0).map(Value::Bytes)
            }),
            Self::Limit => limit(text).map(Value::Limit),
            Self::Percent => text
                .trim()
                .strip_suffix('%')
                .and_then(decimal)
                .filter(|percent| *percent > 0.0 && *percent <= 100.0)
                .map(Value::Percent),
            _ => None,
        };
        value.map(Setting::Value).ok_or(Refusal::Kind)
    }

    /// The words that it takes.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        let (plain, described): (&[&'static str], &[Word]) = match self {
            Self::Choice(words) => (words, &[]),
            Self::Words(words) | Self::Or(_, words) => (&[], words),
            _ => (&[], &[]),
        };
        let plain = plain.iter().copied();
        plain.chain(described.iter().map(|word| word.name))
    }
}

fn word(words: &[Word], text: &str) -> Option<Value> {
    let known = words.iter().find(|known| known.name == text);
    known.map(|known| Value::Choice(known.name))
}

fn is_name(text: &str) -> bool {
    let allowed = |c: char| !c.is_control() && c != '"' && c != '\\';
    (1..=LONGEST_NAME_CHARS).contains(&text.chars().count()) && text.chars().all(allowed)
}

fn quantity<T: FromStr<Err = ParseQuantityError>>(text: &str) -> Result<T, Refusal> {
    text.parse().map_err(Refusal::Quantity)
}

fn packets(text: &str) -> Option<Packets> {
    let packets: Packets = text.trim().parse().ok()?;
    (1..=MOST_PACKETS).contains(&packets.0).then_some(packets)
}

fn limit(text: &str) -> Option<Limit> {
    let text = text.trim();
    if let Some(number) = text.strip_suffix("BDP") {
        let number = decimal(number).filter(|n| *n > 0.0 && *n <= MOST_BDP);
        return number.map(Limit::Bdp);
    }
    if let Some(packets) = packets(text) {
        return Some(Limit::Packets(packets.0));
    }
    let bytes: Bytes = text.parse().ok()?;
    (1..=MOST_WAITING_BYTES)
        .contains(&bytes.0)
        .then_some(Limit::Bytes(bytes))
}

/// A decimal number without exponent.
fn decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    let number: f64 = text.parse().ok()?;
    (plain && number.is_finite()).then_some(number)
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { min, max } if *max >= f64::MAX => {
                write!(f, "a number of at least {min}")
            }
            Self::Number { min, max } => write!(f, "a number from {min} to {max}"),
            Self::Share => write!(f, "a number over 0 and at most 1"),
            Self::Integer { min, max: u64::MAX } => write!(f, "a whole number of at least {min}"),
            Self::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Flag => write!(f, "true or false"),
            Self::Choice(_) | Self::Words(_) => {
                write!(f, "one of ")?;
                write_words(f, self.words())
            }
            Self::Text => write!(f, "a text"),
            Self::Name => write!(f, "a name of 1 to 64 characters"),
            Self::Group => write!(f, "the label of a group of flows"),
            Self::Duration => write!(f, "a length of time such as \"20 ms\" ({TIMES})"),
            Self::DurationOverZero => {
                write!(f, "a length of time over zero such as \"20 ms\" ({TIMES})")
            }
            Self::Rate => write!(
                f,
                "a rate over zero such as \"10 Mbps\" (bps, kbps, Mbps, Gbps, Tbps)"
            ),
            Self::Bytes { min, max } => write!(
                f,
                "a size from {min} B to {max} B such as \"1000 B\" (B, kB, MB, GB, KiB, MiB, GiB)"
            ),
            Self::Packets => write!(f, "packets, at least one (\"7 packets\")"),
            Self::Average => write!(f, "packets over zero (\"5 packets\")"),
            Self::Window => write!(
                f,
                "packets (\"10 packets\") or bytes of payload (\"64 kB\"), at least one packet"
            ),
            Self::Limit => write!(
                f,
                "packets (\"5 packets\"), bytes (\"64 kB\"), bandwidth-delay products (\"1 BDP\")"
            ),
            Self::Percent => write!(f, "per cent, over 0 and at most 100, such as \"2 %\""),
            Self::Quantity => write!(f, "a number, or a quantity with a unit such as \"10 Mbps\""),
            Self::Or(kind, _) => {
                write!(f, "{kind}, or ")?;
                write_words(f, self.words())
            }
            Self::Distribution { each_flow, .. } => {
                write!(
                    f,
                    "a length of time such as \"20 ms\", {{ uniform = [\"1 ms\", \"2 ms\"] }}, \
                     {{ exponential = \"1 s\" }} or {{ pareto = {{ mean = \"1 s\", shape = 1.5 }} }}"
                )?;
                if *each_flow {
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
            Self::Controller(_) => write!(
                f,
                "a controller's name, or a table with its name and its parameters"
            ),
            Self::OneOf(family) => write!(f, "the name of a {family}, or a table with its keys"),
            Self::Seeds => write!(
                f,
                "a whole number from 1 to 1000000, or a rule such as {{ until = \"goodput_bps\", \
                 within = \"2 %\", at_least = 5, at_most = 50 }}"
            ),
            Self::Table(table) => write!(f, "a table ({})", table.name),
            Self::List(of) => write!(f, "a list, each of it {of}"),
            Self::OneOrMore(of) => write!(f, "{of}, or a list of such"),
        }
    }
}

fn write_words(
    f: &mut fmt::Formatter<'_>,
    words: impl Iterator<Item = &'static str>,
) -> fmt::Result {
    for (index, word) in words.enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        write!(f, "{separator}\"{word}\"")?;
    }
    Ok(())
}

const TIMES: &str = "s, ms, us, ns, ps, min, h";
/// Longest name.
const LONGEST_NAME_CHARS: usize = 64;
/// Largest queue in bandwidth-delay products.
const MOST_BDP: f64 = 1e6;
/// Largest queue in bytes: 1 TB.
const MOST_WAITING_BYTES: u64 = 1_000_000_000_000;
