//! The chain of evidence, the look through a ledger, and its copies.

use super::*;
use crate::finding::{Accepted, Basis};
use crate::ledger::{AcceptedFinding, EvidenceRecord};
use crate::text::hex;

/// Alters a ledger past its guards, as somebody with the file and a tool could.
pub(super) fn tamper(bench: &Bench, sql: &str) {
    let triggers = "SELECT 'DROP TRIGGER ' || name FROM sqlite_schema WHERE type = 'trigger'";
    let on_server = "SELECT format('ALTER TABLE %I DISABLE TRIGGER ALL', tablename) FROM pg_tables
        WHERE schemaname = 'shipsheet'";
    let listed = if bench.address.is_some() { on_server } else { triggers };
    let mut statement = bench.ledger.connection.prepare(listed).unwrap();
    let off: Vec<String> = statement.query_map((), |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    drop(statement);
    bench.attack(&off.join(";")).unwrap();
    bench.attack(sql).unwrap();
}

fn storied() -> Bench {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Booked);
    bench.bring("A-2", State::InDoubt);
    bench.decide("A-2", DecisionVerb::NotBooked).unwrap();
    bench.bring("A-3", State::Rejected);
    let word = Accepted { by: "asha".into(), at_ms: 5_000, because: "told so".into(), is_new: true };
    let (order, basis) = (Some("A-4".to_owned()), Basis::of([("Phone", "12345")]));
    let accepted = AcceptedFinding { rule: "phone-form".into(), order, sheet: None, basis, word };
    bench.ledger.accept_findings(SERVICE, "desk", &[accepted]).unwrap();
    bench
}

#[test]
pub(super) fn every_link_can_be_computed_again_by_hand() {
    let bench = storied();
    let links: Vec<EvidenceRecord> =
        ["A-1", "A-2", "A-3", "A-4"].iter().flat_map(|number| bench.ledger.evidence(number).unwrap()).collect();
    assert_eq!(links.iter().map(|link| link.n).collect::<Vec<_>>(), (1..=8).collect::<Vec<_>>());
    let mut after = "0".repeat(64);
    for link in &links {
        assert_eq!(link.after, after);
        after = hex(&Sha256::digest(format!("{}\n{}", link.after, link.text)).into());
        assert_eq!(link.hash, after);
    }
    let sent = hex(&Sha256::digest("{}").into());
    for part in ["\"attempt\"", SERVICE, "A-1", "AWB-A-1", sent.as_str()] {
        assert!(links[1].text.contains(part), "{part}: {}", links[1].text);
    }
    assert_eq!(links[1].answer.as_deref(), Some("{}"));
    assert!(links[7].text.starts_with("[\"accepted finding\"") && links[7].text.contains("told so"));
    assert!(links[4].text.contains("seen in the portal") && links[4].text.contains("not-booked"));
}

/// Promise 10: a change of the ledger past its guards is found.
#[test]
pub(super) fn what_is_altered_behind_our_back_is_found() {
    let cases = [
        (
            "UPDATE attempts SET awb = 'OTHER' WHERE order_id = 1; UPDATE orders SET awb = 'OTHER' WHERE id = 1",
            "link 2",
        ),
        ("UPDATE sources SET at_ms = 1 WHERE id = 1", "link 1"),
        ("UPDATE revisions SET rows = 'b.csv:9' WHERE order_id = 3", "link 3"),
        ("UPDATE orders SET hold = 'old-sheet' WHERE id = 4", "not what their newest revision says"),
        ("UPDATE orders SET verdict = 'held' WHERE id = 4", "not what their newest revision says"),
        ("UPDATE attempts SET intent_ms = 1 WHERE order_id = 3", "link 4"),
        ("UPDATE decisions SET because = 'somebody said so'", "link 5"),
        ("UPDATE attempts SET answer = x'7b7d20' WHERE order_id = 4", "link 7"),
        ("UPDATE requests SET sha256 = zeroblob(32) WHERE order_id = 4", "link 6"),
        ("UPDATE decisions SET because = 'somebody said so' WHERE rule IS NOT NULL", "link 8"),
        ("UPDATE decisions SET basis = '[]' WHERE rule IS NOT NULL", "link 8"),
        ("DELETE FROM evidence WHERE n = 8", "of decisions without evidence"),
        ("DELETE FROM evidence WHERE n = 2", "without evidence"),
        ("UPDATE requests SET body = x'00' WHERE order_id = 1", "not what was frozen"),
        ("UPDATE orders SET awb = 'X' WHERE id = 1", "neither from an answer nor from a decision"),
        ("UPDATE orders SET attempts = 3 WHERE id = 1", "attempts are not those"),
        ("UPDATE orders SET state = 'sending' WHERE id = 3", "without an open attempt"),
        ("UPDATE run_tallies SET outstanding = 7 WHERE run_id = 1", "runs whose counts"),
        ("UPDATE orders SET request_id = 99 WHERE id = 3", "request is missing"),
    ];
    for (sql, fault) in cases {
        let bench = storied();
        assert_eq!(bench.ledger.check().unwrap().faults, Vec::<String>::new());
        tamper(&bench, sql);
        let faults = bench.ledger.check().unwrap().faults;
        assert!(faults.iter().any(|found| found.contains(fault)), "{sql}: {faults:?}");
    }
}

#[test]
fn a_copy_is_whole_and_private_while_a_run_goes_on() {
    let mut bench = storied();
    let (run, order) = bench.bring("A-4", State::Sending);
    let to = bench.folder.path().join("copy.sqlite");
    Ledger::open_read_only(&bench.path()).unwrap().backup(&to).unwrap();
    bench.ledger.commit(&[answer(order, booked("A4"))], 9).unwrap();
    let copy = Ledger::open_read_only(&to).unwrap();
    assert_eq!(copy.order("A-4").unwrap()[0].state, "sending");
    assert_eq!(copy.tally(run).unwrap().outstanding, 1);
    let checked = copy.check().unwrap();
    assert_eq!((checked.faults.len(), checked.orders, checked.evidence), (0, 5, 9));
    let again = Ledger::open_read_only(&bench.path()).unwrap().backup(&to);
    assert!(matches!(again, Err(LedgerError::Taken(_))), "an existing file is never overwritten");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&to).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
