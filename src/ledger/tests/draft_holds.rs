//! Orders that open sheets keep back: what holds them, what lets them go, and whom that is said to.

use super::drafts::{keep, nothing, said};
use super::*;
use std::collections::BTreeSet;

use crate::ledger::{Concerned, DraftHold, DraftHoldKind, DraftKept, Looked, NewDraftHolds};

/// Says something of a sheet, after which it keeps these orders back, and no others of `of`.
fn hold_of(bench: &mut Bench, draft: &str, of: Option<&[&str]>, all: &[DraftHold]) {
    let of: Option<BTreeSet<String>> = of.map(|of| of.iter().map(|own| (*own).to_owned()).collect());
    let of = of.as_ref().map_or(Looked::AtAll, Looked::At);
    let holds = NewDraftHolds { service: Some(SERVICE), user: "asha", host: "desk", of, all };
    let concerned = Concerned { holds: Some(&holds), ..nothing() };
    let revision = bench.ledger.draft_revisions().unwrap()[draft];
    assert_eq!(bench.ledger.note_draft((draft, revision), &[said("1")], &concerned).unwrap(), DraftKept::Yes);
}

fn hold(bench: &mut Bench, draft: &str, all: &[DraftHold]) {
    hold_of(bench, draft, None, all);
}

/// The same of a sheet that cannot be checked, where no service is configured.
fn hold_more(bench: &mut Bench, draft: &str, all: &[DraftHold]) {
    let holds = NewDraftHolds { service: None, user: "asha", host: "desk", of: Looked::Nowhere, all };
    let concerned = Concerned { holds: Some(&holds), ..nothing() };
    let revision = bench.ledger.draft_revisions().unwrap()[draft];
    assert_eq!(bench.ledger.note_draft((draft, revision), &[said("1")], &concerned).unwrap(), DraftKept::Yes);
}

fn word(number: &str, at: u8) -> DraftHold {
    let (entry, kind, basis) = (number.to_owned(), DraftHoldKind::Word, format!("word {at}"));
    DraftHold { entry, others: BTreeSet::new(), kind, basis, content: None, is_booked: false }
}

fn typed(number: &str) -> DraftHold {
    DraftHold { kind: DraftHoldKind::Typed, content: Some([7; 32]), ..word(number, 0) }
}

fn changed(number: &str) -> DraftHold {
    DraftHold { kind: DraftHoldKind::Changed, ..typed(number) }
}

#[test]
pub(super) fn what_an_open_sheet_keeps_back_is_held_wherever_it_could_be_sent_until_the_sheet_lets_it_go() {
    for (state, held) in [
        (State::Staged, "held"),
        (State::Waiting, "held"),
        (State::Rejected, "held"),
        (State::Refused, "held"),
        (State::InDoubt, "in_doubt"),
        (State::Booked, "booked"),
    ] {
        for lets_go in ["answer", "clear"] {
            let mut bench = Bench::new();
            keep(&mut bench, "one", b"x");
            bench.bring("A-1", state);
            bench.bring("A-2", State::Staged);
            hold(&mut bench, "one", &[word("A-1", 1)]);
            assert_eq!([bench.standing("A-1"), bench.standing("A-2")], [held, "staged"], "{state:?}");
            if state == State::InDoubt {
                bench.decide("A-1", DecisionVerb::NotBooked).unwrap();
                assert_eq!(bench.standing("A-1"), "held", "nothing else was said of it");
            }
            let claim =
                "UPDATE orders SET state = 'sending', attempts = attempts + 1, error = NULL WHERE number = 'A-1'";
            assert!(bench.attack(claim).is_err(), "{state:?}");
            let told: Vec<String> =
                bench.ledger.draft_held(SERVICE).unwrap().into_iter().map(|own| own.number).collect();
            assert_eq!(told.len(), usize::from(state != State::Booked), "{state:?}: {told:?}");
            assert_sound(&bench);
            match lets_go {
                "answer" => hold_of(&mut bench, "one", Some(&["A-1"]), &[]),
                _ => assert_eq!(bench.ledger.clear_draft("one", None).unwrap(), DraftKept::Yes),
            }
            let goes = if state == State::InDoubt { "staged" } else { state.as_str() };
            assert_eq!((bench.standing("A-1").as_str(), bench.ledger.draft_holds(None).unwrap().len()), (goes, 0));
            assert_sound(&bench);
        }
    }
}

#[test]
pub(super) fn an_order_that_two_sheets_keep_back_goes_once_both_have_let_it_go() {
    let mut bench = Bench::new();
    for draft in ["one", "two"] {
        keep(&mut bench, draft, b"x");
    }
    bench.bring("A-1", State::Staged);
    hold(&mut bench, "one", &[word("A-1", 1)]);
    hold(&mut bench, "two", &[changed("A-1")]);
    bench.ledger.clear_draft("one", None).unwrap();
    assert_eq!(bench.standing("A-1"), "held");
    assert_eq!(bench.ledger.draft_held(SERVICE).unwrap()[0].draft, "two");
    bench.ledger.clear_draft("two", None).unwrap();
    assert_eq!(bench.standing("A-1"), "staged");
}

#[test]
pub(super) fn what_sources_and_statements_say_stands_beside_an_open_sheet() {
    let mut bench = Bench::new();
    keep(&mut bench, "one", b"x");
    bench.bring("A-1", State::Staged);
    hold(&mut bench, "one", &[word("A-1", 1)]);
    bench.ledger.revise(SERVICE, ("asha", "desk", 9), &[revision("A-1", Verdict::Cancelled)]).unwrap();
    assert_eq!(bench.standing("A-1"), "left_out");
    bench.ledger.clear_draft("one", None).unwrap();
    assert_eq!(bench.standing("A-1"), "left_out", "a newer sheet has cancelled it");
    assert_sound(&bench);
}

#[test]
pub(super) fn only_a_word_is_heeded_however_the_number_is_spelled() {
    for (kept, number, standing) in [
        (word("#00017", 1), "17", "held"),
        (word("ord 12", 1), "ORD-12", "held"),
        (word("1-12", 1), "112", "held"),
        (word("A-1", 1), "A-10", "staged"),
        (typed("ord 12"), "ORD-12", "staged"),
        (DraftHold { others: BTreeSet::from(["B-9".to_owned()]), ..word("A-1", 1) }, "B-9", "held"),
    ] {
        let mut bench = Bench::new();
        keep(&mut bench, "one", b"x");
        bench.bring(number, State::Staged);
        hold(&mut bench, "one", std::slice::from_ref(&kept));
        assert_eq!(bench.standing(number), standing, "{} and {number}", kept.entry);
    }
}

#[test]
pub(super) fn a_run_of_the_sheet_lifts_what_it_books_and_only_that() {
    let mut bench = Bench::new();
    keep(&mut bench, "one", b"x");
    for number in ["A-1", "A-2", "A-3", "A-4"] {
        bench.bring(number, State::Rejected);
    }
    hold(&mut bench, "one", &[typed("A-1"), changed("A-2"), word("A-3", 1), typed("A-4")]);
    for commits in [false, true] {
        let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
        assert_eq!(staging.of_draft("one", 1).unwrap(), DraftKept::Yes);
        for (position, number) in [(0, "A-1"), (1, "A-2")] {
            staging.put(&staged(number, "{\"new\":1}", position)).unwrap();
        }
        if commits {
            staging.commit(&RunFacts::default()).unwrap();
        }
    }
    let standings = ["A-1", "A-2", "A-3", "A-4"].map(|number| bench.standing(number));
    assert_eq!(standings, ["staged", "staged", "held", "held"]);
    let left: Vec<(String, bool)> =
        bench.ledger.draft_holds(None).unwrap().into_iter().map(|own| (own.number, own.is_booked)).collect();
    let kept = [("A-1", true), ("A-3", false), ("A-4", false)].map(|(number, booked)| (number.to_owned(), booked));
    assert_eq!(left, kept, "another sheet is still asked about what was typed");
    assert_sound(&bench);
}

#[test]
pub(super) fn what_is_sent_from_elsewhere_stays_let_go_until_the_sheet_says_something_new() {
    let mut bench = Bench::new();
    keep(&mut bench, "one", b"x");
    bench.bring("A-1", State::Staged);
    hold(&mut bench, "one", &[word("A-1", 1), word("A-2", 1)]);
    bench.stage(&[("A-1", "{}"), ("A-2", "{}")]);
    assert_eq!([bench.standing("A-1"), bench.standing("A-2")], ["staged", "staged"]);
    hold(&mut bench, "one", &[word("A-1", 1), word("A-2", 2)]);
    assert_eq!([bench.standing("A-1"), bench.standing("A-2")], ["staged", "held"]);
    assert_sound(&bench);
}

#[test]
pub(super) fn a_resume_or_retry_takes_up_nothing_that_an_open_sheet_keeps_back() {
    let mut bench = Bench::new();
    keep(&mut bench, "one", b"x");
    bench.bring("A-1", State::Staged);
    bench.bring("A-2", State::Rejected);
    bench.bring("A-3", State::Staged);
    hold(&mut bench, "one", &[word("A-1", 1), word("A-2", 1)]);
    let mut staging = bench.ledger.stage(new_run(RunKind::Resume)).unwrap();
    assert_eq!(staging.adopt_outstanding(None).unwrap().orders, 1);
    assert_eq!(staging.outgoing().unwrap(), ["A-3"]);
    drop(staging);
    let mut staging = bench.ledger.stage(new_run(RunKind::Retry)).unwrap();
    assert_eq!(staging.adopt_failed(None, &[]).unwrap().adopted.orders, 0);
}

#[test]
pub(super) fn a_run_that_goes_on_sends_nothing_that_is_held_meanwhile() {
    let mut bench = Bench::new();
    keep(&mut bench, "one", b"x");
    let (run, _) = bench.stage(&[("A-1", "{}"), ("A-2", "{}")]);
    let orders = bench.pending(run);
    hold(&mut bench, "one", &[word("A-1", 1)]);
    let intents = [intent(&bench.ledger, run, orders[0]), intent(&bench.ledger, run, orders[1])];
    bench.ledger.commit(&intents, 2_000).unwrap();
    assert_eq!([bench.standing("A-1"), bench.standing("A-2")], ["held", "sending"]);
    assert_sound(&bench);
}

#[test]
pub(super) fn each_new_hold_is_a_link_and_lets_no_other_sheet_be_checked_again() {
    let mut bench = Bench::new();
    keep(&mut bench, "one", b"x");
    bench.bring("A-1", State::Staged);
    let links = |bench: &Bench| -> i64 {
        let count = "SELECT count(*) FROM evidence WHERE kind = 'source'";
        bench.ledger.connection.query_row(count, (), |row| row.get(0)).unwrap()
    };
    let (before, progress) = (links(&bench), bench.ledger.progress().unwrap());
    hold(&mut bench, "one", &[word("A-1", 1)]);
    hold(&mut bench, "one", &[word("A-1", 1)]);
    assert_eq!(links(&bench) - before, 1, "the second one says nothing new");
    hold(&mut bench, "one", &[]);
    assert_eq!(links(&bench) - before, 1, "what is let go again is held by no older copy");
    assert_eq!(bench.ledger.sent_since(&progress).unwrap(), Some(Vec::new()));
    assert_sound(&bench);
}

#[test]
pub(super) fn a_sheet_that_cannot_be_checked_holds_what_it_held_and_more() {
    let mut bench = Bench::new();
    keep(&mut bench, "one", b"x");
    for number in ["A-1", "A-2", "A-3"] {
        bench.bring(number, State::Rejected);
    }
    hold(&mut bench, "one", &[changed("A-1")]);
    hold_more(&mut bench, "one", &[word("A-2", 1)]);
    assert_eq!(["A-1", "A-2", "A-3"].map(|number| bench.standing(number)), ["held", "held", "rejected"]);
    assert_sound(&bench);
}

#[test]
pub(super) fn a_run_of_the_sheet_holds_on_to_what_it_does_not_send() {
    for state in [State::InDoubt, State::Rejected] {
        let mut bench = Bench::new();
        keep(&mut bench, "one", b"x");
        bench.bring("A-1", state);
        hold(&mut bench, "one", &[typed("A-1")]);
        let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
        assert_eq!(staging.of_draft("one", 1).unwrap(), DraftKept::Yes);
        // One that was rejected comes as it was, and is left to a retry.
        let body = if state == State::InDoubt { "{\"new\":1}" } else { "{}" };
        staging.put(&staged("A-1", body, 0)).unwrap();
        staging.commit(&RunFacts::default()).unwrap();
        if state == State::InDoubt {
            bench.decide("A-1", DecisionVerb::NotBooked).unwrap();
        }
        assert_eq!(bench.standing("A-1"), "held", "{state:?}");
        assert!(!bench.ledger.draft_holds(None).unwrap()[0].is_booked, "{state:?}");
        assert_sound(&bench);
    }
}

#[test]
pub(super) fn what_is_sent_at_one_address_stays_held_at_another() {
    for of_draft in [false, true] {
        let mut bench = Bench::new();
        keep(&mut bench, "one", b"x");
        bench.bring("A-1", State::Rejected);
        hold(&mut bench, "one", &[typed("A-1")]);
        let other = NewRun { service: "https://other.example.com".to_owned(), ..new_run(RunKind::Import) };
        let mut staging = bench.ledger.stage(other).unwrap();
        if of_draft {
            assert_eq!(staging.of_draft("one", 1).unwrap(), DraftKept::Yes);
        }
        staging.put(&staged("A-1", "{}", 0)).unwrap();
        let run = staging.commit(&RunFacts::default()).unwrap();
        let mut standings: Vec<String> =
            bench.ledger.order("A-1").unwrap().into_iter().map(|history| history.state).collect();
        standings.sort();
        assert_eq!(standings, ["held", "staged"], "{of_draft}");
        assert_eq!(bench.pending(run).len(), 1, "{of_draft}");
        assert_sound(&bench);
    }
}

#[test]
pub(super) fn a_person_sends_after_all_what_an_open_sheet_keeps_back() {
    let mut bench = Bench::new();
    keep(&mut bench, "one", b"x");
    bench.bring("A-1", State::Rejected);
    hold(&mut bench, "one", &[word("A-1", 1)]);
    bench.decide("A-1", DecisionVerb::NotBooked).unwrap();
    assert_eq!(bench.standing("A-1"), "rejected");
    hold_of(&mut bench, "one", Some(&["A-2"]), &[]);
    assert_eq!(bench.standing("A-1"), "rejected", "nothing new was said of it");
    assert_sound(&bench);
}
