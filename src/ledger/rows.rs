//! Which rows of which sheets stand for which order: a row that was sent under one number goes under no other one unasked,
//! whoever sends it and whatever its file is called by then.

use super::address::addresses;
use super::db::{Connection, OptionalExtension, Statement, Value, params};
use super::error::LedgerError;
use super::known::known;
use super::open::Ledger;
use super::record::{OrderId, State};
use super::sql::word;

/// A sheet of a run, by what it is and not by where it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetIdentity {
    /// The SHA-256 of its file.
    pub sha256: [u8; 32],
    /// The name of the worksheet; empty where the file has none.
    pub worksheet: String,
}

/// An order that a row stood for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentAs {
    /// Its number.
    pub number: String,
    /// Where it stands.
    pub state: State,
    /// Its AWB, if it is booked.
    pub awb: Option<String>,
}

/// A row: the number of its sheet in the run, and its own, counted from 1.
pub type SheetRow = (u16, u32);

/// The sheets of a run, by their number; nothing of one that the ledger has never seen and that is only looked at.
#[derive(Debug, Default)]
pub(super) struct RowSheets(Vec<Option<Seen>>);

#[derive(Debug, Clone, Copy)]
struct Seen {
    id: i64,
    /// Whether an earlier run had it.
    is_known: bool,
}

impl RowSheets {
    /// Those that the ledger knows; it `keeps` the others as well, or they are left out.
    pub(super) fn of(
        connection: &Connection,
        sheets: &[Option<SheetIdentity>],
        keeps: bool,
    ) -> Result<Self, LedgerError> {
        let seen = |sheet: &SheetIdentity| -> Result<Option<Seen>, LedgerError> {
            let own = params![sheet.sha256, sheet.worksheet];
            let found = "SELECT id FROM row_sheets WHERE sha256 = ?1 AND worksheet = ?2";
            if let Some(id) = connection.query_row(found, own, |row| row.get(0)).optional()? {
                return Ok(Some(Seen { id, is_known: true }));
            }
            if !keeps {
                return Ok(None);
            }
            let id = connection.insert("INSERT INTO row_sheets (sha256, worksheet) VALUES (?1, ?2)", own)?;
            Ok(Some(Seen { id, is_known: false }))
        };
        let all = sheets.iter().map(|sheet| sheet.as_ref().map_or(Ok(None), seen));
        all.collect::<Result<_, _>>().map(Self)
    }

    /// Keeps that these rows stand for an order.
    pub(super) fn keep(&self, connection: &Connection, order: OrderId, rows: &[SheetRow]) -> Result<(), LedgerError> {
        let mut statement = connection.prepare_cached(
            "INSERT INTO sheet_rows (sheet_id, row, order_id) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        )?;
        for (sheet, row) in rows {
            if let Some(Some(seen)) = self.0.get(usize::from(*sheet)) {
                statement.execute(params![seen.id, row, order.0])?;
            }
        }
        Ok(())
    }

    /// An order of another number, at these addresses of a service, that one of these rows stood for in an earlier run, and that
    /// may be booked or is still to be sent; or, of an order that was staged before, the one that it was replaced by.
    pub(super) fn sent_otherwise(
        &self,
        connection: &Connection,
        addresses: &[i64],
        number: &str,
        rows: &[SheetRow],
    ) -> Result<Option<SentAs>, LedgerError> {
        for (sheet, row) in rows {
            let Some(Some(Seen { id, is_known: true })) = self.0.get(usize::from(*sheet)) else { continue };
            let statement = connection.prepare_cached(
                "SELECT o.number, o.state, o.awb, o.service_id FROM sheet_rows r
                 CROSS JOIN orders_that_count o ON o.id = r.order_id
                 WHERE r.sheet_id = ?1 AND r.row = ?2 AND o.number <> ?3",
            )?;
            let other = first_at(addresses, statement, params![id, row, number])?;
            if other.is_some() {
                return Ok(other);
            }
        }
        match known(connection, addresses, number)? {
            Some(own) => replaced_by(connection, addresses, own.order),
            None => Ok(None),
        }
    }
}

impl Ledger {
    /// The order of another number that the rows of an order stand for by now, where that one may be booked or is to be sent in
    /// its place.
    pub fn sent_as(&self, service: &str, number: &str) -> Result<Option<SentAs>, LedgerError> {
        let addresses = addresses(&self.connection, service)?;
        match known(&self.connection, &addresses, number)? {
            Some(own) => replaced_by(&self.connection, &addresses, own.order),
            None => Ok(None),
        }
    }
}

/// The order, of another number, that the rows of an order stood for as well, where that one may be booked or is to be sent in its
/// place: the later of two that are still to be sent.
pub(super) fn replaced_by(
    connection: &Connection,
    addresses: &[i64],
    order: OrderId,
) -> Result<Option<SentAs>, LedgerError> {
    let statement = connection.prepare_cached(
        "SELECT o.number, o.state, o.awb, o.service_id FROM orders own
         CROSS JOIN sheet_rows mine ON mine.order_id = own.id
         CROSS JOIN sheet_rows other ON other.sheet_id = mine.sheet_id AND other.row = mine.row
         CROSS JOIN orders_that_count o ON o.id = other.order_id
         WHERE own.id = ?1 AND o.number <> own.number AND (o.state NOT IN ('staged', 'waiting') OR o.id > own.id)",
    )?;
    first_at(addresses, statement, params![order.0])
}

/// The first order that is found at one of these addresses.
fn first_at(addresses: &[i64], mut statement: Statement<'_>, of: &[Value<'_>]) -> Result<Option<SentAs>, LedgerError> {
    let mut others = statement.query(of)?;
    while let Some(other) = others.next()? {
        if addresses.contains(&other.get(3)?) {
            return Ok(Some(SentAs { number: other.get(0)?, state: word(&other, 1)?, awb: other.get(2)? }));
        }
    }
    Ok(None)
}
