//! What happened after booking: shipments, webhooks, their deliveries.

use schemars::JsonSchema;
use serde::Serialize;

use crate::api::ShipmentRef;

use super::cancel::unclear_since;
use super::db::{self, OptionalExtension, Row, Value, params};
use super::error::LedgerError;
use super::open::Ledger;
use super::record::RunId;

/// An order that has an AWB.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Shipped {
    pub order_number: String,
    pub awb: String,
    /// The service's own id; none where a person settled the order.
    pub order_id: Option<String>,
    pub carrier: Option<String>,
    /// Where it stands in its sheets.
    pub rows: String,
    /// When it was cancelled.
    pub cancelled_ms: Option<i64>,
    /// When a cancellation was asked for of which nobody knows what came of it.
    pub cancel_unclear_ms: Option<i64>,
    /// When its label was handed out last to be printed.
    pub printed_ms: Option<i64>,
}

impl Shipped {
    /// What the service may know it by.
    #[must_use]
    pub fn names(&self) -> ShipmentRef<'_> {
        ShipmentRef { order_id: self.order_id.as_deref(), order_number: &self.order_number, awb: &self.awb }
    }
}

/// A registered address for tracking events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Webhook {
    /// The service's address, or `sandbox`.
    pub service: String,
    /// The service's own id of it; empty where nobody knows whether it is registered.
    pub endpoint_id: String,
    /// Where events are delivered.
    pub url: String,
    /// Whether events are delivered.
    pub enabled: bool,
    /// The content type of the events.
    pub content_type: String,
    /// When it was registered, in milliseconds since 1970-01-01 UTC.
    pub registered_ms: i64,
    /// The user who registered it.
    pub user: String,
    /// On which machine.
    pub host: String,
}

/// A delivery as it came.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names say it")]
pub struct NewDelivery<'a> {
    pub sha256: [u8; 32],
    pub received_ms: i64,
    pub content_type: Option<&'a str>,
    pub body: &'a [u8],
    /// Texts found in it that may be an AWB or an order id of ours.
    pub names: &'a [String],
}

/// A delivery that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DeliveryRecord {
    /// When it was received, in milliseconds since 1970-01-01 UTC.
    pub received_ms: i64,
    /// Its content type.
    pub content_type: Option<String>,
    /// As it came, as far as it is text.
    pub body: String,
}

/// What became of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivered {
    /// It is kept; the order that it names, where it names one.
    Kept(Option<String>),
    /// It was kept before.
    Repeated,
}

/// Tracking events of one order that are told at most.
const DELIVERIES_MAX: i64 = 200;
/// A request is never kept with more names than this.
const NAMES_MAX: usize = 200;

/// Whether a name stands in a text by itself, and not as a part of a longer one.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + name.len()..].chars().next());
        !name.is_empty() && !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// The columns of [`Shipped`] but for its rows.
pub(super) const SHIPPED: &str = concat!(
    "o.number, o.awb, o.order_id, o.carrier,
    (SELECT min(at_ms) FROM cancellations c WHERE c.order_id = o.id), ",
    unclear_since!(),
    ", (SELECT max(at_ms) FROM label_prints l WHERE l.order_id = o.id)"
);

pub(super) fn shipped(row: &Row<'_>) -> db::Result<Shipped> {
    Ok(Shipped {
        order_number: row.get(0)?,
        awb: row.get(1)?,
        order_id: row.get(2)?,
        carrier: row.get(3)?,
        cancelled_ms: row.get(4)?,
        cancel_unclear_ms: row.get::<Option<i64>>(5)?.filter(|_| row.get_ref(4).is_ok_and(|at| at == Value::Null)),
        printed_ms: row.get(6)?,
        rows: row.get(7)?,
    })
}

impl Ledger {
    /// The orders of a run's sheets that have an AWB now, however they came to it, in sheet order: those that were invalid
    /// and were corrected and booked since are among them.
    pub fn shipped_of_run(&self, run: RunId) -> Result<Vec<Shipped>, LedgerError> {
        let mut statement = self.connection.prepare(&format!(
            "SELECT {SHIPPED}, coalesce(r.rows, q.rows) FROM run_classes r
             CROSS JOIN orders o ON o.id = r.order_id CROSS JOIN requests q ON q.id = o.request_id
             WHERE r.run_id = ?1 AND o.awb IS NOT NULL ORDER BY r.seq"
        ))?;
        let rows = statement.query_map([run.0], shipped)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// A booked order of a service, by its number; the one at this very address first.
    pub fn shipped(&self, service: &str, number: &str) -> Result<Option<Shipped>, LedgerError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT {SHIPPED}, q.rows FROM same_service s CROSS JOIN orders o ON o.service_id = s.id
             CROSS JOIN requests q ON q.id = o.request_id
             WHERE s.origin = ? AND o.number = ? AND o.awb IS NOT NULL ORDER BY s.is_own DESC, o.id LIMIT 1"
        ))?;
        Ok(statement.query_row(params![service, number], shipped).optional()?)
    }

    /// The latest tracking events of an order, the oldest first. One that came before the ledger knew the shipment's names
    /// was kept without its order, and belongs to it all the same.
    pub(super) fn deliveries_of(
        &self,
        order: i64,
        names: [Option<&str>; 2],
    ) -> Result<Vec<DeliveryRecord>, LedgerError> {
        let [awb, order_id] = names;
        let mut statement = self.connection.prepare_cached(
            "SELECT received_ms, content_type, body, order_id IS NOT NULL FROM deliveries
             WHERE order_id = ?1 OR (order_id IS NULL
                AND (instr(body, ?2) > 0 OR instr(body, ?3) > 0))
             ORDER BY id DESC LIMIT ?4",
        )?;
        let rows = statement.query_map(
            params![order, awb.map(str::as_bytes), order_id.map(str::as_bytes), DELIVERIES_MAX],
            |row| {
                let body: Vec<u8> = row.get(2)?;
                let body = String::from_utf8_lossy(&body).into_owned();
                Ok((DeliveryRecord { received_ms: row.get(0)?, content_type: row.get(1)?, body }, row.get::<bool>(3)?))
            },
        )?;
        let mut latest = Vec::new();
        for row in rows {
            let (delivery, is_attached) = row?;
            if is_attached || names.into_iter().flatten().any(|name| has_word(&delivery.body, name)) {
                latest.push(delivery);
            }
        }
        latest.reverse();
        Ok(latest)
    }

    /// Keeps a registered address.
    pub fn registered(&mut self, webhook: &Webhook) -> Result<(), LedgerError> {
        let Webhook { service, endpoint_id, url, enabled, content_type, registered_ms, user, host } = webhook;
        self.connection.execute(
            "INSERT INTO webhooks (service, endpoint_id, url, enabled, content_type, registered_ms, user, host)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            params![service, endpoint_id, url, enabled, content_type, registered_ms, user, host],
        )?;
        Ok(())
    }

    /// The registered addresses of a service, the oldest first.
    pub fn webhooks(&self, service: &str) -> Result<Vec<Webhook>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT service, endpoint_id, url, enabled, content_type, registered_ms, user, host FROM webhooks
             WHERE service = ? ORDER BY id",
        )?;
        let rows = statement.query_map([service], |row| {
            Ok(Webhook {
                service: row.get(0)?,
                endpoint_id: row.get(1)?,
                url: row.get(2)?,
                enabled: row.get(3)?,
                content_type: row.get(4)?,
                registered_ms: row.get(5)?,
                user: row.get(6)?,
                host: row.get(7)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Keeps a delivery, once, with the order that it names. It never changes the order.
    pub fn deliver(&mut self, service: &str, delivery: &NewDelivery<'_>) -> Result<Delivered, LedgerError> {
        let mut found: Option<(i64, String)> = None;
        for name in delivery.names.iter().take(NAMES_MAX) {
            let mut statement = self.connection.prepare_cached(
                "SELECT o.id, o.number FROM same_service s CROSS JOIN orders o ON o.service_id = s.id
                 WHERE s.origin = ?1 AND (o.awb = ?2 OR (o.state = 'booked' AND o.order_id = ?2)) LIMIT 1",
            )?;
            found = statement.query_row(params![service, name], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            if found.is_some() {
                break;
            }
        }
        let kept = self.connection.execute(
            "INSERT INTO deliveries (sha256, received_ms, content_type, body, order_id) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (sha256) DO NOTHING",
            params![
                delivery.sha256,
                delivery.received_ms,
                delivery.content_type,
                delivery.body,
                found.as_ref().map(|(id, _)| *id)
            ],
        )?;
        Ok(if kept == 1 { Delivered::Kept(found.map(|(_, number)| number)) } else { Delivered::Repeated })
    }
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn a_name_is_no_part_of_a_longer_one() {
        assert!(has_word(r#"{"awb":"AWB-12"}"#, "AWB-12"));
        assert!(has_word("1 12", "12"));
        for other in ["AWB-123", "xAWB-12", "AWB-12-1", "", "AWB"] {
            assert!(!has_word(other, "AWB-12"), "{other}");
        }
        assert!(!has_word("anything", ""));
    }
}
