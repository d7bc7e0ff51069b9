//! What was left behind: orders that were invalid and never sent, and orders that wait for another service.

use std::path::PathBuf;

use super::db::{OptionalExtension, params};
use super::error::LedgerError;
use super::open::Ledger;
use super::record::RunId;

/// Orders of a run that is gone on with are looked at to find the runs that they came in: so many, for they came together.
const LOOKED_AT: i64 = 1_000;

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

    /// Of a run that went on with others: how many orders of each of those were invalid and have not been sent since.
    pub fn invalid_before(&self, run: RunId) -> Result<Vec<(RunId, u64)>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT i.run_id, count(*) FROM run_invalid i CROSS JOIN runs u ON u.id = i.run_id
             WHERE i.run_id < ?1 AND i.number IS NOT NULL AND i.run_id IN (
                SELECT b.run_id FROM (SELECT order_id FROM run_orders WHERE run_id = ?1 ORDER BY seq LIMIT ?2) a
                CROSS JOIN run_orders b ON b.order_id = a.order_id)
                AND NOT EXISTS (
                    SELECT 1 FROM same_service s CROSS JOIN orders o ON o.service_id = s.id AND o.number = i.number
                    WHERE s.asked = u.service_id)
                AND NOT EXISTS (SELECT 1 FROM dismissed_rows x WHERE x.run_id = i.run_id AND x.n = i.n)
             GROUP BY i.run_id ORDER BY i.run_id",
        )?;
        let rows = statement.query_map(params![run.0, LOOKED_AT], |row| Ok((RunId(row.get(0)?), row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
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
