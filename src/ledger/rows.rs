//! Which rows of which sheets stand for which order: a row that was sent under one number goes under no other one unasked,
//! whoever sends it and whatever its file is called by then.

use std::collections::HashSet;

use super::address::addresses;
use super::db::{Connection, OptionalExtension, Statement, Value, params};
use super::error::LedgerError;
use super::known::known;
use super::open::Ledger;
use super::record::{OrderId, RunId, State};
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

/// How the reason begins for which an order is given up that the courier has already: it is not sent from here, and it is there.
pub const BOOKED_THERE: &str = "booked with AWB ";

/// Of an order `o`, whether it may be booked or is still to be sent: also one that was given up because the courier has it.
const COUNTS: &str =
    "(EXISTS (SELECT 1 FROM orders_that_count c WHERE c.id = o.id) OR o.state = 'abandoned' AND EXISTS (
    SELECT 1 FROM decisions d WHERE d.id = (SELECT max(id) FROM decisions WHERE order_id = o.id)
        AND d.verb = 'abandoned' AND substr(d.because, 1, 16) = 'booked with AWB '))";

/// What a row is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetRow {
    /// Its place: the number of its sheet in the run, and its own, counted from 1.
    At(u16, u32),
    /// What stands in it, as a hash greater than 0: the same where its file was saved again, or was added to.
    With(i64),
}

/// Rows that are known by what stands in them are kept under the time of their run instead of a sheet, in milliseconds: those
/// of ten days lie close together, so that keeping and finding some touches little of a ledger of years.
const PERIOD_MS: i64 = 10 * 24 * 3_600_000;

/// In so many of the latest periods a row is looked for by what stands in it.
const PERIODS: i64 = 3;

/// Stands where the hash of a sheet would.
const NO_SHEET: [u8; 32] = [0; 32];

/// The sheets of a run, by their number; nothing of one that the ledger has never seen and that is only looked at.
#[derive(Debug, Default)]
pub(super) struct RowSheets {
    seen: Vec<Option<Seen>>,
    /// The latest periods of earlier runs.
    periods: Vec<i64>,
    /// The period of the run that takes them in.
    now: Option<i64>,
    /// The run that they are taken in by.
    run: Option<RunId>,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    id: i64,
    /// Whether an earlier run had it.
    is_known: bool,
}

impl RowSheets {
    /// Those that the ledger knows; where a run takes them in it keeps the others as well, else they are left out.
    pub(super) fn of(
        connection: &Connection,
        sheets: &[Option<SheetIdentity>],
        taken_in: Option<(RunId, i64)>,
    ) -> Result<Self, LedgerError> {
        let keeps = taken_in.is_some();
        let mut latest =
            connection.prepare("SELECT id FROM row_sheets WHERE sha256 = ?1 ORDER BY worksheet DESC LIMIT ?2")?;
        let periods = latest.query_map(params![NO_SHEET, PERIODS], |row| row.get(0))?.collect::<Result<_, _>>()?;
        let seen = |sheet: &SheetIdentity| -> Result<Option<Seen>, LedgerError> {
            if let Some(id) = id_of(connection, sheet)? {
                return Ok(Some(Seen { id, is_known: true }));
            }
            if !keeps {
                return Ok(None);
            }
            let own = params![sheet.sha256, sheet.worksheet];
            let id = connection.insert("INSERT INTO row_sheets (sha256, worksheet) VALUES (?1, ?2)", own)?;
            Ok(Some(Seen { id, is_known: false }))
        };
        let all = sheets.iter().map(|sheet| sheet.as_ref().map_or(Ok(None), seen));
        let all = all.collect::<Result<_, _>>()?;
        let now = match taken_in {
            Some((_, at_ms)) => {
                let worksheet = format!("{:06}", at_ms.div_euclid(PERIOD_MS));
                seen(&SheetIdentity { sha256: NO_SHEET, worksheet })?.map(|seen| seen.id)
            }
            None => None,
        };
        Ok(Self { seen: all, periods, now, run: taken_in.map(|(run, _)| run) })
    }

    fn sheet(&self, number: u16) -> Option<Seen> {
        self.seen.get(usize::from(number)).copied().flatten()
    }

    /// Where earlier runs may have kept a row: under which sheets or periods, and by which number.
    fn places(&self, row: SheetRow) -> (Vec<i64>, i64) {
        match row {
            SheetRow::At(sheet, row) => {
                let known = self.sheet(sheet).filter(|seen| seen.is_known);
                (known.map(|seen| seen.id).into_iter().collect(), row.into())
            }
            SheetRow::With(content) => (self.periods.clone(), content),
        }
    }

    /// Where a row is to be kept. One that is known by what stands in it stays in the period in which it came first.
    fn place(&self, connection: &Connection, row: SheetRow) -> Result<Option<(i64, i64)>, LedgerError> {
        let content = match row {
            SheetRow::At(sheet, row) => return Ok(self.sheet(sheet).map(|seen| (seen.id, row.into()))),
            SheetRow::With(content) => content,
        };
        let mut kept = connection.prepare_cached("SELECT 1 FROM sheet_rows WHERE sheet_id = ?1 AND row = ?2")?;
        for period in &self.periods {
            if kept.exists(params![period, content])? {
                return Ok(Some((*period, content)));
            }
        }
        Ok(self.now.map(|period| (period, content)))
    }

    /// Keeps that these rows stand for an order.
    pub(super) fn keep(&self, connection: &Connection, order: OrderId, rows: &[SheetRow]) -> Result<(), LedgerError> {
        let mut statement = connection.prepare_cached(
            "INSERT INTO sheet_rows (sheet_id, row, order_id) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        )?;
        for row in rows {
            if let Some((sheet, row)) = self.place(connection, *row)? {
                statement.execute(params![sheet, row, order.0])?;
            }
        }
        Ok(())
    }

    /// An order of another number, at these addresses of a service, that one of these rows stood for in an earlier run, and that
    /// may be booked or is still to be sent; or, of an order that was staged before, the one that it was replaced by. What this
    /// very run sends goes with the rows that it has here.
    pub(super) fn sent_otherwise(
        &self,
        connection: &Connection,
        addresses: &[i64],
        number: &str,
        rows: &[SheetRow],
    ) -> Result<Option<SentAs>, LedgerError> {
        let mut last = None;
        let places = rows.iter().map(|row| self.places(*row));
        for (sheet, row) in places.flat_map(|(sheets, row)| sheets.into_iter().map(move |sheet| (sheet, row))) {
            let statement = connection.prepare_cached(&format!(
                "SELECT o.number, o.state, o.awb, o.service_id, o.id FROM sheet_rows r
                 CROSS JOIN orders o ON o.id = r.order_id
                 WHERE r.sheet_id = ?1 AND r.row = ?2 AND o.number <> ?3 AND {COUNTS}
                    AND NOT (o.state IN ('staged', 'waiting')
                        AND EXISTS (SELECT 1 FROM run_orders u WHERE u.order_id = o.id AND u.run_id = ?4))",
            ))?;
            let run = self.run.map(|run| run.0);
            last = last.max(last_at(addresses, statement, params![sheet, row, number, run])?);
        }
        if let Some(Last(_, other)) = last {
            return Ok(Some(other));
        }
        match known(connection, addresses, number)? {
            Some(own) => replaced_by(connection, addresses, own.order, &Together::In(self.run)),
            None => Ok(None),
        }
    }
}

/// The id under which the ledger knows a sheet.
fn id_of(connection: &Connection, sheet: &SheetIdentity) -> Result<Option<i64>, LedgerError> {
    let mut found = connection.prepare_cached("SELECT id FROM row_sheets WHERE sha256 = ?1 AND worksheet = ?2")?;
    Ok(found.query_row(params![sheet.sha256, sheet.worksheet], |row| row.get(0)).optional()?)
}

impl Ledger {
    /// The order of another number that the rows of an order stand for by now, where that one may be booked or is to be sent in
    /// its place.
    pub fn sent_as(&self, service: &str, number: &str) -> Result<Option<SentAs>, LedgerError> {
        let addresses = addresses(&self.connection, service)?;
        match known(&self.connection, &addresses, number)? {
            Some(own) => replaced_by(&self.connection, &addresses, own.order, &Together::In(None)),
            None => Ok(None),
        }
    }

    /// The rows of a sheet that stood for an order of this number, in whatever run.
    pub fn rows_of(&self, sheet: &SheetIdentity, number: &str) -> Result<Vec<u32>, LedgerError> {
        let Some(id) = id_of(&self.connection, sheet)? else { return Ok(Vec::new()) };
        let mut statement = self.connection.prepare_cached(
            "SELECT r.row FROM services s CROSS JOIN orders o ON o.service_id = s.id
             CROSS JOIN sheet_rows r ON r.order_id = o.id
             WHERE o.number = ?2 AND r.sheet_id = ?1 ORDER BY r.row",
        )?;
        let rows = statement.query_map(params![id, number], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The numbers of the orders that these rows of a sheet stood for, in whatever run.
    pub fn stood_for(&self, sheet: &SheetIdentity, rows: &[u32]) -> Result<Vec<String>, LedgerError> {
        let Some(id) = id_of(&self.connection, sheet)? else { return Ok(Vec::new()) };
        let mut statement = self.connection.prepare_cached(
            "SELECT o.number FROM sheet_rows r CROSS JOIN orders o ON o.id = r.order_id
             WHERE r.sheet_id = ?1 AND r.row = ?2 ORDER BY o.id",
        )?;
        let mut numbers = Vec::new();
        for row in rows {
            for number in statement.query_map(params![id, row], |row| row.get(0))? {
                numbers.push(number?);
            }
        }
        Ok(numbers)
    }
}

/// Orders beside which it is asked what an order was replaced by.
pub(super) enum Together<'o> {
    /// The run that is being staged, if one is: what it sends goes with other rows.
    In(Option<RunId>),
    /// Orders that failed and are to be taken up at once: of several of one row the last one goes.
    Failed(&'o HashSet<OrderId>),
}

/// The order, of another number, that the rows of an order stood for as well, where that one may be booked or is to be sent in its
/// place: the later of two that are still to be sent.
pub(super) fn replaced_by(
    connection: &Connection,
    addresses: &[i64],
    order: OrderId,
    together: &Together<'_>,
) -> Result<Option<SentAs>, LedgerError> {
    let statement = connection.prepare_cached(&format!(
        "SELECT o.number, o.state, o.awb, o.service_id, o.id FROM orders own
         CROSS JOIN sheet_rows mine ON mine.order_id = own.id
         CROSS JOIN sheet_rows other ON other.sheet_id = mine.sheet_id AND other.row = mine.row
         CROSS JOIN orders o ON o.id = other.order_id
         WHERE own.id = ?1 AND o.number <> own.number AND {COUNTS}
            AND (o.state NOT IN ('staged', 'waiting') OR o.id > own.id AND NOT EXISTS (
                SELECT 1 FROM run_orders u WHERE u.order_id = o.id AND u.run_id = ?2))",
    ))?;
    let run = if let Together::In(run) = together { run.map(|run| run.0) } else { None };
    let other = last_at(addresses, statement, params![order.0, run])?.map(|Last(_, other)| other);
    match together {
        Together::Failed(orders) if other.is_none() && orders.len() > 1 => later_of(connection, order, orders),
        _ => Ok(other),
    }
}

/// Of these orders one of a later number that a row of an order stood for as well.
fn later_of(connection: &Connection, order: OrderId, orders: &HashSet<OrderId>) -> Result<Option<SentAs>, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT o.number, o.state, o.awb, o.id FROM orders own
         CROSS JOIN sheet_rows mine ON mine.order_id = own.id
         CROSS JOIN sheet_rows other ON other.sheet_id = mine.sheet_id AND other.row = mine.row
         CROSS JOIN orders o ON o.id = other.order_id
         WHERE own.id = ?1 AND o.number <> own.number AND o.id > own.id",
    )?;
    let mut others = statement.query([order.0])?;
    while let Some(other) = others.next()? {
        if orders.contains(&OrderId(other.get(3)?)) {
            return Ok(Some(SentAs { number: other.get(0)?, state: word(&other, 1)?, awb: other.get(2)? }));
        }
    }
    Ok(None)
}

/// An order with its id: of several that a row stood for, the last one says what became of the row.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Last(i64, SentAs);

impl PartialOrd for Last {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Last {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

/// The last order that is found at one of these addresses.
fn last_at(addresses: &[i64], mut statement: Statement<'_>, of: &[Value<'_>]) -> Result<Option<Last>, LedgerError> {
    let (mut others, mut last) = (statement.query(of)?, None);
    while let Some(other) = others.next()? {
        if addresses.contains(&other.get(3)?) {
            let sent = SentAs { number: other.get(0)?, state: word(&other, 1)?, awb: other.get(2)? };
            last = last.max(Some(Last(other.get(4)?, sent)));
        }
    }
    Ok(last)
}
