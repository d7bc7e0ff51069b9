//! Why a database did not do what it was asked.

/// What a database says of a statement.
#[derive(Debug, thiserror::Error)]
pub(in crate::ledger) enum Error {
    /// One row was asked for, and there is none.
    #[error("Query returned no rows")]
    NoRows,
    /// A value is not of the kind that it must be.
    #[error("{found} stands where {wanted} must stand")]
    Mismatch { wanted: &'static str, found: &'static str },
    /// A number is larger or smaller than it can be.
    #[error("{0} is out of range")]
    OutOfRange(i64),
    /// Only a ledger in a file has what was asked for.
    #[error("a ledger on a server has no file of its own")]
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "only a server has none"))]
    NoFile,
    /// A value is no value of ours.
    #[error("{0}")]
    Meaningless(String),
    /// The database refused, or failed.
    #[error("{text}")]
    Failed { why: Failure, text: String },
}

/// Why a database refused or failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ledger) enum Failure {
    /// Another program has it.
    Busy,
    /// No room.
    Full,
    /// It cannot be written to.
    ReadOnly,
    /// It is damaged.
    Damaged,
    /// It is something else.
    NotADatabase,
    /// The disk or the system failed.
    Io,
    /// A server is not there, or broke off.
    #[cfg(feature = "postgres")]
    Away,
    /// A server lets nobody in.
    #[cfg(feature = "postgres")]
    Denied,
    /// A server asks for a password, and none is known; the text is the login.
    #[cfg(feature = "postgres")]
    NoPassword,
    /// The login lacks a right in the database.
    #[cfg(feature = "postgres")]
    Forbidden,
    /// A server takes no writes.
    #[cfg(feature = "postgres")]
    Standby,
    /// One of its own rules stood against it.
    Guard,
    /// Anything else.
    Other,
}

pub(in crate::ledger) type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Why the database refused or failed, if it did.
    pub(in crate::ledger) const fn failure(&self) -> Option<Failure> {
        match self {
            Self::Failed { why, .. } => Some(*why),
            _ => None,
        }
    }
}

/// None where no row was found.
pub(in crate::ledger) trait OptionalExtension<T> {
    fn optional(self) -> Result<Option<T>>;
}

impl<T> OptionalExtension<T> for Result<T> {
    fn optional(self) -> Result<Option<T>> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(Error::NoRows) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
