//! A person's word that nobody will mend an order that stayed behind, kept for good.

use super::chain::{Chain, Kind};
use super::crash::fail_point;
use super::db::{Connection, OptionalExtension, params};
use super::error::LedgerError;
use super::open::Ledger;
use super::record::RunId;
use super::staging::Staging;

/// Orders that a person dismisses.
#[derive(Debug, Clone)]
pub struct NewDismissal {
    /// The service.
    pub service: String,
    /// The order numbers.
    pub numbers: Vec<String>,
    /// Who.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// Why.
    pub because: String,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

/// Where an order stayed behind last.
struct Left {
    run: i64,
    service: i64,
    cells: Option<[u8; 32]>,
}

impl Ledger {
    /// Dismisses orders that stayed behind when they came last: all of them or none. They count as dismissed in every run
    /// in which they have the same cells.
    pub fn dismiss(&mut self, new: &NewDismissal) -> Result<(), LedgerError> {
        let transaction = self.begin()?;
        for number in &new.numbers {
            let left = left(&transaction, &new.service, number)?
                .map_err(|stands| LedgerError::NotInvalid { order: number.clone(), stands })?;
            keep(&transaction, new, number, &left)?;
        }
        fail_point("decide")?;
        transaction.commit()?;
        self.raise_mark();
        Ok(())
    }
}

impl Ledger {
    /// Whether an order that stayed behind in a run was dismissed.
    pub fn is_dismissed_in(&self, run: RunId, number: &str) -> Result<bool, LedgerError> {
        let mut statement =
            self.connection.prepare_cached("SELECT 1 FROM dismissed_rows WHERE run_id = ?1 AND number = ?2")?;
        Ok(statement.exists(params![run.number(), number])?)
    }
}

impl Staging<'_> {
    /// Whether an order with these cells was dismissed at this run's service.
    pub(super) fn is_dismissed(&self, number: &str, cells: Option<[u8; 32]>) -> Result<bool, LedgerError> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT 1 FROM decisions d WHERE d.number = ?1 AND d.verb = 'dismiss' AND d.cells = ?2
                AND EXISTS (SELECT 1 FROM same_service s WHERE s.asked = ?3 AND s.id = d.service_id)",
        )?;
        Ok(statement.exists(params![number, cells, self.service])?)
    }
}

/// Where an order stayed behind, if it did when it came last and nobody dismissed it; else where it stands, for people.
fn left(connection: &Connection, service: &str, number: &str) -> Result<Result<Left, String>, LedgerError> {
    let left = connection.query_row(
        "SELECT i.run_id, u.service_id, i.cells, EXISTS (
            SELECT 1 FROM dismissed_rows x WHERE x.number = i.number AND x.run_id = i.run_id AND x.n = i.n)
         FROM run_invalid i CROSS JOIN runs u ON u.id = i.run_id
         WHERE i.number = ?2 AND u.service_id IN (SELECT id FROM same_service WHERE origin = ?1)
         ORDER BY i.run_id DESC, i.n DESC LIMIT 1",
        params![service, number],
        |row| Ok((Left { run: row.get(0)?, service: row.get(1)?, cells: row.get(2)? }, row.get::<bool>(3)?)),
    );
    let since = connection.query_row(
        "SELECT o.standing, coalesce((SELECT max(r.run_id) FROM run_orders r WHERE r.order_id = o.id), 0)
         FROM same_service s CROSS JOIN orders o ON o.service_id = s.id
         WHERE s.origin = ?1 AND o.number = ?2 ORDER BY 2 DESC LIMIT 1",
        params![service, number],
        |row| Ok((row.get::<String>(0)?, row.get::<Option<i64>>(1)?)),
    );
    let left = left.optional()?;
    let stands = |state: &str| format!("it is not invalid but {}", state.replace('_', " "));
    Ok(match (left, since.optional()?) {
        (Some((left, _)), Some((state, Some(run)))) if run > left.run => Err(stands(&state)),
        (Some((_, true)), _) => Err("it is dismissed already".to_owned()),
        (Some((left, false)), _) => Ok(left),
        (None, Some((state, _))) => Err(stands(&state)),
        (None, None) => Err("the ledger does not know it".to_owned()),
    })
}

fn keep(connection: &Connection, new: &NewDismissal, number: &str, left: &Left) -> Result<(), LedgerError> {
    let mut chain = Chain::read(connection)?;
    let dismissal = connection.insert(
        "INSERT INTO decisions (at_ms, user, host, verb, service_id, number, run_id, cells, because, evidence_n)
         VALUES (?1, ?2, ?3, 'dismiss', ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            new.at_ms,
            new.user,
            new.host,
            left.service,
            number,
            left.run,
            left.cells,
            new.because.trim(),
            chain.next()
        ],
    )?;
    chain.bind(connection, Kind::Decision, dismissal)?;
    // Counted anew for each run that the order stayed behind in: it may have stood there twice.
    connection.execute(
        "UPDATE run_tallies SET invalid = invalid + dismissed - c.now, dismissed = c.now
         FROM (SELECT i.run_id, (SELECT count(*) FROM dismissed_rows x WHERE x.run_id = i.run_id) AS now
            FROM (SELECT DISTINCT run_id FROM run_invalid WHERE number = ?1) i) c
         WHERE c.run_id = run_tallies.run_id",
        [number],
    )?;
    Ok(())
}
