//! Where a ledger is: a file, or a database of a server beside which this station keeps files of its own.

use std::path::{Path, PathBuf};

#[cfg(feature = "postgres")]
use super::db::Address;

/// Where a ledger is.
#[derive(Debug, Clone)]
pub enum Site {
    /// A file.
    File(PathBuf),
    /// A database of a server.
    #[cfg(feature = "postgres")]
    Server {
        /// The database.
        address: Address,
        /// Stands for the ledger on this machine: whatever lies beside a ledger (lock, spool, open sheets) lies beside it.
        beside: PathBuf,
    },
}

impl Site {
    /// The ledger's file, or what stands for it on this machine.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            #[cfg(feature = "postgres")]
            Self::Server { beside, .. } => beside,
        }
    }

    /// What it is called, for people.
    #[must_use]
    pub fn named(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            #[cfg(feature = "postgres")]
            Self::Server { address, .. } => address.shown().to_owned(),
        }
    }

    /// Whether a ledger may be there: of a server nobody knows that without asking it.
    #[must_use]
    pub fn may_have_ledger(&self) -> bool {
        match self {
            Self::File(path) => path.exists(),
            #[cfg(feature = "postgres")]
            Self::Server { .. } => true,
        }
    }

    /// Whether others may use the ledger at the same time.
    #[must_use]
    pub const fn is_shared(&self) -> bool {
        match self {
            Self::File(_) => false,
            #[cfg(feature = "postgres")]
            Self::Server { .. } => true,
        }
    }
}
