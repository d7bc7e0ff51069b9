//! Numbers as the person saw them: never the noise of a binary fraction, never fewer digits than were typed.

use std::fmt::Write as _;

use rust_decimal::Decimal;

use crate::sheet::row::CellKind;

/// How a number format writes numbers, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum NumberStyle {
    /// As many digits as the number has.
    #[default]
    Plain,
    /// `000000`: leading zeros up to this many digits.
    Zeros(usize),
    /// `0.00`: at least this many decimals.
    Decimals(usize),
    /// `0.0%`: times a hundred, at least this many decimals.
    Percent(usize),
    /// `$0.00`: an amount in a currency that is not the rupee, with its sign and at least this many decimals.
    Money(&'static str, usize),
}

impl NumberStyle {
    /// Reads a format code such as `₹ #,##0.00` or `000000`.
    pub(super) fn of(format_code: &str) -> Self {
        let code = placeholders(format_code);
        let decimals = code.split_once('.').map_or(0, |(_, after)| after.chars().take_while(|c| *c == '0').count());
        if code.contains(['E', 'e', '/', '@']) || !code.contains(['0', '#', '?']) {
            Self::Plain
        } else if code.contains('%') {
            Self::Percent(decimals)
        } else if code.len() >= 2 && code.bytes().all(|byte| byte == b'0') {
            Self::Zeros(code.len())
        } else if let Some(sign) = foreign_sign(format_code) {
            Self::Money(sign, decimals)
        } else if decimals > 0 {
            Self::Decimals(decimals)
        } else {
            Self::Plain
        }
    }
}

/// Signs of money that a format shows. The rupee's is left out: it says nothing that is not expected.
const SIGNS: &[(&str, &[&str])] =
    &[("$", &["$", "US$", "USD"]), ("€", &["€", "EUR"]), ("£", &["£", "GBP"]), ("¥", &["¥", "JPY", "CNY"])];

/// The sign that the format for positive numbers shows beside them: `[$€-407]`, `"£"`, `$`.
fn foreign_sign(format_code: &str) -> Option<&'static str> {
    let mut texts: Vec<String> = Vec::new();
    let mut characters = format_code.chars();
    while let Some(character) = characters.next() {
        match character {
            ';' => break,
            '"' => texts.push(characters.by_ref().take_while(|c| *c != '"').collect()),
            '[' => {
                let inside: String = characters.by_ref().take_while(|c| *c != ']').collect();
                // `[$-409]` names a language alone.
                let sign = inside.strip_prefix('$').map(|rest| rest.split('-').next().unwrap_or_default().to_owned());
                texts.extend(sign);
            }
            '_' | '*' => drop(characters.next()),
            '\\' => texts.extend(characters.next().map(String::from)),
            '$' | '€' | '£' | '¥' => texts.push(character.to_string()),
            _ => {}
        }
    }
    let shown = |words: &[&str]| texts.iter().any(|text| words.contains(&text.trim()));
    SIGNS.iter().find(|(_, words)| shown(words)).map(|(sign, _)| *sign)
}

/// The placeholders of the format for positive numbers, without texts, colours, currencies and fillers.
fn placeholders(format_code: &str) -> String {
    let mut kept = String::new();
    let mut characters = format_code.chars();
    while let Some(character) = characters.next() {
        match character {
            ';' => break,
            '"' => drop(characters.by_ref().find(|c| *c == '"')),
            '[' => drop(characters.by_ref().find(|c| *c == ']')),
            '\\' | '_' | '*' => drop(characters.next()),
            '0' | '#' | '?' | '.' | '%' | 'E' | 'e' | '/' | '@' => kept.push(character),
            _ => {}
        }
    }
    kept
}

/// Writes a number and says whether the sheet kept all its digits.
pub(super) fn write(out: &mut String, number: f64, style: NumberStyle) -> CellKind {
    // Spreadsheets keep 15 digits: a longer whole number is not what was typed.
    if !number.is_finite() || number.abs() >= 1e15 {
        let _ = write!(out, "{number}");
        return CellKind::LossyNumber;
    }
    let scaled = if matches!(style, NumberStyle::Percent(_)) { 2 } else { 0 };
    let start = out.len();
    let Some(decimal) = fifteen_digits(number, scaled) else {
        // Too small for an exact decimal: a length of 1e-30 means nothing, but must not be read as something else.
        let _ = write!(out, "{number}");
        return CellKind::LossyNumber;
    };
    let _ = write!(out, "{decimal}");
    match style {
        NumberStyle::Plain => {}
        NumberStyle::Zeros(width) => pad_zeros(out, start, width),
        NumberStyle::Decimals(decimals) => pad_decimals(out, start, decimals),
        NumberStyle::Money(sign, decimals) => {
            pad_decimals(out, start, decimals);
            out.insert_str(start, sign);
        }
        NumberStyle::Percent(decimals) => {
            pad_decimals(out, start, decimals);
            out.push('%');
        }
    }
    CellKind::Number
}

/// The decimal of 15 significant digits, as spreadsheets show it, times ten to the power of `shift`.
fn fifteen_digits(number: f64, shift: i32) -> Option<Decimal> {
    let scientific = format!("{number:.14e}");
    let (mantissa, exponent) = scientific.split_once('e')?;
    let exponent = exponent.parse::<i32>().ok()? + shift;
    if number == 0.0 {
        return Some(Decimal::ZERO);
    }
    (exponent > -14).then(|| Decimal::from_scientific(&format!("{mantissa}e{exponent}")).ok())?.map(|d| d.normalize())
}

fn pad_zeros(out: &mut String, start: usize, width: usize) {
    let digits = &out[start..];
    // Excel rounds to the format; digits that it hides are better seen.
    if digits.len() < width && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        out.insert_str(start, &"0".repeat(width - digits.len()));
    }
}

fn pad_decimals(out: &mut String, start: usize, decimals: usize) {
    let present = out[start..].split_once('.').map_or(0, |(_, after)| after.len());
    if present == 0 && decimals > 0 {
        out.push('.');
    }
    for _ in present..decimals {
        out.push('0');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_see_them() {
        let cases: [(f64, &str, &str); 33] = [
            (42.0, "General", "42"),
            (0.300_000_000_000_000_04, "General", "0.3"),
            (1_234.560_000_000_000_2, "General", "1234.56"),
            (434.999_999_999_999_94, "General", "435"),
            (1_234.0, "000000", "001234"),
            (1_234_567.0, "000000", "1234567"),
            (12.5, "000000", "12.5"),
            (7.0, "0", "7"),
            (499.0, "0.00", "499.00"),
            (499.9, "#,##0.00", "499.90"),
            (499.987, "0.00", "499.987"),
            (1_499.0, "\"₹\" #,##0.00", "1499.00"),
            (1_499.0, "[$₹-4009] #,##0.00;[Red]-0", "1499.00"),
            (5.0, "_(* #,##0.00_);_(* (#,##0.00)", "5.00"),
            (0.18, "0%", "18%"),
            (0.125, "0.00%", "12.50%"),
            (0.07, "0%", "7%"),
            (-3.5, "General", "-3.5"),
            (-0.0, "General", "0"),
            (9_876_543_210.0, "0.00E+00", "9876543210"),
            (0.000_001, "General", "0.000001"),
            (999_999_999_999_999.0, "General", "999999999999999"),
            (110_001.0, "@", "110001"),
            (5.0, "\"00\"0", "5"),
            (499.9, "$#,##0.00", "$499.90"),
            (499.9, "[$€-407] #,##0.00", "€499.90"),
            (499.9, "_($* #,##0.00_)", "$499.90"),
            (499.9, "\"£\"#,##0", "£499.9"),
            (499.9, "\\$0.00", "$499.90"),
            (499.9, "[$-409]#,##0.00", "499.90"),
            (499.9, "[$₹-4009] 0.00;[Red]-[$$-409]0.00", "499.90"),
            (499.9, "\"Rs.\" 0.00", "499.90"),
            (0.18, "$0%", "18%"),
        ];
        for (number, format, expected) in cases {
            let mut out = String::new();
            let kind = write(&mut out, number, NumberStyle::of(format));
            assert_eq!((out.as_str(), kind), (expected, CellKind::Number), "{number} as {format}");
        }
    }

    #[test]
    fn digits_that_are_lost() {
        for number in [123_456_789_012_345_678.0, 1e15, f64::NAN, f64::INFINITY, 1e300, 1e-40] {
            assert_eq!(write(&mut String::new(), number, NumberStyle::Plain), CellKind::LossyNumber, "{number}");
        }
    }
}
