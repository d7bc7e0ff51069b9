//! The order book: what moves an order's verdict and hold, and what an order that does not go is kept from.

use super::*;
use crate::finding::{Accepted, Basis};
use crate::ledger::spool::Entry;
use crate::ledger::{AcceptedFinding, Intake};

const BY: (&str, &str, i64) = ("u", "h", 9);

/// The ways in which an order does not go.
fn ways() -> Vec<NewRevision> {
    let refused = [Verdict::Held, Verdict::LeftOut, Verdict::Invalid, Verdict::Cancelled];
    let asks = [RuleId::OldSheet, RuleId::OtherReceiver, RuleId::FewerProducts];
    let refused = refused.into_iter().map(|verdict| revision("A-1", verdict));
    refused.chain(asks.into_iter().map(|rule| asking("A-1", rule, "{1}"))).collect()
}

fn accept(bench: &mut Bench, rule: RuleId) -> Vec<String> {
    let word = Accepted { by: "asha".into(), at_ms: 5_000, because: "told so".into(), is_new: true };
    let asked = crate::text::hex(&Sha256::digest("{1}").into());
    let (order, basis) = (Some("A-1".to_owned()), Basis::of([("", "A-1"), ("", asked.as_str())]));
    let accepted = AcceptedFinding { rule: rule.as_str().to_owned(), order, sheet: None, basis, word };
    bench.ledger.accept_findings(SERVICE, "desk", &[accepted]).unwrap()
}

#[test]
pub(super) fn an_order_that_does_not_go_is_not_sent_even_by_sql() {
    let claim = "UPDATE orders SET state = 'sending', attempts = attempts + 1";
    for way in ways() {
        for state in [State::Staged, State::Waiting] {
            let mut bench = Bench::new();
            bench.bring("A-1", state);
            bench.ledger.revise(SERVICE, BY, std::slice::from_ref(&way)).unwrap();
            let said = bench.attack(claim).unwrap_err();
            assert!(said.contains("an order that is held or left out is not sent"), "{way:?}: {said}");
            assert_eq!(bench.state("A-1"), state.as_str(), "{way:?}");
            assert_sound(&bench);
        }
    }
}

#[test]
pub(super) fn only_a_newer_revision_of_its_own_moves_an_order_even_by_sql() {
    let mut bench = Bench::new();
    // Revisions 1 and 3 let the two orders go, revision 2 holds the first one, revision 4 leaves the second one out.
    bench.bring("A-1", State::Held);
    bench.bring("A-2", State::LeftOut);
    let moves = |revision: i64, verdict: &str| {
        format!("UPDATE orders SET revision_id = {revision}, verdict = '{verdict}' WHERE number = 'A-1'")
    };
    for (revision, verdict) in [(1, "go"), (3, "go"), (4, "left-out"), (5, "go"), (2, "go")] {
        let said = bench.attack(&moves(revision, verdict)).unwrap_err();
        assert!(said.contains("an order is what its newest revision says"), "{revision}: {said}");
    }
    let of = |order: i64| {
        format!("INSERT INTO revisions (id, order_id, source_id, verdict) VALUES (9, {order}, 1, 'cancelled')")
    };
    let of_another = format!("BEGIN; {}; {}", of(2), moves(9, "cancelled"));
    assert!(bench.attack(&of_another).unwrap_err().contains("an order is what its newest revision says"));
    assert_sound(&bench);
    bench.attack(&format!("BEGIN; {}; {}; COMMIT", of(1), moves(9, "cancelled"))).unwrap();
    assert_eq!((bench.standing("A-1"), bench.standing("A-2")), ("left_out".to_owned(), "left_out".to_owned()));
}

#[test]
pub(super) fn a_correction_of_an_awb_says_nothing_else_of_its_order() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::InDoubt);
    bench.decide("A-1", DecisionVerb::Booked { awb: "12".into() }).unwrap();
    let corrected =
        "BEGIN; INSERT INTO decisions (at_ms, user, host, verb, because, evidence_n, order_id, awb, attempt_id)
        VALUES (5, 'u', 'h', 'booked', 'x', 9, 1, '13', 1)";
    let revised = "INSERT INTO revisions (id, order_id, source_id, verdict, hold, request_id) VALUES";
    for (values, set) in [
        ("(9, 1, 1, 'cancelled', NULL, NULL)", "revision_id = 9, verdict = 'cancelled'"),
        ("(9, 1, 1, 'go', 'old-sheet', 1)", "revision_id = 9, hold = 'old-sheet'"),
        ("(9, 1, 1, 'go', NULL, 1)", "revision_id = 9"),
    ] {
        let sql = format!("{corrected}; {revised} {values}; UPDATE orders SET awb = '13', {set} WHERE id = 1; COMMIT");
        assert!(bench.attack(&sql).unwrap_err().contains("a booked order never changes"), "{set}");
    }
    bench.attack(&format!("{corrected}; UPDATE orders SET awb = '13' WHERE id = 1; ROLLBACK")).unwrap();
    assert_sound(&bench);
}

#[test]
pub(super) fn only_an_answer_to_what_is_asked_lets_an_order_go_with_the_request_that_was_asked_about() {
    for state in [State::Staged, State::Waiting, State::Refused] {
        let mut bench = Bench::new();
        let (run, order) = bench.bring("A-1", state);
        let asks = asking("A-1", RuleId::FewerProducts, "{1}");
        bench.ledger.revise(SERVICE, BY, &[asks]).unwrap();
        for other in [RuleId::OldSheet, RuleId::OtherReceiver, RuleId::CancelledNote] {
            assert_eq!(accept(&mut bench, other), Vec::<String>::new(), "{other}");
            assert_eq!(bench.standing("A-1"), "held", "{other}");
        }
        assert_eq!(accept(&mut bench, RuleId::FewerProducts), ["A-1"], "{state:?}");
        assert_eq!(bench.standing("A-1"), "staged", "{state:?}");
        let goes = bench.ledger.outstanding(run, (-1, 9), Part::WHOLE).unwrap().remove(0);
        assert_eq!((goes.order, goes.body.as_slice()), (order, b"{1}".as_slice()), "{state:?}");
        bench.intend(run, order);
        assert_sound(&bench);
    }
}

#[test]
pub(super) fn a_cancellation_of_an_order_in_doubt_holds_once_it_proves_unsent() {
    // It proves unsent by a person's decision, or by an answer that comes late.
    for late in [None, Some(refused()), Some(Outcome::Waiting { reason: "429".into() })] {
        let mut bench = Bench::new();
        let (_, order) = bench.bring("A-1", State::InDoubt);
        let cancelled = revision("A-1", Verdict::Cancelled);
        assert_eq!(bench.ledger.revise(SERVICE, BY, &[cancelled]).unwrap(), ["A-1"]);
        assert_eq!(bench.standing("A-1"), "in_doubt");
        match &late {
            None => bench.decide("A-1", DecisionVerb::NotBooked).unwrap(),
            Some(outcome) => {
                let entry = Entry::new(order, 1, 3_500, outcome, Some(429), Some(b"{}"));
                bench.ledger.spool.as_mut().unwrap().keep(vec![entry]).unwrap();
                bench.ledger.recover(9_000).unwrap();
            }
        }
        assert_eq!(bench.standing("A-1"), "left_out", "{late:?}");
        let mut staging = bench.ledger.stage(new_run(RunKind::Resume)).unwrap();
        assert_eq!(staging.adopt_outstanding(None).unwrap().orders, 0, "{late:?}");
        assert_eq!(staging.adopt_failed(None, &[]).unwrap().adopted.orders, 0, "{late:?}");
        drop(staging);
        assert_sound(&bench);
    }
}

#[test]
pub(super) fn orders_that_are_held_are_not_outstanding() {
    for way in ways() {
        let mut bench = Bench::new();
        let (run, _) = bench.bring("A-1", State::Waiting);
        bench.ledger.revise(SERVICE, BY, std::slice::from_ref(&way)).unwrap();
        let tally = bench.ledger.tally(run).unwrap();
        assert_eq!((tally.outstanding, tally.held + tally.left_out), (0, 1), "{way:?}");
        // Held orders are open until a person answers; a wrong row is to be fixed in its sheet.
        let mut open = 0;
        bench.ledger.for_each_open(&mut |_| open += 1).unwrap();
        let waits = if way.verdict == Verdict::Invalid { 0 } else { tally.held };
        assert_eq!((open, bench.pending(run).len()), (waits, 0), "{way:?}");
        assert_sound(&bench);
    }
}

#[test]
pub(super) fn resume_and_retry_take_nothing_up_beside_others_that_does_not_go() {
    for way in ways() {
        for outcome in [None, Some(refused())] {
            let mut bench = Bench::new();
            let (run, _) = bench.stage(&[("A-1", "{}"), ("A-2", "{}")]);
            for order in bench.pending(run).into_iter().filter(|_| outcome.is_some()) {
                bench.intend(run, order);
                bench.ledger.commit(&[answer(order, refused())], 3_000).unwrap();
            }
            bench.ledger.revise(SERVICE, BY, std::slice::from_ref(&way)).unwrap();
            let mut staging = bench.ledger.stage(new_run(RunKind::Resume)).unwrap();
            let taken_up = match outcome {
                None => staging.adopt_outstanding(None).unwrap(),
                Some(_) => staging.adopt_failed(None, &[]).unwrap().adopted,
            };
            assert_eq!((taken_up.orders, staging.numbers(9).unwrap()), (1, vec!["A-2".to_owned()]), "{way:?}");
            staging.commit(&RunFacts::default()).unwrap();
            assert_sound(&bench);
        }
    }
}

#[test]
pub(super) fn a_run_sends_nothing_that_it_keeps_back_and_counts_it_by_what_becomes_of_it() {
    let mut bench = Bench::new();
    let (first, _) = bench.stage(&[("A-1", "{}")]);
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    staging.place_kept_back(&unsendable(Some("A-1"), "b.csv:2", 0)).unwrap();
    let second = staging.commit(&RunFacts::default()).unwrap();
    let held = |bench: &Bench| {
        bench.assert_tallies();
        let tally = bench.ledger.tally(second).unwrap();
        (tally.held, tally.outstanding, tally.in_doubt, tally.booked)
    };
    assert!(bench.pending(second).is_empty());
    assert_eq!(held(&bench), (1, 0, 0, 0), "another run may send it");
    let mut resumed = bench.ledger.stage(new_run(RunKind::Resume)).unwrap();
    assert_eq!(resumed.adopt_outstanding(Some(second)).unwrap().orders, 0);
    drop(resumed);
    let order = bench.pending(first)[0];
    bench.intend(first, order);
    assert_eq!(held(&bench), (1, 0, 0, 0));
    bench.ledger.commit(&[answer(order, doubtful())], 3_000).unwrap();
    assert_eq!(held(&bench), (0, 0, 1, 0));
    bench.decide("A-1", DecisionVerb::NotBooked).unwrap();
    assert_eq!(held(&bench), (1, 0, 0, 0));
    bench.intend(first, order);
    bench.ledger.commit(&[answer(order, booked("A1"))], 3_000).unwrap();
    assert_eq!(held(&bench), (0, 0, 0, 1), "it is booked since");
    assert_sound(&bench);
}

#[test]
pub(super) fn an_order_that_no_source_has_let_go_has_a_row_and_goes_with_its_first_request() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Invalid);
    assert_eq!(bench.standing("A-1"), "invalid");
    assert!(matches!(bench.decide("A-1", DecisionVerb::Abandoned), Err(LedgerError::Illegal { .. })));
    assert!(matches!(bench.decide("A-1", DecisionVerb::NotBooked), Err(LedgerError::Illegal { .. })));
    let mut to_fix = Vec::new();
    bench.ledger.for_each_to_fix(&mut |order| to_fix.push(order.number)).unwrap();
    assert_eq!(to_fix, ["A-1"]);
    let (run, dispositions) = bench.stage(&[("A-1", "{}")]);
    assert_eq!((dispositions.as_slice(), bench.standing("A-1").as_str()), ([Disposition::New].as_slice(), "staged"));
    let known = bench.ledger.stage(new_run(RunKind::Import)).unwrap().known("A-1").unwrap().unwrap();
    assert_eq!((known.created_ms, known.revision), (Some(1_000), None));
    assert_eq!(bench.pending(run).len(), 1);
    bench.assert_tallies();
    assert_sound(&bench);
}

#[test]
pub(super) fn a_dismissal_holds_wherever_the_order_has_the_same_cells() {
    let mut bench = Bench::new();
    let came = |bench: &mut Bench, cells: u8| {
        let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
        let order = Unsendable { cells: Some([cells; 32]), ..unsendable(Some("A-1"), "orders.csv:2", 0) };
        let is_dismissed = Intake::is_dismissed(&staging, "A-1", order.cells).unwrap();
        staging.place_kept_back(&order).unwrap();
        staging.commit(&RunFacts::default()).unwrap();
        is_dismissed
    };
    assert!(!came(&mut bench, 1));
    bench.dismiss("A-1").unwrap();
    assert_eq!(bench.standing("A-1"), "dismissed");
    assert!(matches!(bench.dismiss("A-1"), Err(LedgerError::NotInvalid { .. })));
    assert!(came(&mut bench, 1));
    assert!(!came(&mut bench, 2));
    for run in bench.ledger.runs(9).unwrap() {
        assert!(bench.ledger.is_dismissed_in(run.id, "A-1").unwrap());
    }
    bench.assert_tallies();
    assert_sound(&bench);
}
