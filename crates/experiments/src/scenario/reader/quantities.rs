//! Typed values and distributions.

use units::choice::{Kind, MOST_PACKETS, Setting, Value};
use units::{Bytes, Distribution, Duration, Packets, Rate};

use super::{Field, Read};
use crate::scenario::document::Node;
use crate::scenario::keys;

impl Field<'_> {
    /// Its plain value.
    fn value(&self) -> Read<Value> {
        match self.accept()? {
            Setting::Value(value) => Ok(value),
            _ => self.mismatch(),
        }
    }

    pub(in crate::scenario) fn any_text(&self) -> Read<String> {
        match self.accept()? {
            Setting::Text(text) => Ok(text),
            _ => self.mismatch(),
        }
    }

    pub(in crate::scenario) fn name(&self) -> Read<String> {
        self.of_kind(Kind::Name).any_text()
    }

    pub(in crate::scenario) fn flag(&self) -> Read<bool> {
        match self.value()? {
            Value::Flag(flag) => Ok(flag),
            _ => self.mismatch(),
        }
    }

    /// A whole number, packets included.
    pub(in crate::scenario) fn integer(&self) -> Read<u64> {
        match self.value()? {
            Value::Integer(integer) | Value::Packets(Packets(integer)) => Ok(integer),
            _ => self.mismatch(),
        }
    }

    pub(in crate::scenario) fn number(&self) -> Read<f64> {
        match self.value()? {
            Value::Number(number) | Value::Percent(number) => Ok(number),
            _ => self.mismatch(),
        }
    }

    pub(in crate::scenario) fn duration(&self) -> Read<Duration> {
        match self.value()? {
            Value::Duration(length) => Ok(length),
            _ => self.mismatch(),
        }
    }

    pub(in crate::scenario) fn rate(&self) -> Read<Rate> {
        self.rate_or_unlimited()
            .map(|rate| rate.unwrap_or_else(|| self.mismatch()))
    }

    /// A rate; none where it is unlimited.
    pub(in crate::scenario) fn rate_or_unlimited(&self) -> Read<Option<Rate>> {
        match self.value()? {
            Value::Rate(rate) => Ok(Some(rate)),
            Value::Choice(_) => Ok(None),
            _ => self.mismatch(),
        }
    }

    pub(in crate::scenario) fn bytes(&self) -> Read<Bytes> {
        match self.value()? {
            Value::Bytes(bytes) => Ok(bytes),
            _ => self.mismatch(),
        }
    }

    /// A window in packets that carry `payload` each, rounded down.
    pub(in crate::scenario) fn window(&self, payload: Bytes) -> Read<Packets> {
        self.window_or_unlimited(payload)
            .map(|window| window.unwrap_or_else(|| self.mismatch()))
    }

    /// The same; none where it is unlimited.
    pub(in crate::scenario) fn window_or_unlimited(&self, payload: Bytes) -> Read<Option<Packets>> {
        match self.value()? {
            Value::Packets(packets) => Ok(Some(packets)),
            Value::Bytes(bytes) => {
                let packets = Packets(bytes.0 / payload.0.max(1));
                if (1..=MOST_PACKETS).contains(&packets.0) {
                    Ok(Some(packets))
                } else {
                    Err(self.refuse())
                }
            }
            Value::Choice(_) => Ok(None),
            _ => self.mismatch(),
        }
    }

    /// One of the words declared.
    pub(in crate::scenario) fn choice(&self) -> Read<&'static str> {
        match self.value()? {
            Value::Choice(word) => Ok(word),
            _ => self.mismatch(),
        }
    }

    /// A length of time, fixed or drawn. `flows`: how many values a list must have.
    pub(in crate::scenario) fn distribution(&self, flows: Option<u32>) -> Read<Distribution> {
        let Kind::Distribution {
            over_zero,
            each_flow,
        } = self.kind
        else {
            self.mismatch()
        };
        let kind = if over_zero {
            Kind::DurationOverZero
        } else {
            Kind::Duration
        };
        let Node::Table(_) = &self.value.node else {
            let fixed = self.of_kind(kind).duration();
            return fixed.map(Distribution::Constant);
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
                let bounds = uniform.durations(kind)?;
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
                if !each_flow {
                    return Err(list.error(format!(
                        "{}: a list with a value for each flow is not allowed here",
                        list.path
                    )));
                }
                let values = list.durations(kind)?;
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

    /// Lengths of time of one kind.
    fn durations(&self, kind: Kind) -> Read<Vec<Duration>> {
        self.items()?
            .iter()
            .map(|item| item.of_kind(kind).duration())
            .collect()
    }
}
