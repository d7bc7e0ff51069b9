//! Cancellations: noted before they are asked for, and what came of each.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::db::{OptionalExtension, params};
use super::error::LedgerError;
use super::open::Ledger;
use super::record::Decimal;
use super::sql::amount;

/// Since when nobody knows whether the order `o` is cancelled, in milliseconds; null where that is known. A later no
/// settles what was unclear, what was not sent says nothing.
macro_rules! unclear_since {
    () => {
        "(SELECT CASE WHEN c.outcome IS NULL OR c.outcome = 'unknown' THEN c.asked_ms END FROM cancel_requests c
         WHERE c.order_id = o.id AND c.outcome IS DISTINCT FROM 'unsent' ORDER BY c.id DESC LIMIT 1)"
    };
}
pub(super) use unclear_since;

/// A cancellation as the service answered it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cancellation {
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// The user who asked for it.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// The refund's status, in the service's word.
    pub refund_status: Option<String>,
    /// The service's answer as it came: JSON as text.
    pub answer: String,
}

/// A cancellation that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CancelRecord {
    /// When, in milliseconds since 1970-01-01 UTC.
    pub asked_ms: i64,
    /// Who.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// Its outcome; null where no answer ever came.
    #[schemars(extend("enum" = ["cancelled", "refused", "unsent", "unknown", null]))]
    pub outcome: Option<String>,
    /// What the service said, or why nobody knows.
    pub said: Option<String>,
}

/// The booking behind a shipment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Consignment {
    /// The run that sent it last.
    pub sent_in: Option<i64>,
    /// Its declared value, in its currency.
    pub value: Decimal,
    /// The amount that the courier collects at the door, in its currency.
    pub to_collect: Decimal,
}

/// Names a request for a cancellation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CancelId(i64);

/// What came of a request for a cancellation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelOutcome<'a> {
    /// The service says that the shipment is cancelled.
    Cancelled {
        /// What becomes of the money, in the service's word.
        refund_status: Option<&'a str>,
    },
    /// The service said no.
    Refused,
    /// Nothing was sent.
    Unsent,
    /// Nobody knows.
    Unknown,
}

impl CancelOutcome<'_> {
    const fn word(self) -> &'static str {
        match self {
            Self::Cancelled { .. } => "cancelled",
            Self::Refused => "refused",
            Self::Unsent => "unsent",
            Self::Unknown => "unknown",
        }
    }
}

impl Ledger {
    /// Notes that a cancellation is about to be asked for; to be said before its first byte leaves.
    pub fn cancel_begins(
        &mut self,
        service: &str,
        number: &str,
        asked_ms: i64,
        (user, host): (&str, &str),
    ) -> Result<CancelId, LedgerError> {
        let begun = self.connection.insert(
            "INSERT INTO cancel_requests (order_id, asked_ms, user, host)
             SELECT o.id, ?3, ?4, ?5 FROM same_service s CROSS JOIN orders o ON o.service_id = s.id
             WHERE s.origin = ?1 AND o.number = ?2 ORDER BY o.awb IS NULL, s.is_own DESC, o.id LIMIT 1",
            params![service, number, asked_ms, user, host],
        );
        let unknown = || LedgerError::UnknownOrder { order: number.to_owned(), service: service.to_owned() };
        begun.optional()?.map(CancelId).ok_or_else(unknown)
    }

    /// Notes what came of it, with what the service said. A cancellation stands beside its booking, which stays as it
    /// is: the number is never booked again by itself.
    pub fn cancel_ends(
        &mut self,
        CancelId(id): CancelId,
        ended_ms: i64,
        outcome: CancelOutcome<'_>,
        said: &str,
    ) -> Result<(), LedgerError> {
        let transaction = self.begin()?;
        transaction.execute(
            "UPDATE cancel_requests SET ended_ms = ?2, outcome = ?3, said = ?4 WHERE id = ?1",
            params![id, ended_ms, outcome.word(), said],
        )?;
        if let CancelOutcome::Cancelled { refund_status } = outcome {
            transaction.execute(
                "INSERT INTO cancellations (order_id, at_ms, user, host, refund_status, answer)
                 SELECT order_id, ?2, user, host, ?3, ?4 FROM cancel_requests WHERE id = ?1",
                params![id, ended_ms, refund_status, said],
            )?;
        }
        Ok(transaction.commit()?)
    }

    /// The booking behind a shipment, by its order's number, as [`shipped`](Self::shipped) finds it.
    pub fn consignment(&self, service: &str, number: &str) -> Result<Option<Consignment>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT (SELECT a.run_id FROM attempts a WHERE a.order_id = o.id ORDER BY a.n DESC LIMIT 1), q.value, q.cod
             FROM same_service s CROSS JOIN orders o ON o.service_id = s.id CROSS JOIN requests q ON q.id = o.request_id
             WHERE s.origin = ?1 AND o.number = ?2 AND o.awb IS NOT NULL ORDER BY s.is_own DESC, o.id LIMIT 1",
        )?;
        let found = statement.query_row(params![service, number], |row| {
            Ok(Consignment { sent_in: row.get(0)?, value: amount(row, 1)?, to_collect: amount(row, 2)? })
        });
        Ok(found.optional()?)
    }

    /// The number of the booked order that a service knows by this id of its own.
    pub fn number_of_shipment(&self, service: &str, order_id: &str) -> Result<Option<String>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT o.number FROM same_service s CROSS JOIN orders o ON o.service_id = s.id
             WHERE s.origin = ? AND o.state = 'booked' AND o.order_id = ? LIMIT 1",
        )?;
        Ok(statement.query_row([service, order_id], |row| row.get(0)).optional()?)
    }

    /// Orders of a service whose cancellation was asked for, whatever came of it.
    pub fn asked_to_cancel(&self, service: &str) -> Result<HashMap<String, bool>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT o.number, EXISTS (SELECT 1 FROM cancellations c WHERE c.order_id = o.id)
             FROM orders o WHERE o.service_id IN (SELECT id FROM same_service WHERE origin = ?1)
             AND o.id IN (SELECT order_id FROM cancellations UNION SELECT order_id FROM cancel_requests)",
        )?;
        let rows = statement.query_map([service], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    pub(super) fn cancellations_of(&self, order: i64) -> Result<Vec<Cancellation>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT at_ms, user, host, refund_status, answer FROM cancellations WHERE order_id = ? ORDER BY id",
        )?;
        let rows = statement.query_map([order], |row| {
            Ok(Cancellation {
                at_ms: row.get(0)?,
                user: row.get(1)?,
                host: row.get(2)?,
                refund_status: row.get(3)?,
                answer: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// All that was asked for, the oldest first.
    pub(super) fn cancel_requests_of(&self, order: i64) -> Result<Vec<CancelRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT asked_ms, user, host, outcome, said FROM cancel_requests WHERE order_id = ? ORDER BY id",
        )?;
        let rows = statement.query_map([order], |row| {
            Ok(CancelRecord {
                asked_ms: row.get(0)?,
                user: row.get(1)?,
                host: row.get(2)?,
                outcome: row.get(3)?,
                said: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
