//! Guards in the database itself: raw SQL tries what no code of ours should.

use rusqlite::Connection;

use super::State::{Abandoned, Booked, Held, InDoubt, LeftOut, Refused, Rejected, Sending, Staged, Waiting};
use super::*;

/// Where an order stands, what is tried on it or beside it, and which rule holds.
const ATTACKS: &[(State, &str, &str)] = &[
    (Booked, "UPDATE orders SET state = 'staged', awb = NULL, order_id = NULL WHERE id = 1", "no way leads"),
    (Booked, "UPDATE orders SET awb = 'OTHER' WHERE id = 1", "never changes"),
    (Booked, "UPDATE orders SET error = 'x' WHERE id = 1", "never changes"),
    (
        Booked,
        "INSERT INTO cancel_requests (order_id, asked_ms, user, host, ended_ms, outcome)
         VALUES (1, 0, 'u', 'h', 1, 'unknown'); UPDATE cancel_requests SET outcome = 'cancelled'",
        "ends once",
    ),
    (
        Booked,
        "INSERT INTO cancel_requests (order_id, asked_ms, user, host) VALUES (1, 0, 'u', 'h');
         DELETE FROM cancel_requests",
        "never deleted",
    ),
    (
        Booked,
        "INSERT INTO cancel_requests (order_id, asked_ms, user, host, outcome) VALUES (1, 0, 'u', 'h', 'cancelled')",
        "constraint",
    ),
    (Booked, "DELETE FROM orders", "never deleted"),
    (Staged, "DELETE FROM orders", "never deleted"),
    (
        Booked,
        "INSERT OR REPLACE INTO orders (id, service_id, number, state, request_id, created_ms)
         VALUES (9, 1, 'A-1', 'staged', 1, 0)",
        "begins once",
    ),
    (Booked, "UPDATE OR REPLACE orders SET id = 8", "never changes"),
    (Staged, "UPDATE orders SET number = 'A-9' WHERE id = 1", "identity"),
    (Staged, "UPDATE orders SET created_ms = 78 WHERE id = 1", "identity"),
    (
        Staged,
        "UPDATE orders SET state = 'booked', awb = 'X' WHERE id = 1",
        "neither a late answer nor a decision books",
    ),
    (Staged, "UPDATE orders SET state = 'sending' WHERE id = 1", "one attempt more"),
    (Staged, "UPDATE orders SET attempts = 1 WHERE id = 1", "one attempt more"),
    (Staged, "UPDATE orders SET state = 'nowhere' WHERE id = 1", "no way leads"),
    (Staged, "UPDATE orders SET awb = 'X' WHERE id = 1", "booked_with_awb"),
    (Staged, "UPDATE orders SET request_id = 99 WHERE id = 1", "another request"),
    (
        Staged,
        "INSERT INTO attempts (order_id, n, request_id, run_id, intent_ms) VALUES (1, 1, 1, 1, 0)",
        "with its order sending",
    ),
    (Sending, "UPDATE orders SET state = 'booked', awb = 'X' WHERE id = 1", "no such answer"),
    (Sending, "UPDATE orders SET state = 'waiting', error = 'x' WHERE id = 1", "no such answer"),
    (Sending, "UPDATE orders SET state = 'staged' WHERE id = 1", "no such answer"),
    (Sending, "UPDATE orders SET state = 'abandoned', error = 'x' WHERE id = 1", "no such answer"),
    (
        Sending,
        "INSERT INTO attempts (order_id, n, request_id, run_id, intent_ms) VALUES (1, 2, 1, 1, 0)",
        "with its order sending",
    ),
    (
        Sending,
        "INSERT OR REPLACE INTO attempts (order_id, n, request_id, run_id, intent_ms) VALUES (1, 1, 1, 1, 0)",
        "an attempt begins once",
    ),
    (Sending, "UPDATE attempts SET answered_ms = 1, evidence_n = 1, outcome = 'booked'", "attempt_booked_with_awb"),
    (Sending, "UPDATE attempts SET answered_ms = 1", "answered_with_"),
    (Sending, "UPDATE attempts SET answered_ms = 1, outcome = 'refused', n = 2", "answered once"),
    (Sending, "DELETE FROM attempts", "never deleted"),
    (Waiting, "UPDATE attempts SET outcome = 'refused'", "answered once"),
    (InDoubt, "UPDATE orders SET state = 'staged', error = NULL WHERE id = 1", "needs a decision"),
    (InDoubt, "UPDATE orders SET state = 'booked', awb = 'X', error = NULL WHERE id = 1", "needs a decision"),
    (InDoubt, "UPDATE orders SET state = 'sending', attempts = 2, error = NULL WHERE id = 1", "needs a decision"),
    (InDoubt, "UPDATE attempts SET answered_ms = NULL, outcome = NULL, status = NULL", "answered once"),
    (Rejected, "UPDATE orders SET state = 'staged', error = NULL, order_id = NULL WHERE id = 1", "a retry needs"),
    (Refused, "UPDATE orders SET state = 'staged', error = NULL WHERE id = 1", "a retry needs"),
    (Refused, "UPDATE orders SET state = 'sending', attempts = 2, error = NULL WHERE id = 1", "no way leads"),
    (Waiting, "UPDATE orders SET state = 'abandoned' WHERE id = 1", "only a decision gives an order up"),
    (
        Rejected,
        "UPDATE orders SET state = 'abandoned', order_id = NULL WHERE id = 1",
        "only a decision gives an order up",
    ),
    (InDoubt, "UPDATE orders SET state = 'abandoned' WHERE id = 1", "needs a decision"),
    (Abandoned, "UPDATE orders SET state = 'sending', attempts = 1, error = NULL WHERE id = 1", "no way leads"),
    (
        Abandoned,
        "UPDATE orders SET state = 'staged', error = NULL WHERE id = 1",
        "only a decision brings an abandoned order back",
    ),
    (Abandoned, "UPDATE decisions SET because = 'x'", "final"),
    (Abandoned, "DELETE FROM decisions", "never deleted"),
    (
        InDoubt,
        "INSERT INTO decisions (at_ms, user, host, verb, because, evidence_n, order_id, attempt_id)
         VALUES (0, 'u', 'h', 'not-booked', 'x', 2, 1, 9)",
        "an attempt of its order",
    ),
    (
        InDoubt,
        "INSERT INTO decisions (at_ms, user, host, verb, because, evidence_n) VALUES (0, 'u', 'h', 'not-booked', 'x', 2)",
        "decision_of_order",
    ),
    (
        InDoubt,
        "INSERT INTO decisions (at_ms, user, host, verb, because, evidence_n, order_id)
         VALUES (0, 'u', 'h', 'booked', 'x', 2, 1)",
        "decision_awb",
    ),
    (
        InDoubt,
        "INSERT INTO decisions (at_ms, user, host, verb, because, evidence_n) VALUES (0, 'u', 'h', 'hearsay', 'x', 2)",
        "constraint",
    ),
    (
        Staged,
        "INSERT INTO decisions (at_ms, user, host, verb, because, evidence_n, service_id, number, run_id)
         VALUES (0, 'u', 'h', 'dismiss', 'x', 1, 1, 'A-1', 1)",
        "only an order that was kept back",
    ),
    (Staged, "UPDATE requests SET body = x'00'", "frozen"),
    (Staged, "DELETE FROM requests", "never deleted"),
    (Staged, "DELETE FROM run_orders", "never deleted"),
    (Staged, "UPDATE run_orders SET already = 1", "are final"),
    (Staged, "DELETE FROM runs", "never deleted"),
    (Staged, "UPDATE services SET origin = 'https://other.example.com'", "services are final"),
    (Staged, "DELETE FROM services", "never deleted"),
    (Staged, "UPDATE run_orders SET behind = 0", "are final"),
    (
        Staged,
        "INSERT INTO orders (id, service_id, number, state, revision_id, verdict) VALUES (9, 1, 'Z-9', 'staged', 9, 'go')",
        "an order begins once",
    ),
    (Staged, "UPDATE orders SET state = 'sending', attempts = 1 WHERE number = 'bad'", "held or left out is not sent"),
    (Staged, "UPDATE orders SET verdict = 'go' WHERE number = 'bad'", "newest revision"),
    (Staged, "UPDATE orders SET request_id = NULL, created_ms = NULL WHERE id = 1", "identity"),
    (Staged, "DELETE FROM problems", "never deleted"),
    (Staged, "UPDATE runs SET rows_read = 4", "rows_add_up"),
    (Booked, "UPDATE evidence SET hash = zeroblob(32)", "are final"),
    (Booked, "DELETE FROM evidence", "never deleted"),
    (Booked, "INSERT INTO evidence (n, kind, subject, hash) VALUES (3, 'attempt', 1, zeroblob(32))", "one by one"),
    (
        Booked,
        "INSERT OR REPLACE INTO evidence (n, kind, subject, hash) VALUES (1, 'attempt', 1, zeroblob(32))",
        "one by one",
    ),
    (Sending, "INSERT INTO evidence (n, kind, subject, hash) VALUES (1, 'attempt', 1, zeroblob(32))", "one by one"),
    (Booked, "INSERT INTO evidence (n, kind, subject, hash) VALUES (2, 'hearsay', 1, zeroblob(32))", "one by one"),
    (Sending, "UPDATE attempts SET answered_ms = 1, outcome = 'refused'", "answered_with_evidence"),
    (Staged, "UPDATE identity SET id = 'x'", "are final"),
    (Staged, "DELETE FROM identity", "never deleted"),
    (Held, "UPDATE orders SET state = 'sending', attempts = 1 WHERE id = 1", "held or left out is not sent"),
    (LeftOut, "UPDATE orders SET state = 'sending', attempts = 1 WHERE id = 1", "held or left out is not sent"),
    (
        Held,
        "UPDATE orders SET state = 'sending', attempts = 1, verdict = 'go' WHERE id = 1",
        "what its newest revision says",
    ),
    (
        LeftOut,
        "UPDATE orders SET state = 'sending', attempts = 1, verdict = 'go', revision_id = 1 WHERE id = 1",
        "what its newest revision says",
    ),
    (Held, "UPDATE orders SET verdict = 'go', revision_id = 1 WHERE id = 1", "what its newest revision says"),
    (Held, "UPDATE orders SET revision_id = 4 WHERE id = 1", "what its newest revision says"),
    (LeftOut, "UPDATE orders SET verdict = 'cancelled' WHERE id = 1", "what its newest revision says"),
    (Staged, "UPDATE orders SET verdict = 'held' WHERE id = 1", "what its newest revision says"),
    (Waiting, "UPDATE orders SET hold = 'old-sheet' WHERE id = 1", "what its newest revision says"),
    (Sending, "UPDATE orders SET verdict = 'cancelled' WHERE id = 1", "what its newest revision says"),
    (InDoubt, "UPDATE orders SET verdict = 'cancelled' WHERE id = 1", "what its newest revision says"),
    (
        Held,
        "BEGIN; INSERT INTO revisions (id, order_id, source_id, verdict) VALUES (9, 1, 1, 'left-out');
         UPDATE orders SET revision_id = 9, verdict = 'go' WHERE id = 1",
        "what its newest revision says",
    ),
    (
        Staged,
        "BEGIN; INSERT INTO revisions (id, order_id, source_id, verdict, hold) VALUES (9, 1, 1, 'held', 'old-sheet');
         UPDATE orders SET revision_id = 9, verdict = 'held' WHERE id = 1",
        "what its newest revision says",
    ),
    (
        Booked,
        "BEGIN; INSERT INTO revisions (id, order_id, source_id, verdict) VALUES (9, 1, 1, 'cancelled');
         UPDATE orders SET revision_id = 9, verdict = 'cancelled' WHERE id = 1",
        "a booked order never changes",
    ),
    (
        Booked,
        "BEGIN; INSERT INTO revisions (id, order_id, source_id, verdict, hold, request_id)
         VALUES (9, 1, 1, 'go', 'old-sheet', 1); UPDATE orders SET revision_id = 9, hold = 'old-sheet' WHERE id = 1",
        "a booked order never changes",
    ),
    (
        Booked,
        "BEGIN; INSERT INTO revisions (id, order_id, source_id, verdict, request_id) VALUES (9, 1, 1, 'go', 1);
         UPDATE orders SET revision_id = 9 WHERE id = 1",
        "a booked order never changes",
    ),
    (
        Staged,
        "INSERT INTO orders (id, service_id, number, state, request_id, created_ms, revision_id, verdict)
         VALUES (9, 1, 'A-9', 'staged', 1, 0, 1, 'held')",
        "begins once",
    ),
    (
        Staged,
        "INSERT INTO orders (id, service_id, number, state, request_id, created_ms, revision_id, hold)
         VALUES (9, 1, 'A-9', 'staged', 1, 0, 1, 'old-sheet')",
        "begins once",
    ),
    (
        Held,
        "INSERT INTO revisions (id, order_id, source_id, verdict) VALUES (9, 1, 1, 'go')",
        "what_goes_has_a_request",
    ),
    (Held, "UPDATE revisions SET verdict = 'go', request_id = 1", "revisions are final"),
    (Held, "DELETE FROM revisions", "revisions are never deleted"),
    (
        Held,
        "INSERT OR REPLACE INTO revisions (id, order_id, source_id, verdict, request_id) VALUES (2, 1, 1, 'go', 1)",
        "revisions are final",
    ),
    (Held, "UPDATE sources SET user = 'x'", "sources are final"),
    (Held, "DELETE FROM sources", "sources are never deleted"),
    (
        Held,
        "INSERT OR REPLACE INTO sources (id, kind, service_id, at_ms, user, host, revisions, digest)
         VALUES (2, 'sheets', 1, 0, 'u', 'h', 0, zeroblob(32))",
        "sources are final",
    ),
];

/// All that must not change.
fn dump(bench: &Bench) -> Vec<String> {
    let sql = "SELECT concat_ws('|', 'o', id, number, state, attempts, awb, order_id, error, request_id, revision_id,
            verdict, hold) FROM orders
        UNION ALL SELECT concat_ws('|', 'a', id, order_id, n, outcome, awb, answered_ms) FROM attempts
        UNION ALL SELECT concat_ws('|', 'r', id, order_id, hex(sha256), hex(body)) FROM requests
        UNION ALL SELECT concat_ws('|', 's', id, kind, run_id, user, revisions, hex(digest)) FROM sources
        UNION ALL SELECT concat_ws('|', 'v', id, order_id, source_id, verdict, hold, request_id) FROM revisions
        UNION ALL SELECT concat_ws('|', 'd', id, verb, because) FROM decisions
        UNION ALL SELECT concat_ws('|', 'i', run_id, seq, order_id, behind) FROM run_orders
        UNION ALL SELECT concat_ws('|', 'p', run_id, n, message) FROM problems";
    let mut statement = bench.ledger.connection.prepare(sql).unwrap();
    statement.query_map((), |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

/// Promise 1: the database refuses every illegal step of an order and every change of a record, even by raw SQL.
#[test]
pub(super) fn what_raw_sql_cannot_do() {
    for &(state, sql, rule) in ATTACKS {
        let mut bench = Bench::new();
        bench.bring("A-1", state);
        // What a server has no words for cannot be tried on it.
        if bench.address.is_some() && sql.contains(" OR REPLACE ") {
            continue;
        }
        let before = dump(&bench);
        let said = bench.attack(sql).expect_err(sql);
        assert!(said.contains(rule), "{sql}: {said}");
        assert_eq!(dump(&bench), before, "{sql}");
    }
}

/// Promise 8: an AWB that another order has is a contradiction, and the database takes none twice.
#[test]
pub(super) fn no_two_orders_share_a_shipment_even_by_sql() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Booked);
    bench.bring("A-2", State::Sending);
    let sql =
        "UPDATE attempts SET answered_ms = 1, evidence_n = 2, outcome = 'booked', awb = 'AWB-A-1' WHERE order_id = 3;
        UPDATE orders SET state = 'booked', awb = 'AWB-A-1' WHERE id = 3";
    let said = bench.attack(sql).unwrap_err();
    let rules = ["UNIQUE constraint failed: orders.service_id, orders.awb", "unique constraint \"orders_by_awb\""];
    assert!(rules.iter().any(|rule| said.contains(rule)), "{said}");
}

#[test]
pub(super) fn a_word_on_one_attempt_does_not_settle_the_next() {
    let mut bench = Bench::new();
    let (run, order) = bench.bring("A-1", State::InDoubt);
    bench.decide("A-1", DecisionVerb::NotBooked).unwrap();
    bench.intend(run, order);
    bench.ledger.commit(&[answer(order, doubtful())], 9).unwrap();
    let said = bench.attack("UPDATE orders SET state = 'staged', error = NULL WHERE id = 1").unwrap_err();
    assert!(said.contains("needs a decision"), "{said}");
}

/// Promise 6: a decision holds for the attempt and the state that the person saw, and for no later ones.
#[test]
pub(super) fn a_word_holds_for_the_order_as_it_was_seen_and_for_no_other() {
    let mut bench = Bench::new();
    let (run, order) = bench.bring("A-1", State::InDoubt);
    let seen = bench.ledger.order("A-1").unwrap()[0].upon();
    let say = |bench: &mut Bench, upon: &Upon, verb: DecisionVerb| {
        let (user, host, because) = ("asha".into(), "desk".into(), "looked".into());
        bench.ledger.decide(&NewDecision { upon: upon.clone(), verb, user, host, because, at_ms: 9 })
    };
    say(&mut bench, &seen, DecisionVerb::NotBooked).unwrap();
    bench.intend(run, order);
    bench.ledger.commit(&[answer(order, doubtful())], 9).unwrap();
    // In doubt again, by another attempt.
    for verb in [DecisionVerb::NotBooked, DecisionVerb::Booked { awb: "B-1".into() }, DecisionVerb::Abandoned] {
        assert!(matches!(say(&mut bench, &seen, verb), Err(LedgerError::NotAsSeen { .. })));
    }
    let again = bench.ledger.order("A-1").unwrap()[0].upon();
    let elsewhere = Upon { service: "https://other.example.com".into(), ..again.clone() };
    assert!(matches!(say(&mut bench, &elsewhere, DecisionVerb::NotBooked), Err(LedgerError::UnknownOrder { .. })));
    say(&mut bench, &again, DecisionVerb::Abandoned).unwrap();
    // Given up meanwhile: the word that it is not booked was said of a doubt.
    assert!(matches!(say(&mut bench, &again, DecisionVerb::NotBooked), Err(LedgerError::NotAsSeen { .. })));
    assert_eq!(bench.state("A-1"), "abandoned");
}

#[test]
pub(super) fn what_was_sent_and_is_there_after_all_is_booked_by_a_word_and_never_sent_again() {
    for state in [Waiting, Rejected, Refused, InDoubt, Abandoned] {
        let mut bench = Bench::new();
        let (run, order) = bench.bring("A-1", if state == Abandoned { InDoubt } else { state });
        if state == Abandoned {
            bench.decide("A-1", DecisionVerb::Abandoned).unwrap();
        }
        bench.decide("A-1", DecisionVerb::Booked { awb: "B-1".into() }).unwrap();
        assert_eq!(bench.state("A-1"), "booked", "{state:?}");
        let again = intent(&bench.ledger, run, order);
        let sent = bench.ledger.commit(&[again], 5);
        assert!(sent.is_err() || sent.is_ok_and(|became| became == [crate::ledger::Applied::Elsewhere]));
        bench.assert_tallies();
        assert_eq!(bench.ledger.check().unwrap().faults, Vec::<String>::new());
    }
    let mut bench = Bench::new();
    bench.bring("A-1", Staged);
    let unsent = bench.decide("A-1", DecisionVerb::Booked { awb: "B-1".into() });
    assert!(matches!(unsent, Err(LedgerError::NeverSent { .. })));
}

#[test]
pub(super) fn an_awb_that_a_person_gave_is_corrected_until_something_was_done_with_it() {
    let word = |awb: &str| DecisionVerb::Booked { awb: awb.into() };
    let mut bench = Bench::new();
    bench.bring("A-1", InDoubt);
    bench.bring("A-2", Booked);
    bench.decide("A-1", word("12")).unwrap();
    assert!(bench.ledger.order("A-1").unwrap()[0].has_correctable_awb());
    let taken = bench.decide("A-1", word("AWB-A-2"));
    assert!(matches!(taken, Err(LedgerError::AwbTaken { .. })), "it is another order's");
    bench.bring("A-3", InDoubt);
    let taken = bench.decide("A-3", word("1/2"));
    assert!(matches!(taken, Err(LedgerError::AwbTaken { .. })), "it is the same one in another way of writing");
    bench.decide("A-1", word("1-2")).unwrap();
    bench.decide("A-1", word("77889900")).unwrap();
    let history = bench.ledger.order("A-1").unwrap().remove(0);
    assert_eq!((history.state.as_str(), history.awb.as_deref()), ("booked", Some("77889900")));
    assert_eq!(history.decisions.len(), 3, "all are kept");
    bench.assert_tallies();
    assert_eq!(bench.ledger.check().unwrap().faults, Vec::<String>::new());
    // No word goes back, and none changes what the service answered.
    for verb in [DecisionVerb::NotBooked, DecisionVerb::Abandoned] {
        assert!(matches!(bench.decide("A-1", verb), Err(LedgerError::Illegal { .. })));
    }
    assert!(matches!(bench.decide("A-2", word("B-3")), Err(LedgerError::AwbStays { .. })));
    let behind = bench.attack("UPDATE orders SET awb = 'X' WHERE number = 'A-1'").unwrap_err();
    assert!(behind.contains("a booked order never changes"), "{behind}");
    let cancelled = "INSERT INTO cancel_requests (order_id, asked_ms, user, host) VALUES (1, 0, 'u', 'h')";
    bench.ledger.connection.execute_batch(cancelled).unwrap();
    assert!(matches!(bench.decide("A-1", word("B-4")), Err(LedgerError::AwbStays { .. })));
    assert!(!bench.ledger.order("A-1").unwrap()[0].has_correctable_awb());
}

#[test]
pub(super) fn decisions_are_for_good() {
    let mut bench = Bench::new();
    bench.settle("doubt", doubtful());
    let decision = crate::ledger::NewDecision {
        upon: bench.ledger.order("doubt").unwrap()[0].upon(),
        verb: crate::ledger::DecisionVerb::NotBooked,
        user: "asha".into(),
        host: "desk".into(),
        because: "not in the portal".into(),
        at_ms: 9,
    };
    bench.ledger.decide(&decision).unwrap();
    assert!(bench.attack("UPDATE decisions SET because = 'x'").unwrap_err().contains("final"));
    assert!(bench.attack("DELETE FROM decisions").unwrap_err().contains("never deleted"));
    assert!(matches!(bench.ledger.decide(&decision), Err(LedgerError::NotAsSeen { .. })), "it is no longer in doubt");
}

#[test]
pub(super) fn an_illegal_step_takes_the_whole_batch_back() {
    let mut bench = Bench::new();
    bench.settle("done", booked("A1"));
    let (run, _) = bench.stage(&[("fresh", "{}"), ("done", "{}")]);
    let fresh = bench.pending(run)[0];
    let done = OrderId(1);
    let both = [fresh, done].map(|order| intent(&bench.ledger, run, order));
    let error = bench.ledger.commit(&both, 5);
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
    let folder = room::folder();
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "this is no database, but it is long enough to be taken for one at first sight").unwrap();
    assert!(matches!(Ledger::open(&text), Err(LedgerError::NotALedger(_))));
    let foreign = folder.path().join("foreign.sqlite");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE notes (text)").unwrap();
    assert!(matches!(Ledger::open(&foreign), Err(LedgerError::NotALedger(_))));
    let bench = Bench::new();
    Connection::open(bench.path()).unwrap().pragma_update(None, "user_version", 99).unwrap();
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
            .file()
            .unwrap()
            .pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0))
            .map(|value| format!("{value:?}"))
            .unwrap()
    };
    assert_eq!(pragma("journal_mode"), "Text(\"wal\")");
    assert_eq!(pragma("synchronous"), "Integer(2)");
}
