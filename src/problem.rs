//! The former names of findings.

pub use crate::finding::{Finding as Problem, Id as Code, Level as Severity};
