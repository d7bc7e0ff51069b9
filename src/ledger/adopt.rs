//! Orders of earlier runs that a new run takes up: `resume` what is outstanding, `retry` what failed.

use std::collections::HashSet;

use crate::text::Decimal;
use sha2::Digest as _;

use super::chain::{Chain, Kind};
use super::db::{self, Row, params};
use super::error::LedgerError;
use super::neighbours::Sent;
use super::record::{Adopted, Known, OrderId, RetryAdopted, RunId, State};
use super::same::{SentAs, later_of, replaced_by};
use super::sql::int;
use super::staging::Staging;

/// An order that may be taken up.
pub(super) struct Free {
    order: OrderId,
    number: String,
    /// Whether one of its rows stood for another order as well, or one of its numbers was another one's.
    may_be_another: bool,
}

/// Its columns, of an order `o`.
pub(super) const FREE: &str = "o.id, o.number, EXISTS (SELECT 1 FROM sheet_rows mine
    CROSS JOIN sheet_rows other ON other.sheet_id = mine.sheet_id AND other.row = mine.row
    WHERE mine.order_id = o.id AND other.order_id <> o.id)
    OR EXISTS (SELECT 1 FROM former_numbers f WHERE f.order_id = o.id OR f.number = o.number)";

impl Free {
    pub(super) fn of(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self { order: OrderId(row.get(0)?), number: row.get(1)?, may_be_another: row.get(2)? })
    }
}

impl Staging<'_> {
    /// Takes up what an earlier run, or any run of this service, left outstanding.
    pub fn adopt_outstanding(&mut self, of: Option<RunId>) -> Result<Adopted, LedgerError> {
        self.descend_from(of)?;
        let outstanding = self.orders_in("'staged', 'waiting'", "outstanding", of)?;
        self.adopt_all(outstanding)
    }

    /// Takes up these orders, as far as the service does not know them at another of its addresses.
    pub(super) fn adopt_all(&mut self, orders: Vec<Free>) -> Result<Adopted, LedgerError> {
        let orders = self.without_left(orders)?;
        let orders = self.not_replaced(orders)?;
        self.take_up(&orders)?;
        self.adopted()
    }

    /// Takes up rejected and refused orders: the named ones, else those of a run, else all of this service.
    pub fn adopt_failed(&mut self, of: Option<RunId>, numbers: &[String]) -> Result<RetryAdopted, LedgerError> {
        self.descend_from(of)?;
        let (mut in_doubt, mut not_failed, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
        let mut failed = Vec::new();
        if numbers.is_empty() {
            failed = self.orders_in("'rejected', 'refused'", "rejected + refused", of)?;
            failed = self.without_left(failed)?;
        }
        let mut seen = HashSet::new();
        for number in numbers.iter().filter(|number| seen.insert(number.as_str())) {
            match self.known(number)? {
                None | Some(Known { state: State::Invalid, .. }) => unknown.push(number.clone()),
                Some(Known { state: State::InDoubt | State::Sending, .. }) => in_doubt.push(number.clone()),
                Some(_) if self.left.contains(number) => {}
                Some(Known { state: State::Rejected | State::Refused, order, .. }) => {
                    failed.push(Free { order, number: number.clone(), may_be_another: true });
                }
                Some(_) => not_failed.push(number.clone()),
            }
        }
        let mut chain = Chain::read(&self.transaction)?;
        let failed = self.not_replaced(failed)?;
        for order in &failed {
            self.stage_again(&mut chain, *order)?;
        }
        self.take_up(&failed)?;
        Ok(RetryAdopted { adopted: self.adopted()?, in_doubt, not_failed, unknown })
    }

    /// The first orders that are taken up, by their numbers.
    pub fn numbers(&self, most: usize) -> Result<Vec<String>, LedgerError> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT o.number FROM run_orders r CROSS JOIN orders o ON o.id = r.order_id WHERE r.run_id = ?1
             ORDER BY r.seq LIMIT ?2",
        )?;
        let numbers = statement.query_map(params![self.run.0, int(most as u64)], |row| row.get(0))?;
        Ok(numbers.collect::<Result<_, _>>()?)
    }

    /// Hands out the orders that are taken up, as orders that are staged now.
    pub fn for_each_taken_up(&self, each: &mut dyn FnMut(Sent)) -> Result<(), LedgerError> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT o.number, q.body, q.sha256,
                (SELECT s.run_id FROM revisions v JOIN sources s ON s.id = v.source_id WHERE v.id = o.revision_id)
             FROM run_orders r CROSS JOIN orders o ON o.id = r.order_id CROSS JOIN requests q ON q.id = o.request_id
             WHERE r.run_id = ?1 ORDER BY r.seq",
        )?;
        let mut rows = statement.query([self.run.0])?;
        while let Some(row) = rows.next()? {
            let (number, kept, sha256): (_, Vec<u8>, _) = (row.get(0)?, row.get(1)?, row.get(2)?);
            // A body that was removed is never sent.
            if !kept.is_empty() {
                let (state, awb, elsewhere, was_in_doubt) = (State::Staged, None, None, false);
                let import = row.get(3)?;
                each(Sent { number, state, awb, was_in_doubt, import, elsewhere, kept, sha256 });
            }
        }
        Ok(())
    }

    /// Every order that this run would send, by its number.
    pub fn outgoing(&self) -> Result<Vec<String>, LedgerError> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT o.number FROM run_orders r CROSS JOIN orders o ON o.id = r.order_id
             WHERE r.run_id = ?1 AND r.behind = 0 AND o.standing IN ('staged', 'waiting')",
        )?;
        let numbers = statement.query_map([self.run.0], |row| row.get(0))?;
        Ok(numbers.collect::<Result<_, _>>()?)
    }

    /// A hash of the orders that are taken up, with their states, their requests and those that they replace: a yes names what it is for
    /// by it.
    pub fn stamp(&self) -> Result<String, LedgerError> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT o.number, q.sha256, o.attempts, o.standing FROM run_orders r
             CROSS JOIN orders o ON o.id = r.order_id CROSS JOIN requests q ON q.id = o.request_id
             WHERE r.run_id = ?1 AND r.behind = 0 ORDER BY r.seq",
        )?;
        let mut rows = statement.query([self.run.0])?;
        let mut hasher = self.replaced.clone();
        while let Some(row) = &rows.next()? {
            let (number, request, attempts): (String, [u8; 32], u32) = (row.get(0)?, row.get(1)?, row.get(2)?);
            hasher.update((number.len() as u64).to_le_bytes());
            hasher.update(number.as_bytes());
            hasher.update(request);
            hasher.update(attempts.to_le_bytes());
            hasher.update(row.get_ref(3)?.as_str()?);
        }
        Ok(hasher.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}")))
    }

    /// How many orders of a run, or of this service, are in doubt.
    pub fn in_doubt(&self, of: Option<RunId>) -> Result<u64, LedgerError> {
        Ok(self.orders_in("'in_doubt'", "in_doubt", of)?.len() as u64)
    }

    fn descend_from(&self, of: Option<RunId>) -> Result<(), LedgerError> {
        self.transaction
            .execute("UPDATE runs SET parent = ?2 WHERE id = ?1", params![self.run.0, of.map(|run| run.0)])?;
        Ok(())
    }

    /// This service's orders in some states, each once, by run and place; only runs whose counter says so are read.
    fn orders_in(&self, states: &str, counter: &str, of: Option<RunId>) -> Result<Vec<Free>, LedgerError> {
        let runs = self
            .transaction
            .prepare(&format!(
                "SELECT t.run_id FROM run_tallies t JOIN runs r ON r.id = t.run_id
                 WHERE r.service_id IN (SELECT id FROM same_service WHERE origin = ?1) AND (CAST(?2 AS bigint) IS NULL OR r.id = ?2) AND {counter} > 0 ORDER BY t.run_id"
            ))?
            .query_map(params![self.new.service, of.map(|run| run.0)], |row| row.get(0))?
            .collect::<Result<Vec<i64>, _>>()?;
        let mut statement = self.transaction.prepare(&format!(
            "SELECT {FREE} FROM run_orders r CROSS JOIN orders o ON o.id = r.order_id
             WHERE r.run_id = ?1 AND r.behind = 0 AND o.standing IN ({states}) ORDER BY r.seq"
        ))?;
        let mut seen = HashSet::new();
        let mut orders = Vec::new();
        for run in runs {
            for free in statement.query_map([run], Free::of)? {
                let free = free?;
                if seen.insert(free.order) {
                    orders.push(free);
                }
            }
        }
        Ok(orders)
    }

    /// Takes none of these orders up, whoever asks for them.
    pub fn leave(&mut self, numbers: HashSet<String>) {
        self.left = numbers;
    }

    /// Without what is left, and what the service knows under the same number at another of its addresses, where that one
    /// counts, which is set aside.
    fn without_left(&mut self, orders: Vec<Free>) -> Result<Vec<Free>, LedgerError> {
        let mut kept = Vec::with_capacity(orders.len());
        for free in orders {
            if self.left.contains(&free.number) {
                continue;
            }
            let elsewhere =
                || Ok::<_, LedgerError>(self.known(&free.number)?.is_some_and(|known| known.order != free.order));
            if self.addresses.len() > 1 && elsewhere()? {
                self.set_aside.push(free.number);
            } else {
                kept.push(free);
            }
        }
        Ok(kept)
    }

    /// Orders that are taken up at once, but for those whose rows or numbers stand for another one by now, which are noted.
    fn not_replaced(&mut self, orders: Vec<Free>) -> Result<Vec<OrderId>, LedgerError> {
        let all: HashSet<OrderId> = orders.iter().map(|free| free.order).collect();
        let mut kept = Vec::with_capacity(orders.len());
        for Free { order, number, may_be_another } in orders {
            let replaced = || match replaced_by(&self.transaction, &self.addresses, order, None)? {
                // Of several that failed and had one row, the last one goes.
                None if all.len() > 1 => later_of(&self.transaction, order, &all),
                other => Ok(other),
            };
            match if may_be_another { replaced()? } else { None } {
                None => kept.push(order),
                Some(other) => self.sent_otherwise.push((number, other)),
            }
        }
        Ok(kept)
    }

    /// Orders that were not taken up, each with the one that its rows stand for by now.
    #[must_use]
    pub fn sent_otherwise(&self) -> &[(String, SentAs)] {
        &self.sent_otherwise
    }

    /// Numbers of orders that were not taken up: the service has them at another of its addresses.
    #[must_use]
    pub fn set_aside(&self) -> &[String] {
        &self.set_aside
    }

    /// Takes these orders up, one behind the other: over a server all at once, for nobody else writes meanwhile.
    fn take_up(&mut self, orders: &[OrderId]) -> Result<(), LedgerError> {
        #[cfg(feature = "postgres")]
        if let Some(server) = self.transaction.server() {
            super::postgres::take_up(server, self.run, self.adopted, orders)?;
            self.adopted += i64::try_from(orders.len()).unwrap_or(i64::MAX);
            return Ok(());
        }
        for order in orders {
            self.attach(*order, self.adopted, None, State::Staged)?;
            self.adopted += 1;
        }
        Ok(())
    }

    /// What the orders of this run come to.
    fn adopted(&self) -> Result<Adopted, LedgerError> {
        let mut statement = self.transaction.prepare(
            "SELECT q.lines, q.value, q.cod FROM run_orders r CROSS JOIN orders o ON o.id = r.order_id
             CROSS JOIN requests q ON q.id = o.request_id WHERE r.run_id = ?1",
        )?;
        let mut rows = statement.query([self.run.0])?;
        let (mut orders, mut lines, mut value, mut cod) = (0, 0, Decimal::ZERO, Decimal::ZERO);
        while let Some(row) = &rows.next()? {
            orders += 1;
            lines += row.get::<u64>(0)?;
            value += decimal(&row.get::<String>(1)?)?;
            cod += decimal(&row.get::<String>(2)?)?;
        }
        Ok(Adopted { orders, lines, value, cod })
    }

    /// A failed order takes its place among the staged, because a person asked.
    fn stage_again(&mut self, chain: &mut Chain, order: OrderId) -> Result<(), LedgerError> {
        let because = format!("asked for by run {}", self.run.0);
        let decision = self.transaction.insert(
            "INSERT INTO decisions (at_ms, user, host, order_id, attempt_id, verb, because, evidence_n)
             VALUES (?1, ?2, ?3, ?4, (SELECT max(id) FROM attempts WHERE order_id = ?4), 'retry', ?5, ?6)",
            params![self.new.started_ms, self.new.user, self.new.host, order.0, because, chain.next()],
        )?;
        chain.bind(&self.transaction, Kind::Decision, decision)?;
        self.transaction
            .prepare_cached(
                "UPDATE orders SET state = 'staged', error = NULL, order_id = NULL
                 WHERE id = ?1 AND state IN ('rejected', 'refused')",
            )?
            .execute([order.0])?;
        Ok(())
    }
}

fn decimal(text: &str) -> Result<Decimal, LedgerError> {
    text.parse().map_err(|_| LedgerError::Damaged(format!("\"{text}\" is no amount")))
}
