//! Who keeps an order back, and on what that rests.

use crate::app::keeper::Keeper;

/// Who keeps an order back, with what tells that from anything else that may keep it later: what a person accepts, and what a
/// plan was made beside, is this and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::app) struct Keeping {
    pub(in crate::app) by: Keeper,
    pub(in crate::app) on: String,
}
