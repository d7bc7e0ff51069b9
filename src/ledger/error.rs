//! What can go wrong with a ledger, and what to do about it.

use std::path::PathBuf;

use rusqlite::ErrorCode;

/// Why the ledger did not do what was asked; nothing was half done.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// No ledger is there yet.
    #[error("there is no ledger at {}: begin with an import, or name another with --ledger", .0.display())]
    Missing(PathBuf),
    /// The file or its folder cannot be made.
    #[error("cannot make the ledger {}: {source}", path.display())]
    Unmakeable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is something else.
    #[error("{} is not a ledger of shipsheet: name another with --ledger", .0.display())]
    NotALedger(PathBuf),
    /// A later version made it.
    #[error("the ledger {} was made by a newer shipsheet (layout {found}, this one knows {known}): update shipsheet", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its layout.
        found: i64,
        /// The newest layout that this program knows.
        known: i64,
    },
    /// The file has several names: two runs could meet in it unseen.
    #[error(
        "the ledger {} has {names} names (hard links), so two runs could meet in it unseen: copy it to a place of its own, \
         remove the other names, and name the copy with --ledger",
        path.display()
    )]
    HardLinked {
        /// The file.
        path: PathBuf,
        /// How many names it has.
        names: u64,
    },
    /// Another process holds it.
    #[error("the ledger is busy: another program is writing to it; try again when it is done")]
    Busy,
    /// No room.
    #[error("the disk is full: make room, then resume")]
    DiskFull,
    /// No right to write.
    #[error("the ledger cannot be written: the file or its folder is read-only")]
    ReadOnly,
    /// The file is damaged.
    #[error(
        "the ledger is damaged ({0}): restore it from a backup and look up in the courier's portal what was booked since"
    )]
    Damaged(String),
    /// An order is not where it would have to be.
    #[error("order {order} is {state}, so it cannot be {wanted}")]
    Illegal {
        /// The order number.
        order: String,
        /// Where it is.
        state: String,
        /// What was asked for.
        wanted: &'static str,
    },
    /// No such order.
    #[error("no order {order} of {service} in this ledger")]
    UnknownOrder {
        /// The order number.
        order: String,
        /// The service.
        service: String,
    },
    /// Another order has the AWB.
    #[error("AWB {awb} belongs to order {other} already: look again in the courier's portal")]
    AwbTaken {
        /// The AWB.
        awb: String,
        /// The order that has it.
        other: String,
    },
    /// The disk or the file system failed.
    #[error("the ledger could not be written or read ({0}): look after the disk, then resume")]
    Io(String),
    /// A guard in the database: a fault of the program.
    #[error(
        "the ledger's guards refused a change ({0}): nothing was written; this is a fault of the program, please report it"
    )]
    Guard(String),
    /// Anything else that the database has to say.
    #[error("the ledger failed: {0}")]
    Sqlite(String),
}

impl From<rusqlite::Error> for LedgerError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::ReadOnly) => Self::ReadOnly,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged(error.to_string()),
            Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen) => Self::Io(error.to_string()),
            Some(ErrorCode::ConstraintViolation) => Self::Guard(error.to_string()),
            _ => Self::Sqlite(error.to_string()),
        }
    }
}
