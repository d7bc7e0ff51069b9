//! A dry staging answers as staging does, and writes nothing.

use super::*;
use crate::ledger::{Elsewhere, Intake};

const OTHER: &str = "http://localhost:8080";

/// Bodies of an order that comes again: the one that it was brought with, and another one.
const BODIES: [&str; 2] = ["{}", "{1}"];

/// Puts each number once with each place in `at`, and gives what becomes of it.
fn put(intake: &mut dyn Intake, numbers: &[String], body: &str, at: impl Iterator<Item = i64>) -> Vec<Disposition> {
    let put = |(position, number): (i64, &String)| {
        let known = intake.known(number).unwrap();
        intake.put_over(&staged(number, body, position), known).unwrap()
    };
    at.zip(numbers).map(put).collect()
}

/// What becomes of these orders at an address, and what would have to be asked: staged, and then only looked at.
fn both_ways(
    bench: &mut Bench,
    service: &str,
    numbers: &[String],
    body: &str,
) -> [(Vec<Disposition>, Vec<Elsewhere>); 2] {
    // The last order of the sheet is complete first.
    let places = || (0..i64::try_from(numbers.len()).unwrap()).rev();
    let new = NewRun { service: service.into(), ..new_run(RunKind::Import) };
    let mut staging = bench.ledger.stage(new).unwrap();
    let put_in = put(&mut staging, numbers, body, places());
    let staged = (put_in, staging.elsewhere().unwrap());
    drop(staging);
    let reader = bench.reader();
    let mut dry = reader.stage_dry(service).unwrap();
    let looked_at = put(&mut dry, numbers, body, places());
    [staged, (looked_at, dry.elsewhere())]
}

/// A ledger with an order in each state.
fn in_every_state() -> (Bench, Vec<String>) {
    let mut bench = Bench::new();
    let numbers = State::ALL.map(|state| state.as_str().to_owned());
    for (state, number) in State::ALL.into_iter().zip(&numbers) {
        bench.bring(number, state);
    }
    (bench, numbers.into_iter().chain(["new".to_owned()]).collect())
}

#[test]
pub(super) fn every_state_becomes_the_same_staged_and_looked_at() {
    let (mut bench, numbers) = in_every_state();
    for body in BODIES {
        let [(staged, _), (looked_at, _)] = both_ways(&mut bench, SERVICE, &numbers, body);
        assert_eq!(staged, looked_at, "{body}");
        assert_eq!(looked_at.last(), Some(&Disposition::New));
    }
}

#[test]
pub(super) fn other_addresses_are_named_the_same_staged_and_looked_at() {
    let (mut bench, numbers) = in_every_state();
    let [staged, looked_at] = both_ways(&mut bench, OTHER, &numbers, "{}");
    assert_eq!(staged, looked_at);
    let [elsewhere] = looked_at.1.as_slice() else { panic!("{looked_at:?}") };
    assert_eq!((elsewhere.booked, elsewhere.in_doubt, elsewhere.abandoned), (1, 2, 1));
    assert_eq!(elsewhere.numbers, ["abandoned", "in_doubt", "booked"], "the first ones in the sheet");
    for service in ["sandbox", SERVICE] {
        let [staged, looked_at] = both_ways(&mut bench, service, &numbers, "{}");
        assert_eq!((&staged, &looked_at.1), (&looked_at, &Vec::new()), "{service}");
    }
}

#[test]
fn a_look_is_of_one_moment_and_changes_nothing() {
    let (mut bench, _) = in_every_state();
    let reader = bench.reader();
    let mut dry = reader.stage_dry(SERVICE).unwrap();
    bench.bring("later", State::Booked);
    assert_eq!(dry.known("later").unwrap(), None, "it was not there when looking began");
    let changes = |bench: &Bench| -> i64 {
        bench.ledger.connection.query_row("PRAGMA data_version", (), |row| row.get(0)).unwrap()
    };
    let before = changes(&bench);
    assert_eq!(dry.booked_before("booked", "orders.csv:2", 0).unwrap().as_deref(), Some("AWB-booked"));
    assert_eq!(dry.booked_before("refused", "orders.csv:3", 1).unwrap(), None);
    dry.keep_back(&unsendable(Some("bad"), "orders.csv:4", 2), &[problem(5, Some("bad"))]).unwrap();
    dry.note(&problem(5, None)).unwrap();
    put(&mut dry, &["rejected".to_owned(), "new".to_owned()], "{1}", 3..);
    drop(dry);
    assert_eq!(changes(&bench), before, "another connection would have changed it");
    assert!(reader.stage_dry(SERVICE).unwrap().known("later").unwrap().is_some());
}
