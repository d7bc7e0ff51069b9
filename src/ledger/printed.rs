//! Labels that were handed out to be printed.

use super::after::{SHIPPED, Shipped, shipped};
use super::db::params;
use super::error::LedgerError;
use super::open::Ledger;

/// A PDF of labels.
#[derive(Debug, Clone)]
pub struct NewPrint {
    /// The service.
    pub service: String,
    /// The AWBs whose labels are in it.
    pub awbs: Vec<String>,
    /// The file.
    pub file: String,
    /// Who.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

impl Ledger {
    /// Notes that labels were handed out to be printed, all of them or none. It moves no order.
    pub fn note_printed(&mut self, print: &NewPrint) -> Result<(), LedgerError> {
        let NewPrint { service, awbs, file, user, host, at_ms } = print;
        let transaction = self.begin()?;
        for awb in awbs {
            transaction
                .prepare_cached(
                    "INSERT INTO label_prints (order_id, at_ms, user, host, file)
                     SELECT o.id, ?3, ?4, ?5, ?6 FROM same_service s CROSS JOIN orders o ON o.service_id = s.id
                     WHERE s.origin = ?1 AND o.awb = ?2 AND o.awb IS NOT NULL",
                )?
                .execute(params![service, awb, at_ms, user, host, file])?;
        }
        Ok(transaction.commit()?)
    }

    /// Every order of a service that came to an AWB since then (epoch milliseconds), by an answer, a statement, a look-up or
    /// a person's word, and whose label was not handed out to be printed.
    pub fn not_printed(&self, service: &str, since_ms: i64) -> Result<Vec<Shipped>, LedgerError> {
        let mut statement = self.connection.prepare(&format!(
            "SELECT {SHIPPED}, q.rows FROM orders o CROSS JOIN requests q ON q.id = o.request_id
             WHERE o.awb IS NOT NULL AND o.service_id IN (SELECT id FROM same_service WHERE origin = ?1)
                AND NOT EXISTS (SELECT 1 FROM label_prints l WHERE l.order_id = o.id)
                AND o.id IN (
                    SELECT r.order_id FROM runs u CROSS JOIN run_orders r ON r.run_id = u.id
                    WHERE u.started_ms >= ?2 AND r.already = 0
                    UNION SELECT d.order_id FROM decisions d WHERE d.at_ms >= ?2 AND d.verb = 'booked'
                    UNION SELECT a.order_id FROM late_answers l CROSS JOIN attempts a ON a.id = l.attempt_id
                    WHERE l.at_ms >= ?2)
             ORDER BY o.id"
        ))?;
        let shipments = statement.query_map(params![service, since_ms], shipped)?;
        Ok(shipments.collect::<Result<_, _>>()?)
    }
}
