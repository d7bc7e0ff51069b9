//! A ledger that is gone, older, another or damaged is noticed before a booking.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::ledger::NewAcceptance;

struct Watched {
    bench: Bench,
    watch: Watch,
}

impl Watched {
    /// A ledger with one booked order and its mark.
    fn new() -> Self {
        let folder = room::folder();
        let watch = watch(&folder.path().join("state"));
        let ledger = open_watched(&folder.path().join("ledger.sqlite"), &watch).unwrap();
        let mut bench = Bench { folder, ledger, address: None };
        bench.bring("A-1", State::Booked);
        Self { bench, watch }
    }

    fn path(&self) -> PathBuf {
        self.bench.path()
    }

    fn copy_to(&self, name: &str) -> PathBuf {
        let to = self.bench.folder.path().join(name);
        self.bench.ledger.backup(&to).unwrap();
        to
    }

    /// Closes the ledger and puts another file, or none, in its place.
    fn replace(self, with: Option<&Path>) -> (tempfile::TempDir, Result<Ledger, LedgerError>, Watch) {
        let path = self.path();
        let Bench { folder, ledger, .. } = self.bench;
        drop(ledger);
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(folder.path().join(format!("ledger.sqlite{suffix}")));
        }
        if let Some(with) = with {
            fs::copy(with, &path).unwrap();
        }
        let opened = open_watched(&path, &self.watch);
        (folder, opened, self.watch)
    }
}

#[test]
fn a_good_ledger_opens_again_and_so_does_its_newest_copy() {
    let watched = Watched::new();
    let copy = watched.copy_to("copy.sqlite");
    let (_folder, opened, _) = watched.replace(Some(&copy));
    assert_eq!(opened.unwrap().order("A-1").unwrap()[0].state, "booked");
}

/// Promise 10: a restored backup books nothing before a person accepts it.
#[test]
fn a_restored_backup_is_refused_whatever_came_after_it() {
    for later in [State::Booked, State::Sending] {
        let mut watched = Watched::new();
        let copy = watched.copy_to("copy.sqlite");
        watched.bench.bring("A-2", later);
        let (_folder, opened, _) = watched.replace(Some(&copy));
        assert!(matches!(opened, Err(LedgerError::Older { missing: 1, .. })), "{opened:?}");
    }
}

#[test]
fn a_decision_that_is_lost_is_noticed() {
    let mut watched = Watched::new();
    watched.bench.bring("A-2", State::InDoubt);
    let copy = watched.copy_to("copy.sqlite");
    watched.bench.decide("A-2", DecisionVerb::Booked { awb: "B-2".into() }).unwrap();
    let (_folder, opened, _) = watched.replace(Some(&copy));
    assert!(matches!(opened, Err(LedgerError::Older { .. })), "{opened:?}");
}

#[test]
fn a_copy_that_went_its_own_way_is_refused() {
    let mut watched = Watched::new();
    let copy = watched.copy_to("copy.sqlite");
    watched.bench.bring("A-2", State::Booked);
    let folder = room::folder();
    let other = folder.path().join("ledger.sqlite");
    fs::copy(copy, &other).unwrap();
    let mut bench = Bench { ledger: Ledger::open(&other).unwrap(), folder, address: None };
    bench.bring("A-3", State::Booked);
    let kept = bench.folder.path().join("kept.sqlite");
    bench.ledger.backup(&kept).unwrap();
    let (_folder, opened, _) = watched.replace(Some(&kept));
    assert!(matches!(opened, Err(LedgerError::Older { .. })), "{opened:?}");
}

#[test]
fn another_ledger_is_refused() {
    let mut other = Bench::new();
    other.bring("A-1", State::Booked);
    other.bring("A-2", State::Booked);
    let copy = other.folder.path().join("copy.sqlite");
    other.ledger.backup(&copy).unwrap();
    let (_folder, opened, _) = Watched::new().replace(Some(&copy));
    assert!(matches!(opened, Err(LedgerError::Foreign { .. })), "{opened:?}");
}

/// Promise 10: a ledger that is gone is replaced only once a person accepts it.
#[test]
fn a_missing_ledger_is_refused_until_a_person_accepts_it() {
    let (folder, opened, watch) = Watched::new().replace(None);
    let path = folder.path().join("ledger.sqlite");
    assert!(matches!(opened, Err(LedgerError::Gone { attempts: 1, now_at: None, .. })), "{opened:?}");
    assert!(!path.exists(), "nothing is put in its place");
    fs::write(&path, "").unwrap();
    assert!(matches!(open_watched(&path, &watch), Err(LedgerError::Gone { .. })), "nor is an empty file");
    assert!(accept(&path, &watch).unwrap());
    assert!(!accept(&path, &watch).unwrap(), "nothing is held against it any more");
    let ledger = open_watched(&path, &watch).unwrap();
    let checked = ledger.check().unwrap();
    assert_eq!((checked.faults, checked.evidence), (vec![], 1));
    let kept = &checked.acceptances[0];
    assert_eq!((kept.at_ms, kept.user.as_str(), kept.because.as_str()), (77, "asha", "all were looked up"));
    assert_eq!((kept.attempts_noted, kept.attempts_found, checked.acceptances.len()), (1, 0, 1));
    let broken = |sql: &str| ledger.connection.execute_batch(sql).unwrap_err().to_string();
    assert!(broken("UPDATE decisions SET because = 'x'").contains("final"));
    assert!(broken("DELETE FROM decisions").contains("never deleted"));
}

fn accept(path: &Path, watch: &Watch) -> Result<bool, LedgerError> {
    let (user, host, because) = ("asha".into(), "counter-1".into(), " all were looked up ".into());
    let word = NewAcceptance { user, host, because, at_ms: 77 };
    Ledger::accept(RunLock::acquire(path, "accept")?, watch, &word)
}

#[test]
fn a_ledger_that_never_sent_anything_may_go() {
    let folder = room::folder();
    let watch = watch(&folder.path().join("state"));
    let path = folder.path().join("ledger.sqlite");
    drop(open_watched(&path, &watch).unwrap());
    fs::remove_file(&path).unwrap();
    open_watched(&path, &watch).unwrap();
}

#[test]
fn a_damaged_ledger_is_refused() {
    let watched = Watched::new();
    let copy = watched.copy_to("copy.sqlite");
    let mut bytes = fs::read(&copy).unwrap();
    // The heads of all pages but the first are overwritten.
    for page in bytes.chunks_mut(4096).skip(1) {
        page[..64].fill(0x5a);
    }
    fs::write(&copy, bytes).unwrap();
    let (_folder, opened, _) = watched.replace(Some(&copy));
    assert!(matches!(opened, Err(LedgerError::Damaged(_))), "{opened:?}");
}

#[test]
fn a_mark_that_cannot_be_read_proves_nothing() {
    let watched = Watched::new();
    let marks = watched.watch.marks.clone().unwrap();
    for mark in fs::read_dir(&marks).unwrap() {
        fs::write(mark.unwrap().path(), "\0".repeat(200)).unwrap();
    }
    let copy = watched.copy_to("copy.sqlite");
    assert!(watched.replace(Some(&copy)).1.is_ok());
}

#[test]
fn a_synchronised_folder_needs_a_word() {
    let folder = room::folder();
    let path = folder.path().join("Dropbox/ledger.sqlite");
    let watch = Watch { marks: None, ..watch(folder.path()) };
    let refused = open_watched(&path, &watch).unwrap_err();
    assert!(refused.to_string().contains("kept in step with a cloud (Dropbox)"), "{refused}");
    assert!(!path.exists());
    open_watched(&path, &Watch { allow_network: true, ..watch }).unwrap();
}
