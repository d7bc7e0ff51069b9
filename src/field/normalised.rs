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
