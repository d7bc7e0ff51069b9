//! What a run that goes on, or was killed, has left open so far; told without writing.

use super::db::OptionalExtension;
use super::error::LedgerError;
use super::open::Ledger;
use super::record::RunId;

impl Ledger {
    /// Orders of a run whose attempt is open: on the way while a run goes on, in doubt if none does.
    pub fn open_attempts(&self, run: RunId) -> Result<u64, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*) FROM attempts a INDEXED BY attempts_open CROSS JOIN run_orders r ON r.order_id = a.order_id
             WHERE a.answered_ms IS NULL AND r.run_id = ?1 AND r.behind = 0",
        )?;
        Ok(statement.query_row([run.0], |row| row.get(0))?)
    }

    /// Orders in doubt, of every service, that are not among a run's own.
    pub fn doubts_but_of(&self, run: RunId) -> Result<u64, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*) FROM orders o INDEXED BY orders_in_doubt WHERE o.state = 'in_doubt'
             AND NOT EXISTS (SELECT 1 FROM run_orders r WHERE r.order_id = o.id AND r.run_id = ?1)",
        )?;
        Ok(statement.query_row([run.0], |row| row.get(0))?)
    }

    /// When the latest attempt of the ledger was last written to, if it is one of this run.
    pub fn last_sign_ms(&self, run: RunId) -> Result<Option<i64>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT coalesce(answered_ms, intent_ms) FROM attempts
             WHERE id = (SELECT max(id) FROM attempts) AND run_id = ?1",
        )?;
        Ok(statement.query_row([run.0], |row| row.get(0)).optional()?)
    }
}
