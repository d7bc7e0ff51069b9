//! What the system must grant before anything begins: open files, threads, and writes that fail instead of killing.
//!
//! Libraries below panic where a file or thread is refused to them, which could happen in the middle of a run. So
//! everything is tried out first, and a refusal is an error in words while nothing has been sent yet.

use std::thread::{Builder, available_parallelism};

use anyhow::{Result, anyhow};

/// Files that any command may have open at a time: the sheets, the ledger with its companions, temporary files, the
/// runtime's own, and results.
const FILES: usize = 64;
/// Files for each request in flight: its connection, and the other end of it where the sandbox is in this process.
pub(super) const FILES_PER_REQUEST: usize = 2;
/// Threads beside the runtime's, of which there is one for each core: the ledger's, readers of sheets, look-ups of names.
const THREADS: usize = 8;

/// Makes sure that a command can open the files it needs, with so many requests in flight.
pub(super) fn make_room(requests: usize) -> Result<()> {
    let files = FILES.saturating_add(requests.saturating_mul(FILES_PER_REQUEST));
    files_can_be_opened(files)
}

#[cfg(unix)]
fn files_can_be_opened(files: usize) -> Result<()> {
    use std::os::fd::AsFd;

    raise_limit(files);
    let stdin = std::io::stdin();
    let opened: std::io::Result<Vec<_>> = (0..files).map(|_| stdin.as_fd().try_clone_to_owned()).collect();
    opened.map(drop).map_err(|error| {
        anyhow!(
            "the system does not let this program open the {files} files that it may need ({error}): raise the limit, \
             for instance with `ulimit -n 1024`, and run the command again; nothing was sent"
        )
    })
}

/// Elsewhere open files are not counted.
#[cfg(not(unix))]
fn files_can_be_opened(_: usize) -> Result<()> {
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
pub(super) fn runtime() -> Result<tokio::runtime::Runtime> {
    let refused = |error: std::io::Error| {
        anyhow!(
            "the system does not let this program start its threads ({error}): close other programs, or raise the limit \
             with `ulimit -u`, and run the command again; nothing was sent"
        )
    };
    let threads = available_parallelism().map_or(1, std::num::NonZero::get) + THREADS;
    threads_can_be_started(threads).map_err(refused)?;
    tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(refused)
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
pub(super) fn let_large_writes_fail() -> Result<()> {
    use anyhow::Context;
    use rustix::process::Signal;
    use tokio::signal::unix::{SignalKind, signal};

    let failed = "the system does not let this program listen to its signals; nothing was sent";
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().context(failed)?;
    let _inside = runtime.enter();
    // Once somebody listens, the signal kills no more, also after the listener is gone.
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).map(drop).context(failed)
}

/// Elsewhere there is no such signal.
#[cfg(not(unix))]
pub(super) fn let_large_writes_fail() -> Result<()> {
    Ok(())
}
