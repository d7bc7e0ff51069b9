//! Named points at which a test may end the process, as a crash would, pause it, fail by a fault of its own, or make the disk
//! fail. A release has none.

/// Ends the process here, if this is the point and the pass that the environment names.
#[cfg(debug_assertions)]
pub(crate) fn crash_point(name: &str) {
    if armed::reached("SHIPSHEET_CRASH_AT", name, |pass, wanted| pass == wanted) {
        std::process::abort();
    }
    if armed::reached("SHIPSHEET_PANIC_AT", name, |pass, wanted| pass == wanted) {
        std::panic::panic_any("a fault that quotes a cell: Asha".to_owned());
    }
    pause_point(name);
}

/// Stops the process here until somebody lets it go on, if this is the point and the pass that the environment names.
#[cfg(debug_assertions)]
pub(crate) fn pause_point(name: &str) {
    if armed::reached("SHIPSHEET_PAUSE_AT", name, |pass, wanted| pass == wanted) {
        armed::stop();
    }
}

/// Does nothing.
#[cfg(not(debug_assertions))]
pub(crate) const fn pause_point(_: &str) {}

/// Does nothing.
#[cfg(not(debug_assertions))]
pub(crate) const fn crash_point(_: &str) {}

/// Fails here as a full disk does, if this is the point that the environment names, from the pass on that it names.
#[cfg(debug_assertions)]
pub(super) fn fail_point(name: &str) -> Result<(), super::error::LedgerError> {
    if armed::reached("SHIPSHEET_FAIL_AT", name, |pass, wanted| pass >= wanted) {
        return Err(super::error::LedgerError::DiskFull);
    }
    Ok(())
}

/// Does nothing.
#[cfg(not(debug_assertions))]
pub(super) fn fail_point(_: &str) -> Result<(), super::error::LedgerError> {
    Ok(())
}

#[cfg(debug_assertions)]
mod armed {
    use std::collections::HashMap;
    use std::sync::{Mutex, PoisonError};

    static PASSES: Mutex<Option<HashMap<String, u32>>> = Mutex::new(None);

    /// Counts a pass, and says whether it is one that a variable such as `commit:3` asks for.
    pub(super) fn reached(variable: &str, name: &str, asked: impl Fn(u32, u32) -> bool) -> bool {
        let Some(text) = crate::env::variable(variable) else { return false };
        let (point, wanted) = text.rsplit_once(':').map_or((text.as_str(), 1), |(p, n)| (p, n.parse().unwrap_or(1)));
        if point != name {
            return false;
        }
        let mut passes = PASSES.lock().unwrap_or_else(PoisonError::into_inner);
        let count = passes.get_or_insert_default().entry(format!("{variable} {name}")).or_default();
        *count += 1;
        asked(*count, wanted)
    }

    /// Stops the process. Another thread may take the signal, and later, so this one goes no further until it is taken.
    #[cfg(unix)]
    pub(super) fn stop() {
        use rustix::process::{Signal, getpid, kill_process};
        let _ = kill_process(getpid(), Signal::STOP);
        while is_waiting(Signal::STOP) {
            std::thread::yield_now();
        }
    }

    /// Nothing stops a process elsewhere.
    #[cfg(not(unix))]
    pub(super) const fn stop() {}

    /// Whether the system still holds a signal for the process that no thread has taken.
    #[cfg(unix)]
    fn is_waiting(signal: rustix::process::Signal) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let signals = status.lines().find_map(|line| line.strip_prefix("ShdPnd:"));
        let signals = signals.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok()).unwrap_or_default();
        signals >> (signal.as_raw() - 1) & 1 == 1
    }
}
