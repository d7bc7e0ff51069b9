//! Locks on a database file itself, by its inode: one file has one lock, from whatever folder or container it is seen.
//!
//! Closing any handle of a file drops the locks that SQLite holds on it in this whole process, and with them what keeps
//! another process from taking the log away. So a handle on a database is never closed: it is kept, one for each file,
//! and used again.
//!
//! On Linux only. On macOS and BSD this kind of lock and SQLite's own shut each other out, and on Windows a lock keeps
//! everybody from reading: there the lock file beside the ledger is the only one.

#[cfg(target_os = "linux")]
pub(in crate::ledger) use linux::{InodeLock, is_locked, try_lock};
#[cfg(not(target_os = "linux"))]
pub(in crate::ledger) use none::{InodeLock, is_locked, try_lock};

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;
    use std::collections::btree_map::Entry;
    use std::fs::{File, Metadata, OpenOptions, TryLockError};
    use std::io;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;
    use std::sync::{Mutex, PoisonError};

    use crate::ledger::place;

    /// How often a file may be replaced while its lock is being taken.
    const REPLACED_MAX: u32 = 16;

    /// Device and inode.
    type Key = (u64, u64);

    /// A handle that stays open until the process ends.
    struct Handle {
        file: File,
        /// Locked by this process.
        locked: bool,
    }

    static HANDLES: Mutex<BTreeMap<Key, Handle>> = Mutex::new(BTreeMap::new());

    /// The lock on a database file. Dropped, it is released.
    #[derive(Debug)]
    pub(in crate::ledger) struct InodeLock {
        /// None where the file's place does not allow a lock.
        key: Option<Key>,
    }

    impl InodeLock {
        /// For a file that cannot be locked without locking SQLite out.
        pub(in crate::ledger) const fn nothing() -> Self {
            Self { key: None }
        }
    }

    /// Locks the file at a path, or says that another process, or this one, has it locked.
    pub(in crate::ledger) fn try_lock(path: &Path) -> io::Result<Option<InodeLock>> {
        let (locked, key) = with_handle(path, |handle| {
            if handle.locked {
                return Ok(false);
            }
            match handle.file.try_lock() {
                Ok(()) => handle.locked = true,
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            Ok(handle.locked)
        })?;
        // Made only where it is had: dropping one releases the lock.
        Ok(locked.then(|| InodeLock { key: Some(key) }))
    }

    /// Whether somebody has the file at a path locked.
    pub(in crate::ledger) fn is_locked(path: &Path) -> io::Result<bool> {
        let (locked, _) = with_handle(path, |handle| {
            if handle.locked {
                return Ok(true);
            }
            match handle.file.try_lock_shared() {
                Ok(()) => handle.file.unlock().map(|()| false),
                Err(TryLockError::WouldBlock) => Ok(true),
                Err(TryLockError::Error(error)) => Err(error),
            }
        })?;
        Ok(locked)
    }

    /// Does something with the kept handle of the file that stands at a path, before it is done and after.
    fn with_handle(path: &Path, mut act: impl FnMut(&mut Handle) -> io::Result<bool>) -> io::Result<(bool, Key)> {
        for _ in 0..REPLACED_MAX {
            let wanted = key(&path.symlink_metadata()?);
            let mut handles = HANDLES.lock().unwrap_or_else(PoisonError::into_inner);
            if !handles.contains_key(&wanted) {
                // Nobody finds a deleted file by its name: its handle is of no use any more.
                handles.retain(|_, handle| handle.locked || has_a_name(&handle.file));
                let (file, opened) = open(path)?;
                match handles.entry(opened) {
                    Entry::Vacant(place) => {
                        place.insert(Handle { file, locked: false });
                    }
                    // Replaced meanwhile by a file that has its handle already. This one must not be closed either.
                    Entry::Occupied(_) => std::mem::forget(file),
                }
            }
            let Some(handle) = handles.get_mut(&wanted) else { continue };
            let was_locked = handle.locked;
            let done = act(handle)?;
            // Replaced while it was being locked: whoever comes next would find another file there.
            if path.symlink_metadata().is_ok_and(|metadata| key(&metadata) == wanted) {
                return Ok((done, wanted));
            }
            if handle.locked && !was_locked {
                handle.file.unlock()?;
                handle.locked = false;
            }
        }
        Err(io::Error::other("the file is being replaced again and again"))
    }

    fn open(path: &Path) -> io::Result<(File, Key)> {
        let mut options = OpenOptions::new();
        options.read(true);
        place::without_following(&mut options);
        let file = options.open(path)?;
        let key = key(&file.metadata()?);
        Ok((file, key))
    }

    fn has_a_name(file: &File) -> bool {
        file.metadata().map_or(true, |metadata| metadata.nlink() > 0)
    }

    fn key(metadata: &Metadata) -> Key {
        (metadata.dev(), metadata.ino())
    }

    impl Drop for InodeLock {
        fn drop(&mut self) {
            let mut handles = HANDLES.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(handle) = self.key.and_then(|key| handles.get_mut(&key)) {
                let _ = handle.file.unlock();
                handle.locked = false;
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod none {
    use std::io;
    use std::path::Path;

    /// No lock.
    #[derive(Debug)]
    pub(in crate::ledger) struct InodeLock;

    impl InodeLock {
        pub(in crate::ledger) const fn nothing() -> Self {
            Self
        }
    }

    pub(in crate::ledger) fn try_lock(_: &Path) -> io::Result<Option<InodeLock>> {
        Ok(Some(InodeLock))
    }

    pub(in crate::ledger) fn is_locked(_: &Path) -> io::Result<bool> {
        Ok(false)
    }
}
