//! Who does something, and where: kept with every run and decision.

/// The user's name.
#[must_use]
pub fn user() -> String {
    std::env::var("USER")
        .or_else(|_| std::env::var("LOGNAME"))
        .or_else(|_| std::env::var("USERNAME"))
        .unwrap_or_else(|_| "unknown".to_owned())
}

/// This machine's name.
#[must_use]
pub fn host() -> String {
    gethostname::gethostname().to_string_lossy().into_owned()
}
