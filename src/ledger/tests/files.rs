//! What the ledger does with files: rights and links.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::*;
use crate::finding::Remedy;
use crate::ledger::{RouteRecord, Said};

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

/// Upgrades a ledger, as the command does.
fn upgrade(path: &Path) {
    let lock = RunLock::acquire(path, "ledger upgrade").unwrap();
    Ledger::upgrade(lock, &watch(path.parent().unwrap())).unwrap();
}

/// Takes back what the layouts from 14 on added, but for the evidence and the guards that it made anew.
const WITHOUT_14: &str = "
    DROP TABLE withdrawals; DROP TABLE former_numbers; DROP INDEX orders_by_bare_awb; DROP TABLE desk_copies; DROP TABLE shipments; DROP TABLE statement_carriers; ALTER TABLE filed_sheets DROP COLUMN said;
    DROP VIEW orders_that_count; DROP TABLE sheet_rows; DROP TABLE row_sheets;
    DROP TRIGGER evidence_grows; DROP VIEW dismissed_rows; DROP VIEW orders_over; DROP TRIGGER attempts_answered_once;
    DROP TRIGGER late_answers_frozen; DROP TRIGGER requests_frozen; DROP TRIGGER problems_frozen;
    DROP TRIGGER cancellations_frozen; DROP TRIGGER cancel_requests_end_once;
    DROP INDEX orders_failed; DROP INDEX run_invalid_by_number;
    DROP TABLE dismissals; DROP TABLE label_prints; DROP TABLE freights; DROP TABLE run_sheets;
    ALTER TABLE attempts DROP COLUMN purge_id; ALTER TABLE attempts DROP COLUMN answer_sha256;
    ALTER TABLE late_answers DROP COLUMN purge_id; ALTER TABLE late_answers DROP COLUMN answer_sha256;
    ALTER TABLE run_invalid DROP COLUMN cells; ALTER TABLE run_tallies DROP COLUMN dismissed;
    ALTER TABLE run_ends DROP COLUMN dismissed; DROP TABLE purges;";

#[test]
fn an_older_layout_is_brought_up_with_all_that_it_holds() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Booked);
    let (path, folder) = (bench.path(), bench.folder);
    drop(bench.ledger);
    let older = rusqlite::Connection::open(&path).unwrap();
    // The first layout, with what the newest one holds of it.
    let first = concat!(include_str!("../sqlite/schema_1.sql"), include_str!("../sqlite/schema_after.sql"));
    let (_, evidence) = first.split_once("CREATE TABLE evidence (").unwrap();
    let (columns, _) = evidence.split_once(") STRICT;").unwrap();
    let triggers = first.lines().skip_while(|line| !line.starts_with("CREATE TRIGGER evidence_grows"));
    let triggers = triggers.take_while(|line| !line.starts_with("CREATE TRIGGER identity"));
    let of_attempts = first.lines().skip_while(|line| !line.starts_with("CREATE TRIGGER attempts_begin"));
    let of_attempts = of_attempts.take_while(|line| !line.starts_with("CREATE TRIGGER attempts_stay"));
    let of_orders = first.lines().skip_while(|line| !line.starts_with("CREATE TRIGGER orders_booked_for_good"));
    let of_orders = of_orders.take_while(|line| !line.starts_with("CREATE TRIGGER orders_tally"));
    let triggers: Vec<&str> = triggers.chain(of_attempts).chain(of_orders).collect();
    older
        .execute_batch(&format!(
            "{WITHOUT_14}
             CREATE TABLE evidence_1 ({columns}) STRICT;
             INSERT INTO evidence_1 SELECT n, attempt_id, decision_id, hash FROM evidence;
             DROP TRIGGER orders_step; DROP TRIGGER orders_sent_at_one_address; DROP TRIGGER attempts_begin;
             DROP VIEW may_be_same_service; DROP VIEW same_service; DROP VIEW address_pairs; DROP TABLE homes; DROP TABLE moves;
             DROP TABLE evidence; ALTER TABLE evidence_1 RENAME TO evidence; {}
             DROP TABLE late_answers; DROP TABLE acceptances; DROP TABLE accepted_findings; DROP TABLE routes; DROP TABLE warehouses;
             DROP TABLE cancel_requests; DROP TABLE address_words;
             DROP VIEW taken_and_booked; DROP TABLE filed_sheets; DROP TABLE taken_runs; DROP TABLE taken_sheets;
             DROP TABLE run_ends; ALTER TABLE problems DROP COLUMN detail;
             PRAGMA user_version = 1",
            triggers.join("\n")
        ))
        .unwrap();
    drop(older);
    for opened in [Ledger::open(&path), Ledger::open_read_only(&path)] {
        assert!(matches!(opened, Err(LedgerError::Outdated { found: 1, .. })), "{opened:?}");
    }
    upgrade(&path);
    let mut ledger = Ledger::open(&path).unwrap();
    assert_eq!(ledger.order("A-1").unwrap()[0].state, "booked");
    let route = RouteRecord {
        origin: "560048".to_owned(),
        destination: "560001".to_owned(),
        couriers: "[]".to_owned(),
        asked_ms: 5_000,
    };
    ledger.keep_routes(SERVICE, std::slice::from_ref(&route), 0).unwrap();
    let known = |since, now| ledger.route(SERVICE, ("560048", "560001"), since, now).unwrap();
    assert_eq!((known(5_000, 5_000), known(5_001, 9_000), known(0, 4_999)), (Some(route), None, None));
    assert_eq!(ledger.check().unwrap().faults, Vec::<String>::new());
    drop(folder);
}

/// The guard of the evidence in layout 10, which later layouts drop.
fn trigger_of_10() -> &'static str {
    let schema = include_str!("../sqlite/schema_10.sql");
    let (_, trigger) = schema.split_once("CREATE TRIGGER evidence_grows").unwrap();
    let end = trigger.find("END;").unwrap();
    let start = schema.len() - trigger.len() - "CREATE TRIGGER evidence_grows".len();
    &schema[start..schema.len() - trigger.len() + end + "END;".len()]
}

#[test]
fn problems_of_an_older_layout_keep_their_words() {
    let mut bench = Bench::new();
    let staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    let before = staging.commit(&RunFacts::default()).unwrap();
    let (path, folder) = (bench.path(), bench.folder);
    drop(bench.ledger);
    let older = rusqlite::Connection::open(&path).unwrap();
    older
        .execute_batch(&format!(
            "{WITHOUT_14}
             DROP VIEW taken_and_booked; DROP TABLE filed_sheets; DROP TABLE taken_runs; DROP TABLE taken_sheets;
             DROP TABLE run_ends; DROP TABLE accepted_findings;
             ALTER TABLE problems DROP COLUMN detail; {}
             INSERT INTO problems (run_id, n, code, severity, place, found, message, hint)
                VALUES ({}, 1, 'bad-phone', 'error', 'orders.csv:2', '12345', 'has 5 digits', 'ask');
             PRAGMA user_version = 10",
            trigger_of_10(),
            before.number()
        ))
        .unwrap();
    drop(older);
    upgrade(&path);
    let mut ledger = Ledger::open(&path).unwrap();
    let mut staging = ledger.stage(new_run(RunKind::Import)).unwrap();
    let held = problem(7, Some("A-1")).remedy(Remedy::edit("9876543210")).also(problem(6, None));
    staging.problem(&held, None).unwrap();
    let after = staging.commit(&RunFacts::default()).unwrap();
    let said = |run| ledger.problems(run).unwrap().remove(0).said;
    assert_eq!(said(before), Said::Words { message: "has 5 digits".to_owned(), hint: "ask".to_owned() });
    assert_eq!(said(after), Said::Data(Box::new(held)));
    assert_eq!(ledger.check().unwrap().faults, Vec::<String>::new());
    drop(folder);
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
