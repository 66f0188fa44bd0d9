//! Numbers as text, by significant digits.

/// `value` with `digits` significant digits, at least 1: `12 346`, `0.0520`, `3.20×10⁻⁷`.
///
/// Whole numbers below 10¹² are counts and keep all their digits; a whole part longer than
/// `digits` keeps its digits too. What is not a number is a dash.
pub fn significant(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "–".to_owned();
    }
    let sign = if value < 0.0 { "−" } else { "" };
    let size = value.abs();
    if size.is_infinite() {
        return format!("{sign}∞");
    }
    if size < 1e12 && size.fract() == 0.0 {
        return format!("{sign}{}", grouped(&format!("{size}")));
    }
    // Rounded first, so that 9.9996 with four digits counts as 10.00.
    let scientific = format!("{size:.*e}", digits.max(1) - 1);
    let (mantissa, exponent) = scientific
        .split_once('e')
        .expect("`e` format has an exponent");
    let exponent: i32 = exponent
        .parse()
        .expect("`e` format has an integer exponent");
    if !(-4..9).contains(&exponent) {
        return format!("{sign}{mantissa}×10{}", superscript(exponent));
    }
    let shift = exponent.unsigned_abs() as usize;
    let decimals = match digits.max(1) - 1 {
        after_first if exponent < 0 => after_first + shift,
        after_first => after_first.saturating_sub(shift),
    };
    format!("{sign}{}", grouped(&format!("{size:.decimals$}")))
}

/// Narrow spaces between groups of three in a whole part of five or more digits.
fn grouped(number: &str) -> String {
    let whole = number.find('.').unwrap_or(number.len());
    if whole < 5 {
        return number.to_owned();
    }
    let mut out = String::with_capacity(number.len() + 8);
    for (i, digit) in number.char_indices() {
        if i > 0 && i < whole && (whole - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

fn superscript(exponent: i32) -> String {
    let raised = |digit| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    };
    exponent.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::significant;

    #[test]
    fn digits_are_counted_from_the_first_that_is_not_zero() {
        assert_eq!(significant(0.051_96, 3), "0.0520");
        assert_eq!(significant(1.25, 4), "1.250");
        assert_eq!(significant(123.456, 4), "123.5");
        assert_eq!(significant(9.999_96, 4), "10.00");
        assert_eq!(significant(-0.5, 2), "−0.50");
    }

    #[test]
    fn counts_and_long_whole_parts_keep_all_digits() {
        assert_eq!(significant(0.0, 4), "0");
        assert_eq!(significant(-0.0, 4), "0");
        assert_eq!(significant(1234.0, 2), "1234");
        assert_eq!(significant(1_234_567.0, 3), "1\u{202f}234\u{202f}567");
        assert_eq!(significant(98_765.4, 3), "98\u{202f}765");
    }

    #[test]
    fn very_large_and_very_small_numbers_have_an_exponent() {
        assert_eq!(significant(3.2e-7, 3), "3.20×10⁻⁷");
        assert_eq!(significant(2.5e12, 2), "2.5×10¹²");
        assert_eq!(significant(1.5e-4, 2), "0.00015");
    }

    #[test]
    fn what_is_no_number_says_so() {
        assert_eq!(significant(f64::NAN, 4), "–");
        assert_eq!(significant(f64::NEG_INFINITY, 4), "−∞");
    }
}
