//! Warehouses that were created from here: noted before they are sent, so that none is created twice.

use super::db::{OptionalExtension, params};
use super::error::LedgerError;
use super::open::Ledger;

/// Where the creation of a warehouse stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WarehouseState {
    /// Sent, or about to be; no clear answer came. It may exist.
    Sending,
    /// It exists, with this id.
    Created(String),
    /// The service said no.
    Refused,
}

/// A warehouse that is about to be created.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "the names say it")]
pub struct NewWarehouse<'a> {
    pub service: &'a str,
    pub name: &'a str,
    pub body: &'a [u8],
    pub begun_ms: i64,
    pub user: &'a str,
    pub host: &'a str,
}

impl Ledger {
    /// What is known of a warehouse by its name at a service.
    pub fn warehouse(&self, service: &str, name: &str) -> Result<Option<WarehouseState>, LedgerError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT state, warehouse_id FROM warehouses WHERE service = ? AND name = ?")?;
        let found = statement.query_row(params![service, name], |row| {
            let (state, id): (String, Option<String>) = (row.get(0)?, row.get(1)?);
            Ok(match (state.as_str(), id) {
                (_, Some(id)) => WarehouseState::Created(id),
                ("refused", None) => WarehouseState::Refused,
                _ => WarehouseState::Sending,
            })
        });
        Ok(found.optional()?)
    }

    /// The name of the warehouse that has an id at a service, where one was created from here.
    pub fn warehouse_with_id(&self, service: &str, id: &str) -> Result<Option<String>, LedgerError> {
        let mut statement =
            self.connection.prepare_cached("SELECT name FROM warehouses WHERE service = ? AND warehouse_id = ?")?;
        Ok(statement.query_row([service, id], |row| row.get(0)).optional()?)
    }

    /// Notes that a warehouse is about to be sent; to be said before its first byte leaves. One that exists is refused
    /// by the database itself.
    pub fn warehouse_begins(&mut self, new: &NewWarehouse<'_>) -> Result<(), LedgerError> {
        let NewWarehouse { service, name, body, begun_ms, user, host } = new;
        self.connection.execute(
            "INSERT INTO warehouses (service, name, state, body, begun_ms, user, host)
             VALUES (?1, ?2, 'sending', ?3, ?4, ?5, ?6)
             ON CONFLICT (service, name) DO UPDATE SET state = 'sending', warehouse_id = NULL, answer = NULL,
                body = excluded.body, begun_ms = excluded.begun_ms, user = excluded.user, host = excluded.host",
            params![service, name, body, begun_ms, user, host],
        )?;
        Ok(())
    }

    /// Notes what came of it. `id` where it was created; without one the service said no.
    pub fn warehouse_ends(
        &mut self,
        (service, name): (&str, &str),
        id: Option<&str>,
        answer: &str,
    ) -> Result<(), LedgerError> {
        let state = if id.is_some() { "created" } else { "refused" };
        self.connection.execute(
            "UPDATE warehouses SET state = ?3, warehouse_id = ?4, answer = ?5
             WHERE service = ?1 AND name = ?2 AND state = 'sending'",
            params![service, name, state, id, answer],
        )?;
        Ok(())
    }
}
