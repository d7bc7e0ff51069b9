//! Who keeps orders from being sent.

/// Who keeps orders from being sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keeper {
    /// A sheet that is open.
    Sheet {
        /// The draft's id.
        id: String,
        /// The sheet's name.
        file: String,
        /// Whether somebody said so there; else they stand otherwise there by now.
        is_word: bool,
    },
    /// A sheet that is open and cannot be read, so that nobody knows what it keeps back.
    Unread {
        /// The draft's id.
        id: String,
        /// The sheet's name.
        file: String,
        /// Why it cannot be read.
        why: String,
    },
}

impl Keeper {
    /// The draft's id, where it is a sheet that is open.
    pub(super) fn draft(&self) -> Option<&str> {
        match self {
            Self::Sheet { id, .. } => Some(id),
            Self::Unread { .. } => None,
        }
    }

    /// Why an order that it keeps is not sent, in words for any face.
    #[must_use]
    pub fn because(&self) -> String {
        match self {
            Self::Sheet { file, is_word: true, .. } => {
                format!("{file}, which is open on the local page, holds it or leaves it out")
            }
            Self::Sheet { file, .. } => {
                format!("{file}, which is open on the local page, has it otherwise, holds it or leaves it out")
            }
            Self::Unread { file, why, .. } => {
                format!("{file}, which is open on the local page, cannot be read ({why})")
            }
        }
    }
}
