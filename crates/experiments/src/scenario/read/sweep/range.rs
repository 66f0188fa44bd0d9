//! The values of a range: evenly spaced, by differences or by ratios.

use crate::scenario::document::{Node, Origin, Value};
use crate::scenario::read::Read;
use crate::scenario::reader::{Field, Reader};

/// One end of a range.
struct End {
    number: f64,
    /// None: a bare number.
    unit: Option<String>,
    /// Whether its values are whole numbers.
    whole: bool,
}

/// The values of a range that stands at `origin`.
pub(super) fn values(range: &Reader<'_>, origin: Origin) -> Read<Vec<Value>> {
    let (from_field, to_field) = (range.get("from")?, range.get("to")?);
    let steps_field = range.get("steps")?;
    let steps = steps_field.integer()?;
    let logarithmic = range.get("scale")?.choice()? == "logarithmic";
    let (from, to) = (end(&from_field)?, end(&to_field)?);
    if from.unit != to.unit {
        return Err(to_field.error(format!(
            "{} = {} is not in the unit of {} = {}; a range has one unit",
            to_field.path,
            to_field.shown(),
            from_field.path,
            from_field.shown()
        )));
    }
    if logarithmic && (from.number <= 0.0 || to.number <= 0.0) {
        return Err(from_field.error(format!(
            "{}: a logarithmic range is over zero at both ends",
            from_field.path
        )));
    }
    let whole = from.whole && to.whole;
    let mut numbers: Vec<f64> = Vec::with_capacity(steps as usize);
    for step in 0..steps {
        let part = step as f64 / (steps - 1) as f64;
        let exact = if step == 0 {
            from.number
        } else if step == steps - 1 {
            to.number
        } else if logarithmic {
            let ratio = to.number / from.number;
            significant(from.number * libm::pow(ratio, part), LOGARITHMIC_DIGITS)
        } else {
            let number = from.number + (to.number - from.number) * part;
            significant(number, LINEAR_DIGITS)
        };
        let number = if whole { exact.round() } else { exact };
        if whole && !logarithmic && number != exact {
            return Err(steps_field.error(format!(
                "{} = {steps}: {steps} values from {} to {} are not whole numbers; another number \
                 of steps, or ends such as 1.0, make them right",
                steps_field.path,
                from_field.shown(),
                to_field.shown()
            )));
        }
        numbers.push(number);
    }
    let texts: Vec<_> = numbers
        .iter()
        .map(|number| text(*number, whole, from.unit.as_deref()))
        .collect();
    let mut different = texts.clone();
    different.dedup();
    if different.len() < texts.len() {
        return Err(steps_field.error(format!(
            "{} = {steps}: there are only {} different values between {} and {}",
            steps_field.path,
            different.len(),
            from_field.shown(),
            to_field.shown()
        )));
    }
    let value = |text: String| {
        let node = match from.unit {
            Some(_) => Node::Text(text),
            None if whole => Node::Integer(text.parse().expect("whole numbers")),
            None => Node::Number(text.parse().expect("a number")),
        };
        Value { node, origin }
    };
    Ok(texts.into_iter().map(value).collect())
}

fn end(field: &Field<'_>) -> Read<End> {
    let bare = |number, whole| End {
        number,
        unit: None,
        whole,
    };
    match field.node() {
        Node::Integer(integer) if integer.unsigned_abs() < LARGEST_WHOLE => {
            Ok(bare(*integer as f64, true))
        }
        Node::Number(number) if number.is_finite() => Ok(bare(*number, false)),
        Node::Text(text) => {
            let text = text.trim();
            let at = text.find(|c: char| c.is_alphabetic() || c == '%');
            let (number, unit) = text.split_at(at.unwrap_or(text.len()));
            let number = number.trim().replace('_', "");
            let plain = number.chars().all(|c| c.is_ascii_digit() || c == '.');
            let number = number.parse().ok().filter(|n: &f64| plain && n.is_finite());
            let (Some(number), false) = (number, unit.is_empty()) else {
                return Err(field.refuse());
            };
            let unit = match unit {
                "packet" => "packets",
                other => other,
            };
            Ok(End {
                number,
                unit: Some(unit.to_owned()),
                whole: decimals(unit) == 0,
            })
        }
        _ => Err(field.refuse()),
    }
}

/// A number with a unit, or without.
fn text(number: f64, whole: bool, unit: Option<&str>) -> String {
    let Some(unit) = unit else {
        return if whole {
            format!("{number:.0}")
        } else {
            format!("{number:?}")
        };
    };
    let decimals = decimals(unit);
    let mut number = format!("{number:.decimals$}");
    if number.contains('.') {
        number.truncate(number.trim_end_matches('0').trim_end_matches('.').len());
    }
    format!("{number} {unit}")
}

/// How many decimals a quantity in that unit can have: nothing is finer than one bit per second,
/// one byte, one packet or one picosecond.
fn decimals(unit: &str) -> usize {
    match unit {
        "bps" | "B" | "packets" | "ps" => 0,
        "kbps" | "kB" | "ns" | "KiB" => 3,
        "Mbps" | "MB" | "us" | "µs" => 6,
        "Gbps" | "GB" | "ms" => 9,
        _ => 12,
    }
}

/// A number with so many significant digits.
fn significant(number: f64, digits: usize) -> f64 {
    let text = format!("{number:.*e}", digits - 1);
    text.parse().expect("a number was written")
}

/// Enough for a plot, and short enough to read.
const LOGARITHMIC_DIGITS: usize = 6;
/// Enough for every decimal that an end can have; hides that 0.1 × 3 is not 0.3.
const LINEAR_DIGITS: usize = 12;
/// Whole numbers up to here are exact as floating-point numbers.
const LARGEST_WHOLE: u64 = 1 << 53;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_fine_as_their_unit() {
        assert_eq!(text(3.162_28, false, Some("Mbps")), "3.16228 Mbps");
        assert_eq!(text(0.031_622_77, false, Some("MB")), "0.031623 MB");
        assert_eq!(text(22.0, true, Some("packets")), "22 packets");
        assert_eq!(text(20.0, false, Some("ms")), "20 ms");
        assert_eq!(text(0.3, false, None), "0.3");
        assert_eq!(text(10.0, false, None), "10.0");
        assert_eq!(text(22.0, true, None), "22");
    }

    #[test]
    fn significant_digits_hide_binary_fractions() {
        assert_eq!(significant(0.1 * 3.0, LINEAR_DIGITS), 0.3);
        // √10 = 3.16227766…
        assert_eq!(significant(libm::sqrt(10.0), LOGARITHMIC_DIGITS), 3.162_28);
    }
}
