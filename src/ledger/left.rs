//! What was left behind: orders that were invalid and never sent, and orders that wait for another service.

use std::path::PathBuf;

use super::db::OptionalExtension;
use super::error::LedgerError;
use super::open::Ledger;
use super::record::RunId;

/// An order that stayed behind, and waits to be corrected or dismissed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToFix {
    /// The order number.
    pub number: String,
    /// The service, by its key.
    pub service: String,
    /// The run in which it came last.
    pub run: RunId,
    /// When that began, epoch milliseconds.
    pub since_ms: i64,
}

/// An order that was invalid when it came last, and that has never been sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftInvalid {
    /// The run in which it came.
    pub run: RunId,
    /// Its rows, as people write them.
    pub rows: String,
}

/// Orders of one run that wait at one service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingElsewhere {
    /// The run.
    pub run: RunId,
    /// The service that they were staged for.
    pub service: String,
    /// How many.
    pub orders: u64,
}

impl Ledger {
    /// Every place where this ledger has lived.
    pub fn homes(&self) -> Result<Vec<PathBuf>, LedgerError> {
        let mut statement = self.connection.prepare("SELECT DISTINCT path FROM homes ORDER BY path")?;
        let homes = statement.query_map((), |row| row.get::<String>(0).map(PathBuf::from))?;
        Ok(homes.collect::<Result<_, _>>()?)
    }

    /// Where an order was invalid last, if no service has ever been asked to ship it.
    pub fn left_invalid(&self, number: &str) -> Result<Option<LeftInvalid>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT i.run_id, i.rows FROM run_invalid i
             WHERE i.number = ?1 AND NOT EXISTS (
                SELECT 1 FROM services s CROSS JOIN orders o ON o.service_id = s.id WHERE o.number = ?1)
             ORDER BY i.run_id DESC LIMIT 1",
        )?;
        let found = statement.query_row([number], |row| Ok(LeftInvalid { run: RunId(row.get(0)?), rows: row.get(1)? }));
        Ok(found.optional()?)
    }

    /// Every order that stayed behind when it came last, by the run in which it did, and that nobody has dismissed since. An order
    /// that was sent, or waits to be sent, is none of them.
    pub fn for_each_to_fix(&self, each: &mut dyn FnMut(ToFix)) -> Result<(), LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT i.number, s.origin, i.run_id, u.started_ms FROM (
                SELECT r.service_id, l.number, max(l.run_id) AS run_id FROM run_invalid l CROSS JOIN runs r ON r.id = l.run_id
                WHERE l.number IS NOT NULL GROUP BY r.service_id, l.number) i
             CROSS JOIN runs u ON u.id = i.run_id CROSS JOIN services s ON s.id = i.service_id
             WHERE NOT EXISTS (
                SELECT 1 FROM same_service a CROSS JOIN orders o ON o.service_id = a.id AND o.number = i.number
                WHERE a.asked = i.service_id AND NOT (o.standing = 'held' AND o.verdict = 'invalid'))
                AND NOT EXISTS (SELECT 1 FROM dismissed_rows x WHERE x.run_id = i.run_id AND x.number = i.number)
             ORDER BY i.run_id, i.number",
        )?;
        let mut rows = statement.query(())?;
        while let Some(row) = &rows.next()? {
            let (number, service, run) = (row.get(0)?, row.get(1)?, RunId(row.get(2)?));
            each(ToFix { number, service, run, since_ms: row.get(3)? });
        }
        Ok(())
    }

    /// Outstanding orders that were staged for other services than this one, by run.
    pub fn waiting_elsewhere(&self, service: &str) -> Result<Vec<WaitingElsewhere>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT r.id, s.origin, t.outstanding FROM run_tallies t CROSS JOIN runs r ON r.id = t.run_id
             CROSS JOIN services s ON s.id = r.service_id
             WHERE t.outstanding > 0 AND s.origin <> ?1
                AND s.id NOT IN (SELECT id FROM same_service WHERE origin = ?1) ORDER BY r.id",
        )?;
        let rows = statement.query_map([service], |row| {
            Ok(WaitingElsewhere { run: RunId(row.get(0)?), service: row.get(1)?, orders: row.get(2)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
