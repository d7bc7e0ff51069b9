//! A ledger that cannot be written: nothing is half done, and no answer is lost.

use super::*;
use crate::ledger::Applied;

/// Lets the database grow by so many pages and no further: a disk that fills up.
fn fill(bench: &Bench, spare: i64) {
    let pages: i64 =
        bench.ledger.connection.file().unwrap().pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    limit(bench, pages + spare);
}

fn limit(bench: &Bench, pages: i64) {
    bench.ledger.connection.file().unwrap().pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).unwrap();
}

/// An answer of so many bytes.
fn long(order: OrderId, outcome: Outcome) -> Change {
    Change::Answer { order, outcome, status: Some(201), raw: Some(vec![b'x'; 30_000]) }
}

/// Promise 2: answers for which the disk has no room wait in the spool, and the next start takes them up once.
#[test]
fn a_disk_that_is_full_at_any_page_loses_no_answer() {
    let mut clean = 0;
    for spare in 0..24 {
        let mut bench = Bench::new();
        let (run, _) = bench.stage(&[("a", "{}"), ("b", "{}"), ("c", "{}")]);
        let orders = bench.pending(run);
        bench.intend(run, orders[0]);
        bench.intend(run, orders[1]);
        fill(&bench, spare);
        let changes =
            [long(orders[0], booked("A1")), long(orders[1], rejected()), intent(&bench.ledger, run, orders[2])];
        match bench.ledger.commit(&changes, 5) {
            Ok(applied) => {
                clean += 1;
                assert_eq!(applied, [Applied::Done, Applied::Done, Applied::Done]);
                continue;
            }
            Err(LedgerError::Spooled { cause, answers: 2, .. }) => {
                assert!(matches!(*cause, LedgerError::DiskFull), "{cause}");
            }
            Err(other) => panic!("{spare}: {other}"),
        }
        assert_eq!(["a", "b", "c"].map(|number| bench.state(number)), ["sending", "sending", "staged"]);
        let path = bench.path();
        bench.ledger = Ledger::open(&path).unwrap();
        let recovered = bench.ledger.recover(9).unwrap();
        assert_eq!((recovered.answered, recovered.in_doubt), (vec!["a".into(), "b".into()], vec![]));
        assert_eq!(["a", "b", "c"].map(|number| bench.state(number)), ["booked", "rejected", "staged"]);
        let attempt = &bench.ledger.order("a").unwrap()[0].attempts[0];
        assert_eq!((attempt.answered_ms, attempt.answer.as_ref().map(String::len)), (Some(5), Some(30_000)));
        assert_eq!(bench.ledger.recover(9).unwrap().answered, Vec::<String>::new(), "taken up once");
        assert!(bench.ledger.check().unwrap().faults.is_empty());
        bench.assert_tallies();
    }
    assert!((1..24).contains(&clean), "the sweep reached a disk with room enough, and one without: {clean}");
}

#[test]
fn answers_may_be_offered_again_and_count_once() {
    let mut bench = Bench::new();
    let (run, _) = bench.stage(&[("a", "{}"), ("b", "{}")]);
    let orders = bench.pending(run);
    bench.intend(run, orders[0]);
    bench.intend(run, orders[1]);
    fill(&bench, 0);
    let answers = [long(orders[0], booked("A1")), long(orders[1], Outcome::Waiting { reason: "429".into() })];
    assert!(bench.ledger.commit(&answers[..1], 5).is_err());
    assert!(matches!(bench.ledger.commit(&answers, 6), Err(LedgerError::Spooled { answers: 2, .. })));
    limit(&bench, 1_000_000);
    bench.ledger.commit(&answers, 7).unwrap();
    // A new attempt is on its way when the program ends: the old answer is not taken for its.
    bench.intend(run, orders[1]);
    let path = bench.path();
    bench.ledger = Ledger::open(&path).unwrap();
    let recovered = bench.ledger.recover(9).unwrap();
    assert_eq!((recovered.answered, recovered.in_doubt), (vec![], vec!["b".into()]));
    assert_eq!(bench.state("a"), "booked");
}

#[test]
fn an_answer_of_an_earlier_attempt_is_never_taken_for_a_later_one() {
    let mut bench = Bench::new();
    let (run, order) = bench.bring("a", State::Sending);
    fill(&bench, 0);
    assert!(bench.ledger.commit(&[long(order, booked("A1"))], 5).is_err());
    limit(&bench, 1_000_000);
    // Another program with the same file settles the first attempt and begins a second.
    let path = bench.path();
    let mut other = Ledger::open(&path).unwrap();
    other.spool = None;
    other.commit(&[answer(order, refused())], 6).unwrap();
    other.adopt_and_send("a");
    let _ = run;
    let recovered = Ledger::open(&path).unwrap().recover(9).unwrap();
    assert_eq!((recovered.answered, recovered.in_doubt), (vec![], vec!["a".into()]));
}

impl Ledger {
    /// Stages a failed order again and writes the intent of its next attempt.
    fn adopt_and_send(&mut self, number: &str) {
        let mut staging = self.stage(new_run(RunKind::Retry)).unwrap();
        staging.adopt_failed(None, &[number.to_owned()]).unwrap();
        let run = staging.commit(&RunFacts::default()).unwrap();
        let order = self.outstanding(run, (-1, 9), Part::WHOLE).unwrap()[0].order;
        let intent = intent(self, run, order);
        self.commit(&[intent], 7).unwrap();
    }
}

#[test]
fn a_staging_that_does_not_fit_leaves_nothing() {
    let mut bench = Bench::new();
    fill(&bench, 2);
    let mut staging = bench.ledger.stage(new_run(RunKind::Import)).unwrap();
    let body = "x".repeat(10_000);
    let failed = (0..50).find_map(|n| staging.put(&staged(&format!("o-{n}"), &body, n)).err());
    assert!(matches!(failed, Some(LedgerError::DiskFull)), "{failed:?}");
    drop(staging);
    assert!(bench.ledger.find_run(None).unwrap().is_none());
}

#[test]
fn a_spool_that_cannot_be_made_is_noticed_before_anything_is_sent() {
    let bench = Bench::new();
    let path = bench.path();
    drop(bench.ledger);
    let spool = bench.folder.path().join("ledger.sqlite.spool");
    std::fs::remove_file(&spool).unwrap();
    std::fs::create_dir(&spool).unwrap();
    let refused = Ledger::open(&path).unwrap_err();
    assert!(matches!(&refused, LedgerError::NotOurs { path, .. } if *path == spool), "{refused}");
}
