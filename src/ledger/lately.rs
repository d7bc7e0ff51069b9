//! What was booked lately, so that the same shipment under another number is seen on another day as well.

use rusqlite::params;

use super::error::LedgerError;
use super::packed::Unpacker;
use super::staging::Staging;

impl Staging<'_> {
    /// Hands out number, AWB and request of the orders that are booked at this run's service, newest first, as far as
    /// their requests were staged since then (epoch milliseconds) and are among the last `limit` ones of the ledger.
    pub fn booked_since(
        &self,
        since_ms: i64,
        limit: u32,
        each: &mut dyn FnMut(&str, &str, &[u8]),
    ) -> Result<(), LedgerError> {
        let mut statement = self.transaction.prepare(
            "SELECT q.staged_ms, o.state = 'booked' AND o.request_id = q.id
                AND o.service_id IN (SELECT id FROM same_service WHERE origin = ?1), o.number, o.awb, q.body, q.sha256
             FROM requests q CROSS JOIN orders o ON o.id = q.order_id ORDER BY q.id DESC LIMIT ?2",
        )?;
        let mut rows = statement.query(params![self.new.service, limit])?;
        let mut unpacker = Unpacker::default();
        while let Some(row) = rows.next()? {
            if row.get::<_, i64>(0)? < since_ms {
                break;
            }
            if row.get(1)? {
                let (number, awb): (String, Option<String>) = (row.get(2)?, row.get(3)?);
                let kept = row.get_ref(4)?.as_blob().map_err(rusqlite::Error::from)?;
                each(&number, &awb.unwrap_or_default(), &unpacker.unpack(kept, &row.get(5)?)?);
            }
        }
        Ok(())
    }
}
