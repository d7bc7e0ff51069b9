//! Guards in the database itself: raw SQL tries what no code of ours should.

use rusqlite::Connection;

use super::*;
use crate::ledger::LedgerError;

/// Tries a statement on the file; gives what the database says.
fn attack(bench: &Bench, sql: &str) -> Result<usize, String> {
    let connection = Connection::open(bench.path()).unwrap();
    connection.pragma_update(None, "foreign_keys", true).unwrap();
    connection.execute(sql, []).map_err(|error| error.to_string())
}

#[test]
fn what_raw_sql_cannot_do() {
    let mut bench = Bench::new();
    bench.settle("booked", booked("A1"));
    bench.settle("rejected", rejected());
    bench.settle("doubt", doubtful());
    let (run, _) = bench.stage(&[("staged", "{}"), ("sending", "{}")]);
    let sending = bench.pending(run)[1];
    bench.intend(run, sending);
    let cases = [
        ("UPDATE orders SET state = 'staged', awb = NULL WHERE number = 'booked'", "a booked order never changes"),
        ("UPDATE orders SET awb = 'A2' WHERE number = 'booked'", "a booked order never changes"),
        ("UPDATE orders SET state = 'booked' WHERE number = 'sending'", "CHECK"),
        ("UPDATE orders SET state = 'booked', awb = ' ' WHERE number = 'sending'", "CHECK"),
        ("UPDATE orders SET state = 'booked', awb = 'A1' WHERE number = 'sending'", "UNIQUE"),
        ("UPDATE orders SET state = 'booked', awb = 'A3' WHERE number = 'staged'", "illegal transition"),
        ("UPDATE orders SET state = 'sending', attempts = attempts + 1 WHERE number = 'doubt'", "illegal transition"),
        ("UPDATE orders SET state = 'sending', attempts = attempts + 1 WHERE number = 'rejected'", "illegal transition"),
        ("UPDATE orders SET state = 'sending' WHERE number = 'staged'", "an order is sent with an attempt"),
        ("UPDATE orders SET state = 'staged' WHERE number = 'sending'", "illegal transition"),
        ("UPDATE orders SET state = 'lost' WHERE number = 'staged'", "illegal transition"),
        ("UPDATE orders SET awb = 'A9' WHERE number = 'staged'", "CHECK"),
        ("UPDATE orders SET number = 'other' WHERE number = 'staged'", "keeps its number"),
        ("UPDATE orders SET created_ms = 1 WHERE number = 'staged'", "keeps its number"),
        ("UPDATE orders SET request_id = 1 WHERE number = 'doubt'", "the request of an order that was sent stays"),
        ("DELETE FROM orders WHERE number = 'staged'", "never deleted"),
        ("DELETE FROM attempts", "never deleted"),
        ("UPDATE attempts SET outcome = 'refused'", "answered once"),
        ("UPDATE attempts SET awb = 'A7' WHERE outcome = 'booked'", "answered once"),
        ("INSERT INTO attempts (order_id, n, request_id, run_id, intent_ms) SELECT order_id, n + 1, request_id, run_id, 0
          FROM attempts WHERE answered_ms IS NULL", "UNIQUE"),
        ("INSERT INTO attempts (order_id, n, request_id, run_id, intent_ms) SELECT order_id, n + 1, request_id, run_id, 0
          FROM attempts WHERE outcome = 'booked'", "only an order that is being sent"),
        ("INSERT INTO orders (service, number, state, created_ms) SELECT service, number, 'staged', 0 FROM orders", "UNIQUE"),
        ("UPDATE requests SET body = x'00'", "frozen"),
        ("DELETE FROM requests", "never deleted"),
        ("UPDATE runs SET rows_read = 5", "CHECK"),
    ];
    for (sql, because) in cases {
        let said = attack(&bench, sql).expect_err(sql);
        assert!(said.contains(because), "{sql}: {said}");
    }
    for (number, state) in [("booked", "booked"), ("doubt", "in_doubt"), ("staged", "staged"), ("sending", "sending")] {
        assert_eq!(bench.state(number), state);
    }
}

#[test]
fn decisions_are_for_good() {
    let mut bench = Bench::new();
    bench.settle("doubt", doubtful());
    let decision = crate::ledger::NewDecision {
        service: SERVICE.into(),
        number: "doubt".into(),
        verb: crate::ledger::DecisionVerb::NotBooked,
        user: "asha".into(),
        host: "desk".into(),
        because: "not in the portal".into(),
        at_ms: 9,
    };
    bench.ledger.decide(&decision).unwrap();
    assert!(attack(&bench, "UPDATE decisions SET because = ''").unwrap_err().contains("never change"));
    assert!(attack(&bench, "DELETE FROM decisions").unwrap_err().contains("never deleted"));
    assert!(matches!(bench.ledger.decide(&decision), Err(LedgerError::Illegal { .. })), "it is no longer in doubt");
}

#[test]
fn an_illegal_step_takes_the_whole_batch_back() {
    let mut bench = Bench::new();
    bench.settle("done", booked("A1"));
    let (run, _) = bench.stage(&[("fresh", "{}"), ("done", "{}")]);
    let fresh = bench.pending(run)[0];
    let done = OrderId(1);
    let error = bench.ledger.commit(&[Change::Intent { order: fresh, run }, Change::Intent { order: done, run }], 5);
    assert!(
        matches!(&error, Err(LedgerError::Illegal { order, state, .. }) if order == "done" && state == "booked"),
        "{error:?}"
    );
    assert_eq!(bench.state("fresh"), "staged");
    let unsent = bench.ledger.commit(&[answer(fresh, booked("A2"))], 5);
    assert!(matches!(unsent, Err(LedgerError::Illegal { .. })), "an answer needs an attempt");
}

#[test]
fn foreign_newer_and_broken_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "this is no database, but it is long enough to be taken for one at first sight").unwrap();
    assert!(matches!(Ledger::open(&text), Err(LedgerError::NotALedger(_))));
    let foreign = folder.path().join("foreign.sqlite");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE notes (text)").unwrap();
    assert!(matches!(Ledger::open(&foreign), Err(LedgerError::NotALedger(_))));
    let bench = Bench::new();
    attack(&bench, "PRAGMA user_version = 99").unwrap();
    assert!(matches!(Ledger::open(&bench.path()), Err(LedgerError::Newer { found: 99, .. })));
    assert!(matches!(Ledger::open_read_only(&bench.path()), Err(LedgerError::Newer { found: 99, .. })));
    assert!(matches!(Ledger::open_read_only(&folder.path().join("none")), Err(LedgerError::Missing(_))));
}

#[cfg(unix)]
#[test]
fn only_its_owner_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let mut bench = Bench::new();
    bench.settle("a", booked("A1"));
    for entry in std::fs::read_dir(bench.folder.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", entry.path().display());
    }
}

#[test]
fn commits_are_synced() {
    let bench = Bench::new();
    let pragma = |name: &str| -> String {
        bench
            .ledger
            .connection
            .pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0))
            .map(|value| format!("{value:?}"))
            .unwrap()
    };
    assert_eq!(pragma("journal_mode"), "Text(\"wal\")");
    assert_eq!(pragma("synchronous"), "Integer(2)");
}
