//! The stations of a ledger that several of them share: when each was heard last, and what it has under way.

use schemars::JsonSchema;
use serde::Serialize;

use super::db::{OptionalExtension, params};
use super::error::LedgerError;
use super::open::Ledger;
use super::record::RunId;

/// How a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Its lease holds.
    Works,
    /// Its lease has run out, and nobody was in its way yet.
    Silent,
    /// Another station took over, and it was not heard since: it may still send what it had begun.
    Unheard,
    /// A person said that it is switched off.
    Off,
}

/// A session that is open, or that left something of which nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StationRecord {
    /// Its number.
    pub number: i64,
    /// The machine.
    pub host: String,
    /// The user.
    pub user: String,
    /// Since when, in milliseconds since 1970-01-01 UTC.
    pub since_ms: i64,
    /// When it was heard last by the server's clock, in milliseconds since 1970-01-01 UTC.
    pub heard_ms: i64,
    /// How it stands.
    pub standing: Standing,
    /// Orders that it is sending.
    pub in_flight: u64,
    /// Orders in doubt that it began and did not answer for.
    pub in_doubt: u64,
    /// Why a person said that it is switched off; null where nobody did.
    pub because: Option<String>,
}

/// A person's word that a station is switched off and sends nothing any more.
#[derive(Debug, Clone)]
pub struct NewStationOff {
    /// Its number.
    pub number: i64,
    /// How they know.
    pub because: String,
    /// Who.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

const OPEN: &str = "SELECT s.epoch, s.host, s.user, (extract(epoch FROM s.since) * 1000)::bigint,
    (extract(epoch FROM s.heard) * 1000)::bigint, s.fenced IS NOT NULL, s.lease_until < clock_timestamp(),
    (SELECT count(*) FROM attempts a WHERE a.epoch = s.epoch AND a.answered_ms IS NULL),
    (SELECT count(*) FROM attempts a JOIN orders o ON o.id = a.order_id WHERE a.epoch = s.epoch
        AND o.state = 'in_doubt' AND a.outcome = 'in_doubt'),
    (SELECT w.because FROM stations_off w WHERE w.epoch = s.epoch ORDER BY w.id DESC LIMIT 1)
    FROM stations s WHERE s.ended IS NULL AND s.acknowledged IS NULL ORDER BY s.epoch";

impl Ledger {
    /// Sessions that are open or that nobody heard of since; of a ledger in a file there are none.
    pub fn stations(&self) -> Result<Vec<StationRecord>, LedgerError> {
        if self.connection.has_file() {
            return Ok(Vec::new());
        }
        let mut statement = self.connection.prepare(OPEN)?;
        let records = statement.query_map((), |row| {
            let (is_fenced, is_over, because): (bool, bool, Option<String>) = (row.get(5)?, row.get(6)?, row.get(9)?);
            let standing = match (&because, is_fenced, is_over) {
                (Some(_), ..) => Standing::Off,
                (None, true, _) => Standing::Unheard,
                (None, false, true) => Standing::Silent,
                (None, false, false) => Standing::Works,
            };
            Ok(StationRecord {
                number: row.get(0)?,
                host: row.get(1)?,
                user: row.get(2)?,
                since_ms: row.get(3)?,
                heard_ms: row.get(4)?,
                standing,
                in_flight: row.get(7)?,
                in_doubt: row.get(8)?,
                because,
            })
        })?;
        Ok(records.collect::<Result<_, _>>()?)
    }

    /// Orders of a service that other stations are sending, each with the station's machine: of one run, or all of them.
    pub fn sent_by_others(&self, service: &str, run: Option<RunId>) -> Result<Vec<(String, String)>, LedgerError> {
        if self.connection.has_file() {
            return Ok(Vec::new());
        }
        let mut statement = self.connection.prepare(
            "SELECT o.number, t.host FROM attempts a CROSS JOIN orders o ON o.id = a.order_id
             CROSS JOIN stations t ON t.epoch = a.epoch
             WHERE a.answered_ms IS NULL AND a.epoch IS DISTINCT FROM own_epoch()
                AND o.service_id IN (SELECT id FROM same_service WHERE origin = ?1)
                AND (CAST(?2 AS bigint) IS NULL
                    OR EXISTS (SELECT 1 FROM run_orders r WHERE r.order_id = o.id AND r.run_id = ?2))
             ORDER BY o.id",
        )?;
        let sent =
            statement.query_map(params![service, run.map(RunId::number)], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(sent.collect::<Result<_, _>>()?)
    }

    /// Keeps a person's word that a station is switched off. One whose lease holds is not.
    pub fn station_off(&mut self, new: &NewStationOff) -> Result<(), LedgerError> {
        let known = self.stations()?.into_iter().find(|station| station.number == new.number);
        let Some(station) = known else { return Err(LedgerError::NoStation { number: new.number }) };
        if station.standing == Standing::Works {
            return Err(LedgerError::StationWorks { number: new.number, host: station.host });
        }
        let transaction = self.begin()?;
        transaction.execute(
            "INSERT INTO stations_off (epoch, at_ms, user, host, because) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![new.number, new.at_ms, new.user, new.host, new.because.trim()],
        )?;
        transaction.commit()?;
        Ok(())
    }
}

/// The station that may still send an order, if there is one: its number, and its machine.
pub(super) fn unheard_of(connection: &super::db::Connection, order: i64) -> Result<Option<(i64, String)>, LedgerError> {
    if connection.has_file() {
        return Ok(None);
    }
    let sql = "SELECT epoch, host FROM attempts_unheard WHERE order_id = ?1 ORDER BY epoch LIMIT 1";
    Ok(connection.query_row(sql, [order], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
}
