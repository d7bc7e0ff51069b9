//! Sheets that a watcher took: what the database keeps of them, and what it refuses.

use super::*;
use crate::ledger::{Filed, NewTaken, RunOf, TakenSheet, Tray};

fn take(bench: &mut Bench, name: &str, sha256: [u8; 32]) -> TakenSheet {
    let new = NewTaken {
        at_ms: 1_000,
        user: "asha".to_owned(),
        host: new_run(RunKind::Import).host,
        service: SERVICE.to_owned(),
        folder: "/in".to_owned(),
        name: name.to_owned(),
        bytes: 3,
        sha256,
    };
    bench.ledger.take_sheet(&new).unwrap()
}

fn file(bench: &mut Bench, sheet: &TakenSheet, tray: Tray, outstanding: u64) -> Result<(), LedgerError> {
    let filed = Filed { at_ms: 2_000, tray, name: "filed.csv".to_owned(), outstanding, said: None };
    bench.ledger.file_sheet(sheet.id, &filed)
}

/// A run of a sheet with one order that was never sent.
fn run_of(bench: &mut Bench, of: RunOf, number: &str) {
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    staging.put(&staged(number, "{}", 0)).unwrap();
    staging.of_watcher(of).unwrap();
    staging.commit(&RunFacts::default()).unwrap();
}

/// Promise 4: the database files no sheet as done while one of its orders is not booked.
#[test]
pub(super) fn the_database_files_no_sheet_as_done_of_which_an_order_is_not_booked() {
    let mut bench = Bench::new();
    let sheet = take(&mut bench, "a.csv", [1; 32]);
    assert!(file(&mut bench, &sheet, Tray::Done, 0).is_err(), "it came to no run");
    run_of(&mut bench, RunOf::Sheet(sheet.id), "a");
    assert!(file(&mut bench, &sheet, Tray::Done, 0).is_err(), "its order is outstanding");
    file(&mut bench, &sheet, Tray::Attention, 1).unwrap();
    bench.settle("a", booked("A1"));
    file(&mut bench, &sheet, Tray::Done, 0).unwrap();
    assert_eq!(bench.ledger.check().unwrap().faults, Vec::<String>::new());
    for change in
        ["UPDATE taken_sheets SET name = 'b'", "DELETE FROM taken_runs", "UPDATE filed_sheets SET tray = 'failed'"]
    {
        assert!(bench.ledger.connection.execute(change, ()).is_err(), "{change}");
    }
}

#[test]
pub(super) fn own_leftovers_are_those_that_nobody_else_took_up_since() {
    let mut bench = Bench::new();
    let sheet = take(&mut bench, "a.csv", [1; 32]);
    run_of(&mut bench, RunOf::Sheet(sheet.id), "a");
    let own = |bench: &mut Bench| bench.ledger.stage(new_run(RunKind::Resume)).unwrap().adopt_own().unwrap().orders;
    assert_eq!((own(&mut bench), bench.ledger.taken_over(sheet.id).unwrap()), (1, 0));
    bench.stage(&[("a", "{}")]);
    assert_eq!((own(&mut bench), bench.ledger.taken_over(sheet.id).unwrap()), (0, 1));
}

#[test]
pub(super) fn sheets_are_found_by_what_is_in_them_and_until_they_are_filed() {
    let mut bench = Bench::new();
    let (first, second) = (take(&mut bench, "a.csv", [1; 32]), take(&mut bench, "b.csv", [1; 32]));
    let host = new_run(RunKind::Import).host;
    assert_eq!(bench.ledger.booked_as(SERVICE, &second).unwrap(), None, "the first came to no run");
    run_of(&mut bench, RunOf::Sheet(first.id), "a");
    assert_eq!(bench.ledger.booked_as(SERVICE, &second).unwrap().unwrap().id, first.id);
    assert_eq!(bench.ledger.taken_in(&host, "/in", &[1; 32]).unwrap().unwrap().id, second.id);
    assert_eq!(bench.ledger.taken_in("elsewhere", "/in", &[1; 32]).unwrap(), None);
    file(&mut bench, &first, Tray::Attention, 1).unwrap();
    file(&mut bench, &second, Tray::Failed, 0).unwrap();
    let unfinished = |bench: &Bench| bench.ledger.unfinished_sheets(&host, "/in").unwrap().len();
    assert_eq!(unfinished(&bench), 0);
    bench.settle("a", booked("A1"));
    assert_eq!(unfinished(&bench), 1, "nothing of the first is outstanding any more");
}
