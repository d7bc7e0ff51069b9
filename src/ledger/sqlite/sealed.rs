//! Reading a ledger where nothing can be written: on a read-only file system, or in a folder of somebody else's.
//!
//! A reader of a WAL database writes as well, to the index that it shares with others. Where it cannot, the file can still
//! be read as one that never changes, and that is right only while nobody writes to it and nothing of it is elsewhere.

use std::fmt::Write as _;
use std::path::Path;

use rusqlite::OpenFlags;

use crate::ledger::db::Connection;
use crate::ledger::error::LedgerError;
use crate::ledger::lock::holder;
use crate::ledger::place;

/// Whether nothing can be made beside a ledger.
#[cfg(unix)]
pub(in crate::ledger) fn is_sealed(ledger: &Path) -> bool {
    use rustix::fs::{Access, access};
    let folder = ledger.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    access(folder, Access::WRITE_OK).is_err()
}

/// Elsewhere that is not found out.
#[cfg(not(unix))]
pub(in crate::ledger) const fn is_sealed(_: &Path) -> bool {
    false
}

/// Opens a ledger as a file that does not change.
pub(in crate::ledger) fn connect(ledger: &Path) -> Result<Connection, LedgerError> {
    // What the log holds would be missing: bookings that were made would look as if they were not.
    let log = place::beside(ledger, "-wal").metadata().map_or(0, |metadata| metadata.len());
    if log > 0 {
        return Err(LedgerError::Sealed(ledger.to_owned()));
    }
    if holder(ledger).is_some() {
        return Err(LedgerError::Busy);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    Ok(Connection::to_file(rusqlite::Connection::open_with_flags(address(ledger), flags)?))
}

/// The file as an address, in which every byte of its path stands for itself.
fn address(ledger: &Path) -> String {
    let mut address = String::from("file:");
    for byte in ledger.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => address.push(char::from(*byte)),
            // Writing into text cannot fail.
            other => {
                let _ = write!(address, "%{other:02X}");
            }
        }
    }
    address + "?immutable=1"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sign_in_a_path_means_anything_in_an_address() {
        let address = address(Path::new("/a b/?immutable=0#%41ü.sqlite"));
        assert_eq!(address, "file:/a%20b/%3Fimmutable%3D0%23%2541%C3%BC.sqlite?immutable=1");
    }
}
