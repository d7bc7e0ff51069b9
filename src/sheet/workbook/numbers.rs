//! Numbers as the person saw them: never the noise of a binary fraction, never fewer digits than were typed.

use std::fmt::Write as _;

use crate::sheet::cell::{CellKind, PARTS};
use crate::text::Decimal;

use super::digits::{fifteen_digits, rounded};

/// How a number format writes numbers, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum NumberStyle {
    /// As many digits as the number has.
    #[default]
    Plain,
    /// `000000`: leading zeros up to this many digits.
    Zeros(usize),
    /// `0.00`: so many decimals at least and at most.
    Decimals(usize, usize),
    /// `0.0%`: times a hundred, at least this many decimals.
    Percent(usize),
    /// `$0.00`: an amount in a currency that is not the rupee, with its sign and its decimals at least and at most.
    Money(&'static str, usize, usize),
    /// `0 "g"`: a weight or a length with its unit behind it, and its decimals at least and at most.
    Measured(&'static str, usize, usize),
    /// `"ORD-"0000` or `000-000`: a whole number in a frame of characters, which make it the number that people know.
    Framed(Vec<Piece>),
}

/// A part of a framed number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    /// A digit, 0 where there is none.
    Zero,
    /// A digit, or nothing.
    Digit,
    /// A character that stands there.
    Shown(char),
}

impl NumberStyle {
    /// Reads a format code such as `₹ #,##0.00` or `000000`.
    pub(super) fn of(format_code: &str) -> Self {
        let (code, shown) = pieces(format_code);
        let (decimals, most) = code.split_once('.').map_or((0, 0), |(_, after)| {
            (after.chars().take_while(|c| *c == '0').count(), after.chars().filter(|c| *c != '%').count())
        });
        // `0,` shows thousands: what it hides is no fraction.
        let is_scaled = format_code.split(';').next().is_some_and(scales);
        if code.contains(['E', 'e', '/', '@']) || !code.contains(['0', '#', '?']) {
            Self::Plain
        } else if code.contains('%') {
            Self::Percent(decimals)
        } else if is_frame(&code, &shown) {
            Self::Framed(shown)
        } else if code.len() >= 2 && code.bytes().all(|byte| byte == b'0') {
            Self::Zeros(code.len())
        } else if let Some(sign) = foreign_sign(format_code) {
            Self::Money(sign, decimals, if is_scaled { DECIMALS_ALL } else { most })
        } else if is_scaled {
            Self::Plain
        } else if let Some(unit) = unit_behind(&shown) {
            Self::Measured(unit, decimals, most)
        } else {
            Self::Decimals(decimals, most)
        }
    }

    /// A format that comes with every workbook, by its number.
    pub(super) const fn built_in(number: u16) -> Self {
        match number {
            1 | 3 | 5 | 6 | 37 | 38 | 41 | 42 => Self::Decimals(0, 0),
            2 | 4 | 7 | 8 | 39 | 40 | 43 | 44 => Self::Decimals(2, 2),
            9 => Self::Percent(0),
            10 => Self::Percent(2),
            _ => Self::Plain,
        }
    }

    /// The format of an amount in a currency, by its code and the text that is shown of it.
    pub(super) fn of_currency(code: &str, number: f64, shown: &str) -> Option<Self> {
        let sign = SIGNS.iter().find(|(_, words)| words.contains(&code)).map(|(sign, _)| *sign)?;
        let decimals = decimals_shown(number, &digits_of(shown));
        Some(decimals.map_or(Self::Money(sign, 0, DECIMALS_ALL), |decimals| Self::Money(sign, decimals, decimals)))
    }

    /// The format behind a number and the text that is shown of it.
    pub(super) fn behind(number: f64, shown: &str) -> Self {
        let shown = shown.trim();
        let is_plain = shown.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let plain = shown.split_once('.').filter(|_| is_plain && shown.parse::<f64>().ok() == Some(number));
        if let Some((_, decimals)) = plain {
            return Self::Decimals(decimals.len(), decimals.len());
        }
        let digits = digits_of(shown);
        let rounded = decimals_shown(number, &digits).filter(|_| number.fract() != 0.0 && !shown.contains('%'));
        if let Some(decimals) = rounded {
            return Self::Decimals(decimals, decimals);
        }
        if number < 0.0 || digits.len() > 15 || digits.parse::<f64>().ok() != Some(number) {
            return Self::Plain;
        }
        let piece = |c: char| if c.is_ascii_digit() { Piece::Zero } else { Piece::Shown(c) };
        let pieces: Vec<Piece> = shown.chars().map(piece).collect();
        let code = "0".repeat(digits.len());
        match () {
            () if shown.contains(['.', ',', '%']) => Self::Plain,
            () if is_frame(&code, &pieces) => Self::Framed(pieces),
            () if digits.len() >= 2 && digits.len() == shown.len() => Self::Zeros(digits.len()),
            () => Self::Plain,
        }
    }
}

/// More decimals than any number has.
const DECIMALS_ALL: usize = 28;

/// Whether commas behind the last placeholder divide what is shown by a thousand.
fn scales(format_code: &str) -> bool {
    let placeholder = |c: char| matches!(c, '0' | '#' | '?');
    format_code.rfind(placeholder).is_some_and(|last| format_code[last + 1..].starts_with(','))
}

fn digits_of(shown: &str) -> String {
    shown.chars().filter(char::is_ascii_digit).collect()
}

/// To how many decimals a number is rounded where these are the digits that are shown of it.
fn decimals_shown(number: f64, digits: &str) -> Option<usize> {
    const DECIMALS_MAX: u32 = 6;
    let exact = fifteen_digits(number.abs(), 0).filter(|_| !digits.is_empty())?;
    let shows = |decimals: &u32| {
        let mut shown = rounded(exact, *decimals);
        shown.rescale(*decimals);
        shown.to_string().bytes().filter(u8::is_ascii_digit).eq(digits.bytes())
    };
    (0..=DECIMALS_MAX).find(shows).map(|decimals| decimals as usize)
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

/// The unit that a format shows behind a number.
fn unit_behind(shown: &[Piece]) -> Option<&'static str> {
    const UNITS: [&str; 9] = ["g", "gm", "gms", "kg", "kgs", "cm", "mm", "lb", "oz"];
    let last = shown.iter().rposition(|piece| !matches!(piece, Piece::Shown(_)))?;
    let character = |piece: &Piece| if let Piece::Shown(c) = piece { Some(*c) } else { None };
    let behind: String = shown[last + 1..].iter().filter_map(character).collect();
    UNITS.into_iter().find(|unit| unit.eq_ignore_ascii_case(behind.trim().trim_end_matches('.')))
}

/// The placeholders of the format for positive numbers; and the format with what is shown beside them, without colours,
/// conditions, currencies in brackets and fillers.
fn pieces(format_code: &str) -> (String, Vec<Piece>) {
    let mut kept = String::new();
    let mut shown = Vec::new();
    let mut thousands = false;
    let mut characters = format_code.chars();
    while let Some(character) = characters.next() {
        match character {
            ';' => break,
            '"' => shown.extend(characters.by_ref().take_while(|c| *c != '"').map(Piece::Shown)),
            '[' => drop(characters.by_ref().find(|c| *c == ']')),
            '\\' => shown.extend(characters.next().map(Piece::Shown)),
            '_' | '*' => drop(characters.next()),
            '0' | '#' | '?' | '.' | '%' | 'E' | 'e' | '/' | '@' => {
                kept.push(character);
                shown.push(if character == '0' { Piece::Zero } else { Piece::Digit });
            }
            ',' => thousands = true,
            other => shown.push(Piece::Shown(other)),
        }
    }
    let has_conditions = format_code.starts_with('[') && format_code.contains(['<', '>', '=']);
    if thousands || has_conditions {
        shown.clear();
    }
    (kept, shown)
}

/// Whether characters make another number of a whole one: signs that join, or words before forced zeros; and neither
/// units, nor currencies, nor a minus.
fn is_frame(code: &str, shown: &[Piece]) -> bool {
    if !code.bytes().all(|byte| matches!(byte, b'0' | b'#' | b'?')) || !code.contains('0') {
        return false;
    }
    let character = |piece: &Piece| if let Piece::Shown(c) = piece { Some(*c) } else { None };
    let digits = |piece: &Piece| character(piece).is_none();
    let first = shown.iter().position(digits).unwrap_or(0);
    let last = shown.iter().rposition(digits).unwrap_or(0);
    let text = |pieces: &[Piece]| pieces.iter().filter_map(character).collect::<String>().trim().to_owned();
    let (before, within) = (text(&shown[..first]), text(&shown[first..last]));
    let is_money = before.contains(['₹', '$', '€', '£', '¥', '.']) || ["Rs", "INR"].contains(&before.as_str());
    let join = ['-', '/', '#', '_', '–'];
    let joins = within.contains(join) || (before.contains(join) && before != "-");
    let words = code.bytes().filter(|byte| *byte == b'0').count() >= 2 && before.contains(char::is_alphanumeric);
    !is_money && (joins || words)
}

/// Writes a number and says whether the sheet kept all its digits.
pub(super) fn write(out: &mut String, number: f64, style: &NumberStyle) -> CellKind {
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
    let most = match style {
        NumberStyle::Decimals(_, most) | NumberStyle::Money(_, _, most) | NumberStyle::Measured(_, _, most) => *most,
        _ => DECIMALS_ALL,
    };
    // Fields of numbers take the number, and codes are as they are shown.
    let hidden = u32::try_from(most).ok().filter(|most| decimal.scale() > *most);
    let Some(most) = hidden else { return shown(out, (start, decimal), style) };
    shown(out, (start, rounded(decimal, most)), style);
    for decimals in [AMOUNT_DECIMALS, NUMBER_DECIMALS] {
        out.push(PARTS);
        let start = out.len();
        shown(out, (start, rounded(decimal, decimals.max(most))), style);
    }
    CellKind::Rounded
}

/// Decimals of an amount, and of any other number: a hundredth of a paisa, or of a gram, is nobody's meaning.
const AMOUNT_DECIMALS: u32 = 2;
const NUMBER_DECIMALS: u32 = 4;

/// Writes a number from `start` on as its format shows it.
fn shown(out: &mut String, (start, decimal): (usize, Decimal), style: &NumberStyle) -> CellKind {
    let _ = write!(out, "{}", decimal.normalize());
    match style {
        NumberStyle::Plain => {}
        NumberStyle::Zeros(width) => pad_zeros(out, start, *width),
        NumberStyle::Decimals(decimals, _) => pad_decimals(out, start, *decimals),
        NumberStyle::Money(sign, decimals, _) => {
            pad_decimals(out, start, *decimals);
            out.insert_str(start, sign);
        }
        NumberStyle::Measured(unit, decimals, _) => {
            pad_decimals(out, start, *decimals);
            out.extend([" ", unit]);
            return CellKind::Text;
        }
        NumberStyle::Percent(decimals) => {
            pad_decimals(out, start, *decimals);
            out.push('%');
        }
        NumberStyle::Framed(pieces) => {
            if frame(out, start, pieces) {
                return CellKind::Text;
            }
        }
    }
    CellKind::Number
}

/// Puts the digits of a whole number into their places, from the last one on; what is left over stands before the first.
fn frame(out: &mut String, start: usize, pieces: &[Piece]) -> bool {
    let digits = out.split_off(start);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        out.push_str(&digits);
        return false;
    }
    let mut rest = if digits == "0" { "" } else { &digits };
    let mut places = pieces.iter().filter(|piece| !matches!(piece, Piece::Shown(_))).count();
    let mut reversed: Vec<char> = Vec::new();
    for piece in pieces.iter().rev() {
        let take = match piece {
            Piece::Shown(character) => {
                reversed.push(*character);
                continue;
            }
            Piece::Zero | Piece::Digit => {
                places -= 1;
                if places == 0 { rest.len() } else { rest.len().min(1) }
            }
        };
        let (left, taken) = rest.split_at(rest.len() - take);
        reversed.extend(taken.chars().rev());
        if taken.is_empty() && *piece == Piece::Zero {
            reversed.push('0');
        }
        rest = left;
    }
    out.extend(reversed.iter().rev());
    true
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
    use crate::sheet::cell::Cell;

    #[test]
    fn numbers_as_people_see_them() {
        let cases: [(f64, &str, &str); 40] = [
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
            (499.987, "0.00", "499.99"),
            (1_234.567, "0", "1235"),
            (1_234.5, "#,##0", "1235"),
            (-2.5, "0", "-3"),
            (0.4, "0", "0"),
            (1_234.567, "0.0##", "1234.567"),
            (1_234.567, "#,##0,", "1234.567"),
            (423.728_813_559, "₹ #,##0.00", "423.73"),
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
            (499.9, "\"£\"#,##0", "£500"),
            (499.9, "\\$0.00", "$499.90"),
            (499.9, "[$-409]#,##0.00", "499.90"),
            (499.9, "[$₹-4009] 0.00;[Red]-[$$-409]0.00", "499.90"),
            (499.9, "\"Rs.\" 0.00", "499.90"),
            (0.18, "$0%", "18%"),
        ];
        for (number, format, expected) in cases {
            let mut out = String::new();
            let kind = write(&mut out, number, &NumberStyle::of(format));
            let cell = Cell::kept(&out, kind);
            assert_eq!((cell.text, cell.kind), (expected, CellKind::Number), "{number} as {format}");
        }
    }

    #[test]
    fn a_frame_makes_the_number_that_people_know() {
        let cases: [(f64, &str, &str, CellKind); 16] = [
            (12.0, "\"ORD-\"0000", "ORD-0012", CellKind::Text),
            (7.0, "\"#\"0", "#7", CellKind::Text),
            (1_234.0, "000-000", "001-234", CellKind::Text),
            (123_451_234.0, "00000-0000", "12345-1234", CellKind::Text),
            (12.0, "\"PO\"000", "PO012", CellKind::Text),
            (12.0, "\\S\\O\\/00", "SO/12", CellKind::Text),
            (123_456.0, "\"A-\"00", "A-123456", CellKind::Text),
            (0.0, "\"A-\"00", "A-00", CellKind::Text),
            (1.5, "\"A-\"00", "1.5", CellKind::Number),
            (-3.0, "\"A-\"00", "-3", CellKind::Number),
            (5.0, "0\" kg\"", "5 kg", CellKind::Text),
            (5.0, "\"Rs. \"0", "5", CellKind::Number),
            (5.0, "\"₹ \"00", "05", CellKind::Number),
            (5.0, "_-* 0_-", "5", CellKind::Number),
            (1_500.0, "\"INR \"#,##0", "1500", CellKind::Number),
            (9_876_543_210.0, "[<=9999999]###-####;(###) ###-####", "9876543210", CellKind::Number),
        ];
        for (number, format, expected, kind) in cases {
            let mut out = "x".to_owned();
            assert_eq!(write(&mut out, number, &NumberStyle::of(format)), kind, "{number} as {format}");
            assert_eq!(out[1..], *expected, "{number} as {format}");
        }
    }

    #[test]
    fn what_is_shown_tells_the_format() {
        let cases: [(f64, &str, &str); 14] = [
            (1_234.567, "1235", "1235"),
            (1_234.567, "1,234.57", "1234.57"),
            (423.728_813_559, "₹ 423,73", "423.73"),
            (0.18, "18%", "0.18"),
            (12.5, "12.50", "12.50"),
            (123.0, "000123", "000123"),
            (12.0, "ORD-0012", "ORD-0012"),
            (42.0, "42", "42"),
            (1_124.0, "1,124.00", "1124"),
            (919_877_000_000.0, "9.19877E+11", "919877000000"),
            (0.5, "05", "0.5"),
            (5.0, "5 kg", "5"),
            (499.0, "₹ 499", "499"),
            (-5.0, "-5", "-5"),
        ];
        for (number, shown, expected) in cases {
            let mut out = String::new();
            let kind = write(&mut out, number, &NumberStyle::behind(number, shown));
            assert_eq!(Cell::kept(&out, kind).text, expected, "{number} shown as {shown}");
        }
    }

    #[test]
    fn a_number_is_what_the_cell_has_whatever_its_format_shows() {
        let cases: [(f64, &str, &str, &str, &str); 8] = [
            (1_499.6, "#,##0", "1500", "1499.6", "1499.6"),
            (1.4, "0", "1", "1.4", "1.4"),
            (10.5, "0", "11", "10.5", "10.5"),
            (1.4, "0\" kg\"", "1 kg", "1.4 kg", "1.4 kg"),
            (423.728_813_559, "0.00", "423.73", "423.73", "423.7288"),
            (1_499.6, "[$€-407] #,##0", "€1500", "€1499.6", "€1499.6"),
            (0.000_04, "0.00", "0.00", "0.00", "0.00"),
            (0.125, "0%", "12.5%", "12.5%", "12.5%"),
        ];
        for (number, format, shown, amount, exact) in cases {
            let mut out = String::new();
            let kind = write(&mut out, number, &NumberStyle::of(format));
            let cell = Cell::kept(&out, kind);
            assert_eq!((cell.text, cell.amount(), cell.number()), (shown, amount, exact), "{number} as {format}");
        }
    }

    #[test]
    fn digits_that_are_lost() {
        for number in [123_456_789_012_345_678.0, 1e15, f64::NAN, f64::INFINITY, 1e300, 1e-40] {
            assert_eq!(write(&mut String::new(), number, &NumberStyle::Plain), CellKind::LossyNumber, "{number}");
        }
    }
}
