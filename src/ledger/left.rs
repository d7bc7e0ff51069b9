//! Orders to be corrected or dismissed, and orders that wait for another service.

use std::collections::HashSet;
use std::path::PathBuf;

use super::db::{OptionalExtension, params};
use super::error::LedgerError;
use super::open::Ledger;
use super::record::RunId;

/// How people call what the errors `p` kept back: left out by a person, held until somebody answers, or to be corrected.
macro_rules! kept_as {
    () => {
        "CASE WHEN max(CASE WHEN json_extract(p.detail, '$.case') = 'left_out_by_clerk' THEN 1 ELSE 0 END) = 1 THEN 'left_out'
            WHEN max(CASE WHEN json_extract(p.detail, '$.case') = 'by_clerk' THEN 1 ELSE 0 END) = 1
                OR min(CASE WHEN p.code = 'held-back' THEN 1 ELSE 0 END) = 1 THEN 'held' ELSE 'invalid' END"
    };
}
pub(super) use kept_as;

/// An order that waits to be corrected, answered or dismissed.
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
    /// Whether it waits for an answer, and nothing of it has to be corrected.
    pub is_held: bool,
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

    /// Where an order that could never be sent came last.
    pub fn left_invalid(&self, number: &str) -> Result<Option<LeftInvalid>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT r.run_id, r.rows FROM services s CROSS JOIN orders o ON o.service_id = s.id
             CROSS JOIN run_orders r ON r.order_id = o.id
             WHERE o.number = ?1 AND o.standing = 'invalid' ORDER BY r.run_id DESC LIMIT 1",
        )?;
        let found = statement.query_row([number], |row| Ok(LeftInvalid { run: RunId(row.get(0)?), rows: row.get(1)? }));
        Ok(found.optional()?)
    }

    /// The numbers of orders that a run kept back and that a later run has.
    pub fn came_again_since(&self, run: RunId) -> Result<HashSet<String>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT o.number FROM run_orders r CROSS JOIN orders o ON o.id = r.order_id
             WHERE r.run_id = ?1 AND r.behind = 1
                AND EXISTS (SELECT 1 FROM run_orders l WHERE l.order_id = r.order_id AND l.run_id > ?1)",
        )?;
        let numbers = statement.query_map([run.0], |row| row.get(0))?;
        Ok(numbers.collect::<Result<_, _>>()?)
    }

    /// Every order that has to be corrected in its sheet or dismissed, by the run in which it came last; none that a person left out
    /// there.
    pub fn for_each_to_fix(&self, each: &mut dyn FnMut(ToFix)) -> Result<(), LedgerError> {
        let sql = format!(
            "SELECT * FROM (SELECT o.number, s.origin, u.id, u.started_ms, o.service_id,
                (SELECT {} FROM run_orders r CROSS JOIN problems p ON p.run_id = r.run_id AND p.seq = r.seq AND p.severity = 'error'
                 WHERE r.order_id = o.id AND r.run_id = u.id) AS kept_as
             FROM orders o INDEXED BY orders_kept_back
             JOIN services s ON s.id = o.service_id
             JOIN runs u ON u.id = (SELECT max(r.run_id) FROM run_orders r WHERE r.order_id = o.id)
             WHERE (o.hold IS NOT NULL OR o.draft_hold = 1 OR o.verdict = 'held' OR o.verdict = 'invalid')
                AND (o.standing = 'invalid' OR (o.standing = 'held' AND o.hold IS NULL AND o.verdict = 'invalid'))) found
             WHERE kept_as <> 'left_out' ORDER BY 3, 1",
            kept_as!()
        );
        let mut statement = self.connection.prepare(&sql)?;
        let has_one_address =
            !self.connection.prepare_cached("SELECT 1 FROM address_pairs WHERE is_same = 1")?.exists(())?;
        let mut rows = statement.query(())?;
        while let Some(row) = &rows.next()? {
            let (number, service, run): (String, _, _) = (row.get(0)?, row.get(1)?, RunId(row.get(2)?));
            if has_one_address || !self.is_valid_elsewhere(&number, row.get(4)?)? {
                let kept_as: String = row.get(5)?;
                each(ToFix { number, service, run, since_ms: row.get(3)?, is_held: kept_as == "held" });
            }
        }
        Ok(())
    }

    /// Whether another address of a service has this order as one that could be sent.
    fn is_valid_elsewhere(&self, number: &str, service: i64) -> Result<bool, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 FROM same_service a CROSS JOIN orders p ON p.service_id = a.id AND p.number = ?1
             WHERE a.asked = ?2 AND a.id <> ?2 AND p.standing <> 'invalid'",
        )?;
        Ok(statement.exists(params![number, service])?)
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
