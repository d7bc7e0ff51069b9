//! Whether two order numbers are one, spelled in two ways. Pure.

/// The zeros of Unicode's decimal digits; each is followed by its one to nine.
const ZEROS: [u32; 72] = [
    0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0,
    0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620,
    0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x1_04A0, 0x1_0D30, 0x1_0D40, 0x1_1066, 0x1_10F0, 0x1_1136,
    0x1_11D0, 0x1_12F0, 0x1_1450, 0x1_14D0, 0x1_1650, 0x1_16C0, 0x1_1730, 0x1_18E0, 0x1_1950, 0x1_1BF0, 0x1_1C50,
    0x1_1D50, 0x1_1DA0, 0x1_1F50, 0x1_6A60, 0x1_6AC0, 0x1_6B50, 0x1_6D70, 0x1_CCF0, 0x1_D7CE, 0x1_D7D8, 0x1_D7E2,
    0x1_D7EC, 0x1_D7F6, 0x1_E140, 0x1_E2F0, 0x1_E4F0, 0x1_E950, 0x1_FBF0,
];

/// Full-width characters, and how far they are from those of ASCII.
const FULL_WIDTH: std::ops::RangeInclusive<u32> = 0xFF01..=0xFF5E;
const FULL_WIDTH_OFFSET: u32 = 0xFEE0;

/// Words for what a number is.
const WORDS: [&str; 5] = ["orderno", "order", "number", "no", "nr"];

/// An order number as all its spellings have it: without case and separators, without a word for what it is (`No. 12`,
/// `#12`), without zeros in front of a run of digits, and with plain digits and letters for those of other scripts and
/// widths.
pub(super) fn unspelled(number: &str) -> String {
    let kind = |c: char| (c.is_alphanumeric(), c.is_ascii_digit());
    let plain: String = number.chars().map(plain).collect();
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
    // The last zero that is not behind it.
    let zero = ZEROS[ZEROS.partition_point(|zero| *zero <= code).saturating_sub(1)];
    match char::from_digit(code - zero, 10) {
        Some(digit) => digit,
        None => c.to_lowercase().next().unwrap_or(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_same_however_they_are_spelled() {
        for alike in [
            "A1|a1|A-1|A 1|#A1|A1.",
            "1002|#1002|No. 1002|Order 1002",
            "SG-2|SG 2|SG/2",
            "1-12|1/12",
            "ORD-1|ORD-01|ord 001|ＯＲＤ－１|ORD-１|ORD-०१|ord-١",
            "1001|01001|１００１|०१००१|১০০১|𝟏𝟎𝟎𝟏",
            "2024-05|2024/5|2024-005",
            "A-0|A00|a.0",
            "A0B|A-00-B",
        ] {
            let same: Vec<String> = alike.split('|').map(unspelled).collect();
            assert!(same.iter().all(|one| *one == same[0]), "{alike}: {same:?}");
        }
        for pair in [
            "1-12|112",
            "A1|A10",
            "A1|B1",
            "NO-A|A",
            "100|1",
            "1001|101",
            "1-0-1|1-1",
            "0-1|1",
            "A0B|AB",
            "A1|A1-2",
            "१|२",
            "ਠ1|1",
        ] {
            let (one, other) = pair.split_once('|').unwrap();
            assert_ne!(unspelled(one), unspelled(other), "{pair}");
        }
    }

    #[test]
    fn the_zeros_are_in_order_and_numeric() {
        assert!(ZEROS.is_sorted_by(|one, next| one + 9 < *next));
        for zero in ZEROS {
            let c = char::from_u32(zero).unwrap();
            // What is younger than the tables of the standard library may not be known to it as numeric.
            assert_eq!((plain(c), c.is_alphabetic()), ('0', false), "{zero:x}");
        }
    }
}
