//! Orders of a run whose numbers are known at addresses of which nobody has said whether they are the same service.

use super::address::{Stranger, strangers};
use super::db::{Connection, OptionalExtension, params};
use super::error::LedgerError;
use super::record::State;
use super::sql::word;
use super::staging::Staging;

/// Order numbers that are named of another address.
const NAMED: usize = 3;

/// Orders of a run whose numbers are known at an address of which nobody has said whether it is the same service.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Elsewhere {
    /// The address.
    pub service: String,
    /// How many are booked there.
    pub booked: u64,
    /// How many are in doubt there, or on their way.
    pub in_doubt: u64,
    /// How many were given up there.
    pub abandoned: u64,
    /// The first of their numbers.
    pub numbers: Vec<String>,
}

impl Elsewhere {
    /// How many orders.
    #[must_use]
    pub const fn orders(&self) -> u64 {
        self.booked + self.in_doubt + self.abandoned
    }

    /// Counts an order that stands so at the address.
    const fn count(&mut self, state: State) {
        *match state {
            State::Booked => &mut self.booked,
            State::Abandoned => &mut self.abandoned,
            _ => &mut self.in_doubt,
        } += 1;
    }
}

impl Staging<'_> {
    /// The orders that this run would send whose numbers, or whose rows under other numbers, are booked, in doubt or given up
    /// at addresses of which nobody has said whether they are this service. Nothing for the sandbox, and nothing of it.
    pub fn elsewhere(&self) -> Result<Vec<Elsewhere>, LedgerError> {
        let mut statement = self.transaction.prepare(
            "SELECT o.number, t.standing, r.seq FROM run_orders r CROSS JOIN orders o ON o.id = r.order_id
             CROSS JOIN orders t ON t.service_id = ?2 AND t.number = o.number
             WHERE r.run_id = ?1 AND r.behind = 0 AND o.standing IN ('staged', 'waiting')
                AND t.standing IN ('booked', 'sending', 'in_doubt', 'abandoned')
             UNION
             SELECT o.number, t.standing, r.seq FROM run_orders r CROSS JOIN orders o ON o.id = r.order_id
             CROSS JOIN sheet_rows mine ON mine.order_id = o.id
             CROSS JOIN sheet_rows theirs ON theirs.sheet_id = mine.sheet_id AND theirs.row = mine.row
             CROSS JOIN orders t ON t.id = theirs.order_id
             WHERE r.run_id = ?1 AND r.behind = 0 AND o.standing IN ('staged', 'waiting') AND t.service_id = ?2
                AND t.standing IN ('booked', 'sending', 'in_doubt', 'abandoned')
             ORDER BY 3",
        )?;
        let mut found = Vec::new();
        for (id, service) in strangers(&self.transaction, &self.new.service)? {
            let mut elsewhere = Elsewhere { service, ..Elsewhere::default() };
            let mut rows = statement.query(params![self.run.0, id])?;
            while let Some(row) = &rows.next()? {
                elsewhere.count(word(row, 1)?);
                if elsewhere.numbers.len() < NAMED {
                    elsewhere.numbers.push(row.get(0)?);
                }
            }
            if elsewhere.orders() > 0 {
                found.push(elsewhere);
            }
        }
        Ok(found)
    }
}

/// The same, counted order by order where no run is staged.
pub(super) struct CountedElsewhere(Vec<Counted>);

/// The orders of one address.
struct Counted {
    id: i64,
    elsewhere: Elsewhere,
    /// The first of their numbers, by their places in the sheets.
    first: Vec<(i64, String)>,
}

impl CountedElsewhere {
    /// Nothing counted yet of each address.
    pub(super) fn begin(connection: &Connection, service: &str) -> Result<Self, LedgerError> {
        let counted = |(id, service): Stranger| {
            let elsewhere = Elsewhere { service, ..Elsewhere::default() };
            Counted { id, elsewhere, first: Vec::new() }
        };
        Ok(Self(strangers(connection, service)?.into_iter().map(counted).collect()))
    }

    /// Counts an order that would be sent.
    pub(super) fn add(&mut self, connection: &Connection, number: &str, position: i64) -> Result<(), LedgerError> {
        for Counted { id, elsewhere, first } in &mut self.0 {
            let mut statement = connection.prepare_cached(
                "SELECT state FROM orders WHERE service_id = ?1 AND number = ?2
                    AND state IN ('booked', 'sending', 'in_doubt', 'abandoned')",
            )?;
            let Some(state) = statement.query_row(params![*id, number], |row| word(row, 0)).optional()? else {
                continue;
            };
            elsewhere.count(state);
            let place = first.partition_point(|(before, _)| *before <= position);
            if place < NAMED {
                first.insert(place, (position, number.to_owned()));
                first.truncate(NAMED);
            }
        }
        Ok(())
    }

    /// Each address that knows any of the orders.
    pub(super) fn end(self) -> Vec<Elsewhere> {
        let named = |Counted { elsewhere, first, .. }: Counted| {
            let numbers = first.into_iter().map(|(_, number)| number).collect();
            Elsewhere { numbers, ..elsewhere }
        };
        self.0.into_iter().map(named).filter(|elsewhere| elsewhere.orders() > 0).collect()
    }
}
