//! Orders that a person looks for, the newest first: by state, by number or AWB, and with what their requests say.

use super::db::{OptionalExtension, Row, params};
use super::error::LedgerError;
use super::left::kept_as;
use super::open::Ledger;
use super::packed::Unpacker;

/// An order as lists show it.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Its place in the ledger; a later order has a greater one.
    pub place: i64,
    /// The order number.
    pub number: String,
    /// The service, by its key.
    pub service: String,
    /// Where it stands.
    pub state: String,
    /// Its AWB, if it is booked.
    pub awb: Option<String>,
    /// The carrier, if it is booked.
    pub carrier: Option<String>,
    /// The last words of the service, or of the network, on it; of one that does not go, the reason.
    pub error: Option<String>,
    /// The run that it was last in.
    pub run: Option<i64>,
    /// When its request was staged, or, without one, when its latest source came, epoch milliseconds.
    pub staged_ms: i64,
    /// Whether its shipment was cancelled.
    pub is_cancelled: bool,
    /// Its request; empty where it has none.
    pub body: Vec<u8>,
}

/// Where an order stands; of those that only their sheet kept back, how people call it.
macro_rules! standing {
    () => {
        concat!(
            "CASE WHEN o.standing = 'invalid' THEN (SELECT ",
            kept_as!(),
            " FROM run_orders r CROSS JOIN problems p ON p.run_id = r.run_id AND p.seq = r.seq AND p.severity = 'error'
              WHERE r.order_id = o.id AND r.run_id = (SELECT max(l.run_id) FROM run_orders l WHERE l.order_id = o.id))
             ELSE o.standing END"
        )
    };
}

const LISTED: &str = concat!(
    "SELECT o.id, o.number, s.origin, ",
    standing!(),
    ", o.awb, o.carrier, o.error,
        (SELECT max(r.run_id) FROM run_orders r WHERE r.order_id = o.id),
        coalesce(q.staged_ms, (SELECT c.at_ms FROM revisions v CROSS JOIN sources c ON c.id = v.source_id WHERE v.id = o.revision_id)),
        coalesce(q.body, zeroblob(0)), coalesce(q.sha256, zeroblob(32)),
        EXISTS (SELECT 1 FROM cancellations c WHERE c.order_id = o.id)
     FROM orders o CROSS JOIN services s ON s.id = o.service_id LEFT JOIN requests q ON q.id = o.request_id"
);

impl Ledger {
    /// Hands out orders from behind a place on, the newest first, until `each` has seen enough. `states` are as the ledger
    /// has them; with none, orders in every state are handed out. Perhaps only those that were cancelled.
    pub fn for_each_listed(
        &self,
        before: Option<i64>,
        (states, is_cancelled): (&[&str], bool),
        each: &mut dyn FnMut(Listed) -> bool,
    ) -> Result<(), LedgerError> {
        let cancelled = if is_cancelled { "AND o.id IN (SELECT order_id FROM cancellations)" } else { "" };
        let sql = format!(
            "{LISTED} WHERE o.id < ?1 AND (?2 = '[]' OR instr(?2, '\"' || {} || '\"') > 0) {cancelled} ORDER BY o.id DESC",
            standing!()
        );
        let states = serde_json::Value::from(states.to_vec()).to_string();
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params![before.unwrap_or(i64::MAX), states])?;
        let mut unpacker = Unpacker::default();
        while let Some(row) = &rows.next()? {
            if !each(self.read_listed(row, &mut unpacker)?) {
                break;
            }
        }
        Ok(())
    }

    /// An order of a service.
    pub fn listed(&self, service: &str, number: &str) -> Result<Option<Listed>, LedgerError> {
        let sql =
            format!("{LISTED} WHERE o.service_id = (SELECT id FROM services WHERE origin = ?1) AND o.number = ?2");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params![service, number])?;
        rows.next()?.map(|row| self.read_listed(&row, &mut Unpacker::default())).transpose()
    }

    /// The newest orders whose number has this text in it, or whose AWB ends with it; capital or small.
    pub fn listed_by_name(&self, text: &str, limit: usize) -> Result<Vec<Listed>, LedgerError> {
        let sql = format!(
            "{LISTED} WHERE instr(lower(o.number), lower(?1)) > 0 OR (length(o.awb) >= length(?1)
                AND lower(substr(o.awb, length(o.awb) - length(?1) + 1)) = lower(?1))
             ORDER BY lower(o.number) = lower(?1) DESC, o.id DESC LIMIT ?2"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params![text, super::sql::int(limit as u64)])?;
        let (mut found, mut unpacker) = (Vec::new(), Unpacker::default());
        while let Some(row) = &rows.next()? {
            found.push(self.read_listed(row, &mut unpacker)?);
        }
        Ok(found)
    }

    fn read_listed(&self, row: &Row<'_>, unpacker: &mut Unpacker) -> Result<Listed, LedgerError> {
        let kept = row.get_ref(9)?.as_blob()?;
        let (place, state): (i64, String) = (row.get(0)?, row.get(3)?);
        // Most orders go: the reasons of the others are looked up one by one.
        let error = match state.as_str() {
            "invalid" | "held" | "left_out" | "dismissed" => self.reason(place)?,
            _ => row.get(6)?,
        };
        Ok(Listed {
            place,
            number: row.get(1)?,
            service: row.get(2)?,
            state,
            awb: row.get(4)?,
            carrier: row.get(5)?,
            error,
            run: row.get(7)?,
            staged_ms: row.get(8)?,
            is_cancelled: row.get(11)?,
            body: unpacker.unpack_what_is_left(kept, &row.get(10)?)?.into_owned(),
        })
    }

    /// Why an order does not go.
    fn reason(&self, place: i64) -> Result<Option<String>, LedgerError> {
        let mut statement = self.connection.prepare_cached("SELECT because FROM reasons WHERE order_id = ?1")?;
        Ok(statement.query_row([place], |row| row.get(0)).optional()?.flatten())
    }
}
