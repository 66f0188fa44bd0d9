//! Reading names, numbers, quantities with units, and distributions.

use std::fmt::Display;
use std::str::FromStr;

use units::{Bytes, Duration, Packets, Rate};

use super::{AUTO, Field, Read, UNLIMITED};
use crate::scenario::document::Node;
use crate::scenario::error::nearest;
use crate::scenario::keys::{self, Draw, Kind, Least};
use crate::scenario::{Distribution, LONGEST, Limit, MOST_WAITING_PACKETS, RedWeight};

impl Field<'_> {
    pub(in crate::scenario) fn any_text(&self) -> Read<String> {
        self.text().map(str::to_owned)
    }

    /// What a text with a unit says. A number without a unit is refused.
    fn quantity<T: FromStr<Err: Display>>(&self) -> Read<T> {
        self.text()?
            .parse()
            .map_err(|reason| self.error(format!("{}: {reason}", self.path)))
    }

    pub(in crate::scenario) fn name(&self) -> Read<String> {
        let text = self.text()?;
        let length = text.chars().count();
        let allowed = |c: char| !c.is_control() && c != '"' && c != '\\';
        if length == 0 || length > LONGEST_NAME_CHARS || !text.chars().all(allowed) {
            return Err(self.refuse());
        }
        Ok(text.to_owned())
    }

    pub(in crate::scenario) fn flag(&self) -> Read<bool> {
        match self.value.node {
            Node::Flag(flag) => Ok(flag),
            _ => Err(self.refuse()),
        }
    }

    pub(in crate::scenario) fn integer(&self) -> Read<u64> {
        let Kind::Integer { min, max } = self.kind else {
            self.mismatch()
        };
        match self.value.node {
            Node::Integer(integer) => u64::try_from(integer)
                .ok()
                .filter(|integer| (min..=max).contains(integer))
                .ok_or_else(|| self.refuse()),
            _ => Err(self.refuse()),
        }
    }

    pub(in crate::scenario) fn number(&self) -> Read<f64> {
        let Kind::Number { min, max } = self.kind else {
            self.mismatch()
        };
        self.plain_number()
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| self.refuse())
    }

    pub(in crate::scenario) fn percent(&self) -> Read<f64> {
        let Kind::Percent = self.kind else {
            self.mismatch()
        };
        self.text()?
            .trim()
            .strip_suffix('%')
            .and_then(decimal)
            .filter(|percent| *percent > 0.0 && *percent <= 100.0)
            .ok_or_else(|| self.refuse())
    }

    fn plain_number(&self) -> Option<f64> {
        match self.value.node {
            Node::Integer(integer) => Some(integer as f64),
            Node::Number(number) if number.is_finite() => Some(number),
            _ => None,
        }
    }

    pub(in crate::scenario) fn duration(&self) -> Read<Duration> {
        let Kind::Duration(least) = self.kind else {
            self.mismatch()
        };
        let length: Duration = self.quantity()?;
        if least == Least::OverZero && length.is_zero() {
            return Err(self.refuse());
        }
        if length > LONGEST {
            return Err(self.error(format!(
                "{} = \"{length}\" is longer than 30 days, the longest allowed",
                self.path
            )));
        }
        Ok(length)
    }

    pub(in crate::scenario) fn rate(&self) -> Read<Rate> {
        let rate: Rate = self.quantity()?;
        if rate == Rate::ZERO {
            Err(self.refuse())
        } else {
            Ok(rate)
        }
    }

    /// A rate; none where it is unlimited.
    pub(in crate::scenario) fn rate_or_unlimited(&self) -> Read<Option<Rate>> {
        let Kind::RateOrUnlimited = self.kind else {
            self.mismatch()
        };
        if self.value.text() == Some(UNLIMITED) {
            Ok(None)
        } else {
            self.rate().map(Some)
        }
    }

    pub(in crate::scenario) fn bytes(&self) -> Read<Bytes> {
        let Kind::Bytes { min, max } = self.kind else {
            self.mismatch()
        };
        let bytes: Bytes = self.quantity()?;
        if (min..=max).contains(&bytes.0) {
            Ok(bytes)
        } else {
            Err(self.refuse())
        }
    }

    pub(in crate::scenario) fn limit(&self) -> Read<Limit> {
        let Kind::Limit = self.kind else {
            self.mismatch()
        };
        let text = self.text()?.trim();
        let limit = if text == UNLIMITED {
            Some(Limit::Unlimited)
        } else if let Some(number) = text.strip_suffix("BDP") {
            decimal(number)
                .filter(|n| *n > 0.0 && *n <= MOST_BDP)
                .map(Limit::Bdp)
        } else if let Ok(packets) = text.parse::<Packets>() {
            (1..=MOST_WAITING_PACKETS)
                .contains(&packets.0)
                .then_some(Limit::Packets(packets.0))
        } else if let Ok(bytes) = text.parse::<Bytes>() {
            (1..=MOST_WAITING_BYTES)
                .contains(&bytes.0)
                .then_some(Limit::Bytes(bytes))
        } else {
            None
        };
        limit.ok_or_else(|| self.refuse())
    }

    /// A window in packets that carry `payload` each, rounded down.
    pub(in crate::scenario) fn window(&self, payload: Bytes) -> Read<Packets> {
        let text = self.text()?.trim();
        let packets = if let Ok(packets) = text.parse::<Packets>() {
            packets
        } else {
            let bytes = text.parse::<Bytes>().map_err(|_| self.refuse())?;
            Packets(bytes.0 / payload.0.max(1))
        };
        if (1..=MOST_WAITING_PACKETS).contains(&packets.0) {
            Ok(packets)
        } else {
            Err(self.refuse())
        }
    }

    pub(in crate::scenario) fn packets(&self) -> Read<u64> {
        let packets = self.text()?.trim().parse::<Packets>().ok();
        let allowed = packets.filter(|packets| (1..=MOST_WAITING_PACKETS).contains(&packets.0));
        allowed
            .map(|packets| packets.0)
            .ok_or_else(|| self.refuse())
    }

    /// The same; none where it is unlimited.
    pub(in crate::scenario) fn window_or_unlimited(&self, payload: Bytes) -> Read<Option<Packets>> {
        let Kind::WindowOrUnlimited = self.kind else {
            self.mismatch()
        };
        if self.value.text() == Some(UNLIMITED) {
            Ok(None)
        } else {
            self.window(payload).map(Some)
        }
    }

    /// A number of packets with or without a fraction; none where it is automatic.
    pub(in crate::scenario) fn threshold(&self) -> Read<Option<f64>> {
        let Kind::Threshold = self.kind else {
            self.mismatch()
        };
        let text = self.text()?.trim();
        if text == AUTO {
            return Ok(None);
        }
        text.strip_suffix("packets")
            .or_else(|| text.strip_suffix("packet"))
            .and_then(decimal)
            .filter(|packets| *packets > 0.0 && *packets <= MOST_WAITING_PACKETS as f64)
            .map(Some)
            .ok_or_else(|| self.refuse())
    }

    pub(in crate::scenario) fn weight(&self) -> Read<RedWeight> {
        let Kind::Weight = self.kind else {
            self.mismatch()
        };
        match self.value.text() {
            Some("auto") => Ok(RedWeight::Auto),
            Some("auto-1s") => Ok(RedWeight::AutoSecond),
            Some("auto-100ms") => Ok(RedWeight::AutoTenthSecond),
            Some(_) => Err(self.refuse()),
            None => self
                .plain_number()
                .filter(|weight| *weight > 0.0 && *weight <= 1.0)
                .map(RedWeight::Value)
                .ok_or_else(|| self.refuse()),
        }
    }

    /// One of the words declared.
    pub(in crate::scenario) fn choice(&self) -> Read<&'static str> {
        let Kind::Choice(words) = self.kind else {
            self.mismatch()
        };
        let text = self.text()?;
        words
            .iter()
            .find(|word| word.name == text)
            .map(|word| word.name)
            .ok_or_else(|| {
                let mut error = self.refuse();
                error.hint = nearest(text, words.iter().map(|word| word.name))
                    .map(|name| format!("did you mean \"{name}\"?"));
                error
            })
    }

    /// A length of time, fixed or drawn. `flows`: how many values a list must have.
    pub(in crate::scenario) fn distribution(
        &self,
        flows: Option<u32>,
    ) -> Read<Distribution<Duration>> {
        let Kind::Distribution(least, draw) = self.kind else {
            self.mismatch()
        };
        let Node::Table(_) = &self.value.node else {
            return self
                .of_kind(Kind::Duration(least))
                .duration()
                .map(Distribution::Constant);
        };
        let reader = self.table_as(&keys::DISTRIBUTION)?;
        let found = (
            reader.find("uniform")?,
            reader.find("exponential")?,
            reader.find("pareto")?,
            reader.find("list")?,
        );
        let distribution = match found {
            (Some(uniform), None, None, None) => {
                let bounds = uniform.durations(least)?;
                let [low, high] = bounds[..] else {
                    return Err(uniform.error(format!(
                        "{} = {} is not allowed; it takes two lengths of time: least, greatest",
                        uniform.path,
                        uniform.shown()
                    )));
                };
                if low > high {
                    return Err(uniform.error(format!(
                        "{}: the first value, {low}, is greater than the second, {high}",
                        uniform.path
                    )));
                }
                Distribution::Uniform { low, high }
            }
            (None, Some(exponential), None, None) => Distribution::Exponential {
                mean: exponential.duration()?,
            },
            (None, None, Some(pareto), None) => {
                let table = pareto.table()?;
                let mean = table.get("mean")?.duration()?;
                let shape = table.get("shape")?.number()?;
                table.finish();
                Distribution::Pareto { mean, shape }
            }
            (None, None, None, Some(list)) => {
                if draw == Draw::Other {
                    return Err(list.error(format!(
                        "{}: a list with a value for each flow is not allowed here",
                        list.path
                    )));
                }
                let values = list.durations(least)?;
                let flows = flows.expect("lists are drawn for each flow") as usize;
                if values.len() != flows {
                    return Err(list.error(format!(
                        "{} has {} values, and the group {flows} flows",
                        list.path,
                        values.len()
                    )));
                }
                Distribution::List(values)
            }
            _ => {
                return Err(reader.error(format!(
                    "{} needs exactly one of the keys uniform, exponential, pareto, list",
                    self.path
                )));
            }
        };
        reader.finish();
        Ok(distribution)
    }

    /// Lengths of time, each at least `least`.
    fn durations(&self, least: Least) -> Read<Vec<Duration>> {
        self.items()?
            .iter()
            .map(|item| item.of_kind(Kind::Duration(least)).duration())
            .collect()
    }
}

/// A decimal number without exponent.
fn decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.parse()
        .ok()
        .filter(|number: &f64| plain && number.is_finite())
}

/// Longest name.
const LONGEST_NAME_CHARS: usize = 64;
/// Largest queue in bandwidth-delay products.
const MOST_BDP: f64 = 1e6;
/// Largest queue in bytes: 1 TB.
const MOST_WAITING_BYTES: u64 = 1_000_000_000_000;
