//! What tells a row from every other one, however its file is called, packed or saved again.

use sha2::{Digest, Sha256};

use super::row::Row;
use crate::origin::is_added;

impl Row {
    /// What it is known by wherever it comes again: by its cells as they are, and as they were before somebody typed in them.
    #[must_use]
    pub fn contents(&self, header: &[String]) -> [Option<i64>; 2] {
        [Some(self.content(header)), self.came().map(|came| came.content)]
    }

    /// A hash of its filled cells with their headers, in whatever order, greater than 0; what this program adds to a sheet is left
    /// out. It is kept in ledgers: the same cells have the same hash in every version.
    pub(super) fn content(&self, header: &[String]) -> i64 {
        let name = |index: usize| header.get(index).map_or("", |name| name.trim());
        let filled = self.cells().enumerate().filter(|(_, cell)| !cell.text.is_empty());
        let mut cells: Vec<(&str, &str)> = filled.map(|(index, cell)| (name(index), cell.text)).collect();
        cells.retain(|(name, _)| !is_added(name));
        cells.sort_unstable();
        known_by(cells.into_iter().flat_map(|(name, text)| [name, text]))
    }
}

/// What texts are known by together: a hash greater than 0, the same in every version.
pub(crate) fn known_by<'t>(texts: impl Iterator<Item = &'t str>) -> i64 {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text);
        hash.update([0]);
    }
    let hash: [u8; 32] = hash.finalize().into();
    let first = hash.iter().take(8).fold(0_i64, |value, byte| value << 8 | i64::from(*byte));
    (first & i64::MAX).max(1)
}
