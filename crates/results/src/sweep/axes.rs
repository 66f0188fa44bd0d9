//! The axes of a sweep as columns: numbers in base units where all values are such, else texts.

use serde_json::{Value, json};
use toml::de::DeValue;
use units::{Bytes, Duration, Packets, Rate};

use super::description::{AxisColumn, AxisDescription};
use crate::spoken::spoken;
use experiments::scenario::{Sweep, split_key};

/// The axes with their columns.
pub(super) fn describe(sweep: &Sweep) -> Vec<AxisDescription> {
    let axis = |axis: &experiments::scenario::Axis| AxisDescription {
        keys: axis
            .keys
            .iter()
            .map(|key| column(&key.key, &key.values))
            .collect(),
    };
    sweep.axes.iter().map(axis).collect()
}

/// A value of an axis, read as far as a column can hold it.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Integer(i64),
    Number(f64),
    /// A quantity in the base unit.
    Quantity(f64, &'static str),
    Text(String),
}

fn column(key: &str, texts: &[String]) -> AxisColumn {
    let cells: Vec<Cell> = texts.iter().map(|text| cell(text)).collect();
    let shown: Vec<String> = texts.iter().map(|text| shown(text)).collect();
    let numbers = numbers(&cells);
    let (kind, unit, values) = match &numbers {
        Some((numbers, unit)) => {
            let whole = numbers
                .iter()
                .all(|n| n.fract() == 0.0 && (0.0..WHOLE).contains(n));
            let whole_kind = matches!(*unit, "bytes" | "packets")
                || cells.iter().all(|cell| matches!(cell, Cell::Integer(_)));
            if whole && whole_kind {
                let values = numbers.iter().map(|number| json!(*number as u64)).collect();
                ("int64", *unit, values)
            } else {
                ("float64", *unit, numbers.iter().map(|n| json!(n)).collect())
            }
        }
        None => (
            "text",
            "",
            shown.iter().map(|text| json!(text)).collect::<Vec<Value>>(),
        ),
    };
    let parts = split_key(key).unwrap_or_else(|| vec![key.to_owned()]);
    let plain = parts.join(".");
    let suffix = format!("_{unit}");
    let name = if unit.is_empty() || plain.ends_with(&suffix) {
        plain
    } else {
        plain + &suffix
    };
    AxisColumn {
        key: key.to_owned(),
        column: name,
        label: label(&parts),
        kind: kind.to_owned(),
        unit: unit.to_owned(),
        scale: numbers
            .map_or("", |(numbers, _)| scale(&numbers))
            .to_owned(),
        values,
        shown,
    }
}

/// A value as people read it.
fn shown(text: &str) -> String {
    spoken(text)
}

fn cell(text: &str) -> Cell {
    let Ok(value) = DeValue::parse(text) else {
        return Cell::Text(text.to_owned());
    };
    match value.get_ref() {
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .map_or_else(|_| Cell::Text(text.to_owned()), Cell::Integer),
        DeValue::Float(float) => match float.as_str().parse::<f64>() {
            Ok(number) if number.is_finite() => Cell::Number(number),
            _ => Cell::Text(text.to_owned()),
        },
        DeValue::String(word) => quantity(word.trim()).map_or_else(
            || Cell::Text(word.to_string()),
            |(n, unit)| Cell::Quantity(n, unit),
        ),
        _ => Cell::Text(text.to_owned()),
    }
}

fn quantity(text: &str) -> Option<(f64, &'static str)> {
    if let Ok(rate) = text.parse::<Rate>() {
        return Some((rate.as_f64(), "bps"));
    }
    if let Ok(length) = text.parse::<Duration>() {
        return Some((length.as_secs_f64(), "s"));
    }
    if let Ok(bytes) = text.parse::<Bytes>() {
        return Some((bytes.as_f64(), "bytes"));
    }
    if let Ok(Packets(packets)) = text.parse::<Packets>() {
        return Some((packets as f64, "packets"));
    }
    let number = |unit: &str| {
        let number = text.strip_suffix(unit)?.trim().parse::<f64>().ok();
        number.filter(|number| number.is_finite())
    };
    // Thresholds of a queue take fractions of a packet.
    number("packets")
        .map(|packets| (packets, "packets"))
        .or_else(|| number("BDP").map(|products| (products, "BDP")))
}

/// The values as numbers with their unit; none where they are not all such.
fn numbers(cells: &[Cell]) -> Option<(Vec<f64>, &'static str)> {
    let number = |cell: &Cell| match cell {
        Cell::Integer(integer) => Some((*integer as f64, "")),
        Cell::Number(number) => Some((*number, "")),
        Cell::Quantity(number, unit) => Some((*number, *unit)),
        Cell::Text(_) => None,
    };
    let all: Vec<(f64, &str)> = cells.iter().map(number).collect::<Option<_>>()?;
    let (_, unit) = *all.first()?;
    let same = all.iter().all(|(_, other)| *other == unit);
    same.then(|| (all.iter().map(|(number, _)| *number).collect(), unit))
}

/// Whether the values are spaced more evenly by their ratios than by their differences.
fn scale(numbers: &[f64]) -> &'static str {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    if sorted.len() < 3 || sorted[0] <= 0.0 {
        return "linear";
    }
    let uneven = |values: &[f64]| {
        let gaps: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let greatest = gaps.iter().copied().fold(f64::MIN, f64::max);
        let least = gaps.iter().copied().fold(f64::MAX, f64::min);
        greatest / least
    };
    let logarithms: Vec<f64> = sorted.iter().map(|number| libm::log(*number)).collect();
    if uneven(&logarithms) < uneven(&sorted) {
        "logarithmic"
    } else {
        "linear"
    }
}

/// `bottleneck rate` for `topology.bottleneck.rate`, `tcp count` for `flows.tcp.count`.
fn label(parts: &[String]) -> String {
    let said = match parts {
        [first, rest @ ..] if IMPLIED.contains(&first.as_str()) && !rest.is_empty() => rest,
        all => all,
    };
    said.join(" ").replace('_', " ")
}

/// What a label need not say.
const IMPLIED: [&str; 3] = ["topology", "flows", "links"];
/// Whole numbers below this are exact as floating-point numbers: 2⁵³.
const WHOLE: f64 = 9_007_199_254_740_992.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn column_of(key: &str, values: &[&str]) -> AxisColumn {
        let texts: Vec<_> = values.iter().map(|text| (*text).to_owned()).collect();
        column(key, &texts)
    }

    #[test]
    fn quantities_become_numbers_in_base_units() {
        let rate = column_of(
            "topology.bottleneck.rate",
            &["\"0.5 Mbps\"", "\"1 Mbps\"", "\"2 Mbps\""],
        );
        assert_eq!(
            (rate.column.as_str(), rate.kind.as_str(), rate.unit.as_str()),
            ("topology.bottleneck.rate_bps", "float64", "bps")
        );
        assert_eq!(rate.values, [json!(500_000.0), json!(1e6), json!(2e6)]);
        assert_eq!(rate.shown, ["0.5 Mbps", "1 Mbps", "2 Mbps"]);
        assert_eq!(rate.label, "bottleneck rate");
        assert_eq!(rate.scale, "logarithmic");

        let warmup = column_of("warmup", &["\"20 ms\"", "\"1 s\""]);
        assert_eq!(
            (warmup.column.as_str(), &warmup.values[..]),
            ("warmup_s", &[json!(0.02), json!(1.0)][..])
        );
    }

    #[test]
    fn whole_numbers_and_packets_are_integers() {
        let count = column_of("flows.\"my tcp\".count", &["10", "20", "30"]);
        assert_eq!(count.column, "flows.my tcp.count");
        assert_eq!(
            (count.kind.as_str(), count.scale.as_str()),
            ("int64", "linear")
        );
        assert_eq!(count.values, [json!(10), json!(20), json!(30)]);
        let limit = column_of("topology.bottleneck.queue.limit", &["\"5 packets\""]);
        assert_eq!(
            (limit.column.as_str(), limit.kind.as_str()),
            ("topology.bottleneck.queue.limit_packets", "int64")
        );
    }

    #[test]
    fn what_is_mixed_or_no_number_is_text() {
        let limit = column_of(
            "topology.bottleneck.queue.limit",
            &["\"5 packets\"", "\"1 BDP\""],
        );
        assert_eq!(limit.kind, "text");
        assert_eq!(limit.values, [json!("5 packets"), json!("1 BDP")]);
        let controller = column_of(
            "flows.tcp.controller",
            &["\"reno\"", "{ name = \"gaimd\", beta = 0.875 }"],
        );
        assert_eq!(controller.values, [json!("reno"), json!("gaimd β 0.875")]);
        assert_eq!(controller.scale, "");
        let mixed = column_of("x", &["1", "0.5"]);
        assert_eq!(
            (mixed.kind.as_str(), &mixed.values[0]),
            ("float64", &json!(1.0))
        );
    }
}
