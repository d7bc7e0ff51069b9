//! Why a value is refused.

use crate::finding::{Finding, Id};

/// Why a value is refused, or what is to be said of it, before its place is known.
pub type Fault = Box<Finding>;

pub(super) fn refused(id: Id, message: impl Into<String>, hint: impl Into<String>) -> Fault {
    Box::new(Finding::error(id, message).hint(hint))
}
