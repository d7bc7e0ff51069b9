//! From the layout before to the present one.

use super::*;
use crate::ledger::db::Connection;
use crate::ledger::guards;
use crate::ledger::sqlite::connect_to;

/// A ledger of the layout before, in which nearly everything has happened.
const STORED: &str = include_str!("../../../tests/ledgers/layout_20.sql");

fn stored(path: &Path) {
    std::fs::write(path, "").unwrap();
    connect_to(path).unwrap().execute_batch(STORED).unwrap();
}

/// What a database is made of.
fn schema(connection: &Connection) -> Vec<(String, String)> {
    let mut statement = connection.prepare("SELECT name, coalesce(sql, '') FROM sqlite_schema ORDER BY name").unwrap();
    let schema = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    schema.map(Result::unwrap).collect()
}

#[test]
fn a_stored_ledger_comes_to_the_present_layout_and_leaves_a_copy_that_never_books() {
    let folder = room::folder();
    let fresh = Ledger::open(&folder.path().join("fresh.sqlite")).unwrap();
    let path = folder.path().join("stored.sqlite");
    stored(&path);
    let refused = Ledger::open(&path);
    assert!(matches!(refused, Err(LedgerError::Outdated { found: 20, .. })), "{refused:?}");
    assert!(Ledger::open_read_only(&path).is_ok());
    let upgraded = Ledger::upgrade(RunLock::acquire(&path, "test").unwrap(), &watch(folder.path())).unwrap();
    assert_eq!((upgraded.from, upgraded.to), (20, 21));
    assert!(upgraded.checked.unwrap().faults.is_empty());
    let ledger = Ledger::open(&path).unwrap();
    assert_eq!(schema(&ledger.connection), schema(&fresh.connection));
    let copy = upgraded.copy.unwrap();
    for opened in [Ledger::open(&copy), Ledger::open_read_only(&copy)] {
        assert!(matches!(opened, Err(LedgerError::Moved { .. })), "{opened:?}");
    }
    let again = Ledger::upgrade(RunLock::acquire(&copy, "test").unwrap(), &watch(folder.path()));
    assert!(matches!(again, Err(LedgerError::Moved { .. })), "{again:?}");
    let found: i64 = connect_to(&copy).unwrap().query_row("PRAGMA user_version", (), |row| row.get(0)).unwrap();
    assert_eq!(found, 20, "the copy is the ledger as it was");
}

#[test]
fn no_row_of_a_final_table_changes_or_goes() {
    let folder = room::folder();
    let path = folder.path().join("stored.sqlite");
    stored(&path);
    Ledger::upgrade(RunLock::acquire(&path, "test").unwrap(), &watch(folder.path())).unwrap();
    let ledger = connect_to(&path).unwrap();
    ledger.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    let mut tried = 0;
    for (table, _) in guards::FINAL_TABLES {
        let count: i64 = ledger.query_row(&format!("SELECT count(*) FROM {table}"), (), |row| row.get(0)).unwrap();
        if count == 0 {
            continue;
        }
        tried += 1;
        let column: String =
            ledger.query_row("SELECT name FROM pragma_table_info(?1) LIMIT 1", [table], |row| row.get(0)).unwrap();
        for attack in [format!("UPDATE {table} SET {column} = {column}"), format!("DELETE FROM {table}")] {
            let refused = ledger.execute_batch(&attack).unwrap_err().to_string();
            assert!(refused.contains("are final") || refused.contains("are never deleted"), "{attack}: {refused}");
        }
    }
    assert!(tried > 15, "{tried}");
}

#[test]
fn what_moved_away_says_so_at_every_layout() {
    let folder = room::folder();
    let path = folder.path().join("old.sqlite");
    stored(&path);
    let moved = "INSERT INTO moves (at_ms, user, host, path) VALUES (1, 'asha', 'desk', ?1)";
    let connection = connect_to(&path).unwrap();
    connection.execute(moved, ["/srv/new.sqlite"]).unwrap();
    for layout in [20, 9] {
        connection.execute_batch(&format!("PRAGMA user_version = {layout}")).unwrap();
        for opened in [Ledger::open(&path), Ledger::open_read_only(&path)] {
            assert!(matches!(opened, Err(LedgerError::Moved { ref to, .. }) if to == "/srv/new.sqlite"), "{opened:?}");
        }
    }
}
