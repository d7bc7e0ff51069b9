//! How many worksheets a workbook may have, and that each has a part of its own.
//!
//! A list of worksheets takes a few bytes for each, and every one of them is looked through before one is chosen. Were a
//! part named by many, a small file would be read as often as its list pleases.

use std::collections::HashMap;

/// Worksheets of a workbook; a tab for each day of half a year fits.
pub(super) const WORKSHEETS_MAX: usize = 256;

/// What begins a reason that is no damage but looks like harm.
pub(super) const REFUSED: &str = "refused: ";
/// What begins a reason that is a limit.
pub(super) const LIMIT: &str = "limit exceeded: ";

/// Why so many worksheets are not looked through, where they are too many.
pub(super) fn too_many(worksheets: usize) -> Result<(), String> {
    if worksheets <= WORKSHEETS_MAX {
        return Ok(());
    }
    Err(format!("{LIMIT}{worksheets} worksheets, of which {WORKSHEETS_MAX} are accepted"))
}

/// Why worksheets are not read, where two of them are one: the same name, or the same part under two names.
pub(super) fn not_apart<P: Eq + std::hash::Hash>(
    worksheets: impl IntoIterator<Item = (String, P)>,
) -> Result<(), String> {
    let mut parts: HashMap<P, String> = HashMap::new();
    let mut names = std::collections::HashSet::new();
    for (name, part) in worksheets {
        if let Some(other) = parts.get(&part) {
            return Err(format!("{REFUSED}its worksheets \"{other}\" and \"{name}\" are one and the same part"));
        }
        if !names.insert(name.to_lowercase()) {
            return Err(format!("{REFUSED}it has two worksheets called \"{name}\""));
        }
        parts.insert(part, name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worksheets_are_few_and_apart() {
        assert_eq!(too_many(WORKSHEETS_MAX), Ok(()));
        assert!(too_many(WORKSHEETS_MAX + 1).unwrap_err().contains("257 worksheets, of which 256 are accepted"));
        let of = |worksheets: [(&str, u32); 2]| not_apart(worksheets.map(|(name, part)| (name.to_owned(), part)));
        assert_eq!(of([("May", 1), ("June", 2)]), Ok(()));
        assert!(of([("May", 1), ("June", 1)]).unwrap_err().contains("\"May\" and \"June\" are one and the same part"));
        assert!(of([("May", 1), ("MAY", 2)]).unwrap_err().contains("two worksheets called \"MAY\""));
    }
}
