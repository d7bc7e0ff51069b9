//! What can be done about a sheet's columns.

use std::path::Path;

use crate::finding::{Reading, Remedy};
use crate::sheet::Options;

/// Saving a profile that is made for a sheet, read the way it was read here.
pub(super) fn save_profile(path: &Path, options: &Options, name: &str, replace: bool) -> Remedy {
    let reading = Reading {
        worksheet: options.worksheet.clone(),
        header_row: options.header_row,
        skip_rows: options.skip_rows,
        encoding: options.encoding.clone(),
        delimiter: options.delimiter.map(char::from),
    };
    Remedy::save_profile(path, reading, name, replace)
}
