//! Workbooks: what is in the container, which worksheet is meant, and its cells as the person saw them.

mod assemble;
mod book;
mod caught;
mod choose;
mod dates;
mod isolate;
mod numbers;
mod package;
mod spool;
mod whole;
mod xlsx;

pub(super) use assemble::annotate;
pub(super) use book::Workbook;
pub use isolate::{HELPER_ARGUMENT, helper_main};
