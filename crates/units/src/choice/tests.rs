//! What kinds accept, and how values are written.

use super::*;
use crate::{Bytes, Distribution, Duration, Packets};

fn accepts(kind: Kind, given: &Given, expected: Option<Value>) {
    let found = kind.accept(given).ok();
    assert_eq!(found, expected.map(Setting::Value), "{kind}: {given}");
}

fn text(text: &str) -> Given {
    Given::Text(text.to_owned())
}

#[test]
fn bounds_are_included_and_types_are_not_mixed() {
    let kind = Kind::Integer { min: 1, max: 3 };
    for (given, expected) in [(0, None), (1, Some(1)), (3, Some(3)), (4, None), (-1, None)] {
        accepts(kind, &Given::Integer(given), expected.map(Value::Integer));
    }
    accepts(kind, &Given::Number(2.0), Some(Value::Integer(2)));
    accepts(kind, &Given::Number(2.5), None);
    accepts(kind, &text("2"), None);
    // A real number holds whole ones exactly up to 2^53 only.
    let any = Kind::Integer {
        min: 0,
        max: u64::MAX,
    };
    accepts(any, &Given::Number(1e18), None);
    accepts(
        any,
        &Given::Integer(i64::MAX),
        Some(Value::Integer(i64::MAX as u64)),
    );
    accepts(Kind::Share, &Given::Number(0.0), None);
    accepts(Kind::Share, &Given::Number(1.0), Some(Value::Number(1.0)));
    accepts(PROBABILITY, &Given::Number(f64::NAN), None);
    accepts(Kind::Flag, &text("true"), None);
}

#[test]
fn quantities_are_told_apart_by_their_units() {
    let limit = |given| accepts_limit(given);
    assert_eq!(limit("5 packets"), Some(Limit::Packets(5)));
    assert_eq!(limit("64 kB"), Some(Limit::Bytes(Bytes(64_000))));
    assert_eq!(limit("0.5 BDP"), Some(Limit::Bdp(0.5)));
    assert_eq!(limit("0 packets"), None);
    assert_eq!(limit("1e3 BDP"), None);
    accepts(
        Kind::Average,
        &text("2.5 packets"),
        Some(Value::Average(2.5)),
    );
    accepts(Kind::Percent, &text("101 %"), None);
    accepts(
        Kind::Window,
        &text("2 kB"),
        Some(Value::Bytes(Bytes(2_000))),
    );
    let zero = Kind::DurationOverZero.accept(&text("0 s"));
    assert_eq!(zero, Err(Refusal::Kind));
    let unit = Kind::Duration.accept(&text("5 parsecs")).unwrap_err();
    assert!(matches!(unit, Refusal::Quantity(_)));
}

fn accepts_limit(given: &str) -> Option<Limit> {
    match Kind::Limit.accept(&text(given)) {
        Ok(Setting::Value(Value::Limit(limit))) => Some(limit),
        _ => None,
    }
}

const AUTO: &[Word] = &[Word::new("auto", "By itself.", "")];
const PARAMETERS: &[Parameter] = &[
    Parameter::new("size", Kind::Packets, Value::Packets(Packets(7)), "Size."),
    Parameter::new("must", Kind::Flag, Value::Required, "Must be given."),
    Parameter::new(
        "share",
        Kind::Or(&Kind::Share, AUTO),
        Value::Choice("auto"),
        "Share.",
    ),
    Parameter::new(
        "maybe",
        Kind::Duration,
        Value::Otherwise("never"),
        "May be left out.",
    ),
];

#[test]
fn what_is_given_takes_the_place_of_the_default() {
    let given = [("share".to_owned(), Given::Number(0.25))].into();
    let parameters = Parameters::resolve(PARAMETERS, &given).unwrap();
    assert_eq!(parameters.integer("size"), Some(7));
    assert_eq!(parameters.number("share"), Some(0.25));
    assert!(!parameters.has("maybe") && !parameters.has("must"));
    assert_eq!(
        parameters.to_string(),
        "{ size = \"7 packets\", share = 0.25 }"
    );
    let unknown = [("sise".to_owned(), Given::Flag(true))].into();
    let error = Parameters::resolve(PARAMETERS, &unknown).unwrap_err();
    assert_eq!(
        error,
        Unresolved::Unknown {
            name: "sise".to_owned()
        }
    );
}

#[test]
fn values_are_written_as_they_are_read() {
    let mut parameters = Parameters::defaults(PARAMETERS);
    let law = Distribution::Uniform {
        low: Duration::from_millis(1),
        high: Duration::from_millis(2),
    };
    parameters.set("maybe", Setting::Distribution(law));
    parameters.set(
        "more",
        Setting::List(vec![Value::Number(1e16).into(), Value::Integer(3).into()]),
    );
    parameters.set("text", Setting::Text("a \"b\"\u{7}".to_owned()));
    assert_eq!(
        parameters.to_string(),
        "{ size = \"7 packets\", share = \"auto\", maybe = { uniform = [\"1 ms\", \"2 ms\"] }, \
         more = [1e16, 3], text = \"a \\\"b\\\"\\u0007\" }"
    );
}
