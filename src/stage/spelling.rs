//! Whether two order numbers are one, spelled in two ways. Pure.

/// The zeros of scripts in which sheets are written, each followed by its one to nine: Arabic, those of India, Thai, Lao,
/// Tibetan, Burmese, Khmer.
const ZEROS: [u32; 16] =
    [0x660, 0x6F0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50, 0xED0, 0xF20, 0x1040, 0x17E0];

/// Full-width characters, and how far they are from those of ASCII.
const FULL_WIDTH: std::ops::RangeInclusive<u32> = 0xFF01..=0xFF5E;
const FULL_WIDTH_OFFSET: u32 = 0xFEE0;

/// Words for what a number is.
const WORDS: [&str; 5] = ["orderno", "order", "number", "no", "nr"];

/// An order number as all its spellings have it: without case and separators, without a word for what it is (`No. 12`,
/// `#12`), without zeros in front of a run of digits, and with plain digits and letters for those of other scripts and
/// widths.
#[must_use]
pub fn unspelled(number: &str) -> String {
    let kind = |c: char| (c.is_alphanumeric(), c.is_ascii_digit());
    let plain =
        if number.is_ascii() { number.to_ascii_lowercase() } else { number.chars().map(plain).collect::<String>() };
    let (mut bare, mut rest, mut is_parted) = (String::with_capacity(number.len() + 1), plain.as_str(), false);
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
    let named = WORDS.iter().find_map(|word| bare.strip_prefix(word));
    named.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(&bare).to_owned()
}

/// A character in lower case, as ASCII where it is a decimal digit of any script or a full-width one.
fn plain(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let code = u32::from(c);
    if FULL_WIDTH.contains(&code) {
        return char::from_u32(code - FULL_WIDTH_OFFSET).map_or(c, |c| c.to_ascii_lowercase());
    }
    let digit = ZEROS.iter().find_map(|zero| char::from_digit(code.checked_sub(*zero)?, 10));
    digit.unwrap_or_else(|| c.to_lowercase().next().unwrap_or(c))
}
