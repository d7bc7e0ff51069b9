//! Any sequence of steps: the ledger does what a small model of the state machine says, and nothing else.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::ledger::{NewForgetting, NewStatement};
use crate::size::cases;

/// One step on one of a few orders.
#[derive(Debug, Clone, Copy)]
enum Step {
    Import {
        body: u8,
    },
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
    /// The courier's statement names it.
    List,
    /// A person forgets all statements that name it.
    Forget,
}

/// The model of one order, written from the picture in the documentation.
#[derive(Debug, Clone)]
struct Model {
    word: &'static str,
    body: u8,
    /// What each attempt was closed with; none while it is open.
    attempts: Vec<Option<&'static str>>,
    /// The attempt that this process has begun and has not answered.
    under_way: Option<usize>,
    /// An answer that the ledger did not take: the attempt and what it says.
    kept: Option<(usize, &'static str)>,
    /// Attempts whose late answers are known.
    late: Vec<usize>,
    /// Whether a statement holds it.
    is_listed: bool,
    /// Whether the ledger takes a late answer when it comes, as one on a server does, and not at the next start.
    takes_at_once: bool,
}

impl Model {
    fn new(body: u8, takes_at_once: bool) -> Self {
        let (attempts, late) = (vec![], vec![]);
        Self { word: "staged", body, attempts, under_way: None, kept: None, late, is_listed: false, takes_at_once }
    }

    fn step(&mut self, step: Step) {
        match (self.word, step) {
            ("booked" | "abandoned", Step::List) => {}
            (_, Step::List) => self.is_listed = true,
            (_, Step::Forget) => self.is_listed = false,
            // A person brings it back; whoever resumes looks at the statements once more.
            ("abandoned", Step::SayNotBooked) => (self.word, self.is_listed) = ("staged", false),
            ("staged" | "waiting" | "rejected" | "refused", Step::SayNotBooked) if self.is_listed => {
                self.is_listed = false;
            }
            // The gate of sheets holds it before the ledger hears of it.
            (_, Step::Import { .. } | Step::Intent | Step::Retry) if self.is_listed => {}
            ("staged" | "waiting" | "rejected" | "refused", Step::Import { body }) if body != self.body => {
                (self.word, self.body) = ("staged", body);
            }
            ("staged" | "waiting", Step::Intent) => {
                self.under_way = Some(self.attempts.len());
                self.attempts.push(None);
                self.word = "sending";
            }
            // What was sent at least once may be there, whatever is known of it.
            ("staged" | "waiting" | "in_doubt" | "rejected" | "refused" | "abandoned", Step::SayBooked)
                if !self.attempts.is_empty() =>
            {
                self.word = "booked";
            }
            ("in_doubt", Step::SayNotBooked) | ("rejected" | "refused", Step::Retry) => {
                self.word = "staged";
            }
            ("staged" | "waiting" | "in_doubt" | "rejected" | "refused", Step::GiveUp) => self.word = "abandoned",
            (_, Step::Crash) => self.crash(),
            (_, Step::Booked) => self.answer("booked"),
            (_, Step::Rejected) => self.answer("rejected"),
            (_, Step::Refused) => self.answer("refused"),
            (_, Step::Waiting) => self.answer("waiting"),
            (_, Step::Doubt) => self.answer("in_doubt"),
            _ => {}
        }
    }

    fn answer(&mut self, says: &'static str) {
        if self.word == "sending" {
            *self.attempts.last_mut().unwrap() = Some(says);
            (self.word, self.under_way, self.kept) = (says, None, None);
        } else if let Some(attempt) = self.under_way {
            // The attempt was closed behind this process's back.
            self.kept = Some((attempt, says));
            if self.takes_at_once {
                self.under_way = None;
                self.late_answer();
            }
        }
    }

    fn crash(&mut self) {
        if self.word == "sending" {
            *self.attempts.last_mut().unwrap() = Some("in_doubt");
            self.word = "in_doubt";
        }
        self.late_answer();
    }

    fn late_answer(&mut self) {
        let Some((attempt, says)) = self.kept.take() else { return };
        if self.attempts[attempt] != Some("in_doubt") || self.late.contains(&attempt) {
            return;
        }
        self.late.push(attempt);
        if says == "in_doubt" {
            // It may hold an AWB: what could be sent by now waits for a person.
            if matches!(self.word, "staged" | "waiting" | "rejected" | "refused") {
                self.word = "in_doubt";
            }
            return;
        }
        let is_last = attempt + 1 == self.attempts.len();
        if says == "booked" || (self.word == "in_doubt" && is_last) {
            // What is booked stays booked.
            self.word = if self.word == "booked" { "booked" } else { says };
        }
    }
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
        1 => Just(Step::List),
        1 => Just(Step::Forget),
    ]
}

/// Has a statement that names an order taken in, or all of them forgotten.
fn list(bench: &mut Bench, number: &str, index: usize, is_forgotten: bool) {
    let own = format!("{number} ");
    let there = bench.ledger.statements(SERVICE).unwrap();
    let ids: Vec<i64> = there.into_iter().filter(|one| one.name.starts_with(&own)).map(|one| one.id).collect();
    if !is_forgotten {
        let name = &format!("{own}{index}");
        let (sha256, user, host) = (Sha256::digest(name).into(), "asha", "desk");
        let (service, content) = (SERVICE, "{}");
        let new = NewStatement { service, name, sha256, content, holds_what_comes: true, user, host, at_ms: 6 };
        bench.ledger.take_statement(&new, &|own| own == number).unwrap();
        return;
    }
    for (n, id) in ids.iter().enumerate() {
        let new = NewForgetting { id: *id, user: "asha", host: "desk", because: "another month", at_ms: 7 };
        let is_last = n + 1 == ids.len();
        bench.ledger.forget_statement(&new, &|own| own != number || !is_last).unwrap();
    }
}

/// Whether a statement holds an order.
fn is_listed(bench: &Bench, number: &str) -> bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM orders WHERE number = ?1 AND hold = 'in-couriers-list')";
    bench.ledger.connection.query_row(sql, [number], |row| row.get(0)).unwrap()
}

/// Does a step; steps that are not legal are refused and change nothing.
fn perform(bench: &mut Bench, number: &str, index: usize, step: Step, run: RunId) {
    let awb = format!("AWB-{index}");
    let order = bench.ledger.order(number).unwrap().first().map(|_| order_id(bench, number));
    let decide = |bench: &mut Bench, verb| drop(bench.decide(number, verb));
    let outcome = match step {
        Step::List | Step::Forget => return list(bench, number, index, matches!(step, Step::Forget)),
        Step::Import { .. } if order.is_some() && is_listed(bench, number) => return,
        Step::Import { body } => return drop(bench.stage(&[(number, ["{}", "{1}"][usize::from(body)])])),
        Step::Intent => {
            if let Some(order) = order {
                let intent = intent(&bench.ledger, run, order);
                let _ = bench.ledger.commit(&[intent], 1);
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

/// Promise 1: the ledger does what a model of it does, over any sequence of steps.
#[test]
pub(super) fn the_ledger_and_the_model_agree() {
    proptest!(cases(8), |(steps in proptest::collection::vec((0_usize..3, step()), 1..40))| {
        let mut bench = Bench::new();
        let (run, _) = bench.stage(&[]);
        let mut states: HashMap<usize, Model> = HashMap::new();
        for (index, (order, step)) in steps.into_iter().enumerate() {
            let number = format!("order-{order}");
            perform(&mut bench, &number, index, step, run);
            // A crash takes every order that is being sent.
            let touched: Vec<usize> = if matches!(step, Step::Crash) { (0..3).collect() } else { vec![order] };
            for order in touched {
                match (states.get_mut(&order), step) {
                    (Some(model), step) => model.step(step),
                    (None, Step::Import { body }) => drop(states.insert(order, Model::new(body, bench.address.is_some()))),
                    (None, _) => {}
                }
            }
            for (order, model) in &states {
                let number = format!("order-{order}");
                prop_assert_eq!(&bench.state(&number), model.word);
                // Of what is booked or given up nobody asks.
                let is_over = matches!(model.word, "booked" | "abandoned");
                prop_assert!(is_over || is_listed(&bench, &number) == model.is_listed, "{number}");
            }
        }
        bench.assert_tallies();
    });
}
