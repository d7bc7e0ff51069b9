//! Which rows of which sheets stand for which order: a row that was sent under one number goes under no other one unasked,
//! whoever sends it and whatever its file is called by then.

use super::db::{Connection, OptionalExtension, params};
use super::error::LedgerError;
use super::former::{self, Own};
use super::known::known;
use super::open::Ledger;
use super::record::{OrderId, RunId};
use super::same::{Last, SentAs, counts, last_at, replaced_by};

/// A sheet of a run, by what it is and not by where it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetIdentity {
    /// The SHA-256 of its file.
    pub sha256: [u8; 32],
    /// The name of the worksheet; empty where the file has none.
    pub worksheet: String,
}

/// A sheet of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSheet {
    /// Its name, as places in it are told.
    pub name: String,
    /// Its file and worksheet; none where it came through standard input.
    pub identity: Option<SheetIdentity>,
}

/// What a row is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetRow {
    /// Its place: the number of its sheet in the run, and its own, counted from 1.
    At(u16, u32),
    /// What stands in it, as a hash greater than 0: the same where its file was saved again, or was added to.
    With(i64),
    /// Its shipment under the number that it had before somebody typed another one, as a hash greater than 0: the same whatever
    /// else of its file was changed since.
    TypedOver(i64),
    /// Its shipment under its own number: kept only where that number was typed over in an earlier run.
    Own(i64),
}

/// Rows that are not known by their place are kept under the time of their run instead of a sheet, in milliseconds: those
/// of ten days lie close together, so that keeping and finding some touches little of a ledger of years.
const PERIOD_MS: i64 = 10 * 24 * 3_600_000;

/// In so many of the latest periods a row is looked for.
const PERIODS: usize = 3;

/// These stand where the hash of a sheet would: for rows that are known by what stands in them, and by what was typed over.
const WITH: [u8; 32] = [0; 32];
const TYPED_OVER: [u8; 32] = [1; 32];

/// Times under which rows of one kind are kept.
#[derive(Debug, Default)]
struct Periods {
    /// What stands where the hash of a sheet would.
    kind: [u8; 32],
    /// The latest ones of earlier runs; 0 where there are fewer.
    latest: [i64; PERIODS],
    /// That of the run that takes rows in, once it has one.
    now: Option<i64>,
}

impl Periods {
    fn of(connection: &Connection, kind: [u8; 32]) -> Result<Self, LedgerError> {
        let mut statement =
            connection.prepare("SELECT id FROM row_sheets WHERE sha256 = ?1 ORDER BY worksheet DESC LIMIT 3")?;
        let mut latest = [0; PERIODS];
        for (period, id) in latest.iter_mut().zip(statement.query_map(params![kind], |row| row.get(0))?) {
            *period = id?;
        }
        Ok(Self { kind, latest, now: None })
    }

    fn are_none(&self) -> bool {
        self.latest == [0; PERIODS]
    }

    /// The period of a time, which is there from then on.
    fn begin(&mut self, connection: &Connection, at_ms: i64) -> Result<i64, LedgerError> {
        if let Some(now) = self.now {
            return Ok(now);
        }
        let own = SheetIdentity { sha256: self.kind, worksheet: format!("{:06}", at_ms.div_euclid(PERIOD_MS)) };
        let now = id_of(connection, &own)?.map_or_else(|| insert(connection, &own), Ok)?;
        self.now = Some(now);
        Ok(now)
    }

    /// Those that have a row already, each with an order that it stood for.
    fn having(&self, connection: &Connection, row: i64) -> Result<Vec<(i64, OrderId)>, LedgerError> {
        if self.are_none() {
            return Ok(Vec::new());
        }
        let [first, second, third] = self.latest;
        let mut kept = connection
            .prepare_cached("SELECT sheet_id, order_id FROM sheet_rows WHERE sheet_id IN (?1, ?2, ?3) AND row = ?4")?;
        let kept = kept.query_map(params![first, second, third, row], |row| Ok((row.get(0)?, OrderId(row.get(1)?))))?;
        Ok(kept.collect::<Result<_, _>>()?)
    }
}

/// The sheets of a run, by their number; nothing of one that the ledger has never seen and that is only looked at.
#[derive(Debug, Default)]
pub(super) struct RowSheets {
    seen: Vec<Option<Seen>>,
    /// The files of the sheets, as far as they are known.
    files: Vec<Option<[u8; 32]>>,
    with: Periods,
    typed_over: Periods,
    /// Whether any order of the ledger had another number before.
    has_former: bool,
    /// The run that they are taken in by, and when it began, epoch milliseconds.
    run: Option<(RunId, i64)>,
}

/// A sheet of a run, as far as the ledger knows it.
#[derive(Debug, Clone, Copy, Default)]
pub struct KnownSheet {
    /// The SHA-256 of its file; nothing of what came through standard input.
    pub file: Option<[u8; 32]>,
    /// Whether an earlier run had it.
    pub came_before: bool,
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
        sheets: &[RunSheet],
        run: Option<(RunId, i64)>,
    ) -> Result<Self, LedgerError> {
        let seen = |sheet: &SheetIdentity| -> Result<Option<Seen>, LedgerError> {
            Ok(match id_of(connection, sheet)? {
                Some(id) => Some(Seen { id, is_known: true }),
                None if run.is_none() => None,
                None => Some(Seen { id: insert(connection, sheet)?, is_known: false }),
            })
        };
        let identities = sheets.iter().map(|sheet| sheet.identity.as_ref());
        let files = identities.clone().map(|own| own.map(|own| own.sha256)).collect();
        let seen = identities.map(|own| own.map_or(Ok(None), seen)).collect::<Result<_, _>>()?;
        let (with, typed_over) = (Periods::of(connection, WITH)?, Periods::of(connection, TYPED_OVER)?);
        Ok(Self { seen, files, with, typed_over, has_former: former::are_any(connection)?, run })
    }

    /// What is known of a sheet.
    pub(super) fn known(&self, number: u16) -> KnownSheet {
        let file = self.files.get(usize::from(number)).copied().flatten();
        KnownSheet { file, came_before: self.sheet(number).is_some_and(|seen| seen.is_known) }
    }

    fn sheet(&self, number: u16) -> Option<Seen> {
        self.seen.get(usize::from(number)).copied().flatten()
    }

    /// Under which sheets or periods earlier runs may have kept a row, and by which number; nothing where there are none.
    fn places(&self, row: SheetRow) -> Option<([i64; PERIODS], i64)> {
        let of = |periods: &Periods, row| (!periods.are_none()).then_some((periods.latest, row));
        match row {
            SheetRow::At(sheet, row) => {
                let known = self.sheet(sheet).filter(|seen| seen.is_known)?;
                Some(([known.id; PERIODS], row.into()))
            }
            SheetRow::With(content) => of(&self.with, content),
            SheetRow::TypedOver(shipment) | SheetRow::Own(shipment) => of(&self.typed_over, shipment),
        }
    }

    /// Keeps that these rows stand for an order. One that is not known by its place is kept where earlier runs have it, and under the
    /// time of this run as well, so that one that comes again and again stays known. Of a booked order whose rows came before as they
    /// are, the new places are not kept: an export of each day has them all.
    pub(super) fn keep(
        &mut self,
        connection: &Connection,
        (order, is_booked): (OrderId, bool),
        rows: &[SheetRow],
    ) -> Result<(), LedgerError> {
        let Some((_, at_ms)) = self.run else { return Ok(()) };
        let (mut places, mut contents, mut known_contents) = (Vec::new(), 0, 0);
        let mut statement = connection.prepare_cached(
            "INSERT INTO sheet_rows (sheet_id, row, order_id) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        )?;
        for row in rows {
            let (mut having, row, now) = match *row {
                SheetRow::At(sheet, row) => {
                    places.push((self.sheet(sheet).map(|seen| seen.id), row));
                    continue;
                }
                SheetRow::With(content) => {
                    let having = self.with.having(connection, content)?;
                    contents += 1;
                    known_contents += usize::from(having.iter().any(|(_, own)| *own == order));
                    (having, content, Some(self.with.begin(connection, at_ms)?))
                }
                SheetRow::TypedOver(shipment) => {
                    let now = self.typed_over.begin(connection, at_ms)?;
                    (self.typed_over.having(connection, shipment)?, shipment, Some(now))
                }
                SheetRow::Own(shipment) => (self.typed_over.having(connection, shipment)?, shipment, None),
            };
            let mut periods: Vec<i64> = having.iter().map(|(period, _)| *period).chain(now).collect();
            periods.dedup();
            having.retain(|(_, own)| *own == order);
            periods.retain(|period| !having.iter().any(|(own, _)| own == period));
            for period in periods {
                statement.execute(params![period, row, order.0])?;
            }
        }
        let came_as_they_are = known_contents == contents && contents >= places.len();
        if is_booked && came_as_they_are {
            return Ok(());
        }
        for (sheet, row) in places {
            if let Some(sheet) = sheet {
                statement.execute(params![sheet, row, order.0])?;
            }
        }
        Ok(())
    }

    /// Keeps that an order had these numbers before.
    pub(super) fn keep_former(
        &mut self,
        connection: &Connection,
        addresses: &[i64],
        (order, numbers): (OrderId, &[String]),
    ) -> Result<(), LedgerError> {
        self.has_former |= !numbers.is_empty();
        former::keep(connection, addresses, order, numbers)
    }

    /// The other numbers by which an order may be known.
    pub(super) fn other_numbers(
        &self,
        connection: &Connection,
        addresses: &[i64],
        number: &str,
        came_as: &[String],
    ) -> Result<Vec<String>, LedgerError> {
        if !self.has_former && came_as.is_empty() {
            return Ok(Vec::new());
        }
        former::other_numbers(connection, addresses, number, came_as)
    }

    /// An order of another number, at these addresses of a service, that one of these rows stood for in an earlier run, and that
    /// may be booked or is still to be sent; or one that has a number which this one had before, or the other way round; or, of
    /// an order that was staged before, the one that it was replaced by. What this very run sends goes with the rows that it
    /// has here.
    pub(super) fn sent_otherwise(
        &self,
        connection: &Connection,
        addresses: &[i64],
        (number, came_as): (&str, &[String]),
        rows: &[SheetRow],
    ) -> Result<Option<SentAs>, LedgerError> {
        let own_run = self.run.map(|(run, _)| run);
        let run = own_run.map(|run| run.0);
        let mut statement = connection.prepare_cached(concat!(
            "SELECT o.number, o.source_standing, o.awb, o.service_id, o.id FROM sheet_rows r
             CROSS JOIN orders o ON o.id = r.order_id
             WHERE r.sheet_id IN (?1, ?2, ?3) AND r.row = ?4 AND o.number <> ?5 AND ",
            counts!(),
            " AND NOT (o.source_standing IN ('staged', 'waiting')
                AND EXISTS (SELECT 1 FROM run_orders u WHERE u.order_id = o.id AND u.run_id = ?6 AND u.behind = 0))",
        ))?;
        let mut last = None;
        for ([first, second, third], row) in rows.iter().filter_map(|row| self.places(*row)) {
            last = last.max(last_at(addresses, &mut statement, params![first, second, third, row, number, run])?);
        }
        drop(statement);
        if let Some(Last(_, other)) = last {
            return Ok(Some(other));
        }
        let order = known(connection, addresses, number)?.map(|own| own.order);
        if self.has_former || !came_as.is_empty() {
            let other = former::asked_of(connection, addresses, Own { number, order, run: own_run }, came_as)?;
            if other.is_some() {
                return Ok(other);
            }
        }
        order.map_or(Ok(None), |order| replaced_by(connection, addresses, order, own_run))
    }
}

fn insert(connection: &Connection, sheet: &SheetIdentity) -> Result<i64, LedgerError> {
    let own = params![sheet.sha256, sheet.worksheet];
    Ok(connection.insert("INSERT INTO row_sheets (sha256, worksheet) VALUES (?1, ?2)", own)?)
}

/// The id under which the ledger knows a sheet.
fn id_of(connection: &Connection, sheet: &SheetIdentity) -> Result<Option<i64>, LedgerError> {
    let mut found = connection.prepare_cached("SELECT id FROM row_sheets WHERE sha256 = ?1 AND worksheet = ?2")?;
    Ok(found.query_row(params![sheet.sha256, sheet.worksheet], |row| row.get(0)).optional()?)
}

impl Ledger {
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
