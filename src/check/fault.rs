//! Why a value is refused.

use crate::finding::Finding;

/// Why a value is refused, or what is to be said of it, before its place is known.
pub type Fault = Box<Finding>;
