//! Words of a text, and lists of words that are written as one text.

use memchr::memmem;

/// The words of a text in small letters, without what stands between them.
pub fn words(text: &str) -> impl Iterator<Item = String> + Clone {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Whether a word is in a list.
#[must_use]
pub fn among(list: &str, word: &str) -> bool {
    let ends = |at: usize| list.as_bytes().get(at).is_none_or(u8::is_ascii_whitespace);
    let found = memmem::find_iter(list.as_bytes(), word);
    !word.is_empty() && { found }.any(|at| at.checked_sub(1).is_none_or(ends) && ends(at + word.len()))
}

/// Whether a text has a word of a list, whatever its case.
#[must_use]
pub fn has_word(text: &str, list: &str) -> bool {
    words(text).any(|word| among(list, &word))
}
