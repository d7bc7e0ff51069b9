//! Copies that know what they are, and ledgers that move.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::ledger::{NewAcceptance, Relocated};

/// A ledger with one booked order, in a folder of its own.
struct Moving {
    folder: tempfile::TempDir,
    watch: Watch,
}

impl Moving {
    fn new() -> Self {
        let folder = room::folder();
        let watch = watch(&folder.path().join("state"));
        let moving = Self { folder, watch };
        moving.book("ledger.sqlite", "A-1").unwrap();
        moving
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn open(&self, name: &str) -> Result<Ledger, LedgerError> {
        open_watched(&self.path(name), &self.watch)
    }

    /// Books one order with the ledger of this name.
    fn book(&self, name: &str, number: &str) -> Result<(), LedgerError> {
        let mut bench = Bench { ledger: self.open(name)?, folder: room::folder(), address: None };
        bench.bring(number, State::Booked);
        Ok(())
    }

    /// Copies the ledger's file, as anybody could.
    fn copy(&self, name: &str) {
        fs::copy(self.path("ledger.sqlite"), self.path(name)).unwrap();
    }

    fn accept(&self, name: &str) -> Result<bool, LedgerError> {
        Ledger::accept(RunLock::acquire(&self.path(name), "accept")?, &self.watch, &word("the disk broke"))
    }

    fn relocate(&self, to: &str) -> Result<Relocated, LedgerError> {
        Ledger::relocate(&self.path("ledger.sqlite"), &self.path(to), &self.watch, &word("moved"))
    }
}

fn word(because: &str) -> NewAcceptance {
    NewAcceptance { user: "asha".to_owned(), host: "desk".to_owned(), because: because.to_owned(), at_ms: 7_000 }
}

fn homes(ledger: &Ledger) -> i64 {
    ledger.connection.query_row("SELECT count(*) FROM homes", (), |row| row.get(0)).unwrap()
}

#[test]
fn a_copy_is_refused_and_told_where_the_ledger_is() {
    let moving = Moving::new();
    moving.copy("copy.sqlite");
    let refused = moving.open("copy.sqlite").unwrap_err();
    let home = moving.path("ledger.sqlite").canonicalize().unwrap();
    assert!(
        matches!(&refused, LedgerError::Copy { of, host, .. } if Path::new(of) == home && host == "desk"),
        "{refused}"
    );
    let copy = Ledger::open_read_only(&moving.path("copy.sqlite")).unwrap();
    assert_eq!(copy.copy_of("desk").unwrap().unwrap().path, home.to_string_lossy());
    let itself = Ledger::open_read_only(&home).unwrap();
    assert_eq!((itself.copy_of("desk").unwrap(), homes(&itself)), (None, 1));
}

/// Closes a ledger as a killed process does: what is in its log stays there.
fn kill(ledger: Ledger) {
    let setting = rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
    ledger.connection.file().unwrap().set_db_config(setting, true).unwrap();
    drop(ledger);
}

/// The file without its log, as a backup of single files takes it while the first run goes.
#[test]
fn a_copy_of_the_file_alone_knows_in_the_first_run_whose_copy_it_is() {
    for was_killed in [false, true] {
        let folder = room::folder();
        let root = folder.path().canonicalize().unwrap();
        let path = |name: &str| root.join(name);
        let (asha, ravi) = (watch(&path("asha")), watch(&path("ravi")));
        if was_killed {
            // Between the note and the file.
            let ledger = Ledger::open(&path("ledger.sqlite")).unwrap();
            let home = Ledger::home_at(&path("ledger.sqlite"), &asha).unwrap();
            home.note(&ledger.connection, asha.noting(), None, None).unwrap();
            kill(ledger);
        }
        let ledger = open_watched(&path("ledger.sqlite"), &asha).unwrap();
        let mut bench = Bench { ledger, folder: room::folder(), address: None };
        bench.bring("A-1", State::Booked);
        fs::copy(path("ledger.sqlite"), path("copy.sqlite")).unwrap();
        let refused = open_watched(&path("copy.sqlite"), &ravi);
        assert!(matches!(&refused, Err(LedgerError::Copy { of, .. }) if Path::new(of) == path("ledger.sqlite")));
        let refused = open_watched(&path("copy.sqlite"), &asha);
        assert!(matches!(refused, Err(LedgerError::InUseElsewhere { .. })), "{refused:?}");

        // The ledger is moved away, and the copy is put in its place; then its file is moved without its log.
        kill(bench.ledger);
        let refused = open_watched(&path("copy.sqlite"), &asha);
        assert!(matches!(refused, Err(LedgerError::Behind { missing: 1, .. })), "{refused:?}");
        for end in ["", "-wal", "-shm"] {
            fs::rename(path(&format!("ledger.sqlite{end}")), path(&format!("moved.sqlite{end}"))).unwrap();
        }
        fs::copy(path("copy.sqlite"), path("ledger.sqlite")).unwrap();
        let refused = open_watched(&path("ledger.sqlite"), &asha);
        assert!(matches!(refused, Err(LedgerError::Older { missing: 1, .. })), "{refused:?}");
        bench.ledger = open_watched(&path("moved.sqlite"), &asha).unwrap();
        assert_eq!(bench.state("A-1"), "booked");
        bench.bring("A-2", State::Booked);
        kill(bench.ledger);
        fs::rename(path("moved.sqlite"), path("alone.sqlite")).unwrap();
        let refused = open_watched(&path("alone.sqlite"), &asha);
        assert!(matches!(refused, Err(LedgerError::Behind { missing: 1, .. })), "{refused:?}");
    }
}

#[test]
fn a_copy_that_lacks_attempts_is_refused_even_without_its_homes() {
    let moving = Moving::new();
    moving.copy("copy.sqlite");
    moving.book("ledger.sqlite", "A-2").unwrap();
    // As a version made it that noted no homes.
    let connection = rusqlite::Connection::open(moving.path("copy.sqlite")).unwrap();
    connection.execute_batch("DROP TRIGGER homes_stay; DELETE FROM homes").unwrap();
    drop(connection);
    let refused = moving.open("copy.sqlite").unwrap_err();
    assert!(matches!(refused, LedgerError::Behind { missing: 1, .. }), "{refused}");
    // And as one noted it that knew no marks by identity.
    for mark in fs::read_dir(moving.path("state")).unwrap().map(|entry| entry.unwrap().path()) {
        if mark.extension().is_some_and(|end| end == "ledger") {
            fs::remove_file(mark).unwrap();
        }
    }
    let refused = moving.open("copy.sqlite").unwrap_err();
    assert!(matches!(refused, LedgerError::Behind { missing: 1, .. }), "{refused}");
}

/// Promise 10: a copy of a ledger books nothing before a person accepts it, and then the other one books nothing.
#[test]
fn of_a_ledger_and_its_accepted_copy_only_the_copy_books() {
    let moving = Moving::new();
    moving.copy("copy.sqlite");
    assert!(moving.accept("copy.sqlite").unwrap());
    assert!(!moving.accept("copy.sqlite").unwrap(), "nothing is held against it any more");
    let refused = moving.open("ledger.sqlite").unwrap_err();
    assert!(matches!(&refused, LedgerError::Behind { at, .. } if at.ends_with("copy.sqlite")), "{refused}");
    moving.book("copy.sqlite", "A-2").unwrap();
    assert!(matches!(moving.open("ledger.sqlite"), Err(LedgerError::Behind { missing: 1, .. })));
    let checked = moving.open("copy.sqlite").unwrap().check().unwrap();
    assert_eq!((checked.faults, checked.acceptances.len()), (vec![], 1));
}

#[test]
fn an_accepted_home_is_bound_into_the_evidence() {
    let moving = Moving::new();
    moving.copy("copy.sqlite");
    moving.accept("copy.sqlite").unwrap();
    let ledger = moving.open("copy.sqlite").unwrap();
    let broken = |sql: &str| ledger.connection.execute_batch(sql).unwrap_err().to_string();
    assert!(broken("UPDATE homes SET path = 'x'").contains("final"));
    assert!(broken("DELETE FROM homes").contains("never deleted"));
    ledger.connection.execute_batch("DROP TRIGGER homes_frozen; UPDATE homes SET path = 'x'").unwrap();
    assert_eq!(ledger.check().unwrap().faults, ["evidence was altered: link 3 does not hold"]);
}

/// Promise 10: a copy of a ledger books nothing before a person accepts it, and then the other one books nothing.
#[test]
fn two_copies_never_book_at_a_time() {
    let moving = Moving::new();
    moving.copy("copy.sqlite");
    let _first = moving.open("ledger.sqlite").unwrap();
    assert!(matches!(moving.accept("copy.sqlite"), Err(LedgerError::InUseElsewhere { .. })));
    // Another file at the same path, which no lock of a file speaks for.
    fs::rename(moving.path("ledger.sqlite"), moving.path("renamed.sqlite")).unwrap();
    for suffix in [".lock", "-wal", "-shm"] {
        fs::remove_file(moving.path(&format!("ledger.sqlite{suffix}"))).unwrap();
    }
    fs::copy(moving.path("copy.sqlite"), moving.path("ledger.sqlite")).unwrap();
    let refused = moving.open("ledger.sqlite").unwrap_err();
    assert!(matches!(refused, LedgerError::InUseElsewhere { .. }), "{refused}");
}

#[test]
fn a_renamed_ledger_is_at_home_and_its_old_place_says_where_it_went() {
    let moving = Moving::new();
    fs::rename(moving.path("ledger.sqlite"), moving.path("renamed.sqlite")).unwrap();
    moving.book("renamed.sqlite", "A-2").unwrap();
    let gone = moving.open("ledger.sqlite").unwrap_err();
    assert!(matches!(&gone, LedgerError::Gone { now_at: Some(at), .. } if at.ends_with("renamed.sqlite")), "{gone}");
    let renamed = moving.open("renamed.sqlite").unwrap();
    assert_eq!(homes(&renamed), 2, "each is noted once");
    drop(renamed);
    // Seen by a container: another name, another machine.
    let watch = Watch { host: "c0ffee".to_owned(), ..moving.watch.clone() };
    assert_eq!(homes(&open_watched(&moving.path("renamed.sqlite"), &watch).unwrap()), 3);
}

#[test]
fn a_ledger_moves_within_a_file_system() {
    let moving = Moving::new();
    let spool = moving.path("ledger.sqlite.spool");
    assert!(spool.exists());
    let moved = moving.relocate("new/ledger.sqlite").unwrap();
    assert!(!moved.old_stays && !spool.exists() && !moving.path("ledger.sqlite.fence").exists(), "{moved:?}");
    moving.book("new/ledger.sqlite", "A-2").unwrap();
    // Also for somebody who shares no marks.
    let stranger = Watch { marks: Some(moving.path("other state")), ..moving.watch.clone() };
    for watch in [&moving.watch, &stranger] {
        let gone = open_watched(&moving.path("ledger.sqlite"), watch).unwrap_err();
        assert!(matches!(&gone, LedgerError::Moved { to, .. } if to.ends_with("new/ledger.sqlite")), "{gone}");
    }
    let checked = moving.open("new/ledger.sqlite").unwrap().check().unwrap();
    assert_eq!((checked.orders, checked.faults, checked.acceptances.len()), (3, vec![], 1));
    assert_eq!(moving.relocate("new/ledger.sqlite").unwrap(), moved, "given again, it is done already");
    assert!(matches!(moving.relocate("third.sqlite"), Err(LedgerError::Moved { .. })));
}

#[test]
fn a_ledger_moves_back_over_its_own_fence_and_over_nothing_else() {
    let moving = Moving::new();
    let go = |from: &str, to: &str| {
        let (from, to) = (moving.path(from), moving.path(to));
        Ledger::relocate(&from, &to, &moving.watch, &word("moved"))
    };
    go("ledger.sqlite", "b.sqlite").unwrap();
    // Refused, and leaves its files beside the fence.
    assert!(moving.open("ledger.sqlite").is_err());
    go("b.sqlite", "ledger.sqlite").unwrap();
    moving.book("ledger.sqlite", "A-2").unwrap();
    assert!(matches!(moving.open("b.sqlite"), Err(LedgerError::Moved { .. })));
    go("ledger.sqlite", "c.sqlite").unwrap();
    // The fence at `b.sqlite` names another place than the one where the ledger is now.
    assert!(matches!(go("c.sqlite", "b.sqlite"), Err(LedgerError::NoPlace { .. })));
    // A new ledger at the old place, in which nothing was booked yet, is no fence either.
    fs::remove_file(moving.path("ledger.sqlite")).unwrap();
    drop(Ledger::open(&moving.path("ledger.sqlite")).unwrap());
    assert!(matches!(go("c.sqlite", "ledger.sqlite"), Err(LedgerError::NoPlace { .. })));
    let checked = moving.open("c.sqlite").unwrap().check().unwrap();
    assert_eq!((checked.orders, checked.faults, checked.acceptances.len()), (3, vec![], 3));
}

#[test]
fn a_ledger_moves_to_no_place_that_is_taken_or_unsafe() {
    let moving = Moving::new();
    fs::write(moving.path("there.sqlite"), "").unwrap();
    fs::write(moving.path("free.sqlite-wal"), "of another").unwrap();
    for to in ["there.sqlite", "free.sqlite", "ledger.sqlite", "Dropbox/ledger.sqlite"] {
        let refused = moving.relocate(to).unwrap_err();
        assert!(matches!(refused, LedgerError::NoPlace { .. } | LedgerError::UnsafePlace { .. }), "{to}: {refused}");
    }
    let reader = Ledger::open_read_only(&moving.path("ledger.sqlite")).unwrap();
    reader.wait_at_most(std::time::Duration::ZERO).unwrap();
    reader.order("A-1").unwrap();
    moving.copy("copy.sqlite");
    drop(reader);
    let copy = Ledger::relocate(&moving.path("copy.sqlite"), &moving.path("new.sqlite"), &moving.watch, &word("x"));
    assert!(matches!(copy, Err(LedgerError::Copy { .. })), "{copy:?}");
    moving.book("ledger.sqlite", "A-2").unwrap();
}
