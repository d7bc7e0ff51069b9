//! Words of a text.

/// The words of a text in small letters, without what stands between them.
pub fn words(text: &str) -> impl Iterator<Item = String> + Clone {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}
