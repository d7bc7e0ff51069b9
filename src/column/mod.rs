//! What each column of a sheet is: decided once, before orders are built.
//!
//! - `decide`: from the profile, the headers and the cells

pub mod decide;
