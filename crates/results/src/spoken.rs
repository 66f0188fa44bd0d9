//! Values of scenario files in the words of people: `gaimd β 0.875` instead of
//! `{ name = "gaimd", beta = 0.875 }`.

use toml::de::{DeTable, DeValue};

/// A value, written as in a scenario file, in words; as it is where it is no value.
pub fn spoken(text: &str) -> String {
    DeValue::parse(text).map_or_else(|_| text.to_owned(), |value| said(value.get_ref()))
}

/// The same for a value that has been read.
pub(crate) fn said(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(flag) => if *flag { "on" } else { "off" }.to_owned(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(values) => {
            let values: Vec<String> = values.iter().map(|value| said(value.get_ref())).collect();
            values.join(", ")
        }
        DeValue::Table(table) => table_said(table),
    }
}

fn table_said(table: &DeTable<'_>) -> String {
    let pairs: Vec<(&str, &DeValue<'_>)> = table
        .iter()
        .map(|(key, value)| (key.get_ref().as_ref(), value.get_ref()))
        .collect();
    match &pairs[..] {
        [("uniform", DeValue::Array(ends))] if ends.len() == 2 => {
            return format!("{} to {}", said(ends[0].get_ref()), said(ends[1].get_ref()));
        }
        [("exponential", mean)] => return format!("mean {}", said(mean)),
        _ => {}
    }
    let is_name = |key: &str| matches!(key, "name" | "kind");
    let name = pairs.iter().filter(|(key, _)| is_name(key));
    let rest = pairs.iter().filter(|(key, _)| !is_name(key));
    let name = name.map(|(_, value)| said(value));
    let rest = rest.map(|(key, value)| format!("{} {}", letter(key), said(value)));
    name.chain(rest).collect::<Vec<_>>().join(" ")
}

/// A key as people say it.
pub(crate) fn letter(key: &str) -> String {
    let greek = [
        ("alpha", "α"),
        ("beta", "β"),
        ("gamma", "γ"),
        ("delta", "δ"),
        ("kappa", "κ"),
        ("lambda", "λ"),
    ];
    let known = greek.iter().find(|(name, _)| *name == key);
    known.map_or_else(|| key.replace('_', " "), |(_, letter)| (*letter).to_owned())
}

#[cfg(test)]
mod tests {
    use super::spoken;

    #[test]
    fn values_are_said_as_people_say_them() {
        for (text, said) in [
            ("\"2 Mbps\"", "2 Mbps"),
            ("0.25", "0.25"),
            ("true", "on"),
            (
                "{ name = \"gaimd\", alpha = 0.31, beta = 0.875 }",
                "gaimd α 0.31 β 0.875",
            ),
            (
                "{ kind = \"drop-tail\", limit = \"1 BDP\" }",
                "drop-tail limit 1 BDP",
            ),
            ("{ uniform = [\"1 ms\", \"5 ms\"] }", "1 ms to 5 ms"),
            ("{ exponential = \"1 s\" }", "mean 1 s"),
            ("reno", "reno"),
        ] {
            assert_eq!(spoken(text), said);
        }
    }
}
