//! All sheets that wait are read before the first request of a night, so that none sends what another one of them refuses.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crate::app::{App, TakenBook, WaitingSheets};

use super::book::is_of_the_sheet;
use super::folder::digest;
use super::told::Halt;

/// Reads the sheets of a night where one of them could say otherwise of an order than another one, or than an earlier night; what
/// they take back is not sent any more.
pub(super) fn read_all(app: &App, book: &TakenBook<'_>, all: &[PathBuf]) -> Result<WaitingSheets, Halt> {
    let mut sheets = WaitingSheets::default();
    if all.is_empty() || (all.len() == 1 && !book.has_unsent()? && book.unfinished()?.is_empty()) {
        return Ok(sheets);
    }
    all.iter().try_for_each(|path| read(app, &mut sheets, path))?;
    book.revise(&sheets)?;
    Ok(sheets)
}

/// Reads one sheet more. One that cannot be read, or that the program hits a fault of its own at, says nothing: why is told when
/// it is its turn.
pub(super) fn read(app: &App, sheets: &mut WaitingSheets, path: &Path) -> Result<(), Halt> {
    let Ok((bytes, sha256)) = digest(path) else { return Ok(()) };
    if bytes == 0 || sheets.has(&sha256) {
        return Ok(());
    }
    match catch_unwind(AssertUnwindSafe(|| app.read_waiting(sheets, path, sha256))) {
        Ok(Err(error)) if !is_of_the_sheet(&error) => Err(error.into()),
        _ => Ok(()),
    }
}
