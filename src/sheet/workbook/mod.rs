//! Workbooks: what is in the container, which worksheet is meant, and its cells as the person saw them.

mod assemble;
mod book;
mod choose;
mod dates;
mod numbers;
mod package;
mod whole;
mod xlsx;

pub(super) use book::Workbook;
