//! What tells a row from every other one, however its file is called, packed or saved again.

use sha2::{Digest, Sha256};

use super::row::Row;
use crate::origin::is_added;

impl Row {
    /// A hash of its filled cells with their headers, greater than 0; what this program adds to a sheet is left out. It is kept
    /// in ledgers: the same cells have the same hash in every version.
    #[must_use]
    pub fn content(&self, header: &[String]) -> i64 {
        let mut hash = Sha256::new();
        for (index, cell) in self.cells().enumerate().filter(|(_, cell)| !cell.text.is_empty()) {
            let name = header.get(index).map_or("", String::as_str);
            if !is_added(name) {
                hash.update(format!("{}\0{}\0", name.trim(), cell.text));
            }
        }
        let hash: [u8; 32] = hash.finalize().into();
        let first = hash.iter().take(8).fold(0_i64, |value, byte| value << 8 | i64::from(*byte));
        (first & i64::MAX).max(1)
    }
}
