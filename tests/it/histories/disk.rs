//! The disk of a history: a ledger's files, what stands beside them, and who holds them.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use shipsheet::ledger::{Ledger, RunLock};

/// How long a lock may take to be free after its process is gone.
const LOCK_FREE: Duration = Duration::from_secs(30);

/// What stands beside a ledger.
pub(super) const COMPANIONS: [&str; 4] = ["", "-wal", "-shm", ".spool"];

/// A ledger's files, to be put back.
pub(super) struct Snapshot(Vec<(PathBuf, Option<Vec<u8>>)>);

impl Snapshot {
    pub(super) fn take(ledger: &Path, marks: &Path) -> Self {
        // The mark first: it is raised after the commit that it speaks of.
        let marks = std::fs::read_dir(marks).into_iter().flatten().map(|entry| entry.unwrap().path());
        let beside = ["-wal", "", ".spool"].iter().map(|suffix| beside(ledger, suffix));
        Self(marks.chain(beside).map(|path| (path.clone(), std::fs::read(&path).ok())).collect())
    }

    pub(super) fn put_back(&self) {
        for (path, bytes) in &self.0 {
            match bytes {
                Some(bytes) => std::fs::write(path, bytes).unwrap(),
                None => drop(std::fs::remove_file(path)),
            }
        }
    }
}

pub(super) fn beside(ledger: &Path, suffix: &str) -> PathBuf {
    let mut name = ledger.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// A ledger that nothing was done with yet; making one takes longer than most histories.
pub(super) fn empty_ledger() -> &'static [u8] {
    static EMPTY: OnceLock<Vec<u8>> = OnceLock::new();
    EMPTY.get_or_init(|| {
        let folder = crate::rig::folder();
        let path = folder.path().join("ledger.sqlite");
        drop(Ledger::open(&path).unwrap());
        std::fs::read(&path).unwrap()
    })
}

/// Attempts that a ledger's files tell of.
pub(super) fn attempts(ledger: &Path) -> i64 {
    let count = |database: rusqlite::Connection| {
        database.query_row("SELECT coalesce(max(id), 0) FROM attempts", [], |row| row.get(0))
    };
    rusqlite::Connection::open(ledger).and_then(count).unwrap_or(0)
}

/// Holds the ledger so that nobody else can write to it.
pub(super) fn occupied(ledger: &Path) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(ledger).unwrap();
    connection.busy_timeout(Duration::from_secs(10)).unwrap();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    connection
}

/// Takes the lock once it is free: a thread of a process that is gone may still be writing.
pub(super) fn lock_of(ledger: &Path) -> RunLock {
    let begun = Instant::now();
    loop {
        match RunLock::acquire(ledger, "a history") {
            Ok(lock) => return lock,
            Err(error) => assert!(begun.elapsed() < LOCK_FREE, "{error}"),
        }
        std::thread::sleep(Duration::from_micros(300));
    }
}
