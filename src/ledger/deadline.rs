//! Until when a station may send: its own deadline, on a clock that runs on while the machine is suspended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A deadline that is put off for as long as the station's session is renewed. Shared by whoever sends and whoever renews.
#[derive(Debug, Clone, Default)]
pub struct Deadline(Arc<(AtomicU64, AtomicBool)>);

impl Deadline {
    /// Whether nothing may leave any more.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        let (until_ms, is_over) = &*self.0;
        is_over.load(Ordering::SeqCst) || now_ms() >= until_ms.load(Ordering::SeqCst)
    }

    /// Puts it off, never forward.
    #[cfg(feature = "postgres")]
    pub(super) fn put_off(&self, until_ms: u64) {
        self.0.0.fetch_max(until_ms, Ordering::SeqCst);
    }

    /// Nothing leaves any more, whatever is renewed.
    #[cfg(feature = "postgres")]
    pub(super) fn end(&self) {
        self.0.1.store(true, Ordering::SeqCst);
    }
}

/// Milliseconds since the machine was started, whether it ran or was suspended.
#[cfg(all(feature = "postgres", target_os = "linux"))]
pub(super) fn now_ms() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    let (seconds, nanos) = (u64::try_from(now.tv_sec).unwrap_or(0), u64::try_from(now.tv_nsec).unwrap_or(0));
    seconds * 1_000 + nanos / 1_000_000
}

/// Milliseconds since the first look; on other systems such clocks run on during a suspend.
#[cfg(not(all(feature = "postgres", target_os = "linux")))]
pub(super) fn now_ms() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static STARTED: OnceLock<Instant> = OnceLock::new();
    u64::try_from(STARTED.get_or_init(Instant::now).elapsed().as_millis()).unwrap_or(u64::MAX)
}
