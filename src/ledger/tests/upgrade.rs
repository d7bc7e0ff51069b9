//! From every layout that a ledger ever had to the present one.

use super::*;
use crate::ledger::db::Connection;
use crate::ledger::sqlite::{connect_to, layout};

/// A ledger of an earlier layout, in which nothing has happened yet.
fn old(path: &Path, number: i64) {
    std::fs::write(path, "").unwrap();
    let mut connection = connect_to(path).unwrap();
    layout::make_old(&mut connection, number).unwrap();
}

/// What a database is made of.
fn schema(connection: &Connection) -> Vec<(String, String)> {
    let mut statement = connection.prepare("SELECT name, coalesce(sql, '') FROM sqlite_schema ORDER BY name").unwrap();
    let schema = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    schema.map(Result::unwrap).collect()
}

#[test]
fn every_layout_comes_to_the_present_one_and_leaves_a_copy_that_never_books() {
    let folder = room::folder();
    let fresh = Ledger::open(&folder.path().join("fresh.sqlite")).unwrap();
    let expected = schema(&fresh.connection);
    for number in 1..layout::newest() {
        let path = folder.path().join(format!("{number}.sqlite"));
        old(&path, number);
        let refused = Ledger::open(&path);
        assert!(matches!(refused, Err(LedgerError::Outdated { found, .. }) if found == number), "{refused:?}");
        let is_read = Ledger::open_read_only(&path).is_ok();
        assert_eq!(is_read, number + 1 == layout::newest(), "{number}");
        let upgraded = Ledger::upgrade(RunLock::acquire(&path, "test").unwrap(), &watch(folder.path())).unwrap();
        assert_eq!((upgraded.from, upgraded.to), (number, layout::newest()));
        assert!(upgraded.checked.unwrap().faults.is_empty());
        let ledger = Ledger::open(&path).unwrap();
        assert_eq!(schema(&ledger.connection), expected, "{number}");
        let copy = upgraded.copy.unwrap();
        for opened in [Ledger::open(&copy), Ledger::open_read_only(&copy)] {
            let is_refused = matches!(opened, Err(LedgerError::Moved { .. } | LedgerError::NotALedger(_)));
            assert!(is_refused, "{number}: {opened:?}");
        }
        let again = Ledger::upgrade(RunLock::acquire(&copy, "test").unwrap(), &watch(folder.path()));
        assert!(matches!(again, Err(LedgerError::Moved { .. } | LedgerError::NotALedger(_))), "{number}: {again:?}");
        let found: i64 = connect_to(&copy).unwrap().query_row("PRAGMA user_version", (), |row| row.get(0)).unwrap();
        assert_eq!(found, number, "the copy is the ledger as it was");
    }
}

#[test]
fn what_moved_away_says_so_at_every_layout() {
    let folder = room::folder();
    let path = folder.path().join("old.sqlite");
    old(&path, 9);
    let moved = "INSERT INTO moves (at_ms, user, host, path) VALUES (1, 'asha', 'desk', ?1)";
    connect_to(&path).unwrap().execute(moved, ["/srv/new.sqlite"]).unwrap();
    for opened in [Ledger::open(&path), Ledger::open_read_only(&path)] {
        assert!(matches!(opened, Err(LedgerError::Moved { ref to, .. }) if to == "/srv/new.sqlite"), "{opened:?}");
    }
}
