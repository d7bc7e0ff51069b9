//! Named points at which a test may end the process, as a crash would. A release has none of them.

/// Ends the process here, if this is the point and the pass that the environment names.
#[cfg(debug_assertions)]
pub(crate) fn crash_point(name: &str) {
    use std::collections::HashMap;
    use std::sync::Mutex;

    static PASSES: Mutex<Option<HashMap<String, u32>>> = Mutex::new(None);
    let Ok(wanted) = std::env::var("SHIPSHEET_CRASH_AT") else { return };
    let (point, pass) = wanted.rsplit_once(':').map_or((wanted.as_str(), 1), |(p, n)| (p, n.parse().unwrap_or(1)));
    if point != name {
        return;
    }
    let mut passes = PASSES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let count = passes.get_or_insert_default().entry(name.to_owned()).or_default();
    *count += 1;
    if *count == pass {
        std::process::abort();
    }
}

/// Does nothing.
#[cfg(not(debug_assertions))]
pub(crate) const fn crash_point(_: &str) {}
