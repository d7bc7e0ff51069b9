//! What the system must grant before anything begins: open files, threads, and writes that fail instead of killing.
//!
//! Libraries below panic where a file or thread is refused to them, which could happen in the middle of a run. So
//! everything is tried out first, and a refusal is an error in words while nothing has been sent yet.

use std::thread::{Builder, available_parallelism};

/// What the system refused.
#[derive(Debug, thiserror::Error)]
pub enum RoomError {
    /// Too few files can be open at a time.
    #[error(
        "the system does not let this program open the {files} files that it may need ({source}); nothing was sent"
    )]
    Files {
        /// How many are needed.
        files: usize,
        /// What the system said.
        source: std::io::Error,
    },
    /// Too few threads can be started.
    #[error("the system does not let this program start its threads ({0}); nothing was sent")]
    Threads(#[source] std::io::Error),
    /// Signals cannot be listened to.
    #[error("the system does not let this program listen to its signals; nothing was sent")]
    Signals(#[source] std::io::Error),
}

/// Files that any command may have open at a time: the sheets, the ledger with its companions, temporary files, the
/// runtime's own, and results.
const FILES: usize = 64;
/// Files for each request in flight: its connection, and the other end of it where the sandbox is in this process.
pub const FILES_PER_REQUEST: usize = 2;
/// Threads beside the runtime's, of which there is one for each core: the ledger's, readers of sheets, look-ups of names.
const THREADS: usize = 8;

/// Makes sure that a command can open the files it needs, with so many requests in flight.
pub fn make_room(requests: usize) -> Result<(), RoomError> {
    let files = FILES.saturating_add(requests.saturating_mul(FILES_PER_REQUEST));
    files_can_be_opened(files)
}

#[cfg(unix)]
fn files_can_be_opened(files: usize) -> Result<(), RoomError> {
    use std::os::fd::AsFd;

    raise_limit(files);
    let stdin = std::io::stdin();
    let opened: std::io::Result<Vec<_>> = (0..files).map(|_| stdin.as_fd().try_clone_to_owned()).collect();
    opened.map(drop).map_err(|source| RoomError::Files { files, source })
}

/// Elsewhere open files are not counted.
#[cfg(not(unix))]
fn files_can_be_opened(_: usize) -> Result<(), RoomError> {
    Ok(())
}

/// Raises the limit of this process as far as it may itself.
#[cfg(unix)]
fn raise_limit(files: usize) {
    use rustix::process::{Resource, getrlimit, setrlimit};

    // Whoever started this process may have left files open.
    let wanted = files.saturating_mul(2) as u64;
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < wanted) {
        limit.current = Some(limit.maximum.map_or(wanted, |maximum| maximum.min(wanted)));
        // Where it is refused, opening the files shows whether there are enough.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// A runtime for the requests of one command, once the system has shown that it grants its threads.
pub fn runtime() -> Result<tokio::runtime::Runtime, RoomError> {
    let threads = available_parallelism().map_or(1, std::num::NonZero::get) + THREADS;
    threads_can_be_started(threads).map_err(RoomError::Threads)?;
    tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(RoomError::Threads)
}

/// Starts so many threads that are there at the same time, and lets them go.
fn threads_can_be_started(threads: usize) -> std::io::Result<()> {
    let (release, wait) = std::sync::mpsc::channel::<()>();
    let wait = std::sync::Arc::new(std::sync::Mutex::new(wait));
    let start = |_| {
        let wait = std::sync::Arc::clone(&wait);
        // Each waits for the sender to go, one after the other.
        Builder::new().spawn(move || drop(wait.lock().map(|wait| wait.recv())))
    };
    let started: std::io::Result<Vec<_>> = (0..threads).map(start).collect();
    drop(release);
    // Threads of an attempt that failed end by themselves.
    started?.into_iter().for_each(|thread| drop(thread.join()));
    Ok(())
}

/// From here on a write beyond the limit on the size of files fails as on a full disk. Left alone, the signal that comes
/// with it kills the program, and whatever is in flight would be in doubt.
#[cfg(unix)]
pub fn let_large_writes_fail() -> Result<(), RoomError> {
    use rustix::process::Signal;
    use tokio::signal::unix::{SignalKind, signal};

    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().map_err(RoomError::Signals)?;
    let _inside = runtime.enter();
    // Once somebody listens, the signal kills no more, also after the listener is gone.
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).map(drop).map_err(RoomError::Signals)
}

/// Elsewhere there is no such signal.
#[cfg(not(unix))]
pub fn let_large_writes_fail() -> Result<(), RoomError> {
    Ok(())
}
