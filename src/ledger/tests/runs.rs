//! Staging again, recovery, resume and retry.

use super::*;
use crate::ledger::{Applied, ProblemRecord, Recovered, RunEnd, Said, Wanted};

#[test]
pub(super) fn staging_again_follows_the_state() {
    let cases = [
        (Some(booked("A1")), "{}", Disposition::AlreadyBooked { awb: "A1".into() }, "booked"),
        (Some(booked("A1")), "{1}", Disposition::ChangedAfterBooking { awb: "A1".into() }, "booked"),
        (Some(rejected()), "{}", Disposition::LeftAlone { state: State::Rejected }, "rejected"),
        (Some(rejected()), "{1}", Disposition::Replaced, "staged"),
        (Some(refused()), "{}", Disposition::LeftAlone { state: State::Refused }, "refused"),
        (Some(refused()), "{1}", Disposition::Replaced, "staged"),
        (Some(doubtful()), "{}", Disposition::InDoubt, "in_doubt"),
        (Some(doubtful()), "{1}", Disposition::InDoubt, "in_doubt"),
        (Some(Outcome::Waiting { reason: "429".into() }), "{}", Disposition::Outstanding { is_same: true }, "waiting"),
        (Some(Outcome::Waiting { reason: "429".into() }), "{1}", Disposition::Outstanding { is_same: false }, "staged"),
        (None, "{}", Disposition::Outstanding { is_same: true }, "staged"),
        (None, "{1}", Disposition::Outstanding { is_same: false }, "staged"),
    ];
    for (outcome, body, expected, state) in cases {
        let mut bench = Bench::new();
        match outcome.clone() {
            Some(outcome) => drop(bench.settle("a", outcome)),
            None => drop(bench.stage(&[("a", "{}")])),
        }
        let (run, dispositions) = bench.stage(&[("a", body)]);
        assert_eq!(dispositions, [expected], "{outcome:?} {body}");
        assert_eq!(bench.state("a"), state, "{outcome:?} {body}");
        if state == "staged" {
            assert_eq!(bench.ledger.outstanding(run, (-1, 9), Part::WHOLE).unwrap()[0].body, body.as_bytes());
        }
    }
}

#[test]
pub(super) fn a_dropped_staging_leaves_nothing() {
    let mut bench = Bench::new();
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    staging.place_kept_back(&unsendable(Some("x"), "orders.csv:2", 0)).unwrap();
    drop(staging);
    assert!(bench.ledger.find_run(None).unwrap().is_none());
}

/// Promise 8: an AWB that another order has is a contradiction, and the database takes none twice.
#[test]
pub(super) fn a_shipment_that_another_order_has_is_a_contradiction() {
    let mut bench = Bench::new();
    bench.settle("first", booked("A1"));
    let (run, _) = bench.stage(&[("second", "{}"), ("third", "{}"), ("fourth", "{}")]);
    let orders = bench.pending(run);
    let intents: Vec<Change> = orders.iter().map(|order| intent(&bench.ledger, run, *order)).collect();
    bench.ledger.commit(&intents, 5).unwrap();
    let same_id = Outcome::Booked(Booking { awb: "A9".into(), order_id: Some("id-A1".into()), ..Booking::default() });
    // The last two get one AWB between them, within one batch.
    let changes = [answer(orders[0], same_id), answer(orders[1], booked("A2")), answer(orders[2], booked("A2"))];
    let applied = bench.ledger.commit(&changes, 6).unwrap();
    let contradiction = |other: &str| Applied::Contradiction { other: other.into() };
    assert_eq!(applied, [contradiction("first"), Applied::Done, contradiction("third")]);
    assert_eq!((bench.state("second"), bench.state("fourth")), ("in_doubt".into(), "in_doubt".into()));
}

#[test]
pub(super) fn one_awb_written_in_two_ways_is_a_contradiction() {
    for [first, second] in [["SB-77/0001", "sb770001"], ["770001", "7700-01"], ["0077.01", "77-01"]] {
        let mut bench = Bench::new();
        bench.settle("first", booked(first));
        let (run, _) = bench.stage(&[("second", "{}"), ("third", "{}"), ("fourth", "{}")]);
        let orders = bench.pending(run);
        let intents: Vec<Change> = orders.iter().map(|order| intent(&bench.ledger, run, *order)).collect();
        bench.ledger.commit(&intents, 5).unwrap();
        // The last two get one AWB between them, within one batch.
        let answers = [(0, second), (1, "A-2"), (2, "A2")].map(|(n, awb)| answer(orders[n], booked(awb)));
        let applied = bench.ledger.commit(&answers, 6).unwrap();
        let contradiction = |other: &str| Applied::Contradiction { other: other.into() };
        assert_eq!(applied, [contradiction("first"), Applied::Done, contradiction("third")], "{first} {second}");
    }
}

/// Promise 3: a crash puts the orders in doubt that were being sent, and no others.
#[test]
pub(super) fn a_crash_leaves_doubt_and_only_doubt() {
    let mut bench = Bench::new();
    let (run, _) = bench.stage(&[("a", "{}"), ("b", "{}"), ("c", "{}")]);
    let orders = bench.pending(run);
    bench.intend(run, orders[0]);
    bench.intend(run, orders[1]);
    bench.ledger.commit(&[answer(orders[1], booked("A1"))], 5).unwrap();
    bench.ledger = bench.again();
    assert_eq!(bench.ledger.recover(9).unwrap().in_doubt, ["a"]);
    assert_eq!(bench.ledger.recover(9).unwrap(), Recovered::default());
    let expected = Tally { total: 3, booked: 1, in_doubt: 1, outstanding: 1, ..Tally::default() };
    assert_eq!(bench.ledger.tally(run).unwrap(), expected);
    let mut staging = bench.ledger.stage(new_run(RunKind::Resume)).unwrap();
    assert_eq!(staging.adopt_outstanding(Some(run)).unwrap().orders, 1);
    let resumed = staging.commit(&RunFacts::default()).unwrap();
    assert_eq!(bench.ledger.outstanding(resumed, (-1, 9), Part::WHOLE).unwrap()[0].number, "c");
}

#[test]
pub(super) fn retry_takes_what_failed_and_nothing_in_doubt() {
    let mut bench = Bench::new();
    bench.settle("rejected", rejected());
    bench.settle("refused", refused());
    bench.settle("doubt", doubtful());
    bench.settle("booked", booked("A1"));
    let mut staging = bench.ledger.stage(new_run(RunKind::Retry)).unwrap();
    let names: Vec<String> = ["rejected", "doubt", "booked", "nobody"].map(str::to_owned).to_vec();
    let adopted = staging.adopt_failed(None, &names).unwrap();
    assert_eq!((adopted.adopted.orders, adopted.adopted.lines), (1, 2));
    assert_eq!(adopted.adopted.value, Decimal::new(99_980, 2));
    assert_eq!(adopted.in_doubt, ["doubt"]);
    assert_eq!(adopted.not_failed, ["booked"]);
    assert_eq!(adopted.unknown, ["nobody"]);
    drop(staging);
    assert_eq!(bench.state("rejected"), "rejected", "nothing is changed before the yes");
    let mut staging = bench.ledger.stage(new_run(RunKind::Retry)).unwrap();
    assert_eq!(staging.adopt_failed(None, &[]).unwrap().adopted.orders, 2);
    staging.commit(&RunFacts::default()).unwrap();
    assert_eq!((bench.state("refused"), bench.state("doubt")), ("staged".into(), "in_doubt".into()));
    assert_eq!(bench.ledger.order("refused").unwrap()[0].decisions[0].verb, "retry");
}

#[test]
pub(super) fn each_cause_stands_with_its_own_row() {
    let mut bench = Bench::new();
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    // Rows 2 and 20 begin alike, and both name no order; A-1 is invalid for two reasons.
    for (number, rows, digits) in [
        (None, "orders.csv:2", 2),
        (None, "orders.csv:20", 20),
        (Some("A-1"), "orders.csv:3", 3),
        (Some("A-1"), "orders.csv:4", 4),
    ] {
        let place = staging.place_kept_back(&unsendable(number, rows, 0)).unwrap();
        staging.problem(&problem(digits, number), Some(place)).unwrap();
    }
    staging.problem(&problem(9, None), None).unwrap();
    let run = staging.commit(&RunFacts::default()).unwrap();
    let mut causes = Vec::new();
    bench
        .ledger
        .for_each_result(&Wanted { run: Some(run), ..Wanted::default() }, &mut |row| {
            causes.push((row.rows.clone(), row.wrong.clone()));
        })
        .unwrap();
    let kept = |digits, number: Option<&str>| ProblemRecord {
        code: "bad-phone".to_owned(),
        severity: "error".to_owned(),
        place: None,
        order: number.map(str::to_owned),
        field: None,
        found: Some("12345".to_owned()),
        said: Said::Data(Box::new(problem(digits, number))),
    };
    let expected = [
        ("orders.csv:2".to_owned(), vec![kept(2, None)]),
        ("orders.csv:20".to_owned(), vec![kept(20, None)]),
        ("orders.csv:3".to_owned(), vec![kept(3, Some("A-1")), kept(4, Some("A-1"))]),
    ];
    assert_eq!(causes, expected);
    assert_eq!(bench.ledger.problems(run).unwrap().len(), 5);
    let record = bench.ledger.find_run(None).unwrap().unwrap();
    assert_eq!((record.rows_without_order, bench.ledger.tally(run).unwrap().invalid), (2, 1));
}

#[test]
pub(super) fn a_request_carries_its_own_time_and_the_order_keeps_its_first() {
    let mut bench = Bench::new();
    bench.settle("a", refused());
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    staging.put(&StagedOrder { created_ms: 5_000, ..staged("a", "{1}", 0) }).unwrap();
    let run = staging.commit(&RunFacts::default()).unwrap();
    assert_eq!(bench.ledger.outstanding(run, (-1, 9), Part::WHOLE).unwrap()[0].created_ms, 5_000);
    let known = bench.ledger.stage(new_run(RunKind::Import)).unwrap().known("a").unwrap().unwrap();
    assert_eq!(known.created_ms, Some(1_000));
}

#[test]
pub(super) fn a_run_knows_the_one_it_went_on_with() {
    let mut bench = Bench::new();
    let (first, _) = bench.stage(&[("a", "{}")]);
    let mut staging = bench.ledger.stage(new_run(RunKind::Resume)).unwrap();
    staging.adopt_outstanding(Some(first)).unwrap();
    staging.commit(&RunFacts::default()).unwrap();
    assert_eq!(bench.ledger.find_run(None).unwrap().unwrap().parent, Some(first));
}

/// Promise 7: an abandoned order waits for a person, whatever sheets say.
#[test]
pub(super) fn an_abandoned_order_waits_for_a_persons_word() {
    let mut bench = Bench::new();
    bench.bring("a", State::Abandoned);
    assert_eq!(bench.stage(&[("a", "{}")]).1, [Disposition::LeftAlone { state: State::Abandoned }]);
    assert_eq!(bench.stage(&[("a", "{1}")]).1, [Disposition::LeftAlone { state: State::Abandoned }]);
    assert_eq!(bench.state("a"), "abandoned");
    bench.decide("a", DecisionVerb::NotBooked).unwrap();
    assert_eq!(bench.state("a"), "staged");
    bench.assert_tallies();
}

#[test]
pub(super) fn what_a_run_came_to_stays_whatever_becomes_of_its_orders() {
    let mut bench = Bench::new();
    let run = bench.settle("a", refused());
    assert_eq!(bench.ledger.tally_at_end(run).unwrap(), None, "it goes on");
    let end = RunEnd { finished_ms: 4_000, requests: 1, stopped_by: None, stopped_why: None, exit: 4 };
    bench.ledger.finish_run(run, &end).unwrap();
    let at_end = bench.ledger.tally_at_end(run).unwrap().unwrap();
    assert_eq!((at_end.total, at_end.refused, at_end.booked), (1, 1, 0));
    let mut staging = bench.ledger.stage(new_run(RunKind::Retry)).unwrap();
    staging.adopt_failed(None, &[]).unwrap();
    let again = staging.commit(&RunFacts::default()).unwrap();
    let order = bench.pending(again)[0];
    bench.intend(again, order);
    bench.ledger.commit(&[answer(order, booked("A1"))], 5_000).unwrap();
    assert_eq!(bench.ledger.tally(run).unwrap().booked, 1, "it is booked now");
    assert_eq!(bench.ledger.tally_at_end(run).unwrap(), Some(at_end), "and was refused when the run ended");
    let rewritten = bench.ledger.connection.execute("UPDATE run_ends SET booked = 1", ());
    assert!(rewritten.is_err(), "the database itself keeps it");
}

#[test]
pub(super) fn what_is_open_is_told_over_all_runs_and_since_when() {
    let mut bench = Bench::new();
    bench.settle("booked", booked("A1"));
    bench.settle("refused", refused());
    bench.settle("doubtful", doubtful());
    bench.stage(&[("staged", "{}")]);
    let mut open = Vec::new();
    bench.ledger.for_each_open(&mut |order| open.push((order.number, order.state, order.since_ms))).unwrap();
    let expected = [
        ("refused".to_owned(), State::Refused, 3_000),
        ("doubtful".to_owned(), State::InDoubt, 2_000),
        ("staged".to_owned(), State::Staged, 1_000),
    ];
    assert_eq!(open, expected, "what failed since the answer, all else since it was tried");
    assert_eq!(bench.ledger.would_purge(2_500).unwrap().open, 2, "what was refused later than that is not as old");
}

#[test]
pub(super) fn parts_of_stations_come_to_the_whole() {
    let mut bench = Bench::new();
    let names: Vec<String> = (0..200).map(|number| format!("order-{number}")).collect();
    let orders: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "{}")).collect();
    let (run, _) = bench.stage(&orders);
    let of = |part: Part| -> Vec<i64> {
        let page = bench.ledger.outstanding(run, (-1, 1_000), part).unwrap();
        page.into_iter().map(|order| order.seq).collect()
    };
    let parts = [0, 1, 2].map(|before| of(Part { stations: 3, before }));
    assert!(parts.iter().all(|part| part.len() > 50 && part.is_sorted()), "{parts:?}");
    let mut all = parts.concat();
    all.sort_unstable();
    assert_eq!(all, of(Part::WHOLE), "each order is in one part");
    // A page begins behind the last order of the one before.
    let [first, ..] = &parts;
    let page = bench.ledger.outstanding(run, (first[9], 5), Part { stations: 3, before: 0 }).unwrap();
    assert_eq!(page.iter().map(|order| order.seq).collect::<Vec<_>>(), first[10..15]);
}

#[test]
pub(super) fn many_orders_are_taken_up_in_their_order() {
    let mut bench = Bench::new();
    let names: Vec<String> = (0..50).map(|number| format!("order-{number}")).collect();
    let orders: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "{}")).collect();
    let (run, _) = bench.stage(&orders);
    bench.stage(&[("later", "{}")]);
    let mut staging = bench.ledger.stage(new_run(RunKind::Resume)).unwrap();
    assert_eq!(staging.adopt_outstanding(None).unwrap().orders, 51);
    let again = staging.commit(&RunFacts::default()).unwrap();
    let taken = bench.ledger.outstanding(again, (-1, 1_000), Part::WHOLE).unwrap();
    let numbers: Vec<&str> = taken.iter().map(|order| order.number.as_str()).collect();
    assert_eq!(numbers[..50], names);
    assert_eq!((numbers[50], taken[50].seq, bench.pending(run).len()), ("later", 50, 50));
    bench.assert_tallies();
}

#[test]
pub(super) fn what_was_read_before_it_was_corrected_is_not_sent() {
    let mut bench = Bench::new();
    let (run, _) = bench.stage(&[("a", "{}")]);
    let before = bench.ledger.outstanding(run, (-1, 9), Part::WHOLE).unwrap().remove(0);
    bench.stage(&[("a", "{1}")]);
    let old = Change::Intent { order: before.order, request: before.request, run };
    let became = bench.ledger.commit(&[old], 5);
    assert!(became.is_err() || became.is_ok_and(|became| became == [Applied::Elsewhere]));
    assert_eq!(bench.state("a"), "staged");
    let now = bench.ledger.outstanding(run, (-1, 9), Part::WHOLE).unwrap().remove(0);
    assert_eq!(now.body, b"{1}");
    bench.intend(run, now.order);
}

/// Promise 7: an order that a newer sheet refuses goes again only by a newer sheet or a person.
#[test]
pub(super) fn an_order_that_a_newer_sheet_refuses_goes_by_a_sheet_or_a_person() {
    let sheet = Some([7; 32]);
    for outcome in [None, Some(rejected()), Some(refused()), Some(Outcome::Waiting { reason: "429".into() })] {
        let mut bench = Bench::new();
        let run = match outcome.clone() {
            None => bench.stage(&[("a", "{}")]).0,
            Some(outcome) => {
                bench.settle("a", outcome);
                bench.ledger.find_run(None).unwrap().unwrap().id
            }
        };
        let stood = bench.state("a");
        let before =
            (outcome.is_none()).then(|| bench.ledger.outstanding(run, (-1, 9), Part::WHOLE).unwrap().remove(0));
        let new = revision("a", Verdict::Cancelled);
        let by = ("u", "h", 9);
        assert_eq!(bench.ledger.revise(SERVICE, by, std::slice::from_ref(&new)).unwrap(), ["a"]);
        assert_eq!((bench.state("a"), bench.standing("a")), (stood, "left_out".into()), "{outcome:?}");
        // Neither what was read before, nor resume, nor retry sends it; and it is recorded once.
        if let Some(before) = before {
            let intent = Change::Intent { order: before.order, request: before.request, run };
            assert_eq!(bench.ledger.commit(&[intent], 9).unwrap(), [Applied::Held], "{outcome:?}");
        }
        assert_eq!(bench.ledger.revise(SERVICE, by, &[new]).unwrap(), Vec::<String>::new());
        let mut staging = bench.ledger.stage(new_run(RunKind::Resume)).unwrap();
        assert_eq!(staging.adopt_outstanding(None).unwrap().orders, 0);
        assert_eq!(staging.adopt_failed(None, &[]).unwrap().adopted.orders, 0);
        let known = staging.known("a").unwrap().unwrap();
        let since = known.revision.clone().unwrap();
        assert_eq!(
            (since.verdict, since.because.as_str(), since.sheet),
            (Verdict::Cancelled, "cancelled in b.csv:2", sheet)
        );
        assert!(!known.is_over() && !known.is_unsent());
        drop(staging);
        bench.assert_tallies();
        // A sheet lets it go.
        let (run, dispositions) = bench.stage(&[("a", "{1}")]);
        assert_eq!((dispositions, bench.state("a")), (vec![Disposition::Replaced], "staged".into()));
        let now = bench.ledger.outstanding(run, (-1, 9), Part::WHOLE).unwrap().remove(0);
        bench.intend(run, now.order);
        assert!(bench.ledger.check().unwrap().faults.is_empty());
        bench.assert_tallies();
    }
    // A booked order has nothing to be refused.
    let mut bench = Bench::new();
    bench.settle("a", booked("A1"));
    assert!(bench.ledger.revise(SERVICE, ("u", "h", 9), &[revision("a", Verdict::Invalid)]).unwrap().is_empty());
    assert_eq!(bench.standing("a"), "booked");
}

/// Promise 7: a cancellation of an order on its way applies once the order proves unsent.
#[test]
pub(super) fn a_cancellation_of_an_order_on_its_way_holds_once_it_proves_unsent() {
    for (outcome, standing) in
        [(Outcome::Waiting { reason: "429".into() }, "left_out"), (refused(), "left_out"), (booked("A1"), "booked")]
    {
        let mut bench = Bench::new();
        let (run, _) = bench.stage(&[("a", "{}"), ("b", "{}")]);
        let [a, b] = bench.ledger.outstanding(run, (-1, 9), Part::WHOLE).unwrap().try_into().unwrap();
        bench.intend(run, a.order);
        let cancelled = |number: &str| revision(number, Verdict::Cancelled);
        bench.ledger.revise(SERVICE, ("u", "h", 9), &[cancelled("a"), cancelled("b")]).unwrap();
        assert_eq!(bench.standing("a"), "sending");
        // The held order is told alone; the answer beside it is kept.
        let answer = Change::Answer { order: a.order, outcome: outcome.clone(), status: Some(200), raw: None };
        let intent = Change::Intent { order: b.order, request: b.request, run };
        assert_eq!(bench.ledger.commit(&[answer, intent], 10).unwrap(), [Applied::Done, Applied::Held], "{outcome:?}");
        assert_eq!((bench.standing("a"), bench.standing("b")), (standing.into(), "left_out".into()), "{outcome:?}");
        bench.assert_tallies();
        assert!(bench.ledger.check().unwrap().faults.is_empty());
    }
}

#[test]
pub(super) fn a_yes_is_for_these_requests_in_the_place_of_those_as_they_stand() {
    let stamp = |bench: &mut Bench, body: &str| {
        let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
        staging.put(&staged("A-1", body, 0)).unwrap();
        staging.stamp().unwrap()
    };
    let mut bench = Bench::new();
    let (one, same, other) = (stamp(&mut bench, "{}"), stamp(&mut bench, "{}"), stamp(&mut bench, "{1}"));
    assert_eq!(one, same);
    assert_ne!(one, other, "another request");
    // The same request, put over one and over another.
    bench.stage(&[("A-1", "{2}")]);
    let over_one = stamp(&mut bench, "{1}");
    bench.stage(&[("A-1", "{3}")]);
    assert_ne!(over_one, stamp(&mut bench, "{1}"), "another request goes");
    // Nothing but the state is another one.
    let (mut doubt, mut waits) = (Bench::new(), Bench::new());
    doubt.bring("A-1", State::InDoubt);
    waits.bring("A-1", State::Waiting);
    assert_ne!(stamp(&mut doubt, "{}"), stamp(&mut waits, "{}"), "another state");
}
