//! Headers and other texts without case, spaces and punctuation.

/// A header without case, spaces and punctuation: `*Order No.` is `orderno`.
#[must_use]
pub fn normalised(header: &str) -> String {
    let mut bare = String::with_capacity(header.len());
    push_normalised(header, &mut bare);
    bare
}

/// Whether a header is one of these names, whatever its case, spaces and punctuation.
#[must_use]
pub fn is_named(names: &[String], header: &str) -> bool {
    let bare = normalised(header);
    names.iter().any(|name| normalised(name) == bare)
}

/// The number of a further line whose header differs from that of a first one by its number alone: 2 for `Line 2` beside `Line 1`
/// or `Line`.
#[must_use]
pub fn further_line(first: &str, other: &str) -> Option<u16> {
    let (first, other) = (normalised(first), normalised(other));
    let stem = |bare: &str| bare.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (one, two) = (first.split_at(stem(&first)), other.split_at(stem(&other)));
    let number = |digits: &str| digits.parse::<u8>().ok().map(u16::from);
    let is_further = |further: &u16| *further > number(one.1).unwrap_or(1);
    number(two.1).filter(|further| !one.0.is_empty() && one.0 == two.0 && is_further(further))
}

/// Whether a header is that of a further line beside a first one, from which it differs by its number alone.
#[must_use]
pub fn is_further_line(first: &str, other: &str) -> bool {
    further_line(first, other).is_some()
}

/// Adds a text without case, spaces and punctuation.
pub fn push_normalised(text: &str, out: &mut String) {
    if text.is_ascii() {
        let start = out.len();
        text.split(|c: char| !c.is_ascii_alphanumeric()).for_each(|word| out.push_str(word));
        out[start..].make_ascii_lowercase();
    } else {
        out.extend(text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase));
    }
}

/// Whether a text is made of digits alone; an empty one is not.
#[must_use]
pub fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The words of a text in small letters, without what stands between them.
pub fn words(text: &str) -> impl Iterator<Item = String> + Clone {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_lines_differ_by_their_numbers_alone() {
        assert_eq!(further_line("Ship To Line 1", "Ship to line 2"), Some(2));
        assert_eq!(further_line("Zeile", "Zeile 12"), Some(12));
        assert!(
            !is_further_line("Line 2", "Line 1") && !is_further_line("Line 1", "Lane 2") && !is_further_line("1", "2")
        );
        assert!(!is_further_line("Line 1", "Line"));
    }
}
