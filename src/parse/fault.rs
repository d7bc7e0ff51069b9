//! What is said of a value before its place is known.

use crate::finding::Finding;

/// Why a value is refused or doubted, or what was repaired to read it.
pub type Fault = Box<Finding>;

/// A value, and what there is to say of it; where there is none, why.
pub(super) type Parsed<T> = Result<(T, Option<Fault>), Fault>;
