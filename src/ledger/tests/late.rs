//! Answers that come to light when their attempt is in doubt already.

use super::*;
use crate::ledger::Recovered;
use crate::ledger::spool::Entry;

impl Bench {
    /// An answer to an attempt, as the spool keeps it when the ledger could not take it.
    fn spool(&mut self, order: OrderId, attempt: u32, outcome: &Outcome) {
        let entry = Entry::new(order, attempt, 3_500, outcome, Some(201), Some(b"{}"));
        self.ledger.spool.as_mut().unwrap().keep(vec![entry]).unwrap();
    }

    fn recover(&mut self) -> Recovered {
        let recovered = self.ledger.recover(9_000).unwrap();
        let checked = self.ledger.check().unwrap();
        assert_eq!(checked.faults, Vec::<String>::new());
        self.assert_tallies();
        recovered
    }

    fn spooled(&self) -> usize {
        self.ledger.spool.as_ref().unwrap().entries().len()
    }

    fn awb(&self, number: &str) -> Option<String> {
        self.ledger.order(number).unwrap()[0].awb.clone()
    }
}

/// Promise 2: a late answer settles its own attempt, whatever it says.
#[test]
pub(super) fn a_late_answer_settles_its_own_attempt_whatever_it_says() {
    let outcomes = [
        (booked("AWB-9"), "booked"),
        (rejected(), "rejected"),
        (refused(), "refused"),
        (Outcome::Waiting { reason: "429".into() }, "waiting"),
    ];
    for (outcome, state) in outcomes {
        let mut bench = Bench::new();
        let (_, order) = bench.bring("A-1", State::InDoubt);
        bench.spool(order, 1, &outcome);
        let recovered = bench.recover();
        assert_eq!((recovered.answered, recovered.contradictions), (vec!["A-1".to_owned()], vec![]));
        assert_eq!(bench.state("A-1"), state);
        assert_eq!(bench.spooled(), 0);
        let history = &bench.ledger.order("A-1").unwrap()[0];
        assert_eq!(history.attempts[0].late.as_ref().unwrap().outcome, state);
        assert_eq!(bench.ledger.evidence("A-1").unwrap().len(), 3, "the source, the doubt, then the answer");
    }
}

#[test]
pub(super) fn an_answer_that_came_with_the_crash_is_taken_before_its_order_is_in_doubt() {
    let mut bench = Bench::new();
    let (_, order) = bench.bring("A-1", State::Sending);
    bench.spool(order, 1, &booked("AWB-9"));
    let recovered = bench.recover();
    assert_eq!((recovered.answered.len(), recovered.in_doubt.len()), (1, 0));
    assert_eq!(bench.awb("A-1").as_deref(), Some("AWB-9"));
    assert!(bench.ledger.order("A-1").unwrap()[0].attempts[0].late.is_none(), "it was not late");
}

#[test]
pub(super) fn what_says_nothing_new_moves_nothing() {
    let mut bench = Bench::new();
    let (_, order) = bench.bring("A-1", State::InDoubt);
    let nothing = Entry::new(order, 1, 3_500, &doubtful(), None, None);
    bench.ledger.spool.as_mut().unwrap().keep(vec![nothing]).unwrap();
    bench.recover();
    assert_eq!((bench.state("A-1").as_str(), bench.spooled()), ("in_doubt", 0));
    bench.spool(order, 1, &booked("AWB-9"));
    bench.recover();
    assert_eq!(bench.awb("A-1").as_deref(), Some("AWB-9"));
    bench.spool(order, 1, &booked("AWB-9"));
    assert_eq!(bench.recover(), Recovered::default(), "what is known is taken once");
    // Of an attempt that this ledger does not know, as after a restore, it stays where it is.
    bench.spool(order, 7, &booked("AWB-7"));
    bench.recover();
    assert_eq!(bench.spooled(), 1);
}

#[test]
pub(super) fn a_late_booking_overrules_what_was_decided_short_of_a_booking() {
    for verbs in [vec![DecisionVerb::NotBooked], vec![DecisionVerb::Abandoned]] {
        let mut bench = Bench::new();
        let (_, order) = bench.bring("A-1", State::InDoubt);
        for verb in verbs {
            bench.decide("A-1", verb).unwrap();
        }
        bench.spool(order, 1, &booked("AWB-9"));
        assert_eq!(bench.recover().answered, ["A-1"]);
        assert_eq!(bench.awb("A-1").as_deref(), Some("AWB-9"));
    }
    // A late refusal does not: it says what the person said.
    let mut bench = Bench::new();
    let (_, order) = bench.bring("A-1", State::InDoubt);
    bench.decide("A-1", DecisionVerb::NotBooked).unwrap();
    bench.spool(order, 1, &refused());
    bench.recover();
    assert_eq!(bench.state("A-1"), "staged");
}

/// An order that was sent a second time after a person's word, with what came of that.
fn sent_twice(second: Option<Outcome>) -> (Bench, OrderId) {
    let mut bench = Bench::new();
    let (run, order) = bench.bring("A-1", State::InDoubt);
    bench.decide("A-1", DecisionVerb::NotBooked).unwrap();
    bench.intend(run, order);
    if let Some(outcome) = second {
        bench.ledger.commit(&[answer(order, outcome)], 5_000).unwrap();
    }
    bench.spool(order, 1, &booked("AWB-9"));
    (bench, order)
}

#[test]
pub(super) fn a_late_answer_with_the_orders_own_awb_written_otherwise_is_no_second_booking() {
    let (mut bench, _) = sent_twice(Some(booked("awb9")));
    let recovered = bench.recover();
    assert_eq!((recovered.contradictions.len(), bench.awb("A-1").as_deref()), (0, Some("awb9")));
}

/// Promise 2: if an order was booked twice all the same, both AWBs are stored and shown.
#[test]
pub(super) fn two_bookings_of_one_order_are_shown_and_none_is_lost() {
    let (mut bench, _) = sent_twice(Some(booked("AWB-10")));
    let contradictions = bench.recover().contradictions;
    assert_eq!((contradictions[0].order.as_str(), contradictions[0].awb.as_str()), ("A-1", "AWB-9"));
    assert!(contradictions[0].against.contains("AWB-10"), "{contradictions:?}");
    assert_eq!(bench.awb("A-1").as_deref(), Some("AWB-10"));
    let late = bench.ledger.order("A-1").unwrap()[0].attempts[0].late.clone().unwrap();
    assert_eq!(late.awb.as_deref(), Some("AWB-9"));
    // Sent again and nobody knows: it is booked once for sure, and a person is told to look for the other.
    let (mut bench, _) = sent_twice(None);
    let recovered = bench.recover();
    assert_eq!((recovered.contradictions.len(), recovered.in_doubt.len()), (1, 0));
    assert_eq!(bench.awb("A-1").as_deref(), Some("AWB-9"));
    // Put off, and not to be sent again.
    let (mut bench, _) = sent_twice(Some(Outcome::Waiting { reason: "429".into() }));
    let recovered = bench.recover();
    assert_eq!((recovered.contradictions.len(), recovered.answered.len()), (0, 1));
    assert_eq!(bench.awb("A-1").as_deref(), Some("AWB-9"));
}

#[test]
pub(super) fn a_late_booking_with_another_orders_shipment_books_nothing() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::Booked);
    let (_, order) = bench.bring("A-2", State::InDoubt);
    bench.spool(order, 1, &booked("AWB-A-1"));
    assert!(bench.recover().contradictions[0].against.contains("A-1"));
    assert_eq!(bench.state("A-2"), "in_doubt");
}

#[test]
pub(super) fn a_late_answer_that_may_be_a_booking_keeps_its_order_from_being_sent() {
    for outcome in [booked("AWB-A-1"), doubtful()] {
        let mut bench = Bench::new();
        bench.bring("A-1", State::Booked);
        let (run, order) = bench.bring("A-2", State::InDoubt);
        bench.decide("A-2", DecisionVerb::NotBooked).unwrap();
        bench.spool(order, 1, &outcome);
        bench.recover();
        assert_eq!(bench.state("A-2"), "in_doubt", "{outcome:?}");
        assert_eq!(bench.pending(run), []);
        let late = bench.ledger.order("A-2").unwrap()[0].attempts[0].late.clone().unwrap();
        assert_eq!(late.answer.as_deref(), Some("{}"), "what came is kept");
        bench.decide("A-2", DecisionVerb::NotBooked).unwrap();
        assert_eq!(bench.state("A-2"), "staged");
    }
}

#[test]
pub(super) fn raw_sql_opens_no_way_without_a_late_answer() {
    let mut bench = Bench::new();
    bench.bring("A-1", State::InDoubt);
    bench.bring("A-2", State::Rejected);
    bench.bring("A-3", State::Booked);
    let refused = |sql: &str| {
        let error = bench.ledger.connection.execute_batch(sql).unwrap_err().to_string();
        assert!(
            error.contains("decision") || error.contains("late answer") || error.contains("final"),
            "{sql}: {error}"
        );
    };
    refused("UPDATE orders SET state = 'booked', awb = 'X', error = NULL WHERE number = 'A-1'");
    refused("UPDATE orders SET state = 'waiting' WHERE number = 'A-1'");
    refused("UPDATE orders SET state = 'refused' WHERE number = 'A-1'");
    refused("UPDATE orders SET state = 'booked', awb = 'X', error = NULL WHERE number = 'A-2'");
    refused("UPDATE orders SET state = 'in_doubt', order_id = NULL WHERE number = 'A-2'");
    refused(
        "INSERT INTO late_answers (attempt_id, answered_ms, at_ms, outcome, awb, old_answer, evidence_n)
         SELECT id, 1, 1, 'booked', 'X', 0, 99 FROM attempts WHERE outcome = 'booked'",
    );
}
