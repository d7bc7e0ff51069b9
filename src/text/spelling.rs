//! Whether two order numbers are one, spelled in two ways. Pure.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use icu_normalizer::ComposingNormalizerBorrowed;
use serde::Deserialize;

/// The zeros of scripts in which sheets are written, each followed by its one to nine: Arabic, those of India, Thai, Lao,
/// Tibetan, Burmese, Khmer, and full-width ones.
const ZEROS: [u32; 17] = [
    0x660, 0x6F0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50, 0xED0, 0xF20, 0x1040, 0x17E0,
    0xFF10,
];

/// Characters that nobody sees, from and to, beside those that Unicode has for controls.
/// Source: `Default_Ignorable_Code_Point` in `DerivedCoreProperties.txt`.
const UNSEEN: [(u32, u32); 15] = [
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0xE0000, 0xE0FFF),
];

/// Capitals and small letters of other scripts that look like Latin ones, with these: of Cyrillic and of Greek.
const LOOKALIKES: [(&str, &str); 2] =
    [("АВЕКМНОРСТУХІЈЅавекмнорстухіјѕ", "abekmhopctyxijsabekmhopctyxijs"), ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "abezhikmnoptyx")];

/// Words for what a number is: `templates/words/numbers.toml`.
static BEFORE_NUMBER: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let words: Words = toml::from_str(include_str!("../../templates/words/numbers.toml")).unwrap_or_default();
    words.before_number.split_whitespace().map(str::to_owned).collect()
});

#[derive(Default, Deserialize)]
struct Words {
    before_number: String,
}

/// What follows a word for what a number is, where one stands before it: before letters only where a sign parts them.
fn unnamed(plain: &str) -> Option<&str> {
    let begin = plain.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = begin.find(|c: char| !c.is_alphabetic()).filter(|end| *end > 0)?;
    let (word, rest) = begin.split_at(end);
    (BEFORE_NUMBER.contains(word) && rest.contains(|c: char| c.is_ascii_digit())).then_some(rest)
}

/// An order number as all its spellings have it: without case and separators, without a word for what it is (`No. 12`,
/// `#12`), without zeros in front of a run of digits, without the `.0` that a spreadsheet writes behind a number, and with
/// plain digits and letters for those of other scripts and widths.
#[must_use]
pub fn unspelled(number: &str) -> String {
    parted(without_fraction(&all_plain(number)))
}

/// An AWB without what people, couriers and spreadsheets put to it or take off: `7700-0002` and `77000002` are one shipment, and
/// so are `0077` and `77`.
#[must_use]
pub fn bare_awb(awb: &str) -> String {
    let plain: String = awb.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect();
    plain.trim_start_matches('0').to_owned()
}

/// Every form under which a number is looked for where a mistake would send an order twice: numbers that share one may be one.
/// Beside what people write in another way (`1-12` is not `112`) that is what systems make of a number: letters and digits
/// and nothing else (where it is).
pub fn spellings(number: &str) -> impl Iterator<Item = String> {
    let plain = all_plain(number);
    let plain = without_fraction(&plain);
    let bare: String = plain.chars().filter(|c| c.is_alphanumeric()).collect();
    let (first, bare) = (parted(plain), bare.trim_start_matches('0').to_owned());
    let second = Some(bare).filter(|bare| *bare != first && !bare.is_empty());
    std::iter::once(first).chain(second)
}

/// Whether a spreadsheet may have made the one of the other, as it does of long numbers: `1.23457E+11` of `123456789012`.
#[must_use]
pub fn may_have_become(spoiled: &str, number: &str) -> bool {
    let (spoiled, number) = (all_plain(spoiled), all_plain(number));
    let Some((mantissa, exponent)) = spoiled.trim().split_once('e') else { return false };
    let digits: Vec<u8> = mantissa.bytes().filter(|byte| *byte != b'.' && *byte != b',').collect();
    let length = exponent.trim_start_matches('+').parse::<usize>().ok().and_then(|own| own.checked_add(1));
    let number = number.trim().as_bytes();
    let are_digits = |own: &[u8]| own.first().is_some_and(|first| *first != b'0') && own.iter().all(u8::is_ascii_digit);
    if !are_digits(&digits) || !are_digits(number) || length != Some(number.len()) || digits.len() > number.len() {
        return false;
    }
    // What was cut off may have been rounded up.
    let value =
        |own: &[u8]| own.iter().fold(0_u128, |sum, digit| sum.wrapping_mul(10).wrapping_add(u128::from(digit - b'0')));
    let (kept, shown) = (value(&number[..digits.len()]), value(&digits));
    shown == kept || shown == kept.wrapping_add(1)
}

/// Without case and what nobody sees, and with plain digits and letters: the compatibility form of Unicode (NFKC).
pub(super) fn all_plain(number: &str) -> String {
    if number.is_ascii() {
        return number.to_ascii_lowercase();
    }
    let composed = ComposingNormalizerBorrowed::new_nfkc().normalize(number);
    let is_seen = |c: &char| !UNSEEN.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(*c)));
    // In capitals first: `\u{df}` and `ss` are one.
    composed.chars().filter(is_seen).map(plain).flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

fn without_fraction(plain: &str) -> &str {
    let is_whole = |own: &&str| own.bytes().all(|byte| byte.is_ascii_digit() || byte == b',') && !own.is_empty();
    let plain = plain.trim();
    plain.strip_suffix(".0").filter(is_whole).unwrap_or(plain)
}

pub(super) fn parted(mut plain: &str) -> String {
    while let Some(rest) = unnamed(plain) {
        plain = rest;
    }
    let kind = |c: char| (c.is_alphanumeric(), c.is_ascii_digit());
    let (mut bare, mut rest, mut is_parted) = (String::with_capacity(plain.len() + 1), plain, false);
    while let Some(first) = rest.chars().next() {
        let (run, after) = rest.split_at(rest.find(|c| kind(c) != kind(first)).unwrap_or(rest.len()));
        rest = after;
        if !first.is_alphanumeric() {
            is_parted = true;
            continue;
        }
        // `1-12` is not `112`.
        if is_parted && first.is_ascii_digit() && bare.ends_with(|last: char| last.is_ascii_digit()) {
            bare.push('-');
        }
        is_parted = false;
        let without_zeros = if first.is_ascii_digit() { run.trim_start_matches('0') } else { run };
        bare.push_str(if without_zeros.is_empty() { "0" } else { without_zeros });
    }
    bare
}

/// A character as the Latin letter that it looks like, or as a digit of ASCII where it is a decimal one of any script.
fn plain(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let alike = LOOKALIKES.iter().find_map(|(theirs, ours)| ours.chars().nth(theirs.chars().position(|own| own == c)?));
    if let Some(latin) = alike {
        return latin;
    }
    digit_of(c).unwrap_or(c)
}

/// The ASCII digit that a decimal digit of any script is.
fn digit_of(c: char) -> Option<char> {
    ZEROS.iter().find_map(|zero| char::from_digit(u32::from(c).checked_sub(*zero)?, 10))
}

/// A text with the digits of any script as those of ASCII.
#[must_use]
pub fn ascii_digits(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.chars().any(|c| digit_of(c).is_some()) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| digit_of(c).unwrap_or(c)).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn may_be_one(one: &str, other: &str) -> bool {
        spellings(one).any(|own| spellings(other).any(|theirs| theirs == own))
    }

    #[test]
    fn a_number_is_found_however_it_is_spelled() {
        for (one, other) in [
            ("SB-007", "sb7"),
            ("1001", "No. 1001"),
            ("1002", "\u{967}\u{966}\u{966}\u{968}"),
            ("SB-1004", "\u{ff33}\u{ff22}\u{ff0d}\u{ff11}\u{ff10}\u{ff10}\u{ff14}"),
            ("1-12", "112"),
            ("1,234", "1234"),
            ("#0012", "12.0"),
            ("No. A-001", "A-001"),
            ("Order No: SB-7", "sb7"),
            ("\u{410}-001", "A-001"),
            ("\u{392}-12", "b12"),
        ] {
            assert!(may_be_one(one, other) && may_be_one(other, one), "{one} {other}");
        }
        for (one, other) in [("A-1", "A-2"), ("12", "120"), ("SB-1.0", "SB-1"), ("1.5", "1"), ("NOA-1", "A-1")] {
            assert!(!may_be_one(one, other), "{one} {other}");
        }
        assert_ne!(unspelled("1-12"), unspelled("112"), "among orders of sheets these are two");
        assert_eq!(unspelled("1001.0"), unspelled("1001"));
    }

    #[test]
    fn what_a_spreadsheet_makes_of_a_long_number_may_be_it() {
        assert!(may_have_become("1.23457E+11", "123456789012"));
        assert!(may_have_become("1.2E+11", "123456789012"));
        for other in ["123467890123", "12345678901", "1234567890123", "A-1", ""] {
            assert!(!may_have_become("1.23457E+11", other), "{other}");
        }
        assert!(!may_have_become("A-1", "123456789012") && !may_have_become("1E", "1"));
    }
}
