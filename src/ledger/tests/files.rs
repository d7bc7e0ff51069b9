//! What the ledger does with files: rights and links.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::*;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn folders_and_files_are_for_their_owner_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b/ledger.sqlite");
    let _lock = RunLock::acquire(&path, "import").unwrap();
    let mut ledger = Ledger::open(&path).unwrap();
    ledger.stage(new_run(RunKind::Import)).unwrap().commit(&RunFacts::default()).unwrap();
    assert_eq!((mode(&folder.path().join("a")), mode(&folder.path().join("a/b"))), (0o700, 0o700));
    for entry in fs::read_dir(path.parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[test]
fn what_others_could_read_is_narrowed() {
    let Bench { folder, ledger, .. } = Bench::new();
    drop(ledger);
    let names = ["ledger.sqlite", "ledger.sqlite.lock", "ledger.sqlite-wal"].map(|name| folder.path().join(name));
    for name in &names {
        fs::File::options().create(true).append(true).open(name).unwrap();
        fs::set_permissions(name, fs::Permissions::from_mode(0o644)).unwrap();
    }
    let _ledger = Ledger::open(&names[0]).unwrap();
    for name in names {
        assert_eq!(mode(&name), 0o600, "{}", name.display());
    }
}

#[test]
fn a_symlink_leads_to_one_ledger_and_a_hard_link_is_refused() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Booked);
    let link = bench.folder.path().join("link.sqlite");
    std::os::unix::fs::symlink(bench.path(), &link).unwrap();
    assert_eq!(Ledger::open(&link).unwrap().order("A-1").unwrap()[0].state, "booked");
    fs::hard_link(bench.path(), bench.folder.path().join("second.sqlite")).unwrap();
    for opened in [Ledger::open(&bench.path()), Ledger::open_read_only(&link)] {
        assert!(matches!(opened, Err(LedgerError::HardLinked { names: 2, .. })), "{opened:?}");
        // A copy would be refused as one: the message sends nobody there.
        let said = opened.unwrap_err().to_string();
        assert!(said.contains("`find FOLDER -samefile ") && !said.contains("copy"), "{said}");
    }
}

#[test]
fn a_sealed_ledger_is_read_only_where_nothing_of_it_is_elsewhere() {
    use crate::ledger::db::Connection;
    use crate::ledger::sqlite::sealed;
    let mut bench = Bench::new();
    bench.settle("a", booked("A1"));
    let path = bench.path();
    assert!(matches!(sealed::connect(&path), Err(LedgerError::Sealed(_))), "its newest entries are in the log");
    let booked_in = |connection: &Connection| {
        connection.query_row("SELECT count(*) FROM orders WHERE awb = 'A1'", (), |row| row.get::<u32>(0)).unwrap()
    };
    let Bench { folder, ledger, .. } = bench;
    // The last to leave writes the log into the file.
    drop(ledger);
    let lock = RunLock::acquire(&path, "import").unwrap();
    assert!(matches!(sealed::connect(&path), Err(LedgerError::Busy)), "somebody may be writing");
    drop(lock);
    assert_eq!(booked_in(&sealed::connect(&path).unwrap()), 1);
    assert!(!folder.path().join("ledger.sqlite-shm").exists(), "reading wrote nothing");
}
