//! What the service said of pairs of PIN codes, kept for as long as it is worth something.

use super::db::{OptionalExtension, params};
use super::error::LedgerError;
use super::open::Ledger;

/// What the service said of a pair of PIN codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteRecord {
    /// PIN code of the pickup.
    pub origin: String,
    /// PIN code of the delivery.
    pub destination: String,
    /// The couriers that go there, JSON.
    pub couriers: String,
    /// When it was asked, epoch milliseconds.
    pub asked_ms: i64,
}

impl Ledger {
    /// What a service said of a pair since then; what is said to have been asked after `now_ms` counts for nothing.
    pub fn route(
        &self,
        service: &str,
        (origin, destination): (&str, &str),
        since_ms: i64,
        now_ms: i64,
    ) -> Result<Option<RouteRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT couriers, asked_ms FROM routes
             WHERE service = ? AND origin = ? AND destination = ? AND asked_ms BETWEEN ? AND ?",
        )?;
        let found = statement.query_row(params![service, origin, destination, since_ms, now_ms], |row| {
            let (origin, destination) = (origin.to_owned(), destination.to_owned());
            Ok(RouteRecord { origin, destination, couriers: row.get(0)?, asked_ms: row.get(1)? })
        });
        Ok(found.optional()?)
    }

    /// What a service said of any pair since then; what is said to have been asked after `now_ms` counts for nothing.
    pub fn routes_since(&self, service: &str, since_ms: i64, now_ms: i64) -> Result<Vec<RouteRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT origin, destination, couriers, asked_ms FROM routes
             WHERE service = ? AND asked_ms BETWEEN ? AND ?",
        )?;
        let found = statement.query_map(params![service, since_ms, now_ms], |row| {
            let (origin, destination) = (row.get(0)?, row.get(1)?);
            Ok(RouteRecord { origin, destination, couriers: row.get(2)?, asked_ms: row.get(3)? })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Keeps what a service said, and forgets what it said before `forget_before_ms`.
    pub fn keep_routes(
        &mut self,
        service: &str,
        routes: &[RouteRecord],
        forget_before_ms: i64,
    ) -> Result<(), LedgerError> {
        let transaction = self.begin()?;
        transaction.execute("DELETE FROM routes WHERE asked_ms < ?", [forget_before_ms])?;
        {
            let mut statement = transaction.prepare_cached(
                "INSERT INTO routes (service, origin, destination, couriers, asked_ms) VALUES (?, ?, ?, ?, ?)
                 ON CONFLICT (service, origin, destination) DO UPDATE SET couriers = excluded.couriers, asked_ms = excluded.asked_ms",
            )?;
            for RouteRecord { origin, destination, couriers, asked_ms } in routes {
                statement.execute(params![service, origin, destination, couriers, asked_ms])?;
            }
        }
        Ok(transaction.commit()?)
    }
}
