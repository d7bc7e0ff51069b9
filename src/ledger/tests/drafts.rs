//! Sheets that are open at the desk: their bytes, and the notes behind them.

use super::*;
use std::collections::BTreeSet;

use crate::ledger::{Concerned, DraftKept, DraftNote, DraftNoted, DraftRecord, RunEnd};

/// The same ledger, as whoever only says something of a sheet opens it.
fn beside(bench: &Bench) -> Ledger {
    if bench.address.is_some() { bench.reader() } else { Ledger::open(&bench.path()).unwrap() }
}

/// Something is said that concerns no order.
pub(super) fn nothing() -> Concerned<'static> {
    static NONE: BTreeSet<String> = BTreeSet::new();
    Concerned { numbers: &NONE, is_at_work: &|| true, holds: None }
}

/// A sheet of these bytes.
fn record(id: &str, bytes: &[u8]) -> DraftRecord {
    let (name, sha256) = ("orders.csv".to_owned(), Sha256::digest(bytes).into());
    DraftRecord { id: id.to_owned(), name, sha256, bytes: bytes.len() as u64, added_ms: 7 }
}

pub(super) fn keep(bench: &mut Bench, id: &str, mut bytes: &[u8]) -> DraftRecord {
    let record = record(id, bytes);
    bench.ledger.keep_draft(&record, &mut bytes).unwrap();
    record
}

pub(super) fn said(text: &str) -> DraftNote {
    DraftNote { at_ms: 8, noted: DraftNoted::Answer(text.to_owned()) }
}

#[test]
pub(super) fn a_sheet_is_there_again_as_it_came_with_all_that_was_said_of_it() {
    let mut bench = Bench::new();
    for (id, length) in [("none", 0), ("small", 10), ("two pieces", 256 * 1024), ("three", 2 * 256 * 1024 + 1)] {
        let bytes: Vec<u8> = (0..length).map(|at| u8::try_from(at % 251).unwrap()).collect();
        let kept = keep(&mut bench, id, &bytes);
        let (there, mut read) = (beside(&bench), Vec::new());
        assert_eq!(there.draft(id).unwrap(), Some(kept), "{id}");
        there.write_draft(id, &mut read).unwrap();
        assert!(read == bytes, "{id}");
    }
    assert_eq!(bench.ledger.drafts().unwrap().len(), 4);
    let (run, _) = bench.stage(&[("A-1", "{}")]);
    let all = [
        DraftNoted::Answer("{}".to_owned()),
        DraftNoted::Couriers,
        DraftNoted::Undo,
        DraftNoted::Layout("[]".to_owned()),
        DraftNoted::Run(run),
        DraftNoted::Rest("{}".to_owned()),
    ];
    let notes: Vec<DraftNote> = (1..).zip(all).map(|(at_ms, noted)| DraftNote { at_ms, noted }).collect();
    let mut revision = 0;
    for note in &notes {
        assert_eq!(
            bench.ledger.note_draft(("small", revision), std::slice::from_ref(note), &nothing()).unwrap(),
            DraftKept::Yes
        );
        revision += u64::from(note.noted.is_change());
    }
    assert_eq!(bench.reader().draft_notes("small").unwrap(), notes);
    assert_eq!((revision, bench.ledger.draft_revisions().unwrap()["small"]), (3, 3));
    assert_sound(&bench);
}

#[test]
pub(super) fn nothing_that_was_said_elsewhere_is_overwritten() {
    let mut bench = Bench::new();
    keep(&mut bench, "one", b"x");
    let mut other = beside(&bench);
    assert_eq!(other.note_draft(("one", 0), &[said("1")], &nothing()).unwrap(), DraftKept::Yes);
    assert_eq!(bench.ledger.note_draft(("one", 0), &[said("2")], &nothing()).unwrap(), DraftKept::ChangedSince);
    let asked = DraftNote { at_ms: 9, noted: DraftNoted::Couriers };
    assert_eq!(
        bench.ledger.note_draft(("one", 0), std::slice::from_ref(&asked), &nothing()).unwrap(),
        DraftKept::Yes,
        "it says nothing of an order"
    );
    let rest = DraftNote { at_ms: 9, noted: DraftNoted::Rest("{}".to_owned()) };
    assert_eq!(bench.ledger.note_draft(("one", 0), &[rest], &nothing()).unwrap(), DraftKept::ChangedSince);
    assert_eq!(bench.ledger.note_draft(("none", 0), &[said("2")], &nothing()).unwrap(), DraftKept::Gone);
    assert_eq!(bench.ledger.draft_notes("one").unwrap(), [said("1"), asked]);
}

#[test]
pub(super) fn of_two_that_answer_at_once_nobody_is_told_what_is_not_kept() {
    let mut bench = Bench::new();
    keep(&mut bench, "one", b"x");
    let told: u64 = std::thread::scope(|scope| {
        let say = |mut ledger: Ledger| {
            let one = |text: u32, ledger: &mut Ledger| {
                let revision = ledger.draft_revisions().unwrap()["one"];
                ledger.note_draft(("one", revision), &[said(&text.to_string())], &nothing()).unwrap() == DraftKept::Yes
            };
            (0..25).map(|text| u64::from(one(text, &mut ledger))).sum::<u64>()
        };
        let threads = [beside(&bench), beside(&bench), beside(&bench)].map(|own| scope.spawn(move || say(own)));
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    let notes = bench.ledger.draft_notes("one").unwrap().len() as u64;
    assert_eq!((notes, bench.ledger.draft_revisions().unwrap()["one"]), (told, told));
}

#[test]
pub(super) fn nothing_is_said_of_an_order_that_a_run_is_sending() {
    let mut bench = Bench::new();
    keep(&mut bench, "one", b"x");
    let (run, _) = bench.stage(&[("A-1", "{}"), ("A-2", "{}")]);
    let order = bench.pending(run)[0];
    let mut revision = 0;
    let mut says = |bench: &mut Bench, number: &str, is_at_work: bool| {
        let numbers = BTreeSet::from([number.to_owned()]);
        let concerned = Concerned { numbers: &numbers, is_at_work: &|| is_at_work, holds: None };
        let kept = bench.ledger.note_draft(("one", revision), &[said(number)], &concerned).unwrap();
        revision += u64::from(kept == DraftKept::Yes);
        kept
    };
    let refused = || DraftKept::UnderWay("A-1".to_owned());
    assert_eq!(says(&mut bench, "A-1", true), DraftKept::Yes, "its run claims it as it is then");
    bench.intend(run, order);
    assert_eq!(says(&mut bench, "A-1", true), refused(), "it is on its way");
    assert_eq!(says(&mut bench, "A-1", false), DraftKept::Yes, "that run was broken off");
    assert_eq!(says(&mut bench, "Z-1", true), DraftKept::Yes, "no run has it");
    bench.ledger.commit(&[super::answer(order, booked("AWB-1"))], 3_000).unwrap();
    assert_eq!(says(&mut bench, "A-1", true), DraftKept::Yes, "it is booked");
    let other = bench.pending(run)[0];
    bench.intend(run, other);
    assert_eq!(says(&mut bench, "A-2", true), DraftKept::UnderWay("A-2".to_owned()));
    bench.ledger.commit(&[super::answer(other, rejected())], 3_000).unwrap();
    let end = RunEnd { finished_ms: 6_000, requests: 0, stopped_by: None, stopped_why: None, exit: 0 };
    bench.ledger.finish_run(run, &end).unwrap();
    assert_eq!(says(&mut bench, "A-2", true), DraftKept::Yes, "the run is over");
}

#[test]
pub(super) fn a_run_is_noted_with_its_sheet_or_not_recorded() {
    let mut bench = Bench::new();
    keep(&mut bench, "one", b"x");
    for (revision, kept) in [(1, DraftKept::ChangedSince), (0, DraftKept::Yes)] {
        let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
        staging.put(&staged("A-1", "{}", 0)).unwrap();
        assert_eq!(staging.of_draft("one", revision).unwrap(), kept);
        drop(staging);
        assert_eq!(bench.ledger.draft_notes("one").unwrap(), [], "nothing was recorded");
    }
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    staging.put(&staged("A-1", "{}", 0)).unwrap();
    assert_eq!(staging.of_draft("none", 0).unwrap(), DraftKept::Gone);
    assert_eq!(staging.of_draft("one", 0).unwrap(), DraftKept::Yes);
    let run = staging.commit(&RunFacts::default()).unwrap();
    let [DraftNote { noted, .. }] = &bench.ledger.draft_notes("one").unwrap()[..] else { panic!("one note") };
    assert_eq!(*noted, DraftNoted::Run(run));
}

#[test]
pub(super) fn what_becomes_of_an_order_is_seen_and_what_is_said_of_a_sheet_is_not() {
    let mut bench = Bench::new();
    let mut last = bench.ledger.progress().unwrap();
    let mut is_seen = |bench: &Bench| {
        let now = bench.ledger.progress().unwrap();
        std::mem::replace(&mut last, now.clone()) != now
    };
    keep(&mut bench, "one", b"x");
    bench.ledger.note_draft(("one", 0), &[said("1")], &nothing()).unwrap();
    assert!(!is_seen(&bench));
    for state in [State::Staged, State::Sending, State::Waiting, State::Rejected, State::InDoubt, State::Booked] {
        bench.bring(&format!("A-{}", state.as_str()), state);
        assert!(is_seen(&bench), "{state:?}");
    }
    bench.decide("A-in_doubt", DecisionVerb::NotBooked).unwrap();
    assert!(is_seen(&bench));
    assert!(!is_seen(&bench));
}

#[test]
pub(super) fn orders_that_were_sent_or_answered_are_told_as_long_as_nothing_else_happened() {
    let mut bench = Bench::new();
    let (run, _) = bench.stage(&[("A-1", "{}"), ("A-2", "{}"), ("A-3", "{}")]);
    let orders = bench.pending(run);
    let mut before = bench.ledger.progress().unwrap();
    let mut since = |bench: &Bench| {
        let told = bench.ledger.sent_since(&before).unwrap();
        before = bench.ledger.progress().unwrap();
        told
    };
    assert_eq!(since(&bench), Some(Vec::new()));
    bench.intend(run, orders[0]);
    assert_eq!(since(&bench), Some(vec!["A-1".to_owned()]));
    bench.ledger.commit(&[super::answer(orders[0], booked("AWB-1"))], 3_000).unwrap();
    bench.intend(run, orders[2]);
    assert_eq!(since(&bench), Some(vec!["A-1".to_owned(), "A-3".to_owned()]));
    bench.ledger.commit(&[super::answer(orders[2], doubtful())], 3_000).unwrap();
    assert_eq!(since(&bench), Some(vec!["A-3".to_owned()]), "it is in doubt");
    bench.decide("A-3", DecisionVerb::NotBooked).unwrap();
    assert_eq!(since(&bench), None, "a person said something");
    bench.bring("B-1", State::Booked);
    assert_eq!(since(&bench), None, "another order came");
}

#[test]
pub(super) fn a_note_never_changes_and_a_sheet_that_is_cleared_leaves_nothing() {
    let mut bench = Bench::new();
    let canary = b"Asha Rao, 12 Hill Road".repeat(1000);
    keep(&mut bench, "one", &canary);
    bench.ledger.note_draft(("one", 0), &[said("1")], &nothing()).unwrap();
    for (table, said) in [
        ("drafts", "open sheets are final"),
        ("draft_pieces", "pieces of open sheets are final"),
        ("draft_notes", "notes of open sheets are final"),
    ] {
        let column = if table == "drafts" { "added_ms" } else { "n" };
        assert!(bench.attack(&format!("UPDATE {table} SET {column} = 3")).unwrap_err().contains(said));
    }
    assert_eq!(bench.ledger.clear_draft("one", Some(0)).unwrap(), DraftKept::ChangedSince);
    assert_eq!(bench.ledger.clear_draft("one", Some(1)).unwrap(), DraftKept::Yes);
    assert_eq!(bench.ledger.clear_draft("one", None).unwrap(), DraftKept::Gone, "once");
    assert_eq!(bench.ledger.drafts().unwrap(), []);
    for table in ["draft_pieces", "draft_notes"] {
        let count = format!("SELECT count(*) FROM {table}");
        assert_eq!(bench.ledger.connection.query_row(&count, (), |row| row.get::<i64>(0)).unwrap(), 0);
    }
    if bench.address.is_none() {
        let path = bench.path();
        drop(bench.ledger);
        let bytes = std::fs::read(path).unwrap();
        assert!(!bytes.windows(22).any(|own| own == &canary[..22]), "it lies in no page that is free");
    }
}
