//! Any sequence of steps: the ledger does what a small model of the state machine says, and nothing else.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

/// One step on one of a few orders.
#[derive(Debug, Clone, Copy)]
enum Step {
    Import { body: u8 },
    Intent,
    Booked,
    Rejected,
    Refused,
    Waiting,
    Doubt,
    Crash,
    SayBooked,
    SayNotBooked,
    GiveUp,
    Retry,
}

/// The model: state and body. Written from the picture in the documentation.
fn model(state: Option<(&'static str, u8)>, step: Step) -> Option<(&'static str, u8)> {
    let Some((word, body)) = state else {
        return if let Step::Import { body } = step { Some(("staged", body)) } else { None };
    };
    let next = match (word, step) {
        ("staged" | "waiting" | "rejected" | "refused", Step::Import { body: other }) if other != body => {
            return Some(("staged", other));
        }
        ("staged" | "waiting", Step::Intent) => "sending",
        ("sending", Step::Booked) | ("in_doubt", Step::SayBooked) => "booked",
        ("sending", Step::Rejected) => "rejected",
        ("sending", Step::Refused) => "refused",
        ("sending", Step::Waiting) => "waiting",
        ("sending", Step::Doubt | Step::Crash) => "in_doubt",
        ("staged" | "waiting" | "in_doubt" | "rejected" | "refused", Step::GiveUp) => "abandoned",
        ("in_doubt" | "abandoned", Step::SayNotBooked) | ("rejected" | "refused", Step::Retry) => "staged",
        _ => word,
    };
    Some((next, body))
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0_u8..2).prop_map(|body| Step::Import { body }),
        4 => Just(Step::Intent),
        1 => Just(Step::Booked),
        2 => Just(Step::Rejected),
        2 => Just(Step::Refused),
        2 => Just(Step::Waiting),
        2 => Just(Step::Doubt),
        1 => Just(Step::Crash),
        1 => Just(Step::SayBooked),
        1 => Just(Step::SayNotBooked),
        1 => Just(Step::GiveUp),
        2 => Just(Step::Retry),
    ]
}

/// Does a step; steps that are not legal are refused and change nothing.
fn perform(bench: &mut Bench, number: &str, index: usize, step: Step, run: RunId) {
    let awb = format!("AWB-{index}");
    let order = bench.ledger.order(number).unwrap().first().map(|_| order_id(bench, number));
    let decide = |bench: &mut Bench, verb| drop(bench.decide(number, verb));
    let outcome = match step {
        Step::Import { body } => return drop(bench.stage(&[(number, ["{}", "{1}"][usize::from(body)])])),
        Step::Intent => {
            if let Some(order) = order {
                let _ = bench.ledger.commit(&[Change::Intent { order, run }], 1);
            }
            return;
        }
        Step::Crash => return drop(bench.ledger.recover(1).unwrap()),
        Step::SayBooked => return decide(bench, DecisionVerb::Booked { awb }),
        Step::SayNotBooked => return decide(bench, DecisionVerb::NotBooked),
        Step::GiveUp => return decide(bench, DecisionVerb::Abandoned),
        Step::Retry => {
            let mut staging = bench.ledger.stage(new_run(RunKind::Retry)).unwrap();
            staging.adopt_failed(None, &[number.to_owned()]).unwrap();
            staging.commit(&RunFacts::default()).unwrap();
            return;
        }
        Step::Booked => booked(&awb),
        Step::Rejected => rejected(),
        Step::Refused => refused(),
        Step::Waiting => Outcome::Waiting { reason: "429".into() },
        Step::Doubt => doubtful(),
    };
    if let Some(order) = order {
        let _ = bench.ledger.commit(&[answer(order, outcome)], 1);
    }
}

fn order_id(bench: &Bench, number: &str) -> OrderId {
    let sql = "SELECT id FROM orders WHERE number = ?";
    OrderId(bench.ledger.connection.query_row(sql, [number], |row| row.get(0)).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_ledger_and_the_model_agree(steps in proptest::collection::vec((0_usize..3, step()), 1..40)) {
        let mut bench = Bench::new();
        let (run, _) = bench.stage(&[]);
        let mut states: HashMap<usize, (&'static str, u8)> = HashMap::new();
        for (index, (order, step)) in steps.into_iter().enumerate() {
            let number = format!("order-{order}");
            perform(&mut bench, &number, index, step, run);
            // A crash takes every order that is being sent.
            let touched: Vec<usize> = if matches!(step, Step::Crash) { (0..3).collect() } else { vec![order] };
            for order in touched {
                if let Some(next) = model(states.get(&order).copied(), step) {
                    states.insert(order, next);
                }
            }
            for (order, (word, _)) in &states {
                prop_assert_eq!(&bench.state(&format!("order-{order}")), word);
            }
        }
        bench.assert_tallies();
    }
}
