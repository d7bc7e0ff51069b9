//! From the layout before to the present one.

use super::*;
use crate::finding::{Accepted, Basis};
use crate::ledger::accept::{NewAcceptance, keep_acceptance};
use crate::ledger::chain::Chain;
use crate::ledger::db::Connection;
use crate::ledger::guards;
use crate::ledger::home::{Home, Noting};
use crate::ledger::sqlite::connect_to;
use crate::ledger::{AcceptedFinding, NewAddressWord, NewDismissal, NewPurge};

/// A ledger of the layout before, in which nearly everything has happened.
const STORED: &str = include_str!("../../../tests/ledgers/layout_20.sql");

/// Makes the tables that the layout before had.
const TABLES_BEFORE: &str = include_str!("../../../tests/ledgers/before.sql");

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
    for refused in [Ledger::open(&path), Ledger::open_read_only(&path)] {
        assert!(matches!(refused, Err(LedgerError::Outdated { found: 20, .. })), "{refused:?}");
    }
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
    assert!(tried > 14, "{tried}");
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

/// A ledger with a decision of every kind.
fn decided() -> Bench {
    let mut bench = Bench::new();
    let (user, host, because) = ("asha".to_owned(), "desk".to_owned(), "told so".to_owned());
    bench.bring("A-1", State::Booked);
    bench.bring("A-2", State::InDoubt);
    bench.decide("A-2", DecisionVerb::NotBooked).unwrap();
    bench.bring("A-3", State::Abandoned);
    let (service, numbers) = (SERVICE.to_owned(), vec!["bad".to_owned()]);
    let dismissal = NewDismissal {
        service,
        numbers,
        user: user.clone(),
        host: host.clone(),
        because: because.clone(),
        at_ms: 5_000,
    };
    bench.ledger.dismiss(&dismissal).unwrap();
    let word = Accepted { by: user.clone(), at_ms: 5_000, because: because.clone(), is_new: true };
    let basis = Basis::of([("Phone", "12345")]);
    for (order, sheet) in [(Some("A-4".to_owned()), None), (None, Some("orders.csv".to_owned()))] {
        let (rule, basis, word) = ("phone-form".to_owned(), basis.clone(), word.clone());
        let accepted = AcceptedFinding { rule, order, sheet, basis, word };
        bench.ledger.accept_findings(SERVICE, &host, &[accepted]).unwrap();
    }
    for (other, is_same) in [("https://same.example.com", true), ("https://other.example.com", false)] {
        let (one, other, user, host, because) =
            (SERVICE.to_owned(), other.to_owned(), user.clone(), host.clone(), because.clone());
        bench
            .ledger
            .say_of_addresses(&NewAddressWord { one, other, is_same, because, user, host, at_ms: 5_000 })
            .unwrap();
    }
    let (home, by) = (Home::of(&bench.path(), &host).unwrap(), Noting { user: &user, host: &host, at_ms: 5_000 });
    let word = NewAcceptance { user: user.clone(), host: host.clone(), because, at_ms: 5_000 };
    let transaction = bench.ledger.begin().unwrap();
    keep_acceptance(&transaction, &word, 7, (&home, by, None)).unwrap();
    transaction.commit().unwrap();
    bench.ledger.purge(&NewPurge { before_ms: 9_000, user, host, at_ms: 10_000 }).unwrap();
    bench.decide("A-2", DecisionVerb::Abandoned).unwrap();
    bench
}

/// Makes the layout before of a ledger, in which each table counted its own rows.
fn put_back(bench: &Bench) {
    let renumbered = "DELETE FROM decisions WHERE order_id IS NULL;
        UPDATE acceptances SET id = 1; UPDATE homes SET acceptance_id = 1 WHERE acceptance_id IS NOT NULL;
        UPDATE evidence SET acceptance_id = 1 WHERE acceptance_id IS NOT NULL;
        UPDATE purges SET id = 1; UPDATE attempts SET purge_id = 1 WHERE purge_id IS NOT NULL;
        UPDATE evidence SET purge_id = 1 WHERE purge_id IS NOT NULL;
        PRAGMA user_version = 20";
    evidence::tamper(bench, &format!("PRAGMA foreign_keys = OFF; {TABLES_BEFORE}; {renumbered}"));
    let old = rusqlite::Connection::open_in_memory().unwrap();
    old.execute_batch(STORED).unwrap();
    for view in ["address_pairs", "dismissed_rows"] {
        let sql = "SELECT sql FROM sqlite_schema WHERE name = ?1";
        let made: String = old.query_row(sql, [view], |row| row.get(0)).unwrap();
        bench.attack(&format!("DROP VIEW IF EXISTS {view}; {made}")).unwrap();
    }
}

/// All that decisions say, by their links.
fn said(ledger: &Ledger) -> Vec<String> {
    let sql = "SELECT concat_ws('|', evidence_n, at_ms, user, host, verb, because, order_id, attempt_id, awb, attempts_noted,
            attempts_found, service_id, other_id, rule, number, sheet, basis, run_id, hex(cells), before_ms, orders, requests,
            hex(digest)) FROM decisions ORDER BY evidence_n";
    let mut statement = ledger.connection.prepare(sql).unwrap();
    statement.query_map((), |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_decision_of_every_kind_comes_over_with_what_it_binds() {
    let bench = decided();
    evidence::tamper(&bench, "PRAGMA foreign_keys = OFF");
    Chain::bind_without_sources(&bench.ledger.connection).unwrap();
    let before = said(&bench.ledger);
    let all = |ledger: &Ledger| {
        let numbers = ["A-1", "A-2", "A-3", "A-4", "bad"];
        let links: Vec<_> = numbers.iter().flat_map(|number| ledger.evidence(number).unwrap()).collect();
        let decisions: Vec<_> = ledger.order("A-2").unwrap()[0].decisions.iter().map(|one| one.verb.clone()).collect();
        (said(ledger), links, decisions, ledger.address_words().unwrap(), ledger.accepted_findings(SERVICE).unwrap())
    };
    let expected = all(&bench.ledger);
    let sound = bench.ledger.check().unwrap();
    assert_eq!((sound.faults.clone(), before.len(), sound.acceptances.len()), (vec![], 10, 1));
    put_back(&bench);
    let path = bench.path();
    let Bench { folder, ledger, .. } = bench;
    drop(ledger);
    let upgraded = Ledger::upgrade(RunLock::acquire(&path, "test").unwrap(), &watch(folder.path())).unwrap();
    assert_eq!(upgraded.checked.unwrap(), sound);
    let ledger = Ledger::open(&path).unwrap();
    assert_eq!(all(&ledger), expected);
    let named = "SELECT count(*) FROM decisions d WHERE (d.verb = 'accept-ledger' AND d.id = 1
            AND EXISTS (SELECT 1 FROM homes h WHERE h.acceptance_id = d.id))
        OR (d.verb = 'remove' AND EXISTS (SELECT 1 FROM attempts a WHERE a.purge_id = d.id))";
    assert_eq!(ledger.connection.query_row(named, (), |row| row.get::<i64>(0)).unwrap(), 2);
    assert!(ledger.is_dismissed_in(RunId(3), "bad").unwrap());
}
