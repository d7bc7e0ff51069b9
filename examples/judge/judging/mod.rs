//! Judged sheets: read as a person would have them read, and compared order by order with what a careful clerk would do.
//!
//! - `case`: a sheet and the judgement beside it, as they stand in a folder
//! - `workbook`: the description of a workbook, made into a real one
//! - `reading`: what the program makes of a sheet, without booking
//! - `verdict`: both beside each other
//! - `report`: all of a folder, counted

mod case;
mod reading;
mod report;
mod verdict;
pub(crate) mod workbook;

#[cfg(test)]
pub(crate) use report::Limits;
pub(crate) use report::{Count, Report};
