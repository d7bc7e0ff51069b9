//! Forms of an order number, for recognising it when it comes again otherwise. Pure.

use super::spelling::{all_plain, parted, unspelled};

/// A spreadsheet keeps so many digits of a number.
const DIGITS_MAX: usize = 15;

/// Beyond this, a number is none that a spreadsheet writes out.
const EXPONENT_MAX: i32 = 30;

/// Of a number with more words and figures than this, only what stands at its beginning or its end counts as a part.
const TOKENS_MAX: usize = 5;

/// How two order numbers may be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// One number, spelled in two ways.
    Respelled,
    /// A spreadsheet may have made the one of the other: it reckons with what looks like a number.
    Spoiled,
    /// The one stands in the other as a whole: `K-1` in `SO-K-1-R`.
    Within,
}

/// An order number in the forms by which it is recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberForms {
    /// As all its spellings have it.
    pub own: String,
    /// As spreadsheets may change it, where that is another one.
    pub spoiled: Vec<String>,
    /// Its parts that have a digit, from word to word and figure to figure.
    pub parts: Vec<String>,
}

impl NumberForms {
    /// The forms of a number.
    #[must_use]
    pub fn of(number: &str) -> Self {
        let (own, plain) = (unspelled(number), all_plain(number));
        let mut spoiled: Vec<String> = Vec::new();
        for made in reckoned(plain.trim()).into_iter().map(|made| parted(&made)) {
            if made != own && !spoiled.contains(&made) {
                spoiled.push(made);
            }
        }
        let parts = parts(&plain, &own);
        Self { own, spoiled, parts }
    }

    /// How this number and another one may be one; never by what both may have been made into.
    #[must_use]
    pub fn likeness(&self, other: &Self) -> Option<Likeness> {
        let either = |of: fn(&Self) -> &[String]| of(self).contains(&other.own) || of(other).contains(&self.own);
        if self.own == other.own {
            Some(Likeness::Respelled)
        } else if either(|own| &own.spoiled) {
            Some(Likeness::Spoiled)
        } else {
            either(|own| &own.parts).then_some(Likeness::Within)
        }
    }
}

/// A text in small letters that looks like a number to spreadsheets, as they write it; nothing of any other, but for one with `.0` at
/// its end.
fn reckoned(plain: &str) -> Vec<String> {
    let (figure, by) = plain.strip_suffix('%').map_or((plain, 0), |figure| (figure.trim_end(), -2));
    let (mantissa, exponent) = figure.split_once('e').unwrap_or((figure, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.strip_prefix('+').unwrap_or(exponent).parse::<i32>();
    let Some(exponent) = exponent.ok().filter(|_| !whole.is_empty() && are_digits(whole) && are_digits(fraction))
    else {
        let stem = plain.strip_suffix(".0").filter(|stem| stem.ends_with(|last: char| last.is_ascii_digit()));
        return stem.map(str::to_owned).into_iter().collect();
    };
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    // The point stands behind so many of the digits.
    let point =
        i32::try_from(digits.len()).unwrap_or(EXPONENT_MAX) - i32::try_from(fraction.len()).unwrap_or(EXPONENT_MAX);
    let point = point.saturating_add(exponent).saturating_add(by);
    if digits.is_empty() || point.abs() > EXPONENT_MAX {
        return Vec::new();
    }
    // Of a longer one some write zeros for what they do not keep, and some round it.
    let kept = &digits[..digits.len().min(DIGITS_MAX)];
    let rounded = digits.as_bytes().get(DIGITS_MAX).filter(|next| **next >= b'5').map(|_| one_more(kept));
    let (rounded, carried) = rounded.unwrap_or_default();
    let mut made = vec![written(kept, point)];
    if !rounded.is_empty() {
        made.push(written(&rounded, point + i32::from(carried)));
    }
    made
}

/// The number after one of these digits, and whether it has a digit more.
fn one_more(digits: &str) -> (String, bool) {
    let mut next: Vec<u8> = digits.bytes().collect();
    for digit in next.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return (String::from_utf8_lossy(&next).into_owned(), false);
        }
        *digit = b'0';
    }
    next.insert(0, b'1');
    (String::from_utf8_lossy(&next).into_owned(), true)
}

/// Digits with the point behind so many of them, without zeros at the end of a fraction.
fn written(digits: &str, point: i32) -> String {
    let (digits, point) = (digits.trim_end_matches('0'), isize::try_from(point).unwrap_or_default());
    let length = digits.len();
    match usize::try_from(point) {
        Ok(point) if point >= length => digits.to_owned() + &"0".repeat(point - length),
        Ok(point) if point > 0 => format!("{}.{}", &digits[..point], &digits[point..]),
        _ => format!("0.{}{digits}", "0".repeat(point.unsigned_abs())),
    }
}

/// The parts of a number with a digit, each as all its spellings have it; not all of it.
fn parts(plain: &str, own: &str) -> Vec<String> {
    let kind = |c: char| (c.is_alphanumeric(), c.is_ascii_digit());
    let mut tokens: Vec<(usize, usize)> = Vec::new();
    let mut last = None;
    for (at, c) in plain.char_indices() {
        let (end, now) = (at + c.len_utf8(), kind(c));
        match tokens.last_mut().filter(|_| last == Some(now)) {
            Some((_, before)) if now.0 => *before = end,
            _ if now.0 => tokens.push((at, end)),
            _ => {}
        }
        last = Some(now);
    }
    let mut parts: Vec<String> = Vec::new();
    for first in 0..tokens.len() {
        for end in first..tokens.len() {
            let is_at_edge = first == 0 || end + 1 == tokens.len();
            let text = &plain[tokens[first].0..tokens[end].1];
            if (tokens.len() <= TOKENS_MAX || is_at_edge) && text.bytes().any(|byte| byte.is_ascii_digit()) {
                let part = parted(text);
                if part != own && is_telling(&part, tokens.len()) && !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
    }
    parts
}

/// Whether a part may be a number of its own: a few digits, or a year among further parts, stand in far too many.
fn is_telling(part: &str, tokens: usize) -> bool {
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    let is_year = tokens > 2 && part.len() == 4 && digits == 4 && (part.starts_with("19") || part.starts_with("20"));
    if digits < part.len() { part.len() > 1 } else { digits > 2 && !is_year }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(one: &str, other: &str) -> Option<Likeness> {
        let (one, other) = (NumberForms::of(one), NumberForms::of(other));
        assert_eq!(one.likeness(&other), other.likeness(&one), "{one:?} {other:?}");
        one.likeness(&other)
    }

    #[test]
    fn a_number_that_a_spreadsheet_saved_again_is_recognised() {
        for (one, other) in [
            ("1E5", "100000"),
            ("329585123456789012", "329585123456789000"),
            ("329585123456789512", "329585123456790000"),
            ("999999999999999999", "1000000000000000000"),
            ("50%", "0.5"),
            ("1.10", "1.1"),
            ("ORD-1.0", "ORD-1"),
            ("2.50E+3", "2500"),
            ("1e-3", "0.001"),
        ] {
            assert_eq!(likeness(one, other), Some(Likeness::Spoiled), "{one} {other}");
        }
        for (one, other) in [
            ("329585123456789012", "329585123456789013"),
            ("1E5", "1E6"),
            ("1.10", "1.11"),
            ("100001", "100002"),
            ("1e999999999", "1e999999998"),
            ("0", "00%"),
        ] {
            assert_ne!(likeness(one, other), Some(Likeness::Spoiled), "{one} {other}");
        }
    }

    #[test]
    fn numbers_within_others_count_from_word_to_word() {
        for (one, other) in [
            ("K-1", "K-1-R"),
            ("K-1", "SO-K-1"),
            ("K-1", "SO-K-1-R"),
            ("1001", "SHOP-1001"),
            ("2026", "SHOP-2026"),
            ("1001", "shop1001"),
            ("403-1234567", "403-1234567-7654321"),
        ] {
            assert_eq!(likeness(one, other), Some(Likeness::Within), "{one} {other}");
        }
        for (one, other) in [
            ("K-1", "K-11"),
            ("K-1", "SK-1"),
            ("1001", "21001"),
            ("SHOP-1001", "S2-1001"),
            ("INV-2026-0001", "INV-2026-0002"),
            ("INV-2026-0001", "2026"),
            ("77", "C-77"),
            ("K", "K-1"),
        ] {
            assert_eq!(likeness(one, other), None, "{one} {other}");
        }
    }

    #[test]
    fn spellings_of_all_scripts_are_one_number() {
        for (one, other) in [
            ("caf\u{e9}-1", "cafe\u{301}-1"),
            ("Gro\u{df}-7", "GROSS-7"),
            ("\u{ff2b}\u{ff0d}\u{ff11}", "K-1"),
            ("K\u{b9}\u{b2}", "K12"),
            ("K\u{2460}", "K1"),
            ("\u{96f}\u{968}", "92"),
            ("K-\u{200b}1", "K-1"),
            ("K-1\u{3164}", "K-1"),
            ("K-\u{ad}1\u{fe0f}", "K-1"),
        ] {
            assert_eq!(likeness(one, other), Some(Likeness::Respelled), "{one} {other}");
        }
    }
}
