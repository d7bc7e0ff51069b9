//! Taking orders in: one transaction, held until the person has said yes.

use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};
use rust_decimal::Decimal;

use super::error::LedgerError;
use super::open::Ledger;
use super::record::{Adopted, Disposition, Known, NewRun, OrderId, ProblemRecord, RunFacts, RunId, StagedOrder, State};

/// A run that is being put together. Dropped without [`Staging::commit`], it leaves nothing behind.
pub struct Staging<'l> {
    transaction: Transaction<'l>,
    run: RunId,
    new: NewRun,
    invalid: i64,
    problems: i64,
    adopted: i64,
}

/// What `retry` took up, and what it did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryAdopted {
    /// What will be sent again.
    pub adopted: Adopted,
    /// Named orders whose outcome nobody knows.
    pub in_doubt: Vec<String>,
    /// Named orders that have not failed.
    pub not_failed: Vec<String>,
    /// Names that the ledger does not know.
    pub unknown: Vec<String>,
}

/// What the ledger holds of an order that is staged again.
struct Held {
    order: OrderId,
    state: State,
    created_ms: i64,
    awb: Option<String>,
    sha256: Option<Vec<u8>>,
}

impl Ledger {
    /// Begins a run.
    pub fn stage(&mut self, new: NewRun) -> Result<Staging<'_>, LedgerError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute(
            "INSERT INTO runs (kind, service, started_ms, version, user, host) VALUES (?, ?, ?, ?, ?, ?)",
            params![new.kind.as_str(), new.service, new.started_ms, new.version, new.user, new.host],
        )?;
        let run = RunId(transaction.last_insert_rowid());
        Ok(Staging { transaction, run, new, invalid: 0, problems: 0, adopted: 0 })
    }
}

impl Staging<'_> {
    /// What the ledger knows of an order number at this run's service.
    pub fn known(&mut self, number: &str) -> Result<Option<Known>, LedgerError> {
        let held = self.held(number)?;
        Ok(held.map(|Held { state, created_ms, awb, .. }| Known { state, created_ms, awb }))
    }

    /// Whether the ledger has such a run.
    pub fn has_run(&self, run: RunId) -> Result<bool, LedgerError> {
        let mut statement = self.transaction.prepare_cached("SELECT 1 FROM runs WHERE id = ? AND id <> ?")?;
        Ok(statement.exists(params![run.0, self.run.0])?)
    }

    /// Takes an order in, or says why it stays as it is.
    pub fn put(&mut self, order: &StagedOrder<'_>) -> Result<Disposition, LedgerError> {
        let Some(held) = self.held(order.number)? else {
            let id = self.insert(order)?;
            self.attach(id, order.position, false)?;
            return Ok(Disposition::New);
        };
        let same = held.sha256.as_deref() == Some(order.sha256.as_slice());
        let disposition = match held.state {
            State::Booked => {
                let awb = held.awb.unwrap_or_default();
                if !same {
                    return Ok(Disposition::ChangedAfterBooking { awb });
                }
                Disposition::AlreadyBooked { awb }
            }
            State::Sending | State::InDoubt => Disposition::InDoubt,
            State::Rejected | State::Refused | State::Abandoned if same => Disposition::LeftAlone { state: held.state },
            State::Rejected | State::Refused | State::Abandoned => {
                self.replace(held.order, order)?;
                Disposition::Replaced
            }
            State::Staged | State::Waiting => {
                if !same {
                    self.replace(held.order, order)?;
                }
                Disposition::Outstanding
            }
        };
        self.attach(held.order, order.position, matches!(disposition, Disposition::AlreadyBooked { .. }))?;
        Ok(disposition)
    }

    /// Notes an order, or a row without one, that stays behind.
    pub fn invalid(&mut self, number: Option<&str>, rows: &str, position: i64) -> Result<(), LedgerError> {
        self.invalid += 1;
        self.transaction
            .prepare_cached("INSERT INTO run_invalid (run_id, n, seq, number, source_rows) VALUES (?, ?, ?, ?, ?)")?
            .execute(params![self.run.0, self.invalid, position, number, rows])?;
        Ok(())
    }

    /// Keeps a problem.
    pub fn problem(&mut self, problem: &ProblemRecord) -> Result<(), LedgerError> {
        self.problems += 1;
        self.transaction
            .prepare_cached(
                "INSERT INTO problems (run_id, n, code, severity, place, number, field, found, message, hint)
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            )?
            .execute(params![
                self.run.0,
                self.problems,
                problem.code,
                problem.severity,
                problem.place,
                problem.order,
                problem.field,
                problem.found,
                problem.message,
                problem.hint
            ])?;
        Ok(())
    }

    /// Takes up what an earlier run, or any run of this service, left outstanding.
    pub fn adopt_outstanding(&mut self, of: Option<RunId>) -> Result<Adopted, LedgerError> {
        for order in self.orders_in("'staged', 'waiting'", of)? {
            self.adopt(order)?;
        }
        self.adopted()
    }

    /// Takes up rejected and refused orders: the named ones, else those of a run, else all of this service.
    pub fn adopt_failed(&mut self, of: Option<RunId>, numbers: &[String]) -> Result<RetryAdopted, LedgerError> {
        let (mut in_doubt, mut not_failed, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
        let mut failed = Vec::new();
        if numbers.is_empty() {
            failed = self.orders_in("'rejected', 'refused'", of)?;
        }
        for number in numbers {
            match self.held(number)? {
                None => unknown.push(number.clone()),
                Some(Held { state: State::InDoubt | State::Sending, .. }) => in_doubt.push(number.clone()),
                Some(Held { state: State::Rejected | State::Refused, order, .. }) if !failed.contains(&order) => {
                    failed.push(order);
                }
                Some(Held { state: State::Rejected | State::Refused, .. }) => {}
                Some(_) => not_failed.push(number.clone()),
            }
        }
        for order in failed {
            self.stage_again(order)?;
            self.adopt(order)?;
        }
        Ok(RetryAdopted { adopted: self.adopted()?, in_doubt, not_failed, unknown })
    }

    /// How many orders of a run, or of this service, are in doubt.
    pub fn in_doubt(&self, of: Option<RunId>) -> Result<u64, LedgerError> {
        Ok(self.orders_in("'in_doubt'", of)?.len() as u64)
    }

    /// Ends staging: the run and its orders are on disk.
    pub fn commit(self, facts: &RunFacts) -> Result<RunId, LedgerError> {
        let count = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let sheets = serde_json::Value::from(facts.sheets.clone()).to_string();
        self.transaction.execute(
            "UPDATE runs SET sheets = ?, rows_read = ?, rows_blank = ?, rows_skipped = ?, rows_in_orders = ?,
             rows_invalid = ?, lines = ? WHERE id = ?",
            params![
                sheets,
                count(facts.rows_read),
                count(facts.rows_blank),
                count(facts.rows_skipped),
                count(facts.rows_in_orders),
                count(facts.rows_invalid),
                count(facts.lines),
                self.run.0
            ],
        )?;
        self.transaction.commit()?;
        Ok(self.run)
    }

    fn held(&self, number: &str) -> Result<Option<Held>, LedgerError> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT o.id, o.state, o.created_ms, o.awb, r.sha256 FROM orders o
             LEFT JOIN requests r ON r.id = o.request_id WHERE o.service = ? AND o.number = ?",
        )?;
        let held = statement.query_row(params![self.new.service, number], |row| {
            let state: String = row.get(1)?;
            Ok((OrderId(row.get(0)?), state, row.get(2)?, row.get(3)?, row.get(4)?))
        });
        let Some((order, state, created_ms, awb, sha256)) = held.optional()? else { return Ok(None) };
        let state = State::from_word(&state).ok_or_else(|| LedgerError::Damaged(format!("state {state}")))?;
        Ok(Some(Held { order, state, created_ms, awb, sha256 }))
    }

    fn insert(&mut self, order: &StagedOrder<'_>) -> Result<OrderId, LedgerError> {
        self.transaction
            .prepare_cached("INSERT INTO orders (service, number, state, created_ms) VALUES (?, ?, 'staged', ?)")?
            .execute(params![self.new.service, order.number, order.created_ms])?;
        let id = OrderId(self.transaction.last_insert_rowid());
        self.freeze(id, order)?;
        Ok(id)
    }

    /// Keeps a request and makes it the order's.
    fn freeze(&mut self, id: OrderId, order: &StagedOrder<'_>) -> Result<(), LedgerError> {
        self.transaction
            .prepare_cached(
                "INSERT INTO requests (order_id, sha256, body, staged_ms, lines, value, cod, source_rows)
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            )?
            .execute(params![
                id.0,
                order.sha256,
                order.body,
                self.new.started_ms,
                order.lines,
                order.value.to_string(),
                order.cod.to_string(),
                order.rows
            ])?;
        let request = self.transaction.last_insert_rowid();
        self.transaction
            .prepare_cached("UPDATE orders SET request_id = ? WHERE id = ?")?
            .execute(params![request, id.0])?;
        Ok(())
    }

    fn replace(&mut self, id: OrderId, order: &StagedOrder<'_>) -> Result<(), LedgerError> {
        self.transaction
            .prepare_cached("UPDATE orders SET state = 'staged', error = NULL, order_id = NULL WHERE id = ?")?
            .execute([id.0])?;
        self.freeze(id, order)
    }

    fn attach(&mut self, id: OrderId, position: i64, already: bool) -> Result<(), LedgerError> {
        self.transaction
            .prepare_cached("INSERT INTO run_orders (run_id, seq, order_id, already) VALUES (?, ?, ?, ?)")?
            .execute(params![self.run.0, position, id.0, already])?;
        Ok(())
    }

    /// This service's orders in some states, in the order of the named run, else in that of their first staging.
    fn orders_in(&self, states: &str, of: Option<RunId>) -> Result<Vec<OrderId>, LedgerError> {
        let sql = match of {
            Some(_) => format!(
                "SELECT o.id FROM run_orders r JOIN orders o ON o.id = r.order_id
                 WHERE o.service = ?1 AND r.run_id = ?2 AND o.state IN ({states}) ORDER BY r.seq"
            ),
            None => {
                format!("SELECT id FROM orders WHERE service = ?1 AND ?2 IS NULL AND state IN ({states}) ORDER BY id")
            }
        };
        let mut statement = self.transaction.prepare(&sql)?;
        let rows =
            statement.query_map(params![self.new.service, of.map(|run| run.0)], |row| row.get(0).map(OrderId))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn adopt(&mut self, order: OrderId) -> Result<(), LedgerError> {
        let position = self.adopted;
        self.adopted += 1;
        self.attach(order, position, false)
    }

    /// What the orders of this run come to.
    fn adopted(&self) -> Result<Adopted, LedgerError> {
        let mut statement = self.transaction.prepare(
            "SELECT q.lines, q.value, q.cod FROM run_orders r JOIN orders o ON o.id = r.order_id
             JOIN requests q ON q.id = o.request_id WHERE r.run_id = ?",
        )?;
        let mut rows = statement.query([self.run.0])?;
        let (mut orders, mut lines, mut value, mut cod) = (0, 0, Decimal::ZERO, Decimal::ZERO);
        while let Some(row) = rows.next()? {
            orders += 1;
            lines += row.get::<_, u64>(0)?;
            value += decimal(&row.get::<_, String>(1)?)?;
            cod += decimal(&row.get::<_, String>(2)?)?;
        }
        Ok(Adopted { orders, lines, value, cod })
    }

    /// A failed order takes its place among the staged, because a person asked.
    fn stage_again(&mut self, order: OrderId) -> Result<(), LedgerError> {
        self.transaction
            .prepare_cached(
                "INSERT INTO decisions (at_ms, user, host, order_id, attempt_id, verb) VALUES (?, ?, ?, ?,
                 (SELECT max(id) FROM attempts WHERE order_id = ?4), 'retry')",
            )?
            .execute(params![self.new.started_ms, self.new.user, self.new.host, order.0])?;
        self.transaction
            .prepare_cached("UPDATE orders SET state = 'staged', error = NULL, order_id = NULL WHERE id = ?")?
            .execute([order.0])?;
        Ok(())
    }
}

fn decimal(text: &str) -> Result<Decimal, LedgerError> {
    text.parse().map_err(|_| LedgerError::Damaged(format!("\"{text}\" is no amount")))
}
