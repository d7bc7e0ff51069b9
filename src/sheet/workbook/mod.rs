//! Workbooks: what is in the container, which worksheet is meant, and its cells as the person saw them.

mod assemble;
mod book;
mod caught;
mod choose;
mod container;
mod dates;
mod digits;
mod edited;
mod fills;
mod isolate;
mod looks;
mod numbers;
mod ods;
mod package;
mod patch;
mod relations;
mod render;
mod shape;
mod spool;
mod whole;
mod worksheets;
mod xlsb;
mod xlsx;

pub(super) use assemble::annotate;
pub(super) use book::Workbook;
pub use isolate::{HELPER_ARGUMENT, helper_main};
