//! The cells that a finding rests on, and a person's word that lets its order go all the same.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What a case begins with, where cells have a hash.
const CASE: &str = "case ";

/// The cells that a finding rests on: the header of each with a hash of its text, and the case where its rule has several. It
/// names no row, so that a sheet may gain rows above, and nothing personal.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Basis(Vec<(String, String)>);

impl Basis {
    /// The basis of cells by their headers and texts.
    #[must_use]
    pub fn of<'c>(cells: impl IntoIterator<Item = (&'c str, &'c str)>) -> Self {
        let mut cells: Vec<(String, String)> =
            cells.into_iter().map(|(header, text)| (header.to_owned(), hash(header, text))).collect();
        cells.sort();
        cells.dedup();
        Self(cells)
    }

    /// The same for one case: what is accepted of it says nothing of another case on the same cells.
    pub(super) fn of_case(mut self, case: &str) -> Self {
        self.0.push((String::new(), format!("{CASE}{case}")));
        self.0.sort();
        self
    }

    /// Whether both are of the same case.
    #[must_use]
    pub fn has_case_of(&self, other: &Self) -> bool {
        self.case() == other.case()
    }

    fn case(&self) -> Option<&str> {
        self.0.iter().find_map(|(_, text)| text.strip_prefix(CASE))
    }

    /// Whether this text stands under this header.
    #[must_use]
    pub fn has(&self, header: &str, text: &str) -> bool {
        self.0.contains(&(header.to_owned(), hash(header, text)))
    }

    /// The headers whose cells are not what they were, each once.
    #[must_use]
    pub fn changed_since<'b>(&'b self, before: &'b Self) -> Vec<&'b str> {
        let gone = before.0.iter().filter(|cell| !self.0.contains(cell));
        let come = self.0.iter().filter(|cell| !before.0.contains(cell));
        let mut headers: Vec<&str> = Vec::new();
        for (header, _) in come.chain(gone) {
            if !headers.contains(&header.as_str()) {
                headers.push(header);
            }
        }
        headers
    }
}

/// 16 of the 32 bytes of the SHA-256 of a header, a line end and a text, in hexadecimal digits.
fn hash(header: &str, text: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(header);
    hash.update(b"\n");
    hash.update(text);
    let hash = hash.finalize();
    hash.iter().take(16).fold(String::with_capacity(32), |digits, byte| digits + &format!("{byte:02x}"))
}

/// A person's word that a finding keeps nothing back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accepted {
    /// The user's name.
    pub by: String,
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// Why; may be empty.
    pub because: String,
    /// Whether it was given with this very command, so that the ledger has still to keep it.
    #[serde(default, skip_serializing)]
    pub is_new: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_basis_is_the_same_in_any_row_and_order_and_names_what_changed() {
        let basis = Basis::of([("Total", "1200"), ("Qty", "2")]);
        assert_eq!(basis, Basis::of([("Qty", "2"), ("Total", "1200"), ("Qty", "2")]));
        let later = Basis::of([("Total", "1300"), ("Qty", "2"), ("Price", "5")]);
        assert_eq!(later.changed_since(&basis), ["Price", "Total"]);
        assert!(basis.changed_since(&basis).is_empty());
        let (one, other) = (basis.clone().of_case("total-differs unreadable"), basis.clone().of_case("odd-date"));
        assert!(one != other && one != basis && !one.has_case_of(&other) && one.has_case_of(&one));
        let json = serde_json::to_string(&basis).unwrap();
        assert!(!json.contains("1200") && json.contains("Total"), "{json}");
        assert_eq!(serde_json::from_str::<Basis>(&json).unwrap(), basis);
    }
}
