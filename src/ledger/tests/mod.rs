//! The ledger: its guards attacked, its verbs against an oracle.

mod guards;
mod lock;
mod oracle;
mod runs;

use std::path::PathBuf;

use rust_decimal::Decimal;
use sha2::{Digest, Sha256};

use super::{Change, Disposition, Ledger, NewRun, OrderId, RunFacts, RunId, RunKind, StagedOrder, State};
use crate::api::outcome::{Booking, Outcome};

const SERVICE: &str = "https://api.example.com";

/// A ledger in a folder of its own.
struct Bench {
    folder: tempfile::TempDir,
    ledger: Ledger,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&folder.path().join("ledger.sqlite")).unwrap();
        Self { folder, ledger }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("ledger.sqlite")
    }

    /// Stages orders, each with a body, as one run.
    fn stage(&mut self, orders: &[(&str, &str)]) -> (RunId, Vec<Disposition>) {
        let mut staging = self.ledger.stage(new_run(RunKind::Import)).unwrap();
        let dispositions = (0_i64..)
            .zip(orders)
            .map(|(position, (number, body))| {
                staging
                    .put(&StagedOrder {
                        number,
                        body: body.as_bytes(),
                        sha256: Sha256::digest(body).into(),
                        created_ms: 1_000,
                        lines: 2,
                        value: Decimal::new(99_980, 2),
                        cod: Decimal::ZERO,
                        rows: "orders.csv:2-3",
                        position,
                    })
                    .unwrap()
            })
            .collect();
        (staging.commit(&RunFacts::default()).unwrap(), dispositions)
    }

    fn pending(&self, run: RunId) -> Vec<OrderId> {
        self.ledger.outstanding(run, -1, 1_000).unwrap().into_iter().map(|pending| pending.order).collect()
    }

    fn intend(&mut self, run: RunId, order: OrderId) {
        self.ledger.commit(&[Change::Intent { order, run }], 2_000).unwrap();
    }

    /// Stages one order and sends it, with this outcome.
    fn settle(&mut self, number: &str, outcome: Outcome) -> RunId {
        let (run, _) = self.stage(&[(number, "{}")]);
        let order = self.pending(run)[0];
        self.intend(run, order);
        self.ledger.commit(&[answer(order, outcome)], 3_000).unwrap();
        run
    }

    fn state(&self, number: &str) -> String {
        self.ledger.order(number).unwrap()[0].state.clone()
    }
}

fn new_run(kind: RunKind) -> NewRun {
    NewRun {
        kind,
        service: SERVICE.into(),
        started_ms: 1_000,
        version: "0".into(),
        user: "asha".into(),
        host: "desk".into(),
    }
}

fn answer(order: OrderId, outcome: Outcome) -> Change {
    Change::Answer { order, outcome, status: Some(200), raw: Some(b"{}".to_vec()) }
}

fn booked(awb: &str) -> Outcome {
    Outcome::Booked(Booking { awb: awb.into(), order_id: Some(format!("id-{awb}")), ..Booking::default() })
}

fn rejected() -> Outcome {
    Outcome::Rejected { order_id: None, error: "\"no\"".into() }
}

fn refused() -> Outcome {
    Outcome::Refused { message: "no".into() }
}

fn doubtful() -> Outcome {
    Outcome::InDoubt { reason: "no answer".into() }
}

#[test]
fn every_state_has_its_word() {
    for state in State::ALL {
        assert_eq!(State::from_word(state.as_str()), Some(state));
    }
}
