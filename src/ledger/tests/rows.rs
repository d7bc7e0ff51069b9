//! Rows of sheets: which order they stand for is kept, found again by the file, and never changed.

use super::*;
use crate::finding::{Accepted, Basis};
use crate::ledger::{AcceptedFinding, Intake, RunSheet, SheetIdentity, SheetRow, Wanted};

const ROW: SheetRow = SheetRow::At(0, 2);

fn sheet(file: u8, worksheet: &str) -> RunSheet {
    let identity = SheetIdentity { sha256: [file; 32], worksheet: worksheet.to_owned() };
    RunSheet { name: "orders.csv".to_owned(), identity: Some(identity) }
}

/// Stages an order of [`ROW`] of a sheet.
fn stage(bench: &mut Bench, sheet: RunSheet, number: &str) {
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    staging.begin_sheets(&[sheet]).unwrap();
    staging.put(&staged(number, "{}", 0)).unwrap();
    staging.keep_rows(&[ROW]).unwrap();
    staging.commit(&RunFacts::default()).unwrap();
}

/// The order that [`ROW`] of a sheet stood for, if it goes as another one now.
fn other(bench: &mut Bench, sheet: RunSheet, number: &str) -> Option<(String, State)> {
    let mut looked_at = bench.ledger.stage_dry(SERVICE).unwrap();
    looked_at.begin_sheets(&[sheet]).unwrap();
    looked_at.sent_otherwise((number, &[]), &[ROW]).unwrap().map(|other| (other.number, other.state))
}

#[test]
pub(super) fn a_row_is_known_by_its_file_and_worksheet() {
    let mut bench = Bench::new();
    stage(&mut bench, sheet(1, "Mon"), "a");
    assert_eq!(other(&mut bench, sheet(1, "Mon"), "b"), Some(("a".to_owned(), State::Staged)));
    assert_eq!(other(&mut bench, sheet(1, "Mon"), "a"), None, "under its own number");
    for elsewhere in [sheet(1, "Tue"), sheet(2, "Mon")] {
        assert_eq!(other(&mut bench, elsewhere, "b"), None);
    }
    bench.settle("a", refused());
    assert_eq!(other(&mut bench, sheet(1, "Mon"), "b"), None, "what was refused may go under another number");
}

#[test]
pub(super) fn an_order_that_comes_again_is_told_with_the_sheet_of_its_run() {
    let mut bench = Bench::new();
    bench.settle("a", booked("AWB-A"));
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    let of_today = |name: &str, file: u8| RunSheet { name: name.to_owned(), ..sheet(file, "") };
    staging.begin_sheets(&[of_today("30 Nov.csv", 1), of_today("rest.csv", 2)]).unwrap();
    let again = |number, rows, position| StagedOrder { rows, ..staged(number, "{}", position) };
    staging.put(&again("a", "30 Nov.csv:7, rest.csv:3", 0)).unwrap();
    staging.put(&again("b", "rest.csv:4", 1)).unwrap();
    let run = staging.commit(&RunFacts::default()).unwrap();
    assert_eq!(bench.ledger.runs(1).unwrap()[0].sheets, ["30 Nov.csv", "rest.csv"]);
    let kept = "SELECT count(*) FROM run_orders WHERE rows = ':7, rest.csv:3'";
    assert_eq!(bench.ledger.connection.query_row(kept, (), |row| row.get::<i64>(0)).unwrap(), 1);
    let mut told = Vec::new();
    let wanted = Wanted { run: Some(run), ..Wanted::default() };
    bench.ledger.for_each_result(&wanted, &mut |result| told.push(result.rows.clone())).unwrap();
    assert_eq!(told, ["30 Nov.csv:7, rest.csv:3", "rest.csv:4"]);
    let shipped = bench.ledger.shipped_of_run(run).unwrap();
    assert_eq!(shipped.iter().map(|order| order.rows.as_str()).collect::<Vec<_>>(), ["30 Nov.csv:7, rest.csv:3"]);
}

#[test]
pub(super) fn what_stands_for_another_order_by_now_is_taken_up_by_nothing() {
    let mut bench = Bench::new();
    for number in ["a", "c"] {
        stage(&mut bench, sheet(1, ""), number);
    }
    // The later one goes.
    let mut staging = bench.ledger.stage(new_run(RunKind::Resume)).unwrap();
    assert_eq!(staging.adopt_outstanding(None).unwrap().orders, 1);
    let [(number, sent)] = staging.sent_otherwise() else { panic!("{:?}", staging.sent_otherwise()) };
    assert_eq!((number.as_str(), sent.number.as_str(), sent.state), ("a", "c", State::Staged));
    drop(staging);
    assert_eq!(bench.ledger.sent_as(SERVICE, "a").unwrap().map(|other| other.number), Some("c".to_owned()));
    assert_eq!(bench.ledger.sent_as(SERVICE, "c").unwrap(), None);
    assert_eq!(
        other(&mut bench, sheet(2, ""), "a"),
        Some(("c".to_owned(), State::Staged)),
        "whatever file it comes in"
    );
    // Until it is refused: then nothing was sent of the row.
    bench.settle("c", refused());
    let mut staging = bench.ledger.stage(new_run(RunKind::Resume)).unwrap();
    assert_eq!(staging.adopt_outstanding(None).unwrap().orders, 1);
    assert_eq!(staging.sent_otherwise(), []);
    drop(staging);
    for change in ["UPDATE sheet_rows SET row = 3", "DELETE FROM sheet_rows", "DELETE FROM row_sheets"] {
        assert!(bench.attack(change).is_err(), "{change}");
    }
}

#[test]
pub(super) fn rows_of_a_run_that_is_not_staged_are_forgotten_with_it() {
    let mut bench = Bench::new();
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    staging.begin_sheets(&[sheet(1, "")]).unwrap();
    staging.put(&staged("a", "{}", 0)).unwrap();
    staging.keep_rows(&[ROW]).unwrap();
    drop(staging);
    assert_eq!(other(&mut bench, sheet(1, ""), "b"), None);
}

#[test]
fn of_several_failed_orders_of_one_row_the_last_one_is_retried() {
    for named in [vec![], vec!["a".to_owned(), "c".to_owned()]] {
        let mut bench = Bench::new();
        for number in ["a", "c"] {
            stage(&mut bench, sheet(1, ""), number);
            bench.settle(number, refused());
        }
        let mut staging = bench.ledger.stage(new_run(RunKind::Retry)).unwrap();
        assert_eq!(staging.adopt_failed(None, &named).unwrap().adopted.orders, 1);
        assert_eq!(staging.numbers(9).unwrap(), ["c"]);
        let [(number, now)] = staging.sent_otherwise() else { panic!("{:?}", staging.sent_otherwise()) };
        assert_eq!((number.as_str(), now.number.as_str()), ("a", "c"));
        drop(staging);
        // Alone, the first one is what somebody wants.
        let mut staging = bench.ledger.stage(new_run(RunKind::Retry)).unwrap();
        assert_eq!(staging.adopt_failed(None, &["a".to_owned()]).unwrap().adopted.orders, 1);
    }
}

#[test]
fn numbers_that_were_exchanged_go_in_one_run() {
    let mut bench = Bench::new();
    let (one, other): (SheetRow, SheetRow) = (SheetRow::At(0, 2), SheetRow::At(0, 3));
    let stage = |bench: &mut Bench, pairs: [(&str, SheetRow); 2], body: &str| {
        let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
        staging.begin_sheets(&[sheet(1, "")]).unwrap();
        let mut held = Vec::new();
        for (position, (number, row)) in (0..).zip(pairs) {
            if Intake::sent_otherwise(&staging, (number, &[]), &[row]).unwrap().is_some() {
                held.push(number.to_owned());
                continue;
            }
            staging.put(&staged(number, body, position)).unwrap();
            staging.keep_rows(&[row]).unwrap();
        }
        staging.commit(&RunFacts::default()).unwrap();
        held
    };
    assert_eq!(stage(&mut bench, [("a", one), ("b", other)], "{}"), Vec::<String>::new());
    for number in ["a", "b"] {
        bench.settle(number, refused());
    }
    assert_eq!(stage(&mut bench, [("b", one), ("a", other)], "[]"), Vec::<String>::new());
    // In a later run each of them is what it was sent as.
    assert_eq!(stage(&mut bench, [("c", one), ("d", other)], "{}"), ["c", "d"]);
    assert_eq!(bench.ledger.stood_for(sheet(1, "").identity.as_ref().unwrap(), &[3]).unwrap(), ["a", "b"]);
}

#[test]
pub(super) fn a_row_is_known_by_what_stands_in_it_in_any_file() {
    let mut bench = Bench::new();
    let content = SheetRow::With(77);
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    staging.begin_sheets(&[sheet(1, "Mon")]).unwrap();
    staging.put(&staged("a", "{}", 0)).unwrap();
    staging.keep_rows(&[ROW, content]).unwrap();
    staging.commit(&RunFacts::default()).unwrap();
    let found = |bench: &mut Bench, rows: &[SheetRow]| {
        let mut looked_at = bench.ledger.stage_dry(SERVICE).unwrap();
        looked_at.begin_sheets(&[sheet(2, "Tue")]).unwrap();
        looked_at.sent_otherwise(("b", &[]), rows).unwrap().map(|other| other.number)
    };
    assert_eq!(found(&mut bench, &[SheetRow::At(0, 9), content]), Some("a".to_owned()));
    assert_eq!(found(&mut bench, &[ROW, SheetRow::With(78)]), None);
    // Where nobody knows whether it is the same service, the row is asked about like a number.
    bench.settle("a", booked("AWB-A"));
    let elsewhere = |bench: &mut Bench, rows: &[SheetRow]| {
        let new = NewRun { service: "http://localhost:8080".into(), ..new_run(RunKind::Import) };
        let mut staging = bench.ledger.stage(new).unwrap();
        staging.begin_sheets(&[sheet(2, "Tue")]).unwrap();
        staging.put(&staged("b", "{}", 0)).unwrap();
        staging.keep_rows(rows).unwrap();
        staging.elsewhere().unwrap().into_iter().map(|own| (own.booked, own.numbers)).collect::<Vec<_>>()
    };
    assert_eq!(elsewhere(&mut bench, &[ROW, content]), [(1, vec!["b".to_owned()])]);
    assert_eq!(elsewhere(&mut bench, &[ROW, SheetRow::With(78)]), []);
}

#[test]
pub(super) fn a_row_that_comes_again_and_again_stays_known_by_what_stands_in_it() {
    const DAY: i64 = 24 * 3_600_000;
    let mut bench = Bench::new();
    let content = SheetRow::With(77);
    for day in [0, 10, 20, 30] {
        let new = NewRun { started_ms: 1_000 * DAY + day * DAY, ..new_run(RunKind::Import) };
        let mut staging = bench.ledger.stage(new).unwrap();
        staging.begin_sheets(&[sheet(1, "Mon")]).unwrap();
        staging.put(&staged("a", "{}", 0)).unwrap();
        staging.keep_rows(&[ROW, content]).unwrap();
        staging.commit(&RunFacts::default()).unwrap();
    }
    let new = NewRun { started_ms: 1_031 * DAY, ..new_run(RunKind::Import) };
    let mut staging = bench.ledger.stage(new).unwrap();
    staging.begin_sheets(&[sheet(2, "Tue")]).unwrap();
    let other = Intake::sent_otherwise(&staging, ("b", &[]), &[content]).unwrap();
    assert_eq!(other.map(|other| other.number), Some("a".to_owned()));
}

#[test]
pub(super) fn an_order_whose_number_was_typed_over_is_known_by_the_one_that_it_came_with() {
    let mut bench = Bench::new();
    stage(&mut bench, sheet(1, ""), "a");
    let found = |bench: &mut Bench| {
        let mut looked_at = bench.ledger.stage_dry(SERVICE).unwrap();
        looked_at.begin_sheets(&[sheet(2, "")]).unwrap();
        looked_at.sent_otherwise(("b", &["a".to_owned()]), &[SheetRow::At(0, 9)]).unwrap().map(|other| other.number)
    };
    assert_eq!(found(&mut bench), Some("a".to_owned()), "still to be sent, by whichever station");
    bench.settle("a", booked("AWB-A"));
    assert_eq!(found(&mut bench), Some("a".to_owned()));
    // Once an import brought both beside each other, a person saw two parcels.
    stage_typed_over(&mut bench, &[("a", None), ("b", None)]);
    assert_eq!(found(&mut bench), None);
}

#[test]
pub(super) fn two_orders_whose_number_was_typed_over_are_two_parcels() {
    let mut bench = Bench::new();
    // Two rows of one number and one person become two orders.
    stage_typed_over(&mut bench, &[("a-1", Some(7)), ("a-2", Some(7))]);
    let mut staging = bench.ledger.stage(new_run(RunKind::Resume)).unwrap();
    assert_eq!(staging.adopt_outstanding(None).unwrap().orders, 2);
    drop(staging);
    bench.settle("a-1", refused());
    bench.settle("a-2", booked("AWB-2"));
    let mut staging = bench.ledger.stage(new_run(RunKind::Retry)).unwrap();
    assert_eq!(staging.adopt_failed(None, &[]).unwrap().adopted.orders, 1);
}

#[test]
pub(super) fn what_was_booked_under_its_own_number_is_not_sent_again_under_one_that_was_typed() {
    let mut bench = Bench::new();
    stage_typed_over(&mut bench, &[("b", Some(7))]);
    bench.settle("b", refused());
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    staging.begin_sheets(&[sheet(2, "")]).unwrap();
    staging.put(&staged("a", "{}", 0)).unwrap();
    staging.keep_rows(&[SheetRow::Own(7), SheetRow::Own(8)]).unwrap();
    staging.commit(&RunFacts::default()).unwrap();
    bench.settle("a", booked("AWB-A"));
    let mut staging = bench.ledger.stage(new_run(RunKind::Retry)).unwrap();
    assert_eq!(staging.adopt_failed(None, &[]).unwrap().adopted.orders, 0);
    let [(number, sent)] = staging.sent_otherwise() else { panic!("{:?}", staging.sent_otherwise()) };
    assert_eq!((number.as_str(), sent.number.as_str()), ("b", "a"));
}

/// Stages orders, each with what it is known by under the number that was typed over.
fn stage_typed_over(bench: &mut Bench, orders: &[(&str, Option<i64>)]) {
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    staging.begin_sheets(&[sheet(3, "")]).unwrap();
    for (position, (number, typed_over)) in (0..).zip(orders) {
        staging.put(&staged(number, "{}", position)).unwrap();
        staging.keep_rows(&typed_over.map(SheetRow::TypedOver).into_iter().collect::<Vec<_>>()).unwrap();
    }
    staging.commit(&RunFacts::default()).unwrap();
}

/// Stages orders as one run, each with its row and the numbers that it came with.
fn stage_typed(bench: &mut Bench, orders: &[(&str, &str, u32, &[&str])]) {
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    staging.begin_sheets(&[sheet(4, "")]).unwrap();
    for (position, (number, body, row, came_as)) in (0..).zip(orders) {
        staging.put(&staged(number, body, position)).unwrap();
        staging.keep_rows(&[SheetRow::At(0, *row)]).unwrap();
        staging.keep_former(&came_as.iter().map(|former| (*former).to_owned()).collect::<Vec<_>>()).unwrap();
    }
    staging.commit(&RunFacts::default()).unwrap();
}

/// Sends an order as it was staged last, and takes this answer to it.
fn answer_to(bench: &mut Bench, number: &str, outcome: Outcome) {
    let last = "SELECT r.run_id, o.id FROM orders o JOIN run_orders r ON r.order_id = o.id WHERE o.number = ?1
        ORDER BY r.run_id DESC LIMIT 1";
    let (run, order) = bench
        .ledger
        .connection
        .query_row(last, [number], |row| Ok((RunId(row.get(0)?), OrderId(row.get(1)?))))
        .unwrap();
    bench.intend(run, order);
    bench.ledger.commit(&[answer(order, outcome)], 3_000).unwrap();
}

/// The orders that a resume or retry would send, and those that it leaves alone.
fn taken_up(bench: &mut Bench, kind: RunKind) -> (Vec<String>, Vec<(String, String)>) {
    let mut staging = bench.ledger.stage(new_run(kind)).unwrap();
    if kind == RunKind::Retry {
        staging.adopt_failed(None, &[]).unwrap();
    } else {
        staging.adopt_outstanding(None).unwrap();
    }
    let left = staging.sent_otherwise().iter().map(|(number, other)| (number.clone(), other.number.clone())).collect();
    (staging.numbers(9).unwrap(), left)
}

fn pair(one: &str, other: &str) -> (String, String) {
    (one.to_owned(), other.to_owned())
}

#[test]
pub(super) fn former_numbers_are_told_of_what_is_unsent_and_never_change() {
    let mut bench = Bench::new();
    stage_typed(&mut bench, &[("a-12", "{}", 2, &["a-1", "a-2"]), ("c", "{}", 3, &[])]);
    let told = |bench: &Bench| bench.ledger.other_numbers(SERVICE).unwrap();
    assert_eq!(
        told(&bench).into_iter().collect::<Vec<_>>(),
        [("a-12".to_owned(), ["a-1", "a-2"].map(str::to_owned).to_vec())]
    );
    for change in ["UPDATE former_numbers SET number = 'b'", "DELETE FROM former_numbers"] {
        assert!(bench.attack(change).is_err(), "{change}");
    }
    answer_to(&mut bench, "a-12", refused());
    assert_eq!(told(&bench).len(), 1);
    answer_to(&mut bench, "c", booked("AWB-C"));
    // The same once more changes nothing.
    stage_typed(&mut bench, &[("a-12", "[]", 2, &["a-1"])]);
    assert_eq!(told(&bench)["a-12"].len(), 2);
    answer_to(&mut bench, "a-12", booked("AWB-A"));
    assert!(told(&bench).is_empty());
}

#[test]
pub(super) fn what_was_booked_under_a_number_that_was_typed_is_not_retried_under_the_first_one() {
    let mut bench = Bench::new();
    // One station has it refused, another one types a number and all else, in another file.
    stage_typed(&mut bench, &[("a", "{}", 2, &[])]);
    answer_to(&mut bench, "a", refused());
    stage_typed(&mut bench, &[("b", "[]", 9, &["a"])]);
    answer_to(&mut bench, "b", booked("AWB-B"));
    assert_eq!(taken_up(&mut bench, RunKind::Retry), (vec![], vec![pair("a", "b")]));
    // Nor does it go from a file of which no row is known.
    assert_eq!(other(&mut bench, sheet(7, ""), "a"), Some(("b".to_owned(), State::Booked)));
    // A third one that came as the same order is asked about as well, and a number of its own is not.
    assert_eq!(asked(&mut bench, "c", &["a"]), Some("b".to_owned()));
    assert_eq!(asked(&mut bench, "c", &["d"]), None);
}

#[test]
pub(super) fn what_was_booked_under_the_first_number_is_not_retried_under_one_that_was_typed() {
    let mut bench = Bench::new();
    stage_typed(&mut bench, &[("b", "[]", 9, &["a"])]);
    answer_to(&mut bench, "b", refused());
    stage_typed(&mut bench, &[("a", "{}", 2, &[])]);
    // Of two that are still to be sent the later one goes, once the other one failed as well.
    assert_eq!(taken_up(&mut bench, RunKind::Resume), (vec!["a".to_owned()], vec![]));
    answer_to(&mut bench, "a", booked("AWB-A"));
    assert_eq!(taken_up(&mut bench, RunKind::Retry), (vec![], vec![pair("b", "a")]));
    // By a number alone nothing is given up: it may be another person's.
    assert_eq!(bench.ledger.sent_as(SERVICE, "b").unwrap(), None);
    // At another service nobody knows either.
    let new = NewRun { service: "http://localhost:8080".into(), ..new_run(RunKind::Import) };
    let staging = bench.ledger.stage(new).unwrap();
    assert_eq!(Intake::sent_otherwise(&staging, ("b", &["a".to_owned()]), &[]).unwrap(), None);
}

#[test]
pub(super) fn a_split_order_that_comes_whole_again_is_not_sent_in_parts_as_well() {
    let mut bench = Bench::new();
    stage_typed(&mut bench, &[("a", "{}", 2, &[]), ("b", "{}", 3, &["a"])]);
    for number in ["a", "b"] {
        answer_to(&mut bench, number, refused());
    }
    assert_eq!(taken_up(&mut bench, RunKind::Retry).0, ["a", "b"]);
    stage_typed(&mut bench, &[("a", "[]", 8, &[])]);
    answer_to(&mut bench, "a", refused());
    assert_eq!(taken_up(&mut bench, RunKind::Retry), (vec!["a".to_owned()], vec![pair("b", "a")]));
    stage_typed(&mut bench, &[("a", "[1]", 8, &[])]);
    answer_to(&mut bench, "a", booked("AWB-A"));
    assert_eq!(taken_up(&mut bench, RunKind::Retry), (vec![], vec![pair("b", "a")]));
    assert_eq!(asked(&mut bench, "b", &["a"]), Some("a".to_owned()));
}

#[test]
pub(super) fn both_parts_of_an_order_that_was_whole_before_are_taken_up() {
    let mut bench = Bench::new();
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    staging.begin_sheets(&[sheet(4, "")]).unwrap();
    staging.put(&staged("a", "{}", 0)).unwrap();
    staging.keep_rows(&[SheetRow::At(0, 2), SheetRow::At(0, 3)]).unwrap();
    staging.commit(&RunFacts::default()).unwrap();
    answer_to(&mut bench, "a", refused());
    stage_typed(&mut bench, &[("a", "[]", 2, &[]), ("b", "[]", 3, &["a"])]);
    assert_eq!(taken_up(&mut bench, RunKind::Resume), (vec!["a".to_owned(), "b".to_owned()], vec![]));
    answer_to(&mut bench, "b", booked("AWB-B"));
    assert_eq!(taken_up(&mut bench, RunKind::Resume).0, ["a"]);
    answer_to(&mut bench, "a", refused());
    assert_eq!(taken_up(&mut bench, RunKind::Retry).0, ["a"]);
}

#[test]
pub(super) fn a_number_that_was_typed_twice_is_known_by_the_first_one() {
    let mut bench = Bench::new();
    stage_typed(&mut bench, &[("b", "{}", 2, &["a"])]);
    answer_to(&mut bench, "b", refused());
    assert_eq!(asked(&mut bench, "c", &["b"]), None);
    // The file was saved in between.
    stage_typed(&mut bench, &[("c", "{}", 9, &["b"])]);
    answer_to(&mut bench, "c", booked("AWB-C"));
    for number in ["a", "b"] {
        assert_eq!(asked(&mut bench, number, &[]), Some("c".to_owned()), "{number}");
    }
    assert_eq!(taken_up(&mut bench, RunKind::Retry), (vec![], vec![pair("b", "c")]));
    // Typed back, it has no former number of its own.
    stage_typed(&mut bench, &[("a", "{}", 9, &["c"])]);
    let sql = "SELECT count(*) FROM former_numbers f JOIN orders o ON o.id = f.order_id AND o.number = f.number";
    assert_eq!(bench.ledger.connection.query_row(sql, (), |row| row.get::<i64>(0)).unwrap(), 0);
}

#[test]
pub(super) fn what_a_person_called_another_parcel_is_taken_up() {
    // Another row of a file with the number that was typed over, and the same row.
    for row in [9, 2] {
        let mut bench = Bench::new();
        stage_typed(&mut bench, &[("a", "{}", 2, &[])]);
        answer_to(&mut bench, "a", refused());
        stage_typed(&mut bench, &[("b", "{}", row, &["a"])]);
        answer_to(&mut bench, "b", booked("AWB-B"));
        let accept = |bench: &mut Bench, order: &str, at_ms: i64| {
            let word = Accepted { by: "asha".into(), at_ms, because: "two parcels".into(), is_new: true };
            let (rule, order) = ("same-order".to_owned(), Some(order.to_owned()));
            let accepted = AcceptedFinding { rule, order, sheet: None, basis: Basis::default(), word };
            bench.ledger.accept_findings(SERVICE, "desk", &[accepted]).unwrap();
            taken_up(bench, RunKind::Retry).0
        };
        // What was said of the other one, or before that one had its request, is no word on this.
        assert_eq!(accept(&mut bench, "b", 9_000), Vec::<String>::new());
        assert_eq!(accept(&mut bench, "a", new_run(RunKind::Import).started_ms - 1), Vec::<String>::new());
        assert_eq!(accept(&mut bench, "a", 9_000), ["a"]);
    }
}

#[test]
pub(super) fn orders_that_came_together_are_asked_about_once_either_comes_otherwise() {
    let mut bench = Bench::new();
    stage_typed(&mut bench, &[("a", "{}", 2, &[]), ("b", "{}", 3, &[])]);
    answer_to(&mut bench, "a", doubtful());
    answer_to(&mut bench, "b", refused());
    // Another column is the number by now: this row was sent as the first one.
    stage_typed(&mut bench, &[("b", "[]", 2, &[])]);
    answer_to(&mut bench, "b", refused());
    assert_eq!(taken_up(&mut bench, RunKind::Retry), (vec![], vec![pair("b", "a")]));
}

/// The order that stands in the way of one that is looked at, from a file of which no row is known.
fn asked(bench: &mut Bench, number: &str, came_as: &[&str]) -> Option<String> {
    let mut looked_at = bench.ledger.stage_dry(SERVICE).unwrap();
    looked_at.begin_sheets(&[sheet(7, "")]).unwrap();
    let came_as: Vec<String> = came_as.iter().map(|former| (*former).to_owned()).collect();
    looked_at.sent_otherwise((number, &came_as), &[]).unwrap().map(|other| other.number)
}
