//! Why sheets cannot be staged.

use crate::ledger::LedgerError;
use crate::sheet::SheetError;

/// Why staging could not go through; bad input is never among these.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// A sheet cannot be read.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// The ledger failed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The temporary file failed.
    #[error("cannot keep what is found in a temporary file ({0}): make room in the temporary folder")]
    Spool(std::io::Error),
    /// The system gives no thread to read with.
    #[error("the system does not let this program start its threads ({0})")]
    Threads(std::io::Error),
    /// A sheet is not what it was a moment ago.
    #[error("the sheet was changed while it was read, so nothing of it is used")]
    Changed,
    /// Rows were lost on the way, which must never be.
    #[error("{0}: this is a fault of the program, nothing was sent; please report it")]
    Unbalanced(String),
}
