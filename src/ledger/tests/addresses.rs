//! One service at several addresses.

use super::*;
use crate::ledger::address::precedence;
use crate::ledger::{Elsewhere, NewAddressWord};

const OTHER: &str = "http://localhost:8080";
const THIRD: &str = "https://third.example";

fn say(bench: &mut Bench, one: &str, other: &str, is_same: bool) -> Result<(), LedgerError> {
    bench.ledger.say_of_addresses(&NewAddressWord {
        one: one.into(),
        other: other.into(),
        is_same,
        because: " told by the vendor ".into(),
        user: "asha".into(),
        host: "desk".into(),
        at_ms: 5_000,
    })
}

fn run_at(service: &str, kind: RunKind) -> NewRun {
    NewRun { service: service.into(), ..new_run(kind) }
}

/// What an import of these numbers at an address would do, and what it would have to ask.
fn import_at(bench: &mut Bench, service: &str, numbers: &[&str]) -> (Vec<Disposition>, Vec<Elsewhere>) {
    let mut staging = bench.ledger.stage(run_at(service, RunKind::Import)).unwrap();
    let put = (0..).zip(numbers).map(|(at, number)| staging.put(&staged(number, "{}", at)).unwrap()).collect();
    (put, staging.elsewhere().unwrap())
}

#[test]
pub(super) fn nothing_is_the_same_until_somebody_says_so_and_then_for_good() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Booked);
    bench.bring("A-2", State::InDoubt);
    bench.bring("A-3", State::Abandoned);
    bench.bring("A-4", State::Refused);
    bench.bring("A-5", State::Sending);
    let numbers = ["A-1", "A-2", "A-3", "A-4", "A-5", "A-6"];
    let (put, elsewhere) = import_at(&mut bench, OTHER, &numbers);
    assert_eq!(put, vec![Disposition::New; 6]);
    let known = Elsewhere {
        service: SERVICE.into(),
        booked: 1,
        in_doubt: 2,
        abandoned: 1,
        numbers: vec!["A-1".into(), "A-2".into(), "A-3".into()],
    };
    assert_eq!(elsewhere, [known]);
    for (service, asked) in [("sandbox", 0), (THIRD, 1)] {
        assert_eq!(import_at(&mut bench, service, &numbers).1.len(), asked, "{service}");
    }
    say(&mut bench, OTHER, SERVICE, true).unwrap();
    let (put, elsewhere) = import_at(&mut bench, OTHER, &numbers);
    assert!(elsewhere.is_empty());
    let awb = "AWB-A-1".to_owned();
    let left = |state| Disposition::LeftAlone { state };
    let expected = [
        Disposition::AlreadyBooked { awb },
        Disposition::InDoubt,
        left(State::Abandoned),
        left(State::Refused),
        Disposition::Sending,
        Disposition::New,
    ];
    assert_eq!(put, expected);
    assert_eq!(bench.ledger.shipped(OTHER, "A-1").unwrap().unwrap().awb, "AWB-A-1");
    assert_eq!(bench.ledger.known_orders(OTHER, None, None).unwrap().len(), 5);
    assert!(bench.ledger.is_same_service(OTHER, SERVICE).unwrap());
    assert_eq!(bench.ledger.check().unwrap().faults, Vec::<String>::new());
}

#[test]
pub(super) fn a_service_that_is_said_to_be_another_is_not_asked_about_again() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Booked);
    say(&mut bench, SERVICE, OTHER, false).unwrap();
    assert_eq!(import_at(&mut bench, OTHER, &["A-1"]), (vec![Disposition::New], vec![]));
    // An address that is the same as the one that was spoken of is not asked about either.
    say(&mut bench, OTHER, THIRD, true).unwrap();
    assert_eq!(import_at(&mut bench, THIRD, &["A-1"]), (vec![Disposition::New], vec![]));
    // The latest word counts, and all are kept.
    say(&mut bench, OTHER, SERVICE, true).unwrap();
    let (put, _) = import_at(&mut bench, THIRD, &["A-1"]);
    assert_eq!(put, [Disposition::AlreadyBooked { awb: "AWB-A-1".into() }]);
    let words = bench.ledger.address_words().unwrap();
    let said: Vec<_> = words.iter().map(|word| (word.is_same, word.holds, word.because.as_str())).collect();
    let why = "told by the vendor";
    assert_eq!(said, [(false, false, why), (true, true, why), (true, true, why)]);
    let error = say(&mut bench, THIRD, SERVICE, false).unwrap_err();
    assert!(error.to_string().contains(&format!("by way of {OTHER}")), "{error}");
    assert_eq!(bench.ledger.address_words().unwrap().len(), 3);
}

#[test]
pub(super) fn of_two_addresses_that_know_a_number_what_forbids_sending_counts() {
    let order = [State::Booked, State::Sending, State::InDoubt, State::Abandoned, State::Staged, State::Refused];
    assert!(order.is_sorted_by(|one, next| precedence(*one) < precedence(*next)));
    for here in [State::Staged, State::Refused, State::Abandoned] {
        let mut bench = Bench::new();
        bench.bring("A-1", here);
        let mut staging = bench.ledger.stage(run_at(OTHER, RunKind::Import)).unwrap();
        staging.put(&staged("A-1", "{}", 0)).unwrap();
        let run = staging.commit(&RunFacts::default()).unwrap();
        let there = bench.pending(run)[0];
        bench.intend(run, there);
        bench.ledger.commit(&[answer(there, booked("X"))], 3_000).unwrap();
        say(&mut bench, SERVICE, OTHER, true).unwrap();
        for service in [SERVICE, OTHER] {
            let (put, _) = import_at(&mut bench, service, &["A-1"]);
            assert_eq!(put, [Disposition::AlreadyBooked { awb: "X".into() }], "{here:?} {service}");
            let mut staging = bench.ledger.stage(run_at(service, RunKind::Resume)).unwrap();
            assert_eq!(staging.adopt_outstanding(None).unwrap().orders, 0, "{here:?} {service}");
            assert_eq!(staging.set_aside().len(), usize::from(here == State::Staged));
            let retried = staging.adopt_failed(None, &[]).unwrap();
            assert_eq!(retried.adopted.orders, 0, "{here:?} {service}");
        }
        let all = bench.ledger.known_orders(SERVICE, None, None).unwrap();
        assert_eq!(all[0].state, State::Booked);
        let among = bench.ledger.known_among(SERVICE, [all[0].number.as_str(), "Z-9"]).unwrap();
        assert_eq!(among.as_slice(), &all[..1], "the same of those that are asked about");
    }
}

/// Promise 9: the database sends no order that the same service has at another address.
#[test]
pub(super) fn the_database_itself_sends_no_number_that_the_service_has_at_another_address() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Booked);
    let mut staging = bench.ledger.stage(run_at(OTHER, RunKind::Import)).unwrap();
    staging.put(&staged("A-1", "{}", 0)).unwrap();
    let run = staging.commit(&RunFacts::default()).unwrap();
    let order = bench.pending(run)[0];
    say(&mut bench, SERVICE, OTHER, true).unwrap();
    let intent = intent(&bench.ledger, run, order);
    let error = bench.ledger.commit(&[intent], 2_000).unwrap_err();
    assert!(error.to_string().contains("at another address"), "{error}");
}

#[test]
pub(super) fn an_awb_that_another_address_has_is_an_old_answer() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Booked);
    say(&mut bench, SERVICE, OTHER, true).unwrap();
    let mut staging = bench.ledger.stage(run_at(OTHER, RunKind::Import)).unwrap();
    staging.put(&staged("B-1", "{}", 0)).unwrap();
    let run = staging.commit(&RunFacts::default()).unwrap();
    let order = bench.pending(run)[0];
    bench.intend(run, order);
    bench.ledger.commit(&[answer(order, booked("AWB-A-1"))], 3_000).unwrap();
    assert_eq!(bench.state("B-1"), "in_doubt");
}

#[test]
pub(super) fn words_on_addresses_are_final_and_bound_into_the_evidence() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Booked);
    say(&mut bench, SERVICE, OTHER, true).unwrap();
    let broken = |sql: &str| bench.attack(sql).unwrap_err();
    for (sql, rule) in [
        ("UPDATE decisions SET verb = 'other-service'", "final"),
        ("DELETE FROM decisions", "never deleted"),
        (
            "INSERT OR REPLACE INTO decisions (id, at_ms, user, host, verb, because, evidence_n, service_id, other_id)
             SELECT id, 0, 'x', 'x', 'other-service', 'x', 2, service_id, other_id FROM decisions",
            "final",
        ),
        (
            "INSERT INTO decisions (at_ms, user, host, verb, because, evidence_n, service_id, other_id)
             SELECT 0, 'x', 'x', 'other-service', 'x', 2, other_id, service_id FROM decisions",
            "two_addresses",
        ),
        ("INSERT INTO evidence (n, kind, subject, hash) VALUES (4, 'decision', 1, zeroblob(32))", "one by one"),
    ] {
        // A server has no REPLACE.
        if bench.address.is_some() && sql.contains(" OR REPLACE ") {
            continue;
        }
        let said = broken(sql);
        assert!(said.contains(rule), "{sql}: {said}");
    }
    assert_eq!(bench.ledger.check().unwrap().evidence, 3);
    evidence::tamper(&bench, "UPDATE decisions SET verb = 'other-service'");
    let faults = bench.ledger.check().unwrap().faults;
    assert!(faults.iter().any(|fault| fault.contains("link 3")), "{faults:?}");
}

#[test]
pub(super) fn an_awb_is_one_shipment_wherever_the_service_may_answer() {
    // What was said of the two addresses, and whether one AWB at both is a contradiction.
    for (said, contradicts) in [(None, true), (Some(true), true), (Some(false), false)] {
        let mut bench = Bench::new();
        bench.bring("A-1", State::Booked);
        if let Some(is_same) = said {
            say(&mut bench, OTHER, SERVICE, is_same).unwrap();
        }
        let mut staging = bench.ledger.stage(run_at(OTHER, RunKind::Import)).unwrap();
        staging.put(&staged("B-1", "{}", 0)).unwrap();
        let run = staging.commit(&RunFacts::default()).unwrap();
        let order = bench.pending(run)[0];
        bench.intend(run, order);
        bench.ledger.commit(&[answer(order, booked("AWB-A-1"))], 3_000).unwrap();
        assert_eq!(bench.state("B-1"), if contradicts { "in_doubt" } else { "booked" }, "{said:?}");
        let word = NewDecision {
            upon: bench.ledger.order("B-1").unwrap()[0].upon(),
            verb: DecisionVerb::Booked { awb: "AWB-A-1".into() },
            user: "asha".into(),
            host: "desk".into(),
            because: "seen in the portal".into(),
            at_ms: 6_000,
        };
        assert!(!contradicts || matches!(bench.ledger.decide(&word), Err(LedgerError::AwbTaken { .. })));
    }
}
