//! Waiting for a server on a plain thread: connections live on one thread of their own, and whoever asks waits for the answer.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

/// How long a server is waited for that answers nothing at all: longer than it waits for others itself.
const PATIENCE: Duration = Duration::from_mins(1);

/// How long a server is waited for; tests wait for shorter.
pub(super) fn patience() -> Duration {
    crate::env::patience(PATIENCE)
}

/// A number that a test has in the place of a longer time.
#[cfg(debug_assertions)]
pub(in crate::ledger) fn shorter(variable: &str) -> Option<u32> {
    crate::env::variable(variable)?.parse().ok()
}

/// A release has none.
#[cfg(not(debug_assertions))]
pub(in crate::ledger) const fn shorter(_: &str) -> Option<u32> {
    None
}

/// What connections live on.
pub(super) fn runtime() -> io::Result<&'static Runtime> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    static MAKING: Mutex<()> = Mutex::new(());
    let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let made = Builder::new_multi_thread().worker_threads(1).thread_name("ledger").enable_all().build()?;
    Ok(RUNTIME.get_or_init(|| made))
}

/// Waits for something that needs that runtime, as long as for a server.
pub(super) fn waited_for<T>(future: impl Future<Output = T>) -> Result<T, String> {
    let runtime = runtime().map_err(|error| error.to_string())?;
    let _in_it = runtime.enter();
    waited(future, patience()).ok_or_else(|| "it took too long".to_owned())
}

/// Waits on this very thread, also where it belongs to another runtime; none where that takes too long.
pub(super) fn waited<T>(future: impl Future<Output = T>, patience: Duration) -> Option<T> {
    struct Waking(Thread);
    impl Wake for Waking {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Waking(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    let until = Instant::now() + patience;
    loop {
        if let Poll::Ready(done) = future.as_mut().poll(&mut context) {
            return Some(done);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        thread::park_timeout(left);
    }
}
