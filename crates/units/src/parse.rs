//! Quantities as text: a decimal number, a blank, a unit.

use std::fmt;

/// One unit of a quantity: its name and how many base units it holds.
pub(crate) struct Unit {
    name: &'static str,
    size: u64,
    /// Whether the unit is used when printing.
    prints: bool,
}

impl Unit {
    pub(crate) const fn new(name: &'static str, size: u64) -> Self {
        Self {
            name,
            size,
            prints: true,
        }
    }

    /// A unit that is read but never printed.
    pub(crate) const fn alias(name: &'static str, size: u64) -> Self {
        Self {
            name,
            size,
            prints: false,
        }
    }
}

/// Why a text is not a quantity. Prints the offending text and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseQuantityError {
    text: String,
    expected: &'static str,
    reason: Reason,
    units: Vec<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Reason {
    NotANumber,
    Negative,
    Exponent,
    NoUnit,
    UnknownUnit,
    TooFine,
    TooLarge,
}

impl ParseQuantityError {
    /// The names of the units that are allowed, usual ones first.
    pub fn allowed_units(&self) -> &[&'static str] {
        &self.units
    }
}

impl fmt::Display for ParseQuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            text,
            expected,
            reason,
            units,
        } = self;
        let units = units.join(", ");
        match reason {
            Reason::NotANumber => write!(
                f,
                "\"{text}\" is not {expected}: it takes a number, a blank and a unit ({units})"
            ),
            Reason::Negative => write!(f, "\"{text}\" is negative; {expected} is zero or more"),
            Reason::Exponent => write!(
                f,
                "\"{text}\" has an exponent; {expected} takes a plain number and a unit ({units})"
            ),
            Reason::NoUnit => {
                write!(
                    f,
                    "\"{text}\" has no unit; {expected} takes one of: {units}"
                )
            }
            Reason::UnknownUnit => {
                write!(
                    f,
                    "\"{text}\" has an unknown unit; {expected} takes one of: {units}"
                )
            }
            Reason::TooFine => {
                write!(
                    f,
                    "\"{text}\" is finer than the smallest unit of {expected}"
                )
            }
            Reason::TooLarge => write!(f, "\"{text}\" is too large for {expected}"),
        }
    }
}

impl std::error::Error for ParseQuantityError {}

/// Reads `text` as a number of base units.
pub(crate) fn read(
    text: &str,
    expected: &'static str,
    units: &[Unit],
) -> Result<u64, ParseQuantityError> {
    let fail = |reason| ParseQuantityError {
        text: text.to_owned(),
        expected,
        reason,
        units: units.iter().map(|unit| unit.name).collect(),
    };
    let trimmed = text.trim();
    let body = trimmed.strip_prefix('+').unwrap_or(trimmed);
    if let Some(rest) = body.strip_prefix('-')
        && rest.starts_with(|c: char| c.is_ascii_digit() || c == '.')
    {
        return Err(fail(Reason::Negative));
    }
    let number_end = body
        .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_'))
        .unwrap_or(body.len());
    let (number, name) = (&body[..number_end], body[number_end..].trim());
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if fraction.contains('.') || !number.contains(|c: char| c.is_ascii_digit()) {
        return Err(fail(Reason::NotANumber));
    }
    if name.is_empty() {
        return Err(fail(Reason::NoUnit));
    }
    if let Some(exponent) = name.strip_prefix(['e', 'E'])
        && exponent.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+')
    {
        return Err(fail(Reason::Exponent));
    }
    let unit = units
        .iter()
        .find(|unit| unit.name == name)
        .ok_or_else(|| fail(Reason::UnknownUnit))?;
    // Digit by digit, exactly: whole part and fraction as one integer over a power of ten.
    let mut digits: u128 = 0;
    for c in whole
        .chars()
        .chain(fraction.chars())
        .filter(char::is_ascii_digit)
    {
        digits = digits
            .checked_mul(10)
            .and_then(|d| d.checked_add(u128::from(c as u8 - b'0')))
            .ok_or_else(|| fail(Reason::TooLarge))?;
    }
    let decimals = fraction.chars().filter(char::is_ascii_digit).count() as u32;
    let scale = 10_u128
        .checked_pow(decimals)
        .ok_or_else(|| fail(Reason::TooFine))?;
    let scaled = digits
        .checked_mul(u128::from(unit.size))
        .ok_or_else(|| fail(Reason::TooLarge))?;
    if scaled % scale != 0 {
        return Err(fail(Reason::TooFine));
    }
    u64::try_from(scaled / scale).map_err(|_| fail(Reason::TooLarge))
}

/// Writes `value` base units in the largest unit that needs at most three decimals, else in the
/// largest that is exact.
pub(crate) fn write(f: &mut fmt::Formatter<'_>, value: u64, units: &[Unit]) -> fmt::Result {
    let printing = || units.iter().filter(|unit| unit.prints);
    let short = |unit: &&Unit| {
        value >= unit.size && (u128::from(value) * 1_000).is_multiple_of(u128::from(unit.size))
    };
    let unit = if value == 0 {
        printing().next()
    } else {
        printing().find(short)
    }
    .or_else(|| printing().find(|unit| value >= unit.size))
    .unwrap_or(&units[0]);
    let (whole, rest) = (value / unit.size, value % unit.size);
    if rest == 0 {
        return write!(f, "{whole} {}", unit.name);
    }
    // All printing units are powers of ten of each other, so the fraction is finite.
    let width = unit.size.ilog10() as usize;
    let fraction = format!("{rest:0width$}");
    write!(
        f,
        "{whole}.{} {}",
        fraction.trim_end_matches('0'),
        unit.name
    )
}
