//! Sites that still write their own English.

use super::catalogue::Entry;
use super::data::Finding;
use super::id::{Id, Level};

pub(super) const UNCONVERTED: &str = "unconverted";
pub(super) const ENTRY: Entry =
    Entry { id: Id::SheetNotice, case: UNCONVERTED, says: "{message}", advice: "{hint}", apart: &["hint"], like: "" };

impl Finding {
    /// Holds.
    #[must_use]
    pub fn error(id: Id, message: impl Into<String>) -> Self {
        Self::of(id, UNCONVERTED, Level::Hold).fact("message", message.into())
    }

    /// Is said.
    #[must_use]
    pub fn warning(id: Id, message: impl Into<String>) -> Self {
        Self::of(id, UNCONVERTED, Level::Warn).fact("message", message.into())
    }

    /// The way out.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        self.fact("hint", hint.into())
    }

    /// The same place in other words.
    #[must_use]
    pub fn reworded(&self, id: Id, message: impl Into<String>, hint: impl Into<String>) -> Self {
        let Self { level, place, order, field, found, .. } = self.clone();
        Self { level, place, order, field, found, ..Self::error(id, message).hint(hint) }
    }
}
