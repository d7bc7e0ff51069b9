//! Shares in the ledger: taken, exchanged with the other stations at each renewal, and given up; and brakes that stop all of them.

use crate::ledger::db::{self, Connection, OptionalExtension, params};
use crate::ledger::error::LedgerError;
use crate::ledger::share::{Allowance, BrakeElsewhere, Other, Share, due};

/// Whoever takes a share or gives one back holds this lock; the guard of the table takes it as well. A station that is paused
/// meanwhile loses it within a second: the server ends what it had begun.
pub(in crate::ledger) const BEGIN: &str =
    "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '1s'; SELECT pg_advisory_xact_lock(7566702)";

/// The same for whoever has a lease to renew, and waits for nobody.
const BEGIN_AT_ONCE: &str = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '1s';
    SET LOCAL lock_timeout = '200ms'; SELECT pg_advisory_xact_lock(7566702)";

const OTHERS: &str = "SELECT u.epoch, u.width_max, u.pace_max, u.width, u.pace, u.is_live
    FROM shares_in_use u JOIN same_service s ON s.id = u.service_id WHERE s.asked = ?1 AND u.epoch <> own_epoch()";

const KEEP: &str = "INSERT INTO shares (epoch, service_id, width_max, pace_max, width, pace)
    VALUES (own_epoch(), ?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (epoch) DO UPDATE SET service_id = excluded.service_id, width_max = excluded.width_max,
        pace_max = excluded.pace_max, width = excluded.width, pace = excluded.pace, given_up = NULL";

const BRAKE: &str = "SELECT stopped_by, why, epoch, host FROM brakes_held WHERE service_id = ?1 ORDER BY id LIMIT 1";

/// A share with the service that it is of.
#[derive(Debug, Clone)]
pub(super) struct Sharing {
    pub(super) share: Share,
    pub(super) service: i64,
}

impl Sharing {
    /// Gives back what is more than its share, takes what of that is free, and looks for brakes.
    pub(super) fn exchange(&self, connection: &Connection) -> Result<(), LedgerError> {
        self.exchange_in(connection, BEGIN)
    }

    /// The same where nobody else does so just now, or [`LedgerError::Busy`].
    pub(super) fn exchange_at_once(&self, connection: &Connection) -> Result<(), LedgerError> {
        self.exchange_in(connection, BEGIN_AT_ONCE)
    }

    fn exchange_in(&self, connection: &Connection, begin: &str) -> Result<(), LedgerError> {
        if let Some(brake) = brake(connection, self.service)? {
            self.share.stop(brake);
        }
        if self.share.is_given_up() {
            let over = "UPDATE shares SET width = 0, given_up = clock_timestamp()
                WHERE epoch = own_epoch() AND given_up IS NULL";
            connection.execute(over, ())?;
            return Ok(());
        }
        let transaction = connection.begin_with(begin)?;
        let own = transaction.query_row("SELECT own_epoch()", (), |row| row.get(0))?;
        let others: Vec<Other> =
            transaction.prepare_cached(OTHERS)?.query_map([self.service], other)?.collect::<Result<_, _>>()?;
        let declared = self.share.declared();
        let due = due(own, declared, &others);
        let has = due.with(self.share.lower(due.share));
        // A width that is in use above what was declared since is none of this table's.
        let width = has.width.min(declared.width);
        transaction.prepare_cached(KEEP)?.execute(params![
            self.service,
            declared.width as u64,
            declared.pace,
            width as u64,
            has.pace
        ])?;
        transaction.commit()?;
        self.share.grant(due.capped(has), due.part);
        Ok(())
    }
}

fn other(row: &db::Row<'_>) -> db::Result<Other> {
    let width = |column| row.get::<u64>(column).map(|width| usize::try_from(width).unwrap_or(usize::MAX));
    Ok(Other {
        epoch: row.get(0)?,
        declared: Allowance { width: width(1)?, pace: row.get(2)? },
        uses: Allowance { width: width(3)?, pace: row.get(4)? },
        is_live: row.get(5)?,
    })
}

/// The brake that holds this session back from a service.
fn brake(connection: &Connection, service: i64) -> db::Result<Option<BrakeElsewhere>> {
    connection.prepare_cached(BRAKE)?.query_row([service], |row| pulled(row, 0)).optional()
}

/// A brake, from four columns side by side: its word, reason, station and machine.
pub(super) fn pulled(row: &db::Row<'_>, first: usize) -> db::Result<BrakeElsewhere> {
    Ok(BrakeElsewhere {
        by: row.get(first)?,
        why: row.get(first + 1)?,
        station: row.get(first + 2)?,
        host: row.get(first + 3)?,
    })
}
