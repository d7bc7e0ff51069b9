//! Courier's statements: what they hold, what lets it go, and what they say nothing of.

use super::*;
use crate::finding::{Accepted, Basis};
use crate::ledger::{AcceptedFinding, NewForgetting, NewStatement, TakenStatement};

/// Takes a statement with this name in, which names these orders.
fn take(bench: &mut Bench, name: &str, numbers: &[&str]) -> TakenStatement {
    let sha256 = Sha256::digest(name).into();
    let (user, host) = ("asha", "desk");
    let new =
        NewStatement { service: SERVICE, name, sha256, content: "{}", holds_what_comes: true, user, host, at_ms: 6 };
    bench.ledger.take_statement(&new, &|number| numbers.contains(&number)).unwrap()
}

/// Forgets it, beside others that name these orders.
fn forget(bench: &mut Bench, id: i64, still: &[&str]) -> Result<Vec<String>, LedgerError> {
    let new = NewForgetting { id, user: "asha", host: "desk", because: "another month", at_ms: 7 };
    bench.ledger.forget_statement(&new, &|number| still.contains(&number))
}

#[test]
pub(super) fn what_a_statement_names_is_held_wherever_it_could_be_sent_and_goes_once_that_is_forgotten() {
    for (state, held) in [
        (State::Staged, "held"),
        (State::Waiting, "held"),
        (State::Rejected, "held"),
        (State::Refused, "held"),
        (State::InDoubt, "in_doubt"),
    ] {
        let mut bench = Bench::new();
        bench.bring("A-1", state);
        bench.bring("A-2", State::Staged);
        let taken = take(&mut bench, "list.csv", &["A-1", "Z-9"]);
        assert_eq!(
            (taken.held.as_slice(), bench.standing("A-1").as_str()),
            (&["A-1".to_owned()][..], held),
            "{state:?}"
        );
        assert_eq!(bench.standing("A-2"), "staged", "{state:?}");
        if state == State::InDoubt {
            bench.decide("A-1", DecisionVerb::NotBooked).unwrap();
            assert_eq!(bench.standing("A-1"), "held", "it is there, whoever says that it is not");
        }
        let claim = "UPDATE orders SET state = 'sending', attempts = attempts + 1 WHERE number = 'A-1'";
        assert!(bench.attack(claim).is_err(), "{state:?}");
        assert_sound(&bench);
        let id = taken.id.unwrap();
        assert_eq!(forget(&mut bench, id, &[]).unwrap(), ["A-1"], "{state:?}");
        let goes = if state == State::InDoubt { "staged" } else { state.as_str() };
        assert_eq!(bench.standing("A-1"), goes, "{state:?}");
        assert!(matches!(forget(&mut bench, id, &[]), Err(LedgerError::NoStatement)), "once");
        assert_sound(&bench);
    }
}

#[test]
pub(super) fn an_order_on_its_way_is_held_once_it_proves_unsent() {
    let mut bench = Bench::new();
    let (_, order) = bench.bring("A-1", State::Sending);
    assert_eq!(take(&mut bench, "list.csv", &["A-1"]).held, ["A-1"]);
    assert_eq!(bench.standing("A-1"), "sending");
    bench.ledger.commit(&[answer(order, Outcome::Waiting { reason: "429".into() })], 3_000).unwrap();
    assert_eq!(bench.standing("A-1"), "held");
    assert_sound(&bench);
}

#[test]
pub(super) fn a_statement_says_nothing_of_what_is_over_or_does_not_go_anyway() {
    for state in [State::Booked, State::Abandoned, State::Held, State::LeftOut, State::Invalid, State::Dismissed] {
        let mut bench = Bench::new();
        bench.bring("A-1", state);
        let before = bench.standing("A-1");
        assert_eq!(take(&mut bench, "list.csv", &["A-1"]).held, Vec::<String>::new(), "{state:?}");
        assert_eq!(bench.standing("A-1"), before);
        assert_sound(&bench);
    }
}

#[test]
pub(super) fn an_order_that_two_statements_name_goes_once_both_are_forgotten() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Staged);
    let first = take(&mut bench, "first.csv", &["A-1"]).id.unwrap();
    let second = take(&mut bench, "second.csv", &["A-1"]).id.unwrap();
    assert_eq!(forget(&mut bench, first, &["A-1"]).unwrap(), Vec::<String>::new());
    assert_eq!(bench.standing("A-1"), "held");
    let names = |bench: &Bench| -> Vec<String> {
        bench.ledger.statements(SERVICE).unwrap().into_iter().map(|own| own.name).collect()
    };
    assert_eq!(names(&bench), ["second.csv"]);
    assert_eq!(forget(&mut bench, second, &[]).unwrap(), ["A-1"]);
    assert_eq!(names(&bench), Vec::<String>::new());
    assert_sound(&bench);
}

#[test]
pub(super) fn a_statement_that_comes_again_holds_what_came_since_and_is_one() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Staged);
    let first = take(&mut bench, "list.csv", &["A-1", "A-2"]);
    bench.bring("A-2", State::Staged);
    let again = take(&mut bench, "list.csv", &["A-1", "A-2"]);
    assert_eq!((again.id, again.held.as_slice()), (first.id, &["A-2".to_owned()][..]));
    assert_eq!(forget(&mut bench, first.id.unwrap(), &[]).unwrap(), ["A-1", "A-2"]);
    assert_sound(&bench);
}

#[test]
pub(super) fn a_person_lets_one_order_of_a_statement_go() {
    let mut bench = Bench::new();
    let (run, order) = bench.bring("A-1", State::Staged);
    take(&mut bench, "list.csv", &["A-1"]);
    let (rule, sha256) = bench.ledger.question(SERVICE, "A-1").unwrap().unwrap();
    assert_eq!(rule, RuleId::InCouriersList.as_str());
    let content = crate::text::hex(&sha256);
    let word = Accepted { by: "asha".into(), at_ms: 5_000, because: "another parcel".into(), is_new: true };
    let (order_number, basis) = (Some("A-1".to_owned()), Basis::of([("", "A-1"), ("", content.as_str())]));
    let accepted = AcceptedFinding { rule, order: order_number, sheet: None, basis, word };
    assert_eq!(bench.ledger.accept_findings(SERVICE, "desk", &[accepted]).unwrap(), ["A-1"]);
    assert_eq!(take(&mut bench, "list.csv", &["A-1"]).held, Vec::<String>::new(), "for good");
    bench.intend(run, order);
    assert_sound(&bench);
}

#[test]
pub(super) fn what_was_booked_meanwhile_keeps_no_statement_from_being_forgotten() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::InDoubt);
    bench.bring("A-2", State::Staged);
    let id = take(&mut bench, "list.csv", &["A-1", "A-2"]).id.unwrap();
    bench.decide("A-1", DecisionVerb::Booked { awb: "77889900".into() }).unwrap();
    bench.decide("A-2", DecisionVerb::Abandoned).unwrap();
    bench.bring("A-3", State::InDoubt);
    assert_eq!(take(&mut bench, "list.csv", &["A-1", "A-2", "A-3"]).held, ["A-3"]);
    assert_eq!(forget(&mut bench, id, &[]).unwrap(), Vec::<String>::new(), "what is in doubt stays so");
    assert_eq!((bench.standing("A-1"), bench.standing("A-3")), ("booked".to_owned(), "in_doubt".to_owned()));
    bench.decide("A-3", DecisionVerb::NotBooked).unwrap();
    assert_eq!(bench.standing("A-3"), "staged");
    assert_sound(&bench);
}

#[test]
pub(super) fn what_was_corrected_while_a_statement_held_it_goes_as_it_is_then() {
    for state in [State::Staged, State::InDoubt] {
        let mut bench = Bench::new();
        let (run, _) = bench.bring("A-1", state);
        let id = take(&mut bench, "list.csv", &["A-1"]).id.unwrap();
        bench.ledger.revise(SERVICE, ("u", "h", 9), &[asking("A-1", RuleId::InCouriersList, "{1}")]).unwrap();
        if state == State::InDoubt {
            bench.decide("A-1", DecisionVerb::NotBooked).unwrap();
        }
        assert_eq!((bench.standing("A-1").as_str(), forget(&mut bench, id, &[]).unwrap().len()), ("held", 1));
        let goes = bench.ledger.outstanding(run, (-1, 9), Part::WHOLE).unwrap().remove(0);
        assert_eq!(goes.body.as_slice(), b"{1}", "{state:?}");
        assert_sound(&bench);
    }
}

#[test]
pub(super) fn the_evidence_has_what_a_statement_says() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Staged);
    take(&mut bench, "list.csv", &["A-1"]);
    assert_sound(&bench);
    for change in ["name = 'other.csv'", "content = '[]'", "sha256 = zeroblob(32)"] {
        let said = bench.attack(&format!("UPDATE statements SET {change}")).unwrap_err();
        assert!(said.contains("statements are final"), "{said}");
    }
    assert!(bench.attack("DELETE FROM statements").unwrap_err().contains("statements are never deleted"));
}

#[test]
fn a_statement_that_somebody_changed_in_the_file_is_found() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Staged);
    take(&mut bench, "list.csv", &["A-1"]);
    evidence::tamper(&bench, "UPDATE statements SET content = '[]'");
    let faults = bench.ledger.check().unwrap().faults;
    assert!(faults.iter().any(|fault| fault.contains("evidence")), "{faults:?}");
}
