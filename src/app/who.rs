//! Who does something, and where: kept with every run and decision.

use jiff::Timestamp;

use crate::finding::Accepted;

/// A person's word of this moment, that findings keep nothing back.
pub(super) fn word(because: &str) -> Accepted {
    let at_ms = Timestamp::now().as_millisecond();
    Accepted { by: user(), at_ms, because: because.trim().to_owned(), is_new: true }
}

/// Stands for a user whose name nobody knows.
pub(super) const UNKNOWN: &str = "unknown";

/// The user's name.
#[must_use]
pub fn user() -> String {
    std::env::var("USER")
        .or_else(|_| std::env::var("LOGNAME"))
        .or_else(|_| std::env::var("USERNAME"))
        .unwrap_or_else(|_| UNKNOWN.to_owned())
}

/// This machine's name.
#[must_use]
pub fn host() -> String {
    gethostname::gethostname().to_string_lossy().into_owned()
}
